"""What `check` says of rows: a report for people, or as one JSON object."""

from __future__ import annotations

import msgspec

from scrapewright.headless.narrate import verdict_lines
from scrapewright.headless.output import Output
from scrapewright.session.exit_codes import ExitCode
from scrapewright.session.sanitize import one_line, sanitize, to_json
from scrapewright.session.verdict import Finding, Verdict


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


def show(report: RowsReport, out: Output) -> None:
    """The report for people: the verdict, all findings, what was checked and what could not be told."""
    lines = list(verdict_lines(report.verdict, every=True)) if report.judged else ["verdict: none"]
    lines += [f"  {one_line(said, 500)}" for said in (report.reason, report.advice) if said]
    for line in lines:
        out.line(sanitize(line).replace("\n", " "))


def show_json(report: RowsReport, out: Output) -> None:
    """The report as one JSON object."""
    out.line(msgspec.json.format(to_json(report), indent=1).decode())
