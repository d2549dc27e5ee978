"""What a phrase of the request that was not read may say of the rows. In: the phrase and the chosen records; out: a
question with the readings that the page's values allow, each shown by the rows that it leaves."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import NamedTuple, get_args

from bs4.element import Tag

from scrapewright.loop import conditions
from scrapewright.programmers.rules.choose import Candidate
from scrapewright.programmers.rules.conditions import Meaning, meanings
from scrapewright.programmers.rules.decisions import newest
from scrapewright.programmers.rules.match import Match, alike
from scrapewright.programmers.rules.rivals import EMPTY
from scrapewright.programmers.rules.wanted import wanted_records
from scrapewright.query.clause_choice import comparisons, order_in
from scrapewright.query.filters import (
    leaves_out,
    limits,
    names_heading,
    not_read,
    quoted_in,
    title_of,
    title_of_all,
    words_left_out,
)
from scrapewright.query.lexicon import fold, singular, tokens, weak
from scrapewright.query.phrases import says_nothing
from scrapewright.query.reading import FieldType, Filter, Op, Reading
from scrapewright.query.tokens import Tokens, date_of, number_of, number_text
from scrapewright.session.questions import (
    NOTHING,
    OPTIONS_AT_MOST,
    SAMPLES_AT_MOST,
    SURE,
    UNSAID,
    Decision,
    Option,
    Question,
    chosen,
    said_as,
)
from scrapewright.survey.model import Survey

_NUMBERS: tuple[FieldType, ...] = ("int", "float")
_DATES: tuple[FieldType, ...] = ("date", "datetime")
_YEAR = re.compile(r"(?:19|20)\d\d")
LIKELY_TALK = 0.5
"""How likely a phrase must say nothing of the rows for that to be offered first."""
_READINGS_AT_MOST = 4
"""Readings that compare with one kind of what a phrase says: so is there room for the others."""


def changing_question(
    query: Reading, survey: Survey, records: Candidate, decisions: Sequence[Decision]
) -> Question | None:
    """What the first open phrase says that has words, numbers or days by which some of the records are meant: the
    values of the column that tells the records best apart are shown as each reading leaves them."""
    for asked, wanted in _open(query, records, decisions):
        likely = _comparisons(wanted, query)
        read = list(asked.left_by(_said(wanted, query, records, likely)))
        changing = [one for one in read if one[0] != asked.rows]
        # A likely comparison that all rows of this page meet: those of other pages may not.
        keeps = next((one for left, one in read if left == asked.rows and likely.get(one, 0.0) >= _LIKELY), None)
        if changing or keeps is not None:
            return asked.question(changing, survey, keeps or _NO_READING)
    return None


def unread_question(
    query: Reading, survey: Survey, records: Candidate, decisions: Sequence[Decision]
) -> Question | None:
    """What an open phrase says that no record's values tell: one that seems to restrict the rows by itself, else all
    the others at once, which may say an order. Where nobody is asked the phrases themselves withhold the verdict."""
    rest: list[Filter] = []
    for _, wanted in _open(query, records, decisions):
        if _is_done(wanted.text, survey, records):
            options = (_NOTHING, _UNSAID)
        elif is_beside(wanted, records):
            options = (BESIDE, _UNSAID)
        elif _restricts(wanted):
            options = (_UNSAID, _NOTHING)
        else:
            rest.append(wanted)
            continue
        prompt = f"Not read: “{title_of(wanted)}”. What does it say: which rows are wanted, how many?"
        return Question("condition", prompt, options, title_of(wanted), SURE)
    if rest and newest(decisions, "condition", title_of_all(rest)) is None:
        return _Asked(rest, query, records, decisions).question([], survey, _NO_READING)
    return None


def _open(query: Reading, records: Candidate, decisions: Sequence[Decision]) -> Iterator[tuple[_Asked, Filter]]:
    """The phrases of which nobody said what they mean."""
    for wanted in not_read(query):
        if newest(decisions, "condition", title_of(wanted)) is None:
            yield _Asked([wanted], query, records, decisions), wanted


class _Said(NamedTuple):
    """A reading of a phrase: the option's id and its words."""

    option: str
    text: str


