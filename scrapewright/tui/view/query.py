"""The request and its reading, as lines of spans."""

from __future__ import annotations

from collections.abc import Iterator

from scrapewright.query.model import Query
from scrapewright.tui.view.spans import QUIET, Spans

WAIT: Spans = [("reading…", QUIET)]
"""As long as there is no reading yet."""


def reading(query: Query) -> Iterator[Spans]:
    """How the request was read. Loads what puts it into words, which at the first time is slow (see tui.reader)."""
    from scrapewright.query.summary import summary

    if not query.text:
        yield [("type what you want, with the address of the page, then press enter", QUIET)]
        return
    for line in summary(query):
        yield [(line, "$warning" if line.startswith("not ") else "")]
