"""Fetches the pages that rows come from which something else scraped: what a run's own requests are for its rows.

No more than judging the rows takes: the addresses of the request, further pages of the list while the request wants
them or rows were not seen yet, and for values that no record holds the pages that the rows link to.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from urllib.parse import urldefrag, urljoin, urlsplit

import msgspec
from w3lib.url import add_or_replace_parameter

from scrapewright.critics.checks.paging import wants_all
from scrapewright.critics.document import Library, Span, host_of
from scrapewright.critics.evidence import MAX_ROWS, Evidence, fetched, is_answer
from scrapewright.critics.match import Needle, find
from scrapewright.critics.normal_forms import absolute, url_key
from scrapewright.critics.onward import onward
from scrapewright.critics.rows import Table
from scrapewright.loop.ports import Surveyor
from scrapewright.query.reading import Reading
from scrapewright.session.result import Request, RunResult
from scrapewright.survey import embedded, paging
from scrapewright.survey.decode import parse
from scrapewright.survey.model import Survey
from scrapewright.survey.surveyor import next_value
from scrapewright.web.page import DRAWN, Fetch, Page

LISTINGS_AT_MOST = 50
"""Pages of lists, unless the request asks for a larger number."""
LINKED_AT_MOST = 200
"""Pages that rows link to."""
FRUITLESS = 10
"""Next pages that hold none of the rows looked for, where the request does not say how many pages it wants."""
TRIALS = 3
"""Links of a kind that are opened for values before the kind is given up."""
_REQUEST_VERDICTS = {"": "allowed", "policy": "refused", "robots": "robots", "miss": "miss"}
_NO_PAGES = (".jpg", ".jpeg", ".png", ".gif", ".webp", ".svg", ".avif", ".pdf", ".zip", ".mp3", ".mp4", ".webm")

Report = Callable[[str], None]
"""Takes a line about what is being done."""


class Gathered(msgspec.Struct, frozen=True):
    """The survey of the first page, and what was fetched for the rows. `left` says in words which pages were not,
    though rows may be on them; `refused` are the hosts that the request does not name."""

    survey: Survey
    result: RunResult
    pages: dict[str, Page]
    placed: int = 0
    """How many rows were found on these pages, of a sample where there are very many."""
    left: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()


async def gather(reading: Reading, table: Table, surveyor: Surveyor, fetch: Fetch, report: Report) -> Gathered:
    """Never raises for what the site does: that is in the survey's verdict and in the requests."""
    return await _Gathering(reading, table, fetch, report).run(surveyor)


