"""How many rows: none lost, none twice, no more than asked for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from scrapewright.critics.bench import SHOWN, Bench, listed, shown
from scrapewright.critics.dates import says
from scrapewright.critics.match import said_in, unit_of, units_in
from scrapewright.critics.normal_forms import squash
from scrapewright.critics.rivals import label_before
from scrapewright.critics.rows import Cell, column_of, is_empty
from scrapewright.critics.shape import Spot, form, texts_at
from scrapewright.query.lexicon import concepts_of, tokens
from scrapewright.session.verdict import Finding, Severity
from scrapewright.survey.model import Group, Survey
from scrapewright.survey.values import FOOTNOTE, has_date

ENOUGH = 0.6
"""Share of the survey's records below which rows are too few, where the records could not be distinguished."""
_FOOTNOTE = re.compile(rf"\[\s*{FOOTNOTE}\s*\]")
"""The mark of a footnote is no figure of the record."""


def number_of_rows(bench: Bench) -> Iterator[Finding]:
    """Not empty, not fewer than there are records, not more than the limit."""
    query, rows = bench.query, len(bench.table.rows)
    if not rows:
        yield Finding("no-rows", f"{bench.table.name} has no rows")
        return
    if query.single and rows > 1:
        yield Finding("extra-rows", f"one row was asked for, there are {rows}", expected="1", got=str(rows))
    if query.limit and rows > query.limit:
        message = f"at most {query.limit} rows were asked for, there are {rows}"
        yield Finding("limit-broken", message, expected=str(query.limit), got=str(rows))
    lone = rows == 1 and bench.author != "rules" and query.one_or_several  # others have read the request
    if lone or bench.narrowed or bench.survey is None or bench.shape.home.total() >= 3:
        return  # the records themselves are counted, see missing.missing
    group = _group(bench, bench.survey)
    if group is not None and group.count >= 3 and rows < ENOUGH * group.count:
        message = f"there are {rows} rows; the first page alone lists {group.count} records"
        yield Finding("too-few-rows", message, "", (), "error", str(group.count), str(rows))


def _group(bench: Bench, survey: Survey) -> Group | None:
    """The surveyed group that the rows are of: the one whose samples they hold most of, or for a single row a table
    that has one of its values under a header."""
    values = {needle.flat for needles in bench.evidence.needles.values() for needle in needles.values()}
    values = {value for value in values if len(value) > 3}
    best: tuple[float, Group | None] = (0.2, None)
    for group in survey.groups:
        headed = {
            squash(sample) for slot in group.slots if slot.header and slot.distinct > 0.5 for sample in slot.samples
        }
        samples = {squash(sample) for slot in group.slots for sample in slot.samples if len(sample) > 3}
        held = sum(any(value in sample for value in values) for sample in samples) / max(1, len(samples))
        lone = len(bench.table.rows) == 1
        if lone and group.kind == "list" and any(_in_several(slot.samples, values) for slot in group.slots):
            continue  # a list of labels and values, all of one record
        of_table = lone and group.kind == "table" and bool(values & headed)
        best = max(best, (1.0 if of_table else held, group), key=lambda one: one[0])
    return best[1]


def _in_several(samples: Sequence[str], values: set[str]) -> bool:
    """Whether values of one row occur in several of a place's texts."""
    return sum(any(value in squash(sample) for value in values) for sample in samples) > 1


def coverage(bench: Bench) -> Iterator[Finding]:
    """Cells that are empty though the record has something at the column's place."""
    evidence, shape = bench.evidence, bench.shape
    for column in evidence.judged:
        cells = {row: evidence.needles[row][column] for row in evidence.rows}
        empty = [row for row, cell in cells.items() if cell.empty and not isinstance(cell.raw, bool)]
        if not empty or len(empty) == len(evidence.rows):
            continue
        field = evidence.fields.get(column)
        numeric = field is not None and field.type in ("int", "float", "date", "datetime")
        filled = [cell.text for cell in cells.values() if not cell.empty]
        least = 1 if numeric else min(map(_figures, filled), default=0)  # a telephone number has five at least
        worded = all(any(map(str.isalpha, text)) for text in filled)  # a figure in the place of words is another thing
        spot = shape.spots.get(column)
        classes = spot is not None and spot[1] == "class"  # every element has some: they say nothing of the column
        said = {row: _FOOTNOTE.sub("", text) for row in empty if not classes for text in shape.at(row, column)[:1]}
        said = {row: text for row, text in said.items() if not worded or any(map(str.isalpha, text))}
        lost = {row: text for row, text in said.items() if _figures(text) >= least and not _held(bench, row, text)}
        strange: dict[Spot, bool] = {}
        lost = {row: text for row in empty if (text := _of_its_form(bench, row, column, strange))} | lost
        unit = _unit(bench, column) if lost else ""
        lost = {row: text for row, text in lost.items() if not unit or unit in (units_in(text) or {unit})}
        label, places = _label(bench, column) if lost else "", shape.places
        lost = {row: text for row, text in lost.items() if label in places[row].model.said(places[row].node)}
        if lost:
            text = next(iter(lost.values()))
            dated = field is not None and field.type in ("date", "datetime") and has_date(text)
            known = field is None or field.type == "float" or dated or form(text) in shape.forms.get(column, set())
            message = f"{column} is empty in {listed(list(lost))}, where the page has {shown(text)!r}"
            severity: Severity = "error" if known or not (numeric or _is_made(bench, column)) else "warning"
            rows, share = tuple(lost)[:SHOWN], len(lost) / len(evidence.rows)
            yield Finding("low-coverage", message, column, rows, severity, shown(text), "", share)
            continue
        names = field is not None and field.type == "text" and "title" in concepts_of(tokens(column))
        may = (field is not None and field.optional) or column in bench.decided
        if len(empty) > (0.3 if names else 0.5) * len(evidence.rows) and not may:
            share = 1 - len(empty) / len(evidence.rows)
            message = f"{column} is filled in {share:.0%} of the rows"
            severity = "error" if names else "warning"  # what a record is called, most records have
            yield Finding("low-coverage", message, column, severity=severity, got=f"{share:.2f}")


