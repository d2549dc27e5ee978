"""A fetched page as two streams, text and attributes, over a tree: every subtree is a slice of both.

Finding a value in a record is then a `str.find` between two offsets.
"""

from __future__ import annotations

import html
import json
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from operator import attrgetter
from typing import Any, Literal, NamedTuple, TypeVar
from urllib.parse import urlsplit

from lxml import etree

from scrapewright.critics.dates import dates_in
from scrapewright.critics.normal_forms import absolute, looks_like_url, numbers, squash, url_key
from scrapewright.survey.decode import parse
from scrapewright.survey.dom import word_set
from scrapewright.survey.formed_groups import boxes_of
from scrapewright.survey.script_data import loaded, script_values
from scrapewright.survey.slots import BAR
from scrapewright.survey.tables import unspan_all
from scrapewright.web.page import Page

_SKIPPED_ATTRS = word_set("style srcdoc d points viewbox integrity nonce")
ADDRESSES = word_set("href src action data-src data-href data-url")
LINK_ATTRS = ADDRESSES | word_set("content poster resource data-original data-lazy-src url value data-image")
_BLOCKS = re.compile(r"(?:=|\(|['\"]\s*,)\s*([\[{])")
_TAGS = re.compile(r"<[^>]{1,400}>")
MAX_NODES = 200_000
MAX_SCRIPT = 4 << 20
BRIEF = 60
"""Characters of a text that is a number or a date, with its unit and its label."""

T = TypeVar("T")
By = Literal["classes", "counted", "tags"]
"""What a way through a tree is written in: tags and classes, these with the place among like siblings, or tags with the
place among siblings of the tag (rows of a table may have classes by turns)."""
UrlKey = tuple[str, str, tuple[tuple[str, str], ...]]


class Link(NamedTuple):
    """A link of the page: its node, where it leads, and what its element says of itself."""

    node: int
    url: str
    tag: str
    rel: str
    classes: str
    label: str


class Piece(NamedTuple):
    """A text directly in a node, or (with a `name`) the value of an attribute of it. `flat` is it squashed, `at` where
    that is in its stream."""

    at: int
    node: int
    text: str
    flat: str
    name: str = ""


class Bound(NamedTuple):
    """A place in the streams of texts and attributes, and in the lists of their pieces."""

    text: int
    attr: int
    piece: int
    value: int


