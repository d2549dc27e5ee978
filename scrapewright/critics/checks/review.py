"""Columns that a model's review of the rows calls wrong."""

from __future__ import annotations

from scrapewright.critics.bench import SHOWN, Bench, shown
from scrapewright.session.verdict import Finding


def review(bench: Bench) -> list[Finding]:
    """What a person decided of a column overrides it."""
    findings: list[Finding] = []
    for said in bench.review.columns:
        if said.says != "wrong" or said.column not in bench.reviewed:
            continue
        rows = said.rows or bench.review.rows
        message = f"{said.column} is called wrong by a review of {_counted(len(bench.review.rows))}"
        sample = shown(bench.value(rows[0], said.column)) if rows and rows[0] < len(bench.table.rows) else ""
        findings.append(
            Finding(
                "called-wrong", f"{message}: {said.reason}" if said.reason else message, said.column, rows[:SHOWN],
                got=sample, share=len(rows) / max(1, len(bench.review.rows)), source="review",
            )
        )  # fmt: skip
    return findings


def _counted(rows: int) -> str:
    return f"{rows} row{'s' * (rows != 1)}"
