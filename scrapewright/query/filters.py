"""Which rows are wanted: the conditions of a request that name a column and a value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import msgspec

from scrapewright.query.column_types import type_of_name
from scrapewright.query.lexicon import ALL_SMALL, CANONICAL, NO, NUMBERS, YES, fold, singular, weak, word_set
from scrapewright.query.lexicon import tokens as words_of
from scrapewright.query.notes import read_note
from scrapewright.query.reading import Column, Filter, Op, Reading
from scrapewright.query.tokens import Token, Tokens, date_of, number_text, unquoted

_LEADING = word_set("and but only keep where with the row those that have has please")
"""Words of the grammar before the column of a condition."""
_KEEPING = word_set("only keep where those that")
"""Those of them that say that not all rows are wanted."""
_RELATIVE = word_set("where that and")
"""Words behind which a condition may begin."""
_SIGNS: tuple[tuple[tuple[str, ...], Op], ...] = (
    (("must", "not", "is"), "ne"), (("must", "is"), "eq"), (("does", "not", "contains"), "lacks"),
    (("not", "contains"), "lacks"), (("is", "not"), "ne"), (("!=",), "ne"), (("not",), "ne"), (("is",), "eq"),
    (("contains",), "contains"), (("starts", "with"), "starts"), (("starts",), "starts"), (("ends", "with"), "ends"),
    (("ends", "in"), "ends"), (("ends",), "ends"),
)  # fmt: skip
"""What stands between a column and its value, in words of the grammar."""
_NOT_SURE: tuple[tuple[str, ...], ...] = ((), ("is",), ("not",), ("is", "not"))
"""Those that may as well say what a column holds: "date is the day of the hearing"."""
_CONTRARY: dict[Op, Op] = {
    "eq": "ne", "ne": "eq", "contains": "lacks", "lacks": "contains", "gt": "le", "ge": "lt", "lt": "ge", "le": "gt",
}  # fmt: skip
_OF_SEVERAL = word_set("or and but where if")
_MARKS = frozenset(",;()[]{}|•:")
_NAME_AT_MOST, _VALUE_AT_MOST = 5, 4
"""Words of a column's name and of a value."""
_OF_RECORDS: dict[str, Op] = {
    "keep|only+ the? W? called v:Q only?": "eq",
    "leave_out|leaving_out|skip|without the|an|all|those* W? that|which is|are? contains|marked|says as? v:Q|W =END":
        "lacks",
}  # fmt: skip
"""Phrases that say what records as a whole are called, and what those that are left out have."""
_NO_VALUE = word_set(
    "the a an empty blank missing in under over at one not only by on from more less fewer greater higher lower longer"
    " later earlier before after since until between no"
)
_NEGATIVE = word_set("not without skip leave leaving omitted excluded skipped")
_LIMITING = word_set("only where")
_MORE = word_set("only where sort then by left")
"""Words of the grammar with which a condition says more than what to leave out."""
_ELSEWHERE = word_set("but other apart except don dont t after before")
"""Words beside a quoted heading with which it says where the rows are not."""
_JOINED = re.compile(r"[,/&+|]")
"""What joins the names of several things in a heading."""
_OF_HEADINGS = word_set("only the from in on of under section table part block heading called")
"""Words of the grammar that a heading is named with."""


