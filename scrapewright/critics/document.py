"""A fetched page as two streams, text and attributes, over a tree: every subtree is a slice of both.

Finding a value in a record is then a `str.find` between two offsets.
"""

from __future__ import annotations

import html
import json
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

from lxml import etree

from scrapewright.critics.normal_forms import absolute, looks_like_url, squash, url_key
from scrapewright.survey.decode import parse
from scrapewright.survey.formed_groups import boxes_of
from scrapewright.survey.json_values import loaded
from scrapewright.survey.tables import unspan_all
from scrapewright.web.page import Page

_SKIPPED_ATTRS = frozenset(
    {"style", "srcdoc", "d", "points", "viewbox", "onclick", "onload", "onmouseover", "integrity", "nonce"}
)
LINK_ATTRS = frozenset({"href", "src", "data-src", "data-href", "data-url", "action", "content", "poster", "resource",
                         "data-original", "data-lazy-src", "url", "value", "data-image"})  # fmt: skip
_BLOCKS = re.compile(r"(?:=|\()\s*([\[{])")
_TAGS = re.compile(r"<[^>]{1,400}>")
MAX_NODES = 200_000
MAX_SCRIPT = 4 << 20

UrlKey = tuple[str, str, tuple[tuple[str, str], ...]]


class Link:
    """A link of the page: its node, where it leads, and what its element says of itself."""

    __slots__ = ("classes", "label", "node", "rel", "tag", "url")

    def __init__(self, node: int, url: str, tag: str, rel: str, classes: str, label: str) -> None:
        self.node, self.url, self.tag, self.rel, self.classes, self.label = node, url, tag, rel, classes, label


