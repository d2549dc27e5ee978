"""What texts answer to the question that a yes-or-no column asks.

In: texts of a page, and the column. Out: which of them are a yes and which a no, None where that can't be told. A text
answers by a plain yes or no, by saying what the column is called ("Remote", "Not remote", "Unverified"), or, where the
column asks whether a thing can be had, by the words for that ("Sold out").
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import dropwhile

from scrapewright.query.lexicon import CANONICAL, GONE, NO, PLAIN_NO, PLAIN_YES, THERE, fold, singular, tokens
from scrapewright.query.reading import Field

MAX_ANSWER = 40
"""Characters of a text that answers yes or no; a longer one says other things as well."""
MAX_KINDS = 6
_BESIDE = frozenset(
    ("currently", "now", "already", "still", "temporarily", "momentan", "derzeit", "aktuell", "zurzeit")
)
_ASKS = frozenset(("is", "are", "was", "has", "have", "with"))
"""Words before what a column asks: is_open, has_parking."""


def answers(kinds: Sequence[str], field: Field, placeholders: Iterable[str] = ()) -> dict[str, bool] | None:
    """Which of a column's texts are a yes. None where one can't be told, or nothing but a placeholder is."""
    if len(kinds) > MAX_KINDS or any(len(kind) > MAX_ANSWER for kind in kinds):
        return None
    blank = {kind: False for kind in kinds if kind in placeholders}
    texts = [kind for kind in kinds if kind not in blank]
    asked = _Asked(field)
    said = {kind: asked.answer(kind) for kind in texts}
    if all(answer is None for answer in said.values()) and not asked.of_having:
        said = {kind: _had(_spaced(kind)) if _spaced(kind) in _STATES else None for kind in texts}
    open_ = [kind for kind, answer in said.items() if answer is None]
    if any(map(asked.names, open_)) or (open_ and not (True in said.values() and asked.leaves_rest)):
        return None
    found = blank | {kind: bool(answer) for kind, answer in said.items()}
    return None if blank and True not in found.values() else found


def of_mark(text: str, field: Field) -> bool | None:
    """Whether a mark that only some records have says yes to the column, or no; None where it says another thing."""
    asked = _Asked(field)
    return asked.answer(text) if len(text) <= MAX_ANSWER and (asked.names(text) or asked.of_having) else None


def says_no(text: str) -> bool:
    """Whether a text is an answer that says no, or has such words: "Sold out"."""
    return len(text) <= MAX_ANSWER and _has(_spaced(text), NO)


class _Asked:
    """What a column asks: `core` its words, `negative` where a yes is that a thing can't be had."""

    def __init__(self, field: Field) -> None:
        words = tuple(dropwhile(_ASKS.__contains__, field.said.words))
        denied = len(words) > 1 and _is_denial(words[0])
        self.core = tuple(map(singular, words[denied:]))
        name = " ".join(words[denied:])
        gone = _has(name, GONE)
        self.of_having = bool(name) and ("stock" in field.said.concepts or gone or _has(name, THERE))
        self.negative = gone != denied
        self._gone, self._denied = gone, denied
        self.leaves_rest = self.negative or not self.of_having
        """Whether a text that answers nothing is a no where another one is a yes: "On site" for remote; "Few left" is
        not for in_stock."""

    def names(self, text: str) -> bool:
        """Whether a text has what the column is called, or a word that denies it ("unverified")."""
        words = [singular(word) for word in tokens(_spaced(text))]
        return bool(self.core) and (set(self.core) <= set(words) or self._undone(text))

    def answer(self, text: str) -> bool | None:
        """Whether a text says yes; None where it says neither."""
        named = self._named(text) if self.names(text) else None
        if named is not None:
            return named != self._denied
        if not self.names(text) and (plain := _plain(text)) is not None:
            return plain
        had = _had(_spaced(text)) if self.of_having else None
        if had and self._is_less(text):
            had = False  # "available in 5 days" is not "available at once"
        return None if had is None else had != self.negative

    def _named(self, text: str) -> bool | None:
        """Of a text that has the column's words, whether it says just that, or the contrary; None where it says more:
        "Sugar free", "Free for members"."""
        words = [singular(word) for word in tokens(_spaced(text)) if not word.isdigit()]
        rest = [word for word in words if word not in self.core]
        if self._undone(text) or any(map(_is_denial, rest)) or _has(" ".join(rest), GONE):
            return False
        first = [word for word in words if word not in _BESIDE]
        more = [word for word in rest if word not in _BESIDE]
        return True if tuple(first[: len(self.core)]) == self.core and len(more) <= 1 else None

    def _undone(self, text: str) -> bool:
        """Whether a syllable denies the column's word: "unverified", "non-refundable"."""
        return bool(self.core) and re.search(rf"\b(?:un|non)[- ]?{re.escape(self.core[0])}", fold(text)) is not None

    def _is_less(self, text: str) -> bool:
        """Whether a text says only a part of what the column is called."""
        said = [word for phrase in THERE if phrase in _spaced(text) for word in phrase.split()]
        return len(self.core) > 1 and bool(said) and set(map(singular, said)) < set(self.core)


def _is_denial(word: str) -> bool:
    return CANONICAL.get(word, word) in ("not", "without") or word in PLAIN_NO


def _plain(text: str) -> bool | None:
    """A plain yes or no, by itself or before a mark: "Yes (2)", "✗"."""
    first = re.split(r"\s*[,.;:!(/–—]|\s-\s", fold(text).strip(), maxsplit=1)[0].strip()
    marks = {
        mark: answer
        for answer, words in ((True, PLAIN_YES), (False, PLAIN_NO))
        for mark in words
        if not mark[0].isalnum()
    }
    drawn = {answer for mark, answer in marks.items() if mark in text}
    if len(drawn) == 1:
        return drawn.pop()
    return True if first in PLAIN_YES else False if first in PLAIN_NO else None


_STATES = frozenset(map(fold, THERE | GONE))


def _had(said: str) -> bool | None:
    """Whether a text says that a thing can be had, or that it can't."""
    if _has(said, GONE):
        return False
    return not any(map(_is_denial, said.split())) if _has(said, THERE) else None


def _has(said: str, phrases: Iterable[str]) -> bool:
    """Whether a text has one of the phrases in it, in whole words where it is written with blanks."""
    folded = f" {said} "
    return any(f" {_spaced(one)} " in folded or (not one.isascii() and fold(one) in folded) for one in phrases)


def _spaced(text: str) -> str:
    """A text as words, as class names are none: "out-of-stock"; without marks around it."""
    return " ".join(re.sub(r"[-_!.,;:()]+", " ", re.sub(r"n['’]t\b", " not", fold(text))).split())
