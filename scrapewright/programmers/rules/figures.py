"""Fits steps to numbers: which marks group and divide, where the sign is, what a word behind multiplies by.

Every fit is tried on the values: what the steps make of a text must be the text's own first number, whole, with its
sign and its scale. A notation is settled by the column and not by the single value.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from scrapewright.programmers.rules.ops import FAILURES, Op, Rewrite, Scaled, Search, Swap, ToFloat, ToInt, Trim, run
from scrapewright.query.numerals import APOSTROPHES, BLANKS, CURRENCY, SURE_MINUS, family, numerals, readings

Ops = tuple[Op, ...]


class Fit(NamedTuple):
    """The steps and the share of values (0.0 to 1.0) that they turn into the type."""

    ops: Ops
    share: float


class First(NamedTuple):
    """The first number of a text with its sign: its place, how many numbers there are, its scale."""

    text: str
    start: int
    end: int
    numbers: int
    scale: float
    word: str

    @property
    def token(self) -> str:
        return self.text[self.start : self.end]


@lru_cache(maxsize=1 << 14)
def first_number(text: str, scaled: bool = True) -> First | None:
    """The first number in a text whose minus is a hyphen right before it; None where there is none."""
    found = list(numerals(text))
    if not found:
        return None
    start, end = found[0].start, found[0].end
    if text[start - 1 : start] in (".", ",") and re.fullmatch(r"|.*[^\w.,]", text[: start - 1]) and start:
        start -= 1
    if start and text[start - 1] in "-+" and not re.search(r"[\w.,%)]$", text[: start - 1]):
        start -= 1
    scale, word = (found[0].scale, found[0].word) if scaled and found[0].sure else (1.0, "")
    return First(text, start, end, len(found), scale, word)


def fit_number(values: Sequence[str], *, whole: bool, language: str = "", scaled: bool = True) -> Fit | None:
    """Numbers, with what is around them taken away.

    `scaled`: a word such as "million" multiplies; not where the request itself gives the unit.
    """
    dress = (*(() if whole else _fractions(values)), *_signs(values))
    having: list[First] = []
    for value in values:
        found = first_number(_dressed(dress, value), scaled)
        if found is not None:
            having.append(found)
    if len(having) < 0.6 * len(values):
        return None
    optional = len(having) < len(values)
    tail = _number_ops([found.token for found in having], whole, language, _are_prices(values))
    if any(found.scale != 1.0 for found in having):
        ways = _scaled_ways(having, tail, whole, optional)
    else:
        ways = [(*way, *tail) for way in _ways(having, optional)]
    best = max(ways, key=lambda way: _share(way, having, tail, whole))
    share = _share(best, having, tail, whole)
    if share < 0.9:
        return None
    return Fit((*dress, *best), share * len(having) / len(values))


def _are_prices(values: Sequence[str]) -> bool:
    """Sums of money, and not money for a unit: fuel is priced to the tenth of a cent."""
    priced = [value for value in values if re.search(rf"[{CURRENCY}]|\b(?:EUR|USD|GBP|CHF|PLN|Kč|zł|kr|Ft)\b", value)]
    return len(priced) >= 0.5 * len(values) and not any(re.search(r"/|\bper\b|\bpro\b|\bje\b", text) for text in priced)


# signs and fractions

_FRACTIONS = {
    "½": ".5", "¼": ".25", "¾": ".75", "⅓": ".333", "⅔": ".667", "⅛": ".125", "⅜": ".375", "⅝": ".625", "⅞": ".875",
}  # fmt: skip


def _fractions(values: Sequence[str]) -> Ops:
    """Steps after which a fraction in one character is written in decimals: "91½" is 91.5."""
    return tuple(
        Rewrite(rf"\s?{mark}", decimals) if any(f" {mark}" in value for value in values) else Swap(mark, decimals)
        for mark, decimals in _FRACTIONS.items()
        if any(mark in value for value in values)
    )


_MONEY = rf"(?:[{CURRENCY}]|(?:US|CA|AU)\$|[A-Z]{{3}}|Fr\.|Rs\.?|kr\.?)"
_OPEN = r"^[^\d]*?(?<![\w.,%)])"
_ACCOUNT = re.compile(rf"\(\s*{_MONEY}?\s?\d[\d.,{BLANKS}{APOSTROPHES}]*\s?(?:{_MONEY}|%)?\s*\)")


def _signs(values: Sequence[str]) -> Ops:
    """Steps after which a minus is a hyphen right before its number. None of them where all minuses are that."""
    ops: list[Op] = []
    for mark in SURE_MINUS:
        marked = [value for value in values if mark in value]
        if any(re.search(rf"{_OPEN}{mark}\s?{_MONEY}?\s?\d", value) for value in marked):
            ops.append(
                Rewrite(rf"{mark}\s*", "-") if any(re.search(rf"{mark}\s", v) for v in marked) else Swap(mark, "-")
            )
    for mark in "–‑":
        if any(mark in value and re.search(rf"{_OPEN}{mark}{_MONEY}?\s?\d", value) for value in values):
            ops.append(Swap(mark, "-"))
    bracketed = [value for value in values if _ACCOUNT.fullmatch(value.strip())]
    plain = [value for value in values if "(" not in value and re.search(r"\d", value)] if bracketed else []
    if plain and len(bracketed) + len(plain) >= 0.9 * len(values):
        # figures in brackets beside others without: the accountants' minus; all in brackets are mere counts
        ops.append(Rewrite(r"^\((.*)\)$", r"-\1"))
    dressed = [text for value in values if "-" in (text := _dressed(ops, value))]
    apart = {found[1] for text in dressed if (found := re.search(rf"{_OPEN}-(\s?{_MONEY}\s?)(?=\d)", text)) is not None}
    if apart:
        listed = "|".join(sorted((re.escape(money) for money in apart), key=len, reverse=True))
        ops.append(Rewrite(rf"-(?:{listed})(?=\d)" if len(apart) > 1 else rf"-{listed}(?=\d)", "-"))
    return tuple(ops)


def _dressed(ops: Sequence[Op], value: str) -> str:
    return str(run(ops, value)) if ops else value


# notation


@lru_cache(maxsize=512)
def _notation(tokens: tuple[str, ...], whole: bool, language: str, priced: bool) -> tuple[str, tuple[str, ...]]:
    """(decimal mark or "", thousands marks) of a set of numbers that are written alike."""
    decimal, thousands, unsure = "", set(), set()
    for token in tokens:
        marks = re.findall(rf"[.,{APOSTROPHES}{BLANKS}]", token)
        if not marks:
            continue
        last = marks[-1]
        head, _, tail = token.rpartition(last)
        thousands.update(marks[:-1])
        if last in APOSTROPHES + BLANKS:
            thousands.add(last)
        elif len(tail) != 3 or (len(marks) > 1 and last not in marks[:-1]):
            decimal = last
        elif len(marks) > 1:
            thousands.add(last)
        elif head.lstrip("-+") in ("", "0") or len(head.lstrip("-+")) > 3:
            decimal = last
        else:
            unsure.add(last)
    for mark in unsure - thousands - {decimal}:
        if decimal or whole or priced:
            thousands.add(mark)
        elif mark == ",":
            thousands.add(mark) if language[:2] in ("", "en", "zh", "ja", "ko", "he", "th") else None
            decimal = decimal if mark in thousands else mark
        elif language[:2] in ("de", "nl", "es", "it", "pt", "da", "tr", "id"):
            thousands.add(mark)
        else:
            decimal = mark
    thousands.discard(decimal)
    return decimal, tuple(sorted(thousands))


def _number_ops(tokens: Sequence[str], whole: bool, language: str, priced: bool) -> Ops:
    decimal, thousands = _notation(tuple(tokens), whole, language, priced)
    ops: list[Op] = [Swap(mark) for mark in thousands]
    if decimal == ",":
        ops.append(Swap(",", "."))
    if whole:
        ops += [ToFloat(), ToInt()] if decimal else [ToInt()]
    else:
        ops.append(ToFloat())
    return tuple(ops)


# places


def _ways(having: Sequence[First], optional: bool) -> list[Ops]:
    """Steps to the number's own text, the simplest first."""
    around = {(found.text[: found.start], found.text[found.end :]) for found in having}
    if not optional and around == {("", "")}:
        return [()]
    ways: list[Ops] = []
    shared = _shared(around)
    if not optional and shared is not None and all(found.numbers == 1 for found in having):
        ways.append((Trim(*shared),))
    return ways + [(Search(pattern, 0, optional),) for pattern in _patterns(having)]


