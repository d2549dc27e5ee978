"""Writes how the program goes through the site: fetching, records of a page, pages behind links, and on to the next
page by its link, by a number that counts, or by a form that is sent."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import quote, urlsplit

from scrapewright.programmers.rules.conditions import Keep
from scrapewright.programmers.rules.helpers import dug, records_of, selection
from scrapewright.programmers.rules.ops import literal
from scrapewright.programmers.rules.plan import Column, Plan
from scrapewright.programmers.rules.program import ColumnWriter, Program, sibling_name
from scrapewright.query.reading import Field
from scrapewright.survey.css import ROOTS
from scrapewright.survey.embedded import is_json
from scrapewright.survey.model import Group, NextPage
from scrapewright.survey.submissions import POSTBACK
from scrapewright.web.page import RENDER


class FlowWriter:
    """Writes the functions from `read_…` up to `scrape`."""

    def __init__(self, program: Program, plan: Plan) -> None:
        self.program = program
        self.plan = plan
        self.columns = ColumnWriter(program, plan)
        self.noun = plan.noun
        self.by_form = plan.paging is not None and plan.paging.next.how == "form"
        self.posts = self.by_form or plan.search is not None
        """Pages are asked for by a URL and the data that goes with it, None for the first."""
        self.reader, self.uses_url = "", False
        alike = not plan.endpoint and (plan.group.kind == "feed") == (
            plan.detail is not None and plan.detail.kind == "feed"
        )
        self.fetch_page = "fetch" if alike else "fetch_page"
        """The function that fetches the pages behind records; the list may be no page."""
        self.link = Column(field=Field(name="link"), slot=plan.follow)
        self.adds = False
        """What is behind a record's link is added to what the record itself gives."""
        self.bounded = plan.limit is not None and not (plan.keep or plan.order or plan.distinct)
        """The first LIMIT rows are wanted, whatever they hold: no page behind another record is opened."""
        self.opens = ""
        """The function that reads the page behind a record's link, where the record's reader calls it."""

    def write(self) -> None:
        plan = self.plan
        own = [column for column in plan.columns if not column.detail]
        self.adds = bool(own) or any(keep.slot is not None for keep in plan.keep)
        counted = plan.paging is not None and plan.paging.next.how == "param"
        aside = plan.follow is not None and bool(plan.follow.steps or plan.follow.data)
        reads, behind = bool(self.adds or plan.endpoint or counted or aside), ""
        if plan.detail is not None and plan.follow is not None:
            self.noun = plan.noun if own else "entry"
            behind = self._detail_reader([column for column in plan.columns if column.detail], plan.noun, self.adds)
        if reads:
            self.opens, behind = behind, ""
            self.reader, self.uses_url = self._record_reader(own, self.noun, plan.group)
        self._fetch()
        if plan.endpoint:
            body = self._of_endpoint()
        else:
            records = records_of(plan.group, "soup")
            if behind:
                body = self._behind(behind, records)
            elif plan.paging is None:
                lines, base = self._base("url", self.uses_url)
                body = [*self._begin(), self._fetched(), *lines, f"return {self._rows(base, records)}"]
            else:
                body = self._counting(records) if plan.paging.next.how == "param" else self._following(records)
        self.program.function("scrape(session, url)", "", body)

    # one record

    def _record_reader(self, columns: list[Column], noun: str, group: Group) -> tuple[str, bool]:
        """Writes `read_NOUN` and says whether it takes the page's URL."""
        before, entries = self._entries(columns, noun, group, [self.link] if self.opens else [])
        for keep in self.plan.keep:
            if keep.slot is not None:
                column = Column(field=Field(name=hidden(keep)), slot=keep.slot, ops=keep.ops, joint=keep.joint)
                read = self.columns.expression(column, noun, is_json(group))
                entries.append(f"{literal(hidden(keep))}: {read}")
        uses_url = bool(self.opens) or any("page_url" in entry for entry in entries)
        name = self.program.name(f"read_{noun}")
        if self.opens:
            before.append(f"link = {self._link('page_url')}")
            opened = f"{self.opens}(session, link)"
            body = [f"return {opened} if link else None"]
            if entries:
                body = ["row = {", *(f"    {entry}," for entry in entries), "}", "if link:", f"    row |= {opened}"]
                body.append("return row")
        else:
            body = ["return {", *(f"    {entry}," for entry in entries), "}"]
        body = [*before, *body]
        session = "session, " if self.opens else ""
        self.program.function(f"{name}({session}{noun}{', page_url' if uses_url else ''})", "", body)
        return name, uses_url

    def _link(self, base: str) -> str:
        """The expression of the address behind a record."""
        return f"absolute({base}, {self.columns.expression(self.link, self.noun, is_json(self.plan.group))})"

    def _entries(
        self, columns: list[Column], record: str, group: Group, others: Sequence[Column] = ()
    ) -> tuple[list[str], list[str]]:
        """Lines that get the tags after the record and its data, for `others` too, and the entries of its dict."""
        json = is_json(group)
        entries = [f"{literal(column.name)}: {self.columns.expression(column, record, json)}" for column in columns]
        before = []
        slots = [column.slot for column in (*columns, *others) if column.slot]
        data = {slot.data for slot in slots} - {""}
        for one in group.data:
            if one.name in data:
                found = records_of(Group(one.name, "json", one.selector, 1, source=one.source), record, "{}")
                before.append(f"{one.name} = " + (f"next(iter({found}), {{}})" if one.source == "ld+json" else found))
        siblings = {slot.steps for slot in slots if not json} - {0}
        for step in range(1, max(siblings, default=0) + 1):
            last = record if step == 1 else sibling_name(step - 1)
            guard = "" if step == 1 else f"{last} and "
            before.append(f"{sibling_name(step)} = {guard}{last}.find_next_sibling()")
        return before, entries

    def _detail_reader(self, columns: list[Column], noun: str, adds: bool) -> str:
        """Writes the function that reads the page behind a record's link. `adds`: to a row that the list gives; else a
        page that is not there makes no row."""
        group = self.plan.detail
        assert group is not None
        whole = group.selector in ROOTS and not is_json(group)
        record = "soup" if whole else "found"
        before, entries = self._entries(columns, record, group)
        url = "page_url" if any("page_url" in entry for entry in entries) else "url"
        blank = f"{{{', '.join(f'{literal(column.name)}: None' for column in columns)}}}"
        body = [
            "try:",
            f"    soup = {self.fetch_page}(session, {url})",
            "except requests.RequestException as error:",
            '    print(f"Left out: {error}")',
            f"    return {blank if adds else None}",
        ]
        if not whole:
            if is_json(group) or group.form:
                body.append(f"found = next(iter({records_of(group, 'soup')}), None)")
            else:
                body.append(f"found = soup.select_one({literal(selection(group)[0])})")
            body += ["if found is None:", f"    return {blank}"]
        body += [*before, "return {", *(f"    {entry}," for entry in entries), "}"]
        name = self.program.name(f"read_{noun}" if self.noun != noun else f"read_{noun}_page")
        self.program.function(f"{name}(session, {url})", "", body)
        return name

    # fetching

    def _fetch(self) -> None:
        plan = self.plan
        encoding = f", from_encoding={literal(plan.encoding)}" if plan.encoding else ""
        if not plan.endpoint:
            self._fetching("fetch", ('"xml"' if plan.group.kind == "feed" else '"lxml"') + encoding)
        if plan.detail is not None and self.fetch_page != "fetch":
            self._fetching(self.fetch_page, '"xml"' if plan.detail.kind == "feed" else '"lxml"')

    def _fetching(self, name: str, parser: str) -> None:
        """Writes the function that fetches a document and parses it; `parser` with the encoding where that is given."""
        plan, data = self.plan, ""
        body = ["response = session.get(url, timeout=30)", "response.raise_for_status()"]
        if self.posts:
            data = ", data=None"
            body[0] = "response = session.post(url, data, timeout=30) if data else session.get(url, timeout=30)"
        doc = ""
        if plan.drawn:
            doc = "The page as a browser draws it: scrapewright's gateway answers the header with it."
            body[0] = body[0].replace("get(url, timeout=30)", f'get(url, headers={{"{RENDER}": "1"}}, timeout=120)')
            body += [
                f'if "{RENDER}" not in response.headers:',
                '    raise SystemExit(f"{url} is drawn by its scripts: run this with scrapewright trace --allow HOST")',
            ]
        content = "response.content"
        if plan.decoded:
            content, parser = f'response.content.decode({literal(plan.decoded)}, "replace")', parser.partition(",")[0]
        body.append(f"return BeautifulSoup({content}, {parser})")
        self.program.function(f"{name}(session, url{data})", doc, body)

    def _base(self, url: str, used: bool = True) -> tuple[list[str], str]:
        """Lines to work out the address that the page's links count from, and its name."""
        if not self.plan.based or not used:
            return [], url
        self.program.function(
            "base_of(soup, url)",
            "The address that the page's links count from.",
            ['base = soup.select_one("base[href]")', 'return urljoin(url, base["href"]) if base else url'],
        )
        return [f"base = base_of(soup, {url})"], "base"

    def _rows(self, base: str, records: str) -> str:
        """The expression of a page's rows."""
        left = "LIMIT" if self.plan.paging is None else "LIMIT - len(rows)"
        if self.opens and not self.adds:  # a page that is not there makes no row
            rows = f"row for {self.noun} in {records} if (row := {self._row(base)})"
            return f"list(islice(({rows}), {left}))" if self.bounded else f"[{rows}]"
        if self.opens and self.bounded:
            whole = f"({records})" if records.endswith(" or []") else records
            records = f"{whole}[:LIMIT]" if self.plan.paging is None else f"{whole}[: {left}]"
        return f"[{self._row(base)} for {self.noun} in {records}]"

    def _row(self, base: str) -> str:
        session = "session, " if self.opens else ""
        return f"{self.reader}({session}{self.noun}{', ' + base if self.uses_url else ''})"

    # going on

    def _unless_later(self, lines: Sequence[str]) -> list[str]:
        """Lines of a loop over pages that fetch one: where that fails, the rows of the pages before it are kept."""
        return [
            "    try:",
            *("        " + line for line in lines),
            "    except requests.RequestException as error:",
            "        if not rows:",
            "            raise",
            '        print(f"Stopped after {len(rows)} rows: {error}")',
            "        break",
        ]

    def _loop(
        self, head: Sequence[str], fetched: Sequence[str], rows: str, step: Sequence[str], ended: Sequence[str] = ()
    ) -> list[str]:
        """A loop over pages, each fetched by some lines, that ends (with a word or not) at a page without rows or with
        those of the page before."""
        return [
            *head,
            *self._unless_later(fetched),
            "    previous = found",
            f"    found = {rows}",
            "    if not found or found == previous:",
            *ended,
            "        break",
            "    rows += found",
            *step,
            "return rows",
        ]

    def _following(self, records: str) -> list[str]:
        _write_next_page(self.program, self.plan)
        lines, base = self._base("url")
        ended = ["        if not found:", '            print(f"No records on {url}")']
        fetched = [self._fetched(), *lines]
        return self._loop(self._pages("rows", "found"), fetched, self._rows(base, records), [self._step(base)], ended)

    def _counting(self, records: str) -> list[str]:
        lines, base = self._base("page_url", self.uses_url)
        fetched = [f"page_url = {_page_link(self.plan)}", "soup = fetch(session, page_url)", *lines]
        enough = ["    if len(rows) == LIMIT:", "        break"] if self.opens and self.bounded else []
        return self._loop(self._counted(), fetched, self._rows(base, records), enough)

    def _of_endpoint(self) -> list[str]:
        plan = self.plan
        self.program.constant("ENDPOINT", literal(plan.endpoint))
        body = ["response = session.get(url, timeout=30)", "response.raise_for_status()", "return response.json()"]
        self.program.function("fetch_json(session, url)", "", body)
        base = "url"
        if urlsplit(plan.endpoint).netloc != urlsplit(plan.urls[0]).netloc:
            base = "PAGE_URL"  # an answer of another host has the page's own paths
            self.program.constant(base, literal(plan.urls[0]))
        rows = self._rows(base, f"{dug('data', plan.group.selector)} or []")
        if plan.paging is None:
            return ["data = fetch_json(session, url)", f"return {rows}"]
        onward = plan.paging.next
        said = dug("data", onward.selector)
        if onward.how == "json" and onward.url and not onward.param:  # each answer holds the address of the next one
            step = [f"    onward = {said}", "    url = urljoin(url, onward) if onward else None"]
            return self._loop(self._pages("rows", "found"), ["data = fetch_json(session, url)"], rows, step)
        # Where the answer itself says whether there is more, it is believed.
        step = [f"    if not {said}:", "        break"] if onward.how == "json" and onward.selector else []
        if self.opens and self.bounded:
            step = ["    if len(rows) == LIMIT:", "        break", *step]
        return self._loop(self._counted(), [f"data = fetch_json(session, {_page_link(plan)})"], rows, step)

    def _behind(self, behind: str, records: str) -> list[str]:
        """Every record's link is opened once, and each page behind one makes a row."""
        lines, base = self._base("url")
        inner = [
            f"for {self.noun} in {records}:",
            f"    link = {self._link(base)}",
            "    if link and link not in opened:",
            "        opened.add(link)",
            f"        row = {behind}(session, link)",
            "        if row:",
            "            rows.append(row)",
            *(["            if len(rows) == LIMIT:", "                return rows"] if self.bounded else []),
        ]
        if self.plan.paging is None:
            return [*self._begin(), "rows, opened = [], set()", self._fetched(), *lines, *inner, "return rows"]
        _write_next_page(self.program, self.plan)
        return [
            *self._pages("rows", "opened"),
            *self._unless_later([self._fetched(), *lines, *inner]),
            self._step(base),
            "return rows",
        ]

    # the next page

    def _pages(self, *lists: str) -> list[str]:
        """The head of a loop over pages that follows from one to the next. `lists` are empty when it begins."""
        empty = ", ".join("set()" if name == "opened" else "[]" for name in lists)
        start, begin = f"{', '.join((*lists, 'visited'))} = {empty}, set()", self._begin()
        if self.posts and not begin:
            start = f"{', '.join((*lists, 'visited', 'data'))} = {empty}, set(), None"
        key = "(url, data)" if self.posts else "url"
        return [*begin, start, f"while url and {key} not in visited{self._bound()}:", f"    visited.add({key})"]

    def _fetched(self) -> str:
        return "soup = fetch(session, url, data)" if self.posts else "soup = fetch(session, url)"

    def _bound(self) -> str:
        """What a loop over pages goes on by beside there being another page."""
        enough = " and len(rows) < LIMIT" if self.opens and self.bounded else ""
        paging = self.plan.paging
        if paging is None or paging.pages is None:
            return enough
        self.program.constant("MAX_PAGES", str(paging.pages))
        return f" and len(visited) < MAX_PAGES{enough}"

    def _step(self, base: str) -> str:
        """The line that goes on to the next page."""
        assert self.plan.paging is not None
        step = self.plan.paging.next
        number = ", len(visited) + 1" if step.how == "numbers" or step.numbered else ""
        if self.by_form:
            return f"    url, data = next_form(soup, {base}{number})"
        onward = f"next_page(soup, {base}{number})"
        return f"    url, data = {onward}, None" if self.posts else f"    url = {onward}"

    def _begin(self) -> list[str]:
        """The line that goes to the first page by a search form, where one leads there, with its function."""
        search = self.plan.search
        if search is None:
            return []
        self.program.constant("SEARCH", literal(search.text))
        name, value = search.button
        body = [
            f"form = soup.select_one({literal(search.selector)})",
            "fields = form_fields(form)",
            f"fields[{literal(search.field)}] = SEARCH",
            *([f"fields[{literal(name)}] = {literal(value)}"] if name else []),
            'return urljoin(page_url, form.get("action", "")), tuple(fields.items())',
        ]
        self.program.function("search_form(soup, page_url)", "Where the search goes and what it sends.", body)
        return ["url, data = search_form(fetch(session, url), url)"]

    def _counted(self) -> list[str]:
        """The head of a loop over numbered pages."""
        assert self.plan.paging is not None
        found, pages = self.plan.paging.next, self.plan.paging.pages
        step = f", {found.step}" if found.step != 1 else ""
        numbers = f"count({found.start}{step})"
        if pages is not None:
            numbers = f"range({found.start}, {found.start + pages * found.step}{step})"
        return ["rows, found = [], []", f"for number in {numbers}:"]


