"""Whether a value, or a record of the page that no row was made of, keeps the conditions of a request."""

from __future__ import annotations

import operator
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from scrapewright.critics.dates import dates_in, order_of, read_as, read_iso, says
from scrapewright.critics.document import BRIEF, Span
from scrapewright.critics.evidence import Evidence, Place
from scrapewright.critics.headings import divider, headings_above
from scrapewright.critics.match import MEASURE, Needle, alone, as_list, said_in, unit_of
from scrapewright.critics.normal_forms import GROUPED, number, numbers, of_thousands, plain, squash, words
from scrapewright.critics.rows import column_of
from scrapewright.critics.shape import Shape, Spot, form, says_at, texts_at
from scrapewright.query.lexicon import fold
from scrapewright.query.reading import Field, Filter
from scrapewright.session.questions import Decision, meaning_of

_PART_OF_DATE = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?)?")
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})(?::\d{2})?")
_MONEY = re.compile(r"[$€£¥₽₩₹]\s?\d[\d.,]*|\d[\d.,]*\s?[$€£¥₽₩₹]")
_HOST = re.compile(r"^\s*(?:https?:)?//[^/?#]*")
"""What comes before the path of an address: its figures are of no date."""
_ASKED_FOR = re.compile(
    r"\b(?:(?:up)?on (?:request|application)|poa|tba|tbd|to be (?:announced|agreed|confirmed)"
    r"|(?:call|ask) (?:us|for)|contact us|enquire"
    r"|auf anfrage|preis auf|sur (?:demande|devis)|nous consulter|a? ?consultar|sob consulta|a convenir|a combinar"
    r"|(?:su|a) richiesta|trattativa riservata|op aanvraag|n\.?o\.?t\.?k|na (?:zapytanie|dotaz)|do uzgodnienia|dohodou"
    r"|erdeklodjon|pa foresporgsel|pa forfragan|sorunuz|по запросу|договорная"
    r"|sold(?: out)?|(?:aus)?verkauft|vendue?|vendid[oa]|vendut[oa]|verkocht|sprzedan[ey]|prodan[oay]|sald|solgt|myyty"
    r"|eladva|elkelt|sat[iı]ld[iı]|продано)\b|要問|応相談|売約|面议|面議|已售|문의|판매완료"
)
"""What a page says in a number's place where it does not tell it."""
MOST_LETTERS = 4000
BESIDE = 200
"""Records without a row that are asked where a column is that all rows have the same in."""
DIFFERENT = 4
"""Values that a column must have for a second way that leads to all of them to be none by chance."""
_FIGURES = ("int", "float", "date", "datetime")
TRUE_OF_ROWS = 0.8
"""Share of the rows whose records must keep a condition, as the page says it, for it to be read off other records."""


def keeps(value: Any, wanted: Filter, field: Field | None = None) -> bool:
    """Whether a row's value, or one of a list, is one that the request keeps; True where the two can't be compared."""
    items = as_list(value, field.type if field is not None else "text")
    if items is not None and wanted.op not in ("lt", "le", "gt", "ge"):
        kept = [keeps(item, wanted) for item in (str(value), *items)]
        return all(kept) if wanted.op in ("ne", "lacks") else any(kept)
    if field is not None and field.type in ("date", "datetime"):
        value = read_as(str(value), field.date_format) or value
    if wanted.op in ("contains", "lacks"):
        return (squash(wanted.value) in squash(str(value))) == (wanted.op == "contains")
    if wanted.op == "other":
        return True
    if wanted.op in ("starts", "ends"):
        text, part = str(value).casefold(), wanted.value.casefold()
        return text.startswith(part) if wanted.op == "starts" else text.endswith(part)
    compare: Callable[[Any, Any], bool] = getattr(operator, wanted.op)
    there, then = read_iso(str(value)), read_iso(wanted.value)
    if there is not None and _PART_OF_DATE.fullmatch(wanted.value):
        return compare("{:04}-{:02}-{:02}".format(*there[:3])[: len(wanted.value)], wanted.value)
    clock, other = _CLOCK.fullmatch(str(value).strip()), _CLOCK.fullmatch(wanted.value)
    if clock and other:
        return compare((int(clock[1]), clock[2]), (int(other[1]), other[2]))
    if there is not None and then is not None:
        return compare(there[:3], then[:3])
    mine, limit = number(value), number(wanted.value)
    if mine is not None and limit is not None:
        return compare(mine, limit)
    if wanted.op in ("eq", "ne"):
        return compare(squash(str(value)), squash(wanted.value))
    return True


