"""Finds how a column of dates is written, and the steps that read it.

dateparser reads "12" and "v1.2" as dates, so the forms are spelt out here: a form counts only where the values have its
shape, and the order of day and month comes from the values themselves, then from the page's language.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from scrapewright.programmers.rules.ops import (
    FAILURES,
    Delete,
    IsoDate,
    MailDate,
    NamedMonth,
    Op,
    ParseDate,
    Search,
    UnixDate,
    run,
    value_of,
)  # fmt: skip
from scrapewright.query.lexicon import MONTHS, fold

_LONG = f"(?:{'|'.join(name.title() for name in MONTHS['en'])})"
_MONTH = f"(?:{'|'.join(name[:3].title() for name in MONTHS['en'])})"

_FORMS: tuple[tuple[str, str], ...] = (
    (r"\d{4}-\d{1,2}-\d{1,2}", "%Y-%m-%d"),
    (r"\d{4}/\d{1,2}/\d{1,2}", "%Y/%m/%d"),
    (r"\d{4}\.\d{1,2}\.\d{1,2}", "%Y.%m.%d"),
    (r"\d{4}\. \d{1,2}\. \d{1,2}", "%Y. %m. %d"),
    (r"\d{4}年\d{1,2}月\d{1,2}日", "%Y年%m月%d日"),
    (r"\d{4}년 ?\d{1,2}월 ?\d{1,2}일", "%Y년 %m월 %d일"),
    (r"\d{1,2}\.\d{1,2}\.\d{4}", "%d.%m.%Y"),
    (r"\d{1,2}\. \d{1,2}\. \d{4}", "%d. %m. %Y"),
    (_LONG + r" \d{1,2}, \d{4}", "%B %d, %Y"),
    (_LONG + r" \d{1,2} \d{4}", "%B %d %Y"),
    (r"\d{1,2} " + _LONG + r" \d{4}", "%d %B %Y"),
    (r"\d{1,2} " + _LONG + r", \d{4}", "%d %B, %Y"),
    (_MONTH + r" \d{1,2}, \d{4}", "%b %d, %Y"),
    (_MONTH + r"\. \d{1,2}, \d{4}", "%b. %d, %Y"),
    (_MONTH + r" \d{1,2} \d{4}", "%b %d %Y"),
    (r"\d{1,2} " + _MONTH + r" \d{4}", "%d %b %Y"),
    (r"\d{1,2} " + _MONTH + r"\. \d{4}", "%d %b. %Y"),
    (r"\d{1,2} " + _MONTH + r", \d{4}", "%d %b, %Y"),
    (r"\d{1,2}-" + _MONTH + r"-\d{4}", "%d-%b-%Y"),
    (r"\d{1,2}/" + _MONTH + r"/\d{4}", "%d/%b/%Y"),
    (r"\d{1,2}-" + _MONTH + r"-\d{2}", "%d-%b-%y"),
    (r"\d{1,2}/\d{1,2}/\d{4}", "/"),
    (r"\d{1,2}-\d{1,2}-\d{4}", "-"),
    (r"\d{1,2}\.\d{1,2}\.\d{2}", "%d.%m.%y"),
    (r"\d{1,2}/\d{1,2}/\d{2}", "/2"),
    (r"\d{8}", "%Y%m%d"),
)
_TIMES = (
    (r" \d{1,2}:\d{2}:\d{2}", " %H:%M:%S"),
    (r" \d{1,2}:\d{2} [AP]M", " %I:%M %p"),
    (r" \d{1,2}:\d{2} [ap]m", " %I:%M %p"),
    (r" \d{1,2}:\d{2}[AP]M", " %I:%M%p"),
    (r" \d{1,2}:\d{2}[ap]m", " %I:%M%p"),
    (r" \d{1,2}:\d{2}", " %H:%M"),
    (r", \d{1,2}:\d{2}", ", %H:%M"),
    (r" - \d{1,2}:\d{2}", " - %H:%M"),
    (r" um \d{1,2}:\d{2}", " um %H:%M"),
    (r" at \d{1,2}:\d{2}", " at %H:%M"),
)
CLOCKS = tuple(
    (rf"(?<![\d.:]){shape}(?![\d.:\w])", form)
    for shape, form in (
        (r"\d{1,2}:\d{2} [AaPp][Mm]", "%I:%M %p"),
        (r"\d{1,2}:\d{2}[AaPp][Mm]", "%I:%M%p"),
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

Found = tuple[tuple[Op, ...], float]


def fit_date(values: Sequence[str], *, time: bool = False, into: str = "", language: str = "") -> Found | None:
    """The steps that read the dates, with the share of values that hold one; None where too few do.

    With `time` the time of day is kept where the values have one.
    """
    return _fitted(tuple(values), time or bool(re.search("%[HIM]", into)), into, language)


@lru_cache(maxsize=512)
def _fitted(values: tuple[str, ...], time: bool, into: str, language: str) -> Found | None:
    if 2 * sum(_DIGIT.search(value) is not None for value in values) < len(values):
        return None
    best: Found | None = None
    for ops in _candidates(values, time, into, language):
        share = _share(ops, values)
        if share == 1.0:
            return ops, share
        if share >= 0.5 and (best is None or share > best[1]):
            best = ops, share
    if best is None:
        return None
    ops = tuple(_relaxed(op) for op in best[0])
    return ops, _share(ops, values)


def _relaxed(op: Op) -> Op:
    if isinstance(op, Search):
        return Search(op.pattern, op.group, optional=True)
    if isinstance(op, NamedMonth):
        return NamedMonth(op.pattern, op.months, optional=True)
    return op


def _share(ops: Sequence[Op], values: Sequence[str]) -> float:
    good = 0
    for value, times in Counter(values).items():
        try:
            good += times * bool(run(ops, value))
        except FAILURES:
            continue
    return good / len(values) if values else 0.0


class _Outlines:
    """Values as outlines, every digit a 0: the shapes of dates ask for digits and not for which, and few differ."""

    def __init__(self, values: Sequence[str]) -> None:
        self.values = values
        self.size = len(values)
        self.counts = Counter(_DIGIT.sub("0", value) for value in values)

    def found(self, pattern: str) -> int:
        """How many values hold the pattern; 0 where fewer than half do."""
        search = re.compile(pattern).search
        held, left = 0, self.size
        for outline, times in self.counts.items():
            left -= times
            if search(outline):
                held += times
            elif held + left < 0.5 * self.size:
                return 0
        return held

    def all(self, pattern: str, among: str = "") -> bool:
        """Whether all values have the pattern's shape; with `among`, whether all that hold that hold this as well."""
        if not among:
            return all(re.fullmatch(pattern, outline) for outline in self.counts)
        return all(re.search(pattern, outline) for outline in self.counts if re.search(among, outline))


