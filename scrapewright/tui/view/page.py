"""A page as one of its tabs shows it, and what is marked there."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from lxml import etree

from scrapewright.query.reading import Reading
from scrapewright.session.result import Request
from scrapewright.survey import css
from scrapewright.survey.extract import stepped
from scrapewright.survey.model import Survey
from scrapewright.survey.provenance import elements_of
from scrapewright.survey.selecting import start_of
from scrapewright.tui.view.cells import flat
from scrapewright.tui.view.page_records import RecordLine, record_lines
from scrapewright.tui.view.page_source import SourceText, offsets_of, source
from scrapewright.tui.view.page_text import ReaderText, reader_text, wrapped
from scrapewright.tui.view.page_tree import HtmlNodes, JsonNodes, Tree, selector_of
from scrapewright.tui.view.program_places import ReadAt, places_in
from scrapewright.tui.view.spans import QUIET, Lines, Spans

if TYPE_CHECKING:
    from scrapewright.tui.opened_page import Located, OpenedPage

WIDE = 400
"""Cells that a line of a tree may take."""


class Shown:
    """What a tab shows of a page. Made in a thread, then marked and folded on the screen's own."""

    lines: Lines = []
    width: int = 0
    header: Sequence[Spans] = ()
    texts: Sequence[str] = ()
    """The lines as they are searched, where there may be very many."""
    joined: Any = None
    """The same as the widget wants them; put there by who shows it."""

    def toggle(self, row: int) -> bool:
        """Folds or unfolds a row. Says whether anything changed."""
        return False

    def is_folded(self, row: int) -> bool:
        """Whether `toggle` would show more there."""
        return False

    def mark(
        self, located: Located | None, row: Mapping[str, str], hits: Collection[Any] | None, *, reveal: bool,
        code: str = "",
    ) -> tuple[Collection[int], int | None]:  # fmt: skip
        """(the rows that stand out, the row to go to): those of `hits` where these are given, else those of the record
        of a row of the output, where the elements that its values are from get their columns' names. `code` is the
        program that read the row.

        `reveal` unfolds what the record is in.
        """
        return (), None

    def selector(self, row: int) -> str:
        """A selector for what is on a row, "" where that is nothing."""
        return ""

    def is_record(self, row: int, located: Located | None) -> bool:
        """Whether a record of the group that a row of the output comes from is on a row."""
        return False


class ShownSource(Shown):
    lines: SourceText

    def __init__(self, text: SourceText) -> None:
        self.lines = text
        self.width = text.width + 40
        self.texts = text.plain()

    def toggle(self, row: int) -> bool:
        changed = self.lines.toggle(row)
        self.texts = self.lines.plain() if changed else self.texts
        return changed

    def mark(
        self, located: Located | None, row: Mapping[str, str], hits: Collection[Any] | None, *, reveal: bool,
        code: str = "",
    ) -> tuple[Collection[int], int | None]:  # fmt: skip
        self.lines.notes.clear()
        if hits is not None:
            rows = {self.lines.row_of(offset) for offset in offsets_of(self.lines, hits)}
            return rows, min(rows, default=None)
        elements = _of_record(located)
        for column, (element, _) in _cells(located, row, code).items():
            for offset in offsets_of(self.lines, [element]):
                self.lines.note(offset, flat(column))
        places = offsets_of(self.lines, elements)
        if not places:
            return (), None
        first, last = self.lines.row_of(places[0]), self.lines.row_of(places[-1])
        return range(first, last + 1), first


class ShownText(Shown):
    def __init__(self, text: ReaderText, header: list[Spans], width: int) -> None:
        self.lines = text.lines
        self.texts = ["".join(part for part, _ in line) for line in text.lines]
        self._elements = text.elements
        self.header, self.width = header, max(1, width)

    def mark(
        self, located: Located | None, row: Mapping[str, str], hits: Collection[Any] | None, *, reveal: bool,
        code: str = "",
    ) -> tuple[Collection[int], int | None]:  # fmt: skip
        there = set(self._elements)
        wanted = {_block_of(hit, there) for hit in hits} - {None} if hits is not None else set(_of_record(located))
        rows = [at for at, element in enumerate(self._elements) if self.lines[at] and element in wanted]
        return rows, next(iter(rows), None)


