"""How many rows: none lost, none twice, no more than asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import msgspec

from scrapewright.critics.bench import SHOWN, Bench, listed, shown
from scrapewright.critics.dates import says
from scrapewright.critics.normal_forms import squash
from scrapewright.critics.rows import Cell, column_of, is_empty
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
    """Cells that are empty though the record has at the column's place what others' values are read from."""
    evidence = bench.evidence
    for column in evidence.judged:
        cells = {row: evidence.needles[row][column] for row in evidence.rows}
        empty = [row for row, cell in cells.items() if cell.empty and not isinstance(cell.raw, bool)]
        if not empty or len(empty) == len(evidence.rows):
            continue
        is_one = _values_like(bench, column)
        said = {row: _FOOTNOTE.sub("", text) for row in empty for text in bench.shape.at(row, column)[:1]}
        lost = {row: text for row, text in said.items() if is_one(text) and not _held(bench, row, text)}
        if lost:
            text = next(iter(lost.values()))
            message = f"{column} is empty in {listed(list(lost))}, where the page has {shown(text)!r}"
            rows, share = tuple(lost)[:SHOWN], len(lost) / len(evidence.rows)
            yield Finding("low-coverage", message, column, rows, "error", shown(text), "", share)
            continue
        field = evidence.fields.get(column)
        names = field is not None and field.type == "text" and "title" in concepts_of(tokens(column))
        may = (field is not None and field.optional) or column in bench.decided
        if len(empty) > (0.3 if names else 0.5) * len(evidence.rows) and not may:
            share = 1 - len(empty) / len(evidence.rows)
            message = f"{column} is filled in {share:.0%} of the rows"
            severity: Severity = "error" if names else "warning"  # what a record is called, most records have
            yield Finding("low-coverage", message, column, severity=severity, got=f"{share:.2f}")


def _values_like(bench: Bench, column: str) -> Callable[[str], bool]:
    """Whether a text at the column's place has such a value as the filled rows' texts there: of dates a day, of numbers
    figures among no other words; of texts all of it, where that is their value, in words if theirs are."""
    shape, field = bench.shape, bench.evidence.fields.get(column)
    if field is not None and field.type in ("date", "datetime"):
        return has_date
    cells = {row: needle for row in shape.places if not (needle := bench.evidence.needles[row][column]).empty}
    texts = {row: said for row in cells if (said := shape.at(row, column))}
    if field is not None and field.type in ("int", "float"):
        known = {word for said in texts.values() for text in said for word in _letters_in(text)}
        return lambda text: any(map(str.isdigit, text)) and known.issuperset(_letters_in(text))
    whole = sum(cells[row].flat in map(squash, said) for row, said in texts.items())
    spot = shape.spots.get(column)
    if 2 * whole < len(texts) or (spot is not None and spot[1] == "class"):  # a part, or a name that every element has
        return lambda text: False
    worded = all(any(map(str.isalpha, needle.text)) for needle in cells.values())
    return lambda text: not worded or any(map(str.isalpha, text))


def _letters_in(text: str) -> list[str]:
    """The words of a text, and what is written onto its figures."""
    return re.findall(r"[^\W\d_]+", text.casefold())


def _held(bench: Bench, row: int, text: str) -> bool:
    """A column of the row says the text, or reads its number from it."""
    flat = squash(text)
    needles = bench.evidence.needles[row].values()
    return any(
        flat == needle.flat or needle.says(text) or (needle.date is not None and says(text, needle.date))
        for needle in needles
    )


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
