"""Fits steps to numbers and dates: which marks group and divide, where the sign is, what a word behind multiplies by,
and how a column of dates is written.

Every fit is tried on the values: what the steps make of a text must be the text's own first number, whole, with its
sign and its scale, or a date. A notation is settled by the column and not by the single value. dateparser reads "12"
and "v1.2" as dates, so the layouts are spelt out here: what is between the parts of a date is read off the values, and
the order of day and month comes from the values themselves, then from the page's language.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec.structs import replace

from scrapewright.programmers.rules.ops import (
    IsoDate,
    Lookup,
    MailDate,
    NamedMonth,
    Op,
    ParseDate,
    Rewrite,
    Scaled,
    Search,
    Swap,
    ToFloat,
    ToInt,
    Trim,
    UnixDate,
    run,
    value_of,
)  # fmt: skip
from scrapewright.query.lexicon import MONTHS, NUMBERS, fold
from scrapewright.query.numerals import APOSTROPHES, BLANKS, CURRENCY, SURE_MINUS, family, numerals, readings
from scrapewright.survey.dom import shared_start

Ops = tuple[Op, ...]


class Fit(NamedTuple):
    """The steps and the share of values (0.0 to 1.0) that they turn into the type."""

    ops: Ops
    share: float


def tried(ways: Iterable[Ops], texts: Sequence[str], is_right: Callable[[str, Any], bool], least: float) -> Fit | None:
    """The first steps that make all texts what they should become, else those that do it with the most, if these are
    enough. `is_right` is given a text and what was made of it, None where a step fails."""
    best, counts = Fit((), 0.0), Counter(texts)
    for ops in ways:
        share = sum(times * is_right(text, value_of(text, ops)) for text, times in counts.items()) / len(texts)
        best = Fit(ops, share) if share > best.share else best
        if best.share == 1.0:
            break
    return best if best.share >= least else None


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


@lru_cache(maxsize=512)
def fit_number(values: tuple[str, ...], *, whole: bool, language: str = "", scaled: bool = True) -> Fit | None:
    """Numbers, with what is around them taken away.

    `scaled`: a word such as "million" multiplies; not where the request itself gives the unit.
    """
    dress = (*(() if whole else _fractions(values)), *_signs(values))
    having = [found for value in values if (found := first_number(_dressed(dress, value), scaled)) is not None]
    if len(having) < 0.6 * len(values):
        return None
    optional = len(having) < len(values)
    tail = _number_ops([found.token for found in having], whole, language, _are_prices(values))
    if any(found.scale != 1.0 for found in having):
        ways = _scaled_ways(having, tail, whole, optional)
    else:
        ways = [(*way, *tail) for way in _ways(having, optional)]
    meant = {found.text: _meant(found, tail, whole) for found in having}

    def is_meant(text: str, made: float | None) -> bool:
        wanted = meant[text]
        return made is not None and wanted is not None and abs(made - wanted) <= 1e-6 * max(1.0, abs(wanted))

    best = tried(ways, [found.text for found in having], is_meant, 0.9)
    return Fit((*dress, *best.ops), best.share * len(having) / len(values)) if best is not None else None


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


def _meant(found: First, tail: Ops, whole: bool) -> float | None:
    """The value that a text's first number should become; None where the steps make none of it that it can say."""
    value: float | None = value_of(found.token, tail if found.scale == 1.0 else (*tail[:-1], ToFloat()))
    if value is None:
        return None
    can_be = whole or any(abs(abs(value) - one) < 1e-9 * max(1.0, one) for one in _read(found.token))
    return value * found.scale if can_be else None


def _read(token: str) -> frozenset[float]:
    plain = token.lstrip("-+")
    return readings(plain) if plain[0].isdigit() else frozenset({float(plain.replace(",", "."))})


