"""Headings above the records that say when: the year of the days below, the month of a calendar."""

from __future__ import annotations

import re
from collections.abc import Sequence

from scrapewright.survey import css, slots, values
from scrapewright.survey.dom import HEADINGS, Tree, text_of
from scrapewright.survey.model import Slot

_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
MOST = 80


def texts_before(tree: Tree, selector: str, positions: Sequence[int]) -> list[str]:
    """For each record the text of the nearest match that starts before it in the document, "" where there is none."""
    marks = [(tree.position[e], e) for e in css.select_all(tree.elements[0], selector) if e in tree.position]
    out: list[str] = []
    at = -1
    for i in positions:
        while at + 1 < len(marks) and marks[at + 1][0] < i:
            at += 1
        out.append(text_of(marks[at][1]) if at >= 0 else "")
    return out


def when_of(tree: Tree, positions: Sequence[int], section: Slot | None) -> Slot | None:
    """The slot of the nearest headings that say a year over each record. None where the headings that the records are
    under say it, or none does."""
    if section is not None and all(map(_YEAR.search, section.samples)):
        return None
    present = [tag for tag in (*reversed(HEADINGS), "caption") if tag in tree.tags]
    for tag in present:
        texts = texts_before(tree, tag, positions)
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
