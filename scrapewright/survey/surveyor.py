"""The surveyor: fetches what a query names, and as much more as it takes to know how to work with it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Literal
from urllib.parse import parse_qsl, urljoin, urlsplit

import msgspec
from w3lib.url import add_or_replace_parameter

from scrapewright.query.lexicon import singular, tokens, weak
from scrapewright.query.reading import Field, Reading
from scrapewright.session.events import AnyTick, Progressed
from scrapewright.survey import embedded, page_record, paging, rank, verdict
from scrapewright.survey.addresses import is_offset_param, is_page_param, same_site
from scrapewright.survey.decode import Document, parse
from scrapewright.survey.extract import Extract
from scrapewright.survey.model import Api, Group, NextPage, Search, Slot, Survey, SurveyedPage, leaves_pages_open
from scrapewright.survey.submissions import Submission, filled, search_form
from scrapewright.survey.survey import KEPT, groups_of, on_second_page, surveyed
from scrapewright.web.page import DATA, DRAWN, KEPT_OUT, RENDER, Fetch, Page

Render = Literal["auto", "never", "always"]

MAX_STARTS = 6
MAX_APIS = 3
MAX_DETAILS = 3
"""Pages behind records' links that are looked at: values of one alone don't say what varies from record to record."""
MAX_KEPT_OUT = 3
"""Hosts that a drawn page lacks and that are asked about."""
SLOTS_TRIED = 3
"""Places of addresses that are tried where a request says which to follow: some lead to data, or to what is gone."""
SERVED = 0.45
"""A group that serves the query's fields no better than this sends the surveyor to look elsewhere."""


class PageSurveyor:
    """Fills loop.ports.Surveyor. Fetches the start pages, page 2 where paging is asked for, calls that the page's
    scripts make where its markup does not serve, and a detail page where one is asked for or needed.

    `render` says when pages are drawn in a browser, which the gateway does: "auto" where what was sent holds no records
    and scripts that may draw some, "always", "never".
    """

    def __init__(self, render: Render = "never") -> None:
        self._render = render

    async def survey(self, query: Reading, fetch: Fetch, report: Callable[[AnyTick], None]) -> Survey:
        if not query.urls:
            return Survey((SurveyedPage("", 0),), verdict="error", reason="the query names no address")
        pages: list[Page] = []
        for number, url in enumerate(query.urls[:MAX_STARTS]):
            report(Progressed(what=f"fetching {url}", done=float(number), total=float(len(query.urls[:MAX_STARTS]))))
            pages.append(await fetch(url))
        report(Progressed(what="looking for records"))
        return await _Survey(query, fetch, report, self._render).run(pages)


