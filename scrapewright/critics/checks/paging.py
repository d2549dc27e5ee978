"""The pages that a request wants: followed to the end, or not beyond the first."""

from __future__ import annotations

import re

from scrapewright.critics.bench import Bench
from scrapewright.critics.document import Link, Model, UrlKey, host_of
from scrapewright.critics.normal import url_key
from scrapewright.loop.names import words
from scrapewright.session.verdict import Finding

_NEXT = words(
    """next nextpage older olderposts olderentries more moreresults loadmore showmore weiter nächste
    nächsteseite suivant suivante pagesuivante siguiente próxima próximo seguinte successiva
    successivo avanti volgende volgendepagina następna następne dalej další následující
    następnastrona следующая следующаястраница далее вперед вперёд nästa neste næste seuraava
    következő sonraki 次へ 次のページ 次 下一页 下一頁 下页 다음 › » > → ≫ >> ››"""
)
_NEXT_CLASS = re.compile(r"(?:^|[\s_-])(next|nextpage|weiter|pagination-next|pager-next)(?:$|[\s_-])", re.I)
_OFF = re.compile(r"(?:^|[\s_-])(disabled|inactive|hidden)(?:$|[\s_-])", re.I)
_JSON_MORE = re.compile(r"^(has_?next(_?page)?|has_?more|more|next(_?page)?(_?url)?|next_?cursor)$", re.I)


def pages(bench: Bench) -> list[Finding]:
    """For all pages: no next link of a listing that was not followed. For n pages: that many listings."""
    query, evidence = bench.query, bench.evidence
    if not evidence.models:
        return []
    asked = {url_key(request.url) for request in bench.result.requests} | {url_key(page.url) for page in bench.pages}
    listings = sorted(evidence.listings) or [0]
    if query.paging == "first":
        rows_of = {n: evidence.rows_on(n) for n in listings}
        beyond = [
            n
            for n in listings[1:]
            if rows_of[n] and host_of(bench.pages[n].url) == host_of(bench.pages[listings[0]].url)
        ]
        if beyond and len(query.urls) <= 1 and not query.follow:
            message = f"only the first page was asked for; rows come from {bench.pages[beyond[0]].url} too"
            return [Finding("extra-rows", message, severity="error" if rows_of[beyond[0]] >= 2 else "warning")]
        return []
    wants_all = query.paging == "all" or (
        query.limit is not None and len(bench.table.rows) < query.limit and query.paging == "unsaid"
    )
    if query.paging == "count" and query.pages:
        if len(listings) > query.pages * max(1, len(query.urls)):
            message = f"{query.pages} pages were asked for; rows come from {len(listings)}"
            return [Finding("extra-rows", message, expected=str(query.pages), got=str(len(listings)))]
        wants_all = len(listings) < query.pages
    if not wants_all:
        return []
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


def _unfollowed(bench: Bench, model: Model, asked: set[UrlKey]) -> Link | None:
    survey = bench.survey
    text = " ".join(survey.next.text.split()).lower() if survey is not None and survey.next.how == "link" else ""
    for link in model.links:
        if url_key(link.url) in asked or not link.url.startswith("http") or host_of(link.url) != host_of(model.url):
            continue
        if _is_next(model, link, text):
            return link
    return None


def _is_next(model: Model, link: Link, text: str) -> bool:
    """A link to the next page by its relation, its class or its words; not one that is switched off."""
    up = model.parent[link.node]
    around = f"{link.classes} {model.chain[up].replace('.', ' ') if up >= 0 else ''}"
    if _OFF.search(around):
        return False
    if "next" in link.rel.lower().split():
        return True
    if link.tag != "a":
        return False
    said = " ".join(model.said(link.node).lower().split())
    flat = "".join(said.split()).strip("»›>→.…") or "".join(said.split())
    if text and said == text and not said.isdigit():
        return True
    paged = bool(re.search(r"(page|seite|pagina|p|offset|start|from|skip)[=/_-]?\d+|[?&/](page|p)[=/]", link.url, re.I))
    if flat in _NEXT and (paged or flat not in ("more", "›", "»", ">", "→", "next", "次")):
        return True
    if flat in ("next", "›", "»", "→", "more") and (_NEXT_CLASS.search(around) or _in_pager(model, link.node)):
        return True
    return bool(_NEXT_CLASS.search(around)) and (paged or _in_pager(model, link.node))


def _in_pager(model: Model, node: int) -> bool:
    for up, _ in zip(model.ancestors(node), range(5), strict=False):
        if re.search(r"pag(er|ing|ination|es)|\.nav-links|pagenav", model.chain[up], re.I):
            return True
    return False


def _json_goes_on(model: Model) -> bool:
    """A JSON answer with a sign that more follows."""
    for node, tag in enumerate(model.tag):
        if _JSON_MORE.match(tag) and model.parent[node] == 0:
            return bool(model.said(node)) and model.said(node).lower() not in ("false", "null", "none", "0")
    return False


def _is_last_request(bench: Bench, page: int) -> bool:
    return bool(bench.result.requests) and url_key(bench.result.requests[-1].url) == url_key(bench.pages[page].url)
