"""What a selector that a person types selects on a fetched page: CSS as soupsieve reads it, or XPath to be counted."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Literal

import msgspec
import soupsieve
from bs4 import BeautifulSoup
from bs4.element import Tag
from lxml import etree

from scrapewright.survey import css
from scrapewright.survey.css import Within
from scrapewright.survey.decode import Document
from scrapewright.survey.dom import Element, squeeze, text_of, value_of
from scrapewright.survey.extract import Extract
from scrapewright.survey.model import Slot

_AT = re.compile(r"(.*?)@([\w:-]+)\s*", re.S)
_ATTR = re.compile(r"(.*?)::?attr\(([\w-]+)\)\s*", re.S)
_TEXT = re.compile(r"::text\s*$")
_FROM_RECORD = re.compile(r"(?:\+\s*)+|\^\s+")
_PATH = re.compile(r"\s*(?:\.{0,2}/|\(\s*\.{0,2}/|(?:descendant|child|self|ancestor|following|preceding)[\w-]*::)")

_TOP = re.compile(r""""[^"]*"|'[^']*'|((?:^|\|)[\s(]*)(?=/)""")
"""A string, or where a path begins at the top."""


UNREADABLE = (soupsieve.SelectorSyntaxError, ValueError, TypeError, NotImplementedError)
"""What soupsieve raises where it can't read a selector."""


class Refused(ValueError):
    """The selector can't be read. The message says in a sentence what is wrong, and what would do."""


class Selector(msgspec.Struct, frozen=True):
    """What was typed: the selector, and the attribute to read of what it selects ("" reads the text). `start` is where
    it looks from, as in `Slot.selector`: "+ " in the element behind the record, "^ " before it."""

    text: str
    attr: str = ""
    language: Literal["css", "xpath"] = "css"
    start: str = ""


class Hit(msgspec.Struct, frozen=True):
    """One match: its value, and the element it is of (None for a text or number that an XPath gives)."""

    value: str
    element: Any = None


def start_of(text: str) -> tuple[str, str]:
    """Where a selector looks from, seen from a record ("+ ", "+ + ", "^ " or nowhere else), and the rest of it."""
    found = _FROM_RECORD.match(text)
    if found is None:
        return "", text
    return ("^ " if found[0][0] == "^" else "+ " * found[0].count("+")), text[found.end() :]


def read(text: str) -> Selector:
    """The selector that a text is: CSS, with "@href" or "::attr(href)" behind it to read an attribute, or XPath.

    Raises Refused.
    """
    start, said = start_of(text.strip())
    if not (said or start):
        raise Refused("type a CSS selector")
    if _PATH.match(said):
        try:
            etree.XPath(said)
        except etree.XPathError as error:
            raise Refused(f"XPath that can't be read: {error}") from error
        return Selector(said, language="xpath")
    named = _AT.fullmatch(said) or _ATTR.fullmatch(said)
    if named is None or named[1].count("[") != named[1].count("]"):
        named = None
    selector, attr = (named[1].strip(), named[2]) if named else (_TEXT.sub("", said).strip(), "")
    if ":contains(" in selector:
        raise Refused(_in_plain_words(selector, ""))
    if selector:  # nothing before the attribute: the record's own
        try:
            soupsieve.compile(selector)
        except UNREADABLE as error:
            raise Refused(_in_plain_words(selector, str(error))) from error
    return Selector(selector, attr, start=start)


