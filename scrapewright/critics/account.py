"""What a verdict rests on, in words: what was held against what, and what could not be."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import msgspec

from scrapewright.critics.bench import Bench
from scrapewright.critics.evidence import Evidence, Place
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
SPREAD = 5
"""Rows that are shown for a review."""
_TEXT, _ATTRIBUTES, _ATTRIBUTE, _PLACES = 1_200, 20, 150, 2
"""Characters of a record's text, attributes and characters of one, and pages that a row is on, which it shows."""
_SAYING = frozenset({"href", "src", "alt", "title", "datetime", "content", "value", "aria-label", "data-src"})
"""Attributes that columns are taken from, besides data-… ones."""
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
    """(what the rows were compared with, what could not be checked), a few words each."""
    evidence, query = bench.evidence, bench.query
    rows, placed = len(evidence.rows), sum(bool(places) for places in evidence.places.values())
    checked: list[str] = []
    unchecked: list[str] = []
    if placed:
        pages = len({place.page for places in evidence.places.values() for place in places[:1]})
        checked.append(f"{placed} of {rows} rows against their records on {pages} page{'s' * (pages != 1)}")
    if placed < rows:
        unchecked.append(f"where on the pages {rows - placed} of the rows are")
    if bench.shape.spots:
        checked.append("records without a row")
    elif rows > 1:
        unchecked.append("whether records have no row")
    if bench.borders and any(bench.borders.values()):
        checked.append("where texts begin and end")
    if not query.fields:
        unchecked.append("whether the columns are those asked for: none was read in the request")
    if bench.called_right:
        right = ", ".join(column for column in evidence.judged if column in bench.called_right)
        checked.append(f"{right} by a model's review of {len(bench.review.rows)} of the rows")
    open_ = bench.reviewed.difference(bench.review.called("right"), bench.review.called("wrong"))
    if bench.review.rows and (left := [column for column in evidence.judged if column in open_]):
        unchecked.append(f"whether {', '.join(left)} is right: a model's review can't say")
    nameless = [column for column in evidence.fields if bench.called.likeness(evidence.fields[column], column) < 0.5]
    unnamed = [column for column in nameless if column not in bench.called_right]
    if len(nameless) < len(evidence.fields):
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
    count, evidence = len(bench.table.rows), bench.evidence
    named = [[row for row in f.rows if 0 <= row < count] for f in findings if f.severity != "doubt"]
    by_turns = [rows[turn] for turn in range(SAMPLES) for rows in named if turn < len(rows)]
    chosen = [*dict.fromkeys([*by_turns, *range(min(count, SAMPLES))])][:SAMPLES]
    records = {row: next((p.model.said(p.node) for p in evidence.places.get(row, ())), "") for row in chosen}
    return tuple(_sample(evidence, row, bench.table.columns, _cut(said, _RECORD)) for row, said in records.items())


def spread(evidence: Evidence) -> tuple[Sample, ...]:
    """A few of the rows from the first to the last, those with a record if there are any, with all that their records
    say: text, and the values of attributes."""
    if not evidence.judged:
        return ()
    placed = [row for row in evidence.rows if evidence.places[row]] or list(evidence.rows)
    last = len(placed) - 1
    chosen = dict.fromkeys(placed[round(n * last / (SPREAD - 1))] for n in range(SPREAD)) if placed else {}
    records = {row: "\n".join(map(_whole, evidence.places[row][:_PLACES])) for row in chosen}
    return tuple(_sample(evidence, row, evidence.judged, record) for row, record in records.items())


def _whole(place: Place) -> str:
    """What a record says in its text and its attributes."""
    model, node = place.model, place.node
    said = [_cut(model.said(node), _TEXT)]
    held = dict.fromkeys(
        f"{value.name}={_cut(value.text, _ATTRIBUTE)}"
        for value in model.values_of(node)
        if value.name in _SAYING or (value.name[:5] == "data-" and len(value.text) <= _ATTRIBUTE)
    )
    if held:
        said.append(f"(attributes: {'; '.join([*held][:_ATTRIBUTES])})")
    return " ".join(said)


def _sample(evidence: Evidence, row: int, columns: Sequence[str], record: str) -> Sample:
    cells = evidence.table.rows[row]
    return Sample(row, {name[:_VALUE]: _short(cells.get(name)) for name in columns[:_COLUMNS]}, record)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}…"


def _short(value: Any) -> Any:
    """The value as an event can hold it: texts and lists are cut, other nested values and very large numbers texts."""
    if isinstance(value, list):
        return [_short(item) for item in value[:_ITEMS]]
    if isinstance(value, dict) or (isinstance(value, int) and not -(1 << 63) <= value < 1 << 63):
        value = json.dumps(value, ensure_ascii=False)
    return _cut(value, _VALUE) if isinstance(value, str) else value
