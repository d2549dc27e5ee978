"""The attempts: choose one to look at, compare two, rewind to one."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message

from scrapewright.tui.panes.base import Pane
from scrapewright.tui.panes.code import CodePane
from scrapewright.tui.view.attempts import attempt_header, attempt_lines
from scrapewright.tui.view_state import ViewState
from scrapewright.tui.widgets.rows import Rows

ROOM_FOR_HEADER = 5
"""Rows of the list from which its header may take one."""


class AttemptsPane(Pane):
    """The cursor is on the attempt that is looked at until the person moves it."""

    TITLE = "Attempts"
    HELP = """\
Every program so far; a rewind makes a branch.

`★` the best, `▸` the one the other panes show, `≠` the one it is compared with. Enter looks at an attempt, 0 goes back
to the one in hand, space compares the attempt with the one looked at.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "compare", "Compare", id="attempts-compare"),
        Binding("0", "follow", "Current attempt", show=False, id="attempts-follow"),
        Binding("escape", "search_end", "End the search", show=False, id="attempts-search-end"),
        Binding("escape", "follow", "Current attempt", show=False, id="attempts-leave"),
    ]

    class Chosen(Message):
        """The attempt to look at; 0 is the current one."""

        def __init__(self, attempt: int) -> None:
            super().__init__()
            self.attempt = attempt

    class Compared(Message):
        """The code pane shows how the attempt looked at differs from this one; 0: no longer."""

        def __init__(self, attempt: int) -> None:
            super().__init__()
            self.attempt = attempt

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._ids: list[int] = []
        self._moved = False
        self._looked_at = 0

    def compose(self) -> ComposeResult:
        yield Rows(cursor=True, id="attempts-list")

    @property
    def rows(self) -> Rows:
        return self.query_one(Rows)

    def show(self, view_state: ViewState | None) -> None:
        if view_state is None or (self._subject is not None and view_state.session.id != self._subject.session.id):
            self._moved = False
        super().show(view_state)
        if view_state is None:
            self._ids = []
            self.rows.show([])
            return
        attempt = view_state.attempt
        looked_at = attempt.id if attempt is not None else 0
        before = self.highlighted
        session, width = view_state.session, self.rows.size.width
        lines = attempt_lines(session, looked_at=looked_at, against=view_state.against, width=width)
        self._ids = [number for number, _ in lines]
        room = self.rows.size.height >= ROOM_FOR_HEADER
        self.rows.show([line for _, line in lines], header=attempt_header(session, width) if room and lines else [])
        if looked_at != self._looked_at:
            self._looked_at, self._moved = looked_at, False
        wanted = before if self._moved else looked_at
        if wanted in self._ids and self.rows.cursor != self._ids.index(wanted):
            self.rows.goto(self._ids.index(wanted))

    def on_resize(self) -> None:
        self.show(self._subject)

    @property
    def highlighted(self) -> int:
        """The attempt under the cursor, 0 if none."""
        place = self.rows.cursor
        return self._ids[place] if 0 <= place < len(self._ids) else 0

    @on(Rows.Moved, "#attempts-list")
    def _cursor_moved(self, event: Rows.Moved) -> None:
        self._moved = True

    @on(Rows.Picked, "#attempts-list")
    def _picked(self, event: Rows.Picked) -> None:
        event.stop()
        if self.highlighted:
            self.post_message(self.Chosen(self.highlighted))

    def action_follow(self) -> None:
        self._moved = False
        self.post_message(self.Chosen(0))

    def action_compare(self) -> None:
        """The diff of the attempt looked at against this one; again, or on the one looked at: against its parent."""
        view_state, marked = self._subject, self.highlighted
        if view_state is None or view_state.attempt is None or not marked:
            return
        again = marked in {view_state.against, view_state.attempt.id}
        code = self.screen.query_one(CodePane)
        if again:
            view_state.against = 0
            code.choose("code")
        else:
            code.compare(view_state.attempt.id, marked)
        self.show(view_state)
        self.post_message(self.Compared(view_state.against))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Escape pauses the session where the current attempt is already shown."""
        if action == "follow":
            return self._subject is not None and (bool(self._subject.chosen) or self._moved)
        return super().check_action(action, parameters)
