"""The pages that were fetched, from the tape: source, text, tree and records, and a bench to try selectors on them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget

from scrapewright.session.result import Request
from scrapewright.session.sanitize import one_line
from scrapewright.tui.opened_pages import OpenedPages, pages_of
from scrapewright.tui.panes.tabbed import TabbedPane
from scrapewright.tui.view import pages as view
from scrapewright.tui.view.cells import drawn
from scrapewright.tui.view.page_bench import UNTRIED, Found, bench
from scrapewright.tui.view.spans import QUIET, Spans
from scrapewright.tui.view_state import ViewState
from scrapewright.tui.widgets.bench import SelectorBench
from scrapewright.tui.widgets.loader import Loader
from scrapewright.tui.widgets.rows import Rows
from scrapewright.tui.widgets.search import Joined

if TYPE_CHECKING:
    from scrapewright.query.reading import Reading
    from scrapewright.survey.extract import Extract
    from scrapewright.survey.model import Survey
    from scrapewright.tui.opened_page import Located, OpenedPage
    from scrapewright.tui.view.page import Shown

PAUSE = 0.12
"""Seconds without a key after which a selector is tried."""


class PagePane(TabbedPane):
    """Shows one of the session's pages. The row under the output's cursor is looked up in them and marked.

    `why_not` says of a column why the session takes no selector for it now; empty where it does. The column "" are the
    records, where it is asked which they are.
    """

    TITLE = "Page"
    TABS = ("pages", "text", "source", "tree", "records")
    CURSOR = frozenset(TABS)
    HELP = """\
What was fetched, from the tape. `pages` lists it, enter opens one, `{` and `}` turn to the page before and after. The
record of the row under the cursor in Output is marked, and `◂` tells which element a column's value is from; `v` goes
to that row, and in Output from a row to its record. Enter folds and unfolds in `source` and `tree`.

