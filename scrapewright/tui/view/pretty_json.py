"""JSON laid out for reading, by its tokens: a file of any size is read only as far as it is shown, and a damaged one is
shown as far as it goes."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from scrapewright.tui.view.spans import QUIET, Spans
from scrapewright.tui.view.units import human_bytes

SHOWN_AT_MOST = 256 * 1024
"""Characters of JSON that are laid out."""
BOM = 3
"""Bytes of the mark that a file may begin with, and its text does not."""
DEEPEST = 30
_TOKEN = re.compile(r'\s*("(?:[^"\\]|\\.)*"?|[\[\]{},:]|[^\s\[\]{},:"]+)', re.DOTALL)


def pretty(text: str, whole: int) -> Iterator[Spans]:
    """Lines of the JSON that begins with `text`; `whole` is how many bytes all of it has."""
    shown = text[:SHOWN_AT_MOST]
    if len(shown) < len(text) or whole > _bytes(text) + BOM:
        yield [(f"the first {human_bytes(_bytes(shown))} of {human_bytes(whole)} are shown; s saves all", "$warning")]
    depth = 0
    line: Spans = []
    opened = False
    for found in _TOKEN.finditer(shown):
        token = found.group(1)
        if token in "]}":
            depth = max(0, depth - 1)
            if not opened:
                if line:
                    yield line
                line = _indent(depth)
            line.append((token, QUIET))
            opened = False
        elif token == ",":
            yield [*line, (",", QUIET)]
            line, opened = [], False
        elif token == ":":
            if line:
                line[-1] = (line[-1][0], "$accent")
            line.append((": ", QUIET))
        else:
            # JSON Lines have several values, and what is damaged may have no comma between two
            new = opened or not line or line[-1][0] != ": "
            if new and line:
                yield line
            if new:
                line = _indent(depth)
            opened = token in "[{"
            depth += opened
            line.append((token, QUIET) if opened else _scalar(token))
    if line:
        yield line


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


def _indent(depth: int) -> Spans:
    return [("  " * min(depth, DEEPEST), "")]


def _scalar(token: str) -> tuple[str, str]:
    if not token.startswith('"'):
        return token, "$primary"
    try:
        return json.dumps(json.loads(token), ensure_ascii=False), ""
    except ValueError:
        return token, ""
