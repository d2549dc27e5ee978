"""Finds how a column of dates is written, and the steps that read it.

dateparser reads "12" and "v1.2" as dates, so the layouts are spelt out here: what is between the parts of a date is
read off the values, and the order of day and month comes from the values themselves, then from the page's language.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from msgspec.structs import replace

from scrapewright.programmers.rules.figures import Fit
from scrapewright.programmers.rules.ops import (
    FAILURES,
    IsoDate,
    MailDate,
    NamedMonth,
    Op,
    ParseDate,
    Rewrite,
    Search,
    UnixDate,
    run,
    value_of,
)  # fmt: skip
from scrapewright.query.lexicon import MONTHS, fold

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


def fit_date(values: Sequence[str], *, time: bool = False, into: str = "", language: str = "") -> Fit | None:
    """The steps that read the dates, with the share of values that hold one; None where too few do.

    With `time` the time of day is kept where the values have one.
    """
    return _fitted(tuple(values), time or bool(re.search("%[HIM]", into)), into, language)


@lru_cache(maxsize=512)
def _fitted(values: tuple[str, ...], time: bool, into: str, language: str) -> Fit | None:
    if 2 * sum(_DIGIT.search(value) is not None for value in values) < len(values):
        return None
    best: Fit | None = None
    for ops in _candidates(values, time, into, language):
        share = _share(ops, values)
        if share == 1.0:
            return Fit(ops, share)
        if share >= 0.5 and (best is None or share > best.share):
            best = Fit(ops, share)
    if best is None:
        return None
    ops = tuple(replace(op, optional=True) if isinstance(op, Search | NamedMonth) else op for op in best.ops)
    return Fit(ops, _share(ops, values))


def _share(ops: Sequence[Op], values: Sequence[str]) -> float:
    good = 0
    for value, times in Counter(values).items():
        try:
            good += times * bool(run(ops, value))
        except FAILURES:
            continue
    return good / len(values) if values else 0.0


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
