"""Fields that a request goes by without asking for them: "the 3 cheapest books: title" needs the price."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from scrapewright.query.lexicon import concepts_of, tokens
from scrapewright.query.notes import type_of_name
from scrapewright.query.reading import Field, Reading


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
    return msgspec.structs.replace(
        query,
        order=tuple(
            msgspec.structs.replace(order, column=same_field(order.column, fields) or order.column)
            for order in query.order
        ),
        filters=tuple(
            msgspec.structs.replace(wanted, column=same_field(wanted.column, fields) or wanted.column)
            if wanted.field
            else wanted
            for wanted in query.filters
        ),
    )
