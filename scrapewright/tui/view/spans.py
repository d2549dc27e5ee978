"""The type of what every view returns: lines of spans."""

from __future__ import annotations

from typing import Protocol

Spans = list[tuple[str, str]]
"""One line: pieces of text, each with a style (a theme variable such as "$error", or empty)."""


class Lines(Protocol):
    """Lines that may be made only as they are drawn."""

    def __len__(self) -> int: ...

    def __getitem__(self, row: int, /) -> Spans: ...


QUIET = "$text-quiet"
