"""The list of attempts, as lines of spans."""

from __future__ import annotations

from scrapewright.session.state import AttemptState
from scrapewright.tui.view.spans import QUIET, Spans


def attempt_line(attempt: AttemptState, *, current: bool, best: bool) -> Spans:
    """One row of the attempts list."""
    color = "$success" if attempt.good else "$error" if attempt.status not in {None, "ok"} else "$warning"
    score = f"{attempt.score:.2f}" if attempt.verdict is not None else "    "
    change = f"+{attempt.added} −{attempt.removed}" if attempt.added or attempt.removed else f"{attempt.lines} lines"
    rows = f"{attempt.verdict.rows} rows" if attempt.verdict is not None else ""
    mark = "★" if best else "▸" if current else " "
    return [
        (f"{mark} {attempt.id:2} ", "bold"), (f"{attempt.author:7} ", QUIET), (f"{attempt.outcome:16} ", color),
        (f"{score} {rows:9} {change}", QUIET),
    ]  # fmt: skip
