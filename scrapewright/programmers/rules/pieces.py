"""What a person can mean by a part of a text, wherever in it: the nth time of day, date, number or number with its
unit, the text before and after those, the nth piece between two marks, what brackets and quotes enclose, and what is
between the words that all texts have.

In: the whole texts of a place (or what follows a label in them). Out: a view for each part that most texts have.
Nothing here is guessed to be a column: a person who sees the values chooses among them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from scrapewright.programmers.rules.ops import Op, Piece, Rewrite, Search, Trim
from scrapewright.programmers.rules.quantities import DATES
from scrapewright.programmers.rules.view import View, part
from scrapewright.query.reading import Field

SHARE = 0.7
"""The share of a place's texts that must have a part."""
NTH = 3
"""As many parts of one kind are counted, from the start and from the end."""
LONGEST_OF_ALL = 1600
"""Characters of the longest text, from which on nothing is sought beside days and between words."""
LONGEST = 400
"""Characters of a text, on average, from which on its parts are not counted."""
COST = 1.0
_CLOCK = r"(?<![\d:.：])(?:[01]?\d|2[0-4])[:.：][0-5]\d(?![\d:.：])(?:\s?[AaPp]\.?[Mm]\b\.?)?"
_NUMBER = r"(?<![\w.,])\d+(?:[.,]\d+)*"
_MEASURED = r"(?<![\w.,:])\d+(?:[.,]\d+)*\s?(?:[^\W\d_]{1,4}\b|[%ªº°])"
_DATE = "|".join(DATES)
_KINDS = {
    "text": {"time": _CLOCK, "date": _DATE, "measure": _MEASURED, "number": _NUMBER},
    "int": {"number": _NUMBER},
    "float": {"number": _NUMBER},
    "date": {"date": _DATE},
    "datetime": {"date": _DATE},
}
_MARKS = (" | ", " · ", " • ", " » ", " – ", " — ", " - ", " / ", "/", "; ", ", ", ": ", "：", "、", "～", "–", "-")
_ORDINALS = ("first", "second", "third")
_BEFORE = r"^(\D*?[^\W\d])[\W_]*\d"
_AFTER = r"\d[\W_]*([^\W\d]\D*)$"
_FROM = r"^\D*[^\W\d]\W+(\d.*)$"
_ENUMERATED = r"^\s*\d{1,4}[.)]\s+"


def pieces(field: Field, offered: Sequence[View]) -> Iterator[View]:
    """The parts of texts that a column of this type can be."""
    for whole in offered:
        slot, texts = whole.slot, whole.texts
        plain = not whole.ops or (len(whole.ops) == 1 and isinstance(whole.ops[0], Trim))
        if not plain or slot.many or whole.rough or not texts or slot.attr in ("href", "src", "class", "id"):
            continue
        if sum(map(len, texts)) > LONGEST * len(texts):
            continue
        for name, pattern in _KINDS.get(field.type, {}).items():
            yield from _nth(whole, f"(?:{pattern})", (name,))
        if field.type == "text":
            yield from _around(whole)
            yield from _between(whole)
            yield from _enclosed(whole)
            if max(map(len, texts)) <= LONGEST_OF_ALL:
                yield from _beside(whole)
                yield from _among_words(whole)


def _nth(whole: View, token: str, place: tuple[str, ...]) -> Iterator[View]:
    """The first, second and third token of a kind, and the last where texts differ in how many they have."""
    counts = {text: len(re.findall(token, text)) for text in whole.counts}
    least, most = min(counts.values()), max(counts.values())
    wide = "time" in place and any("：" in text for text in whole.counts)
    plain: list[Op] = [Rewrite("：", ":")] if wide else []
    for n in range(NTH):
        if not _in_most(whole, [text for text, count in counts.items() if count > n]):
            return
        before = f"^.*?(?:{token}.*?){{{n}}}" if n else ""
        found = Search(f"{before}({token})", 1, least <= n)
        yield from part(whole, [found, *plain], COST, place=(_ORDINALS[n], *place))
    if 1 < most != least:
        yield from part(whole, [Search(f"({token})(?!.*{token})", 1, not least), *plain], COST, place=("last", *place))


