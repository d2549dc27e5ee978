"""Words and what they mean: the tables of `lexicon.toml`, for the requests of people and for the names on pages.

Words are compared folded: lower case, no accents, split at anything that is not a letter or a digit.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Any, get_args

from scrapewright.query.reading import FieldType

_DATA: dict[str, Any] = tomllib.loads(files(__package__).joinpath("lexicon.toml").read_text(encoding="utf-8"))


def word_set(words: str) -> frozenset[str]:
    """Words written as running text, which is read and kept in order more easily than as quoted items."""
    return frozenset(words.split())


@lru_cache(maxsize=1 << 15)
def fold(text: str) -> str:
    """Lower case without accents, for comparing; letters of other scripts stay."""
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    kept = "".join(char for char in decomposed if not ("\u0300" <= char <= "\u036f"))
    return unicodedata.normalize("NFC", kept)


@lru_cache(maxsize=1 << 14)
def tokens(text: str) -> tuple[str, ...]:
    """The words of a name or phrase: split at punctuation, underscores and camel case, folded."""
    spaced = re.sub(r"(?<=[a-zа-я0-9])(?=[A-ZА-Я])", " ", text)
    return tuple(word for word in re.split(r"[\W_]+", fold(spaced)) if word)


# The grammar of requests.

CANONICAL: dict[str, str] = {}
"""Words of all languages by the English word that they stand for."""
for _name, _words in _DATA["words"].items():
    CANONICAL[_name] = _name
    for _word in _words.split():
        CANONICAL.setdefault(_word, _name)
GRAMMAR = frozenset(CANONICAL.values())
"""The English words that the phrases of the grammar are written with."""
SHORT: dict[str, dict[str, str]] = {
    language: {word: name for name, _, word in (pair.partition("=") for pair in pairs.split())}
    for language, pairs in _DATA["short"].items()
}
"""The same for words that are another one in each language, by language."""
SMALL: dict[str, frozenset[str]] = {language: word_set(words) for language, words in _DATA["small"].items()}
"""By language, words that say nothing of what the rows are to be."""
ALL_SMALL = frozenset().union(*SMALL.values())
RESTRICTING = word_set(_DATA["restricting"]["words"])
"""Words before a noun that leave out some of its kind."""

# Numbers, months, answers.

NUMBERS: dict[str, int] = {}
"""Number words, with accents and folded, by their values."""
for _value, _words in _DATA["numbers"].items():
    for _word in _words.split():
        NUMBERS[_word] = NUMBERS[fold(_word)] = int(_value)
MONTHS: dict[str, tuple[str, ...]] = {language: tuple(names.split()) for language, names in _DATA["months"].items()}
"""Names of months in lower case, January first, by language."""
_MONTH_STARTS = {"mrt": 3}
for _names in MONTHS.values():
    for _month, _word in enumerate(map(fold, _names), 1):
        for _end in range(3, len(_word) + 1):
            _MONTH_STARTS.setdefault(_word[:_end], _month)
_LONGEST_MONTH = max(map(len, _MONTH_STARTS))
PLAIN_YES, PLAIN_NO, THERE, GONE = (
    frozenset(" ".join(phrase.split()) for phrase in _DATA["answers"][answer].split(","))
    for answer in ("yes", "no", "there", "gone")
)
"""What texts say that are a yes or a no to anything, or that a thing can be had or can't, with accents."""
YES, NO = PLAIN_YES | THERE, PLAIN_NO | GONE


@lru_cache(maxsize=1 << 14)
def month_of(word: str) -> int:
    """The month (1 to 12) whose name a word is, begins or begins with ("Mai", "Sept", "января"), 0 where it is none."""
    low = fold(word)
    return next((_MONTH_STARTS[low[:n]] for n in range(_LONGEST_MONTH, 2, -1) if low[:n] in _MONTH_STARTS), 0)


