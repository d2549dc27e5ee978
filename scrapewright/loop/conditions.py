"""What a person decided about the columns and about conditions in words, as parts of the reading, which programmers
and judge go by."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import get_args

import msgspec

from scrapewright.query.correct import BadCorrection, corrected
from scrapewright.query.filters import title_of_all
from scrapewright.query.read import guessed_columns, named_columns, read_more, read_request
from scrapewright.query.reading import Filter, Part, Reading, Source, combined
from scrapewright.session.questions import NONE, NOTHING, WHOLE_PAGE, Decision, meaning_of

_PARTS = {
    "order": re.compile(r"sorted by (.+)", re.I),
    "limit": re.compile(r"the first (\d+) rows", re.I),
    "pages": re.compile(r"(?:read )?(all|\d+)(?: the)? pages?", re.I),
    "section": re.compile(r"(?:only )?under (?:the heading )?(.+)", re.I),
}
_ONLY = re.compile(r"^only (?=\S)", re.I)


def decided(query: Reading, decisions: Sequence[Decision]) -> Reading:
    """The reading with a comparison for each condition that was decided. One that none of the options is meant by stays
    in its words: programs go by them, and all rows are kept. Of the phrases that were not read those are left that
    nobody said anything of, or that may mean something.
    """
    query = _with_single(with_columns(query, decisions, "person"), decisions)
    said = {decision.column: decision for decision in decisions if decision.kind == "condition"}
    filters = tuple(_decided(wanted, said.get(wanted.title)) for wanted in query.filters)
    if filters != query.filters:
        query = combined(query, Reading(filters=filters), ("filters",), "person")
    unread = query.not_read
    rest = [wanted for wanted in unread if wanted.title not in said]
    together = Filter(text=title_of_all(rest))
    for asked, decision in [(one, said.get(one.title)) for one in (*unread, together)]:
        if decision is not None:
            query = _with_unread(query, asked, decision, rest if asked is together else [asked])
    return query


def said_of_rows(query: Reading, text: str) -> Reading | None:
    """The reading with what a person said of the rows, as a request says it or as its parts are written: "sorted by
    price", "price < 20", "leave out adverts", "only adverts", "only under Lamps", "all pages"; None where it is none of
    these. Raises BadCorrection."""
    text = text.strip()
    for part, form in _PARTS.items():
        if found := form.fullmatch(text):
            with suppress(BadCorrection):
                return corrected(query, part, found[1].strip("\"'“”‘’«»„ "))
    number = len(query.filters)
    as_written = corrected(query, f"filter.{number}", text)
    if as_written.filters[number].column in {column.name for column in query.columns}:
        return as_written
    if (read := read_more(query, text)) is not None:
        return read
    as_written = corrected(query, f"filter.{number}", _ONLY.sub("the record contains ", text))
    return as_written if as_written.filters[number].op != "other" else None


def with_columns(query: Reading, decisions: Iterable[Decision], source: Source) -> Reading:
    """The reading with the columns that were decided, if they were, and what the request says once these are known."""
    decision = next((one for one in decisions if one.kind == "columns"), None)
    if decision is None or query.columns or "columns" in query.sources:
        return query
    none = not decision.text and decision.option in (NONE, NOTHING)
    columns = () if none else named_columns(decision.text) or guessed_columns(query.text)
    if not (columns or none):
        return query
    read = read_request(query.text, columns)
    others = tuple(
        part for part in get_args(Part) if part != "columns" and query.sources.get(part) in (None, "grammar")
    )
    query = combined(query, read, [part for part in others if part in read.sources], "grammar")
    query = combined(query, read, ("columns",), source)
    return msgspec.structs.replace(query, unread=read.unread, likely_pages=read.likely_pages)


def _with_single(query: Reading, decisions: Iterable[Decision]) -> Reading:
    """One row is wanted where the page as a whole was chosen, and nobody had said so."""
    chosen = any(one.kind == "group" and one.option.startswith(WHOLE_PAGE) for one in decisions)
    if not chosen or query.single or query.sources.get("single") not in (None, "grammar"):
        return query
    return combined(query, Reading(single=True), ("single",), "person")


def _with_unread(query: Reading, asked: Filter, decision: Decision, phrases: Sequence[Filter]) -> Reading:
    """The reading once a person said what phrases mean that were not read; as it was where they left it open."""
    changed = understood(query, decision.text)
    if changed is None and meaning_of(decision):
        filters = (*query.filters, _decided(asked, decision))
        changed = combined(query, Reading(filters=filters), ("filters",), "person")
    if changed is None and decision.option != NOTHING:
        return query
    said = {wanted.text for wanted in phrases}
    return msgspec.structs.replace(changed or query, unread=tuple(one for one in query.unread if one not in said))


def understood(query: Reading, text: str) -> Reading | None:
    """As `said_of_rows`; None also where it says what can't be."""
    try:
        return said_of_rows(query, text) if text else None
    except BadCorrection:
        return None


def _decided(wanted: Filter, decision: Decision | None) -> Filter:
    if wanted.op != "other" or decision is None:
        return wanted
    if decision.text:
        op = "lacks" if wanted.said.leaves_out else "contains"
        return msgspec.structs.replace(wanted, op=op, value=decision.text.strip(), column="")
    meaning = meaning_of(decision)
    if meaning is None or "\n" in meaning[1]:
        return wanted  # that one of several texts is said is no comparison: programs go by the decision
    return msgspec.structs.replace(wanted, op=meaning[0], value=meaning[1], column="")
