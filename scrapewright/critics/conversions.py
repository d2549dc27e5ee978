"""Whether the numbers of a column are made from what its rows' records say, in one way for all of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from itertools import pairwise

from scrapewright.critics.document import Span
from scrapewright.critics.evidence import Evidence
from scrapewright.critics.normal_forms import clocks

MOST_PIECES = 4000
"""Texts and attributes of a record that are read for what a number may be made from."""
_FIGURES = re.compile(r"[^\W\d][-_=/]?(\d{1,15})(?![.,'’]?\d)|(?<![\d.,'’+-])(\d{1,15})(?=[-_]?[^\W\d])")
"""Figures that are part of a word, or a step or a parameter of an address: those that stand by themselves are numbers,
with sign and scale."""


def are_converted(evidence: Evidence, column: str, rows: Collection[int]) -> bool:
    """Whether all of these rows' numbers are the time between two times of day, or those of the whole column are
    figures at one place of the records."""
    values = {row: evidence.needles[row][column].number for row in rows}
    if not values or None in values.values():
        return False
    between = (any(value in _between(span) for span in evidence.spans(row)) for row, value in values.items())
    return all(between) or _is_at_one_place(evidence, column)


def _between(span: Span) -> set[float]:
    """Minutes and hours from one time of day to the next that is written."""
    texts = [piece.text for piece in span.texts[:MOST_PIECES] if any(map(str.isdigit, piece.text))]
    times = [hour * 60 + minute for text in texts for hour, minute in clocks(text)]
    minutes = {(late - early) % (24 * 60) for early, late in pairwise(times)}
    return {*map(float, minutes), *(one / 60 for one in minutes)}


def _is_at_one_place(evidence: Evidence, column: str) -> bool:
    """Each number is part of a word in the same attribute of its record: of an address, or of a class ("time_70")."""
    tally: Counter[tuple[str, str]] = Counter()
    values = {row: needles[column].number for row, needles in evidence.needles.items() if not needles[column].empty}
    for row, value in values.items():
        tally.update({where for where, found in _figures(evidence, row) if value == found})
    return len(set(values.values())) > 1 and max(tally.values(), default=0) == len(values)


def _figures(evidence: Evidence, row: int) -> Iterator[tuple[tuple[str, str], float]]:
    for place in evidence.places[row][:1]:
        model, span = place.model, evidence.span(place)
        for piece in span.values[:MOST_PIECES]:
            way = "/".join(re.sub(r"\d+", "", step) for step in model.steps(place.node, piece.node).split("/"))
            for match in _FIGURES.finditer(piece.text[:400]):
                yield (way, piece.name), float(match[1] or match[2])
