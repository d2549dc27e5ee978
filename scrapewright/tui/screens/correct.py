"""A column that is wrong: which it is, what it is instead, and what that makes of the records, before it is taken."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import ClassVar, TypeVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input

from scrapewright.loop.corrections import Corrections
from scrapewright.loop.gate import TEXT_AT_MOST
from scrapewright.loop.ports import NotUnderstood, Preview, Row
from scrapewright.session.questions import Decision, Option
from scrapewright.session.sanitize import one_line
from scrapewright.tui.stale_resize import StaleResizeFilter
from scrapewright.tui.view import corrections as view
from scrapewright.tui.view.spans import QUIET, Spans
from scrapewright.tui.widgets.focus import focus_now
from scrapewright.tui.widgets.inputs import TransientInput
from scrapewright.tui.widgets.plain import Plain
from scrapewright.tui.widgets.questionbar import PLACEHOLDERS
from scrapewright.tui.widgets.rows import Rows

T = TypeVar("T")
KEYS = {
    "column": "number or enter: this column is wrong · esc leaves",
    "place": "number or ↑ ↓ shows one · enter takes what is shown · = type a value, a selector or words · esc back",
    "typed": "enter shows what it gives · esc back",
}


class CorrectScreen(StaleResizeFilter, ModalScreen[tuple[Decision, ...] | None]):
    """Returns what the person decided, None where they left it. `rows` are those that are shown, `column` the one that
    the cursor stands on at first."""

    DEFAULT_CSS = """
    CorrectScreen {
        align: center middle;
        #correct-box {
            width: 94%; max-width: 140; height: auto; max-height: 90%; background: $surface; border: round $primary;
            padding: 0 1;
        }
        #correct-title, #correct-said, #correct-keys { height: auto; max-height: 3; }
        #correct-said { margin-top: 1; }
        #correct-list { height: 1; }
        #correct-preview { height: 0; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back", id="correct-back", priority=True),
        Binding("=,f11", "type", "Type it", id="correct-type"),
    ]

    def __init__(self, corrections: Corrections, rows: Sequence[Row], column: str = "") -> None:
        super().__init__()
        self._corrections, self._rows = corrections, rows
        self._columns = list(rows[0]) if rows else []
        self._first = self._columns.index(column) if column in self._columns else 0
        self._column = ""
        self._options: list[Option] = []
        self._typed: Decision | None = None
        self._preview: tuple[int, Preview] | None = None
        self._title: list[Spans] = []

    def compose(self) -> ComposeResult:
        with Vertical(id="correct-box"):
            yield Plain(id="correct-title")
            yield Rows(cursor=True, id="correct-list")
            yield TransientInput(
                placeholder=PLACEHOLDERS["column"], id="correct-text", compact=True, max_length=TEXT_AT_MOST
            )
            yield Plain(id="correct-said")
            yield Rows(id="correct-preview")
            yield Plain(id="correct-keys")

    def on_mount(self) -> None:
        focus_now(self._list)
        self._draw()
        self._list.goto(self._first)
        if len(self._columns) == 1:
            self._ask_places(self._columns[0])

    @property
    def _list(self) -> Rows:
        return self.query_one("#correct-list", Rows)

    @property
    def _field(self) -> TransientInput:
        return self.query_one(TransientInput)

    @property
    def _choosing(self) -> bool:
        """A column is known, and what it is instead is asked."""
        return bool(self._options)

    # What is shown.

    def on_resize(self) -> None:
        self._draw()

    def _draw(self) -> None:
        width = max(20, min(140, int(self.app.size.width * 0.94)) - 5)
        height = max(6, int(self.app.size.height * 0.9) - 9)
        if self._choosing:
            title, stage = f"{one_line(self._column, 60)} is wrong: what is it?", "place"
            lines = view.place_lines(self._options, width)
        else:
            title, stage = "Which column is wrong?", "column"
            lines = view.column_lines(self._columns, self._rows, width)
        self.query_one("#correct-title", Plain).show([[(title, "bold $primary")]])
        self._list.styles.height = listed = min(len(lines), max(3, height // 2))
        self._list.show(lines)
        shown = self._preview[1] if self._preview is not None else None
        after = view.preview_lines(shown, width) if shown is not None else []
        preview = self.query_one("#correct-preview", Rows)
        preview.styles.height = min(len(after), max(2, height - listed))
        preview.show(after)
        keys = KEYS["typed" if self._field.is_open else stage]
        self.query_one("#correct-keys", Plain).show([[(keys, QUIET)]])
        if shown is not None:
            self._tell(*view.preview_title(self._column, shown))

    def _tell(self, *spans: tuple[str, str]) -> None:
        self.query_one("#correct-said", Plain).show([list(spans)])

    # What the person does.

    def on_key(self, event: events.Key) -> None:
        """The number of a column or of a place goes to it."""
        if self._field.is_open or not (event.key.isdecimal() and event.key.isascii()):
            return
        event.stop()
        at = int(event.key) - 1
        if self._choosing and at < 0:
            at = self._options.index(view.EMPTIED)
        if 0 <= at < self._list.row_count:
            self._list.goto(at)
            if self._choosing:
                self._show(at)
            else:
                self._ask_places(self._columns[at])

    @on(Rows.Moved, "#correct-list")
    def _moved(self, event: Rows.Moved) -> None:
        if self._choosing:
            self._show(event.index)

    @on(Rows.Picked, "#correct-list")
    def _picked(self, event: Rows.Picked) -> None:
        event.stop()
        if not self._choosing:
            self._ask_places(self._columns[event.index])
        elif self._preview is not None and self._preview[0] == event.index:
            self.dismiss(self._preview[1].decisions)

    def action_back(self) -> None:
        if self._field.is_open:
            self._close_field()
        elif self._choosing and len(self._columns) > 1:
            at = self._columns.index(self._column)
            self._options, self._preview, self._typed = [], None, None
            self._tell()
            self._draw()
            self._list.goto(at)
        else:
            self.dismiss(None)

    def action_type(self) -> None:
        self._field.open(self._typed.text if self._typed is not None else "")
        self._draw()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self._choosing if action == "type" else super().check_action(action, parameters)

    def _close_field(self) -> None:
        self._field.close()
        focus_now(self._list)
        self._draw()

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if text := event.value.strip():
            self._show_typed(Decision("column", self._column, text=text))

    # What is worked out in a thread.

    async def _looked_up(self, looking: Awaitable[T]) -> T | None:
        """What was asked for; None where it can't be had, once that is said."""
        self._tell(("looking …", "$warning"))
        try:
            return await looking
        except NotUnderstood as error:
            self._tell((one_line(str(error), 300), "$error"))
            return None

    @work(group="correct", exclusive=True, exit_on_error=False)
    async def _ask_places(self, column: str) -> None:
        if (question := await self._looked_up(self._corrections.options(column, self._rows))) is None:
            return
        self._column, self._options = column, [*question.options, view.EMPTIED]
        self._tell()
        self._draw()
        self._list.goto(0)
        self._show(0)

    @work(group="correct", exclusive=True, exit_on_error=False)
    async def _show(self, at: int) -> None:
        option = self._options[at]
        typed = self._typed if not option.id else None
        decision = typed or Decision("column", self._column, option=option.id)
        self._preview = None
        if (preview := await self._looked_up(self._corrections.preview(decision, self._rows))) is not None:
            self._preview = at, preview
            self._draw()

    @work(group="correct", exclusive=True, exit_on_error=False)
    async def _show_typed(self, decision: Decision) -> None:
        """What was typed stays, to be put right, where it leads nowhere."""
        if (preview := await self._looked_up(self._corrections.preview(decision, self._rows))) is None:
            return
        self._typed = decision
        self._options = [option for option in self._options if option.id] + [view.typed_option(decision, preview)]
        self._preview = len(self._options) - 1, preview
        self._close_field()
        self._list.goto(self._preview[0])
