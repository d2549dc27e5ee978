"""What a person decided about a condition in words, as a part of the reading, which programmers and judge go by."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from scrapewright.query.filters import leaves_out, title_of
from scrapewright.query.reading import Filter, Reading, combined
from scrapewright.session.questions import Decision, meaning_of


def decided(query: Reading, decisions: Iterable[Decision]) -> Reading:
    """The reading with a comparison for each condition that was decided. One that none of the options is meant by stays
    in its words: programs go by them, and all rows are kept.
    """
    said = {decision.column: decision for decision in decisions if decision.kind == "condition"}
    filters = tuple(_decided(wanted, said.get(title_of(wanted))) for wanted in query.filters)
    return query if filters == query.filters else combined(query, Reading(filters=filters), ("filters",), "person")


def _decided(wanted: Filter, decision: Decision | None) -> Filter:
    if wanted.op != "other" or decision is None:
        return wanted
    if decision.text:
        op = "lacks" if leaves_out(wanted) else "contains"
        return msgspec.structs.replace(wanted, op=op, value=decision.text.strip(), column="")
    meaning = meaning_of(decision)
    return msgspec.structs.replace(wanted, op=meaning[0], value=meaning[1], column="") if meaning else wanted