def hidden(keep: Keep) -> str:
    """The key under which a record's reader gives a value that only a filter needs."""
    name = re.sub(r"[^a-zA-Z0-9]+", "_", keep.slot.id if keep.slot is not None else "")
    return f"_{name}_{keep.kind or 'value'}" if keep.ops else f"_{name}"


# on to the next page


def _write_next_page(program: Program, plan: Plan) -> None:
    """The function that finds the next page's address, or fills its form."""
    assert plan.paging is not None
    found = plan.paging.next
    if found.how == "form":
        _next_form(program, found)
        return
    if found.how == "numbers":
        body = [
            f"for link in soup.select({literal(found.selector or 'a[href]')}):",
            "    if link.get_text(strip=True) == str(number):",
            '        return urljoin(page_url, link["href"])',
            "return None",
        ]
        program.function("next_page(soup, page_url, number)", "The URL of the page with that number.", body)
        return
    body = [
        f"link = soup.select_one({literal(found.selector)})",
        'return urljoin(page_url, link["href"]) if link else None',
    ]
    program.function("next_page(soup, page_url)", "The URL of the next page, None on the last.", body)


def _next_form(program: Program, found: NextPage) -> None:
    """The function that fills the form which the control to the next page sends."""
    doc = "Where the next page's form goes and what it sends; None on the last page."
    body = []
    if not found.script:
        body = [
            f"button = soup.select_one({literal(found.selector)})",
            'if button is None or button.has_attr("disabled"):',
            "    return None, None",
            'form = button.find_parent("form")',
            "fields = form_fields(form)",
            'if button.get("name"):',
            '    fields[button["name"]] = button.get("value", "")',
        ]
    elif found.numbered:
        body = [
            f"for link in soup.select({literal(found.selector)}):",
            f'    match = POSTBACK.search(link.get({literal(found.script)}, ""))',
            '    if match and (link.get_text(strip=True) == str(number) or match[2].endswith(f"${number}")):',
            "        break",
            "else:",
            "    return None, None",
        ]
    else:
        body = [
            f"link = soup.select_one({literal(found.selector)})",
            f'match = POSTBACK.search(link.get({literal(found.script)}, "")) if link else None',
            "if match is None:",
            "    return None, None",
        ]
    if found.script:
        program.constant("POSTBACK", f're.compile(r"""{POSTBACK.pattern}""")')
        body += [
            'form = link.find_parent("form") or soup.form',
            "fields = form_fields(form)",
            'fields["__EVENTTARGET"], fields["__EVENTARGUMENT"] = match.groups()',
        ]
    body.append('return urljoin(page_url, form.get("action", "")), tuple(fields.items())')
    program.function(f"next_form(soup, page_url{', number' if found.numbered else ''})", doc, body)


def _page_link(plan: Plan) -> str:
    """The expression of a page's URL by its number; the first is the start page itself."""
    assert plan.paging is not None
    found = plan.paging.next
    name = quote(found.param, safe="[]")
    return f"url if number == {found.start} else page_link(url, {literal(name)}, number)"
