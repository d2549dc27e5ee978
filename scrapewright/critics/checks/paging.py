"""The pages that a request wants: followed to the end, or not beyond the first, and had at all.

A listing may end in a dead link: its rows are right, and it is said. What a site did not give for now is missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from urllib.parse import urlsplit

from scrapewright.critics.bench import Bench
from scrapewright.critics.document import Link, Model, UrlKey, host_of
from scrapewright.critics.evidence import NO_ANSWER
from scrapewright.critics.normal_forms import url_key
from scrapewright.critics.onward import onward
from scrapewright.query.column_types import type_of_name
from scrapewright.query.reading import Reading
from scrapewright.session.result import Request
from scrapewright.session.verdict import Finding, Severity
from scrapewright.survey.decode import parse
from scrapewright.survey.paging import control_pressed
from scrapewright.survey.surveyor import next_value
from scrapewright.survey.verdict import asks_login

_WITHHELD = frozenset({401, 402, 403, 407, 408, 425, 429, 451})
"""Statuses below 500 by which a site keeps back a page that it has; with the others there is no such page."""
LONG_TEXT, SEVERAL = 40, 3
"""Characters of a record's text, and records of a list: links to pages have fewer."""


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
        link = _unfollowed(bench, model, asked) if n in listings else None
        if link is not None and not _is_of_others(bench, model, link.url):
            said = model.said(link.node) or link.label or link.rel
            message = f"the next page {link.url} (link {said!r} on {model.url}) was not fetched"
            return [Finding("page-not-fetched", message, expected=link.url)]
    document, requests = parse(last), bench.result.requests
    more = next_value(document.data) if document.kind == "json" else None
    if more is not None and more[1] and requests and url_key(requests[-1].url) == url_key(last.url):
        return [Finding("page-not-fetched", f"the answer of {last.url} says that there is more")]
    return []


def linked(bench: Bench) -> Iterator[Finding]:
    """Where the request says which links of the records to follow, and the list does not call a column by its name: a
    page behind a record was fetched."""
    evidence, follow = bench.evidence, bench.query.follow
    placed = [row for row in evidence.rows if evidence.places[row]]
    if not follow or len(placed) < 2 or any(evidence.linked(row) for row in placed):
        return
    fields = {column: field for column, field in evidence.fields.items() if field.type != "url"}
    unknown = [
        column
        for column, field in fields.items()
        if column not in bench.called_right and bench.called.likeness(field, column) < 0.5
    ]
    if unknown and all(place.page in evidence.listings for row in placed for place in evidence.places[row]):
        message = f"the request says “{follow}”, and no page behind a record's link was fetched for {unknown[0]}"
        yield Finding("page-not-fetched", message)


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


def _is_of_others(bench: Bench, model: Model, url: str) -> bool:
    """Whether links to more are beside another list than the rows': what is around both has the rows' records in one
    part, and in another the links behind a list of linked texts longer than those of links to pages."""
    links = [link.node for link in model.links if link.url == url and link.tag == "a"]
    places = bench.evidence.records_on(model)
    if len(places) < 2 or not links:
        return False
    first, last = places[0].node, places[-1].node
    around = next(up for up in model.ancestors(model.parent[first]) if model.end[up] > last)
    for node in links:
        way = list(model.ancestors(node))
        apart = [up for up in way if not up <= first < model.end[up]]
        before = range(apart[-1] if apart else node, node)
        homes = Counter(
            model.home(n) for n in before if model.length(n) >= LONG_TEXT and "a" in model.tag[n : model.end[n]]
        )
        if around in way or max(homes.values(), default=0) < SEVERAL:
            return False
    return True


def _had(key: UrlKey, asked: set[UrlKey]) -> bool:
    """The address was fetched, as it is or with parameters added (a sort order, a size) to the same ones."""
    host, path, query = key
    return key in asked or any(query and (host, path) == (h, p) and set(query) <= set(q) for h, p, q in asked)


def failed(bench: Bench) -> Iterator[Finding]:
    """Pages without an answer, or with one of failure, that the request or a fetched page names; and pages that hold no
    records, or ask for a login. An error where rows are missing for it, else a warning."""
    evidence, query = bench.evidence, bench.query
    links = {url_key(link.url) for _, model in evidence.models for link in model.links}
    listings = [n for n in range(len(bench.pages)) if evidence.rows_on(n)]
    ahead = {url_key(k.url) for n, m in evidence.models if n in listings for k in onward(m, bench.survey)}
    wanted = {url_key(url) for url in query.urls}
    had = {(host_of(page.url), urlsplit(page.url).path) for page in bench.pages}
    rows, count = len(bench.table.rows), len(listings)
    few, number = query.paging == "count" and count < (query.page_count or 1), f"page {count + 1}"
    kept = f": {rows} row{'s' * (rows != 1)} of {count} page{'s' * (count != 1)} {'are' if rows != 1 else 'is'} kept"
    kept = kept if listings else ""
    lost: dict[tuple[bool, bool, int], list[Request]] = {}
    for request in {request.name: request for request in bench.result.requests}.values():  # the last of each page
        key = url_key(request.url)
        refused = request.verdict in ("allowed", "tape") and 400 <= request.status < 500
        gone = refused and request.status not in _WITHHELD
        counted = (host_of(request.url), urlsplit(request.url).path) in had
        failure = request.verdict in NO_ANSWER or request.status >= 400
        if failure and (key in links or key in wanted or (counted and not gone)):
            missing = not gone or key in wanted or (few and key in ahead)
            lost.setdefault((missing, key in ahead, request.status), []).append(request)
    for (missing, listing, status), requests in lost.items():
        first = requests[0]
        what = f"answered {status}" if status else f"could not be had ({first.note or first.verdict})"
        called = f"{number} ({first.url})" if listing else first.url
        more = f" and {len(requests) - 1} more" if len(requests) > 1 else ""
        message = f"{called}{more} {what}{kept if listing else ''}"
        severity: Severity = "error" if missing else "warning"
        yield Finding("page-failed", message, "", (), severity, first.url, str(status or ""))
    others = [(n, page) for n, page in enumerate(bench.pages) if n not in listings]
    follow = [page for n, page in others if n and url_key(page.asked or page.url) in ahead]
    if follow and not bench.narrowed and query.paging != "first":
        message = f"{number} ({follow[0].url}) has no records{kept}"
        severity = "error" if few else "warning"
        yield Finding("page-failed", message, severity=severity, expected=follow[0].url)
    asking = next((page for _, page in others if b"password" in page.body and asks_login(parse(page))), None)
    if asking is not None:
        message = f"{asking.asked or asking.url} asks for a login{kept}"
        yield Finding("asks-login", message, expected=asking.url)
