"""Whether the numbers of a column are made from what its rows' records say, in one way for all of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import pairwise

from scrapewright.critics.document import Piece, Span
from scrapewright.critics.evidence import Evidence
from scrapewright.critics.normal_forms import clocks, numbers

MOST_PIECES = 4000
"""Texts and attributes of a record that are read for what a number may be made from."""
_FIGURES = re.compile(r"[^\W\d][-_=/]?(\d{1,15})(?![.,'’]?\d)|(?<![\d.,'’+-])(\d{1,15})(?=[-_]?[^\W\d])")
"""Figures that are part of a word, or a step or a parameter of an address: those that stand by themselves are numbers,
with sign and scale."""
_YEAR = re.compile(r"(?<![\d.,$€£¥])\d\d(?![\d.,]|\s*[$€£¥%])")
_WHOLE_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
YEARS = range(1940, 2040)
"""Whole years that a year of two figures may stand for."""


def are_converted(evidence: Evidence, column: str, rows: Collection[int]) -> bool:
    """Whether all of these rows' numbers come about in one of these ways: a number rounded, the time between two times
    of day, a year of two figures; or the numbers of the whole column are figures at one place of the records."""
    values = {row: evidence.needles[row][column].number for row in rows}
    if not values or None in values.values():
        return False
    most = max(len(str(value).rpartition(".")[2].rstrip("0")) for value in values.values())

    def said(row: int, value: float, read: Callable[[Iterable[Piece], float, int], bool]) -> bool:
        return any(read(_pieces(span), value, most) for span in evidence.spans(row))

    return any(
        all(said(row, value, read) for row, value in values.items() if value is not None)
        for read in (_is_rounded, _is_between, _is_year)
    ) or _is_at_one_place(evidence, column)


def _pieces(span: Span) -> list[Piece]:
    return [piece for piece in [*span.texts, *span.values][:MOST_PIECES] if any(map(str.isdigit, piece.text))]


def _is_rounded(pieces: Iterable[Piece], value: float, places: int) -> bool:
    read = (number for piece in pieces if len(piece.text) < 200 for number in numbers(piece.text))
    return places > 0 and any(round(number, 2) != number and round(number, places) == value for number in read)


def _is_between(pieces: Iterable[Piece], value: float, _: int) -> bool:
    """Minutes or hours from one time of day to the next that is written."""
    times = [hour * 60 + minute for piece in pieces if not piece.name for hour, minute in clocks(piece.text)]
    spans = {(late - early) % (24 * 60) for early, late in pairwise(times)}
    return value in spans or value * 60 in spans


def _is_year(pieces: Iterable[Piece], value: float, _: int) -> bool:
    if value not in YEARS:
        return False
    short = f"{int(value) % 100:02}"
    texts = (piece.text for piece in pieces if not piece.name and not _WHOLE_YEAR.search(piece.text))
    return any(short in _YEAR.findall(text) for text in texts)


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
