"""What a program printed, as lines of spans."""

from __future__ import annotations

from scrapewright.tui.live_output import LineLog
from scrapewright.tui.view.spans import QUIET, Spans


def log_header(log: LineLog) -> list[Spans]:
    """The lines that stay above a log: what it leaves out, or that there is nothing."""
    if log.first:
        return [[(f"… {log.first:,} earlier lines not shown", QUIET)]]
    return [] if len(log) else [[("nothing printed", QUIET)]]