def _candidates(values: Sequence[str], time: bool, into: str, language: str) -> Iterable[tuple[Op, ...]]:
    if all(re.fullmatch(r"\d{4}-\d{2}-\d{2}([T ]\d{2}:?\d{2}.*)?", value) for value in values):
        yield (IsoDate(into, time),)
    mailed = all(re.match(r"(?:\w{3}, )?\d{1,2} \w{3} \d{4} \d{2}:\d{2}", value) for value in values)
    if mailed and all(value_of(value, (MailDate(),)) for value in values):
        yield (MailDate(into, time),)
    if all(re.fullmatch(r"1\d{9}", value) for value in values):
        yield (UnixDate(into, time),)
    outlines = _Outlines(values)
    certain = [(pattern, form) for pattern, form in _FORMS if form[0] == "%"]
    yield from _numeric(outlines, time, into, language)
    for pattern, form in certain:
        yield from _shaped(outlines, pattern, form, time, into)
    ordinals = r"(?<=\d)(?:st|nd|rd|th)\b"
    if any(re.search(ordinals, value) for value in values):
        plain = _Outlines([re.sub(ordinals, "", value) for value in values])
        for pattern, form in certain:
            yield from ((Delete(ordinals), *ops) for ops in _shaped(plain, pattern, form, time, into))
    if not into or into == "%Y-%m-%d":
        yield from _named(values, language)
    if into and not re.search("%[^HIMSp]", into):
        for pattern, form in CLOCKS:
            yield from _shaped(outlines, pattern, form, False, into)


