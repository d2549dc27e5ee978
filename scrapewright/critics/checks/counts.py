"""How many rows: none lost, none twice, no more than asked for."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec

from scrapewright.critics.bench import SHOWN, Bench, listed, shown
from scrapewright.critics.checks.alone import several
from scrapewright.critics.checks.labels import unlabelled
from scrapewright.critics.normal import squash
from scrapewright.critics.rows import column_of, is_empty
from scrapewright.critics.shape import form
from scrapewright.session.verdict import Finding
from scrapewright.survey.model import Group, Survey
from scrapewright.survey.rank import serve
from scrapewright.survey.values import has_date
from scrapewright.survey.words import concepts_of, tokens

ENOUGH = 0.6
"""Share of the survey's records below which rows are too few, where the records could not be told apart."""


MANY = 20
"""Rows of which a single one that stands twice may do so on the page."""


def number_of_rows(bench: Bench) -> list[Finding]:
    """Not empty, not fewer than there are records, not more than the limit."""
    query, rows = bench.query, len(bench.table.rows)
    if not rows:
        return [Finding("no-rows", f"{bench.table.name} has no rows")]
    findings: list[Finding] = []
    if query.single and rows > 1:
        findings.append(Finding("extra-rows", f"one row was asked for, there are {rows}", expected="1", got=str(rows)))
    if query.limit and rows > query.limit:
        findings.append(
            Finding(
                "limit-broken",
                f"at most {query.limit} rows were asked for, there are {rows}",
                expected=str(query.limit),
                got=str(rows),
            )
        )
    if (rows == 1 and bench.author != "rules") or bench.narrowed or bench.survey is None or not bench.survey.groups:
        return findings
    if bench.shape.home.total() >= 3:
        return findings  # the records themselves are counted, see missing.missing
    group = _group(bench, bench.survey) or (bench.survey.groups[0] if rows <= 2 else None)
    if group is None or group.kind == "page" or (rows == 1 and _is_of_one(bench, group)):
        return findings
    if group.count >= 3 and rows < ENOUGH * group.count:
        message = f"there are {rows} rows; the first page alone lists {group.count} records"
        findings.append(Finding("too-few-rows", message, "", (), "error", str(group.count), str(rows)))
    return findings


def _is_of_one(bench: Bench, group: Group) -> bool:
    """Whether the page as a whole serves a request for one thing better than the group: a page of labels and values."""
    whole = [other for other in bench.survey.groups if other.kind == "page"] if bench.survey is not None else []
    served = max((serve(bench.query, other) for other in whole), default=0.0)
    return not several(bench.query) and served > serve(bench.query, group)


def _group(bench: Bench, survey: Survey) -> Group | None:
    """The surveyed group that the rows are of: the one whose samples they hold."""
    values = {needle.flat for needles in bench.evidence.needles.values() for needle in needles.values() if needle.flat}
    best: tuple[float, Group] | None = None
    for group in survey.groups:
        samples = {squash(sample) for slot in group.slots for sample in slot.samples if len(sample) > 3}
        share = sum(any(value in sample for value in values if len(value) > 3) for sample in samples) / max(
            1, len(samples)
        )
        if share > 0.2 and (best is None or share > best[0]):
            best = (share, group)
    return best[1] if best else None


def coverage(bench: Bench) -> list[Finding]:
    """Cells that are empty though the record has something at the column's place."""
    evidence = bench.evidence
    shape = bench.shape
    findings: list[Finding] = []
    for column in evidence.judged:
        empty = [
            row
            for row in evidence.rows
            if evidence.needles[row][column].empty and not isinstance(bench.value(row, column), bool)
        ]
        if not empty or len(empty) == len(evidence.rows):
            continue
        field = evidence.fields.get(column)
        numeric = field is not None and field.type in ("int", "float", "date", "datetime")
        filled = [needle.text for row in evidence.rows if not (needle := evidence.needles[row][column]).empty]
        least = 0 if numeric else min(map(_figures, filled), default=0)  # a telephone number has five at least
        lost = {
            row: text
            for row in empty
            if (text := shape.left_out(row, column)) and (not numeric or any(c.isdigit() for c in text))
            if not any(squash(text) == needle.flat for needle in evidence.needles[row].values())
            if _figures(text) >= least
            if not any(needle.number is not None and needle.says(text) for needle in evidence.needles[row].values())
        }
        for row in unlabelled(bench, column, lost) if lost else ():
            del lost[row]
        if lost:
            text = next(iter(lost.values()))
            known = form(text) in shape.forms.get(column, set())
            dated = field is not None and field.type in ("date", "datetime") and has_date(text)
            sure = not numeric or known or dated or (field is not None and field.type == "float")
            message = f"{column} is empty in {listed(list(lost))}, where the page has {shown(text)!r}"
            severity: Any = "error" if sure else "warning"
            share = len(lost) / len(evidence.rows)
            findings.append(
                Finding("low-coverage", message, column, tuple(lost)[:SHOWN], severity, shown(text), "", share)
            )
            continue
        names = field is not None and field.type == "text" and "title" in concepts_of(tokens(column))
        if len(empty) > (0.3 if names else 0.5) * len(evidence.rows) and not (field and field.optional):
            share = 1 - len(empty) / len(evidence.rows)
            findings.append(
                Finding(
                    "low-coverage",
                    f"{column} is filled in {share:.0%} of the rows",
                    column,
                    severity="error" if names else "warning",  # what a record is called, most records have
                    got=f"{share:.2f}",
                )
            )
    return findings


