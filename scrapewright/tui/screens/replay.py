"""A past session told again: the same panes, fed the same events, forward and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from scrapewright.session import events as ev
from scrapewright.session.journal import Blobs
from scrapewright.session.state import replay
from scrapewright.tui.screens.session import SessionScreen, ending
from scrapewright.tui.subject import Subject
from scrapewright.tui.widgets.questionbar import QuestionBar
from scrapewright.tui.widgets.statusline import StatusLine

KEYS = [("h", "back"), ("l", "forward"), ("esc", "leave")]
"""What can be done at the end of it."""


class ReplayScreen(SessionScreen):
    """Read-only. Opens at the session's end, where the result is."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,l", "go(1)", "Forward", id="replay-forward", priority=True),
        Binding("left,h", "go(-1)", "Back", id="replay-back", priority=True),
        Binding("home", "go(-1000000)", "Start", id="replay-start", priority=True),
        Binding("end", "go(1000000)", "End", id="replay-end", priority=True),
        Binding("escape", "dismiss", "Leave", id="replay-leave"),
    ]

    def __init__(self, events: Sequence[ev.Durable], blobs: Blobs) -> None:
        super().__init__(clock=lambda: self.subject.session.at if self.subject is not None else 0.0)
        self._events = list(events)
        self._blobs = blobs
        self.at = len(self._events)

    def compose_below(self) -> ComposeResult:
        yield QuestionBar(id="question")

    def on_mount(self) -> None:
        super().on_mount()
        self.action_pane("code")
        self.go_to(self.at)

    def go_to(self, number: int) -> None:
        """The session after its first `number` events."""
        self.at = max(1, min(number, len(self._events)))
        chosen = self.subject.chosen if self.subject is not None else 0
        session = replay(self._events, self.at)
        self.subject = Subject(session, self._blobs, chosen if chosen in session.attempts else 0)
        bar = self.query_one(QuestionBar)
        bar.show(session.question)
        if session.end is not None:
            bar.tell(ending(session), KEYS, good=session.end.exit_code == 0)
        else:
            bar.untell()
        self.refresh_session()

    def action_go(self, step: int) -> None:
        self.go_to(self.at + step)

    def show_status(self) -> None:
        if self.subject is not None:
            place = (f" replay {self.at}/{len(self._events)} ", "reverse")
            self.query_one(StatusLine).tell(self.subject.session, now=self.clock(), first=(place,))
