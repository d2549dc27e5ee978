"""The places that a column of written rows can be corrected to, what each would give, and hints that name one; and the
tables that a page offers where a request says nothing but its address.

The person looks at rows; the plan's group is found again as the one whose values they show, whoever wrote the program.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from itertools import zip_longest
from typing import Any

from msgspec.structs import replace

from scrapewright.loop import conditions
from scrapewright.loop.pages import why_no_more
from scrapewright.loop.ports import Brief, NotUnderstood, OfferedColumn, OfferedTable, Preview, Row
from scrapewright.programmers.rules.choose import Candidate, candidates, is_under
from scrapewright.programmers.rules.conditions import meanings, wanted_records
from scrapewright.programmers.rules.decisions import NotFound, decided_by, located_group, place_of, wanted_group
from scrapewright.programmers.rules.match import Match
from scrapewright.programmers.rules.offers import Place, converted, group_id, option_id
from scrapewright.programmers.rules.pairs import pair
from scrapewright.programmers.rules.questions import group_option, groups_shown, option_of
from scrapewright.programmers.rules.reading import Reader, Readers
from scrapewright.programmers.rules.rivals import Offer, column_offers, ranked_groups, same_records
from scrapewright.programmers.rules.unread import is_beside
from scrapewright.programmers.rules.view import View
from scrapewright.query.correct import BadCorrection, corrected
from scrapewright.query.fields import fields_of
from scrapewright.query.filters import title_of_all
from scrapewright.query.lexicon import fold
from scrapewright.query.reading import Column, Field, Reading
from scrapewright.session.questions import (
    NONE,
    NOTHING,
    OPTIONS_AT_MOST,
    UNSAID,
    Decision,
    Question,
    comparable,
    value_text,
    with_decision,
)
from scrapewright.survey.model import Survey
from scrapewright.web.page import Page

GROUPS = 8
"""Groups that are compared with the rows."""
COLUMNS = 3
"""Columns by which a row is shown."""
VALUES = 5
VALUE = 200
"""Values of the first records that a decision keeps, for a model to know the place by, and characters of each."""
_HINT = re.compile(
    r"(?P<column>.+?)\s*(?:(?<![<>!])=|:|\s(?:is|are|should be|stands at|means)\s)\s*(?P<said>(?![<>]=?\s*\d).+)",
    re.S | re.I,
)
_FORMS = (
    "COLUMN is SELECTOR, 'a value' or words of its label, only under HEADING, only or leave out WORDS, price < 20, "
    "sorted by COLUMN, the first 10, all pages"
)
_QUOTES = ('""', "''", "“”", "‘’", "«»", "„“")


class RulesCorrector:
    """A `loop.ports.Corrector`. What was read of the survey's pages last is kept, by `readers` if they are given."""

    def __init__(self, readers: Readers | None = None) -> None:
        self._readers = readers or Readers()

    def options(self, brief: Brief, column: str, rows: Sequence[Row]) -> Question:
        """The likeliest first; the place that the rows' values are from is not among them."""
        chosen, alike = self._chosen(brief, column, rows)
        field = _field(chosen, column)
        offers, now = _offers(field, chosen, alike, rows)
        shown = [option_of(offer) for offer in offers if offer is not now][:OPTIONS_AT_MOST]
        return Question("column", f"{column} is wrong: which of these is it?", tuple(shown), field.name)

    def understand(self, brief: Brief, decision: Decision) -> str:
        """Why what a person typed can't be followed, "" where it can."""
        column, option, text = decision.column, decision.option, decision.text
        if brief.survey is None or (option in (NONE, "") and not text):
            return ""
        if decision.kind == "group":
            if option and wanted_group(decision, brief.survey.groups) is None:
                return f"no records go by {option!r}"
            lost = text and located_group(text, brief.survey.groups) is None
            return f"no records match {text!r}" if lost else ""
        if decision.kind == "condition":
            return self._unmet(brief, decision)
        if decision.kind != "column":
            return ""
        field = next((field for field in brief.reading.fields if field.name == column), None)
        if field is None:
            return f"there is no column {column!r}"
        earlier = [one for one in brief.decisions if one is not decision and one.column != column]
        ranked = self._ranked(brief, brief.reading, (*earlier, decision))
        if not ranked:
            return "the page offers no records"
        try:
            if ranked[0].lost:
                place_of(decision, field, ranked[0].place)
        except NotFound as error:
            return f"{column}: {error}"
        return ""

    def _unmet(self, brief: Brief, decision: Decision) -> str:
        """Why a condition can't be kept to as it was said."""
        query, title, option, text = brief.reading, decision.column, decision.option, decision.text
        unread, others = query.not_read, decided_by(one for one in brief.decisions if one is not decision)
        rest = [wanted for wanted in unread if ("condition", wanted.title) not in others]
        if title in {title_of_all(rest), *(one.title for one in unread)}:
            if option in (NOTHING, UNSAID) or (text and conditions.understood(query, text) is not None):
                return ""
            if text:
                how = "such as sorted by COLUMN, only where COLUMN is VALUE, the first 10"
                return f"{text!r} is not read: say it as a request does, {how}"
        wanted = next((one for one in (*query.filters, *unread) if one.title == title), None)
        if wanted is None:
            return f"there is no condition {title!r}"
        ranked = self._ranked(brief, query, brief.decisions)
        if not ranked:
            return "the page offers no records"
        if option == NOTHING and is_beside(wanted, ranked[0]):
            return ""
        found = meanings(wanted, ranked[0], text.strip())
        if text:
            return "" if found else f"no record says {text!r}, or most of them do: name what only those say"
        return "" if any(one.id == option for one in found) else f"there is no option {option!r}"

    def preview(self, brief: Brief, decision: Decision, rows: Sequence[Row]) -> Preview:
        chosen, alike = self._chosen(brief, decision.column, rows)
        field = _field(chosen, decision.column)
        _, now = _offers(field, chosen, alike, rows)
        found = _located(decision, field, [one.place for one in (chosen, *alike)])
        then = tuple(converted(field, found[0].view, found[0].made, found[1])) if found is not None else ()
        if found is not None:
            decision = _with_place(decision, found[0].view, then)
        already = found is not None and now is not None and _where(found[0].view) == _where(now.view)
        shown = _side_by_side(chosen, field, now, then)
        return Preview((*_group(brief, chosen, rows), decision), shown, already=already)

    def respelled(self, brief: Brief, reading: Reading, before: str, after: str, rows: Sequence[Row]) -> Preview:
        """The columns of a request that names none are named from here on: each keeps its place then."""
        chosen, alike = self._chosen(brief, before, rows)
        decisions: list[Decision] = []
        shown: tuple[tuple[str, Any, Any], ...] = ()
        for field in chosen.fields:
            if field.name != before and (brief.reading.columns or not after):
                continue
            _, now = _offers(field, chosen, alike, rows)
            called = after if field.name == before else field.name
            wanted = next((one for one in reading.fields if one.name == called), None)
            then: tuple[Any, ...] = ()
            if wanted and now and (made := pair(wanted, now.view).fitting) is not None:
                then = tuple(converted(wanted, now.view, made, now.place))
                place = Decision("column", called, option=option_id(now.view, now.place))
                decisions.append(_with_place(place, now.view, then))
            elif wanted and field.name == before:
                raise NotUnderstood(f"nothing in the records can be read as {wanted.name}: {wanted.type}")
            if field.name == before:
                shown = _side_by_side(chosen, field, now, then)
        return Preview((*(_group(brief, chosen, rows) if decisions else ()), *decisions), shown, reading)

    def groups(self, brief: Brief, rows: Sequence[Row]) -> Question:
        chosen, _ = self._chosen(brief, "", rows)
        shown, _ = groups_shown(brief.reading, self._ranked(brief, brief.reading, ()))
        others = [group_option(one, texts) for texts, one in shown.items() if one.group.id != chosen.group.id]
        return Question("group", "Which of these are the records?", tuple(others[:OPTIONS_AT_MOST]))

    def records(self, brief: Brief, reading: Reading, decision: Decision | None, rows: Sequence[Row]) -> Preview:
        chosen, _ = self._chosen(brief, "", rows)
        then, meant = chosen, _group(brief, chosen, rows)
        typed = decision.text if decision is not None and not decision.option else ""
        if typed and (part := self._part(brief, chosen, typed)) is not None:
            reading, decision = part, None
        if reading.section != brief.reading.section:  # who names a heading says which records are meant
            then = self._headed(brief, reading, chosen)
            decision = Decision("group", option=group_id(then.group))
        elif decision is not None or reading != brief.reading:
            if decision is not None and decision.text and located_group(typed, self._reader(brief)[0].groups) is None:
                raise NotUnderstood(f"no records match {typed!r}, and it is no heading or condition such as price < 20")
            decided = (*brief.decisions, *meant) if decision is None else with_decision(brief.decisions, decision)
            found = ranked_groups(reading, *self._reader(brief), 0, decided)
            if not found:
                raise NotUnderstood("the page offers no such records")
            then = found[0]
        if decision is not None:
            meant = (Decision("group", option=group_id(then.group), text=then.group.selector or then.group.source),)
        before, after = _page_rows(brief.reading, chosen, reading), _page_rows(reading, then, reading)
        if (reading.filters or then.under) and not after:
            raise NotUnderstood("no record would be left by that, or the records do not say it")
        shown = tuple(("", row, other) for row, other in zip_longest(before, after))
        already = then.group.id == chosen.group.id
        return Preview(meant, shown, reading if reading != brief.reading else None, already)

    def read_hint(self, brief: Brief, text: str, rows: Sequence[Row]) -> Preview:
        """COLUMN is SELECTOR, COLUMN is 'a value', COLUMN is words that the page has for its place; else what a request
        says of its rows or pages."""
        names = [field.name for field in brief.reading.fields] or list(
            dict.fromkeys(name for row in rows for name in row)
        )
        known = {_plain(name): name for name in names}
        found = _HINT.fullmatch(text.strip())
        called = re.sub(r"(?i)^(?:the|column)\s+", "", found["column"]) if found else ""
        wrong = f"not understood: rules understand {_FORMS}; the columns are {', '.join(names)}"
        if found is not None and (column := known.get(_plain(called))) is not None:
            said, how = found["said"].strip(), _quoted(found["said"].strip())
            decision = Decision("column", column, text=how or said, how="example" if how else "")
            try:
                return self.preview(brief, decision, rows)
            except NotUnderstood as error:
                wrong = str(error)
        elif near := get_close_matches(_plain(called), known, 1):
            wrong = f"there is no column {called!r}: is {known[near[0]]} meant? The columns are {', '.join(names)}"
        try:
            reading = conditions.said_of_rows(brief.reading, text)
        except BadCorrection as error:
            raise NotUnderstood(str(error)) from error
        if reading is None:
            raise NotUnderstood(wrong)
        if reading.pages == "all" and (why := why_no_more(brief.reading, brief.survey)):
            raise NotUnderstood(why)
        if reading.pages != brief.reading.pages:
            return Preview((), (), reading)
        return self.records(brief, reading, None, rows)

    def _part(self, brief: Brief, chosen: Candidate, heading: str) -> Reading | None:
        """The reading that wants those of the records alone that are under a heading among them; None where none is."""
        reading = corrected(brief.reading, "section", heading)
        decided = with_decision(brief.decisions, Decision("group", option=group_id(chosen.group)))
        return reading if any(one.under for one in self._ranked(brief, reading, decided)) else None

    def _headed(self, brief: Brief, reading: Reading, chosen: Candidate) -> Candidate:
        """The records under the heading that the reading names; of those that are shown where some are. Any, the best
        first, where it names none any more."""
        decided = [one for one in brief.decisions if one.kind != "group"]
        found = self._ranked(brief, reading, decided)
        found = [one for one in found if one.under or not reading.section or is_under(reading, one.group)]
        if not found:
            raise NotUnderstood(f"no records are under a heading {reading.section!r}")
        return next((one for one in found if one.group.id == chosen.group.id), found[0])

    def _reader(self, brief: Brief) -> tuple[Survey, Reader]:
        if brief.survey is None:
            raise NotUnderstood("the page was not looked at, so there is nothing to choose from")
        return brief.survey, self._readers.of(brief.survey, brief.pages)

    def _ranked(self, brief: Brief, reading: Reading, decisions: Sequence[Decision]) -> list[Candidate]:
        return ranked_groups(reading, *self._reader(brief), 0, decisions)

    def _chosen(self, brief: Brief, column: str, rows: Sequence[Row]) -> tuple[Candidate, list[Candidate]]:
        """The records that the rows were read from, with the places that the columns have by the plan: a column that is
        corrected again as if nothing had been decided about it."""
        others = [decision for decision in brief.decisions if decision.column != column]
        ranked = self._ranked(brief, brief.reading, others)
        if not ranked:
            raise NotUnderstood("the page offers no records to choose from")
        wanted = {name: {comparable(row.get(name, "")) for row in rows} - {""} for name in (rows[0] if rows else {})}
        chosen = max(ranked[:GROUPS], key=lambda one: _shared(one, wanted))
        return chosen, same_records(chosen, ranked)