`b` opens the bench: type a CSS selector and see what it finds, in each record or on the page, on this page or on all;
enter puts it into a column or copies it, or says which the records are where that is asked. In `tree` it begins with
the element under the cursor. `=` there proposes that element for a column that is wrong.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("b", "bench", "Selector bench", id="page-bench"),
        Binding("v", "row", "Its row", id="page-row"),
        Binding("escape", "point", "Point at nothing", show=False, id="page-unpoint"),
        Binding("left_curly_bracket", "page(-1)", "Page before", show=False, id="page-before"),
        Binding("right_curly_bracket", "page(1)", "Page after", id="page-after", key_display="{ }"),
    ]

    class RowWanted(Message):
        """The person wants to see the row that a record became; `index` counts from 0."""

        def __init__(self, index: int) -> None:
            super().__init__()
            self.index = index

    class Pointed(Message):
        """The person points at an element, whose selector this is: the value of the column is there."""

        def __init__(self, column: str, selector: str) -> None:
            super().__init__()
            self.column, self.selector = column, selector

    class Taken(Message):
        """The person wants a column, or with "" the records, to be read by a selector."""

        def __init__(self, column: str, selector: str) -> None:
            super().__init__()
            self.column, self.selector = column, selector

    def __init__(self, *, id: str | None = None, why_not: Callable[[str], str] = lambda _: "") -> None:  # noqa: A002
        super().__init__(id=id)
        self._why_not = why_not
        self._pages = OpenedPages(None, "")
        self._of: object = None
        self._listed: list[Request] = []
        self._chosen: Request | None = None
        self._view_loader = self._make_loader("page-view")
        self._row_loader = self._make_loader("page-row")
        self._bench_loader = self._make_loader("page-bench")
        self._row: tuple[int, Mapping[str, str]] | None = None
        self._located: Located | None = None
        self._went_to: object = None
        """The row that the page has turned to already: what the person looks at afterwards stays."""
        self._shown: Shown | None = None
        self._found: Found | None = None
        self._tried = ("", 0)
        self._entered = False
        """Enter was pressed while what it takes was still being looked for."""
        self._timer: Timer | None = None
        self._choices: list[str] = []
        self.pointing = ""
        """The column whose value is to be pointed at; empty where none is."""

    def compose(self) -> ComposeResult:
        yield from super().compose()
        yield SelectorBench(id="bench")

    def _make_loader(self, group: str) -> Loader:
        return Loader(
            lambda work: self.run_worker(work, group=group, exclusive=True, exit_on_error=False), self._loaded
        )

    def on_unmount(self) -> None:
        for loader in (self._view_loader, self._row_loader, self._bench_loader):
            loader.stop()

    def on_show(self) -> None:
        """It comes to be seen, or another part of it does."""
        self.show(self._subject)

    def on_resize(self) -> None:
        self.call_after_refresh(self.show, self._subject)

    def _loaded(self) -> None:
        if self.is_attached:
            self._key = None
            self.show(self._subject)

    @property
    def front(self) -> Widget | None:
        return self.tab_widget

    def focus_inside(self) -> None:
        """What the bench offers waits for an answer."""
        if self._benching and self._bench.choosing:
            self._bench.take_focus()
        else:
            super().focus_inside()

    # What is shown.

    @property
    def chosen(self) -> Request | None:
        """The request whose page is shown."""
        return self._chosen if self._chosen in self._listed else next(iter(self._listed), None)

    def show(self, view_state: ViewState | None) -> None:
        super().show(view_state)
        if view_state is None or not self.display:
            return
        session = view_state.session
        if self._of != (view_state.tape, session.id):
            if self._of is not None:  # what was looked at in another session
                self._row, self._located, self._chosen = None, None, None
            self._of = (view_state.tape, session.id)
            self._pages = OpenedPages(view_state.tape, session.id)
        self._listed = pages_of([request for _, request in session.requests])
        self._locate(view_state)
        width = self.tab_widget.size.width
        key = (
            self._of, self.tab, self.chosen, len(self._listed), session.survey, width, self._row, id(self._located),
            id(self._found) if self._benching else 0,
        )  # fmt: skip
        if self._benching:
            self._try(view_state)
        if key == self._key:
            return
        self._key = key
        self._title()
        if self.tab == "pages":
            self._show_pages(view_state)
        else:
            self._show_page(view_state, width)

    @property
    def _rows(self) -> Rows:
        found = self.tab_widget
        assert isinstance(found, Rows)
        return found

    def _title(self) -> None:
        chosen = self.chosen
        place = f" {self._listed.index(chosen) + 1} of {len(self._listed)} · {chosen.url}" if chosen else ""
        asked = f" · where is {self.pointing}? enter on it, esc leaves" if self.pointing else ""
        self.entitle(one_line(f"{self.TITLE}{asked or place}", max(20, self.size.width - 8)))

    def _show_pages(self, view_state: ViewState) -> None:
        lines = view.page_lines(self._listed, self.chosen)
        rows = self._rows
        rows.show(lines, header=view.page_header(self._listed, kept=view_state.tape is not None))
        if self._shown is None and self.chosen is not None:
            rows.goto(self._listed.index(self.chosen))

    def _show_page(self, view_state: ViewState, width: int) -> None:
        rows, chosen = self._rows, self.chosen
        self._shown = None
        if chosen is None:
            rows.show([], header=view.page_header(self._listed, kept=view_state.tape is not None))
            return
        tab, survey = self.tab, view_state.survey()
        room = width - rows.scrollbar_size_vertical if tab == "text" else 0
        work = partial(_lay_out, tab, chosen, self._pages.open, survey, view_state.session.reading, room)
        done, shown = self._view_loader.get((self._of, tab, chosen, room, session_key(view_state)), work)
        if not done:
            rows.show([], header=[[(f"reading {one_line(chosen.url, 200)} …", "$warning")]])
        elif shown is None:
            rows.show([], header=[[("the page is not on the tape any more, or can't be read", QUIET)]])
        else:
            self._shown = shown
            self._draw(rows, shown)

    def _draw(self, rows: Rows, shown: Shown) -> None:
        """The page with what is marked on it: what the bench finds, else the record of the row."""
        located = self._located if self._located is not None and self._located.page.request == self.chosen else None
        hits = self._found.hits if self._benching and self._found is not None else None
        wanted = (self._row, self.tab, id(located)) if located is not None else None
        new = wanted is not None and wanted != self._went_to
        row, code = self._row[1] if self._row is not None else {}, self._subject.code() if self._subject else ""
        marks, goto = shown.mark(located, row, hits, reveal=new, code=code)
        rows.show_lazily(shown.lines, width=shown.width, header=shown.header, marks=marks, joined=shown.joined)
        if new and goto is not None and hits is None:
            self._went_to = wanted
            rows.goto(goto, middle=True)

    # The row of the output, and its record.

    def follow(self, index: int, values: Mapping[str, str], *, open_: bool = False) -> None:
        """The row of the output that the person is at; `open_` turns to its record also where it was turned to."""
        if self._row is None or self._row != (index, values) or open_:
            self._row = (index, values)
            self._went_to = None
            if open_ and self.tab == "pages":
                self.choose("tree")
        self.show(self._subject)

    def _locate(self, view_state: ViewState) -> None:
        if self._row is None:
            return
        key = (self._of, self._row[0], tuple(self._row[1].items()), len(self._listed), session_key(view_state))
        reading = view_state.session.reading
        survey = view_state.survey()
        work = partial(self._pages.locate, self._row[1], list(self._listed), survey, reading)
        done, located = self._row_loader.get(key, work)
        if done and located is not self._located:
            self._located = located
            if located is not None:
                self._chosen = located.page.request

    @property
    def located(self) -> Located | None:
        """Where the row of the output comes from; None while it is looked for, or where that is unknown."""
        return self._located

    def action_row(self) -> None:
        """To the row of the record under the cursor, or of the one that is marked."""
        if self._row is not None:
            self.post_message(self.RowWanted(self._row[0]))

    # Other pages.

    def open_request(self, request: Request) -> bool:
        """Turns to the page that a request brought. False where it brought none that is kept."""
        if self._subject is not None:
            self._listed = pages_of([one for _, one in self._subject.session.requests])
        found = next((one for one in self._listed if (one.url, one.body) == (request.url, request.body)), None)
        if found is None:
            return False
        self._open(found)
        return True

    def _open(self, request: Request) -> None:
        self._chosen, self._shown = request, None
        self.choose("tree" if view.is_json(request) else "text")
        self.focus_inside()

    def action_page(self, step: int) -> None:
        chosen = self.chosen
        if chosen is not None:
            place = (self._listed.index(chosen) + step) % len(self._listed)
            self._chosen = self._listed[place]
            self.show(self._subject)

    @on(Rows.Picked)
    def _picked(self, event: Rows.Picked) -> None:
        event.stop()
        if self.tab == "pages":
            if event.index < len(self._listed):
                self._open(self._listed[event.index])
        elif (
            self.pointing and self.selector_here and self._shown is not None and not self._shown.is_folded(event.index)
        ):
            self.post_message(self.Pointed(self.pointing, self.selector_here))
        elif self._shown is not None and self._shown.toggle(event.index):
            rows, shown = self._rows, self._shown
            _join(shown)
            self._key = None
            self._draw(rows, shown)
            rows.goto(event.index)

    # Pointing at a column's value.

    @property
    def selector_here(self) -> str:
        """A selector for the element under the cursor; empty where there is none, or in another tab than the tree."""
        shown = self._shown
        return shown.selector(self._rows.cursor) if shown is not None and self.tab != "pages" else ""

    def action_point(self, column: str = "") -> None:
        """The person is to point at the column's value, or at none any more."""
        self.pointing = column
        if column and self.tab != "tree":
            self.choose("tree")
        self._key = None
        self.refresh_bindings()
        self.show(self._subject)

    # The bench.

    @property
    def _bench(self) -> SelectorBench:
        return self.query_one(SelectorBench)

    @property
    def _benching(self) -> bool:
        return self._bench.is_open

    def action_bench(self) -> None:
        """Opens the bench with the selector of what is under the cursor; that of a record finds it on the page."""
        shown, row = self._shown, self._rows.cursor
        text = shown.selector(row) if shown is not None else ""
        on_page = shown is not None and shown.is_record(row, self._located)
        if self.tab == "pages":
            self.choose("tree")
        kept = bool(self._bench.text)
        self._bench.open("" if kept else text, not self._why_not("") or (on_page and not kept))
        self.show(self._subject)

    @on(SelectorBench.Changed)
    def _bench_changed(self, event: SelectorBench.Changed) -> None:
        """Tries the selector once the person stops typing; what was being worked out is given up."""
        event.stop()
        self._entered = False
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(PAUSE, self._try_now)

    def _try_now(self) -> None:
        self._timer = None
        self._tried = (self._bench.text, self._bench.scope)
        self._key = None
        self.show(self._subject)

    def _try(self, view_state: ViewState) -> None:
        chosen = self.chosen
        if chosen is None:
            return
        survey, reading = view_state.survey(), view_state.session.reading

        rows_of = self._located.extract.group.selector if self._located is not None else ""

        def records(page: OpenedPage) -> Extract | None:
            """Those that the rows were read from; where that is not known the likeliest."""
            found = [extract for extract in page.extracts(survey, reading, lambda: True) if not extract.is_json]
            return next((one for one in found if one.group.selector == rows_of), found[0] if found else None)

        text, scope = self._tried
        key = (self._of, text, scope, chosen, len(self._listed), session_key(view_state), rows_of)
        work = partial(bench, text, scope, chosen, list(self._listed), self._pages.open, records)
        done, found = self._bench_loader.get(key, work)
        if done:
            found = found or UNTRIED
            self._found = found
            self._bench.show(found)
            if self._entered and text == self._bench.text:
                self._offer(view_state, found)
        else:
            self._bench.wait()

    @on(SelectorBench.Left)
    def _bench_left(self, event: SelectorBench.Left) -> None:
        event.stop()
        self._found = None
        self._key = None
        self.focus_inside()
        self.show(self._subject)

    @on(SelectorBench.Entered)
    def _bench_entered(self, event: SelectorBench.Entered) -> None:
        event.stop()
        self._entered = True
        if self._timer is not None:
            self._timer.stop()
        self._try_now()

    def _offer(self, view_state: ViewState, found: Found) -> None:
        """Offers the columns that can be read by the selector, or the records that are asked for, and to copy it."""
        self._entered = False
        if found.selector is None:  # it is refused, which is said
            return
        records = not self._why_not("")
        columns = [""] if records else [field.name for field in view_state.session.reading.fields]
        reasons = {column: self._why_not(column) for column in columns}
        if found.selector.language == "xpath":
            reasons = dict.fromkeys(columns, "programs select by CSS, so an XPath can only be counted and copied")
        elif not found.count:
            reasons = dict.fromkeys(columns, "it matches nothing")
        self._choices = [column for column in columns if not reasons[column]]
        lines: list[Spans] = [
            [(column or "the records", "bold"), (f" {'is' if column else 'are'} {found.text}", QUIET)]
            for column in self._choices
        ]
        title: Spans = [("are these the records?" if records else "which column is it?", "bold")]
        if not self._choices:
            why = next(iter(reasons.values()), "the request names no columns")
            title = [("it can be copied: ", "bold"), (why, "$warning")]
        text = found.text.casefold()
        likely = next((n for n, column in enumerate(self._choices) if column.casefold() in text), 0)
        self._bench.choose(title, [*lines, [("copy it", "bold"), (f"  {found.text}", QUIET)]], likely)

    @on(SelectorBench.Picked)
    def _choice_picked(self, event: SelectorBench.Picked) -> None:
        event.stop()
        text = self._found.text if self._found is not None else ""
        if event.index < len(self._choices):
            self.post_message(self.Taken(self._choices[event.index], text))
        else:
            self.app.copy_to_clipboard(text)
        self._bench.close()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        match action:
            case "bench":
                return self.chosen is not None and not self._benching
            case "row":
                return self._row is not None
            case "point":
                return bool(self.pointing) and not self._benching
            case "page":
                return len(self._listed) > 1
        return super().check_action(action, parameters)


def session_key(view_state: ViewState) -> str:
    """What tells one survey of a session from the next."""
    return view_state.session.survey


def _lay_out(
    tab: str, request: Request, open_: Callable[[Request], OpenedPage | None], survey: Survey | None, reading: Reading,
    width: int, wanted: Callable[[], bool],
) -> Shown | None:  # fmt: skip
    from scrapewright.tui.view.page import lay_out  # what parses is loaded in the thread

    shown = lay_out(tab, request, open_, survey, reading, width, wanted)
    if shown is not None:
        _join(shown)
    return shown


def _join(shown: Shown) -> None:
    """Makes a page with very many lines ready to be searched."""
    if shown.texts:
        shown.joined = Joined(map(drawn, shown.texts))
