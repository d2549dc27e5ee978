"""Texts with a piece too little or too much: a word cut off, or another column's text behind them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from scrapewright.critics.bench import Bench, listed, shown
from scrapewright.critics.borders import LABEL, MOST_ROWS, Border, cut_rows, is_text, spans_of, text_columns
from scrapewright.critics.match import said_in
from scrapewright.critics.normal_forms import squash
from scrapewright.critics.rows import is_empty
from scrapewright.critics.shape import texts_at
from scrapewright.session.verdict import Finding, Severity

_NEAR = 24
"""Characters behind a text in which a number or a date is next to it."""

LEAST = 5
"""Rows in which figures of two columns are the same by chance no more."""


def borders(bench: Bench) -> Iterator[Finding]:
    """Values cut out of a longer text at a blank, on some rows or all."""
    rows = len(bench.evidence.rows)
    for column in text_columns(bench.evidence):
        found = bench.borders[column]
        if cut := _cut(bench, column):
            whole, share = shown(found[cut[0]].text), len(cut) / len(found)
            said = f"{column} is a piece of a longer text ({whole!r}) in {listed(cut)}"
            yield bench.finding("cut-text", column, cut, said, expected=whole, share=share)
        if joined := joined_rows(bench, column):
            said = f"{column} holds another column's text as well in {listed(joined)}"
            yield bench.finding("joined-text", column, joined, said, share=len(joined) / rows)
    yield from _same(bench)
    yield from _from_other_columns(bench)


def _cut(bench: Bench, column: str) -> list[int]:
    """Rows whose text is cut out at a blank. A record that has several columns in one line is divided by something
    that is the same on most rows, or by no letter or figure: what separates a text and another column's value."""
    found, needles = bench.borders[column], bench.evidence.needles
    if 2 * len(found) < min(MOST_ROWS, sum(is_text(needles[row][column]) for row in needles)):
        return []  # a heading's word, which a record has by chance
    placed = [row for row in found if bench.evidence.places[row]]
    cut = {row: border for row, border in cut_rows(found).items() if not placed or row in placed}
    gaps = {row: set(_gaps(bench, row, column, border)) for row, border in cut.items()}
    tally = Counter(gap for found in gaps.values() for gap in found)
    shared = {gap for gap, count in tally.items() if count >= max(2.0, LABEL * len(cut)) or not re.search(r"\w", gap)}
    return [row for row, found in gaps.items() if not found & shared]


def _gaps(bench: Bench, row: int, column: str, border: Border) -> Iterator[str]:
    """What is between the text and other columns' values on either side of it."""
    before, after = squash(border.before), squash(border.after)
    near = border.after.partition("¶")[0][:_NEAR]
    numbers = {needle.number for needle in bench.evidence.needles[row].values()}
    for other, needle in bench.evidence.needles[row].items():
        if other == column or needle.empty:
            continue
        if needle.flat and needle.flat in (before, after):
            yield ""
        if len(needle.flat) >= 3 and needle.flat in after:
            yield after[: after.index(needle.flat)]
        if len(needle.flat) >= 3 and needle.flat in before:
            gap = before[before.rindex(needle.flat) + len(needle.flat) :]
            yield "" if gap.isdecimal() and float(gap) in numbers else gap
        if needle.kind != "text" and said_in(needle, near, squash(near)):
            yield "" if needle.date is not None else re.split(r"\d", squash(near), maxsplit=1)[0]


def _same(bench: Bench) -> Iterator[Finding]:
    """Columns that hold the same in every row, or in nearly every one: one of them is another's."""
    for n, column in enumerate(bench.evidence.judged):
        for other in bench.evidence.judged[:n]:
            if _alike(bench, column, other):
                sample = shown(next(value for value in bench.table.column(column) if not is_empty(value)))
                message = f"{column} and {other} hold the same in every row: {sample!r}"
                severity: Severity = "warning" if _said_apart(bench, column) else "error"
                yield Finding("wrong-record", message, column, (), severity, got=sample)


def _said_apart(bench: Bench, column: str) -> bool:
    """Whether rows have one value in the column, and their records or pages say it at several places: the site may well
    be the author."""
    needles = {needle.flat: row for row in bench.evidence.rows if (needle := bench.evidence.needles[row][column]).flat}
    if len(needles) != 1:
        return False
    ((flat, row),) = needles.items()
    return sum(1 for span in spans_of(bench.evidence, row) for _ in span.equal(flat)) > 1


def _alike(bench: Bench, one: str, other: str) -> bool:
    """Nearly every row has the same in both columns: half of them do where both come from one place. Of figures all
    have, and from one place: two counts may well be the same."""
    evidence, spots = bench.evidence, bench.shape.spots
    pairs = [(needles[one], needles[other]) for needles in evidence.needles.values()]
    known = [(a.flat, b.flat) for a, b in pairs if not (a.empty and b.empty)]
    same = sum(a == b for a, b in known)
    together = spots.get(one) is not None and spots.get(one) == spots.get(other)
    if len(set(known)) < 2 or not same:
        return bool(known) and same == len(known) and all(is_text(a) and is_text(b) for a, b in pairs)
    if not any(is_text(a) for a, _ in pairs) or not any(is_text(b) for _, b in pairs):
        return together and same == len(known) and len(known) >= LEAST
    several = len({a for a, _ in known}) >= 3
    return (several and same >= (0.5 if together else 0.9) * len(known)) or same == len(known)


def _from_other_columns(bench: Bench) -> Iterator[Finding]:
    """Values from another column's place, in a few rows whose records have nothing at the column's own."""
    evidence, shape = bench.evidence, bench.shape
    for column in text_columns(evidence):
        rows = []
        for row, place in shape.places.items() if column in shape.spots else ():
            needle = evidence.needles[row][column]
            if not is_text(needle) or any(texts_at(place.model, place.node, shape.spots[column])):
                continue
            others = [shape.spots[other] for other in evidence.judged if other != column and other in shape.spots]
            if any(squash(text) == needle.flat for spot in others for text in texts_at(place.model, place.node, spot)):
                rows.append(row)
        if 0 < len(rows) < 0.5 * len(shape.places):
            said = f"{column} is another column's text in {listed(rows)}"
            yield bench.finding("wrong-record", column, rows, said)


def joined_rows(bench: Bench, column: str) -> list[int]:
    """Rows whose text no text of the record holds, nor is one of the page, and that hold another column's whole one."""
    evidence, found = bench.evidence, bench.borders[column]
    joined = []
    for row in evidence.rows:
        needle = evidence.needles[row][column]
        if not is_text(needle) or (row in found and found[row].fit != "across"):
            continue
        if any(needle.flat in model.by_text for _, model in evidence.models):
            continue
        said = f" {' '.join(needle.words)} "
        others = [held for other, held in evidence.needles[row].items() if other != column and len(held.flat) >= 3]
        if any(held.words != needle.words and f" {' '.join(held.words)} " in said for held in others):
            joined.append(row)
    return joined