def _unit(bench: Bench, column: str) -> str:
    """The word behind the number in all of the column's texts (miles), "" where there is none."""
    needles, at = bench.evidence.needles, bench.shape.at
    rows = (row for row in bench.shape.places if not needles[row][column].empty)
    return unit_of((needles[row][column], texts[0]) for row in rows if (texts := at(row, column)))


def _held(bench: Bench, row: int, text: str) -> bool:
    """A column of the row says the text, or reads its number from it."""
    flat = squash(text)
    needles = bench.evidence.needles[row].values()
    return any(
        flat == needle.flat or needle.says(text) or (needle.date is not None and says(text, needle.date))
        for needle in needles
    )


def _of_its_form(bench: Bench, row: int, column: str, strange: dict[Spot, bool]) -> str:
    """What an element like that of the column's values says at another place of the row's record, in figures written
    as theirs are. Empty where there is none, or a column has it. `strange` keeps which places are another thing's."""
    forms, place = bench.shape.forms.get(column, set()), bench.shape.places.get(row)
    spot = bench.shape.spots.get(column)
    forms = {form for form in forms if "#" in form}
    if place is None or spot is None or not forms:
        return ""
    own = list(texts_at(place.model, place.node, spot)) if column in bench.shape.alone else []
    if own and not any(map(str.isalnum, "".join(own))):
        return ""  # a dash says that there is none
    model, chain = place.model, spot[0].rpartition("/")[2].partition("#")[0]
    for node in range(place.node + 1, model.end[place.node]):
        if model.chain[node] == chain and form(text := model.said(node)) in forms and not _held(bench, row, text):
            there: Spot = (model.steps(place.node, node, "counted"), "", "counted")
            if there not in strange:
                strange[there] = _is_another(bench, there, column)
            if not strange[there]:
                return text
    return ""


def _is_another(bench: Bench, spot: Spot, column: str) -> bool:
    """Whether rows that have a value of the column have something else at a spot of their records."""
    for row, place in bench.shape.places.items():
        needle = bench.evidence.needles[row][column]
        texts = [] if needle.empty else list(texts_at(place.model, place.node, spot))
        if texts and not any(said_in(needle, text, squash(text), "") for text in texts):
            return True
    return False


def _label(bench: Bench, column: str) -> str:
    """The label that all values of a column follow in their records; "" where there is none."""
    found: set[str] = set()
    for row, place in bench.shape.places.items():
        hit = None if bench.evidence.needles[row][column].empty else bench.evidence.find(row, column)
        if hit is not None:
            found.add(label_before(place.model, place.node, hit.node))
    return found.pop() if len(found) == 1 else ""


def _is_made(bench: Bench, column: str) -> bool:
    """Most of a column's values are parts of what their records have at its place: where others have something else
    there, it need not have such a part."""
    shape, needles = bench.shape, bench.evidence.needles
    texts = {row: found for row in shape.places if not needles[row][column].empty and (found := shape.at(row, column))}
    whole = sum(needles[row][column].flat in map(squash, found) for row, found in texts.items())
    return 2 * whole < len(texts)


def _figures(text: str) -> int:
    return sum(char.isdigit() for char in text)


def repeats(bench: Bench) -> Iterator[Finding]:
    """No row twice; what was to be distinct is so."""
    table, query = bench.table, bench.query
    keys = [column for name in query.distinct if (column := column_of(name, table.columns))]
    twice = _repeated([tuple(squash(str(row.get(key))) for key in keys) for row in table.rows]) if keys else []
    if twice:
        said = f"rows should differ in {', '.join(keys)}; a repeat: {listed(twice)}"
        yield bench.finding("not-distinct", keys[0], twice, said)
    whole = [msgspec.json.encode(row, order="deterministic") for row in table.rows]
    twice = [row for row in _repeated(whole) if any(not is_empty(value) for value in table.rows[row].values())]
    if twice and not keys:
        said, share = f"{listed(twice)} repeat another row", len(twice) / len(table.rows)
        yield bench.finding("duplicate-rows", "", twice, said, share=share)


def _repeated(keys: list[Any]) -> list[int]:
    first: dict[Any, int] = {}
    return [row for row, key in enumerate(keys) if first.setdefault(key, row) != row]


def header_rows(bench: Bench) -> list[Finding]:
    """A table's header taken for a record, or nothing at all."""
    blank = [row for row, cells in enumerate(bench.table.rows) if all(is_empty(value) for value in cells.values())]
    if blank and len(blank) < len(bench.table.rows):
        return [Finding("extra-rows", f"nothing at all is in {listed(blank)}", rows=tuple(blank[:SHOWN]))]
    names = {squash(name) for name in bench.table.columns}
    heads = [row for row, cells in enumerate(bench.table.rows) if _is_header(cells.values(), names)]
    return [bench.finding("extra-rows", "", heads, f"{listed(heads)}: a header, no record")] if heads else []


def _is_header(cells: Iterable[Cell], names: set[str]) -> bool:
    texts = [squash(str(value)) for value in cells if not is_empty(value)]
    return len(texts) >= 2 and sum(text in names for text in texts) >= max(2, 0.6 * len(texts))
