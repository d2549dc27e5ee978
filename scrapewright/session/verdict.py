"""The critics' verdict on a run's rows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import msgspec

from scrapewright.session.exit_codes import ExitCode

FindingCode = Literal[
    "no-file", "unreadable-file", "no-rows", "too-few-rows", "missing-column", "empty-column", "low-coverage",
    "wrong-type", "constant-column", "wrong-order", "not-distinct", "duplicate-rows", "page-lost", "page-not-fetched",
    "ungrounded", "shifted-column", "navigation-rows", "filter-broken", "limit-broken", "mojibake", "relative-link",
    "wrong-format", "wrong-record", "extra-rows", "not-understood", "not-extreme", "other-section", "unchecked",
    "undecided", "could-not-judge", "page-failed", "asks-login", "cut-text", "joined-text", "exchanged", "rival",
    "day-order", "left-out", "called-wrong", "added-check",
]  # fmt: skip
Severity = Literal["error", "warning", "doubt"]


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that is wrong, or, as a `warning`, may be. `rows` are 0-based row numbers, a few of them.

    A `doubt` is no error of the rows: what the person wants was not understood or not decided, which no program can
    mend. It makes the rows less likely right, and is never shown to a programmer.
    """

    code: FindingCode
    message: str
    column: str = ""
    rows: tuple[int, ...] = ()
    severity: Severity = "error"
    expected: str = ""
    got: str = ""
    share: float = 1.0
    """Of how many of the rows (of a page, its records) it holds: 0.0 to 1.0."""
    source: str = "pages"
    """What it rests on: "pages" (rows and fetched bytes alone), "names" (what the page calls its places), "review" (a
    model's review of the rows), or who made the part of the reading that it holds the rows against: "grammar", "model",
    "person". Of a check that a package adds its name."""


class Dispute(msgspec.Struct, frozen=True, omit_defaults=True):
    """That a programmer holds a finding, named by code and column, to be mistaken: why, and what shows it."""

    code: FindingCode
    column: str = ""
    reason: str = ""
    evidence: str = ""

    def names(self, finding: Finding) -> bool:
        return (self.code, self.column) == (finding.code, finding.column)

    @property
    def in_words(self) -> str:
        return f"{self.reason} ({self.evidence})" if self.evidence else self.reason


class Sample(msgspec.Struct, frozen=True):
    """A row, its number counted from 0, and the text of its record on the page, empty where it was not found. Values
    and text are cut short."""

    row: int
    values: dict[str, Any]
    record: str = ""


class Verdict(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whether it is what was asked, with how likely that is (0.0 to 1.0).

    `score` is 0.0 to 1.0 and comparable between attempts of one session. `checked` says in words what the rows were
    compared with, `unchecked` what could not be checked. `disputes` are those of its findings that were weighed;
    `samples` are rows beside their records, where it is not `ok`.
    """

    ok: bool
    score: float
    findings: tuple[Finding, ...] = ()
    rows: int = 0
    columns: tuple[str, ...] = ()
    file: str = ""
    pages: int = 0
    probability: float = 0.0
    checked: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    samples: tuple[Sample, ...] = ()

    @property
    def doubts(self) -> tuple[Finding, ...]:
        return tuple(f for f in self.findings if f.severity == "doubt")

    @property
    def doubtful(self) -> bool:
        """Its rows can't be trusted, and nothing was found that a program could mend."""
        return not self.ok and bool(self.rows) and not any(f.severity == "error" for f in self.findings)

    def dispute(self, finding: Finding) -> Dispute | None:
        """The dispute of the finding that was weighed, if there was one."""
        return next((dispute for dispute in self.disputes if dispute.names(finding)), None)

    @property
    def failure(self) -> str:
        """Why the rows could not be judged, empty where they were: nothing is known of them then."""
        return next((finding.message for finding in self.findings if finding.code == "could-not-judge"), "")


class RowsReport(msgspec.Struct, frozen=True):
    """Whether rows are what a request asks for, with how likely that is (0.0 to 1.0).

    `findings`, `checked` and `unchecked` as in a verdict. `pages` counts those that were fetched for the rows. `reason`
    says why the rows could not be judged, or what is to be known besides, and `advice` what to do. `exit_code` is what
    the command ends with.
    """

    ok: bool
    probability: float = 0.0
    score: float = 0.0
    findings: tuple[Finding, ...] = ()
    checked: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()
    rows: int = 0
    columns: tuple[str, ...] = ()
    pages: int = 0
    reason: str = ""
    advice: str = ""
    exit_code: int = ExitCode.UNREPAIRED
    judged: bool = True
    """Whether the pages could be had at all."""

    @property
    def verdict(self) -> Verdict:
        return Verdict(
            self.ok, self.score, self.findings, self.rows, self.columns, "", self.pages, self.probability,
            self.checked, self.unchecked,
        )  # fmt: skip


def with_disputes(disputes: Iterable[Dispute], new: Iterable[Dispute]) -> tuple[Dispute, ...]:
    """`new` at the end, in place of earlier ones of the same findings."""
    newest = {(d.code, d.column): d for d in new}
    return (*(d for d in disputes if (d.code, d.column) not in newest), *newest.values())