class Conditions:
    """The filters of a request, as far as the records of the pages say whether they keep them."""

    def __init__(self, evidence: Evidence, shape: Shape, decisions: Sequence[Decision] = ()) -> None:
        self._evidence, self._shape = evidence, shape
        self._meant = {d.column: meaning for d in decisions if d.kind == "condition" and (meaning := meaning_of(d))}
        """What a person said that conditions mean, by their titles: the words of which a record says one, or none."""
        places = dict(list(shape.places.items())[:60])
        least = TRUE_OF_ROWS * len(places)
        filters = evidence.query.filters
        compared = self._compared = {wanted: column for wanted in filters if (column := self._on(wanted))}
        self._spots = {column: self._spot(column) for column in compared.values()}
        self._others = {column: self._other_spots(column) for column in compared.values()}
        self._said = {wanted: self._spot_of(wanted, places) for wanted in filters if wanted not in compared}
        """Where the rows' records say what a condition on the record asks for, in the same words."""
        self._exact = {
            wanted for wanted in filters
            if wanted.op == "eq" and places and all(_says_exactly(place, wanted) for place in places.values())
        }  # fmt: skip
        """Those whose value all rows' records say by itself, in a text or an attribute."""
        self._phrases = {wanted: _phrase(wanted, places) for wanted in filters if wanted not in compared}
        """What is looked for in the records' whole texts."""
        self._dividers = {
            wanted: divider(wanted.value, [(place.model, place.node) for place in places.values()])
            for wanted, phrase in self._phrases.items()
            if wanted.op in ("eq", "contains") and not all(_says_phrase(place, phrase) for place in places.values())
        }
        """The lines between records that say what not all of the rows' records do."""
        self._levels = {column: self._level(column, places) for column, spot in self._spots.items() if spot is None}
        """Which of the headings above a record says a column that is in none, 0 the nearest; None where none does."""
        self._orders = {column: self._order(column, places) for column in self._spots}
        """How the dates of a column are written, where all of them say it."""
        self._unsigned: set[str] = set()
        """The columns of which a row has a number above 0 that is in brackets or behind a dash: they are no sign."""
        self._thousands: set[str] = set()
        """The columns whose rows have thousands where the page has a number that may be that or a fraction."""
        self._verbatim: set[Filter] = set()
        """Those whose value all rows' records say as it is: a record that does not say it does not keep them."""
        self._units: dict[str, str] = {}
        """The word behind a column's number in all rows' texts, where these say other numbers, too: 2 bd, 1 ba."""
        self._whole: set[Filter] = set()
        """Those that the whole text at their column's spot keeps, in the rows' records."""
        self._parts: set[Filter] = set()
        """Those for a value at all, of a column that is a part of a text which records without a row have as well."""
        self._money: set[Filter] = set()
        """Those of whose column the text is an amount of money among other figures."""
        for wanted, column in compared.items():
            said = [(evidence.needles[row][column], self._text(place, column)) for row, place in places.items()]
            if not wanted.value and sum(squash(text) == needle.flat for needle, text in said) < least:
                forms, others = shape.forms.get(column, set()), [self._text(one, column) for one in self._beside()]
                if all(text and form(text) not in forms for text in others):
                    self._parts.add(wanted)
            self._unsigned |= {column for n, text in said if n.number and n.number > 0 and -n.number in numbers(text)}
            doubtful = [needle.number in numbers(of_thousands(text)) for needle, text in said if GROUPED.search(text)]
            self._thousands |= {column} if doubtful and all(doubtful) else set()
            if wanted.op in ("eq", "contains") and places and all(_says_value(one, wanted) for one in places.values()):
                self._verbatim.add(wanted)
            if any(len(numbers(text)) > 1 for _, text in said) and (unit := unit_of(said)):
                self._units[column] = unit
            if sum(keeps(" ".join(text.split()), wanted) for _, text in said) >= least:
                self._whole.add(wanted)
            if sum(needle.number in _amounts(text) for needle, text in said) >= least:
                self._money.add(wanted)
        told = {one: sum(self.says(place, one) is True for place in places.values()) for one in filters}
        self.known = {wanted for wanted, count in told.items() if places and count >= least} | self._verbatim
        """The conditions that can be read off a record: those of the rows keep them."""

    def _on(self, wanted: Filter) -> str:
        """The rows' column that a condition compares; "" where the record's text is asked, as it is of lists, too."""
        column = column_of(wanted.column, self._evidence.judged) if wanted.on_column else None
        listed = column and any(needles[column].items for needles in self._evidence.needles.values())
        return "" if listed else column or ""

    def _order(self, column: str, places: dict[int, Place]) -> str:
        dates = {row: self._evidence.needles[row][column].date for row in places}
        orders = {order_of(self._text(places[row], column), date) for row, date in dates.items() if date} - {""}
        return orders.pop() if len(orders) == 1 else ""

    def _beside(self) -> Iterator[Place]:
        """Records without a row, among the siblings of those with one."""
        return (Place(0, model, node, 0) for model, node in islice(self._shape.beside(), BESIDE))

    def _spot_of(self, wanted: Filter, places: dict[int, Place]) -> Spot | None:
        """The spot at which all rows' records say the value and nothing else; of one that they must not say, that at
        which those beside them do."""
        needle, others = Needle(wanted.value, None), wanted.op in ("ne", "lacks")
        said = [self._shape.spots_of(needle, place) for place in (self._beside() if others else places.values())]
        tally = Counter(spot for spots in said for spot in spots)
        spot, count = next(iter(tally.most_common(1)), (None, 0))
        if others:
            return spot if count > 1 and count >= TRUE_OF_ROWS * sum(map(bool, said)) else None
        texts = {" ".join(texts_at(place.model, place.node, spot)) for place in places.values()} if spot else set()
        return spot if needle.flat and len(texts) == 1 and count == len(places) else None

    def _spot(self, column: str) -> Spot | None:
        """Where the column is in a record. Rows that all have the same have it at any place that says so by chance: it
        is the one at which the fewest of the records beside theirs do."""
        spots, values = self._shape.equal.get(column, []), {n[column].flat for n in self._evidence.needles.values()}
        if len(spots) < 2 or len(values) > 1:
            return self._shape.spots.get(column)
        needle = next(iter(self._evidence.needles.values()))[column]
        others = list(self._beside())
        like = {spot: sum(says_at(needle, place.model, place.node, spot) for place in others) for spot in spots}
        return min(spots, key=lambda spot: (like[spot], spot != self._shape.spots.get(column)))

    def _other_spots(self, column: str) -> list[Spot]:
        """Where else the column may be: at spots of few rows, and at the end of the way in tags alone where that leads
        to all rows' values, as a class may tell their state."""
        seconds = self._shape.seconds.get(column, [])
        values = {needles[column].flat for needles in self._evidence.needles.values()}
        if self._spots[column] is None or len(values) < DIFFERENT:
            return seconds
        return seconds + [spot for spot in self._shape.equal.get(column, ()) if spot[2] == "tags"][:1]

    def _level(self, column: str, places: dict[int, Place]) -> int | None:
        needles = {row: self._evidence.needles[row][column] for row in places}
        above = {row: headings_above(place.model, place.node) for row, place in places.items()}
        said = (
            next((at for at, text in enumerate(above[row]) if said_in(needle, text, squash(text), "")), None)
            for row, needle in needles.items()
        )
        level, count = next(iter(Counter(said).most_common(1)), (None, 0))
        return level if count >= TRUE_OF_ROWS * len(places) else None

    def _texts(self, place: Place, column: str) -> Iterator[str]:
        """What a record has where the column is: at its spot, then at those where few rows have it, else above it."""
        for spot in (self._spots.get(column), *self._others.get(column, ())):
            yield from texts_at(place.model, place.node, spot)
        if (level := self._levels.get(column)) is not None:
            yield from headings_above(place.model, place.node)[level : level + 1]

    def _text(self, place: Place, column: str) -> str:
        return next(self._texts(place, column), "")

    def keeps(self, place: Place) -> bool | None:
        """Whether the request wants the record; None where that is unknown."""
        said = [self.says(place, wanted) if wanted in self.known else None for wanted in self._evidence.query.filters]
        return False if False in said else None if None in said else True

    def says(self, place: Place, wanted: Filter) -> bool | None:
        """Whether a record keeps one condition, as far as its text or the column's place in it says."""
        if column := self._compared.get(wanted):
            return None if wanted in self._parts else self._of_column(place, wanted, column)
        here = " ".join(texts_at(place.model, place.node, self._said[wanted]))
        said = (here or place.model.said(place.node))[:MOST_LETTERS]
        if wanted.op == "other" and (meant := self._meant.get(wanted.title)):
            held = fold(" ".join([said, *(value.text for value in Span(place.model, place.node).values)]))
            return any(fold(words) in held for words in meant[1].split("\n")) == (meant[0] == "contains")
        ordered = wanted.op in ("starts", "lt", "le", "gt", "ge")
        if ordered and "-" in wanted.value and _PART_OF_DATE.fullmatch(wanted.value):
            days = {d for p in Span(place.model, place.node).texts if len(p.text) <= BRIEF for d in dates_in(p.text)}
            kept = {keeps("{:04}-{:02}-{:02}".format(*day), wanted) for day in days}
            return kept.pop() if len(kept) == 1 else None
        if not wanted.value or wanted.op not in ("eq", "contains", "ne", "lacks"):
            return None
        if (lines := self._dividers.get(wanted)) is not None:
            return lines.says(place.model, place.node)
        if date := read_iso(wanted.value):
            there = says(said, date)
        elif wanted in self._exact:
            there = _says_exactly(place, wanted)
        elif wanted.op in ("contains", "lacks"):
            there = plain(wanted.value) in plain(said)
        else:
            there = alone(self._phrases[wanted]).search(plain(said)) is not None
        return there == (wanted.op in ("eq", "contains"))

    def _of_column(self, place: Place, wanted: Filter, column: str) -> bool | None:
        spot, text = self._spots.get(column), ""
        for text in self._texts(place, column):
            if found := self._found(text, wanted, column):
                return found.pop() if len(found) == 1 else None
        if wanted in self._verbatim and not _says_value(place, wanted):
            return False
        if (unit := self._units.get(column)) and any(word.startswith(unit[:3]) for word in words(text)):
            return None  # beds are bedrooms
        field, least = self._evidence.fields.get(column), number(wanted.value) or 0.0
        if field is not None and field.type in _FIGURES and not (wanted.value or any(map(str.isdigit, text))) and text:
            return wanted.op == "eq"  # "open all year" is no date
        if field is not None and field.type in ("int", "float") and text:
            if wanted.op in ("gt", "ge") and least > 0:
                return False  # "on request", "TBD", "free": no number that could be as large
            if wanted.op in ("lt", "le") and not any(map(str.isdigit, text)) and _ASKED_FOR.search(fold(text)):
                return False  # nor one that is known to be small, as "free" is
        if wanted.op in ("lt", "le", "gt", "ge") and text and not any(map(str.isalnum, text)):
            return False  # a dash is none, neither small nor large
        return wanted.op == "eq" if not (spot is None or wanted.value or any(map(str.isalnum, text))) else None

    def _found(self, text: str, wanted: Filter, column: str) -> set[bool]:
        """Whether a text keeps the condition, under each way to read it."""
        field = self._evidence.fields.get(column)
        if field is not None and field.type in ("date", "datetime"):
            read, order = dates_in(_HOST.sub("", text)), self._orders.get(column, "")
            read = {date for date in read if order_of(text, (*date, None, None)) in ("", order)} if order else read
            return {keeps(f"{year:04}-{month:02}-{day:02}", wanted) for year, month, day in read}
        if field is not None and field.type in ("int", "float"):
            text = of_thousands(text) if field.type == "int" or column in self._thousands else text
            if unit := self._units.get(column):
                text = " ".join(found[0] for found in MEASURE.finditer(text.lower()) if found[2] == unit)
            found = (_amounts(text) if wanted in self._money else numbers(text)) or numbers(text)
            return {keeps(value, wanted) for value in found if value >= 0 or column not in self._unsigned}
        whole = " ".join(text.split())
        if wanted.op in ("eq", "ne", "starts", "ends") and wanted not in self._whole:  # a word of it may be the value
            kept = [keeps(word, wanted) for word in (whole, *whole.split())]
            return {all(kept) if wanted.op == "ne" else any(kept)}
        return {keeps(whole, wanted)}


