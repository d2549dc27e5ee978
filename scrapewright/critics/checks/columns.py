"""Columns: there, filled, of the type asked for, readable, none in another's place or called wrong by a review."""

from __future__ import annotations

import re
from collections import Counter
from operator import itemgetter
from typing import Any

from scrapewright.critics.bench import SHOWN, Bench, listed, shown
from scrapewright.critics.dates import order_of, read_as, read_iso
from scrapewright.critics.normal_forms import demojibake, is_plain_number, number, squash
from scrapewright.critics.rows import column_of, is_empty
from scrapewright.query.reading import Field
from scrapewright.session.verdict import Finding, Severity
from scrapewright.survey.values import has_date

_BOOLS = frozenset({"true", "false", "0", "1", "yes", "no", "y", "n"})
_SAYS_RELATIVE = re.compile(r"\brelativ|as (it )?(is|stands|written)|wie im|tel quel", re.I)
_NAMES = {"int": "a whole number", "float": "a number", "date": "a date", "datetime": "a date with time"}


def presence(bench: Bench) -> list[Finding]:
    """Every field asked for is a column, and one with something in it."""
    findings: list[Finding] = []
    for field in bench.query.fields:
        column = bench.evidence.columns.get(field.name)
        if column is None:
            there = ", ".join(bench.table.columns) or "none"
            message = f"there is no column {field.name} (there are: {there})"
            findings.append(Finding("missing-column", message, field.name, got=there))
        elif column_of(field.name, (column,)) is None:
            message = f"the column {field.name} is called {column}"
            # The rules mend a name; a program of somebody else's may have the better one.
            severity: Severity = "error" if bench.author == "rules" else "warning"
            findings.append(Finding("missing-column", message, field.name, (), severity, field.name, column))
        elif bench.table.rows and all(is_empty(value) for value in bench.table.column(column)):
            # What may be missing in a record is not what all of several records lack.
            lone = field.optional and len(bench.table.rows) < 3
            severity = "warning" if lone else "error"
            findings.append(Finding("empty-column", f"{column} is empty in every row", column, severity=severity))
    return findings


def types(bench: Bench) -> list[Finding]:
    """Numbers, dates and truth values are written as such, and links lead somewhere by themselves."""
    findings: list[Finding] = []
    for field in bench.query.fields:
        column = bench.evidence.columns.get(field.name)
        if column is None or field.type in ("text", "list"):
            continue
        values = bench.table.column(column)
        if field.type == "url":
            relative = [row for row, value in enumerate(values) if not is_empty(value) and _is_relative(value)]
            if relative and not _SAYS_RELATIVE.search(field.note):
                said = f"{column} holds relative links; {listed(relative)}"
                findings.append(bench.finding("relative-link", column, relative, said, expected="an absolute link"))
            continue
        wrong = [row for row, value in enumerate(values) if not _fits(value, field)]
        if not wrong or (not field.typed and field.type != "bool" and _is_text(values, wrong)):
            continue
        whole = field.type == "int" and all(
            is_plain_number(values[row]) and (number(values[row]) or 0.0).is_integer() for row in wrong
        )
        loose = whole or (not field.typed and field.type in ("bool", "datetime"))
        form = f" written {field.date_format}" if field.date_format else " (YYYY-MM-DD)" if field.type == "date" else ""
        said = f"{column} should be {_NAMES.get(field.type, 'true or false')}{form}; {listed(wrong)}"
        findings.append(bench.finding("wrong-type", column, wrong, said, "warning" if loose else "error", field.type))
    return findings


def _is_text(values: list[Any], wrong: list[int]) -> bool:
    """No value of the column could have been a date or a number, whatever its name: all are given unchanged."""
    said = [str(value) for value in values if not is_empty(value)]
    return len(wrong) == len(said) and not any(
        has_date(text) or re.fullmatch(r"\W*\d[\d.,\s]*\W*", text) for text in said
    )


def _fits(value: Any, field: Field) -> bool:
    if is_empty(value):
        return True
    text = str(value).strip()
    if field.type == "bool":
        return isinstance(value, bool) or text.lower() in _BOOLS
    if field.type in ("date", "datetime"):
        return (read_as(text, field.date_format) if field.date_format else read_iso(text)) is not None
    return is_plain_number(value, whole=field.type == "int")


def _is_relative(value: Any) -> bool:
    if isinstance(value, list):
        return any(_is_relative(item) for item in value)
    return not re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*:", str(value).strip())


