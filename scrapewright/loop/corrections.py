"""What a person can correct in a session's rows, and how: at any time from its first rows on, also once it is over."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, TypeVar

import msgspec

from scrapewright.loop.briefing import read_survey
from scrapewright.loop.conditions import said_of_rows
from scrapewright.loop.ports import Brief, Corrector, NotUnderstood, Preview, Row
from scrapewright.query.correct import BadCorrection, column_text, corrected
from scrapewright.query.reading import Column, Reading
from scrapewright.session.events import Asked
from scrapewright.session.journal import Blobs, Journal
from scrapewright.session.questions import NONE, Decision, Option, is_decided
from scrapewright.survey.model import Survey
from scrapewright.web.page import Page

T = TypeVar("T")
About = Literal["place", "column", "rows"]
"""Where a column is; that it is called or typed otherwise, or dropped; which records are rows, and their order."""
EMPTIED = Option(NONE, "nothing: leave it empty")


class Proposal(msgspec.Struct, frozen=True):
    """What a correction could be, to be shown in a list; its preview says what it makes of the rows.

    `column` is the column as it is called now, `reading` how the request is read by it, None where it is as before.
    """

    about: About
    option: Option
    column: str = ""
    decision: Decision | None = None
    reading: Reading | None = None
    called: str = ""
    """What the column is called by it; empty where it is dropped."""


class Corrections:
    """Reads the session; what is decided goes through the gate. `pages` gives the session's stored pages by URL. `rows`
    are some of those that are corrected, as they are shown.

    The methods raise NotUnderstood.
    """

    def __init__(
        self, journal: Journal, blobs: Blobs, corrector: Corrector, pages: Callable[[Sequence[str]], Mapping[str, Page]]
    ) -> None:
        self._journal = journal
        self._blobs = blobs
        self._corrector = corrector
        self._pages = pages
        self._read: tuple[str, Survey | None, Mapping[str, Page]] | None = None
        self._one_at_a_time = asyncio.Lock()

    async def places(self, column: str, rows: Sequence[Row], reading: Reading | None = None) -> list[Proposal]:
        """The other places for a column, the likeliest first, and to leave it empty. `reading` is the one that has a
        column which is being added."""
        question = await self._ask(lambda brief: self._corrector.options(brief, column, rows), reading)
        return [
            Proposal("place", option, column, Decision("column", column, option=option.id), reading)
            for option in (*question.options, EMPTIED)
        ]

    async def check_said(self, question: Asked, text: str) -> None:
        """Raises NotUnderstood where the rules write and can't follow on the page what answers a question."""
        session = self._journal.session
        by_rules = session.programmer == "rules" or session.too_weak
        put = question.as_question
        if by_rules and put is not None and put.kind in ("group", "column", "condition"):
            decision = Decision(*put.decides, text=text)
            if wrong := await self._ask(lambda brief: self._corrector.understand(brief, decision)):
                raise NotUnderstood(wrong)

    def typed_place(
        self, column: str, text: str, *, how: Literal["", "selector"] = "", reading: Reading | None = None
    ) -> Proposal:
        decision = Decision("column", column, text=text, how=how)
        return Proposal("place", Option("", "typed", text), column, decision, reading)

    def column_text(self, column: str, rows: Sequence[Row]) -> str:
        """The column as it can be typed: name, type and note."""
        reading = self._named(rows)
        return next((column_text(one) for one in reading.columns if one.name == column), column)

    def respelled(self, column: str, text: str, rows: Sequence[Row]) -> Proposal:
        """The column by another name or type, or without `text` dropped; without `column` one more of them."""
        reading = self._named(rows)
        names = [one.name for one in reading.columns]
        if column and column not in names:
            raise NotUnderstood(f"{column} is no column of the request; its columns are {', '.join(names)}")
        at = names.index(column) if column else len(names)
        if not text and len(names) == 1:
            raise NotUnderstood("it is the only column")
        if not text:  # rows may still be sorted and left out by it, which their file then does not show
            distinct = tuple(name for name in reading.distinct if name != column)
            reading = msgspec.structs.replace(reading, distinct=distinct)
        changed = self._corrected(reading, f"column.{at}", text)
        if not text:
            return Proposal("column", Option("drop", "drop the column"), column, reading=changed)
        called = changed.columns[at]
        option = Option("respell", "called or typed otherwise", column_text(called))
        return Proposal("column", option, column, reading=changed, called=called.name)

    async def other_rows(self, rows: Sequence[Row]) -> list[Proposal]:
        """Other records of the page, and the same without a condition or the limit."""
        question = await self._ask(lambda brief: self._corrector.groups(brief, rows))
        found = [Proposal("rows", option, decision=Decision("group", option=option.id)) for option in question.options]
        reading = self._journal.session.reading
        for at, wanted in enumerate(reading.filters):
            without = self._corrected(reading, f"filter.{at}", "")
            found.append(Proposal("rows", Option("", f"without: {wanted.text}"), reading=without))
        if reading.limit is not None:
            without = self._corrected(reading, "limit", "")
            found.append(Proposal("rows", Option("", f"all, not {reading.limit} at most"), reading=without))
        return found

    def typed_rows(self, text: str) -> Proposal:
        """What a request says of its rows, else what tells the records: their heading, a selector, words of one of
        them."""
        try:
            changed = said_of_rows(self._journal.session.reading, text)
        except BadCorrection as error:
            raise NotUnderstood(str(error)) from error
        decision = Decision("group", text=text) if changed is None else None
        return Proposal("rows", Option("", "typed", text), decision=decision, reading=changed)

    def orders(self, rows: Sequence[Row]) -> list[Proposal]:
        """Each column up and down, and the order of the page."""
        texts = [(f"by {name}, {how}", name + ending) for name in (rows[0] if rows else {}) for how, ending in _WAYS]
        found = [Proposal("rows", Option("", said), reading=self._ordered(text)) for said, text in texts]
        reading = self._journal.session.reading
        if reading.order:
            found.append(Proposal("rows", Option("", "as on the page"), reading=self._ordered("")))
        return [one for one in found if one.reading is not None and one.reading.order != reading.order]

    def typed_order(self, text: str) -> Proposal:
        return Proposal("rows", Option("", "typed", text), reading=self._ordered(text))

    async def preview(self, proposal: Proposal, rows: Sequence[Row]) -> Preview:
        decision, reading = proposal.decision, proposal.reading
        if proposal.about == "place":
            assert decision is not None
            found = await self._ask(lambda brief: self._corrector.preview(brief, decision, rows), reading)
            found = msgspec.structs.replace(found, reading=reading)
        elif proposal.about == "column":
            assert reading is not None
            names = proposal.column, proposal.called
            found = await self._ask(lambda brief: self._corrector.respelled(brief, reading, *names, rows))
        else:
            found = await self._ask(
                lambda brief: self._corrector.records(brief, reading or brief.reading, decision, rows)
            )
        return self._of_pages(found)

    def _of_pages(self, preview: Preview) -> Preview:
        """With the number of pages that it is of, where the rows are of more."""
        attempt, survey = self._journal.session.attempt, self._read[1] if self._read is not None else None
        rows = attempt.verdict.rows if attempt is not None and attempt.verdict is not None else 0
        pages = len(survey.pages) if survey is not None and rows > len(preview.rows) else 0
        return msgspec.structs.replace(preview, pages=pages)

    def check(self, preview: Preview) -> None:
        """Raises NotUnderstood where the correction would change nothing: not the rows, not how the request is read,
        nothing that was decided, and nothing that is in doubt, which it would settle."""
        session = self._journal.session
        if preview.reading is not None or not preview.rows or any(now != then for _, now, then in preview.rows):
            return
        if preview.pages and not preview.already:  # what is the same there may differ on others
            return
        verdict = session.attempt.verdict if session.attempt is not None else None
        doubted = {finding.column for finding in verdict.findings} if verdict is not None and not verdict.ok else set()
        settled = any(is_decided(question, preview.decisions) for question in session.left_open)
        decided = {(one.kind, one.column): one.values or one.option for one in session.decisions}
        for one in preview.decisions:  # the rows that are looked at may be of an earlier attempt
            said = one.values or one.option
            settled = settled or one.column in doubted - {""} or decided.get((one.kind, one.column), said) != said
        if not settled:
            raise NotUnderstood("that is so already: nothing would change, and nothing is run")

    async def read_hint(self, text: str, rows: Sequence[Row]) -> Preview:
        """What the hint says of a column, the records or the pages."""
        return self._of_pages(await self._ask(lambda brief: self._corrector.read_hint(brief, text, rows)))

    def _named(self, rows: Sequence[Row]) -> Reading:
        """The reading with its columns named, as the rows have them where it names none."""
        reading = self._journal.session.reading
        columns = reading.columns or tuple(Column(name) for name in (rows[0] if rows else {}))
        return msgspec.structs.replace(reading, columns=columns)

    def _ordered(self, text: str) -> Reading:
        return self._corrected(self._journal.session.reading, "order", text)

    def _corrected(self, reading: Reading, key: str, text: str) -> Reading:
        try:
            return corrected(reading, key, text)
        except BadCorrection as error:
            raise NotUnderstood(str(error)) from error

    async def _ask(self, what: Callable[[Brief], T], reading: Reading | None = None) -> T:
        async with self._one_at_a_time:
            return await asyncio.to_thread(lambda: what(self._brief(reading)))

    def _brief(self, reading: Reading | None) -> Brief:
        session = self._journal.session
        if self._read is None or self._read[0] != session.survey:
            try:
                survey = read_survey(session, self._blobs)
                self._read = session.survey, survey, self._pages(survey.urls) if survey is not None else {}
            except (KeyError, ValueError, OSError) as error:
                raise NotUnderstood(f"what was seen of the page can't be read any more: {error}") from error
        _, survey, pages = self._read
        return Brief(reading or session.reading, survey, pages=pages, decisions=session.decisions)


_WAYS = (("low to high", ""), ("high to low", " desc"))
