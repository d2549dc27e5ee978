"""The columns that a request names without a list: each at the beginning of a line, or in prose.

In: the request's tokens. Out: of lines, the longest run of those that are a name alone, or a name and a mark (colon,
dash, arrow, comma, bracket) with a note ("price: integer, euros"), which may be in any words; of prose, the names that
its pieces begin with, each cut where it stops being a name: a guess, for somebody to confirm.
"""

from __future__ import annotations

import re

from scrapewright.query import columns
from scrapewright.query.columns import Item, Listed
from scrapewright.query.lexicon import SMALL, concept_of, named_concepts, word_set
from scrapewright.query.reading import Column
from scrapewright.query.tokens import Tokens, unquoted

# In lines.

_MARKS = word_set("( [ : = - – — -> => → , ;")
LEAST = 3
"""Lines, or two where they are bulleted or have names like `list_price`."""


def lines_of_columns(tokens: Tokens) -> Listed | None:
    """The list, None where no lines are one."""
    best: Listed | None = None
    n = 0
    while n < len(tokens.all):
        if tokens.all[n].word not in columns.LINES or tokens.all[n].depth:
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
    while n < len(tokens.all) and tokens.all[n].word in columns.LINES:
        breaks = n
        while n < len(tokens.all) and tokens.all[n].word in columns.LINES:
            n += 1
        bullet = tokens.all[n - 1].word == "•"
        if items and (n - breaks > 1 + bullet or bullet != bulleted):
            break
        stop = next((at for at in range(n, len(tokens.all)) if tokens.all[at].word in columns.LINES), len(tokens.all))
        item = _line(tokens, n, stop, bullet)
        if item is None or item.name in items:
            if bullet and bulleted:
                return Listed(start, stop, [], "")  # one of the points is no column: nor need the others be
            break
        start = start if items else n
        bulleted = bullet
        items[item.name] = item
        n = end = stop
    return Listed(start, end, list(items.values()), "lines" if bulleted else "line")


def _line(tokens: Tokens, n: int, stop: int, bullet: bool) -> Item | None:
    """The column that a line begins with: a word, with a bullet up to three."""
    first = n
    while n < min(stop, first + (3 if bullet else 1)) and (tokens.all[n].kind == "W" or (n == first != stop)):
        n += 1
    words = [part for token in tokens.all[first:n] for part in unquoted(token).split()]
    low = [word.lower() for word in words]
    named = 0 < len(words) <= 3 and all(re.fullmatch(r"[^\W\d_][\w-]*", word) for word in words)
    if not named or low[0] in columns.GIVE or any(word in columns.NO_NAME or word in columns.ARTICLES for word in low):
        return None
    item = Item(words[0] if len(words) == 1 else "_".join(low), several=len(words) > 1)
    if n == stop:
        return item
    if _MARKS.isdisjoint({tokens.all[n].word, tokens.all[n].text}) or (
        n + 1 < stop and tokens.all[n + 1].kind == "U"  # "source: https://…"
    ):
        return None
    bracket = tokens.all[n].word in {"(", "["} and tokens.closes.get(n) == stop - 1
    note = tokens.said(n + 1, stop - bracket).strip(" ;,.")
    item.notes += [note] if note else []
    return item if note or tokens.all[n].word in {",", ";"} else None  # "Columns:" heads what follows


def _credible(found: Listed) -> bool:
    """Whether the lines are a list of columns: enough of them, and most names say what they hold or are written as
    names are."""
    names = [item.name for item in found.items]
    telling = sum("_" in name or bool(named_concepts(name)) for name in names)
    marked = found.marker == "lines" or any("_" in item.name and not item.several for item in found.items)
    plain = found.marker == "lines" and len(names) >= LEAST and not any(item.several for item in found.items)
    return len(names) >= (2 if marked else LEAST) and (plain or 2 * telling >= len(names))


# In prose.

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
    for start, marker in columns.list_starts(tokens):
        items, end = _guessed_items(tokens, start) if marker != "script" else ([], start)
        telling = sum(map(_tells, items))
        if telling >= max(most, 2, len(items) / 2):  # of several the last: less prose comes before its first name
            best, most = Listed(start, end, items, marker), telling
    return columns.columns_of(best) if best is not None else ((), None)


def _guessed_items(tokens: Tokens, n: int) -> tuple[list[Item], int]:
    """The items from a token on as far as each piece begins with a name, and where they end."""
    items: dict[str, Item] = {}
    size, depth, end = len(tokens.all), tokens.all[n].depth if n < len(tokens.all) else 0, n
    mark = ""
    while n < size and not columns.list_ends(tokens, n, depth, list(items.values())):
        stop = columns.piece_end(tokens, n, depth)
        item = _guessed_item(tokens, n, stop)
        if item is None:
            break
        items.setdefault(item.name, item)
        n = end = stop
        own = mark
        while n < size and tokens.all[n].word in columns.SEPARATORS - columns.LINES and tokens.all[n].depth == depth:
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
    lead = columns.ARTICLES | columns.GIVE | small
    while n + 1 < stop and tokens.all[n].word not in columns.NAME_ENDS:
        low = tokens.all[n].text.lower()
        if low not in lead and tokens.all[n].word not in {"all", "per"} and low not in _KINDS:
            break
        n += 1
    words: list[str] = []
    first = n
    while n < stop and len(words) < 4 and columns.goes_on_name(tokens, n, first):
        text, low = tokens.all[n].text, tokens.all[n].text.lower()
        if tokens.all[n].word in columns.NAME_ENDS:
            break
        if tokens.all[n].word == "of" and n + 1 < stop and tokens.all[n + 1].text.lower() in columns.ARTICLES:
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
    if not words or not {words[0].lower(), words[-1].lower()}.isdisjoint(columns.NO_NAME):
        return None
    if tokens.language != "en" and concept_of(words[-1].lower()) and not concept_of(words[0].lower()):
        words = words[-1:]  # what comes before it says how, or that it is wanted: "und zwar Titel"
    bracket = next((at for at in range(n, stop) if tokens.all[at].word == "(" and at in tokens.closes), None)
    note = tokens.said(bracket + 1, tokens.closes[bracket]) if bracket is not None else ""
    name = words[0] if len(words) == 1 else "_".join(words).lower()
    return Item(name, [note] if note else [], several=len(words) > 1)
