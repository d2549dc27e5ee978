"""How far a run is: pages of the list, their records, and the pages behind these, counted as they are fetched."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from scrapewright.session.result import Request
from scrapewright.survey.model import Group, Slot, Survey
from scrapewright.tui.opened_pages import pages_of

if TYPE_CHECKING:
    from scrapewright.web.page import Page

AT_ONCE = 20
"""Pages that are parsed in one go, so that the keys stay live beside a fast run."""
LARGEST = 2 << 20
"""Bytes of a page from which on its records are not counted."""


class RunProgress:
    """Of one run. `count` blocks, and is called in a thread, one call at a time."""

    def __init__(self, tape: Path | None, session: str, code: str, survey: Survey | None) -> None:
        """`tape` is the folder of the pages that sessions have fetched. Records are counted where the program selects
        those of a group of the survey, pages behind them where the survey followed their links."""
        self._tape, self._session = tape, session
        self._group = read_group(code, survey)
        self._link = _link(survey, self._group)
        self._done: set[tuple[str, str]] = set()
        self._links: set[str] = set()
        self.records = 0

    def count(self, requests: Sequence[Request]) -> bool:
        """Counts the records of some pages that are new. Whether there are more of them."""
        new = [one for one in pages_of(requests) if (one.url, one.body) not in self._done]
        if self._group is None or self._tape is None or not new:
            return False
        batch = new[:AT_ONCE]
        self._done.update((one.url, one.body) for one in batch)
        for page in self._read([one for one in batch if one.url not in self._links and one.bytes <= LARGEST]):
            self._add(page)
        return len(new) > len(batch)

    def summary(self, requests: Sequence[Request]) -> str:
        """What is known, such as "page 7, 140 records, 3 of 12 detail pages"; empty before the first page."""
        urls = {one.url for one in requests if not one.url.endswith("/robots.txt")}
        behind = urls & self._links
        said = [f"page {len(urls) - len(behind):,}"] if len(urls) > len(behind) else []
        if self.records:
            said.append(f"{self.records:,} record{'s' if self.records != 1 else ''}")
        if self._links:
            said.append(f"{len(behind):,} of {len(self._links):,} detail pages")
        return ", ".join(said)

    def _add(self, page: Page) -> None:
        from scrapewright.survey.decode import parse
        from scrapewright.survey.extract import Extract

        assert self._group is not None
        document = parse(page)
        extract = Extract(document, self._group)
        self.records += len(extract.records)
        if self._link is not None:
            self._links.update(urljoin(document.base, link) for link in extract.values(self._link) if link)

    def _read(self, requests: Sequence[Request]) -> list[Page]:
        """Those that are on the tape."""
        from scrapewright.web.page import Page
        from scrapewright.web.tape import Tape, TapeError

        assert self._tape is not None
        if not requests or not self._tape.is_dir():
            return []
        wanted = {(one.url, one.body) for one in requests}
        found: list[Page] = []
        try:
            tape = Tape(self._tape, self._session)
        except TapeError:
            return []
        try:
            for exchange in tape.exchanges():
                key = (exchange.url, exchange.body)
                if key in wanted and (body := tape.body(exchange)) is not None:
                    wanted.discard(key)
                    headers = {name.lower(): value for name, value in exchange.headers}
                    found.append(Page(exchange.url, exchange.url, exchange.status, headers, body, from_tape=True))
        finally:
            tape.close()
        return found


def read_group(code: str, survey: Survey | None) -> Group | None:
    """The group of the survey whose records the program selects, None where its text does not say which."""
    groups = survey.groups if survey is not None else ()
    named = (one for one in groups if one.kind in ("list", "table") and not one.form and not one.source)
    return next((one for one in named if len(one.selector) > 2 and one.selector in code), None)


def _link(survey: Survey | None, group: Group | None) -> Slot | None:
    """The slot that leads to the page behind a record."""
    if survey is None or group is None or not survey.follow_slot or survey.groups[0] is not group:
        return None
    return next((slot for slot in group.slots if slot.id == survey.follow_slot), None)
