"""A run's output: rows as a table and as JSON, stdout, files, the verdict's findings."""

from __future__ import annotations

import asyncio
import csv
import json
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events, on
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import ContentSwitcher

from scrapewright.exports.formats import as_json, separated
from scrapewright.exports.rows import typed_rows
from scrapewright.exports.table import Table, is_table, read_table
from scrapewright.query.reading import Field
from scrapewright.session.result import Artifact
from scrapewright.session.verdict import Finding
from scrapewright.tui.panes.tabbed import LOGS, TabbedPane
from scrapewright.tui.view import output as view
from scrapewright.tui.view.evidence import evidence_of, strip
from scrapewright.tui.view.pretty_json import SHOWN_AT_MOST as JSON_AT_MOST
from scrapewright.tui.view.pretty_json import pretty
from scrapewright.tui.view.spans import QUIET, Spans
from scrapewright.tui.view.units import human_bytes
from scrapewright.tui.view_state import ViewState
from scrapewright.tui.widgets.detail import SHOWN_AT_MOST, DetailScreen
from scrapewright.tui.widgets.loader import Loader
from scrapewright.tui.widgets.rows import Rows

if TYPE_CHECKING:
    from scrapewright.survey.model import Survey

ROWS = 1_000
"""Rows that are shown at a time."""
AT_ONCE = 64 * 1024
"""Bytes of a file that is read without leaving the event loop."""
STRIP = 8
"""Lines at most that say what speaks for the columns."""


