"""The critics' verdict on a run's rows."""

from __future__ import annotations

from typing import Literal

import msgspec

FindingCode = Literal[
    "no-file", "unreadable-file", "no-rows", "too-few-rows", "missing-column", "empty-column", "low-coverage",
    "wrong-type", "constant-column", "wrong-order", "not-distinct", "duplicate-rows", "page-lost", "page-not-fetched",
    "ungrounded", "shifted-column", "navigation-rows", "filter-broken", "limit-broken", "mojibake", "relative-link",
    "wrong-format", "wrong-record", "extra-rows", "not-understood", "not-extreme", "other-section", "unchecked",
    "undecided", "could-not-judge", "page-failed", "asks-login",
]  # fmt: skip


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that is wrong, or, as a `warning`, may be. `rows` are 0-based row numbers, a few of them.

    A `doubt` withholds a verdict's `ok` and is no error: what the person wants was not understood or not decided, which
    no program can mend. It is never told to a programmer.
    """

    code: FindingCode
    message: str
    column: str = ""
    rows: tuple[int, ...] = ()
    severity: Literal["error", "warning", "doubt"] = "error"
    expected: str = ""
    got: str = ""


class Verdict(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whether it is what was asked. `score` is 0.0 to 1.0 and comparable between attempts of one session."""

    ok: bool
    score: float
    findings: tuple[Finding, ...] = ()
    rows: int = 0
    columns: tuple[str, ...] = ()
    file: str = ""
    pages: int = 0

    @property
    def doubts(self) -> tuple[Finding, ...]:
        return tuple(f for f in self.findings if f.severity == "doubt")

    @property
    def doubtful(self) -> bool:
        """It has doubts and no errors."""
        return bool(self.doubts) and not any(f.severity == "error" for f in self.findings)

    @property
    def failure(self) -> str:
        """Why the rows could not be judged, empty where they were: nothing is known of them then."""
        return next((finding.message for finding in self.findings if finding.code == "could-not-judge"), "")
