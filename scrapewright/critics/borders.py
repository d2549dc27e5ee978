"""How the texts of a column lie in the texts of the page: whether they begin and end where something in it does.

A value is a whole text node, element or attribute, or a part of one bounded by punctuation, or by a label that the
records share. A blank alone is no boundary: a program that cuts there takes a piece of a text that varies.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from scrapewright.critics.document import Model, Span, piece_at
from scrapewright.critics.evidence import Evidence
from scrapewright.critics.match import Needle
from scrapewright.critics.normal_forms import squash

MOST_ROWS = 200
MOST_HITS = 6
LABEL = 0.6
"""Share of the rows whose remainder must be the same for it to be a label."""
LEAD = 2
"""Words before the end of a text that may be its label, where no other row shows whether they are one."""

QUOTES = "\"'“”„‟«»‹›「」『』"
_LINES = re.compile(r"[^\S\n]*\n\s*")


class Border(NamedTuple):
    """How a value lies in the text that holds it. `before` and `after` are what is left of the text node on either side
    where only a blank, or nothing at all, divides it from the value; empty where the border is a good one. `whole`: it
    is all of a text, an element or an attribute."""

    before: str = ""
    after: str = ""
    text: str = ""
    whole: bool = False


def text_columns(evidence: Evidence) -> list[str]:
    """The columns that hold texts as the page has them."""
    rows = evidence.rows[:MOST_ROWS]
    return [column for column in evidence.judged if any(is_text(evidence.needles[row][column]) for row in rows)]


def is_text(needle: Needle) -> bool:
    other = needle.items or needle.empty or needle.url or needle.number is not None or needle.date is not None
    return needle.kind == "text" and not other and len(needle.flat) >= 2


def borders_of(evidence: Evidence, column: str) -> dict[int, Border]:
    """For each row whose record holds its text: how. Rows whose text is nowhere in one stretch have none."""
    found: dict[int, Border] = {}
    for row in evidence.rows[:: max(1, len(evidence.rows) // MOST_ROWS)]:
        needle = evidence.needles[row][column]
        for span in evidence.spans_or_pages(row) if is_text(needle) else ():
            if borders := list(_in(needle.flat, span)):
                found[row] = min(borders, key=lambda border: bool(border.before) + bool(border.after))
                break
    return found


def _in(flat: str, span: Span) -> Iterator[Border]:
    model = span.model
    if any(node in span for known in (model.by_text, model.by_attr) for node in known.get(flat, ())):
        yield Border(whole=True)
        return
    pattern = re.compile(re.escape(flat))
    for match in islice(pattern.finditer(model.text, span.start.text, span.stop.text), MOST_HITS):
        yield _at(model, *match.span())
    for match in islice(pattern.finditer(model.attrs, span.start.attr, span.stop.attr), MOST_HITS):
        value = piece_at(model.attributes, match.start())
        yield Border(*_sides(value.text, match.start() - value.at, match.end() - value.at))


def _at(model: Model, start: int, stop: int) -> Border:
    """The border of a slice of the model's text."""
    node = model.node_at(start, stop)
    around = (node, max(model.parent[node], 0))
    if any((model.starts[up].text, model.stops[up].text) == (start, stop) for up in around):
        return Border(whole=True)
    first, last = piece_at(model.pieces, start), piece_at(model.pieces, stop - 1)
    if first is last:
        return Border(*_sides(first.text, start - first.at, stop - first.at))
    before, _, text = _sides(first.text, start - first.at, len(first.flat))
    _, after, _ = _sides(last.text, 0, stop - last.at)
    return Border(before, after, text)


def _sides(text: str, start: int, stop: int) -> tuple[str, str, str]:
    """What is on either side of a part of a text, given by places in the text without blanks; "" behind a good
    border. The third is the text, its ends of lines marked."""
    raw = " ".join(_LINES.sub(" ¶ ", text.strip()).split())  # a line that ends is a border as well
    ends = [n + 1 for n, letter in enumerate(raw) if letter != "¶" for _ in squash(letter)]
    if stop > len(ends) or start >= len(ends) or not ends:
        return "", "", text
    before, value, after = raw[: ends[start] - 1], raw[ends[start] - 1 : ends[stop - 1]], raw[ends[stop - 1] :]
    apart = before[-1:] in ("", " ") and after[:1] in ("", " ")
    code = apart and " " not in value and any(letter.isdigit() for letter in value)  # a code or a time among words
    quoted = before[-1:] in QUOTES and after[:1] in QUOTES and bool(before and after)
    if code or quoted:
        return "", "", raw
    left, right = before.rstrip(), after.lstrip()
    bad_left = left[-1:].isalnum() or (left and left[-1] in QUOTES)
    bad_right = right[:1].isalnum() or (right and right[0] in QUOTES)
    return (left if bad_left else ""), (right if bad_right else ""), raw


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
    least = max(2.0, LABEL * left.total())
    return {text for text, count in left.items() if count >= least and any(letter.isalpha() for letter in text)}


def _form(text: str) -> str:
    return " ".join(re.sub(r"\d[\d.,:/-]*", "#", text.lower()).split())
