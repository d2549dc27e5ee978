"""How likely each type is for a column of which the request says none. In: its name, and what is said beside it. Out:
the probability of each type, by their words and letters in any language (column_types.json, `make calibrate-requests`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import get_args

from scrapewright.query.lexicon import TYPES, named_concepts, tokens
from scrapewright.query.logit import score, shares, weights
from scrapewright.query.reading import FieldType

KINDS: tuple[FieldType, ...] = get_args(FieldType)
_UNSPACED = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af]")
"""Letters of which one or two are a word."""
SURE, GUESSED = 0.8, 0.9
"""How likely a type must be for a clause to go by it, and for a column that nobody is asked about."""
UNLIKELY = 0.03
"""How likely a type must be to be thought of."""
NOTED = 12
"""Words of a note that are looked at."""
_LETTERS = (3, 4)
"""How many letters in a row tell something."""


@lru_cache(maxsize=1 << 12)
def types_of(name: str, note: str = "") -> dict[FieldType, float]:
    """The probability of each type, the likeliest first. Numbers are of one type: whole ones where that is all but
    certain of them, as any number can be read as the other."""
    found, known = set(features(name, note)), weights("column_types")
    likely = shares([score(known, {f"{kind} {feature}" for feature in found}) for kind in KINDS])
    each = dict(zip(KINDS, likely, strict=True))
    whole, broken = each.pop("int"), each.pop("float")
    each["int" if whole >= SURE * (whole + broken) else "float"] = whole + broken
    return dict(sorted(each.items(), key=lambda pair: -pair[1]))


def likely_types(name: str, note: str = "") -> tuple[tuple[FieldType, float], ...]:
    """The types that a column may have, the likeliest first; none where there is no doubt about it, but whether numbers
    are whole."""
    found = [(kind, share) for kind, share in types_of(name, note).items() if share >= UNLIKELY]
    whole = sum(share for _, share in found)
    doubtful = len(found) > 1 or found[0][0] == "int"
    return tuple((kind, share / whole) for kind, share in found) if doubtful else ()


def guessed_type(name: str, note: str = "") -> FieldType:
    """The type to go by until the page or a person says more: text, which loses nothing, where that may be meant and no
    other is likely."""
    found = types_of(name, note)
    kind, likely = next(iter(found.items()))
    return kind if likely >= GUESSED or found["text"] < UNLIKELY else "text"


def sure_type(name: str, note: str = "") -> FieldType | None:
    """The type of a column where it is all but certain; else None."""
    kind, likely = next(iter(types_of(name, note).items()))
    return kind if likely >= SURE else None


def type_of_name(name: str) -> FieldType:
    """The type that a column's name alone suggests the most."""
    return next(iter(types_of(name)))


def features(name: str, note: str = "") -> Iterator[str]:
    """What is looked at: the words of the name, the first and the last by their places, what they mean, their letters;
    the words of the note."""
    words, concepts = tokens(name), tuple(named_concepts(name))
    yield "any name"
    yield f"words {min(4, len(words))}"
    for at, called in (("first", words[:1]), ("last", words[-1:]), ("word", words), ("note", tokens(note)[:NOTED])):
        yield from (f"{at} {word}" for word in called)
    for at, called in (("first means", concepts[:1]), ("last means", concepts[-1:]), ("means", concepts)):
        yield from (f"{at} {concept}" for concept in called)
    for at, called in (("first is a", concepts[:1]), ("last is a", concepts[-1:])):
        yield from (f"{at} {TYPES[concept]}" for concept in called)
    if not all(map(named_concepts, words)):
        yield "a word unknown"
    for word in words:
        framed = f"^{word}$"
        for length in (1, 2) if _UNSPACED.search(word) else _LETTERS:
            yield from (framed[start : start + length] for start in range(len(framed) - length + 1))
