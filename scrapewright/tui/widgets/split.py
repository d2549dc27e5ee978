"""A list above, and below it what goes with the row under its cursor."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical

from scrapewright.tui.widgets.rows import Rows

LOWER_AT_MOST = 0.45
"""Share of the height that the lower part may take; it takes only what it needs."""


class Split(Vertical):
    """`upper` has a cursor, and so has `lower`; tab goes from one to the other."""

    DEFAULT_CSS = """
    Split {
        height: 1fr;
        Rows { height: 1fr; }
        .lower { border-top: solid $text-quiet 40%; height: 3; }
        .lower:ansi { border-top: solid $text-quiet; }
        .lower:focus { border-top: solid $primary; }
    }
    """

    def __init__(self, *, id: str) -> None:  # noqa: A002
        super().__init__(id=id)
        self._lower_rows = 0
        self.upper = Rows(cursor=True, id=f"{id}-list")
        self.lower = Rows(cursor=True, id=f"{id}-values")
        self.lower.add_class("lower")

    def compose(self) -> ComposeResult:
        yield self.upper
        yield self.lower

    def fit(self, rows: int) -> None:
        """Makes room for so many rows in the lower part, as far as there is room; none hides it."""
        self._lower_rows = rows
        most = max(2, int(self.size.height * LOWER_AT_MOST))
        self.lower.display = rows > 0
        height = min(rows + 1, most)
        wanted = self.lower.styles.height
        if wanted is None or wanted.value != height:
            self.lower.styles.height = height

    def on_resize(self) -> None:
        self.fit(self._lower_rows)
