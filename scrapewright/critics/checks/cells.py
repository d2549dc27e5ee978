"""Columns of a table whose cells span rows or columns: a program that counts a row's own cells reads the wrong ones."""

from __future__ import annotations

import re
from collections import Counter

from scrapewright.critics.bench import SHOWN, Bench, listed, shown
from scrapewright.critics.document import Model
from scrapewright.critics.evidence import Place
from scrapewright.critics.match import Needle, said_in
from scrapewright.critics.normal import squash
from scrapewright.session.verdict import Finding


def shifted(bench: Bench) -> list[Finding]:
    """Values that stand in another column of the table than those of the other rows."""
    places = {row: place for row, place in bench.shape.places.items() if place.model.tag[place.node] == "tr"}
    if not any(place.node in place.model.unspanned for place in places.values()):
        return []
    findings: list[Finding] = []
    for column in bench.evidence.judged:
        found: dict[int, tuple[set[int], set[int]]] = {}
        for row, place in places.items():
            needle = bench.evidence.needles[row][column]
            whole, part = _cells_with(needle, place.model, place.node) if not needle.empty else (set(), set())
            if whole or part:
                found[row] = whole, part
        tally = Counter(number for whole, part in found.values() for number in whole or part)
        if not tally:
            continue
        home = max(tally, key=lambda number: (tally[number], -number))
        # Who began a thread may have posted last as well: the one cell says his name, the other a date beside it.
        astray = [row for row, (whole, part) in found.items() if home not in whole | part]
        if astray:
            sample = shown(bench.value(astray[0], column))
            message = f"{column} is from another column of the table in {listed(astray)}: {sample!r}"
            findings.append(Finding("shifted-column", message, column, tuple(astray[:SHOWN]), got=sample))
    return findings


def overlooked(bench: Bench) -> list[Finding]:
    """A number or date that is left empty in some rows of a table, where the column's cell has one."""
    places = {row: place for row, place in bench.shape.places.items() if place.model.tag[place.node] == "tr"}
    findings: list[Finding] = []
    for column, field in bench.evidence.fields.items():
        if field.type not in ("int", "float", "date", "datetime") or len(places) < 3:
            continue
        needles = {row: bench.evidence.needles[row][column] for row in places}
        filled = [
            _columns(needle, places[row].model, places[row].node) for row, needle in needles.items() if not needle.empty
        ]
        tally = Counter(number for columns in filled for number in columns)
        if not tally or len(filled) < 0.3 * len(places):
            continue
        home = max(tally, key=lambda number: (tally[number], -number))
        if tally[home] < 0.8 * len(filled):
            continue
        lost = {row: text for row, needle in needles.items() if needle.empty and (text := _cell(places[row], home))}
        figures = {row: text for row, text in lost.items() if re.fullmatch(r"[^\w]*\d[\d.,:/ -]*\W{0,3}\w{0,3}", text)}
        if figures:
            text = next(iter(figures.values()))
            message = f"{column} is empty in {listed(list(figures))}, where the table's cell says {shown(text)!r}"
            findings.append(Finding("low-coverage", message, column, tuple(figures)[:SHOWN], "error", shown(text), ""))
    return findings


def _cell(place: Place, number: int) -> str:
    """What the row's cell of a number says; "" where it has none."""
    model, node, at = place.model, place.node + 1, 0
    while node < model.end[place.node]:
        if model.tag[node] in ("td", "th"):
            if at == number:
                return model.said(node)
            at += 1
        node = model.end[node]
    return ""


def _columns(needle: Needle, model: Model, row: int) -> set[int]:
    """The columns of a row in which the value stands: as the whole of a cell if in any, else as a part of it."""
    whole, part = _cells_with(needle, model, row)
    return whole or part


def _cells_with(needle: Needle, model: Model, row: int) -> tuple[set[int], set[int]]:
    """The columns of a row that say the value and nothing else, and those that say it among other things."""
    whole: set[int] = set()
    part: set[int] = set()
    node, number = row + 1, 0
    while node < model.end[row]:
        if model.tag[node] in ("td", "th"):
            text = model.said(node)
            if text and said_in(needle, text, squash(text)):
                (whole if squash(text) == needle.flat else part).add(number)
            number += 1
        node = model.end[node]
    return whole, part
