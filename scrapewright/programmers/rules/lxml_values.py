"""Reads a group's values on lxml's own tree, as BeautifulSoup's "lxml" parser would give them.

BeautifulSoup copies the parser's tree node by node, and soupsieve looks through all of it; the tree itself and
survey.css take a tenth of that. What the two might read apart (templates, ruby, text in scripts, a second root, CSS
that is not understood here) raises Apart, and is left to BeautifulSoup.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast

from bs4.builder import HTMLTreeBuilder
from bs4.builder._lxml import LXMLTreeBuilder
from lxml import etree

from scrapewright.survey import css, extract
from scrapewright.survey.dom import own_text
from scrapewright.survey.model import Slot

Element = etree._Element

_APART = ("template", "rt", "rp")
_RAW = frozenset(("script", "style"))
_LISTED = HTMLTreeBuilder.DEFAULT_CDATA_LIST_ATTRIBUTES
_BREAKS = ("br", "p", "div", "li", "td", "tr")
_BREAK = "\x00"
_MEET = re.compile(r"[^\s\x00]\x00+[^\s\x00]")
"""Texts on both sides of a break that meet without white space."""
_TEXTS = etree.XPath("descendant::text()[not(parent::script or parent::style)]", smart_strings=False)
_WORDS = re.compile(r"\w+")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


class Apart(Exception):
    """BeautifulSoup may read this otherwise."""


def parsed(body: bytes, encoding: str | None) -> tuple[Element, str]:
    """The root element and the encoding that BeautifulSoup decodes with. `encoding`: given to the parser.

    Raises Apart where the parser's tree may be another than BeautifulSoup's.
    """
    markup, used, _, _ = next(iter(LXMLTreeBuilder().prepare_markup(body, encoding)))
    parser = etree.HTMLParser(recover=True, encoding=used)
    try:
        parser.feed(markup)
        root: Element | None = parser.close()
    except (UnicodeDecodeError, LookupError, etree.LxmlError) as error:
        raise Apart from error
    if root is None or used is None or root.tag != "html" or root.getnext() is not None:
        raise Apart
    if next(root.iter(*_APART), None) is not None:
        raise Apart
    return root, used


class Records:
    """The records of a group on one page or several, in order."""

    def __init__(self, roots: Sequence[Element], selector: str, head: int, tail: int) -> None:
        """Takes of each page's matches those from `head` on, and up to `tail` where that is not 0. Raises Apart."""
        with _understood(selector):
            found = [css.select_all(root, selector)[head : tail or None] for root in roots]
        self.elements = [element for elements in found for element in elements]
        self._found = extract.Records(roots, self.elements)

    def at(self, slot: Slot) -> list[list[Element]]:
        """The elements that a slot names in each record. Raises Apart."""
        with _understood(slot.inner):
            found = self._found.at(slot)
        if any(element.tag in _RAW for elements in found for element in elements):
            raise Apart
        return found


@contextmanager
def _understood(selector: str) -> Iterator[None]:
    if "[type" in selector:
        raise Apart  # the one attribute whose values HTML compares without case
    try:
        yield
    except css.UNREADABLE as error:
        raise Apart from error


def value(element: Element, slot: Slot, joint: str) -> str:
    """What a slot reads of one element: its text, a piece of it, or an attribute."""
    if slot.attr == "tail":
        return " ".join(_until_element(element.tail, element.itersiblings()).split())
    if slot.attr == "head":
        return " ".join(_until_element(element.text, iter(element)).split())
    if slot.attr == "text":
        if slot.own:
            return own_text(element)
        return " ".join(joint.join(texts(element)).split())
    said = element.get(slot.attr) or ""
    listed = slot.attr in _LISTED.get("*", ()) or slot.attr in _LISTED.get(str(element.tag), ())
    return " ".join(said.split()) if listed else said.strip()


def texts(element: Element) -> list[str]:
    """The element's texts in order, as get_text joins them."""
    if not len(element):
        return [element.text] if element.text else []
    return cast("list[str]", _TEXTS(element))


def _until_element(text: str | None, nodes: Iterable[Any]) -> str:
    said = text or ""
    for node in nodes:
        if isinstance(node.tag, str):
            break
        said += node.tail or ""
    return said


def runs_together(element: Element) -> bool:
    """Whether words of several elements would be read as one without a blank between their texts."""
    if not len(element) or not any(isinstance(child.tag, str) for child in element):
        return False
    if any(below.tag in _BREAKS for below in element.iterdescendants()) and _MEET.search("".join(_marked(element))):
        return True
    pieces = texts(element)
    together = "".join(pieces)
    return not _CJK.search(together) and len(_WORDS.findall(together)) != len(_WORDS.findall(" ".join(pieces)))


def _marked(element: Element) -> Iterator[str]:
    """The texts of an element with a mark where a line breaks."""
    for event, below in etree.iterwalk(element, events=("start", "end", "comment", "pi")):
        if below is not element and below.tag in _BREAKS:
            yield _BREAK
        if event == "start":
            yield (below.text or "") if isinstance(below.tag, str) and below.tag not in _RAW else ""
        elif below is not element:
            yield below.tail or ""