class OutputPane(TabbedPane):
    """The finding chosen in `checks` marks its rows in `table`; they are kept in the view state, too."""

    TITLE = "Output"
    TABS = ("table", "json", "stdout", "files", "checks")
    CURSOR = frozenset({"table", "files", "checks"})
    HELP = """\
What came out. Enter shows a row, a file or a finding: from a finding it goes to the table, where the rows it names are
marked. `v` turns to the row's record in the page, `F` to the next file, `{` and `}` to the thousand rows before and
after; `<` and `>` scroll sideways. `y` copies the row with its whole values (as TSV; in `json` the rows as JSON), `Y`
all rows that are shown. `=` says that a column is wrong, and what it is instead.

`∅` is an empty cell, `↵` a line break inside one. Left and right turn from the row that is shown to those beside it.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("v", "in_page", "In the page", id="output-page"),
        Binding("F", "next_file", "Next file", id="output-file"),
        Binding("Y", "copy_all", "Copy all rows", show=False, id="output-copy"),
        Binding("left_curly_bracket", "page(-1)", "Rows before", show=False, id="output-before"),
        Binding("right_curly_bracket", "page(1)", "More rows", id="output-after", key_display="{ }"),
    ]

    class RowReached(Message):
        """The person is at a row of the table, `index` counted from 0. `open_`: they want to see its record."""

        def __init__(self, index: int, values: dict[str, str], open_: bool) -> None:
            super().__init__()
            self.index, self.values, self.open_ = index, values, open_

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._loader = Loader(self._load, self._loaded)
        self._run: object = None
        self._file = ""
        self._first = 0
        self._named = -1
        """The place of the finding whose rows are marked, -1 if none."""
        self._goto: int | None = None
        self._table: Table | None = None
        self._checks: list[view.CheckLine] = []

    def _load(self, work: Any) -> object:
        return self.run_worker(work, group="output", exclusive=True, exit_on_error=False)

    def _loaded(self) -> None:
        if self.is_attached:
            self._key = None
            self._show_again()

    def on_mount(self) -> None:
        super().on_mount()
        for tab in ("table", "json"):
            self._rows(tab).copied = partial(self._copied, tab)

    def on_unmount(self) -> None:
        self._loader.stop()

    # What is shown.

    def show(self, view_state: ViewState | None) -> None:
        super().show(view_state)
        if view_state is None:
            return
        self._meet(view_state)
        if self.tab in LOGS:
            self._show_log(view_state, self.tab)
            return
        width = self.query_one(ContentSwitcher).size if self.tab in {"checks", "table"} else 0
        key = (self.tab, id(view_state), self._run, self._file, self._first, self._named, view_state.session.end, width)
        if key == self._key:
            return
        self._key = key
        match self.tab:
            case "table":
                self._show_table(view_state)
            case "json":
                self._show_json(view_state)
            case "files":
                lines, header = view.file_lines(view_state.result(), view_state.session)
                self._rows("files").show(lines, header=header)
            case _:
                self._show_checks(view_state)

    @property
    def _room(self) -> int:
        """The width of the pane's inside, whichever tab is in front."""
        return self.query_one(ContentSwitcher).size.width

    def _meet(self, view_state: ViewState) -> None:
        """Another run, or a verdict on it: what was chosen of the one before is no longer."""
        run = _run_of(view_state)
        if run == self._run:
            return
        self._run = run
        self._file, self._first, self._goto = "", 0, None
        self._named = view.first_named(self._findings)
        finding = self._finding
        view_state.rows = frozenset(finding.rows) if finding is not None else frozenset()

    @property
    def _findings(self) -> tuple[Finding, ...]:
        attempt = self._subject.attempt if self._subject is not None else None
        return attempt.verdict.findings if attempt is not None and attempt.verdict is not None else ()

    @property
    def _finding(self) -> Finding | None:
        found = self._findings
        return found[self._named] if 0 <= self._named < len(found) else None

    def _rows(self, tab: str) -> Rows:
        return self.query_one(f"#{self._tab_id(self.TABS.index(tab))}", Rows)

    @property
    def artifacts(self) -> list[Artifact]:
        """The files of the run looked at, those that can hold rows first, the judged one at the very first."""
        view_state = self._subject
        result = view_state.result() if view_state is not None else None
        if view_state is None or result is None:
            return []
        attempt = view_state.attempt
        judged = attempt.verdict.file if attempt is not None and attempt.verdict is not None else ""
        return sorted(result.artifacts, key=lambda a: (a.name != judged, not is_table(a.name)))

    @property
    def chosen(self) -> Artifact | None:
        """The file that `table` and `json` show, and that is saved."""
        files = self.artifacts
        return next((file for file in files if file.name == self._file), next(iter(files), None))

    def _show_table(self, view_state: ViewState) -> None:
        rows, file = self._rows("table"), self.chosen
        self._table = None
        if file is None:
            rows.show([], header=[[(_nothing(view_state), QUIET)]])
            return
        if not is_table(file.name):
            said = f"{file.name} is not CSV, JSON or JSON Lines; the files tab shows its beginning"
            rows.show([], header=[[(said, QUIET)]])
            return
        # What is large is laid out once, in a thread, and not again with each step of a resize.
        room = self._room - rows.scrollbar_size_vertical if _is_small(file) else 0
        read = partial(_read_sheet, partial(view_state.file, file.sha256), file.name, self._first, room)
        done, laid = self._loader.get(("table", file.sha256, file.name, self._first, room), read, quick=_is_small(file))
        survey = partial(_read_survey, view_state)
        known, found = self._loader.get(("survey", view_state.session.survey), survey, quick=_is_small(file))
        if not done:
            rows.show([], header=[_reading(file)])
        elif laid is None:
            rows.show([], header=[[(f"{file.name} is damaged; the files tab shows its beginning", QUIET)]])
        else:
            self._lay(rows, laid, file, self._strip(view_state, laid.table, file, found if known else None))

    def _strip(self, view_state: ViewState, table: Table, file: Artifact, survey: Survey | None) -> list[Spans]:
        """What speaks for each column of rows that were judged, in a third of the pane at most."""
        attempt = view_state.attempt
        verdict = attempt.verdict if attempt is not None else None
        if verdict is None or not table.rows or file.name != verdict.file:
            return []
        lines = max(2, min(STRIP, self.query_one(ContentSwitcher).size.height // 3))
        evidence = evidence_of(table, verdict, view_state.session.decisions, survey, view_state.code())
        return strip(evidence, verdict, survey, self._room - 2, lines)

    def _lay(self, rows: Rows, laid: view.Sheet, file: Artifact, above: list[Spans]) -> None:
        self._table = laid.table
        files = self.artifacts
        finding = self._finding if files and file.name == files[0].name else None
        lines, places = view.marked(laid, finding)
        title = view.table_title(laid, file.name, files.index(file), len(files), finding)
        header = [*above, title]
        if laid.table.columns:
            header += [view.marked_names(laid, finding), laid.kinds]
        rows.frozen = laid.frozen
        rows.show(lines, header=header, marks=places)
        if self._goto is not None:
            rows.goto(self._goto - laid.table.first, middle=True)
            self._goto = None

    def _show_json(self, view_state: ViewState) -> None:
        rows, file = self._rows("json"), self.chosen
        if file is None:
            rows.show([[(_nothing(view_state), QUIET)]])
            return
        if not is_table(file.name):
            rows.show([[(f"{file.name} is no JSON and holds no rows", QUIET)]])
            return
        fields = view_state.session.reading.fields
        read = partial(_read_json, partial(view_state.file, file.sha256), file, fields)
        done, lines = self._loader.get(("json", file.sha256, file.name, fields), read, quick=_is_small(file))
        damaged: Spans = [(f"{file.name} can't be read", QUIET)]
        rows.show((lines or [damaged]) if done else [_reading(file)])

    def _show_checks(self, view_state: ViewState) -> None:
        rows = self._rows("checks")
        # Its own width is 0 until it is in front.
        width = rows.scrollable_content_region.width or self._room - rows.scrollbar_size_vertical
        self._checks = view.checks(view_state.attempt, width)
        rows.show([line.spans for line in self._checks])
        under = self._checks[rows.cursor].finding if 0 <= rows.cursor < len(self._checks) else -1
        if under != self._named:
            rows.goto(next((n for n, line in enumerate(self._checks) if line.finding == self._named), 0))

    def on_resize(self, event: events.Resize) -> None:
        if self.tab in {"checks", "table"}:
            self.call_after_refresh(self._show_again)

    def _show_again(self) -> None:
        """What is to be seen by then. A run that has begun meanwhile is met when the screen turns to it, which first
        lets go of what was chosen in the one before."""
        if self._subject is not None and _run_of(self._subject) == self._run:
            self.show(self._subject)

    # What the person does.

    @on(Rows.Moved)
    def _moved(self, event: Rows.Moved) -> None:
        if self.tab == "checks" and event.index < len(self._checks):
            self._point_at(self._checks[event.index].finding)
        elif self.tab == "table":
            self.reach_row()

    def reach_row(self, *, open_: bool = False) -> None:
        """Tells which row the person is at, where there is one."""
        table, row = self._table, self._rows("table").cursor
        if table is not None and 0 <= row < len(table.rows):
            values = dict(zip(table.columns, table.rows[row], strict=False))
            self.post_message(self.RowReached(table.first + row, values, open_))

    def action_in_page(self) -> None:
        self.reach_row(open_=True)

    @property
    def named_column(self) -> str:
        """The column of the finding whose rows are marked, if one is."""
        finding = self._finding
        return finding.column if finding is not None else ""

    def read_rows(self) -> list[dict[str, str]]:
        """The first rows of the run looked at, by column; none where its file holds none. Blocks."""
        files, view_state = self.artifacts, self._subject
        if view_state is None or not files or not is_table(files[0].name):
            return []
        table = read_table(files[0].name, view_state.file(files[0].sha256), limit=ROWS)
        return [dict(zip(table.columns, row, strict=False)) for row in table.rows] if table is not None else []

    def _copied(self, tab: str, *, all_: bool = False) -> str:
        """Whole values: the row under the cursor as TSV, or all rows that are shown; in `json` these as JSON."""
        table, row = self._table, self._rows("table").cursor
        if table is None or tab == "json":
            return self._copied_json() if tab == "json" else ""
        if all_:
            return separated([dict(zip(table.columns, row, strict=True)) for row in table.rows], "\t")
        values = dict(enumerate(table.rows[row])) if 0 <= row < len(table.rows) else {}
        return separated([{str(n): value for n, value in values.items()}], "\t", header=False).rstrip("\n")

    def _copied_json(self) -> str:
        file, view_state = self.chosen, self._subject
        if file is None or view_state is None or not is_table(file.name):
            return ""
        data = view_state.file(file.sha256)
        try:
            return as_json(typed_rows(file.name, data, view_state.session.reading.fields)[:ROWS])
        except (ValueError, csv.Error, RecursionError):
            return ""

    def action_copy_all(self) -> None:
        if text := self._copied(self.tab, all_=True):
            self.app.copy_to_clipboard(text)
        else:
            self.app.notify("there are no rows that can be copied", markup=False)

    def go_to_row(self, index: int) -> None:
        """Shows the table, with the cursor on that row, counted from 0."""
        self._first, self._goto = index // ROWS * ROWS, index
        self.choose("table")

    def _point_at(self, finding: int) -> None:
        self._named = finding
        if self._subject is not None:
            found = self._finding
            self._subject.rows = frozenset(found.rows) if found is not None else frozenset()

    @on(Rows.Picked)
    def _picked(self, event: Rows.Picked) -> None:
        event.stop()
        match self.tab:
            case "table":
                if self._table is not None and event.index < len(self._table.rows):
                    title, parts = view.row_as_a_whole(self._table, event.index)
                    self.app.push_screen(DetailScreen(title, parts, turn=self._turn_row))
            case "files":
                files = self._listed_files()
                if event.index < len(files):
                    self._open_file(files[event.index])
            case "checks":
                self._go_to_finding(event.index)

    def _turn_row(self, step: int) -> tuple[str, list[tuple[str, str]]]:
        """To the row before or after the one under the cursor, of those that are shown."""
        rows, table = self._rows("table"), self._table
        rows.goto(rows.cursor + step)
        if table is None or not 0 <= rows.cursor < len(table.rows):  # another run has begun meanwhile
            return "the rows are no longer there", []
        return view.row_as_a_whole(table, rows.cursor)

    def _go_to_finding(self, row: int) -> None:
        """To the rows that a finding names; one that names none is shown as a whole."""
        place = self._checks[row].finding if row < len(self._checks) else -1
        if place < 0:
            return
        self._point_at(place)
        finding = self._finding
        if finding is None:
            return
        if not finding.rows and not finding.column:
            parts = [("finding", finding.message), ("asked", finding.expected), ("got", finding.got)]
            self.app.push_screen(DetailScreen(finding.code, [part for part in parts if part[1]]))
            return
        self._file, self._first = "", min(finding.rows, default=0) // ROWS * ROWS
        self._goto = min(finding.rows) if finding.rows else None
        self.choose("table")
        self.focus_inside()

    def _listed_files(self) -> tuple[Artifact, ...]:
        result = self._subject.result() if self._subject is not None else None
        return result.artifacts if result is not None else ()

    def _open_file(self, file: Artifact) -> None:
        view_state = self._subject
        if view_state is not None:
            self._read_beginning(file, partial(view_state.file, file.sha256))

    def _read_beginning(self, file: Artifact, read: Callable[[], bytes]) -> None:
        async def show() -> None:
            text = await asyncio.to_thread(_beginning, read)
            if self.is_attached:
                self.app.push_screen(DetailScreen(f"{file.name}, {human_bytes(file.bytes)}", [("", text)]))

        self.run_worker(show(), group="file", exclusive=True, exit_on_error=False)

    def action_next_file(self) -> None:
        files = self.artifacts
        file = self.chosen
        if file is not None:
            self._file, self._first = files[(files.index(file) + 1) % len(files)].name, 0
            self.show(self._subject)

    def action_page(self, step: int) -> None:
        if self._table is not None:
            self._first = max(0, min(self._first + step * ROWS, (self._table.total - 1) // ROWS * ROWS))
            self._goto = self._first
            self.show(self._subject)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        match action:
            case "next_file":
                return self.tab in {"table", "json"} and len(self.artifacts) > 1
            case "page":
                return self.tab == "table" and self._table is not None and self._table.total > ROWS
            case "copy_all" if self.tab == "json":
                return self.chosen is not None and is_table(self.chosen.name)
            case "copy_all" | "in_page":
                return self.tab == "table" and self._table is not None and bool(self._table.rows)
        return super().check_action(action, parameters)


def _run_of(view_state: ViewState) -> tuple[object, ...] | None:
    """What tells the run looked at, and the verdict on it, from others; None before the first."""
    attempt = view_state.attempt
    if attempt is None:
        return None
    return view_state.session.id, attempt.id, attempt.result, attempt.verdict, attempt.accepted


def _is_small(file: Artifact) -> bool:
    return file.bytes <= AT_ONCE


def _reading(file: Artifact) -> Spans:
    return [(f"reading {file.name}, {human_bytes(file.bytes)} …", "$warning")]


def _nothing(view_state: ViewState) -> str:
    attempt = view_state.attempt
    if attempt is None:
        return "no attempt yet"
    if attempt.running or not attempt.result:
        return "no rows yet"
    return "the program left no file"


def _read_sheet(
    read: Callable[[], bytes], name: str, first: int, room: int, wanted: Callable[[], bool]
) -> view.Sheet | None:
    table = read_table(name, read(), limit=ROWS, first=first, kinds=True, wanted=wanted)
    return view.sheet(table, room) if table is not None and wanted() else None


def _read_survey(view_state: ViewState, wanted: Callable[[], bool]) -> Survey | None:
    return view_state.survey()


def _read_json(
    read: Callable[[], bytes], file: Artifact, fields: Sequence[Field], wanted: Callable[[], bool]
) -> list[Spans]:
    """The file itself where it is JSON, else its rows as JSON, with the types that were asked for."""
    data = read()
    if file.name.lower().endswith((".csv", ".tsv")):
        try:
            rows = typed_rows(file.name, data, fields)
        except (ValueError, csv.Error, RecursionError):
            return [[(f"{file.name} can't be read", QUIET)]]
        said: list[Spans] = []
        if len(rows) > ROWS:
            said.append([(f"the first {ROWS:,} of {len(rows):,} rows", "$warning")])
        text = json.dumps(rows[:ROWS], ensure_ascii=False)
        return [*said, *pretty(text, len(text.encode("utf-8", "replace")))]
    text = data[: 4 * JSON_AT_MOST].decode("utf-8-sig", "replace")
    return list(pretty(text, len(data)))


def _beginning(read: Callable[[], bytes]) -> str:
    """A file's first characters, and what it is where it is no text."""
    data = read()
    if b"\0" in data[:4096]:
        return f"no text; it begins with {data[:64].hex(' ')}"
    return data.decode("utf-8-sig", "replace") if len(data) <= SHOWN_AT_MOST * 16 else _cut(data)


def _cut(data: bytes) -> str:
    text = data[: SHOWN_AT_MOST * 4].decode("utf-8-sig", "replace")
    return f"{text}\n… of {human_bytes(len(data))}"