class _Gathering:
    def __init__(self, reading: Reading, table: Table, fetch: Fetch, report: Report) -> None:
        self.reading, self.table, self.report = reading, table, report
        self._fetch = fetch
        self._fetched: dict[str, Page] = {}
        self._sent: dict[str, str] | None = None
        self.pages: dict[str, Page] = {}
        self.requests: list[Request] = []
        self.left: list[str] = []
        self.refused: dict[str, None] = {}
        self.sought: set[int] = set()
        """Rows that were found on no page yet."""

    async def run(self, surveyor: Surveyor) -> Gathered:
        self.report("looking at the page")
        survey = await surveyor.survey(self.reading, self._once, lambda tick: None)
        if survey.drawn:
            self._sent, self._fetched = DRAWN, {}
        self.sought = set(range(0, len(self.table.rows), max(1, len(self.table.rows) // MAX_ROWS)))
        looked_for = len(self.sought)
        if not survey.pages[0].error:
            await self._lists(survey)
            if self.table.rows:
                await self._linked(survey)
        placed = looked_for - len(self.sought)
        return Gathered(survey, self._result(), self.pages, placed, tuple(self.left), tuple(self.refused))

    async def _once(
        self, url: str, *, method: str = "GET", headers: dict[str, str] | None = None,
        form: Mapping[str, str] | None = None,
    ) -> Page:  # fmt: skip
        """A `Fetch` that asks for no address twice."""
        if method != "GET" or headers or form:
            return await self._fetch(url, method=method, headers=headers, form=form)
        if url not in self._fetched:
            self._fetched[url] = await self._fetch(url, headers=self._sent)
        return self._fetched[url]

    async def _get(self, url: str) -> Page:
        """A page as part of the record: only what is there is compared with the rows."""
        page = await self._once(url)
        if url not in self.pages:
            self.requests.append(_request(url, page))
            self.pages[url] = page
            self.pages.setdefault(page.url, page)
            if page.error == "policy":
                self.refused[urlsplit(page.url).netloc.rpartition("@")[2]] = None
        return page

    def _result(self) -> RunResult:
        return RunResult("ok", requests=tuple(self.requests))

    # Lists.

    async def _lists(self, survey: Survey) -> None:
        """The addresses of the request, the endpoint that a page's script loads its list from, and what follows."""
        starts = [survey.page.url] if self.reading.search else list(self.reading.urls)
        if survey.groups and survey.groups[0].source.startswith("url "):
            starts.append(survey.groups[0].source.removeprefix("url "))
        for url in dict.fromkeys(starts):
            await self._look_at(await self._get(url))
        for url in dict.fromkeys(starts):
            await self._onward(await self._get(url), survey)

    async def _onward(self, page: Page, survey: Survey) -> None:
        """The pages after one, as far as they are wanted. Those that were looked at for rows only, and on from which
        none was found, are no part of the record: nobody asked for them."""
        most = max(LISTINGS_AT_MOST, self.reading.page_count or 0)
        count, bodies, ahead = 1, {page.body}, list[str]()
        while self._wants_more(count, len(ahead)) and is_answer(page):
            url = await asyncio.to_thread(_next, page, count, survey)
            if not url or url in self.pages or url in ahead:
                if survey.next.how == "form" and not url:
                    self.left.append("what is on the pages that a form leads to: forms are not sent here")
                return
            if len(self.requests) + len(ahead) >= most:
                self.left.append(f"what is on the pages from {url} on: {most} pages are the most that are looked at")
                return
            self.report(f"page {count + 1}: {url}")
            page = await self._once(url)
            if page.body in bodies and is_answer(page):  # some sites answer any page number with their last page
                return
            bodies.add(page.body)
            count += 1
            ahead.append(url)
            if not is_answer(page) and not self._asks_for(count):
                self.left.append(f"what is on {url}: {page.message or page.error or f'it answers {page.status}'}")
                ahead = [url]
            if await self._look_at(page) or not is_answer(page) or self._asks_for(count):
                for found in ahead:
                    await self._get(found)
                ahead.clear()

    def _asks_for(self, count: int) -> bool:
        """Whether the request itself wants the page of that number."""
        if self.reading.paging == "count":
            return count <= (self.reading.page_count or 1)
        return wants_all(self.reading, len(self.table.rows))

    def _wants_more(self, count: int, fruitless: int) -> bool:
        open_ = self.reading.paging == "unsaid" and not self.reading.single
        return self._asks_for(count + 1) or (open_ and bool(self.sought) and fruitless < FRUITLESS)

    async def _look_at(self, page: Page) -> bool:
        """Whether the page has records of rows that were not seen before."""
        if not self.sought or not is_answer(page):
            return False
        found = await asyncio.to_thread(_placed, self.reading, self.table, sorted(self.sought), page)
        self.sought -= found
        return bool(found)

    # Pages that rows link to.

    async def _linked(self, survey: Survey) -> None:
        """Opens the links of rows whose values are in no record. A kind of link that does not serve the first rows
        is given up; one that serves is followed where a cell is empty, too: the value may have been overlooked."""
        pages = fetched(self._result(), self.pages)
        base = survey.base or next(iter(self.reading.urls), "")
        plan = await asyncio.to_thread(_Links, self.reading, self.table, pages, base)
        if plan.lacking:
            self.report("looking at pages that the rows link to")
        opened: set[str] = set()
        tried: dict[str, list[str]] = {}
        columns: dict[str, set[str]] = {}  # what the links of a kind serve
        jobs = [(row, needles, False) for row, needles in plan.lacking.items()]
        for row, needles, known in jobs:
            left = dict(needles)
            for kind, url in plan.links(row):
                if not (left or known) or (known and kind not in columns):
                    continue
                if len(tried.get(kind, ())) >= TRIALS and kind not in columns:
                    continue
                if url not in opened and len(opened) >= LINKED_AT_MOST:
                    self.left.append(f"what is on more than {LINKED_AT_MOST} of the pages that rows link to")
                    return
                opened.add(url)
                page = await self._once(url)
                tried.setdefault(kind, []).append(url)
                held = await asyncio.to_thread(_held, page, left) if is_answer(page) else set()
                if held:
                    columns.setdefault(kind, set()).update(held)
                    left = {column: needle for column, needle in left.items() if column not in held}
                if kind in columns:  # what serves nothing is no part of the record, but for a host to be allowed
                    for found in tried[kind]:
                        await self._get(found)
                elif page.error == "policy":
                    await self._get(url)
            if held_somewhere := set(needles) - set(left):
                self.sought.discard(row)
                plan.serve(held_somewhere, jobs)


class _Links:
    """Which rows have values that no record holds, and where their links lead."""

    def __init__(self, reading: Reading, table: Table, pages: Sequence[Page], base: str) -> None:
        evidence = self._evidence = Evidence(reading, table, pages)
        self._base = base
        self._had = {url_key(url) for page in pages for url in (page.url, page.asked)}
        self._hosts = {host_of(page.url) for page in pages}
        lacking: dict[int, dict[str, Needle]] = {}
        for column in evidence.judged:
            needles = {row: evidence.needles[row][column] for row in evidence.rows}
            sought = [row for row, needle in needles.items() if not (needle.empty or needle.url)]
            rows = [row for row in sought if not (evidence.find(row, column) or evidence.before(row, column))]
            if not all(evidence.context(row, column) for row in rows):  # no value of the page, such as its heading
                for row in rows:
                    lacking.setdefault(row, {})[column] = needles[row]
        self.lacking = dict(sorted(lacking.items()))
        self._served: set[str] = set()
        self._of_records = {row: self._record_links(row) for row in evidence.rows}
        self._shared = Counter(key for links in self._of_records.values() for key in {url_key(u) for _, u in links})

    def links(self, row: int) -> list[tuple[str, str]]:
        """(kind, address) of the pages that a row leads to: its own columns' first, then its record's own links."""
        places = self._evidence.places[row]
        base = places[0].model.base if places else self._base
        needles = self._evidence.needles[row].items()
        links = [(f"column {column}", urldefrag(absolute(base, n.url))[0]) for column, n in needles if n.url]
        links += [(kind, url) for kind, url in self._of_records[row] if self._shared[url_key(url)] == 1]
        found: dict[object, tuple[str, str]] = {}
        for kind, url in links:
            if url.startswith(("http://", "https://")) and not urlsplit(url).path.lower().endswith(_NO_PAGES):
                found.setdefault(url_key(url), (kind, url))
        return [link for key, link in found.items() if key not in self._had]

    def serve(self, columns: Iterable[str], jobs: list[tuple[int, dict[str, Needle], bool]]) -> None:
        """Adds the rows to `jobs` that have nothing in a column which linked pages were found to serve."""
        new = set(columns) - self._served
        self._served |= new
        for row in self._evidence.rows:
            if row not in self.lacking and any(self._evidence.needles[row][column].empty for column in new):
                jobs.append((row, {}, True))

    def _record_links(self, row: int) -> list[tuple[str, str]]:
        for place in self._evidence.places[row][:1]:
            span, path = self._evidence.span(place), place.model.path
            links = [link for link in place.model.links if link.tag == "a" and link.node in span]
            return [(f"link {path[k.node]}", urldefrag(k.url)[0]) for k in links if host_of(k.url) in self._hosts]
        return []


def _placed(reading: Reading, table: Table, rows: Sequence[int], page: Page) -> set[int]:
    """The rows that have a record on the page, of those asked about."""
    part = msgspec.structs.replace(table, rows=tuple(table.rows[row] for row in rows))
    places = Evidence(reading, part, [page]).places
    return {rows[n] for n, found in places.items() if found}


def _held(page: Page, needles: dict[str, Needle]) -> set[str]:
    """The columns whose values are on the page."""
    spans = [Span(model) for model in Library().models(page) if model.tag]
    return {column for column, needle in needles.items() if any(find(needle, span) is not None for span in spans)}


def _next(page: Page, count: int, survey: Survey) -> str:
    """The address of the page after this one, the `count`-th of its list; empty where there is none."""
    document = parse(page)
    if document.kind != "json":
        step, here = paging.detect(document), host_of(page.url)
        if step.how != "none":
            return "" if step.how == "form" else step.url
        links = [link.url for model in Library().models(page) for link in onward(model, survey)]
        return next((url for url in links if host_of(url) == here and url_key(url) != url_key(page.url)), "")
    said = next_value(document.data)
    if (said is not None and not said[1]) or not embedded.arrays_of(document.data, "", least=1):
        return ""
    if said is not None and isinstance(said[1], str) and ("/" in said[1] or "?" in said[1]):
        return urljoin(page.url, said[1])
    step = survey.next
    return add_or_replace_parameter(page.url, step.param, str(step.start + step.step * count)) if step.param else ""


def _request(url: str, page: Page) -> Request:
    verdict = "tape" if page.from_tape else _REQUEST_VERDICTS.get(page.error, "error")
    note = f"{page.error}: {page.message}" if page.error else ""
    size = len(page.body)
    return Request("GET", url, page.status, page.media_type, size, from_tape=page.from_tape, verdict=verdict, note=note)
