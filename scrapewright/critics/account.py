"""What a verdict rests on, in words: what was held against what, and what could not be."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from scrapewright.critics.bench import Bench
from scrapewright.critics.document import Span
from scrapewright.critics.evidence import Evidence, Place
from scrapewright.critics.match import find
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
SAMPLES, SPREAD = 3, 5
"""Rows that a verdict shows beside their records, and rows that are shown for a review."""
_RECORD, _VALUE, _COLUMNS, _ITEMS = 400, 200, 30, 10
"""Characters of a record and of a value, columns, and items of a list that a verdict shows."""
_BEFORE, _AFTER = 2, 6
"""Texts of a long record before and after a value that a review is shown."""
_TEXT, _ATTRIBUTES, _ATTRIBUTE, _PLACES = 1_200, 20, 150, 2
"""For a review: characters of a record's text, attributes and characters of one, and pages that a row is on."""
_SAYING = frozenset({"href", "src", "alt", "title", "datetime", "content", "value", "aria-label", "data-src"})
"""Attributes that columns are taken from, besides data-… ones."""


def with_source(finding: Finding, case: Case) -> Finding:
    """The finding with what it rests on."""
    part = _PARTS.get(finding.code)
    source = finding.source if part is None else case.reading.sources.get(part, "grammar")
    return msgspec.structs.replace(finding, source=source)


def account(bench: Bench, findings: Sequence[Finding]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(what the rows were compared with, what could not be checked), a few words each."""
    evidence, query, known = bench.evidence, bench.query, bench.conditions.known
    rows, placed = len(evidence.rows), sum(bool(places) for places in evidence.places.values())
    pages = len({place.page for places in evidence.places.values() for place in places[:1]})
    right = [column for column in evidence.judged if column in bench.called_right]
    open_ = bench.reviewed.difference(bench.review.called("right"), bench.review.called("wrong"))
    left = [column for column in evidence.judged if column in open_]
    nameless = [column for column in evidence.fields if bench.called.likeness(evidence.fields[column], column) < 0.5]
    unnamed = [column for column in nameless if column not in bench.called_right]
    checked = {
        f"{placed} of {rows} rows against their records on {pages} page{'s' * (pages != 1)}": placed,
        "records without a row": bench.shape.spots,
        "where texts begin and end": any(bench.borders.values()),
        f"{', '.join(right)} by a model's review of {len(bench.review.rows)} of the rows": right,
        "columns against what the page calls them": len(nameless) < len(evidence.fields),
        "the order": query.order,
    } | {f"the condition {wanted.text!r} on the rows": wanted.on_column for wanted in query.filters}
    unchecked = {
        f"where on the pages {rows - placed} of the rows are": placed < rows,
        "whether records have no row": rows > 1 and not bench.shape.spots,
        "whether the columns are those asked for: none was read in the request": not query.fields,
        f"whether {', '.join(left)} is right: a model's review can't say": left and bench.review.rows,
        f"whether {', '.join(unnamed)} could be another text of the record: the page has no such name": unnamed,
    } | {
        f"which records without a row keep the condition {wanted.text!r}": wanted not in known
        for wanted in query.filters
    }
    messages = [finding.message for finding in findings if finding.code == "unchecked"]
    return _those(checked), (*_those(unchecked), *messages)


def _those(said: Mapping[str, object]) -> tuple[str, ...]:
    """What holds of what could be said."""
    return tuple(text for text, holds in said.items() if holds)


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
    placed = [row for row in evidence.rows if evidence.places[row]] or list(evidence.rows)
    if not evidence.judged or not placed:
        return ()
    chosen = dict.fromkeys(placed[round(n * (len(placed) - 1) / (SPREAD - 1))] for n in range(SPREAD))
    records = {row: "\n".join(_whole(evidence, row, p) for p in evidence.places[row][:_PLACES]) for row in chosen}
    return tuple(_sample(evidence, row, evidence.judged, record) for row, record in records.items())


def _whole(evidence: Evidence, row: int, place: Place) -> str:
    """What a record says in its text and its attributes: of a long one (a page) what is near the row's values."""
    said = place.model.said(place.node)
    said = _cut(_near(evidence, row, place) if len(said) > _TEXT else said, _TEXT)
    held = dict.fromkeys(
        f"{value.name}={_cut(value.text, _ATTRIBUTE)}"
        for value in Span(place.model, place.node).values
        if value.name in _SAYING or (value.name[:5] == "data-" and len(value.text) <= _ATTRIBUTE)
    )
    return f"{said} (attributes: {'; '.join([*held][:_ATTRIBUTES])})" if held else said


def _near(evidence: Evidence, row: int, place: Place) -> str:
    """The texts of a record before and after those that hold the row's values, in the page's order."""
    model, span = place.model, Span(place.model, place.node)
    hits = [find(needle, span) for needle in evidence.needles[row].values() if not needle.empty]
    at = [model.starts[hit.node].piece for hit in hits if hit is not None and hit.node != place.node]
    pieces = range(span.start.piece, span.stop.piece)
    kept = [n for n in pieces if any(n - _AFTER <= piece <= n + _BEFORE for piece in at or pieces[:1])]
    return " ".join(("" if n - 1 in kept else "… ") + " ".join(model.pieces[n].text.split()) for n in kept)


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
