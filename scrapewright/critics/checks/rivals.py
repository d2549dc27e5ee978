"""Columns from a wrong place: by what the page calls it and others, or by what a model's review says."""

from __future__ import annotations

from collections.abc import Iterator

from scrapewright.critics.bench import SHOWN, Bench, listed, shown
from scrapewright.critics.normal_forms import squash
from scrapewright.session.verdict import Finding


def rivals(bench: Bench) -> Iterator[Finding]:
    """Two columns exchanged, or one taken from beside the place that bears its name; none whose place a person decided
    or that a review calls right."""
    for column, other in bench.called.exchanged():
        if bench.decided & {column, other} or {column, other} <= bench.called_right:
            continue
        mine, theirs = (shown(bench.value(bench.evidence.rows[0], name), 30) for name in (column, other))
        message = f"{column} and {other} look exchanged by what the page calls them: {mine!r} and {theirs!r}"
        yield Finding("exchanged", message, column, (), "warning", theirs, mine, source="names")
    for column, called, text in bench.called.better():
        if column in bench.decided | bench.called_right:
            continue
        sample = shown(bench.value(bench.evidence.rows[0], column), 30)
        message = f"{column} is {sample!r}; the record has {shown(text)!r}, called {called!r}"
        yield Finding("rival", message, column, (), "warning", shown(text), sample, source="names")
    yield from _crossed(bench)


def _crossed(bench: Bench) -> Iterator[Finding]:
    """Rows read across a table whose records are its columns: they are called what the columns are called."""
    evidence = bench.evidence
    for column in evidence.judged:
        names = [squash(other.replace("_", " ")) for other in evidence.judged if other != column]
        texts = {row: evidence.needles[row][column].flat for row in evidence.rows}
        said = {row: name for row, text in texts.items() for name in names if len(name) >= 3 and text.startswith(name)}
        if len(set(said.values())) >= 2 and len(said) >= 0.5 * len(texts):
            message = f"{listed(list(said))} are called what the columns are called, in {column}"
            yield bench.finding("wrong-record", column, list(said), message)
            return


def review(bench: Bench) -> Iterator[Finding]:
    """Columns that a model's review of the rows calls wrong; what a person decided of one overrides it."""
    for said in bench.review.columns:
        if said.says != "wrong" or said.column not in bench.reviewed:
            continue
        rows, count = said.rows or bench.review.rows, len(bench.review.rows)
        message = f"{said.column} is called wrong by a review of {count} row{'s' * (count != 1)}"
        sample = shown(bench.value(rows[0], said.column)) if rows and rows[0] < len(bench.table.rows) else ""
        message = f"{message}: {said.reason}" if said.reason else message
        share = len(rows) / max(1, count)
        yield Finding("called-wrong", message, said.column, rows[:SHOWN], got=sample, share=share, source="review")
