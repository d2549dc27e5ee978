"""Runs a program's selectors on the fetched pages: how many matches each has, in how many records, and the nearest
that exists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

import msgspec

from scrapewright.programmers.model.selector_calls import SelectorCall, selector_calls
from scrapewright.web.page import Page

if TYPE_CHECKING:
    from bs4 import BeautifulSoup, Tag

_PARSERS = {"html": "lxml", "xml": "xml"}
"""By what is in a page's media type."""
MAX_PAGES = 3
ELEMENTS = 300
"""Of those that a selector is asked of: the first tell enough."""


class SelectorProbe(msgspec.Struct, frozen=True):
    """One selector: matches on each probed page, an error, and the nearest thing that is there where it finds nothing.

    `elements` are those that the program asks it of (`within`), `filled` those of them that have a match.
    """

    selector: str
    line: int
    matches: tuple[int, ...]
    error: str = ""
    nearest: str = ""
    within: str = ""
    elements: int = 0
    filled: int = 0

    @property
    def said(self) -> str:
        """What it found, for a prompt."""
        if self.error:
            return self.error
        on_pages = f"{', '.join(map(str, self.matches))} matches"
        if not self.elements:
            return on_pages
        first = "the first " if self.elements == ELEMENTS else ""
        found = f"in {self.filled} of {first}{self.elements} {self.within!r}"
        return found if self.filled else f"{found}; on the pages {on_pages}"


def probe_selectors(code: str, pages: Mapping[str, Page]) -> list[SelectorProbe]:
    """Every selector of the program on the first HTML and XML pages; none without pages. Parsing makes it slow: call it
    off the event loop."""
    calls = selector_calls(code)
    soups = list(_soups(pages)) if calls else []
    return [_probe(call, soups) for call in calls] if soups else []


def _soups(pages: Mapping[str, Page]) -> Iterator[BeautifulSoup]:
    from bs4 import BeautifulSoup

    count = 0
    for url in pages:
        page = pages[url]
        parser = next((parser for kind, parser in _PARSERS.items() if kind in page.media_type), "")
        if page.status == 200 and parser and count < MAX_PAGES:
            count += 1
            yield BeautifulSoup(page.body, parser)


def _probe(call: SelectorCall, soups: list[BeautifulSoup]) -> SelectorProbe:
    from scrapewright.survey.selecting import UNREADABLE

    try:
        counts = tuple(len(soup.select(call.selector)) for soup in soups)
        found = (element for soup in soups for element in soup.select(call.within, limit=ELEMENTS))
        elements = list(islice(found, ELEMENTS)) if call.within else []
        filled = sum(element.select_one(call.selector) is not None for element in elements)
    except UNREADABLE as error:
        return SelectorProbe(call.selector, call.line, (), error=(str(error).splitlines() or ["it can't be read"])[0])
    lost = not filled if elements else not any(counts)
    nearest = _nearest(call.selector, elements or soups) if lost else ""
    return SelectorProbe(
        call.selector, call.line, counts, nearest=nearest, within=call.within, elements=len(elements), filled=filled
    )


def _nearest(selector: str, within: Sequence[Tag]) -> str:
    """The class or id there that is most like the one asked for; of XML the element."""
    from rapidfuzz import process

    names: dict[str, int] = {}
    for part in within:
        for tag in part.find_all(True):
            if part._is_xml:
                names[tag.name] = names.get(tag.name, 0) + 1
            for word in tag.get_attribute_list("class"):
                if word:
                    key = f"{tag.name}.{word}"
                    names[key] = names.get(key, 0) + 1
            if tag.get("id"):
                names[f"{tag.name}#{tag['id']}"] = names.get(f"{tag.name}#{tag['id']}", 0) + 1
    last = selector.split()[-1] if selector.split() else selector
    best = process.extractOne(last, names.keys(), score_cutoff=55)
    return f"{best[0]} ({names[best[0]]}×)" if best else ""
