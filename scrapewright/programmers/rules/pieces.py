"""What a person can mean by a part of a text, wherever in it: the nth time of day, date, number or number with its
unit, the text before and after those, and the nth piece between two marks.

In: the whole texts of a place (or what follows a label in them). Out: a view for each part that most texts have.
Nothing here is guessed to be a column: a person who sees the values chooses among them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scrapewright.programmers.rules.ops import Op, Piece, Rewrite, Search, Trim
from scrapewright.programmers.rules.quantities import DATES
from scrapewright.programmers.rules.view import View, part
from scrapewright.query.reading import Field

SHARE = 0.7
"""The share of a place's texts that must have a part."""
NTH = 3
"""As many parts of one kind are counted, from the start and from the end."""
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
    """What comes before the first number and after the last one, and a text without its number in a list."""
    for pattern, place in ((_BEFORE, "before"), (_AFTER, "after")):
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


def _in_most(whole: View, having: Sequence[str]) -> bool:
    """Whether these are the texts of most records."""
    return sum(whole.counts[text] for text in having) >= SHARE * len(whole.texts)
