"""Helpers for the focus."""

from __future__ import annotations

from textual.widget import Widget
from textual.widgets import Input, TextArea


def focus_now(widget: Widget) -> None:
    """Gives the focus to the widget, or to the first inside it that takes one.

    At once: Textual's own `focus()` does it some messages later, and keys that were typed ahead would go to what had
    the focus before, where letters are commands.
    """
    taker = widget if widget.can_focus else next((w for w in widget.query("*") if w.focusable), None)
    if taker is not None:
        taker.screen.set_focus(taker)


def takes_letters(widget: Widget | None) -> bool:
    """Letters pressed there are text, and no commands."""
    return isinstance(widget, Input) or (isinstance(widget, TextArea) and not widget.read_only)
