"""Fits steps to the values that the survey saw: numbers, dates, lists, yes or no, a few words.

A fit is made for the values at hand and no others: a thousands separator is handled where one was seen, a currency sign
is the sign that was seen. What the rest of the site writes otherwise fails in the program, and is repaired from there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from scrapewright.programmers.rules.answers import answers, says_no
from scrapewright.programmers.rules.figures import CLOCKS, Fit, fit_date, fit_number, fit_words
from scrapewright.programmers.rules.ops import (
    Between,
    Blank,
    Lookup,
    Minutes,
    NumberWord,
    Rewrite,
    Search,
    Seconds,
    Split,
    ToInt,
    Trim,
)  # fmt: skip
from scrapewright.query.lexicon import CANONICAL, fold
from scrapewright.query.reading import Field, FieldType
from scrapewright.survey.values import FOOTNOTE

PLACEHOLDERS = frozenset(
    {"-", "–", "—", "n/a", "N/A", "n.a.", "k.A.", "keine Angabe", "?", "--", "---", "…", "TBA", "tba", "none", "None"}
)


def fit(values: Sequence[str], field: Field, language: str = "") -> Fit | None:
    """The steps that make the values what the field asks for, or None where they can't be made that.

    `values` are non-empty texts as on the page. Texts stay as they are.
    """
    texts = [value for value in values if value]
    if not texts:
        return None
    kind: FieldType = field.type
    if kind == "text":
        return (_fit_moment(texts, field, language) if field.date_format else None) or _fit_text(texts, field)
    blank = tuple(sorted({text for text in texts if text in PLACEHOLDERS})) if kind != "bool" else ()
    real = [text for text in texts if text not in blank]
    if not real:
        return None
    none = _none_of(real, field) if kind == "int" else ""
    if kind in ("int", "float", "date", "datetime") and not none and (word := _stood_in(real)):
        blank = (*blank, word)
        real = [text for text in real if text != word]
    if none:
        counted = fit([text for text in real if text != none], field, language)
        return Fit((NumberWord(none, 0), *counted.ops), counted.share) if counted is not None else None
    sign = real[0][0] if _is_reduction(field, real) else ""
    made = _fit_type(kind, [text.removeprefix(sign) for text in real] if sign else real, field, language)
    if made is None:
        return None
    if sign:
        made = Fit((Trim(sign), *made.ops), made.share)
    ops = (Blank(blank), *made.ops) if blank else made.ops
    if kind in ("int", "float") and (number_word := field.said.number_word):
        ops = (NumberWord(*number_word), *ops)
    return Fit(ops, made.share * len(real) / len(texts) if kind != "float" and kind != "int" else made.share)


STANDS_IN = 0.2
"""The share of the texts that hold a figure, from which on the others may be one word that stands for none."""
FEW = 0.3
"""The share of the texts up to which those without a figure are the exceptions that the steps leave out anyway."""


def _stood_in(texts: Sequence[str]) -> str:
    """The one text that many records have in place of a figure: "on request"; "" where there are none or several."""
    others = Counter(text for text in texts if not any(map(str.isdigit, text)))
    many = FEW * len(texts) < others.total() <= (1 - STANDS_IN) * len(texts)
    return next(iter(others)) if many and len(others) == 1 else ""


_NOT_ANY = frozenset(
    ("no", "none", "not", "zero", "keine", "kein", "aucun", "aucune", "sin", "nessun", "geen", "brak", "нет")
)


def _none_of(texts: Sequence[str], field: Field) -> str:
    """What texts that count say where there is nothing to be counted: "No comments" beside "3 comments", "Sold out"
    beside "3 in stock"; "" where they don't."""
    others = {text for text in texts if not any(map(str.isdigit, text))}
    said = others.pop() if len(others) == 1 < len(set(texts)) else ""
    stocked = "stock" in field.said.concepts and says_no(said)
    return said if stocked or fold(said).split(" ")[0] in _NOT_ANY else ""


def _is_reduction(field: Field, texts: Sequence[str]) -> bool:
    """A discount is as much as its figure says, however the page writes it: "-30%" is 30."""
    if field.type not in ("int", "float") or "discount" not in field.said.concepts:
        return False
    return texts[0][0] in "-−–" and all(text.startswith(texts[0][0]) and len(text) > 1 for text in texts)


