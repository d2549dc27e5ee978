"""The request and its reading, as lines of spans."""

from __future__ import annotations

from collections.abc import Iterator

from scrapewright.query.model import Query
from scrapewright.query.summary import summary
from scrapewright.tui.view.spans import QUIET, Spans


def reading(query: Query) -> Iterator[Spans]:
    """How the request was read."""
    if not query.text:
        yield [("type what you want, with the address of the page, then press enter", QUIET)]
        return
    for line in summary(query):
        yield [(line, "$warning" if line.startswith("not ") else "")]
