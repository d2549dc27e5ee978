"""Numbers, sums, sizes, years, dates and codes inside a text, told apart by their shape and the words beside them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import takewhile

from scrapewright.programmers.rules.ops import Search
from scrapewright.programmers.rules.view import View, part
from scrapewright.query.lexicon import MONTHS, fold, tokens
from scrapewright.query.numerals import APOSTROPHES, BLANKS, CURRENCY, MINUS, NUMERAL, scale_after

UNIT = re.compile(
    rf"(?P<head>(?<![^\W\d_])[^\W\d_]++[.:]?\s*+:?\s*+)?(?P<sign>(?<![\w.,%)])[{MINUS}])?(?<!\d)(?<!\d[.,'’])(?P<number>{NUMERAL})"
)
_WORD = re.compile(r"\s*([^\W\d_]{2,}|m²|m2(?!\w)|[mgh](?![\w²³]))")


_MONTHS = frozenset(fold(name) for names in MONTHS.values() for name in names)


def numbers(whole: View) -> list[View]:
    """Numbers distinguished by the word beside them: "12 votes from 3 readers", "Likes: 12"."""
    units: Counter[str] = Counter()
    heads: Counter[str] = Counter()
    said: dict[str, set[str]] = {}
    numbers: set[str] = set()
    signs: set[str] = set()
    scales: set[str] = set()
    if not whole.numbered:
        return []
    for text, times in whole.numbered.items():
        for match in UNIT.finditer(text):
            numbers.add(match["number"])
            signs.add(match["sign"] or "")
            _, sure, scale = scale_after(text, match.start("number"), match.end("number"))
            at = text.index(scale, match.end("number")) + len(scale) if scale and sure else match.end("number")
            scales.add(scale if sure else "")
            unit = _WORD.match(text, at + (text[at : at + 1] == "."))
            if unit:
                stem = unit[1][:-1] if len(unit[1]) > 3 and unit[1].endswith("s") else unit[1]
                units[stem] += times
                said.setdefault(stem, set()).add(unit[1])
            if match["head"]:
                heads[match["head"].strip(" :.").lower()] += times
    number = _number_pattern(numbers, signs, scales)
    found: list[View] = []
    enough = max(1, 0.5 * len(whole.texts))
    for stem, count in units.items():
        if count >= enough and not stem.isdigit() and fold(stem) not in _MONTHS:
            end = r"(?![\w²³])" if len(stem) == 1 else ""
            pattern = rf"({number})\s*{re.escape(stem)}{end}"
            having = list(filter(re.compile(pattern, re.I).search, whole.numbered))
            optional = len(having) < len(whole.counts)
            flag = "" if all(map(re.compile(pattern).search, having)) else "(?i)"
            found += part(whole, [Search(flag + pattern, 1, optional)], 0.15, names=sorted(said[stem]))
    for head, count in heads.items():
        if count >= enough and len(head) > 1:
            pattern = rf"{re.escape(head)}[.:]?\s*({number})"
            flag = "" if all(head in text for text in whole.counts) else "(?i)"
            optional = not all(map(re.compile(pattern, re.I).search, whole.counts))
            found += part(whole, [Search(flag + pattern, 1, optional)], 0.15, names=(head,))
    money = _money(whole, number) + _former_money(whole, number)
    return found + money + _size(whole) + _year(whole) + _phone(whole)


_COIN = rf"[{CURRENCY}]|\b(?:EUR|USD|GBP|CHF|PLN|Kč|zł|kr|Ft)\b"


_FORMERLY = re.compile(
    r"(?i)(?<!\w)(?:was|rrp|msrp|uvp|statt|vorher|avant|antes|prima|era|før|voor|dříve|było|było|reg(?:ular)?\.?|list)\b"
)


def _former_money(whole: View, number: str) -> list[View]:
    """The sum behind a word for what it was before: "Was £45.00 Now £30.00"."""
    pattern = rf"{_FORMERLY.pattern}\D{{0,12}}?((?:{_COIN})?\s?{number}(?:\s?(?:{_COIN}))?)"
    hits = list(filter(re.compile(pattern).search, whole.numbered))
    if not hits:
        return []
    names = ("old price", "was price", "regular price", "former price")
    return part(whole, [Search(pattern, 1, len(hits) < len(whole.counts))], -0.1, names=names)


def _money(whole: View, number: str) -> list[View]:
    """The sum of money in a text whose first number is another one: "Model 300 for 49 €"."""
    formerly = list(filter(_FORMERLY.search, whole.numbered))
    for pattern in (rf"(?:{_COIN})\s?{number}", rf"{number}\s?(?:{_COIN})"):
        sums = re.compile(pattern)
        if any(len(sums.findall(text)) > 1 for text in formerly):
            return part(whole, [Search(rf"({pattern})(?!.*(?:{_COIN}).*)\D*$", 1)], -0.2, names=("price",))
        hits = [(text, match) for text in whole.numbered if (match := sums.search(text))]
        held = sum(whole.counts[text] for text, _ in hits)
        if held < 0.8 * len(whole.texts):
            continue
        later = sum(whole.counts[text] for text, match in hits if any(c.isdigit() for c in text[: match.start()]))
        if later >= 0.5 * held:
            coins = {coin[0] for _, match in hits if (coin := re.search(_COIN, match[0]))}
            plain = "|".join(re.escape(coin) for coin in sorted(coins))
            bare = pattern.replace(_COIN, plain)
            return part(whole, [Search(bare, 0, held < len(whole.texts))], 0.15, names=("price",))
    return []


_YEAR = r"\b(?:1[5-9]|20)\d\d\b"


def _year(whole: View) -> list[View]:
    """The year in brackets, or the only year, of a text with other numbers: "Adams (2019), vol. 12"."""
    for pattern in (rf"\(({_YEAR})\)", rf"({_YEAR})"):
        found = list(takewhile(lambda years: len(years) == 1, map(re.compile(pattern).findall, whole.texts)))
        if len(found) == len(whole.texts) and len({years[0] for years in found}) > 1:
            return part(whole, [Search(pattern, 1, False)], 0.1, names=("year",))
    return []


_DIALLED = re.compile(
    r"(?i)(?<!\w)(?:tel|tél|telefon|telephone|téléphone|teléfono|telefono|phone|ph|mobile|mob|fon|тел)\b[.:]*\s*"
    r"(\+?\(?\d[\d ()/.–-]{5,18}\d)"
)


def _phone(whole: View) -> list[View]:
    """The telephone number of a text that says more, behind the word for it: "Room 4 · Tel. 555 0100"."""
    hits = [text for text in whole.numbered if _DIALLED.search(text)]
    if not hits or len(hits) < 0.3 * len(whole.counts):
        return []
    return part(whole, [Search(_DIALLED.pattern, 1, len(hits) < len(whole.counts))], -0.1, names=("phone",))


_BYTES = r"\d+(?:[.,]\d+)?\s?(?:[KMGT]i?B|[kMG]o|bytes?|Bytes)\b"


def _size(whole: View) -> list[View]:
    """How large a file is, where a text says more than that: "(PDF, 1.2 MB)"."""
    hits = len(list(filter(re.compile(_BYTES).search, whole.texts)))
    if hits < 0.6 * len(whole.texts) or all(re.fullmatch(_BYTES, text) for text in whole.texts):
        return []
    sizes = " ".join(size for text in whole.texts for size in re.findall(_BYTES, text))
    units = set(re.findall(r"\d\s?([A-Za-z]+)", sizes))
    pattern = rf"\d+(?:[.,]\d+)?\s?(?:{'|'.join(sorted(units))})\b"
    return part(whole, [Search(pattern, 0, hits < len(whole.texts))], 0.1, names=("size", "file size"))


def _number_pattern(numbers: set[str], signs: set[str], scales: set[str]) -> str:
    """A whole number as these are written, with the signs and the scaling words that were seen and no others."""
    spaced = "".join(sorted({mark for text in numbers for mark in text if mark in BLANKS + APOSTROPHES}))
    pattern = r"\d+(?:[.,]\d+)*"
    if spaced:
        pattern = rf"(?:(?<!\w)\d{{1,3}}(?:[{spaced}]\d{{3}})+(?!\d)(?:[.,]\d+)?|{pattern})"
    minus = "".join(sorted(signs - {""}, key=lambda mark: mark != "-"))
    lead = rf"(?<![\w.,])[{minus}]?" if minus and len(minus) > 1 else rf"(?<![\w.,]){minus}?" if minus else ""
    words = "|".join(sorted(map(re.escape, scales - {""}), key=len, reverse=True))
    return lead + pattern + (rf"(?:[\s-]?(?:{words})\.?)?" if words else "")


ENDS = ("end", "ende", "schluss", "fin", "final", "fine", "einde", "конце")
"""How people say that a part ends a text."""

DATES = (
    r"\d{4}-\d{1,2}-\d{1,2}",
    r"\d{1,2}-\d{1,2}-\d{4}",
    r"\d{1,2}/\d{1,2}/\d{2,4}",
    r"\d{1,2}\.\d{1,2}\.\d{2,4}",
    r"[^\W\d_]{3,9}\.? \d{1,2},? \d{4}",
    r"\d{1,2}\.? [^\W\d_]{3,9}\.?,? \d{4}",
)


def last_dates(whole: View) -> list[View]:
    """The date that a longer text ends with."""
    enough = 0.6 * len(whole.texts)
    if sum(whole.numbered.values()) < enough:
        return []
    for form in DATES:
        pattern = re.compile(rf"\D(?:{form})\W*$")
        ending = sum(times for text, times in whole.numbered.items() if pattern.search(_tail(text)))
        if ending >= enough:
            optional = ending < len(whole.texts)
            return part(whole, [Search(rf"({form})\W*$", 1, optional)], 0.3, place=ENDS)
    return []


def _tail(text: str) -> str:
    """The end of a text, long enough for a date that it ends with."""
    tail = text[-_TAIL:]
    return tail if len(text) <= _TAIL or re.search(r"\w", tail[_TAIL // 2 :]) else text


_TAIL = 120


def codes(whole: View) -> list[View]:
    """Tokens with digits that all values hold in the same shape: "Item #0042", "/0042/oak-table.html", "AB123"."""
    found: list[View] = []
    texts = whole.texts
    seen: set[str] = set()
    for text in texts[:3]:
        numbers = [number.span("number") for number in UNIT.finditer(text)]
        numbers += [date.span() for date in _DATED.finditer(text)]  # the day of a date is no code
        for match in re.finditer(_TOKEN, text):
            if _in_number(match, numbers) or _before(text, match).rstrip().endswith(tuple(CURRENCY)):
                continue
            for pattern, token in _shapes(text, match):
                if pattern in seen:
                    continue
                seen.add(pattern)
                hits = _hits(pattern, texts)
                tokens_hit = _hits(token, texts) if token and whole.slot.attr not in ("href", "src") else hits
                if tokens_hit != hits and len(tokens_hit) >= _MOST * len(texts):
                    if token in seen:
                        continue
                    seen.add(token)
                    pattern, hits = token, tokens_hit
                if len(hits) < _MOST * len(texts) or len(set(hits)) < 0.5 * len(hits):
                    continue
                optional = len(hits) < len(texts)
                before = _shared(tokens(_before(text, match))[-2:], texts)
                linked = whole.slot.attr in ("href", "src")
                alone = linked or sum(map(len, texts)) <= 40 * len(texts)
                names = ("code", "id" if linked else "number", *before) if alone else before
                cost = 1.9 if linked else 0.45 if alone else 0.6
                found += part(whole, [Search(pattern, 1, optional)], cost, names=names, coded=True)
                if len(found) > 8:
                    return found
    return found


def _shared(words: Sequence[str], texts: Sequence[str]) -> tuple[str, ...]:
    """The words that most texts have: a label's, and not those of one value."""
    return tuple(word for word in words if sum(word in tokens(text) for text in texts) >= 0.7 * len(texts))


