"""The columns that a request names in prose, where the grammar reads no list: a guess, for somebody to confirm.

In: the request's tokens. Out: the names that its pieces begin with, each cut where it stops being a name.
"""

from __future__ import annotations

import re

from scrapewright.query.columns import (
    ARTICLES,
    GIVE,
    LINES,
    NAME_ENDS,
    NO_NAME,
    SEPARATORS,
    Item,
    Listed,
    columns_of,
    goes_on_name,
    list_ends,
    list_starts,
    piece_end,
)
from scrapewright.query.lexicon import SMALL, concept_of, named_concepts
from scrapewright.query.reading import Column
from scrapewright.query.tokens import Tokens, unquoted

_FORM = re.compile(r"[YMDHSAJTGR]{2,}(?:[-./:][YMDHSAJTGR]{2,})*")
"""The form of a date, by its letters in several languages: "YYYY-MM-DD", "AAAA/MM/JJ"."""
_NOTED = re.compile(
    r"such|like|tipo|typ|type|formatted|format|form|forma|verbatim|unchanged|exactly|only|strings?|ints?|integers?|floats?"
    r"|decimals?|bool(?:ean)?s?|absolute|full"
)
"""What is said of a column behind its name."""
_KINDS = frozenset({"absolute", "full", "complete"})
"""What is said of a column before its name."""


def guess_columns(tokens: Tokens) -> tuple[tuple[Column, ...], tuple[int, int] | None]:
    """As `find_columns`, of prose: the list with most names that say what they hold, each of its pieces cut where it
    stops being a name. It is a guess, for somebody to confirm.
    """
    best, most = None, 0
    for start, marker in list_starts(tokens):
        items, end = _guessed_items(tokens, start) if marker != "script" else ([], start)
        telling = sum(map(_tells, items))
        if telling >= max(most, 2, len(items) / 2):  # of several the last: less prose comes before its first name
            best, most = Listed(start, end, items, marker), telling
    return columns_of(best) if best is not None else ((), None)


def _guessed_items(tokens: Tokens, n: int) -> tuple[list[Item], int]:
    """The items from a token on as far as each piece begins with a name, and where they end."""
    items: dict[str, Item] = {}
    size, depth, end = len(tokens.all), tokens.all[n].depth if n < len(tokens.all) else 0, n
    mark = ""
    while n < size and not list_ends(tokens, n, depth, list(items.values())):
        stop = piece_end(tokens, n, depth)
        item = _guessed_item(tokens, n, stop)
        if item is None:
            break
        items.setdefault(item.name, item)
        n = end = stop
        own = mark
        while n < size and tokens.all[n].word in SEPARATORS - LINES and tokens.all[n].depth == depth:
            own = tokens.all[n].word if tokens.all[n].word != "and" else own
            n += 1
        mark = mark or own
        if own != mark and mark in {"|", ";"}:  # "date | docket, such as 22-1 | pdf": a note
            while n < size and tokens.all[n - 1].word not in {mark, "\n"}:
                n += 1
        elif own != mark:
            break  # "title, price; one row per book": what comes behind another mark is of another kind
    return list(items.values()), end


def _tells(item: Item) -> bool:
    """Whether the name says what the column holds."""
    return ("_" in item.name and not item.several) or bool(named_concepts(item.name))


def _guessed_item(tokens: Tokens, n: int, stop: int) -> Item | None:
    """The name that a piece begins with, with what follows it in brackets; None where it begins with none."""
    small = SMALL["en"] | SMALL.get(tokens.language, frozenset())
    lead = ARTICLES | GIVE | small
    while n + 1 < stop and tokens.all[n].word not in NAME_ENDS:
        low = tokens.all[n].text.lower()
        if low not in lead and tokens.all[n].word not in {"all", "per"} and low not in _KINDS:
            break
        n += 1
    words: list[str] = []
    first = n
    while n < stop and len(words) < 4 and goes_on_name(tokens, n, first) and tokens.all[n].word not in NAME_ENDS:
        text, low = tokens.all[n].text, tokens.all[n].text.lower()
        if tokens.all[n].word == "of" and n + 1 < stop and tokens.all[n + 1].text.lower() in ARTICLES:
            break
        if words and (
            "_" in words[0]
            or (low in small - {"of"} and not concept_of(low))
            or _FORM.fullmatch(text)
            or _NOTED.fullmatch(low)
        ):
            break
        words += re.findall(r"\w+", unquoted(tokens.all[n]))
        n += 1
    if not words or not {words[0].lower(), words[-1].lower()}.isdisjoint(NO_NAME):
        return None
    if tokens.language != "en" and concept_of(words[-1].lower()) and not concept_of(words[0].lower()):
        words = words[-1:]  # what comes before it says how, or that it is wanted: "und zwar Titel"
    bracket = next((at for at in range(n, stop) if tokens.all[at].word == "(" and at in tokens.closes), None)
    note = tokens.said(bracket + 1, tokens.closes[bracket]) if bracket is not None else ""
    name = words[0] if len(words) == 1 else "_".join(words).lower()
    return Item(name, [note] if note else [], several=len(words) > 1)
