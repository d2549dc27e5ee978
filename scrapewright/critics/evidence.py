"""Which part of which page each row came from, found from the rows themselves.

Values that only one row has (a name, a link) are looked up in the pages; the largest subtree around such an anchor that
holds no other row's anchor is the row's record. The tag path that most rows share settles the doubtful ones. It is the
idea of wrapper induction (Kushmerick 1997; Dalvi et al. 2011) turned round: not values from a wrapper, but the record
from its values. No survey and no selector is needed, so programs of any author are judged alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal
from urllib.parse import urldefrag

from scrapewright.critics.document import Library, Model, UrlKey
from scrapewright.critics.match import Hit, Needle, Span, find
from scrapewright.critics.normal import absolute, url_key
from scrapewright.critics.rows import Table, column_of
from scrapewright.query.model import Field, Query
from scrapewright.session.result import RunResult
from scrapewright.web.page import Page

Mode = Literal["none", "forward", "backward"]
"""Whether a record goes on after (or begins before) its subtree, among the siblings up to the next record."""

MAX_ROWS = 3000
ANCHORS = 3
SAMPLE = 40


class Place:
    """A row's record on one model. `rank` is its place among the model's records, in document order."""

    __slots__ = ("model", "node", "page", "rank", "score")

    def __init__(self, page: int, model: Model, node: int, score: int) -> None:
        self.page, self.model, self.node, self.score = page, model, node, score
        self.rank = -1


class Evidence:
    """Rows, pages and where they meet. Built once for a verdict; everything in it is read only afterwards."""

    def __init__(self, query: Query, table: Table, pages: Sequence[Page]) -> None:
        self.query = query
        self.table = table
        self.pages = pages
        self.columns: dict[str, str] = {}
        self.fields: dict[str, Field] = {}
        for field in query.fields:
            column = column_of(field.name, table.columns)
            if column is not None:
                self.columns[field.name] = column
                self.fields[column] = field
        self.judged = tuple(self.columns.values()) if query.fields else table.columns
        step = max(1, len(table.rows) // MAX_ROWS)
        self.rows = tuple(range(0, len(table.rows), step))
        self.needles: dict[int, dict[str, Needle]] = {
            row: {column: Needle(table.rows[row].get(column), self.fields.get(column)) for column in self.judged}
            for row in self.rows
        }
        library = Library()
        self.models: list[tuple[int, Model]] = [
            (n, model) for n, page in enumerate(pages) for model in library.models(page)
        ]
        self.places: dict[int, list[Place]] = {row: [] for row in self.rows}
        self.records: dict[int, list[Place]] = {}
        """The places on each model (by its index in `models`), in document order."""
        self.path = 0
        self.mode: Mode = "none"
        self._hits: dict[tuple[int, str], Hit | None] = {}
        self._context: dict[tuple[int, str, str], Hit | None] = {}
        self._locate()
        self._by_url = {url_key(urldefrag(page.url)[0]): n for n, page in reversed(list(enumerate(pages)))}
        for n, page in enumerate(pages):
            if page.asked:
                self._by_url.setdefault(url_key(urldefrag(page.asked)[0]), n)
        self.listings = frozenset(n for n, _ in self.models if self._rows_on(n) >= 2)

    # finding the records

    def anchors(self) -> list[str]:
        """Columns whose values tell rows apart, the best first."""
        ranked: list[tuple[float, str]] = []
        for column in self.judged:
            needles = [self.needles[row][column] for row in self.rows]
            usable = [
                n
                for n in needles
                if not n.items and not n.empty and n.date is None and n.number is None and len(n.flat) >= 3
            ]
            unique = sum(count == 1 for count in Counter(n.flat for n in usable).values())
            if unique:
                length = sum(min(len(n.flat), 40) for n in usable) / len(usable)
                ranked.append((unique + length / 100, column))
        return [column for _, column in sorted(ranked, reverse=True)[:ANCHORS]]

    def _locate(self) -> None:
        columns = self.anchors()
        counts = {c: Counter(self.needles[row][c].flat for row in self.rows) for c in columns}
        own = {
            row: [n for c in columns if (n := self.needles[row][c]).flat and counts[c][n.flat] == 1 and _anchors(n)]
            for row in self.rows
        }
        found: list[dict[int, set[int]]] = []
        for _, model in self.models:
            nodes: dict[int, set[int]] = {}
            for row, needles in own.items():
                hits = {node for needle in needles for node in _exact(needle, model)}
                if hits:
                    nodes[row] = hits
            found.append(nodes)
        seen = {row for nodes in found for row in nodes}
        for row in own.keys() - seen:
            for index, (_, model) in enumerate(self.models):
                hits = {node for needle in own[row] for node in _inside(needle, model)}
                if hits:
                    found[index][row] = hits
        spans = [self._exclusive(model, nodes) for (_, model), nodes in zip(self.models, found, strict=True)]
        votes: Counter[int] = Counter()
        for (_, model), tops in zip(self.models, spans, strict=True):
            if len(tops) >= 2:
                votes.update(path for row_tops in tops.values() for path in {model.path[top] for top in row_tops})
        if votes:
            self.path = max(votes, key=lambda path: (votes[path], -path))
        for index, (page, model) in enumerate(self.models):
            for row, row_tops in spans[index].items():
                several = len(spans[index]) >= 2
                place = self._best(page, model, row, row_tops, found[index][row], several)
                self.places[row].append(place)
                self.records.setdefault(index, []).append(place)
        for places in self.records.values():
            places.sort(key=lambda place: place.node)
            for rank, place in enumerate(places):
                place.rank = rank
        for row_places in self.places.values():
            row_places.sort(key=lambda place: -place.score)
        self._order = {(id(place.model), place.rank): place for places in self.records.values() for place in places}
        self._choose_mode()

    def _exclusive(self, model: Model, found: Mapping[int, set[int]]) -> dict[int, set[int]]:
        """For each row the tops of the largest subtrees around its anchors that hold no other row's anchor."""
        marks = sorted((node, row) for row, nodes in found.items() for node in nodes)
        before: list[int] = []
        two: list[tuple[int, int]] = []  # the two newest (row, node) of different rows
        for node, row in marks:
            other = next((n for r, n in reversed(two) if r != row), -1)
            before.append(other)
            two = [*[(r, n) for r, n in two if r != row][-1:], (row, node)]
        after = [len(model.tag) + 1] * len(marks)
        two = []
        for i in range(len(marks) - 1, -1, -1):
            node, row = marks[i]
            after[i] = next((n for r, n in reversed(two) if r != row), len(model.tag) + 1)
            two = [*[(r, n) for r, n in two if r != row][-1:], (row, node)]
        tops: dict[int, set[int]] = {}
        for i, (node, row) in enumerate(marks):
            top = node
            while (up := model.parent[top]) >= 0 and before[i] < up and after[i] >= model.end[up]:
                top = up
            tops.setdefault(row, set()).add(top)
        return tops

    def _best(
        self, page: int, model: Model, row: int, tops: Iterable[int], nodes: Iterable[int], several: bool
    ) -> Place:
        """The subtree that holds most of the row's values; those on the common path come first."""
        candidates = set(tops)
        if several and self.path:
            settled = {up for node in nodes for up in model.ancestors(node) if model.path[up] == self.path}
            candidates = settled or candidates
        best: tuple[int, int] | None = None
        for node in sorted(candidates)[:12]:
            span = Span(model, node, model.end[node])
            score = sum(
                1 for needle in self.needles[row].values() if not needle.empty and find(needle, span) is not None
            )
            if best is None or score > best[0]:
                best = (score, node)
        assert best is not None
        return Place(page, model, best[1], best[0])

    def _choose_mode(self) -> None:
        rows = [row for row in self.rows if self.places[row]]
        rows = rows[:: max(1, len(rows) // SAMPLE)]
        gain: dict[Mode, int] = {"forward": 0, "backward": 0}
        for row in rows:
            place = self.places[row][0]
            plain = self.span(place, "none")
            missing = [n for n in self.needles[row].values() if not n.empty and find(n, plain) is None]
            for mode in gain:
                span = self.span(place, mode)
                if (span.first, span.last) != (plain.first, plain.last):
                    gain[mode] += sum(find(needle, span) is not None for needle in missing)
        best: Mode = "forward" if gain["forward"] >= gain["backward"] else "backward"
        if gain[best] and gain[best] >= 0.2 * len(rows):
            self.mode = best

    # asking

    def span(self, place: Place, mode: Mode | None = None) -> Span:
        """The record's part of its model, under the mode that serves the table best."""
        mode = mode or self.mode
        model, node = place.model, place.node
        first, last = node, model.end[node]
        up = model.parent[node]
        if mode == "none" or up < 0 or place.rank < 0:
            return Span(model, first, last)
        if mode == "forward":
            following = self._order.get((id(model), place.rank + 1))
            last = min(model.end[up], following.node) if following is not None else model.end[up]
        else:
            earlier = self._order.get((id(model), place.rank - 1))
            first = max(up + 1, earlier.model.end[earlier.node]) if earlier is not None else up + 1
            first = min(first, node)
        if first == node and last <= model.end[node]:
            return Span(model, node, model.end[node])
        return _stretch(model, first, max(last, model.end[node]), node)

    def find(self, row: int, column: str) -> Hit | None:
        """The value in the row's own records, or on the pages that these link to."""
        key = (row, column)
        if key not in self._hits:
            self._hits[key] = self._find(row, column)
        return self._hits[key]

    def _find(self, row: int, column: str) -> Hit | None:
        needle = self.needles[row][column]
        for place in self.places[row]:
            hit = find(needle, self.span(place))
            if hit is not None:
                return hit
        for n in self.linked(row):
            for page, model in self.models:
                if page == n and model.tag:
                    hit = find(needle, Span(model, 0, model.end[0]))
                    if hit is not None:
                        return hit
        return None

    def linked(self, row: int) -> list[int]:
        """Fetched pages, other than listings, to which the row or its record leads."""
        keys: dict[UrlKey, None] = {}
        for needle in self.needles[row].values():
            if needle.url and self.places[row]:
                keys[url_key(absolute(self.places[row][0].model.base, needle.url))] = None
            elif needle.url:
                keys[url_key(needle.url)] = None
        for place in self.places[row][:3]:
            span = self.span(place)
            for link in place.model.links:
                if link.node in span:
                    keys[url_key(urldefrag(link.url)[0])] = None
            if not place.model.links:
                keys.update(
                    (key, None) for key, nodes in place.model.by_url.items() if any(node in span for node in nodes)
                )
        return [n for key in keys if (n := self._by_url.get(key)) is not None and n not in self.listings]

    def neighbour(self, row: int, column: str, offset: int) -> bool:
        """Whether the value stands in the record that comes `offset` records later."""
        needle = self.needles[row][column]
        for place in self.places[row][:1]:
            other = self._order.get((id(place.model), place.rank + offset))
            if other is not None and find(needle, self.span(other)) is not None:
                return True
        return False

    def context(self, row: int, column: str) -> bool:
        """Whether the value stands on the row's page outside all records, or (rows without a place) anywhere."""
        needle = self.needles[row][column]
        places = self.places[row]
        for index, (page, model) in enumerate(self.models):
            if places and page not in {place.page for place in places}:
                continue
            key = (index, column, needle.flat)
            if key not in self._context:
                self._context[key] = next(
                    (hit for span in self._outside(index, model) if (hit := find(needle, span)) is not None), None
                )
            if self._context[key] is not None:
                return True
        return False

    def before(self, row: int, column: str) -> bool:
        """Whether the value stands between the row's record and the one before it (a heading over several records)."""
        for place in self.places[row][:1]:
            earlier = self._order.get((id(place.model), place.rank - 1))
            first = place.model.end[earlier.node] if earlier is not None else 0
            if (
                first < place.node
                and find(self.needles[row][column], _stretch(place.model, first, place.node, first)) is not None
            ):
                return True
        return False

    def anywhere(self, row: int, column: str) -> bool:
        """Whether the value stands on any fetched page at all."""
        needle = self.needles[row][column]
        return any(model.tag and find(needle, Span(model, 0, model.end[0])) is not None for _, model in self.models)

    def _outside(self, index: int, model: Model) -> Iterable[Span]:
        if not model.tag:
            return
        at = 0
        for place in self.records.get(index, ()):
            span = self.span(place)
            if span.first > at:
                yield _stretch(model, at, span.first, at)
            at = max(at, span.last)
        if at < model.end[0]:
            yield _stretch(model, at, model.end[0], at)

    def _rows_on(self, page: int) -> int:
        return max((len(places) for index, places in self.records.items() if self.models[index][0] == page), default=0)


def _stretch(model: Model, first: int, last: int, top: int) -> Span:
    """A span from one node's start to another's: not a subtree, so its ends are read off the streams."""
    span = Span(model, first, max(last, first + 1), top)
    if last < len(model.tag):
        span.t1, span.a1, span.x1, span.y1 = model.t0[last], model.a0[last], model.x0[last], model.y0[last]
    else:
        span.t1, span.a1, span.x1, span.y1 = (
            len(model.text),
            len(model.attrs),
            len(model.pieces),
            len(model.attr_values),
        )
    return span


def _anchors(needle: Needle) -> bool:
    return (
        not needle.items
        and not needle.empty
        and needle.number is None
        and needle.date is None
        and len(needle.flat) >= 3
    )


def _exact(needle: Needle, model: Model) -> list[int]:
    nodes = [*model.by_text.get(needle.flat, ())[:12]]
    if len(needle.flat) >= 6:
        nodes += model.by_attr.get(needle.flat, ())[:12]
    if needle.url:
        nodes += model.by_url.get(url_key(absolute(model.base, needle.url)), ())[:12]
    return nodes


def _inside(needle: Needle, model: Model) -> list[int]:
    """Nodes that hold the value among other text: slower, so only where nothing equals it."""
    if len(needle.flat) < 6:
        return []
    nodes: list[int] = []
    at = model.text.find(needle.flat)
    while at >= 0 and len(nodes) < 8:
        nodes.append(model.node_at(at, at + len(needle.flat)))
        at = model.text.find(needle.flat, at + 1)
    return nodes


def fetched(result: RunResult, pages: Mapping[str, Page]) -> list[Page]:
    """The pages that this run got, in the order of its requests, each once."""
    found: dict[int, Page] = {}
    for request in result.requests:
        page = pages.get(request.url)
        if (
            page is not None
            and not page.error
            and page.body
            and request.verdict not in ("refused", "robots", "miss", "error")
        ):
            found.setdefault(id(page), page)
    unique: dict[tuple[str, bytes], Page] = {}
    for page in found.values():
        unique.setdefault((page.url, page.body), page)
    return list(unique.values())