def filters(tokens: Tokens, columns: Sequence[Column]) -> tuple[Filter, ...]:
    """Conditions on a column that are said in the grammar's own words, their tokens marked as read: "only where state
    is open", "leave out those where the licence is MIT"."""
    found: list[Filter] = []
    for start, end in tokens.pieces(lambda n: tokens.used[n] or tokens.all[n].word in _MARKS):
        said: list[_Said] = []
        for begin in (start, *(n + 1 for n in range(start, end) if tokens.all[n].word in _RELATIVE)):
            one = _condition(tokens, start, begin, end, columns) if not said or begin >= said[-1].end else None
            said += [one] if one is not None else []
        words = {token.word for token in tokens.all[start : said[0].start]} if said else set()
        negative = not words.isdisjoint(_NEGATIVE)
        if negative and ("and" in words or len(said) > 1 or said[0].op not in _CONTRARY):
            continue  # what else it leaves out may be another condition
        for one in said:
            first = one.start if "and" in words or one is not said[0] else start
            text = tokens.said(first, one.end)
            tokens.use(first, one.end)
            found.append(Filter(text, one.column, _CONTRARY[one.op] if negative else one.op, one.value))
    for pattern, op in _OF_RECORDS.items():
        for match, start, end in tokens.taken(pattern):
            if (token := tokens.named(match)) is not None:
                found.append(Filter(tokens.said(start, end), "", op, unquoted(token)))
                tokens.use(start, end)
    return tuple(found)


class _Said(NamedTuple):
    """A condition, and the tokens that say it."""

    column: str
    op: Op
    value: str
    start: int
    end: int


def _condition(tokens: Tokens, start: int, begin: int, end: int, columns: Sequence[Column]) -> _Said | None:
    """That a column is, contains, begins or ends with what is said in words, or is not, from a place in a piece on."""
    at = begin
    while at < end and tokens.all[at].word in _LEADING:
        at += 1
    led = any(token.word in _KEEPING for token in tokens.all[start:at])
    column, at = column_at(tokens, at, end, columns)
    if column is None:
        return None
    words = tuple(token.word for token in tokens.all[at:end])
    sign, op = next(((sign, op) for sign, op in _SIGNS if words[: len(sign)] == sign), ((), None))
    at += len(sign)
    while end - at > 1 and tokens.all[end - 1].word in {"only", "please"}:
        led, end = led or tokens.all[end - 1].word == "only", end - 1
    stop = next((n for n in range(at, end) if tokens.all[n].word in _OF_SEVERAL), end)
    if (stop < end and (tokens.all[stop].word == "or" or not led)) or (op is None and not (led and end - at == 1)):
        return None
    value = _value(tokens, at, stop, column, plain=(led and op is not None) or sign not in _NOT_SURE)
    return _Said(column.name, op or "eq", value, begin, stop) if value else None


def column_at(tokens: Tokens, at: int, end: int, columns: Sequence[Column]) -> tuple[Column | None, int]:
    """The column that is named there in full, and the token behind its name."""
    named = {_singular(column.name): column for column in columns}
    for stop in range(min(end, at + _NAME_AT_MOST), at, -1):
        column = named.get(_singular(tokens.said(at, stop)))
        if column is not None and all(token.kind in "WN" for token in tokens.all[at:stop]):
            return column, stop + (stop < end and tokens.all[stop].word == "column")
    return None, at


def _singular(name: str) -> tuple[str, ...]:
    return tuple(map(singular, words_of(name)))


def _value(tokens: Tokens, at: int, stop: int, column: Column, *, plain: bool) -> str:
    """What a column is compared with; "" for what is no value. `plain`: words in lower case may be one."""
    several = tokens.all[at:stop]
    if not 0 < len(several) <= _VALUE_AT_MOST or any(token.kind not in "WQN" for token in several):
        return ""
    first, kinds = several[0], {token.kind for token in several}
    said = unquoted(first) if len(several) == 1 else tokens.said(at, stop)
    note = read_note(said)
    if first.text.lower() in _NO_VALUE or ("Q" in kinds and len(several) > 1) or note.type or note.numeric:
        return ""
    kind = column.type or type_of_name(column.name)
    if column.type in (None, "bool") and {said.lower()} <= {*YES, *NO}:
        return said
    if kinds == {"W"} and not plain and not first.text[0].isupper():
        return ""
    return "" if kind in ("int", "float", "date", "datetime", "bool") and kinds != {"N"} else said


