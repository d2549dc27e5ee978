"""What a program printed, as lines of spans."""

from __future__ import annotations

from collections.abc import Iterator

from scrapewright.tui.view.spans import QUIET, Spans

LOG_LINES = 1_000


def log(text: str) -> Iterator[Spans]:
    """Output as lines, the last of them; says what it leaves out."""
    lines = text.splitlines()
    if len(lines) > LOG_LINES:
        yield [(f"… {len(lines) - LOG_LINES} earlier lines not shown", QUIET)]
    if not lines:
        yield [("nothing", QUIET)]
    for line in lines[-LOG_LINES:]:
        yield [(line[:2_000], "")]
