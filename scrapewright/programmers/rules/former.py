"""Prices before a sale: what the page strikes out where it does, and the one price where it does not."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from scrapewright.survey.model import Slot

_STANDING = re.compile(r":not\((?:del|s|strike) \*\)")
STRUCK_OUT = re.compile(r"(?:^|[\s>])(?:del|s|strike)(?=[\s.>:]|$)")


def with_former(slots: Sequence[Slot]) -> tuple[Slot, ...]:
    """The slots, those of struck prices named so, and for each price that stands the regular one of all records.

    Of several prices a page writes the former one first: without its condition the standing price's selector finds it.
    """
    found = []
    for slot in slots:
        if STRUCK_OUT.search(slot.selector) and slot.type in ("int", "float"):
            slot = msgspec.structs.replace(slot, names=(*slot.names, "old price", "was price", "former price"))
        found.append(slot)
        regular = _STANDING.sub("", slot.selector)
        if regular != slot.selector and slot.type in ("int", "float") and not slot.index:
            names = ("regular price", "original price", "list price", "full price")
            found.append(msgspec.structs.replace(slot, id=f"{slot.id}r", selector=regular, names=names))
    return tuple(found)
