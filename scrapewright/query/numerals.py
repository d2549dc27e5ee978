"""How numbers are written: grouped digits, decimal marks, signs, brackets, and words that scale them.

The notations are those of CLDR's number patterns (Unicode TR 35, part 3): groups of three with a point, comma, blank or
apostrophe, the Indian 12,34,567, and the minus as hyphen or U+2212.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

import msgspec

BLANKS = " \u00a0\u202f\u2009"
"""Blanks that group digits: plain, no-break, narrow no-break and thin."""
APOSTROPHES = "'’"
MINUS = "-−–‑﹣－"
"""Characters that are written for a minus: hyphen, U+2212, en dash, no-break hyphen, small and full-width hyphen."""
SURE_MINUS = "−﹣－"

_HEAD = "[1-9][0-9]{0,2}"
NUMERAL = (
    rf"{_HEAD}(?:[{BLANKS}]\d{{3}}(?!\d))+(?:[.,]\d+)?|{_HEAD}(?:[{APOSTROPHES}]\d{{3}}(?!\d))+(?:[.,]\d+)?"
    r"|\d+(?:[.,]\d+)*"
)
"""A number without its sign, as a regular expression. Blanks and apostrophes group by threes only."""
_NUMERAL = re.compile(NUMERAL)

_FAMILIES: tuple[dict[str, float], ...] = (
    {"thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12},
    {"thousands": 1e3, "millions": 1e6, "billions": 1e9},
    {"K": 1e3, "M": 1e6, "B": 1e9},
    {"k": 1e3, "m": 1e6, "b": 1e9},
    {"mn": 1e6, "bn": 1e9, "tn": 1e12},
    {"Tsd": 1e3, "Mio": 1e6, "Mrd": 1e9},
    {"tausend": 1e3, "Million": 1e6, "Millionen": 1e6, "Milliarde": 1e9, "Milliarden": 1e9},
    {"mille": 1e3, "million": 1e6, "millions": 1e6, "milliard": 1e9, "milliards": 1e9},
    {"mil": 1e3, "millón": 1e6, "millones": 1e6},
    {"mila": 1e3, "milione": 1e6, "milioni": 1e6, "mln": 1e6, "miliardo": 1e9, "miliardi": 1e9, "mld": 1e9},
    {"mil": 1e3, "milhão": 1e6, "milhões": 1e6, "bilhão": 1e9, "bilhões": 1e9},
    {"duizend": 1e3, "miljoen": 1e6, "mln": 1e6, "miljard": 1e9, "mld": 1e9, "mrd": 1e9},
    {"tusen": 1e3, "mkr": 1e6, "miljon": 1e6, "miljoner": 1e6, "mio": 1e6, "mia": 1e9, "miljarder": 1e9},
    {"tys": 1e3, "tis": 1e3, "mln": 1e6, "mil": 1e6, "mld": 1e9, "milion": 1e6, "milionów": 1e6, "miliard": 1e9},
    {"тыс": 1e3, "тысяч": 1e3, "млн": 1e6, "миллион": 1e6, "миллионов": 1e6, "млрд": 1e9, "миллиардов": 1e9},
    {"ezer": 1e3, "millió": 1e6, "milliárd": 1e9},
    {"milyon": 1e6, "milyar": 1e9},
    {"lakh": 1e5, "lakhs": 1e5, "lac": 1e5, "crore": 1e7, "crores": 1e7},
    {"千": 1e3, "万": 1e4, "萬": 1e4, "亿": 1e8, "億": 1e8, "兆": 1e12},
    {"천": 1e3, "만": 1e4, "억": 1e8, "조": 1e12},
)
"""Words that scale the number before them, those that are found together on a page side by side."""
SCALES: dict[str, float] = {word.lower(): size for family in reversed(_FAMILIES) for word, size in family.items()}
_GLUED = "".join(word for word in SCALES if len(word) == 1 and not word.isascii())
_LETTERS = frozenset("kmb")
_WORDS = "|".join(sorted((re.escape(word) for word in SCALES if len(word) > 1), key=len, reverse=True))
_SCALE = re.compile(
    rf"(?P<glued>[{_GLUED}])|(?P<gap>[-{BLANKS}]?)(?:(?P<word>{_WORDS})|(?P<letter>[kmb]))(?P<money>[€$£¥]?)(?!\w)",
    re.I,
)
_UNSURE = frozenset({"mil", "mille", "mila", "tis", "mia", "lac", "mkr"})
CURRENCY = "$€£¥₽₩₹₺₴"
_BEFORE = re.compile(
    rf"(?P<before>[^\s]?)(?P<space>[ ]*)(?P<sign>[{re.escape(MINUS)}])(?P<gap>\s?)"
    rf"(?P<money>(?:[{CURRENCY}]|(?:US|CA|AU)\$|[A-Z]{{3}}|Rs\.?|kr\.?)?)\s?$"
)
_PRICED = re.compile(rf"(?:[{CURRENCY}]|\b[A-Z]{{3}}|Rs\.?)\s?$")


class Numeral(msgspec.Struct, frozen=True):
    """A number as written in a text.

    `sign`: -1 a minus comes before it, 1 none, 0 it can be read both ways (brackets, a dash that may divide).
    `scale` is what the word after it multiplies by; `sure`, that it can't be anything else ("m" can be metres).
    `word` is the scaling word as written.
    """

    start: int
    end: int
    text: str
    sign: int = 1
    scale: float = 1.0
    sure: bool = True
    word: str = ""


def numerals(text: str) -> Iterator[Numeral]:
    """The numbers in a text, in order."""
    for match in _NUMERAL.finditer(text):
        scale, sure, word = scale_after(text, match.start(), match.end())
        yield Numeral(match.start(), match.end(), match[0], _sign(text, match), scale, sure, word)


def scale_after(text: str, start: int, end: int) -> tuple[float, bool, str]:
    """(factor, whether it is surely one, the word) of the number at start:end; (1.0, True, "") without a word."""
    found = _SCALE.match(text, end)
    if found is None:
        return 1.0, True, ""
    if found["glued"]:
        return SCALES[found["glued"]], True, found["glued"]
    word = found["word"] or found["letter"]
    sure = word.lower() not in _UNSURE
    if found["letter"]:
        priced = bool(found["money"]) or _PRICED.search(text, max(0, start - 6), start) is not None
        sure = priced or (not found["gap"] and word in "kKMB")
    return SCALES[word.lower()], sure, word


def family(words: frozenset[str]) -> dict[str, float]:
    """Scaling words to expect where these were seen, as written, with their factors."""
    found: dict[str, float] = {}
    for word in words:
        found.update(next((one for one in _FAMILIES if word in one), {}))
    return found | {word: SCALES[word.lower()] for word in words}


_NAMED = re.compile(
    r"millio|millió|miljo|milió|milhõ|miljar|milyon|\bmio\b|mln|млн|milliar|billio|mrd|thousand|tausend|\btsd|тыс|万|億|만",
    re.I,
)


def names_scale(said: str) -> bool:
    """Whether a request gives the unit itself ("in millions"): the number is wanted as written before the word."""
    return _NAMED.search(said) is not None


def _sign(text: str, match: re.Match[str]) -> int:
    start, end = match.span()
    found = _BEFORE.search(text, max(0, start - 12), start)
    if found is not None:
        return _dash(found)
    if re.search(r"\(\s?[^\w\s()]?\s?$", text[:start]) and re.match(r"\s?[^\w\s()]?\s?\)", text[end:]):
        return 0
    return 1


def _dash(found: re.Match[str]) -> int:
    """What a dash before a number is: a minus (-1), the mark of a range or a hyphen (1), or either (0)."""
    before, spaced, gap = found["before"], bool(found["space"]), bool(found["gap"])
    if before and not spaced:
        if before.isalnum() or before in ".,%)]" or before in MINUS:
            return 1
        return -1  # after a bracket, a colon, a currency's sign
    sure = found["sign"] in SURE_MINUS
    if before and (before.isdigit() or before in "%)]" or before in CURRENCY):
        return 1 if gap and not sure else 0
    if gap and not sure:
        return 0 if not before else 1
    return -1


@lru_cache(maxsize=1 << 15)
def readings(token: str) -> frozenset[float]:
    """What a number without its sign can mean: a grouped or decimal one never means its parts."""
    if len(token) > 40:
        return frozenset()
    marks = re.findall(r"\D", token)
    parts = re.split(r"\D", token)
    if not marks:
        return frozenset({float(token)})
    decimal = marks[-1] if marks[-1] in ".," else ""
    grouping = set(marks[:-1] if decimal else marks)
    found: set[float] = set()
    if len(grouping) <= 1 or not grouping - set(BLANKS):
        if decimal not in grouping and (not grouping or _grouped(parts[:-1] if decimal else parts)):
            found.add(float("".join(parts[:-1]) + "." + parts[-1] if decimal else "".join(parts)))
        if len(set(marks)) == 1 and _grouped(parts):
            found.add(float("".join(parts)))
    if len(parts) == 2 and _month_and_year(parts):
        found |= {float(part) for part in parts}
    if not found:  # a date, a version, a list: each of its figures may be meant
        found = {float(part) for part in parts}
        if decimal:
            found.add(float(parts[-2] + "." + parts[-1]))
            found.add(float("".join(parts[:-1]) + "." + parts[-1]))
    return frozenset(found)


def _grouped(parts: list[str]) -> bool:
    """Digits in threes after a head, or the Indian way: twos, and three at the end."""
    head, *rest = parts
    if not rest or not 1 <= len(head) <= 3 or head.startswith("0"):
        return False
    if all(len(part) == 3 for part in rest):
        return True
    return len(head) <= 2 and len(rest[-1]) == 3 and all(len(part) == 2 for part in rest[:-1])


def _month_and_year(parts: list[str]) -> bool:
    return any(
        len(month) == 2 and "01" <= month <= "12" and re.fullmatch(r"(19|20)\d\d", year)
        for month, year in (parts, parts[::-1])
    )
