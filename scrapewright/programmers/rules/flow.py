"""Writes how the program goes through the site: fetching, records of a page, next pages, pages behind links."""

from __future__ import annotations

import re

from scrapewright.programmers.rules import helpers
from scrapewright.programmers.rules.columns import ColumnWriter, sibling_name
from scrapewright.programmers.rules.conditions import Keep
from scrapewright.programmers.rules.onward import OnwardWriter
from scrapewright.programmers.rules.ops import literal, raw_literal
from scrapewright.programmers.rules.plan import Column, Plan
from scrapewright.programmers.rules.program import Program
from scrapewright.programmers.rules.reading import selection, steps_of
from scrapewright.query.reading import Field
from scrapewright.survey.json_values import is_json
from scrapewright.survey.model import Group
from scrapewright.web.page import RENDER

WHOLE_PAGE = frozenset({"html", "body", ":root", "head"})
"""Selectors of groups whose one record is the page: the soup itself serves."""


class FlowWriter:
    """Writes the functions from `read_…` up to `scrape`."""

    def __init__(self, program: Program, plan: Plan) -> None:
        self.program = program
        self.plan = plan
        self.columns = ColumnWriter(program, plan)
        self.noun = plan.noun
        self.json = is_json(plan.group)
        self.onward = OnwardWriter(program, plan)

    def write(self) -> None:
        plan = self.plan
        own = [column for column in plan.columns if not column.detail]
        behind = ""
        if plan.detail is not None and plan.follow is not None:
            if not own:
                self.noun = "entry"
            behind = self._detail_reader([column for column in plan.columns if column.detail], plan.noun, bool(own))
        reader, uses_url = "", False
        if own:
            reader, uses_url = self._record_reader(own, self.noun, plan.group)
        if plan.endpoint:
            self._scrape_endpoint(reader, uses_url)
            return
        self._fetch()
        records = self._records(plan.group, "soup")
        if behind:
            self._scrape_behind(reader, uses_url, behind, records)
        elif plan.paging is None:
            self._scrape_once(reader, uses_url, records)
        elif plan.paging.next.how == "param":
            self._scrape_counting(reader, uses_url, records)
        else:
            self._scrape_following(reader, uses_url, records)

    # one record

    def _record_reader(self, columns: list[Column], noun: str, group: Group) -> tuple[str, bool]:
        """Writes `read_NOUN` and says whether it takes the page's URL."""
        before, entries = self._entries(columns, noun, group)
        for keep in self.plan.keep:
            if keep.slot is not None:
                column = Column(field=Field(name=hidden(keep)), slot=keep.slot, ops=keep.ops, joint=" ")
                read = self.columns.expression(column, noun, is_json(group))
                entries.append(f"{literal(hidden(keep))}: {read}")
        uses_url = any("page_url" in entry for entry in entries)
        name = self.program.name(f"read_{noun}")
        body = [*before, "return {", *(f"    {entry}," for entry in entries), "}"]
        self.program.function(f"{name}({noun}{', page_url' if uses_url else ''})", "", body)
        return name, uses_url

    def _entries(self, columns: list[Column], record: str, group: Group) -> tuple[list[str], list[str]]:
        """Lines that get the tags after the record, and the entries of its dict."""
        json = is_json(group)
        entries = [f"{literal(column.name)}: {self.columns.expression(column, record, json)}" for column in columns]
        before = []
        data = {column.slot.data for column in columns if column.slot} - {""}
        for one in group.data:
            if one.name in data:
                found = self._records(Group(one.name, "json", one.selector, 1, source=one.source), record)
                first = f"next(iter({found}), {{}})" if one.source == "ld+json" else f"{found} or {{}}"
                before.append(f"{one.name} = {first}")
        siblings = {steps_of(column.slot)[0] for column in columns if column.slot and not json} - {0}
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
        whole = group.selector in WHOLE_PAGE and not is_json(group)
        record = "soup" if whole else "found"
        before, entries = self._entries(columns, record, group)
        url = "page_url" if any("page_url" in entry for entry in entries) else "url"
        blank = f"{{{', '.join(f'{literal(column.name)}: None' for column in columns)}}}"
        body = [
            "try:",
            f"    soup = fetch(session, {url})",
            "except requests.HTTPError as error:",
            '    print(f"Left out: {error}")',
            f"    return {blank if adds else None}",
        ]
        if not whole:
            if is_json(group) or group.form:
                body.append(f"found = next(iter({self._records(group, 'soup')}), None)")
            else:
                body.append(f"found = soup.select_one({literal(selection(group)[0])})")
            body += ["if found is None:", f"    return {blank}"]
        body += [*before, "return {", *(f"    {entry}," for entry in entries), "}"]
        name = self.program.name(f"read_{noun}" if self.noun != noun else f"read_{noun}_page")
        self.program.function(f"{name}(session, {url})", "", body)
        return name

    # the records of a page

    def _records(self, group: Group, soup: str) -> str:
        """An expression that lists the records of a page; for JSON in a page it writes the function that finds them."""
        if not is_json(group):
            if group.selector in WHOLE_PAGE:
                return f"[{soup}]"
            selector, head, tail = selection(group)
            cut = f"[{head or ''}:{tail or ''}]" if head or tail else ""
            if group.form:
                return self._formed(group, soup, selector) + cut
            found = f"{soup}.select({literal(selector)}){cut}"
            return f"unspan({found})" if group.spans else found
        path = [key for key in group.selector.split(".") if key]
        name = self.program.name("read_data")
        if group.source == "ld+json":
            body = [
                "found = []",
                "for script in soup.select('script[type=\"application/ld+json\"]'):",
                f"    found += objects_of_type(json_of(script), {literal(group.selector)})",
                "return found",
            ]
        elif group.source.startswith("var "):
            pattern = rf"\b{re.escape(group.source[4:])}\s*=\s*"
            body = [
                'for script in soup.select("script"):',
                '    code = script.string or ""',
                f"    match = re.search({raw_literal(pattern)}, code)",
                "    if match:",
                "        data, _ = json.JSONDecoder().raw_decode(code, match.end())",
                f"        return {self._dug('data', path)}",
                "return []",
            ]
        else:
            body = [
                f"script = soup.select_one({literal(group.source)})",
                "if script is None:",
                "    return []",
                "data = json_of(script)",
                f"return {self._dug('data', path)}",
            ]
        self.program.function(f"{name}(soup)", "The records in the page's script.", body)
        return f"{name}({soup})"

    def _formed(self, group: Group, soup: str, selector: str) -> str:
        """The call that makes records of what a selector matches."""
        name = helpers.FORMS[group.form]
        if group.form == "run":
            ends = f", {literal(group.until)}" if group.until else ""
            return f"{name}({soup}, {literal(selector)}{ends})"
        starts = f", {list(group.cuts)}" if group.form == "text" else ""
        return f"{name}({soup}.select({literal(selector)}){starts})"

    def _dug(self, data: str, path: list[str]) -> str:
        if not path:
            return data
        return (
            f"dig({data}, {', '.join(key if key.isascii() and key.isdigit() else literal(key) for key in path)}) or []"
        )

    # fetching

    def _fetch(self) -> None:
        plan, data = self.plan, ""
        body = ["response = session.get(url, timeout=30)", "response.raise_for_status()"]
        if self.onward.posts:
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
        parser = '"xml"' if plan.group.kind == "feed" else '"lxml"'
        from_encoding = f", from_encoding={literal(plan.encoding)}" if plan.encoding else ""
        content = "response.content"
        if plan.decoded:
            content, from_encoding = f'response.content.decode({literal(plan.decoded)}, "replace")', ""
        body.append(f"return BeautifulSoup({content}, {parser}{from_encoding})")
        self.program.function(f"fetch(session, url{data})", doc, body)

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

    def _row(self, reader: str, uses_url: bool, base: str) -> str:
        return f"{reader}({self.noun}{', ' + base if uses_url else ''})"

    # going on

    def _unless_later(self, lines: list[str]) -> list[str]:
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

    def _scrape_once(self, reader: str, uses_url: bool, records: str) -> None:
        lines, base = self._base("url", uses_url)
        body = [
            *self.onward.begin(), self.onward.fetched(), *lines,
            f"return [{self._row(reader, uses_url, base)} for {self.noun} in {records}]",
        ]  # fmt: skip
        self.program.function("scrape(session, url)", "", body)

    def _scrape_following(self, reader: str, uses_url: bool, records: str) -> None:
        self.onward.next_page()
        lines, base = self._base("url")
        found = f"[{self._row(reader, uses_url, base)} for {self.noun} in {records}]"
        by_form = self.onward.by_form
        body = [
            *self.onward.pages("rows", *(("found",) if by_form else ())),
            *self._unless_later([self.onward.fetched()]),
            *("    " + line for line in lines),
            *(
                [f"    previous, found = found, {found}", "    if not found or found == previous:"]
                if by_form
                else [f"    found = {found}", "    if not found:", '        print(f"No records on {url}")']
            ),
            "        break",
            "    rows += found",
            f"    {self.onward.step(base)}",
            "return rows",
        ]
        self.program.function("scrape(session, url)", "", body)

    def _scrape_counting(self, reader: str, uses_url: bool, records: str) -> None:
        self.onward.page_link()
        lines, base = self._base("page_url", uses_url)
        body = [
            "rows, found = [], []",
            f"for number in {self.onward.counter()}:",
            "    page_url = page_link(url, number)",
            *self._unless_later(["soup = fetch(session, page_url)"]),
            *("    " + line for line in lines),
            f"    previous, found = found, [{self._row(reader, uses_url, base)} for {self.noun} in {records}]",
            "    if not found or found == previous:",
            "        break",
            "    rows += found",
            "return rows",
        ]
        self.program.function("scrape(session, url)", "", body)

    def _scrape_endpoint(self, reader: str, uses_url: bool) -> None:
        plan = self.plan
        self.program.constant("ENDPOINT", literal(plan.endpoint))
        body = ["response = session.get(url, timeout=30)", "response.raise_for_status()", "return response.json()"]
        self.program.function("fetch_json(session, url)", "", body)
        path = [key for key in plan.group.selector.split(".") if key]
        records = self._dug("data", path)
        row = self._row(reader, uses_url, "url")
        if plan.paging is None:
            self.program.function(
                "scrape(session, url)",
                "",
                ["data = fetch_json(session, url)", f"return [{row} for {self.noun} in {records}]"],
            )
            return
        onward = plan.paging.next
        if onward.how == "json" and onward.url and not onward.param:
            self._scrape_answers(row, records)
            return
        self.onward.page_link()
        self.program.function("scrape(session, url)", "", [
            "rows, found = [], []",
            f"for number in {self.onward.counter()}:",
            *self._unless_later(["data = fetch_json(session, page_link(url, number))"]),
            f"    previous, found = found, [{row} for {self.noun} in {records}]",
            "    if not found or found == previous:",
            "        break",
            "    rows += found",
            *self._json_end(),
            "return rows",
        ])  # fmt: skip

    def _scrape_answers(self, row: str, records: str) -> None:
        """Each answer holds the address of the next one."""
        assert self.plan.paging is not None
        path = [key for key in self.plan.paging.next.selector.split(".") if key]
        body = [
            "rows, visited = [], set()",
            f"while url and url not in visited{self.onward.bound()}:",
            "    visited.add(url)",
            *self._unless_later(["data = fetch_json(session, url)"]),
            f"    rows += [{row} for {self.noun} in {records}]",
            f"    onward = {self._dug('data', path).removesuffix(' or []')}",
            "    url = urljoin(url, onward) if onward else None",
            "return rows",
        ]
        self.program.function("scrape(session, url)", "", body)

    def _json_end(self) -> list[str]:
        """Where the answer itself says whether there is more, it is believed."""
        assert self.plan.paging is not None
        path = [key for key in self.plan.paging.next.selector.split(".") if key]
        if self.plan.paging.next.how != "json" or not path:
            return []
        return [f"    if not {self._dug('data', path).removesuffix(' or []')}:", "        break"]

    def _scrape_behind(self, reader: str, uses_url: bool, behind: str, records: str) -> None:
        """Every record's link is opened once; the pages' values go into the record's row."""
        plan = self.plan
        assert plan.follow is not None
        lines, base = self._base("url")
        link = f"absolute({base}, {self.columns.read(plan.follow, self.noun)})"
        inner = [f"for {self.noun} in {records}:", f"    link = {link}"]
        if reader:
            inner += [
                f"    row = {self._row(reader, uses_url, base)}",
                "    if link:",
                f"        row |= {behind}(session, link)",
                "    rows.append(row)",
            ]
        else:
            inner += [
                "    if link and link not in opened:",
                "        opened.add(link)",
                f"        row = {behind}(session, link)",
                "        if row:",
                "            rows.append(row)",
            ]
        lists = ("rows",) if reader else ("rows", "opened")
        if plan.paging is None or plan.paging.next.how not in ("link", "numbers", "form"):
            start = [*self.onward.begin(), "rows = []" if reader else "rows, opened = [], set()"]
            body = [*start, self.onward.fetched(), *lines, *inner, "return rows"]
        else:
            self.onward.next_page()
            body = [
                *self.onward.pages(*lists),
                *self._unless_later([self.onward.fetched(), *lines, *inner]),
                f"    {self.onward.step(base)}",
                "return rows",
            ]
        self.program.function("scrape(session, url)", "", body)


def hidden(keep: Keep) -> str:
    """The key under which a record's reader gives a value that only a filter needs."""
    name = re.sub(r"[^a-zA-Z0-9]+", "_", keep.slot.id if keep.slot is not None else "")
    return f"_{name}_{keep.kind or 'value'}" if keep.ops else f"_{name}"
