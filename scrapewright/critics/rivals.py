"""What the page calls the places of values, and whether another place would serve a column's name as well.

A program that takes the right record's neighbouring text leaves no trace in the values: they are all grounded. What
tells it is what the page itself calls the two places: classes, itemprop, keys, a label, a table's header.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations, islice

from scrapewright.critics.document import Model, Span
from scrapewright.critics.evidence import Evidence, Place
from scrapewright.critics.match import Needle, find_text
from scrapewright.query.reading import Field
from scrapewright.survey.dom import word_set
from scrapewright.survey.rank import likeness

MOST_ROWS = 8
MOST_HITS = 6
LEVELS = 3
"""Elements above a text whose names may be those of the text."""
LONGEST_LABEL = 30
SAME = 0.85
"""Likeness of names that say the same."""
BETTER = 0.25
"""By so much another place must be called more like the column than its own."""
MARGIN = 0.3
_NAMING = ("itemprop", "property", "name", "data-label", "data-title", "headers", "data-field", "aria-label", "rel")
_PLAIN = word_set(
    """div span p a li ul ol td tr th table tbody b i em strong small font br img section article main body html head
    center dd dl u s label button form input [] line text"""
)
"""Elements that say nothing of what they hold."""
_FIGURES = frozenset({"int", "float", "date", "datetime"})
_LEVEL = {"h1": "title", "h2": "title", "h3": "title", "h4": "title", "time": "date"}


class Places:
    """Where the values of the first rows are, by what the page calls these places."""

    def __init__(self, evidence: Evidence) -> None:
        self.evidence = evidence
        self._rows = [row for row in evidence.rows if evidence.places[row]][:MOST_ROWS]
        self._names: dict[tuple[int, int, int, str], tuple[str, ...]] = {}

    @cached_property
    def called(self) -> dict[str, list[set[str]]]:
        """For each column and sample row all names of the places that hold the row's value."""
        found: dict[str, list[set[str]]] = {}
        for column in self.evidence.judged:
            for row in self._rows:
                needle, place = self.evidence.needles[row][column], self.evidence.places[row][0]
                if not needle.empty and (hits := self._hits(needle, place)):
                    names = {name for node, attr in hits for name in self.names(place, node, attr)}
                    found.setdefault(column, []).append(names)
        return found

    def likeness(self, field: Field, column: str) -> float:
        """How much the places of a column's values are called like a field: 0.0 to 1.0."""
        best = [max((_like(field, name) for name in names), default=0.0) for names in self.called.get(column, [])]
        return sum(best) / len(best) if best else 0.0

    def exchanged(self) -> Iterator[tuple[str, str]]:
        """Pairs of columns whose places would serve the other's name better."""
        fields = {column: field for column, field in self.evidence.fields.items() if column in self.called}
        for (one, field), (other, its) in combinations(fields.items(), 2):
            if (field.type in _FIGURES) != (its.type in _FIGURES):
                continue
            own = self.likeness(field, one) + self.likeness(its, other)
            crossed = self.likeness(field, other) + self.likeness(its, one)
            if crossed > own + MARGIN and self.likeness(field, other) > self.likeness(field, one):
                yield one, other

    def better(self) -> Iterator[tuple[str, str, str]]:
        """Columns for which the records have a place that no column holds and that is called like this one, whose own
        place is not: (column, what the place is called, what it says)."""
        for column, field in self.evidence.fields.items():
            if column not in self.called or self.likeness(field, column) + BETTER > SAME:
                continue
            said: list[tuple[str, str]] = []
            for row in self._rows:
                needles = [needle for needle in self.evidence.needles[row].values() if not needle.empty]
                others = self._others(self.evidence.places[row][0], needles)
                like = next((other for other in others if _like(field, other[0]) >= SAME), None)
                if like is not None and _serves(field, like[1]):
                    said.append(like)
            if len(said) >= max(2, 0.6 * len(self._rows)) and len({text for _, text in said}) > 1:
                yield column, *said[0]

    def _others(self, place: Place, needles: Sequence[Needle]) -> Iterator[tuple[str, str]]:
        model = place.model
        for piece in Span(model, place.node).texts[:200]:
            flat = piece.flat
            if len(flat) < 2 or any(flat in needle.flat or needle.flat in flat for needle in needles if needle.flat):
                continue
            if any(needle.number is not None and needle.says(piece.text) for needle in needles):
                continue
            for name in self.names(place, piece.node, ""):
                yield name, piece.text

    def names(self, place: Place, node: int, attr: str) -> tuple[str, ...]:
        """What the page calls a place: its element and those around it within the record, an attribute, a label."""
        key = (id(place.model), place.node, node, attr)
        if key not in self._names:
            self._names[key] = tuple(dict.fromkeys(self._named(place, node, attr)))
        return self._names[key]

    def _named(self, place: Place, node: int, attr: str) -> Iterator[str]:
        model = place.model
        if attr and attr not in ("href", "src", "title", "alt", "content", "class", "value"):
            yield attr.removeprefix("data-")
        for at in islice(model.ancestors(node), LEVELS):
            tag, *classes = model.chain[at].split(".")
            yield from classes
            if tag not in _PLAIN:
                yield _LEVEL.get(tag, tag)
            yield from (value.text for value in model.own_values(at) if value.name in _NAMING)
            if at <= place.node:
                break
        if label := label_before(model, place.node, node):
            yield label
        if header := self._header(model, node):
            yield header

    @staticmethod
    def _header(model: Model, node: int) -> str:
        """The text of the first row of the table in the column of a cell."""
        row = next((up for up in model.ancestors(node) if model.tag[up] == "tr"), -1)
        table = next((up for up in model.ancestors(row) if model.tag[up] == "table"), -1)
        if table < 0:
            return ""
        first = next(n for n in range(table, row + 1) if model.tag[n] == "tr")
        cells = zip(model.children(row), model.children(first), strict=False)
        head = next((head for cell, head in cells if cell <= node < model.end[cell]), first)
        return model.said(head) if first < row and model.tag[head] == "th" else ""

    @staticmethod
    def _hits(needle: Needle, place: Place) -> list[tuple[int, str]]:
        """(node, attribute) of the places in a record that say just the value, else of those that hold it."""
        span = Span(place.model, place.node)
        pieces = [p for p in span.texts if p.flat == needle.flat] + [p for p in span.values if p.text == needle.text]
        if not pieces and needle.number is not None:
            pieces = [p for p in span.texts if len(p.text) < 80 and needle.says(p.text)]
        elif not pieces and (hit := find_text(needle, span)) is not None and not hit.name:
            return [(hit.node, "")]
        return [(piece.node, piece.name) for piece in pieces[:MOST_HITS]]


def label_before(model: Model, top: int, node: int) -> str:
    """The short text before a place, or at its start, that ends in a colon or is in an element for labels."""
    at = model.starts[node].piece
    if at + 1 >= model.stops[node].piece or model.pieces[at].node == node:
        at -= 1
    if at < model.starts[top].piece:
        return ""
    text, holder = " ".join(model.pieces[at].text.split()), model.tag[model.pieces[at].node]
    if any(letter.isdigit() for letter in text):
        return ""
    labelled = text.endswith((":", "\uff1a")) or holder in ("dt", "th", "label", "b", "strong")
    return text.rstrip(" :\uff1a") if labelled and len(text) <= LONGEST_LABEL else ""


def _like(field: Field, name: str) -> float:
    return max(likeness(word, name) for word in (field.name, *field.words) if word)


def _serves(field: Field, text: str) -> bool:
    """Whether a text could be a value of the column: figures for numbers and dates, letters for texts."""
    figures = any(letter.isdigit() for letter in text)
    return figures if field.type in _FIGURES else len(text) <= 200 and field.type == "text"
