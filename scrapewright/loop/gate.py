"""Lets a person control the loop: questions with tickets, answers, pause, resume, stop, and interventions."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from scrapewright.loop.answers import (
    OPTION_CHOICES,
    PHASE_CHOICES,
    Answer,
    BadAnswer,
    check_answer,
    unattended,
    undoing,
)
from scrapewright.loop.tasks import cancel_and_wait
from scrapewright.query.reading import Reading
from scrapewright.session import events as ev
from scrapewright.session.events import AnswerKind, Mode, Phase, QuestionKind
from scrapewright.session.journal import Blobs, Journal, put_text
from scrapewright.session.questions import Decision, Option, Question
from scrapewright.session.state import ACTIVE

T = TypeVar("T")


class Stopped(Exception):
    """The person stopped the session, or nobody is there any more whom it could ask; the message then says so."""


class Intervention(Exception):
    """The person intervened: it is recorded, and the state says how to go on. `corrects`: what rows are to be is said
    otherwise, so that attempts are counted anew."""

    def __init__(self, *, corrects: bool) -> None:
        super().__init__()
        self.corrects = corrects


class Gate:
    """Pauses the loop and asks questions. The loop awaits the answer, which a screen or a prompt gives.

    `waited` is the seconds spent waiting for a person; the budget's wall time leaves them out.
    """

    def __init__(self, journal: Journal, blobs: Blobs, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._journal = journal
        self._blobs = blobs
        self._clock = clock
        self._answer: asyncio.Future[Answer | None] | None = None
        self._stepped_in: list[Answer] = []
        self._recording = self._closed = False
        self._paused = False
        self._resume = asyncio.Event()
        self._interrupt = asyncio.Event()
        self._stop = self._cut = self._left = False
        self._skip_to_approval = False
        self._chosen: Mode | None = None
        self.waited = 0.0

    # What the person does. None of these block, and each is safe at any time.

    def answer(self, ticket: int, answer: Answer) -> bool:
        """False where the ticket is not that of the open question (stale, or a second answer): nothing happens then.

        Raises BadAnswer where the question does not take it.
        """
        question, future = self._journal.session.question, self._answer
        if question is None or future is None or future.done() or question.seq != ticket:
            return False
        self._check(answer, question)
        future.set_result(answer)
        return True

    def edit(self, code: str) -> bool:
        """Runs the person's program next, at whatever moment: as the answer where the open question takes one, else
        the step in hand is interrupted and an open question is dropped. Resumes what is paused.

        False where the session is over. Raises BadAnswer.
        """
        return self.intervene(Answer("edit", code=code))

    def correct(self, decisions: tuple[Decision, ...], reading: Reading | None = None) -> bool:
        """As `edit`: the next program is written with the decisions and by the reading, which then apply to all
        that follow."""
        return self.intervene(Answer("correct", decisions=decisions, reading=reading))

    def undo(self) -> bool:
        """As `edit`: takes the last refusal, acceptance, rewind, correction or answer back, and goes on before it."""
        return self.intervene(undoing(self._journal.session))

    def rewind(self, attempt: int) -> bool:
        """As `edit`, for going back to an attempt. What is paused stays paused."""
        return self.intervene(Answer("rewind", target=attempt))

    def hint(self, text: str) -> bool:
        """As `edit`, but interrupts nothing: a hint outside a question is kept for the next program."""
        return self.intervene(Answer("hint", text=text))

    def intervene(self, answer: Answer) -> bool:
        """One of the five above."""
        taken = self._take_up(answer)
        if taken and answer.kind in {"edit", "correct", "undo"}:
            self.resume()
        return taken

    async def reopen(self, answer: Answer) -> None:
        """Goes on in a session that is over with what the person does in it, `go` being only more attempts. It is one
        event: no session is ever open again with nothing to do. Raises BadAnswer."""
        self._check(answer)
        await self._record(answer)

    async def taken_up(self) -> None:
        """Returns when what the person did is recorded, and once a session that takes nothing more is over: what they
        do next is then said of the state that it has led to."""

        def waits() -> bool:
            return not self._journal.session.over and bool(self._stepped_in or self._recording or self._closed)

        if waits():
            async for _ in self._journal.follow(since=len(self._journal.events)):
                if not waits():
                    return

    def pause(self) -> None:
        """Takes effect at the next step boundary; a second call interrupts the running step."""
        if self._stop:
            return
        if self._paused:
            self._journal.post(ev.PauseAsked(attempt=self._attempt, kill=True))
            self._interrupt.set()
            return
        self._paused = True
        self._resume.clear()
        self._journal.post(ev.PauseAsked(attempt=self._attempt))

    def resume(self) -> None:
        """Goes on. Nothing happens where nothing is paused."""
        if not self._paused:
            return
        self._paused = False
        self._journal.post(ev.Resumed(attempt=self._attempt))
        self._resume.set()

    def stop(self) -> None:
        """Ends the session: the running step is cancelled at once."""
        self._end(Answer("stop"))

    def cut_off(self) -> None:
        """As `stop`, but nothing is recorded: the session can be continued later."""
        self._cut = True
        self._end(None)

    def leave(self) -> None:
        """Nobody is there any more. An open question about records, columns or pages goes on with the best guess and
        stays undecided, a host is not allowed, and any other question ends the session, as the next one will.
        """
        self._left = True
        if (question := self._journal.session.question) is not None:
            self._settle(unattended(question.kind))

    def set_mode(self, mode: Mode) -> None:
        """From the next boundary on. An open question stays open."""
        self._chosen = mode
        self._journal.post(ev.ModeChanged(attempt=self._attempt, mode=mode))

    # What the loop does.

    async def step(
        self, step: ev.Step, work: Callable[[], Awaitable[T]], killed: Callable[[], Awaitable[object]] | None = None
    ) -> T:
        """Runs a step, letting a pause hold it back and a second pause kill it (it then runs again on resume). Once it
        is killed by that, or by a stop, `killed` keeps what is worth it.

        Raises Stopped, Intervention. Cancelling cancels the step first.
        """
        while True:
            await self._boundary(step)
            if self.stopping():
                raise Stopped
            if self._takes_over(step):
                continue
            self._interrupt.clear()
            task = asyncio.ensure_future(work())
            interrupt = asyncio.ensure_future(self._interrupt.wait())
            try:
                await asyncio.wait({task, interrupt}, return_when=asyncio.FIRST_COMPLETED)
                if task.done():
                    return task.result()
            finally:
                await cancel_and_wait(interrupt)
                await cancel_and_wait(task)
            if self._cut:
                raise Stopped
            if self._stop:
                reason = "stopped"
            elif self._stepped_in:
                reason = _REASONS[self._stepped_in[-1].kind]
            else:
                reason = "paused a second time"
            if killed is not None and not self._stepped_in:
                await killed()
            await self._journal.append(ev.StepInterrupted(attempt=self._attempt, step=step, reason=reason))

    async def ask(
        self, kind: QuestionKind, prompt: str, choices: tuple[AnswerKind, ...], *, step: ev.Step | None = None,
        code: str = "", host: str = "", column: str = "", options: tuple[Option, ...] = (), phrase: str = "",
    ) -> Answer:  # fmt: skip
        """Puts a question and waits. To accept is no choice where there are no rows. Raises Stopped where the answer is
        stop, Intervention where it was dropped."""
        await self._boundary()
        if self.stopping():
            raise Stopped
        session = self._journal.session
        if session.attempt is None or not session.attempt.has_rows:
            choices = tuple(choice for choice in choices if choice != "accept")
        back = session.phase
        await self._journal.append(ev.PhaseChanged(attempt=self._attempt, phase=Phase.WAITING, step=step))
        # There before the question is published: an answer may come at once.
        future: asyncio.Future[Answer | None] = asyncio.get_running_loop().create_future()
        self._answer = future
        started = self._clock()
        try:
            asked = await self._journal.append(
                ev.Asked(
                    attempt=self._attempt,
                    kind=kind,
                    step=step,
                    prompt=prompt,
                    choices=choices,
                    code=code,
                    host=host,
                    column=column,
                    options=options,
                    phrase=phrase,
                )
            )
            if self.stopping():
                self._settle(None if self._cut else Answer("stop"))
            elif self._stepped_in:
                self._settle(None)
            elif self.left:
                self._settle(unattended(kind))
            answer = await future
        finally:
            self.waited += self._clock() - started
            self._answer = None
        if answer is None:
            await self.raise_intervention()
            raise Stopped  # what was said is gone, which only a stop can do
        await self._journal.append(
            ev.Answered(
                attempt=asked.attempt, ticket=asked.seq, answer=answer.kind, code=await self._blob(answer),
                text=answer.text, target=answer.target, option=answer.option, unattended=answer.unattended,
            )
        )  # fmt: skip
        if answer.kind == "stop":
            raise Stopped(_NOBODY if answer.unattended else "")
        await self._boundary()
        if answer.kind == "iterate":
            self._skip_to_approval = True
        if back in ACTIVE and session.phase is Phase.WAITING and answer.kind != "rewind":
            await self._journal.append(ev.PhaseChanged(attempt=self._attempt, phase=back, step=step))
        return answer

    async def choose(self, question: Question, *, step: ev.Step) -> Answer:
        """Puts a question about records, columns or pages, which fits into an event. Raises as `ask`."""
        return await self.ask(
            question.kind,
            question.prompt,
            OPTION_CHOICES,
            step=step,
            column=question.column,
            options=question.options,
            phrase=question.phrase,
        )

    async def after_phase(self, step: ev.Step, prompt: str) -> Answer | None:
        """Step mode asks after every phase, unless "next iteration" was answered. None means go on."""
        if self._mode is not Mode.STEP or self._skip_to_approval:
            return None
        answer = await self.ask("phase", prompt, PHASE_CHOICES, step=step)
        return None if answer.kind in {"go", "iterate"} else answer

    def wants_approval(self) -> bool:
        """Whether a person is asked about each run and each retry."""
        return self._mode is not Mode.AUTO

    async def approve(
        self, kind: QuestionKind, prompt: str, choices: tuple[AnswerKind, ...], *, step: ev.Step, code: str = ""
    ) -> Answer:
        """Asks about a run or a retry, which ends a "next iteration"; in step mode another may begin with it.

        Raises as `ask`.
        """
        self._skip_to_approval = False
        if self._mode is Mode.STEP:
            choices = ("go", "iterate", *choices[1:])
        answer = await self.ask(kind, prompt, choices, step=step, code=code)
        return Answer("go") if answer.kind == "iterate" else answer

    async def raise_intervention(self, *, last: bool = False) -> None:
        """Raises Intervention where the person stepped in; all that they did is recorded first, in its order. After the
        `last`, nobody can."""
        corrects = False
        taken = self._recording = bool(self._stepped_in)
        try:
            while self._stepped_in:
                corrects = corrects or self._stepped_in[0].kind in {"correct", "undo"}
                await self._record(self._stepped_in.pop(0))
        finally:
            self._recording = False
        if taken:
            raise Intervention(corrects=corrects)
        self._closed = self._closed or last

    async def _record(self, answer: Answer) -> None:
        assert answer.kind in {*_REASONS, "hint", "go"}
        await self._journal.append(
            ev.Intervened(
                attempt=self._attempt, kind=answer.kind,  # type: ignore[arg-type]  # just asserted
                code=await self._blob(answer), text=answer.text, target=answer.target, decisions=answer.decisions,
                reading=answer.reading,
            )
        )  # fmt: skip

    def close(self) -> None:
        """Answers and interventions are ignored from now on."""
        self._closed = True

    def stopping(self) -> bool:
        """A method, not an attribute: it changes across an await."""
        return self._stop

    @property
    def asks(self) -> bool:
        """An answer is waited for. What was asked when a session was cut off is no question until it is put again."""
        return self._answer is not None

    @property
    def left(self) -> bool:
        """Nobody is there any more to be asked."""
        return self._left

    @property
    def was_cut_off(self) -> bool:
        return self._cut

    @property
    def _mode(self) -> Mode:
        """What was chosen last: the journal may not have come to it yet."""
        return self._chosen or self._journal.session.mode

    @property
    def _attempt(self) -> int:
        return self._journal.session.current

    def _is_paused(self) -> bool:
        return self._paused

    def _check(self, answer: Answer, question: ev.Asked | None = None) -> None:
        """Raises BadAnswer."""
        check_answer(answer, question)
        session = self._journal.session
        if answer.kind == "rewind" and answer.target not in session.attempts:
            raise BadAnswer(f"there is no attempt {answer.target}")
        if answer.kind == "undo":
            waiting = sum({"correct": 1, "undo": -1}.get(one.kind, 0) for one in self._stepped_in)
            if len(session.corrections) + (session.undoes == "acceptance") + waiting <= 0:
                raise BadAnswer("there is nothing to undo")

    def _take_up(self, answer: Answer) -> bool:
        session = self._journal.session
        self._check(answer)
        if self._stop or self._closed or session.over:
            return False
        question = session.question
        if question is not None and answer.kind in question.choices and self.answer(question.seq, answer):
            return True
        if answer.kind == "hint":
            self._journal.post(ev.Intervened(attempt=self._attempt, kind="hint", text=answer.text))
            return True
        self._stepped_in.append(answer)
        self._settle(None)
        if session.survey or session.attempts:  # without a survey nothing can be judged or repaired
            self._interrupt.set()
            self._resume.set()
        return True

    def _takes_over(self, step: ev.Step | None) -> bool:
        return bool(self._stepped_in) and step != "survey"

    def _end(self, answer: Answer | None) -> None:
        self._stop = True
        self._interrupt.set()
        self._resume.set()
        self._settle(answer)

    def _settle(self, answer: Answer | None) -> None:
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(answer)

    async def _blob(self, answer: Answer) -> str:
        return await asyncio.to_thread(put_text, self._blobs, answer.code) if answer.code else ""

    async def _boundary(self, step: ev.Step | None = None) -> None:
        """Hears who stepped in, then waits while it is paused."""
        while True:
            if self._takes_over(step) and not self.stopping():
                await self.raise_intervention()
            if not self._paused or self.stopping():
                return
            await self._journal.flush()
            session = self._journal.session
            if session.phase is not Phase.PAUSED:
                paused = ev.PhaseChanged(attempt=self._attempt, phase=Phase.PAUSED, step=session.step)
                await self._journal.append(paused)
            started = self._clock()
            while self._is_paused() and not self.stopping() and not self._takes_over(step):
                self._resume.clear()
                await self._resume.wait()
            self.waited += self._clock() - started
            await self._journal.flush()


_NOBODY = "nobody is there any more to answer"
_REASONS = {
    "edit": "edited by hand", "rewind": "rewound by hand", "correct": "a column was corrected",
    "undo": "a decision was taken back",
}  # fmt: skip
