"""What a person decided about a condition in words, as a part of the reading, which programmers and judge go by."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from scrapewright.query.filters import leaves_out, not_read, title_of, title_of_all
from scrapewright.query.read import read_more
from scrapewright.query.reading import Filter, Reading, combined
from scrapewright.session.questions import NOTHING, Decision, meaning_of


def decided(query: Reading, decisions: Iterable[Decision]) -> Reading:
    """The reading with a comparison for each condition that was decided. One that none of the options is meant by stays
    in its words: programs go by them, and all rows are kept. Of the phrases that were not read those are left that
    nobody said anything of, or that may mean something.
    """
    said = {decision.column: decision for decision in decisions if decision.kind == "condition"}
    filters = tuple(_decided(wanted, said.get(title_of(wanted))) for wanted in query.filters)
    if filters != query.filters:
        query = combined(query, Reading(filters=filters), ("filters",), "person")
    unread = not_read(query)
    rest = [wanted for wanted in unread if title_of(wanted) not in said]
    together = Filter(text=title_of_all(rest))
    for asked, decision in [(one, said.get(title_of(one))) for one in (*unread, together)]:
        if decision is not None:
            query = _with_unread(query, asked, decision, rest if asked is together else [asked])
    return query


def _with_unread(query: Reading, asked: Filter, decision: Decision, phrases: Sequence[Filter]) -> Reading:
    """The reading once a person said what phrases mean that were not read; as it was where they left it open."""
    read = read_more(query, decision.text) if decision.text else None
    if read is None and meaning_of(decision):
        filters = (*query.filters, _decided(asked, decision))
        read = combined(query, Reading(filters=filters), ("filters",), "person")
    if read is None and decision.option != NOTHING:
        return query
    said = {wanted.text for wanted in phrases}
    return msgspec.structs.replace(read or query, unread=tuple(one for one in query.unread if one not in said))


def _decided(wanted: Filter, decision: Decision | None) -> Filter:
    if wanted.op != "other" or decision is None:
        return wanted
    if decision.text:
        op = "lacks" if leaves_out(wanted) else "contains"
        return msgspec.structs.replace(wanted, op=op, value=decision.text.strip(), column="")
    meaning = meaning_of(decision)
    return msgspec.structs.replace(wanted, op=meaning[0], value=meaning[1], column="") if meaning else wanted