@dataclass
class _Survey:
    """`answers`: the JSON answers that a drawn page got. `drawn`: the pages are drawn ones, and so `fetch` has those
    that it leads to drawn."""

    query: Reading
    fetch: Fetch
    report: Callable[[AnyTick], None]
    render: Render = "never"
    answers: Sequence[str] = ()
    drawn: bool = False
    notes: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.fetch = partial(self.fetch, headers=DRAWN) if self.drawn else self.fetch

    async def run(self, pages: list[Page]) -> Survey:
        documents = [await asyncio.to_thread(parse, page) for page in pages]
        seen = tuple(surveyed(page, document) for page, document in zip(pages, documents, strict=True))
        page, document = pages[0], documents[0]
        failed = verdict.of_fetch(page)
        search: Search | None = None
        if self.query.search and failed is None:
            page, search = await self._searched(page, document)
            document = await asyncio.to_thread(parse, page)
            seen = (surveyed(page, document), *seen[1:])
            failed = verdict.of_fetch(page) if search else ("empty", "there is no search form on the page")
            search = search if page.method == "POST" else None  # else the address says it all
        if failed is not None:
            return Survey(seen, verdict=failed[0], reason=failed[1], base=document.base)
        groups = await asyncio.to_thread(groups_of, self.query, document)
        outcome, reason = verdict.of_document(page, document, groups)
        apis: tuple[Api, ...] = ()
        step = paging.detect(document)
        looked = ("ok", "javascript", "empty") if not self.drawn else ()
        if document.kind == "html" and outcome in looked and self._served(groups) < SERVED:
            apis, api_groups = await self._calls(document)
            if api_groups:
                groups = rank.ranked(self.query, (*groups, *api_groups), KEPT)
                if groups and groups[0].source.startswith("url "):
                    outcome, reason = "ok", ""
                    step = await self._api_paging(groups[0], groups[0].source[4:])
        if document.kind == "json" and groups and groups[0].source == "body" and step.how == "none":
            step = await self._api_paging(groups[0], page.asked or page.url) if self._wants_pages() else step
        if outcome == "ok" and (nothing_there := await asyncio.to_thread(verdict.empty, self.query, document, groups)):
            outcome, reason = "empty", nothing_there
        if self.render == "always" or (self.render == "auto" and verdict.looks_drawn(document, outcome, groups)):
            drawn = await self._draw(pages, document)
            if isinstance(drawn, Survey):
                return drawn
            reason = f"{reason}; {drawn}" if outcome != "ok" else ""
        if outcome in ("ok", "empty") and self._served(groups) < SERVED and verdict.asks_login(document):
            outcome, reason = "login", f"{page.asked or page.url} asks for a login"
        wanted = self._wants_pages()
        looks_on = wanted or leaves_pages_open(self.query, groups)  # which is asked, or said in the end
        if outcome == "ok" and groups and step.how != "none" and not step.verified and looks_on:
            of_both, step = await self._second_page(document, groups, step)
            groups = of_both if wanted else groups
        survey = Survey(
            seen, outcome, reason, groups, step, apis,
            feeds=feeds_of(document), base=document.base, search=search, drawn=self.drawn,
        )  # fmt: skip
        if outcome == "ok" and groups and not self.query.single:
            survey = await self._detail(survey, document)
        return msgspec.structs.replace(survey, notes=tuple(self.notes)) if self.notes else survey

    async def _draw(self, pages: list[Page], document: Document) -> Survey | str:
        """The survey by way of a browser: of a JSON answer that the page got meanwhile where that holds the records,
        for then programs need no browser; else of what was drawn. Where nothing was, why."""
        plain, fetch = self.fetch, partial(self.fetch, headers=DRAWN)
        self.report(Progressed(what=f"drawing {pages[0].asked or pages[0].url} in a browser"))
        drawn = await fetch(pages[0].asked or pages[0].url)
        if drawn.error:
            return drawn.message or drawn.error
        seen = await asyncio.to_thread(parse, drawn)
        shown = self._served(await asyncio.to_thread(groups_of, self.query, seen))
        if answers := drawn.headers.get(DATA.lower(), "").split():
            found = await _Survey(self.query, plain, self.report, answers=answers).run(pages)
            served = self._served(found.groups[:1])
            if found.groups and found.groups[0].source.startswith("url ") and served >= max(SERVED, 0.8 * shown):
                note = f"its scripts draw the page from {found.groups[0].source[4:]}, which programs fetch in its place"
                return msgspec.structs.replace(found, notes=(note, *found.notes))
        others = [await fetch(page.asked or page.url) for page in pages[1:]]
        found = await _Survey(self.query, plain, self.report, drawn=True).run([drawn, *others])
        several = any(group.kind != "page" for group in found.groups)
        if found.verdict in ("javascript", "empty") or not (several or self.query.single):
            kept_out = drawn.headers.get(KEPT_OUT.lower(), "").split()
            for url in kept_out[:MAX_KEPT_OUT]:
                await plain(url)  # refused as any other: where somebody is there, they are asked
            hosts = ", ".join(dict.fromkeys(urlsplit(url).netloc for url in kept_out))
            hint = f"; its scripts asked for {hosts}, and --allow HOST lets them" if hosts else ""
            reason = f"the page holds no records, also as a browser draws it{hint}"
            return msgspec.structs.replace(found, verdict="javascript", reason=reason)
        note = f"its scripts draw the page: programs ask for the drawn one, by the header {RENDER}"
        return msgspec.structs.replace(found, notes=(note, *found.notes))

    async def _searched(self, page: Page, document: Document) -> tuple[Page, Search | None]:
        """The first page of what a search finds, and its form; the page itself where it has none."""
        html = document.kind == "html"
        search = await asyncio.to_thread(search_form, document, self.query.search) if html else None
        form = filled(document, search) if search is not None else None
        if form is None:
            return page, None
        self.report(Progressed(what=f"searching for {self.query.search}"))
        return await self._submit(form), search

    def _served(self, groups: tuple[Group, ...]) -> float:
        return max((rank.serve(self.query, group) for group in groups), default=0.0)

    def _wants_pages(self) -> bool:
        return self.query.paging in ("all", "count") or (self.query.page_count or 1) > 1

    async def _calls(self, document: Document) -> tuple[tuple[Api, ...], list[Group]]:
        """The JSON endpoints that the page's scripts name, with the groups of their answers."""
        apis: list[Api] = []
        groups: list[Group] = []
        for url in self.answers or embedded.api_urls(document)[:MAX_APIS]:
            self.report(Progressed(what=f"trying {url}"))
            answer = await self.fetch(url)
            if answer.error or answer.status != 200:
                continue
            parsed = await asyncio.to_thread(parse, answer)
            if parsed.kind == "json" and (found := embedded.arrays_of(parsed.data, f"url {answer.asked or url}", 1)):
                apis.append(Api(url, _counter_of(url), found[0].selector, found[0].count))
                groups.extend(found)
        return tuple(apis), groups

    async def _api_paging(self, group: Group, url: str) -> NextPage:
        """How the endpoint of a group is paged: a flag, number or address in its answer, or a counted parameter."""
        data = (await asyncio.to_thread(parse, await self.fetch(url))).data
        param = _counter_of(url) or ("page" if isinstance(data, dict) and "page" in data else "")
        said = dict(parse_qsl(urlsplit(url).query)).get(param, "")
        start, step = int(said) if said.isdecimal() else 1, max(1, group.count) if is_offset_param(param) else 1
        after = next_value(data)
        if after is not None and _is_address(after[1]):
            target = urljoin(url, str(after[1]))
        elif param:
            target = add_or_replace_parameter(url, param, str(start + step))
        else:
            return NextPage()  # a cursor or nothing, and nothing says which parameter takes it
        found = NextPage("json" if after else "param", after[0] if after else "", "", target, param, start, step)
        if not self._wants_pages():
            return found
        other = await asyncio.to_thread(parse, await self.fetch(target))
        more = embedded.arrays_of(other.data, "", least=1) if other.kind == "json" else []
        same = [g for g in more if g.selector == group.selector]
        return msgspec.structs.replace(found, verified=bool(same) and same[0].sample != group.sample)

    async def _second_page(
        self, first: Document, groups: tuple[Group, ...], step: NextPage
    ) -> tuple[tuple[Group, ...], NextPage]:
        self.report(Progressed(what=f"looking at the next page, {step.url}"))
        form = paging.control_pressed(first, step) if step.how == "form" else None
        page = await self._submit(form) if form is not None else await self.fetch(step.url)
        if page.error or page.status != 200:
            self.notes.append(f"the next page could not be fetched: {page.message or page.error or page.status}")
            return groups, step
        second = await asyncio.to_thread(parse, page)
        better, same = await asyncio.to_thread(on_second_page, first, second, groups)
        if not same:
            self.notes.append("the next page holds no records of the same shape")
            return groups, step
        return better, msgspec.structs.replace(step, verified=True, url=page.name or page.asked or page.url)

    async def _submit(self, form: Submission) -> Page:
        return await self.fetch(form.url, method=form.method, form=form.fields or None)

    async def _detail(self, survey: Survey, document: Document) -> Survey:
        """The survey with that of a page behind a record's link, where it is asked for or holds what the list lacks."""
        group = survey.groups[0]
        lacking = [field for field in self.query.fields if best_fit(field, group) < 0.3]
        if not self.query.follow and not lacking:
            return survey
        extract = await asyncio.to_thread(Extract, document, group)
        for slot in follow_slots(self.query, group)[: SLOTS_TRIED if self.query.follow else 1]:
            values = extract.values(slot)
            said = values if any(values) else slot.samples
            links = [urljoin(survey.base, one) for one in said if one and not one.endswith("…")]
            detail = await self._behind(survey, [link for link in dict.fromkeys(links) if self._is_other(survey, link)])
            if detail is None:
                continue
            found = sum(1 for field in lacking if max(best_fit(field, g) for g in detail.groups) >= SERVED)
            if not self.query.follow and found < 0.5 * len(lacking):
                return survey
            return msgspec.structs.replace(survey, detail=detail, follow_slot=slot.id)
        return survey

    async def _behind(self, survey: Survey, links: Sequence[str]) -> Survey | None:
        """The survey of the pages behind some records; None where the first that is there says nothing."""
        single = msgspec.structs.replace(self.query, single=True, follow="", pages="first", limit=None)
        seen, first, groups = list[SurveyedPage](), None, tuple[Group, ...]()
        for link in spread(links, MAX_DETAILS):
            self.report(Progressed(what=f"looking at a record's own page, {link}"))
            page = await self.fetch(link)
            if page.error or page.status != 200:
                continue
            document = await asyncio.to_thread(parse, page)
            if first is None:
                groups = await asyncio.to_thread(groups_of, single, document)
                data = document.kind == "json" or (document.kind == "xml" and survey.groups[0].kind == "feed")
                if data or not groups or verdict.of_document(page, document, groups)[0] != "ok":
                    return None
                first = document
            elif document.kind == "html":
                more = await asyncio.to_thread(groups_of, single, document)
                groups = tuple(page_record.with_labelled(group, more) for group in groups)
            seen.append(surveyed(page, document))
        return Survey(tuple(seen), groups=groups, base=first.base) if first is not None else None

    def _is_other(self, survey: Survey, link: str) -> bool:
        """Whether an address is on the page's site, and no page of the list."""
        known = {survey.page.url.partition("#")[0], survey.next.url}
        return same_site(link, survey.page.url) and link.partition("#")[0] not in known


