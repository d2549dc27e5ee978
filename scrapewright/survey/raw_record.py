"""One record as on the page, without what no selector needs."""

from __future__ import annotations

import re

_EMPTY = re.compile(
    r"<(svg|script|style|noscript|iframe)\b[^>]*>.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)", re.DOTALL | re.IGNORECASE
)
_TAG = re.compile(r"<[a-zA-Z][^<>]*>?")
_ATTRIBUTE = re.compile(r"""\s+([\w:.@-]+)(?:\s*=\s*("[^"]*"?|'[^']*'?|[^\s"'>]+))?""")
_BLANK = re.compile(r"\s+")
_TEXT = re.compile(r">([^<>]+)")
_NOISE = re.compile(
    r"(?:srcset|sizes|style|loading|decoding|width|height|on\w+|xmlns.*|fetchpriority|target|rel|integrity|nonce|tabindex|data-(?:src|srcset|original|lazy.*))"
)
VALUE, TEXT = 100, 240
"""Characters of an attribute's value, and of a text."""


def shortened(sample: str, most: int) -> str:
    """A record's markup (or JSON) in `most` characters at most: without pictures' and scripts' insides and attributes
    that nothing is selected by, long values and texts cut, and what is left cut between two elements.
    """
    if sample.lstrip()[:1] in "{[":
        return sample[:most]
    text = _EMPTY.sub(lambda found: f"<{found[1]}/>" if found[1] else "", sample)
    text = _BLANK.sub(" ", _TAG.sub(_tag, text))
    text = _TEXT.sub(lambda found: ">" + _cut(found[1], TEXT), text).replace("> <", "><").strip()
    if len(text) <= most:
        return text
    end = text.rfind("<", 0, most)
    return text[: end if end > most // 2 else most] + "…"


def _tag(found: re.Match[str]) -> str:
    def attribute(one: re.Match[str]) -> str:
        name, value = one[1], one[2]
        if _NOISE.fullmatch(name.lower()):
            return ""
        return f" {name}" if value is None else f" {name}={value[:1] + _cut(value[1:-1], VALUE) + value[-1:]}"

    return _ATTRIBUTE.sub(attribute, found[0])


def _cut(value: str, most: int) -> str:
    return value if len(value) <= most else f"{value[: most * 3 // 4]}…{value[-most // 4 :]}"
