"""What the programmer is not sure of: asked before its first program, recorded as left open where nobody is there."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Literal

import msgspec

from scrapewright.loop import conditions, pages
from scrapewright.loop.advising import Advising
from scrapewright.loop.answers import Answer
from scrapewright.loop.gate import Gate
from scrapewright.loop.ports import Brief, NotUnderstood, Programmer
from scrapewright.loop.writing import Writing
from scrapewright.session import events as ev
from scrapewright.session.events import MAX_EVENT_BYTES
from scrapewright.session.journal import Journal
from scrapewright.session.questions import (
    QUESTIONS_AT_MOST,
    Decision,
    Question,
    best_guess,
    fitted,
    is_decided,
    with_decision,
)
from scrapewright.session.spending import in_words

HINT_NOTE = "hint: "
"""What the remark begins with that says why nothing came of a hint."""
ROOM = MAX_EVENT_BYTES * 7 // 8
"""Bytes that a question may take of the event that carries it."""


class Questions:
    """`brief` puts together what the programmer works from now; `attended`: somebody is there to answer."""

    def __init__(
        self, writing: Writing, advising: Advising, gate: Gate, journal: Journal, *,
        brief: Callable[[], Awaitable[Brief]], attended: Callable[[], bool],
    ) -> None:  # fmt: skip
        self._writing, self._advising = writing, advising
        self._gate = gate
        self._journal = journal
        self._brief = brief
        self._attended = attended

    @property
    def _programmer(self) -> Programmer:
        return self._writing.programmer

    async def ask(self) -> Answer | Literal["survey"] | None:
        """Asks one after the other, each with what was decided before it. None where the program can be written, else
        an answer that decides nothing (an edit, a hint), or "survey" where the page is to be looked at again, as more
        pages than one are wanted. Raises Stopped, Intervention.
        """
        session = self._journal.session
        written = any(attempt.code and not attempt.fails for attempt in session.attempts.values())
        if written and not session.asks_again:
            return None
        if await self._correct_reading():
            return "survey"
        await self._check_typed(session.decisions)
        while self._attended() and session.questions < QUESTIONS_AT_MOST:
            question = await self._gate.step("write", self._first_open)
            if (question is None or question.kind in {"column", "condition"}) and await self._advising.copy(
                self._brief
            ):
                question = await self._gate.step("write", self._first_open)
            if question is None:
                return None
            answer = await self._gate.choose(question, step="write")
            if answer.kind not in {"choose", "say", "go"}:
                return answer
            if answer.kind == "go" and question.kind == "condition" and not question.options:
                await self._journal.append_to_current(ev.LeftOpen(question=question))  # nothing was there to go by
            if answer.kind == "say":
                await self._check_typed(session.decisions[-1:])
            if await self._correct_reading():
                return "survey"
        await self._advising.copy(self._brief)
        await self._leave_open()
        return None

    async def priced(self, question: str) -> str:
        """A question whether the next program is to be written, with what that takes at least where it is known."""
        if not self._gate.wants_approval():
            return question
        least = await asyncio.to_thread(self._programmer.least_cost, await self._brief())
        if least is None:
            return question
        return f"{question} ({least.model}: at least {in_words(least.tokens, least.cost)})"

    async def take_hint(self, hint: str) -> bool:
        """Takes up what a hint decides. False where the programmer can make nothing of it, once that is said."""
        try:
            said = await asyncio.to_thread(self._programmer.read_hint, hint, await self._brief())
        except NotUnderstood as error:
            await self._journal.note(f"{HINT_NOTE}{error}", "warning")
            return False
        if said.decisions or said.reading:
            corrects = ev.Intervened(kind="correct", decisions=said.decisions, reading=said.reading)
            await self._journal.append_to_current(corrects)
        return True

    async def _check_typed(self, decisions: tuple[Decision, ...]) -> None:
        """Says where what a person typed can't be followed: the best guess is taken then."""
        typed = [decision for decision in decisions if decision.text and decision.kind != "pages"]
        brief = await self._brief() if typed else None
        for decision in typed:
            assert brief is not None
            if wrong := await asyncio.to_thread(self._programmer.understand, decision, brief):
                await self._journal.note(wrong, "warning")

    async def _first_open(self) -> Question | None:
        return await self._open_after(await self._brief(), self._journal.session.decisions)

    async def _leave_open(self) -> None:
        """Records what is undecided, each question as it is once the best guess is taken at those before it."""
        session = self._journal.session
        for question in await self._gate.step("write", self._all_open):
            if question not in session.left_open:
                await self._journal.append_to_current(ev.LeftOpen(question=question))
            query = conditions.with_columns(session.reading, (best_guess(question),), "grammar")
            if query != session.reading:  # the columns, which everything from here on refers to
                await self._journal.append_to_current(ev.ReadingChanged(reading=query))

    async def _all_open(self) -> list[Question]:
        brief, decisions = await self._brief(), self._journal.session.decisions
        found: list[Question] = []
        for _ in range(QUESTIONS_AT_MOST):
            question = await self._open_after(brief, decisions)
            if question is None:
                break
            refused = any((d.kind, d.column) == question.decides for d in decisions)
            if (question.withholds or question.kind == "pages") and not refused:
                found.append(question)
            decisions = with_decision(decisions, best_guess(question))
            reading = conditions.with_columns(brief.reading, decisions, "grammar")
            brief = msgspec.structs.replace(brief, reading=reading)
        return found

    async def _open_after(self, brief: Brief, decisions: tuple[Decision, ...]) -> Question | None:
        """What is to be asked first, small enough for an event; never what is decided. Pages come first: where more
        than one is wanted, records and columns are those that hold on the next page too.
        """
        question = pages.question(brief.reading, brief.survey)
        if question is None or is_decided(question, decisions):
            question = await self._programmer.question(msgspec.structs.replace(brief, decisions=decisions))
        if question is None or is_decided(question, decisions):
            return None
        return fitted(question, ROOM)

    async def _correct_reading(self) -> bool:
        """A decision about pages or a condition is a part of the reading, also where the session was cut off between
        the two. True where more pages than one are wanted now.
        """
        session = self._journal.session
        query = conditions.decided(pages.decided(session.reading, session.decisions), session.decisions)
        if query == session.reading:
            return False
        paged = query.pages != session.reading.pages
        await self._journal.append_to_current(ev.ReadingChanged(reading=query))
        return paged and query.paging in ("all", "count")