def _fit_type(kind: FieldType, real: list[str], field: Field, language: str) -> Fit | None:
    if kind in ("int", "float"):
        if (spent := _fit_time_spent(real, field)) is not None:
            return spent
        if kind == "int" and (year := _fit_year(real, field)) is not None:
            return year
        number = fit_number(tuple(real), whole=kind == "int", language=language, scaled=field.said.scaled)
        return number or fit_words(real, field.said.constant)
    if kind in ("date", "datetime"):
        return _fit_moment(real, field, language)
    if kind == "bool":
        return fit_bool(real, field)
    if kind == "list":
        return fit_list(real)
    if kind == "url":
        good = sum(" " not in text.strip() and _ADDRESS.match(text) is not None for text in real)
        return Fit((), good / len(real)) if good >= 0.9 * len(real) else None
    return Fit((), 1.0)


def _fit_moment(texts: list[str], field: Field, language: str) -> Fit | None:
    """Dates and times as they are asked for: a part ("HH:MM"), too, of texts that say all of it."""
    kind, form = field.type, field.date_format
    time = "%H" in form or "%I" in form if kind == "text" else kind == "datetime"
    return fit_date(tuple(texts), time=time, into=form, language=language)


def _fit_text(texts: list[str], field: Field) -> Fit:
    if field.optional or any(word in field.said.folded for word in ("empty", "blank", "leer")):
        blank = tuple(sorted({text for text in texts if text in PLACEHOLDERS}))
        if blank and len(set(texts)) > len(blank):
            return Fit((Blank(blank),), 1.0)
    schema = _SCHEMA.match(texts[0])
    if schema is not None and all(text.startswith(schema[0]) for text in texts):
        return Fit((Trim(schema[0]),), 1.0)
    marked = sum("[" in text and _FOOTNOTE.search(text) is not None for text in texts)
    if (
        0 < marked < len(texts)
        and any(map(_REFERRED.search, texts))
        and not re.search(r"as (?:shown|written)", field.said.folded)
    ):
        return Fit((Rewrite(_FOOTNOTE.pattern, ""),), 1.0)
    return Fit((), 1.0)


_ADDRESS = re.compile(r"(?i)(https?:)?//|[/.?#]|[\w%.~+-]+(/|\.[^\W\d_]|\?)")
_SCHEMA = re.compile(r"https?://schema\.org/")
"""What machine markup puts before the names of its states: http://schema.org/InStock."""
_FOOTNOTE = re.compile(rf"\s*\[{FOOTNOTE}\](?=\s|\[|$)")
_REFERRED = re.compile(r"[^\W\d_][\w).'’\"”]*\s*(?:\[(?:\d{1,3}|[a-z]|(?:note|nb|n) ?\d{1,2})\]\s*)+$")
"""Marks that lead to a footnote, as wikis print them behind what they refer to: "Tuvalu[3]"."""


_YEAR = r"(?<!\d)((?:1[5-9]|20)\d\d)(?!\d)"


def _fit_year(values: Sequence[str], field: Field) -> Fit | None:
    """The year of dates, where the request asks for no more: "4/2019", "12 May 2020"."""
    if "year" not in field.said.concepts:
        return None
    years = [re.findall(_YEAR, value) for value in values]
    if any(len(found) != 1 for found in years):
        return None
    firsts = [found[0] for value in values if (found := re.search(r"\d+", value))]
    return Fit((Search(_YEAR, 1), ToInt()), 1.0) if firsts != [found[0] for found in years] else None


_HOURS = (
    r"(\d+)\s*(?:[htч]\b|h(?=\d\d)|hrs?\b|hours?|std|stunden?|heures?|horas?|or[aeă]\b|uur|uren|godz|hod|час|годин|год(?=\.?\s*\d+\s*хв)|saat|sa\b|óra"
    r"|tim(?:mar|er|ar)?\b|tunti|ώρ|שע|ساعة|ชั่วโมง|giờ|jam\b|時間|小时|小時|시간)"
)
_MINUTES = (
    r"(\d+)\s*(?:(?<=h\d\d)(?!\d)|(?<=h \d\d)(?!\d)"
    r"|min|m\b|perc|мин|хв|dak|dk\b|λεπ|דק|دقيقة|นาที|phút|menit|分|분)"
)


