"""One line that is typed. What comes into it can be drawn: Textual's own draws a pasted escape sequence as it is."""

from __future__ import annotations

from textual.widgets import Input

from scrapewright.tui.view.cells import flat


class Entry(Input):
    """An Input whose value holds nothing that a terminal obeys."""

    def validate_value(self, value: str) -> str:
        """What is put in, by a key, a paste or the program."""
        return flat(value)
