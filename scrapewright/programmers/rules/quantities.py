"""Parts of a text that have a shape: numbers, sums, sizes, years, dates and codes, told apart by it and by the words
beside them, which compete for the columns; and all that a person can mean by a part of a text, wherever in it: the nth
time of day, date or number, what is before and after those, the nth piece between two marks, what brackets and quotes
enclose, and what is between the words and marks that all texts have. Of the latter nothing is guessed to be a column: a
person who sees the values chooses among them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from typing import NamedTuple

from msgspec.structs import replace

from scrapewright.programmers.rules.ops import Op, Piece, Plain, Rewrite, Search, Swap, Trim
from scrapewright.programmers.rules.view import MOST, View, part, searched
from scrapewright.query.lexicon import MONTHS, fold, tokens
from scrapewright.query.numerals import APOSTROPHES, BLANKS, CURRENCY, MINUS, NUMERAL, scale_after
from scrapewright.query.reading import Field

UNIT = re.compile(
    rf"(?P<head>(?<![^\W\d_])[^\W\d_]++[.:]?\s*+:?\s*+)?(?P<sign>(?<![\w.,%)])[{MINUS}])?(?<!\d)(?<!\d[.,'’])(?P<number>{NUMERAL})"
)
_WORD = re.compile(r"\s*([^\W\d_]{2,}|m²|m2(?!\w)|[mgh](?![\w²³]))")
_MONTHS = frozenset(fold(name) for names in MONTHS.values() for name in names)
DATES = (
    r"\d{4}-\d{1,2}-\d{1,2}",
    r"\d{1,2}-\d{1,2}-\d{4}",
    r"\d{1,2}/\d{1,2}/\d{2,4}",
    r"\d{1,2}\.\d{1,2}\.\d{2,4}",
    r"[^\W\d_]{3,9}\.? \d{1,2},? \d{4}",
    r"\d{1,2}\.? [^\W\d_]{3,9}\.?,? \d{4}",
)
CLOCK = r"(?<![\d:.：])(?:[01]?\d|2[0-4])[:.：][0-5]\d(?![\d:.：])(?:\s?[AaPp]\.?[Mm]\b\.?)?"
ENUMERATED = r"^\s*\d{1,4}[.)]\s+"
ENDS = ("end", "ende", "schluss", "fin", "final", "fine", "einde", "конце")
"""How people say that a part ends a text."""


class Token(NamedTuple):
    """A kind of token that a text can hold among others, with the names that it goes by."""

    names: tuple[str, ...]
    pattern: str
    cost: float = 0.1
    least: float = 1.0
    """The share of the texts that must hold it."""
    alone: bool = False
    """Each text holds just one, and they are not all the same."""
    place: tuple[str, ...] = ()


_YEAR = r"\b(?:1[5-9]|20)\d\d\b"
_TOKENS = (
    Token(("year",), rf"\(({_YEAR})\)", alone=True),
    Token(("year",), _YEAR, alone=True),
    Token(("time",), r"(?<![\d:.])(?:[01]?\d|2[0-4]):[0-5]\d(?![\d:])", alone=True),
    Token(("version",), r"(?<![\w.,])v?\d+(?:\.\d+)+(?:-?[a-z]\w*)?"),
    Token(("currency",), rf"[{CURRENCY}]|\b[A-Z]{{3}}\b(?=\s?\d)|(?<=\d )[A-Z]{{3}}\b|(?<=\d)[A-Z]{{3}}\b", 0.3),
    Token(("state",), r"(?<=, )([A-Z]{2}) \d{5}(?:-\d{4})?\b", 0.3),
    Token(("size", "file size"), r"\d+(?:[.,]\d+)?\s?(?:[KMGT]i?B|[kMG]o|[Bb]ytes?)\b", least=0.6),
    Token(
        ("phone",),
        r"(?i)(?<!\w)(?:t[eé]l(?:[eé][fp]h?one?|efono)?|ph(?:one)?|mob(?:ile)?|fon|тел)\b[.:]*\s*"
        r"(\+?\(?\d[\d ()/.–-]{5,18}\d)",
        -0.1,
        0.5,
    ),
    *(Token((), rf"({date})\W*$", 0.3, 0.6, place=ENDS) for date in DATES),
)
FILE = Token(("code", "id"), r"(?<![:/])/([^/?#]*\d[^/?#]*)\.[A-Za-z]\w{1,4}(?:[?#]|$)", 1.9, place=("file", "name"))
"""The name of the file that an address leads to, without its ending, where it has a number."""


def held(whole: View, kinds: Sequence[Token] = _TOKENS) -> list[View]:
    """The tokens that a text holds beside others, by their kinds: the year of "Adams (2019), vol. 12"."""
    found: dict[tuple[str | None, ...], View] = {}
    for kind in kinds:
        if kind.alone:
            each = map(re.compile(kind.pattern).findall, whole.counts)
            every = list(takewhile(lambda one: len(one) == 1, each))
            if len(every) < len(whole.counts) or all(one == every[0] for one in every):
                continue
        for view in searched(whole, kind.pattern, kind.cost, kind.names, kind.place, least=kind.least):
            if kind.place or not any(map(_DATED.fullmatch, view.texts)):  # a day is nothing else
                found.setdefault(view.values, view)
    return list(found.values())


_TO = r"\s*(?:[-–—]|\bto\b|\bbis\b|\bau\b|\bal\b|\ba\b|\bdo\b|\bt/m\b)\s*"
_DAY, _MONTH = r"\d{1,2}(?:st|nd|rd|th)?\.?", r"[^\W\d_]{3,9}\.?"
_SPANS = (
    # what both ends have is said once: "1 - 5 May 2024", "May 1-5, 2024"
    (rf"({_DAY}){_TO}({_DAY})(?= (?:de )?{_MONTH},? (?:de )?\d{{4}})", r"\1", r"\2"),
    (rf"({_MONTH} )({_DAY}){_TO}({_DAY})(?=,? \d{{4}})", r"\1\2", r"\1\3"),
    # the year is: "May 1 - June 5, 2024", "1.5. - 3.6.2024"
    (rf"({_MONTH} {_DAY}){_TO}({_MONTH} {_DAY})(?=,? \d{{4}})", r"\1", r"\2"),
    (rf"({_DAY} {_MONTH}){_TO}({_DAY} {_MONTH})(?=,? \d{{4}})", r"\1", r"\2"),
    (rf"(\d{{1,2}}\.\d{{1,2}}\.){_TO}(\d{{1,2}}\.\d{{1,2}}\.)(?=\d{{4}})", r"\1", r"\2"),
    # nothing is
    (rf"({'|'.join(DATES)}){_TO}({'|'.join(DATES)})", r"\1", r"\2"),
)
"""From one day to another: with what to put for it where the first is wanted, and where the last is."""


def spans(whole: View) -> list[View]:
    """The first and the last day of such a span; of a day by itself, that day."""
    held = [span for span in _SPANS if any(map(re.compile(span[0]).search, whole.numbered))]
    ends = ((1, ("start", "from")), (2, ("end", "to", "until"))) if held else ()
    return [
        view
        for end, names in ends
        for view in part(whole, [Rewrite(span[0], span[end]) for span in held], 0.2, names=names)
    ]


def numbers(whole: View) -> list[View]:
    """Numbers distinguished by the word beside them: "12 votes from 3 readers", "Likes: 12"."""
    units: Counter[str] = Counter()
    heads: Counter[str] = Counter()
    said: dict[str, set[str]] = {}
    numbers: set[str] = set()
    signs: set[str] = set()
    scales: set[str] = set()
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
                heads[match["head"].strip(" :.")] += times
    number = _number_pattern(numbers, signs, scales)
    found: list[View] = []
    enough = max(1, 0.5 * len(whole.texts))
    for stem, count in units.items():
        if count >= enough and fold(stem) not in _MONTHS:
            end = r"(?![\w²³])" if len(stem) == 1 else ""
            pattern = rf"({number})\s*{re.escape(stem)}{end}"
            found += searched(whole, pattern, 0.15, sorted(said[stem]), least=0.5)
    for head, count in heads.items():
        if count >= enough and len(head) > 1:
            found += searched(whole, rf"{re.escape(head)}[.:]?\s*({number})", 0.15, (head,), least=0.5)
    return found + (_money(whole, number) if numbers else [])


_COIN = rf"[{CURRENCY}]|\b(?:EUR|USD|GBP|CHF|PLN|Kč|zł|kr|Ft)\b"
_FORMERLY = re.compile(
    r"(?i)(?<!\w)(?:was|rrp|msrp|uvp|statt|vorher|avant|antes|prima|era|før|voor|dříve|było|było|reg(?:ular)?\.?|list)\b"
)
_FORMER = ("old price", "was price", "regular price", "former price")


_APART = rf"(?:[.,]?\s+|\s*[{CURRENCY}]\s*)"
_WITH_CENTS = re.compile(rf"\D*\d{{1,3}}(?:[.,{BLANKS}{APOSTROPHES}]?\d{{3}})*{_APART}\d\d(?!\d)\D*")
"""A sum whose cents are in an element of their own, without a mark before them: "$ 12 99", "12 € 99"."""


def _money(whole: View, number: str) -> list[View]:
    """The sum of money in a text whose first number is another one: "Model 300 for 49 €"; of several the last, and that
    behind a word for what it was before: "Was £45.00 Now £30.00"."""
    coins = {coin for text in whole.numbered for coin in re.findall(_COIN, text)}
    if not coins:
        return []
    if all(_WITH_CENTS.fullmatch(text) and len(re.findall(_COIN, text)) < 2 for text in whole.numbered):
        return part(whole, [Rewrite(rf"(?<=\d){_APART}(?=\d\d(?!\d))", ".")], -0.2, names=("price",))
    coin = "|".join(map(re.escape, sorted(coins)))
    before, behind = rf"(?:{coin})\s?{number}", rf"{number}\s?(?:{coin})"
    formerly = rf"{_FORMERLY.pattern}\D{{0,12}}?((?:{coin})?\s?{number}(?:\s?(?:{coin}))?)"
    found = searched(whole, formerly, -0.1, _FORMER, least=0.5)
    for pattern in (before, behind):
        sums = re.compile(pattern)
        if any(len(sums.findall(text)) > 1 for text in filter(_FORMERLY.search, whole.numbered)):
            return [*found, *searched(whole, rf"({pattern})(?!.*(?:{coin}).*)\D*$", -0.2, ("price",))]
        hits = {text: match for text in whole.numbered if (match := sums.search(text))}
        later = [text for text, match in hits.items() if any(map(str.isdigit, text[: match.start()]))]
        if len(later) >= 0.5 * len(hits) > 0 and (prices := searched(whole, pattern, 0.15, ("price",), least=0.8)):
            return [*found, *prices]
    return found


def _number_pattern(numbers: set[str], signs: set[str], scales: set[str]) -> str:
    """A whole number as these are written, with the signs and the scaling words that were seen and no others."""
    spaced = "".join(sorted({mark for text in numbers for mark in text if mark in BLANKS + APOSTROPHES}))
    pattern = r"\d+(?:[.,]\d+)*"
    if spaced:
        pattern = rf"(?:(?<!\w)\d{{1,3}}(?:[{spaced}]\d{{3}})+(?!\d)(?:[.,]\d+)?|{pattern})"
    minus = "".join(sorted(signs - {""}, key=lambda mark: mark != "-"))
    lead = rf"(?<![\w.,])[{minus}]?" if minus else ""
    words = "|".join(sorted(map(re.escape, scales - {""}), key=len, reverse=True))
    return lead + pattern + (rf"(?:[\s-]?(?:{words})\.?)?" if words else "")


def codes(whole: View) -> list[View]:
    """Tokens with digits that most values hold in the same shape: "Item #0042", "/0042/oak-table.html", "AB123"."""
    found: list[View] = []
    texts, linked = whole.texts, whole.slot.attr in ("href", "src")
    alone = linked or sum(map(len, texts)) <= 40 * len(texts)
    cost = 1.9 if linked else 0.45 if alone else 0.6
    seen: set[str] = set()
    for text in texts[:3]:
        numbers = [number.span("number") for number in UNIT.finditer(text)]
        numbers += [date.span() for date in _DATED.finditer(text)]  # the day of a date is no code
        for match in re.finditer(_TOKEN, text):
            before = text[max(0, match.start() - 80) : match.start()]
            if _in_number(match, numbers) or before.rstrip().endswith(tuple(CURRENCY)):
                continue
            for patterns in _shapes(before, match[0], text[match.end() : match.end() + 1]):
                if patterns[0] in seen:
                    continue
                seen.add(patterns[0])
                made = {
                    view.values: view
                    for pattern in reversed(patterns[: 1 if linked else 2])  # the shape, where that gives the same
                    for view in searched(whole, pattern, cost, least=_MOST, coded=True)
                    if view.distinct >= 0.5
                }
                best = next(iter(made.values()), None)
                if best is None or any(view.values == best.values for view in found):
                    continue
                label = [
                    word
                    for word in tokens(before)[-2:]
                    if sum(word in tokens(one) for one in texts) >= MOST * len(texts)
                ]
                names = ("code", "id" if linked else "number", *label) if alone else tuple(label)
                found.append(replace(best, names=names))
                if len(found) > 8:
                    return found
    return found


_TOKEN = r"[A-Za-z]{0,4}[-.]?\d(?:[\w.-]*\w)?"
_DATED = re.compile("|".join(DATES))
_MOST = 0.8
"""The share of a place's texts that have to hold a code."""