def _figures(text: str) -> int:
    return sum(char.isdigit() for char in text)


def repeats(bench: Bench) -> list[Finding]:
    """No row twice, unless the page has it twice; what was to be distinct is so."""
    table, query = bench.table, bench.query
    findings: list[Finding] = []
    keys = [column for name in query.distinct if (column := column_of(name, table.columns))]
    if keys:
        twice = _repeated([tuple(squash(str(row.get(key))) for key in keys) for row in table.rows])
        if twice:
            sample = shown(" | ".join(str(bench.value(twice[0], key)) for key in keys))
            message = f"rows should differ in {', '.join(keys)}; a repeat: {listed(twice)}: {sample!r}"
            findings.append(Finding("not-distinct", message, keys[0], tuple(twice[:SHOWN]), got=sample))
    whole = [msgspec.json.encode(row, order="deterministic") for row in table.rows]
    twice = [row for row in _repeated(whole) if any(not is_empty(value) for value in table.rows[row].values())]
    if not twice or keys:
        return findings
    allowed = _standing_twice(bench, twice)
    sample = shown(" | ".join(str(value) for value in table.rows[twice[0]].values()))
    share = len(twice) / len(table.rows)
    severity: Any = "warning" if allowed or len(twice) == 1 < MANY <= len(table.rows) else "error"
    findings.append(
        Finding(
            "duplicate-rows",
            f"{listed(twice)} repeat another row: {sample!r}",
            rows=tuple(twice[:SHOWN]),
            severity=severity,
            got=sample,
            share=share,
        )
    )
    return findings


def _repeated(keys: list[Any]) -> list[int]:
    seen: set[Any] = set()
    twice: list[int] = []
    for row, key in enumerate(keys):
        if key in seen:
            twice.append(row)
        seen.add(key)
    return twice


def _standing_twice(bench: Bench, twice: list[int]) -> bool:
    """The pages have as many records that say what a repeated row says as the table has such rows."""
    whole = [msgspec.json.encode(row, order="deterministic") for row in bench.table.rows]
    counts = Counter(whole)
    for row in twice[:20]:
        places = {(id(place.model), place.node) for place in bench.evidence.places.get(row, ())}
        there = Counter(model for model, _ in places)  # a page may have its records in a script as well
        if max(there.values(), default=0) < counts[whole[row]]:
            return False
    return True


def header_rows(bench: Bench) -> list[Finding]:
    """A table's header taken for a record, or nothing at all."""
    blank = [row for row, cells in enumerate(bench.table.rows) if all(is_empty(value) for value in cells.values())]
    if blank and len(blank) < len(bench.table.rows):
        return [Finding("extra-rows", f"{listed(blank)} hold nothing at all", rows=tuple(blank[:SHOWN]))]
    heads: list[int] = []
    names = {squash(name) for name in bench.table.columns}
    for row, cells in enumerate(bench.table.rows):
        texts = [squash(str(value)) for value in cells.values() if not is_empty(value)]
        if len(texts) >= 2 and sum(text in names for text in texts) >= max(2, 0.6 * len(texts)):
            heads.append(row)
    if not heads:
        return []
    return [
        Finding(
            "extra-rows",
            f"{listed(heads)} {'are' if len(heads) > 1 else 'is'} a header, not a record",
            rows=tuple(heads[:SHOWN]),
        )
    ]
