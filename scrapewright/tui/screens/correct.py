"""What is wrong with the rows: a column, the records or their order; what is so instead, and what that makes of the
rows, before it is taken."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input
from textual.worker import Worker

from scrapewright.loop.answers import TEXT_AT_MOST
from scrapewright.loop.corrections import EMPTIED, Corrections, Proposal
from scrapewright.loop.ports import NotUnderstood, Preview, Row
from scrapewright.session.questions import Option
from scrapewright.session.sanitize import one_line
from scrapewright.tui.stale_resize import StaleResizeFilter
from scrapewright.tui.view import corrections as view
from scrapewright.tui.view.spans import QUIET
from scrapewright.tui.widgets import questionbar
from scrapewright.tui.widgets.focus import focus_now
from scrapewright.tui.widgets.inputs import TransientInput
from scrapewright.tui.widgets.plain import Plain
from scrapewright.tui.widgets.rows import Rows

T = TypeVar("T")
Stage = Literal["what", "place", "column", "rows", "order"]
IN_PAGE = " · v point in the page"
KEYS: dict[Stage, str] = {
    "what": "number or enter: this is wrong · esc leaves",
    "place": f"number or ↑ ↓ shows · enter takes it · = type a value, selector, words{IN_PAGE} · esc back",
    "rows": "number or ↑ ↓ shows one · enter takes what is shown · = type a condition or a heading · esc back",
    "order": "number or ↑ ↓ shows one · enter takes what is shown · = type column names · esc back",
}
TYPED = "enter shows what it gives · esc back"
PLACEHOLDERS: dict[Stage, str] = {
    "place": questionbar.PLACEHOLDERS["column"],
    "column": "name, or name: type, such as price: float",
    "rows": "price < 20, leave out adverts; or the heading, a selector or words of the right records",
    "order": "price desc, title",
}
ADD, ROWS, ORDER = "a column to add", "rows that are missing, or are none", "the order of the rows"
SPELL = Proposal("column", Option("spell", "called or typed otherwise: enter to type it"))


@dataclass(frozen=True)
class PointAt:
    """The person wants to point at the column's value in the page."""

    column: str