class Model:
    """One tree of one page. Nodes are numbered in document order; `end[n]` is the first node after n's subtree.

    `t0/t1` and `a0/a1` bound a node's slice of `text` and of `attrs`, `x0/x1` that of the list of text pieces, `y0/y1`
    that of the list of attribute values. `path[n]` numbers the node's tag path from the root, `chain` spells tag and
    classes, `nth` counts the siblings before it with the same chain. `flats` are the pieces, squashed.
    """

    def __init__(self, url: str, base: str, paths: dict[tuple[int, str], int]) -> None:
        self.url, self.base = url, base
        self._paths = paths
        self.tag: list[str] = []
        self.chain: list[str] = []
        self.nth: list[int] = []
        self._siblings: dict[tuple[int, str], int] = {}
        self.parent, self.end = list[int](), list[int]()
        self.path: list[int] = []
        self.t0, self.t1 = list[int](), list[int]()
        self.a0, self.a1 = list[int](), list[int]()
        self.x0, self.x1 = list[int](), list[int]()
        self.y0, self.y1 = list[int](), list[int]()
        self.flats: list[str] = []
        self._attrs: list[str] = []
        self._tlen = 0
        self._alen = 0
        self.piece_at, self.piece_node = list[int](), list[int]()
        self.pieces: list[str] = []
        self.attr_at, self.attr_node = list[int](), list[int]()
        self.attr_name: list[str] = []
        self.attr_values: list[str] = []
        self.by_text: dict[str, list[int]] = {}
        self.by_attr: dict[str, list[int]] = {}
        self.by_url: dict[UrlKey, list[int]] = {}
        self.links: list[Link] = []
        self.text = ""
        self.attrs = ""

    # building

    def open(self, tag: str, classes: str = "") -> int:
        node = len(self.tag)
        parent = self._stack[-1] if self._stack else -1
        key = (self.path[parent] if parent >= 0 else 0, tag)
        self.tag.append(tag)
        chain = f"{tag}.{classes}" if classes else tag
        self.chain.append(chain)
        self.nth.append(self._siblings.get((parent, chain), 0))
        self._siblings[parent, chain] = self.nth[node] + 1
        self.parent.append(parent)
        self.path.append(self._paths.setdefault(key, len(self._paths) + 1))
        self.end.append(node + 1)
        for starts, value in (
            (self.t0, self._tlen),
            (self.a0, self._alen),
            (self.x0, len(self.pieces)),
            (self.y0, len(self.attr_values)),
        ):
            starts.append(value)
        for ends in (self.t1, self.a1, self.x1, self.y1):
            ends.append(0)
        self._stack.append(node)
        return node

    def close(self) -> None:
        node = self._stack.pop()
        self.end[node] = len(self.tag)
        self.t1[node], self.a1[node] = self._tlen, self._alen
        self.x1[node], self.y1[node] = len(self.pieces), len(self.attr_values)

    def say(self, text: str) -> None:
        """Text directly in the open node."""
        flat = squash(text)
        if not flat:
            return
        node = self._stack[-1]
        self.piece_at.append(self._tlen)
        self.piece_node.append(node)
        self.pieces.append(text)
        self.flats.append(flat)
        self._tlen += len(flat)
        self.by_text.setdefault(flat, []).append(node)

    def note(self, name: str, value: str) -> None:
        """An attribute of the open node."""
        flat = squash(value)
        if not flat:
            return
        node = self._stack[-1]
        self.attr_at.append(self._alen)
        self.attr_node.append(node)
        self.attr_name.append(name)
        self.attr_values.append(value)
        self._attrs.append(flat + "\n")
        self._alen += len(flat) + 1
        self.by_attr.setdefault(flat, []).append(node)
        if name in LINK_ATTRS or looks_like_url(value):
            self.link(value)

    def link(self, value: str) -> str:
        url = absolute(self.base, value)
        self.by_url.setdefault(url_key(url), []).append(self._stack[-1])
        return url

    _stack: list[int]

    def begin(self) -> None:
        self._stack = []

    def finish(self) -> Model:
        while self._stack:
            self.close()
        self.text, self.attrs = "".join(self.flats), "".join(self._attrs)
        return self

    # asking

    @cached_property
    def queries(self) -> Counter[tuple[str, str]]:
        """How many addresses of the page have a parameter, by its name and value."""
        return Counter(pair for key in self.by_url for pair in key[2])

    def node_at(self, start: int, stop: int) -> int:
        """The smallest node whose text holds the slice of the text stream."""
        node = self.piece_node[self.piece_index(start)]
        while self.parent[node] >= 0 and self.t1[node] < stop:
            node = self.parent[node]
        return node

    def piece_index(self, offset: int) -> int:
        """The text piece that an offset into the text stream lies in."""
        return max(bisect_right(self.piece_at, offset) - 1, 0)

    def attr_index(self, offset: int) -> int:
        """The attribute value that an offset into the stream of attributes lies in."""
        return max(bisect_right(self.attr_at, offset) - 1, 0)

    def attr_node_at(self, offset: int) -> int:
        return self.attr_node[self.attr_index(offset)]

    def ancestors(self, node: int) -> Iterator[int]:
        while node >= 0:
            yield node
            node = self.parent[node]

    def steps(self, top: int, node: int, counted: bool = False) -> str:
        """The way from `top` down to `node`, in tags and classes; `counted`: with the place among like siblings."""
        way: list[str] = []
        while node > top:
            way.append(f"{self.chain[node]}#{self.nth[node]}" if counted else self.chain[node])
            node = self.parent[node]
        return "/".join(reversed(way))

    def said(self, node: int) -> str:
        """A node's text, pieces joined by blanks."""
        return " ".join(" ".join(self.pieces[self.x0[node] : self.x1[node]]).split())


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
            return [self._of_lines(page.url, document.text)] if document.kind == "other" and _is_text(page) else []
        if document.kind == "html":
            unspan_all(document.root)
        models = [self._of_tree(page.url, document.base, document.root, document.kind == "xml")]
        if document.kind == "html":
            models += [self._of_tree(page.url, document.base, box, False) for box in boxes_of(document.root)]
        for script in document.scripts:
            for n, data in enumerate(_json_blocks(script.text)):
                models.append(self._of_json(page.url, document.base, data, f"script{n}"))
        return models

    def _of_tree(self, url: str, base: str, root: Any, xml: bool) -> Model:
        model = Model(url, base, self._paths)
        model.begin()
        count = 0
        for event, element in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
            if event == "start":
                count += 1
                if count > MAX_NODES:
                    break
                tag = element.tag
                if not isinstance(tag, str):
                    continue
                if "}" in tag:
                    tag = tag.rpartition("}")[2]
                attributes = element.attrib
                classes = attributes.get("class", "") if not xml else ""
                node = model.open(tag, ".".join(classes.split()[:4]))
                for name, value in attributes.items():
                    if name not in _SKIPPED_ATTRS and not name.startswith("on") and len(value) < 20_000:
                        model.note(name, value)
                if tag in ("a", "link", "area") and (href := attributes.get("href")):
                    label = attributes.get("aria-label") or attributes.get("title") or ""
                    model.links.append(Link(node, absolute(base, href), tag, attributes.get("rel", ""), classes, label))
                if element.text:
                    _say(model, element.text, xml)
            elif event == "end":
                if not isinstance(element.tag, str):
                    continue
                model.close()
                if element.tail and model._stack:
                    _say(model, element.tail, xml)
            elif element.tail and model._stack:
                _say(model, element.tail, xml)
        return model.finish()

    def _of_json(self, url: str, base: str, data: Any, name: str) -> Model:
        model = Model(url, base, self._paths)
        model.begin()
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
        model.begin()
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


def _is_text(page: Page) -> bool:
    return page.media_type.startswith("text/") or page.media_type in ("", "application/csv")


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
        if (isinstance(value, list) and value) or (isinstance(value, dict) and _is_data(value)):
            yield value


def _is_data(value: dict[str, Any]) -> bool:
    return len(value) > 1 or any(isinstance(item, list | dict) and item for item in value.values())


def host_of(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""
