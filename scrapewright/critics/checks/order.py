"""The order of the rows, and which of them the request wants."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

from scrapewright.critics.bench import SHOWN, Bench, listed, shown
from scrapewright.critics.conditions import keeps
from scrapewright.critics.dates import dates_in, read_as, read_iso
from scrapewright.critics.evidence import Place
from scrapewright.critics.headings import RANKS, headings_above, in_section, says_section
from scrapewright.critics.normal_forms import number, numbers, of_thousands, squash
from scrapewright.critics.rows import column_of, is_empty
from scrapewright.critics.shape import texts_at
from scrapewright.query.reading import Field, Filter
from scrapewright.session.verdict import Finding


def order(bench: Bench) -> list[Finding]:
    """Sorted as asked, by the first key that is a column of the rows; else in the order of the site."""
    keys = [(column_of(key.field, bench.table.columns), key.descending) for key in bench.query.order]
    column, descending = next(((name, falling) for name, falling in keys if name), ("", False))
    if not column:
        return _site_order(bench)
    known = [(row, value) for row, value in enumerate(bench.table.column(column)) if not is_empty(value)]
    best: list[int] = []
    for collate in _collations(bench, column):
        ranked = [(row, collate(value)) for row, value in known]
        wrong = [b[0] for a, b in pairwise(ranked) if (a[1] < b[1] if descending else a[1] > b[1])]
        if not wrong:
            return []
        best = wrong if not best or len(wrong) < len(best) else best
    row = best[0]
    way = "falling" if descending else "rising"
    pair = f"{shown(bench.value(row - 1, column), 30)!r} before {shown(bench.value(row, column), 30)!r}"
    message = f"the rows should be sorted by {column}, {way}; {listed(best)}: {pair}"
    return [Finding("wrong-order", message, column, tuple(best[:SHOWN]), expected=way, got=pair)]


def _collations(bench: Bench, column: str) -> list[Callable[[Any], Any]]:
    """The ways in which a column's values may be compared; sorted under one of them is sorted."""
    values = [value for value in bench.table.column(column) if not is_empty(value)]
    field = bench.evidence.fields.get(column)
    numeric = all(number(value) is not None for value in values)
    if numeric and (field is None or field.type != "text"):
        return [lambda value: number(value) or 0.0]
    dates = [_date(str(value), field) for value in values]
    if all(dates):
        return [lambda value: _date(str(value), field)]
    figures: list[Callable[[Any], Any]] = [lambda v: number(v) or 0.0] if numeric else []
    return [str, lambda v: str(v).casefold(), _plain, lambda v: re.sub(r"[\W_]+", "", _plain(v)), *figures]


def _plain(value: Any) -> str:
    """Without case and accents, as a dictionary sorts."""
    return "".join(c for c in unicodedata.normalize("NFKD", str(value).casefold()) if not unicodedata.combining(c))


def _date(text: str, field: Field | None) -> Any:
    form = field.date_format if field is not None else ""
    read = read_iso(read_as(text, form) or text)
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
    if len(known) < 4 or len(wrong) <= max(1, 0.05 * len(known)) or bench.query.order or bench.query.distinct:
        return []
    said = f"the rows are not in the order of the site, where these come earlier: {listed(wrong)}"
    return [bench.finding("wrong-order", "", wrong, said, expected="the order of the site")]


def extremes(bench: Bench) -> list[Finding]:
    """The first N rows by a key: no record without a row comes before the last of them."""
    query = bench.query
    if not query.order:
        return []
    key = query.order[0]
    column = column_of(key.field, bench.table.columns)
    if column is None:
        message = f"the rows should be in the order of {key.field}, which is no column of theirs: none can tell"
        return [Finding("unchecked", message, severity="warning", expected=key.field)]
    spot, field = bench.shape.spots.get(column), bench.evidence.fields.get(column)
    if not query.limit or len(bench.table.rows) < query.limit or query.filters or bench.query.section or spot is None:
        return []
    values = [_key(str(value), field) for value in bench.table.column(column)]
    known = [value for value in values if value is not None]
    own = {needle.flat for needles in bench.evidence.needles.values() for needle in needles.values()}
    anchor = next((bench.shape.spots[name] for name in bench.evidence.anchors() if name in bench.shape.spots), spot)
    missed: list[str] = []
    for place, text in bench.shape.unclaimed() if known else ():
        said = next(texts_at(place.model, place.node, spot), "")
        ways = [value for one in {said, of_thousands(said)} if (value := _key(one, field)) is not None]
        ahead = [value > min(known) if key.descending else value < max(known) for value in ways]
        if ahead and all(ahead) and squash(next(texts_at(place.model, place.node, anchor), "")) not in own:
            missed.append(text)
    if not missed:
        return []
    way = "highest" if key.descending else "lowest"
    sample = shown(missed[0])
    message = f"the rows should be those with the {way} {column}; {len(missed)} left out come before them: {sample!r}"
    return [Finding("not-extreme", message, column, expected=way, got=sample)]


