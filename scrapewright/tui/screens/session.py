"""The panes around one session, shared by a session at work and a session told again."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Footer

from scrapewright.tui import view
from scrapewright.tui.panes.attempts import AttemptsPane
from scrapewright.tui.panes.base import Pane
from scrapewright.tui.panes.code import CodePane
from scrapewright.tui.panes.output import OutputPane
from scrapewright.tui.panes.query import QueryPane
from scrapewright.tui.panes.trace import TracePane
from scrapewright.tui.subject import Subject
from scrapewright.tui.widgets.plain import Plain

PANES = ("query", "code", "trace", "output", "attempts")


class SessionScreen(Screen[None]):
    """Wide: all panes at once. Narrow (under 100 columns): one at a time, picked with 1 to 5."""

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]
    DEFAULT_CSS = """
    SessionScreen {
        #status { height: 1; background: $panel; padding: 0 1; }
        #picker { height: 1; display: none; }
        #body { height: 1fr; }
        #query { height: 9; }
        #attempts { height: 8; }
        #left { width: 11fr; }
        #right { width: 9fr; }
        &.-narrow {
            #picker { display: block; }
            #body { layout: vertical; }
            #left, #right { width: 1fr; height: auto; }
            Pane, #query, #attempts { display: none; height: 1fr; }
            Pane.front, #query.front, #attempts.front { display: block; }
            #left.front-side, #right.front-side { height: 1fr; }
            #left, #right { display: none; }
            #left.front-side, #right.front-side { display: block; }
        }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(str(n), f"pane('{name}')", name.title(), show=False, id=f"pane-{name}")
            for n, name in enumerate(PANES, 1)
        ),
        Binding("z", "maximize_pane", "Maximise", show=False, id="maximise"),
    ]

    def __init__(self, *, clock: Callable[[], float] = time.time) -> None:
        super().__init__()
        self.subject: Subject | None = None
        self.clock = clock
        self._front = "query"

    def compose(self) -> ComposeResult:
        yield Plain(id="status")
        yield Plain(id="picker")
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield QueryPane(self.first_query(), id="query")
                yield CodePane(id="code")
                yield AttemptsPane(id="attempts")
            with Vertical(id="right"):
                yield TracePane(id="trace")
                yield OutputPane(id="output")
        yield from self.compose_below()
        yield Footer(show_command_palette=False)

    def compose_below(self) -> ComposeResult:
        """What a kind of screen has below the panes."""
        yield from ()

    def first_query(self) -> str:
        return ""

    def on_mount(self) -> None:
        self.bring_front("query")

    def refresh_session(self) -> None:
        """Shows the session as it is now. Cheap where nothing changed."""
        for pane in self.query(Pane):
            pane.show(self.subject)
        self.show_status()

    def show_status(self) -> None:
        if self.subject is not None:
            self.query_one("#status", Plain).show([view.status(self.subject.session, now=self.clock())])
        else:
            self.query_one("#status", Plain).show(
                [[("scrapewright", "bold $primary"), ("  type a request", view.QUIET)]]
            )

    def bring_front(self, name: str) -> None:
        """The pane that a narrow screen shows."""
        self._front = name
        for pane in self.query(Pane):
            pane.set_class(pane.id == name, "front")
        for side in ("left", "right"):
            column = self.query_one(f"#{side}")
            column.set_class(any(pane.id == name for pane in column.query(Pane)), "front-side")
        spans = [
            (f" {n} {pane} ", "bold reverse $primary" if pane == name else view.QUIET)
            for n, pane in enumerate(PANES, 1)
        ]
        self.query_one("#picker", Plain).show([spans])

    def action_pane(self, name: str) -> None:
        self.bring_front(name)
        self.query_one(f"#{name}", Pane).focus_inside()

    def action_maximize_pane(self) -> None:
        if self.maximized is not None:
            self.minimize()
        elif self.focused is not None:
            pane = next((w for w in self.focused.ancestors_with_self if isinstance(w, Pane)), None)
            if pane is not None:
                self.maximize(pane, container=False)

    @on(AttemptsPane.Chosen)
    def _attempt_chosen(self, event: AttemptsPane.Chosen) -> None:
        if self.subject is not None:
            current = self.subject.session.current
            self.subject.chosen = 0 if event.attempt == current else event.attempt
            self.refresh_session()
