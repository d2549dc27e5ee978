"""The places that a column of written rows can be corrected to, what each would give, and hints that name one.

The person looks at rows; the plan's group is found again as the one whose values they show, whoever wrote the program.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from scrapewright.loop.ports import Brief, NotUnderstood, Preview, Row
from scrapewright.programmers.rules.choose import Candidate, candidates
from scrapewright.programmers.rules.decisions import NotFound, locate, newest, offered_as
from scrapewright.programmers.rules.lexicon import fold
from scrapewright.programmers.rules.match import Match
from scrapewright.programmers.rules.offers import Place, converted, group_id
from scrapewright.programmers.rules.questions import option_of
from scrapewright.programmers.rules.reading import Reader
from scrapewright.programmers.rules.rivals import Offer, column_offers
from scrapewright.query.reading import Field
from scrapewright.session.questions import (
    NONE,
    OPTIONS_AT_MOST,
    Decision,
    Question,
    comparable,
    value_text,
)
from scrapewright.survey.model import Survey

GROUPS = 8
"""Groups that are compared with the rows."""
VALUES = 5
VALUE = 200
"""Values of the first records that a decision keeps, for a model to know the place by, and characters of each."""
_HINT = re.compile(r"(?P<column>.+?)\s*(?:=|:|\s(?:is|are|should be|stands at|means)\s)\s*(?P<said>.+)", re.S | re.I)
_QUOTES = ('""', "''", "“”", "‘’", "«»", "„“")


class RulesCorrector:
    """A `loop.ports.Corrector`. What was read of the survey's pages last is kept."""

    def __init__(self) -> None:
        self._read: tuple[Survey, Reader] | None = None

    def options(self, brief: Brief, column: str, rows: Sequence[Row]) -> Question:
        """The likeliest first; the place that the rows' values are from is not among them."""
        chosen, alike = self._chosen(brief, column, rows)
        field = _field(chosen, column)
        offers = column_offers(field, chosen.matches.get(field.name), chosen, alike)
        now = _now(offers, [row.get(column, "") for row in rows])
        shown = [option_of(offer) for offer in offers if offer is not now][:OPTIONS_AT_MOST]
        return Question("column", f"{column} is wrong: which of these is it?", tuple(shown), field.name)

    def preview(self, brief: Brief, decision: Decision, rows: Sequence[Row]) -> Preview:
        chosen, alike = self._chosen(brief, decision.column, rows)
        field = _field(chosen, decision.column)
        offers = column_offers(field, chosen.matches.get(field.name), chosen, alike)
        now = _now(offers, [row.get(field.name, "") for row in rows])
        found = _located(decision, field, [one.place for one in (chosen, *alike) if one.place is not None])
        then = tuple(converted(field, found[0].view, found[0].made, found[1])) if found is not None else ()
        before = now.values if now is not None else ()
        count = max(len(then), len(before))
        others = [chosen.matches[one.name] for one in chosen.fields if one is not field and one.name in chosen.matches]
        names = next(
            (
                converted(other.field, other.view, other.made, chosen.place)
                for other in others
                if len(other.view.values) == count and chosen.place is not None
            ),
            [],
        )
        shown = tuple((value_text(_at(names, row)), _at(before, row), _at(then, row)) for row in range(count))
        if found is not None:
            said = tuple(text[:VALUE] for value in then[:VALUES] if (text := value_text(value)))
            decision = msgspec.structs.replace(decision, values=said)
            if decision.option:
                slot = found[0].view.slot
                where = slot.selector + (f"@{slot.attr}" if slot.attr != "text" else "")
                decision = msgspec.structs.replace(decision, text=where, how="selector")
        group = Decision("group", option=group_id(chosen.group))
        pinned = newest(brief.decisions, "group") is not None or not rows
        decisions = (decision,) if pinned else (group, decision)
        return Preview(decisions, shown)

    def read_hint(self, brief: Brief, text: str, rows: Sequence[Row]) -> Decision:
        """COLUMN is SELECTOR, COLUMN is 'a value', COLUMN is words that the page has for its place."""
        names = {field.name: field.name for field in brief.reading.fields} or {
            name: name for row in rows for name in row
        }
        known = {_plain(name): name for name in names}
        how = f"rules understand COLUMN is SELECTOR and COLUMN is 'a value'; the columns are {', '.join(names)}"
        found = _HINT.fullmatch(text.strip())
        column = known.get(_plain(re.sub(r"(?i)^(?:the|column)\s+", "", found["column"]))) if found else None
        if found is None or column is None:
            raise NotUnderstood(f"not understood: {how}")
        said = found["said"].strip()
        if len(said) > 2 and said[0] + said[-1] in _QUOTES:
            return Decision("column", column, text=said[1:-1].strip(), how="example")
        return Decision("column", column, text=said)

    def _chosen(self, brief: Brief, column: str, rows: Sequence[Row]) -> tuple[Candidate, list[Candidate]]:
        """The records that the rows were read from, with the places that the columns have by the plan: a column that is
        corrected again as if nothing had been decided about it."""
        if brief.survey is None:
            raise NotUnderstood("the page was not looked at, so there is nothing to choose from")
        if self._read is None or self._read[0] is not brief.survey:
            self._read = brief.survey, Reader(brief.survey, brief.pages)
        others = [decision for decision in brief.decisions if decision.column != column]
        ranked = candidates(brief.reading, brief.survey, self._read[1], 0, others)
        ranked = [one for one in ranked if one.place is not None]
        if not ranked:
            raise NotUnderstood("the page offers no records to choose from")
        wanted = {name: {comparable(row.get(name, "")) for row in rows} - {""} for name in (rows[0] if rows else {})}
        shared = [_shared(one, wanted) for one in ranked[:GROUPS]]
        chosen = ranked[shared.index(max(shared))]
        return chosen, [one for one in ranked if one.group.id == chosen.group.id and one.lost == chosen.lost]


