"""Quitting while a session is at work asks first."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from scrapewright.tui.widgets.keyline import KeyLine
from scrapewright.tui.widgets.plain import Plain


class QuitScreen(ModalScreen[bool]):
    """True: stop what runs and quit."""

    DEFAULT_CSS = """
    QuitScreen {
        align: center middle;
        #quit-box { width: 60; max-width: 90%; height: auto; background: $panel; border: round $warning; padding: 1 2; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,enter,ctrl+q,f10", "dismiss(True)", "Stop it and quit", id="quit-yes", priority=True),
        Binding("n,escape", "dismiss(False)", "Stay", id="quit-no", priority=True),
    ]

    def compose(self) -> ComposeResult:
        with Vertical(id="quit-box"):
            yield Plain(id="quit-text")
        yield KeyLine()

    def on_mount(self) -> None:
        self.query_one("#quit-text", Plain).show(
            [
                [("A session is at work.", "bold")],
                "",
                "Quitting stops it and all that it started. What it has done is kept.",
                "",
                [(" y ", "bold reverse $warning"), (" stop it and quit   ", ""), (" n ", "bold reverse $primary"),
                 (" stay", "")],
            ]
        )  # fmt: skip
