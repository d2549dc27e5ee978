"""Whether a cell's value occurs in a part of a page, as it is or as the source of an asked conversion."""

from __future__ import annotations

import ast
import json
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from scrapewright.critics.dates import RELATIVE, Date, read_as, read_iso, says
from scrapewright.critics.document import ADDRESSES, LINK_ATTRS, Piece, Span, UrlKey, piece_at
from scrapewright.critics.normal_forms import (
    CLOCK,
    NUMBER_WORDS,
    absolute,
    clocks,
    durations,
    is_plain_number,
    looks_like_url,
    number,
    numbers,
    plain,
    squash,
    url_key,
    words,
)
from scrapewright.critics.rows import is_empty
from scrapewright.query.numerals import MINUS, SURE_MINUS, names_scale
from scrapewright.query.reading import Field
from scrapewright.survey.dom import word_set

SHORT = 4
"""Squashed texts shorter than this must be whole words of a text piece."""
TOLERANCE = 0.0051
_RATED = re.compile(r"star|rat|scor|vote|rank|point|stern|level|stufe", re.I)
_UNSIGNED = re.compile(
    r"discount|saving|reduc|\boff\b|rabat|ermäß|nachlass|remise|descuento|sconto|korting|скидк|\babs"
)
"""A reduction is a number with or without its minus."""
_NO_NUMBERS = word_set("srcset sizes for width height rowspan colspan tabindex rel target style")
"""Attributes whose numbers say how a page is laid out."""
MOST_COUNTED = 500
SHARED = 4
"""A parameter that more of a page's links have in common tells none of them."""
BRIEF = 300
"""Characters of an attribute's value that is read for a date, a time or a short text."""
BEGUN = 10
"""Characters by which the beginning of a text is known for it."""
WORDY = 4000
"""Texts longer than this are not searched for scattered words."""


class Hit(NamedTuple):
    """The node that a value was found in, with the attribute `name` where that is known to hold it."""

    node: int
    name: str = ""


class Needle:
    """A cell made ready for the search."""

    def __init__(self, value: Any, field: Field | None) -> None:
        kind, pattern = (field.type, field.date_format) if field is not None else ("text", "")
        self.kind = kind
        self.raw = value
        said = f"{field.name} {field.note} {' '.join(field.words)}".lower() if field is not None else ""
        self.scaled = not names_scale(said)
        self.signed = _UNSIGNED.search(said) is None
        self.items: list[Needle] = []
        self.text: str = ""
        self.number: float | None = None
        self.date: Date | None = None
        self.url = ""
        self.clock: tuple[int, int] | None = None
        answer = kind == "bool" and str(value).strip().lower() in ("true", "false")
        self.empty = is_empty(value) or isinstance(value, bool) or answer
        listed = as_list(value, kind)
        if listed is not None:
            self.items = [Needle(item, None) for item in listed if not is_empty(item)]
            self.empty = not self.items
            value = " ".join(needle.text for needle in self.items)
        text = self.text = "" if self.empty and not self.items else str(value)
        self.flat = squash(text)
        self.words = tuple(words(text)) if len(text) < 2000 else ()
        if self.items or self.empty:
            return
        if isinstance(value, int | float) or kind in ("int", "float") or is_plain_number(text):
            self.number = number(value)
        if kind in ("date", "datetime", "text") and CLOCK.fullmatch(text.strip()):
            self.clock = next(iter(clocks(text)), None)
        elif kind in ("date", "datetime", "text"):
            self.date = read_iso(text) or read_iso(read_as(text, pattern) or "")
        if kind == "url" or (kind == "text" and looks_like_url(text)):
            self.url = text.strip()

    def numbers(self, text: str) -> frozenset[float]:
        """What the text says, with sign and scale where these are part of what was asked for."""
        return numbers(text, self.scaled, self.signed)

    def says(self, text: str) -> bool:
        """Whether the text holds the number, or a length of time that comes to it."""
        value = self.number
        return value is not None and (_near(value, self.numbers(text)) or _near(value, durations(text)))

    @property
    def is_short(self) -> bool:
        """So little that it can be found in a page by chance."""
        return not self.items and not self.url and self.date is None and (self.number is not None or len(self.flat) < 8)


