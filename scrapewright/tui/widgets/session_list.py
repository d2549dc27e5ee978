"""The list of past sessions, newest first; searched as one types, with the examples."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Input

from scrapewright.tui.examples import EXAMPLES
from scrapewright.tui.view.home import example_line, example_text, past_header, past_line, search_text
from scrapewright.tui.view.spans import QUIET
from scrapewright.tui.widgets.inputs import TransientInput
from scrapewright.tui.widgets.plain import Plain
from scrapewright.tui.widgets.rows import Rows

if TYPE_CHECKING:
    from scrapewright.store.sessions import Summary

AT_ONCE = 200
"""Lines that are put on the screen at once; the others follow between keys."""
WIDE = 90
"""Cells from which there is room for a column of the sites: each is in its request, too."""


class SessionList(Vertical):
    """Enter opens one as a replay, c goes on with it, R runs it again as a new one, x removes it, u takes that back."""

    DEFAULT_CSS = """
    SessionList {
        #past-rows { height: 1fr; }
        #past-none { height: 1; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "go_on", "Continue", id="past-continue"),
        Binding("R", "again", "Run again", id="past-again"),
        Binding("x,delete", "remove", "Remove", id="past-remove"),
        Binding("u", "undo", "Undo", id="past-undo"),
        Binding("escape", "end", "End the search", show=False, id="past-search-end"),
    ]

    class About(Message):
        """About one session."""

        def __init__(self, summary: Summary) -> None:
            super().__init__()
            self.summary = summary

    class Opened(About):
        """To be replayed."""

    class Continued(About):
        """To be continued."""

    class Again(About):
        """To be run again, as a new session."""

    class Removed(About):
        """To be removed."""

    class Undone(Message):
        """The last removal is to be taken back."""

    class Tried(Message):
        """An example is to be tried, by its place in EXAMPLES."""

        def __init__(self, example: int) -> None:
            super().__init__()
            self.example = example

    def __init__(self, *, clock: Callable[[], float] = time.time, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._clock = clock
        self._all: Sequence[Summary] = ()
        self._search_texts: list[str] = []
        self._found: list[Summary] = []
        self._examples: list[int] = []
        """Those that the search found, by their places in EXAMPLES: above the sessions."""
        self._sites = True
        self._undoes = False

    def compose(self) -> ComposeResult:
        yield Plain(id="past-none")
        yield Rows(cursor=True, id="past-rows")
        yield TransientInput(
            placeholder="words of a request, an address, an outcome, an id, an example",
            id="past-search",
            compact=True,
            max_length=200,
        )

    def show_all(self, summaries: Sequence[Summary], *, undoes: bool = False) -> None:
        """Replaces the list; the search stays. `undoes`: the last removal can be taken back."""
        self._undoes = undoes
        self._all, self._search_texts = summaries, []
        self._look()
        self.refresh_bindings()

    def on_resize(self) -> None:
        if self._sites != (self.size.width >= WIDE):
            self._sites = self.size.width >= WIDE
            self._look()

    @property
    def chosen(self) -> Summary | None:
        """The one under the cursor."""
        at = self.query_one(Rows).cursor - len(self._examples)
        return self._found[at] if 0 <= at < len(self._found) else None

    @property
    def shown(self) -> Sequence[Summary]:
        """Those that the search found, all where there is none."""
        return self._found

    def _look(self) -> None:
        words = self.query_one(TransientInput).value.casefold().split()
        if words and len(self._search_texts) != len(self._all):
            self._search_texts = [search_text(summary) for summary in self._all]
        self._found = [
            s for n, s in enumerate(self._all) if all(word in self._search_texts[n] for word in words)
        ] if words else list(self._all)  # fmt: skip
        self._examples = [
            number for number, example in enumerate(EXAMPLES)
            if words and all(word in example_text(*example) for word in words)
        ]  # fmt: skip
        now = self._clock()
        header = [past_header(sites=self._sites)] if self._found else []
        tried = [example_line(*EXAMPLES[number], sites=self._sites) for number in self._examples]
        sessions = [past_line(s, now, sites=self._sites) for s in self._found[:AT_ONCE]]
        self.query_one(Rows).show([*tried, *sessions], header=header)
        none = (
            "" if self._found or tried else "no session and no example matches" if self._all else "no past sessions yet"
        )
        about = self.query_one("#past-none", Plain)
        about.display = bool(none)
        about.show([[(none, QUIET)]])
        if self.border_title is not None:
            self.border_title = f"Past sessions {len(self._found)} of {len(self._all)}" if words else "Past sessions"
        self._follow_up(self._found, now)

    @work(exclusive=True, group="past")
    async def _follow_up(self, found: list[Summary], now: float) -> None:
        """The lines that are not in view yet."""
        for start in range(AT_ONCE, len(found), AT_ONCE):
            await asyncio.sleep(0)
            self.query_one(Rows).extend([past_line(s, now, sites=self._sites) for s in found[start : start + AT_ONCE]])

    @on(Input.Changed, "#past-search")
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._look()

    @on(Input.Submitted, "#past-search")
    def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        self.query_one(Rows).focus()

    @on(Rows.Moved)
    def _moved(self, event: Rows.Moved) -> None:
        event.stop()
        if self._examples:  # what can be done with one is less than with a session
            self.refresh_bindings()

    @on(Rows.Picked)
    def _picked(self, event: Rows.Picked) -> None:
        event.stop()
        if event.index < len(self._examples):
            self.post_message(self.Tried(self._examples[event.index]))
        elif self.chosen is not None:
            self.post_message(self.Opened(self.chosen))

    def action_look(self) -> None:
        line = self.query_one(TransientInput)
        line.open(line.value)

    def action_end(self) -> None:
        line = self.query_one(TransientInput)
        line.value = ""
        line.close()
        self.query_one(Rows).focus()

    def action_go_on(self) -> None:
        if self.chosen is not None:
            self.post_message(self.Continued(self.chosen))

    def action_again(self) -> None:
        if self.chosen is not None:
            self.post_message(self.Again(self.chosen))

    def action_remove(self) -> None:
        if self.chosen is not None:
            self.post_message(self.Removed(self.chosen))

    def action_undo(self) -> None:
        self.post_message(self.Undone())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "end":
            return self.query_one(TransientInput).is_open
        if action == "undo":
            return self._undoes and self.query_one(Rows).has_focus
        if action in {"go_on", "again", "remove"}:
            return self.query_one(Rows).has_focus and self.chosen is not None
        return super().check_action(action, parameters)
