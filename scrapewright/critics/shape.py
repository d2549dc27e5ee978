"""The shape that the rows' records share: where in a record each column stands, and which records no row has."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from scrapewright.critics.document import Model
from scrapewright.critics.evidence import Evidence, Place

Spot = tuple[str, str]
"""(the way from the record's top in tags and classes, attribute or "text")."""


class Shape:
    """Learnt from the rows that were found in their records. `spots` has the columns that stand in one place mostly."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self.spots: dict[str, Spot] = {}
        self.alone: set[str] = set()
        """Columns whose spot is there once in a record."""
        self.forms: dict[str, set[str]] = {}
        """How the texts at a column's spot look, their digits taken out."""
        self.home: Counter[tuple[int, str]] = Counter()
        """(path, chain of the parent) of the records' tops."""
        self._learn()

    def _learn(self) -> None:
        evidence = self.evidence
        tallies: dict[str, Counter[Spot]] = {column: Counter() for column in evidence.judged}
        once: dict[Spot, int] = Counter()
        for row in evidence.rows:
            for place in evidence.places[row][:1]:
                if place.model.parent[place.node] < 0:
                    continue
                self.home[self._home(place.model, place.node)] += 1
                for column in evidence.judged:
                    needle = evidence.needles[row][column]
                    hit = evidence.find(row, column) if not needle.empty else None
                    if hit is None or hit.via == "computed" or not place.node <= hit.node < place.model.end[place.node]:
                        continue
                    spot = (
                        place.model.steps(place.node, hit.node),
                        "text" if not hit.via.startswith("attr") else hit.via,
                    )
                    tallies[column][spot] += 1
                    texts = list(texts_at(place.model, place.node, spot))
                    once[spot] += len(texts) == 1
                    for text in texts:
                        self.forms.setdefault(column, set()).add(form(text))
        for column, tally in tallies.items():
            if tally:
                spot, count = tally.most_common(1)[0]
                if count >= 0.6 * tally.total():
                    self.spots[column] = spot
                    if once[spot] >= 0.9 * count:
                        self.alone.add(column)

    @staticmethod
    def _home(model: Model, node: int) -> tuple[int, str]:
        return model.path[node], model.chain[model.parent[node]]

    def left_out(self, row: int, column: str) -> str:
        """What the row's record has at the spot of a column that is empty in the row; "" where there is nothing."""
        spot = self.spots.get(column)
        if spot is None or column not in self.alone:
            return ""
        for place in self.evidence.places[row][:1]:
            for text in texts_at(place.model, place.node, spot):
                return text
        return ""

    def unclaimed(self) -> Iterator[tuple[Place, str]]:
        """Records of the rows' shape, among siblings of theirs or on pages like theirs, that no row was made of."""
        evidence = self.evidence
        if not self.home or self.home.total() < 3:
            return
        (path, home), count = self.home.most_common(1)[0]
        needed = [column for column in self.spots if self._coverage(column) >= 0.9]
        if count < 0.6 * self.home.total() or not needed:
            return
        for index, (page, model) in enumerate(evidence.models):
            claimed = [(place.node, model.end[place.node]) for place in evidence.records.get(index, ())]
            tops = {place.node for place in evidence.records.get(index, ())}
            parents = {model.parent[place.node] for place in evidence.records.get(index, ())}
            for node in range(len(model.tag)):
                if (
                    model.path[node] != path
                    or node in tops
                    or model.parent[node] < 0
                    or model.chain[model.parent[node]] != home
                ):
                    continue
                if len(tops) >= 3 and model.parent[node] not in parents and model.tag[node] != "tr":
                    continue  # another list of the same page
                if any(first <= node < last for first, last in claimed):
                    continue
                texts = [next(texts_at(model, node, self.spots[column]), "") for column in needed]
                if all(texts) and all(self._like(column, text) for column, text in zip(needed, texts, strict=True)):
                    yield (
                        Place(page, model, node, len(needed)),
                        " | ".join(" ".join(text.split())[:40] for text in texts[:3]),
                    )

    def _like(self, column: str, text: str) -> bool:
        """A text fits its column: numbers need figures."""
        needle = next((n for row in self.evidence.rows[:1] if (n := self.evidence.needles[row][column])), None)
        return needle is None or needle.number is None or any(c.isdigit() for c in text)

    def _coverage(self, column: str) -> float:
        needles = [self.evidence.needles[row][column] for row in self.evidence.rows]
        return sum(not needle.empty for needle in needles) / len(needles) if needles else 0.0


def texts_at(model: Model, top: int, spot: Spot) -> Iterator[str]:
    """The texts (or attribute values) at a spot of the record at `top`."""
    steps, via = spot
    depth = steps.count("/") + 1 if steps else 0
    for node in range(top, model.end[top]):
        if depth and (model.chain[node] != steps.rpartition("/")[2] or model.steps(top, node) != steps):
            continue
        if not depth and node != top:
            return
        if via.startswith("attr"):
            name = via[5:]
            for y in range(model.y0[node], model.y1[node]):
                if model.attr_node[y] == node and (not name or model.attr_name[y] == name):
                    yield model.attr_values[y]
        elif text := model.said(node):
            yield text


def form(text: str) -> str:
    """A text without its figures."""
    return " ".join(re.sub(r"[\d.,'’\u00a0\u202f]+", "#", text).split())[:60]
