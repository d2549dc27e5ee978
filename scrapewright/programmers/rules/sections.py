"""The part of the page that a request names: which of a group's records are under the heading that is meant."""

from __future__ import annotations

from collections.abc import Sequence

from scrapewright.programmers.rules.places import steps_of
from scrapewright.programmers.rules.view import View
from scrapewright.query.lexicon import fold, singular, tokens
from scrapewright.query.reading import Reading
from scrapewright.survey.model import Group, Slot
from scrapewright.survey.rank import names_section

Under = tuple[Slot, str]
"""The slot of the headings, and the one that is meant, as the page has it."""


def heading_of(query: Reading, offered: Sequence[View]) -> Under | None:
    """The heading above some of the records that the request means; None where it names none of them.

    The heading's name said, or what a row is called: "desserts" where one of the headings is Desserts.
    """
    for view in offered:
        if view.ops or view.detail or not steps_of(view.slot)[1]:
            continue
        headings = dict.fromkeys(text for text in view.values if text)
        found = [text for text in headings if means(query, text)]
        if found and (query.section or (len(found) < len(headings) and len(found) == 1)):
            exact = [text for text in found if fold(text) == fold(query.section)]
            return view.slot, (exact or found)[0]
    return None


def means(query: Reading, heading: str) -> bool:
    """Whether a heading is the one that the request names."""
    if query.section:
        return names_section(query, heading)
    words = [singular(word) for word in tokens(heading)]
    return bool(words) and words == [singular(word) for phrase in query.subject for word in tokens(phrase)]


def serves_section(query: Reading, group: Group, under: Under | None) -> float:
    """What it is worth that the group's records are, or are not, where the request says; 0.0 where it says nothing."""
    if under is not None:
        return 1.0
    if not query.section:
        return 0.0
    return 1.0 if means(query, group.context) else -1.0