def compared(tokens: Tokens, at: int, op: Op, *, dated: bool) -> tuple[Op, str]:
    """The operator and the value that a token is compared with. A year or month is all of its days: after 2020 is from
    2021 on, up to 2020 before 2021."""
    token = tokens.all[at]
    if token.kind == "Q":
        return op, unquoted(token)
    if token.word == "N" and not dated:
        return op, number_text(token)
    value = date_of(token) if token.kind == "D" else token.text
    if len(value) == 10:
        return op, value
    if op == "eq":
        return "starts", value
    year, month = int(value[:4]), int(value[5:] or 0)
    if op in {"gt", "le"}:
        year, month = (year + (month % 12 == 0), month % 12 + 1) if month else (year + 1, 0)
    return "ge" if op in {"ge", "gt"} else "lt" if op in {"lt", "le"} else op, f"{year:04d}-{month or 1:02d}-01"


def mentions(query: Reading, heading: str) -> bool:
    """Whether a phrase that was not read names a heading."""
    return any(names_heading(phrase, heading) for phrase in query.unread)


def names_heading(phrase: str, heading: str) -> bool:
    """Whether a phrase names a heading: in quotes ("the “Old Boats” table"), or with words that it has, saying nothing
    else but that only these are wanted: "only the Metropolitan table", "only Metropolitan"."""
    words, said = words_of(heading), words_of(phrase)
    known = [CANONICAL.get(word, word) for word in said]
    if not any(map(says_what, words)) or not _NEGATIVE.isdisjoint(_canonical(phrase)):
        return False
    if len(quoted := quoted_in(phrase)) == 1:
        named = words_of(quoted[0])
        return any(map(says_what, named)) and _place(named, words) is not None and _ELSEWHERE.isdisjoint(known)
    rest = [word for word, one in zip(said, known, strict=True) if one not in _OF_HEADINGS]
    several = _JOINED.search(heading) or not _OF_SEVERAL.isdisjoint(CANONICAL.get(word, word) for word in words)
    if "only" in known and rest and all(map(says_what, rest)) and set(rest) <= set(words) and not several:
        return True
    at = _place(words, said)
    return at is not None and _OF_HEADINGS.issuperset((*known[:at], *known[at + len(words) :]))


def _place(words: tuple[str, ...], among: tuple[str, ...]) -> int | None:
    """Where words stand side by side among others."""
    return next((at for at in range(len(among) - len(words) + 1) if among[at : at + len(words)] == words), None)


def quoted_in(phrase: str) -> list[str]:
    """The texts that a phrase quotes."""
    return [unquoted(token) for token in Tokens(phrase).all if token.kind == "Q"]


def says_what(word: str) -> bool:
    """Whether a word can name something: no short or weak one."""
    return len(word) > 2 and not weak(word)


def title_of_all(several: Iterable[Filter]) -> str:
    """What questions call several conditions that are asked about at once."""
    return "; ".join(wanted.title for wanted in several)[:200]


def _canonical(text: str) -> set[str]:
    words = re.findall(r"[^\W_]+", text.lower().replace("left out", "leave out"))
    return {CANONICAL.get(word, word) for word in words}


_OR = re.compile(
    rf"\s*,?\s+(?:{'|'.join(sorted(word for word, said in CANONICAL.items() if said == 'or'))})\s+|\s*,\s+"
)
"""What stands between the values of which one will do."""


class Phrase(NamedTuple):
    """Words to look for in records: in lines where one of several will do."""

    text: str
    folded: tuple[str, ...]
    """Each line, as texts are compared."""
    words: frozenset[str]
    """All words, in the singular."""

    @property
    def is_proper_name(self) -> bool:
        """Whether it is a name of several words, which no text has by chance: "Winter Garden"."""
        words = self.text.split()
        return len(words) > 1 and all(word[0].isupper() for word in words)


def phrase_of(text: str) -> Phrase:
    return Phrase(text, tuple(map(fold, text.split("\n"))), frozenset(map(singular, words_of(text))))