def _where(view: View) -> tuple[object, ...]:
    return view.slot.selector, view.slot.attr, view.ops, view.detail


def _located(decision: Decision, field: Field, places: Sequence[Place]) -> tuple[Match, Place] | None:
    """The place that is meant; None where the column is to be left empty. Raises NotUnderstood."""
    if decision.option == NONE:
        return None
    found: NotFound | None = None
    for place in places if decision.option else places[:1]:
        try:
            return place_of(decision, field, place), place
        except NotFound as error:
            found = error
    raise NotUnderstood(f"{field.name}: {found}")


def _field(chosen: Candidate, column: str) -> Field:
    found = next((field for field in chosen.fields if field.name == column), None)
    if found is None:
        known = ", ".join(field.name for field in chosen.fields)
        raise NotUnderstood(f"{column} is no column of the request; its columns are {known}")
    return found


def _shared(candidate: Candidate, wanted: Mapping[str, set[str]]) -> int:
    """How many of the rows' values the candidate's records hold, column by column."""
    return sum(
        len(wanted.get(name, set()) & set(map(comparable, candidate.place.values(match))))
        for name, match in candidate.matches.items()
    )


def _offers(
    field: Field, chosen: Candidate, alike: Sequence[Candidate], rows: Sequence[Row]
) -> tuple[list[Offer], Offer | None]:
    """The column's offers, and that which the rows' values are from: the one that has the most of them; None where that
    is less than half of the values of either. The rows may be of more pages than the one that the offers are from, or
    some of its records."""
    offers = list(column_offers(field, chosen.matches.get(field.name), chosen, alike))
    wanted = {comparable(row.get(field.name, "")) for row in rows} - {""}
    held = [set(map(comparable, offer.values)) - {""} for offer in offers]
    best = max(range(len(offers)), key=lambda at: len(wanted & held[at]), default=None)
    if best is None or not wanted & held[best]:
        return offers, None
    return offers, offers[best] if 2 * len(wanted & held[best]) >= min(len(wanted), len(held[best])) else None


