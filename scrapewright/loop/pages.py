"""How many pages, where the request does not say: the question, what its answers mean, and what is said in the end."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from scrapewright.query.reading import Reading, combined
from scrapewright.session.questions import Decision, Option, Question
from scrapewright.survey.model import Survey, leaves_pages_open

FIRST = "first"
ALL = "all"
HOW_TO_SAY = 'say "all pages" or --pages N'
_CONFIDENCE = 0.5
"""Where nothing in the request tells."""
_NUMBER = re.compile(r"(?:the )?(?:first )?(\d{1,6})(?: pages?)?")


def question(query: Reading, survey: Survey | None) -> Question | None:
    """Asks how many pages to read where a next page was found and the request says nothing that decides it: first
    offered is what it likely means, else page 1. The question withholds no verdict.
    """
    if survey is None or not survey.next.verified or not leaves_pages_open(query, survey.groups):
        return None
    last, likely = survey.next.last, query.likely_pages
    every = f"all {last} pages" if last is not None and last > 1 else "all pages"
    options = [
        Option(FIRST, "page 1 only", query.urls[0] if query.urls else survey.page.url),
        Option(ALL, every, survey.next.url),
    ]
    if likely is not None and isinstance(likely.pages, int):
        options.append(Option(str(likely.pages), f"the first {likely.pages} pages", survey.next.url))
    if likely is not None:
        options.sort(key=lambda option: option.id != str(likely.pages))
    return Question(
        kind="pages",
        prompt=f"there is a next page: read page 1 only, or {every}?",
        options=tuple(options),
        confidence=_CONFIDENCE if likely is None else likely.likelihood,
    )


def count_in(text: str) -> int | None:
    """How many pages a typed answer asks for; 0 is all of them, None is no answer."""
    words = " ".join(text.lower().split()).rstrip(".")
    if words in ("all", "all pages"):
        return 0
    if words in ("first", "page 1 only", "first page", "only the first"):
        return 1
    found = _NUMBER.fullmatch(words)
    return int(found[1]) or None if found else None


def decided(query: Reading, decisions: Iterable[Decision]) -> Reading:
    """The reading with what the person decided about pages, if they did."""
    decision = next((d for d in decisions if d.kind == "pages"), None)
    if decision is None or query.paging != "unsaid":
        return query
    count = count_in(decision.text or decision.option)
    if count is None:  # neither: it stays as it is
        return query
    said = Reading(pages="all" if count == 0 else "first" if count == 1 else count)
    read = "" if query.likely_pages is None else query.likely_pages.text
    unread = tuple(phrase for phrase in query.unread if phrase not in read)
    return msgspec.structs.replace(combined(query, said, ("pages",), "person"), unread=unread)


def why_no_more(query: Reading, survey: Survey | None) -> str:
    """Why there are no more pages to read than the request wants; empty where there are."""
    if query.pages == "all":
        return "all pages are read already"
    if survey is None:
        return "the page was not looked at"
    return "" if survey.next.verified or survey.next.url else "no next page was found"


def not_read(query: Reading, survey: Survey | None, rows: int, fetched: Iterable[str]) -> str:
    """That there are more pages than were read, where nobody decided it; empty otherwise. `fetched` are the addresses
    that the program asked for.
    """
    asked = question(query, survey)
    if asked is None or survey is None or not rows or survey.next.url in set(fetched):
        return ""
    return f"{rows} {'row' if rows == 1 else 'rows'} of page 1; a next page is there: {HOW_TO_SAY}"
