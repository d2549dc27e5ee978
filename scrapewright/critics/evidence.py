"""Which part of which page each row came from, found from the rows themselves.

Values that only one row has (a name, a link) are looked up in the pages; the largest subtree around such an anchor that
holds no other row's anchor is the row's record. The tag path that most rows share settles the doubtful ones. It is the
idea of wrapper induction (Kushmerick 1997; Dalvi et al. 2011) turned round: not values from a wrapper, but the record
from its values. No survey and no selector is needed, so programs of any author are judged alike.
"""

from __future__ import annotations

import re
from bisect import bisect_right, insort
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Literal

from scrapewright.critics.document import Library, Model, Span
from scrapewright.critics.headings import in_section
from scrapewright.critics.match import Hit, Needle, begins, find
from scrapewright.critics.normal_forms import absolute, url_key
from scrapewright.critics.rows import Table, columns_of
from scrapewright.critics.value_types import settled
from scrapewright.query.reading import Field, Reading
from scrapewright.session.result import RunResult
from scrapewright.web.page import Page

Mode = Literal["none", "forward", "backward"]
"""Whether a record goes on after (or begins before) its subtree, among the siblings up to the next record."""

MAX_ROWS = 3000
ANCHORS = 3
TWINS = 8
"""Rows that may share an anchor: a record can be on two pages."""
SAMPLE = 40
PATHS = 4
"""Tag paths that are tried for the records."""
TRIALS = 20_000
"""Times that a row without a record is held against one that is left, on all lists together."""
NO_ANSWER = frozenset({"refused", "robots", "miss", "error"})
"""Verdicts on requests that brought no page."""


class Place:
    """A row's record on one model. `rank` is its place among the model's records, in document order."""

    def __init__(self, page: int, model: Model, node: int, score: int) -> None:
        self.page, self.model, self.node, self.score = page, model, node, score
        self.rank = -1


