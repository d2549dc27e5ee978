"""How many rows: none lost, none twice, no more than asked for."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from scrapewright.critics.bench import SHOWN, Bench, listed, shown
from scrapewright.critics.headings import in_section
from scrapewright.critics.normal_forms import squash
from scrapewright.critics.rows import column_of, is_empty
from scrapewright.critics.shape import form
from scrapewright.query.lexicon import concepts_of, tokens
from scrapewright.session.verdict import Finding, Severity
from scrapewright.survey.model import Group, Survey

ENOUGH = 0.6
"""Share of the survey's records below which rows are too few, where the records could not be distinguished."""
MANY = 20
"""Rows of which a single one that occurs twice may do so on the page, and records of which one may have no row."""


def number_of_rows(bench: Bench) -> list[Finding]:
    """Not empty, not fewer than there are records, not more than the limit."""
    query, rows = bench.query, len(bench.table.rows)
    if not rows:
        return [Finding("no-rows", f"{bench.table.name} has no rows")]
    findings: list[Finding] = []
    if query.single and rows > 1:
        findings.append(Finding("extra-rows", f"one row was asked for, there are {rows}", expected="1", got=str(rows)))
    if query.limit and rows > query.limit:
        message = f"at most {query.limit} rows were asked for, there are {rows}"
        findings.append(Finding("limit-broken", message, expected=str(query.limit), got=str(rows)))
    lone = rows == 1 and bench.author != "rules" and query.one_or_several  # others have read the request
    if lone or bench.narrowed or bench.survey is None or bench.shape.home.total() >= 3:
        return findings  # the records themselves are counted, see `missing`
    group = _group(bench, bench.survey)
    if group is not None and group.count >= 3 and rows < ENOUGH * group.count:
        message = f"there are {rows} rows; the first page alone lists {group.count} records"
        findings.append(Finding("too-few-rows", message, "", (), "error", str(group.count), str(rows)))
    return findings


def _group(bench: Bench, survey: Survey) -> Group | None:
    """The surveyed group that the rows are of: the one whose samples they hold most of, or for a single row a table
    that has one of its values under a header."""
    values = {needle.flat for needles in bench.evidence.needles.values() for needle in needles.values()}
    values = {value for value in values if len(value) > 3}
    lone = len(bench.table.rows) == 1
    best: tuple[float, Group | None] = (0.2, None)
    for group in survey.groups:
        slots = [[squash(sample) for sample in slot.samples if len(sample) > 3] for slot in group.slots]
        held = [[any(value in sample for value in values) for sample in samples] for samples in slots]
        if lone and group.kind == "list" and any(sum(of_slot) > 1 for of_slot in held):
            continue  # a list of labels and values, all of one record
        share = sum(map(sum, held)) / max(1, sum(map(len, held)))
        headed = [n for n, slot in enumerate(group.slots) if slot.header and slot.distinct > 0.5]
        if lone and group.kind == "table" and any(values.intersection(slots[n]) for n in headed):
            share = 1.0
        best = max(best, (share, group), key=lambda one: one[0])
    return best[1]


def coverage(bench: Bench) -> list[Finding]:
    """Cells that are empty though the record has something at the column's place."""
    evidence, shape = bench.evidence, bench.shape
    findings: list[Finding] = []
    for column in evidence.judged:
        cells = {row: evidence.needles[row][column] for row in evidence.rows}
        empty = [row for row, cell in cells.items() if cell.empty and not isinstance(cell.raw, bool)]
        if not empty or len(empty) == len(evidence.rows):
            continue
        field = evidence.fields.get(column)
        kind = field.type if field is not None else "text"
        numeric = kind in ("int", "float", "date", "datetime")
        lost = {row: text for row in empty if (text := shape.left_out(row, column)) and not _held(bench, row, text)}
        lost = {row: text for row, text in lost.items() if not numeric or _has_figures(text)}
        if lost:
            text = next(iter(lost.values()))
            sure = kind == "float" or form(text) in shape.forms.get(column, set()) or not _has_figures(text)
            message = f"{column} is empty in {listed(list(lost))}, where the page has {shown(text)!r}"
            severity: Severity = "error" if sure else "warning"
            rows, share = tuple(lost)[:SHOWN], len(lost) / len(evidence.rows)
            findings.append(Finding("low-coverage", message, column, rows, severity, shown(text), "", share))
            continue
        names = kind == "text" and field is not None and "title" in concepts_of(tokens(column))
        if len(empty) > (0.3 if names else 0.5) * len(evidence.rows) and not (field and field.optional):
            share = 1 - len(empty) / len(evidence.rows)
            message = f"{column} is filled in {share:.0%} of the rows"
            severity = "error" if names else "warning"  # what a record is called, most records have
            findings.append(Finding("low-coverage", message, column, severity=severity, got=f"{share:.2f}"))
    return findings


def _held(bench: Bench, row: int, text: str) -> bool:
    """A column of the row says the text, or reads its number from it."""
    needles = bench.evidence.needles[row].values()
    return any(squash(text) == needle.flat or needle.says(text) for needle in needles)


def _has_figures(text: str) -> bool:
    return any(char.isdigit() for char in text)


