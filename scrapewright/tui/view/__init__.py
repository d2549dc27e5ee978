"""What the panes say, as lines of spans. Pure: a Session and what hangs on it in, text out."""

from scrapewright.tui.view.log import log_header
from scrapewright.tui.view.query import WAIT, in_full, in_short
from scrapewright.tui.view.spans import QUIET

__all__ = [
    "QUIET",
    "WAIT",
    "in_full",
    "in_short",
    "log_header",
]
