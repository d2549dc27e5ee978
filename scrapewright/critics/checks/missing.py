"""Records of the pages that no row was made of, although they are like those of the rows and the request wants them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

from scrapewright.critics.bench import MANY, Bench, shown
from scrapewright.critics.document import Span
from scrapewright.critics.evidence import Place
from scrapewright.critics.headings import headings_above, in_section
from scrapewright.critics.match import Needle, said_in
from scrapewright.critics.normal_forms import squash
from scrapewright.critics.rows import column_of
from scrapewright.critics.shape import texts_at
from scrapewright.session.verdict import Finding, Severity


def missing(bench: Bench) -> list[Finding]:
    """One here and there, or all of a page. A warning where it is unknown whether the request leaves them out."""
    query = bench.query
    if query.single or (query.limit and len(bench.table.rows) >= query.limit):
        return []
    wanted: dict[int, list[str]] = {}
    unsure: dict[int, list[str]] = {}
    boxes = _Boxes(bench.shape.places.values() if query.section else ())
    for place, text in bench.shape.unclaimed():
        if not _in_section(bench, place, boxes) or _is_known(bench, place):
            continue
        if (keeps := bench.conditions.keeps(place)) is not False:
            (wanted if keeps and not query.distinct else unsure).setdefault(place.page, []).append(text)
    findings = [found for page, texts in wanted.items() for found in _on_page(bench, page, texts, True)]
    left = [found for page, texts in unsure.items() if page not in wanted for found in _on_page(bench, page, texts)]
    return findings + left


def _on_page(bench: Bench, page: int, texts: list[str], sure: bool = False) -> list[Finding]:
    """Records of a page without a row; not `sure` are those that the request may or may not leave out."""
    evidence, url = bench.evidence, bench.pages[page].url
    claimed = max((len(bench.shape.claimed(model)) for n, model in evidence.models if n == page), default=0)
    total = claimed + len(texts)
    message, share = f"{len(texts)} of {total} records on {url} have no row", len(texts) / total
    if not sure:
        message += f", and it is unknown whether they should: {shown(texts[0])!r}"
        return [Finding("left-out", message, severity="warning", share=share)]
    if evidence.step > 1 and (claimed or len(texts) < 2 * evidence.step):
        return []  # the records of rows that were not looked for
    if claimed:
        # A single one among so many may be a line of another kind.
        severity: Severity = "warning" if len(texts) == 1 and claimed >= MANY else "error"
        message += f": {shown(texts[0])!r}"
        return [Finding("too-few-rows", message, "", (), severity, str(total), str(claimed), share)]
    if len(texts) >= 2 and evidence.listings:
        message = f"no row comes from {url}, which lists {len(texts)} records such as {shown(texts[0])!r}"
        return [Finding("page-lost", message, expected=str(len(texts)), got="0")]
    return []


class _Boxes:
    """What records are in: the parent, the heading above, and between which siblings of another kind (another tag, or
    one text where a record has several): lines that are no headings may divide a list."""

    def __init__(self, places: Iterable[Place]) -> None:
        self._others: dict[tuple[int, int, str, bool], list[int]] = {}
        self._boxes = {self._of(place) for place in places}

    def __contains__(self, place: Place) -> bool:
        """Whether a record is in a box with one of the places."""
        return self._of(place) in self._boxes

    def _of(self, place: Place) -> tuple[int, int, str, int]:
        model, node, parent = place.model, place.node, place.model.parent[place.node]
        tag, several = model.tag[node], len(Span(model, node).texts) > 1
        key = (id(model), parent, tag, several)
        if key not in self._others:
            self._others[key] = [
                child
                for child in model.children(parent)
                if model.tag[child] != tag or (several and len(Span(model, child).texts) <= 1)
            ]
        above = headings_above(model, node)
        return id(model), parent, above[0] if above else "", bisect_left(self._others[key], node)


def _in_section(bench: Bench, place: Place, boxes: _Boxes) -> bool:
    """Under the heading that the request names; where the rows' own records are not, in a box with some of them."""
    if not bench.query.section:
        return True
    if bench.in_section:
        return in_section(bench.query.section, place.model, place.node)
    return place in boxes


def _is_known(bench: Bench, place: Place) -> bool:
    """A row has all that the record says in the columns that may not repeat it; or the record says nothing there."""
    if not bench.query.distinct:
        return False
    columns = filter(None, (column_of(name, bench.table.columns) for name in bench.query.distinct))
    said = {c: text for c in columns if (text := next(texts_at(place.model, place.node, bench.shape.spots.get(c)), ""))}
    return any(
        all(_is_said(needles[column], text) for column, text in said.items())
        for needles in bench.evidence.needles.values()
    )


def _is_said(needle: Needle, text: str) -> bool:
    """Whether a text is a row's value: the same, or of numbers, dates and lists one that says it."""
    flat = squash(text)
    return flat == needle.flat or (needle.kind != "text" and said_in(needle, text, flat))