def mojibake(bench: Bench) -> list[Finding]:
    """No text that was decoded with the wrong codec: it looks so, and the pages do not say it."""
    findings: list[Finding] = []
    streams = [model.text + "\n" + model.attrs for _, model in bench.evidence.models]

    def is_said(text: str) -> bool:
        return any(squash(text) in stream for stream in streams)

    for column in bench.evidence.judged:
        spoilt: dict[int, str] = {}
        for row, value in enumerate(bench.table.column(column)):
            text = " ".join(map(str, value)) if isinstance(value, list) else value if isinstance(value, str) else ""
            if not (text.isascii() or len(spoilt) >= 50 or is_said(text)):
                meant = next((back for back in demojibake(text) if squash(back) and is_said(back)), "")
                spoilt |= {row: shown(meant)} if meant else {}
        if spoilt:
            meant, sample = spoilt[min(spoilt)], shown(bench.value(min(spoilt), column))
            message = f"{column} was decoded with the wrong codec; {listed(list(spoilt))}: {sample!r} for {meant!r}"
            findings.append(Finding("mojibake", message, column, tuple(spoilt)[:SHOWN], "error", meant, sample))
    return findings


def day_order(bench: Bench) -> list[Finding]:
    """Rows that read the figures of a date in another order than most rows do."""
    evidence = bench.evidence
    findings: list[Finding] = []
    for column in evidence.fields:
        said: dict[int, tuple[str, str]] = {}
        for row in evidence.rows:
            date = evidence.needles[row][column].date
            for place in evidence.places[row][:1] if date else ():
                pieces = (*place.model.texts_of(place.node), *place.model.values_of(place.node))
                orders = ((p.name, order_of(p.text, date)) for p in pieces if date and len(p.text) < 200)
                if found := next(filter(itemgetter(1), orders), None):
                    said[row] = found
        usual = Counter(said.values())
        rows = [row for row, (name, order) in said.items() if usual[name, order[::-1]] > max(1, usual[name, order])]
        if rows:
            exchanged = f"{column} has day and month exchanged in {listed(rows)}"
            findings.append(bench.finding("day-order", column, rows, exchanged, share=len(rows) / len(said)))
    return findings


def rivals(bench: Bench) -> list[Finding]:
    """Two columns exchanged, or one taken from beside the place that bears its name; none whose place a person decided
    or that a review calls right."""
    findings: list[Finding] = []
    for column, other in bench.called.exchanged():
        if bench.decided & {column, other} or {column, other} <= bench.called_right:
            continue
        mine, theirs = (shown(bench.value(bench.evidence.rows[0], name), 30) for name in (column, other))
        message = f"{column} and {other} look exchanged by what the page calls them: {mine!r} and {theirs!r}"
        findings.append(Finding("exchanged", message, column, (), "warning", theirs, mine))
    for column, called, text in bench.called.better():
        if column in bench.decided | bench.called_right:
            continue
        sample = shown(bench.value(bench.evidence.rows[0], column), 30)
        message = f"{column} is {sample!r}; the record has {shown(text)!r}, called {called!r}"
        findings.append(Finding("rival", message, column, (), "warning", shown(text), sample))
    return findings


def crossed(bench: Bench) -> list[Finding]:
    """Rows read across a table whose records are its columns: they are called what the columns are called."""
    evidence = bench.evidence
    for column in evidence.judged:
        names = [squash(other.replace("_", " ")) for other in evidence.judged if other != column]
        texts = {row: evidence.needles[row][column].flat for row in evidence.rows}
        said = {row: name for row, text in texts.items() for name in names if len(name) >= 3 and text.startswith(name)}
        if len(set(said.values())) >= 2 and len(said) >= 0.5 * len(texts):
            message = f"{listed(list(said))} are called what the columns are called, in {column}"
            return [bench.finding("wrong-record", column, list(said), message)]
    return []


def review(bench: Bench) -> list[Finding]:
    """Columns that a model's review of the rows calls wrong; what a person decided of one overrides it."""
    findings: list[Finding] = []
    for said in bench.review.columns:
        if said.says != "wrong" or said.column not in bench.reviewed:
            continue
        rows = said.rows or bench.review.rows
        count = len(bench.review.rows)
        message = f"{said.column} is called wrong by a review of {count} row{'s' * (count != 1)}"
        sample = shown(bench.value(rows[0], said.column)) if rows and rows[0] < len(bench.table.rows) else ""
        findings.append(
            Finding(
                "called-wrong", f"{message}: {said.reason}" if said.reason else message, said.column, rows[:SHOWN],
                got=sample, share=len(rows) / max(1, count), source="review",
            )
        )  # fmt: skip
    return findings
