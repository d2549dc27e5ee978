"""Codes inside a text or an address: tokens with digits that all records hold in one shape."""

from __future__ import annotations

import re
from collections.abc import Sequence

from scrapewright.programmers.rules.ops import Search
from scrapewright.programmers.rules.quantities import DATES, UNIT
from scrapewright.programmers.rules.view import View, part
from scrapewright.query.lexicon import tokens


def codes(whole: View) -> list[View]:
    """Tokens with digits that all values hold in the same shape: "Item #0042", "/0042/oak-table.html", "AB123"."""
    found: list[View | None] = []
    texts = whole.texts
    seen: set[str] = set()
    for text in texts[:3]:
        numbers = [number.span("number") for number in UNIT.finditer(text)]
        numbers += [date.span() for date in _DATED.finditer(text)]  # the day of a date is no code
        for match in re.finditer(_TOKEN, text):
            if _in_number(match, numbers):
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
                found.append(part(whole, [Search(pattern, 1, optional)], cost, names=names, coded=True))
                if len(found) > 8:
                    return [view for view in found if view is not None]
    return [view for view in found if view is not None]


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
