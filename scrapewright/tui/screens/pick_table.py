"""A bare address: which of the page's tables is wanted, and which of its columns, by which names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import msgspec
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input

from scrapewright.loop.ports import OfferedTable, OfferedTables
from scrapewright.query.correct import BadCorrection, column_text, corrected
from scrapewright.query.reading import Reading
from scrapewright.session.questions import Decision
from scrapewright.session.sanitize import one_line
from scrapewright.tui.stale_resize import StaleResizeFilter
from scrapewright.tui.view.spans import QUIET
from scrapewright.tui.view.tables import column_line, table_line
from scrapewright.tui.widgets.focus import focus_now
from scrapewright.tui.widgets.inputs import TransientInput
from scrapewright.tui.widgets.keyline import KeyLine
from scrapewright.tui.widgets.plain import Plain
from scrapewright.tui.widgets.rows import Rows

GUIDE = "choose a table, tab goes to its columns: enter names one, space drops it or takes it back; F2 runs"
TYPED = "name, or name: type, such as price: float; enter takes it"


@dataclass(frozen=True)
class PickedTable:
    """The reading with the columns that were picked, and where they and the records are."""

    reading: Reading
    decisions: tuple[Decision, ...]


class PickTableScreen(StaleResizeFilter, ModalScreen[PickedTable | None]):
    """Returns what was picked, None where it was left."""

    DEFAULT_CSS = """
    PickTableScreen {
        align: center middle;
        #pick-box {
            width: 96%; max-width: 140; height: 90%; background: $surface; border: round $primary; padding: 0 1;
        }
        #pick-title, #pick-said { height: auto; max-height: 2; }
        #pick-tables { height: auto; max-height: 40%; border-bottom: solid $text-quiet 40%; }
        #pick-tables:focus { border-bottom: solid $primary; }
        #pick-columns { height: 1fr; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f2,ctrl+s", "run", "Run", id="pick-run", priority=True),
        Binding("space,x,delete", "drop", "Drop or take back", id="pick-drop"),
        Binding("escape", "back", "Back", id="pick-back", priority=True),
    ]

    def __init__(self, reading: Reading, offered: OfferedTables) -> None:
        super().__init__()
        self._reading, self._offered = reading, offered
        self._called: dict[int, list[str]] = {}
        """By the table's place: each of its columns as it is called and typed, empty where it is dropped."""

    def compose(self) -> ComposeResult:
        with Vertical(id="pick-box"):
            yield Plain(id="pick-title")
            yield Rows(cursor=True, id="pick-tables")
            yield Rows(cursor=True, id="pick-columns")
            yield TransientInput(id="pick-text", compact=True, select_on_focus=False, max_length=200)
            yield Plain(id="pick-said")
            yield KeyLine(id="pick-keys")

    def on_mount(self) -> None:
        title = one_line(self._offered.title or self._reading.urls[0], 100)
        self.query_one("#pick-title", Plain).show([[(f"What is wanted of “{title}”?", "bold")]])
        lines = [table_line(number, table) for number, table in enumerate(self._offered.tables, 1)]
        self._tables.styles.height = min(len(lines), 8) + 1
        self._tables.show(lines)
        focus_now(self._tables)
        self._draw()

    @property
    def _tables(self) -> Rows:
        return self.query_one("#pick-tables", Rows)

    @property
    def _columns(self) -> Rows:
        return self.query_one("#pick-columns", Rows)

    @property
    def _field(self) -> TransientInput:
        return self.query_one(TransientInput)

    @property
    def table(self) -> OfferedTable:
        """The one under the cursor."""
        return self._offered.tables[max(0, self._tables.cursor)]

    @property
    def called(self) -> list[str]:
        """Its columns, as they are called."""
        at = max(0, self._tables.cursor)
        return self._called.setdefault(at, [column_text(one.column) for one in self.table.columns])

    def _draw(self, said: str = "", *, warn: bool = False) -> None:
        self._columns.show([column_line(*pair) for pair in zip(self.table.columns, self.called, strict=True)])
        self.query_one("#pick-said", Plain).show([[(said or GUIDE, "$warning" if warn else QUIET)]])
        self.refresh_bindings()

    @on(Rows.Moved, "#pick-tables")
    def _moved(self, event: Rows.Moved) -> None:
        self._columns.goto(0)
        self._draw()

    @on(Rows.Picked, "#pick-tables")
    def _table_picked(self, event: Rows.Picked) -> None:
        self._columns.focus()

    @on(Rows.Picked, "#pick-columns")
    def _column_picked(self, event: Rows.Picked) -> None:
        at = event.index
        self._field.open(self.called[at] or column_text(self.table.columns[at].column))
        self._draw(TYPED)

    @on(Input.Submitted, "#pick-text")
    def _named(self, event: Input.Submitted) -> None:
        event.stop()
        self._take(self._columns.cursor, event.value.strip())

    def _take(self, at: int, text: str) -> None:
        """The column by that name, dropped without one; where it can't be, that is said and nothing has changed."""
        before, self.called[at] = self.called[at], text
        try:
            self._picked_reading()
        except BadCorrection as error:
            self.called[at] = before
            self._draw(one_line(str(error), 200), warn=True)
            return
        self._field.close()
        self._columns.focus()
        self._draw()

    def action_drop(self) -> None:
        at = self._columns.cursor
        self._take(at, "" if self.called[at] else column_text(self.table.columns[at].column))

    def _picked_reading(self) -> Reading:
        """Raises BadCorrection."""
        names = [text for text in self.called if text]
        if not names:
            raise BadCorrection("one column at least is needed")
        reading = self._reading
        for at, text in enumerate(names):
            reading = corrected(reading, f"column.{at}", text)
        return reading

    def action_run(self) -> None:
        if self._field.is_open:
            self._take(self._columns.cursor, self._field.value.strip())
            if self._field.is_open:
                return
        reading = self._picked_reading()
        kept = [column for column, text in zip(self.table.columns, self.called, strict=True) if text]
        places = [
            msgspec.structs.replace(column.place, column=called.name)
            for column, called in zip(kept, reading.columns, strict=True)
        ]
        self.dismiss(PickedTable(reading, (self.table.place, *places)))

    def action_back(self) -> None:
        if self._field.is_open:
            self._field.close()
            self._columns.focus()
            self._draw()
        elif self._columns.has_focus:
            self._tables.focus()
        else:
            self.dismiss(None)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "drop":
            return self._columns.has_focus and not self._field.is_open
        return super().check_action(action, parameters)
