"""What a phrase of the request that was not read may say of the rows. In: the phrase and the chosen records; out: a
question with the readings that the page's values allow, each shown by the rows that it leaves."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import NamedTuple
from urllib.parse import unquote

from bs4.element import Tag
from msgspec.structs import replace
from rapidfuzz.distance import Prefix

from scrapewright.loop import conditions
from scrapewright.programmers.rules.choose import Candidate
from scrapewright.programmers.rules.conditions import Meaning, meanings, wanted_records
from scrapewright.programmers.rules.decisions import decided_by
from scrapewright.programmers.rules.match import Match
from scrapewright.programmers.rules.rivals import EMPTY
from scrapewright.programmers.rules.view import View
from scrapewright.query.clause_choice import comparisons, order_in
from scrapewright.query.filters import names_heading, quoted_in, title_of_all
from scrapewright.query.lexicon import concepts, fold, singular, tokens, weak
from scrapewright.query.phrases import says_nothing
from scrapewright.query.reading import FieldType, Filter, Op, Reading
from scrapewright.query.tokens import Tokens, date_of, number_of, number_text
from scrapewright.session.questions import (
    NOTHING,
    OPTIONS_AT_MOST,
    SAMPLES_AT_MOST,
    SURE,
    UNSAID,
    Option,
    Question,
    chosen,
    said_as,
)
from scrapewright.survey.model import Group, Survey, SurveyedPage

_NUMBERS = ("int", "float")
_DATES = ("date", "datetime")
_TEXTS = ("text", "alt", "title", "content")
_YEAR = re.compile(r"(?:19|20)\d\d")
_PIECE = re.compile(r"[\"“„«「]([^\"”“»」]{2,60})[\"”“»」]|(?<![\w/])([\w/+#.-]*[/+#._-][\w/+#.-]*)")
"""A quoted text, or a code: with marks that words don't have."""
LIKELY_TALK = 0.5
"""How likely a phrase must say nothing of the rows for that to be offered first."""
_READINGS_AT_MOST = 4
"""Readings that compare with one kind of what a phrase says: so is there room for the others."""


def changing_question(survey: Survey, records: Candidate) -> Question | None:
    """What the first open phrase says that has words, numbers or days by which some of the records are meant: the
    values of the column that tells the records best apart are shown as each reading leaves them."""
    if not (phrases := _open(records)):
        return None
    shown = _Shown(records)
    for wanted in phrases:
        likely = _comparisons(wanted, records.query)
        read = list(shown.left_by([wanted], _said(wanted, records, likely)))
        changing = [one for one in read if one[0] != shown.rows]
        # A likely comparison that all rows of this page meet: those of other pages may not.
        keeps = next((one for left, one in read if left == shown.rows and likely.get(one, 0.0) >= _LIKELY), None)
        if changing or keeps is not None:
            return shown.question([wanted], changing, survey, keeps or _NO_READING)
    return None


def unread_question(survey: Survey, records: Candidate) -> Question | None:
    """What an open phrase says that no record's values tell: one that seems to restrict the rows by itself, else all
    the others at once, which may say an order. Where nobody is asked the phrases themselves withhold the verdict."""
    rest: list[Filter] = []
    for wanted in _open(records):
        done = _is_done(wanted, survey, records)
        beside = not done and is_beside(wanted, records)
        if done or beside or (wanted.said.restricts and _seems_said(wanted)):
            options = (_NOTHING, _UNSAID) if done else (BESIDE, _UNSAID) if beside else (_UNSAID, _NOTHING)
            prompt = f"Not read: “{wanted.title}”. What does it say: which rows are wanted, how many?"
            return Question("condition", prompt, options, wanted.title, SURE)
        rest.append(wanted)
    if rest and ("condition", title_of_all(rest)) not in records.decided:
        return _Shown(records).question(rest, [], survey, _NO_READING)
    return None


def _open(records: Candidate) -> list[Filter]:
    """The phrases of which nobody said what they mean."""
    return [wanted for wanted in records.query.not_read if ("condition", wanted.title) not in records.decided]


