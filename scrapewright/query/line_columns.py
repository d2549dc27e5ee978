"""The columns that lines of a request begin with, one each, and what is said of them behind it.

In: the request's tokens. Out: the longest run of lines that are a name alone, or a name and a mark (colon, dash, arrow,
comma, bracket) with a note: "price: integer, euros". What a note says may be in any words.
"""

from __future__ import annotations

import re

from scrapewright.query.columns import ARTICLES, GIVE, LINES, NO_NAME, Item, Listed
from scrapewright.query.lexicon import named_concepts, word_set
from scrapewright.query.notes import read_note
from scrapewright.query.tokens import Tokens, unquoted

_MARKS = word_set("( [ : = - – — -> => → , ;")
_JOINTS = frozenset({",", "and", "/", "&"})
_OF_ROWS = word_set("sort first last page section table row only not skip all limit unique")
"""What says something of the rows, where a note follows: "sort: by price"."""
_ABOUT = word_set("format output file source filter filters limit example note notes")
LEAST = 3
"""Lines, or two where they are bulleted or have names like `list_price`."""


def lines_of_columns(tokens: Tokens) -> Listed | None:
    """The list, None where no lines are one."""
    best: Listed | None = None
    n = 0
    while n < len(tokens.all):
        if tokens.all[n].word not in LINES or tokens.all[n].depth:
            n += 1
            continue
        found = _run(tokens, n)
        n = max(n + 1, found.end)
        if _credible(found) and (best is None or len(found.items) > len(best.items)):
            best = found
    return best


def _run(tokens: Tokens, n: int) -> Listed:
    """The items of the lines from a line break on; an empty line ends them."""
    items: dict[str, Item] = {}
    start = end = n
    bulleted = False
    lasts: list[tuple[int, list[Item]]] = []
    while n < len(tokens.all) and tokens.all[n].word in LINES:
        breaks = n
        while n < len(tokens.all) and tokens.all[n].word in LINES:
            n += 1
        bullet = tokens.all[n - 1].word == "•"
        if items and (n - breaks > 1 + bullet or bullet != bulleted):
            break
        stop = next((at for at in range(n, len(tokens.all)) if tokens.all[at].word in LINES), len(tokens.all))
        found = _line(tokens, n, stop, bullet)
        if not found or any(item.name in items for item in found):
            if bullet and bulleted:
                return Listed(start, stop, [], "")  # one of the points is no column: nor need the others be
            break
        start = start if items else n
        bulleted = bullet
        items.update((item.name, item) for item in found)
        lasts.append((end, found))
        n = end = stop
    while lasts and _speaks_of(lasts[-1][1], list(items)):
        end, found = lasts.pop()
        for item in found:
            del items[item.name]
    return Listed(start, end, list(items.values()), "lines" if bulleted else "line")


def _speaks_of(found: list[Item], names: list[str]) -> bool:
    """Whether a line whose name says nothing of a value has another column in its note: "order: by price"."""
    words = set(re.findall(r"\w+", " ".join(found[0].notes).casefold()))
    known = "_" in found[0].name or named_concepts(found[0].name.lower().split("_"))
    return not known and any(name.casefold() in words for name in names if name != found[0].name)


def _line(tokens: Tokens, n: int, stop: int, bullet: bool) -> list[Item]:
    """The columns that a line begins with; several where names are joined: "height, width: in cm"."""
    items: list[Item] = []
    lead = n
    while n < stop:
        first, n = n, _name_end(tokens, n, stop, bullet)
        words = [part for token in tokens.all[first:n] for part in unquoted(token).split()]
        if not words or not _is_name(words):
            return []
        joined = n < stop and tokens.all[n].word in _JOINTS and _is_next(tokens, n, stop)
        if n < stop and not joined and _MARKS.isdisjoint({tokens.all[n].word, tokens.all[n].text}):
            return []
        items.append(Item("_".join(words) if len(words) == 1 else "_".join(words).lower(), several=len(words) > 1))
        if not joined:
            break
        n += 1
    bracket = n < stop and tokens.all[n].word in {"(", "["} and tokens.closes.get(n) == stop - 1
    said = tokens.said(n + 1, stop - bracket) if n < stop else ""
    note = said.strip(" ;,.")
    if n + 1 < stop and tokens.all[n + 1].kind == "U":
        return []  # "source: https://…"
    if n < stop and not note:
        return [] if tokens.all[n].word not in {",", ";"} else items  # "Columns:" heads what follows
    if (
        note
        and len(items) == 1
        and not bullet
        and read_note(note).type is None
        and (tokens.all[lead].word in _OF_ROWS or tokens.all[lead].text.lower() in _ABOUT)
    ):
        return []
    for item in items:
        item.notes += [note] if note else []
    return items


def _name_end(tokens: Tokens, n: int, stop: int, bullet: bool) -> int:
    """Behind the word that a name is, or behind the few words of a name with a bullet."""
    most = n + (3 if bullet else 1)
    if tokens.all[n].kind == "Q":
        return n + 1
    while n < min(stop, most) and tokens.all[n].kind == "W" and tokens.all[n].word not in _JOINTS:
        n += 1
    return n


def _is_name(words: list[str]) -> bool:
    low = [word.lower() for word in words]
    return (
        len(words) <= 3
        and all(re.fullmatch(r"[^\W\d_][\w-]*", word) for word in words)
        and not any(word in NO_NAME or word in ARTICLES for word in low)
        and low[0] not in GIVE
    )


def _is_next(tokens: Tokens, n: int, stop: int) -> bool:
    """Whether one more name follows a joint: a word that says what a column holds (behind a slash any), and a mark or
    the end behind it."""
    joint, n = tokens.all[n].word, n + 1
    if n >= stop or tokens.all[n].kind != "W":
        return False
    name = tokens.all[n].text.lower()
    ends = n + 1 == stop or tokens.all[n + 1].word in _MARKS | _JOINTS
    return ends and (joint == "/" or "_" in name or bool(named_concepts([name])))


def _credible(found: Listed) -> bool:
    """Whether the lines are a list of columns: enough of them, and most names say what they hold or are written as
    names are."""
    names = [item.name for item in found.items]
    telling = sum("_" in name or bool(named_concepts(name.lower().split("_"))) for name in names)
    marked = found.marker == "lines" or any("_" in item.name and not item.several for item in found.items)
    plain = found.marker == "lines" and len(names) >= LEAST and not any(item.several for item in found.items)
    return len(names) >= (2 if marked else LEAST) and (plain or 2 * telling >= len(names))
