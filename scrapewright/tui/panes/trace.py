"""The trace of a run: frames and their values, the last steps, stderr, requests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from textual import events, on
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widget import Widget

from scrapewright.session.result import Request, Step
from scrapewright.session.sanitize import one_line
from scrapewright.tui.panes.code import CodePane
from scrapewright.tui.panes.tabbed import LOGS, TabbedPane
from scrapewright.tui.view.notes import story
from scrapewright.tui.view.requests import REQUESTS, request_header, request_lines, request_parts, requests_of
from scrapewright.tui.view.spans import QUIET
from scrapewright.tui.view.steps import STEPS, known, step_lines, step_title, steps_of
from scrapewright.tui.view.trace import Entry, FrameList, frame_list, value_lines
from scrapewright.tui.view.wrap import wrap_spans
from scrapewright.tui.view_state import ViewState
from scrapewright.tui.widgets.detail import DetailScreen
from scrapewright.tui.widgets.prose import Prose
from scrapewright.tui.widgets.rows import Rows
from scrapewright.tui.widgets.split import Split

ABOUT = 40
"""Lines of a message that are shown below the list; the whole is one key away."""


class TracePane(TabbedPane):
    """The frame and the step chosen here are kept in the view state: the code pane follows them."""

    TITLE = "Trace"
    TABS = ("frames", "steps", "stderr", "requests", "story")
    HELP = """\