def _seems_said(wanted: Filter) -> bool:
    """Whether a phrase likely says something of the rows."""
    return says_nothing(wanted.text) < LIKELY_TALK


class _Said(NamedTuple):
    """A reading of a phrase: the option's id and its words."""

    option: str
    text: str


_Left = tuple[tuple[int, ...], _Said]
"""The rows that a reading leaves, and the reading."""


class _Shown:
    """The records that are wanted so far, with the values that show what a reading of phrases leaves of them."""

    def __init__(self, records: Candidate) -> None:
        self._records, self._column = records, _telling(records)
        self._values = records.place.values(self._column) if self._column is not None else []
        self.rows = self._left(records) or tuple(range(len(self._values)))

    def _left(self, records: Candidate) -> tuple[int, ...]:
        return tuple(row for row in wanted_records(records) if row < len(self._values))

    def left_by(self, phrases: Sequence[Filter], readings: Iterable[_Said]) -> Iterator[_Left]:
        """The readings of phrases that the grammar follows and that leave some rows, with the rows they leave."""
        asked, query = Question("condition", "", column=title_of_all(phrases)), self._records.query
        for one in readings:
            decisions = *self._records.decided.values(), chosen(asked, one.option)
            changed = conditions.decided(query, decisions)
            left = self._left(replace(self._records.asked(changed), decided=decided_by(decisions)))
            if changed.unread != query.unread and left:
                yield left, one

    def _orders(self, phrases: Sequence[Filter]) -> Iterator[_Left]:
        """The orders that the phrases may say; of those that they don't name none that shows as what is there."""
        orders: dict[_Said, bool] = {}
        for one, named in _orders(phrases, self._records):
            orders[one] = named or orders.get(one, False)
        for left, one in self.left_by(phrases, orders):
            if orders[one] or left[:SAMPLES_AT_MOST] != self.rows[:SAMPLES_AT_MOST]:
                yield left, one

    def question(self, phrases: Sequence[Filter], said: Iterable[_Left], survey: Survey, unchanged: _Said) -> Question:
        """What the phrases say: one of these readings, an order, or what leaves the rows as they are, which comes last
        where it is nothing and they restrict."""
        records, rows = self._records, self.rows
        found: dict[tuple[int, ...], _Said] = {rows: unchanged}
        for left, one in chain(said, self._orders(phrases) if len(rows) > 1 else ()):
            found.setdefault(left, one)
            if len(found) == OPTIONS_AT_MOST:
                break
        shown = list(found.items())
        if (
            unchanged.option == NOTHING
            and all(one.said.limits or _seems_said(one) for one in phrases)
            and not all(_is_done(one, survey, records) for one in phrases)
            and not _name_the_page(phrases, survey.page, records.group)
        ):
            shown = [*shown[1:], shown[0]]
        window = _window(rows, found)
        options = tuple(
            Option(one.option, one.text, samples=tuple(self._values[row] for row in _visible(left, rows, window)))
            for left, one in shown
        )
        quoted = ", ".join(f"“{wanted.title}”" for wanted in phrases)
        name = self._column.field.name if self._column is not None else ""
        what = f"Which of these is {name} as you want it" if name else "What does it say of the rows"
        prompt = f"Not read: {quoted}. {what}? (None of these: type it in other words, such as sorted by price.)"
        return Question("column" if name else "condition", prompt, options, name, SURE, phrase=title_of_all(phrases))


_NOTHING = Option(NOTHING, "nothing: the rows are right without it")
_NO_READING = _Said(NOTHING, _NOTHING.text)
_UNSAID = Option(
    UNSAID, "something else, and the rows stay unverified (typed in other words, it can be read: only where id > 9)"
)
NO_RECORD = Option(NOTHING, "nothing: no record says it")
BESIDE = Option(NOTHING, "nothing more: no record says it, something else on the page does")


def is_beside(wanted: Filter, records: Candidate) -> bool:
    """Whether what a condition leaves out is said on the page, and by none of the records, in text or markup: it is
    left out already."""
    said = wanted.said.left_out
    return len(said) == 1 and records.place.reader.says(said[0]) and no_record_says(wanted, records)


