"""Writes how the program goes on from page to page: the next link, a number that counts, a form that is sent."""

from __future__ import annotations

import re

from scrapewright.programmers.rules.ops import literal, raw_literal
from scrapewright.programmers.rules.plan import Plan
from scrapewright.programmers.rules.program import Program
from scrapewright.survey.model import NextPage
from scrapewright.survey.submissions import POSTBACK


class OnwardWriter:
    """Writes the lines of the loop over pages, and the functions that they call."""

    def __init__(self, program: Program, plan: Plan) -> None:
        self.program = program
        self.plan = plan
        self.by_form = plan.paging is not None and plan.paging.next.how == "form"
        self.posts = self.by_form or plan.search is not None
        """Pages are asked for by a URL and the data that goes with it, None for the first."""

    def pages(self, *lists: str) -> list[str]:
        """The head of a loop over pages that follows from one to the next. `lists` are empty when it begins."""
        empty = ", ".join("set()" if name == "opened" else "[]" for name in lists)
        start, begin = f"{', '.join((*lists, 'visited'))} = {empty}, set()", self.begin()
        if self.posts and not begin:
            start = f"{', '.join((*lists, 'visited', 'data'))} = {empty}, set(), None"
        key = "(url, data)" if self.posts else "url"
        return [*begin, start, f"while url and {key} not in visited{self.bound()}:", f"    visited.add({key})"]

    def fetched(self) -> str:
        return "soup = fetch(session, url, data)" if self.posts else "soup = fetch(session, url)"

    def bound(self) -> str:
        paging = self.plan.paging
        if paging is None or paging.pages is None:
            return ""
        self.program.constant("MAX_PAGES", str(paging.pages))
        return " and len(visited) < MAX_PAGES"

    def step(self, base: str) -> str:
        """The line that goes on to the next page."""
        assert self.plan.paging is not None
        step = self.plan.paging.next
        number = ", len(visited) + 1" if step.how == "numbers" or step.numbered else ""
        if self.by_form:
            return f"url, data = next_form(soup, {base}{number})"
        onward = f"next_page(soup, {base}{number})"
        return f"url, data = {onward}, None" if self.posts else f"url = {onward}"

    def begin(self) -> list[str]:
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

    def next_page(self) -> None:
        assert self.plan.paging is not None
        found = self.plan.paging.next
        if found.how == "form":
            self._next_form(found)
            return
        if found.how == "numbers":
            body = [
                f"for link in soup.select({literal(found.selector or 'a[href]')}):",
                "    if link.get_text(strip=True) == str(number):",
                '        return urljoin(page_url, link["href"])',
                "return None",
            ]
            self.program.function("next_page(soup, page_url, number)", "The URL of the page with that number.", body)
            return
        body = [
            f"link = soup.select_one({literal(found.selector)})",
            'return urljoin(page_url, link["href"]) if link else None',
        ]
        self.program.function("next_page(soup, page_url)", "The URL of the next page, None on the last.", body)

    def _next_form(self, found: NextPage) -> None:
        """Writes the function that fills the form which the control to the next page sends."""
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
            self.program.constant("POSTBACK", f're.compile(r"""{POSTBACK.pattern}""")')
            body += [
                'form = link.find_parent("form") or soup.form',
                "fields = form_fields(form)",
                'fields["__EVENTTARGET"], fields["__EVENTARGUMENT"] = match.groups()',
            ]
        body.append('return urljoin(page_url, form.get("action", "")), tuple(fields.items())')
        self.program.function(f"next_form(soup, page_url{', number' if found.numbered else ''})", doc, body)

    def counter(self) -> str:
        assert self.plan.paging is not None
        found, pages = self.plan.paging.next, self.plan.paging.pages
        if pages is not None:
            end = found.start + pages * found.step
            step = f", {found.step}" if found.step != 1 else ""
            return f"range({found.start}, {end}{step})"
        return f"count({found.start}{f', {found.step}' if found.step != 1 else ''})"

    def page_link(self) -> None:
        """Writes the function that makes the URL of a page from its number."""
        assert self.plan.paging is not None
        found = self.plan.paging.next
        first, param = found.start, found.param
        urls = (self.plan.endpoint,) if self.plan.endpoint else self.plan.urls
        body = [f"if number == {first}:", "    return url"]
        if any(re.search(rf"[?&]{re.escape(param)}=", url) for url in urls):
            body.append(f'return re.sub({raw_literal(rf"([?&]{re.escape(param)}=)[^&]*")}, rf"\\g<1>{{number}}", url)')
        elif all("?" in url for url in urls):
            body.append(f'return f"{{url}}&{param}={{number}}"')
        elif not any("?" in url for url in urls):
            body.append(f'return f"{{url}}?{param}={{number}}"')
        else:
            body.append("""mark = "&" if "?" in url else "?\"""")
            body.append(f'return f"{{url}}{{mark}}{param}={{number}}"')
        self.program.function("page_link(url, number)", "The URL of a page; the first is the start page itself.", body)
