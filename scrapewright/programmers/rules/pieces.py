"""What a person can mean by a part of a text, wherever in it: the nth time of day, date, number or number with its
unit, the text before and after those, the nth piece between two marks, what brackets and quotes enclose, and what is
between the words and marks that all texts have.

In: the whole texts of a place (or what follows a label in them). Out: a view for each part that most texts have.
Nothing here is guessed to be a column: a person who sees the values chooses among them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from scrapewright.programmers.rules.ops import Op, Piece, Plain, Rewrite, Swap, Trim
from scrapewright.programmers.rules.quantities import CLOCK, DATES, ENUMERATED
from scrapewright.programmers.rules.view import MOST, View, part, searched
from scrapewright.query.reading import Field

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


_WORD, _MARK = r"\b[^\W\d_]{2,}\b", r"(?!(?<=\d)[,:]\d)[^\w\s'’&+%./@-]|(?<=\s)[-/](?=\s)"
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
    for kind in (_WORD, f"{_WORD}|{_MARK}") if enough else (_MARK,) if len(whole.counts) > 1 else ():
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