class Evidence:
    """Rows, pages and where they meet. Built once for a verdict; everything in it is read only afterwards."""

    def __init__(self, query: Reading, table: Table, pages: Sequence[Page]) -> None:
        self.query = query
        self.table = table
        self.columns: dict[str, str] = columns_of([field.name for field in query.fields], table.columns)
        """The column of each field, by the field's name."""
        fields = {field.name: field for field in query.fields}
        self.fields: dict[str, Field] = {
            column: settled(fields[name], table.column(column)) for name, column in self.columns.items()
        }
        self.judged = tuple(self.columns.values()) if query.fields else table.columns
        self.step = max(1, len(table.rows) // MAX_ROWS)
        """Of so many rows one is looked for on the pages."""
        self.rows = tuple(range(0, len(table.rows), self.step))
        self.needles: dict[int, dict[str, Needle]] = {
            row: {column: Needle(table.rows[row].get(column), self.fields.get(column)) for column in self.judged}
            for row in self.rows
        }
        library = Library()
        self.models = [(n, model) for n, page in enumerate(pages) for model in library.models(page)]
        self.places: dict[int, list[Place]] = {row: [] for row in self.rows}
        self.records: dict[int, list[Place]] = {}
        """The places on each model (by its id), in document order."""
        self.path = 0
        self.mode: Mode = "none"
        self._order: dict[tuple[int, int], Place] = {}
        self._hits: dict[tuple[int, str], Hit | None] = {}
        self._context: dict[tuple[int, str, str], bool] = {}
        self._between: dict[int, list[Span]] = {}
        self._locate()
        latest = list(enumerate(pages))[::-1]
        self._by_url = {url_key(page.asked): n for n, page in latest if page.asked}
        self._by_url |= {url_key(page.url): n for n, page in latest}
        first: dict[int, list[int]] = {}
        for row, places in self.places.items():
            if places:
                first.setdefault(places[0].page, []).append(row)
        several = [n for n, _ in self.models if self.rows_on(n) >= 2]
        self.listings = frozenset(n for n in several if not self._is_behind(n, first.get(n, [])))
        """Pages with the records of several rows, but for those behind one of them."""

    # finding the records

    def anchors(self, figures: bool = False) -> list[str]:
        """Columns whose values tell rows apart, the best first: of texts where there are any, unless `figures`."""
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
        texts = [column for summaries, _, column in ranked if summaries != figures]
        return (texts or [column for _, _, column in ranked])[:ANCHORS]

    def _locate(self) -> None:
        """Tries each anchor column by itself (a shifted one must not blur the others); the best explains most cells."""
        tried = ([(c, m) for c in self.anchors(figures) if any(m := self._marks(c))] for figures in (False, True))
        if not (found := next(filter(None, tried), [])):
            return
        spans = [self._spans(column, marks) for column, marks in found]
        trials = [(n, path) for n, tops in enumerate(spans) for path in self._paths(tops)]
        weights = [self._explained(found[n][1], path, spans[n]) for n, path in trials] if len(trials) > 1 else [0.0]
        best, self.path = trials[weights.index(max(weights))]
        marks, chosen = found[best][1], spans[best]
        for _, others in found[:best] + found[best + 1 :]:  # rows that the best column does not place
            placed = {row for nodes in marks for row in nodes}
            for mine, more, tops in zip(marks, others, chosen, strict=True):
                new = {row: nodes for row, nodes in more.items() if row not in placed}
                mine.update(new)
                tops.update(new)
        for index, (page, model) in enumerate(self.models):
            best_of = {
                row: self._best(model, row, tops, marks[index][row], len(chosen[index]) >= 2)
                for row, tops in chosen[index].items()
            }
            homes = Counter(model.parent[node] for _, nodes in best_of.values() for node in nodes)
            kinds = Counter(model.kind(node) for _, nodes in best_of.values() for node in nodes)
            usual = max(kinds, key=lambda kind: kinds[kind], default="")
            for row, (columns_held, tied) in best_of.items():
                node = max(tied, key=lambda node: (homes[model.parent[node]], -node))
                if "." in usual and model.kind(node) != usual:  # the path of tags is that of a part of this record
                    around = (up for up in model.ancestors(node) if model.kind(up) == usual)
                    up = next(around, node)
                    node = up if any(top <= up < model.end[top] for top in chosen[index][row]) else node
                    if model.kind(node) != usual:  # the second line of a record says more columns than its first
                        ups = {up for n in marks[index][row] for up in model.ancestors(n) if model.kind(up) == usual}
                        node = max((up for up in ups if up < node and model.path[up] == self.path), default=node)
                place = Place(page, model, node, len(columns_held))
                self.places[row].append(place)
                self.records.setdefault(id(model), []).append(place)
        self._place_others()
        for places in self.records.values():
            places.sort(key=lambda place: place.node)
            ranks = {node: rank for rank, node in enumerate(dict.fromkeys(place.node for place in places))}
            for place in places:
                place.rank = ranks[place.node]
        for row_places in self.places.values():
            row_places.sort(key=lambda place: (len(self.records_on(place.model)) < 2, -place.score))
        self._order = {(id(place.model), place.rank): place for places in self.records.values() for place in places}
        self._choose_mode()

    def _place_others(self) -> None:
        """Gives each row without a record of its own on any list one that is left there and holds what such records
        hold: values that a list writes otherwise, or among other text, are no anchors."""
        trials = TRIALS
        for page, model in self.models:
            records = self.records_on(model)
            counts = Counter(model.home(place.node) for place in records)
            homes = {home for home, count in counts.items() if count >= 2}
            if not homes or trials <= 0:
                continue
            of = {row: place for row in self.rows for place in self.places[row] if place.model is model}
            at: dict[int, list[int]] = {}
            for row, place in of.items():
                at.setdefault(place.node, []).append(row)
            settled = {row: p for row, p in of.items() if len(at[p.node]) == 1 and model.home(p.node) in homes}
            columns = self._held(settled or of)
            left = [row for row in self.rows if row not in settled and not self._is_listed(row, page)]
            left = [row for row in left if not all(self.needles[row][column].empty for column in columns)]
            tops = sorted(at)
            for node in range(1, len(model.tag)):
                if trials <= 0 or not left:
                    break
                if model.home(node) not in homes or not _is_free(model, node, tops):
                    continue
                span = Span(model, node)
                turn = next((n for n, row in enumerate(left) if self._is_of(row, columns, span, of.get(row))), None)
                trials -= turn + 1 if turn is not None else len(left)
                if turn is None:
                    continue
                found = left[turn]
                left = left[turn + 1 :] + left[:turn]  # the next one on the page is the next row as a rule
                if (before := of.get(found)) is not None:  # equal rows are in the order of their records
                    mates = at[before.node]
                    equal = [row for row in mates if row in (found, *left) and self._is_of(row, columns, span, of[row])]
                    gives = equal[:2][-1] if node > before.node else equal[0]
                    left = [found if row == gives else row for row in left]
                    self.places[gives].remove(of[gives])
                    records.remove(of[gives])
                    mates.remove(gives)
                    left = [row for row in left if mates != [row]]
                    found = gives
                insort(tops, node)
                self.places[found].append(Place(page, model, node, len(columns)))
                records.append(self.places[found][-1])

    def _is_listed(self, row: int, page: int) -> bool:
        """Whether a row has a record on a list of another page."""
        return any(place.page != page and len(self.records_on(place.model)) >= 2 for place in self.places[row])

    def _held(self, places: Mapping[int, Place]) -> list[str]:
        """The columns that these records of the rows hold, nearly all of them."""
        sample = list(places.items())[:SAMPLE]
        held = []
        for column in self.judged:
            cells = [(self.needles[row][column], place) for row, place in sample]
            filled = [find(needle, self.span(place)) is not None for needle, place in cells if not needle.empty]
            if filled and sum(filled) >= 0.8 * len(filled):
                held.append(column)
        return held

    def _is_of(self, row: int, columns: Iterable[str], span: Span, before: Place | None) -> bool:
        """Whether a record says a row's values in these columns (where it stops short at dots, as far as it goes), and
        no fewer of all than where the row was found before."""
        needles = [needle for column in columns if not (needle := self.needles[row][column]).empty]
        if not all(find(one, span) is not None or any(begins(p.flat, one.flat) for p in span.texts) for one in needles):
            return False
        own = [needle for needle in self.needles[row].values() if not needle.empty]
        return before is None or sum(find(needle, span) is not None for needle in own) >= before.score

    def _marks(self, column: str) -> list[dict[int, set[int]]]:
        """For each model, where the column's (nearly) unique values are: equal to a text, else inside one."""
        cells = {row: self.needles[row][column] for row in self.rows}
        counts = Counter(needle.flat for needle in cells.values())
        own = {row: cell for row, cell in cells.items() if cell.flat and not cell.items and counts[cell.flat] <= TWINS}
        exact = ({row: set(_exact(needle, model)) for row, needle in own.items()} for _, model in self.models)
        found = [{row: nodes for row, nodes in of_model.items() if nodes} for of_model in exact]
        seen = {row for nodes in found for row in nodes}
        for row in own.keys() - seen:
            for index, (_, model) in enumerate(self.models):
                if hits := set(_inside(own[row], model)):
                    found[index][row] = hits
        return found

    def _spans(self, column: str, marks: Sequence[Mapping[int, set[int]]]) -> list[dict[int, set[int]]]:
        """For each model the candidates for each row's record."""
        labels = {row: self.needles[row][column].flat for row in self.rows}
        return [_exclusive(model, nodes, labels) for (_, model), nodes in zip(self.models, marks, strict=True)]

    def _paths(self, spans: Sequence[Mapping[int, set[int]]]) -> list[int]:
        """The tag paths of the most candidates, the best first: a page may list its records twice, once by name alone.
        0 where no model has several."""
        votes: Counter[int] = Counter()
        for (_, model), tops in zip(self.models, spans, strict=True):
            nodes = {top for row_tops in tops.values() for top in row_tops}
            lists = {path for path, count in Counter(model.path[node] for node in nodes).items() if count >= 2}
            for row_tops in tops.values():
                votes.update(lists & {model.path[top] for top in row_tops})
        paths = sorted(votes, key=lambda path: (-votes[path], path))
        if not paths or votes[paths[0]] < 0.5 * len(set().union(*spans)):
            return paths[:1] or [0]
        return [path for path in paths[:PATHS] if votes[path] >= 0.5 * votes[paths[0]]]

    def _explained(
        self, marks: Sequence[Mapping[int, set[int]]], path: int, spans: Sequence[Mapping[int, set[int]]]
    ) -> float:
        """How many cells of a sample occur in the records found with these marks, if the records lie apart.

        Records that are together on a page count a little more than pages of their own, those under the heading that
        the request names a little more than others.
        """
        self.path = path
        rows = set(self.rows[:: max(1, len(self.rows) // SAMPLE)])
        found: dict[int, set[str]] = {}
        best: dict[int, tuple[int, int, int]] = {}
        listed: set[int] = set()
        for index, ((_, model), nodes, tops) in enumerate(zip(self.models, marks, spans, strict=True)):
            for row in rows & tops.keys():
                columns, tied = self._best(model, row, tops[row], nodes[row], len(tops) >= 2)
                found.setdefault(row, set()).update(columns)
                best[row] = max(best.get(row, (0, 0, 0)), (len(columns), index, tied[0]))
                if len(tops) >= 2:
                    listed.add(row)
        apart = len({where[1:] for where in best.values()}) / len(best) if best else 0.0
        section = self.query.section
        named = sum(in_section(section, self.models[at][1], node) for _, at, node in best.values()) if section else 0
        return (sum(map(len, found.values())) + 0.5 * len(listed) + 0.5 * named) * apart

    def _best(
        self, model: Model, row: int, tops: Iterable[int], nodes: Iterable[int], several: bool
    ) -> tuple[set[str], list[int]]:
        """The columns found in the subtree that holds most of them, and all subtrees that hold as many."""
        candidates = set(tops)
        if several and self.path:
            settled = {up for node in nodes for up in model.ancestors(node) if model.path[up] == self.path}
            candidates = settled or candidates
        held: dict[int, set[str]] = {}
        for node in sorted(candidates)[:12]:
            span = Span(model, node)
            needles = self.needles[row].items()
            held[node] = {column for column, needle in needles if not needle.empty and find(needle, span) is not None}
        best = max(held.values(), key=len)
        return best, [node for node, columns in held.items() if len(columns) == len(best)]

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
                if (span.start, span.stop) != (plain.start, plain.stop):
                    gain[mode] += sum(find(needle, span) is not None for needle in missing)
        best: Mode = "forward" if gain["forward"] >= gain["backward"] else "backward"
        if gain[best] and gain[best] >= 0.2 * len(rows):
            self.mode = best

    # asking

    def span(self, place: Place, mode: Mode | None = None) -> Span:
        """The record's part of its model, under the mode that serves the table best."""
        mode = mode or self.mode
        model, up = place.model, place.model.parent[place.node]
        span = Span(model, place.node)
        if mode == "none" or up < 0 or place.rank < 0:
            return span
        other = self._beside(place, 1 if mode == "forward" else -1)
        if mode == "backward" and other is not None and other.node > up:
            span.first, span.start = model.end[other.node], model.stops[other.node]
        elif mode == "backward":
            span.first, span.start = up + 1, model.starts[up]
        elif other is not None and other.node < model.end[up]:
            return Span(model, place.node, other.node)
        else:
            span.last, span.stop = model.end[up], model.stops[up]
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

    def linked(self, row: int) -> list[int]:
        """Fetched pages, other than listings, to which the row or its record leads."""
        return [page for page in self._leads_to(row) if page not in self.listings]

    def _is_behind(self, page: int, rows: Sequence[int]) -> bool:
        """Whether it is the page behind one row's record: the only row of which it says most, or of any where it says
        most of none (a page with other records like its own below)."""
        leading = (row for row in rows or self.rows if page in self._leads_to(row, page))
        return len(rows) < 2 and len(list(islice(leading, 2))) == 1

    def _leads_to(self, row: int, but: int = -1) -> list[int]:
        """The fetched pages to which the row leads, or its record on another page than `but`."""
        base = self.places[row][0].model.base if self.places[row] else ""
        own = {url_key(absolute(base, needle.url)) for needle in self.needles[row].values() if needle.url}
        spans = [self.span(place) for place in self.places[row][:3] if place.page != but]
        return [
            n
            for key, n in self._by_url.items()
            if key in own or any(node in span for span in spans for node in span.model.by_url.get(key, ()))
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
                lone = not places and len(self.records_on(model)) < 2  # no list, as far as is known
                spans = [Span(model)] if lone and model.tag else self._outside(model)
                self._context[key] = any(find(needle, span) is not None for span in spans)
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
                return Hit(same[-1]) if same else find(needle, Span(place.model, first, place.node))
        return None

    def anywhere(self, row: int, column: str) -> bool:
        """Whether the value occurs on any fetched page at all."""
        needle = self.needles[row][column]
        return any(find(needle, Span(model)) is not None for _, model in self.models if model.tag)

    def _outside(self, model: Model) -> list[Span]:
        """What a model has between the records, before and behind them."""
        if id(model) not in self._between:
            between, at = list[Span](), 0
            for place in self.records_on(model):
                span = self.span(place)
                if span.first > at:
                    between.append(Span(model, at, span.first))
                at = max(at, span.last)
            if model.tag and at < model.end[0]:
                between.append(Span(model, at, model.end[0]))
            self._between[id(model)] = between
        return self._between[id(model)]

    def records_on(self, model: Model) -> list[Place]:
        """The places on a model, in document order."""
        return self.records.get(id(model), [])

    def rows_on(self, page: int) -> int:
        """How many rows have their record on a page."""
        return max((len(places) for places in self.records.values() if places[0].page == page), default=0)


def _exclusive(model: Model, found: Mapping[int, set[int]], labels: Mapping[int, str]) -> dict[int, set[int]]:
    """For each row the tops of the largest subtrees around its anchors that hold no anchor of another value."""
    marks = sorted((node, labels[row], row) for row, nodes in found.items() for node in nodes)
    before = _nearest_others(marks, -1)
    after = _nearest_others(marks[::-1], len(model.tag) + 1)[::-1]
    tops: dict[int, set[int]] = {}
    for i, (node, _, row) in enumerate(marks):
        top = node
        while (up := model.parent[top]) >= 0 and before[i] < up and after[i] >= model.end[up]:
            top = up
        tops.setdefault(row, set()).add(top)
    return tops


def _nearest_others(marks: Sequence[tuple[int, str, int]], none: int) -> list[int]:
    """For each mark the node of the nearest earlier one with another label."""
    nearest: list[int] = []
    newest: list[tuple[str, int]] = []  # the newest mark of each of the last two labels
    for node, label, _ in marks:
        nearest.append(next((n for other, n in reversed(newest) if other != label), none))
        newest = [*[pair for pair in newest if pair[0] != label][-1:], (label, node)]
    return nearest


def _is_free(model: Model, node: int, tops: Sequence[int]) -> bool:
    """Whether a node is in no record and holds none; `tops` are theirs, sorted."""
    n = bisect_right(tops, node)
    return not (n and model.end[tops[n - 1]] > node) and not (n < len(tops) and tops[n] < model.end[node])


def _exact(needle: Needle, model: Model) -> list[int]:
    nodes = [*model.by_text.get(needle.flat, ())[:12]]
    if not nodes and needle.kind != "text" and needle.number is not None:
        nodes = model.by_number.get(needle.number, [])[:12]
    if not nodes and needle.kind != "text" and needle.date is not None:
        nodes = model.by_date.get(needle.date[:3], [])[:12]
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
