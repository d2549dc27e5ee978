"""The verdict on a run's rows: whether they are what was asked for, and what is wrong with them."""

from __future__ import annotations

import traceback

from scrapewright.critics import rows
from scrapewright.critics.bench import Bench, Check
from scrapewright.critics.checks import (
    alone,
    answers,
    cells,
    columns,
    counts,
    crossed,
    elsewhere,
    extremes,
    grounding,
    halves,
    labels,
    order,
    paging,
    prices,
    sections,
    undecided,
    understood,
    values,
)
from scrapewright.critics.evidence import Evidence, fetched
from scrapewright.loop.ports import Case
from scrapewright.session.verdict import Finding, FindingCode, Verdict

CHECKS: tuple[Check, ...] = (
    counts.number_of_rows,
    columns.presence,
    columns.types,
    columns.links,
    columns.mojibake,
    columns.confused,
    counts.header_rows,
    grounding.navigation,
    grounding.grounding,
    grounding.constant,
    cells.shifted,
    cells.overlooked,
    crossed.crossed,
    values.notation,
    values.borrowed,
    labels.labels,
    values.pointed,
    values.midnight,
    values.counted,
    values.dated,
    values.boxes,
    values.exampled,
    values.spliced,
    prices.prices,
    prices.one_price,
    counts.coverage,
    alone.alone,
    halves.halves,
    counts.records,
    elsewhere.elsewhere,
    counts.repeats,
    order.order,
    order.filters,
    extremes.extremes,
    sections.sections,
    paging.pages,
    answers.failed,
    answers.logins,
    understood.unread,
    understood.inexpressible,
    understood.kinds,
    understood.files,
    understood.bundles,
)

_WEIGHTS: dict[FindingCode, float] = {
    "no-file": 1.0, "unreadable-file": 0.9, "no-rows": 0.95, "navigation-rows": 0.7, "wrong-record": 0.35,
    "shifted-column": 0.35, "ungrounded": 0.35, "missing-column": 0.3, "empty-column": 0.3, "constant-column": 0.3,
    "page-lost": 0.25, "page-not-fetched": 0.25, "too-few-rows": 0.25, "mojibake": 0.2, "wrong-type": 0.2,
    "low-coverage": 0.15, "extra-rows": 0.2, "limit-broken": 0.1, "filter-broken": 0.2, "wrong-order": 0.1,
    "not-distinct": 0.15, "duplicate-rows": 0.2, "relative-link": 0.1, "wrong-format": 0.1,
    "not-understood": 0.2, "not-extreme": 0.25, "other-section": 0.3, "unchecked": 0.1,
    "undecided": 0.2, "could-not-judge": 1.0, "page-failed": 0.25, "asks-login": 0.5,
}  # fmt: skip
"""How much of the score a finding takes where it concerns everything."""

_MASKS: dict[FindingCode, tuple[FindingCode, ...]] = {
    "mojibake": ("ungrounded", "wrong-record"),
    "navigation-rows": ("wrong-record", "too-few-rows", "page-lost"),
    "empty-column": ("low-coverage",),
    "not-distinct": ("duplicate-rows",),
    "constant-column": ("wrong-record", "shifted-column"),
}
"""Findings that follow from another one of the same column are not told twice."""


class RowsCritic:
    """A `loop.ports.Critic`. Pure: the same case gives the same verdict."""

    def judge(self, case: Case) -> Verdict:
        """Never raises: a failure of a check is a finding of its own, "could-not-judge".

        `ok` needs rows without an error or a doubt among the findings and a run that ended well.
        """
        try:
            return _judged(case)
        except Exception as error:
            return _unjudged(error)


def _judged(case: Case) -> Verdict:
    table, findings = rows.load(case.reading, case.files)
    pages = fetched(case.result, case.pages)
    if table is None:
        return Verdict(False, 0.0, tuple(findings), pages=len(pages))
    bench = Bench(case, table, Evidence(case.reading, table, pages), pages)
    for check in CHECKS:
        if table.rows or check is counts.number_of_rows or check is columns.presence:
            findings += check(bench)
    findings = [*_unmasked(findings), *undecided.undecided(case.open)]
    ended = case.result.status == "ok" or (case.result.status == "exit" and not case.result.exit_code)
    ok = ended and not any(finding.severity in ("error", "doubt") for finding in findings)
    total = len(table.rows)
    return Verdict(ok, _score(findings, total, ok), tuple(findings), total, table.columns, table.name, len(pages))


def _unjudged(error: Exception) -> Verdict:
    """Rows that a defect of the checks, not of the program, leaves without a verdict."""
    *_, (frame, line) = traceback.walk_tb(error.__traceback__)
    where = f"{frame.f_code.co_filename.rpartition('/')[2]}:{line}"
    message = f"the rows could not be judged: {type(error).__name__}: {error} ({where})"
    return Verdict(False, 0.0, (Finding("could-not-judge", message, got=where),))


def _unmasked(findings: list[Finding]) -> list[Finding]:
    masked = {
        (code, f.column if f.code != "navigation-rows" else None) for f in findings for code in _MASKS.get(f.code, ())
    }
    return [f for f in findings if (f.code, f.column) not in masked and (f.code, None) not in masked]


def _score(findings: list[Finding], total: int, ok: bool) -> float:
    """From 0.0 to 1.0. Each finding takes a part of what is left; warnings and doubts a tenth of what errors take."""
    score = 1.0
    for finding in findings:
        weight = _WEIGHTS[finding.code] * (_extent(finding, total) if finding.severity == "error" else 0.1)
        score *= 1.0 - weight
    return round(score if ok else min(score, 0.99), 4)


def _extent(finding: Finding, total: int) -> float:
    """How far a finding reaches: few rows weigh half of what all do; lost records by their share."""
    if (
        finding.code in ("too-few-rows", "page-lost")
        and finding.expected.isdigit()
        and finding.got.isdigit()
        and int(finding.expected)
    ):
        return 0.4 + 0.6 * (1 - min(1.0, int(finding.got) / int(finding.expected)))
    if finding.rows and total:
        return 0.5 + 0.5 * min(1.0, len(finding.rows) / min(total, 5))
    return 1.0
