"""Whether a value, or a record of the page that no row was made of, keeps the conditions of a request."""

from __future__ import annotations

import operator
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any

from scrapewright.critics.dates import dates_in, order_of, read_date, read_iso, says
from scrapewright.critics.document import BRIEF, Span
from scrapewright.critics.evidence import Evidence, Place
from scrapewright.critics.headings import headings_above
from scrapewright.critics.match import Needle, alone, as_list, said_in
from scrapewright.critics.normal_forms import number, numbers, of_thousands, plain, squash, words
from scrapewright.critics.rows import column_of
from scrapewright.critics.shape import Shape, Spot, says_at, texts_at
from scrapewright.query.filters import title_of
from scrapewright.query.lexicon import fold
from scrapewright.query.numerals import CURRENCY, numerals
from scrapewright.query.reading import Field, Filter
from scrapewright.session.questions import Decision, meaning_of

_PART_OF_DATE = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})(?::\d{2})?")
_HOST = re.compile(r"^\s*(?:https?:)?//[^/?#]*")
"""What comes before the path of an address: its figures are of no date."""
_BEHIND, _BEFORE = re.compile(rf"\s*([^\W\d_]+|[{CURRENCY}%])"), re.compile(rf"([^\W\d_]+|[{CURRENCY}])\s*$")
MOST_LETTERS = 4000
SAMPLE = 60
"""Rows whose records are asked how they say what a condition compares."""
BESIDE = 200
"""Records without a row that are asked where a column is that all rows have the same in."""
DIFFERENT = 4
"""Values that a column must have for a second way that leads to all of them to be none by chance."""
FIGURES = frozenset({"int", "float", "date", "datetime"})
_ORDERED = ("lt", "le", "gt", "ge")
TRUE_OF_ROWS = 0.8
"""Share of the rows whose records must keep a condition, as the page says it, for it to be read off other records."""

Read = Callable[[str], Collection[Any]]
"""The values that a text may mean."""


def keeps(value: Any, wanted: Filter, field: Field | None = None) -> bool:
    """Whether a row's value, or one of a list, is one that the request keeps; True where the two can't be compared."""
    items = as_list(value, field.type if field is not None else "text")
    if items is not None and wanted.op not in _ORDERED:
        kept = [keeps(item, wanted) for item in (str(value), *items)]
        return all(kept) if wanted.op in ("ne", "lacks") else any(kept)
    if wanted.op in ("contains", "lacks"):
        return (squash(wanted.value) in squash(str(value))) == (wanted.op == "contains")
    if wanted.op == "other":
        return True
    if wanted.op in ("starts", "ends"):
        text, part = str(value).casefold(), wanted.value.casefold()
        return text.startswith(part) if wanted.op == "starts" else text.endswith(part)
    compare: Callable[[Any, Any], bool] = getattr(operator, wanted.op)
    there, day = read_date(str(value), field.date_format if field is not None else ""), wanted.value[:10]
    if there is not None and _PART_OF_DATE.fullmatch(day):
        return compare(_iso(there[:3])[: len(day)], day)
    clock, other = _CLOCK.fullmatch(str(value).strip()), _CLOCK.fullmatch(wanted.value)
    if clock and other:
        return compare((int(clock[1]), clock[2]), (int(other[1]), other[2]))
    mine, limit = number(value), number(wanted.value)
    if mine is not None and limit is not None:
        return compare(mine, limit)
    if wanted.op in ("eq", "ne"):
        return compare(squash(str(value)), squash(wanted.value))
    return True


