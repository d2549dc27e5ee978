"""Columns from a wrong place: by what the page calls it and others, or by what a model's review says."""

from __future__ import annotations

from collections.abc import Iterator

from scrapewright.critics.bench import SHOWN, Bench, shown
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