def _in_number(token: re.Match[str], numbers: Sequence[tuple[int, int]]) -> bool:
    """Whether a token is a piece of a longer number: the 1 and the 299 of 1,299, of 1 299 and of 1’299."""
    first, last = token.span()
    if not token[0][0].isdigit() and not token[0][-1].isdigit():
        return False
    return any(start < last and first < end and (start < first or end > last) for start, end in numbers)


def _shapes(before: str, token: str, closing: str) -> list[tuple[str, ...]]:
    """Patterns for a token's shape, each with the one for a whole token of any shape in that place, where there is one:
    behind the same words the codes 1204 and 7-B are alike. `closing` is the character behind it."""
    shape = re.sub(r"\d+", r"\\d+", re.escape(token).replace("\\-", "-"))
    shape = re.sub(r"(?<![\\\w])[A-Z]+(?![a-z])", "[A-Z]+", shape)
    whole = r"(?![.,'’]?\d)" if token[-1:].isdigit() else ""
    found: list[tuple[str, ...]] = []
    if anchor := re.search(r"[^\w\s]+\s*$|\w+[^\w\s]*\s*$", before):
        lead = re.escape(anchor[0].strip()) + (r"\s*" if anchor[0] != anchor[0].rstrip() else "")
        end = re.escape(closing) if closing in ("/", ")", "]") else whole
        label = re.escape(anchor[0].strip().rstrip(".:"))
        behind = rf"\b{label}[.:]?\s*({_TOKEN})" if label[:1].isalnum() else f"{lead}({_TOKEN})"
        found.append((f"{lead}({shape}){end}", behind))
    start = r"(?<!\d[.,'’])" if token[:1].isdigit() else ""
    return [*found, (rf"{start}\b({shape})\b{whole}",)]


