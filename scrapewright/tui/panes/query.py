"""What is wanted: the request, and how it was read."""

from __future__ import annotations

import asyncio

from textual import on
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.message import Message
from textual.widgets import Input

from scrapewright.options import QUERY_AT_MOST
from scrapewright.query.model import Query
from scrapewright.session.sanitize import one_line
from scrapewright.tui import reader
from scrapewright.tui.panes.base import Pane
from scrapewright.tui.subject import Subject
from scrapewright.tui.view import WAIT, reading
from scrapewright.tui.widgets.plain import Plain


class QueryPane(Pane):
    """Editable until a session runs; the reading below follows what is typed."""

    TITLE = "Query"
    DEFAULT_CSS = """
    QueryPane {
        Input, Input:focus { padding: 0; background: $surface; }
        VerticalScroll { height: 1fr; }
    }
    """

    class Submitted(Message):
        """The person wants this."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self, text: str = "", *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._of_session: str | None = None
        self._first = text
        self._reader = reader.Reader(self._show_reading)

    def compose(self) -> ComposeResult:
        yield Input(
            self._first, placeholder="all books on https://example.org/: title, price (float)", id="query-text",
            compact=True, select_on_focus=False, max_length=QUERY_AT_MOST,
        )  # fmt: skip
        with VerticalScroll(can_focus=False):
            yield Plain(id="query-reading")

    def on_mount(self) -> None:
        super().on_mount()
        if self._first:
            self.query_one("#query-reading", Plain).show([WAIT])
            self._reader.want(self._first)

    def on_unmount(self) -> None:
        self._reader.close()

    @property
    def text(self) -> str:
        return self.query_one(Input).value

    def show(self, subject: Subject | None) -> None:
        super().show(subject)
        if subject is None:
            return
        field = self.query_one(Input)
        wanted = self._of_session = one_line(subject.session.text, 10_000)
        if field.value != wanted:
            field.value = wanted
            field.cursor_position = 0  # shows how it begins
        field.disabled = not subject.session.over
        self._show_reading(subject.session.query)

    @on(Input.Changed, "#query-text")
    def _typed(self, event: Input.Changed) -> None:
        if not event.input.disabled and event.value != self._of_session:  # whose reading is known
            self._reader.want(event.value)

    @on(Input.Submitted, "#query-text")
    def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        if event.value.strip():
            self.post_message(self.Submitted(event.value.strip()))

    def _show_reading(self, query: Query) -> None:
        """At once where that is quick, else as soon as it is."""
        plain = self.query_one("#query-reading", Plain)
        if reader.loaded():
            plain.show(reading(query))
        else:
            plain.show([WAIT])
            self.run_worker(self._show_when_loaded(query), group="reading", exclusive=True, exit_on_error=False)

    async def _show_when_loaded(self, query: Query) -> None:
        await asyncio.to_thread(reader.load)
        self._show_reading(query)
