"""Columns that the page offers another place for, by what it calls the two."""

from __future__ import annotations

from scrapewright.critics.bench import SHOWN, Bench, listed, shown
from scrapewright.critics.normal_forms import squash
from scrapewright.session.verdict import Finding


def rivals(bench: Bench) -> list[Finding]:
    """Two columns exchanged, or one taken from beside the place that bears its name; none whose place a person decided
    or that a review calls right."""
    findings: list[Finding] = []
    for rival in bench.called.exchanged():
        pair_of = {rival.column, rival.other}
        if bench.decided & pair_of or pair_of <= bench.called_right:
            continue
        samples = [shown(bench.value(bench.evidence.rows[0], column), 30) for column in (rival.column, rival.other)]
        pair = f"{samples[0]!r} and {samples[1]!r}"
        message = f"{rival.column} and {rival.other} look exchanged by what the page calls them: {pair}"
        findings.append(Finding("exchanged", message, rival.column, (), "warning", samples[1], samples[0]))
    for rival in bench.called.better():
        if rival.column in bench.decided | bench.called_right:
            continue
        sample = shown(bench.value(bench.evidence.rows[0], rival.column), 30)
        message = f"{rival.column} is {sample!r}; the record has {shown(rival.text)!r}, called {rival.called!r}"
        findings.append(Finding("rival", message, rival.column, (), "warning", shown(rival.text), sample))
    return findings + _crossed(bench)


def _crossed(bench: Bench) -> list[Finding]:
    """Rows read across a table whose records are its columns: they are called what the columns are called."""
    evidence = bench.evidence
    for column in evidence.judged:
        names = [squash(other.replace("_", " ")) for other in evidence.judged if other != column]
        texts = {row: evidence.needles[row][column].flat for row in evidence.rows}
        said = {row: name for row, text in texts.items() for name in names if len(name) >= 3 and text.startswith(name)}
        if len(set(said.values())) >= 2 and len(said) >= 0.5 * len(texts):
            sample = shown(bench.value(min(said), column))
            message = f"{listed(list(said))} are called what the columns are called: {sample!r} in {column}"
            return [Finding("wrong-record", message, column, tuple(said)[:SHOWN], got=sample)]
    return []
