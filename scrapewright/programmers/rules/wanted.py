"""Which records a reading wants. In: the reading and the chosen records; out: their numbers, in the reading's order."""

from __future__ import annotations

from collections.abc import Sequence

from scrapewright.programmers.rules.choose import Candidate
from scrapewright.programmers.rules.conditions import kept, passes
from scrapewright.programmers.rules.ops import value_of
from scrapewright.programmers.rules.rivals import EMPTY
from scrapewright.query.fields import resolved
from scrapewright.query.reading import Reading
from scrapewright.session.questions import Decision


def wanted_records(query: Reading, candidate: Candidate, decisions: Sequence[Decision] = ()) -> list[int]:
    """The numbers of the records that are under the heading that is meant and meet the request's conditions, as far as
    the page says it, in its order and no more than it wants."""
    matches, reader = candidate.matches, candidate.place.reader
    query = resolved(query, (*candidate.fields, *candidate.hidden))
    rows = list(range(max((len(view.values) for view in candidate.views if not view.detail), default=0)))
    for keep in kept(query, candidate, decisions):
        if keep.slot is not None:
            values = [value_of(text, keep.ops) for text in reader.values(candidate.group, keep.slot)]
        elif matches[keep.column].view.detail:
            continue
        else:
            values = candidate.values(matches[keep.column])
        rows = [at for at in rows if at < len(values) and passes(keep, values[at])]
    for order in reversed(query.order):
        match = matches.get(order.column)
        if match is None or match.view.detail or match.view.rough:
            return rows
        by = dict(enumerate(candidate.values(match)))
        known = [at for at in rows if by.get(at) not in EMPTY]
        if len({type(by[at]) for at in known}) > 1:
            return rows
        rest = [at for at in rows if by.get(at) in EMPTY]
        rows = sorted(known, key=by.__getitem__, reverse=order.descending) + rest
    return rows[: query.limit]
