"""Every value comes from the bytes that were fetched, and from the record of its own row."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scrapewright.critics.bench import Bench, listed
from scrapewright.critics.conversions import are_made
from scrapewright.critics.evidence import Place
from scrapewright.critics.headings import says_below
from scrapewright.critics.normal_forms import squash
from scrapewright.critics.rows import is_empty
from scrapewright.session.verdict import Finding
from scrapewright.survey.verdict import asks_for_frame

_NEIGHBOURS = {-1: "the record before", 1: "the next record", -2: "two records before", 2: "two records after"}
LINKED = 0.6
"""Share of text in links from which a block is navigation."""
SOUGHT = 50
"""Values of a column that are looked for on whole pages; the others are taken to be there if most of these are."""
LONG = 12
"""A squashed text this long is not found outside the records by chance."""


def grounding(bench: Bench) -> Iterator[Finding]:
    """Values of each column: in their own record, in the page around it, in another record, or nowhere."""
    for column in bench.evidence.judged if bench.evidence.models else ():
        yield from _column(bench, column)
    if not bench.evidence.models and any(not is_empty(cell) for row in bench.table.rows for cell in row.values()):
        yield Finding("ungrounded", "the run fetched no page, so no value can come from one")


def _column(bench: Bench, column: str) -> Iterator[Finding]:
    evidence = bench.evidence
    cells = {row: needle for row in evidence.rows if not (needle := evidence.needles[row][column]).empty}
    astray = [
        row
        for row, needle in cells.items()
        if evidence.find(row, column) is None or (needle.is_short and bench.shape.contradicts(row, column))
    ]
    hits = len(cells) - len(astray)
    if not astray or _is_default(bench, column, astray) or are_made(evidence, column, astray):
        return
    filled, distinct = hits + len(astray), len({needle.flat for needle in cells.values()})
    elsewhere, nowhere, sought = list[int](), list[int](), list[bool]()
    for row in astray:
        needle = evidence.needles[row][column]
        dated = (says_below(place.model, place.node, needle.date) for place in evidence.places[row][:1] if needle.date)
        # A figure above all records ("0 items in your basket") is no heading of theirs.
        headed = evidence.headed(row, column) if distinct > 1 or needle.number is None else None
        if headed or any(dated):
            continue
        if headed is False:
            elsewhere.append(row)
        elif evidence.context(row, column):
            few = distinct <= max(1, filled // 3) and not (needle.number is not None and distinct == 1)
            own = needle.url and not few  # the links that distinguish records are in these
            shared = not evidence.places[row] or (len(needle.flat) >= LONG and not own) or few
            if shared and not bench.shape.contradicts(row, column):
                continue
            elsewhere.append(row)
        else:
            there = evidence.anywhere(row, column) if len(sought) < SOUGHT else 2 * sum(sought) > len(sought)
            sought.append(there)
            (elsewhere if there else nowhere).append(row)
    if nowhere:
        said = f"{column} holds values that no fetched page has; {listed(nowhere)}"
        yield bench.finding("ungrounded", column, nowhere, said, share=len(nowhere) / filled)
    if elsewhere:
        yield _elsewhere(bench, column, elsewhere, filled, distinct)


def _elsewhere(bench: Bench, column: str, rows: list[int], filled: int, distinct: int) -> Finding:
    """Values that occur on the pages, but not in the record of their row."""
    if distinct == 1 and filled >= 3:
        said = f"{column} is the same in every row; the page has it in one record only"
        return bench.finding("constant-column", column, rows, said)
    shifts = {n: [row for row in rows if bench.evidence.neighbour(row, column, n)] for n in _NEIGHBOURS}
    offset, moved = max(shifts.items(), key=lambda item: (len(item[1]), -abs(item[0])))
    if len(moved) >= 2 and len(moved) >= 0.6 * len(rows):
        said = f"{column} is shifted: {listed(moved)} hold the value of {_NEIGHBOURS[offset]}"
        return bench.finding("shifted-column", column, rows, said, share=len(rows) / filled)
    several = len(rows) >= 3 or len(rows) >= 0.2 * filled or any(bench.shape.contradicts(row, column) for row in rows)
    said = f"{column} holds values from outside the row's own record; {listed(rows)}"
    return bench.finding("wrong-record", column, rows, said, "error" if several else "warning", "", len(rows) / filled)


def _is_default(bench: Bench, column: str, astray: list[int]) -> bool:
    """A value that the request itself gives: for where the page has none ("0 when there are no comments"), or
    as what all rows are to have."""
    field = bench.evidence.fields.get(column)
    values = {str(bench.value(row, column)).strip() for row in astray}
    if field is None or len(values) != 1:
        return False
    value = values.pop()
    wanted = {squash(one.value) for one in bench.query.filters if one.op == "eq" and one.column == field.name}
    if squash(value) in wanted and not any(bench.shape.contradicts(row, column) for row in astray):
        return True
    said = f" {field.note} ".lower()
    said += " " + re.sub(r"https?://\S+", " ", bench.query.text.lower()) + " "
    alone = "".join(c if c.isalnum() or c in ".-" else " " for c in said).split()
    return value.lower() in alone or (len(value) > 3 and value.lower() in said)


def navigation(bench: Bench) -> Iterator[Finding]:
    """Rows taken from menus, footers and page links instead of from the list: names that a menu repeats are none."""
    placed = {row: places for row, places in bench.evidence.places.items() if places}
    inside = [row for row, places in placed.items() if all(map(_in_navigation, places))]
    if len(placed) >= 3 and 2 * len(inside) >= len(placed) and not asks_for_frame(bench.query):
        yield bench.finding("navigation-rows", "", inside, f"navigation was taken for records in {listed(inside)}")


def _in_navigation(place: Place) -> bool:
    """In a landmark of the page's frame that holds links and little else: a menu of dishes, or an address, is none."""
    model = place.model
    for node in model.ancestors(place.node):
        if model.tag[node] in ("body", "main", "article"):
            return False
        if model.tag[node] in ("nav", "footer"):
            linked = sum(model.length(n) for n in range(node, model.end[node]) if model.tag[n] == "a")
            return linked >= LINKED * model.length(node)
    return False