def _side_by_side(
    chosen: Candidate, field: Field, now: Offer | None, then: Sequence[Any]
) -> tuple[tuple[str, Any, Any], ...]:
    """Each record by what its first other column says, with its values."""
    before = now.values if now is not None else ()
    count = max(len(then), len(before))
    others = (chosen.matches[one.name] for one in chosen.fields if one is not field and one.name in chosen.matches)
    named = next((other for other in others if len(other.view.values) == count), None)
    names = chosen.place.values(named) if named is not None else [None] * count
    return tuple((value_text(name), value, other) for name, value, other in zip_longest(names, before, then))


def _with_place(decision: Decision, view: View, then: Sequence[Any]) -> Decision:
    """The decision with its first values and, where it chose an option, the place of that."""
    decision = replace(decision, values=tuple(text[:VALUE] for value in then[:VALUES] if (text := value_text(value))))
    where = view.slot.selector + (f"@{view.slot.attr}" if view.slot.attr != "text" else "")
    return replace(decision, text=where, how="selector") if decision.option else decision


def _group(brief: Brief, chosen: Candidate, rows: Sequence[Row]) -> tuple[Decision, ...]:
    """The records that the rows show, where nobody decided which are meant."""
    decided = ("group", "") in decided_by(brief.decisions) or not rows
    return () if decided else (Decision("group", option=group_id(chosen.group)),)