class _Asked:
    """Phrases that are asked about, with the values that show what a reading of them leaves."""

    def __init__(
        self, phrases: Sequence[Filter], query: Reading, records: Candidate, decisions: Sequence[Decision]
    ) -> None:
        self._phrases, self._query, self._records, self._decisions = phrases, query, records, decisions
        self._title = title_of_all(phrases)
        self._column = _telling(records)
        self._values = records.values(self._column) if self._column is not None else []
        self.rows = self._left(query, decisions) or tuple(range(len(self._values)))

    def _left(self, query: Reading, decisions: Sequence[Decision]) -> tuple[int, ...]:
        """The records that a reading leaves, in its order."""
        rows = wanted_records(query, self._records, decisions)
        return tuple(row for row in rows if row < len(self._values))

    def left_by(self, readings: Iterable[_Said]) -> Iterator[tuple[tuple[int, ...], _Said]]:
        """The readings that the grammar follows and that leave some rows, with the rows they leave."""
        asked = Question("condition", "", column=self._title)
        for one in readings:
            decided = *self._decisions, chosen(asked, one.option)
            changed = conditions.decided(self._query, decided)
            if changed.unread != self._query.unread and (left := self._left(changed, decided)):
                yield left, one

    def question(self, said: Sequence[tuple[tuple[int, ...], _Said]], survey: Survey, unchanged: _Said) -> Question:
        """What the phrases say: one of these readings, an order, or what leaves the rows as they are, which comes last
        where it is nothing and they restrict."""
        rows, values, phrases = self.rows, self._values, self._phrases
        found: dict[tuple[int, ...], _Said] = {rows: unchanged}
        orders = _orders(phrases, self._query, self._records) if len(rows) > 1 else iter(())
        for left, one in chain(said, self.left_by(orders)):
            found.setdefault(left, one)
            if len(found) == OPTIONS_AT_MOST:
                break
        shown = list(found.items())
        done = all(_is_done(one.text, survey, self._records) for one in phrases)
        restrict = (
            unchanged.option == NOTHING
            and all(limits(one) or says_nothing(one.text) < LIKELY_TALK for one in phrases)
            and not done
        )
        shown = [*shown[1:], shown[0]] if restrict else shown
        options = tuple(
            Option(one.option, one.text, samples=tuple(values[row] for row in _ends(left))) for left, one in shown
        )
        quoted = ", ".join(f"“{title_of(wanted)}”" for wanted in phrases)
        name = self._column.field.name if self._column is not None else ""
        what = f"Which of these is {name} as you want it" if name else "What does it say of the rows"
        prompt = f"Not read: {quoted}. {what}? (None of these: type it in other words, such as sorted by price.)"
        return Question("column" if name else "condition", prompt, options, name, SURE, phrase=self._title)


_NOTHING = Option(NOTHING, "nothing: the rows are right without it")
_NO_READING = _Said(NOTHING, _NOTHING.text)
_UNSAID = Option(
    UNSAID, "something else, and the rows stay unverified (typed in other words, it can be read: only where id > 9)"
)


BESIDE = Option(NOTHING, "nothing more: no record says it, something else on the page does")


def is_beside(wanted: Filter, records: Candidate) -> bool:
    """Whether what a condition leaves out is said on the page, and by none of the records, in text or markup: it is
    left out already."""
    words = words_left_out(wanted)
    reader = records.place.reader
    of_columns = any(not words.isdisjoint(map(singular, tokens(name))) for name in records.matches)
    if not words or of_columns or not reader.says(words):
        return False
    texts, markup = reader.texts(records.group, records.group.count), map(_attributes, reader.records(records.group))
    return not any(words.issubset(map(singular, tokens(text))) for text in chain(texts, markup))


def _attributes(record: object) -> str:
    """All that the attributes of a record's elements say; "" for one that is no element."""
    if not isinstance(record, Tag):
        return ""
    values = chain.from_iterable(tag.attrs.values() for tag in (record, *record.find_all(True)))
    return " ".join(value if isinstance(value, str) else " ".join(value) for value in values)


def _restricts(wanted: Filter) -> bool:
    """Whether a phrase seems to leave rows out: by its words, a number, a day or what it quotes, unless they are likely
    said of something else."""
    has_value = any(token.kind in ("N", "D", "Q") for token in Tokens(wanted.text).all)
    return (limits(wanted) or has_value) and says_nothing(wanted.text) < LIKELY_TALK


def _is_done(phrase: str, survey: Survey, records: Candidate) -> bool:
    """Whether a phrase says nothing more: it quotes the link to the next page, which is followed, names the heading
    that the records are under, or all that there are: "the boxes News and Events"."""
    said, further = fold(phrase), survey.next.text
    headings = records.group.headings if records.under is None else (records.under[1],)
    if any(names_heading(phrase, heading) for heading in headings):
        return True
    if further and fold(further) in map(fold, quoted_in(phrase)):
        return True
    kinds = [view.counts for view in records.views if len(view.counts) > 1 and len(view.texts) == len(view.values)]
    named = any(all(len(text) > 2 and fold(text) in said for text in texts) for texts in kinds)
    return named and not leaves_out(Filter(text=phrase))


def _ends(rows: Sequence[int]) -> Sequence[int]:
    """The records by which a reading is shown: those that it leaves, of many the first and the last ones."""
    half = SAMPLES_AT_MOST // 2
    return rows if len(rows) <= SAMPLES_AT_MOST else (*rows[:half], *rows[-half:])


