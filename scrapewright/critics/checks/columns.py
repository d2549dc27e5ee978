"""Columns: there, filled, of the type asked for, readable."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from scrapewright.critics.bench import Bench, listed, shown
from scrapewright.critics.normal_forms import MOJIBAKE, demojibake, is_plain_number, number, squash
from scrapewright.critics.rows import column_of, is_empty
from scrapewright.critics.value_types import fits
from scrapewright.query.reading import Field
from scrapewright.session.verdict import Finding, Severity
from scrapewright.survey.values import has_date

_SAYS_RELATIVE = re.compile(r"\brelativ|as (it )?(is|stands|written)|wie im|tel quel", re.I)


def presence(bench: Bench) -> Iterator[Finding]:
    """Every field asked for is a column, and one with something in it."""
    for field in bench.query.fields:
        column = bench.evidence.columns.get(field.name)
        if column is None:
            there = ", ".join(bench.table.columns) or "none"
            message = f"there is no column {field.name} (there are: {there})"
            yield Finding("missing-column", message, field.name, got=there)
        elif column_of(field.name, (column,)) is None:
            message = f"the column {field.name} is called {column}"
            # The rules mend a name; a program of somebody else's may have the better one.
            severity: Severity = "error" if bench.author == "rules" else "warning"
            yield Finding("missing-column", message, field.name, (), severity, field.name, column)
        elif bench.table.rows and all(is_empty(value) for value in bench.table.column(column)):
            # What may be missing in a record is not what all of several records lack.
            lone = field.optional and len(bench.table.rows) < 3
            severity = "warning" if lone else "error"
            yield Finding("empty-column", f"{column} is empty in every row", column, severity=severity)


def types(bench: Bench) -> Iterator[Finding]:
    """Numbers, dates and truth values are written as such."""
    for column, field in bench.evidence.fields.items():
        if field.type in ("text", "url", "list"):
            continue
        wrong = [row for row in range(len(bench.table.rows)) if not fits(bench.value(row, column), field)]
        if not wrong or (not field.typed and field.type != "bool" and _is_text(bench, column, wrong)):
            continue
        lax = field.type == "int" and all(is_plain_number(bench.value(row, column)) for row in wrong)
        whole = lax and all((number(bench.value(row, column)) or 0.0).is_integer() for row in wrong)
        loose = whole or (not field.typed and field.type in ("bool", "datetime"))
        severity: Severity = "warning" if loose else "error"
        said = f"{column} should be {_named(field)}; {listed(wrong)}"
        yield bench.finding("wrong-type", column, wrong, said, severity, field.type)


def _is_text(bench: Bench, column: str, wrong: list[int]) -> bool:
    """No value of the column could have been a date or a number, whatever its name: all are given unchanged."""
    said = [str(value) for value in bench.table.column(column) if not is_empty(value)]
    return len(wrong) == len(said) and not any(has_date(t) or re.fullmatch(r"\W*\d[\d.,\s]*\W*", t) for t in said)


def _named(field: Field) -> str:
    names = {"int": "a whole number", "float": "a number", "date": "a date", "datetime": "a date with time"}
    form = f" written {field.date_format}" if field.date_format else " (YYYY-MM-DD)" if field.type == "date" else ""
    return names.get(field.type, "true or false") + form


def links(bench: Bench) -> Iterator[Finding]:
    """Links lead somewhere by themselves."""
    for column, field in bench.evidence.fields.items():
        if field.type != "url" or _SAYS_RELATIVE.search(field.note):
            continue
        values = enumerate(bench.table.column(column))
        if relative := [row for row, value in values if not is_empty(value) and _is_relative(value)]:
            said = f"{column} holds relative links; {listed(relative)}"
            yield bench.finding("relative-link", column, relative, said, expected="an absolute link")


def _is_relative(value: Any) -> bool:
    if isinstance(value, list):
        return any(_is_relative(item) for item in value)
    return not re.match(r"[a-zA-Z][a-zA-Z0-9+.-]*:", str(value).strip())


def mojibake(bench: Bench) -> Iterator[Finding]:
    """No text that was decoded with the wrong codec: it looks so, and the pages do not say it."""
    streams = [model.text + "\n" + model.attrs for _, model in bench.evidence.models]
    for column in bench.evidence.judged:
        spoilt: list[int] = []
        meant = ""
        for row, value in enumerate(bench.table.column(column)):
            text = " ".join(map(str, value)) if isinstance(value, list) else value if isinstance(value, str) else ""
            if text.isascii() or len(spoilt) >= 50:
                continue
            flat = squash(text)
            if any(flat in stream for stream in streams):
                continue
            sources = ((back, squash(back)) for back in demojibake(text))
            source = next((back for back, flat in sources if flat and any(flat in stream for stream in streams)), "")
            if source or MOJIBAKE.search(text):
                spoilt.append(row)
                meant = meant or shown(source)
        if spoilt:
            said = f"{column} was decoded with the wrong codec{f' ({meant!r})' if meant else ''}; {listed(spoilt)}"
            yield bench.finding("mojibake", column, spoilt, said, expected=meant)
