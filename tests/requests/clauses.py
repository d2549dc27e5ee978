"""Choices of what the parts of a request beside its columns say, where that is known: what `logit` fits the weights of
clauses to. In: requests with their readings and, in `clauses.jsonl`, such parts alone with the columns they go with."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from scrapewright.query.clause_choice import NOTHING, Choice, Statement, keys, pages, said_in, values, ways
from scrapewright.query.column_lists import lists
from scrapewright.query.columns import columns_from
from scrapewright.query.reading import Column
from scrapewright.query.tokens import Tokens, date_of, number_of, unquoted
from tests.requests.lists import Case, plain
from tests.requests.logit import Weighed, shares

OWN = Path(__file__).with_name("clauses.jsonl")
AT = "http://127.0.0.1:9/list"
WITHOUT_KEY = 8
"""Of so many orders one is also shown without its column: that none of those that are left is meant."""


class Part(NamedTuple):
    """The tokens of a request, those of its columns marked as read, with its columns and what it says.

    `order`: pairs of a column, None where it is none of these, and whether it is descending. `filters`: column,
    operator and value. `pages` and `limit` as in a reading."""

    tokens: Tokens
    columns: Sequence[Column]
    order: list[tuple[str | None, bool]]
    filters: list[tuple[str, str, str]]
    pages: str
    limit: str
    section: str


class Weighings(NamedTuple):
    """The choices of one request, by what is chosen."""

    way: list[Weighed]
    pages: list[Weighed]
    values: list[Weighed]


def parts() -> list[Part]:
    """The parts of the project's own sample. Half of the columns have no type, as in most requests."""
    found = []
    for line in OWN.read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        chance = crc32(one["text"].encode())
        columns = [Column(name, kind if chance % 2 else None) for name, kind in one["columns"].items()]
        names = ", ".join(one["columns"])
        before = f"{AT} {names}. " if chance // 2 % 5 > 1 and "first" not in one else ""
        behind = f" on {AT}: {names}" if "first" in one else ""
        tokens = Tokens(before + one["text"] + behind)
        end = len(tokens.raw) - len(behind)
        for at, token in enumerate(tokens.all):
            tokens.used[at] = token.start < len(before) or token.start > end + len(" on")
        found.append(_part(tokens, columns, one, one.get("order", []), one.get("filters", [])))
    return found


def part_of(case: Case) -> Part | None:
    """A request with its list of columns marked as read; None where the sample says no more than its columns."""
    one = case.reading
    if "order" not in one:
        return None
    tokens = Tokens(case.text)
    wanted = [plain(name) for name in case.names]
    listed = next((one for one in lists(tokens) if [plain(name) for name in one.names] == wanted), None)
    columns = columns_from(listed.items) if listed is not None else ()
    for item in listed.items if listed is not None else ():
        tokens.use(item.start - item.lead, item.end)
    order = [(key["column"] or None, key["descending"]) for key in one["order"]]
    filters = [(wanted["column"] or "", wanted["op"], wanted["value"]) for wanted in one["filters"]]
    return _part(tokens, columns or [Column(column["name"]) for column in one["columns"]], one, order, filters)


def _part(tokens: Tokens, columns: Sequence[Column], one: dict[str, Any], order: Any, filters: Any) -> Part:
    named = [(name and plain(name), descending) for name, descending in order]
    wanted = [(plain(name), op, str(value)) for name, op, value in filters]
    texts = [str(one.get(name) or "") for name in ("pages", "limit", "section")]
    return Part(tokens, columns, named, wanted, texts[0] or "unsaid", texts[1], texts[2])


def weighings(part: Part) -> Weighings:
    """The choices of a request but for the key of its order, which depends on what is read as an order."""
    said = said_in(part.tokens, part.columns)
    way = part.order[0][1] if part.order else None
    found = Weighings([], [], [])
    found.way.append(_weighed(ways(said), lambda one: _way(one) == way, none=way is None))
    none = part.pages not in ("first", "all")
    found.pages.append(_weighed(pages(said), lambda one: one.label == part.pages, none=none))
    for choice in values(said):
        found.values.append(_weighed(choice, lambda one: _holds(one, part)))
    return found


def key_weighings(part: Part, weights: dict[str, float]) -> list[Weighed]:
    """The choice of the column that the likeliest piece sorts by; where nobody knows that, none."""
    if not part.order:
        return []
    name, descending = part.order[0]
    said = said_in(part.tokens, part.columns)
    choice = ways(said)
    likely = shares(weights, _weighed(choice, lambda one: True))
    sorting = [(share, one) for share, one in zip(likely, choice.statements, strict=True) if _way(one) == descending]
    if not sorting:
        return []
    way = max(sorting)[1]
    found = [_weighed(keys(said, way), lambda one: plain(one.column) == name, none=name is None)]
    if name is not None and crc32(part.tokens.raw.encode()) % WITHOUT_KEY == 0 and len(part.columns) > 2:
        others = [column for column in part.columns if plain(column.name) != name]
        without = said_in(part.tokens, others)
        if any(one.piece == way.piece for one in without):
            found.append(_weighed(keys(without, way), lambda one: False, none=True))
    return found


def _weighed(choice: Choice, right: Callable[[Statement], bool], *, none: bool | None = None) -> Weighed:
    """`none`: that nothing is said is right; else it is where no statement holds."""
    holds = [one != NOTHING and right(one) for one in choice.statements]
    holds[0] = not any(holds) if none is None else none
    return Weighed([dict.fromkeys(names, 1.0) for names in choice.features], np.array(holds, float))


def _way(one: Statement) -> bool | None:
    return {"asc": False, "desc": True}.get(one.label)


def _holds(one: Statement, part: Part) -> bool:
    token = part.tokens.all[one.at]
    if one.label in ("limit", "pages", "section"):
        return _same(getattr(part, one.label), _value(part.tokens, one.at))
    said = [value for name, op, value in part.filters if (name, op) == (plain(one.column), one.label)]
    year = [value[:4] for value in said if token.kind == "N" and "-" in value]
    return any(_same(value, _value(part.tokens, one.at)) for value in (*said, *year))


def _value(tokens: Tokens, at: int) -> str:
    token = tokens.all[at]
    if token.word == "N":
        return f"{number_of(token):f}".rstrip("0").rstrip(".")
    return date_of(token) if token.word == "D" else unquoted(token)


def _same(one: str, other: str) -> bool:
    if one.casefold() == other.casefold():
        return True
    try:
        return float(one) == float(other)
    except ValueError:
        return False
