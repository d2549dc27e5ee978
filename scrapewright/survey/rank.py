"""Which of a page's groups serves a query best."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import msgspec
from rapidfuzz import fuzz

from scrapewright.query.filters import mentions, says_what
from scrapewright.query.lexicon import concepts_of, fold, singular, tokens
from scrapewright.query.reading import Field, Reading
from scrapewright.survey import values
from scrapewright.survey.dom import FRAME, words_of
from scrapewright.survey.model import Group, Slot

ONE_OF_SEVERAL = 0.6
"""What is left of a fit with one of several alike in each record: more likely it is a value of smaller records."""
_NUMBERS = ("int", "float")
_DATES = ("date", "datetime")


@lru_cache(maxsize=8192)
def _read(name: str) -> tuple[tuple[str, ...], frozenset[str], frozenset[str]]:
    """A name's words, with the concepts of the last one and of all."""
    words = words_of(name) or tokens(name)
    return words, concepts_of(words[-1:]), concepts_of(words)


@lru_cache(maxsize=16384)
def likeness(wanted: str, found: str) -> float:
    """How well one name fits another, from 0.0 to 1.0: same words, words in common, one concept, similar spelling."""
    (one, last, every), (other, last_found, every_found) = _read(wanted), _read(found)
    if not one or not other:
        return 0.0
    if one == other or "".join(one) == "".join(other):
        return 1.0
    both = set(one) & set(other)
    if both:
        return 0.6 + 0.3 * len(both) / max(len(set(one)), len(set(other)))
    if last & every_found or every & last_found:
        return 0.55
    ratio = fuzz.ratio("".join(one), "".join(other)) / 100
    return 0.7 * ratio if ratio >= 0.8 else 0.0


def fit(field: Field, slot: Slot) -> float:
    """How well a slot may hold a field, from 0.0 to 1.0, by name, type and samples."""
    kind = _type_fit(field, slot)
    if kind < 0:
        return 0.0
    name = _name_fit((field.name, *field.words), slot.names)
    value = 0.62 * name + 0.38 * kind
    if slot.distinct <= 0.05 and slot.coverage > 0.5 and name < 0.8:
        value *= 0.6
    return value * (0.4 + 0.6 * min(1.0, slot.coverage))


@lru_cache(maxsize=16384)
def _name_fit(asked: tuple[str, ...], names: tuple[str, ...]) -> float:
    """How well the best of a slot's names fits one of those of a field."""
    return max((likeness(word, found) for word in asked for found in names), default=0.0)


def _type_fit(field: Field, slot: Slot) -> float:
    """1.0 where the slot's type is the field's, -1.0 where it can't be."""
    want, have = field.type, slot.type
    if want == "url":
        return 1.0 if slot.attr in ("href", "src") or have == "url" else -1.0
    if have == "url" and slot.attr in ("href", "src"):
        return 0.1 if want == "text" else -1.0
    if want in _NUMBERS:
        if have in _NUMBERS:
            return 1.0
        if any(c.isdigit() for sample in slot.samples for c in sample):
            return 0.5
        return 0.4 if slot.vocabulary else -1.0
    if want in _DATES:
        if have in _DATES:
            return 1.0
        return 0.6 if sum(map(values.has_date, slot.samples)) >= 0.6 * len(slot.samples) > 0 else 0.05
    if want == "list":
        return 1.0 if slot.many else 0.4
    if want == "text":
        return 0.6 if have == "text" else 0.4 if have == "list" else 0.3
    return 0.4


def serve(query: Reading, group: Group) -> float:
    """Mean over the query's fields of the best slot's fit, one slot serving one field."""
    return _served(tuple(query.fields), group.slots)


@lru_cache(maxsize=64)
def _served(fields: tuple[Field, ...], slots: tuple[Slot, ...]) -> float:
    if not fields:
        return 0.0
    fits = []
    several = {(slot.selector, slot.attr) for slot in slots if slot.many}
    for f, field in enumerate(fields):
        for slot in slots:
            value = fit(field, slot)
            if not slot.many and (slot.selector, slot.attr) in several:
                value *= ONE_OF_SEVERAL
            if value > 0.12:
                fits.append((value, f, slot.id))
    fits.sort(key=lambda item: -item[0])
    taken: dict[int, float] = {}
    used: set[str] = set()
    for value, f, slot_id in fits:
        if f in taken or slot_id in used:
            continue
        taken[f] = value
        used.add(slot_id)
    return sum(taken.values()) / len(fields)


def heads(query: Reading, heading: str) -> bool:
    """Whether a heading has a word of the query's subject or of a column's name, and few others: "Episodes (8)". Of a
    column of titles it has none: above a record it is the title."""
    said = {singular(word) for word in tokens(heading) if len(word) > 2 and not word.isdigit()}
    columns = [field.name for field in query.fields if "title" not in concepts_of(tokens(field.name))]
    wanted = (word for name in (*query.subject, *columns) for word in tokens(name))
    few = 0 < len(said) <= _WORDS_OF_HEADING
    return few and any(says_what(word) and singular(word) in said for word in wanted)


_WORDS_OF_HEADING = 4
"""Of a heading of more words nobody can tell which of them it is about."""


def names_section(query: Reading, heading: str) -> bool:
    """Whether a heading is the one that the request names: the same, or one that has all of its words; where no
    section was read, one that a phrase which was not read names, and nothing else."""
    if not query.section:
        return mentions(query, heading)
    wanted = {singular(word) for word in tokens(query.section)}
    return bool(wanted) and (
        fold(query.section) == fold(heading) or wanted <= {singular(word) for word in tokens(heading)}
    )


def ranked(query: Reading, groups: Sequence[Group], keep: int) -> tuple[Group, ...]:
    """Groups with their scores for this query, best first, the ids in that order."""
    tagged = (group.score for group in groups if not group.source and group.kind in ("list", "table"))
    top = max(tagged, default=1.0) or 1.0
    scored = sorted(((_value(query, group, top), group) for group in groups), key=lambda item: -item[0])
    return tuple(
        msgspec.structs.replace(group, id=f"g{n}", score=round(value, 3))
        for n, (value, group) in enumerate(scored[:keep])
    )


def _value(query: Reading, group: Group, top: float) -> float:
    served = serve(query, group)
    single = group.kind == "page"
    base = min(1.0, group.score / top) if group.score > 0 else 0.2
    if group.kind == "feed":
        base = 1.0
    value = (
        0.55 * math.sqrt(base)
        + 1.6 * served
        + 0.25 * any(heads(query, said) for said in (group.context, group.selector, group.source))
    )
    headings = (*group.headings, *(text for slot in group.slots if slot.id == "section" for text in slot.samples))
    value += 0.5 * any(names_section(query, heading) for heading in headings)
    if query.single != single:
        value *= 0.8 if query.one_or_several else 0.55
    if query.limit and not single and group.count < query.limit:
        value *= 0.8
    if group.kind == "list" and group.selector.isalpha():
        # A bare tag says nothing of the records: where the rest is equal, a selector that does is the better one.
        value -= 0.03
    if group.region in FRAME and not query.section:
        # Who names a part of the page may mean its frame.
        value *= 0.5 if group.region in ("nav", "footer") else 0.7
    return value
