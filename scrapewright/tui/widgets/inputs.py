"""Inputs of one line that are safe to draw: Textual's own draws a pasted escape sequence unchanged."""

from __future__ import annotations

from textual.widgets import Input

from scrapewright.tui.view.cells import flat
from scrapewright.tui.widgets.focus import focus_now


class SafeInput(Input):
    """An Input whose value holds no control sequence."""

    def validate_value(self, value: str) -> str:
        """What is put in, by a key, a paste or the program."""
        return flat(value)


class TransientInput(SafeInput):
    """An input that is shown only while something is typed into it."""

    DEFAULT_CSS = """
    TransientInput, TransientInput:focus {
        display: none; height: 1; padding: 0; background: $panel;
        &.open { display: block; }
    }
    """

    @property
    def is_open(self) -> bool:
        return self.has_class("open")

    def open(self, text: str) -> None:
        """Shows it with the text, to be changed at its end."""
        self.value = text
        self.cursor_position = len(self.value)
        self.add_class("open")
        focus_now(self)

    def close(self) -> None:
        self.remove_class("open")
