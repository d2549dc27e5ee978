"""The replay of a past session: the same panes, fed the same events, step by step or played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import ClassVar

from textual import events as happened
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.timer import Timer

from scrapewright.session import events as ev
from scrapewright.session.journal import Blobs
from scrapewright.session.state import replay
from scrapewright.tui.messages import SessionRequested
from scrapewright.tui.panes.query import QueryPane
from scrapewright.tui.screens.session import SessionScreen, ending
from scrapewright.tui.session_spec import SessionSpec
from scrapewright.tui.view_state import ViewState
from scrapewright.tui.widgets.focus import takes_letters
from scrapewright.tui.widgets.plain import Span
from scrapewright.tui.widgets.questionbar import QuestionBar
from scrapewright.tui.widgets.statusline import StatusLine

KEYS = [("←", "back"), ("→", "forward"), ("space", "play"), ("c", "continue: go on in this session"), ("esc", "leave")]
"""What can be done at the end of it."""
SLIDER = 20
"""Cells of the slider, in the status line: a line of its own would leave the panes less room than they had live."""
SPEEDS = (1, 2, 5, 10)
LONGEST = 2.0
"""Seconds that an event is waited for at most, at the speed of the session itself."""
SHORTEST = 0.02


def pause_before(before: ev.Event, event: ev.Event, speed: int) -> float:
    """Seconds between two events when they are played: as long as it took, long waits cut short."""
    return max(SHORTEST, min(LONGEST, event.at - before.at) / speed)


def next_attempt(events: Sequence[ev.Event], at: int, step: int) -> int:
    """After how many events the program of the next attempt (1) or of the one before (-1) is there; the end and the
    start stand for those that are not there."""
    begun = [n for n, event in enumerate(events, 1) if isinstance(event, ev.CodeWritten)]
    if step > 0:
        return next((n for n in begun if n > at), len(events))
    return next((n for n in reversed(begun) if n < at), 1)


def slider(at: int, count: int, attempts: Sequence[int], width: int) -> list[Span]:
    """The place among all events, `width` cells wide; where an attempt began there is a mark."""
    cells = max(1, width)
    last = max(1, count - 1)
    knob = (at - 1) * (cells - 1) // last
    marks = {(n - 1) * (cells - 1) // last for n in attempts}
    line: list[Span] = []
    for cell in range(cells):
        glyph = "●" if cell == knob else "┿" if cell in marks else "━"
        style = "bold $warning" if cell == knob else "$primary" if cell < knob else "$text-quiet"
        if line and line[-1][1] == style:
            line[-1] = (line[-1][0] + glyph, style)
        else:
            line.append((glyph, style))
    return line


class ReplayScreen(SessionScreen):
    """Read-only. Opens at the session's end, where the result is. `close` is called when the blobs are read no more."""

    KIND = "a replay"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,ctrl+f", "go(1)", "Forward", id="replay-forward", priority=True),
        Binding("left,ctrl+b", "go(-1)", "Back", id="replay-back", priority=True),
        Binding("shift+right,)", "go_attempt(1)", "Next attempt", show=False, id="replay-next", priority=True),
        Binding("shift+left,(", "go_attempt(-1)", "Attempt before", show=False, id="replay-before", priority=True),
        Binding("space", "play", "Play", id="replay-play", priority=True),
        Binding("plus", "speed(1)", "Faster", show=False, id="replay-faster"),
        Binding("minus", "speed(-1)", "Slower", show=False, id="replay-slower"),
        Binding("home", "go(-1000000)", "Start", id="replay-start", priority=True),
        Binding("end", "go(1000000)", "End", id="replay-end", priority=True),
        Binding("c", "go_on", "Continue", id="replay-continue"),
        Binding("escape", "dismiss", "Leave", id="replay-leave"),
    ]

    def __init__(
        self, events: Sequence[ev.Durable], blobs: Blobs, close: Callable[[], None] = lambda: None,
        tape: Path | None = None,
    ) -> None:  # fmt: skip
        super().__init__(clock=lambda: self.view_state.session.at if self.view_state is not None else 0.0)
        self._events = list(events)
        self._begun = [n for n, event in enumerate(self._events, 1) if isinstance(event, ev.AttemptStarted)]
        self._blobs, self._tape = blobs, tape
        self._close = close
        self._timer: Timer | None = None
        self.speed = SPEEDS[0]
        self.at = len(self._events)

    def compose_below(self) -> ComposeResult:
        yield QuestionBar(id="question")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The keys that go through the session come first everywhere, but not where one types."""
        if action in {"go", "go_attempt", "play"} and takes_letters(self.focused):
            return False
        return super().check_action(action, parameters)

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one(QueryPane).fixed = True
        self.action_pane("code")
        self.go_to(self.at)

    def on_unmount(self) -> None:
        self._close()

    def go_to(self, number: int) -> None:
        """The session after its first `number` events."""
        before, self.at = self.at, max(1, min(number, len(self._events)))
        view_state = self.view_state
        if view_state is not None and self.at == before + 1:
            view_state.session.apply(self._events[before])
            if view_state.chosen not in view_state.session.attempts:
                view_state.chosen = 0
        else:
            chosen = view_state.chosen if view_state is not None else 0
            then = replay(self._events, self.at)
            chosen = chosen if chosen in then.attempts else 0
            self.view_state = view_state = ViewState(then, self._blobs, chosen, tape=self._tape)
        bar, session = self.query_one(QuestionBar), view_state.session
        bar.show(session.question)
        if session.end is not None:
            bar.tell(ending(session), KEYS, good=session.end.exit_code == 0)
        else:
            bar.untell()
        self.refresh_session()

    def action_go(self, step: int) -> None:
        self.stop()
        self.go_to(self.at + step)

    def action_go_attempt(self, step: int) -> None:
        self.stop()
        self.go_to(next_attempt(self._events, self.at, step))

    def action_go_on(self) -> None:
        """To the session itself, at its end, wherever the replay is."""
        self.stop()
        started = self._events[0]
        if isinstance(started, ev.SessionStarted):
            self.post_message(SessionRequested(SessionSpec(started.text, resume=started.session)))

    # Playing.

    @property
    def playing(self) -> bool:
        return self._timer is not None

    def action_play(self) -> None:
        """Plays on, from the start where it is at the end; stops where it plays."""
        if self.playing:
            self.stop()
        else:
            if self.at == len(self._events):
                self.go_to(1)
            self._wait()
        self.show_status()

    def action_speed(self, step: int) -> None:
        place = max(0, min(SPEEDS.index(self.speed) + step, len(SPEEDS) - 1))
        self.speed = SPEEDS[place]
        if self.playing:
            self.stop()
            self._wait()
        self.show_status()

    def stop(self) -> None:
        """Plays no further."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _wait(self) -> None:
        if self.at < len(self._events):
            delay = pause_before(self._events[self.at - 1], self._events[self.at], self.speed)
            self._timer = self.set_timer(delay, self._play_on)

    def _play_on(self) -> None:
        self._timer = None
        self.go_to(self.at + 1)
        self._wait()
        self.show_status()

    def on_click(self, event: happened.Click) -> None:
        """A click on the slider goes there."""
        start = len(self._place)
        if event.widget is self.query_one(StatusLine) and start <= event.x < start + SLIDER:
            self.stop()
            self.go_to(1 + (event.x - start) * (len(self._events) - 1) // (SLIDER - 1))
        else:
            super().on_click(event)

    @property
    def _place(self) -> str:
        playing = f"▶ {self.speed}x " if self.playing else f"{self.speed}x " if self.speed != 1 else ""
        return f" replay {self.at}/{len(self._events)} {playing}"

    def show_status(self) -> None:
        if self.view_state is not None:
            line = slider(self.at, len(self._events), self._begun, SLIDER)
            first = ((self._place, "reverse"), *line)
            self.query_one(StatusLine).tell(self.view_state.session, now=self.clock(), first=first)
