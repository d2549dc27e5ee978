"""The columns that a request names each at the beginning of a line.

In: the request's tokens. Out: the longest run of lines that are a name alone, or a name and a mark (colon, dash, arrow,
comma, bracket, a row of dots, several blanks) with a note ("price: integer, euros"), which may be in any words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scrapewright.query.column_lists import ARTICLES, GIVE, NO_NAME, Item, Listed
from scrapewright.query.lexicon import named_concepts, word_set
from scrapewright.query.tokens import Tokens, unquoted

LINES = frozenset({"\n", "•"})
_MARKS = word_set("( [ : = - – — -> => → ← , ; | … .")
LEAST = 3
"""Lines, or two where they are bulleted or have names like `list_price`."""


class _Line(NamedTuple):
    """A line. `item`: its column. `kind`: its bullet or its indent. `apart`: whether an empty line is before it."""

    item: Item | None
    kind: str
    apart: bool


def lines_of_columns(tokens: Tokens) -> Listed | None:
    """The longest list, None where no lines are one."""
    best: tuple[Item, ...] = ()
    items: dict[str, Item] = {}
    kind = ""
    for line in (*_lines(tokens), _Line(None, "end", True)):
        follows = bool(items) and line.kind == kind and not line.apart
        new = line.item is not None and line.item.name not in items
        if not (follows and new):
            # where one of the points is no column the others need not be
            bulleted = kind == "•"
            if len(items) > len(best) and not (follows and bulleted) and _credible(tokens, [*items.values()], bulleted):
                best = tuple(items.values())
            items = {}
        if line.item is not None and (new or not (follows and line.kind == "•")):
            items[line.item.name] = line.item
        kind = line.kind
    return Listed(best, (), best[-1].end) if best else None


def _lines(tokens: Tokens) -> Iterator[_Line]:
    """The lines but for the first."""
    breaks = 0
    for n, token in enumerate(tokens.all):
        if token.word in LINES:
            breaks += not token.depth
        elif breaks:
            bullet = tokens.all[n - 1].word == "•"
            stop = next((at for at in range(n, len(tokens.all)) if tokens.all[at].word in LINES), len(tokens.all))
            indent = token.start - tokens.raw.rfind("\n", 0, token.start)
            yield _Line(_line(tokens, n, stop, bullet), "•" if bullet else str(indent), breaks > 1 + bullet)
            breaks = 0


def _line(tokens: Tokens, n: int, stop: int, bullet: bool) -> Item | None:
    """The column that a line begins with: a word, with a bullet or in a row of a table up to three."""
    if n < stop and tokens.all[n].word == "|":  # a table: "| price | in euros |"
        n, stop, bullet = n + 1, stop - (tokens.all[stop - 1].word == "|"), True
    first = n
    while n < min(stop, first + (3 if bullet else 1)) and (tokens.all[n].kind == "W" or (n == first != stop)):
        n += 1
    words = [part for token in tokens.all[first:n] for part in unquoted(token).split()]
    low = [word.lower() for word in words]
    named = 0 < len(words) <= 3 and all(re.fullmatch(r"[^\W\d_][\w-]*", word) for word in words)
    telling = [word for word in low if word != "no" or len(low) == 1]  # "ref no"
    heads = n - first == 1 and tokens.all[first].word == "column"  # of the table
    if not named or heads or low[0] in GIVE or any(word in NO_NAME or word in ARTICLES for word in telling):
        return None
    item = Item(words[0] if len(words) == 1 else "_".join(low), words=tuple(words), start=first, end=stop)
    if n == stop:
        return item
    apart = tokens.all[n].start - tokens.all[n - 1].end > 1
    item.behind = "apart" if apart else tokens.all[n].word
    marked = not _MARKS.isdisjoint({tokens.all[n].word, tokens.all[n].text})
    if not (marked or apart) or (n + 1 < stop and tokens.all[n + 1].kind == "U"):  # "source: https://…"
        return None
    bracket = tokens.all[n].word in {"(", "["} and tokens.closes.get(n) == stop - 1
    note = tokens.said(n + marked, stop - bracket).strip(" ;,.|…")
    item.notes += [note] if note else []
    return item if note or tokens.all[n].word in {",", ";"} else None  # "Columns:" heads what follows


def _credible(tokens: Tokens, items: Sequence[Item], bulleted: bool) -> bool:
    """Whether the lines are a list of columns: they are headed so, or enough of them, and most names say what they hold
    or are written as names are."""
    telling = sum("_" in item.name or bool(named_concepts(item.name)) or item.typed for item in items)
    ruled = bulleted or all(item.behind in _RULES for item in items)
    marked = ruled or any("_" in item.name and not item.several for item in items)
    plain = ruled and len(items) >= LEAST and not any(item.several for item in items)
    enough = len(items) >= (2 if marked else LEAST)
    return enough and (plain or _is_headed(tokens, items[0].start) or 2 * telling >= len(items))


_RULES = frozenset({"|", ".", "…", "apart"})
"""What stands behind a name in a table of text."""


def _is_headed(tokens: Tokens, n: int) -> bool:
    """Whether the line before says that the columns follow."""
    while n and tokens.all[n - 1].word in {*LINES, ":"}:
        n -= 1
    return n > 0 and tokens.all[n - 1].word == "column"
