"""The selector bench: a line to type a selector in, where it is looked for, and below it what it finds."""

from __future__ import annotations

from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Input

from scrapewright.tui.view.page_bench import ON_PAGE, SCOPES, Found
from scrapewright.tui.view.spans import QUIET, Spans
from scrapewright.tui.widgets.focus import focus_now
from scrapewright.tui.widgets.inputs import SafeInput
from scrapewright.tui.widgets.plain import Plain
from scrapewright.tui.widgets.rows import Rows

LONGEST = 2_000
"""Characters of a selector."""


class SelectorBench(Vertical):
    """Escape leaves it; up and down choose where to look; enter says that the selector is the one."""

    DEFAULT_CSS = """
    SelectorBench {
        display: none; height: 40%; min-height: 7; border-top: solid $text-quiet 40%;
        &.open { display: block; }
        &:ansi { border-top: solid $text-quiet; }
        .bench-line { height: 1; }
        .bench-sign { width: 10; }
        Input, Input:focus { width: 1fr; background: $panel; padding: 0; border: none; height: 1; }
        .bench-scope { height: 1; }
        .bench-summary { height: auto; max-height: 3; }
        #bench-values { height: 1fr; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "Leave the bench", show=False, id="bench-leave"),
        Binding("down", "scope(1)", "Look elsewhere", show=False, id="bench-scope"),
        Binding("up", "scope(-1)", "Look elsewhere", show=False, id="bench-scope-before"),
    ]

    class Changed(Message):
        """Another selector, or another place to look."""

    class Entered(Message):
        """The selector is the one."""

    class Picked(Message):
        """The choice on row `index` is taken."""

        def __init__(self, index: int) -> None:
            super().__init__()
            self.index = index

    class Left(Message):
        """The bench was left."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.scope = 0
        self.choosing = False

    def compose(self) -> ComposeResult:
        with Horizontal(classes="bench-line"):
            yield Plain(classes="bench-sign")
            yield SafeInput(placeholder="a CSS selector", id="bench-text", compact=True, max_length=LONGEST)
        yield Plain(classes="bench-scope")
        yield Plain(classes="bench-summary")
        yield Rows(cursor=True, id="bench-values")

    @property
    def is_open(self) -> bool:
        return self.has_class("open")

    @property
    def text(self) -> str:
        return self.query_one(Input).value

    def open(self, text: str = "", on_page: bool = False) -> None:
        """Shows it; a text takes the place of what was typed before. `on_page`: it is looked for on the whole page."""
        if on_page:
            self.scope = ON_PAGE
        self.add_class("open")
        self.query_one(".bench-sign", Plain).show([[("selector ", "bold $primary")]])
        field = self.query_one(Input)
        if text:
            field.value = text
            field.cursor_position = len(text)
        self._tell_scope()
        self.choosing = False
        field.focus()
        self.post_message(self.Changed())

    def show(self, found: Found) -> None:
        """What the selector finds."""
        if not self.choosing:
            self.query_one(".bench-summary", Plain).show([found.summary])
            self.query_one(Rows).show(found.lines)

    def wait(self) -> None:
        """The answer is being worked out."""
        if not self.choosing:
            self.query_one(".bench-summary", Plain).show([[("looking …", "$warning")]])

    def choose(self, title: Spans, choices: list[Spans], likely: int = 0) -> None:
        """Offers what to do with the selector; `likely` is the choice that the cursor is on at first."""
        self.choosing = True
        rows = self.query_one(Rows)
        self.query_one(".bench-summary", Plain).show([[*title, ("  number, or ↑ ↓ and enter · esc", QUIET)]])
        numbered: list[Spans] = [[(f" {n} " if n < 10 else "   ", "bold"), *one] for n, one in enumerate(choices, 1)]
        rows.show(numbered)
        rows.goto(likely)
        self.take_focus()

    def take_focus(self) -> None:
        """Puts the focus on what is offered."""
        focus_now(self.query_one(Rows))

    def on_key(self, event: events.Key) -> None:
        """The number of a choice takes it; the numbers of the panes wait."""
        if self.choosing and event.key.isdecimal() and event.key.isascii():
            event.stop()
            event.prevent_default()
            if 1 <= int(event.key) <= self.query_one(Rows).row_count:
                self.post_message(self.Picked(int(event.key) - 1))

    def _tell_scope(self) -> None:
        spans = [(f"{SCOPES[self.scope]}", "bold"), ("  ↑ ↓ where · enter takes it · esc", QUIET)]
        self.query_one(".bench-scope", Plain).show([spans])

    def action_scope(self, step: int) -> None:
        self.scope = (self.scope + step) % len(SCOPES)
        self._tell_scope()
        self.post_message(self.Changed())

    def action_close(self) -> None:
        if self.choosing:
            self.choosing = False
            self.query_one(Input).focus()
            self.post_message(self.Changed())
        else:
            self.close()

    def close(self) -> None:
        self.choosing = False
        self.remove_class("open")
        self.post_message(self.Left())

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        if self.is_open:
            self.choosing = False
            self.post_message(self.Changed())

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if event.value.strip():
            self.post_message(self.Entered())

    @on(Rows.Picked)
    def _picked(self, event: Rows.Picked) -> None:
        event.stop()
        if self.choosing:
            self.post_message(self.Picked(event.index))
