"""Passes the gateway's requests on to the journal and to the records of runs."""

from __future__ import annotations

import msgspec

from scrapewright.session import events as ev
from scrapewright.session.journal import Journal
from scrapewright.session.result import Request

URL_AT_MOST = 2_000
METHOD_AT_MOST = 40
"""Characters that are reported; a program may ask with an address or a method of any length."""


class RequestLog:
    """The gateway's `on_request` and `on_refused`. Without a journal the requests are kept for the record alone."""

    def __init__(self, journal: Journal | None = None) -> None:
        self._journal = journal
        self._by_attempt: dict[int, list[Request]] = {}

    def request(self, attempt: int, request: Request) -> None:
        request = msgspec.structs.replace(request, method=request.method[:METHOD_AT_MOST], url=_shortened(request.url))
        self._by_attempt.setdefault(attempt, []).append(request)
        if self._journal is not None:
            self._journal.post(ev.RequestSeen(attempt=attempt, request=request))

    def refused(self, attempt: int, host: str, url: str, reason: str) -> None:
        if self._journal is not None and host not in self._journal.session.refused_hosts:
            self._journal.post(ev.HostRefused(attempt=attempt, host=host, url=_shortened(url), reason=reason))

    def begin(self, attempt: int) -> None:
        """An attempt runs, perhaps again: what it asked for before is no part of this run's record."""
        self._by_attempt[attempt] = []

    def of(self, attempt: int) -> tuple[Request, ...]:
        """The requests of the attempt's last run, in order."""
        return tuple(self._by_attempt.get(attempt, ()))


def _shortened(url: str) -> str:
    return url if len(url) <= URL_AT_MOST else f"{url[:URL_AT_MOST]}…"
