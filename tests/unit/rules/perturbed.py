"""What helps a reader of a page taken away, one thing at a time, and what the rules' first program and the verdict on
its rows are worth then. Nothing of it changes what is asked for: the same rows are right."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from scrapewright.query.read import read_request
from scrapewright.query.reading import Column, Reading
from tests.unit.rules.helpers import served
from tests.unit.rules.layouts import Case
from tests.unit.rules.layouts.ways import expected, outcome

SYNONYMS = {
    "name": "title", "title": "headline", "price": "cost", "date": "day", "author": "writer", "url": "link",
    "city": "town",
}  # fmt: skip


class Asked(NamedTuple):
    """A page, what is wanted of it, and the rows that are right: `names` has the columns' names in them."""

    page: str
    reading: Callable[[str], Reading]
    names: dict[str, str] = {}


def as_it_is(case: Case) -> Asked:
    return Asked(case.page, lambda url: read_request(case.request.replace("{URL}", url)))


def hashed(case: Case) -> Asked:
    """Each class by a number."""

    def numbered(match: re.Match[str]) -> str:
        words = (match[1] or match[2] or "").split()
        return f'class="{" ".join(f"c{zlib.crc32(word.encode()):08x}" for word in words)}"'

    page = re.sub(r"""class=(?:"([^"]*)"|([^\s>"']+))""", numbered, case.page)
    return as_it_is(case)._replace(page=page)


def without_notes(case: Case) -> Asked:
    """The columns' names and types alone, without what is said of them."""
    return _with_columns(case, lambda column: msgspec.structs.replace(column, note=""))


def renamed(case: Case) -> Asked:
    """Columns by other words for the same, in the reverse order."""
    names = {old: new for old, new in SYNONYMS.items() if not any(new in row for row in case.rows)}
    asked = _with_columns(
        case, lambda column: msgspec.structs.replace(column, name=names.get(column.name, column.name)), reverse=True
    )
    return asked._replace(names=names)


CHANGES = (hashed, without_notes, renamed)
_ANSWERS: dict[Callable[[Case], Asked], frozenset[str]] = {
    hashed: frozenset(("stock in the item's class", "stock in an icon's class", "stock in a dot's class")),
    without_notes: frozenset(
        (
            "a blog, labels for screen readers",  # "0 if there are none"
            "titles without their quotation marks",
            "a name without what follows it in brackets",  # "without the docket in brackets"
            "a date in the first cell of its rows alone",  # "only given for the first opinion of a day"
        )
    ),
}
"""Cases of which a change takes away what their rows say, or what says how: other rows are right then."""


def leaves_answers(change: Callable[[Case], Asked], case: Case) -> bool:
    """Whether the same rows are right after the change."""
    return case.name not in _ANSWERS.get(change, ())


def _with_columns(case: Case, changed: Callable[[Column], Column], reverse: bool = False) -> Asked:
    def reading(url: str) -> Reading:
        read = as_it_is(case).reading(url)
        typed = [
            msgspec.structs.replace(column, type=field.type)
            for column, field in zip(read.columns, read.fields, strict=True)
        ]
        columns = tuple(map(changed, typed))
        names = {old.name: new.name for old, new in zip(read.columns, columns, strict=True)}
        return msgspec.structs.replace(
            read,
            columns=columns[::-1] if reverse else columns,
            filters=tuple(msgspec.structs.replace(f, column=names.get(f.column, f.column)) for f in read.filters),
            order=tuple(msgspec.structs.replace(o, column=names.get(o.column, o.column)) for o in read.order),
            distinct=tuple(names.get(name, name) for name in read.distinct),
        )

    return Asked(case.page, reading)


class Tried(NamedTuple):
    trusted: bool
    right: bool


async def tried(case: Case, asked: Asked, directory: Path) -> Tried:
    """What comes of it where nobody is there to decide what the rules are not sure of."""
    directory.mkdir(parents=True)
    with served({"/": asked.page}) as site:
        try:
            found = await outcome(site, asked.reading(site.base + "/"), directory, undecided=True)
        except (LookupError, AssertionError):  # no plan, or a program that fails: no rows at all
            return Tried(False, False)
        rows = [{asked.names.get(key, key): value for key, value in row.items()} for row in expected(case.rows, site)]
        return Tried(found.verdict.ok, found.rows == rows)


async def all_tried(cases: Sequence[Case], change: Callable[[Case], Asked], folder: Path) -> list[Tried]:
    name = getattr(change, "__name__", "")
    return [await tried(case, change(case), folder / f"{name}-{n}") for n, case in enumerate(cases)]