def repeats(bench: Bench) -> list[Finding]:
    """No row twice, unless the page has it twice; what was to be distinct is so."""
    table = bench.table
    keys = [column for name in bench.query.distinct if (column := column_of(name, table.columns))]
    if keys:
        twice = _repeated([tuple(squash(str(row.get(key))) for key in keys) for row in table.rows])
        if not twice:
            return []
        sample = bench.quoted(twice[0], keys)
        message = f"rows should differ in {', '.join(keys)}; a repeat: {listed(twice)}: {sample!r}"
        return [Finding("not-distinct", message, keys[0], tuple(twice[:SHOWN]), got=sample)]
    whole = [msgspec.json.encode(row, order="deterministic") for row in table.rows]
    twice = [row for row in _repeated(whole) if any(not is_empty(value) for value in table.rows[row].values())]
    if not twice:
        return []
    allowed = _repeated_on_pages(bench, twice, whole)
    sample = bench.quoted(twice[0], table.rows[twice[0]])
    share = len(twice) / len(table.rows)
    severity: Severity = "warning" if allowed or len(twice) == 1 < MANY <= len(table.rows) else "error"
    message = f"{listed(twice)} repeat another row: {sample!r}"
    return [Finding("duplicate-rows", message, "", tuple(twice[:SHOWN]), severity, "", sample, share)]


def _repeated(keys: list[Any]) -> list[int]:
    first: dict[Any, int] = {}
    return [row for row, key in enumerate(keys) if first.setdefault(key, row) != row]


def _repeated_on_pages(bench: Bench, twice: list[int], whole: list[bytes]) -> bool:
    """The pages have as many records that say what a repeated row says as the table has such rows."""
    counts = Counter(whole)
    for row in twice[:20]:
        places = {(id(place.model), place.node) for place in bench.evidence.places.get(row, ())}
        there = Counter(model for model, _ in places)  # a page may have its records in a script as well
        if max(there.values(), default=0) < counts[whole[row]]:
            return False
    return True


def header_rows(bench: Bench) -> list[Finding]:
    """A table's header taken for a record, or nothing at all."""
    names = {squash(name) for name in bench.table.columns}
    texts = [[squash(str(value)) for value in row.values() if not is_empty(value)] for row in bench.table.rows]
    blank = [row for row, said in enumerate(texts) if not said]
    heads = [row for row, said in enumerate(texts) if sum(text in names for text in said) >= max(2, 0.6 * len(said))]
    if blank and len(blank) < len(texts):
        return [Finding("extra-rows", f"{listed(blank)} hold nothing at all", rows=tuple(blank[:SHOWN]))]
    if not heads:
        return []
    message = f"{listed(heads)} {'are' if len(heads) > 1 else 'is'} a header, not a record"
    return [Finding("extra-rows", message, rows=tuple(heads[:SHOWN]))]


def missing(bench: Bench) -> list[Finding]:
    """Records of the pages that no row was made of, although they are like those of the rows: one here and there, or
    all of a page. A warning where it is unknown whether the request leaves them out."""
    query = bench.query
    full = query.limit and len(bench.table.rows) >= query.limit
    if query.single or query.distinct or full or (query.section and not bench.in_section):
        return []
    wanted: dict[int, list[str]] = {}
    unsure: dict[int, list[str]] = {}
    for place, text in bench.shape.unclaimed():
        keeps = bench.conditions.keeps(place)
        if keeps is not False and (not query.section or in_section(query.section, place.model, place.node)):
            (wanted if keeps else unsure).setdefault(place.page, []).append(text)
    findings = [found for page, texts in wanted.items() for found in _on_page(bench, page, texts)]
    for page, texts in unsure.items():
        if page not in wanted:
            total = _claimed(bench, page) + len(texts)
            message = (
                f"{len(texts)} of {total} records on {bench.pages[page].url} have no row, and it is unknown whether"
            )
            message += f" they should: {shown(texts[0])!r}"
            findings.append(Finding("left-out", message, severity="warning", share=len(texts) / total))
    return findings


def _on_page(bench: Bench, page: int, texts: list[str]) -> list[Finding]:
    evidence, url, claimed = bench.evidence, bench.pages[page].url, _claimed(bench, page)
    total = str(claimed + len(texts))
    if evidence.step > 1 and (claimed or len(texts) < 2 * evidence.step):
        return []  # the records of rows that were not looked for
    if claimed:
        # A single one among so many may be a line of another kind.
        severity: Severity = "warning" if len(texts) == 1 and claimed >= MANY else "error"
        message = f"{len(texts)} of {total} records on {url} have no row: {shown(texts[0])!r}"
        share = len(texts) / int(total)
        return [Finding("too-few-rows", message, "", (), severity, total, str(claimed), share)]
    if len(texts) >= 2 and evidence.listings:
        message = f"no row comes from {url}, which lists {len(texts)} records such as {shown(texts[0])!r}"
        return [Finding("page-lost", message, expected=str(len(texts)), got="0")]
    return []


def _claimed(bench: Bench, page: int) -> int:
    return max((len(bench.shape.claimed(model)) for n, model in bench.evidence.models if n == page), default=0)
