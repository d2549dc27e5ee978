"""Which records a reading wants. In: the reading and the chosen records; out: their numbers, in the reading's order."""

from __future__ import annotations

from collections.abc import Sequence

from scrapewright.programmers.rules.choose import Candidate
from scrapewright.programmers.rules.conditions import in_words, on_column, on_record, passes
from scrapewright.programmers.rules.decisions import newest
from scrapewright.programmers.rules.ops import value_of
from scrapewright.programmers.rules.rivals import EMPTY
from scrapewright.query.filters import title_of
from scrapewright.query.reading import Reading
from scrapewright.session.questions import Decision


def wanted_records(
    query: Reading, candidate: Candidate, column: str = "", decisions: Sequence[Decision] = ()
) -> list[int]:
    """The numbers of the records that are under the heading that is meant and meet the request's conditions (those in
    words as they were decided), in its order and no more than it wants, but for what it says of `column`; empty where
    none does, or nothing is known."""
    place = candidate.place
    met: list[list[bool]] = []
    if candidate.under is not None:
        view, heading = candidate.under
        met.append([text == heading for text in place.reader.values(candidate.group, view.slot)])
    for wanted in query.filters:
        match = candidate.matches.get(wanted.field)
        if wanted.field == column and column:
            continue
        if (decided := newest(decisions, "condition", title_of(wanted))) is not None:
            match, keep = None, in_words(wanted, candidate, query.subject, decided)
        elif not wanted.field:
            keep = on_record(wanted, list(candidate.matches.values()), candidate)
        else:
            keep = on_column(wanted, match, candidate) if match is not None else None
        if keep is None or (match is not None and match.view.detail):
            continue
        if keep.slot is not None:
            values = [value_of(text, keep.ops) for text in place.reader.values(candidate.group, keep.slot)]
        else:
            match = candidate.matches[keep.column]
            values = candidate.values(match)
        met.append([passes(keep, value) for value in values])
    if len({len(one) for one in met}) > 1:
        return []
    rows = [at for at, tests in enumerate(zip(*met, strict=True)) if all(tests)]
    for order in reversed(query.order):
        match = candidate.matches.get(order.field)
        if match is None or match.view.detail or match.view.rough or order.field == column:
            return rows
        values = candidate.values(match)
        known = [at for at in (rows if met else range(len(values))) if at < len(values) and values[at] not in EMPTY]
        if len({type(values[at]) for at in known}) > 1:
            return rows
        rows = sorted(known, key=lambda at, values=values: values[at], reverse=order.descending)  # type: ignore[misc]
    return rows[: query.limit]
