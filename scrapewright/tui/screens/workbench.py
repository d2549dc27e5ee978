"""The screen of a live session: the worker, the gate's questions, pause, edit, stop."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Input
from textual.worker import Worker, WorkerState

from scrapewright.loop.answers import Answer
from scrapewright.loop.questions import HINT_NOTE
from scrapewright.loop.tasks import cancel_and_wait
from scrapewright.options import Writer
from scrapewright.session.events import Mode, Phase
from scrapewright.session.result import Request
from scrapewright.session.sanitize import one_line
from scrapewright.session.state import Session
from scrapewright.settings import Settings
from scrapewright.tui import bridge
from scrapewright.tui.inactive_keys import why_not_after, why_not_now
from scrapewright.tui.live_output import LiveOutput
from scrapewright.tui.messages import AnswerWanted, OpenElsewhere
from scrapewright.tui.panes.code import CodePane
from scrapewright.tui.panes.query import QueryPane
from scrapewright.tui.run_progress import RunProgress
from scrapewright.tui.screens.answering import AnsweringScreen
from scrapewright.tui.screens.attention import Attention, FocusChange, Scene
from scrapewright.tui.screens.menu import mode_menu, writer_menu
from scrapewright.tui.screens.session import ending
from scrapewright.tui.session_spec import OpenSession, SessionSpec
from scrapewright.tui.view_state import ViewState
from scrapewright.tui.widgets.focus import focus_now
from scrapewright.tui.widgets.questionbar import KEYS, WORDS, QuestionBar
from scrapewright.tui.widgets.statusline import StatusLine

if TYPE_CHECKING:
    from scrapewright.loop.handle import SessionHandle

ANY_TIME = frozenset({"edit", "hint", "rewind"})
"""Answers that can be given without a question too."""
_OF_A_SESSION = frozenset({"answer", "pause", "resume", "mode", *ANY_TIME, "edit_outside"})
"""Actions that go to the gate."""
_AT_THE_END = (
    "answer-go", "programmer", "correct", "all-pages", "answer-hint", "answer-edit", "undo", "save-rows",
    "save-program", "again", "home", "quit",
)  # fmt: skip
"""Commands that are listed once the session is over, by their ids."""
TAB_NAMES = {"table": ("table", "rows")}


class WorkbenchScreen(AnsweringScreen):
    """One session at a time, in one async worker; leaving the screen ends it and leaves nothing running."""

    KIND = "a session at work"

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(key, f"answer('{kind}')", WORDS[kind].capitalize(), show=False, id=f"answer-{kind}")
            for kind, key in KEYS.items()
            if kind not in ANY_TIME
        ),
        Binding("escape", "to_question", "Choose an option", show=False, id="to-question"),
        Binding("escape,f9", "pause", "Pause", id="pause"),
        Binding("f5,ctrl+r", "resume", "Resume", id="resume"),
        Binding("e,f7", "edit", "Edit", id="answer-edit"),
        Binding("E,f4", "edit_outside", "Edit in $EDITOR", show=False, id="edit-outside"),
        Binding("h,f12", "hint", "Hint", id="answer-hint"),
        Binding("=,f11", "correct", "Correct", show=False, id="correct"),
        Binding("p", "all_pages", "All pages", show=False, id="all-pages"),
        Binding("u", "undo", "Undo", show=False, id="undo"),
        Binding("w,ctrl+w", "rewind", "Rewind", show=False, id="answer-rewind"),
        Binding("m,f6", "mode", "Mode", id="mode"),
        Binding("P", "writer", "Another programmer", show=False, id="programmer"),
        Binding("f8,ctrl+k", "stop", "Stop", id="stop"),
        Binding("R,ctrl+g", "again", "Run again", id="again"),
    ]

    def __init__(
        self, open_session: OpenSession, spec: SessionSpec, settings: Settings, *,
        clock: Callable[[], float] = time.time, monotonic: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        super().__init__(clock=clock)
        self._open_session = open_session
        self._spec = spec
        self._settings = settings
        self._monotonic = monotonic
        self._attention = Attention()
        self._sent_to = ""
        """The pane that the screen itself sent the focus to: the person did not choose it."""
        self._run: object = None
        self._chose_at = float("-inf")
        self._called_for = 0
        self._last_note = 0
        self.shown = 0
        """The number of the last event that is on the screen."""
        self._ended = asyncio.Event()
        self._ended.set()
        self._opened = asyncio.Event()
        """What the person did in a session that was over is recorded, or can't be."""
        self._at_work = 0
        """Sessions that are not closed yet: one that is over may still be closing while the next runs."""
        self._begun = 0
        self._starting = False
        self._worker: Worker[None] | None = None
        self._could: object = None
        self._progress: RunProgress | None = None
        self._progress_of: object = None
        """The run that it is of."""
        self.handle: SessionHandle | None = None

    def compose_below(self) -> ComposeResult:
        yield QuestionBar(clock=self._monotonic, keys=self._answer_keys, id="question")

    def first_query(self) -> str:
        return self._spec.text

    def on_mount(self) -> None:
        super().on_mount()
        self.show_status()
        self.set_interval(1.0, self.show_status)
        self.set_interval(1.0, self._count_pages)
        self._send_to("query")
        self.begin(self._spec)

    # The session.

    def begin(self, spec: SessionSpec) -> None:
        if self.running:
            self.app.notify("a session is running; stop it first", markup=False)
            return
        self._spec = spec
        self._worker = self.run_session(spec)

    @property
    def running(self) -> bool:
        """From the moment a session is asked for until it is over."""
        if self.handle is None or self.handle.journal.session.over:
            return self._starting
        return True

    @property
    def has_unrun_edit(self) -> bool:
        """Whether the person's own program would be lost with it."""
        return self.query_one(CodePane).has_unrun_edit

    @work(group="session", exit_on_error=False)
    async def run_session(self, spec: SessionSpec) -> None:
        """The worker. Cancelling it kills the step in hand and closes everything. Not exclusive: that would cancel the
        one before while it puts away what it had."""
        self._begun += 1
        number = self._begun
        self._starting = True
        self._opened.clear()
        self.show_status()
        try:
            if spec.resume:  # the one before may not have given it up yet
                await self._ended.wait()
            await self._work_on(spec)
        finally:
            if number == self._begun:
                self._starting = False
                self._opened.set()

    async def _work_on(self, spec: SessionSpec) -> None:
        self._ended.clear()
        self._at_work += 1
        try:
            async with self._open_session(spec) as handle:
                before, session = self.view_state, handle.journal.session
                self.handle, self._starting = handle, False
                self._opened.set()
                live = LiveOutput(self.clock)
                self.view_state = ViewState(session, handle.blobs, tape=handle.tape, live_output=live)
                again = before is not None and before.session.id == session.id
                seen = session.seq if session.over else 0
                self._attention, self._last_note = Attention(), self._last_note if again else seen
                if session.over:  # opened for what is to be done in it
                    self._refresh_if_there()
                    return
                receive = self.view_state.live_output.receive
                shower = asyncio.create_task(
                    bridge.follow(handle.journal, self._refresh_if_there, receive), name="screen"
                )
                try:
                    await handle.loop.run()
                finally:
                    await handle.journal.flush()
                    await (cancel_and_wait(shower) if handle.gate.was_cut_off else shower)
        finally:
            self._at_work -= 1
            if not self._at_work:
                self._ended.set()

    def cut_off(self) -> None:
        """Leaves the session as it is, to be continued later."""
        if self.handle is not None:
            self.handle.gate.cut_off()

    async def suspended(self) -> None:
        """As `cut_off`, with nothing lost that the person did, and returns as `stopped` does."""
        if self._spec.act is not None:
            await self._opened.wait()
        self.cut_off()
        await self.stopped()
        self.handle = None

    async def stopped(self) -> None:
        """Stops the session, if one runs, and returns when everything that it started is cleaned up."""
        if self.running:
            self.action_stop()
        await self._ended.wait()

    async def session_ended(self) -> None:
        """Returns when the session that is asked for has come to its end and is cleaned up."""
        await self._opened.wait()
        await self._ended.wait()

    async def taken_up(self) -> None:
        """Returns when what the person did before is recorded and shown."""
        await self._opened.wait()
        if self.handle is not None:
            await self.handle.gate.taken_up()
            self._refresh_if_there()

    async def on_unmount(self) -> None:
        """The application ends only when the session has."""
        await self.stopped()

    def show_status(self) -> None:
        if self._starting:
            below = "" if self.view_state is None else "; below is the session before"
            self.query_one(StatusLine).greet(f" starting{below}")
        else:
            super().show_status()

    def counted(self) -> str:
        return self._progress.summary(self._requests()) if self._progress is not None else ""

    def _requests(self) -> list[Request]:
        """Those of the run that goes on."""
        session = self.view_state.session if self.view_state is not None else Session()
        return [request for attempt, request in session.requests if attempt == session.current]

    @work(group="progress", exclusive=True, exit_on_error=False)
    async def _count_pages(self) -> None:
        """While a program runs; what is parsed for it is parsed in a thread."""
        shown = self.view_state
        attempt = shown.session.attempt if shown is not None else None
        if shown is None or attempt is None or shown.session.phase is not Phase.RUNNING:
            self._progress, self._progress_of = None, None
            return
        of = (shown.session.id, attempt.id, attempt.runs)
        if of != self._progress_of:
            code, survey = await asyncio.to_thread(lambda: (shown.code(attempt), shown.survey()))
            self._progress, self._progress_of = RunProgress(shown.tape, shown.session.id, code, survey), of
        if self._progress is not None and await asyncio.to_thread(self._progress.count, self._requests()):
            self.call_later(self._count_pages)

    def _refresh_if_there(self) -> None:
        if self.is_mounted and self.is_attached:
            self.refresh_session()

    @on(Worker.StateChanged)
    def _worker_changed(self, event: Worker.StateChanged) -> None:
        if event.worker.group != "session" or not event.worker.is_finished:
            return
        self.show_status()
        self.refresh_bindings()
        if self.view_state is None and not self.running:  # it came to nothing: there is only a request to be written
            self.query_one(QueryPane).action_ask()
        if event.state is WorkerState.ERROR:
            from scrapewright.store.sessions import SessionBusy

            if isinstance(event.worker.error, SessionBusy) and self._spec.act is None:
                self.post_message(OpenElsewhere(self._spec.resume, str(event.worker.error)))
                return
            self.app.notify(one_line(str(event.worker.error), 400), severity="error", timeout=20, markup=False)
            self.refresh_session()
            act, shown = self._spec.act, self.view_state
            if act is not None and act.code and shown is not None:  # it is still the person's
                self.query_one(CodePane).begin_edit(shown.code(), act.code)

    def refresh_session(self) -> None:
        self._follow_run()
        super().refresh_session()
        if self.handle is None or self.view_state is None:
            return
        session, question = self.handle.journal.session, self._question
        bar = self.query_one(QuestionBar)
        bar.show(question)
        bar.can_focus = bar.choosing
        if self.focused is bar and not bar.choosing:  # it was answered
            self._send_to(self._front)
        self.set_class(question is not None, "asked", update=False)  # the line of keys asks for it, no rule does
        if session.end is not None and bar.question is None:
            bar.tell(ending(session), self._keys_now(), good=session.end.exit_code == 0)
        elif session.end is None:
            bar.untell()
        typing = self._editing or isinstance(self.focused, Input)
        turn = self._attention.look(
            Scene.of(session, streamed=bool(self.view_state.streaming)),
            editing=typing,
            since_choice=self._monotonic() - self._chose_at,
            one_pane=self.narrow,
        )
        if turn is not None:
            self._turn(turn)
        if question is not None and question.seq != self._called_for:
            self._called_for = question.seq
            self.post_message(AnswerWanted(True))
            here = self.pane_of(self.focused)
            if bar.choosing and not typing and here is not None and here.id == "query":  # nothing is chosen there
                focus_now(bar)
        elif question is None and self._called_for:
            self._called_for = 0
            self.post_message(AnswerWanted(False))
        self._tell_notes(session)
        self.shown = session.seq
        can = (session.phase, question, session.over, session.current)
        if can != self._could:  # a new footer is dear
            self._could = can
            self.refresh_bindings()

    def _follow_run(self) -> None:
        """What was chosen inside a run, or against it, says nothing of the run that has taken its place."""
        view_state = self.view_state
        if view_state is None or view_state.chosen:
            return
        attempt = view_state.attempt
        run = (view_state.session.id, attempt.id, attempt.runs) if attempt is not None else None
        if run != self._run:
            self._run = run
            view_state.forget()
            view_state.against = 0

    def _turn(self, turn: FocusChange) -> None:
        """Turns to what attention says, and follows the attempt in hand again."""
        if self.view_state is not None and turn.front:
            self.view_state.look_at(self.view_state.session.current)
        before = self.pane_of(self.focused)
        for name, tab in turn.tabs:
            self.choose_tab(name, *TAB_NAMES.get(tab, (tab,)))
        if turn.front:
            self._send_to(turn.front)
        elif before is not None and before.id in dict(turn.tabs):  # what had the focus may be hidden now
            self._sent_to = before.id
            before.focus_inside()

    def _send_to(self, pane: str) -> None:
        """Moves the focus without the person; it comes there only some messages later."""
        self._sent_to = pane
        self.action_pane(pane)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Beside what SessionScreen does: Textual calls the handlers of both."""
        pane = self.pane_of(event.widget)
        if pane is not None and pane.id != self._sent_to:
            self._sent_to = ""
            self._chose_at = self._monotonic()

    def _tell_notes(self, session: Session) -> None:
        """Remarks of weight, which no pane shows."""
        for note in session.notes:
            if note.seq > self._last_note:
                self._last_note = note.seq
                if note.text.startswith(HINT_NOTE):
                    self.query_one(QuestionBar).remark(one_line(note.text, 400))
                elif note.level != "info":
                    self.app.notify(one_line(note.text, 300), severity=note.level, timeout=15, markup=False)

    def _keys_now(self) -> list[tuple[str, str]]:
        """What can be done once it is over."""
        valid: dict[str, Binding] = {}
        for active in self.active_bindings.values():
            if active.enabled:
                valid.setdefault(active.binding.id or "", active.binding)
        if (over := self.ended) is not None and over.end is not None and over.end.exit_code == 0:
            valid.pop("programmer", None)  # there is nothing to be written yet
        found = [valid[name] for name in _AT_THE_END if name in valid]
        return [(self.app.get_key_display(b), b.description.lower()) for b in found]

    # What the person does.

    @on(QueryPane.Submitted)
    def _query_submitted(self, event: QueryPane.Submitted) -> None:
        """Another request: the program that this one may have started from is none for it."""
        self.begin(
            replace(
                self._spec, text=event.text, reading=None, program="", resume="", decisions=(), act=None, writer=None
            )
        )

    @on(CodePane.Edited)
    def _code_edited(self, event: CodePane.Edited) -> None:
        """The person's own program runs next, whatever goes on now; one that can't is still theirs."""
        if not self.go_on("Run mine", Answer("edit", code=event.code)) and self.view_state is not None:
            self.query_one(CodePane).begin_edit(self.view_state.code(), event.code)

    def action_pause(self) -> None:
        if self.handle is not None:
            self.handle.gate.pause()

    def action_resume(self) -> None:
        if self.handle is not None:
            self.handle.gate.resume()

    def action_mode(self) -> None:
        if self.handle is not None:
            self.app.push_screen(mode_menu(self.handle.journal.session.mode), self._set_mode)

    def _set_mode(self, mode: str | None) -> None:
        if mode is not None and self.handle is not None and not self.handle.journal.session.over:
            self.handle.gate.set_mode(Mode(mode))

    def action_writer(self) -> None:
        """Who writes from here on. Where the session fell short it goes on at once; where it ended well there is
        nothing to write until the person says what is wrong."""
        if (session := self.ended) is None:
            return
        now = self._spec.writer or Writer(session.programmer, session.model)
        menu, found = writer_menu(self._settings, now)
        if found == [now]:
            how = "a key such as OPENAI_API_KEY, a [models.NAME] table or AGENT_CMD sets one up"
            self.say(f"Another programmer: there is none but {now.programmer}; {how}")
            return
        self.app.push_screen(menu, lambda at: self._write_with(found[int(at)]) if at is not None else None)

    def _write_with(self, writer: Writer) -> None:
        if (session := self.ended) is None or session.end is None:
            return
        self._spec = replace(self._spec, writer=writer)
        who = one_line(writer.model or writer.programmer, 60)
        if session.end.exit_code == 0:
            self.say(f"{who} writes the next program: say what is wrong (=, h), or go on otherwise")
        else:
            self.go_on("Another programmer", Answer("go"))

    def action_stop(self) -> None:
        if self._starting and self._worker is not None:
            self._worker.cancel()
        elif self.handle is not None:
            self.handle.gate.stop()

    def action_again(self) -> None:
        """The same request with what was decided and corrected, as a new session."""
        if self.view_state is not None:
            session = self.view_state.session
            spec = replace(self._spec, text=session.text, reading=session.reading, resume="", act=None, writer=None)
            if (writer := self._spec.writer) is not None:
                spec = replace(spec, changes={**spec.changes, "programmer": writer.programmer, "model": writer.model})
            self.begin(replace(spec, decisions=session.decisions))

    def hindrance(self, action: str, parameters: tuple[object, ...]) -> str:
        running, handle = self.running, self.handle
        session = handle.journal.session if running and handle is not None and not self._starting else None
        if action == "stop":
            return "" if running else self._idle
        if action == "writer":
            return "the session is at work; stop it first" if running else "" if self.ended is not None else self._idle
        if action == "again":
            return "a session is running" if running else "" if self.view_state is not None else self._idle
        if action not in _OF_A_SESSION:
            return super().hindrance(action, parameters)
        if session is None or handle is None:
            over = self.ended
            why = why_not_after(action, parameters, over, editing=self._editing) if over is not None else None
            return self._idle if why is None else why
        if handle.gate.stopping():
            return self._idle
        return why_not_now(action, parameters, session, self._question, editing=self._editing)

    @property
    def _idle(self) -> str:
        """Why nothing can be done with the session."""
        if self._starting:
            return "the session is only starting"
        if self.running:
            return "the session is being stopped"
        return "the session is over" if self.view_state is not None else "no session is running"
