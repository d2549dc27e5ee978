"""What a person can correct in a session's rows, and how: at any time from its first rows on, also once it is over."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from scrapewright.loop.briefing import read_survey
from scrapewright.loop.ports import Brief, Corrector, NotUnderstood, Preview, Row
from scrapewright.session.journal import Blobs, Journal
from scrapewright.session.questions import Decision, Question
from scrapewright.survey.model import Survey
from scrapewright.web.page import Page

T = TypeVar("T")


class Corrections:
    """Reads the session; what is decided goes through the gate. `pages` gives the session's stored pages by URL.

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

    async def options(self, column: str, rows: Sequence[Row]) -> Question:
        return await self._ask(self._corrector.options, column, rows)

    async def preview(self, decision: Decision, rows: Sequence[Row]) -> Preview:
        return await self._ask(self._corrector.preview, decision, rows)

    async def read_hint(self, text: str, rows: Sequence[Row]) -> Preview:
        """What the hint decides about a column."""
        return await self.preview(await self._ask(self._corrector.read_hint, text, rows), rows)

    async def _ask(self, what: Callable[[Brief, Any, Sequence[Row]], T], about: object, rows: Sequence[Row]) -> T:
        async with self._one_at_a_time:
            return await asyncio.to_thread(lambda: what(self._brief(), about, rows))

    def _brief(self) -> Brief:
        session = self._journal.session
        if self._read is None or self._read[0] != session.survey:
            try:
                survey = read_survey(session, self._blobs)
                self._read = session.survey, survey, self._pages(survey.urls) if survey is not None else {}
            except (KeyError, ValueError, OSError) as error:
                raise NotUnderstood(f"what was seen of the page can't be read any more: {error}") from error
        _, survey, pages = self._read
        return Brief(session.reading, survey, pages=pages, decisions=session.decisions)
