"""Headings above the records that say when: the year of the days below, the month of a calendar."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from scrapewright.survey import css, slots, values
from scrapewright.survey.dom import HEADINGS, Tree, text_of
from scrapewright.survey.model import Slot

_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
MOST = 80


def marks_before(tree: Tree, selector: str, positions: Sequence[int]) -> list[int]:
    """For each record the nearest match that starts before it in the document, -1 where there is none."""
    marks = [tree.position[e] for e in css.select_all(tree.elements[0], selector) if e in tree.position]
    return [marks[at - 1] if (at := bisect_left(marks, i)) else -1 for i in positions]


def texts_of(tree: Tree, marks: Sequence[int]) -> list[str]:
    """Their texts, "" where there is none."""
    return [text_of(tree.elements[mark]) if mark >= 0 else "" for mark in marks]


def when_of(tree: Tree, positions: Sequence[int], section: Slot | None) -> Slot | None:
    """The slot of the nearest headings that say a year over each record. None where the headings that the records are
    under say it, or none does."""
    if section is not None and all(map(_YEAR.search, section.samples)):
        return None
    present = [tag for tag in (*reversed(HEADINGS), "caption") if tag in tree.tags]
    for tag in present:
        texts = texts_of(tree, marks_before(tree, tag, positions))
        if all(len(text) <= MOST and _YEAR.search(text) for text in texts):
            return Slot(
                id="when",
                selector=f"^ {tag}",
                type=values.type_of_all(texts),
                names=("year", "month"),
                distinct=round(len(set(texts)) / len(texts), 3),
                samples=slots.samples_of(list(dict.fromkeys(texts))),
            )
    return None
