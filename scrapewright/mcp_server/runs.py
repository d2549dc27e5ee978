"""Sessions under way, which a client follows from call to call: each goes on until it asks something or is over."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import aclosing, suppress
from pathlib import Path
from types import TracebackType
from typing import Any

from scrapewright.api.answers import Question, answer_of
from scrapewright.api.client import AsyncScrapewright
from scrapewright.errors import UsageError
from scrapewright.loop.answers import Answer, check_answer
from scrapewright.loop.tasks import cancel_and_wait, run_to_completion
from scrapewright.session import events as ev
from scrapewright.session.sanitize import one_line

AT_MOST = 8
"""Sessions that run or wait for an answer."""


class Run:
    """One session. `question` is what it waits for an answer to, None while it runs; `refused` are hosts that it was
    not allowed to reach. Its files go to a new folder, which is removed where there are none."""

    def __init__(self, client: AsyncScrapewright, request: str, **given: Any) -> None:
        """Starts it. Raises UsageError."""
        self.session = ""
        self._folder = Path(tempfile.mkdtemp(prefix="scrapewright-"))
        self.question: Question | None = None
        self.refused: list[str] = []
        try:
            self._events = client.stream(request, answer=self._ask, out=self._folder, **given)
        except UsageError:
            self._folder.rmdir()
            raise
        self._news: asyncio.Queue[str | Question | None] = asyncio.Queue()
        self._reply: asyncio.Future[Answer] | None = None
        self.task = asyncio.create_task(self._follow(), name="mcp run")

    async def next(self, report: Callable[[str], Awaitable[None]]) -> Question | None:
        """What it asks, None where it is over; `report` is given lines about what it does until then. Raises what ended
        it, as `AsyncScrapewright.stream`."""
        while isinstance(news := await self._news.get(), str):
            await report(news)
        if news is None:
            await self.task
        return news

    def answer(self, reply: str, text: str = "") -> None:
        """`reply` as the Python API takes it; `text` for a hint, or the whole program for edit. Raises UsageError
        where the question does not take it, or there is none."""
        if self.question is None or self._reply is None or self._reply.done():
            raise UsageError(f"session {self.session} asks nothing now")
        answer = answer_of(self.question, reply)
        if answer.kind in {"hint", "edit"}:
            answer = Answer("hint", text=text) if answer.kind == "hint" else Answer("edit", code=text)
        if answer.kind == "rewind":
            raise UsageError("going back to an attempt is not possible here")
        check_answer(answer, self.question)
        if self.question.kind == "host" and answer.kind not in {"allow", "allow-once"}:
            self.refused.append(self.question.host)
        self.question = None
        self._reply.set_result(answer)

    async def _ask(self, question: Question) -> Answer:
        self._reply = asyncio.get_running_loop().create_future()
        self.question = question
        self._news.put_nowait(question)
        return await self._reply

    async def _follow(self) -> None:
        try:
            async with aclosing(self._events) as events:
                async for event in events:
                    if isinstance(event, ev.SessionStarted):
                        self.session = event.session
                    if isinstance(event, ev.Event) and (text := progress(event)):
                        self._news.put_nowait(text)
        finally:
            self.question = None
            self._news.put_nowait(None)
            self._clean()

    def _clean(self) -> None:
        with suppress(OSError):  # there are results in it
            self._folder.rmdir()


class Runs:
    """All sessions of a server, by id. Left, it stops those that are not over, which keep what they have done."""

    def __init__(self) -> None:
        self._runs: list[Run] = []

    def start(self, client: AsyncScrapewright, request: str, **given: Any) -> Run:
        """Raises UsageError."""
        self._runs = [run for run in self._runs if not run.task.done()]
        if len(self._runs) >= AT_MOST:
            waiting = ", ".join(run.session for run in self._runs if run.question is not None)
            asks = f"; answer {waiting}, or answer stop" if waiting else ""
            raise UsageError(f"{len(self._runs)} sessions are not over, the most that may be{asks}")
        run = Run(client, request, **given)
        self._runs.append(run)
        return run

    def get(self, session: str) -> Run:
        """Raises UsageError where there is none that is not over."""
        for run in self._runs:
            if run.session == session and not run.task.done():
                return run
        raise UsageError(f"no session {session!r} waits for an answer here")

    async def __aenter__(self) -> Runs:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await run_to_completion(asyncio.gather(*(cancel_and_wait(run.task) for run in self._runs)))


def progress(event: ev.Event) -> str:
    """A line about what happened, empty where it is of no concern to somebody who waits for the rows."""
    text = ""
    match event:
        case ev.SessionStarted():
            text = f"session {event.session}"
        case ev.PhaseChanged():
            text = _PHASES.get(event.phase, "")
        case ev.Surveyed():
            text = next(iter(event.summary), "")
        case ev.CodeWritten():
            text = f"attempt {event.attempt} by {event.author}: {event.lines} lines. {event.diagnosis}"
        case ev.RunFinished():
            error = f": {event.exception.type}: {event.exception.message}" if event.exception else ""
            text = f"attempt {event.attempt} ended: {event.status}{error}"
        case ev.Judged():
            text = (
                f"attempt {event.attempt}: {'right' if event.verdict.ok else 'falls short'}, {event.verdict.rows} rows"
            )
        case ev.Noted():
            text = event.text
    return one_line(text, 300)


_PHASES = {
    ev.Phase.SURVEYING: "looking at the page",
    ev.Phase.WRITING: "writing a program",
    ev.Phase.RUNNING: "running it",
    ev.Phase.JUDGING: "judging the rows",
}