def exemplified(fields: Sequence[Field], offered: list[View]) -> list[View]:
    """Parts that look like the examples in the request: such as AB123, e.g. "Nr. 17/3"."""
    whole = [view for view in offered if not view.ops]
    quoted = [(field, example) for field in fields if field.type == "text" for example in field.said.examples]
    return [one for field, example in quoted for view in whole for one in like_example(view, example, field.name)]


def like_example(whole: View, example: str, name: str) -> list[View]:
    """The part of a text that has an example's shape: its letters, and digits where it has digits; none for an example
    without digits."""
    if whole.slot.many or not re.search(r"\d", example):
        return []
    pattern = re.sub(r"\d+", r"\\d+", re.escape(example).replace("\\ ", " ").replace("\\-", "-"))
    for shaped in (pattern, re.sub(r"(?<![^\W\d_])[A-Z]+(?![^\W\d_])", "[A-Z]+", pattern)):
        hits = sum(re.search(shaped, text) is not None for text in whole.texts)
        if hits >= 0.6 * len(whole.texts) and any(not re.fullmatch(shaped, text) for text in whole.texts):
            optional = hits < len(whole.texts)
            return part(whole, [Search(shaped, 0, optional)], 0.2, names=(name,), place=("example", name))
    return []


# what a person can mean by a part of a text, wherever in it