def _page_rows(reading: Reading, chosen: Candidate, shown_by: Reading) -> list[str]:
    """The rows that the records of the surveyed page become, with conditions, order and limit, each as a text: what it
    begins with, what `shown_by` sorts by, and more up to COLUMNS."""
    values = {name: chosen.place.values(match) for name, match in chosen.matches.items() if not match.view.detail}
    names = [field.name for field in chosen.fields if field.name in values]
    sorted_by = [order.column for order in shown_by.order if order.column in values]
    shown = list(dict.fromkeys([*names[:1], *sorted_by, *names]))[:COLUMNS]
    rows = list(zip_longest(*(map(value_text, values[name]) for name in shown), fillvalue=""))
    return [" · ".join(rows[at]) for at in wanted_records(chosen.asked(reading)) if at < len(rows)]


def _quoted(said: str) -> str:
    """What stands between quotes; empty where all of it does not."""
    return said[1:-1].strip() if len(said) > 2 and said[0] + said[-1] in _QUOTES else ""


def _plain(name: str) -> str:
    return " ".join(re.sub(r"[\W_]+", " ", fold(name)).split())


SAMPLES = 3
TABLES = 8


def offered_tables(query: Reading, survey: Survey, pages: Mapping[str, Page]) -> tuple[OfferedTable, ...]:
    """The likeliest first; each with the columns that its records fill, named as the page names them. Blocks."""
    ranked = candidates(query, survey, Reader(survey, pages), TABLES)
    if not ranked:
        return ()
    shown, _ = groups_shown(query, ranked)
    found = (_table(candidate, texts) for texts, candidate in shown.items())
    return tuple(table for table in found if table.columns)[:TABLES]


def _table(candidate: Candidate, texts: tuple[str, ...]) -> OfferedTable:
    option, place = group_option(candidate, texts), candidate.place
    columns = tuple(
        _offered_column(candidate, field.name, place) for field in candidate.fields if field.name in candidate.matches
    )
    return OfferedTable(option.text, option.where, candidate.group.count, Decision("group", option=option.id), columns)


def _offered_column(candidate: Candidate, name: str, place: Place) -> OfferedColumn:
    match = candidate.matches[name]
    values = [value_text(value) for value in candidate.place.values(match)]
    filled = [value for value in values if value]
    guessed = fields_of((Column(name),))[0].type
    column = Column(name, None if match.field.type == guessed == "text" else match.field.type)
    decision = Decision("column", name, option=option_id(match.view, place))
    return OfferedColumn(column, decision, tuple(filled[:SAMPLES]), len(filled) / len(values))