def fit_words(values: Sequence[str], constant: str) -> Fit | None:
    """Numbers written as words, as ratings often are in class names ("star-rating Three")."""
    vocabulary: set[str] = set()
    for value in values:
        words = [word for word in re.split(r"[\s_-]+", value) if fold(word) in NUMBERS]
        if len(words) != 1:
            return None
        vocabulary.add(words[0])
    table = tuple(sorted(((word, NUMBERS[fold(word)]) for word in vocabulary), key=lambda pair: pair[1]))
    lookup = Lookup(constant or "NUMBERS", _complete(table))
    prefix = shared_start(values)
    prefix = prefix[: len(prefix) - len(re.split(r"[\s_-]", prefix)[-1])]
    if all(value.removeprefix(prefix) in vocabulary for value in values):
        return Fit((Trim(prefix), lookup) if prefix else (lookup,), 1.0)
    listed = "|".join(re.escape(word) for word, _ in lookup.words)
    return Fit((Search(rf"\b({listed})\b", 1), lookup), 1.0)


def _complete(table: tuple[tuple[str, int], ...]) -> tuple[tuple[str, int], ...]:
    """English number words seen in part ("Two", "Four") imply the ones between and below."""
    english = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    words = [word for word, _ in table]
    if not all(word.lower() in english for word in words):
        return table
    style = str.title if words[0][0].isupper() else str.lower
    highest = max(5, max(number for _, number in table))
    return tuple((style(english[number - 1]), number) for number in range(1, highest + 1))


# dates: how a column of them is written, and the steps that read it

_MONTHS = tuple(name.title() for name in MONTHS["en"])
_MONTH = "|".join((*_MONTHS, *(name[:3] for name in _MONTHS)))
_NUMBERS = r"(?<!\d)(?P<d>\d{1,2})(?P<a>[/-])(?P<m>\d{1,2})(?P<b>(?P=a))(?P<Y>\d{4}|\d\d)(?!\d)"
"""Day and month as numbers, where only the values or the language can tell which comes first."""
_LAYOUTS = (
    _NUMBERS,
    r"(?P<Y>\d{4})(?P<a>[-/.]|\. |年|년 ?)(?P<m>\d{1,2})(?P<b>[-/.]|\. |月|월 ?)(?P<d>\d{1,2})(?P<c>[日일]?)",
    r"(?P<d>\d{1,2})(?P<a>\. ?)(?P<m>\d{1,2})(?P<b>(?P=a))(?P<Y>\d{4}|\d\d)(?!\d)",
    rf"(?P<B>{_MONTH})(?P<a>\.? )(?P<d>\d{{1,2}})(?P<b>,? )(?P<Y>\d{{4}})",
    rf"(?P<d>\d{{1,2}})(?P<a>[ /-])(?P<B>{_MONTH})(?P<b>[/-]|[.,]? )(?P<Y>\d{{4}}|\d\d(?!\d))",
)
"""Dates by the order of their parts, which have the codes of strptime."""
_TIME = r"(,? (?:[^\W\d_]{1,5}\.? )?|,? [-–|·@] )\d{1,2}:\d{2}(:\d{2})?(?:( ?)([AaPp][Mm])\b)?"
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b")
_HALF_DAY = re.compile(r"\b([AaPp])\.\s?[Mm]\.?(?!\w)")
"""As strptime does not know it: "p.m."."""
CLOCKS = tuple(
    (rf"(?<![\d.:]){shape}(?![\d.:\w])", form)
    for shape, form in (
        (r"\d{1,2}:\d{2} [AaPp][Mm]", "%I:%M %p"),
        (r"\d{1,2}:\d{2}[AaPp][Mm]", "%I:%M%p"),
        (r"\d{1,2}\.\d{2} [AaPp][Mm]", "%I.%M %p"),
        (r"\d{1,2}\.\d{2}[AaPp][Mm]", "%I.%M%p"),
        (r"\d{1,2} [AaPp][Mm]", "%I %p"),
        (r"\d{1,2}[AaPp][Mm]", "%I%p"),
        (r"\d{1,2}:\d{2}", "%H:%M"),
        (r"\d{1,2}h\d{2}", "%Hh%M"),
        (r"\d{1,2}\.\d{2}", "%H.%M"),
    )
)
"""Times of day by themselves."""
_MONTH_FIRST = frozenset({"en", "en-us", "en-ca", ""})

