"""The gate's open question, with the answers it takes. Keys pressed in its first half second are ignored."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Input

from scrapewright.loop.gate import TEXT_AT_MOST
from scrapewright.session import events as ev
from scrapewright.tui.widgets.plain import Line, Plain

GRACE = 0.5
"""Seconds: a person who was typing does not approve by accident."""

KEYS: dict[str, str] = {
    "go": "a", "edit": "e", "hint": "h", "refuse": "r", "retry": "t", "accept": "c", "rewind": "w", "stop": "q",
    "iterate": "n", "allow-once": "o", "allow": "y", "deny": "x",
}  # fmt: skip
WORDS: dict[str, str] = {
    "go": "go on", "edit": "edit", "hint": "hint", "refuse": "refuse", "retry": "try again",
    "accept": "accept rows", "rewind": "rewind", "stop": "stop",
    "iterate": "next iteration",
    "allow-once": "allow once", "allow": "allow", "deny": "deny",
}  # fmt: skip


class QuestionBar(Vertical):
    """Hidden while nothing is asked."""

    DEFAULT_CSS = """
    QuestionBar {
        display: none; height: auto; max-height: 8; background: $panel; padding: 0 1;
        border-top: heavy $warning;
        &.open { display: block; }
        Input, Input:focus { display: none; background: $surface; margin-top: 1; padding: 0; }
        &.hinting Input, &.hinting Input:focus { display: block; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave_hint", "No hint", id="hint-leave")]

    class Hinted(Message):
        """What the person wants the programmer to know."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self, *, clock: Callable[[], float] = time.monotonic, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._clock = clock
        self._opened = 0.0
        self.question: ev.Asked | None = None

    def compose(self) -> ComposeResult:
        yield Plain(id="question-text")
        yield Input(
            placeholder="what should the programmer know?", id="question-hint", compact=True, max_length=TEXT_AT_MOST
        )

    def show(self, question: ev.Asked | None) -> None:
        if question is not None and (self.question is None or question.seq != self.question.seq):
            self._opened = self._clock()
        self.question = question
        self.set_class(question is not None, "open")
        if question is None:
            self.remove_class("hinting")
            return
        keys: Line = [
            span
            for choice in question.choices
            for span in ((f" {KEYS[choice]} ", "bold reverse $warning"), (f" {WORDS[choice]}  ", ""))
        ]
        self.query_one(Plain).show([[(question.prompt, "bold")], keys])

    @property
    def ready(self) -> bool:
        """Something is asked, and the person has had time to see it."""
        return self.question is not None and self._clock() - self._opened >= GRACE

    def ask_hint(self) -> None:
        self.add_class("hinting")
        field = self.query_one(Input)
        field.value = ""
        field.focus()

    def action_leave_hint(self) -> None:
        self.remove_class("hinting")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Escape pauses the session where no hint is being typed."""
        return self.has_class("hinting") if action == "leave_hint" else True

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.remove_class("hinting")
        if event.value.strip():
            self.post_message(self.Hinted(event.value.strip()))
