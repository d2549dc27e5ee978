"""Fields that a request does not ask for: those of one that names none, by the page's own names, and those that one
goes by, as "the 3 cheapest books: title" needs the price."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from msgspec.structs import replace

from scrapewright.programmers.rules.offers import are_codes
from scrapewright.programmers.rules.view import View
from scrapewright.query.column_types import type_of_name
from scrapewright.query.lexicon import concepts_of, fold, tokens
from scrapewright.query.reading import Field, FieldType, Reading

_MOST = 8
_BY_TYPE = {"url": "url", "date": "date", "datetime": "date", "int": "number", "float": "amount", "list": "tags"}


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
    if view.slot.type in ("int", "float") and are_codes(view):
        return "text"
    return "url" if view.slot.attr == "href" else view.slot.type


def _name(view: View, used: set[str]) -> str:
    slot = view.slot
    for source in (slot.header, slot.label, *slot.names, _BY_TYPE.get(_type(view), ""), "text"):
        name = re.sub(r"\W+", "_", fold(source)).strip("_")[:40]
        if slot.attr == "href" and name and name not in ("url", "link"):
            name += "_url"
        if name and not name[0].isdigit() and name not in used:
            return name
    return next(name for number in itertools.count(2) if (name := f"text_{number}") not in used)


def needed(query: Reading, fields: Sequence[Field]) -> tuple[Field, ...]:
    """The fields for sort keys and conditions that none of `fields` is, each once."""
    found: dict[str, Field] = {}
    names = [order.field for order in query.order]
    names += [wanted.field for wanted in query.filters if wanted.on_column]
    for name in names:
        if name in found or same_field(name, fields):
            continue
        words = tokens(name)
        kind = type_of_name(name)
        if kind == "text" and any(w.field == name and w.op in ("lt", "le", "gt", "ge") for w in query.filters):
            kind = "float"
        found[name] = Field(name=name, type=kind, words=words, optional=True)
    return tuple(found.values())


def same_field(name: str, fields: Sequence[Field]) -> str:
    """The field of this name, else the only one that means the same; "" where there is none."""
    if any(field.name == name for field in fields):
        return name
    wanted = concepts_of(tokens(name))
    if wanted <= {"text"}:
        return ""
    alike = [
        field.name for field in fields if field.type not in ("url", "list") and wanted & concepts_of(tokens(field.name))
    ]
    return alike[0] if len(alike) == 1 else ""


def resolved(query: Reading, fields: Sequence[Field]) -> Reading:
    """The request with its keys and conditions under the names of the columns that they mean."""
    return replace(
        query,
        order=tuple(replace(order, column=same_field(order.column, fields) or order.column) for order in query.order),
        filters=tuple(
            replace(wanted, column=same_field(wanted.column, fields) or wanted.column) if wanted.field else wanted
            for wanted in query.filters
        ),
    )
