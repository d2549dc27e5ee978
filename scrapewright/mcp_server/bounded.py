"""What is handed to a client: JSON of limited size, whatever a page or a program holds. What was cut is said."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from scrapewright.api.answers import Question
from scrapewright.api.page import Page
from scrapewright.api.result import Result
from scrapewright.session.result import RunResult
from scrapewright.session.sanitize import sanitize, well_formed
from scrapewright.session.verdict import Finding, RowsReport
from scrapewright.store.sessions import Summary

ROWS = 50
"""Rows that are shown; all are in the file whose path is given."""
BYTES = 40_000
"""Of the rows, or of the groups of a page, as JSON."""
TEXT = 400
"""Characters of a text."""
OUTPUT = 4_000
"""Characters of what a program printed."""
_FINDINGS = 12
_GROUPS = 8
_SLOTS = 24
_SAMPLES = 3
_STEPS = 20
_FRAMES = 5
_REQUESTS = 30


def short(value: Any, most: int = TEXT) -> Any:
    """A JSON value with its texts cut, and without what a terminal would obey."""
    if isinstance(value, str):
        text = sanitize(value[: 2 * most])
        return text if len(text) <= most and len(value) <= 2 * most else text[: most - 1] + "…"
    if isinstance(value, dict):
        return {well_formed(key): short(item, most) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [short(item, most) for item in value]
    return value


def _end(text: str) -> str:
    """The end of what a program printed, where a traceback is."""
    return sanitize(text) if len(text) <= OUTPUT else "…" + sanitize(text[-OUTPUT:])


def _fitting(items: Iterable[Any]) -> list[Any]:
    """The first ones, as many as fit."""
    found, size = [], 0
    for item in items:
        size += len(msgspec.json.encode(item))
        if size > BYTES:
            break
        found.append(item)
    return found


def run_result(result: Result, refused: Iterable[str] = ()) -> dict[str, Any]:
    """A session that is over. `rows` are the first of those that the verdict trusts, else of those it does not:
    `trusted` says which."""
    rows = result.rows or result.unverified
    shown = _fitting(short(rows[:ROWS]))
    summary: dict[str, Any] = {
        "status": "over" if result.exit_code is not None else "not over",
        "session": result.session,
        "trusted": result.ok,
        "outcome": result.outcome,
        "reason": result.reason,
        "advice": result.advice,
        "exit_code": result.exit_code,
        "columns": list(result.columns),
        "rows": shown,
        "rows_shown": len(shown),
        "rows_total": len(rows),
        "files": list(result.files),
        "attempts": len(result.attempts),
        "verdict": None,
    }
    if result.verdict is not None:
        v = result.verdict
        summary["verdict"] = {"ok": v.ok, "probability": v.probability, "pages": v.pages} | _held(
            v.findings, v.checked, v.unchecked
        )
    if hosts := list(refused):
        summary["refused_hosts"] = hosts
        summary["advice"] += f" {', '.join(hosts)} was not allowed: only a person may, or the request that names it."
    return summary | {key: short(summary[key], 2_000) for key in ("reason", "advice", "columns", "verdict")}


def waiting(session: str, question: Question) -> dict[str, Any]:
    """A session that asks something: what `answer` takes."""
    asked = short(msgspec.to_builtins(question), 800)
    choices = [choice for choice in question.choices if choice not in {"choose", "say", "rewind"}]
    return {"status": "waiting", "session": session, "question": asked | {"choices": choices}}


def rows_report(report: RowsReport) -> dict[str, Any]:
    """What `check` says of rows."""
    summary = {
        "ok": report.ok,
        "probability": report.probability,
        "rows": report.rows,
        "pages": report.pages,
        "columns": report.columns,
        "reason": report.reason,
        "advice": report.advice,
        "exit_code": report.exit_code,
        "judged": report.judged,
    }
    return dict(short(summary, 2_000)) | _held(report.findings, report.checked, report.unchecked)


def _held(findings: Iterable[Finding], checked: Iterable[str], unchecked: Iterable[str]) -> dict[str, Any]:
    found = [{"severity": f.severity, "message": f.message, "column": f.column, "rests_on": f.source} for f in findings]
    return {
        "findings": short(found[:_FINDINGS]),
        "findings_total": len(found),
        "checked": short(list(checked)),
        "not_checked": short(list(unchecked)),
    }


def page(found: Page) -> dict[str, Any]:
    """A page with what the survey proposes there."""
    groups = [
        {
            "kind": group.kind,
            "selector": group.selector,
            "source": group.source,
            "heading": group.context,
            "records": group.count,
            "places": [
                {
                    "selector": slot.selector, "value": slot.attr, "type": slot.type, "names": slot.names,
                    "label": slot.label, "header": slot.header, "coverage": slot.coverage,
                    "samples": slot.samples[:_SAMPLES],
                }
                for slot in group.slots[:_SLOTS]
            ],
            "places_total": len(group.slots),
        }
        for group in found.groups[:_GROUPS]
    ]  # fmt: skip
    summary = {
        "url": found.url, "status": found.status, "title": found.title, "verdict": found.verdict,
        "reason": found.reason, "next": msgspec.to_builtins(found.next), "apis": msgspec.to_builtins(found.apis[:5]),
        "feeds": found.feeds[:5], "groups_total": len(found.groups),
    }  # fmt: skip
    return dict(short(summary)) | {"groups": _fitting(short(groups, 160))}


def trace(result: RunResult, files: Iterable[str]) -> dict[str, Any]:
    """The record of a run: its end, the exception with the values there, the last steps, output and requests."""
    summary = short(msgspec.to_builtins(result))
    exception = summary.get("exception")
    while isinstance(exception, dict):  # each with what it came from
        exception["frames"] = exception.get("frames", [])[-_FRAMES:]
        exception = exception.get("cause")
    kept = ("status", "exit_code", "signal", "recorder", "seconds", "cpu_seconds", "max_rss_bytes", "exception", "note",
            "sandbox", "python")  # fmt: skip
    return {
        **{name: summary[name] for name in kept if name in summary},
        "where": result.where,
        "stdout": _end(result.stdout.text),
        "stderr": _end(result.stderr.text),
        "steps": summary.get("steps", [])[-_STEPS:],
        "requests": summary.get("requests", [])[-_REQUESTS:],
        "files": list(files),
    }


def sessions(found: Iterable[Summary]) -> list[dict[str, Any]]:
    """Stored sessions in a line each."""
    return [
        {
            "session": s.id, "request": short(s.text), "outcome": s.outcome or "not over", "attempts": s.attempts,
            "rows": s.rows, "started_at": s.started_at,
        }
        for s in found
    ]  # fmt: skip