How it ran. Choosing a frame or a step moves the code to its line and shows its values below; tab goes to the values,
enter shows one of them as a whole. `,` and `.` walk the steps back and forth from any tab. `v` on a request turns to
the page that it brought. `story` tells what was found on the page and what each program's author had in mind.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("comma", "walk(-1)", "Step back", show=False, id="step-back"),
        Binding("full_stop", "walk(1)", "Step forth", id="step-forth", key_display=", ."),
        Binding("v", "in_page", "In the page", id="trace-page"),
    ]

    class PageWanted(Message):
        """The person wants to see what a request brought."""

        def __init__(self, request: Request) -> None:
            super().__init__()
            self.request = request

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._frames = FrameList([], [])
        self._steps: Sequence[Step] = ()
        self._requests: Sequence[Request] = ()
        self._values: list[tuple[str, str]] = []
        self._listed: dict[str, object] = {}
        """What each list shows, so that its cursor is put in place only for something new."""

    def make_tab(self, tab: str, id: str) -> Widget:  # noqa: A002
        if tab in {"frames", "steps"}:
            return Split(id=id)
        if tab == "story":
            return Prose(id=id)
        return Rows(cursor=tab == "requests", tail=True, id=id)

    @property
    def front(self) -> Widget | None:
        shown = self.tab_widget
        if isinstance(shown, Split):
            return shown.lower if shown.lower.has_focus else shown.upper
        return shown

    # What is shown.

    def show(self, view_state: ViewState | None) -> None:
        super().show(view_state)
        if view_state is None:
            return
        tab = self.tab
        if tab in LOGS:
            self._show_log(view_state, tab)
            return
        key = (tab, id(view_state), self.key(view_state, tab))
        if key == self._key:
            return
        self._key = key
        match tab:
            case "frames":
                self._show_frames(view_state)
            case "steps":
                self._show_steps(view_state)
            case "story":
                self.query_one(Prose).show(story(view_state.session))
            case _:
                self._show_requests(view_state)

    def key(self, view_state: ViewState, tab: str) -> object:
        attempt, session = view_state.attempt, view_state.session
        run = (session.id, attempt.id, attempt.result, attempt.runs, attempt.running) if attempt is not None else None
        match tab:
            case "frames":
                seq = 0 if attempt is not None and attempt.line else session.seq  # without frames there is the story
                return run, seq, view_state.frame, view_state.running_line, self._width
            case "story":
                return session.id, session.seq
            case "steps":
                return run, view_state.step
            case _:
                return run, len(session.requests) + session.requests_dropped

    def _new(self, tab: str, view_state: ViewState) -> bool:
        """The list is about another run than the one shown before, or broken to another width."""
        attempt = view_state.attempt
        run = (view_state.session.id, attempt.id, attempt.result, attempt.running) if attempt is not None else None
        width = self._width if tab == "frames" else 0
        before, self._listed[tab] = self._listed.get(tab, ""), (run, width)
        return before != (run, width)

    @property
    def _width(self) -> int:
        """Cells that a line may take: a scroll bar may appear beside it."""
        return max(20, self.size.width - 1)

    def on_resize(self, event: events.Resize) -> None:
        if self.tab == "frames":
            self.show(self._subject)

    def _show_frames(self, view_state: ViewState) -> None:
        split = self._split("frames")
        result = view_state.result()
        needs_code = view_state.running_line or (result is not None and result.exception is None)
        code = view_state.code() if needs_code else ""
        running = view_state.attempt is not None and view_state.attempt.running
        frames = FrameList([], [])
        if result is not None or running:
            frames = frame_list(result, view_state.attempt, view_state.running_line, code, self._width)
        if not frames.entries and not running:  # nothing went wrong, or nothing has run: what led here
            parts = (part for line in story(view_state.session) for part in wrap_spans(line, self._width))
            frames = replace(frames, entries=[Entry(part) for part in parts])
        self._frames = frames
        split.upper.show([entry.spans for entry in self._frames.entries], header=self._frames.header)
        chosen = next((n for n, e in enumerate(self._frames.entries) if e.frame == view_state.frame is not None), None)
        if self._new("frames", view_state) or chosen is not None:
            split.upper.goto(self._frames.start if chosen is None else chosen)
        self._show_entry(split)

    def _show_entry(self, split: Split) -> None:
        """The values at the place under the cursor."""
        entry = self._entry(split.upper.cursor)
        if entry is None or (entry.frame is None and not entry.about):
            self._values = []
            split.fit(0)
            return
        if entry.about:
            self._values = [("", entry.about)]
            lines = [one_line(line, 600) for line in entry.about.splitlines()[:ABOUT]]
            split.lower.show([piece for line in lines for piece in wrap_spans([(line, "")], self._width)])
        else:
            self._values = list(entry.values.items())
            split.lower.show(value_lines(entry.values) or [[("no values recorded here", QUIET)]])
        split.fit(split.lower.row_count)

    def _show_steps(self, view_state: ViewState) -> None:
        split = self._split("steps")
        every = steps_of(view_state.result())
        first = max(0, len(every) - STEPS)
        new = self._new("steps", view_state)
        if new or not self._steps:
            self._steps = every[first:]
            header = [] if self._steps else [[("no steps recorded", QUIET)]]
            split.upper.show(step_lines(self._steps, view_state.code()), header=header)
        if view_state.step is not None:
            split.upper.goto(view_state.step - first)
        elif new:
            split.upper.goto(len(self._steps) - 1)
        self._show_known(split)

    def _show_known(self, split: Split) -> None:
        place = split.upper.cursor
        if not 0 <= place < len(self._steps):
            self._values = []
            split.fit(0)
            return
        step = self._steps[place]
        values = known(self._steps, place)
        before = [n for n in range(place) if (self._steps[n].frame, self._steps[n].thread) == (step.frame, step.thread)]
        was = known(self._steps, before[-1]) if before else {}
        changed = {name: value for name, value in step.values.items() if was.get(name) != value}
        self._values = list(values.items())
        lines = value_lines(values, changed, was)
        split.lower.show(lines or [[("nothing known here yet", QUIET)]], header=[step_title(self._steps, place)])
        split.fit(split.lower.row_count + 1)

    def _show_requests(self, view_state: ViewState) -> None:
        rows = self.query_one(f"#{self._tab_id(self.TABS.index('requests'))}", Rows)
        whole = requests_of(view_state.session, view_state.attempt, view_state.result())
        self._requests = whole[-REQUESTS:]
        following = rows.following
        rows.show(request_lines(whole), header=request_header(whole))
        if following:
            rows.goto(rows.row_count - 1)

    def _split(self, tab: str) -> Split:
        return self.query_one(f"#{self._tab_id(self.TABS.index(tab))}", Split)

    def _entry(self, row: int) -> Entry | None:
        return self._frames.entries[row] if 0 <= row < len(self._frames.entries) else None

    # What the person does.

    @on(Rows.Moved)
    def _moved(self, event: Rows.Moved) -> None:
        view_state = self._subject
        if view_state is None or event.rows.has_class("lower"):
            return
        if self.tab == "frames":
            entry = self._entry(event.index)
            view_state.step = None
            if entry is not None:
                view_state.frame, view_state.line = entry.frame, entry.line or None
            self._show_entry(self._split("frames"))
        elif self.tab == "steps":
            self._take_step(view_state, event.index)
        else:
            return
        self._lead_code(view_state)

    def _take_step(self, view_state: ViewState, place: int) -> None:
        if 0 <= place < len(self._steps):
            step = self._steps[place]
            view_state.step = place + max(0, len(steps_of(view_state.result())) - STEPS)
            view_state.frame, view_state.line = None, step.line
            self._show_known(self._split("steps"))

    def _lead_code(self, view_state: ViewState) -> None:
        """The code shows the line, and no difference hides it."""
        code = self.screen.query_one(CodePane)
        if code.tab != "code" and not code.editing:
            code.choose("code")
        else:
            code.show(view_state)

    def action_walk(self, step: int) -> None:
        """To the step before or after; the first time to the last one."""
        if self.tab != "steps":
            self.choose("steps")
            self.focus_inside()
        view_state, split = self._subject, self._split("steps")
        if view_state is None or not self._steps:
            return
        place = split.upper.cursor + step if view_state.step is not None else len(self._steps) - 1
        place = max(0, min(place, len(self._steps) - 1))
        split.upper.goto(place)
        self._take_step(view_state, place)
        self._lead_code(view_state)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self.tab == "requests" if action == "in_page" else super().check_action(action, parameters)

    def action_in_page(self) -> None:
        shown = self.tab_widget
        if self.tab == "requests" and isinstance(shown, Rows) and 0 <= shown.cursor < len(self._requests):
            self.post_message(self.PageWanted(self._requests[shown.cursor]))

    @on(Rows.Picked)
    def _picked(self, event: Rows.Picked) -> None:
        event.stop()
        if event.rows.has_class("lower"):
            place = event.index if self._values and self._values[0][0] else 0
            if place < len(self._values):
                name, value = self._values[place]
                self.app.push_screen(DetailScreen(name or "message", [("", value)]))
        elif self.tab == "requests":
            if event.index < len(self._requests):
                self.app.push_screen(DetailScreen("request", request_parts(self._requests[event.index])))
        elif isinstance(shown := self.tab_widget, Split) and shown.lower.display:
            shown.lower.focus()
