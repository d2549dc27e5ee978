"""The columns of an example of a row: `{"name": "", "price": 0.0}`. In: the request's tokens; out: its keys, each with
what its value says of the type."""

from __future__ import annotations

import json
import re
from typing import Any

from scrapewright.query.column_lists import Item, Listed
from scrapewright.query.column_types import type_of_name
from scrapewright.query.notes import date_format, read_note
from scrapewright.query.reading import is_address
from scrapewright.query.tokens import Tokens

_DECODER = json.JSONDecoder()
_TYPES = {bool: "bool", int: "int", float: "float", list: "list"}


def row_example(tokens: Tokens) -> Listed | None:
    """The first JSON object of the request whose values are no objects; None where there is none."""
    stop = 0
    for at, token in enumerate(tokens.all):
        if token.word != "{" or token.start < stop:
            continue
        try:
            row, stop = _DECODER.raw_decode(tokens.raw, token.start)
        except (ValueError, RecursionError):
            if at not in tokens.closes:
                return None
            stop = tokens.all[tokens.closes[at]].end  # nor is what is inside it an example of a row
            continue
        if _is_row(row):
            end = next((n for n in range(at, len(tokens.all)) if tokens.all[n].start >= stop), len(tokens.all))
            items = [
                Item(name, _notes(name, value), words=tuple(re.findall(r"\w+", name)), start=at, end=end)
                for name, value in row.items()
            ]
            return Listed(tuple(items), (), end)
    return None


def _is_row(row: dict[str, Any]) -> bool:
    """Whether names and values are those of a row, not of a request: {"url": "https://…", "fields": ["title"]}."""
    names = all(re.search(r"\w", name) and name.isprintable() for name in row)
    kinds = {type(value) for value in row.values()}
    asks = list in kinds and any(isinstance(value, str) and is_address(value) for value in row.values())
    return bool(row) and names and not asks and dict not in kinds


def _notes(name: str, value: Any) -> list[str]:
    """What the value says of the type: the name of one or the form of a date, no example, or its own type."""
    if isinstance(value, str):
        telling = value.isprintable() and not read_note(value).rest and (value.islower() or date_format(value)[0])
        return [value] if telling else []
    if isinstance(value, int) and type_of_name(name) == "float":
        return []  # {"price": 12}: others may have cents
    return [_TYPES[type(value)]] if type(value) in _TYPES else []