class Conditions:
    """Conditions of a request, as far as the records of the pages say whether they keep them."""

    def __init__(
        self, evidence: Evidence, shape: Shape, filters: Sequence[Filter], decisions: Sequence[Decision] = ()
    ) -> None:
        self._evidence, self._shape, self._filters = evidence, shape, filters
        self._meant = {d.column: meaning for d in decisions if d.kind == "condition" and (meaning := meaning_of(d))}
        """What a person said that conditions mean, by their titles: the words of which a record says one, or none."""
        places = dict(islice(shape.places.items(), SAMPLE))
        beside = [Place(0, model, node, 0) for model, node in islice(shape.beside(), BESIDE)] if filters else []
        columns = {wanted: name for wanted in filters if (name := self._on(wanted))}
        read = {name: _Column(evidence, shape, name, places, beside) for name in set(columns.values())}
        self._compared = {wanted: read[name] for wanted, name in columns.items()}
        said = [plain(place.model.said(place.node)) for place in places.values()]
        self._phrases = {wanted: _phrase(wanted, said) for wanted in filters}
        """What is looked for in the records' whole texts."""
        self._spots = {one: self._spot_of(one, places, beside) for one in filters if one not in columns}
        """Where the rows' records say what a condition on the record asks for, in the same words."""
        compared = self._compared.items()
        kept = {w: sum(keeps(" ".join(c.text(place).split()), w) for place in places.values()) for w, c in compared}
        least = TRUE_OF_ROWS * len(places)
        self._whole = {wanted for wanted, count in kept.items() if count >= least}
        """Those that the whole text at their column's place keeps, in the rows' records."""
        worded = {w for w in kept if w.op in ("eq", "contains") and any(map(str.isalpha, w.value))}
        self._verbatim = {w for w in worded if said and all(plain(w.value) in text for text in said)}
        """Those whose value all rows' records say as it is: a record that does not say it does not keep them."""
        told = {one: sum(self.says(place, one) is True for place in places.values()) for one in filters}
        self.known = {wanted for wanted, count in told.items() if places and count >= least} | self._verbatim
        """The conditions that can be read off a record: those of the rows keep them."""

    def _on(self, wanted: Filter) -> str:
        """The rows' column that a condition compares; "" where the record's text is asked, as it is of lists, too."""
        column = column_of(wanted.column, self._evidence.judged) if wanted.on_column else None
        listed = column and any(needles[column].items for needles in self._evidence.needles.values())
        return "" if listed else column or ""

    def _spot_of(self, wanted: Filter, places: Mapping[int, Place], beside: Sequence[Place]) -> Spot | None:
        """The spot at which all rows' records say the value and nothing else; of one that they must not say, that at
        which those beside them do."""
        needle, others = Needle(wanted.value, None), wanted.op in ("ne", "lacks")
        said = [self._shape.spots_of(needle, place) for place in (beside if others else places.values())]
        tally = Counter(spot for spots in said for spot in spots)
        spot, count = next(iter(tally.most_common(1)), (None, 0))
        if others:
            return spot if count > 1 and count >= TRUE_OF_ROWS * sum(map(bool, said)) else None
        texts = {" ".join(texts_at(place.model, place.node, spot)) for place in places.values()} if spot else set()
        return spot if needle.flat and len(texts) == 1 and count == len(places) else None

    def keeps(self, place: Place) -> bool | None:
        """Whether the request wants the record; None where that is unknown."""
        said = [self.says(place, wanted) if wanted in self.known else None for wanted in self._filters]
        return False if False in said else None if None in said else True

    def says(self, place: Place, wanted: Filter) -> bool | None:
        """Whether a record keeps one condition, as far as its text or the column's place in it says."""
        if column := self._compared.get(wanted):
            kept = self._of_column(place, wanted, column)
            denied = kept is None and wanted in self._verbatim
            return False if denied and plain(wanted.value) not in plain(place.model.said(place.node)) else kept
        here = " ".join(texts_at(place.model, place.node, self._spots[wanted]))
        said = (here or place.model.said(place.node))[:MOST_LETTERS]
        if wanted.op == "other" and (meant := self._meant.get(title_of(wanted))):
            held = fold(" ".join([said, *(value.text for value in Span(place.model, place.node).values)]))
            return any(fold(words) in held for words in meant[1].split("\n")) == (meant[0] == "contains")
        if wanted.op in ("starts", *_ORDERED) and "-" in wanted.value and _PART_OF_DATE.fullmatch(wanted.value):
            days = {d for p in Span(place.model, place.node).texts if len(p.text) <= BRIEF for d in dates_in(p.text)}
            return _agreed(keeps(_iso(day), wanted) for day in days)
        if not wanted.value or wanted.op not in ("eq", "contains", "ne", "lacks"):
            return None
        if date := read_iso(wanted.value):
            there = says(said, date)
        elif wanted.op in ("contains", "lacks"):
            there = plain(wanted.value) in plain(said)
        else:
            there = alone(self._phrases[wanted]).search(plain(said)) is not None
        return there == (wanted.op in ("eq", "contains"))

    def _of_column(self, place: Place, wanted: Filter, column: _Column) -> bool | None:
        text = ""
        for text in column.texts(place):
            if found := column.read(text):
                return self._of_values(found, wanted, column)
        if not wanted.value:  # whether there is a value at all: "open all year" is no date
            blank = not any(map(str.isdigit if column.figures and text else str.isalnum, text))
            return wanted.op == "eq" if blank and column.spots else None
        if not text or wanted.op not in _ORDERED:
            return None
        large = column.figures and wanted.op in ("gt", "ge") and (number(wanted.value) or 0.0) > 0
        return False if large or not any(map(str.isalnum, text)) else None  # "on request" and "free" are not as large

    def _of_values(self, found: Collection[Any], wanted: Filter, column: _Column) -> bool | None:
        if not wanted.value and not column.telling:
            return None
        if column.figures:
            return _agreed(keeps(value, wanted) for value in found)
        whole = next(iter(found))
        if wanted.op in ("eq", "ne", "starts", "ends") and wanted not in self._whole:  # a word of it may be the value
            kept = [keeps(word, wanted) for word in (whole, *whole.split())]
            return all(kept) if wanted.op == "ne" else any(kept)
        return keeps(whole, wanted)