def as_list(value: Any, kind: str) -> list[Any] | None:
    """The values of a cell that holds several, as a list or (in a column of lists) as a text; else None."""
    if isinstance(value, list | dict):
        value = list(value.values()) if isinstance(value, dict) else value
        return [item for item in value if not isinstance(item, bool)]
    if kind != "list" or not isinstance(value, str):
        return None
    text = value.strip()
    if text[:1] in "[(" and text[-1:] in "])":
        for loads in (json.loads, ast.literal_eval):
            try:
                read = loads(text)
            except (ValueError, SyntaxError, RecursionError, MemoryError):
                continue
            if isinstance(read, list | tuple):
                return list(read)
    for mark in (";", "|", ","):
        if mark in text:
            return [part.strip() for part in text.split(mark)]
    return [text] if text else []


def find(needle: Needle, span: Span) -> Hit | None:
    """The value in the span, by the strictest reading that finds it."""
    if needle.items:
        hits = [find(item, span) for item in needle.items]
        return hits[0] if hits and all(hit is not None for hit in hits) else None
    if needle.url and (hit := _find_url(needle.url, span)) is not None:
        return hit
    if needle.number is not None:
        hit = _find_number(needle, needle.number, span)
        if hit is not None or needle.kind in ("int", "float"):
            return hit
    if needle.date is not None:
        hit = _find_date(needle.date, span)
        if hit is not None or needle.kind in ("date", "datetime"):
            return hit
    if needle.number is not None and needle.kind != "text":
        return None
    hit = find_text(needle, span)
    if hit is not None or needle.clock is None:
        return hit or _find_words(needle.words, span)
    # a time of day may be written otherwise, by twelve hours or by twenty-four
    return _first((*span.texts, *span.values), lambda text: needle.clock in clocks(text))


def said_in(needle: Needle, text: str, flat: str, name: str = "") -> bool:
    """Whether a single text (or the attribute `name`'s value) says the value. `flat` is the text, squashed."""
    if needle.items:
        return any(said_in(item, text, flat, name) for item in needle.items)
    if needle.number is not None and needle.kind != "text":
        return _says_number(needle, needle.number, text, name)
    if needle.date is not None and needle.kind != "text":
        return says(text, needle.date)
    if not needle.flat:
        return False
    if len(needle.flat) < SHORT:
        return needle.flat == flat or bool(alone(needle.flat, needle.text).search(plain(text)))
    of_words = name in ADDRESSES and " " in needle.text.strip()  # an address says words of its own
    if (needle.flat in flat and not of_words) or (needle.clock is not None and needle.clock in clocks(text)):
        return True
    if needle.url and name:
        path = flat.lstrip(".")
        telling = len(path) >= (2 if path.startswith("/") else SHORT)
        return name in LINK_ATTRS and telling and needle.flat.endswith(path)
    most = len(flat) >= max(SHORT, 0.5 * len(needle.flat)) and flat in needle.flat
    return not name and (most or begins(flat, needle.flat))


def begins(flat: str, whole: str) -> bool:
    """Whether a squashed text is the beginning of another, and dots."""
    begun = flat.rstrip(".…")
    return BEGUN <= len(begun) < len(whole) and flat.endswith(("…", "...")) and whole.startswith(begun)