_TOKEN = r"[A-Za-z]{0,4}[-.]?\d(?:[\w.-]*\w)?"
_DATED = re.compile("|".join(DATES))
_MOST = 0.8
"""The share of a place's texts that have to hold a code."""


def _hits(pattern: str, texts: Sequence[str]) -> list[str]:
    """What the pattern finds, text by text, for as long as most texts can still have it."""
    search = re.compile(pattern).search
    found: list[str] = []
    for at, text in enumerate(texts):
        if len(found) + len(texts) - at < _MOST * len(texts):
            break
        if hit := search(text):
            found.append(hit[1])
    return found


def _in_number(token: re.Match[str], numbers: Sequence[tuple[int, int]]) -> bool:
    """Whether a token is a piece of a longer number: the 1 and the 299 of 1,299, of 1 299 and of 1’299."""
    first, last = token.span()
    if not token[0][0].isdigit() and not token[0][-1].isdigit():
        return False
    return any(start < last and first < end and (start < first or end > last) for start, end in numbers)


def _before(text: str, token: re.Match[str]) -> str:
    """The words before a token, as many as can say what it is."""
    return text[max(0, token.start() - 80) : token.start()]


def _shapes(text: str, match: re.Match[str]) -> list[tuple[str, str]]:
    """Patterns for a token's shape, each with the one for a whole token of any shape in that place, where there is one:
    behind the same words the codes 1204 and 7-B are alike."""
    token = match[0]
    shape = re.sub(r"\d+", r"\\d+", re.escape(token).replace("\\-", "-"))
    shape = re.sub(r"(?<![\\\w])[A-Z]+(?![a-z])", "[A-Z]+", shape)
    whole = r"(?![.,'’]?\d)" if token[-1:].isdigit() else ""
    anchor = re.search(r"[^\w\s]+\s*$|\w+[^\w\s]*\s*$", _before(text, match))
    found: list[tuple[str, str]] = []
    if anchor:
        lead = re.escape(anchor[0].strip())
        gap = r"\s*" if anchor[0] != anchor[0].rstrip() else ""
        closing = text[match.end() : match.end() + 1]
        end = re.escape(closing) if closing in ("/", ")", "]") else whole
        label = anchor[0].strip().rstrip(".:")
        behind = rf"\b{re.escape(label)}[.:]?\s*({_TOKEN})" if label[:1].isalnum() else f"{lead}{gap}({_TOKEN})"
        found.append((f"{lead}{gap}({shape}){end}", behind))
    start = r"(?<!\d[.,'’])" if token[:1].isdigit() else ""
    found.append((rf"{start}\b({shape})\b{whole}", ""))
    return found
