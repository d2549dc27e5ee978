"""Every value comes from the bytes that were fetched, and from the record of its own row."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter

from scrapewright.critics.bench import SHOWN, Bench, listed, shown
from scrapewright.critics.headings import says_below
from scrapewright.critics.normal_forms import squash
from scrapewright.critics.rows import is_empty
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
    if not astray or none_to_count or _is_count(bench, column):
        return []
    distinct = len({needle.flat for needle in needles.values()})
    few = distinct <= max(1, len(needles) // 3)
    headed = _under_headings(bench, column, [row for row in astray if not shape.contradicts(row, column)])
    elsewhere: list[int] = []
    nowhere: list[int] = []
    for row in astray:
        needle = needles[row]
        dated = (says_below(place.model, place.node, needle.date) for place in evidence.places[row][:1] if needle.date)
        if headed.get(row) or any(dated):
            continue
        around = row not in headed and evidence.context(row, column)
        if around and not shape.contradicts(row, column):
            shared = few and not (needle.number is not None and distinct == 1)
            own = needle.url and not shared  # the links that distinguish records are in these
            if shared or not evidence.places[row] or (len(needle.flat) >= LONG and not own):
                continue
        there = around or row in headed or evidence.anywhere(row, column)
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


def _under_headings(bench: Bench, column: str, astray: list[int]) -> dict[int, bool]:
    """For rows below a text of the page that is a value of the column: whether the nearest text like it, above the
    record, is the row's own value. Of those above all records each may be."""
    evidence = bench.evidence
    flats = {needles[column].flat for needles in evidence.needles.values()}
    flats = {flat for flat in flats if not flat.isdigit() or len(flat) >= len("2021")}  # "0 items in your basket"
    headings: dict[int, list[tuple[int, str]]] = {}
    found: dict[int, bool] = {}
    for row in astray:
        for place in evidence.places[row][:1]:
            model, flat = place.model, evidence.needles[row][column].flat
            if id(model) not in headings:
                nodes = {node for flat in flats for node in model.by_text.get(flat, ())}
                outside = list(evidence.outside(model))
                like = {model.form(node) for node in nodes if any(node in span for span in outside)}
                texts = [(n, squash(model.said(n))) for n in range(len(model.tag)) if model.form(n) in like]
                runs = sum(1 for _ in groupby(texts, key=itemgetter(1)))
                shared = runs <= max(2, 0.7 * len(evidence.records_on(model)))  # by several records
                headings[id(model)] = texts if shared else []
            above = [heading for heading in headings[id(model)] if heading[0] < place.node]
            if above and above[-1][0] > evidence.records_on(model)[0].node:
                found[row] = above[-1][1] == flat
            elif any(said == flat for _, said in above):
                found[row] = True
    return found


def _is_count(bench: Bench, column: str) -> bool:
    """A number that the program gave itself: the rows, counted from 0 or 1."""
    numbers = [bench.evidence.needles[row][column].number for row in bench.evidence.rows]
    if len(numbers) < len(bench.table.rows):
        return False
    return any(numbers == [float(n) for n in range(start, start + len(numbers))] for start in (0, 1))
