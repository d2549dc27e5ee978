"""Prices before and in a sale: what the page strikes out where it does, and the one price where it does not."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from scrapewright.programmers.rules.figures import fit_number
from scrapewright.programmers.rules.ops import run
from scrapewright.query.lexicon import concepts, tokens
from scrapewright.query.numerals import CURRENCY
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
            slot = replace(slot, names=(*slot.names, *_FORMER))
        regular = _NOT_STRUCK.sub("", slot.selector)
        if regular != slot.selector and slot.type in ("int", "float") and not slot.index:
            found.append(replace(slot, names=(*_NOW, *slot.names)))
            found.append(replace(slot, id=f"{slot.id}r", selector=regular, names=_REGULAR))
        else:
            found.append(slot)
    return tuple(found)


_REGULAR = ("regular price", "original price", "list price", "full price")
_FORMER = ("old price", "was price", "former price")
_NOW = ("price", "current price")
_MONEY = re.compile(f"[{CURRENCY}]")
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
        # Of a box and the price in it the price. The pair is found from both of its sides, and taken from its first.
        others.sort(key=lambda other: sum(len(text or "") for text in read(other)))
        same = {tuple(text is None for text in read(other)) for other in others}
        if len(same) == 1 and prices.index(others[0]) > prices.index(one):
            both = f"{one.selector}, {others[0].selector}"
            found.append(replace(one, id=f"{one.id}e", selector=both, coverage=1.0, label="", header="", names=_NOW))
    return tuple(found)


def of_two(slots: Sequence[Slot], read: Callable[[Slot], Sequence[Sequence[str]]]) -> tuple[Slot, ...]:
    """The slots, and for a place of which a record has one price or two, the higher first: the price now (its last),
    and the former one (the last but one, where there are two). `read` gives all of a slot's texts in each record."""
    found = list(slots)
    for slot in slots:
        if not slot.many or slot.attr != "text":
            continue
        lists = [texts for texts in read(slot) if texts]
        money = all(_MONEY.search(text) for texts in lists for text in texts)
        if not (money or any("price" in concepts(word) for word in _words(slot))):
            continue
        if {len(texts) for texts in lists} != {1, 2}:
            continue
        fit = fit_number([text for texts in lists for text in texts], whole=False)
        if fit is None or fit.share < 1:
            continue
        pairs = [[run(fit.ops, text) for text in texts] for texts in lists if len(texts) == 2]
        if all(former > now for former, now in pairs):
            one = replace(slot, many=False, type="float", label="", header="")
            part = round(len(pairs) / len(lists), 3)
            found = [replace(other, names=_REGULAR) if _is_first_of(other, slot) else other for other in found]
            found.append(replace(one, id=f"{slot.id}n", index=-1, names=_NOW))
            found.append(replace(one, id=f"{slot.id}f", index=-2, coverage=part, names=_FORMER))
    return tuple(found)


def _is_first_of(one: Slot, several: Slot) -> bool:
    return (one.selector, one.attr, one.own) == (several.selector, several.attr, several.own) and not (
        one.many or one.index
    )


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
