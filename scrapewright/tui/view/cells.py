"""Text as it is drawn, measured in the cells that it takes on a terminal.

Terminals do not agree on what joins and varies emoji: a heart with a variation selector is one cell in tmux and two in
others (and for Rich), a hand with a skin tone four or two. Whatever is to the right of it moves, borders too. So
these are left out of what is drawn; what is saved and exported keeps them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size

from scrapewright.session.sanitize import sanitize

_VARYING = re.compile("[\u200d\ufe00-\ufe0f\U0001f3fb-\U0001f3ff]")
"""The zero width joiner, variation selectors, skin tones."""

EMPTY = "∅"
"""Shown where a value holds nothing, or blanks alone, and above a column behind the count of such cells."""


def flat(text: str) -> str:
    """The text on one line, with nothing in it that a terminal obeys; it is as long as may be."""
    return sanitize(text).replace("\n", " ").expandtabs(4)


def drawn(text: str) -> str:
    """The text on one line as it is put on the screen, where each of its characters takes the cells it takes alone."""
    return text if text.isascii() and text.isprintable() else _VARYING.sub("", flat(text))


def cells(text: str) -> int:
    """How many cells the text takes when it is drawn."""
    return cell_len(drawn(text))


def fit(text: str, width: int, *, right: bool = False, middle: bool = False) -> str:
    """The text drawn in exactly `width` cells (1 at least): filled with blanks at its end (`right`: before it), or cut
    at its end (`middle`: inside, so that both ends are seen) with an ellipsis."""
    shown = drawn(text)
    over = cell_len(shown) - width
    if over > 0:
        tail = _last(shown, width * 2 // 3) if middle else ""
        return set_cell_size(shown, width - 1 - cell_len(tail)) + "…" + tail
    return " " * -over + shown if right else shown + " " * -over


def from_where_they_differ(texts: Sequence[str]) -> list[str]:
    """The links among the texts without the folders that all of them are in ("…/lamps/a.html"), so that what differs is
    not what gets cut off; other texts as they are, and links of several sites."""
    links = {text for text in texts if text.startswith(("http://", "https://"))}
    differ = next((at for at, letters in enumerate(zip(*links, strict=False)) if len(set(letters)) > 1), 0)
    start = min(links).rfind("/", 0, differ) if links else 0
    if start < len("https://"):
        return list(texts)
    return ["…" + text[start:] if text in links else text for text in texts]


def _last(text: str, width: int) -> str:
    """The end of the text, `width` cells at most."""
    start = len(text)
    while start and (width := width - cell_len(text[start - 1])) >= 0:
        start -= 1
    return text[start:]
