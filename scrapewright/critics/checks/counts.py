"""How many rows: none lost, none twice, no more than asked for."""

from __future__ import annotations

import operator
import re
from collections import Counter
from typing import Any

import msgspec

from scrapewright.critics.bench import SHOWN, Bench, listed, shown
from scrapewright.critics.checks.alone import several
from scrapewright.critics.checks.labels import unlabelled
from scrapewright.critics.dates import read_iso
from scrapewright.critics.evidence import Place
from scrapewright.critics.headings import in_section
from scrapewright.critics.normal import number, squash, words
from scrapewright.critics.rows import column_of, is_empty
from scrapewright.critics.shape import form, texts_at
from scrapewright.session.verdict import Finding
from scrapewright.survey.model import Group, Survey
from scrapewright.survey.rank import serve
from scrapewright.survey.values import has_date
from scrapewright.survey.words import concepts_of, tokens

ENOUGH = 0.6
"""Share of the survey's records below which rows are too few, where the records could not be told apart."""


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
    if bench.narrowed or bench.survey is None or not bench.survey.groups:
        return findings
    if bench.shape.home.total() >= 3:
        return findings  # the records themselves are counted, see records()
    group = _group(bench, bench.survey) or (bench.survey.groups[0] if rows <= 2 else None)
    if group is None or group.kind in ("pairs", "meta") or (rows == 1 and _is_of_one(bench, group)):
        return findings
    if group.count >= 3 and rows < ENOUGH * group.count:
        message = f"there are {rows} rows; the first page alone lists {group.count} records"
        findings.append(Finding("too-few-rows", message, expected=str(group.count), got=str(rows)))
    return findings


def _is_of_one(bench: Bench, group: Group) -> bool:
    """Whether the page as a whole serves a request for one thing better than the group: a page of labels and values."""
    whole = [other for other in bench.survey.groups if other.kind == "pairs"] if bench.survey is not None else []
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


def records(bench: Bench) -> list[Finding]:
    """Records of the same shape that no row was made of: one here and there, or all of a page."""
    evidence = bench.evidence
    if bench.query.single or bench.query.limit or bench.query.distinct:
        return []
    left: dict[int, list[str]] = {}
    kept: dict[int, int] = {}
    for place, text in bench.shape.unclaimed():
        if not _left_out(bench, place) and (not bench.section or in_section(bench.section, place.model, place.node)):
            left.setdefault(place.page, []).append(text)
            kept[place.page] = kept.get(place.page, 0) + _is_wanted(bench, place)
    findings: list[Finding] = []
    severity: Any = "error"
    for page, texts in left.items():
        url = bench.pages[page].url
        claimed = evidence.rows_on(page)
        if evidence.step > 1 and (claimed or len(texts) < 2 * evidence.step):
            continue  # the records of rows that were not looked for
        if bench.query.filters:
            many = len(texts) > 0.2 * (claimed + len(texts)) and _only_excludes(bench)
            severity = "error" if many or kept[page] else "warning"
        if not claimed and len(texts) >= 2 and evidence.listings:
            message = f"no row comes from {url}, which lists {len(texts)} records such as {shown(texts[0])!r}"
            findings.append(Finding("page-lost", message, severity=severity, expected=str(len(texts)), got="0"))
        elif claimed:
            message = f"{len(texts)} of {claimed + len(texts)} records on {url} have no row: {shown(texts[0])!r}"
            total = str(claimed + len(texts))
            findings.append(Finding("too-few-rows", message, severity=severity, expected=total, got=str(claimed)))
    inner, sample = bench.shape.inner()
    if inner > 0.3 * len(evidence.rows):
        message = f"each row is the first of several records that stand together; {inner} are left: {shown(sample)!r}"
        total = str(inner + len(evidence.rows))
        findings.append(Finding("too-few-rows", message, expected=total, got=str(len(evidence.rows))))
    return findings


def _only_excludes(bench: Bench) -> bool:
    return all(not wanted.on_column for wanted in bench.query.filters)


def _is_wanted(bench: Bench, place: Place) -> bool:
    """The record certainly passes every filter: by its numbers, by the year of its date, by its words."""
    for wanted in bench.query.filters:
        column = column_of(wanted.field, bench.table.columns) if wanted.field else None
        spot = bench.shape.spots.get(column or "")
        text = next(texts_at(place.model, place.node, spot), "") if spot is not None else ""
        limit, field = number(wanted.value), bench.evidence.fields.get(column or "")
        if not text or field is None:
            return False
        if wanted.op in ("contains", "lacks"):
            if (squash(wanted.value) in squash(text)) != (wanted.op == "contains"):
                return False
            continue
        if wanted.op in ("starts", "ends"):
            said = text.strip().casefold()
            edge = said.startswith if wanted.op == "starts" else said.endswith
            if not edge(wanted.value.casefold()):
                return False
            continue
        date = read_iso(wanted.value)
        if date is not None:
            limit, found = float(date[0]), {float(year) for year in re.findall(r"(?<!\d)(?:19|20)\d\d(?!\d)", text)}
            ops = {"gt": operator.gt, "ge": operator.gt, "lt": operator.lt, "le": operator.lt}
        else:
            plain = number(text)
            found = set() if plain is None else {plain}
            ops = {"gt": operator.gt, "ge": operator.ge, "lt": operator.lt, "le": operator.le, "eq": operator.eq}
        compare = ops.get(wanted.op)
        if limit is None or compare is None or not found or not all(compare(value, limit) for value in found):
            return False
    return bool(bench.query.filters)


def _left_out(bench: Bench, place: Place) -> bool:
    """The record says a word of a filter, so it may be one that the request leaves out."""
    if not bench.query.filters:
        return False
    wanted = {word for f in bench.query.filters for word in words(f"{f.text} {f.value}") if len(word) >= 3}
    model = place.model
    there = words(model.said(place.node)[:2000]) + words(" ".join(model.chain[place.node : model.end[place.node]]))
    return any(len(word) >= 3 and any(word.startswith(w) or w.startswith(word) for w in wanted) for word in set(there))


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
            findings.append(Finding("low-coverage", message, column, tuple(lost)[:SHOWN], severity, shown(text), ""))
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
    severity: Any = "error" if not allowed and (share > 0.05 or len(twice) > 3) else "warning"
    findings.append(
        Finding(
            "duplicate-rows",
            f"{listed(twice)} repeat another row: {sample!r}",
            rows=tuple(twice[:SHOWN]),
            severity=severity,
            got=sample,
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
    """The pages show each repeated row at least as often as the table has it."""
    counts: Counter[bytes] = Counter(msgspec.json.encode(row, order="deterministic") for row in bench.table.rows)
    models = [model for _, model in bench.evidence.models]
    for row in twice[:20]:
        cells = [
            n for n in bench.evidence.needles.get(row, {}).values() if not n.empty and n.number is None and not n.items
        ]
        if not cells:
            return False
        wanted = counts[msgspec.json.encode(bench.table.rows[row], order="deterministic")]
        longest = max(cells, key=lambda needle: len(needle.flat))
        there = max(
            sum(len(model.by_text.get(longest.flat, ())) for model in models),
            sum(model.text.count(longest.flat) for model in models),
        )
        if there < wanted:
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
