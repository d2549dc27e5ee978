"""Columns from a wrong place: by what the page calls it and others, or by what a model's review says."""

from __future__ import annotations

from scrapewright.critics.bench import SHOWN, Bench, shown
from scrapewright.session.verdict import Finding


def rivals(bench: Bench) -> list[Finding]:
    """Two columns exchanged; none whose place a person decided, not both where a review calls them right."""
    findings: list[Finding] = []
    for column, other in bench.called.exchanged():
        if bench.decided & {column, other} or {column, other} <= bench.called_right:
            continue
        mine, theirs = (shown(bench.value(bench.evidence.rows[0], name), 30) for name in (column, other))
        message = f"{column} and {other} look exchanged by what the page calls them: {mine!r} and {theirs!r}"
        findings.append(Finding("exchanged", message, column, (), "warning", theirs, mine))
    return findings


def review(bench: Bench) -> list[Finding]:
    """Columns that a model's review of the rows calls wrong; what a person decided of one overrides it."""
    findings: list[Finding] = []
    for said in bench.review.columns:
        if said.says != "wrong" or said.column not in bench.reviewed:
            continue
        rows = said.rows or bench.review.rows
        count = len(bench.review.rows)
        message = f"{said.column} is called wrong by a review of {count} row{'s' * (count != 1)}"
        sample = shown(bench.value(rows[0], said.column)) if rows and rows[0] < len(bench.table.rows) else ""
        findings.append(
            Finding(
                "called-wrong", f"{message}: {said.reason}" if said.reason else message, said.column, rows[:SHOWN],
                got=sample, share=len(rows) / max(1, count), source="review",
            )
        )  # fmt: skip
    return findings
