"""A place in a record and what can be read there: the whole of a slot's text, or a part of it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import msgspec
from msgspec.structs import replace

from scrapewright.programmers.rules.ops import NumberWord, Op, Search, value_of
from scrapewright.query.lexicon import concepts, fold, singular, tokens
from scrapewright.query.reading import FieldType
from scrapewright.survey.model import Slot
from scrapewright.survey.values import CURRENCY, type_of

LINKS = ("href", "src", "data-src")
"""Attributes that hold addresses."""
_DIGIT = re.compile(r"\d")
_STEP = re.compile(r"[\s>+~]")
_HEADLINE = re.compile(r"(^|[\s>])(h[1-6]|a|strong|b)([.:\[\s>]|$)")
_CODE_LIKE = re.compile(r"^0\d|\d{10}")
_DECIMALS = re.compile(r"(?<=\d[.,])\d{1,2}(?!\d|[.,]\d)")
_COUNTED = re.compile(r"#?(\d+)[.):]?")

BARE_SUM = re.compile(r"(?:from |ab )?[$€£¥₽₩₹₺]\s?\d[\d.,]*|\d[\d.,]*\s?[$€£¥₽₩₹₺]")
FRACTION = re.compile(r"\d[.,]\d{1,2}(?!\d)")
YEAR = re.compile(r"\b[12]\d{3}\b")
PRICED = re.compile(r"[$€£¥₽₩₹₺₴]|\b(?:EUR|USD|GBP|CHF|Fr\.|Ft|Kč|zł|kr|руб|TL|RON|лв|円|元)", re.I)
LINKED = re.compile(r"(?i)https?://|/[\w.~%-]+/|/[\w.~%-]+$")


class Rest(msgspec.Struct, frozen=True):
    """Where the rest of a value is, a heading above the record mostly, and what to put between the two."""

    slot: Slot
    joint: str = " "


class View(msgspec.Struct, frozen=True, dict=True):
    """A slot with the steps to a part of its text. `place` says where the part is, in the words people use for it.

    `values` has one text (or None) for each record; `cost` is how much less likely a part is than the whole.
    """

    slot: Slot
    values: tuple[str | None, ...]
    ops: tuple[Op, ...] = ()
    names: tuple[str, ...] = ()
    place: tuple[str, ...] = ()
    cost: float = 0.0
    joint: str = ""
    language: str = ""
    """The language that its dates and numbers are written in."""
    detail: bool = False
    """It is on the page behind the record's link."""
    depth: int = 0
    """How deep the value lies in JSON; 0 for places in HTML."""
    rough: bool = False
    """The values are the survey's samples, not the records' own."""
    coded: bool = False
    """A token picked by its shape: it serves a code, and no quantity."""
    value: bool = False
    """A value of JSON: it contains no other places' values, though maybe their letters."""
    scripted: bool = False
    """It is in data that is there for the page's scripts, and describes nothing as JSON-LD does."""
    unseen: float = 0.0
    """The share of its words that the page shows nowhere; 0.0 in lists and JSON-LD, where it was not looked for."""
    alone: bool = False
    """The text holds several labelled values: what its place is called does not name this one."""
    bare: bool = False
    """The whole, but for a mark or a running number before it, which nobody counts as a part of it."""
    cut: tuple[str, ...] = ()
    """The words that all texts share and that are taken off without a mark that would show them to be a label."""

    rest: Rest | None = None
    """The place whose text is put behind the slot's own before the steps are taken."""

    @cached_property
    def texts(self) -> list[str]:
        return [value for value in self.values if value]

    @cached_property
    def folded(self) -> tuple[str, ...]:
        """Each record's text as texts are compared, empty where it has none."""
        return tuple(fold(value or "") for value in self.values)

    @cached_property
    def counts(self) -> Counter[str]:
        """Each text once, with how often it comes, in their order."""
        return Counter(self.texts)

    @cached_property
    def numbered(self) -> dict[str, int]:
        """As `counts`, of the texts that hold a digit."""
        return {text: count for text, count in self.counts.items() if _DIGIT.search(text)}

    def share(self, holds: Callable[[str], object]) -> float:
        """The share of the texts of which a thing can be said; 0.0 where there is none."""
        if holds not in self._shares:
            held = sum(count for text, count in self.counts.items() if holds(text))
            self._shares[holds] = held / max(1, len(self.texts))
        return self._shares[holds]

    @cached_property
    def _shares(self) -> dict[Callable[[str], object], float]:
        return {}

    @cached_property
    def scores(self) -> dict[Any, Any]:
        """What was found of how it serves a field, by what was looked for: the page's questions ask for it over and
        over."""
        return {}

    @cached_property
    def pairs(self) -> dict[Any, Any]:
        """The same, by the field."""
        return {}

    # what it is called

    @cached_property
    def own(self) -> list[tuple[str, ...]]:
        """The words of each of the names that it has by itself."""
        return [tokens(name) for name in self.names]

    @cached_property
    def outer(self) -> list[tuple[str, ...]]:
        """The same of its slot's names, header and label."""
        return [tokens(name) for name in (*self.slot.names, self.slot.header, self.slot.label) if name]

    @cached_property
    def leading(self) -> list[tuple[str, ...]]:
        """The same of what is said of its slot most plainly, the plainest first."""
        return [tokens(name) for name in (self.slot.header, self.slot.label, *self.slot.names[:3]) if name]

    @cached_property
    def classes(self) -> tuple[str, ...]:
        """The words of the classes in the last step of its selector."""
        return tokens(_STEP.split(self.slot.selector)[-1].partition(":")[0])[1:] if self.slot.attr == "text" else ()

    @cached_property
    def concepts(self) -> frozenset[str]:
        """What the words mean that its slot is called by."""
        return frozenset().union(*(concepts(word) for name in self.outer for word in name))

    @cached_property
    def called(self) -> frozenset[str]:
        """The words that it is called by, in the singular."""
        return frozenset(singular(word) for name in (*self.own, *self.outer) for word in name)

    # what kind of place it is

    @cached_property
    def headline(self) -> bool:
        """Whether it is a heading, a link or what is set off in bold."""
        return _HEADLINE.search(self.slot.selector) is not None

    @cached_property
    def is_vocabulary_key(self) -> bool:
        """Whether its path in JSON ends in a word of JSON-LD itself: "@type", "@id"."""
        return "@" in self.slot.selector.rpartition(".")[2]

    @cached_property
    def counts_up(self) -> bool:
        """Whether its values number the records: 1, 2, 3, with or without a dot."""
        first = _COUNTED.fullmatch(self.texts[0]) if len(self.texts) > 4 else None
        if first is None:
            return False
        numbers = enumerate(map(_COUNTED.fullmatch, self.texts), int(first[1]))
        return all(found is not None and int(found[1]) == at for at, found in numbers)

    @cached_property
    def are_codes(self) -> bool:
        """Whether a number would not keep its figures ("007", or 1.10 behind 1.9), or they are too long for one."""
        decimals = {found[0] for text in self.counts if (found := _DECIMALS.search(text)) is not None}
        zeros = any(one.endswith("0") for one in decimals) and len(set(map(len, decimals))) > 1
        return zeros or any(map(_CODE_LIKE.search, self.counts))

    @cached_property
    def type(self) -> FieldType:
        """The type of numbers or dates, where all of its texts are that and nothing would be lost by it; a list where a
        record has several; else text."""
        if self.slot.many and not self.ops:
            return "list"
        if self.slot.attr in LINKS or self.slot.many or self.are_codes or any(map(_has_words, self.counts)):
            return "text"
        kinds = {type_of(text) for text in self.counts}
        if kinds <= {"int", "float"}:
            return "float" if "float" in kinds else "int"
        if kinds <= {"date", "datetime"}:
            return "date" if "date" in kinds else "datetime"
        return "text"

    def steps(self, made: Sequence[Op]) -> tuple[Op, ...]:
        """The steps to the part and on to the value; words that stand for a number are looked for in the whole text."""
        ops = (*self.ops, *made)
        number_words = tuple(op for op in ops if isinstance(op, NumberWord))
        return (*number_words, *(op for op in ops if op not in number_words))

    @property
    def coverage(self) -> float:
        share = len(self.texts) / len(self.values) if self.values else 0.0
        return share * self.slot.coverage if self.rough else share

    @property
    def distinct(self) -> float:
        if self.rough:
            return self.slot.distinct
        return len(self.counts) / len(self.texts) if self.values and self.texts else 0.0

    def is_around(self, other: View) -> bool:
        """Whether its texts are the other's and more, in every record that has the other."""
        if len(self.values) != len(other.values):
            return False
        return all(
            not text or (box and len(text) < len(box) and text in box)
            for box, text in zip(self.values, other.values, strict=True)
        )