def _shared(around: set[tuple[str, str]]) -> tuple[str, str] | None:
    """The one beginning and end that all values have; where a few lack one of them, it still can be taken away."""
    heads, tails = {head for head, _ in around}, {tail for _, tail in around}
    if len(heads - {""}) <= 1 and len(tails - {""}) <= 1:
        return max(heads, key=len), max(tails, key=len)
    return None


def _patterns(having: Sequence[First]) -> list[str]:
    """Regular expressions for the numbers, with the marks that they have and no others."""
    tokens = [found.token for found in having]
    marks = sorted({mark for token in tokens for mark in token.lstrip("-+.,") if not mark.isdigit()})
    spaced = "".join(mark for mark in marks if mark in BLANKS + APOSTROPHES)
    divided = "".join(mark for mark in marks if mark not in spaced)
    inner = rf"\d(?:[\d{divided}]*\d)?" if divided else r"\d+"
    if spaced:
        fraction = rf"(?:[{divided}]\d+)?" if divided else ""
        inner = rf"\d{{1,3}}(?:[{spaced}]\d{{3}})+(?!\d){fraction}|{inner}"
    lead = r"[.,]?" if any(token.lstrip("-+")[0] in ".," for token in tokens) else ""
    body = f"(?:{inner})" if "|" in inner else inner
    if not any(token[0] == "-" for token in tokens):
        return [lead + (body if lead else inner)]
    return [f"-?{lead}{body}", rf"(?:(?<![\w.,%)])-)?{lead}{body}"]