class ShownTree(Shown):
    lines: Tree

    def __init__(self, tree: Tree, *, is_json: bool) -> None:
        self.lines = tree
        self.width = WIDE
        self._is_json = is_json

    def toggle(self, row: int) -> bool:
        return self.lines.toggle(row)

    def is_folded(self, row: int) -> bool:
        return self.lines.is_folded(row)

    def mark(
        self, located: Located | None, row: Mapping[str, str], hits: Collection[Any] | None, *, reveal: bool,
        code: str = "",
    ) -> tuple[Collection[int], int | None]:  # fmt: skip
        tree = self.lines
        tree.tags = {}
        if hits is not None:
            return [row for row, line in enumerate(tree.lines) if not line.more and line.node in hits], None
        node = self._node(located)
        if node is None:
            return (), None
        for column, (element, attr) in _cells(located, row, code).items():
            label = flat(column) + (f" @{attr}" if attr else "")
            tree.tags[element] = f"{tree.tags[element]}, {label}" if element in tree.tags else label
        place = tree.reveal(node) if reveal else tree.row_of(node)
        return (tree.below(place), place) if place or reveal else ((), None)

    def selector(self, row: int) -> str:
        node = self.lines.node(row)
        return selector_of(node, node.getroottree().getroot()) if node is not None and not self._is_json else ""

    def is_record(self, row: int, located: Located | None) -> bool:
        node = self.lines.node(row)
        return node is not None and located is not None and any(node is record for record in located.extract.records)

    def _node(self, located: Located | None) -> Any:
        if located is None or located.extract.made:
            return None
        if not self._is_json:
            return located.extract.records[located.record] if not located.extract.is_json else None
        group, value = located.extract.group, located.page.document.data
        path = tuple(int(step) if step.isdecimal() else step for step in group.selector.split(".") if step)
        path = (*path, located.record)
        for step in path:
            value = value[step]
        return path, value


class ShownRecords(Shown):
    def __init__(self, lines: list[RecordLine], extracts: Sequence[Any]) -> None:
        self.lines = [line.spans for line in lines]
        self._lines, self._extracts = lines, extracts
        self.width = max((sum(len(text) for text, _ in line) for line in self.lines), default=1)

    def mark(
        self, located: Located | None, row: Mapping[str, str], hits: Collection[Any] | None, *, reveal: bool,
        code: str = "",
    ) -> tuple[Collection[int], int | None]:  # fmt: skip
        if located is None or hits is not None:
            return (), None
        rows = [
            row
            for row, line in enumerate(self._lines)
            if line.record == located.record and self._extracts[line.group] is located.extract
        ]
        return rows, next(iter(rows), None)


def lay_out(
    tab: str, request: Request, open_: Callable[[Request], OpenedPage | None], survey: Survey | None, reading: Reading,
    width: int, wanted: Callable[[], bool],
) -> Shown | None:  # fmt: skip
    """The page of a request as a tab shows it, None where it can't be had. Takes a while."""
    page = open_(request)
    if page is None or not wanted():
        return None
    document = page.document
    match tab:
        case "source":
            if document.kind == "json":
                text = json.dumps(document.data, ensure_ascii=False, indent=2)
                return ShownSource(source(text, "json", wanted))
            return ShownSource(source(document.text, "markup" if document.root is not None else "text", wanted))
        case "text" if document.kind == "html":
            said = f"{document.title or 'no title'} · {document.encoding}"
            return ShownText(
                wrapped(reader_text(document.root, wanted), max(20, width)), [[(flat(said), QUIET)]], width
            )
        case "text":
            return _message(f"{document.kind} has no text to be read; source and tree show it")
        case "tree" if document.kind == "json":
            return ShownTree(Tree(JsonNodes(document.data)), is_json=True)
        case "tree" if document.root is not None:
            return ShownTree(Tree(HtmlNodes(document.root)), is_json=False)
        case "records":
            extracts = page.extracts(survey, reading, wanted)
            return ShownRecords(record_lines(extracts, wanted), extracts)
    return _message("this is no HTML, XML or JSON; source shows its beginning")


def _message(text: str) -> Shown:
    shown = Shown()
    shown.header = [[(text, QUIET)]]
    return shown


def _of_record(located: Located | None) -> list[Any]:
    """Its elements, with those behind it that belong to it."""
    if located is None or located.extract.is_json or located.extract.made:
        return []
    record, steps = located.extract.records[located.record], range(located.extract.group.following + 1)
    return [element for step in steps if (part := stepped(record, step)) is not None for element in part.iter("*")]


def _cells(located: Located | None, row: Mapping[str, str], code: str) -> dict[str, tuple[Any, str]]:
    """By column: the element that its value is from, and the attribute ("" for its text). That is what the program
    selects, where its text says so, else what says the value."""
    if not _of_record(located) or located is None:
        return {}
    record = located.extract.records[located.record]
    found = elements_of(row, record, located.page.document.base)
    for column, places in places_in(code).items():
        read = [(element, at.attr) for at in places if (element := _read_at(at, record, located)) is not None]
        if read and row.get(column, "").strip():
            found[column] = read[0]
    return found


def _read_at(place: ReadAt, record: Any, located: Located) -> Any:
    """The element of a record that is at a place; None where there is none, or it can't be told."""
    start, selector = start_of(place.selector)
    scope = stepped(record, start.count("+"))
    if not selector or scope is None:
        return scope if place.attr or start else None
    try:
        there = css.select(scope, selector, xml=located.page.document.kind == "xml")
        return there[place.index or 0]
    except (css.BadSelector, etree.XPathError, IndexError):
        return None


def _block_of(element: Any, blocks: Collection[Any]) -> Any:
    """The element, or the nearest around it, that has a line of its own."""
    while element is not None and element not in blocks:
        element = element.getparent()
    return element