NTH = 3
"""As many parts of one kind are counted, from the start and from the end."""
LONGEST_OF_ALL = 1600
"""Characters of the longest text, from which on nothing is sought beside days and between words."""
LONGEST = 400
"""Characters of a text, on average, from which on of its parts only dates are counted."""
LONGEST_OF_DATES = 4000
"""Characters of the longest text, from which on no dates are counted in any."""
COST = 1.0
_NUMBER = r"(?<![\w.,])\d+(?:[.,]\d+)*"
_MEASURED = r"(?<![\w.,:])\d+(?:[.,]\d+)*\s?(?:[^\W\d_]{1,4}\b|[%ªº°])"
_DATE = "|".join(DATES)
_KINDS = {
    "text": {"time": CLOCK, "date": _DATE, "measure": _MEASURED, "number": _NUMBER},
    "int": {"number": _NUMBER},
    "float": {"number": _NUMBER},
    "date": {"date": _DATE},
    "datetime": {"date": _DATE},
}
_MARKS = (" | ", " · ", " • ", " » ", " – ", " — ", " - ", " / ", "/", "; ", ", ", ": ", "：", "、", "～", "–", "-")
_PAIRS = ("()", "（）", "[]", "“”", "„“", "«»", "「」", '""')
_ORDINALS = ("first", "second", "third")
_LOOSE, _SOLID = r"[\s,:;|·–—()\[\]\x22\x27“”-]*", r"[^\s,:;|·–—()\[\]\x22\x27“”-]"
"""Marks between pieces, which are no part of them, and with what a piece begins or ends: a long row of marks is tried
once."""
_THOUSANDTHS = re.compile(r"\D*\d{1,3},\d{3}\D*")
"""A number with three figures behind a comma, which groups or divides: 15,312."""
_AROUND = {
    ("before", "number"): r"^(\D*?[^\W\d])[\W_]*\d",
    ("after", "number"): r"\d[\W_]*([^\W\d]\D*)$",
    ("from", "number"): r"^\D*[^\W\d]\W+(\d.*)$",
}