def _numeric(outlines: _Outlines, time: bool, into: str, language: str) -> Iterable[tuple[Op, ...]]:
    """Day and month as numbers, where only the values or the language can tell which comes first."""
    for pattern, mark in _FORMS:
        if mark[0] == "%":
            continue
        whole = rf"(?<!\d){pattern}(?!\d)"
        if not outlines.found(whole):
            continue
        found = [match[0] for value in outlines.values if (match := re.search(whole, value))]
        year = "%y" if mark == "/2" else "%Y"
        parts = [[int(part) for part in re.split("[/-]", text)] for text in found]
        if any(part[0] > 12 for part in parts):
            month_first = False
        elif any(part[1] > 12 for part in parts):
            month_first = True
        else:
            month_first = language.lower() in _MONTH_FIRST and mark[0] == "/"
        form = (f"%m{mark[0]}%d" if month_first else f"%d{mark[0]}%m") + mark[0] + year
        yield from _shaped(outlines, pattern, form, time, into)


def _shaped(outlines: _Outlines, pattern: str, form: str, time: bool, into: str) -> Iterable[tuple[Op, ...]]:
    if not outlines.found(pattern):
        return
    if not time and outlines.all(pattern):
        yield (ParseDate(form, into, time),)
        return
    for clock, clock_form in () if re.search("%[HI]", form) else _TIMES:  # what follows a time is another one
        whole = pattern + clock
        if outlines.all(whole, among=pattern):
            if time or outlines.all(whole):
                if outlines.all(whole):
                    yield (ParseDate(form + clock_form, into, time),)
                else:
                    yield (Search(_plain(_bounded(whole), outlines.values)), ParseDate(form + clock_form, into, time))
                return
            break
    yield (Search(_plain(_bounded(pattern), outlines.values)), ParseDate(form, into, False))


def _plain(pattern: str, values: Sequence[str]) -> str:
    """The pattern with any word for the month's name, where that finds the same in the values."""
    plain = pattern.replace(_LONG, r"[A-Z][a-z]+").replace(_MONTH, r"[A-Z][a-z]{2}")
    for value in values:
        found, wanted = re.search(plain, value), re.search(pattern, value)
        if (found and found[0]) != (wanted and wanted[0]):
            return pattern
    return plain


def _bounded(pattern: str) -> str:
    if pattern.startswith(r"\d{8}"):
        return rf"(?<!\d){pattern}(?!\d)"
    return pattern


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
            yield (NamedMonth(_simpler(pattern, values), table),)


def _simpler(pattern: str, values: Sequence[str]) -> str:
    """The pattern without the variants that the values do not need."""
    for smaller in (
        r"(?P<day>\d{1,2}) (?P<month>\w+) (?P<year>\d{4})",
        r"(?P<day>\d{1,2})\. (?P<month>\w+) (?P<year>\d{4})",
        r"(?P<day>\d{1,2}) de (?P<month>\w+) de (?P<year>\d{4})",
        r"(?P<month>\w+) (?P<day>\d{1,2}), (?P<year>\d{4})",
        r"(?P<year>\d{4})\. (?P<month>\w+) (?P<day>\d{1,2})\.",
    ):
        if all(
            (full := re.search(pattern, value)) is None
            or ((match := re.search(smaller, value)) is not None and match.groupdict() == full.groupdict())
            for value in values
        ):
            return smaller
    return pattern


def _table_for(words: set[str], language: str) -> tuple[tuple[str, int], ...] | None:
    """The months of the language that knows all the words; short forms are as long as the ones seen."""
    codes = sorted(_NUMBERED, key=lambda code: (code != language[:2].lower(), code != "en"))
    for code in codes:
        months = _NUMBERED[code]
        if words <= set(months):
            return tuple(months.items())
    for code in codes:
        months = _NUMBERED[code]
        short: dict[str, int] = {}
        for word in words:
            numbers = {
                number for month, number in months.items() if fold(month).startswith(fold(word)) and len(word) >= 3
            }
            if len(numbers) != 1:
                break
            short[word] = numbers.pop()
        else:
            length = max(len(word) for word in words)
            for month, number in months.items():
                if number not in short.values():
                    short[month[:length]] = number
            return tuple(sorted(short.items(), key=lambda pair: pair[1]))
    return None
