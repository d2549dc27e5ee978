"""Asks a model something besides a program, as a step of the session."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

import msgspec

from scrapewright.loop import summaries
from scrapewright.loop.budget import Budget
from scrapewright.loop.gate import Gate
from scrapewright.loop.parts import Parts
from scrapewright.loop.ports import BadReply, ProgrammerUnavailable, Reply
from scrapewright.loop.recording import with_reply
from scrapewright.session import events as ev
from scrapewright.session.journal import Journal

R = TypeVar("R", bound=Reply)
E = TypeVar("E", ev.Advised, ev.Reviewed)


class Asking:
    """Within one session. What the replies take counts for its budget."""

    def __init__(self, parts: Parts, gate: Gate, journal: Journal, budget: Budget) -> None:
        self._blobs, self._gate, self._journal, self._budget = parts.blobs, gate, journal, budget

    async def ask(
        self, step: ev.Step, doing: str, question: Callable[[], Awaitable[R | None]], event: E
    ) -> tuple[R | None, E]:
        """The answer, None where none came, and the event with what it took and, where it failed, why.

        Raises what `Gate.step` raises.
        """
        started = time.monotonic()

        async def ask() -> R | BadReply | ProgrammerUnavailable | None:
            self._journal.tick(ev.Progressed(attempt=event.attempt, what=f"{event.model} {doing}"))
            try:
                return await question()
            except (BadReply, ProgrammerUnavailable) as error:
                return error

        found = await self._gate.step(step, ask)
        event = msgspec.structs.replace(event, seconds=time.monotonic() - started)
        if isinstance(found, Reply | BadReply):
            self._budget.spend(tokens=found.tokens, money=found.cost)
            event = await asyncio.to_thread(with_reply, event, found, self._blobs)
        if isinstance(found, BadReply | ProgrammerUnavailable):
            return None, msgspec.structs.replace(event, problem=str(found)[: summaries.MESSAGE])
        return found, event
