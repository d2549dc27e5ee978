"""The request, and how it was read."""

from __future__ import annotations

import asyncio
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input

from scrapewright.options import QUERY_AT_MOST
from scrapewright.query.reading import Reading
from scrapewright.session.sanitize import one_line
from scrapewright.tui import query_reader
from scrapewright.tui.panes.base import Pane
from scrapewright.tui.view import WAIT, in_full, in_short
from scrapewright.tui.view.wrap import wrap_spans
from scrapewright.tui.view_state import ViewState
from scrapewright.tui.widgets.focus import focus_now
from scrapewright.tui.widgets.inputs import SafeInput
from scrapewright.tui.widgets.rows import Rows

FULL = 5
"""Rows from which there is room for the whole reading; with fewer it is shown in short."""
SHORT = 4
"""Rows at most of a request and its reading shown in short; two on a screen that is not tall."""
TALL = 30


class QueryPane(Pane):
    """The request can't be changed while a session runs. Where there is none, or it is over, a request can be written,
    and the reading follows what is typed."""

    TITLE = "Query"
    HELP = """\
What you want, in a sentence with the address of the page, and how it was read; what was not understood comes first.
All of the reading is shown while the pane has the focus. Once the session is over, enter writes another request.
"""
    DEFAULT_CSS = """
    QueryPane {
        Input, Input:focus { display: none; padding: 0; background: $surface; }
        &.asking Input { display: block; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "ask", "Another request", id="query-ask"),
        Binding("escape", "search_end", "End the search", show=False, id="query-search-end"),
        Binding("escape", "leave", "Leave", show=False, id="query-leave"),
    ]

    class Submitted(Message):
        """The person wants this."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self, text: str = "", *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.set_class(not text, "asking")  # a request that is given is on its way
        self.fixed = False
        """No request can be written: a past session is replayed."""
        self._first = text
        self._read: Reading | None = None
        """The reading of what is typed, None as long as there is none."""
        self._of: object = None
        """The session that is shown, and whether it is over."""
        self._drawn: object = None
        self._reader = query_reader.QueryReader(self._take_reading)

    def compose(self) -> ComposeResult:
        yield SafeInput(
            self._first, placeholder="all books on https://example.org/: title, price (float)", id="query-text",
            compact=True, select_on_focus=False, max_length=QUERY_AT_MOST,
        )  # fmt: skip
        yield Rows(id="query-reading")

    def on_mount(self) -> None:
        super().on_mount()
        if self._first:
            self._reader.want(self._first)
        self._draw()

    def on_unmount(self) -> None:
        self._reader.close()

    @property
    def text(self) -> str:
        return self.query_one(Input).value

    @property
    def asking(self) -> bool:
        """A request can be written here now."""
        return self.has_class("asking")

    def focus_inside(self) -> None:
        focus_now(self.query_one(Input if self.asking else Rows))

    def show(self, view_state: ViewState | None) -> None:
        super().show(view_state)
        if view_state is None:
            return
        now = (id(view_state), view_state.session.id, view_state.session.over)
        if now != self._of:
            self._of = now
            self._answer()
        self._draw()

    # Writing a request.

    def action_ask(self) -> None:
        """Another request, from the one that was."""
        view_state, field = self._subject, self.query_one(Input)
        if view_state is not None:
            field.value = one_line(view_state.session.text, QUERY_AT_MOST)
            self._read = view_state.session.reading
        self.add_class("asking")
        focus_now(field)
        self._draw()

    def action_leave(self) -> None:
        self._answer()
        self._draw()

    def _answer(self) -> None:
        """What was asked takes the place of what is written."""
        typing = self.screen.focused is self.query_one(Input)
        self.remove_class("asking")
        if typing:
            self.focus_inside()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        view_state = self._subject
        match action:
            case "ask":
                return (view_state is None or view_state.session.over) and not (self.asking or self.fixed)
            case "leave":
                return view_state is not None and self.asking
        return super().check_action(action, parameters)

    @on(Input.Changed, "#query-text")
    def _typed(self, event: Input.Changed) -> None:
        if self.asking:
            self._reader.want(event.value)

    @on(Input.Submitted, "#query-text")
    def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        if event.value.strip():
            self.post_message(self.Submitted(event.value.strip()))

    def _take_reading(self, query: Reading) -> None:
        self._read = query
        self._draw()

    # The reading.

    def on_resize(self, event: events.Resize) -> None:
        self._draw()

    def _draw(self) -> None:
        view_state, asking = self._subject, self.asking
        query = self._read if asking or view_state is None else view_state.session.reading
        key = (query, asking, self._of, self.size, self.app.size, query_reader.loaded())
        if key == self._drawn:
            return
        self._drawn = key
        rows, width = self.query_one(Rows), max(20, self.size.width - 1)
        if query is None:
            rows.show([WAIT] if self._first else [])
            return
        text = one_line(view_state.session.text if view_state is not None else query.text, QUERY_AT_MOST)
        asked = [] if asking else wrap_spans([(text, "bold")], width)
        if self.size.height < FULL:
            most = SHORT if self.app.size.height >= TALL else 2
            asked = asked if len(asked) < most else [[(text, "bold")]]
            taken = len(asked) or 1  # by the field
            read = in_short(query, width, most - taken)
            self.styles.min_height = taken + len(read) + 2
            rows.show([*asked, *read])
        elif query_reader.loaded():
            rows.show([*asked, *in_full(query, width)])
        else:
            rows.show([*asked, WAIT])
            self.run_worker(self._draw_when_loaded(), group="reading", exclusive=True, exit_on_error=False)

    async def _draw_when_loaded(self) -> None:
        await asyncio.to_thread(query_reader.load)
        self._draw()
