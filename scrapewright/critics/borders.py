"""How the texts of a column lie in the texts of the page: whether they begin and end where something in it does.

A value is a whole text node, element or attribute, or a part of one bounded by punctuation, or by a label that the
records share. A blank alone is no boundary: a program that cuts there takes a piece of a text that varies.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Literal, NamedTuple

from scrapewright.critics.document import ADDRESSES, Model, Span, piece_at
from scrapewright.critics.evidence import Evidence
from scrapewright.critics.match import Needle
from scrapewright.critics.normal_forms import squash

MOST_ROWS = 200
MOST_HITS = 60
LABEL = 0.6
"""Share of the rows whose remainder must be the same for it to be a label."""
LEAD = 2
"""Words before the end of a text that may be its label, where no other row shows whether they are one."""

FEW = 3
"""Letters of a text that longer words have in them by chance."""

QUOTES = "\"'“”„‟«»‹›「」『』"
_LINES = re.compile(r"[^\S\n]*\n\s*")

Fit = Literal["whole", "part", "across"]


class Border(NamedTuple):
    """How a value lies in the text that holds it. `before` and `after` are what is left of the text node on either side
    where only a blank, or nothing at all, divides it from the value; empty where the border is a good one."""

    fit: Fit
    before: str = ""
    after: str = ""
    text: str = ""


def text_columns(evidence: Evidence) -> list[str]:
    """The columns that hold texts as the page has them."""
    first = [evidence.needles[row] for row in evidence.rows[:MOST_ROWS]]
    return [column for column in evidence.judged if any(is_text(needles[column]) for needles in first)]


def is_text(needle: Needle) -> bool:
    return (
        needle.kind == "text" and not (needle.items or needle.empty or needle.url) and needle.number is None
        and needle.date is None and len(needle.flat) >= 2
    )  # fmt: skip


def borders_of(evidence: Evidence, column: str) -> dict[int, Border]:
    """For each row whose record holds its text: how. Rows whose text is nowhere in one stretch have none."""
    found: dict[int, Border] = {}
    for row in evidence.rows[:: max(1, len(evidence.rows) // MOST_ROWS)]:
        needle = evidence.needles[row][column]
        if not is_text(needle):
            continue
        borders = next((there for span in spans_of(evidence, row) if (there := list(_in(needle, span)))), [])
        if borders:
            best = min(borders, key=lambda it: bool(it.before) + bool(it.after) + (it.fit == "across"))
            # Two or three letters are in many a word: a place where something bounds them is theirs.
            bounded = len(needle.flat) <= FEW and any(not (it.before or it.after) for it in borders)
            found[row] = best._replace(before="", after="") if bounded else best
    return found


def spans_of(evidence: Evidence, row: int) -> Iterator[Span]:
    """The row's own records and the pages that these link to; of a row whose record is unknown all pages."""
    yield from evidence.spans(row)
    if not evidence.places[row]:
        yield from (Span(model) for _, model in evidence.models if model.tag)


def _in(needle: Needle, span: Span) -> Iterator[Border]:
    model, flat = span.model, needle.flat
    if any(True for _ in span.equal(flat)):
        yield Border("whole")
        return
    text = re.compile(re.escape(flat))
    for match in islice(text.finditer(model.text, span.start.text, span.stop.text), MOST_HITS):
        yield _at(model, *match.span())
    for match in islice(text.finditer(model.attrs, span.start.attr, span.stop.attr), MOST_HITS):
        value = piece_at(model.attributes, match.start())
        if value.name in ADDRESSES and " " in needle.text.strip():
            continue  # an address says words of its own
        fit: Fit = "part" if value.name in ADDRESSES else "across"
        yield Border(fit, *_sides(value.text, match.start() - value.at, match.end() - value.at))


def _at(model: Model, start: int, stop: int) -> Border:
    """The border of a slice of the model's text."""
    node = model.node_at(start, stop)
    around = (node, max(model.parent[node], 0))
    if any((model.starts[up].text, model.stops[up].text) == (start, stop) for up in around):
        return Border("whole")
    first, last = piece_at(model.pieces, start), piece_at(model.pieces, stop - 1)
    if first is last:
        return Border("part", *_sides(first.text, start - first.at, stop - first.at))
    before, _, text = _sides(first.text, start - first.at, len(first.flat))
    _, after, _ = _sides(last.text, 0, stop - last.at)
    return Border("across", before, after, text)


def _sides(text: str, start: int, stop: int) -> tuple[str, str, str]:
    """What is on either side of a part of a text, given by places in the text without blanks; "" behind a good
    border."""
    raw = " ".join(_LINES.sub(" ¶ ", text.strip()).split())  # a line that ends is a border as well
    ends = [n + 1 for n, letter in enumerate(raw) if letter != "¶" for _ in squash(letter)]
    if stop > len(ends) or start >= len(ends) or not ends:
        return "", "", text
    begin, finish = ends[start] - 1, ends[stop - 1]
    before, after = raw[:begin], raw[finish:]
    value, left, right = raw[begin:finish], before.rstrip(), after.lstrip()
    apart = before[-1:] in ("", " ") and after[:1] in ("", " ")
    if apart and " " not in value and any(letter.isdigit() for letter in value):
        return "", "", raw  # a code or a time among words
    quoted = before[-1:] in QUOTES and after[:1] in QUOTES and bool(before and after)
    marks = QUOTES if sum(letter in QUOTES for letter in raw) > 1 else ""  # a single one is an arrow, or an apostrophe
    bad_left = bool(left) and (left[-1].isalnum() or left[-1] in marks or re.search(r"\w['’]$", before))
    bad_right = bool(right) and (right[0].isalnum() or right[0] in marks or re.match(r"['’]\w", after))
    return (left if bad_left and not quoted else ""), (right if bad_right and not quoted else ""), raw


def cut_rows(found: dict[int, Border]) -> dict[int, Border]:
    """Rows whose text is cut out at a blank, with what is left over on either side: no label that the rows share, and
    no number before it."""
    labels_before = _labels([border.before for border in found.values()])
    labels_after = _labels([border.after for border in found.values()])
    cut: dict[int, Border] = {}
    for row, border in found.items():
        before = border.before if _form(border.before) not in labels_before else ""
        if len(found) == 1 and not border.after and len(before.split()) <= LEAD:
            before = ""
        after = border.after if _form(border.after) not in labels_after else ""
        if after or any(letter.isalpha() for letter in before):
            cut[row] = border._replace(before=before, after=after)
    return cut


def _labels(remainders: list[str]) -> set[str]:
    left = Counter(_form(text) for text in remainders if text)
    named = {text: count for text, count in left.items() if any(letter.isalpha() for letter in text)}
    return {text for text, count in named.items() if count >= 2 and count >= LABEL * left.total()}


def _form(text: str) -> str:
    return " ".join(re.sub(r"\d[\d.,:/-]*", "#", text.lower()).split())
