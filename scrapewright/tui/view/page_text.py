"""A page as a reader sees it: headings, paragraphs, lists and tables as lines of text, links with their addresses."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from lxml import etree

from scrapewright.survey.dom import HEADINGS, squeeze, word_set
from scrapewright.tui.view.cells import flat
from scrapewright.tui.view.spans import QUIET, Spans
from scrapewright.tui.view.wrap import wrap_spans

_BLOCKS = word_set(
    """address article aside blockquote body dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5
    h6 header hr li main nav ol p pre section summary table tbody td tfoot th thead tr ul"""
)
_NOT_READ = word_set("head script style template noscript svg select button iframe")
_APART = ("blockquote", "table", "section", "article")
_LINK_AT_MOST = 80
_PARAGRAPH = 60
"""Characters from which a text is a paragraph, and the next one is set apart from it."""
_SPACE = re.compile(r"\s+")


class ReaderText:
    """`lines` as spans, `elements` for each the block that it is in."""

    def __init__(self) -> None:
        self.lines: list[Spans] = []
        self.elements: list[Any] = []


def reader_text(root: Any, wanted: Callable[[], bool] = lambda: True) -> ReaderText:
    """The text of a page. Gives up, with what it has, where nobody waits."""
    made = ReaderText()
    body = root.find("body") if root is not None else None
    if body is None:
        body = root
    writer = _Writer(made)
    skipped = None
    if body is None:
        return made
    for count, (event, element) in enumerate(etree.iterwalk(body, events=("start", "end"))):
        if count % 2_000 == 0 and not wanted():
            break
        if skipped is not None:
            if event == "end" and element is skipped:
                skipped = None
                writer.say(element.tail)
            continue
        if not isinstance(element.tag, str):
            continue
        if event == "start" and element.tag in _NOT_READ:
            skipped = element
        elif event == "start":
            writer.open(element)
        else:
            writer.close(element)
            if element is not body:
                writer.say(element.tail)
    writer.end()
    return made


def wrapped(text: ReaderText, width: int) -> ReaderText:
    """The same, no line of it wider than `width` cells."""
    made = ReaderText()
    for line, element in zip(text.lines, text.elements, strict=True):
        pieces = [line] if _width(line) <= width // 2 else wrap_spans(line, width)
        made.lines += pieces
        made.elements += [element] * len(pieces)
    return made


class _Writer:
    def __init__(self, made: ReaderText) -> None:
        self._made = made
        self._line: Spans = []
        self._blocks: list[Any] = []
        self._links: list[str] = []
        self._style = ""
        self._prefix: Spans = []

    def open(self, element: Any) -> None:
        tag = element.tag
        if tag == "br":
            self._end_line()
        elif tag == "hr":
            self._end_line()
            self._add([("─" * 20, QUIET)], element)
        elif tag in ("td", "th"):
            if self._line:
                self._line.append(("  │  ", QUIET))
        elif tag in _BLOCKS:
            self._end_line()
            self._begin(element)
        if tag in _BLOCKS:
            self._blocks.append(element)
        if tag == "a" and element.get("href"):
            self._links.append(element.get("href"))
        if tag == "img" and (alt := squeeze(element.get("alt") or "")):
            self._put(f"[image: {flat(alt)}]", QUIET)
        self.say(element.text)

    def _begin(self, element: Any) -> None:
        tag = element.tag
        if tag in HEADINGS:
            self._add([], element)
            self._style = "bold $primary"
            self._prefix = [("#" * int(tag[1]) + " ", QUIET)]
        elif tag == "li":
            depth = sum(block.tag in ("ul", "ol") for block in self._blocks)
            self._prefix = [("  " * max(0, depth - 1) + "• ", QUIET)]
        elif tag == "dd":
            self._prefix = [("  ", "")]
        elif tag in _APART or (tag == "p" and _width(self._before) > _PARAGRAPH):
            self._add([], element)

    @property
    def _before(self) -> Spans:
        return self._made.lines[-1] if self._made.lines else []

    def close(self, element: Any) -> None:
        tag = element.tag
        if tag == "a" and element.get("href"):
            href = self._links.pop()
            if self._line and not href.startswith(("#", "javascript:")):
                shown = flat(href)
                cut = shown if len(shown) <= _LINK_AT_MOST else shown[: _LINK_AT_MOST - 1] + "…"
                self._line.append((f" ‹{cut}›", QUIET))
        if tag in _BLOCKS and tag not in ("td", "th"):
            self._end_line()
        if tag in _BLOCKS:
            self._blocks.pop()
        if tag in HEADINGS:
            self._style = ""

    def say(self, text: str | None) -> None:
        if not text:
            return
        if any(block.tag == "pre" for block in self._blocks):
            head, *rest = flat_lines(text)
            self._put(head, self._now)
            for line in rest:
                self._end_line(blank=True)
                self._put(line, self._now)
            return
        said = _SPACE.sub(" ", flat(text))
        if not self._line:
            said = said.lstrip()
        elif self._line[-1][0].endswith(" "):
            said = said.lstrip(" ")
        self._put(said, self._now)

    @property
    def _now(self) -> str:
        return "underline $accent" if self._links else self._style

    def _put(self, text: str, style: str) -> None:
        if not text:
            return
        if not self._line:
            self._line = [*self._prefix]
            self._prefix = []
        self._line.append((text, style))

    def _end_line(self, *, blank: bool = False) -> None:
        self._prefix = [] if self._line else self._prefix
        if any(text.strip() for text, _ in self._line) or blank:
            self._add(self._line, self._blocks[-1] if self._blocks else None)
        self._line = []

    def _add(self, line: Spans, element: Any) -> None:
        if not line and not self._before:  # one blank line is enough, and none comes first
            return
        self._made.lines.append(line)
        self._made.elements.append(element)

    def end(self) -> None:
        self._end_line()


def _width(line: Spans) -> int:
    return sum(len(text) for text, _ in line)


def flat_lines(text: str) -> list[str]:
    """The lines of a text that keeps its blanks."""
    return [flat(line) for line in text.split("\n")]