class _Column:
    """Where records say a column of the rows, and how it is read there, as the rows' own records show."""

    def __init__(
        self, evidence: Evidence, shape: Shape, column: str, places: Mapping[int, Place], beside: Sequence[Place]
    ) -> None:
        field = evidence.fields.get(column)
        kind = field.type if field is not None else "text"
        self.figures = kind in FIGURES
        needles = {row: evidence.needles[row][column] for row in places}
        values = {row[column].flat for row in evidence.needles.values()}
        first, equal = shape.spots.get(column), shape.equal.get(column, [])
        if len(equal) > 1 and len(values) == 1:
            # Rows that all have the same have it at any place that says so by chance: it is the one at which the fewest
            # of the records beside theirs do.
            needle = next(iter(evidence.needles.values()))[column]
            like = {spot: sum(says_at(needle, one.model, one.node, spot) for one in beside) for spot in equal}
            first = min(equal, key=lambda spot: (like[spot], spot != shape.spots.get(column)))
        self.spots = [*([first] if first else ()), *shape.seconds.get(column, ())]
        if len(values) >= DIFFERENT:  # the end of the way in tags alone: a class may tell the values' state
            self.spots += [spot for spot in equal if spot[2] == "tags"][:1]
        self._level = None if first else _level(needles, places)
        """Which of the headings above a record says the column, 0 the nearest."""
        said = [(needles[row], self.text(place)) for row, place in places.items()]
        whole = sum(squash(text) == needle.flat for needle, text in said) >= TRUE_OF_ROWS * len(said)
        self.telling = whole or not all(map(self.text, beside))
        """A text there means a value: the column is no part of what all records have."""
        self.read = _way(kind, said)

    def texts(self, place: Place) -> Iterator[str]:
        """What a record has where the column is: at its spot, then at those where few rows have it, else above it."""
        for spot in self.spots:
            yield from texts_at(place.model, place.node, spot)
        if self._level is not None:
            yield from headings_above(place.model, place.node)[self._level : self._level + 1]

    def text(self, place: Place) -> str:
        return next(self.texts(place), "")