def no_record_says(wanted: Filter, records: Candidate) -> bool:
    """Whether none of the records says what a condition leaves out and names, in text or markup, and no column asks
    it."""
    things, reader = wanted.said.left_out, records.place.reader
    asked = {singular(word) for name in records.matches for word in tokens(name)}
    if not things or not _DESCRIBES.isdisjoint(tokens(wanted.text)) or any(map(asked.intersection, things)):
        return False
    texts, markup = reader.texts(records.group, records.group.count), map(_attributes, reader.records(records.group))
    said = [set(map(singular, tokens(text))) for text in chain(texts, markup)]
    return not any(thing <= one for thing in things for one in said)


_DESCRIBES = frozenset(("what", "that", "which", "who", "whose", "whom", "was", "welche", "welcher", "welches"))
"""Words by which what is left out is described rather than named."""


def _attributes(record: object) -> str:
    """All that the attributes of a record's elements say; "" for one that is no element."""
    if not isinstance(record, Tag):
        return ""
    values = chain.from_iterable(tag.attrs.values() for tag in (record, *record.find_all(True)))
    return " ".join(value if isinstance(value, str) else " ".join(value) for value in values)


def _is_done(wanted: Filter, survey: Survey, records: Candidate) -> bool:
    """Whether a phrase says nothing more: it quotes the link to the next page, which is followed, names the heading
    that the records are under, or all that there are: "the boxes News and Events"."""
    further, phrase = survey.next.text, wanted.text
    if further and fold(further) in map(fold, quoted_in(phrase)):
        return True
    headings = records.group.headings if records.under is None else (records.under[1],)
    if any(names_heading(phrase, heading) for heading in headings):
        return True
    spans = wanted.said.spans
    every = (view for view in _with_values(records) if len(view.texts) == len(view.values))
    return not wanted.said.leaves_out and any(
        len(view.counts) > 1 and spans.issuperset(map(tokens, view.counts)) for view in every
    )


