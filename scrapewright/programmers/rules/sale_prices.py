"""Prices before and in a sale: what the page strikes out where it does, and the one price where it does not."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import msgspec

from scrapewright.query.lexicon import concepts, tokens
from scrapewright.survey.dom import word_set
from scrapewright.survey.model import Slot

_NOT_STRUCK = re.compile(r":not\((?:del|s|strike) \*\)")
STRUCK_OUT = re.compile(r"(?:^|[\s>])(?:del|s|strike)(?=[\s.>:]|$)")


def with_former(slots: Sequence[Slot]) -> tuple[Slot, ...]:
    """The slots, those of struck prices named so, and for each current price the regular one of all records.

    Of several prices a page writes the former one first: without its condition the current price's selector finds it.
    """
    found = []
    for slot in slots:
        if STRUCK_OUT.search(slot.selector) and slot.type in ("int", "float"):
            slot = msgspec.structs.replace(slot, names=(*slot.names, "old price", "was price", "former price"))
        found.append(slot)
        regular = _NOT_STRUCK.sub("", slot.selector)
        if regular != slot.selector and slot.type in ("int", "float") and not slot.index:
            names = ("regular price", "original price", "list price", "full price")
            found.append(msgspec.structs.replace(slot, id=f"{slot.id}r", selector=regular, names=names))
    return tuple(found)


_PLAIN = re.compile(r"[a-z][\w.# >-]*")
_OLD = word_set("old was before strike struck original list previous crossed rrp msrp uvp former save saving unit")
_NEW = word_set("special sale now current final offer actual promo reduced new")


def either(slots: Sequence[Slot], read: Callable[[Slot], Sequence[str | None]]) -> tuple[Slot, ...]:
    """The slots, and for two places of a price of which each record has one ("special price", else "regular price")
    one that holds the price of all. `read` gives a slot's text in each record."""
    prices = [slot for slot in slots if _is_price(slot) and not _words(slot) & _OLD]
    found = list(slots)
    for one in prices:
        texts = read(one)
        others = [other for other in prices if _complement(texts, read(other))]
        if len(others) > 1:
            others = [other for other in others if _words(other) & _NEW]
        # The pair is found from both of its sides, and taken from its first.
        if len(others) == 1 and prices.index(others[0]) > prices.index(one):
            both = f"{one.selector}, {others[0].selector}"
            names = ("price", "current price")
            found.append(
                msgspec.structs.replace(
                    one, id=f"{one.id}e", selector=both, coverage=1.0, label="", header="", names=names
                )
            )
    return tuple(found)


def _is_price(slot: Slot) -> bool:
    alone = slot.attr == "text" and not (slot.index or slot.many or slot.own) and slot.type in ("int", "float")
    if not alone or slot.coverage >= 1 or not _PLAIN.fullmatch(slot.selector) or STRUCK_OUT.search(slot.selector):
        return False
    return any("price" in concepts(word) for word in _words(slot))


def _words(slot: Slot) -> set[str]:
    return {word for name in (*slot.names, slot.selector) for word in tokens(name)}


def _complement(one: Sequence[str | None], other: Sequence[str | None]) -> bool:
    """Whether each record has its text in one of the two, and none in both."""
    return len(one) == len(other) > 1 and all((a is None) != (b is None) for a, b in zip(one, other, strict=True))
