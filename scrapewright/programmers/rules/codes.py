"""Codes inside a text or an address: tokens with digits that all records hold in one shape."""

from __future__ import annotations

import re
from collections.abc import Sequence

from scrapewright.programmers.rules.lexicon import tokens
from scrapewright.programmers.rules.ops import Search
from scrapewright.programmers.rules.quantities import UNIT
from scrapewright.programmers.rules.view import View, part


def codes(whole: View) -> list[View]:
    """Tokens with digits that all values hold in the same shape: "Item #0042", "/0042/oak-table.html", "AB123"."""
    found: list[View | None] = []
    texts = whole.texts
    seen: set[str] = set()
    for text in texts[:3]:
        for match in re.finditer(r"[A-Za-z]{0,4}[-.]?\d[\w.-]*", text):
            if _in_number(text, match):
                continue
            for pattern in _shapes(text, match):
                if pattern in seen:
                    continue
                seen.add(pattern)
                matches = [re.search(pattern, other) for other in texts]
                hits = [hit[1] for hit in matches if hit]
                if len(hits) < 0.8 * len(texts) or len(set(hits)) < 0.5 * len(hits):
                    continue
                optional = len(hits) < len(texts)
                before = _shared(tokens(text[: match.start()])[-2:], texts)
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


def _in_number(text: str, match: re.Match[str]) -> bool:
    """Whether a token is a piece of a longer number: the 1 and the 299 of 1,299, of 1 299 and of 1’299."""
    token = match[0]
    numbers = UNIT.finditer(text) if token[:1].isdigit() or token[-1:].isdigit() else ()
    for found in numbers:
        start, end = found.span("number")
        if start < match.end() and match.start() < end and (start < match.start() or end > match.end()):
            return True
    return False


def _shapes(text: str, match: re.Match[str]) -> list[str]:
    """Patterns for a token, with what stands right before it as an anchor."""
    token = match[0]
    shape = re.sub(r"\d+", r"\\d+", re.escape(token).replace("\\-", "-"))
    shape = re.sub(r"(?<![\\\w])[A-Z]+(?![a-z])", "[A-Z]+", shape)
    whole = r"(?![.,'’]?\d)" if token[-1:].isdigit() else ""
    before = text[: match.start()]
    anchor = re.search(r"[^\w\s]+\s*$|\w+[^\w\s]*\s*$", before)
    found = []
    if anchor:
        lead = re.escape(anchor[0].strip())
        gap = r"\s*" if anchor[0] != anchor[0].rstrip() else ""
        found.append(
            f"{lead}{gap}({shape})"
            + (whole if text[match.end() : match.end() + 1] not in ("/", ")", "]") else "")
            + (re.escape(text[match.end()]) if text[match.end() : match.end() + 1] in ("/", ")", "]") else "")
        )
    start = r"(?<!\d[.,'’])" if token[:1].isdigit() else ""
    found.append(rf"{start}\b({shape})\b{whole}")
    return found
