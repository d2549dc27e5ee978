"""The order of the rows, and which of them the request wants."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from scrapewright.critics.bench import SHOWN, Bench, listed, shown
from scrapewright.critics.conditions import keeps
from scrapewright.critics.dates import read_as, read_iso
from scrapewright.critics.evidence import Place
from scrapewright.critics.headings import RANKS, headings_above, in_section, says_section
from scrapewright.critics.normal_forms import number
from scrapewright.critics.rows import Cell, column_of, is_empty
from scrapewright.query.reading import Field
from scrapewright.session.verdict import Finding


def order(bench: Bench) -> list[Finding]:
    """Sorted as asked, by the first key that is a column of the rows; else in the order of the site."""
    keys = [(column_of(key.field, bench.table.columns), key.descending) for key in bench.query.order]
    column, descending = next(((name, falling) for name, falling in keys if name), ("", False))
    if not column and keys:
        key = bench.query.order[0].field
        message = f"the rows should be in the order of {key}, which is no column of theirs: none can tell"
        return [Finding("unchecked", message, severity="warning", expected=key)]
    if not column:
        return _site_order(bench)
    values = bench.table.column(column)
    rows = [row for row, value in enumerate(values) if not is_empty(value)]
    readings = _readings([values[row] for row in rows], bench.evidence.fields.get(column))
    wrong = min(
        (
            [row for row, (a, b) in zip(rows[1:], pairwise(read), strict=True) if (a < b if descending else a > b)]
            for read in (readings if rows else ())
        ),
        key=len,
        default=[],
    )
    if not wrong:
        return []
    way = "falling" if descending else "rising"
    pair = f"{shown(values[wrong[0] - 1], 30)!r} before {shown(values[wrong[0]], 30)!r}"
    message = f"the rows should be sorted by {column}, {way}; {listed(wrong)}: {pair}"
    return [Finding("wrong-order", message, column, tuple(wrong[:SHOWN]), expected=way, got=pair)]


def _readings(values: Sequence[Cell], field: Field | None) -> list[list[Any]]:
    """A column's values as they may be compared; sorted under one of the ways is sorted."""
    figures = [number(value) for value in values]
    numeric = None not in figures
    if numeric and (field is None or field.type != "text"):
        return [figures]
    dates = [_date(str(value), field) for value in values]
    if all(dates):
        return [dates]
    plain = [_plain(value) for value in values]  # as a dictionary sorts
    letters = [re.sub(r"[\W_]+", "", text) for text in plain]
    return [list(map(str, values)), plain, letters, *([figures] if numeric else [])]


def _plain(value: Any) -> str:
    """Without case and accents."""
    return "".join(c for c in unicodedata.normalize("NFKD", str(value).casefold()) if not unicodedata.combining(c))


def _date(text: str, field: Field | None) -> Any:
    form = field.date_format if field is not None else ""
    read = read_iso(read_as(text, form) or text if form else text)
    return (*read[:3], read[3] or 0, read[4] or 0) if read else None


def _site_order(bench: Bench) -> list[Finding]:
    """Where no order is asked for, rows are in the order of their records: page by page, top to bottom."""
    evidence = bench.evidence
    known: list[tuple[int, Place]] = []
    for row in evidence.rows:
        places = [place for place in evidence.places[row] if place.page in evidence.listings]
        if len({place.page for place in places}) == 1:
            known.append((row, places[0]))
    wrong = [row for (_, a), (row, b) in pairwise(known) if a.page > b.page or (a.model is b.model and a.node > b.node)]
    if len(known) < 4 or len(wrong) <= max(1, 0.05 * len(known)) or bench.query.distinct:
        return []
    sample = bench.quoted(wrong[0], evidence.judged[:2])
    message = f"the rows are not in the order of the site; {listed(wrong)}: {sample!r} comes earlier there"
    return [Finding("wrong-order", message, rows=tuple(wrong[:SHOWN]), expected="the order of the site", got=sample)]


def filters(bench: Bench) -> list[Finding]:
    """Rows that the request leaves out."""
    findings: list[Finding] = []
    for wanted in bench.query.filters:
        column = column_of(wanted.field, bench.table.columns) if wanted.field else None
        if column is None and wanted.value and wanted.field and wanted.op in ("lt", "le", "gt", "ge"):
            message = f"nothing in the rows is {wanted.field}, so it is unknown which are wanted ({wanted.text})"
            findings.append(Finding("unchecked", message, severity="warning", expected=wanted.field))
        if column is None or not wanted.on_column or not wanted.value:
            continue
        field = bench.evidence.fields.get(column)
        broken = [
            row
            for row, value in enumerate(bench.table.column(column))
            if not is_empty(value) and not keeps(value, wanted, field)
        ]
        if broken:
            why = wanted.text or f"{wanted.op} {wanted.value}"
            said = f"{listed(broken)} should not be there ({why}): {column}"
            findings.append(bench.finding("filter-broken", column, broken, said, expected=wanted.value))
    return findings


def sections(bench: Bench) -> list[Finding]:
    """Each row is under the heading asked for."""
    name, evidence = bench.query.section, bench.evidence
    if not name:
        return []
    placed = {row: places for row in evidence.rows if (places := evidence.places[row])}
    astray = [row for row, of_row in placed.items() if not any(in_section(name, p.model, p.node) for p in of_row)]
    if not placed or (len(astray) == len(placed) and not _is_heading(bench, name)):
        message = f"it is unknown which rows are under the heading {name!r}"
        return [Finding("unchecked", message, severity="warning", expected=name)]
    if not astray:
        return []
    first = placed[astray[0]][0]
    above = next(iter(headings_above(first.model, first.node)), "")
    where = f"under {shown(above)!r}" if above else "under no heading"
    message = (
        f"{listed(astray)} should be under the heading {name!r}, and {'is' if len(astray) == 1 else 'are'} {where}"
    )
    return [Finding("other-section", message, rows=tuple(astray[:SHOWN]), expected=name, got=above)]


def _is_heading(bench: Bench, name: str) -> bool:
    """Whether any fetched page has a heading of that name: where none has, the request means something else by it."""
    return any(
        says_section(name, model.said(node))
        for _, model in bench.evidence.models
        for node, tag in enumerate(model.tag)
        if tag in RANKS
    )
