"""Writes the functions that lead to a list's next page: by its link, by a number, or by a form that is sent."""

from __future__ import annotations

from urllib.parse import quote

from scrapewright.programmers.rules.ops import literal
from scrapewright.programmers.rules.plan import Plan
from scrapewright.programmers.rules.program import Program
from scrapewright.survey.model import NextPage
from scrapewright.survey.submissions import POSTBACK


def write_next_page(program: Program, plan: Plan) -> None:
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


def page_link(plan: Plan) -> str:
    """The expression of a page's URL by its number; the first is the start page itself."""
    assert plan.paging is not None
    found = plan.paging.next
    name = quote(found.param, safe="[]")
    return f"url if number == {found.start} else page_link(url, {literal(name)}, number)"
