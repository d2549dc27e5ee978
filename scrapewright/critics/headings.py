"""The headings that a record is under."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import islice

from scrapewright.critics.dates import Date, says
from scrapewright.critics.document import Model, Span
from scrapewright.critics.normal_forms import squash, words

RANKS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6, "caption": 7, "legend": 7, "summary": 7, "dt": 8}
_MOST_NODES = 20_000


def headings_above(model: Model, node: int) -> list[str]:
    """The texts of the headings before a node, nearest first, each of a higher rank than the one before it. One of the
    same rank counts where nothing is between it and the first of those below it: it heads them all. Headings of records
    (those in the place that one has in the node itself) are none of them."""
    own = {model.path[n] for n in range(node, model.end[node]) if model.tag[n] in RANKS}
    found: list[str] = []
    rank, like, first = 9, (-1, ""), node
    for at in range(node - 1, max(-1, node - _MOST_NODES), -1):
        mine = RANKS.get(model.tag[at], 9)
        if mine > rank or mine == 9 or model.path[at] in own:
            continue
        kind = (model.path[at], model.chain[at])
        if mine == rank and (kind == like or model.stops[at].text != model.starts[first].text):
            first = at if kind == like else first
            continue
        if not (text := model.said(at)):
            continue
        found.append(text)
        rank, like, first = mine, kind, at
        if rank == 1:
            break
    return found


def says_section(name: str, heading: str) -> bool:
    """Whether a heading is the one named: the same, or one that holds all of its words."""
    wanted, there = _stems(name), _stems(heading)
    return bool(wanted) and (squash(name) == squash(heading) or wanted <= there)


def _stems(text: str) -> set[str]:
    """Words without a plural's s, so that "Desserts" is "dessert"."""
    return {w[:-1] if len(w) > 3 and w.endswith("s") and not w.endswith("ss") else w for w in words(text)}


def in_section(name: str, model: Model, node: int) -> bool:
    """Whether one of the headings above a node, or in it where none is above, is the one named; or another text that
    heads the box that the node is in."""
    above = headings_above(model, node)
    inside = [model.said(n) for n in range(node, model.end[node]) if model.tag[n] in RANKS] if not above else []
    return any(says_section(name, heading) for heading in above or inside) or _is_headed(name, model, node)


def _is_headed(name: str, model: Model, node: int) -> bool:
    """Whether a text that is the name alone comes before the node in one of the elements around it, or begins what
    does (the head of a list's first line), with none like it between the two."""
    if not (labels := model.by_text.get(squash(name))):
        return False
    own = {model.path[n] for n in range(node, model.end[node]) if model.tag[n] in RANKS}
    before = range(node - 1, max(-1, node - _MOST_NODES), -1)
    nearest = next((at for at in before if model.tag[at] in RANKS and model.path[at] not in own), -1)
    for label in labels:
        if label < nearest:
            continue
        first = model.starts[label].text
        while (up := model.parent[label]) > 0 and not up <= node < model.end[up] and model.starts[up].text == first:
            if sum(model.kind(child) == model.kind(label) for child in model.children(up)) > 1:
                break  # the first of a menu heads nothing
            label = up
        if not up <= node < model.end[up] or model.tag[up] == "body":
            continue
        for child in model.children(up):
            if child > label and model.kind(child) == model.kind(label):
                break
            if label < child <= node < model.end[child]:
                return True
    return False


def says_below(model: Model, node: int, date: Date) -> bool:
    """Whether a record, or the box that it is in, says the day of a date and the nearest heading above that has a
    year says the rest of it."""
    heading = next((text for text in headings_above(model, node) if _YEAR.search(text)), "")
    box = model.parent[node] if model.parent[node] > 0 else node
    pieces = Span(model, box).texts
    texts = [piece.text for piece in (pieces if len(pieces) <= _BOX else Span(model, node).texts)]
    return bool(heading) and any(len(text) <= _PART and says(f"{text} {heading}", date) for text in texts)


_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_BOX = 24
"""A box with more texts than this holds more than what belongs to one day."""
_PART = 24


class Divider:
    """Lines of one kind between records, each of which says what the records below it are: "Ward: Castle".

    `says` whether the line above a record says the value asked for. Where the lines above all rows say it between
    marks, one that has it in a longer name ("Castle Park") does not.
    """

    def __init__(self, kind: tuple[int, str], asked: re.Pattern[str]) -> None:
        self._kind, self._asked = kind, asked
        self._lines: dict[int, tuple[Model, list[int]]] = {}

    def above(self, model: Model, node: int) -> int:
        """The line that is nearest before a node, -1 where there is none."""
        if id(model) not in self._lines:
            self._lines[id(model)] = model, [n for n in range(len(model.tag)) if self._is_one(model, n)]
        lines = self._lines[id(model)][1]
        at = bisect_left(lines, node)
        return lines[at - 1] if at else -1

    def says(self, model: Model, node: int) -> bool | None:
        """None where no line is above the node."""
        line = self.above(model, node)
        return self._asked.search(model.said(line).casefold()) is not None if line >= 0 else None

    def _is_one(self, model: Model, node: int) -> bool:
        return model.path[node] == self._kind[0] and model.kind(node) == self._kind[1]


def divider(value: str, records: Sequence[tuple[Model, int]]) -> Divider | None:
    """The lines above the rows' records that all say a value; None where there are none, or where they are in the
    records."""
    words = re.escape(" ".join(value.casefold().split())).replace("\\ ", r"\s+")
    if not words or not records:
        return None
    model, first = records[0]
    alone = re.compile(rf"(?<!\w){words}(?!\w)")
    exact = re.compile(rf"(?:^|[^\w\s'’-])\s*{words}\s*(?:$|[^\w\s'’-])")
    near = (p.node for p in reversed(model.pieces) if p.node < first and alone.search(p.text.casefold()))
    for node in dict.fromkeys(islice(near, _NEAR)):
        for asked in (exact, alone):
            found = Divider((model.path[node], model.kind(node)), asked)
            inside = any(found.above(one, one.end[at]) >= at for one, at in records)
            if not inside and all(found.says(one, at) for one, at in records):
                return found
    return None


_NEAR = 12
"""Texts before the first row that say the value, of which one may be such a line."""