def find_text(needle: Needle, span: Span) -> Hit | None:
    model, flat = span.model, needle.flat
    if not flat:
        return None
    for node in _within(model.by_text.get(flat, ()), span):
        return Hit(node)
    for node in _within(model.by_attr.get(flat, ()), span):
        return Hit(node, next(piece.name for piece in model.own_values(node) if piece.flat == flat))
    if len(flat) < SHORT:
        return _find_short(flat, span, needle.text)
    if (at := model.text.find(flat, span.start.text, span.stop.text)) >= 0:
        return Hit(model.node_at(at, at + len(flat)))
    if (at := model.attrs.find(flat, span.start.attr, span.stop.attr)) >= 0:
        piece = piece_at(model.attributes, at)
        return Hit(piece.node, piece.name)
    return None


def _first(pieces: Iterable[Piece], says: Callable[[str], object]) -> Hit | None:
    """The first of the texts that says it, or of the values of attributes that are no long texts."""
    brief = (piece for piece in pieces if not piece.name or len(piece.text) < BRIEF)
    return next((Hit(piece.node, piece.name) for piece in brief if says(piece.text)), None)


def _within(nodes: Sequence[int], span: Span) -> Sequence[int]:
    """The first of the nodes (sorted) that lies in the span, if one does."""
    at = bisect_left(nodes, span.first)
    return nodes[at : at + 1] if at < len(nodes) and nodes[at] < span.last else ()


def _find_short(flat: str, span: Span, text: str) -> Hit | None:
    pattern = alone(flat, text)
    for piece in span.texts:
        if flat in piece.flat and (not flat[0].isascii() or pattern.search(plain(piece.text))):
            return Hit(piece.node, piece.name)
    return _first(span.values, lambda text: pattern.search(text.lower()))


MEASURE = re.compile(r"(?<![\d.,])(\d[\d.,]*)\s*([^\W\d_]+)")


def units_in(text: str) -> set[str]:
    """The words that are right behind numbers, in small letters."""
    return {found[2] for found in MEASURE.finditer(text.lower())}


def unit_of(said: Iterable[tuple[Needle, str]]) -> str:
    """The only word that is behind the numbers of a column in all of their texts, in small letters; "" where there is
    none."""
    behind = [
        {found[2] for found in MEASURE.finditer(text.lower()) if needle.number in numbers(found[1])}
        for needle, text in said
    ]
    shared = set.intersection(*behind) if behind else set()
    return shared.pop() if len(shared) == 1 else ""


def alone(flat: str, said: str = "") -> re.Pattern[str]:
    """A text as words of its own. Small letters may stand right behind a figure of the page, as a unit does ("250g").
    Figures that belong to a longer number are none."""
    before, after = r"(?<![^\W_])", ""
    if flat.isdigit():
        before, after = before + r"(?<!\d[.,'’])", r"(?![.,'’]\d)"
    elif flat.isalpha() and said.islower():
        before = r"(?<![^\W\d_])"
    return re.compile(rf"{before}{re.escape(flat)}{after}(?![^\W_])")


def _find_url(url: str, span: Span) -> Hit | None:
    model = span.model
    key: UrlKey = url_key(absolute(model.base, url))
    for nodes in (model.by_url.get(key, ()), model.by_attr.get(squash(url), ())):
        for node in _within(nodes, span):
            return Hit(node)
    # an address made from a part: the last piece of its path, or a value of its query, is in the record
    tail = key[1].rsplit("/", 1)[-1]
    own = [value for name, value in key[2] if model.queries[name, value] <= SHARED]
    telling = [part for part in (tail, *own) if len(part) >= SHORT and any(c.isdigit() or c in "-_" for c in part)]
    there = any(model.attrs.find(squash(part), span.start.attr, span.stop.attr) >= 0 for part in telling)
    return Hit(span.top) if there else None


def _near(value: float, found: frozenset[float] | set[float]) -> bool:
    return value in found or (not value.is_integer() and any(abs(value - other) < TOLERANCE for other in found))