def _telling(records: Candidate) -> Match | None:
    """The column whose values tell the records best apart, a text before numbers and addresses."""

    def apart(match: Match) -> float:
        values = [str(value) for value in records.values(match) if value not in EMPTY]
        return len(set(values)) / len(match.view.values) + 0.1 * (match.field.type == "text") if values else 0.0

    known = [records.matches[name] for name in _known(records)]
    return max((match for match in known if apart(match)), key=apart, default=None)


# The readings of one phrase.


def _said(wanted: Filter, query: Reading, records: Candidate, likely: Mapping[_Said, float]) -> list[_Said]:
    """What the words, numbers and days of a phrase can mean of these records, the likeliest first. `likely`: what its
    words make it, the likeliest first, and how likely."""
    found: list[_Said] = []
    possible = (one for one, share in likely.items() if share >= _POSSIBLE)
    for way in (possible, _meant(wanted, query, records), _compared(wanted, records)):
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
        found.setdefault(_comparison(one.column, one.op, one.value), share)
    return found


def _comparison(column: str, op: Op, value: str) -> _Said:
    sign, words = _SIGNS[op]
    return _Said(said_as(f"{column} {sign} {value}"), f"only where {column} {words} {value}")


def _compared(wanted: Filter, records: Candidate) -> Iterator[_Said]:
    """That a column is at least, at most or just the phrase's number or day, or that there are so many rows."""
    said = Tokens(wanted.text).all
    rows = max((len(view.values) for view in records.views), default=0) * all(token.word != "page" for token in said)
    for token in said:
        day = date_of(token) if token.kind == "D" else token.text if _YEAR.fullmatch(token.text) else ""
        if day:
            whole: tuple[Op, ...] = ("ne", "eq") if leaves_out(wanted) else ("eq", "ge", "le")
            for name in _known(records, _DATES) or ["the record"]:
                yield from (_comparison(name, op, day) for op in (whole if len(day) == 10 else ("starts",)))
        elif token.kind == "N":
            number, value = number_of(token), number_text(token)
            if number == int(number) and 1 < number < rows:
                yield _Said(said_as(f"the first {value} rows"), f"the first {value} rows")
            for name in _known(records, _NUMBERS):
                known = [one for one in records.values(records.matches[name]) if isinstance(one, int | float)]
                if known and min(known) <= number <= max(known):
                    yield from (_comparison(name, op, value) for op in ("ge", "le"))


def _known(records: Candidate, types: Collection[FieldType] = get_args(FieldType)) -> list[str]:
    """The columns of these types whose values are known."""
    held = {name: match for name, match in records.matches.items() if not (match.view.detail or match.view.rough)}
    return [name for name, match in held.items() if match.field.type in types and match.view.values]


def _meant(wanted: Filter, query: Reading, records: Candidate) -> Iterator[_Said]:
    """That records are left out, or kept alone, whose texts say the words."""
    for one in meanings(wanted, records, query.subject):
        yield _Said(one.id, meaning_text(one))


def meaning_text(meaning: Meaning) -> str:
    """The meaning of a condition in words, for people."""
    count = len(meaning.said_by)
    records = f"{count} that {'say' if count != 1 else 'says'} “{meaning.said}”"
    return f"leave out the {records}" if meaning.keep.op == "lacks" else f"keep only the {records}"


def _orders(phrases: Sequence[Filter], query: Reading, records: Candidate) -> Iterator[_Said]:
    """That the rows are sorted: as the words likely say, by a column that the phrases name, by one of numbers or dates,
    by one of texts."""
    for wanted in phrases:
        order = order_in(Tokens(wanted.text), query.columns)
        if order is not None and (match := records.matches.get(order.column)) is not None:
            yield _sorted(order.column, match.field.type, descending=order.descending)
    words = [word for wanted in phrases for word in tokens(wanted.text) if not weak(word)]
    ranked: list[tuple[bool, bool, str]] = []
    for name in _known(records, (*_NUMBERS, *_DATES, "text")):
        called = any(alike((word,), (other,)) >= _ALIKE for word in words for other in tokens(name))
        ranked.append((not called, records.matches[name].field.type == "text", name))
    for _, is_text, name in sorted(ranked, key=lambda one: one[:2]):
        kind = records.matches[name].field.type
        yield from (_sorted(name, kind, descending=way) for way in ((False,) if is_text else (True, False)))


_ALIKE = 0.7
"""Likeness of two words from which on one is taken for the other."""


def _sorted(name: str, kind: FieldType, *, descending: bool) -> _Said:
    first = ("newest", "oldest") if kind in _DATES else ("highest", "lowest")
    words = f"{first[not descending]} first" if kind in (*_NUMBERS, *_DATES) else "Z to A" if descending else "A to Z"
    return _Said(said_as(f"sorted by {name}{' descending' if descending else ''}"), f"sorted by {name}, {words}")
