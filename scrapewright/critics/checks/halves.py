"""Rows that are halves of records: a record in two lines, of which each was made a row."""

from __future__ import annotations

from scrapewright.critics.bench import SHOWN, Bench, listed
from scrapewright.critics.rows import is_empty
from scrapewright.session.verdict import Finding
from scrapewright.survey.words import concepts_of, tokens

LEAST = 0.3
"""Share of the rows that each half must have."""


def halves(bench: Bench) -> list[Finding]:
    """Three columns or more, some of which are filled in those rows alone in which the others are not.

    Two columns of one meaning ("price", "special_price") may take turns.
    """
    total = len(bench.table.rows)
    filled = {
        column: frozenset(row for row in range(total) if not is_empty(bench.value(row, column)))
        for column in bench.evidence.judged
    }
    some = {column: rows for column, rows in filled.items() if LEAST * total <= len(rows) < total}
    if total < 4:
        return []
    for column, rows in some.items():
        field = bench.evidence.fields.get(column)
        others = [other for other, more in some.items() if other != column and not rows & more]
        same = [other for other, more in some.items() if other != column and len(rows & more) >= 0.8 * len(rows)]
        apart = [other for other in others if not set(_means(column)) & set(_means(other))]
        if (field and field.optional) or not apart or len(apart) + len(same) < 2:
            continue
        if len(rows | frozenset().union(*(some[other] for other in apart))) < 0.8 * total:
            continue
        gone = [row for row in range(total) if row not in rows]
        message = f"{column} is empty where {apart[0]} is not, and the other way round; {listed(gone)}: half a record"
        return [Finding("wrong-record", message, column, tuple(gone[:SHOWN]))]
    return []


def _means(column: str) -> list[str]:
    return [concept for concept in concepts_of(tokens(column)) if concept not in ("name", "text", "other")]