class Wording(msgspec.Struct, frozen=True, dict=True):
    """All that the words of a condition say, each found when it is first asked for."""

    wanted: Filter

    @cached_property
    def value(self) -> str:
        """What is compared with, as texts are compared."""
        return fold(self.wanted.value.strip())

    @cached_property
    def is_yes(self) -> bool:
        return self.value in YES or self.value in ("true", "yes", "1")

    @cached_property
    def around(self) -> frozenset[str]:
        """The words beside the value, in the singular."""
        words = frozenset(singular(word) for word in words_of(self.wanted.text) if not weak(word))
        return words.difference(map(singular, words_of(self.wanted.value)))

    @cached_property
    def leaves_out(self) -> bool:
        """Whether it says which rows to leave out, rather than which to keep."""
        return self.wanted.leaves_out or not _NEGATIVE.isdisjoint(_canonical(self.wanted.text))

    @cached_property
    def left_out(self) -> tuple[frozenset[str], ...]:
        """The words of each thing that it leaves out, in the singular: of its value, what it quotes, else what follows
        its negative word; empty where it leaves nothing out, or says more than that."""
        words = words_of(self.wanted.text)
        known = [CANONICAL.get(word, word) for word in words]
        negative = [at for at, word in enumerate(known) if word in _NEGATIVE]
        if len(negative) != 1 or not _MORE.isdisjoint(known):
            return ()
        said = self.wanted.value or next(iter(quoted_in(self.wanted.text)), "")
        rest = words_of(said) if said else words[negative[0] + 1 :]
        joints = [-1, *(at for at, word in enumerate(rest) if CANONICAL.get(word, word) in ("and", "or")), len(rest)]
        things = (rest[one + 1 : other] for one, other in pairwise(joints))
        no_names = {*ALL_SMALL, *NUMBERS, "out"}
        kept = (
            frozenset(w for w in map(singular, thing) if len(w) > 2 and not weak(w) and w not in no_names)
            for thing in things
        )
        return tuple(filter(None, kept))

    @cached_property
    def limits(self) -> bool:
        """Whether it says in so many words that not all rows are wanted, or quotes what they say."""
        text = self.wanted.text
        return bool(quoted_in(text)) or self.leaves_out or not _LIMITING.isdisjoint(_canonical(text))

    @cached_property
    def tokens(self) -> list[Token]:
        return Tokens(self.wanted.text).all

    @cached_property
    def restricts(self) -> bool:
        """Whether it seems to leave rows out: by its words, a number, a day or what it quotes."""
        return self.limits or any(token.kind in ("N", "D", "Q") for token in self.tokens)

    @cached_property
    def spans(self) -> frozenset[tuple[str, ...]]:
        """Up to six of its words that stand side by side."""
        words = words_of(self.wanted.text)
        ends = ((at, end) for at in range(len(words)) for end in range(at + 1, min(at + 7, len(words) + 1)))
        return frozenset(words[at:end] for at, end in ends)

    @property
    def _text(self) -> str:
        text, value = self.wanted.text, self.wanted.value
        return f"{text} {value}" if value not in text else text

    @cached_property
    def quoted(self) -> list[str]:
        """The texts in quotes or parentheses."""
        text = self._text
        return re.findall(r"[\"“„«'‘]([^\"”“»'’]{2,40})[\"”“»'’]", text) + re.findall(r"\(([^)]{2,40})\)", text)

    @cached_property
    def phrases(self) -> list[Phrase]:
        """What to look for: several values of which one will do; what is quoted or in parentheses, the whole phrase,
        then its single words."""
        several, found = _OR.split(self.wanted.value), self.quoted
        found = ["\n".join(several), *found] if len(several) > 1 and all(several) else [*found]
        words = re.findall(r"[\w-]+(?:[/+#._][\w-]+)*", re.sub(r"\([^)]*\)", " ", self._text))
        words = [word for word in words if not weak(fold(word)) and len(word) > 2]
        found += [" ".join(words)]
        for size in (3, 2, 1):
            found += [" ".join(words[at : at + size]) for at in range(len(words) - size + 1)]
        found += [singular(word) for word in words if singular(fold(word)) != fold(word)]
        phrases = map(phrase_of, dict.fromkeys(found))
        return [phrase for phrase in phrases if phrase.words and len(phrase.text) > 3]