def _find_number(needle: Needle, value: float, span: Span) -> Hit | None:
    previous = sign = ""
    for piece in span.texts:
        text, short = piece.text, piece.text.strip()
        if any(c.isdigit() for c in text):
            if needle.says(sign + short if sign else text) or (looks_like_url(short) and _in_address(value, short)):
                return Hit(piece.node)
            cents = f"{previous.rstrip(' .,')}.{short}" if previous and len(short) <= 3 and short.isdigit() else ""
            if cents and _near(value, needle.numbers(cents)):
                return Hit(piece.node)
            previous, sign = text, ""
            continue
        # a minus in an element of its own belongs to the number behind it, unless it is between two
        sign = ("-" if short in SURE_MINUS else "- ") if short and short in MINUS else ""
        if NUMBER_WORDS.get(short.lower()) == value:
            return Hit(piece.node)
    for piece in span.values:
        if _says_number(needle, value, piece.text, piece.name):
            return Hit(piece.node, piece.name)
    counted = value.is_integer() and 1 <= value <= MOST_COUNTED and _counts(value, span)
    return Hit(span.top) if counted else None


def _says_number(needle: Needle, value: float, text: str, name: str = "") -> bool:
    """Whether a text, or the attribute `name`'s value, says a number, in figures or in a word."""
    if not any(c.isdigit() for c in text):
        return len(text) < 200 and any(NUMBER_WORDS.get(word) == value for word in words(text))
    if name:
        return _number_in_attr(needle, value, name, text)
    return len(text) < 4000 and needle.says(text)


def _number_in_attr(needle: Needle, value: float, name: str, text: str) -> bool:
    """A number in an attribute; in addresses, classes and ids only where it stands out as one."""
    if len(text) > 400:
        return False
    if name in ("class", "id"):
        tokens = [token for token in text.split() if _RATED.search(token)]
        return any(_near(value, needle.numbers(token.replace("-", " ").replace("_", " "))) for token in tokens)
    if name in _NO_NUMBERS:
        return False
    if "/" in text and " " not in text:
        return _in_address(value, text)
    return needle.says(text)


def _in_address(value: float, url: str) -> bool:
    """Whether a number is in an address as a part of its own; small ones are by chance."""
    return value >= 100 and f"{value:.15g}" in re.findall(r"(?<![^\W_])\d+(?:\.\d+)?(?![^\W_])", url)


def _counts(value: float, span: Span) -> bool:
    """A number of like elements without text (stars drawn one by one), or of like marks in a row."""
    nodes = range(span.first, min(span.last, span.first + 4000))
    drawn = Counter(span.model.chain[n] for n in nodes if not span.model.length(n) and "." in span.model.chain[n])
    text = span.model.text[span.start.text : min(span.stop.text, span.start.text + 4000)]
    return value in drawn.values() or any(text.count(mark) == value for mark in "★⭐✭✪●")


def _find_date(date: Date, span: Span) -> Hit | None:
    in_texts = _first(span.texts, lambda text: says(text, date) and _clock(text, date, span))
    if hit := in_texts or _first(span.values, lambda text: any(c.isdigit() for c in text) and says(text, date)):
        return hit
    relative = any(len(piece.text) <= 40 and RELATIVE.search(piece.text) for piece in span.texts)
    return Hit(span.top) if relative or says(span.said[:4000], date) else None


def _clock(piece: str, date: Date, span: Span) -> bool:
    """Minutes asked for must be written too; hours may be given in another zone or by twelve."""
    if date[4] is None or (date[3] == 0 and date[4] == 0):
        return True
    return f"{date[4]:02}" in piece or f"{date[4]:02}" in span.said[:4000]


def _find_words(wanted: tuple[str, ...], span: Span) -> Hit | None:
    """All the words in their order, not far apart: a text with something taken out of its middle."""
    brief = len(wanted) >= 2 and len("".join(wanted)) >= SHORT and span.stop.text - span.start.text <= WORDY
    there, room = words(span.said) if brief else [], 2 * len(wanted) + 4
    windows = (iter(there[n : n + room]) for n, word in enumerate(there) if word == wanted[0])
    return Hit(span.top) if any(all(word in window for word in wanted) for window in windows) else None
