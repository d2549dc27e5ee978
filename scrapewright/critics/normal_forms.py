"""Values brought to one form, so that what a program made of a text can be found in it again."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from urllib.parse import parse_qsl, unquote, urljoin, urlsplit

from scrapewright.query.lexicon import NUMBERS
from scrapewright.query.numerals import numerals, readings

_MARKS: dict[int, str | None] = {
    ord(c): r for cs, r in (("‘’‚‛′`´", "'"), ("“”„‟″«»", '"'), ("‐‑‒–—―−", "-")) for c in cs
}
_MARKS |= {ord(c): None for c in "\u200b\u200c\u200d\u200e\u200f\u00ad\ufeff\u2060"}
_PLAIN_NUMBER = re.compile(r"^\s*[-+]?\d+(\.\d+)?([eE][-+]?\d+)?\s*$")
_LAX_NUMBER = re.compile(r"^\s*[-+]?[^\w\s-]?\s?\d[\d.,'’ \u00a0\u202f\u2009]*\s?[^\w\s]?\s*$")
GROUPED = re.compile(r"(?<![\d.,])(\d{1,3})[.,](\d{3})(?![\d.,])")
"""Which may be a number of thousands, or have a fraction of three figures."""
NUMBER_WORDS = NUMBERS | {"half": 0.5}
_HOURS = re.compile(
    r"(\d+(?:[.,]\d+)?)\s*(?:hours?|hrs?|std\.?|stunden?|heures?|horas?|or[aeă]|uur|uren|óra|ч|час\w*|годин\w*|год(?=\.?\s*\d+\s*хв)|godz\w*\.?"
    r"|hod\w*\.?|saat|sa|tim(?:mar|me|mer|er|ar)?|tunti\w*|ώρ\w*|שע\w*|ساعة|ชั่วโมง|giờ|jam|時間|小时|小時|시간|[ht])(?![a-z])",
    re.I,
)
_MINUTES = re.compile(
    r"(\d+)\s*(?:min(?:ut\w*|uut\w*|s)?\.?|perc|мин\w*|хв\w*|dak\w*\.?|dk|λεπ\w*|דק\w*|دقيقة|นาที|phút|menit|m|分|분)(?![a-z])",
    re.I,
)
_ISO_DURATION = re.compile(r"^P(?:(\d+)D)?T?(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$", re.I)


def _folded(text: str) -> list[str]:
    if text.isascii():
        return text.lower().replace("`", "'").split()
    return unicodedata.normalize("NFKC", text.translate(_MARKS)).casefold().translate(_MARKS).split()


def squash(text: str) -> str:
    """Without case, blanks, zero-width marks; quotes and dashes of one kind; NFKC."""
    return "".join(_folded(text))


def plain(text: str) -> str:
    """As `squash`, with single blanks left between words."""
    return " ".join(_folded(text))


def words(text: str) -> list[str]:
    return re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold())


def number(value: object) -> float | None:
    """A number, where the value is one written plainly (or nearly so: thousands marks, a sign of currency); None for a
    whole number of more than 308 digits."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        try:
            return float(value)
        except OverflowError:
            return None
    text = str(value)
    if _PLAIN_NUMBER.match(text):
        return float(text)
    if len(text) <= 40 and _LAX_NUMBER.match(text):
        return min(numbers(text.rstrip(" %")), key=lambda n: (abs(n), -n), default=None)
    return None


def is_plain_number(value: object, whole: bool = False) -> bool:
    if isinstance(value, int):
        return not isinstance(value, bool)
    text = str(value)
    written = isinstance(value, float) or _PLAIN_NUMBER.match(text) is not None
    return written and (not whole or float(text).is_integer())


@lru_cache(maxsize=1 << 15)
def numbers(text: str, scaled: bool = True, signed: bool = True) -> frozenset[float]:
    """Every number that a reader could take from a text, under each of the ways in which numbers are written.

    A minus before a number and a word such as "million" after it are part of it: without them it is another number.
    `scaled` False: the number without its scaling word serves too (a column "in millions"). `signed` False: so does the
    one without its minus (a discount).
    """
    found: set[float] = set()
    text = _FRACTION.sub(_as_decimal, text[:4000])
    for numeral in numerals(text):
        read = set(readings(numeral.text))
        start, end = numeral.start, numeral.end
        if start and text[start - 1] == "." and numeral.text.isdecimal():
            read.add(float("0." + numeral.text))
        if numeral.scale != 1.0:
            grown = {float(f"{value * numeral.scale:.15g}") for value in read}
            read = grown if numeral.sure and scaled else read | grown
        if text[end : end + 2].strip()[:1] == "%":
            read |= {float(f"{value / 100:.15g}") for value in read}
        turned = {-value for value in read}
        found |= turned if numeral.sign < 0 and signed else read if numeral.sign > 0 else read | turned
    return frozenset(found)


