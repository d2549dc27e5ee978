"""Which part of which page each row came from, found from the rows themselves.

Values that only one row has (a name, a link) are looked up in the pages; the largest subtree around such an anchor that
holds no other row's anchor is the row's record. The tag path that most rows share settles the doubtful ones. It is the
idea of wrapper induction (Kushmerick 1997; Dalvi et al. 2011) turned round: not values from a wrapper, but the record
from its values. No survey and no selector is needed, so programs of any author are judged alike.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Literal, NamedTuple

from scrapewright.critics.document import Model, Span, models_of
from scrapewright.critics.match import Hit, Needle, find
from scrapewright.critics.normal_forms import absolute, url_key
from scrapewright.critics.rows import Table, columns_of
from scrapewright.query.reading import Field, Reading
from scrapewright.session.result import RunResult
from scrapewright.web.page import Page

MAX_ROWS = 3000
ANCHORS = 3
TWINS = 8
"""Rows that may share an anchor: a record can be on two pages."""
SAMPLE = 40
NO_ANSWER = frozenset({"refused", "robots", "miss", "error"})
"""Verdicts on requests that brought no page."""


Runs = Literal[-1, 0, 1]
"""Whether records go on behind their subtrees (1) or begin before them (-1), among the siblings between two records."""


class Place:
    """A row's record on one model. `rank` is its place among the model's records, in document order."""

    __slots__ = ("model", "node", "page", "rank", "score")

    def __init__(self, page: int, model: Model, node: int, score: int) -> None:
        self.page, self.model, self.node, self.score = page, model, node, score
        self.rank = -1


class _Trial(NamedTuple):
    """For each model the rows' nodes with a column's values, and the largest subtrees around them that hold no other
    row's; and the tag path of most of these."""

    marks: list[dict[int, set[int]]]
    tops: list[dict[int, set[int]]]
    path: int


