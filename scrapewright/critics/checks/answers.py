"""Pages that the run asked for and did not get: dead links, a site that wants no more requests, a login.

A listing may end in a dead link: its rows are right, and it is said. What a site did not give for now is missing.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from scrapewright.critics.bench import Bench
from scrapewright.critics.document import UrlKey, host_of
from scrapewright.critics.evidence import NO_ANSWER
from scrapewright.critics.normal_forms import url_key
from scrapewright.critics.onward import onward
from scrapewright.session.result import Request
from scrapewright.session.verdict import Finding
from scrapewright.survey.decode import parse
from scrapewright.survey.verdict import asks_login

_WITHHELD = frozenset({401, 402, 403, 407, 408, 425, 429, 451})
"""Statuses below 500 by which a site keeps back a page that it has; with the others there is no such page."""


def failed(bench: Bench) -> list[Finding]:
    """Pages without an answer, or with one of failure, that the request or a fetched page names; and next pages that
    hold no records. An error where rows are missing for it, else a warning."""
    if not bench.result.requests:
        return []
    evidence = bench.evidence
    links = {url_key(link.url) for _, model in evidence.models for link in model.links}
    ahead = _onward(bench)
    wanted = {url_key(url) for url in bench.query.urls}
    had = {(host_of(page.url), urlsplit(page.url).path) for page in bench.pages}
    few = bench.query.paging == "count" and len(_listings(bench)) < (bench.query.page_count or 1)
    lost: dict[tuple[bool, bool, int], list[Request]] = {}
    for request in {request.name: request for request in bench.result.requests}.values():  # the last of each page
        key = url_key(request.url)
        gone = (
            request.verdict in ("allowed", "tape") and 400 <= request.status < 500 and request.status not in _WITHHELD
        )
        counted = (host_of(request.url), urlsplit(request.url).path) in had
        if is_failure(request) and (key in links or key in wanted or (counted and not gone)):
            missing = not gone or key in wanted or (few and key in ahead)
            lost.setdefault((missing, key in ahead, request.status), []).append(request)
    findings = []
    for (missing, listing, status), requests in lost.items():
        first = requests[0]
        what = f"answered {status}" if status else f"could not be had ({first.note or first.verdict})"
        more = f" and {len(requests) - 1} more" if len(requests) > 1 else ""
        message = f"{_called(bench, first.url, listing)}{more} {what}{_kept(bench) if listing else ''}"
        findings.append(
            Finding("page-failed", message, "", (), "error" if missing else "warning", first.url, str(status or ""))
        )
    return findings + _empty(bench, ahead, few)


def is_failure(request: Request) -> bool:
    """The request brought no page."""
    return request.verdict in NO_ANSWER or request.status >= 400


def _empty(bench: Bench, ahead: set[UrlKey], few: bool) -> list[Finding]:
    """A next page without any record, where no row is left out that may have been on it."""
    if bench.narrowed or bench.query.paging == "first":
        return []
    for n, page in enumerate(bench.pages):
        key = url_key(page.asked or page.url)
        if n and key in ahead and not bench.evidence.rows_on(n) and n not in bench.evidence.listings:
            message = f"{_called(bench, page.url, True)} has no records{_kept(bench)}"
            return [Finding("page-failed", message, severity="error" if few else "warning", expected=page.url)]
    return []


def logins(bench: Bench) -> list[Finding]:
    """A page that was fetched for its records asks for a login instead."""
    for n, page in enumerate(bench.pages):
        if bench.evidence.rows_on(n) or b"password" not in page.body:
            continue
        if asks_login(parse(page)):
            message = f"{page.asked or page.url} asks for a login{_kept(bench)}"
            return [Finding("asks-login", message, expected=page.url)]
    return []


def _onward(bench: Bench) -> set[UrlKey]:
    """Where the links of the listings to a next page lead."""
    listings = _listings(bench)
    models = [model for n, model in bench.evidence.models if n in listings]
    return {url_key(link.url) for model in models for link in onward(model, bench.survey)}


def _listings(bench: Bench) -> list[int]:
    return [n for n in range(len(bench.pages)) if bench.evidence.rows_on(n)]


def _called(bench: Bench, url: str, onward: bool) -> str:
    return f"page {len(_listings(bench)) + 1} ({url})" if onward else url


def _kept(bench: Bench) -> str:
    rows, pages = len(bench.table.rows), len(_listings(bench))
    if not pages:
        return ""
    return f": {rows} row{'s' * (rows != 1)} of {pages} page{'s' * (pages != 1)} {'are' if rows != 1 else 'is'} kept"
