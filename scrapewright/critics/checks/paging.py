"""The pages that a request wants: followed to the end, or not beyond the first, and had at all.

A listing may end in a dead link: its rows are right, and it is said. What a site did not give for now is missing.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from scrapewright.critics.bench import Bench
from scrapewright.critics.document import Link, Model, UrlKey, host_of
from scrapewright.critics.evidence import NO_ANSWER
from scrapewright.critics.normal_forms import url_key
from scrapewright.critics.onward import onward
from scrapewright.query.notes import type_of_name
from scrapewright.query.reading import Reading
from scrapewright.session.result import Request
from scrapewright.session.verdict import Finding
from scrapewright.survey.decode import parse
from scrapewright.survey.paging import control_pressed
from scrapewright.survey.verdict import asks_login

_JSON_MORE = re.compile(r"^(has_?next(_?page)?|has_?more|more|next(_?page)?(_?url)?|next_?cursor)$", re.I)
_JSON_META = re.compile(r"^(meta|paging|pagination|page_?info|links|_links|info)$", re.I)

_WITHHELD = frozenset({401, 402, 403, 407, 408, 425, 429, 451})
"""Statuses below 500 by which a site keeps back a page that it has; with the others there is no such page."""


def pages(bench: Bench) -> list[Finding]:
    """For all pages: no next link of a listing that was not followed. For n pages: that many listings."""
    query, evidence = bench.query, bench.evidence
    if not evidence.models:
        return []
    asked = {url_key(request.url) for request in bench.result.requests} | {url_key(page.url) for page in bench.pages}
    listings = sorted(evidence.listings) or [0]
    if query.paging == "first":
        first = host_of(bench.pages[listings[0]].url)
        beyond = [n for n in listings[1:] if evidence.rows_on(n) and host_of(bench.pages[n].url) == first]
        if beyond and len(query.urls) <= 1 and not query.follow:
            message = f"only the first page was asked for; rows come from {bench.pages[beyond[0]].url} too"
            return [Finding("extra-rows", message, severity="error" if evidence.rows_on(beyond[0]) >= 2 else "warning")]
        return []
    all_wanted = wants_all(query, len(bench.table.rows))
    if query.paging == "count" and query.page_count:
        if len(listings) > query.page_count * max(1, len(query.urls)):
            message = f"{query.page_count} pages were asked for; rows come from {len(listings)}"
            return [Finding("extra-rows", message, expected=str(query.page_count), got=str(len(listings)))]
        all_wanted = len(listings) < query.page_count
    if not all_wanted:
        return []
    step = bench.survey.next if bench.survey is not None else None
    last = bench.pages[listings[-1]]
    if step is not None and step.how == "form" and control_pressed(parse(last), step) is not None:
        message = f"the page after the last one, by the form around {step.selector} ({step.text!r}), was not fetched"
        return [Finding("page-not-fetched", message, expected=step.url)]
    for n, model in evidence.models:
        if n not in listings:
            continue
        link = _unfollowed(bench, model, asked)
        if link is not None:
            said = model.said(link.node) or link.label or link.rel
            message = f"the next page {link.url} (link {said!r} on {model.url}) was not fetched"
            return [Finding("page-not-fetched", message, expected=link.url)]
        if _json_goes_on(model) and n == listings[-1] and len(model.links) == 0 and _is_last_request(bench, n):
            message = f"the answer of {model.url} says that there is more"
            return [Finding("page-not-fetched", message)]
    return []


def wants_all(query: Reading, rows: int) -> bool:
    """Whether so many rows take all pages. The first rows by a key are the first of all pages; but the newest come
    first on any site."""
    few = query.limit is not None and rows < query.limit
    order = query.order[:1]
    newest = any(o.descending and type_of_name(o.field) in ("date", "datetime") for o in order)
    chosen = bool(query.limit and order and not newest)
    return query.paging == "all" or (query.paging == "unsaid" and (few or chosen))


def _unfollowed(bench: Bench, model: Model, asked: set[UrlKey]) -> Link | None:
    ahead = [link for link in onward(model, bench.survey) if link.url.startswith("http")]
    if any(_had(url_key(link.url), asked) and url_key(link.url) != url_key(model.url) for link in ahead):
        return None  # one page may say in several ways which the next is
    same_site = [link for link in ahead if host_of(link.url) == host_of(model.url)]
    return next((link for link in same_site if not _had(url_key(link.url), asked)), None)


def _had(key: UrlKey, asked: set[UrlKey]) -> bool:
    """The address was fetched, as it is or with parameters added (a sort order, a size) to the same ones."""
    if key in asked:
        return True
    host, path, query = key
    return bool(query) and any(host == h and path == p and set(query) <= set(q) for h, p, q in asked)


def _json_goes_on(model: Model) -> bool:
    """A JSON answer with a sign that more follows."""
    for node, tag in enumerate(model.tag):
        above = model.parent[node]
        near_top = above == 0 or (above > 0 and model.parent[above] == 0 and _JSON_META.match(model.tag[above]))
        if _JSON_MORE.match(tag) and near_top:
            return bool(model.said(node)) and model.said(node).lower() not in ("false", "null", "none", "0")
    return False


def _is_last_request(bench: Bench, page: int) -> bool:
    return bool(bench.result.requests) and url_key(bench.result.requests[-1].url) == url_key(bench.pages[page].url)


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
        refused = request.verdict in ("allowed", "tape") and 400 <= request.status < 500
        gone = refused and request.status not in _WITHHELD
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