def _located(decision: Decision, field: Field, places: Sequence[Place]) -> tuple[Match, Place] | None:
    """The place that is meant; None where the column is to be left empty. Raises NotUnderstood."""
    if decision.option == NONE:
        return None
    if decision.option:
        for place in places:
            if (match := offered_as(decision.option, field, place)) is not None:
                return match, place
        raise NotUnderstood(f"the records have no place {decision.option!r} for {field.name}")
    try:
        return locate(decision, field, places[0]), places[0]
    except NotFound as error:
        raise NotUnderstood(f"{field.name}: {error}") from error


def _field(chosen: Candidate, column: str) -> Field:
    found = next((field for field in chosen.fields if field.name == column), None)
    if found is None:
        known = ", ".join(field.name for field in chosen.fields)
        raise NotUnderstood(f"{column} is no column of the request; its columns are {known}")
    return found


def _shared(candidate: Candidate, wanted: Mapping[str, set[str]]) -> int:
    """How many of the rows' values the candidate's records hold, column by column."""
    assert candidate.place is not None
    return sum(
        len(
            wanted.get(name, set())
            & set(map(comparable, converted(match.field, match.view, match.made, candidate.place)))
        )
        for name, match in candidate.matches.items()
    )


def _now(offers: Sequence[Offer], values: Sequence[str]) -> Offer | None:
    """The offer that the rows' values are from: the one that has the most of them; None where that is less than half of
    the values of either. The rows may be of more pages than the one that the offers are from, or some of its records.
    """
    wanted = {comparable(value) for value in values} - {""}
    held = [set(map(comparable, offer.values)) - {""} for offer in offers]
    best = max(range(len(offers)), key=lambda at: len(wanted & held[at]), default=None)
    if best is None or not wanted & held[best]:
        return None
    return offers[best] if 2 * len(wanted & held[best]) >= min(len(wanted), len(held[best])) else None


def _at(values: Sequence[Any], row: int) -> Any:
    return values[row] if row < len(values) else None


def _plain(name: str) -> str:
    return " ".join(re.sub(r"[\W_]+", " ", fold(name)).split())
