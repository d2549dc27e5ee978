"""The pages of a session's tape, opened as they are asked for. Reading blocks, and is done in threads: what parses is
loaded only there."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from scrapewright.query.reading import Reading
from scrapewright.session.result import Request
from scrapewright.survey.model import Survey
from scrapewright.web.page import Page

if TYPE_CHECKING:
    from scrapewright.tui.opened_page import Located, OpenedPage

KEPT_BYTES = 24 << 20
"""Bytes of the bodies whose parsed pages are kept."""
CERTAIN = 0.9
"""The share of a row that a record says from which on no other page is looked at."""


class OpenedPages:
    """The pages of one session. `tape` is the folder of the pages that sessions have fetched, None where none are kept.

    Thread-safe.
    """

    def __init__(self, tape: Path | None, session: str) -> None:
        self._tape, self._session = tape, session
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, str], OpenedPage] = OrderedDict()

    def open(self, request: Request) -> OpenedPage | None:
        """The page that a request got; None where it is not on the tape any more."""
        from scrapewright.tui.opened_page import OpenedPage

        key = (request.url, request.body)
        with self._lock:  # while it parses, too: elements of two trees of one page would not be the same
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
            page = self._read(request)
            if page is None:
                return None
            opened = self._kept[key] = OpenedPage(request, page)
            while len(self._kept) > 1 and sum(len(one.page.body) for one in self._kept.values()) > KEPT_BYTES:
                self._kept.popitem(last=False)
            return opened

    def _read(self, request: Request) -> Page | None:
        if self._tape is None or not self._tape.is_dir() or not request.body:
            return None
        from scrapewright.web.tape import Tape, TapeError

        try:
            tape = Tape(self._tape, self._session)
        except TapeError:
            return None
        try:
            found = [exchange for exchange in tape.exchanges() if exchange.body == request.body]
            if not found:
                return None
            exchange = next((one for one in found if one.url == request.url), found[0])
            body = tape.body(exchange)
        finally:
            tape.close()
        if body is None:
            return None
        headers = {name.lower(): value for name, value in exchange.headers}
        return Page(request.url, request.url, exchange.status, headers, body, from_tape=True, method=exchange.method)

    def locate(
        self, values: Mapping[str, str], requests: Sequence[Request], survey: Survey | None, reading: Reading,
        wanted: Callable[[], bool] = lambda: True,
    ) -> Located | None:  # fmt: skip
        """The record that says the most of a row, on whichever page. None where none says half of it."""
        best: Located | None = None
        for request in _likely(values, requests):
            page = self.open(request) if wanted() else None
            found = page.locate(values, survey, reading, wanted) if page is not None else None
            if found is not None and (best is None or found.share > best.share + 0.01):
                best = found
            if best is not None and best.share > CERTAIN:
                break
        return best if wanted() else None


def pages_of(requests: Sequence[Request]) -> list[Request]:
    """The requests that brought a page, each page once, in the order in which they were fetched."""
    found: dict[tuple[str, str], Request] = {}
    for request in requests:
        if request.body and not request.url.endswith("/robots.txt"):
            found.setdefault((request.url, request.body), request)
    return list(found.values())


def _likely(values: Mapping[str, str], requests: Sequence[Request]) -> list[Request]:
    """The pages whose own address is in the row come last: those are about the record, and a list has it too."""
    return sorted(requests, key=lambda request: request.url in values.values())
