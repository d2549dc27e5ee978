"""From a query and a survey to a plan: which records, which place for each field, what to convert, how to go on."""

from __future__ import annotations

import keyword
from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from scrapewright.programmers.rules.choose import Candidate
from scrapewright.programmers.rules.conditions import Keep, read_filters
from scrapewright.programmers.rules.match import Match
from scrapewright.programmers.rules.ops import Op
from scrapewright.programmers.rules.reading import Reader
from scrapewright.programmers.rules.rivals import ranked_groups
from scrapewright.programmers.rules.view import Rest
from scrapewright.query.column_types import type_of_name
from scrapewright.query.lexicon import word_set
from scrapewright.query.reading import Field, Format, Order, Reading
from scrapewright.session.questions import Decision
from scrapewright.survey.model import Group, NextPage, Search, Slot, Survey
from scrapewright.web.page import Page


class Column(msgspec.Struct, frozen=True):
    """One column of the output: a slot of the record, or of the page behind its link, and the steps to its value.

    `slot` None: the page offers nothing for the field, and the column stays empty.
    """

    field: Field
    slot: Slot | None = None
    ops: tuple[Op, ...] = ()
    joint: str = ""
    detail: bool = False
    carried: bool = False
    """It is only in the first record of a run: the others have it from there."""
    hidden: bool = False
    """Rows are sorted or chosen by it; it was not asked for and is left out of the output."""
    rest: Rest | None = None
    """Where the rest of the value is, after the slot's own text."""

    @property
    def name(self) -> str:
        return self.field.name


class Paging(msgspec.Struct, frozen=True):
    """How to go on from page to page. `pages` None: to the end."""

    next: NextPage
    pages: int | None = None


class Plan(msgspec.Struct, frozen=True):
    """All that the program is written from."""

    urls: tuple[str, ...]
    noun: str
    group: Group
    columns: tuple[Column, ...]
    paging: Paging | None = None
    follow: Slot | None = None
    """The record's slot whose link leads to the detail page."""
    detail: Group | None = None
    keep: tuple[Keep, ...] = ()
    order: tuple[Order, ...] = ()
    limit: int | None = None
    distinct: tuple[str, ...] = ()
    format: Format = "csv"
    filename: str = "rows.csv"
    single: bool = False
    encoding: str = ""
    """To be given to the parser; empty where the page's own bytes say it."""
    decoded: str = ""
    """The encoding to decode the bytes with before parsing, where the parser would stop at a wrong one."""
    based: bool = False
    """The page has a base element, from which its links count."""
    search: Search | None = None
    """The form that leads to the first page."""
    drawn: bool = False
    """Its pages are drawn by script: the program asks for them as a browser draws them (see web.render)."""
    endpoint: str = ""
    """The URL that answers with JSON, for groups whose records come from there."""

    @property
    def missing(self) -> tuple[str, ...]:
        """Fields for which the page offers nothing."""
        return tuple(column.name for column in self.columns if column.slot is None)

    @property
    def shown(self) -> tuple[Column, ...]:
        """The columns of the output."""
        return tuple(column for column in self.columns if not column.hidden)


def plan(
    query: Reading,
    survey: Survey,
    choice: int = 0,
    pages: Mapping[str, Page] | None = None,
    decisions: Sequence[Decision] = (),
    reader: Reader | None = None,
) -> Plan:
    """The plan that serves the query best; `choice` 1 is the next best, and so on.

    `pages` are fetched pages by URL: with them conversions are fitted to all values of the surveyed pages, without them
    to the survey's samples. What `decisions` say of the records and the columns is kept to in every plan. `reader`
    is one that has read these pages of this survey before. Raises LookupError where there is nothing (more) to choose.
    """
    reader = reader or Reader(survey, pages)
    ranked = ranked_groups(query, survey, reader, choice, decisions)
    if ranked and ranked[0].group.count > 1 and not (query.single or query.one_or_several):
        # The page as a whole is no other way to read its list.
        ranked = [one for one in ranked if one.group.kind != "page"]
    if choice >= len(ranked):
        raise LookupError("the page offers no records" if not ranked else "there is no other way to read the page")
    return _planned(survey, ranked[choice], reader)