def _says_value(place: Place, wanted: Filter) -> bool:
    """Whether a record has a letter at all of what a condition asks for, and says it."""
    flat = plain(wanted.value)
    return any(map(str.isalpha, flat)) and _says_phrase(place, flat)


def _says_exactly(place: Place, wanted: Filter) -> bool:
    """Whether a text or an attribute of the record is the value: "Open", and not "Not open"."""
    span, flat = Span(place.model, place.node), squash(wanted.value)
    return bool(flat) and any(squash(piece.text) == flat for piece in (*span.texts, *span.values))


def _says_phrase(place: Place, phrase: str) -> bool:
    return bool(phrase) and phrase in plain(place.model.said(place.node))


def _phrase(wanted: Filter, places: dict[int, Place]) -> str:
    """The value of a condition; a number with the word of the condition that all rows' records have beside it: 0 of
    "no answers (0 answers)" is in other numbers' places, too."""
    value, said = plain(wanted.value), [plain(place.model.said(place.node)) for place in places.values()]
    beside = (phrase for word in words(wanted.text) for phrase in (f"{value} {word}", f"{word} {value}"))
    whole = (phrase for phrase in beside if said and all(alone(phrase).search(text) for text in said))
    return next(whole, value) if value.isdigit() else value


def _amounts(text: str) -> frozenset[float]:
    """The amounts of money in a text."""
    return numbers(" ".join(_MONEY.findall(text)))
