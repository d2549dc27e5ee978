"""What the panes show, as lines of spans. Pure functions of a Session and its blobs."""

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