def _fit_time_spent(values: Sequence[str], field: Field) -> Fit | None:
    """Minutes: of ISO 8601 durations (the M of "PT55M" is no million), unless the request names another unit; of words
    ("1 h 30 min") and from one time of day to another where it asks for them."""
    wanted = field.said.in_minutes
    iso = all(re.fullmatch(r"P(?:\d+D)?T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?", value) for value in values)
    if iso and (wanted or not field.said.in_other_units):
        return Fit((Minutes(r"(\d+)H", r"(\d+)M"),), 1.0)
    timed = [value for value in values if wanted and re.search(_HOURS, value, re.I)]
    if timed and all(value in timed or re.search(_MINUTES, value, re.I) for value in values):
        return Fit((Minutes("(?i)" + _HOURS, "(?i)" + _MINUTES),), 1.0)
    if field.said.in_seconds and all(map(_LENGTH.fullmatch, values)):
        return Fit((Seconds(),), 1.0)
    if wanted and all(map(_LENGTH.fullmatch, values)):
        whole = all(value.count(":") == 1 and int(value.partition(":")[0]) < MAX_HOURS for value in values)
        return Fit((Minutes(r"^(\d+):", r":(\d+)$"),), 1.0) if whole else None
    for clock, form in CLOCKS if wanted else ():
        share = sum(len(re.findall(clock, value)) == 2 for value in values) / len(values)
        if share >= 0.7:
            return Fit((Between(clock, form),), share)
    return None


_LENGTH = re.compile(r"(?:\d+:)?\d{1,3}:[0-5]\d")
MAX_HOURS = 24
"""From which on a length of time such as 45:10 is of minutes and seconds."""


def fit_bool(values: Sequence[str], field: Field) -> Fit | None:
    """A few kinds of text that answer what the field asks."""
    said = answers(sorted(set(values)), field, PLACEHOLDERS)
    if said is None:
        return None
    words = sorted(said.items(), key=lambda pair: not pair[1])
    return Fit((Lookup(field.said.constant or "ANSWERS", tuple(words)),), 1.0)


def fit_list(values: Sequence[str]) -> Fit | None:
    """One text that holds several, split where most of them are: an address at no slash."""
    addresses = any("//" in value or value.startswith("/") for value in values)
    marks = (";", "|", ",", "、", "，", "·", "•", " - ", " – ", *(() if addresses else ("/",)), " ")
    best = max(marks, key=lambda mark: (_splits(values, mark), mark != " "))
    if _splits(values, best) == 0:
        return Fit((Split(","),), 0.6)
    return Fit((Split(best, _last_joint(values) if best == "," else ""),), 1.0 if best != " " else 0.5)


_AND = (*(word for word, said in CANONICAL.items() if said == "and"), "y", "e", "i", "a", "en", "ja", "şi", "și")
"""What is written before the last of several."""
_MAY_BE_ANY = 2
"""Letters of such a word that may be another one ("a", "en"), unless several texts have it there."""
_LAST = re.compile(rf",[^,]+?,?\s({'|'.join(map(re.escape, _AND))})\s[^,]+$", re.I)


def _last_joint(values: Sequence[str]) -> str:
    """The word before the last of several where commas are between the others: "oak, elm and ash". Texts of two have it
    alone."""
    found = Counter(match[1] for value in values if (match := _LAST.search(value)))
    found = Counter({word: count for word, count in found.items() if count > 1 or len(word) > _MAY_BE_ANY})
    return max(found, key=lambda word: found[word], default="")


def _splits(values: Sequence[str], mark: str) -> float:
    pieces = [value.split(mark) for value in values]
    if mark == " " and any(len(value) > 80 or re.search(r"[.,;:!?](?:\s|$)", value) for value in values):
        return 0.0  # a sentence is no list of words
    if mark == " " and (len(values) == 1 or any(re.search(r"[^\W\d_a-z][a-zß-ÿ]+ [A-Z]", value) for value in values)):
        return 0.0  # and a name of several words is one
    return sum(len(piece) > 1 for piece in pieces) / len(values)