def _planned(survey: Survey, chosen: Candidate, reader: Reader) -> Plan:
    columns, query = [], chosen.query
    for field in (*chosen.fields, *chosen.hidden):
        match = chosen.matches.get(field.name)
        hidden = field in chosen.hidden
        if match is None:
            columns += [] if hidden else [Column(field=field)]
            continue
        columns.append(
            Column(
                field=match.field, slot=match.view.slot, ops=match.view.steps(match.made.ops), joint=match.view.joint,
                rest=match.view.rest, detail=match.view.detail, carried=_carried(match), hidden=hidden,
            )
        )  # fmt: skip
    group = chosen.group
    behind = chosen.place.behind if any(column.detail for column in columns) else None
    detail = behind.group if behind is not None else None
    follow = next((slot for slot in group.slots if slot.id == survey.follow_slot), None) if detail else None
    names = {column.name for column in columns}
    page = survey.page
    declared = reader.from_encoding if page.declared in ("meta", "xml", "bom") else page.encoding
    return Plan(
        urls=(page.url,) if query.search and survey.search is None else query.urls or (page.url,),
        search=survey.search,
        noun=noun_of(query, group),
        group=group,
        columns=tuple(columns),
        paging=_paging(query, survey, group),
        follow=follow,
        detail=detail,
        keep=read_filters([column.field for column in columns], chosen),
        order=tuple(order for order in query.order if order.field in names),
        limit=query.limit,
        distinct=tuple(name for name in query.distinct if name in names),
        format=query.format,
        filename=query.output_name,
        single=query.single and query.format != "csv",
        encoding="" if group.kind == "feed" and page.declared != "header" else declared,
        decoded=reader.decoded,
        drawn=survey.drawn,
        based=survey.base not in ("", page.url.partition("#")[0]),
        endpoint=_endpoint(group, page.url),
    )


def _endpoint(group: Group, url: str) -> str:
    """Where the group's JSON answer comes from; empty where the records are in a page."""
    return url if group.source == "body" else group.source[4:] if group.source.startswith("url ") else ""


def _carried(match: Match) -> bool:
    """Whether a value holds for the records after it: the request says so, or it is a group's name with gaps."""
    view, values = match.view, match.view.values
    if view.detail or not values or values[0] is None or view.coverage > 0.95:
        return False
    if match.field.said.first_only:
        return True
    grouping = not match.field.said.concepts.isdisjoint(("category", "region"))
    return grouping and not match.field.optional and not view.rough and view.coverage < 0.7


def _paging(query: Reading, survey: Survey, group: Group) -> Paging | None:
    wanted: Literal["unsaid", "first", "all", "count"] = query.paging
    if group.source.startswith("url ") and wanted == "unsaid":
        # A page that loads its records by script as one scrolls shows all of them.
        wanted = "all"
    how = survey.next.how
    pages = query.page_count if wanted == "count" else None
    if wanted == "unsaid" and query.limit and survey.next.verified:
        wanted, pages = _for_limit(query, group)
    if query.single or how == "none" or wanted in ("unsaid", "first"):
        return None
    if (how in ("link", "numbers", "form") and _endpoint(group, "-")) or (how == "json" and not _endpoint(group, "-")):
        return None
    if survey.search is not None and how not in ("link", "numbers", "form"):
        return None  # a number counts in the addresses of pages, and these have none
    if wanted == "count" and (pages or 1) <= 1:
        return None
    return Paging(next=survey.next, pages=pages)


def _for_limit(query: Reading, group: Group) -> tuple[Literal["first", "all", "count"], int | None]:
    """The pages that a number of rows needs: all for the cheapest ones or those that meet a condition, else as many as
    hold so many. Newest first is how sites list what has a date."""
    assert query.limit is not None
    newest = all(order.descending and type_of_name(order.field) == "date" for order in query.order)
    if query.filters or not newest:
        return "all", None
    pages = -(-query.limit // max(1, group.count))
    return ("count", pages) if pages > 1 else ("first", None)


_RESERVED = word_set("""
text url soup row rows session link page match value data record json csv re html date datetime response name list set
dict str int float tag file key input type object id class def for from import in is not or and print main requests
pages next sum map filter range number hours minutes month part writer visited seen column detail details found base
""")
_HOLDERS = word_set("""
archive board bibliography calendar catalog catalogue chart collection database directory feed index leaderboard ledger
library listing log menu overview programme ranking register registry roster rss schedule section sitemap standing table
timetable
""")
"""What holds records and is none itself: "the leaderboard at …" asks for its lines."""


def noun_of(query: Reading, group: Group) -> str:
    """What to call one record in the code: the request's own word where it can be a name."""
    for name in reversed(query.nouns):
        can_be_one = name.isidentifier() and name.isascii() and len(name) > 2 and not keyword.iskeyword(name)
        if can_be_one and name not in _RESERVED | _HOLDERS:
            return name
    if group.kind == "table":
        return "table_row"
    return "item" if group.kind in ("feed", "json") else "entry"
