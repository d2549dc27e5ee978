"""Reads a surveyed group's values off the fetched page, the way the program will: BeautifulSoup and soupsieve.

With the page at hand a conversion is fitted to all values instead of the survey's few samples. BeautifulSoup copies the
parser's tree node by node, and soupsieve looks through all of it; the tree itself and survey.css take a tenth of that,
so values are taken from it where it reads the same. What the two might read apart (templates, ruby, text in scripts, a
second root, CSS that is not understood here) raises Apart, and is left to BeautifulSoup.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import chain
from typing import Any, TypeVar, cast

from bs4 import BeautifulSoup
from bs4.builder import HTMLTreeBuilder
from bs4.builder._lxml import LXMLTreeBuilder
from bs4.element import Tag
from lxml import etree

from scrapewright.programmers.rules.helpers import dug, evaluated, function, records_of, selection
from scrapewright.query.lexicon import fold, singular, tokens
from scrapewright.survey import css, extract
from scrapewright.survey.dom import own_text
from scrapewright.survey.embedded import as_list, dig, is_json, json_text
from scrapewright.survey.model import Group, Slot, Survey
from scrapewright.web.page import Page


def elements_at(record: Tag, slot: Slot) -> list[Tag]:
    """The elements that a slot names in a record or after it: all of them for `many`, else one or none."""
    base: Tag | None = record
    for _ in range(slot.steps):
        if base is None:
            return []
        found = base.find_next_sibling()
        base = found if isinstance(found, Tag) else None
    if base is None:
        return []
    if not (selector := slot.inner):
        return [base]
    first = slot.index == 0 and not slot.many
    return slot.pick(list(base.select(selector, limit=1 if first else 0)))


def joined(texts: Iterable[str]) -> str | None:
    """The texts that are not empty as one, or None where there is none."""
    return "; ".join(filter(None, texts)) or None


def value_of(element: Any, slot: Slot, joint: str) -> str:
    """What a slot reads of one element, of a tag by the function that the program has for it."""
    if not isinstance(element, Tag):
        return _value_of(element, slot, joint)
    if slot.attr in ("head", "tail"):
        return function(f"{slot.attr}_of")(element) or ""
    if slot.attr == "text":
        return (function("own_text_of")(element) if slot.own else function("text_of")(element, joint)) or ""
    value = element.get(slot.attr)
    return " ".join(value) if isinstance(value, list) else str(value or "").strip()


Values = list[str | None]
_SLASHED = re.compile(rb"(?<![\d/])(\d\d?)/(\d\d?)/(?:19|20)\d\d(?![\d/])")

T = TypeVar("T")


class Reader:
    """Values of slots, record by record, from the survey's own page; from the samples where the page is not at hand."""

    def __init__(self, survey: Survey, pages: Mapping[str, Page] | None = None) -> None:
        self.survey = survey
        self._pages = [
            page for page in map((pages or {}).get, (page.url for page in survey.pages)) if page and page.body
        ]
        second = (pages or {}).get(survey.next.url) if survey.next.verified and survey.next.url else None
        self._fetched = [*self._pages, *([second] if second else [])]
        self.pages = pages or {}
        self.from_encoding = ""
        """The encoding to tell the parser, where it would take the page for something else."""
        self.decoded = survey.page.encoding if _codec(survey.page.encoding) in _MULTIBYTE else ""
        """The encoding to decode with before parsing: the parser stops at one wrong sequence of bytes."""
        self._kept: dict[tuple[Hashable, ...], Any] = {}

    def once(self, key: tuple[Hashable, ...], make: Callable[[], T]) -> T:
        """What `make` gives, made where the key is asked for first: the page's questions ask for it over and over."""
        if key not in self._kept:
            self._kept[key] = make()
        found: T = self._kept[key]
        return found

    @cached_property
    def day_leads(self) -> bool:
        """Whether dates such as 31/12/2020 are on the page, and none such as 12/31/2020."""
        found = [pair for page in self._pages for pair in _SLASHED.findall(page.body)]
        return any(int(one) > 12 for one, _ in found) and not any(int(two) > 12 for _, two in found)

    def values(self, group: Group, slot: Slot) -> Values:
        """One text for each record, None where there is none; the samples where the records can't be read."""
        group, slot = group.home(slot)
        if is_json(group) and self.records(group):
            return list(map(json_text, self.raw(group, slot)))
        return [joined(texts) for texts in self.lists(group, slot)]

    def lists(self, group: Group, slot: Slot) -> list[list[str]]:
        """All of a slot's texts in each record; the survey's samples, one each, where the records can't be read."""
        group, slot = group.home(slot)
        if not self.known(group):
            return [[sample] if sample else [] for sample in slot.samples]
        if is_json(group):
            read = [list(map(json_text, as_list(value))) for value in self.raw(group, slot)]
            return [list(filter(None, record)) for record in read]
        return list(self.once(("texts", group.id, slot.id, slot.attr, slot.own), lambda: self._texts(group, slot)))

    def _texts(self, group: Group, slot: Slot) -> list[list[str]]:
        joint, found = self.joint(group, slot), self._elements(group, slot)
        read = [[value_of(element, slot, joint) for element in some] for some in found]
        return [list(filter(None, record)) for record in read]

    def texts(self, group: Group, most: int) -> list[str]:
        """The texts of the first records, as many as `most`."""
        records = self._lxml_records(group)
        if records is not None:
            return [" ".join(" ".join(texts(element)).split()) for element in records.elements[:most]]
        return [record_text(record) for record in self.records(group)[:most]]

    def known(self, group: Group) -> bool:
        """Whether `values` are the records' own, in their order."""
        return self._lxml_records(group) is not None or bool(self.records(group))

    def raw(self, group: Group, slot: Slot) -> list[Any]:
        """The values of a JSON slot as they are."""
        group, slot = group.home(slot)
        return [dig(record, slot.selector) for record in self.records(group)] if is_json(group) else []

    def joint(self, group: Group, slot: Slot) -> str:
        """What to put between an element's texts: a blank where words would run together without it, else nothing."""
        if slot.attr != "text" or slot.own or is_json(group) or slot.data:
            return ""
        if not self.known(group):
            return " "
        some = chain.from_iterable(self._elements(group, slot)[:60])
        return self.once(("joint", group.id, slot.id), lambda: " " if any(map(runs_together, some)) else "")

    def _lxml_records(self, group: Group) -> Records | None:
        return self.once(("lxml", group.id), lambda: self._on_lxml(group))

    def _on_lxml(self, group: Group) -> Records | None:
        listed = group.kind in ("list", "table", "page") and not (is_json(group) or group.spans or group.form)
        if not listed or self.decoded or not self._roots:
            return None
        try:
            found = Records(self._roots, *selection(group))
        except Apart:
            return None
        return found if found.elements else None

    @cached_property
    def _roots(self) -> list[Element]:
        """The roots of the pages, with the encoding that the program will be given; none where one is read apart."""
        page, found = self.survey.page, []
        encoding = page.encoding if page.declared in ("header", "guess") else None
        try:
            for fetched in self._fetched:
                root, used = parsed(fetched.body, encoding)
                if not encoding and _codec(used) != _codec(page.encoding):
                    self.from_encoding = page.encoding
                    root, _ = parsed(fetched.body, self.from_encoding)
                found.append(root)
        except Apart:
            return []
        return found

    def _elements(self, group: Group, slot: Slot) -> list[list[Any]]:
        """The slot's elements in each record, on lxml's tree where that reads as BeautifulSoup does."""
        return self.once(("elements", group.id, slot.id), lambda: self._find(group, slot))

    def _find(self, group: Group, slot: Slot) -> list[list[Any]]:
        try:
            if (records := self._lxml_records(group)) is not None:
                return records.at(slot)
        except Apart:
            self._kept["lxml", group.id] = None
        return [self._at(record, slot) for record in self.records(group)]

    def _at(self, record: Tag, slot: Slot) -> list[Tag]:
        if not slot.above:
            return elements_at(record, slot)
        soup = next((parent for parent in record.parents if isinstance(parent, BeautifulSoup)), None)
        if soup is None:
            return []  # a line of a text, made into an element
        marks = self.once(("marks", id(soup), slot.inner), lambda: set(map(id, soup.select(slot.inner))))
        found = next((node for node in record.previous_elements if id(node) in marks), None)
        return [found] if isinstance(found, Tag) else []

    def shows(self, slot: Slot, text: str) -> bool:
        """Whether the page has the text at the same place, outside of any record."""
        every = (one for page in self._pages[:1] for one in elements_at(self._document(page), slot))
        return any(value_of(element, slot, " ") == text for element in every)

    def says(self, words: Iterable[str]) -> bool:
        """Whether the page's text has all of these words, which are in the singular."""
        return all(word in self._words or (_UNSPACED.search(word) and word in self._text) for word in words)

    @cached_property
    def _text(self) -> str:
        return fold(" ".join(self._document(page).get_text(" ") for page in self._pages[:1]))

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(map(singular, tokens(self._text)))

    def records(self, group: Group) -> list[Any]:
        """The group's records as tags, or as JSON values."""
        return self.once(("records", group.id), lambda: self._read(group))

    def _read(self, group: Group) -> list[Any]:
        kind, _, url = group.source.partition(" ")
        pages = [self.pages.get(url)] if kind == "url" else self._fetched
        own = group.id if group.spans or group.form else ""
        found: list[Any] = []
        try:
            data = kind in ("url", "body")
            code = dug("data", group.selector) if data else records_of(group, "soup", "None")
            for page in filter(None, pages):
                soup = None if data else self._soup(page, "xml" if group.kind == "feed" else "lxml", own)
                found += as_list(evaluated(code, soup=soup, data=json.loads(page.body) if data else None))
        except Exception:
            return []  # a selector or a script that can't be read back leaves the survey's samples to go by
        return found

    def _document(self, page: Page) -> BeautifulSoup:
        return self._soup(page, "xml" if any(group.kind == "feed" for group in self.survey.groups) else "lxml")

    def _soup(self, page: Page, parser: str, own: str = "") -> BeautifulSoup:
        """The page, parsed once; `own`: for the group of this id alone, which changes it as it is read."""
        return self.once(("soup", page.url, parser, own), lambda: self._parse(page, parser))

    def _parse(self, page: Page, parser: str) -> BeautifulSoup:
        said = self.survey.page
        if self.decoded:
            return BeautifulSoup(page.body.decode(self.decoded, "replace"), parser)
        encoding = said.encoding if said.declared in ("header", "guess") else None
        soup = BeautifulSoup(page.body, parser, from_encoding=encoding)
        if parser == "xml":
            whole = BeautifulSoup(page.body.decode(said.encoding, "replace"), parser)
            if len(whole.find_all(True)) > len(soup.find_all(True)):
                self.decoded, soup = said.encoding, whole
        elif not encoding and _codec(soup.original_encoding) != _codec(said.encoding):
            # What a page declares is often another name than what it is in (iso-8859-1 for cp1252).
            self.from_encoding = said.encoding
            soup = BeautifulSoup(page.body, parser, from_encoding=said.encoding)
        return soup


