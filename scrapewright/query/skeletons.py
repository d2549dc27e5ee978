"""The columns of an example of a row: `{"name": "", "price": 0.0}`. In: the request's tokens; out: its keys, each with
what its value says of the type."""

from __future__ import annotations

import json
import re
from typing import Any, NamedTuple

from scrapewright.query.column_lists import Item
from scrapewright.query.tokens import Tokens

_DECODER = json.JSONDecoder()
_TYPES = {bool: "bool", int: "int", float: "float", list: "list"}


class Skeleton(NamedTuple):
    """The items, and the tokens that say them."""

    items: tuple[Item, ...]
    start: int
    end: int


def skeleton(tokens: Tokens) -> Skeleton | None:
    """The first JSON object of the request whose values are no objects; None where there is none."""
    stop = 0
    for at, token in enumerate(tokens.all):
        if token.word != "{" or token.start < stop:
            continue
        try:
            row, stop = _DECODER.raw_decode(tokens.raw, token.start)
        except (ValueError, RecursionError):
            continue
        if row and not any(isinstance(value, dict) for value in row.values()):
            end = next((n for n in range(at, len(tokens.all)) if tokens.all[n].start >= stop), len(tokens.all))
            items = (Item(name, _notes(value), words=tuple(re.findall(r"\w+", name))) for name, value in row.items())
            return Skeleton(tuple(items), at, end)
    return None


def _notes(value: Any) -> list[str]:
    """What the value says: its type, or its text where that says more ("string", "YYYY-MM-DD")."""
    said = value if isinstance(value, str) else _TYPES.get(type(value), "")
    return [said] if said else []
