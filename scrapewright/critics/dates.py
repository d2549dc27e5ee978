"""Whether a text says a given date. It is checked, not parsed: no order of day and month has to be guessed."""

from __future__ import annotations

import datetime as dt
import re
from functools import lru_cache
from itertools import pairwise, product

from scrapewright.query.lexicon import month_of

_PIECE = re.compile(r"\d+|[^\W\d_]+")
_ISO = re.compile(r"^\s*(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2}))?.*)?\s*$")
RELATIVE = re.compile(
    r"\d+\s*[^\W\d]+\.?\s*(ago|geleden|fa|temu|sedan|siden|sitten|назад|önce|前|전)|(vor|il y a|hace|há|před)\s+\d+"
    r"|^\s*(today|yesterday|heute|gestern|hier|aujourd'hui|hoy|ayer|hoje|ontem|oggi|ieri|vandaag|gisteren|dziś|wczoraj"
    r"|сегодня|вчера|今日|昨日|今天|昨天|오늘|어제)\b",
    re.I,
)
"""A time said by its distance from now."""
WINDOW = 6

Date = tuple[int, int, int, int | None, int | None]
"""Year, month, day, hour and minute."""


def read_iso(value: str) -> Date | None:
    """A date written the ISO way, or None. The hours may be missing."""
    match = _ISO.match(value)
    if not match:
        return None
    year, month, day = int(match[1]), int(match[2]), int(match[3])
    hour, minute = (int(match[4]), int(match[5])) if match[4] else (None, None)
    return (year, month, day, hour, minute) if _is_day(year, month, day) else None


def read_as(value: str, pattern: str) -> str | None:
    """A date written in a strftime pattern, as ISO; None where it is not, or there is no pattern."""
    try:
        return dt.datetime.strptime(value.strip(), pattern).date().isoformat() if pattern else None
    except (ValueError, re.error):  # a pattern may name a part twice
        return None


@lru_cache(maxsize=1 << 14)
def _pieces(text: str) -> tuple[str, ...]:
    return tuple(_PIECE.findall(text[:4000].casefold()))


def says(text: str, date: Date) -> bool:
    """Year, month and day are near one another in the text, in any order and any of some twenty languages.

    A year of two figures counts, and so does none at all where the text has no year.
    """
    year, month, day, _, _ = date
    pieces = _pieces(text)
    months = [i for i, piece in enumerate(pieces) if _is_month(piece, month)]
    days = [i for i, piece in enumerate(pieces) if piece.isdecimal() and len(piece) <= 2 and int(piece) == day]
    packed = f"{year:04}{month:02}{day:02}"
    whole = (piece for piece in pieces if piece.isdecimal() and len(piece) in (6, 8, 12, 14))
    if any(piece.startswith(packed) or piece == packed[2:] for piece in whole) or _is_timestamp(pieces, date):
        return True
    if not months or not days:
        return False
    years = [i for i, piece in enumerate(pieces) if piece in (str(year), f"{year % 100:02}")]
    if not years:
        anywhere = any(len(piece) == 4 and piece.isdecimal() and 1900 < int(piece) < 2100 for piece in pieces)
        return not anywhere and any(0 < abs(m - d) <= 2 for m in months for d in days)
    places = product(months, days, years)
    return any(len({m, d, y}) == 3 and max(m, d, y) - min(m, d, y) <= WINDOW for m, d, y in places)


def _is_month(piece: str, month: int) -> bool:
    return (len(piece) <= 2 and int(piece) == month) if piece.isdecimal() else month_of(piece) == month


def _is_timestamp(pieces: tuple[str, ...], date: Date) -> bool:
    day = dt.datetime(date[0], date[1], date[2], tzinfo=dt.UTC).timestamp()
    stamps = (piece for piece in pieces if piece.isdecimal() and len(piece) in (10, 13))
    seconds = (int(stamp) / (1000 if len(stamp) == 13 else 1) for stamp in stamps)
    return any(day - 14 * 3600 <= second < day + 38 * 3600 for second in seconds)


def dates_in(text: str) -> set[tuple[int, int, int]]:
    """Every (year, month, day) that a short text could mean; of figures behind a year the month is the first."""
    pieces = _pieces(text[:200])
    years = [(i, int(piece)) for i, piece in enumerate(pieces) if re.fullmatch(r"(?:19|20)\d\d", piece)]
    small = [(i, int(piece)) for i, piece in enumerate(pieces) if piece.isdecimal() and len(piece) <= 2]
    named = [(i, m) for i, piece in enumerate(pieces) for m in range(1, 13) if _is_month(piece, m)]
    named = [(i, m) for i, m in named if not pieces[i].isdecimal()] or named
    return {
        (year, month, day)
        for (y, year), (m, month), (d, day) in product(years, named, small)
        if len({y, m, d}) == 3
        and max(y, m, d) - min(y, m, d) <= WINDOW
        and _is_day(year, month, day)
        and not (y < d < m and pieces[m].isdecimal())
    }


def _is_day(year: int, month: int, day: int) -> bool:
    try:
        dt.date(year, month, day)
    except ValueError:
        return False
    return True


def order_of(text: str, date: Date) -> str:
    """Whether a text writes the date in figures with the day first ("dm") or the month ("md"); "" where it does
    neither, or both are the same."""
    year, month, day, _, _ = date
    pieces = _pieces(text)
    if day == month or not any(piece in (str(year), f"{year % 100:02}") for piece in pieces):
        return ""
    for one, two in pairwise(int(piece) for piece in pieces if piece.isdecimal() and len(piece) <= 2):
        if {one, two} == {day, month}:
            return "dm" if one == day else "md"
    return ""
