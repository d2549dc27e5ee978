"""Rows read across a table whose records stand in its columns: they are called what the columns are called."""

from __future__ import annotations

from scrapewright.critics.bench import SHOWN, Bench, listed, shown
from scrapewright.critics.normal import squash
from scrapewright.session.verdict import Finding

LEAST = 2
_SHORT = 3
"""A name of fewer letters is found by chance."""


def crossed(bench: Bench) -> list[Finding]:
    """A column whose values are the names of other columns, alone or with more words behind them."""
    names = {column: squash(column.replace("_", " ")) for column in bench.evidence.judged}
    findings: list[Finding] = []
    for column in bench.evidence.judged:
        others = {name for other, name in names.items() if other != column and len(name) >= _SHORT}
        called: dict[int, str] = {}
        for row in bench.evidence.rows:
            value = bench.value(row, column)
            said = squash(value) if isinstance(value, str) and len(value) <= 60 else ""
            name = next((name for name in others if said == name or (said.startswith(name) and " " in str(value))), "")
            if name:
                called[row] = name
        if len(set(called.values())) >= LEAST and len(called) >= 0.5 * len(bench.evidence.rows):
            rows = list(called)
            sample = shown(bench.value(rows[0], column))
            message = f"{listed(rows)} are called what the columns are called: {sample!r} in {column}"
            findings.append(Finding("wrong-record", message, column, tuple(rows[:SHOWN]), got=sample))
    return findings
