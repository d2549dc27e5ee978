"""The type of what every view returns: lines of spans."""

from __future__ import annotations

Spans = list[tuple[str, str]]
"""One line: pieces of text, each with a style (a theme variable such as "$error", or empty)."""
QUIET = "$text-quiet"
