"""The columns that a request names each at the beginning of a line.

In: the request's tokens. Out: the longest run of lines that are a name alone, or a name and a mark (colon, dash, arrow,
comma, bracket, a row of dots, several blanks) with a note ("price: integer, euros"), which may be in any words.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from scrapewright.query.column_lists import ARTICLES, GIVE, NO_NAME, Item, Listed
from scrapewright.query.lexicon import named_concepts, word_set
from scrapewright.query.tokens import Tokens, unquoted

LINES = frozenset({"\n", "•"})
_MARKS = word_set("( [ : = - – — -> => → ← , ; | … .")
LEAST = 3
"""Lines, or two where they are bulleted or have names like `list_price`."""


class _Run(NamedTuple):
    """The items of lines one below the other, and the token behind them. `bulleted`: with a mark before each."""

    items: tuple[Item, ...]
    end: int
    bulleted: bool


def lines_of_columns(tokens: Tokens) -> Listed | None:
    """The list, None where no lines are one."""
    best: tuple[Item, ...] = ()
    n = 0
    while n < len(tokens.all):
        if tokens.all[n].word not in LINES or tokens.all[n].depth:
            n += 1
            continue
        found = _run(tokens, n)
        n = max(n + 1, found.end)
        if _credible(tokens, found) and len(found.items) > len(best):
            best = found.items
    return Listed(best, (), best[-1].end) if best else None


def _run(tokens: Tokens, n: int) -> _Run:
    """The items of the lines from a line break on; an empty line ends them."""
    items: dict[str, Item] = {}
    end = n
    bulleted = False
    indent = -1
    while n < len(tokens.all) and tokens.all[n].word in LINES:
        breaks = n
        while n < len(tokens.all) and tokens.all[n].word in LINES:
            n += 1
        bullet = tokens.all[n - 1].word == "•"
        before, indent = indent, _indent(tokens, n)
        if items and (n - breaks > 1 + bullet or bullet != bulleted or (indent != before and not bullet)):
            break
        stop = next((at for at in range(n, len(tokens.all)) if tokens.all[at].word in LINES), len(tokens.all))
        item = _line(tokens, n, stop, bullet)
        if item is None or item.name in items:
            if bullet and bulleted:
                return _Run((), stop, bulleted)  # one of the points is no column: nor need the others be
            break
        bulleted = bullet
        items[item.name] = item
        n = end = stop
    return _Run(tuple(items.values()), end, bulleted)


def _indent(tokens: Tokens, n: int) -> int:
    """How far from the beginning of its line a token is; -1 at the end of the text."""
    if n >= len(tokens.all):
        return -1
    at = tokens.all[n].start
    return at - tokens.raw.rfind("\n", 0, at) - 1


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


def _credible(tokens: Tokens, found: _Run) -> bool:
    """Whether the lines are a list of columns: they are headed so, or enough of them, and most names say what they hold
    or are written as names are."""
    items, names = found.items, [item.name for item in found.items]
    telling = sum("_" in item.name or bool(named_concepts(item.name)) or item.typed for item in items)
    ruled = bool(items) and all(item.behind in _RULES for item in items)
    marked = found.bulleted or ruled or any("_" in item.name and not item.several for item in items)
    plain = (found.bulleted or ruled) and len(names) >= LEAST and not any(item.several for item in items)
    enough = len(names) >= (2 if marked else LEAST)
    return enough and (plain or _is_headed(tokens, items[0].start) or 2 * telling >= len(names))


_RULES = frozenset({"|", ".", "…", "apart"})
"""What stands behind a name in a table of text."""


def _is_headed(tokens: Tokens, n: int) -> bool:
    """Whether the line before says that the columns follow."""
    while n and tokens.all[n - 1].word in {*LINES, ":"}:
        n -= 1
    return n > 0 and tokens.all[n - 1].word == "column"
