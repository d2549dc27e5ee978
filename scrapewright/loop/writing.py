"""Who writes the next program: the programmer, and where it fails what the person has in its place."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import msgspec

from scrapewright.loop.answers import FAILED_CHOICES, Answer
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


class Writing:
    """Keeps what came of a program until it is whole."""

    def __init__(self, parts: Parts, gate: Gate, journal: Journal, attended: Callable[[], bool]) -> None:
        self._parts, self._gate, self._journal, self._attended = parts, gate, journal, attended
        self._programmer = parts.programmer
        self._pieces: list[str] = []

    async def write(self, brief: Brief) -> Draft:
        """Raises NoIdea, BadReply, ProgrammerUnavailable."""
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
        """Asks what is to be done in place of a programmer that failed, with what came of its program: it is asked
        again, the rules write from here on, or the person does. Raises the error where nobody is there.
        """
        if not self._attended():
            raise error
        stand_in = self._parts.stand_in
        can_stand_in = stand_in is not None and self._programmer is not stand_in
        choices = [c for c in FAILED_CHOICES if c != "rules" or can_stand_in]
        partial = self.partial
        code = await asyncio.to_thread(put_text, self._parts.blobs, partial) if partial else ""
        prompt = f"{str(error)[:1_000]}; what instead?"
        try:
            answer = await self._gate.ask("programmer", prompt, tuple(choices), step="write", code=code)
        except Stopped as stopped:
            if self._gate.left:
                raise error from stopped
            raise
        if answer.kind == "rules" and stand_in is not None:
            self._programmer = stand_in
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
