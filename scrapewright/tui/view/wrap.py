"""Breaking lines of spans to a width, at spaces where there are any."""

from __future__ import annotations

from rich.cells import cell_len

from scrapewright.tui.view.spans import QUIET, Spans


def wrap_spans(line: Spans, width: int) -> list[Spans]:
    """The line in pieces of at most `width` cells; those after the first are indented as the first is."""
    text = "".join(part for part, _ in line)
    margin = min(len(text) - len(text.lstrip(" ")), width // 2)
    pieces = [_cut(line, start, end) for start, end in _breaks(text, width, margin)]
    return [pieces[0], *([(" " * margin, ""), *piece] if margin else piece for piece in pieces[1:])]


def wrap_at_most(line: Spans, width: int, most: int) -> list[Spans]:
    """The line in `most` pieces (1 at least); an ellipsis stands for what there is no room for."""
    pieces = wrap_spans(line, width)
    if len(pieces) <= most:
        return pieces
    last = max(0, most - 1)
    return [*pieces[:last], [*wrap_spans(pieces[last], max(1, width - 2))[0], (" …", QUIET)]]


def _breaks(text: str, width: int, margin: int) -> list[tuple[int, int]]:
    """From which to which character each piece goes; the spaces that a break takes the place of are left out."""
    found: list[tuple[int, int]] = []
    start, first = 0, len(text) - len(text.lstrip(" "))
    while True:
        end = _filled(text, start, max(1, width - (margin if found else 0)))
        if end < len(text) and (space := text.rfind(" ", max(start, first) + 1, end + 1)) > 0:
            end = space
        found.append((start, end))
        if end == len(text):
            return found
        start = end
        while text[start] == " ":
            start += 1
            if start == len(text):
                return found


def _filled(text: str, start: int, width: int) -> int:
    """Up to which character the text from `start` takes at most `width` cells; one at least."""
    if text.isascii():
        return min(len(text), start + width)
    end = start
    while end < len(text) and (width := width - cell_len(text[end])) >= 0:
        end += 1
    return max(end, min(start + 1, len(text)))


def _cut(line: Spans, start: int, end: int) -> Spans:
    piece: Spans = []
    for text, style in line:
        part = text[max(0, start) : max(0, end)]
        if part:
            piece.append((part, style))
        start, end = start - len(text), end - len(text)
    return piece
