"""The lexicon: the words of `lexicon.toml`, as the grammar and those who guess by names look them up."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from importlib.resources import files
from typing import Any, get_args

from scrapewright.query.reading import FieldType

_DATA: dict[str, Any] = tomllib.loads(files(__package__).joinpath("lexicon.toml").read_text(encoding="utf-8"))


def word_set(words: str) -> frozenset[str]:
    """Words written as running text, which is read and kept in order more easily than as quoted items."""
    return frozenset(words.split())


CANONICAL: dict[str, str] = {}
"""Words of all languages by the English word that they stand for."""
for _name, _words in _DATA["words"].items():
    CANONICAL[_name] = _name
    for _word in _words.split():
        CANONICAL.setdefault(_word, _name)
SHORT: dict[str, dict[str, str]] = {
    language: {word: name for name, _, word in (pair.partition("=") for pair in pairs.split())}
    for language, pairs in _DATA["short"].items()
}
"""The same for words that are another one in each language, by language."""
NUMBERS: dict[str, int] = {"one": 1}
"""Number words by their values."""
for _group in _DATA["values"]["numbers"].split("|"):
    _value, *_names = _group.split()
    NUMBERS.update(dict.fromkeys(_names, int(_value)))
MONTHS: dict[str, int] = {
    word: n for n, names in enumerate(_DATA["values"]["months"].split("|"), 1) for word in names.split()
}
SMALL: dict[str, frozenset[str]] = {language: word_set(words) for language, words in _DATA["small"].items()}
"""By language, words that say nothing of what the rows are to be."""
RESTRICTING = word_set(_DATA["restricting"]["words"])
"""Words before a noun that leave out some of its kind."""

TYPES: dict[str, FieldType] = {}
"""The type that a column of a concept has."""
_EXACT: dict[str, str] = {}
_STEMS: dict[str, str] = {}
for _kind in get_args(FieldType):
    for _name, _words in _DATA["concepts"].get(_kind, {}).items():
        TYPES[_name] = _kind
        for _word in _words.split():
            _EXACT.setdefault(_word.rstrip("*"), _name)
            if _word.endswith("*"):
                _STEMS.setdefault(_word[:-1], _name)


def concept_of(word: str) -> str:
    """The concept that a single word (lower case) names, or ""."""
    if word in _EXACT:
        return _EXACT[word]
    stems = (word[:-cut] for cut in range(1, 5) if len(word) - cut >= 3)
    return next((_STEMS[stem] for stem in stems if stem in _STEMS), "")


def concepts_of(words: Sequence[str]) -> list[str]:
    """The concepts that the words of a name stand for, in their order, without those that stand for none."""
    joined = "_".join(words)
    return [_EXACT[joined]] if joined in _EXACT else [concept for concept in map(concept_of, words) if concept]