_DIGIT = re.compile(r"\d")


@lru_cache(maxsize=512)
def fit_date(values: tuple[str, ...], *, time: bool = False, into: str = "", language: str = "") -> Fit | None:
    """The steps that read the dates, with the share of values that hold one; None where too few do.

    With `time` the time of day is kept where the values have one.
    """
    time = time or bool(re.search("%[HIM]", into))
    if 2 * sum(_DIGIT.search(value) is not None for value in values) < len(values):
        return None
    best = tried(_candidates(values, time, into, language), values, lambda _, made: bool(made), 0.5)
    if best is None or best.share == 1.0:
        return best
    ops = tuple(replace(op, optional=True) if isinstance(op, Search | NamedMonth) else op for op in best.ops)
    return Fit(ops, best.share)


def _candidates(values: Sequence[str], time: bool, into: str, language: str) -> Iterable[tuple[Op, ...]]:
    if all(re.fullmatch(r"\d{4}-\d{2}-\d{2}([T ]\d{2}:?\d{2}.*)?", value) for value in values):
        yield (IsoDate(into, time),)
    mailed = all(re.match(r"(?:\w{3}, )?\d{1,2} \w{3} \d{4} \d{2}:\d{2}", value) for value in values)
    if mailed and all(value_of(value, (MailDate(),)) for value in values):
        yield (MailDate(into, time),)
    if all(re.fullmatch(r"1\d{9}", value) for value in values):
        yield (UnixDate(into, time),)
    yield from _written(values, time, into, language)
    if any(map(_ORDINAL.search, values)):
        plain = [_ORDINAL.sub("", value) for value in values]
        yield from ((Rewrite(_ORDINAL.pattern, ""), *ops) for ops in _written(plain, time, into, language))
    yield from _shaped(values, r"(?<!\d)\d{8}(?!\d)", "%Y%m%d", time, into)
    if not into or into == "%Y-%m-%d":
        yield from _named(values, language)
    if into and not re.search("%[^HIMSp]", into):
        dotted = any(map(_HALF_DAY.search, values))
        plain = [_HALF_DAY.sub(r"\1m", value) if dotted else value for value in values]
        for pattern, form in CLOCKS:
            for ops in _shaped(plain, pattern, form, False, into):
                yield (Rewrite(_HALF_DAY.pattern, r"\1m"), *ops) if dotted else ops


def _found(pattern: str, values: Sequence[str]) -> list[re.Match[str]]:
    """What a pattern finds in the values; nothing where fewer than half have it."""
    search, found = re.compile(pattern).search, []
    for at, value in enumerate(values, 1):
        if match := search(value):
            found.append(match)
        elif at - len(found) > 0.5 * len(values):
            return []
    return found


def _written(values: Sequence[str], time: bool, into: str, language: str) -> Iterable[tuple[Op, ...]]:
    """The steps for each way to write a date that the values have, of each layout the commonest first."""
    for layout in _LAYOUTS:
        found = [match.groupdict() for match in _found(layout, values)]
        long = not any(len(parts.get("B", "")) == len("May") and parts["B"] != "May" for parts in found)
        other = {"d": "m", "m": "d"} if found and layout == _NUMBERS and _month_leads(found, language) else {}
        ways = Counter(
            tuple(_part(other.get(code, code), text, long) for code, text in parts.items()) for parts in found
        )
        for way, _ in ways.most_common():
            pattern, form = ("".join(parts) for parts in zip(*way, strict=True))
            yield from _shaped(values, pattern, form, time, into)


def _month_leads(found: Sequence[dict[str, str]], language: str) -> bool:
    first, second = (max(int(parts[code]) for parts in found) for code in "dm")
    if max(first, second) > len(_MONTHS):
        return first <= len(_MONTHS)
    return language.lower() in _MONTH_FIRST and found[0]["a"] == "/"


