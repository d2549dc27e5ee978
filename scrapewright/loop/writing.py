"""Who writes the next program: the programmer, and where it fails or is stopped what the person has in its place."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import msgspec

from scrapewright.loop import recording
from scrapewright.loop.answers import FAILED_CHOICES, Answer
from scrapewright.loop.budget import Budget
from scrapewright.loop.gate import Gate, Stopped
from scrapewright.loop.parts import Parts
from scrapewright.loop.ports import BadReply, Brief, Draft, Programmer, ProgrammerUnavailable, Said
from scrapewright.query.reading import combined, differing
from scrapewright.query.summary import PART_NAMES
from scrapewright.session import events as ev
from scrapewright.session.events import AnyTick
from scrapewright.session.journal import Journal, put_text

WEAK = "gave no usable program twice: it reads and copies from here on, and the rules write"
SO_ALREADY = "What was corrected was so already: what fell short is repaired."


def _is_so_already(brief: Brief, draft: Draft) -> bool:
    """Whether a correction gives the program that fell short, which would fall short again."""
    last = brief.attempts[-1] if brief.attempts else None
    if last is None or last.verdict is None or last.verdict.ok or not (brief.corrections or brief.reread):
        return False
    return draft.code == last.code


class WritingInterrupted(Exception):
    """The person stopped the programmer at its writing, and what came of its program is kept."""


class Writing:
    """Keeps what came of a program until it is whole."""

    def __init__(
        self, parts: Parts, gate: Gate, journal: Journal, budget: Budget, attended: Callable[[], bool]
    ) -> None:
        self._parts, self._gate, self._journal, self._budget, self._attended = parts, gate, journal, budget, attended
        self._programmer = parts.programmer
        self._pieces: list[str] = []

    async def write(self, brief: Brief) -> Draft:
        """Raises NoIdea, BadReply, ProgrammerUnavailable, and WritingInterrupted where it was stopped just now and
        somebody is there to say what instead."""
        if self._journal.session.unfinished and self._attended():
            raise WritingInterrupted
        self._pieces = []

        def report(tick: AnyTick) -> None:
            if isinstance(tick, ev.CodeStreamed):
                self._pieces.append(tick.text)
            self._journal.tick(tick)

        programmer = self.programmer
        if programmer is not self._programmer:
            await self._say_weak()
        draft = await programmer.write(brief, report)
        if programmer.author != "rules" or not _is_so_already(brief, draft):
            return draft
        self._pieces = []
        draft = await programmer.write(msgspec.structs.replace(brief, corrections=(), reread=()), report)
        return msgspec.structs.replace(draft, diagnosis=f"{SO_ALREADY} {draft.diagnosis}")

    async def keep_stopped(self) -> None:
        """Records what came of a program that the person stopped, if anything did."""
        if partial := self.partial:
            code = await asyncio.to_thread(put_text, self._parts.blobs, partial)
            await self._journal.append_to_current(ev.WritingStopped(code=code))

    async def unused(self, reply: Draft | BadReply, problem: str) -> None:
        """A reply that becomes no attempt counts as one, and for what it took."""
        self._budget.spend(attempts=1, tokens=reply.tokens, money=reply.cost)
        if reply.model:
            current, blobs = self._journal.session.current, self._parts.blobs
            event = await asyncio.to_thread(recording.reply_unused, reply, current, problem, blobs)
            await self._journal.append(event)

    @property
    def programmer(self) -> Programmer:
        """Who writes now: the rules in place of a model that is too weak for it."""
        too_weak = self._parts.adviser is not None and self._journal.session.too_weak
        return self._parts.stand_in if too_weak and self._parts.stand_in is not None else self._programmer

    async def _say_weak(self) -> None:
        """Says once that the rules write from here on."""
        session = self._journal.session
        if not any(note.text.endswith(WEAK) for note in session.notes):
            text = f"{session.writer} {WEAK}"
            await self._journal.note(text, "warning")

    @property
    def partial(self) -> str:
        """What came of a program before its author failed; empty where nothing did."""
        text = "".join(self._pieces)
        return text if text.strip() else ""

    async def instead(self, error: ProgrammerUnavailable | BadReply) -> Answer:
        """Asks what is to be done in place of a programmer that failed, with what came of its program. Raises the error
        where nobody is there.
        """
        if not self._attended():
            raise error
        partial = self.partial
        code = await asyncio.to_thread(put_text, self._parts.blobs, partial) if partial else ""
        try:
            return await self._ask_instead(f"{str(error)[:1_000]}; what instead?", code)
        except Stopped as stopped:
            if self._gate.left:
                raise error from stopped
            raise

    async def instead_of_stopped(self) -> Answer | None:
        """The same for one that the person stopped; None where none was stopped or nobody is there."""
        code = self._journal.session.unfinished
        if not code or not self._attended():
            return None
        return await self._ask_instead("the program was stopped while it was written; what instead?", code)

    async def _ask_instead(self, prompt: str, code: str) -> Answer:
        """It is asked again, the rules write from here on, or the person does."""
        stand_in = self._parts.stand_in
        can_stand_in = stand_in is not None and self._programmer is not stand_in
        choices = [c for c in FAILED_CHOICES if c != "rules" or can_stand_in]
        answer = await self._gate.ask("programmer", prompt, tuple(choices), step="write", code=code)
        if answer.kind == "rules" and stand_in is not None:
            self._programmer = stand_in
            changed = ev.ProgrammerChanged(attempt=self._journal.session.current, programmer=stand_in.author)
            await self._journal.append(changed)
        return Answer("go") if answer.kind == "rules" else answer

    async def take_reading(self, said: Said) -> None:
        """The author's reading replaces the grammar's parts, never a person's; what differs is shown."""
        session = self._journal.session
        before = session.reading
        after = combined(before, said.reading, said.parts, "model")
        if after == before:
            return
        await self._journal.append(ev.ReadingChanged(attempt=session.current, reading=after, source="model"))
        if parts := differing(before, after):
            text = f"the model reads the request otherwise: {', '.join(map(PART_NAMES.__getitem__, parts))}"
            await self._journal.note(text)
