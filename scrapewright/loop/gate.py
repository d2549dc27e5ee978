"""Where the person and the loop meet: questions with tickets, answers, pause, resume, stop."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

import msgspec

from scrapewright.session import events as ev
from scrapewright.session.events import AnswerKind, Mode, Phase, QuestionKind
from scrapewright.session.journal import Blobs, Journal
from scrapewright.session.state import ACTIVE

T = TypeVar("T")

RUN_CHOICES: tuple[AnswerKind, ...] = ("go", "edit", "hint", "refuse", "rewind", "stop")
REFUSED_CHOICES: tuple[AnswerKind, ...] = ("hint", "edit", "rewind", "stop")
RETRY_CHOICES: tuple[AnswerKind, ...] = ("go", "edit", "hint", "retry", "accept", "rewind", "stop")
PHASE_CHOICES: tuple[AnswerKind, ...] = ("go", "iterate", "edit", "hint", "rewind", "stop")
TEXT_AT_MOST = 4_000
HOST_CHOICES: tuple[AnswerKind, ...] = ("allow-once", "allow", "deny", "stop")


class Stopped(Exception):
    """The person stopped the session."""


class Answer(msgspec.Struct, frozen=True):
    """What the person says. `code` is the whole program (edit), `text` a hint, `target` an attempt (rewind)."""

    kind: AnswerKind
    code: str = ""
    text: str = ""
    target: int = 0


class BadAnswer(ValueError):
    """An answer that the open question does not take; the message says which it takes."""


class Gate:
    """Pauses the loop and asks. The loop awaits; a screen, or nobody, answers.

    `waited` is the seconds spent waiting for a person; the budget's wall time leaves them out.
    """

    def __init__(self, journal: Journal, blobs: Blobs, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._journal = journal
        self._blobs = blobs
        self._clock = clock
        self._answer: asyncio.Future[Answer] | None = None
        self._paused = False
        self._resume = asyncio.Event()
        self._interrupt = asyncio.Event()
        self._stop = False
        self._skip_to_approval = False
        self.waited = 0.0

    # What the person does. None of these block, and each is safe at any time.

    def answer(self, ticket: int, answer: Answer) -> bool:
        """False where the ticket is not that of the open question (stale, or a second answer): nothing happens then.

        Raises BadAnswer where the question does not take it.
        """
        question, future = self._journal.session.question, self._answer
        if question is None or future is None or future.done() or question.seq != ticket:
            return False
        if answer.kind not in question.choices:
            raise BadAnswer(f"this question takes {', '.join(question.choices)}, not {answer.kind}")
        if answer.kind == "edit" and not answer.code.strip():
            raise BadAnswer("an edit needs a program")
        if answer.kind == "hint" and not answer.text.strip():
            raise BadAnswer("a hint needs some words")
        if len(answer.text) > TEXT_AT_MOST:
            raise BadAnswer(f"{TEXT_AT_MOST} characters are the most that an answer may have")
        if answer.kind == "rewind" and answer.target not in self._journal.session.attempts:
            raise BadAnswer(f"there is no attempt {answer.target}")
        future.set_result(answer)
        return True

    def pause(self) -> None:
        """Takes effect at the next step boundary; asked a second time it interrupts the step in hand."""
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
        """Ends the session: the step in hand is cancelled at once."""
        self._stop = True
        self._interrupt.set()
        self._resume.set()
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(Answer("stop"))

    def set_mode(self, mode: Mode) -> None:
        """From the next boundary on. Switching to auto answers the open question of a phase with `go`."""
        self._journal.post(ev.ModeChanged(attempt=self._attempt, mode=mode))
        question, future = self._journal.session.question, self._answer
        if mode is Mode.AUTO and question is not None and question.kind == "phase" and future and not future.done():
            future.set_result(Answer("go"))

    # What the loop does.

    async def step(self, step: ev.Step, work: Callable[[], Awaitable[T]]) -> T:
        """Runs a step, letting a pause hold it back and a second pause kill it (it then runs again on resume).

        Raises Stopped. Cancelling cancels the step first.
        """
        while True:
            await self._boundary()
            self._interrupt.clear()
            if self.stopping():
                raise Stopped
            task = asyncio.ensure_future(work())
            interrupt = asyncio.ensure_future(self._interrupt.wait())
            try:
                await asyncio.wait({task, interrupt}, return_when=asyncio.FIRST_COMPLETED)
                if task.done():
                    return task.result()
            finally:
                await _cancelled(interrupt)
                await _cancelled(task)
            reason = "stopped" if self._stop else "paused a second time"
            await self._journal.append(ev.StepInterrupted(attempt=self._attempt, step=step, reason=reason))

    async def ask(
        self, kind: QuestionKind, prompt: str, choices: tuple[AnswerKind, ...], *, step: ev.Step | None = None,
        code: str = "", host: str = "",
    ) -> Answer:  # fmt: skip
        """Puts a question and waits. Raises Stopped where the answer is stop."""
        await self._boundary()
        if self.stopping():
            raise Stopped
        session = self._journal.session
        back = session.phase
        await self._journal.append(ev.PhaseChanged(attempt=self._attempt, phase=Phase.WAITING, step=step))
        # There before the question is published: an answer may come at once.
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
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
                )
            )
            if self.stopping() and not future.done():
                future.set_result(Answer("stop"))
            answer = await future
        finally:
            self.waited += self._clock() - started
            self._answer = None
        blob = (
            await asyncio.to_thread(self._blobs.put, answer.code.encode("utf-8", "surrogatepass"))
            if answer.code
            else ""
        )
        await self._journal.append(
            ev.Answered(
                attempt=asked.attempt, ticket=asked.seq, answer=answer.kind, code=blob, text=answer.text,
                target=answer.target,
            )
        )  # fmt: skip
        if answer.kind == "stop":
            raise Stopped
        await self._boundary()
        if answer.kind == "iterate":
            self._skip_to_approval = True
        if back in ACTIVE and session.phase is Phase.WAITING:
            await self._journal.append(ev.PhaseChanged(attempt=self._attempt, phase=back, step=step))
        return answer

    async def after_phase(self, step: ev.Step, prompt: str) -> Answer | None:
        """Step mode asks after every phase, unless "next iteration" was answered. None means go on."""
        if self._journal.session.mode is not Mode.STEP or self._skip_to_approval:
            return None
        answer = await self.ask("phase", prompt, PHASE_CHOICES, step=step)
        return None if answer.kind in {"go", "iterate"} else answer

    def wants_approval(self) -> bool:
        """Whether a run or a retry must be approved now. Ends a "next iteration"."""
        self._skip_to_approval = False
        return self._journal.session.mode is not Mode.AUTO

    def stopping(self) -> bool:
        """A method, not an attribute: it changes across an await."""
        return self._stop

    @property
    def _attempt(self) -> int:
        return self._journal.session.current

    def _is_paused(self) -> bool:
        return self._paused

    async def _boundary(self) -> None:
        if not self._paused or self.stopping():
            return
        await self._journal.flush()
        session = self._journal.session
        if session.phase is not Phase.PAUSED:
            await self._journal.append(ev.PhaseChanged(attempt=self._attempt, phase=Phase.PAUSED, step=session.step))
        started = self._clock()
        while self._is_paused() and not self.stopping():
            self._resume.clear()
            await self._resume.wait()
        self.waited += self._clock() - started
        await self._journal.flush()


async def _cancelled(task: asyncio.Future[T]) -> None:
    """Ends a task and waits for its end, whatever that is."""
    if not task.done():
        task.cancel()
        await asyncio.wait({task})
    if not task.cancelled():
        task.exception()