def _level(needles: Mapping[int, Needle], places: Mapping[int, Place]) -> int | None:
    above = {row: headings_above(place.model, place.node) for row, place in places.items()}
    said = (
        next((at for at, text in enumerate(above[row]) if said_in(needle, text, squash(text), "")), None)
        for row, needle in needles.items()
    )
    level, count = next(iter(Counter(said).most_common(1)), (None, 0))
    return level if count >= TRUE_OF_ROWS * len(places) else None


def _way(kind: str, said: Sequence[tuple[Needle, str]]) -> Read:
    """Of the ways to read texts the one by which the most of these say their row's value and nothing else."""
    if kind in ("date", "datetime"):
        dates: list[Read] = [partial(_days, orders=orders) for orders in (("", "dm", "md"), ("", "dm"), ("", "md"))]
        days = [({needle.date[:3]}, text) for needle, text in said if needle.date]
        best = max(dates, key=lambda read: sum(set(read(text)) == value for value, text in days))
        return lambda text: [_iso(day) for day in best(text)]
    if kind not in ("int", "float"):
        return lambda text: [" ".join(text.split())]
    labels = [
        {label for label, part in _labelled(text) if needle.number in numbers(part)}
        for needle, text in said
        if needle.number is not None
    ]
    shared = sorted(set.intersection(*labels)) if labels else []
    texts: list[Callable[[str], str]] = [str, of_thousands, *(partial(_with, label=label) for label in shared)]
    ways: list[Read] = [partial(_numbers, kind=kind, part=part, signed=one) for part in texts for one in (True, False)]
    return max(ways, key=lambda read: sum(set(read(text)) == {needle.number} for needle, text in said))


def _days(text: str, orders: tuple[str, ...]) -> set[tuple[int, int, int]]:
    text = _HOST.sub("", text)
    return {day for day in dates_in(text) if order_of(text, (*day, None, None)) in orders}


def _numbers(text: str, kind: str, part: Callable[[str], str], signed: bool) -> set[float]:
    """Without sign the minus before a number may be a dash, or stand for brackets."""
    found = {value for value in numbers(part(text)) if signed or value >= 0}
    return {value for value in found if value.is_integer()} or found if kind == "int" else found


def _labelled(text: str) -> Iterator[tuple[str, str]]:
    """For each number of a text, and each word or sign of currency right before or behind it, (that, the text up to the
    next number)."""
    found = list(numerals(text))
    starts, stops = [0, *(one.end for one in found)], [*(one.start for one in found[1:]), len(text)]
    for one, start, stop in zip(found, starts, stops, strict=False):
        near = (_BEFORE.search(text, start, one.start), _BEHIND.match(text, one.end))
        yield from ((match[1].lower(), text[start:stop]) for match in near if match)


def _with(text: str, label: str) -> str:
    return "; ".join(part for there, part in _labelled(text) if there == label)


def _iso(day: tuple[int, int, int]) -> str:
    return "{:04}-{:02}-{:02}".format(*day)


def _agreed(kept: Iterator[bool]) -> bool | None:
    """What all ways to read a text come to; None where they differ, or there is none."""
    found = set(kept)
    return found.pop() if len(found) == 1 else None


def _phrase(wanted: Filter, said: Sequence[str]) -> str:
    """The value of a condition; a number with the word of the condition that all rows' records have beside it: 0 of
    "no answers (0 answers)" is in other numbers' places, too."""
    value = plain(wanted.value)
    beside = (phrase for word in words(wanted.text) for phrase in (f"{value} {word}", f"{word} {value}"))
    whole = (phrase for phrase in beside if said and all(alone(phrase).search(text) for text in said))
    return next(whole, value) if value.isdigit() else value