class Readers:
    """Keeps the last reader, for as long as the survey and what was fetched of its pages are the same."""

    def __init__(self) -> None:
        self._last: tuple[list[Page | None], Reader] | None = None

    def of(self, survey: Survey, pages: Mapping[str, Page]) -> Reader:
        fetched = [pages.get(url) for url in survey.urls]
        last = self._last  # another thread may put its own there meanwhile
        if last is None or last[1].survey is not survey or last[0] != fetched:
            last = self._last = fetched, Reader(survey, pages)
        return last[1]


def record_text(record: Any) -> str:
    """All that a record says: a tag's text, a JSON object's values."""
    if isinstance(record, Tag):
        return " ".join(record.get_text(" ").split())
    if isinstance(record, dict | list):
        every = record.values() if isinstance(record, dict) else record
        return " ".join(filter(None, map(record_text, every)))
    return " ".join(str(record).split()) if record is not None else ""


_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
"""Kana and Chinese characters: no blank divides the words that they write."""
_MULTIBYTE = frozenset(
    ("gb18030", "gbk", "gb2312", "big5", "big5hkscs", "cp950", "shift_jis", "cp932", "euc_jp", "euc_kr", "cp949")
)


def _codec(name: str | None) -> str:
    try:
        return codecs.lookup(name or "utf-8").name
    except LookupError:
        return name or ""


# on lxml's own tree, as BeautifulSoup's "lxml" parser would give them

Element = etree._Element

_APART = ("template", "rt", "rp")
_RAW = frozenset(("script", "style"))
_RAW_TEXT = re.compile(r"(?is)(<(script|style)\b[^>]*>).*?(</\2>)")
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


def _value_of(element: Element, slot: Slot, joint: str) -> str:
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


def runs_together(element: Any) -> bool:
    """Whether words of several elements would be read as one without a blank between their texts."""
    if isinstance(element, Tag):
        element = etree.fromstring(_RAW_TEXT.sub(r"\1\3", str(element)), etree.XMLParser(recover=True))
    if element is None or not any(isinstance(child.tag, str) for child in element):
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
