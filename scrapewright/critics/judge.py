"""The verdict on a run's rows: whether they are what was asked for, and what is wrong with them."""

from __future__ import annotations

import traceback
from itertools import islice
from typing import NamedTuple

import msgspec

from scrapewright import plugins
from scrapewright.critics import rows
from scrapewright.critics.account import account, samples, spread, with_source
from scrapewright.critics.bench import MANY, Bench, Check
from scrapewright.critics.checks import (
    borders,
    columns,
    counts,
    doubts,
    grounding,
    missing,
    notation,
    order,
    paging,
    rivals,
)
from scrapewright.critics.evidence import Evidence, fetched
from scrapewright.critics.probability import TRUSTED, features, probability, score
from scrapewright.loop.ports import Case
from scrapewright.session.verdict import Finding, FindingCode, Sample, Verdict

CHECKS: tuple[Check, ...] = (
    counts.number_of_rows,
    columns.presence,
    columns.types,
    columns.links,
    columns.mojibake,
    counts.header_rows,
    grounding.navigation,
    grounding.grounding,
    borders.borders,
    notation.day_order,
    rivals.rivals,
    rivals.review,
    notation.notation,
    counts.coverage,
    missing.missing,
    counts.repeats,
    order.order,
    order.extremes,
    order.filters,
    order.sections,
    paging.pages,
    paging.linked,
    paging.failed,
    doubts.unread,
)

_MASKS: dict[FindingCode, tuple[FindingCode, ...]] = {
    "mojibake": ("ungrounded", "wrong-record"),
    "navigation-rows": ("wrong-record", "too-few-rows", "page-lost"),
    "empty-column": ("low-coverage",),
    "not-distinct": ("duplicate-rows",),
    "constant-column": ("wrong-record", "shifted-column"),
}
"""Findings that follow from another one of the same column are not reported."""
_OF_ROWS: frozenset[FindingCode] = frozenset(("cut-text", "duplicate-rows", "joined-text"))
"""Findings that a page itself may give cause for in one row: a program that cuts its texts cuts many."""
_FATAL: frozenset[FindingCode] = frozenset(("no-file", "no-rows", "could-not-judge"))
"""Findings that leave nothing to be right."""
MESSAGE_AT_MOST = 500
FINDINGS_AT_MOST = 20
"""Of one check of an installed package."""


class Examined(NamedTuple):
    """What was found of a run's rows, and what of it speaks against them: see `probability.features`."""

    bench: Bench
    findings: tuple[Finding, ...]
    features: dict[str, float]
    failed: tuple[str, ...] = ()
    """Checks of installed packages that failed, in words."""


class RowsCritic:
    """A `loop.ports.Critic`. Pure: the same case gives the same verdict."""

    def judge(self, case: Case) -> Verdict:
        """Never raises: a failure of a check is a finding of its own, "could-not-judge".

        `ok` needs rows that are right with a probability of `probability.TRUSTED`, a run that ended well, and nothing
        left open that the program's best guess was not sure of.
        """
        try:
            return _judged(case)
        except Exception as error:
            return _unjudged(error)

    def samples(self, case: Case) -> tuple[Sample, ...]:
        """Never raises: where a check would fail, there is nothing to be reviewed."""
        try:
            table, _ = rows.load(case.reading, case.files)
            pages = fetched(case.result, case.pages)
            return spread(Evidence(case.reading, table, pages)) if table is not None else ()
        except Exception:
            return ()


def examined(case: Case) -> Examined | None:
    """The findings on a case's rows; None where there is no table at all."""
    table, findings = rows.load(case.reading, case.files)
    if table is None:
        return None
    pages = fetched(case.result, case.pages)
    bench = Bench(case, table, Evidence(case.reading, table, pages), pages)
    for check in CHECKS:
        if table.rows or check is counts.number_of_rows or check is columns.presence:
            findings += check(bench)
    findings = [_softened(with_source(f, case)) for f in (*_unmasked(findings), *doubts.undecided(case.open))]
    more, failed = _added(bench)
    findings += more
    return Examined(bench, tuple(findings), features(case, bench, findings), tuple(failed))


def _added(bench: Bench) -> tuple[list[Finding], list[str]]:
    """What the checks of installed packages find (see scrapewright.plugins), and which of them failed, in words."""
    findings: list[Finding] = []
    failed: list[str] = []
    for name, point in plugins.found("critics").items():
        try:
            said = plugins.load("critics", name)(bench.table.rows, bench.pages, bench.query)
            messages = [str(message)[:MESSAGE_AT_MOST] for message in islice(said, FINDINGS_AT_MOST)]
        except plugins.BrokenPlugin as error:
            failed.append(str(error))
        except Exception as error:
            failed.append(f"{plugins.described(point)} failed: {type(error).__name__}: {error}"[:MESSAGE_AT_MOST])
        else:
            findings += [Finding("added-check", f"{name}: {message}", source=name) for message in messages]
    return findings, failed


def _judged(case: Case) -> Verdict:
    found = examined(case)
    pages = len(fetched(case.result, case.pages))
    if found is None:
        return Verdict(False, 0.0, tuple(rows.load(case.reading, case.files)[1]), pages=pages)
    table = found.bench.table
    fatal = any(finding.code in _FATAL for finding in found.findings)
    likely = 0.0 if fatal else probability(found.features)
    ended = case.result.status == "ok" or (case.result.status == "exit" and not case.result.exit_code)
    checked, unchecked = account(found.bench, found.findings)
    undecided = case.author == "rules" and any(finding.code == "undecided" for finding in found.findings)
    ok = ended and likely >= TRUSTED and not undecided
    return Verdict(
        ok=ok,
        score=0.0 if fatal else score(found.features),
        findings=found.findings,
        rows=len(table.rows),
        columns=table.columns,
        file=table.name,
        pages=pages,
        probability=round(likely, 4),
        checked=checked,
        unchecked=(*unchecked, *found.failed),
        disputes=tuple(d for d in case.disputes if any(map(d.names, found.findings))),
        samples=() if ok else samples(found.bench, found.findings),
    )


def _unjudged(error: Exception) -> Verdict:
    """Rows that a defect of the checks, not of the program, leaves without a verdict."""
    *_, (frame, line) = traceback.walk_tb(error.__traceback__)
    where = f"{frame.f_code.co_filename.rpartition('/')[2]}:{line}"
    message = f"the rows could not be judged: {type(error).__name__}: {error} ({where})"
    return Verdict(False, 0.0, (Finding("could-not-judge", message, got=where),))


def _softened(finding: Finding) -> Finding:
    """What a page itself may give cause for is a warning where it is found of one row among many."""
    one = len(finding.rows) == 1 and finding.share <= 1 / MANY
    return msgspec.structs.replace(finding, severity="warning") if one and finding.code in _OF_ROWS else finding


def _unmasked(findings: list[Finding]) -> list[Finding]:
    masked = {
        (code, f.column if f.code != "navigation-rows" else None) for f in findings for code in _MASKS.get(f.code, ())
    }
    return [f for f in findings if (f.code, f.column) not in masked and (f.code, None) not in masked]