def _part(code: str, text: str, long: bool) -> tuple[str, str]:
    """The pattern and the strptime form of a part of a date, or of what is between two. `long`: months are in full."""
    if code == "B":
        return ("[A-Z][a-z]+", "%B") if long and (len(text) > len("May") or text == "May") else ("[A-Z][a-z]{2}", "%b")
    if code == "Y":
        return rf"\d{{{len(text)}}}", "%Y" if len(text) == len("2024") else "%y"
    return (r"\d{1,2}", f"%{code}") if code in "dm" else (text.replace(".", r"\."), text)


def _shaped(values: Sequence[str], pattern: str, form: str, time: bool, into: str) -> Iterable[tuple[Op, ...]]:
    """The steps for dates of a pattern, with the time of day behind them where that is wanted or all values end so."""
    found = _found(pattern, values)
    if not found:
        return
    if not time and all(re.fullmatch(pattern, value) for value in values):
        yield (ParseDate(form, into, time),)
        return
    timed = re.match(_TIME, found[0].string[found[0].end() :])
    if timed and not re.search("%[HI]", form):  # what follows a time is another one
        joint, seconds, gap, half = timed.groups(default="")
        whole = rf"{pattern}{joint}\d{{1,2}}:\d{{2}}" + (r":\d{2}" if seconds else "") + gap + "[AaPp][Mm]" * bool(half)
        clock = joint + ("%I:%M" if half else "%H:%M") + (":%S" if seconds else "") + gap + "%p" * bool(half)
        if all(re.fullmatch(whole, value) for value in values):
            yield (ParseDate(form + clock, into, time),)
            return
        if time and all(re.search(whole, match.string) for match in found):
            yield (Search(whole), ParseDate(form + clock, into, time))
            return
    yield (Search(pattern), ParseDate(form, into, False))


_NUMBERED = {code: {name: number for number, name in enumerate(names, 1)} for code, names in MONTHS.items()}


_DAY_FIRST = (
    r"(?P<day>\d{1,2})(?:\.|er|º|ª|-го)?(?: de| of)? (?P<month>[^\W\d_]+)\.?,?(?: de(?:l)?| of)? (?P<year>\d{4})"
)
_MONTH_LEADS = r"(?P<month>[^\W\d_]+)\.? (?P<day>\d{1,2})(?:st|nd|rd|th|\.)?,? (?P<year>\d{4})"
_YEAR_LEADS = r"(?P<year>\d{4})\. (?P<month>[^\W\d_]+) (?P<day>\d{1,2})\."


def _named(values: Sequence[str], language: str) -> Iterable[tuple[Op, ...]]:
    """Dates whose months are words of some language, long or short."""
    for pattern in (_DAY_FIRST, _MONTH_LEADS, _YEAR_LEADS):
        words = [match["month"].lower() for value in values if (match := re.search(pattern, value))]
        if len(words) < 0.5 * len(values):
            continue
        table = _table_for(set(words), language)
        if table:
            yield (NamedMonth(pattern, table),)


def _table_for(words: set[str], language: str) -> tuple[tuple[str, int], ...] | None:
    """The months of the language that knows all the words; short forms are as long as the ones seen."""
    for code in sorted(_NUMBERED, key=lambda code: (code != language[:2].lower(), code != "en")):
        months = _NUMBERED[code]
        if words <= set(months):
            return tuple(months.items())
        starts = {
            word: {number for month, number in months.items() if fold(month).startswith(fold(word))}
            for word in words
            if len(word) >= len("may")
        }
        if len(starts) == len(words) and all(len(numbers) == 1 for numbers in starts.values()):
            short = {word: numbers.pop() for word, numbers in starts.items()}
            length, known = max(map(len, words)), set(short.values())
            short |= {month[:length]: number for month, number in months.items() if number not in known}
            return tuple(sorted(short.items(), key=lambda pair: pair[1]))
    return None
