"""Phrases of requests of which it is known whether they say anything of the rows: what `logit` fits `query/phrases` to.

In: requests with their readings, those in `marked.jsonl` with the parts that say something ("spans"), and parts alone
in `clauses.jsonl` and `phrases.jsonl`. Out: choices between that a phrase says nothing and that it says something.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from scrapewright.query.clause_choice import said_in
from scrapewright.query.phrases import features
from scrapewright.query.read import read_request
from scrapewright.query.reading import Reading
from scrapewright.query.tokens import Tokens
from tests.requests.lists import CLAUSES, OWN, UNSEEN, Case, cases_of, plain
from tests.requests.logit import Weighed

MARKED = Path(__file__).with_name("marked.jsonl")
ALONE = (CLAUSES, Path(__file__).with_name("phrases.jsonl"))
HELD_OUT = 4
"""Of so many marked requests one is not fitted to."""

SAYING = frozenset({"filter", "order", "limit", "pages", "section", "distinct", "follow", "format"})
"""Kinds of marked parts that change the rows, or how they are written."""
BESIDE = frozenset({"note", "single"})
"""Kinds of those that do not."""
SHARED = 3
"""Characters by which a phrase that has them of a part is said by it."""


def weighed_parts() -> list[Weighed]:
    """The parts that stand alone; of those that say something only what is in one piece, which is then what says it."""
    found = []
    for line in "".join(path.read_text(encoding="utf-8") for path in ALONE).splitlines():
        one = json.loads(line)
        tokens = Tokens(one["text"])
        pieces = said_in(tokens, [])
        says = not {"order", "filters", "limit", "pages", "section"}.isdisjoint(one)
        if not says or len(pieces) == 1:
            found += [_weighed(tokens.said(*said.piece), says=says) for said in pieces]
    return found


def weighed(*, unseen: bool = False) -> list[Weighed]:
    """The phrases that the grammar does not read in requests that the weights are fitted to, or in the others."""
    marked = [case for at, case in enumerate(cases_of(MARKED)) if (at % HELD_OUT == 0) == unseen]
    cases = [*cases_of(UNSEEN if unseen else OWN), *marked]
    return [_weighed(phrase, says=says) for case in cases for phrase, says in _known(case)]


def _known(case: Case) -> Iterator[tuple[str, bool]]:
    """The phrases that are not read, and whether they say something. Where no parts are marked they say nothing if all
    is read that the request says, and a single one says what is missing."""
    if "order" not in case.reading:
        return
    reading = read_request(case.text, talk=2)
    if "spans" in case.reading:
        for phrase in reading.unread:
            kinds = _kinds(case, phrase)
            if kinds & SAYING or kinds <= BESIDE:
                yield phrase, bool(kinds & SAYING)
    elif reading.columns:
        if _is_whole(reading, case.reading):
            yield from ((phrase, False) for phrase in reading.unread)
        elif len(reading.unread) == 1:
            yield reading.unread[0], True


def _kinds(case: Case, phrase: str) -> set[str]:
    start = case.text.find(phrase)
    found = set()
    for kind, part in case.reading["spans"]:
        at = case.text.find(part)
        if min(at + len(part), start + len(phrase)) - max(at, start) > min(SHARED, len(phrase) - 1):
            found.add(kind)
    return found


def _is_whole(reading: Reading, known: dict[str, Any]) -> bool:
    order = [(plain(one.column), one.descending) for one in reading.order]
    filters = sorted((plain(one.column or ""), one.op, str(one.value)) for one in reading.filters)
    return (
        order == [(plain(one["column"]), one["descending"]) for one in known["order"]]
        and filters == sorted((plain(one["column"] or ""), one["op"], str(one["value"])) for one in known["filters"])
        and (reading.limit, str(reading.pages)) == (known["limit"], str(known["pages"]))
        and not known.get("section")
    )


def _weighed(phrase: str, *, says: bool) -> Weighed:
    return Weighed([dict.fromkeys(features(Tokens(phrase)), 1.0), {}], np.array([not says, says], float))