class Evidence:
    """Rows, pages and where they meet. Built once for a verdict; everything in it is read only afterwards."""

    def __init__(self, query: Reading, table: Table, pages: Sequence[Page]) -> None:
        self.query = query
        self.table = table
        self.columns: dict[str, str] = columns_of([field.name for field in query.fields], table.columns)
        """The column of each field, by the field's name."""
        fields = {field.name: field for field in query.fields}
        self.fields: dict[str, Field] = {column: fields[name] for name, column in self.columns.items()}
        self.judged = tuple(self.columns.values()) if query.fields else table.columns
        self.step = max(1, len(table.rows) // MAX_ROWS)
        """Of so many rows one is looked for on the pages."""
        self.rows = tuple(range(0, len(table.rows), self.step))
        self.needles: dict[int, dict[str, Needle]] = {
            row: {column: Needle(table.rows[row].get(column), self.fields.get(column)) for column in self.judged}
            for row in self.rows
        }
        paths: dict[tuple[int, str], int] = {}
        self.models = [(n, model) for n, page in enumerate(pages) for model in models_of(page, paths)]
        self.places: dict[int, list[Place]] = {row: [] for row in self.rows}
        self.records: dict[int, list[Place]] = {}
        """The places on each model (by its id), in document order."""
        self.runs: Runs = 0
        self._order: dict[tuple[int, int], Place] = {}
        self._hits: dict[tuple[int, str], Hit | None] = {}
        self._context: dict[tuple[int, str, str], bool] = {}
        self._locate()
        latest = reversed(list(enumerate(pages)))
        self._by_url = {url_key(url): n for n, page in latest for url in (page.asked, page.url) if url}
        self.listings = frozenset(n for n, _ in self.models if self.rows_on(n) >= 2)

    # finding the records

    def anchors(self) -> list[str]:
        """Columns whose values tell rows apart, the best first."""
        ranked: list[tuple[bool, float, str]] = []
        for column in self.judged:
            needles = [self.needles[row][column] for row in self.rows]
            usable = [n for n in needles if not n.items and not n.empty and len(n.flat) >= 3]
            plain = sum(n.date is None and n.number is None for n in usable)
            unique = sum(count == 1 for count in Counter(n.flat for n in usable).values())
            if unique:
                length = sum(min(len(n.flat), 40) for n in usable) / len(usable)
                ranked.append((plain >= 0.5 * len(usable), unique + length / 100, column))
        ranked.sort(reverse=True)
        texts = [column for summaries, _, column in ranked if summaries]
        return (texts or [column for _, _, column in ranked])[:ANCHORS]

    def _locate(self) -> None:
        """Tries each anchor column by itself (a shifted one must not blur the others); the best explains most cells."""
        trials = [trial for column in self.anchors() if (trial := self._trial(column)) is not None]
        best = max(trials, key=self._explained, default=None) if len(trials) > 1 else next(iter(trials), None)
        if best is None:
            return
        for other in trials:  # rows that the best column does not place
            placed = {row for nodes in best.marks for row in nodes}
            for mine, more, tops in zip(best.marks, other.marks, best.tops, strict=True):
                for row in more.keys() - placed:
                    mine[row] = tops[row] = more[row]
        for (page, model), found in zip(self.models, self._best(best, set(self.rows)), strict=True):
            homes = Counter(model.parent[node] for _, nodes in found.values() for node in nodes)
            for row, (columns_held, tied) in found.items():
                node = max(tied, key=lambda node: (homes[model.parent[node]], -node))
                place = Place(page, model, node, len(columns_held))
                self.places[row].append(place)
                self.records.setdefault(id(model), []).append(place)
        for places in self.records.values():
            places.sort(key=lambda place: place.node)
            ranks = {node: rank for rank, node in enumerate(dict.fromkeys(place.node for place in places))}
            for place in places:
                place.rank = ranks[place.node]
        for row_places in self.places.values():
            row_places.sort(key=lambda place: (len(self.records_on(place.model)) < 2, -place.score))
        self._order = {(id(place.model), place.rank): place for places in self.records.values() for place in places}
        self.runs = self._go_on()

    def _trial(self, column: str) -> _Trial | None:
        """Where the column's (nearly) unique values are: equal to a text, else inside one. None if nowhere."""
        labels = {row: self.needles[row][column].flat for row in self.rows}
        counts = Counter(labels.values())
        own = {row: needle for row in self.rows if (needle := self.needles[row][column]).flat and not needle.items}
        own = {row: needle for row, needle in own.items() if counts[needle.flat] <= TWINS}
        marks: list[dict[int, set[int]]] = []
        for _, model in self.models:
            marks.append({row: nodes for row, needle in own.items() if (nodes := set(_exact(needle, model)))})
        for row in own.keys() - {row for nodes in marks for row in nodes}:
            for known, (_, model) in zip(marks, self.models, strict=True):
                if hits := set(_inside(own[row], model)):
                    known[row] = hits
        tops = [_exclusive(model, nodes, labels) for (_, model), nodes in zip(self.models, marks, strict=True)]
        votes: Counter[int] = Counter()
        for (_, model), found in zip(self.models, tops, strict=True):
            if len(found) >= 2:
                votes.update(path for of_row in found.values() for path in {model.path[top] for top in of_row})
        path = max(votes, key=lambda path: (votes[path], -path), default=0)
        return _Trial(marks, tops, path) if any(marks) else None

    def _explained(self, trial: _Trial) -> float:
        """How many cells of a sample occur in the records found in a trial, if the records lie apart.

        Records that are together on a page count a little more than pages of their own.
        """
        found: dict[int, set[str]] = {}
        best: dict[int, tuple[int, int, int]] = {}
        listed: set[int] = set()
        sample = set(self.rows[:: max(1, len(self.rows) // SAMPLE)])
        for index, placed in enumerate(self._best(trial, sample)):
            for row, (columns, tied) in placed.items():
                found.setdefault(row, set()).update(columns)
                best[row] = max(best.get(row, (0, 0, 0)), (len(columns), index, tied[0]))
            if len(trial.tops[index]) >= 2:
                listed |= placed.keys()
        apart = len({where[1:] for where in best.values()}) / len(best) if best else 0.0
        return (sum(map(len, found.values())) + 0.5 * len(listed)) * apart

    def _best(self, trial: _Trial, rows: set[int]) -> Iterator[dict[int, tuple[set[str], list[int]]]]:
        """For each model and row the columns found in the subtree that holds most of them, and all subtrees that hold
        as many."""
        for (_, model), marks, tops in zip(self.models, trial.marks, trial.tops, strict=True):
            found: dict[int, tuple[set[str], list[int]]] = {}
            for row in sorted(rows & tops.keys()):
                above = (up for node in marks[row] for up in model.ancestors(node)) if len(tops) >= 2 else ()
                settled = {up for up in above if trial.path and model.path[up] == trial.path}
                needles = [(column, needle) for column, needle in self.needles[row].items() if not needle.empty]
                held: dict[int, set[str]] = {}
                for node in sorted(settled or tops[row])[:12]:
                    held[node] = {column for column, needle in needles if find(needle, Span(model, node)) is not None}
                best = max(held.values(), key=len)
                found[row] = best, [node for node, columns in held.items() if len(columns) == len(best)]
            yield found

    def _go_on(self) -> Runs:
        """Where what is missing in the records' subtrees is beside them in a fifth of the records."""
        rows = [row for row in self.rows if self.places[row]]
        rows = rows[:: max(1, len(rows) // SAMPLE)]
        gain: dict[Runs, int] = {1: 0, -1: 0}
        for row in rows:
            plain = self.span(self.places[row][0], 0)
            missing = [n for n in self.needles[row].values() if not n.empty and find(n, plain) is None]
            for runs in gain if missing else ():
                gain[runs] += sum(find(needle, self.span(self.places[row][0], runs)) is not None for needle in missing)
        best: Runs = 1 if gain[1] >= gain[-1] else -1
        return best if gain[best] > 0 and gain[best] >= 0.2 * len(rows) else 0

    # asking

    def span(self, place: Place, runs: Runs | None = None) -> Span:
        """The record's part of its model."""
        model, up = place.model, place.model.parent[place.node]
        runs = self.runs if runs is None else runs
        span = Span(model, place.node)
        if not runs or up < 0 or place.rank < 0:
            return span
        other = self._beside(place, runs)
        if other is not None and not up < other.node < model.end[up]:
            other = None
        if runs > 0:
            return Span(model, place.node, other.node if other is not None else model.end[up])
        span.first = model.end[other.node] if other is not None else up + 1
        span.start = model.stops[other.node] if other is not None else model.starts[up]
        return span

    def _beside(self, place: Place, offset: int) -> Place | None:
        """The record that comes `offset` records later on the model."""
        return self._order.get((id(place.model), place.rank + offset))

    def find(self, row: int, column: str) -> Hit | None:
        """The value in the row's own records, or on the pages that these link to."""
        key = (row, column)
        if key not in self._hits:
            hits = (find(self.needles[row][column], span) for span in self.spans(row))
            self._hits[key] = next((hit for hit in hits if hit is not None), None)
        return self._hits[key]

    def spans(self, row: int) -> Iterator[Span]:
        """The row's own records, and the pages that these link to."""
        yield from map(self.span, self.places[row])
        for n in self.linked(row):
            yield from (Span(model) for page, model in self.models if page == n and model.tag)

    def spans_or_pages(self, row: int) -> list[Span]:
        """The same; of a row whose record is unknown all pages."""
        found = list(self.spans(row))
        return found if self.places[row] else [*found, *(Span(model) for _, model in self.models if model.tag)]

    def linked(self, row: int) -> list[int]:
        """Fetched pages, other than listings, to which the row or its record leads."""
        base = self.places[row][0].model.base if self.places[row] else ""
        own = {url_key(absolute(base, needle.url)) for needle in self.needles[row].values() if needle.url}
        spans = [self.span(place) for place in self.places[row][:3]]
        return [
            n
            for key, n in self._by_url.items()
            if n not in self.listings
            and (key in own or any(node in span for span in spans for node in span.model.by_url.get(key, ())))
        ]

    def neighbour(self, row: int, column: str, offset: int) -> bool:
        """Whether the value occurs in the record that comes `offset` records later."""
        needle = self.needles[row][column]
        others = [self._beside(place, offset) for place in self.places[row][:1]]
        return any(other is not None and find(needle, self.span(other)) is not None for other in others)

    def context(self, row: int, column: str) -> bool:
        """Whether the value occurs on the row's page outside all records, or (rows without a place) anywhere."""
        needle = self.needles[row][column]
        places = self.places[row]
        for page, model in self.models:
            if places and page not in {place.page for place in places}:
                continue
            key = (id(model), column, needle.flat)
            if key not in self._context:
                self._context[key] = any(find(needle, span) is not None for span in self.outside(model))
            if self._context[key]:
                return True
        return False

    def before(self, row: int, column: str) -> Hit | None:
        """The value between the row's record and the one before it (a heading over several records)."""
        for place in self.places[row][:1]:
            earlier = self._beside(place, -1)
            first = place.model.end[earlier.node] if earlier is not None else 0
            if first < place.node:
                needle = self.needles[row][column]
                same = [node for node in place.model.by_text.get(needle.flat, ()) if first <= node < place.node]
                return Hit(same[-1], "text") if same else find(needle, Span(place.model, first, place.node))
        return None

    def anywhere(self, row: int, column: str) -> bool:
        """Whether the value occurs on any fetched page at all."""
        needle = self.needles[row][column]
        hits = (find(needle, Span(model)) for _, model in self.models if model.tag)
        return any(hit is not None and hit.via != "computed" for hit in hits)

    def outside(self, model: Model) -> Iterator[Span]:
        """The parts of a model that are in no record."""
        if not model.tag:
            return
        at = 0
        for place in self.records_on(model):
            span = self.span(place)
            if span.first > at:
                yield Span(model, at, span.first)
            at = max(at, span.last)
        if at < model.end[0]:
            yield Span(model, at, model.end[0])

    def records_on(self, model: Model) -> list[Place]:
        """The places on a model, in document order."""
        return self.records.get(id(model), [])

    def rows_on(self, page: int) -> int:
        """How many rows have their record on a page."""
        return max((len(places) for places in self.records.values() if places[0].page == page), default=0)


def _exclusive(model: Model, found: Mapping[int, set[int]], labels: Mapping[int, str]) -> dict[int, set[int]]:
    """For each row the tops of the largest subtrees around its anchors that hold no anchor of another value."""
    marks = sorted((node, labels[row], row) for row, nodes in found.items() for node in nodes)
    at = [node for node, _, _ in marks]
    tops: dict[int, set[int]] = {}
    for node, label, row in marks:
        top = node
        while (up := model.parent[top]) >= 0:
            inside = range(bisect_left(at, up), bisect_left(at, model.end[up]))
            if any(marks[n][1] != label for n in inside):
                break
            top = up
        tops.setdefault(row, set()).add(top)
    return tops


def _exact(needle: Needle, model: Model) -> list[int]:
    nodes = [*model.by_text.get(needle.flat, ())[:12]]
    if len(needle.flat) >= 6:
        nodes += model.by_attr.get(needle.flat, ())[:12]
    if needle.url:
        nodes += model.by_url.get(url_key(absolute(model.base, needle.url)), ())[:12]
    return nodes


def _inside(needle: Needle, model: Model) -> list[int]:
    """Nodes that hold the value among other text: slower, so only where nothing equals it."""
    found = re.finditer(re.escape(needle.flat), model.text) if len(needle.flat) >= 6 else iter(())
    return [model.node_at(*match.span()) for match in islice(found, 8)]


def fetched(result: RunResult, pages: Mapping[str, Page]) -> list[Page]:
    """The pages that this run got, in the order of its requests, each once; an error page is no evidence."""
    found: dict[tuple[str, bytes], Page] = {}
    for request in result.requests:
        page = pages.get(request.name) or pages.get(request.url)
        if page is not None and is_answer(page) and request.verdict not in NO_ANSWER:
            found.setdefault((page.url, page.body), page)
    return list(found.values())


def is_answer(page: Page) -> bool:
    return not page.error and page.status < 400 and bool(page.body)
