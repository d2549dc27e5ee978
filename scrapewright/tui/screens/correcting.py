"""What a person says of a session's rows: a column that is wrong, a selector, a hint; at work and once it is over."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from textual import on, work
from textual.binding import Binding

from scrapewright.loop.answers import Answer, BadAnswer, check_answer, undoing
from scrapewright.loop.gate import Gate
from scrapewright.loop.pages import why_no_more
from scrapewright.loop.ports import NotUnderstood, Preview, Row
from scrapewright.query.correct import corrected
from scrapewright.session import events as ev
from scrapewright.session.sanitize import one_line
from scrapewright.session.state import Session
from scrapewright.tui.panes.output import OutputPane
from scrapewright.tui.panes.page import PagePane
from scrapewright.tui.screens.correct import CorrectScreen, PointAt
from scrapewright.tui.screens.session import SessionScreen
from scrapewright.tui.session_spec import SessionSpec
from scrapewright.tui.widgets.questionbar import QuestionBar

if TYPE_CHECKING:
    from scrapewright.loop.corrections import Corrections
    from scrapewright.loop.handle import SessionHandle


class CorrectingScreen(SessionScreen):
    """A session that is over is reopened for what is said; what is not understood is shown, and costs nothing."""

    _spec: SessionSpec
    handle: SessionHandle | None

    @abstractmethod
    def begin(self, spec: SessionSpec) -> None: ...

    @property
    @abstractmethod
    def running(self) -> bool: ...

    @abstractmethod
    async def taken_up(self) -> None: ...

    @property
    @abstractmethod
    def _question(self) -> ev.Asked | None: ...

    @property
    @abstractmethod
    def _idle(self) -> str: ...

    @property
    def spec(self) -> SessionSpec:
        """What was asked for last."""
        return self._spec

    @property
    def ended(self) -> Session | None:
        """The session that is over and can be reopened."""
        handle = self.handle
        return handle.journal.session if handle is not None and not self.running and self.view_state else None

    def go_on(self, what: str, act: Answer) -> bool:
        """What the person does at any time: in a session at work through its gate, in one that is over by going on in
        it. False where it can't be done, which is then shown."""
        if (session := self.ended) is None:
            return self.step_in(what, lambda gate: gate.intervene(act))
        try:
            check_answer(act)
        except BadAnswer as error:
            self.say(f"{what}: {one_line(str(error), 300)}")
            return False
        self.begin(replace(self._spec, text=session.text, resume=session.id, act=act))
        return True

    def step_in(self, what: str, act: Callable[[Gate], bool]) -> bool:
        """Does it through the gate. Where the gate does not take it, that is shown with the reason."""
        wrong = self._idle
        if self.handle is not None:
            try:
                if act(self.handle.gate):
                    return True
            except BadAnswer as error:
                wrong = one_line(str(error), 300)
        self.say(f"{what}: {wrong}")
        return False

    # A column that is wrong.

    def action_correct(self, column: str = "") -> None:
        """`column` is the one that is pointed at in the page; without it the person says which it is. What the cursor
        is on in the page is proposed."""
        output, page = self.query_one(OutputPane), self.query_one(PagePane)
        pointed = page.selector_here if self.pane_of(self.focused) is page else ""
        column = column or page.pointing
        page.action_point()
        screen = CorrectScreen(
            self._what_to_correct, column or output.named_column, pointed=pointed, known=bool(column)
        )
        self.app.push_screen(screen, self._corrected)

    async def _what_to_correct(self) -> tuple[Corrections, Sequence[Row]] | None:
        """What can be corrected, once what the person did before is shown; None where there is nothing."""
        await self.taken_up()
        rows = await asyncio.to_thread(self.query_one(OutputPane).read_rows)
        if rows and self._corrections is not None:
            return self._corrections, rows
        self.say("Correct: there are no rows here")
        return None

    @on(PagePane.Pointed)
    def _pointed(self, event: PagePane.Pointed) -> None:
        self.action_correct(event.column)

    def _corrected(self, taken: Preview | PointAt | None) -> None:
        if isinstance(taken, PointAt):
            self.query_one(PagePane).action_point(taken.column)
            self.action_pane("page")
            return
        if taken is None or not (taken.decisions or taken.reading):
            return
        act = Answer("correct", decisions=taken.decisions, reading=taken.reading)
        if self.go_on("Correct", act):
            key = self.app._keymap.get("undo", "u").partition(",")[0].strip()
            undo = self.app.get_key_display(Binding(key, "", ""))
            columns = dict.fromkeys(decision.column for decision in taken.decisions if decision.column)
            said = f"{one_line(next(iter(columns)), 60)} is corrected" if len(columns) == 1 else "it is corrected"
            self.say(f"{said}; {undo} undoes it")

    def action_all_pages(self) -> None:
        """As a correction: the request is read so from here on."""
        if self.view_state is not None:
            reading = corrected(self.view_state.session.reading, "pages", "all")
            self.go_on("All pages", Answer("correct", reading=reading))

    @work(group="undo", exit_on_error=False)
    async def action_undo(self) -> None:
        """The last refusal, acceptance, rewind, correction or answer."""
        await self.taken_up()
        if self.view_state is not None:
            self.go_on("Undo", undoing(self.view_state.session))

    @property
    def _programmer(self) -> str:
        """Who writes the next program."""
        if self._spec.writer is not None:
            return self._spec.writer.programmer
        return self.view_state.session.programmer if self.view_state is not None else ""

    @property
    def _corrections(self) -> Corrections | None:
        return self.handle.corrections if self.handle is not None else None

    @work(group="correction", exclusive=True, exit_on_error=False)
    async def _correct(self, what: str, say: Callable[[Sequence[Row]], Awaitable[Preview]]) -> None:
        """By what was said of the rows."""
        await self.taken_up()
        rows = await asyncio.to_thread(self.query_one(OutputPane).read_rows)
        try:
            taken = await say(rows)
            if self._corrections is not None:
                self._corrections.check(taken)
            self._corrected(taken)
        except NotUnderstood as error:
            said = one_line(f"{what}: {error}", 400)
            if not self.query_one(QuestionBar).remark(said):
                self.say(said)

    def why_no_selector(self, column: str) -> str:
        """A selector decides the open question about the records or the column; where there are rows it corrects it."""
        question = self._question
        if question is not None and question.kind == "group":
            return "" if not column else "the session asks which the records are now"
        if not column:
            return "nobody asks for the records"
        if question is not None and question.kind == "column" and not question.phrase:
            return "" if question.column == column else f"the session asks about {question.column} now"
        if self.view_state is None or self._corrections is None:
            return self._idle
        return "" if self.view_state.session.attempts else "there is no program yet that could be corrected"

    @on(PagePane.Taken)
    def _selector_taken(self, event: PagePane.Taken) -> None:
        question, corrections = self._question, self._corrections
        if wrong := self.why_no_selector(event.column):
            self.app.copy_to_clipboard(event.selector)
            self.say(f"{event.column or 'the records'}: {event.selector}: {wrong}")
        elif question is not None and question.kind in {"group", "column"} and not question.phrase:
            self.step_in("Answer", lambda gate: gate.answer(question.seq, Answer("say", text=event.selector)))
        elif corrections is not None:
            self._correct(
                "Selector",
                partial(corrections.preview, corrections.typed_place(event.column, event.selector, how="selector")),
            )

    # Hints.

    @on(QuestionBar.Hinted)
    def _hinted(self, event: QuestionBar.Hinted) -> None:
        asked, corrections = self.query_one(QuestionBar).question, self._corrections
        session = self.view_state.session if self.view_state is not None else None
        if event.answers:
            if asked is not None:
                self._say(asked, event.text)
        elif corrections is not None and session is not None and self._programmer == "rules":
            self._correct("Hint", partial(corrections.read_hint, event.text))
        elif self.go_on("Hint", Answer("hint", text=event.text)) and (asked is None or "hint" not in asked.choices):
            self.say("kept for the next program")

    @work(group="answer", exclusive=True, exit_on_error=False)
    async def _say(self, asked: ev.Asked, said: str) -> None:
        """What can't be followed on the page is said, and can be put right: nothing is answered by it."""
        if self._corrections is not None:
            try:
                await self._corrections.check_said(asked, said)
            except NotUnderstood as error:
                bar = self.query_one(QuestionBar)
                if bar.question is not None and bar.question.seq == asked.seq:
                    bar.ask_hint(answers=True, text=said)
                    bar.remark(one_line(str(error), 400))
                return
        self.step_in("Answer", lambda gate: gate.answer(asked.seq, Answer("say", text=said)))

    def hindrance(self, action: str, parameters: tuple[object, ...]) -> str:
        if action == "correct":
            return "" if self.query_one(OutputPane).artifacts else "there are no rows yet"
        if action == "undo":
            session = self.view_state.session if self.view_state is not None else None
            return "" if session is not None and session.undoes else "there is nothing to undo"
        if action == "all_pages":
            shown = self.view_state
            return why_no_more(shown.session.reading, shown.survey()) if shown is not None else self._idle
        return super().hindrance(action, parameters)
