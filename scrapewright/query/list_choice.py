"""Which list of names in a request are the columns. In: the request's tokens; out: the likeliest list and how likely
it is.

Every list that can be read is weighed by what it and the words around it look like: a conditional logit over the lists
of one request (McFadden 1974), whose weights are fitted on requests with known columns (`make calibrate-requests`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scrapewright.query.column_lists import (
    ARTICLES,
    CLAUSE_NOUNS,
    GIVE,
    NO_NAME,
    NO_START,
    PIECE_AT_MOST,
    Item,
    Listed,
    after_separators,
    lists,
    piece_end,
    plural,
    read_item,
    small_words,
)
from scrapewright.query.lexicon import GRAMMAR, named_concepts, word_set
from scrapewright.query.logit import shares, weights
from scrapewright.query.notes import date_format, read_note
from scrapewright.query.tokens import Tokens

_SHOWN = word_set("with column and per all csv json of is in as for from on to row sort only without not where")
"""Words of the grammar that tell by themselves what stands beside a list."""
NONE = "no list"
"""The one feature of a request that lists no columns."""
_FORMATS = word_set("csv json jsonl")
_OF_SEVERAL = word_set("dates numbers prices times links urls values amounts")
"""What several columns are together: "title, opened, closed; dates as YYYY-MM-DD"."""
_ORDERS = word_set("sort first last up down newest oldest cheapest dearest highest lowest")
"""Words of orders, which may stand behind the last column: "name, price, cheapest first"."""


class Chosen(NamedTuple):
    """A list with how likely it is the one that is meant, 0.0 to 1.0."""

    found: Listed
    likelihood: float


def likeliest(tokens: Tokens) -> Chosen | None:
    """The likeliest of the lists of a request; None where there is none. That a request has no list of columns is
    weighed against them, but where it says "columns:": those behind it are weighed against each other alone."""
    every = list(lists(tokens))
    if not every:
        return None
    headed = [one for one in every if _is_headed(tokens, one)]
    found = headed or every
    none = weights("list_choice").get(NONE, 0.0) if not headed else -math.inf
    *likely, _ = shares([*(score(tokens, one) for one in found), none])
    best = found[likely.index(max(likely))]
    return Chosen(best, sum(share for one, share in zip(found, likely, strict=True) if one.names == best.names))


def _is_headed(tokens: Tokens, found: Listed) -> bool:
    """Whether "columns:" stands right before it."""
    start = found.items[0].start
    return start > 1 and tokens.all[start - 1].word == ":" and tokens.all[start - 2].word == "column"


def score(tokens: Tokens, found: Listed) -> float:
    """How well a list fits by the weights: the logarithm of its odds, but for a constant of the request."""
    known = weights("list_choice")
    return sum(known.get(name, 0.0) * value for name, value in features(tokens, found).items())


def features(tokens: Tokens, found: Listed) -> dict[str, float]:
    """What a list looks like: how often each thing is so."""
    counted: dict[str, float] = {}
    for name, value in _features(tokens, found):
        if value:
            counted[name] = counted.get(name, 0.0) + value
    return counted


def _features(tokens: Tokens, found: Listed) -> Iterator[tuple[str, float]]:
    items, count, small = found.items, len(found.items), small_words(tokens)
    start, depth = items[0].start, tokens.all[items[0].start].depth
    yield f"items={min(count, 7)}", 1
    yield "items", math.log(count)
    yield "whole names", found.whole
    before, further = _class(tokens, start - 1, small), _class(tokens, start - 2, small)
    yield f"before={before}", 1
    yield f"before that={further}", 1
    yield f"both before={further}|{before}", 1
    yield f"headed, items={min(count, 3)}", _is_headed(tokens, found)
    yield f"behind={_class(tokens, items[-1].end, small)}", 1
    telling = [_tells(item) for item in items]
    yield "telling", sum(telling)
    yield "not telling", count - sum(telling)
    yield "share telling", sum(telling) / count
    yield "first telling", telling[0]
    yield "last telling", telling[-1]
    for at, item in enumerate(items):
        yield from _of_item(tokens, item, "first" if at == 0 else "last" if at == count - 1 else "inner", small)
        if found.codes and not item.code:
            yield "no code", 1
    yield f"all with codes, items={min(count, 3)}", found.codes and all(item.code for item in items)
    code_like = sum("_" in item.name and len(item.words) == 1 for item in items)
    several = sum(item.several for item in items)
    yield "code-like and several words", bool(code_like and several)
    yield "share of several words", several / count
    yield "share code-like", code_like / count
    yield "several words, not English", several / count if tokens.language != "en" else 0.0
    yield from _of_marks(found.separators)
    yield from _of_scripts(items)
    yield f"depth={depth}", 1
    yield from _around(tokens, found, depth, small)


def _of_item(tokens: Tokens, item: Item, place: str, small: frozenset[str]) -> Iterator[tuple[str, float]]:
    words = len(item.words)
    yield f"words of the {place}={min(words, 4)}", 1
    yield f"words={min(words, 5)}", 1
    yield "ends cleanly" if not item.rest else f"does not end cleanly, {place}", 1
    if item.rest:
        yield "words behind", min(item.rest, 6)
        yield f"behind a name={_class(tokens, item.end, small)}", 1
    yield "noted", bool(item.notes)
    yield "typed", item.typed
    if item.code:
        yield "code" if "_" in item.code else "plain code", 1
        yield "code telling", bool(named_concepts(item.code))
        yield "code of capitals", item.code.isupper()
        yield f"code behind={item.behind}", 1
        yield f"code in a script of its own, {item.behind}", item.code.isascii() != all(map(str.isascii, item.words))
        yield "short code", len(item.code) < 3
    yield "no name", any(word.lower() in NO_NAME for word in item.words)
    first = item.words[0].lower()
    yield "begins small", (first in small or first in GIVE) and not named_concepts(first)
    yield "begins with a number", first.isdigit()
    yield "quoted", item.quoted
    yield "a type's name", read_note(item.name).type is not None and not named_concepts(item.name)
    yield "plural", plural(item.name)
    yield f"led to, {place}", bool(item.lead)
    yield f"of several columns, {place}", first in _OF_SEVERAL
    yield f"of several columns, said, {place}", first in _OF_SEVERAL and bool(item.notes)
    yield "a format", first in _FORMATS
    yield "begins as no name does", tokens.all[item.start].word in NO_START and first not in CLAUSE_NOUNS
    yield f"says an order, {place}", _says_order(tokens, item)
    yield "capitals", item.name.isupper() and len(item.name) > 1
    yield "form of a date", date_format(item.name)[0] is not None
    yield "code-like", "_" in item.name and not item.code and words == 1


def _of_scripts(items: Sequence[Item]) -> Iterator[tuple[str, float]]:
    """Whether names are in several scripts, and whether one could have been taken in that of the others."""
    scripts = [item.name.isascii() for item in items]
    if all(scripts) or not any(scripts):
        return
    yield "several scripts", 1
    yield "first in another script", len(items) > 2 and scripts[1:] == [not scripts[0]] * (len(items) - 1)
    yield "last in another script", len(items) > 2 and scripts[:-1] == [not scripts[-1]] * (len(items) - 1)
    yield (
        "said in the other script",
        any(item.notes and not item.name.isascii() and item.notes[0].isascii() for item in items),
    )


def _of_marks(separators: Sequence[str]) -> Iterator[tuple[str, float]]:
    marks = sorted({*separators} - {"and"})
    yield f"kinds of marks={min(len(marks), 3)}", 1
    for mark in marks:
        yield f"mark={mark}", 1
    yield "and in the middle", "and" in separators[:-1]
    yield "and at the end", separators[-1:] == ("and",)
    yield "two with and", tuple(separators) == ("and",)


def _around(tokens: Tokens, found: Listed, depth: int, small: frozenset[str]) -> Iterator[tuple[str, float]]:
    """What stands around a list: words before it in its piece, a further item behind it, the address."""
    start, marks = found.items[0].start, {*found.separators} - {"and"}
    at, words = start - 1, 0
    while at >= 0 and words < PIECE_AT_MOST and tokens.all[at].depth == depth and not _breaks(tokens, at):
        at, words = at - 1, words + 1
    yield f"words before={min(words, 4)}", 1
    yield f"before the piece={_class(tokens, at, small)}", 1
    inner = at >= 0 and tokens.all[at].depth == depth and after_separators(tokens, at, depth)[0] > at
    yield "behind a separator", inner and not words
    n, further = after_separators(tokens, found.stop, depth)
    yield "ends", not further
    yield f"ends, depth={depth}", not further
    if further and n < len(tokens.all) and tokens.all[n].kind in "WQ":
        stop = piece_end(tokens, n, depth)
        more = read_item(tokens, n, stop, codes=found.codes, whole=found.whole, inner=True) if stop > n else None
        yield "more", more is not None
        yield "more of no name", more is None
        if more is not None:
            yield "more, telling", _tells(more)
            yield "more, clean", not more.rest
            behind = _class(tokens, more.end, small)
            yield f"more, behind={behind}", 1
            yield f"more, telling, behind={behind}", _tells(more)
            yield f"more, words={min(4, len(more.words))}", 1
            yield "more, typed", more.typed
            yield "more, says an order", _says_order(tokens, more)
            yield "more, code", bool(more.code)
            yield "more, same mark", not marks or tokens.all[found.stop].word in marks
    addresses = [n for n, token in enumerate(tokens.all) if token.kind == "U"]
    yield "behind the address", bool(addresses) and start > addresses[0]
    yield "just behind an address", any(start - 4 <= n < start for n in addresses)
    yield "place", start / len(tokens.all)


def _says_order(tokens: Tokens, item: Item) -> bool:
    """Whether its words are those of an order: "cheapest first"."""
    words = {token.word for token in tokens.all[item.start : item.end + item.rest]}
    return "alphabetical" in words or (len(words) > 1 and not words.isdisjoint(_ORDERS))


def _breaks(tokens: Tokens, n: int) -> bool:
    token = tokens.all[n]
    marks = {",", ";", "、", "・", "·", "•", "|", "and", "\n", ":", "—", "–", "->", "→", "=>"}
    return token.kind == "U" or tokens.ends_sentence(n) or token.word in marks


def _tells(item: Item) -> bool:
    """Whether a name says what the column holds, or is written as names in programs are."""
    return bool(named_concepts(item.name)) or ("_" in item.name and not item.several)


def _class(tokens: Tokens, n: int, small: frozenset[str]) -> str:
    """The kind of a token, in a word; "start" and "end" outside of the request."""
    if not 0 <= n < len(tokens.all):
        return "start" if n < 0 else "end"
    token, low = tokens.all[n], tokens.all[n].text.lower()
    if token.kind in "MB":
        return "stop" if tokens.ends_sentence(n) and token.word != "\n" else token.word
    if token.kind != "W":
        return token.kind
    kinds = (
        (low in GIVE, "give"), (low in ARTICLES, "article"), (token.word in _SHOWN, token.word),
        (token.word in GRAMMAR, "grammar"), (low in small, "small"), (read_note(low).type is not None, "type"),
        ("_" in low, "code-like"),
    )  # fmt: skip
    return next((name for holds, name in kinds if holds), "word")