class Model:
    """One tree of one page. Nodes are numbered in document order; `end[n]` is the first node after n's subtree.

    `starts` and `stops` bound a node's slices of `text` and of `attrs`, and of the lists of their pieces. `path[n]`
    numbers the node's tag path from the root, `chain` spells tag and classes, `nth` counts the siblings before it with
    the same chain, `nth_of_tag` those with the same tag.
    """

    def __init__(self, url: str, base: str, paths: dict[tuple[int, str], int]) -> None:
        self.url, self.base = url, base
        self._paths = paths
        self._stack: list[int] = []
        self.tag, self.chain = list[str](), list[str]()
        self.nth, self.nth_of_tag = list[int](), list[int]()
        self._siblings = Counter[tuple[int, str]]()
        self.parent, self.end, self.path = list[int](), list[int](), list[int]()
        self.starts, self.stops = list[Bound](), list[Bound]()
        self.pieces, self.attributes = list[Piece](), list[Piece]()
        self._here = Bound(0, 0, 0, 0)
        self.by_text, self.by_attr = dict[str, list[int]](), dict[str, list[int]]()
        self.by_url: dict[UrlKey, list[int]] = {}
        self.links: list[Link] = []
        self.text = self.attrs = ""

    # building

    def open(self, tag: str, classes: str = "") -> int:
        node = len(self.tag)
        parent = self._stack[-1] if self._stack else -1
        key = (self.path[parent] if parent >= 0 else 0, tag)
        self.tag.append(tag)
        chain = f"{tag}.{classes}" if classes else tag
        self.chain.append(chain)
        for counts, like in ((self.nth, chain), (self.nth_of_tag, f"<{tag}")):
            counts.append(self._siblings[parent, like])
            self._siblings[parent, like] += 1
        self.parent.append(parent)
        self.path.append(self._paths.setdefault(key, len(self._paths) + 1))
        self.end.append(node + 1)
        self.starts.append(self._here)
        self.stops.append(self._here)
        self._stack.append(node)
        return node

    def close(self) -> None:
        node = self._stack.pop()
        self.end[node] = len(self.tag)
        self.stops[node] = self._here

    def say(self, text: str) -> None:
        """Text directly in the open node."""
        if flat := squash(text):
            here, node = self._here, self._stack[-1]
            self.pieces.append(Piece(here.text, node, text, flat))
            self._here = here._replace(text=here.text + len(flat), piece=here.piece + 1)
            self.by_text.setdefault(flat, []).append(node)

    def note(self, name: str, value: str) -> None:
        """An attribute of the open node."""
        if flat := squash(value):
            here, node = self._here, self._stack[-1]
            self.attributes.append(Piece(here.attr, node, value, flat, name))
            self._here = here._replace(attr=here.attr + len(flat) + 1, value=here.value + 1)
            self.by_attr.setdefault(flat, []).append(node)
            if name in LINK_ATTRS or looks_like_url(value):
                self.link(value)

    def link(self, value: str) -> None:
        self.by_url.setdefault(url_key(absolute(self.base, value)), []).append(self._stack[-1])

    def finish(self) -> Model:
        while self._stack:
            self.close()
        self.text = "".join(piece.flat for piece in self.pieces)
        self.attrs = "".join(f"{piece.flat}\n" for piece in self.attributes)
        return self

    # asking

    @cached_property
    def queries(self) -> Counter[tuple[str, str]]:
        """How many addresses of the page have a parameter, by its name and value."""
        return Counter(pair for key in self.by_url for pair in key[2])

    @cached_property
    def by_number(self) -> dict[float, list[int]]:
        """Where short texts say a number."""
        return self._said_in(numbers)

    @cached_property
    def by_date(self) -> dict[tuple[int, int, int], list[int]]:
        """Where short texts say a date, in any order of day and month."""
        return self._said_in(dates_in)

    def _said_in(self, read: Callable[[str], Iterable[T]]) -> dict[T, list[int]]:
        found: dict[T, list[int]] = {}
        for piece in self.pieces:
            if len(piece.text) <= BRIEF and any(char.isdigit() for char in piece.text):
                for value in read(piece.text):
                    found.setdefault(value, []).append(piece.node)
        return found

    def node_at(self, start: int, stop: int) -> int:
        """The smallest node whose text holds the slice of the text stream."""
        node = piece_at(self.pieces, start).node
        while self.parent[node] >= 0 and self.stops[node].text < stop:
            node = self.parent[node]
        return node

    def own_values(self, node: int) -> Iterator[Piece]:
        return (piece for piece in Span(self, node).values if piece.node == node)

    def length(self, node: int) -> int:
        """How much text is in a node."""
        return self.stops[node].text - self.starts[node].text

    def children(self, node: int) -> Iterator[int]:
        at = node + 1
        while at < self.end[node]:
            yield at
            at = self.end[at]

    def ancestors(self, node: int) -> Iterator[int]:
        while node >= 0:
            yield node
            node = self.parent[node]

    def home(self, node: int) -> tuple[int, str]:
        """What like nodes in like places share: the tag path, and tag and classes of what they are in."""
        return self.path[node], self.chain[self.parent[node]] if self.parent[node] >= 0 else ""

    def kind(self, node: int) -> str:
        """A node's tag and classes, these in alphabetical order."""
        tag, *classes = self.chain[node].split(".")
        return ".".join([tag, *sorted(classes)])

    def steps(self, top: int, node: int, by: By = "classes") -> str:
        """The way from `top` down to `node`."""
        names, counts = (self.tag, self.nth_of_tag) if by == "tags" else (self.chain, self.nth)
        way: list[str] = []
        while node > top:
            way.append(names[node] if by == "classes" else f"{names[node]}#{counts[node]}")
            node = self.parent[node]
        return "/".join(reversed(way))

    def said(self, node: int) -> str:
        """A node's text, pieces joined by blanks."""
        return Span(self, node).said


class Span:
    """A contiguous part of a model, by nodes `first` to `last` (exclusive): a subtree, or as far as `last`."""

    __slots__ = ("first", "last", "model", "start", "stop", "top")

    def __init__(self, model: Model, first: int = 0, last: int | None = None) -> None:
        self.model, self.first, self.top = model, first, first
        self.last, self.start, self.stop = model.end[first], model.starts[first], model.stops[first]
        if last is not None:
            self.last = max(last, first + 1)
            self.stop = model.starts[last] if last < len(model.tag) else model.stops[0]

    def __contains__(self, node: object) -> bool:
        return isinstance(node, int) and self.first <= node < self.last

    @property
    def texts(self) -> list[Piece]:
        return self.model.pieces[self.start.piece : self.stop.piece]

    @property
    def values(self) -> list[Piece]:
        return self.model.attributes[self.start.value : self.stop.value]

    def equal(self, flat: str) -> Iterator[int]:
        """Its nodes with a text, or with the value of an attribute, that is this one, squashed."""
        known = (self.model.by_text, self.model.by_attr)
        return (node for nodes in known for node in nodes.get(flat, ()) if node in self)

    @property
    def said(self) -> str:
        """Its texts, joined by blanks."""
        return " ".join(" ".join([piece.text for piece in self.texts]).split())


def piece_at(pieces: Sequence[Piece], offset: int) -> Piece:
    """The piece that an offset into the stream of all of them lies in."""
    return pieces[max(bisect_right(pieces, offset, key=attrgetter("at")) - 1, 0)]


