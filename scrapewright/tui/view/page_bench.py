"""What a selector finds, as lines: on one page or all of them, within each record or on the page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from scrapewright.session.result import Request
from scrapewright.tui.view.cells import EMPTY, flat
from scrapewright.tui.view.spans import QUIET, Spans
from scrapewright.tui.view.units import counted

if TYPE_CHECKING:
    from scrapewright.survey.extract import Extract
    from scrapewright.survey.selecting import Hit, Selector
    from scrapewright.tui.opened_page import OpenedPage

    Seen = list[tuple[Request, list[tuple[int, list[Hit]]]]]
    """The matches on each page, by the number of the record that they are in (0: the page)."""

VALUES = 1_000
"""Values that are shown."""
SCOPES = ("in each record of this page", "on this page", "in each record of all pages", "on all pages")
ON_PAGE = 1


@dataclass(frozen=True)
class Found:
    """`summary` says the count, or why there is none. `hits` are the elements on the page that is shown. `text` is what
    is taken for a column: what was typed, with where it was found put before it if that is behind the records."""

    summary: Spans
    lines: list[Spans] = field(default_factory=list)
    hits: frozenset[Any] = frozenset()
    selector: Selector | None = None
    count: int = 0
    text: str = ""


UNTRIED = Found([("the selector can't be tried on this page", "$error")])


def bench(
    text: str, scope: int, shown: Request, requests: Sequence[Request],
    open_: Callable[[Request], OpenedPage | None], records: Callable[[OpenedPage], Extract | None],
    wanted: Callable[[], bool] = lambda: True,
) -> Found:  # fmt: skip
    """`scope` is a place in SCOPES; `records` gives the group of a page in whose records is looked."""
    from scrapewright.survey.selecting import Refused, read  # what parses is loaded in the thread that works it out

    if not text.strip():
        return Found([("a CSS selector; .price@href reads an attribute; XPath (//…) is counted too", QUIET)])
    within, everywhere = scope % 2 == 0, scope >= 2
    try:
        selector = read(text)
        if selector.start and not within:
            raise Refused(f"{selector.start.strip()!r} counts from a record: ↑ ↓ look in each record")
        looked = _Looked(requests if everywhere else [shown], open_, records if within else None, wanted)
        seen, behind = looked.at(selector), ""
        if selector.language == "css" and not selector.start:
            for steps in range(1, looked.following + 1):
                if any(hits for _, found in seen for _, hits in found):
                    break
                behind = "+ " * steps
                seen = looked.at(msgspec.structs.replace(selector, start=behind))
    except Refused as refused:
        return Found([(str(refused), "$error")])
    if not seen:
        return Found([("no records on an HTML page here; ↑ ↓ choose where to look", "$warning")], selector=selector)
    count = sum(len(hits) for _, found in seen for _, hits in found)
    elements = frozenset(
        hit.element
        for request, found in seen
        if request is shown or (request.url, request.body) == (shown.url, shown.body)
        for _, hits in found
        for hit in hits
        if hit.element is not None
    )
    summary = _summary(seen, count, within, everywhere, column=selector.language == "css")
    if behind and count:
        summary.append((f" · behind each record: {behind}{text.strip()}", "$accent"))
    lines = _lines(seen, within, everywhere)
    return Found(summary, lines, elements, selector, count, (behind if count else "") + text.strip())


class _Looked:
    """Selects on pages: in the records that `records` gives of each, or on the whole of them."""

    def __init__(
        self, requests: Sequence[Request], open_: Callable[[Request], OpenedPage | None],
        records: Callable[[OpenedPage], Extract | None] | None, wanted: Callable[[], bool],
    ) -> None:  # fmt: skip
        self._requests, self._open, self._records, self._wanted = requests, open_, records, wanted
        self.following = 0
        """How many elements behind a record belong to it, on the pages looked at."""

    def at(self, selector: Selector) -> Seen:
        seen: Seen = []
        for request in self._requests:
            if not self._wanted():
                break
            page = self._open(request)
            if page is None or page.finder.root is None:
                continue
            if self._records is None:
                seen.append((request, [(0, page.finder.select(selector))]))
            elif (extract := self._records(page)) is not None and not extract.is_json:
                self.following = max(self.following, extract.group.following)
                seen.append((request, list(enumerate(page.finder.from_records(selector, extract, self._wanted), 1))))
        return seen


def _summary(seen: Seen, count: int, within: bool, everywhere: bool, *, column: bool) -> Spans:
    """`column`: whether a column can be read by the selector."""
    pages = f" on {counted(len(seen), 'page')}" if everywhere else ""
    if not within:
        values = [hit.value for _, found in seen for _, hits in found for hit in hits]
        empty = sum(not value for value in values)
        summary: Spans = [(counted(count, "match", "matches"), "bold"), (pages, "")]
        summary.append((f" · {empty:,} without text" if empty else "", "$warning"))
        summary.append((f" · {len(set(values)):,} different" if count > 1 else "", QUIET))
        return summary
    records = [hits for _, found in seen for _, hits in found]
    filled = sum(any(hit.value for hit in hits) for hits in records)
    several = sum(len(hits) > 1 for hits in records)
    style = "bold $success" if records and filled == len(records) else "bold $warning"
    return [
        (f"{filled:,} of {counted(len(records), 'record')}", style), (pages, ""),
        (f" · several in {several:,}" + ": a column takes the first" * column if several else "", "$warning"),
    ]  # fmt: skip


def _lines(seen: Seen, within: bool, everywhere: bool) -> list[Spans]:
    lines: list[Spans] = []
    for request, found in seen:
        if everywhere:
            count = sum(len(hits) for _, hits in found)
            lines.append([(f"{count:,} ", "bold"), (flat(request.url), QUIET)])
        for number, hits in found:
            if len(lines) >= VALUES:
                return [*lines, [(f"the first {VALUES:,} are shown", QUIET)]]
            if within:
                lines.append(_value(number, hits))
            else:
                lines += [_value(n, [hit]) for n, hit in enumerate(hits[: VALUES - len(lines)], 1)]
    return lines


def _value(number: int, hits: Sequence[Hit]) -> Spans:
    value = hits[0].value if hits else ""
    more = f"  and {len(hits) - 1:,} more" if len(hits) > 1 else ""
    nothing = EMPTY if hits else f"{EMPTY} nothing matches"
    return [(f"{number:>4} ", QUIET), (flat(value)[:400] or nothing, "" if value else QUIET), (more, "$warning")]