def pieces(field: Field, offered: Sequence[View]) -> Iterator[View]:
    """The parts of texts that a column of this type can be."""
    for whole in offered:
        slot, texts = whole.slot, whole.texts
        plain = not whole.ops or (len(whole.ops) == 1 and isinstance(whole.ops[0], Trim | Plain))
        if not plain or slot.many or whole.rough or not texts or slot.attr in ("href", "src", "class", "id"):
            continue
        if field.type == "float" and all(map(_THOUSANDTHS.fullmatch, whole.counts)):
            yield from part(whole, [Swap(",", ".")], COST, place=("comma", "decimal"))
        short = sum(map(len, texts)) <= LONGEST * len(texts)
        for name, pattern in _KINDS.get(field.type, {}).items():
            if short or (name == "date" and max(map(len, texts)) <= LONGEST_OF_DATES):
                yield from _nth(whole, f"(?:{pattern})", (name,))
        if field.type == "text" and short:
            for place, form in _AROUND.items():
                yield from searched(whole, form, COST, place=place)
            if _in_most(whole, [text for text in whole.counts if re.search(ENUMERATED, text)]):
                yield from part(whole, [Rewrite(ENUMERATED, "")], COST, place=("without", "number"))
            yield from _between(whole)
            for pair in _PAIRS:
                opening, closing = map(re.escape, pair)
                yield from _nth(whole, f"[^{opening}{closing}]+", (pair,), opening, closing)
            if max(map(len, texts)) <= LONGEST_OF_ALL:
                yield from _beside(whole)
        if short and max(map(len, texts)) <= LONGEST_OF_ALL:
            yield from _among_words(whole)


