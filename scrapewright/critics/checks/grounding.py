"""Every value comes from the bytes that were fetched, and from the record of its own row."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import groupby

from scrapewright.critics.bench import Bench, listed
from scrapewright.critics.conversions import are_converted
from scrapewright.critics.evidence import Place
from scrapewright.critics.headings import says_below
from scrapewright.critics.normal_forms import squash
from scrapewright.critics.rows import is_empty
from scrapewright.critics.shape import WAYS, texts_at
from scrapewright.session.verdict import Finding
from scrapewright.survey.verdict import asks_for_frame

_NAV_TAGS = frozenset({"nav", "footer"})
LINKED = 0.6
"""Share of text in links from which a block is navigation: a menu of dishes, or an address in a footer, is none."""
_NEIGHBOURS = {-1: "the record before", 1: "the next record", -2: "two records before", 2: "two records after"}
MOST_NODES = 4000
"""Nodes of a record among which like ones are counted."""
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
    doubted = [row for row in astray if evidence.find(row, column) is not None]
    if doubted and bench.shape.second(column, doubted):
        astray = [row for row in astray if row not in set(doubted)]
    if not astray or _is_count(bench, column) or _are_elements(bench, column) or _is_default(bench, column, astray):
        return
    if are_converted(evidence, column, astray):
        return
    filled, distinct = hits + len(astray), len({needle.flat for needle in cells.values()})
    headings, refuted = _under_headings(bench, column, astray)
    elsewhere, nowhere, sought = list[int](), list[int](), list[bool]()
    for row in astray:
        needle = evidence.needles[row][column]
        dated = (says_below(place.model, place.node, needle.date) for place in evidence.places[row][:1] if needle.date)
        if row in headings or any(dated):
            continue
        if row in refuted:
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


def _under_headings(bench: Bench, column: str, astray: list[int]) -> tuple[set[int], set[int]]:
    """Rows whose value is a heading that they share with their neighbours, and rows that are under another one."""
    evidence = bench.evidence
    placed: dict[int, list[tuple[Place, int]]] = {}
    for row in evidence.rows:
        for place in evidence.places[row][:1]:
            placed.setdefault(id(place.model), []).append((place, row))
    ordered = [sorted(places, key=lambda item: item[0].rank) for places in placed.values()]
    flat = {row: evidence.needles[row][column].flat for row in evidence.rows}
    runs = [[row for _, row in run] for places in ordered for _, run in groupby(places, lambda item: flat[item[1]])]
    rows = sum(map(len, runs))
    if len(runs) > max(1, 0.7 * rows) and rows > 2:
        return set(), set()
    flats = set(flat.values())
    if len(flats) == 1 and all(said.isdigit() and len(said) < len("2021") for said in flats):
        return set(), set()  # a figure above all records ("0 items in your basket") is no heading of theirs
    headings = [evidence.before(members[0], column) for members in runs]
    models = [evidence.places[members[0]][0].model for members in runs]
    kinds = {(m.path[hit.node], m.chain[hit.node]) for m, hit in zip(models, headings, strict=True) if hit is not None}
    # Where all of them are under headings of one kind, what some records say in the same words is by chance.
    whole = sum(flat[row] in map(squash, bench.shape.at(row, column)) for row in flat)
    headed = 2 * whole < len(flat) and len(runs) > 1 and len(kinds) == 1 and None not in headings
    lost = {row for row in astray if headed or not bench.shape.contradicts(row, column)}
    found, refuted = set[int](), set[int]()
    for members, heading in zip(runs, headings, strict=True):
        if heading is not None and lost.intersection(members):
            first = evidence.places[members[0]][0].node
            for row in members:
                (refuted if _other_heading(evidence.places[row][0], heading.node, first) else found).add(row)
        elif len(members) > 1 and evidence.find(members[0], column) is not None:
            found.update(row for row in members[1:] if row in lost and _carried(bench, members[0], row, column))
    return found, refuted


def _other_heading(place: Place, heading: int, first: int) -> bool:
    """Another element like the heading is between the first record under it and this one, in a line of as many parts.
    What is bold in a row across the table is in the same place by its tags as what is bold in a cell."""
    model = place.model
    box = next(up for up in model.ancestors(heading) if up <= first < model.end[up] or up == 0)

    def signs(node: int) -> tuple[object, ...]:
        line = next((up for up in model.ancestors(node) if model.parent[up] == box), node)
        return model.path[node], model.chain[node], sum(1 for _ in model.children(line))

    like = signs(heading)
    return any(model.path[node] == like[0] and signs(node) == like for node in range(first, place.node))


def _carried(bench: Bench, first: int, row: int, column: str) -> bool:
    """The value is at the first row of a run alone: the others have nothing at its spot, or its cell spans them."""
    place, hit = bench.evidence.places[first][0], bench.evidence.find(first, column)
    if hit is None:
        return False
    other = bench.evidence.places[row][0]
    for by in WAYS:  # the cell of its number may be there, and blank
        spot = (place.model.steps(place.node, hit.node, by), hit.name, by)
        if not any(text.strip() for text in texts_at(other.model, other.node, spot)):
            return True
    model = place.model
    cells = (node for node in model.ancestors(hit.node) if model.tag[node] in ("td", "th"))
    return any(value.name == "rowspan" for node in cells for value in model.own_values(node))


def _is_count(bench: Bench, column: str) -> bool:
    """A number that the program gave itself: the rows, counted from 0 or 1."""
    numbers = [bench.evidence.needles[row][column].number for row in bench.evidence.rows]
    counted = any(numbers == list(range(start, start + len(numbers))) for start in (0, 1))
    return counted and len(numbers) == len(bench.table.rows) > 0


def _are_elements(bench: Bench, column: str) -> bool:
    """A number of like elements in each record, whether some or none: of one tag, or one with its classes."""
    counts: list[tuple[float, Counter[str]]] = []
    for row, place in bench.shape.places.items():
        model, number = place.model, bench.evidence.needles[row][column].number
        inside = slice(place.node + 1, min(model.end[place.node], place.node + MOST_NODES))
        tags, chains = model.tag[inside], model.chain[inside]
        counts.append((-1 if number is None else number, Counter([*tags, *(c for c in chains if "." in c)])))
    kinds = {kind for _, counted in counts for kind in counted}
    several = len({number for number, _ in counts}) > 1
    return several and any(all(counted[kind] == number for number, counted in counts) for kind in kinds)


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


def navigation(bench: Bench) -> list[Finding]:
    """Rows taken from menus, footers and page links instead of from the list."""
    if asks_for_frame(bench.query):
        return []
    placed = {row: places for row, places in bench.evidence.places.items() if places}
    inside = [row for row, places in placed.items() if all(map(_in_navigation, places))]
    if len(placed) < 3 or len(inside) < 0.5 * len(placed):
        return []  # names that a menu repeats are no menu entries
    return [bench.finding("navigation-rows", "", inside, f"navigation was taken for records in {listed(inside)}")]


def _in_navigation(place: Place) -> bool:
    """In a landmark of the page's frame that holds links and little else."""
    model = place.model
    for node in model.ancestors(place.node):
        if model.tag[node] in ("body", "main", "article"):
            return False
        if model.tag[node] in _NAV_TAGS:
            linked = sum(model.length(n) for n in range(node, model.end[node]) if model.tag[n] == "a")
            return not model.length(node) or linked / model.length(node) >= LINKED
    return False