class Library:
    """The models of a run's pages, made when first asked for. Tag paths are numbered alike in all of them."""

    def __init__(self) -> None:
        self._paths: dict[tuple[int, str], int] = {}

    def models(self, page: Page) -> list[Model]:
        """The page's own tree, and one for each set of records that no element holds and each block of JSON in its
        scripts."""
        document = parse(page)
        if document.kind == "json":
            return [self._of_json(page.url, document.base, document.data, "json")]
        if document.root is None:
            is_text = page.media_type.startswith("text/") or page.media_type in ("", "application/csv")
            return [self._of_lines(page.url, document.text)] if document.kind == "other" and is_text else []
        if document.kind == "html":
            unspan_all(document.root)
        models = [self._of_tree(page.url, document.base, document.root, document.kind == "xml")]
        if document.kind == "html":
            models += [self._of_tree(page.url, document.base, box, False) for box in boxes_of(document.root)]
        for script in document.scripts:
            for n, data in enumerate(_json_blocks(script.text)):
                models.append(self._of_json(page.url, document.base, data, f"script{n}"))
        for source, data in script_values(document):
            if source.partition(" ")[0] in ("js", "flight", "attr"):
                models.append(self._of_json(page.url, document.base, data, source))
        return models

    def _of_tree(self, url: str, base: str, root: Any, xml: bool) -> Model:
        model = Model(url, base, self._paths)
        count = 0
        for event, element in etree.iterwalk(root, events=("start", "end", "pi")):
            known = isinstance(element.tag, str)
            if event != "start":
                if known:
                    model.close()
                if element.tail and model._stack:
                    _say(model, element.tail, xml)
                continue
            count += 1
            if count > MAX_NODES:
                break
            if not known:
                continue
            tag, attributes = element.tag.rpartition("}")[2], element.attrib
            classes = attributes.get("class", "") if not xml else ""
            node = model.open(tag, ".".join(classes.split()[:4]))
            for name, value in attributes.items():
                if name not in _SKIPPED_ATTRS and not name.startswith("on") and len(value) < 20_000:
                    model.note(name, value)
            if not len(element) and not element.text and (bar := BAR.search(attributes.get("style", ""))):
                model.note("style:width", bar[1])
            if tag in ("a", "link", "area") and (href := attributes.get("href")):
                label = attributes.get("aria-label") or attributes.get("title") or ""
                model.links.append(Link(node, absolute(base, href), tag, attributes.get("rel", ""), classes, label))
            if element.text:
                _say(model, element.text, xml)
        return model.finish()

    def _of_json(self, url: str, base: str, data: Any, name: str) -> Model:
        model = Model(url, base, self._paths)
        budget = [MAX_NODES]

        def walk(value: Any, key: str, depth: int) -> None:
            budget[0] -= 1
            if budget[0] < 0 or depth > 60:
                return
            model.open(key)
            if isinstance(value, dict):
                for inner, item in value.items():
                    walk(item, str(inner), depth + 1)
            elif isinstance(value, list):
                for item in value:
                    walk(item, "[]", depth + 1)
            elif value is not None:
                _say(model, str(value), True)
            model.close()

        walk(data, name, 0)
        return model.finish()

    def _of_lines(self, url: str, text: str) -> Model:
        model = Model(url, url, self._paths)
        model.open("text")
        for line in text.splitlines()[:MAX_NODES]:
            model.open("line")
            model.say(line)
            model.close()
        return model.finish()


def _say(model: Model, text: str, markup: bool) -> None:
    """Text of the open node; markup inside it (feeds, JSON answers) is taken off, its links noted."""
    if markup and "<" in text and ">" in text:
        for link in re.findall(r"""(?:href|src)=["']([^"']+)""", text)[:50]:
            model.note("href", html.unescape(link))
        text = html.unescape(_TAGS.sub(" ", text))
    elif markup and "&" in text:
        text = html.unescape(text)
    if not text.isspace():
        model.say(text)
        if len(text) < 2000 and looks_like_url(text):
            model.link(text)


def _json_blocks(script: str) -> Iterator[Any]:
    """JSON in a script: all of it, or the values assigned or passed in it."""
    text = script.strip()
    if not text or len(text) > MAX_SCRIPT:
        return
    if text[0] in "{[" and (value := loaded(text)) is not None:
        yield value
        return
    decoder = json.JSONDecoder()
    at = 0
    for _ in range(20):
        match = _BLOCKS.search(text, at)
        if not match:
            return
        try:
            value, at = decoder.raw_decode(text, match.start(1))
        except (ValueError, RecursionError):
            at = match.end()
            continue
        nested = isinstance(value, list) or any(isinstance(item, list | dict) and item for item in value.values())
        if value and (nested or len(value) > 1):
            yield value


def host_of(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""
