"""What a verdict rests on, in words: what was held against what, and what could not be."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import msgspec

from scrapewright.critics.bench import Bench
from scrapewright.loop.ports import Case
from scrapewright.query.reading import Part
from scrapewright.session.verdict import Finding, FindingCode, Sample

_PARTS: dict[FindingCode, Part] = {
    "missing-column": "columns", "empty-column": "columns", "wrong-type": "columns", "relative-link": "columns",
    "wrong-format": "format", "wrong-order": "order", "not-extreme": "order", "filter-broken": "filters",
    "limit-broken": "limit", "other-section": "section", "not-distinct": "distinct", "page-not-fetched": "pages",
    "not-understood": "filters", "undecided": "columns",
}  # fmt: skip
"""The part of the reading that a finding holds the rows against; the others rest on the pages."""
SAMPLES = 3
"""Rows that a verdict shows beside their records."""
_RECORD, _VALUE, _COLUMNS, _ITEMS = 400, 200, 30, 10
"""Characters of a record and of a value, columns, and items of a list that it shows."""
_NAMES: frozenset[FindingCode] = frozenset(("exchanged", "rival"))


def with_source(finding: Finding, case: Case) -> Finding:
    """The finding with what it rests on."""
    if finding.code in _NAMES:
        return msgspec.structs.replace(finding, source="names")
    part = _PARTS.get(finding.code)
    if part is None:
        return finding
    return msgspec.structs.replace(finding, source=case.reading.sources.get(part, "grammar"))


def account(bench: Bench, findings: Sequence[Finding]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(what the rows were held against, what could not be told of them), a few words each."""
    evidence, query = bench.evidence, bench.query
    rows, placed = len(evidence.rows), sum(bool(places) for places in evidence.places.values())
    checked: list[str] = []
    unchecked: list[str] = []
    if placed:
        pages = len({place.page for places in evidence.places.values() for place in places[:1]})
        checked.append(f"{placed} of {rows} rows against their records on {pages} page{'s' * (pages != 1)}")
    if placed < rows:
        unchecked.append(f"where on the pages {rows - placed} of the rows stand")
    if bench.shape.spots:
        checked.append("records without a row")
    elif rows > 1:
        unchecked.append("whether records have no row")
    if bench.borders and any(bench.borders.values()):
        checked.append("where texts begin and end")
    if not query.fields:
        unchecked.append("whether the columns are those asked for: none was read in the request")
    unnamed = [column for column in evidence.fields if bench.called.likeness(evidence.fields[column], column) < 0.5]
    if len(unnamed) < len(evidence.fields):
        checked.append("columns against what the page calls them")
    if unnamed:
        unchecked.append(f"whether {', '.join(unnamed)} could be another text of the record: the page has no such name")
    if query.order:
        checked.append("the order")
    known = bench.conditions.known
    for wanted in query.filters:
        if wanted.on_column:
            checked.append(f"the condition {wanted.text!r} on the rows")
        if wanted not in known:
            unchecked.append(f"which records without a row keep the condition {wanted.text!r}")
    unchecked += [finding.message for finding in findings if finding.code == "unchecked"]
    return tuple(checked), tuple(unchecked)


def samples(bench: Bench, findings: Sequence[Finding]) -> tuple[Sample, ...]:
    """A few rows beside their records: first those that findings name, one of each finding before its second."""
    count = len(bench.table.rows)
    named = [[row for row in f.rows if 0 <= row < count] for f in findings if f.severity != "doubt"]
    by_turns = [rows[turn] for turn in range(SAMPLES) for rows in named if turn < len(rows)]
    return tuple(_sample(bench, row) for row in [*dict.fromkeys([*by_turns, *range(min(count, SAMPLES))])][:SAMPLES])


def _sample(bench: Bench, row: int) -> Sample:
    places = bench.evidence.places.get(row, [])
    record = places[0].model.said(places[0].node) if places else ""
    values = {name[:_VALUE]: _short(bench.value(row, name)) for name in bench.table.columns[:_COLUMNS]}
    return Sample(row, values, record if len(record) <= _RECORD else f"{record[:_RECORD]}…")


def _short(value: Any) -> Any:
    """The value as an event can hold it: texts and lists are cut, other nested values and very large numbers texts."""
    if isinstance(value, list):
        return [_short(item) for item in value[:_ITEMS]]
    if isinstance(value, dict) or (isinstance(value, int) and not -(1 << 63) <= value < 1 << 63):
        value = json.dumps(value, ensure_ascii=False)
    return f"{value[:_VALUE]}…" if isinstance(value, str) and len(value) > _VALUE else value