TYPE_WORDS: dict[str, dict[Any, str]] = _DATA["types"]
"""What notes call the types of columns: phrases by type."""

# What columns and fields are called.

_WEAK = word_set(_DATA["weak"]["words"])
_LOOSE = frozenset({"thing", "other", "count", "measure"})
"""Concepts of words that have a type in common, and no meaning."""
TYPES: dict[str, FieldType] = {}
"""The type that a column of a concept has."""
_EXACT: dict[str, list[tuple[str, bool]]] = {}
_STEMS: dict[str, list[tuple[str, bool]]] = {}
for _kind in get_args(FieldType):
    for _name, _words in _DATA["concepts"].get(_kind, {}).items():
        TYPES[_name] = _kind
        for _word in _words.split():
            _folded, _entry = fold(_word.strip("~*")), (_name, not _word.startswith("~"))
            _EXACT.setdefault(_folded, []).append(_entry)
            if _word.endswith("*"):
                _STEMS.setdefault(_folded, []).append(_entry)


@lru_cache(maxsize=1 << 13)
def _known(word: str) -> Sequence[tuple[str, bool]]:
    """The concepts of a folded word, of its singular or of the words that begin as it does."""
    if word in _EXACT:
        return _EXACT[word]
    for ending in ("s", "es", "en", "n", "e"):
        if len(word) > len(ending) + 3 and word.endswith(ending) and word[: -len(ending)] in _EXACT:
            return _EXACT[word[: -len(ending)]]
    stems = (word[:-cut] for cut in range(1, 5) if len(word) - cut >= 3)
    return next((_STEMS[stem] for stem in stems if stem in _STEMS), ())


@lru_cache(maxsize=1 << 13)
def concepts(word: str) -> frozenset[str]:
    """What the word of a field's name may mean, as far as it is known: "preis" -> {"price"}.

    Of an unknown word two neighbouring letters are tried in the other's place ("prcie"): the commonest slip of a
    typist, and the one that hardly ever gives another word.
    """
    word = fold(word)
    found = _known(word)
    if not found and word.isascii() and word.isalpha() and len(word) > 4:
        slips = (word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1))
        found = next(filter(None, map(_known, slips)), ())
    return frozenset(name for name, _ in found) - _LOOSE


def concepts_of(words: Iterable[str]) -> frozenset[str]:
    """All concepts that the words of a name touch, each and together."""
    words = tuple(words)
    joined = concepts("_".join(words)) if len(words) > 1 else frozenset()
    return frozenset().union(joined, *map(concepts, words))


def concept_of(word: str) -> str:
    """The concept that a single word of a request names, or ""."""
    return next((name for name, asked in _known(fold(word)) if asked), "")


def named_concepts(name: str) -> list[str]:
    """The concepts that the words of a column's name stand for, in their order, without those that stand for none."""
    words = tokens(name)
    joined = concept_of("_".join(words)) if len(words) > 1 else ""
    return [joined] if joined else [concept for concept in map(concept_of, words) if concept]


def weak(word: str) -> bool:
    """A word that says nothing about what a field holds."""
    return word in _WEAK


# English nouns.

_PLURALS = {
    "people": "person", "children": "child", "men": "man", "women": "woman", "feet": "foot", "series": "series"
}  # fmt: skip


def singular(word: str) -> str:
    """An English plural made singular, any other word as it is."""
    if word in _PLURALS or len(word) < 4 or not word.isascii():
        return _PLURALS.get(word, word)
    if re.search(r"(?:[^s]|ss|us|is|news|glasses)$", word):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-2] if re.search(r"(?:[cs]h|ss|zz|x)es$", word) else word[:-1]


def plural(noun: str) -> str:
    """English only: "story" -> "stories"."""
    if noun in _PLURALS.values():
        return next(many for many, one in _PLURALS.items() if one == noun)
    if re.search(r"[^aeiou]y$", noun):
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "z", "ch", "sh")) else "s")