def _has_words(text: str) -> bool:
    """Whether more is said than a number and a currency: "£31,000 a year"."""
    return type_of(text) == "float" and any(map(str.isalpha, CURRENCY.sub("", text)))


def says_nothing(text: str) -> bool:
    """Marks and no word: what is left between two elements of a line."""
    return not any(map(str.isalnum, text))


MOST = 0.7
"""The share of a place's texts that must have a part, where nothing else is said."""


def searched(
    whole: View,
    pattern: str,
    cost: float,
    names: Sequence[str] = (),
    place: Sequence[str] = (),
    *,
    least: float = MOST,
    then: Sequence[Op] = (),
    coded: bool = False,
) -> list[View]:
    """A view of what a pattern finds (its first group, or all of it), alone in a list; none where fewer than `least` of
    the texts have it. `then` are steps that follow."""
    form = re.compile(pattern)
    lacking = 0
    for text, times in whole.counts.items():
        if form.search(text) is None:
            lacking += times
            if len(whole.texts) - lacking < least * len(whole.texts):
                return []
    found = Search(pattern, min(form.groups, 1), lacking > 0)
    return part(whole, [found, *then], cost, names, place, coded=coded)


def part(
    whole: View,
    ops: Sequence[Op],
    cost: float,
    names: Sequence[str] = (),
    place: Sequence[str] = (),
    *,
    coded: bool = False,
    bare: bool = False,
    cut: Sequence[str] = (),
) -> list[View]:
    """A view of what the steps leave, alone in a list; none where they leave the same, or hardly anything."""
    made: dict[str | None, str | None] = {value: value_of(value, ops) for value in dict.fromkeys(whole.values)}
    values = tuple(map(made.__getitem__, whole.values))
    if sum(map(bool, values)) < 0.5 * len(whole.texts) or values == whole.values:
        return []
    return [replace(
        whole, values=values, ops=(*whole.ops, *ops), names=tuple(names), place=tuple(place), cost=whole.cost + cost,
        coded=coded, bare=bare, cut=tuple(cut), value=False, alone=False,
    )]  # fmt: skip
