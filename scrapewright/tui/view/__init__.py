"""What the panes say, as lines of spans. Pure: a Session and what hangs on it in, text out."""

from scrapewright.tui.view.attempts import attempt_lines
from scrapewright.tui.view.log import log_header
from scrapewright.tui.view.output import checks, files
from scrapewright.tui.view.query import reading
from scrapewright.tui.view.spans import QUIET, Spans
from scrapewright.tui.view.status import status
from scrapewright.tui.view.trace import REQUESTS, STEPS, frames, requests, steps

__all__ = [
    "QUIET",
    "REQUESTS",
    "STEPS",
    "Spans",
    "attempt_lines",
    "checks",
    "files",
    "frames",
    "log_header",
    "reading",
    "requests",
    "status",
    "steps",
]
