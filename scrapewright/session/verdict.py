"""The critics' verdict on a run's rows."""

from __future__ import annotations

from typing import Literal

import msgspec

FindingCode = Literal[
    "no-file", "unreadable-file", "no-rows", "too-few-rows", "missing-column", "empty-column", "low-coverage",
    "wrong-type", "constant-column", "wrong-order", "not-distinct", "duplicate-rows", "page-lost", "page-not-fetched",
    "ungrounded", "shifted-column", "navigation-rows", "filter-broken", "limit-broken", "mojibake", "relative-link",
    "wrong-format", "wrong-record", "extra-rows", "not-understood", "not-extreme", "other-section", "unchecked",
]  # fmt: skip


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that is wrong (or, as a `warning`, may be). `rows` are 0-based row numbers, a few of them."""

    code: FindingCode
    message: str
    column: str = ""
    rows: tuple[int, ...] = ()
    severity: Literal["error", "warning"] = "error"
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