def _nth(whole: View, token: str, place: tuple[str, ...], before: str = "", behind: str = "") -> Iterator[View]:
    """The first, second and third token of a kind (between what is before and behind it), and the last where texts
    differ in how many they have."""
    form, caught = f"{before}{token}{behind}", f"{before}({token}){behind}"
    counts = {text: len(re.findall(form, text)) for text in whole.counts}
    wide = "time" in place and any("：" in text for text in whole.counts)
    plain: list[Op] = [Rewrite("：", ":")] if wide else []
    for n in range(NTH):
        if not _in_most(whole, [text for text, count in counts.items() if count > n]):
            return
        skipped = f"^.*?(?:{form}.*?){{{n}}}" if n else ""
        yield from searched(whole, skipped + caught, COST, place=(_ORDINALS[n], *place), then=plain)
    if len({*counts.values()}) > 1:
        yield from searched(whole, f"{caught}(?!.*{form})", COST, place=("last", *place), then=plain)


def _between(whole: View) -> Iterator[View]:
    """The nth piece between marks of one kind, counted from the start and from the end."""
    for mark in _MARKS:
        counts = {text: text.count(mark) + 1 for text in whole.counts}
        if not _in_most(whole, [text for text, count in counts.items() if count > 1]):
            continue
        least, most = min(counts.values()), max(counts.values())
        for n in range(min(NTH, least)):
            yield from part(whole, [Piece(mark, n)], COST, place=(_ORDINALS[n], "piece", mark.strip()))
            if least < most or most - n > NTH:
                yield from part(whole, [Piece(mark, -1 - n)], COST, place=(_ORDINALS[n], "last", "piece", mark.strip()))


_GAP, _INNER = r"[\s,:;|·–—-]*", r"[^\s,:;|·–—-]"
"""The same beside a day, where brackets and quotes belong to what is there."""


def _beside(whole: View) -> Iterator[View]:
    """What comes before and after the first day or time of day."""
    for name, pattern in (("date", _DATE), ("time", CLOCK)):
        before = rf"^(.*?{_INNER}){_GAP}(?<!\d)(?>{pattern})"
        pieces = [match[1] for text in whole.numbered if (match := re.search(before, text))]
        if not any(re.search(pattern, piece) for piece in pieces):
            yield from searched(whole, before, COST, place=("before", name))
        yield from searched(whole, rf"(?<!\d)(?>{pattern}){_GAP}({_INNER}.*)$", COST, place=("after", name))


_LETTERS, _MARK = r"\b[^\W\d_]{2,}\b", r"(?!(?<=\d)[,:]\d)[^\w\s'’&+%./@-]|(?<=\s)[-/](?=\s)"
_LED = _LOOSE.replace(",", ",.", 1)
"""Marks between a word that all texts have and what is behind it; before it a dot may belong to a name."""
LEAST_TEXTS = 4
"""Texts that must have words in common for these to be of the page rather than of what it says."""
MOST_SHARED = 8
"""Words and marks that texts have in common, from which on they are not parted by them."""


def _among_words(whole: View) -> Iterator[View]:
    """What is before, between and behind the words and marks that all texts have as often and in one order: in "by A.
    Roe on Monday" what is between "by" and "on" (the template of a page, as in Crescenzi, Mecca and Merialdo, VLDB
    2001)."""
    enough = len(whole.counts) >= LEAST_TEXTS
    for kind in (_LETTERS, f"{_LETTERS}|{_MARK}") if enough else (_MARK,) if len(whole.counts) > 1 else ():
        lines = [re.findall(kind, text) for text in whole.counts]
        kept = {one for one in lines[0] if all(other.count(one) == lines[0].count(one) for other in lines)}
        shared = [one for one in lines[0] if one in kept]
        if not 0 < len(shared) <= MOST_SHARED or any([one for one in line if one in kept] != shared for line in lines):
            continue
        bounds = [rf"\b{one}\b" if one.isalpha() else re.escape(one) for one in shared]
        for at, (before, behind) in enumerate(pairwise(["^", *bounds, "$"])):
            if shared.count(shared[at - 1]) > 1 and at:  # counted from the start
                before = "^" + "".join(f"(?>.*?{bound})" for bound in bounds[:at])
            form = f"{before}{_LED}(.*?{_SOLID}){_LOOSE}{behind}"
            yield from searched(whole, form, COST, place=("between", *shared))


def _in_most(whole: View, having: Sequence[str]) -> bool:
    """Whether these are the texts of most records."""
    return sum(whole.counts[text] for text in having) >= MOST * len(whole.texts)
