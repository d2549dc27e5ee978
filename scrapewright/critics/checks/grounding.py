"""Every value comes from the bytes that were fetched, and from the record of its own row."""

from __future__ import annotations

import re
from itertools import groupby

from scrapewright.critics.bench import SHOWN, Bench, listed, shown
from scrapewright.critics.evidence import Place
from scrapewright.critics.headings import says_below
from scrapewright.critics.match import Hit
from scrapewright.critics.rows import is_empty
from scrapewright.critics.shape import texts_at
from scrapewright.session.verdict import Finding

_NEIGHBOURS = {-1: "the record before", 1: "the next record", -2: "two records before", 2: "two records after"}
LONG = 12
"""A squashed text this long is not found outside the records by chance."""


def grounding(bench: Bench) -> list[Finding]:
    """Values of each column: in their own record, in the page around it, in another record, or nowhere."""
    if not bench.evidence.models:
        if any(not is_empty(value) for row in bench.table.rows for value in row.values()):
            return [Finding("ungrounded", "the run fetched no page, so no value can come from one")]
        return []
    return [finding for column in bench.evidence.judged for finding in _column(bench, column)]


def _column(bench: Bench, column: str) -> list[Finding]:
    evidence, shape = bench.evidence, bench.shape
    needles = {row: needle for row in evidence.rows if not (needle := evidence.needles[row][column]).empty}
    found = {row: hit for row in needles if (hit := evidence.find(row, column)) is not None}
    doubted = [row for row in found if needles[row].is_short and shape.contradicts(row, column)]
    astray = [row for row in needles if row not in found or row in set(doubted)]
    counted = sum(hit.via == "computed" for row, hit in found.items() if row not in set(doubted))
    none_to_count = 2 * counted > len(needles) - len(astray) and all(needles[row].number == 0 for row in astray)
    if not astray or none_to_count or _is_count(bench, column) or _is_default(bench, column, astray):
        return []
    distinct = len({needle.flat for needle in needles.values()})
    few = distinct <= max(1, len(needles) // 3)
    headings, refuted = _under_headings(bench, column, astray)
    elsewhere: list[int] = []
    nowhere: list[int] = []
    for row in astray:
        needle = needles[row]
        dated = (says_below(place.model, place.node, needle.date) for place in evidence.places[row][:1] if needle.date)
        if row in headings or any(dated):
            continue
        around = row not in refuted and evidence.context(row, column)
        if around and not shape.contradicts(row, column):
            shared = few and not (needle.number is not None and distinct == 1)
            own = needle.url and not shared  # the links that distinguish records are in these
            if shared or not evidence.places[row] or (len(needle.flat) >= LONG and not own):
                continue
        there = around or row in refuted or evidence.anywhere(row, column)
        (elsewhere if there else nowhere).append(row)
    findings: list[Finding] = []
    if nowhere:
        said = f"{column} holds values that no fetched page has; {listed(nowhere)}"
        findings.append(bench.finding("ungrounded", column, nowhere, said, share=len(nowhere) / len(needles)))
    if elsewhere:
        findings.append(_elsewhere(bench, column, elsewhere, len(needles), distinct))
    return findings


def _elsewhere(bench: Bench, column: str, rows: list[int], filled: int, distinct: int) -> Finding:
    """Values that occur on the pages, but not in the record of their row."""
    evidence = bench.evidence
    sample = shown(bench.value(rows[0], column))
    some = tuple(rows[:SHOWN])
    if distinct == 1 and filled >= 3:
        message = f"{column} is {sample!r} in every row; the page has it in one record only"
        return Finding("constant-column", message, column, some, got=sample)
    shifts = {offset: [row for row in rows if evidence.neighbour(row, column, offset)] for offset in _NEIGHBOURS}
    offset, moved = max(shifts.items(), key=lambda item: (len(item[1]), -abs(item[0])))
    if len(moved) >= 2 and len(moved) >= 0.6 * len(rows):
        message = f"{column} is shifted: {listed(moved)} hold the value of {_NEIGHBOURS[offset]} ({sample!r})"
        return Finding("shifted-column", message, column, some, "error", "", sample, len(rows) / filled)
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
    lost = {row for row in astray if not bench.shape.contradicts(row, column)}
    flats = {evidence.needles[row][column].flat for row in evidence.rows}
    if len(flats) == 1 and all(flat.isdigit() and len(flat) < len("2021") for flat in flats):
        lost = set()  # a figure above all records ("0 items in your basket") is no heading of theirs
    found: set[int] = set()
    refuted: set[int] = set()
    runs = rows = 0
    for places in placed.values():
        places.sort(key=lambda item: item[0].rank)
        for _, run in groupby(places, key=lambda item: evidence.needles[item[1]][column].flat):
            members = [row for _, row in run]
            rows += len(members)
            runs += 1
            heading = evidence.before(members[0], column) if lost.intersection(members) else None
            if heading is not None:
                first = evidence.places[members[0]][0].node
                for row in members:
                    (refuted if _other_heading(evidence.places[row][0], heading.node, first) else found).add(row)
            elif len(members) > 1 and (hit := evidence.find(members[0], column)) is not None:
                first_place = evidence.places[members[0]][0]
                carried = (row for row in members[1:] if row in lost)
                found.update(row for row in carried if _lacks(first_place, hit, evidence.places[row][0]))
    return (found, refuted) if runs <= max(1, 0.7 * rows) or rows <= 2 else (set(), set())


def _other_heading(place: Place, heading: int, first: int) -> bool:
    """Another element like the heading is between the first record under it and this one."""
    model = place.model
    like = (model.path[heading], model.chain[heading])
    return any((model.path[node], model.chain[node]) == like for node in range(first, place.node))


def _lacks(place: Place, hit: Hit, other: Place) -> bool:
    """Another record has nothing at the place where this one has a value."""
    name = hit.via[5:] if hit.via.startswith("attr ") else ""
    spots = ((place.model.steps(place.node, hit.node, counted), name, counted) for counted in (False, True))
    return any(not any(text.strip() for text in texts_at(other.model, other.node, spot)) for spot in spots)


def _is_count(bench: Bench, column: str) -> bool:
    """A number that the program gave itself: the rows, counted from 0 or 1."""
    numbers = [bench.evidence.needles[row][column].number for row in bench.evidence.rows]
    if len(numbers) < len(bench.table.rows):
        return False
    return any(numbers == [float(n) for n in range(start, start + len(numbers))] for start in (0, 1))


def _is_default(bench: Bench, column: str, astray: list[int]) -> bool:
    """A value that the request itself gives for where the page has none ("0 when there are no comments")."""
    field = bench.evidence.fields.get(column)
    values = {str(bench.value(row, column)).strip().lower() for row in astray}
    if field is None or len(values) != 1:
        return False
    value = values.pop()
    asked = re.sub(r"https?://\S+", " ", bench.query.text)
    said = f" {field.note} {asked} ".lower()
    alone = "".join(c if c.isalnum() or c in ".-" else " " for c in said).split()
    return value in alone or (len(value) > 3 and value in said)
