"""The tables that a page offers where a request says nothing but its address."""

from __future__ import annotations

from collections.abc import Mapping

from scrapewright.loop.ports import OfferedColumn, OfferedTable
from scrapewright.programmers.rules.choose import Candidate, candidates
from scrapewright.programmers.rules.offers import Place, converted, option_id
from scrapewright.programmers.rules.questions import group_option, groups_shown
from scrapewright.programmers.rules.reading import Reader
from scrapewright.query.reading import Column, Reading, fields_of
from scrapewright.session.questions import Decision, value_text
from scrapewright.survey.model import Survey
from scrapewright.web.page import Page

SAMPLES = 3
TABLES = 8


def offered_tables(query: Reading, survey: Survey, pages: Mapping[str, Page]) -> tuple[OfferedTable, ...]:
    """The likeliest first; each with the columns that its records fill, named as the page names them. Blocks."""
    ranked = [one for one in candidates(query, survey, Reader(survey, pages), TABLES) if one.place is not None]
    if not ranked:
        return ()
    shown, _ = groups_shown(query, ranked)
    found = (_table(candidate, texts) for texts, candidate in shown.items())
    return tuple(table for table in found if table.columns)[:TABLES]


def _table(candidate: Candidate, texts: tuple[str, ...]) -> OfferedTable:
    option, place = group_option(candidate, texts), candidate.place
    assert place is not None
    columns = tuple(
        _column(candidate, field.name, place) for field in candidate.fields if field.name in candidate.matches
    )
    return OfferedTable(option.text, option.where, candidate.group.count, Decision("group", option=option.id), columns)


def _column(candidate: Candidate, name: str, place: Place) -> OfferedColumn:
    match = candidate.matches[name]
    values = [value_text(value) for value in converted(match.field, match.view, match.made, place)]
    filled = [value for value in values if value]
    guessed = fields_of((Column(name),))[0].type
    column = Column(name, None if match.field.type == guessed == "text" else match.field.type)
    decision = Decision("column", name, option=option_id(match.view, place))
    return OfferedColumn(column, decision, tuple(filled[:SAMPLES]), len(filled) / len(values))
