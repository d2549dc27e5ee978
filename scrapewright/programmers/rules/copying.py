"""What a weak model copies out of records, and what that says of the places that the rules would take.

It is shown one or two records, and copies for each column the value that it takes for the column's. Where that is what
the rules' place gives, and no other place gives it, the place is decided; where it is another place's, a person is to
say.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from scrapewright.programmers.rules.choose import Candidate
from scrapewright.programmers.rules.decisions import read_example, same_text
from scrapewright.programmers.rules.offers import Place
from scrapewright.programmers.rules.reading import Reader
from scrapewright.programmers.rules.rivals import EMPTY, Offer, Open, ranked_groups, undecided
from scrapewright.programmers.rules.view import View
from scrapewright.query.reading import Field, Reading
from scrapewright.session.questions import Copied, Decision
from scrapewright.survey.model import Survey

RECORDS = 2
AMONG = 12
"""Records that are shown, and the first ones that they are chosen from: those with most values."""
LINES = 30
CHOICES = 9
"""Values of a column that may be copied, of each record."""
CHARACTERS = 120
"""Of a value: more is not needed to tell it from others."""
DIFFERS = 0.5
"""How likely a place is at most that the model says is another one."""


class Shown(msgspec.Struct, frozen=True):
    """One record: its number from 0, and (name, value) of each of its places."""

    number: int
    lines: tuple[tuple[str, str], ...]


class Sheet(msgspec.Struct, frozen=True):
    """What a model copies from: the records, and for each column that is not certain the values of each of them that it
    could have, in page order."""

    records: tuple[Shown, ...]
    choices: dict[str, tuple[tuple[str, ...], ...]]


def sheet(query: Reading, survey: Survey, reader: Reader, decisions: Sequence[Decision]) -> Sheet | None:
    """None where there are no records, or every column is certain or has one value that it could have."""
    ranked = ranked_groups(query, survey, reader, 0, decisions)
    if not ranked:
        return None
    place = ranked[0].place
    open_ = [one for one in undecided(ranked) if _asks(one)]
    numbers = _fullest(ranked[0])
    choices = {one.field.name: tuple(_choices(one, number, place) for number in numbers) for one in open_}
    choices = {name: texts for name, texts in choices.items() if any(len(some) > 1 for some in texts)}
    if not choices:
        return None
    return Sheet(tuple(Shown(number, tuple(_lines(place, number))) for number in numbers), choices)


def _asks(one: Open) -> bool:
    """Not of what is called as the column is, nor of what is behind a link: that is not shown."""
    return bool(one.offers) and not one.outright and not one.offers[0].view.detail


def shown(text: str) -> str:
    """A value as the model sees it."""
    return " ".join(text.split())[:CHARACTERS].strip()


def _at(view: View, number: int) -> str:
    return shown(view.values[number] or "") if number < len(view.values) else ""


def _fullest(chosen: Candidate) -> list[int]:
    count = max((len(view.values) for view in chosen.views if not view.detail), default=0)
    own = [view for view in chosen.views if not (view.ops or view.detail)]
    held = {number: len({_at(view, number) for view in own} - {""}) for number in range(min(count, AMONG))}
    return sorted(sorted(held, key=lambda number: -held[number])[:RECORDS])


def _lines(place: Place, number: int) -> list[tuple[str, str]]:
    """The record's places with their names; what holds two values of others or more is left out."""
    found: dict[str, str] = {}
    for view in place.offered:
        text = _at(view, number)
        if text and not view.ops and not view.detail:
            slot = view.slot
            names = (*view.names, slot.header, slot.label, *slot.names)
            found.setdefault(text, shown(next((name for name in names if name), "")) or "text")
    alone = [text for text in found if sum(other in text for other in found if other != text and len(other) > 2) < 2]
    return [(found[text], text) for text in alone[:LINES]]


def _choices(one: Open, number: int, place: Place) -> tuple[str, ...]:
    """The likeliest values, in the order of the page, which does not show which is likelier."""
    likely = [offer for offer in one.offers if not offer.view.detail]
    texts = list(dict.fromkeys(text for offer in likely if (text := _at(offer.view, number))))[:CHOICES]
    order = {_at(view, number): at for at, view in reversed(list(enumerate(place.offered)))}
    return tuple(sorted(texts, key=lambda text: order.get(text, len(order))))


def weighed(one: Open, copied: Sequence[Copied]) -> Open | None:
    """The column with what the model copied for it: None where the two agree, which decides it; where they differ, both
    places come first, and the guess is no longer sure. What fits no place, or several, says nothing.
    """
    same = _giving(one, copied) if _asks(one) else []
    guess = [one.offers[0]] if one.likelihood else []
    if not same:
        return one
    if guess and same[0] is guess[0]:
        return None if len(same) == 1 else one
    rest = [offer for offer in one.offers if offer not in same and offer not in guess]
    return one._replace(
        offers=[*guess, *same, *rest],
        likelihood=min(one.likelihood, DIFFERS),
        alone=min(one.alone, DIFFERS),
        called=0.0,
    )


def filled(
    query: Reading, survey: Survey, reader: Reader, decisions: Sequence[Decision], copied: Sequence[Copied]
) -> tuple[Decision, ...]:
    """The places of what was copied for columns that the rules would leave empty. They are no surer by that."""
    ranked = ranked_groups(query, survey, reader, 0, decisions)
    if not ranked or not copied:
        return ()
    found = []
    for one in undecided(ranked):
        same = _giving(one, copied)
        if same and one.field.name not in ranked[0].matches:
            found.append(Decision("column", one.field.name, option=same[0].id))
    return tuple(found)


def _giving(one: Open, copied: Sequence[Copied]) -> list[Offer]:
    """The offers that give every record what was copied for the column; none where nothing was."""
    said = [c for c in copied if c.column == one.field.name]
    return [offer for offer in one.offers if all(_gives(offer, c, one.field) for c in said)] if said else []


def _gives(offer: Offer, copied: Copied, field: Field) -> bool:
    """Whether the place gives the record what was copied, as the page has it or as the column would."""
    if copied.record >= len(offer.values):
        return False
    if same_text(_at(offer.view, copied.record), copied.text):
        return True
    value = offer.values[copied.record]
    return value not in EMPTY and value == read_example(copied.text, field, offer.view.language)