def _key(text: str, field: Field | None) -> tuple[float, ...] | None:
    """The one number or day that a text says."""
    if field is not None and field.type in ("date", "datetime"):
        read = _date(text, field)
        days = {read[:3]} if read else dates_in(text)
        return tuple(map(float, days.pop())) if len(days) == 1 else None
    value = number(text)
    found = {value} if value is not None else numbers(text)
    return (next(iter(found)),) if len(found) == 1 else None


def filters(bench: Bench) -> Iterator[Finding]:
    """Rows that the request leaves out."""
    for wanted in bench.query.filters:
        column = column_of(wanted.field, bench.table.columns) if wanted.field else None
        if column is None and (wanted.value or wanted.op == "other"):
            yield from _of_records(bench, wanted)
            if wanted.field and wanted.op in ("lt", "le", "gt", "ge"):
                message = f"nothing in the rows is {wanted.field}, so it is unknown which are wanted ({wanted.text})"
                yield Finding("unchecked", message, severity="warning", expected=wanted.field)
        if column is None or not wanted.on_column or not wanted.value:
            continue
        field = bench.evidence.fields.get(column)
        values = enumerate(bench.table.column(column))
        if broken := [row for row, value in values if not is_empty(value) and not keeps(value, wanted, field)]:
            said = f"{listed(broken)} should not be there ({wanted.text or f'{wanted.op} {wanted.value}'}); {column} is"
            yield bench.finding("filter-broken", column, broken, said, expected=wanted.value)


def _of_records(bench: Bench, wanted: Filter) -> list[Finding]:
    """Rows whose records do not say what a condition on the record asks for, where those of other rows do."""
    said = {row: bench.conditions.says(place, wanted) for row, place in bench.shape.places.items()}
    broken = [row for row, keeps_it in said.items() if keeps_it is False]
    kept = sum(keeps_it is True for keeps_it in said.values())
    if not broken or kept < len(broken):
        return []  # words occur in some records by chance
    message, share = f"{listed(broken)} should not be there ({wanted.text or wanted.value})", len(broken) / len(said)
    return [bench.finding("filter-broken", "", broken, message, expected=wanted.value, share=share)]


def sections(bench: Bench) -> list[Finding]:
    """Each row is under the heading asked for."""
    name, evidence = bench.query.section, bench.evidence
    if not name:
        return []
    astray: dict[int, str] = {}
    placed = {row: places for row in evidence.rows if (places := evidence.places[row])}
    for row, places in placed.items():
        if not any(in_section(name, place.model, place.node) for place in places):
            astray[row] = next(iter(headings_above(places[0].model, places[0].node)), "")
    if not placed or (len(astray) == len(placed) and not _is_heading(bench, name)):
        message = f"it is unknown which rows are under the heading {name!r}"
        return [Finding("unchecked", message, severity="warning", expected=name)]
    if not astray:
        return []
    rows = list(astray)
    where = f"under {shown(astray[rows[0]])!r}" if astray[rows[0]] else "under no heading"
    message = f"{listed(rows)} should be under the heading {name!r}, and {'is' if len(rows) == 1 else 'are'} {where}"
    return [Finding("other-section", message, rows=tuple(rows[:SHOWN]), expected=name, got=astray[rows[0]])]


def _is_heading(bench: Bench, name: str) -> bool:
    """Whether any fetched page has a heading of that name: where none has, the request means something else by it."""
    return any(
        says_section(name, model.said(node))
        for _, model in bench.evidence.models
        for node, tag in enumerate(model.tag)
        if tag in RANKS
    )
