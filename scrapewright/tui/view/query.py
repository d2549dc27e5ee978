"""Renders the request and its reading as lines of spans."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scrapewright.query.reading import Field, Order, Reading
from scrapewright.session.sanitize import one_line
from scrapewright.tui.view.spans import QUIET, Spans
from scrapewright.tui.view.wrap import wrap_spans

WAIT: Spans = [("reading…", QUIET)]
"""As long as there is no reading yet."""
_GAP = (" · ", QUIET)
_PAGES = {"first": "the first page", "all": "all pages"}


def in_short(query: Reading, width: int, most: int) -> list[Spans]:
    """How the request was read, in `most` lines at most; what was not understood comes first."""
    read = wrap_spans(_parts(query), width)
    if len(read) > most:
        read = [*read[: most - 1], [*read[most - 1], *read[most]]]  # it goes on past the edge, and is marked there
    return read


def in_full(query: Reading, width: int) -> Iterator[Spans]:
    """A line for each thing that was read. Loads what puts it into words, which at the first time is slow (see
    tui.reader)."""
    from scrapewright.query.summary import summary

    if not query.text:
        yield [("type what you want, with the address of the page, then press enter", QUIET)]
        return
    for line in summary(query):
        label, _, said = one_line(line, 2_000).partition(": ")
        doubtful = label.startswith("not ")
        yield from wrap_spans(
            [(f"{label}: ", "$warning" if doubtful else QUIET), (said, "$warning" if doubtful else "")], width
        )


def _parts(query: Reading) -> Spans:
    line: Spans = []
    if query.unread:
        line.append((f"not understood: {', '.join(one_line(text, 80) for text in query.unread)}", "$warning"))
    if not query.urls:
        line += [_GAP, ("no address", "$warning")]
    what = "one row" if query.single else one_line(query.row_is, 60)
    line += [_GAP, (f"{what}: " if what else "", "bold"), *_fields(query.fields)]
    for said in _rest(query):
        line += [_GAP, (said, "")]
    return line[1:] if line[0] == _GAP else line


def _fields(fields: Sequence[Field]) -> Spans:
    if not fields:
        return [("fields as the page names them", QUIET)]
    spans: Spans = []
    for number, field in enumerate(fields):
        spans.append((f"{', ' if number else ''}{one_line(field.name, 60)}", ""))
        if field.type not in {"text", field.name}:
            spans.append((f" {field.type}", "$accent"))
        if field.optional:
            spans.append((" if there", QUIET))
    return spans


def _rest(query: Reading) -> Iterator[str]:
    if query.search:
        yield f"search for {one_line(query.search, 60)}"
    if query.section:
        yield f"under {one_line(query.section, 60)}"
    if query.page_count and query.paging == "count":
        yield f"the first {query.pages} pages"
    elif query.paging in _PAGES:
        yield _PAGES[query.paging]
    if query.follow:
        yield f"opens each row's link {one_line(query.follow, 60)}"
    yield from (one_line(what.text, 80) for what in query.filters)
    if query.distinct:
        yield f"no two with the same {one_line(', '.join(query.distinct), 60)}"
    if query.order:
        yield f"sorted by {', '.join(map(_order, query.order))}"
    if query.limit is not None:
        yield f"at most {query.limit}"
    yield one_line(query.output_name, 60)


def _order(order: Order) -> str:
    return one_line(order.field, 60) + (", high to low" if order.descending else "")
