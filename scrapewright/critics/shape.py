"""The shape that the rows' records share: where in a record each column is, and which records no row has."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from scrapewright.critics.document import Model
from scrapewright.critics.evidence import Evidence, Place
from scrapewright.critics.match import Needle, said_in
from scrapewright.critics.normal_forms import squash, url_key
from scrapewright.survey.asides import is_advert
from scrapewright.survey.pagewords import ARROWS, NEXT, plain
from scrapewright.survey.tables import is_no_record

Spot = tuple[str, str, bool]
"""(the way from the record's top in tags and classes, attribute or "", whether like siblings are counted)."""

OF_A_HOME = 0.2
"""Share of the rows' records that must be in one kind of place for others there to be records."""
LEAST = 0.5
"""Share of its rows that a column's spot must explain, where the rows differ."""


class Shape:
    """Learnt from the rows that were found in their records. `spots` has the columns that are in one place mostly."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self.spots: dict[str, Spot] = {}
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
        self.home = Counter(self._home(place.model, place.node) for place in self.places.values())
        """(path, chain of the parent) of the records' tops."""
        for column in evidence.judged:
            self._learn(column)

    def _learn(self, column: str) -> None:
        """The spot that says the value in most rows: chance hits are scattered, the right one is always the same."""
        tally: Counter[Spot] = Counter()
        filled = self._filled(column)
        for needle, place in filled:
            tally.update(self._spots_of(needle, place))
        best = max(tally.values(), default=0)
        same = len({self.evidence.needles[row][column].flat for row in self.places}) == 1
        if not tally or (best < LEAST * len(filled) and not same):
            return
        equal = [spot for spot, count in tally.items() if count == best]
        chosen: Spot | None = None
        for spot in sorted(equal, key=lambda s: (s[2], s[1] != "", len(s[0]))):
            counts = [
                sum(1 for _ in texts_at(place.model, place.node, spot)) for place in list(self.places.values())[:60]
            ]
            if sum(count <= 1 for count in counts) >= 0.9 * len(counts):
                chosen = spot
                self.alone.add(column)
                break
        self.spots[column] = chosen or equal[0]
        texts = (text for _, place in filled for text in texts_at(place.model, place.node, self.spots[column]))
        self.forms[column] = set(map(form, texts))

    def _filled(self, column: str) -> list[tuple[Needle, Place]]:
        """The values of the column in the rows that have one, and their records."""
        cells = [(self.evidence.needles[row][column], place) for row, place in self.places.items()]
        return [(needle, place) for needle, place in cells if not needle.empty]

    @staticmethod
    def _spots_of(needle: Needle, place: Place) -> list[Spot]:
        """Each once, in the page's order: of several as good the same is chosen in every run."""
        model, top = place.model, place.node
        found: dict[Spot, None] = {}
        values = (value for value in model.values_of(top) if len(value.text) < 2000)
        for _, node, text, flat, name in (*model.texts_of(top), *values):
            if said_in(needle, text, flat, name):
                spots = (model.steps(top, node), name, False), (model.steps(top, node, True), name, True)
                found |= dict.fromkeys(spots)
        return list(found)

    @staticmethod
    def _home(model: Model, node: int) -> tuple[int, str]:
        return model.path[node], model.chain[model.parent[node]]

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

    def left_out(self, row: int, column: str) -> str:
        """What the row's record has at the spot of a column that is empty in the row; "" where there is nothing."""
        return next(iter(self.at(row, column)), "")

    def unclaimed(self) -> Iterator[tuple[Place, str]]:
        """Records of the rows' shape, among siblings of theirs or on pages like theirs, that no row was made of."""
        evidence, total = self.evidence, self.home.total()
        homes = {home for home, count in self.home.items() if count >= max(2, OF_A_HOME * total)}
        # Columns that share a spot say one thing of a record: that it has that spot.
        needed: dict[Spot, str] = {}
        for column in sorted(filter(self._is_needed, self.spots), key=lambda column: column not in evidence.anchors()):
            needed.setdefault(self.spots[column], column)
        if total < 2 or sum(self.home[home] for home in homes) < 0.6 * total or len(needed) < 1 + abs(evidence.runs):
            return
        for page, model in evidence.models:
            records = self.claimed(model)
            claimed = [(place.node, model.end[place.node]) for place in records]
            tops = {place.node for place in records}
            if len(tops) < 0.5 * len(records):
                continue  # several records are in one element: another one like it need be none
            parents = {model.parent[place.node] for place in records}
            for node in range(len(model.tag)):
                if model.parent[node] < 0 or node in tops or self._home(model, node) not in homes:
                    continue
                if len(tops) >= 3 and model.parent[node] not in parents and model.tag[node] not in ("tr", "td"):
                    continue  # another list of the same page
                if any(first <= node < last for first, last in claimed) or self._is_other(model, node):
                    continue
                texts = [(next(texts_at(model, node, spot), ""), column) for spot, column in needed.items()]
                like = [text for text, column in texts if text and self._fits(column, text)]
                if texts[0][0] and 3 * len(like) >= 2 * len(needed):
                    yield Place(page, model, node, len(like)), " | ".join(" ".join(t.split())[:40] for t in like[:3])

    def _is_needed(self, column: str) -> bool:
        """Nearly all rows have a value in the column, and most of them have it at its spot."""
        filled, spot = self._filled(column), self.spots[column]
        values = sum(not self.evidence.needles[row][column].empty for row in self.evidence.rows)
        good = sum(
            any(said_in(needle, text, squash(text), spot[1]) for text in texts_at(place.model, place.node, spot))
            for needle, place in filled
        )
        return values >= 0.9 * len(self.evidence.rows) and 0 < good >= 0.8 * len(filled)

    def _is_other(self, model: Model, node: int) -> bool:
        """An advert, a line of sums or of column names, a link to the next page."""
        said, texts = model.said(node), model.texts_of(node)
        names = [squash(word) for column in self.evidence.judged for word in (column, column.replace("_", " "))]
        if texts and all(any(name.startswith(piece.flat) for name in names) for piece in texts):
            return True
        if model.tag[node] == "tr" and texts and is_no_record(" ".join(texts[0].text.split())):
            return True
        is_next = NEXT.match(plain(said)) or ARROWS.match("".join(said.split()))
        return bool(is_next) or is_advert(" ".join(model.chain[node].split(".")[1:])) or self._leads_away(model, node)

    def _leads_away(self, model: Model, node: int) -> bool:
        """It links to other sites alone, where the rows' records do not."""
        here = url_key(model.url)[0]

        def own(top: int) -> list[bool]:
            return [url_key(link.url)[0] == here for link in model.links if top <= link.node < model.end[top]]

        tops = [place.node for place in self.places.values() if place.model is model][:20]
        links = own(node)
        return bool(links) and not any(links) and sum(any(own(top)) for top in tops) > 0.8 * len(tops) > 0

    def claimed(self, model: Model) -> list[Place]:
        """The rows' records on a model, of those that are where most of them are."""
        least = max(2, OF_A_HOME * self.home.total())
        return [p for p in self.evidence.records_on(model) if self.home[self._home(p.model, p.node)] >= least]

    def _fits(self, column: str, text: str) -> bool:
        """A text fits its column: numbers need figures."""
        needle = self.evidence.needles[self.evidence.rows[0]][column]
        return needle.number is None or any(c.isdigit() for c in text)


def texts_at(model: Model, top: int, spot: Spot) -> Iterator[str]:
    """The texts (or values of an attribute) at a spot of the record at `top`."""
    steps, name, counted = spot
    last = steps.rpartition("/")[2]
    chain = last.rpartition("#")[0] if counted else last
    for node in range(top, model.end[top] if steps else top + 1):
        if steps and (model.chain[node] != chain or node == top or model.steps(top, node, counted) != steps):
            continue
        if name:
            yield from (value.text for value in model.own_values(node) if value.name == name)
        elif text := model.said(node):
            yield text


def form(text: str) -> str:
    """A text without its figures."""
    return " ".join(re.sub(r"[\d.,'’\u00a0\u202f]+", "#", text).split())[:60]