def spread(links: Sequence[str], most: int) -> list[str]:
    """As many of them, the first and the last among them: records next to each other are alike."""
    if len(links) <= most:
        return list(links)
    return [links[at * (len(links) - 1) // (most - 1)] for at in range(most)]


def best_fit(field: Field, group: Group) -> float:
    return max((rank.fit(field, slot) for slot in group.slots), default=0.0)


def follow_slots(query: Reading, group: Group) -> list[Slot]:
    """The slots that may lead to a record's own page, most likely first: those that the query's words name, then the
    main link."""
    links = [slot for slot in group.slots if slot.attr == "href" and not slot.many and slot.coverage >= 0.5]
    if group.source or group.kind == "feed":
        links += [slot for slot in group.slots if slot not in links and not slot.many and _leads(slot)]
    texts = {(slot.selector, slot.index): slot for slot in group.slots if slot.attr == "text" and not slot.own}
    wanted = [singular(word) for word in tokens(query.follow) if not weak(word)]
    worths: dict[str, float] = {}
    for number, slot in enumerate(links):
        text = texts.get((slot.selector, slot.index))
        called = tokens(" ".join((*slot.names, *(text.names + text.samples[:3] if text else ()))))
        address = tokens(" ".join(slot.samples[:2]))
        worth = 1.0 - 0.01 * number + 0.5 * min(slot.distinct, 1.0)
        for word in wanted:
            worth += 2.0 if _holds(called, word) else 1.0 if _holds(address, word) else 0.0
        if text is not None:
            worth += min(len(text.samples[0]) if text.samples else 0, 60) / 100 + 0.4 * text.distinct
            worth += 0.5 * ("title" in text.names)
        worths[slot.id] = worth
    return sorted(links, key=lambda slot: -worths[slot.id])


_ADDRESSES = frozenset(("url", "link", "href", "permalink"))
_FILE = re.compile(
    r"\.(?:jpe?g|png|gif|webp|svg|avif|ico|mp[34]|ogg|m4a|webm|pdf|zip|gz|css|js)(?:[?#]|$)", re.IGNORECASE
)


def _leads(slot: Slot) -> bool:
    """Whether a place in data leads to a page; an address that is no path is known by what its place is called."""
    named = not _ADDRESSES.isdisjoint(slot.names) and not any(re.search(r"\s", sample) for sample in slot.samples)
    return (slot.type == "url" or named) and not any(map(_FILE.search, slot.samples))


def _holds(words: Sequence[str], wanted: str) -> bool:
    """Whether one of the words is the wanted one, or made with it: "detailpage"."""
    return any(wanted == singular(word) or (len(wanted) > 3 and wanted in word) for word in words)


def feeds_of(document: Document) -> tuple[str, ...]:
    """Addresses of the feeds that a page announces."""
    if document.kind != "html" or document.root is None:
        return ()
    links = (link for link in document.root.iter("link") if "alternate" in (link.get("rel") or "").lower())
    found = (link.get("href") or "" for link in links if re.search(r"rss|atom|feed\+json", link.get("type") or ""))
    return tuple(dict.fromkeys(urljoin(document.base, address.strip()) for address in found))


_MORE = re.compile(
    r"(?:has_?(?:next|more)(?:_?page)?|more|next(?:_?(?:page|url|link|cursor|token))?(?:_?(?:url|number))?)", re.I
)
_PAGING = re.compile(r"(?:meta|paging|pagination|page_?info|_?links|data|info)", re.I)


def next_value(data: object) -> tuple[str, object] | None:
    """(dotted path, value) of what a JSON answer says of its next page: an address where it tells one, else a flag, a
    number or a cursor."""
    found = list(_next_values(data))
    return next((one for one in found if _is_address(one[1])), found[0] if found else None)


def _is_address(value: object) -> bool:
    return isinstance(value, str) and ("/" in value or "?" in value)


def _next_values(data: object, path: str = "", depth: int = 0) -> Iterator[tuple[str, object]]:
    if isinstance(data, dict) and depth <= 3:
        said = [(f"{path}.{key}".strip("."), str(key), value) for key, value in data.items()]
        yield from ((at, value) for at, key, value in said if _MORE.fullmatch(key) and _is_plain(value))
        for at, _, value in (one for one in said if _PAGING.fullmatch(one[1])):
            yield from _next_values(value, at, depth + 1)


def _is_plain(value: object) -> bool:
    return isinstance(value, (bool, int, str)) and value != ""


def _counter_of(url: str) -> str:
    """The parameter of an address that pages are counted by; empty where it has none."""
    return next((key for key, _ in parse_qsl(urlsplit(url).query) if is_page_param(key)), "")
