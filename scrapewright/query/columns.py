"""Columns as a request says them: their names and types out of the items of a list, and the column that words mean.

In: the items of a list (what lists there are is read in `column_lists`), or words of the request. Out: columns, or the
name of one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import takewhile
from typing import Literal

from scrapewright.query.column_lists import Item
from scrapewright.query.column_types import type_of_name
from scrapewright.query.lexicon import concepts, fold, named_concepts, weak
from scrapewright.query.lexicon import tokens as words_of
from scrapewright.query.notes import named_link, read_note, without_iso
from scrapewright.query.reading import COLUMNS_AT_MOST, Column, FieldType
from scrapewright.query.tokens import EASTERN

_CAMEL = re.compile(r"[a-z][A-Z][a-z]")


def columns_from(items: Sequence[Item]) -> tuple[Column, ...]:
    """The columns with their types; none where two have one name, or there are too many."""
    if not len({item.name for item in items}) == len(items) <= COLUMNS_AT_MOST:
        return ()
    texts = ["; ".join(item.notes) for item in items]
    notes = [read_note(text) for text in texts]
    types: list[FieldType | None] = [note.type for note in notes]
    formats = [note.format for note in notes]
    for n, (item, note) in enumerate(zip(items, notes, strict=True)):
        # "total and free as integers": what is said of several holds for those before it that nothing is said of.
        if not note.plural or (note.type is None and not note.numeric):
            continue
        kinds = {type_of_name(item.name), note.type}
        at = n - 1
        while at >= 0 and types[at] is None and (items[at + 1].joined or _alike(items[at].name, kinds)):
            types[at], formats[at] = note.type, note.format
            texts[at] = "; ".join(filter(None, (texts[at], item.notes[-1])))
            at -= 1
    return tuple(
        Column(name, kind or ("url" if named_link(name) else None), without_iso(kind, written), text)
        for name, kind, written, text in zip(_names(items), types, formats, texts, strict=True)
    )


def _names(items: Sequence[Item]) -> tuple[str, ...]:
    """The columns' names: as written where the request writes names, else in lower case, in whatever case the words of
    its sentence are."""
    header = len(items) > 1 and all(item.tight for item in items[1:])
    if header or any(_CAMEL.search(item.name) for item in items):
        return tuple(item.name for item in items)
    return tuple(item.name if item.quoted or item.code else item.name.lower() for item in items)


def _alike(name: str, kinds: set[FieldType | None]) -> bool:
    return type_of_name(name) in kinds - {"text", None} or not named_concepts(name)


def holder(columns: Sequence[Column], word: str) -> str:
    """The one column that a word of the request names; "" where there is none or several."""
    names = naming(tuple(column.name for column in columns), (fold(word),))
    found = [name for name, how in names.items() if how == max(3, *names.values())]
    return found[0] if len(found) == 1 else ""


def date_type(column: Column) -> Literal["date", "datetime"] | None:
    """The type of a column of dates, also where its name alone says so; None of any other."""
    kind = column.type or type_of_name(column.name)
    return kind if kind in ("date", "datetime") else None


def title_of_rows(columns: Sequence[Column]) -> str:
    """The one column of what a row is called, by its name; "" where there is none or several."""
    found = [column.name for column in columns if not {"title", "thing"}.isdisjoint(named_concepts(column.name))]
    return found[0] if len(found) == 1 else ""


WHOLE = 4
"""How surely words name a column that have all of its name."""


@lru_cache(maxsize=1 << 12)
def naming(names: tuple[str, ...], low: tuple[str, ...]) -> dict[str, int]:
    """How surely words name each of the columns. Those of a whole name name no other column: "closing date" is not the
    date, nor is "price" the price per night; of two such names the longer one has them."""
    found = {name: named_by(name, low) for name in names}
    whole = sorted((name for name, how in found.items() if how == WHOLE), key=len, reverse=True)
    rest = low
    for name in whole:
        found[name] = named_by(name, rest)
        if found[name] == WHOLE:
            rest = tuple(filter(None, (_without(name, word) for word in rest)))
    return found | {name: named_by(name, rest) for name in names if name not in whole} if rest != low else found


@lru_cache(maxsize=1 << 12)
def named_by(name: str, low: tuple[str, ...]) -> int:
    """How surely words name a column: 4 by its whole name, 3 by a word of it, 2 by the beginning of one, 1 by a
    meaning, 0 not at all."""
    parts = [part for part in words_of(name) if not weak(part)] or list(words_of(name))
    words = [part for word in low for part in words_of(word)]
    if any(map(EASTERN.search, parts)):
        joined = "".join(low)
        return WHOLE if fold(name) in joined else 3 * any(part in joined for part in parts)
    same = sum(not {part, f"{part}s", part.removesuffix("s")}.isdisjoint(words) for part in parts)
    if same:
        every = words_of(name)  # "posted_by" is not named by "posted"
        literal = len(every) == len(parts) or any(
            every == tuple(words[at : at + len(every)]) for at in range(len(words))
        )
        return WHOLE if same == len(parts) and literal else 3
    if any(_akin(part, word) for part in parts for word in words):
        return 2
    known = {concept for word in words for concept in concepts(word)}
    return int(any(not known.isdisjoint(concepts(part)) for part in parts))


def _without(name: str, word: str) -> str:
    """What is left of a word of a name, or of a text without blanks that has the name in it."""
    if EASTERN.search(name):
        return word.replace(fold(name), "")
    return "" if named_by(name, (word,)) > 2 else word


def _akin(one: str, other: str) -> bool:
    """Whether two words are forms of one: they begin with the same four letters, half of the longer one at least."""
    common = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
    return common >= 4 and 2 * common >= max(len(one), len(other))
