"""What a weak model adds to what the rules write: how it reads the request, and what it copies out of records."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

import msgspec

from scrapewright.loop import summaries
from scrapewright.loop.budget import Budget
from scrapewright.loop.gate import Gate
from scrapewright.loop.parts import Parts
from scrapewright.loop.ports import Advice, BadReply, Brief, ProgrammerUnavailable
from scrapewright.loop.recording import with_reply
from scrapewright.query.reading import Reading, differing
from scrapewright.query.summary import PART_NAMES
from scrapewright.session import events as ev
from scrapewright.session.journal import Journal


class Advising:
    """That of one session: each thing is asked once, before the first program that runs. Where no answer comes, or none
    of use, the rules go on without."""

    def __init__(self, parts: Parts, gate: Gate, journal: Journal, budget: Budget) -> None:
        self._parts, self._gate, self._journal, self._budget = parts, gate, journal, budget

    @property
    def wanted(self) -> bool:
        """Whether the model only advises: it was said to be weak, or turned out to be."""
        session = self._journal.session
        return self._parts.adviser is not None and (self._parts.programmer.author == "rules" or session.too_weak)

    async def read(self) -> None:
        """Adds to the reading what the model reads where the grammar left words of the request."""
        reading = self._journal.session.reading
        advice = await self._ask("reader", "reads the request", reading=reading)
        if advice is None or advice.reading is None or advice.reading == reading:
            return
        await self._journal.append(ev.ReadingChanged(reading=advice.reading, source="model"))
        parts = ", ".join(PART_NAMES[part] for part in differing(reading, advice.reading))
        await self._note(f"{advice.model} reads more of the request{f': {parts}' if parts else ''}", "info")

    async def copy(self, brief: Callable[[], Awaitable[Brief]]) -> bool:
        """Has the model copy the values of columns that are not certain. Whether there is something new by that."""
        return await self._ask("mapper", "copies values", brief=brief) is not None

    async def _ask(
        self, role: ev.Adviser, doing: str, *, reading: Reading | None = None,
        brief: Callable[[], Awaitable[Brief]] | None = None,
    ) -> Advice | None:  # fmt: skip
        adviser, session = self._parts.adviser, self._journal.session
        if adviser is None or not self.wanted or role in session.advice:
            return None
        if self._budget.exhausted:
            return None
        started = time.monotonic()

        async def ask() -> Advice | BadReply | ProgrammerUnavailable | None:
            self._journal.tick(ev.Progressed(attempt=session.current, what=f"{adviser.model} {doing}"))
            try:
                if reading is not None:
                    return await adviser.read(reading)
                assert brief is not None
                return await adviser.copy(await brief())
            except (BadReply, ProgrammerUnavailable) as error:
                return error

        found = await self._gate.step("write" if brief is not None else "survey", ask)
        if found is None:
            return None
        event = ev.Advised(attempt=session.current, role=role, model=adviser.model, seconds=time.monotonic() - started)
        if not isinstance(found, ProgrammerUnavailable):
            self._budget.spend(tokens=found.tokens, money=found.cost)
            event = await asyncio.to_thread(with_reply, event, found, self._parts.blobs)
        if isinstance(found, Advice):
            await self._journal.append(msgspec.structs.replace(event, copied=summaries.fit_in_event(found.copied)))
            return found
        problem = str(found)[: summaries.MESSAGE]
        await self._journal.append(msgspec.structs.replace(event, problem=problem))
        await self._note(f"{adviser.model} is of no help, the rules go on without: {problem}", "warning")
        return None

    async def _note(self, text: str, level: ev.NoteLevel) -> None:
        await self._journal.append(ev.Noted(attempt=self._journal.session.current, text=text[:2000], level=level))