def _around(whole: View) -> Iterator[View]:
    """What comes before the first number, from it on and after the last one; a text without its number in a list."""
    for pattern, place in ((_BEFORE, "before"), (_AFTER, "after"), (_FROM, "from")):
        having = [text for text in whole.numbered if re.search(pattern, text)]
        if _in_most(whole, having):
            optional = len(having) < len(whole.counts)
            yield from part(whole, [Search(pattern, 1, optional)], COST, place=(place, "number"))
    if _in_most(whole, [text for text in whole.numbered if re.search(_ENUMERATED, text)]):
        yield from part(whole, [Rewrite(_ENUMERATED, "")], COST, place=("without", "number"))


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


_PAIRS = ("()", "（）", "[]", "“”", "„“", "«»", "「」", '""')
_LOOSE = r"[\s,:;|·–—-]*"
"""Marks between pieces, which are no part of them."""
_SOLID = r"[^\s,:;|·–—-]"
"""With which a piece begins or ends, so that a long row of marks is tried once."""


def _enclosed(whole: View) -> Iterator[View]:
    """What is in the first and the second pair of brackets or quotes, whatever follows these."""
    for pair in _PAIRS:
        opening, closing = pair[0], pair[1]
        inside = f"[^{re.escape(opening)}{re.escape(closing)}]+"
        one, caught = (f"{re.escape(opening)}{form}{re.escape(closing)}" for form in (inside, f"({inside})"))
        counts = {text: len(re.findall(one, text)) for text in whole.counts if opening in text}
        for n in range(NTH - 1):
            having = [text for text, count in counts.items() if count > n]
            if not _in_most(whole, having):
                break
            before = f"^.*?{one}.*?" * n
            found = Search(before + caught, 1, len(having) < len(whole.counts))
            yield from part(whole, [found], COST, place=(_ORDINALS[n], pair))


def _beside(whole: View) -> Iterator[View]:
    """What comes before and after the first day or time of day."""
    for name, pattern in (("date", _DATE), ("time", _CLOCK)):
        for form, place in (
            (rf"^(.*?{_SOLID}){_LOOSE}(?<!\d)(?>{pattern})", "before"),
            (rf"(?<!\d)(?>{pattern}){_LOOSE}({_SOLID}.*)$", "after"),
        ):
            found = {text: match[1] for text in whole.numbered if (match := re.search(form, text))}
            having = [text for text, piece in found.items() if place == "after" or not re.search(pattern, piece)]
            if len(having) == len(found) and _in_most(whole, having):
                yield from part(whole, [Search(form, 1, len(having) < len(whole.counts))], COST, place=(place, name))


_LED, _ENDED = r"[\s,.:;|·–—()\[\]\x22\x27“”-]*", r"[\s,:;|·–—()\[\]\x22\x27“”-]*"
"""Marks between a word that all texts have and what is behind it, and before it, where a dot may belong to a name."""
_WORDED = r"[^\s,:;|·–—()\[\]\x22\x27“”-]"
"""With which a piece between words ends."""
LEAST_TEXTS = 4
"""Texts that must have words in common for these to be of the page rather than of what it says."""
MOST_SHARED = 6
"""Words that texts have in common, from which on they are not parted by them."""


def _among_words(whole: View) -> Iterator[View]:
    """What is before, between and behind the words that all texts have once, in one order: in "by A. Roe on Monday"
    what is between "by" and "on" (the template of a page, as in Crescenzi, Mecca and Merialdo, VLDB 2001)."""
    words = [re.findall(r"\b[^\W\d_]{2,}\b", text) for text in whole.counts]
    if len(words) < LEAST_TEXTS:
        return
    shared = [word for word in words[0] if all(other.count(word) == 1 for other in words)]
    kept = set(shared)
    if not 0 < len(shared) <= MOST_SHARED or any([word for word in one if word in kept] != shared for one in words):
        return
    bounds = ["^", *(rf"\b{re.escape(word)}\b" for word in shared), "$"]
    for before, behind in pairwise(bounds):
        form = f"{before}{_LED}(.*?{_WORDED}){_ENDED}{behind}"
        having = [text for text in whole.counts if re.search(form, text)]
        if _in_most(whole, having):
            yield from part(whole, [Search(form, 1, len(having) < len(words))], COST, place=("between", *shared))


def _in_most(whole: View, having: Sequence[str]) -> bool:
    """Whether these are the texts of most records."""
    return sum(whole.counts[text] for text in having) >= SHARE * len(whole.texts)
