"""What kind of value a text is, judged by its shape alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import islice

from scrapewright.query.lexicon import month_of
from scrapewright.query.reading import FieldType

CURRENCY = re.compile(
    r"[$€£¥₹₽₴₺₩₪฿₫zł]{1}(?=\s?\d)|(?<=\d)\s?[$€£¥₹₽₴₺₩₪฿₫]|\b(?:USD|EUR|GBP|CHF|JPY|CNY|INR|RUB|SEK|NOK|DKK|PLN|CZK|HUF|AUD|CAD|BRL|kr|Kč|zł|Ft|lei|лв|руб|грн|元|円|원)\b"
    r"|(?<=\d)[.,](?:-|–|—)(?!\d)"
)
FOOTNOTE = r"(?:\d{1,3}|[a-z]|(?:note|nb|n|lower-alpha) ?\d{1,2})"
"""What the brackets of a footnote's mark hold: [3], [note 2]."""
_INT = re.compile(r"^[+-]?(?:\d{1,3}(?:[., \u00a0\u202f'’]\d{3})+|\d+)$")
_FLOAT = re.compile(r"^[+-]?(?:\d{1,3}(?:[., \u00a0\u202f'’]\d{3})*|\d+)[.,]\d+\s?%?$|^[+-]?\d+\s?%$")
_MONTH = r"[^\W\d_]{3,}"
_TIME = (
    r"(?:(?:[T ,]+|\s[-–—|·]\s)(?:at |um |à |om |a las )?\d{1,2}[:.h]\d{2}(?::\d{2}(?:\.\d+)?)?(?:\s?[ap]\.?m\.?)?"
    r"(?:\s?(?:Z|Uhr|[A-Z]{2,4}|[+-]\d{2}:?\d{2}))?)"
)
_DAY = r"(?:[A-Za-zÀ-ž\u0400-\u04ff]{2,12}\.?,?\s+)?"
_DATES = re.compile(
    rf"^{_DAY}(?:"
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}"
    r"|\d{1,2}[-/.]\s?\d{1,2}[-/.]\s?(?:\d{4}|\d{2})"
    rf"|\d{{1,2}}(?:st|nd|rd|th|\.|º|er)?[\s-]+(?:de\s+|of\s+)?(?P<second>{_MONTH})\.?,?(?:[\s-]+(?:de\s+)?\d{{2,4}})?(?:\s?г\.?)?"
    rf"|(?P<first>{_MONTH})\.?\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+\d{{4}}"
    r"|\d{2,4}\s?[年년]\s?\d{1,2}\s?[月월]\s?\d{1,2}\s?[日일]"
    rf"){_TIME}?$",
    re.I,
)
_DATE_INSIDE = re.compile(
    rf"\b\d{{4}}-\d{{2}}-\d{{2}}\b|\b\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}\b"
    rf"|\b(?P<first>{_MONTH})\.?\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+\d{{4}}"
    rf"|\b\d{{1,2}}\.?\s+(?:de\s+)?(?P<second>{_MONTH})\.?,?\s+(?:de\s+)?\d{{4}}"
    r"|\d{4}\s?年\s?\d{1,2}\s?月\s?\d{1,2}\s?日",
    re.I,
)
_CLOCK = re.compile(r"\d{1,2}[:.h]\d{2}")
_URL = re.compile(r"^(?:https?:)?//[^\s]+$")
_ADDRESS = re.compile(rf"{_URL.pattern}|^/(?!/)\S*[^\W\d]\S*$")
_BOOL = frozenset(("true", "false", "yes", "no", "ja", "nein", "oui", "non"))


def is_price(text: str) -> bool:
    """A number with a currency, and little else."""
    if len(text) > 32 or not any(c.isdigit() for c in text) or not CURRENCY.search(text):
        return False
    return sum(c.isalpha() for c in text) <= 8 and len(re.findall(r"\d+(?:[., ]\d+)*", text)) == 1


def is_date(text: str) -> bool:
    return len(text) <= 48 and (match := _DATES.match(text.strip(" ,;()[]|"))) is not None and _is_dated(match)


@lru_cache(maxsize=8192)
def has_date(text: str) -> bool:
    """A date occurs somewhere in the text."""
    return any(map(_is_dated, _DATE_INSIDE.finditer(text[:2000])))


def _is_dated(match: re.Match[str]) -> bool:
    """Whether the word in the place of a month is one, where the match has a word there."""
    month = match["first"] or match["second"]
    return not month or month_of(month) > 0


@lru_cache(maxsize=8192)
def type_of(text: str) -> FieldType:
    """The type of one text by its shape."""
    text = text.strip()
    if _INT.match(text):
        return "int"
    if _FLOAT.match(text):
        return "float"
    if is_date(text):
        return "datetime" if _CLOCK.search(re.sub(r"\d{1,2}\.\d{1,2}\.\d{2,4}", "", text)) else "date"
    if is_price(text):
        return "float"
    if _URL.match(text):
        return "url"
    if text.lower() in _BOOL:
        return "bool"
    return "text"


def type_of_all(values: Sequence[str], attr: str = "text") -> FieldType:
    """The type that nine of ten values have; ints among floats are floats, dates among datetimes dates."""
    if attr in ("href", "src", "data-src", "data-href", "action", "poster", "data-original", "data-lazy-src", "srcset"):
        return "url"
    seen = [type_of(value) for value in islice(filter(None, values), 200)]
    if not seen:
        return "text"
    counts, enough = Counter(seen), 0.8 * len(seen)
    if counts["int"] + counts["float"] >= enough:
        return "float" if counts["float"] else "int"
    if counts["date"] + counts["datetime"] >= enough:
        return "date" if counts["date"] else "datetime"
    return next((kind for kind in seen if counts[kind] >= enough), "text")


def type_of_data(values: Sequence[str], attr: str = "text") -> FieldType:
    """The type of a place in data, which has paths where a page has links."""
    addresses = sum(_ADDRESS.match(value) is not None for value in values)
    return "url" if values and addresses >= 0.8 * len(values) else type_of_all(values, attr)