class Finder:
    """Selects on one page. Not thread-safe."""

    def __init__(self, document: Document) -> None:
        self.root: Any = document.root if document.kind in ("html", "xml") else None
        self._xml = document.kind == "xml"

    def select(self, selector: Selector, scope: Element | None = None) -> list[Hit]:
        """What it selects, in the order of the page: below `scope`, else on the whole page.

        Raises Refused where a selector that can be read can't be evaluated.
        """
        if self.root is None:
            return []
        if selector.language == "xpath":
            return _by_path(self.root, selector.text, scope)
        if selector.text:
            return _hits(self._by_css(selector.text, scope), selector)
        return _hits([scope if scope is not None else self.root], selector)

    def within(
        self, selector: Selector, records: Sequence[Element | None], wanted: Callable[[], bool] = lambda: True
    ) -> list[list[Hit]]:
        """What it selects in each record, nothing where that is None. Gives up where nobody waits for it any more.

        Raises Refused.
        """
        if selector.language == "css" and selector.text and "[type" not in selector.text:
            try:
                return [_hits(found, selector) for found in Within(records, xml=self._xml).select(selector.text)]
            except css.UNREADABLE:
                pass
        found = []
        for number, record in enumerate(records):
            if number % 50 == 0 and not wanted():
                break
            found.append(self.select(selector, record) if record is not None else [])
        return found

    def from_records(
        self, selector: Selector, extract: Extract, wanted: Callable[[], bool] = lambda: True
    ) -> list[list[Hit]]:
        """The same for the records of a group, from where the selector starts. Raises Refused."""
        if selector.start != "^ ":
            return self.within(selector, extract.scopes(selector.start.count("+")), wanted)
        return [_hits(found, selector) for found in extract.elements(Slot("", selector.start + selector.text))]

    def _by_css(self, selector: str, scope: Element | None) -> list[Element]:
        """By XPath where the selector is of the part of CSS that is the same there, which is much quicker; else on a
        copy of the page for soupsieve."""
        if "[type" not in selector:  # the one attribute whose values HTML compares without case
            try:
                if scope is not None:
                    return css.select(scope, selector, xml=self._xml)
                return css.select_all(self.root, selector, xml=self._xml)
            except css.UNREADABLE:
                pass
        try:
            return self._copy.select(selector, scope)
        except (ValueError, TypeError, NotImplementedError, RecursionError) as error:
            raise Refused(_in_plain_words(selector, str(error))) from error

    @cached_property
    def _copy(self) -> _Copy:
        return _Copy(self.root)


def _hits(elements: Sequence[Element], selector: Selector) -> list[Hit]:
    return [Hit(value_of(element, selector.attr or "text"), element) for element in elements]


def _by_path(root: Element, path: str, scope: Element | None) -> list[Hit]:
    """A path from the top of the page is one from the top of the record, where there is one."""
    if scope is not None:
        path = _TOP.sub(lambda found: found[0] if found[1] is None else f"{found[0]}.", path)
    try:
        found: Any = (scope if scope is not None else root.getroottree()).xpath(path, smart_strings=False)
    except etree.XPathError as error:
        raise Refused(f"XPath that can't be evaluated: {error}") from error
    if not isinstance(found, list):
        return [Hit(squeeze(str(found)))]
    return [Hit(text_of(one), one) if hasattr(one, "tag") else Hit(squeeze(str(one))) for one in found]


class _Copy:
    """A page as BeautifulSoup holds it, element for element."""

    def __init__(self, root: Element) -> None:
        self.soup = BeautifulSoup("", "lxml")
        self._elements: dict[int, Element] = {}
        self._tags: dict[Element, Tag] = {}
        self._add(root)

    def select(self, selector: str, scope: Element | None) -> list[Element]:
        base = self._tags.get(scope, self.soup) if scope is not None else self.soup
        return [self._elements[id(tag)] for tag in base.select(selector)]

    def _add(self, root: Element) -> None:
        for event, element in etree.iterwalk(root, events=("start", "end")):
            if not isinstance(element.tag, str):
                continue
            if event == "end":
                if element.tail and element is not root:
                    self._tags[element].insert_after(element.tail)
                continue
            classes: dict[str, Any] = {str(name): str(value) for name, value in element.attrib.items()}
            if "class" in classes:
                classes["class"] = classes["class"].split()
            tag = self.soup.new_tag(str(element.tag), attrs=classes)
            parent = element.getparent()
            (self._tags[parent] if element is not root else self.soup).append(tag)
            if element.text:
                tag.append(element.text)
            self._tags[element], self._elements[id(tag)] = tag, element


def _in_plain_words(selector: str, error: str) -> str:
    """What soupsieve says of a selector, without its drawing, and what is meant where that is known."""
    first = squeeze(error.splitlines()[0] if error else "")
    place = re.search(r"position (\d+)", first)
    at = f", at {selector[int(place[1]) :][:20]!r}" if place and int(place[1]) < len(selector) else ""
    if "::" in selector:
        return "there are no pseudo-elements such as ::before here; .price@href reads an attribute, .price the text"
    if ":contains(" in selector:
        return 'write :-soup-contains("text") for elements that hold a text'
    if selector.count("[") != selector.count("]"):
        return 'a "[" is not closed: [attribute="value"]'
    if selector.count("(") != selector.count(")"):
        return 'a "(" is not closed'
    if selector.rstrip().endswith((">", "+", "~", ",")):
        return f"something must follow {selector.rstrip()[-1]!r}"
    if selector.rstrip().endswith((".", "#", ":")):
        return f"a name must follow {selector.rstrip()[-1]!r}"
    if unknown := re.match(r"'(:[\w-]+)' was detected as a pseudo-class", first):
        return f"{unknown[1]} is none of the pseudo-classes that can be used here"
    return f"it can't be read as CSS{at}: {re.sub(r'(?: at)? position [0-9]+$', '', first).lower()}"
