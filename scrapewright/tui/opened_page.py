"""A page of the tape, parsed: what the Page pane shows, selects in, and looks rows up in. Used in threads."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec

from scrapewright.query.reading import Reading
from scrapewright.session.result import Request
from scrapewright.survey.decode import Document, parse
from scrapewright.survey.extract import Extract, best_of
from scrapewright.survey.model import Group, Survey
from scrapewright.survey.provenance import Said, find, what_it_says
from scrapewright.survey.selecting import Finder
from scrapewright.survey.survey import groups_of
from scrapewright.web.page import Page


class OpenedPage:
    """One page: its document, and what is worked out of it when it is asked for."""

    def __init__(self, request: Request, page: Page) -> None:
        self.request, self.page = request, page
        self.document: Document = parse(page)
        self.finder = Finder(self.document)
        self._extracts: tuple[object, list[Extract]] = (None, [])
        self._said: dict[int, list[Said]] = {}

    def extracts(self, survey: Survey | None, reading: Reading, wanted: Callable[[], bool]) -> list[Extract]:
        """The groups with records on this page: those of the session's survey, else those that a survey of this page
        proposes."""
        if self._extracts[0] is not survey or survey is None:
            known: list[Group] = []
            for part in (survey, survey.detail if survey is not None else None):
                known += part.groups if part is not None else ()
            found = best_of(self.document, [group for group in known if group.kind != "page"], wanted)
            if not any(len(extract.records) > 1 for extract in found):
                found = best_of(self.document, groups_of(reading, self.document), wanted)
            if not wanted():
                return found
            self._extracts = survey, found
        return self._extracts[1]

    def said(self, extract: Extract) -> list[Said]:
        """What each record of a group says, with what is behind it and belongs to it."""
        if id(extract) not in self._said:
            parts = [extract.records, *(extract.scopes(steps) for steps in range(1, extract.group.following + 1))]
            whole = ([part for part in record if part is not None] for record in zip(*parts, strict=True))
            self._said[id(extract)] = [what_it_says(*record) for record in whole]
        return self._said[id(extract)]

    def locate(
        self, values: Mapping[str, str], survey: Survey | None, reading: Reading, wanted: Callable[[], bool]
    ) -> Located | None:
        """The record of this page that says the most of a row. None where none says half of it."""
        best: Located | None = None
        for extract in self.extracts(survey, reading, wanted):
            number, share = find(values, self.said(extract), self.document.base, wanted)
            if number >= 0 and (best is None or share > best.share + 0.01):
                best = Located(self, extract, number, share)
        return best


class Located(msgspec.Struct, frozen=True):
    """Where a row comes from: the page, the group's extract and the number of its record in it."""

    page: OpenedPage
    extract: Extract
    record: int
    share: float