def _window(rows: Sequence[int], readings: Iterable[Sequence[int]]) -> Sequence[int]:
    """Of the rows as they are those that show what the readings leave out: the first ones, and where the first that is
    left out comes later, those around it."""
    half = SAMPLES_AT_MOST // 2
    for left in readings:
        kept = set(left)
        first = next((at for at, row in enumerate(rows) if row not in kept), 0)
        if first >= SAMPLES_AT_MOST:
            start = max(half, min(first - half // 2, len(rows) - half))
            return (*rows[:half], *rows[start : start + half])
    return rows[:SAMPLES_AT_MOST]


def _visible(left: Sequence[int], rows: Sequence[int], window: Sequence[int]) -> Sequence[int]:
    """The records by which a reading is shown: of those that are left in the same order what is in the window."""
    kept = set(left)
    in_window = [row for row in window if row in kept]
    same_order = list(left) == [row for row in rows if row in kept]
    apart = tuple(window) != tuple(rows[: len(window)])
    return in_window if same_order and len(in_window) > 1 and apart else left[:SAMPLES_AT_MOST]


def _telling(records: Candidate) -> Match | None:
    """The column whose values tell the records best apart, a text before numbers and addresses."""
    apart: dict[str, float] = {}
    for name, match in _own(records):
        values = [str(value) for value in records.place.values(match) if value not in EMPTY]
        if values:
            apart[name] = len(set(values)) / len(match.view.values) + (0.1 if match.field.type == "text" else 0.0)
    return records.matches[max(apart, key=apart.__getitem__)] if apart else None


def _own(records: Candidate) -> list[tuple[str, Match]]:
    """The columns that the records themselves have, as far as they are read."""
    every = records.matches.items()
    return [(name, match) for name, match in every if not (match.view.detail or match.view.rough)]


# The readings of one phrase.


def _said(wanted: Filter, records: Candidate, likely: Mapping[_Said, float]) -> list[_Said]:
    """What the words, numbers and days of a phrase can mean of these records, the likeliest first. `likely`: what its
    words make it, the likeliest first, and how likely."""
    found: list[_Said] = []
    possible = (one for one, share in likely.items() if share >= _POSSIBLE)
    in_words = (_Said(one.id, meaning_text(one)) for one in meanings(wanted, records))
    for way in (possible, _values(wanted, records), _pieces(wanted, records), _compared(wanted, records), in_words):
        found += islice(way, _READINGS_AT_MOST)
    return list(dict.fromkeys(found))


_SIGNS: dict[Op, tuple[str, str]] = {
    "eq": ("=", "is"), "ne": ("!=", "is not"), "lt": ("<", "is less than"), "le": ("<=", "is at most"),
    "gt": (">", "is more than"), "ge": (">=", "is at least"), "starts": ("starts with", "starts with"),
    "ends": ("ends with", "ends with"), "contains": ("contains", "contains"), "lacks": ("lacks", "lacks"),
}  # fmt: skip
"""Operators, as they are typed and as they are read."""
_POSSIBLE, _LIKELY = 0.1, 0.4
"""How likely the request's words must make a comparison for it to be offered, and to be what they say of all rows."""


def _comparisons(wanted: Filter, query: Reading) -> dict[_Said, float]:
    """What the words say by the weights that requests are read by, and how likely that is, the likeliest first."""
    found: dict[_Said, float] = {}
    for one, share in comparisons(Tokens(wanted.text), query.columns):
        sign, words = _SIGNS[one.op]
        said = said_as(f"{one.column} {sign} {one.value}")
        found.setdefault(_Said(said, f"only where {one.column} {words} {one.value}"), share)
    return found


def _keeping(wanted: Filter, name: str, sign: str, value: str, words: str) -> list[_Said]:
    """That only rows are kept where a column is something, and the contrary; first which the phrase's words say."""
    negated = {"=": "!=", "contains": "lacks"}.get(sign)
    keep = _Said(said_as(f"{name} {sign} {value}"), f"only where {name} {words} {value}")
    if negated is None:
        return [keep]
    leave = _Said(said_as(f"{name} {negated} {value}"), f"all but where {name} {words} {value}")
    return [leave, keep] if wanted.said.leaves_out else [keep, leave]


def _values(wanted: Filter, records: Candidate) -> Iterator[_Said]:
    """That a place says what the phrase says: "for Queensland" where the records name a state."""
    columns = {match.view.slot: name for name, match in records.matches.items() if not match.view.ops}
    seen: set[tuple[str, ...]] = set()
    for view in _with_values(records):
        for text, count in view.counts.items():
            value = tokens(text)
            if count == len(view.values) or value not in wanted.said.spans or value in seen:
                continue
            if all(weak(word) or word.isdigit() or len(word) < 2 for word in value):
                continue
            seen.add(value)
            yield from _keeping(wanted, columns.get(view.slot, "the record"), "=", text, "says")


def _with_values(records: Candidate) -> Iterator[View]:
    """The places whose whole text is a value."""
    for view in records.views:
        if not (view.ops or view.detail or view.rough or view.slot.many) and view.slot.attr in _TEXTS:
            yield view


def _pieces(wanted: Filter, records: Candidate) -> Iterator[_Said]:
    """That a column starts or ends with what the phrase quotes or with its code."""
    for found in _PIECE.finditer(wanted.text):
        piece = (found[1] or found[2]).strip(".,")
        if len(piece) < 2 or not any(char.isalnum() for char in piece):
            continue
        for name, match in _own(records):
            if match.field.type != "text":
                continue
            values = [str(value).casefold() for value in records.place.values(match) if value not in EMPTY]
            for sign, test in (("starts with", str.startswith), ("ends with", str.endswith)):
                if 0 < sum(test(value, piece.casefold()) for value in values) < len(values):
                    yield from _keeping(wanted, name, sign, piece, sign)


def _compared(wanted: Filter, records: Candidate) -> Iterator[_Said]:
    """That a column is at least, at most or just the phrase's number or day, or that there are so many rows."""
    said = wanted.said.tokens
    of_pages = any(token.word == "page" for token in said)
    rows = 0 if of_pages else max((len(view.values) for view in records.views), default=0)
    for token in said:
        if token.kind == "D" or (token.kind == "N" and _YEAR.fullmatch(token.text)):
            value = date_of(token) if token.kind == "D" else token.text
            dated = [name for name, match in records.matches.items() if match.field.type in _DATES]
            for name in dated or ["the record"]:
                yield from _keeping(wanted, name, "=" if len(value) == 10 else "starts with", value, "is in")
                if len(value) == 10 and dated:
                    yield from _keeping(wanted, name, ">=", value, "is from")
                    yield from _keeping(wanted, name, "<=", value, "is up to")
        elif token.kind == "N":
            number = number_of(token)
            value = number_text(token)
            if number == int(number) and 1 < number < rows:
                yield _Said(said_as(f"the first {value} rows"), f"the first {value} rows")
            for name, match in _own(records):
                values = records.place.values(match) if match.field.type in _NUMBERS else []
                known = [one for one in values if isinstance(one, int | float)]
                if known and min(known) <= number <= max(known):
                    yield from _keeping(wanted, name, ">=", value, "is at least")
                    yield from _keeping(wanted, name, "<=", value, "is at most")


def meaning_text(meaning: Meaning) -> str:
    """The meaning of a condition in words, for people."""
    count = len(meaning.said_by)
    records = f"{count} that {'say' if count != 1 else 'says'} “{meaning.said}”"
    return f"leave out the {records}" if meaning.keep.op == "lacks" else f"keep only the {records}"


def _orders(phrases: Sequence[Filter], records: Candidate) -> Iterator[tuple[_Said, bool]]:
    """That the rows are sorted: as the words likely say, by a column that the phrases name, by one of numbers or dates,
    by one of texts; with whether the phrases say it."""
    for wanted in phrases:
        order = order_in(Tokens(wanted.text), records.query.columns)
        if order is not None and (match := records.matches.get(order.column)) is not None:
            yield _sorted(order.column, match.field.type, descending=order.descending), True
    words = [word for wanted in phrases for word in tokens(wanted.text) if not weak(word)]
    ranked: list[tuple[int, str, FieldType]] = []
    for name, match in _own(records):
        if match.field.type in ("list", "bool", "url"):
            continue
        called = any(_akin(word, other) or concepts(word) & concepts(other) for word in words for other in tokens(name))
        plain = match.field.type not in (*_NUMBERS, *_DATES)
        ranked.append((plain - _CALLED * called, name, match.field.type))
    for rank, name, kind in sorted(ranked, key=lambda one: one[0]):
        if kind in (*_NUMBERS, *_DATES):
            yield _sorted(name, kind, descending=True), rank < 0
        yield _sorted(name, kind, descending=False), rank < 0


_CALLED = 2


def _sorted(name: str, kind: FieldType, *, descending: bool) -> _Said:
    first = ("newest", "oldest") if kind in _DATES else ("highest", "lowest")
    words = f"{first[not descending]} first" if kind in (*_NUMBERS, *_DATES) else "Z to A" if descending else "A to Z"
    return _Said(said_as(f"sorted by {name}{' descending' if descending else ''}"), f"sorted by {name}, {words}")


def _name_the_page(phrases: Sequence[Filter], page: SurveyedPage, group: Group) -> bool:
    """Whether the page's title and address and the heading of the records have all words of the phrases, none of which
    says that some rows are not wanted: they name the list, and nothing in it."""
    called = set(tokens(f"{page.title} {unquote(page.url)} {group.context}"))
    words = [word for wanted in phrases for word in tokens(wanted.text) if len(word) > 2 and not weak(word)]
    known = all(any(_akin(word, one) for one in called) for word in words)
    return bool(words) and known and not any(one.said.limits for one in phrases)


def _akin(one: str, other: str) -> bool:
    """The same word, or two of one stem: half of the longer begins both, five letters at least."""
    common = Prefix.similarity(one, other)
    return one == other or (common >= 5 and 2 * common >= max(len(one), len(other)))
