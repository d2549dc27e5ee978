"""The panes of one session, shared by the workbench and the replay."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from textual import events, on
from textual.actions import parse
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widget import Widget

from scrapewright.session.sanitize import one_line
from scrapewright.session.state import Session
from scrapewright.tui import view
from scrapewright.tui.inactive_keys import IN_A_PANE, why_inactive
from scrapewright.tui.keymap import Known, known_bindings
from scrapewright.tui.panes.attempts import AttemptsPane
from scrapewright.tui.panes.base import Pane
from scrapewright.tui.panes.code import CodePane
from scrapewright.tui.panes.output import OutputPane
from scrapewright.tui.panes.page import PagePane
from scrapewright.tui.panes.query import QueryPane
from scrapewright.tui.panes.trace import TracePane
from scrapewright.tui.screens.jump import JumpScreen, Target, targets
from scrapewright.tui.stale_resize import StaleResizeFilter
from scrapewright.tui.view_state import ViewState
from scrapewright.tui.widgets.keyline import KeyLine
from scrapewright.tui.widgets.plain import Plain, Span
from scrapewright.tui.widgets.statusline import StatusLine

PANES = ("query", "code", "trace", "output", "attempts", "page")
ROOMY = ("trace", "output")
"""Panes that get more room while they have the focus."""
BESIDE_PAGE = frozenset({"page", "output", "query"})
"""Panes beside which the page, once it was gone to, stays in the place of the code."""
SAID = 4.0
"""Seconds for which a remark is shown."""


class SessionScreen(StaleResizeFilter, Screen[None]):
    """Wide: all panes at once but the page, which takes the place of code, attempts and trace from when it is gone to
    until one of these is. Narrow (under 100 columns): one at a time, picked with 1 to 6."""

    KIND: ClassVar[str]
    """What the screen shows, for what another one says of its keys."""
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-short"), (30, "-tall")]
    DEFAULT_CSS = """
    SessionScreen {
        #picker { height: 1; display: none; }
        #body { height: 1fr; }
        #query { height: 4; }
        #query:focus-within { height: 12; max-height: 50%; }
        #attempts { height: 8; }
        &.-short #attempts { height: 5; }
        &.-short #query:focus-within { height: 9; }
        #left, #right { width: 1fr; }
        &.on-trace #trace, &.on-output #output { height: 2fr; }
        &.on-edit { #left { width: 7fr; } #right { width: 3fr; } }
        #page { display: none; }
        &.with-page { #page { display: block; } #code, #attempts, #trace { display: none; } }
        &.-narrow, &.one {
            #picker { display: block; }
            #body { layout: vertical; }
            #left, #right { width: 1fr; height: auto; }
            Pane, #query, #attempts, #page, #code, #trace { display: none; height: 1fr; }
            Pane.front, #query.front, #attempts.front, #page.front, #code.front, #trace.front {
                display: block; height: 1fr; max-height: 100%;
            }
            #query.front:focus-within { height: 1fr; max-height: 100%; }
            #body { display: none; }
            #body.front-side { display: block; }
            #left, #right { display: none; }
            #left.front-side, #right.front-side { display: block; height: 1fr; }
        }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(str(n), f"pane('{name}')", name.title(), show=False, id=f"pane-{name}")
            for n, name in enumerate(PANES, 1)
        ),
        Binding("z", "maximize_pane", "Maximise", show=False, id="maximise"),
        Binding("y", "copy", "Copy", show=False, id="copy"),
        Binding("f,ctrl+o", "jump", "Jump", show=False, id="jump"),
        Binding("s,ctrl+t", "save('rows')", "Save rows", show=False, id="save-rows"),
        Binding("S,ctrl+x", "save('program')", "Save program", show=False, id="save-program"),
    ]

    def __init__(self, *, clock: Callable[[], float] = time.time) -> None:
        super().__init__()
        self.view_state: ViewState | None = None
        self.clock = clock
        self._front = "query"
        self._said: dict[str, float] = {}

    def compose(self) -> ComposeResult:
        yield StatusLine(id="status")
        yield Plain(id="picker")
        yield _numbered(QueryPane(self.first_query(), id="query"))
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield _numbered(CodePane(id="code"))
                yield _numbered(AttemptsPane(id="attempts"))
                yield _numbered(PagePane(id="page", why_not=self.why_no_selector))
            with Vertical(id="right"):
                yield _numbered(TracePane(id="trace"))
                yield _numbered(OutputPane(id="output"))
        yield from self.compose_below()
        yield KeyLine(id="keys")

    def compose_below(self) -> ComposeResult:
        """What a kind of screen has below the panes."""
        yield from ()

    def first_query(self) -> str:
        return ""

    def on_mount(self) -> None:
        self.bring_front("query")

    # What a key can't do now.

    def say_why_not(self, key: str) -> None:
        """A key of a command that can't be done now says why: none is silent."""
        active = self.active_bindings.get(key)
        if active is None or not active.enabled:
            said = why_inactive(key, known_bindings(), self.app._keymap, self._why_not)
            if said:
                self.say("\n".join(said))

    def say(self, text: str) -> None:
        """For a few seconds, and once in them: a key that is held down says it no more often."""
        now = time.monotonic()
        if now - self._said.get(text, -SAID) >= SAID:
            self._said = {said: at for said, at in self._said.items() if now - at < SAID} | {text: now}
            self.app.notify(text, timeout=SAID, markup=False)

    def _why_not(self, command: Known) -> str:
        """What prevents a command; empty where nothing does, or the command is not of these screens."""
        owner = command.owner
        if isinstance(self, owner):
            _, name, parameters = parse(command.action)
            return self.hindrance(name, parameters)
        if "escape" in command.keys:  # a way out of what is not there
            return ""
        if issubclass(owner, SessionScreen):
            return f"only in {owner.KIND}"
        here = self.pane_of(self.focused)
        if isinstance(here, owner):
            return IN_A_PANE.get(command.id, "")
        for number, name in enumerate(PANES, 1):
            if isinstance(self.query_one(f"#{name}"), owner):
                return f"a key of the {name} pane; {number} goes there"
        return ""

    def hindrance(self, action: str, parameters: tuple[object, ...]) -> str:
        """Why a command can't be done now; empty where it can."""
        if action == "save":
            view_state = self.view_state
            if parameters == ("program",):
                done = view_state is not None and view_state.attempt is not None and bool(view_state.attempt.code)
                return "" if done else "there is no program yet"
            done = view_state is not None and self.query_one(OutputPane).chosen is not None
            return "" if done else "there are no rows yet"
        return ""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys do only what can be done now, and the footer shows only those."""
        return not self.hindrance(action, parameters)

    def refresh_session(self) -> None:
        """Shows the session as it is now. Cheap where nothing changed."""
        for pane in self.query(Pane):
            pane.show(self.view_state)
        self.show_status()

    def show_status(self) -> None:
        line = self.query_one(StatusLine)
        if self.view_state is not None:
            session = self.view_state.session
            fetched = sum(attempt == session.current for attempt, _ in session.requests)
            pace = self.view_state.live_output.pace(session.phase, fetched, self.counted())
            line.tell(session, now=self.clock(), pace=pace)
        else:
            line.greet("type a request, then press enter")

    def counted(self) -> str:
        """What is known of the pages of a run."""
        return ""

    def on_resize(self, event: events.Resize) -> None:
        self.show_status()
        self.call_after_refresh(self.show_status)  # the line is as wide as it will be only then

    def on_descendant_blur(self, event: events.DescendantBlur) -> None:
        """What a screen of another size hides loses the focus, which then goes to the pane in front; but not where the
        terminal has lost it, which gives it back to what had it."""
        if self.focused is None and self.app.app_focus:
            for pane in self.query(f"#{self._front}").results(Pane):  # none where the screen is being left
                pane.focus_inside()

    # Which pane is looked at.

    @property
    def narrow(self) -> bool:
        """One pane is seen at a time."""
        return self.has_class("-narrow") or self.has_class("one")

    def bring_front(self, name: str) -> None:
        """The pane that a narrow screen shows."""
        changed, self._front = name != self._front, name
        for pane in self.query(Pane):
            pane.set_class(pane.id == name, "front", update=False)
        for side in ("body", "left", "right"):
            column = self.query_one(f"#{side}")
            column.set_class(any(pane.id == name for pane in column.query(Pane)), "front-side", update=False)
        with_page = name == "page" or (self.has_class("with-page") and name in BESIDE_PAGE)
        if with_page is not self.has_class("with-page"):
            self.set_class(with_page, "with-page", update=False)
            self.app.stylesheet.update_nodes(self.query("#code, #attempts, #trace, #page"))
        if changed and self.narrow:  # else no rule asks for these classes; one that comes to be narrow is styled anew
            self.update_node_styles()
        self._draw_picker()

    def _draw_picker(self) -> None:
        styles = {name: "bold reverse $primary" if name == self._front else view.QUIET for name in PANES}
        numbers = {name: self.query_one(f"#{name}", Pane).number or " " for name in PANES}
        spans = [(f" {numbers[name]} {name} ", style) for name, style in styles.items()]
        self.query_one("#picker", Plain).show([spans])

    def number_panes(self, on: bool) -> None:
        """Shows the numbers that lead to the panes, or none where they would lead elsewhere."""
        for n, name in enumerate(PANES, 1):
            self.query_one(f"#{name}", Pane).renumber(n if on else 0)
        self._draw_picker()

    def pane_of(self, widget: Widget | None) -> Pane | None:
        """The pane that a widget lies in."""
        if widget is None:
            return None
        return next((w for w in widget.ancestors_with_self if isinstance(w, Pane)), None)

    def action_pane(self, name: str) -> None:
        self.bring_front(name)
        self.query_one(f"#{name}", Pane).focus_inside()

    def choose_tab(self, name: str, *tabs: str) -> None:
        """Turns a pane to the first of the tabs that it has."""
        pane = self.query_one(f"#{name}", Pane)
        for tab in tabs:
            if tab in getattr(pane, "TABS", ()):
                pane.choose(tab)  # type: ignore[attr-defined]
                return

    def action_maximize_pane(self) -> None:
        """One pane at a time, as on a narrow screen, with the question and the keys still there; and back."""
        self.toggle_class("one")

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        pane = self.pane_of(event.widget)
        if pane is None or pane.id is None:
            return
        self._make_room(pane.id)
        if pane.id != self._front:
            self.bring_front(pane.id)

    def _make_room(self, focused: str) -> None:
        """Gives more of the screen to a pane that has come to be in focus, and takes it back afterwards."""
        before = self.classes
        self.update_classes({f"on-{name}": name == focused for name in ROOMY}, update=False)
        if self.classes != before:  # only these have rules for it: the whole screen takes four times as long
            self.app.stylesheet.update_nodes(self.query("#left, #right, #trace, #output"))

    @on(CodePane.EditBegun)
    @on(CodePane.EditEnded)
    def _edit_changed(self) -> None:
        """A program is edited in more room than it is looked at."""
        self.set_class(self.query_one(CodePane).editing, "on-edit", update=False)
        self.app.stylesheet.update_nodes(self.query("#left, #right"))

    def on_click(self, event: events.Click) -> None:
        """On a name in the picker, or on a pane's border or anything in it that takes no focus itself."""
        pane = self.pane_of(event.widget)
        if pane is not None and pane.id is not None and not pane.has_focus_within:
            self.action_pane(pane.id)
        if event.widget is not None and event.widget.id == "picker":
            at = 0
            for n, name in enumerate(PANES, 1):
                at += len(f" {n} {name} ")
                if event.x < at:
                    self.action_pane(name)
                    return

    # The page beside the rows.

    def why_no_selector(self, column: str) -> str:
        """Why the session takes no selector for a column now; empty where it does."""
        return "a replay changes nothing"

    @on(OutputPane.RowReached)
    def _row_reached(self, event: OutputPane.RowReached) -> None:
        """A page that is seen follows the row; one that is not does so once it is gone to."""
        page = self.query_one(PagePane)
        if event.open_:
            self.action_pane("page")
        page.follow(event.index, event.values, open_=event.open_)

    @on(TracePane.PageWanted)
    def _page_wanted(self, event: TracePane.PageWanted) -> None:
        if self.query_one(PagePane).open_request(event.request):
            self.action_pane("page")
        else:
            self.say("In the page: this request brought none that is kept")

    @on(PagePane.RowWanted)
    def _row_wanted(self, event: PagePane.RowWanted) -> None:
        self.query_one(OutputPane).go_to_row(event.index)
        self.action_pane("output")

    def action_jump(self) -> None:
        """A letter over each pane and tab; the one that is pressed is gone to."""
        picker = self.query_one("#picker", Plain)
        found = targets(self, PANES, picker.region if picker.display else None)
        self.app.push_screen(JumpScreen(found), self._jumped)

    def _jumped(self, target: Target | None) -> None:
        if target is not None:
            if target.tab:
                self.choose_tab(target.pane, target.tab)
            self.action_pane(target.pane)

    def action_copy(self) -> None:
        """What is selected, else the row under the cursor or the whole text of what has the focus."""
        text = self.get_selected_text() or ""
        focused = self.focused
        if not text and focused is not None:
            take = getattr(focused, "copy_text", None)
            text = take() if take is not None else getattr(focused, "selected_text", "") or getattr(focused, "text", "")
        if text:
            self.app.copy_to_clipboard(text)
        else:
            self.say("Copy: there is nothing to copy here")

    def action_save(self, what: str) -> None:
        """The file that the output shows, or the program of the attempt looked at."""
        from scrapewright.tui.screens.save import SaveScreen, savable_program, savable_rows

        view_state, file = self.view_state, self.query_one(OutputPane).chosen
        if view_state is None:
            return
        if what == "program":
            self.app.push_screen(SaveScreen(savable_program(view_state)), self._saved)
        elif file is not None:
            self.app.push_screen(SaveScreen(savable_rows(view_state, file)), self._saved)

    def _saved(self, path: Path | None) -> None:
        if path is not None:
            self.app.notify(one_line(f"saved: {path}", 400), markup=False)

    @on(AttemptsPane.Chosen)
    def _attempt_chosen(self, event: AttemptsPane.Chosen) -> None:
        if self.view_state is not None:
            self.view_state.look_at(event.attempt)
            self.refresh_session()


def _numbered(pane: Pane) -> Pane:
    """With the key that goes there, as the bindings have it."""
    pane.number = PANES.index(pane.id or "") + 1
    return pane


def ending(session: Session) -> list[Span]:
    """How it ended, in a line: why, what to do about it, where the rows are."""
    end = session.end
    if end is None:
        return []
    color = "$success" if end.exit_code == 0 else "$error"
    best = session.attempts.get(end.best)
    rows = f"{best.verdict.rows} rows" if best is not None and best.verdict is not None and best.good else ""
    files = f"wrote {', '.join(end.files[:3])}" if end.files else ""
    reason = end.reason if end.reason != end.outcome else ""
    said = [one_line(text, 300) for text in (reason, rows, files, end.advice) if text]
    return [(end.outcome, f"bold {color}"), ("  " + " · ".join(said), "")]
