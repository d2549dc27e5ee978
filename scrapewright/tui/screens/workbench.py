"""A session at work: the worker, the gate's questions, pause, edit, stop."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.worker import Worker, WorkerState

from scrapewright.loop.gate import Answer, BadAnswer
from scrapewright.session.events import Mode, Phase
from scrapewright.session.sanitize import one_line
from scrapewright.tui import bridge
from scrapewright.tui.panes.attempts import AttemptsPane
from scrapewright.tui.panes.code import CodePane
from scrapewright.tui.panes.output import OutputPane
from scrapewright.tui.panes.query import QueryPane
from scrapewright.tui.panes.trace import TracePane
from scrapewright.tui.screens.session import SessionScreen
from scrapewright.tui.subject import Subject
from scrapewright.tui.widgets.plain import Plain
from scrapewright.tui.widgets.questionbar import KEYS, WORDS, QuestionBar

if TYPE_CHECKING:
    from scrapewright.loop.kit import Kit

OpenSession = Callable[[str], AbstractAsyncContextManager["Kit"]]
"""Starts a session for a request and puts it together."""

MODES = (Mode.AUTO, Mode.APPROVE, Mode.STEP)


class WorkbenchScreen(SessionScreen):
    """One session at a time, in one async worker; leaving the screen ends it and leaves nothing running."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "pause", "Pause", id="pause", priority=False),
        Binding("f5,ctrl+r", "resume", "Resume", id="resume"),
        Binding("f6,m", "mode", "Mode", id="mode"),
        Binding("f8,ctrl+k", "stop", "Stop", id="stop"),
        Binding("f4,E", "edit", "Edit", id="edit"),
        *(
            Binding(key, f"answer('{kind}')", WORDS[kind], show=False, id=f"answer-{kind}")
            for kind, key in KEYS.items()
        ),
    ]

    def __init__(
        self, open_session: OpenSession, query: str = "", *, start: bool = False,
        clock: Callable[[], float] = time.time, monotonic: Callable[[], float] = time.monotonic,
    ) -> None:  # fmt: skip
        super().__init__(clock=clock)
        self._open_session = open_session
        self._query = query
        self._start = start
        self._monotonic = monotonic
        self._pending_edit = ""
        self._shown_question = 0
        self._ended = asyncio.Event()
        self._ended.set()
        self._starting = False
        self._could: object = None
        self.kit: Kit | None = None

    def compose_below(self) -> ComposeResult:
        yield QuestionBar(clock=self._monotonic, id="question")

    def first_query(self) -> str:
        return self._query

    def on_mount(self) -> None:
        super().on_mount()
        self.show_status()
        self.set_interval(1.0, self.show_status)
        self.action_pane("query")
        if self._start and self._query:
            self.begin(self._query)

    # The session.

    def begin(self, text: str) -> None:
        if self.running:
            self.app.notify("a session is running; stop it first", markup=False)
            return
        self.run_session(text)

    @property
    def running(self) -> bool:
        """From the moment a session is asked for until it is over."""
        if self.kit is None or self.kit.journal.session.over:
            return self._starting
        return True

    @work(exclusive=True, group="session", exit_on_error=False)
    async def run_session(self, text: str) -> None:
        """The worker. Cancelling it kills the step in hand and closes everything."""
        self._ended.clear()
        self._starting = True
        self.show_status()
        try:
            async with self._open_session(text) as kit:
                self.kit, self._starting = kit, False
                self.subject = Subject(kit.journal.session, kit.blobs)
                hear = self.subject.heard.hear
                shower = asyncio.create_task(bridge.follow(kit.journal, self._refresh_if_there, hear), name="screen")
                try:
                    await kit.loop.run()
                finally:
                    await kit.journal.flush()
                    await shower
        finally:
            self._starting = False
            self._ended.set()

    async def on_unmount(self) -> None:
        """The application ends only when the session has, with all that it started."""
        if self.running:
            self.action_stop()
        await self._ended.wait()

    def show_status(self) -> None:
        if self._starting:
            self.query_one("#status", Plain).show([[(" starting ", "bold $primary")]])
        else:
            super().show_status()

    def _refresh_if_there(self) -> None:
        if self.is_mounted and self.is_attached:
            self.refresh_session()

    @on(Worker.StateChanged)
    def _worker_changed(self, event: Worker.StateChanged) -> None:
        if event.worker.group != "session" or not event.worker.is_finished:
            return
        self.show_status()
        self.refresh_bindings()
        if event.state is WorkerState.ERROR:
            self.app.notify(one_line(str(event.worker.error), 400), severity="error", timeout=20, markup=False)
            self.refresh_session()

    def refresh_session(self) -> None:
        super().refresh_session()
        if self.kit is None:
            return
        session = self.kit.journal.session
        bar = self.query_one(QuestionBar)
        bar.show(session.question)
        if session.question is not None and session.question.seq != self._shown_question:
            self._shown_question = session.question.seq
            self._put_in_view()
            self._answer_with_pending_edit()
        can = (session.phase, session.question, session.over, session.current)
        if can != self._could:  # a new footer is dear
            self._could = can
            self.refresh_bindings()

    def _put_in_view(self) -> None:
        """Where the eye should go: frames after a crash, checks after a bad verdict, code before a run."""
        subject = self.subject
        attempt = subject.attempt if subject is not None else None
        if attempt is None:
            return
        if attempt.status is None:
            self.bring_front("code")
        elif attempt.status != "ok":
            self.query_one(TracePane).choose("frames")
            self.bring_front("trace")
        elif attempt.verdict is not None and not attempt.verdict.ok:
            self.query_one(OutputPane).choose("checks")
            self.bring_front("output")

    # What the person does.

    @on(QueryPane.Submitted)
    def _query_submitted(self, event: QueryPane.Submitted) -> None:
        self.begin(event.text)

    @on(CodePane.Edited)
    def _code_edited(self, event: CodePane.Edited) -> None:
        self._pending_edit = event.code
        if not self._answer_with_pending_edit() and self.kit is not None and self.running:
            if self.kit.journal.session.mode is Mode.AUTO:
                self.kit.gate.set_mode(Mode.APPROVE)
            self.kit.gate.resume()
            self.app.notify("your program runs at the next step", markup=False)

    def _answer_with_pending_edit(self) -> bool:
        code = self._pending_edit
        question = self.query_one(QuestionBar).question
        if not code or question is None or "edit" not in question.choices:
            return False
        self._pending_edit = ""
        return self._give(Answer("edit", code=code))

    @on(QuestionBar.Hinted)
    def _hinted(self, event: QuestionBar.Hinted) -> None:
        self._give(Answer("hint", text=event.text))

    def _give(self, answer: Answer) -> bool:
        question = self.query_one(QuestionBar).question
        if self.kit is None or question is None:
            return False
        try:
            return self.kit.gate.answer(question.seq, answer)
        except BadAnswer as error:
            self.app.notify(str(error), severity="warning", markup=False)
            return False

    def action_answer(self, kind: str) -> None:
        bar = self.query_one(QuestionBar)
        if not bar.ready or bar.question is None or kind not in bar.question.choices:
            return
        match kind:
            case "edit":
                self.action_edit()
            case "hint":
                bar.ask_hint()
            case "rewind":
                self._give(Answer("rewind", target=self.query_one(AttemptsPane).highlighted))
            case _:
                self._give(Answer(kind))

    def action_edit(self) -> None:
        if self.subject is not None and self.subject.attempt is not None:
            self.bring_front("code")
            self.query_one(CodePane).begin_edit(self.subject.code())

    def action_pause(self) -> None:
        if self.kit is not None:
            self.kit.gate.pause()

    def action_resume(self) -> None:
        if self.kit is not None:
            self.kit.gate.resume()

    def action_mode(self) -> None:
        if self.kit is not None:
            now = self.kit.journal.session.mode
            self.kit.gate.set_mode(MODES[(MODES.index(now) + 1) % len(MODES)])

    def action_stop(self) -> None:
        if self._starting:
            self.workers.cancel_node(self)
        elif self.kit is not None:
            self.kit.gate.stop()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys do only what can be done now, and the footer shows only those."""
        running = self.running
        phase = self.kit.journal.session.phase if self.kit is not None else None
        match action:
            case "answer":
                question = self.query_one(QuestionBar).question if self.is_mounted else None
                return question is not None and parameters[0] in question.choices
            case "pause":
                return running and phase is not Phase.PAUSED
            case "resume":
                return running and phase in {Phase.PAUSED, Phase.PAUSING}
            case "mode":
                return running and self.kit is not None
            case "stop":
                return running
            case "edit":
                return running and self.subject is not None and self.subject.attempt is not None
        return True
