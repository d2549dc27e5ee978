"""The review of an attempt's rows by a model: whether it is asked, once for the same rows, and what is kept of it."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Sequence

import msgspec

from scrapewright.loop import summaries
from scrapewright.loop.asking import Asking
from scrapewright.loop.budget import Budget
from scrapewright.loop.gate import Gate
from scrapewright.loop.parts import Parts
from scrapewright.loop.ports import BadReply, Case, ProgrammerUnavailable, Reviewer
from scrapewright.query.reading import Reading
from scrapewright.session import events as ev
from scrapewright.session.journal import Journal
from scrapewright.session.review import Review
from scrapewright.session.sanitize import to_json
from scrapewright.session.verdict import Sample


class Reviews:
    """Those of one session. Without a reviewer those that the journal holds still count."""

    def __init__(self, parts: Parts, gate: Gate, journal: Journal, budget: Budget) -> None:
        self._reviewer, self._critic, self._journal, self._budget = parts.reviewer, parts.critic, journal, budget
        self._asking = Asking(parts, gate, journal, budget)

    async def added_to(self, case: Case, attempt: int) -> Case:
        """The case with the review of its rows, as it is where there is none to be had.

        Raises what `Gate.step` raises.
        """
        of = _digest(case)
        known = self._journal.session.reviews.get(of)
        if known is None and self._reviewer is not None and _has_rows(case):
            samples = await asyncio.to_thread(self._critic.samples, case)
            if samples and self._budget.exhausted:
                await self._journal.note("the rows are not reviewed: the budget is spent")
            elif samples:
                known = await self._ask(self._reviewer, of, case.reading, samples, attempt)
        return case if known is None else msgspec.structs.replace(case, review=known.review)

    async def _ask(
        self, reviewer: Reviewer, of: str, reading: Reading, samples: Sequence[Sample], attempt: int
    ) -> ev.Reviewed:
        """Asks, counts what it took, and keeps the answer; without one it keeps why."""
        reviewed = ev.Reviewed(attempt=attempt, of=of, model=reviewer.model)
        opinion, event = await self._asking.ask(
            "judge", "reviews the rows", lambda: reviewer.review(reading, samples), reviewed
        )
        if opinion is not None:
            event = msgspec.structs.replace(event, review=summaries.fit_review(opinion.review))
        stored = await self._journal.append(event)
        if stored.problem:
            await self._journal.note(f"the rows are not reviewed: {stored.problem}", "warning")
        return stored


async def review_once(
    reviewer: Reviewer, reading: Reading, samples: Sequence[Sample], narrate: Callable[[str], None]
) -> Review | None:
    """A review outside a session; None where none came, which is narrated."""
    narrate(f"{reviewer.model} reviews the rows")
    try:
        opinion = await reviewer.review(reading, samples)
        if opinion.kept:
            narrate(f"the review is from the {opinion.kept}")
        return opinion.review
    except (BadReply, ProgrammerUnavailable) as error:
        narrate(f"the rows are not reviewed: {error}")
        return None


def _has_rows(case: Case) -> bool:
    result = case.result
    return bool(case.files) and (result.status == "ok" or (result.status == "exit" and not result.exit_code))


def _digest(case: Case) -> str:
    """What tells the program, its files and the reading from others."""
    files = sorted((artifact.name, artifact.sha256) for artifact in case.result.artifacts)
    return hashlib.sha256(to_json([case.code, files, case.reading])).hexdigest()
