"""Fields for a request that names none: what the records themselves offer, by the page's own names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from scrapewright.programmers.rules.view import View
from scrapewright.query.lexicon import fold, tokens
from scrapewright.query.reading import Field, FieldType

_MOST = 8
_BY_TYPE: dict[str, str] = {
    "url": "url",
    "date": "date",
    "datetime": "date",
    "int": "number",
    "float": "amount",
    "list": "tags",
}


def inferred_fields(offered: Sequence[View]) -> tuple[Field, ...]:
    """Up to eight fields: well filled, telling, and no two with the same values."""
    fields: list[tuple[int, Field]] = []
    taken: set[tuple[str | None, ...]] = set()
    names: set[str] = set()
    whole = [view for view in offered if not view.ops and view.texts]
    ranked = sorted(enumerate(whole), key=lambda pair: -(pair[1].coverage + 0.5 * pair[1].distinct))
    for at, view in ranked:
        if view.coverage < 0.5 or view.values in taken or (len(view.texts) > 3 and view.distinct < 0.1):
            continue
        if view.slot.attr in ("class", "id", "src", "style"):
            continue
        name = _name(view, names)
        fields.append((at, Field(name=name, type=_type(view), words=tokens(name))))
        taken.add(view.values)
        names.add(name)
        if len(fields) == _MOST:
            break
    return tuple(field for _, field in sorted(fields, key=lambda pair: pair[0]))


def _type(view: View) -> FieldType:
    if view.slot.many:
        return "list"
    return "url" if view.slot.attr == "href" else view.slot.type


def _name(view: View, used: set[str]) -> str:
    slot = view.slot
    for source in (slot.header, slot.label, *slot.names, _BY_TYPE.get(_type(view), ""), "text"):
        name = re.sub(r"\W+", "_", fold(source)).strip("_")[:40]
        if slot.attr == "href" and name and name not in ("url", "link"):
            name += "_url"
        if name and not name[0].isdigit() and name not in used:
            return name
    number = 2
    while f"text_{number}" in used:
        number += 1
    return f"text_{number}"
