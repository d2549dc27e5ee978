"""What a weak model adds to what the rules write: how it reads the request, and what it copies out of records."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import msgspec

from scrapewright.loop import summaries
from scrapewright.loop.asking import Asking
from scrapewright.loop.budget import Budget
from scrapewright.loop.gate import Gate
from scrapewright.loop.parts import Parts
from scrapewright.loop.ports import Advice, Adviser, Brief
from scrapewright.query.reading import differing
from scrapewright.query.summary import PART_NAMES
from scrapewright.session import events as ev
from scrapewright.session.journal import Journal


class Advising:
    """That of one session: each thing is asked once, before the first program that runs. Where no answer comes, or none
    of use, the rules go on without."""

    def __init__(self, parts: Parts, gate: Gate, journal: Journal, budget: Budget) -> None:
        self._parts, self._journal, self._budget = parts, journal, budget
        self._asking = Asking(parts, gate, journal, budget)

    @property
    def wanted(self) -> bool:
        """Whether the model only advises: it was said to be weak, or turned out to be."""
        session = self._journal.session
        return self._parts.adviser is not None and (self._parts.programmer.author == "rules" or session.too_weak)

    async def read(self) -> None:
        """Adds to the reading what the model reads where the grammar left words of the request."""
        reading = self._journal.session.reading
        advice = await self._ask("reader", "survey", "reads the request", lambda adviser: adviser.read(reading))
        if advice is None or advice.reading is None or advice.reading == reading:
            return
        await self._journal.append(ev.ReadingChanged(reading=advice.reading, source="model"))
        parts = ", ".join(PART_NAMES[part] for part in differing(reading, advice.reading))
        await self._journal.note(f"{advice.model} reads more of the request{f': {parts}' if parts else ''}")

    async def copy(self, brief: Callable[[], Awaitable[Brief]]) -> bool:
        """Has the model copy the values of columns that are not certain. Whether there is something new by that."""

        async def ask(adviser: Adviser) -> Advice | None:
            return await adviser.copy(await brief())

        return await self._ask("mapper", "write", "copies values", ask) is not None

    async def _ask(
        self, role: ev.Adviser, step: ev.Step, doing: str, ask: Callable[[Adviser], Awaitable[Advice | None]]
    ) -> Advice | None:
        adviser, session = self._parts.adviser, self._journal.session
        if adviser is None or not self.wanted or role in session.advice or self._budget.exhausted:
            return None
        advised = ev.Advised(attempt=session.current, role=role, model=adviser.model)
        advice, event = await self._asking.ask(step, doing, lambda: ask(adviser), advised)
        if advice is not None:
            event = msgspec.structs.replace(event, copied=summaries.fit_in_event(advice.copied))
        if advice is not None or event.problem:
            await self._journal.append(event)
        if event.problem:
            await self._journal.note(
                f"{adviser.model} is of no help, the rules go on without: {event.problem}", "warning"
            )
        return advice