def _scaled_ways(having: Sequence[First], tail: Ops, whole: bool, optional: bool) -> list[Ops]:
    words = family(frozenset(found.word for found in having if found.word))
    listed = "|".join(sorted((re.escape(word) for word in words), key=lambda word: (-len(word), word)))
    glued = all(not word.isascii() and len(word) == 1 for word in words)
    drop = tuple(op.old for op in tail if isinstance(op, Swap) and not op.new)
    comma = any(isinstance(op, Swap) and bool(op.new) for op in tail)
    table = tuple((word, int(size)) for word, size in words.items())
    behind = rf"({listed})?" if glued else rf"(?:[\s-]?({listed})(?!\w))?"
    return [(Scaled(f"({way}){behind}", table, drop, comma, whole, optional),) for way in _patterns(having)]


def _share(way: Ops, having: Sequence[First], tail: Ops, whole: bool) -> float:
    """The share of the texts of which the steps make their first number."""
    good = 0
    for found in having:
        try:
            made = run(way, found.text)
            meant = run(tail if found.scale == 1.0 else (*tail[:-1], ToFloat()), found.token)
        except FAILURES:
            continue
        if not whole and not any(abs(abs(meant) - value) < 1e-9 * max(1.0, value) for value in _read(found.token)):
            continue
        wanted = meant * found.scale
        good += abs(made - wanted) <= 1e-6 * max(1.0, abs(wanted))
    return good / len(having) if having else 0.0


def _read(token: str) -> frozenset[float]:
    plain = token.lstrip("-+")
    return readings(plain) if plain[0].isdigit() else frozenset({float(plain.replace(",", "."))})
