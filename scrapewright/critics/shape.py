"""The shape that the rows' records share: where in a record each column is, and which records no row has."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from typing import get_args

from scrapewright.critics.document import By, Model, Span, host_of
from scrapewright.critics.evidence import Evidence, Place
from scrapewright.critics.match import Needle, find, said_in
from scrapewright.critics.normal_forms import squash
from scrapewright.critics.onward import says_next
from scrapewright.survey.pagewords import is_advert
from scrapewright.survey.tables import is_no_record

Spot = tuple[str, str, By]
"""(the way from the record's top, attribute or "", what the way is written in)."""

WAYS: tuple[By, ...] = get_args(By)
OF_A_HOME = 0.2
"""Share of the rows' records that must be in one kind of place for others there to be records."""
LEAST = 0.5
"""Share of its rows that a column's spot must explain, where the rows differ."""
SECOND = 0.2
"""Share of its rows that another spot must explain to be asked where a record has nothing at that one."""


class Shape:
    """Learnt from the rows that were found in their records. `spots` has the columns that are in one place mostly."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self.spots: dict[str, Spot] = {}
        self.equal: dict[str, list[Spot]] = {}
        """All spots that explain a column as well as the one chosen."""
        self.seconds: dict[str, list[Spot]] = {}
        """Spots that explain fewer rows and say nothing else in any, the best first: records may have two layouts."""
        self.alone: set[str] = set()
        """Columns whose spot is there once in a record."""
        self.forms: dict[str, set[str]] = {}
        """How the texts at a column's spot look, their digits taken out."""
        self.places: dict[int, Place] = {
            row: place
            for row in evidence.rows
            for place in evidence.places[row][:1]
            if place.model.parent[place.node] >= 0 and len(evidence.records_on(place.model)) >= 2
        }
        """The rows' records, where these are several on a page and no page of their own."""
        self.home = Counter(place.model.home(place.node) for place in self.places.values())
        """(path, chain of the parent) of the records' tops."""
        for column in evidence.judged:
            self._learn(column)

    def _learn(self, column: str) -> None:
        """The spot that says the value in most rows: chance hits are scattered, the right one is always the same."""
        filled = self._filled(column)
        tally = Counter(spot for needle, place in filled for spot in self.spots_of(needle, place))
        best = max(tally.values(), default=0)
        same = len({self.evidence.needles[row][column].flat for row in self.places}) == 1
        if not tally or (best < LEAST * len(filled) and not same):
            return
        equal = [spot for spot, count in tally.items() if count == best]
        sample, chosen = list(self.places.values())[:60], equal[0]
        for spot in sorted(equal, key=lambda s: (WAYS.index(s[2]), s[1] != "", len(s[0]))):
            counts = [sum(1 for _ in texts_at(place.model, place.node, spot)) for place in sample]
            if sum(count <= 1 for count in counts) >= 0.9 * len(counts):
                chosen = spot
                self.alone.add(column)
                break
        self.spots[column], self.equal[column] = chosen, equal
        fewer = [spot for spot, count in tally.most_common() if max(2, SECOND * len(filled)) <= count < best]
        self.seconds[column] = [spot for spot in fewer if all(_says_or_lacks(*cell, spot) for cell in filled)]
        self.forms[column] = {form(text) for _, place in filled for text in texts_at(place.model, place.node, chosen)}

    def _filled(self, column: str) -> list[tuple[Needle, Place]]:
        """The values of the column in the rows that have one, and their records."""
        cells = [(self.evidence.needles[row][column], place) for row, place in self.places.items()]
        return [(needle, place) for needle, place in cells if not needle.empty]

    @staticmethod
    def spots_of(needle: Needle, place: Place) -> list[Spot]:
        """The spots that say a value, each once, in the page's order: of several as good every run takes the same."""
        model, top, span = place.model, place.node, Span(place.model, place.node)
        found: dict[Spot, None] = {}
        values = (value for value in span.values if len(value.text) < 2000)
        for _, node, text, flat, name in (*span.texts, *values):
            if said_in(needle, text, flat, name):
                found |= dict.fromkeys((model.steps(top, node, by), name, by) for by in WAYS)
        return list(found)

    def at(self, row: int, column: str) -> list[str]:
        """What the row's record has at the column's spot, where that spot is one and known."""
        spot, place = self.spots.get(column), self.places.get(row)
        if spot is None or place is None or column not in self.alone:
            return []
        return [text for text in texts_at(place.model, place.node, spot) if any(c.isalnum() for c in text)]

    def contradicts(self, row: int, column: str) -> bool:
        """The record has another value at the column's spot."""
        needle = self.evidence.needles[row][column]
        texts = self.at(row, column)
        if not texts or any(said_in(needle, text, squash(text), self.spots[column][1]) for text in texts):
            return False
        return needle.number is None or needle.kind == "text" or any(c.isdigit() for text in texts for c in text)

    def second(self, column: str, rows: list[int]) -> bool:
        """Whether rows that contradict the column's spot share another one (a sale price beside the usual one)."""
        tally: Counter[Spot] = Counter()
        for row in rows:
            if row in self.places:
                tally.update(self.spots_of(self.evidence.needles[row][column], self.places[row]))
        taken = {spot for other, spot in self.spots.items() if other != column}
        return any(count >= 0.8 * len(rows) and spot not in taken for spot, count in tally.items())

    def beside(self) -> Iterator[tuple[Model, int]]:
        """The nodes among the siblings of the rows' records that are like them and none of theirs."""
        taken = {(id(place.model), place.node) for place in self.places.values()}
        parents = {(id(place.model), place.model.parent[place.node]): place.model for place in self.places.values()}
        for (model_id, parent), model in parents.items():
            for node in model.children(parent):
                if model.home(node) in self.home and (model_id, node) not in taken:
                    yield model, node

    def unclaimed(self) -> Iterator[tuple[Place, str]]:
        """Records of the rows' shape, among siblings of theirs or on pages like theirs, that no row was made of."""
        evidence = self.evidence
        if self.home.total() < 2:
            return
        homes = {home for home, count in self.home.items() if count >= max(2, OF_A_HOME * self.home.total())}
        needed = [column for column in self.spots if self._coverage(column) >= 0.9 and self._explains(column) >= 0.8]
        needed.sort(key=lambda column: column not in evidence.anchors())
        # Columns that share a spot say one thing of a record: that it has that spot.
        needed = list({self.spots[column]: column for column in reversed(needed)}.values())[::-1]
        # Where records go on behind their tops, one spot alone is that of any link.
        least = 1 if evidence.mode == "none" else 2
        if sum(self.home[home] for home in homes) < 0.6 * self.home.total() or len(needed) < least:
            return
        # Where one text alone tells a record, the records' link does as well.
        linked = len(needed) == 1 and all(_has_link(place.model, place.node) for place in self.places.values())
        for page, model in evidence.models:
            records = self.claimed(model)
            tops = {place.node for place in records}
            if len(tops) < 0.5 * len(records):
                continue  # several records are in one element: another one like it need be none
            parents = {model.parent[place.node] for place in records}
            parts = self._parts_behind(model)
            by_tags = {c: next((s for s in self.equal[c] if s[2] == "tags"), self.spots[c]) for c in needed}
            for node in range(len(model.tag)):
                if model.parent[node] < 0 or node in tops or model.home(node) not in homes:
                    continue
                if len(tops) >= 3 and model.parent[node] not in parents and model.tag[node] not in ("tr", "td"):
                    continue  # another list of the same page
                if (at := bisect_left(parts, node)) < len(parts) and parts[at] < model.end[node]:
                    continue
                if self._is_advert(model, node) or self._is_heading(model, node):
                    continue
                if linked and not _has_link(model, node):
                    continue
                ways = [(self.spots[column], by_tags[column]) for column in needed]  # cells may have classes by turns
                texts = [next((text for one in both for text in texts_at(model, node, one)), "") for both in ways]
                like = [text for column, text in zip(needed, texts, strict=True) if text and self._like(column, text)]
                first = [" ".join(piece.text.split()) for piece in Span(model, node).texts[:1]]
                if model.tag[node] == "tr" and any(map(is_no_record, first)):
                    continue
                if texts[0] and 3 * len(like) >= 2 * len(needed) and not says_next(model, node):
                    yield Place(page, model, node, len(like)), " | ".join(" ".join(t.split())[:40] for t in like[:3])

    def _parts_behind(self, model: Model) -> list[int]:
        """The nodes outside the records' tops in which values of the rows are, where records go on behind these."""
        if self.evidence.mode == "none":
            return []
        found = set[int]()
        for row, place in self.places.items():
            if place.model is model:
                span = self.evidence.span(place)
                hits = filter(None, (find(needle, span) for needle in self.evidence.needles[row].values()))
                found |= {hit.node for hit in hits if not place.node <= hit.node < model.end[place.node]}
        return sorted(found)

    def claimed(self, model: Model) -> list[Place]:
        """The rows' records on a model, of those that are where most of them are."""
        least = max(2, OF_A_HOME * self.home.total())
        return [p for p in self.evidence.records_on(model) if self.home[p.model.home(p.node)] >= least]

    def _is_advert(self, model: Model, node: int) -> bool:
        """Put between the records by somebody who paid: it is called so, or leads to another site where they do not."""
        if is_advert(" ".join(model.chain[node].split(".")[1:])):
            return True
        here, record = host_of(model.url), Span(model, node)
        own = [host_of(link.url) for link in model.links if link.node in record]
        if not own or here in own:
            return False
        tops = [Span(model, place.node) for place in self.places.values() if place.model is model][:20]
        inside = sum(any(host_of(link.url) == here for link in model.links if link.node in top) for top in tops)
        return inside > 0.8 * len(tops) > 0

    def _is_heading(self, model: Model, node: int) -> bool:
        """A line of column names over the records: it says nothing but those."""
        names = [squash(word) for column in self.evidence.judged for word in (column, column.replace("_", " "))]
        flats = [piece.flat for piece in Span(model, node).texts]
        return bool(flats) and all(any(flat and name.startswith(flat) for name in names) for flat in flats)

    def _explains(self, column: str) -> float:
        """Share of the column's rows whose value is at its spot."""
        filled, spot = self._filled(column), self.spots[column]
        good = sum(says_at(needle, place.model, place.node, spot) for needle, place in filled)
        return good / len(filled) if filled else 0.0

    def _like(self, column: str, text: str) -> bool:
        """A text fits its column: numbers need figures."""
        needle = self.evidence.needles[self.evidence.rows[0]][column]
        return needle.number is None or any(c.isdigit() for c in text)

    def _coverage(self, column: str) -> float:
        filled = [not self.evidence.needles[row][column].empty for row in self.evidence.rows]
        return sum(filled) / len(filled) if filled else 0.0


def _has_link(model: Model, node: int) -> bool:
    return "a" in model.tag[node : model.end[node]]


def says_at(needle: Needle, model: Model, top: int, spot: Spot) -> bool:
    """Whether one of the texts at a spot of the record at `top` says a value."""
    return any(said_in(needle, text, squash(text), spot[1]) for text in texts_at(model, top, spot))


def _says_or_lacks(needle: Needle, place: Place, spot: Spot) -> bool:
    return says_at(needle, place.model, place.node, spot) or not any(texts_at(place.model, place.node, spot))


def texts_at(model: Model, top: int, spot: Spot | None) -> Iterator[str]:
    """The texts (or values of an attribute) at a spot of the record at `top`; none where no spot is known."""
    if spot is None:
        return
    steps, name, by = spot
    last = steps.rpartition("/")[2]
    kind = last if by == "classes" else last.rpartition("#")[0]
    kinds = model.tag if by == "tags" else model.chain
    for node in range(top, model.end[top] if steps else top + 1):
        if steps and (kinds[node] != kind or node == top or model.steps(top, node, by) != steps):
            continue
        if name:
            yield from (value.text for value in model.own_values(node) if value.name == name)
        elif text := model.said(node):
            yield text


def form(text: str) -> str:
    """A text without its figures."""
    return " ".join(re.sub(r"[\d.,'’\u00a0\u202f]+", "#", text).split())[:60]
