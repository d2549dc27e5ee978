"""Columns that the page offers another place for, by what it calls the two."""

from __future__ import annotations

from scrapewright.critics.bench import Bench, shown
from scrapewright.session.verdict import Finding


def rivals(bench: Bench) -> list[Finding]:
    """Two columns exchanged, or one taken from beside the place that bears its name."""
    findings: list[Finding] = []
    for rival in bench.called.exchanged():
        samples = [shown(bench.value(bench.evidence.rows[0], column), 30) for column in (rival.column, rival.other)]
        pair = f"{samples[0]!r} and {samples[1]!r}"
        message = f"{rival.column} and {rival.other} look exchanged by what the page calls them: {pair}"
        findings.append(Finding("exchanged", message, rival.column, (), "warning", samples[1], samples[0]))
    for rival in bench.called.better():
        sample = shown(bench.value(bench.evidence.rows[0], rival.column), 30)
        message = f"{rival.column} is {sample!r}; the record has {shown(rival.text)!r}, called {rival.called!r}"
        findings.append(Finding("rival", message, rival.column, (), "warning", shown(rival.text), sample))
    return findings