class CorrectScreen(StaleResizeFilter, ModalScreen[Preview | PointAt | None]):
    """Returns the preview that the person took, None where they left it, or where `read` finds no rows to correct.
    `column` is the one that the cursor is on at first. `pointed` is a selector that the person pointed at in the page:
    it is proposed for the column, which is not asked for where it is `known`."""

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
        Binding("v", "in_page", "In the page", id="correct-page"),
    ]

    _corrections: Corrections
    _rows: Sequence[Row]
    """Those that are shown."""

    def __init__(
        self, read: Callable[[], Awaitable[tuple[Corrections, Sequence[Row]] | None]], column: str = "", *,
        pointed: str = "", known: bool = False,
    ) -> None:  # fmt: skip
        super().__init__()
        self._read_rows, self._first, self._pointed, self._known = read, column, pointed, known
        self._columns: list[str] = []
        self._stage: Stage = "what"
        self._typing: Stage = "place"
        """What is typed in the field while it is open."""
        self._at = 0
        """What was chosen at first."""
        self._proposals: list[Proposal] = []
        self._typed = ""
        self._preview: tuple[int, Preview] | None = None
        self._asked: Worker[None] | None = None
        """The look-up of which another list comes."""
        self._held: list[events.Key] = []
        """What was typed meanwhile: it is meant for that list."""

    def compose(self) -> ComposeResult:
        with Vertical(id="correct-box"):
            yield Plain(id="correct-title")
            yield Rows(cursor=True, id="correct-list")
            yield TransientInput(id="correct-text", compact=True, max_length=TEXT_AT_MOST)
            yield Plain(id="correct-said")
            yield Rows(id="correct-preview")
            yield Plain(id="correct-keys")

    def on_mount(self) -> None:
        focus_now(self._list)
        self._tell(("looking …", "$warning"))
        self._asked = self._begin()

    @work(group="begin", exit_on_error=False)
    async def _begin(self) -> None:
        if (found := await self._read_rows()) is None:
            self.dismiss(None)
            return
        self._corrections, self._rows = found
        self._columns = list(self._rows[0])
        at = self._columns.index(self._first) if self._first in self._columns else 0
        self._tell()
        self._draw()
        self._list.goto(at)
        if self._known and self._columns[at] == self._first:
            self._choose(at)  # what was typed waits for its list
        else:
            self._press_held()

    @property
    def _list(self) -> Rows:
        return self.query_one("#correct-list", Rows)

    @property
    def _field(self) -> TransientInput:
        return self.query_one(TransientInput)

    @property
    def _asking(self) -> bool:
        return self._asked is not None and not self._asked.is_finished

    @property
    def _choosing(self) -> bool:
        """What is wrong is known, and what is so instead is asked."""
        return self._stage != "what"

    # What is shown.

    def on_resize(self) -> None:
        if self._columns:  # else they are being read
            self._draw()

    def _draw(self) -> None:
        width = max(20, min(140, int(self.app.size.width * 0.94)) - 5)
        height = max(6, int(self.app.size.height * 0.9) - 9)
        if self._choosing:
            lines = view.proposal_lines(self._proposals, width)
        else:
            lines = view.column_lines(self._columns, self._rows, width, [ADD, ROWS, ORDER])
        self.query_one("#correct-title", Plain).show([[(self._title, "bold $primary")]])
        room = max(3, height - max(4, height // 3)) if self._choosing else height
        self._list.styles.height = listed = min(len(lines), room)
        self._list.show(lines)
        shown = self._preview[1] if self._preview is not None and not self._field.is_open else None
        after = view.preview_lines(shown, width) if shown is not None else []
        preview = self.query_one("#correct-preview", Rows)
        preview.styles.height = min(len(after), max(2, height - listed))
        preview.show(after)
        keys = TYPED if self._field.is_open else KEYS[self._stage]
        if self._at >= len(self._columns):  # one to add has no place yet that could be pointed at
            keys = keys.replace(IN_PAGE, "")
        self.query_one("#correct-keys", Plain).show([[(keys, QUIET)]])
        if self._preview is not None and shown is not None:
            self._tell(*view.preview_title(self._proposals[self._preview[0]], self._preview[1]))

    @property
    def _title(self) -> str:
        match self._stage:
            case "place" if self._at < len(self._columns):
                return f"{one_line(self._columns[self._at], 60)} is wrong: what is it?"
            case "place":
                return "Where is the column to add?"
            case "rows":
                return "Which records are the rows?"
            case "order":
                return "In which order?"
        return "What is wrong?"

    def _tell(self, *spans: tuple[str, str]) -> None:
        self.query_one("#correct-said", Plain).show([list(spans)])

    # What the person does.

    def on_key(self, event: events.Key) -> None:
        """The number of a line goes to it."""
        if self._asking and not self._field.is_open:
            event.stop()
            event.prevent_default()
            self._held.append(event)
            return
        if self._field.is_open or not (event.key.isdecimal() and event.key.isascii()):
            return
        event.stop()
        at = int(event.key) - 1
        if self._stage == "place" and at < 0:
            at = next(n for n, one in enumerate(self._proposals) if one.option is EMPTIED)
        if 0 <= at < self._list.row_count:
            self._list.goto(at)
            if self._choosing:
                self._show(at)
            else:
                self._choose(at)

    @on(Rows.Moved, "#correct-list")
    def _moved(self, event: Rows.Moved) -> None:
        if self._choosing:
            self._show(event.index)

    @on(Rows.Picked, "#correct-list")
    def _picked(self, event: Rows.Picked) -> None:
        event.stop()
        if not self._choosing:
            self._choose(event.index)
        elif self._proposals[event.index] is SPELL:
            self._open("column", self._corrections.column_text(self._columns[self._at], self._rows))
        elif self._preview is not None and self._preview[0] == event.index:
            self._take(self._preview[1])

    def _take(self, preview: Preview) -> None:
        try:
            self._corrections.check(preview)
        except NotUnderstood as error:
            self._tell((one_line(str(error), 300), "$error"))
        else:
            self.dismiss(preview)

    def _choose(self, at: int) -> None:
        """What is wrong, by its place in the first list."""
        self._at = at
        match at - len(self._columns):
            case 0:
                self._open("column")
            case 1:
                self._asked = self._ask("rows", lambda: self._corrections.other_rows(self._rows))
            case 2:
                self._asked = self._ask("order", self._orders)
            case _:
                self._asked = self._ask("place", self._places)

    async def _orders(self) -> list[Proposal]:
        return self._corrections.orders(self._rows)

    async def _places(self) -> list[Proposal]:
        column = self._columns[self._at]
        found = [*await self._corrections.places(column, self._rows), SPELL]
        with suppress(NotUnderstood):  # the only one
            found.append(self._corrections.respelled(column, "", self._rows))
        return found

    def action_back(self) -> None:
        if self._field.is_open:
            self._close_field()
        elif self._choosing:
            self._stage, self._proposals, self._preview, self._typed = "what", [], None, ""
            self._tell()
            self._draw()
            self._list.goto(self._at)
        else:
            self.dismiss(None)

    def action_type(self) -> None:
        self._open(self._stage, self._typed)

    def action_in_page(self) -> None:
        self.dismiss(PointAt(self._columns[self._at]))

    def _open(self, stage: Stage, text: str = "") -> None:
        self._typing = stage
        self._field.placeholder = PLACEHOLDERS[stage]
        self._field.open(text)
        self._tell()
        self._draw()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "in_page":
            return self._stage == "place" and self._at < len(self._columns) and not self._field.is_open
        return self._choosing if action == "type" else super().check_action(action, parameters)

    def _close_field(self) -> None:
        self._field.close()
        focus_now(self._list)
        self._draw()

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if not (text := event.value.strip()):
            return
        try:
            proposal = self._read(text)
        except NotUnderstood as error:
            self._tell((one_line(str(error), 300), "$error"))
            return
        if self._typing == "column" and not proposal.column:  # one more: its place is asked
            added = proposal
            self._asked = self._ask("place", lambda: self._corrections.places(added.called, self._rows, added.reading))
        else:
            self._show_typed(text, proposal)

    def _read(self, text: str) -> Proposal:
        """What was typed. Raises NotUnderstood."""
        match self._typing:
            case "column":
                column = self._columns[self._at] if self._at < len(self._columns) else ""
                return self._corrections.respelled(column, text, self._rows)
            case "rows":
                return self._corrections.typed_rows(text)
            case "order":
                return self._corrections.typed_order(text)
        now = self._proposals[0]
        return self._corrections.typed_place(now.column, text, reading=now.reading)

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
    async def _ask(self, stage: Stage, find: Callable[[], Awaitable[list[Proposal]]]) -> None:
        if (found := await self._looked_up(find())) is None:
            self._held = []
            return
        self._stage, self._proposals, self._preview, self._typed = stage, found, None, ""
        self._tell()
        self._close_field()
        self._list.goto(0)
        if stage == "place" and self._pointed:
            self._show_typed(
                self._pointed, self._corrections.typed_place(found[0].column, self._pointed, how="selector")
            )
        elif found:
            self._show(0)
        else:
            self._tell(("the page offers no others", QUIET))
        self._press_held()

    def _press_held(self) -> None:
        held, self._held = self._held, []
        self.call_later(self._press, held)

    async def _press(self, keys: Sequence[events.Key]) -> None:
        """What the keys do now; an enter takes nothing that nobody has seen yet."""
        for at, key in enumerate(keys):
            if self._asking:  # for another list
                self._held = [*keys[at:], *self._held]
                return
            active = self.active_bindings.get(key.key)
            if self._field.is_open and key.is_printable:
                self._field.insert_text_at_cursor(key.character or "")
            elif key.key.isdecimal():
                self.on_key(key)
            elif active is not None and self.is_current and (key.key != "enter" or self._field.is_open):
                await self.app.run_action(active.binding.action, active.node)

    @work(group="correct", exclusive=True, exit_on_error=False)
    async def _show(self, at: int) -> None:
        proposal, self._preview = self._proposals[at], None
        if proposal is SPELL:
            self._draw()
            self._tell(("enter to type its name and its type", QUIET))
        elif (preview := await self._looked_up(self._corrections.preview(proposal, self._rows))) is not None:
            self._preview = at, preview
            self._draw()

    @work(group="correct", exclusive=True, exit_on_error=False)
    async def _show_typed(self, text: str, proposal: Proposal) -> None:
        """What was typed stays, to be put right, where it leads nowhere."""
        if (preview := await self._looked_up(self._corrections.preview(proposal, self._rows))) is None:
            return
        self._typed = text if self._typing == self._stage else ""
        self._proposals = [one for one in self._proposals if one.option.text not in view.TYPED]
        self._proposals.append(view.with_samples(proposal, preview))
        self._preview = len(self._proposals) - 1, preview
        self._close_field()
        self._list.goto(self._preview[0])
