"""A question with yes and no."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from scrapewright.tui.stale_resize import StaleResizeFilter
from scrapewright.tui.widgets.plain import Line, Plain

QUIT = "quit"
"""The id of the question before a session at work is left."""


class ConfirmScreen(StaleResizeFilter, ModalScreen[bool]):
    """Shows the lines, and below them the keys with what they come to. True: yes."""

    DEFAULT_CSS = """
    ConfirmScreen {
        align: center middle;
        #confirm { width: 70; max-width: 90%; height: auto; background: $panel; border: round $warning; padding: 1 2; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,enter", "dismiss(True)", "Yes", id="confirm-yes", priority=True),
        Binding("n,escape", "dismiss(False)", "No", id="confirm-no", priority=True),
    ]

    def __init__(self, lines: Iterable[Line | str], yes: str, no: str = "no", *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._said = list(lines)
        self._yes, self._no = yes, no

    def compose(self) -> ComposeResult:
        with Vertical(id="confirm"):
            yield Plain(id="confirm-text")

    def on_mount(self) -> None:
        keys: Line = [
            (" y ", "bold reverse $warning"), (f" {self._yes}   ", ""),
            (" n ", "bold reverse $primary"), (f" {self._no}", ""),
        ]  # fmt: skip
        self.query_one(Plain).show([*self._said, "", keys])


def ask_to_quit() -> ConfirmScreen:
    """Before a session at work is left."""
    lines: list[Line | str] = [
        [("A session is running.", "bold")], "", "Quitting stops it and all that it started. What it has done is kept.",
    ]  # fmt: skip
    return ConfirmScreen(lines, "stop it and quit", "stay", id=QUIT)