def of_thousands(text: str) -> str:
    """The text with what may be thousands read so: 1.680 is 1680."""
    return GROUPED.sub(r"\1\2", text)


_FRACTION = re.compile(r"(\d{0,15}) ?([¼-¾⅐-⅞])")


def _as_decimal(match: re.Match[str]) -> str:
    return f"{int(match[1] or 0) + unicodedata.numeric(match[2]):.4g}"


_LENGTH = re.compile(r"(?:(\d{1,3}):)?(\d{1,3}):([0-5]\d)")


def durations(text: str) -> set[float]:
    """Minutes, seconds and hours of a length of time ("1 h 45 min", "PT1H45M", "1:45:00"; 1:45 may be either)."""
    if clock := _LENGTH.fullmatch(text.strip()[:16]):
        long, first, last = (int(part or 0) for part in clock.groups())
        totals = [3600 * long + 60 * first + last, *([] if clock[1] else [3600 * first + 60 * last])]
        return {total / unit for total in totals for unit in (60, 1.0, 3600)}
    text = _FRACTION.sub(_as_decimal, text.strip()[:4000])
    iso = _ISO_DURATION.match(text)
    if iso and any(iso.groups()):
        days, hours, minutes, seconds = (int(part or 0) for part in iso.groups())
        total = ((days * 24 + hours) * 60 + minutes) * 60 + seconds
    else:
        hour, minute = _HOURS.search(text), _MINUTES.search(text)
        if not hour and not minute:
            return set()
        total = round((float(hour[1].replace(",", ".")) * 60 if hour else 0) + (int(minute[1]) if minute else 0)) * 60
    return {total / 60, float(total), total / 3600}


CLOCK = re.compile(
    r"(?<![\d.:])(\d{1,2})(?:[:.h](\d{2})(?::\d{2})?)?\s*(?:([ap])\.?\s?m\b\.?)|(?<![\d.:])(\d{1,2})[:h](\d{2})(?![\d.])",
    re.I,
)
"""A time of day: by twelve hours with its half of the day, or by twenty-four."""


@lru_cache(maxsize=1 << 15)
def clocks(text: str) -> tuple[tuple[int, int], ...]:
    """The times of day (hour of twenty-four, minute) that a text says, in its order."""
    found: list[tuple[int, int]] = []
    for match in CLOCK.finditer(text[:4000]):
        hour, minute = int(match[1] or match[4]), int(match[2] or match[5] or 0)
        if half := match[3]:
            hour = hour % 12 + 12 * (half in "pP") if 1 <= hour <= 12 else 24
        if hour < 24 and minute < 60:
            found.append((hour, minute))
    return tuple(found)


@lru_cache(maxsize=1 << 15)
def url_key(url: str) -> tuple[str, str, tuple[tuple[str, str], ...]]:
    """What two writings of one address have in common: host, unquoted path, sorted query."""
    try:
        parts = urlsplit(url.strip())
        host = (parts.hostname or "").removeprefix("www.")
        if parts.port and parts.port not in (80, 443):
            host += f":{parts.port}"
    except ValueError:
        return ("", url.strip(), ())
    return host, unquote(parts.path).rstrip("/"), tuple(sorted(parse_qsl(parts.query, keep_blank_values=True)))


def absolute(base: str, href: str) -> str:
    try:
        return urljoin(base, href.strip())
    except ValueError:
        return href


def looks_like_url(text: str) -> bool:
    text = text.strip()
    return bool(re.match(r"(https?:)?//[^\s]+$|/[^\s]*$|mailto:", text)) and "\n" not in text


_CODECS = ("utf-8", "gb18030", "big5", "shift_jis", "euc-kr", "cp1251", "koi8-r", "cp1255", "cp1250", "euc-jp")


def demojibake(text: str) -> Iterator[str]:
    """What a text could have been before it was decoded with the wrong codec."""
    for wrong, right in product(("latin-1", "cp1252"), _CODECS):
        try:
            raw = b"".join(c.encode(wrong) if ord(c) > 255 else bytes([ord(c)]) for c in text)  # as browsers do
            back = raw.decode(right)
        except UnicodeError:
            continue
        if back != text:
            yield back


MOJIBAKE = re.compile("[ÂÃÐÑØÙ][\u0080-\u00bf\u2018-\u203a\u20ac\u0152-\u0178\u02c6\u02dc]|â(?:€|\u0080)|ï¿½|\ufffd")
"""Two-letter traces of UTF-8 read as Latin-1 or Windows-1252, or a replacement mark."""
