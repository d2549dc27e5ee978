"""Whether the numbers of a column are made from what its rows' records say, in one way for all of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from itertools import pairwise

from scrapewright.critics.document import Span
from scrapewright.critics.evidence import Evidence
from scrapewright.critics.normal_forms import clocks

MOST_PIECES = 4000
"""Texts, attributes and elements of a record that are read for what a number may be made from."""
_NONE = frozenset({0.0})
_FIGURES = re.compile(r"[^\W\d][-_=/]?(\d{1,15})(?![.,'’]?\d)|(?<![\d.,'’+-])(\d{1,15})(?=[-_]?[^\W\d])")
"""Figures that are part of a word, or a step or a parameter of an address: those that stand by themselves are numbers,
with sign and scale."""


def are_made(evidence: Evidence, column: str, rows: Collection[int]) -> bool:
    """Whether all of these rows' numbers are the time between two times of day; or those of the whole column count the
    rows, from 0 or 1, or are numbers that each record comes to in the same way."""
    column_of = {row: needles[column] for row, needles in evidence.needles.items()}
    between = (any(column_of[row].number in _between(span) for span in evidence.spans(row)) for row in rows)
    if all(between):
        return True
    values = {row: needle.number for row, needle in column_of.items() if not needle.empty}
    if None in values.values() or len(set(values.values())) < 2:
        return False
    if evidence.step == 1 and list(values.values()) in (list(range(len(values))), list(range(1, len(values) + 1))):
        return len(values) == len(evidence.rows)
    found = {row: _numbers_of(evidence, row) for row in values}
    ways = {way for numbers in found.values() for way in numbers}
    return any(all(value in found[row].get(way, _NONE) for row, value in values.items()) for way in ways)


def _between(span: Span) -> set[float]:
    """Minutes and hours from one time of day to the next that is written."""
    texts = [piece.text for piece in span.texts[:MOST_PIECES] if any(map(str.isdigit, piece.text))]
    times = [hour * 60 + minute for text in texts for hour, minute in clocks(text)]
    minutes = {(late - early) % (24 * 60) for early, late in pairwise(times)}
    return {*map(float, minutes), *(one / 60 for one in minutes)}


def _numbers_of(evidence: Evidence, row: int) -> dict[tuple[str, str], set[float]]:
    """What a row's record comes to, by the way: its elements of a tag, or of a tag and classes, counted; and figures in
    an attribute that are part of a word, of an address or a class ("time_70")."""
    found: dict[tuple[str, str], set[float]] = {}
    for place in evidence.places[row][:1]:
        model, span = place.model, evidence.span(place)
        inside = slice(place.node + 1, min(model.end[place.node], place.node + MOST_PIECES))
        kinds = [*model.tag[inside], *(chain for chain in model.chain[inside] if "." in chain)]
        found |= {(kind, ""): {float(count)} for kind, count in Counter(kinds).items()}
        for piece in span.values[:MOST_PIECES]:
            way = "/".join(re.sub(r"\d+", "", step) for step in model.steps(place.node, piece.node).split("/"))
            numbers = (float(match[1] or match[2]) for match in _FIGURES.finditer(piece.text[:400]))
            found.setdefault((way, piece.name), set()).update(numbers)
    return found
