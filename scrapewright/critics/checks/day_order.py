"""Dates whose day and month were exchanged where both fit: the others of the column tell which of them comes first."""

from __future__ import annotations

from collections import Counter, defaultdict

from scrapewright.critics.bench import SHOWN, Bench, listed, shown
from scrapewright.critics.dates import order_of
from scrapewright.session.verdict import Finding


def day_order(bench: Bench) -> list[Finding]:
    """Rows that read the figures of a date in another order than most rows read those at the same place."""
    evidence = bench.evidence
    findings: list[Finding] = []
    for column, field in evidence.fields.items():
        if field.type not in ("date", "datetime", "text"):
            continue
        said: dict[str, dict[int, str]] = defaultdict(dict)
        for row in evidence.rows:
            date = evidence.needles[row][column].date
            for place in evidence.places[row][:1] if date else ():
                for piece in (*place.model.texts_of(place.node), *place.model.values_of(place.node)):
                    short = len(piece.text) < (80 if piece.name else 200)
                    if date and short and (order := order_of(piece.text, date)):
                        said[piece.name][row] = order
        wrong: Counter[int] = Counter()
        there: Counter[int] = Counter()
        for orders in said.values():
            there.update(orders.keys())
            (usual, count), *others = Counter(orders.values()).most_common()
            if others and count > 1:
                wrong.update(row for row, order in orders.items() if order != usual)
        rows = [row for row in wrong if wrong[row] == there[row]]
        if rows:
            sample = shown(bench.value(rows[0], column))
            message = f"{column} has day and month exchanged in {listed(rows)}: {sample!r}"
            findings.append(
                Finding("day-order", message, column, tuple(rows[:SHOWN]), "error", "", sample, len(rows) / len(there))
            )
    return findings
