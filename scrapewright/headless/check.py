"""What `check` says of rows: a report for people, or as one JSON object."""

from __future__ import annotations

import msgspec

from scrapewright.headless.narrate import verdict_lines
from scrapewright.headless.output import Output
from scrapewright.session.sanitize import one_line, sanitize, to_json
from scrapewright.session.verdict import RowsReport


def show(report: RowsReport, out: Output) -> None:
    """The report for people: the verdict, all findings, what was checked and what was not."""
    lines = list(verdict_lines(report.verdict, every=True)) if report.judged else ["verdict: none"]
    lines += [f"  {one_line(said, 500)}" for said in (report.reason, report.advice) if said]
    for line in lines:
        out.line(sanitize(line).replace("\n", " "))


def show_json(report: RowsReport, out: Output) -> None:
    """The report as one JSON object."""
    out.line(msgspec.json.format(to_json(report), indent=1).decode())
