"""From the files that a run left behind to rows."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

import msgspec

from scrapewright.query.reading import Format, Reading
from scrapewright.session.sanitize import well_formed
from scrapewright.session.verdict import Finding

Cell = str | int | float | bool | None | list[Any] | dict[str, Any]
"""A value of a row. Numbers are finite, texts well formed, and nothing is nested deeper than MAX_DEPTH."""

DATA_SUFFIXES = {".csv": "csv", ".tsv": "csv", ".json": "json", ".jsonl": "jsonl", ".ndjson": "jsonl"}
MAX_CELL = 1 << 20
MAX_DEPTH = 6
MAX_DIGITS = 300
"""Of a whole number; one of more is a text, since no float holds it."""
_EMPTY_WORDS = frozenset({"", "none", "null", "nan", "nat", "<na>"})


class Unreadable(Exception):
    """The file is no table; the message says why."""


class Table(msgspec.Struct, frozen=True):
    """Rows in file order. `rows` hold JSON values as `cell` gives them (CSV: str); `columns` in the order of the file.

    `notes` are things found on the way (a wrong encoding, ragged rows).
    """

    name: str
    format: Format
    columns: tuple[str, ...]
    rows: tuple[Mapping[str, Cell], ...]
    notes: tuple[str, ...] = ()

    def column(self, name: str) -> list[Cell]:
        return [row.get(name) for row in self.rows]


def choose(query: Reading, files: Mapping[str, bytes]) -> str | None:
    """The file that holds the rows: the one asked for, else the only (or the largest) one that can hold any."""
    if query.output_name in files:
        return query.output_name
    data = [name for name in files if _suffix(name) in DATA_SUFFIXES]
    if not data:
        data = [name for name, body in files.items() if _suffix(name) in ("", ".txt") and body.strip()]
    wanted = [name for name in data if DATA_SUFFIXES.get(_suffix(name)) == query.format]
    return max(wanted or data, key=lambda name: (len(files[name]), name), default=None)


def read(name: str, body: bytes) -> Table:
    """The table in a file. Raises Unreadable."""
    notes: list[str] = []
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        text = body.decode("cp1252", "replace")
        notes.append(f"the file is not UTF-8 (byte {error.start})")
    kind = DATA_SUFFIXES.get(_suffix(name)) or ("json" if text.lstrip()[:1] in ("{", "[") else "csv")
    return _read_csv(name, text, notes) if kind == "csv" else _read_json(name, text, kind == "jsonl", notes)


def _read_csv(name: str, text: str, notes: list[str]) -> Table:
    lines = text.lstrip("\r\n")
    if not lines.strip():
        return Table(name, "csv", (), (), tuple(notes))
    head = lines.split("\n", 1)[0]
    delimiter = "\t" if name.endswith(".tsv") else max(",;\t|", key=lambda mark: (head.count(mark), mark == ","))
    csv.field_size_limit(max(csv.field_size_limit(), MAX_CELL))
    try:
        records = [record for record in csv.reader(io.StringIO(lines, newline=""), delimiter=delimiter) if record]
    except csv.Error as error:
        raise Unreadable(f"{name} is no CSV: {error}") from error
    header = [column.strip() for column in records[0]]
    if len(set(header)) < len(header):
        notes.append("a column name occurs twice in the header")
    if ragged := sum(len(record) != len(header) for record in records[1:]):
        notes.append(f"{ragged} rows have more or fewer cells than the header")
    rows = tuple(dict(zip(header, record + [""] * (len(header) - len(record)), strict=False)) for record in records[1:])
    return Table(name, "csv", tuple(dict.fromkeys(header)), rows, tuple(notes))


def _read_json(name: str, text: str, lines: bool, notes: list[str]) -> Table:
    try:
        data: Any = _loads_lines(text) if lines else _loads(text)
    except ValueError as error:
        try:
            data = _loads_lines(text)
        except ValueError:
            raise Unreadable(f"{name} is no JSON: {error}") from error
    except RecursionError as error:
        raise Unreadable(f"{name} is nested too deeply") from error
    if isinstance(data, dict):
        inner = [v for v in data.values() if isinstance(v, list) and v and all(isinstance(item, dict) for item in v)]
        several = len(inner) != 1 or len(data) > 3 or any(isinstance(value, dict) for value in data.values())
        data = [data] if several else inner[0]
    data = data if isinstance(data, list) else [data]
    items = (item if isinstance(item, dict) else {"value": item} for item in data)
    rows = tuple({well_formed(key): cell(value) for key, value in item.items()} for item in items)
    columns = tuple(dict.fromkeys(key for row in rows for key in row))
    return Table(name, "jsonl" if lines else "json", columns, rows, tuple(notes))


def _loads(text: str) -> Any:
    return json.loads(text, parse_int=lambda digits: int(digits) if len(digits) <= MAX_DIGITS else digits)


def _loads_lines(text: str) -> list[Any]:
    return [_loads(line) for line in text.split("\n") if line.strip()]


def cell(value: Any, depth: int = 0) -> Cell:
    """A decoded JSON value in the form that all checks can work with. NaN is no value, an infinite number a text."""
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else json.dumps(value)
    if isinstance(value, list | dict) and depth >= MAX_DEPTH:
        return str(well_formed(json.dumps(value, ensure_ascii=False)))
    if isinstance(value, list):
        return [cell(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {well_formed(key): cell(item, depth + 1) for key, item in value.items()}
    return cast(Cell, well_formed(value))


def _suffix(name: str) -> str:
    return name[name.rfind(".") :].lower() if "." in name.rsplit("/", 1)[-1] else ""


def is_empty(value: Any) -> bool:
    """None, blanks, NaN as text or number, an empty list."""
    if value is None:
        return True
    if isinstance(value, str):
        return value.strip().lower() in _EMPTY_WORDS
    if isinstance(value, float):
        return value != value
    return isinstance(value, list | dict) and not value


def column_of(name: str, columns: Sequence[str]) -> str | None:
    """The table's column for a field: the same name, else the same but for case, blanks and punctuation."""
    if name in columns:
        return name
    short = _simplified(name)
    return next((column for column in columns if short and _simplified(column) == short), None)


def _simplified(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.casefold())


def columns_of(names: Sequence[str], columns: Sequence[str]) -> dict[str, str]:
    """The table's columns for the fields. As many columns as fields, in their order: some may have other names."""
    found = {name: column for name in names if (column := column_of(name, columns)) is not None}
    if len(names) == len(columns) and all(columns.index(found[name]) == names.index(name) for name in found):
        taken = set(found.values())
        found |= {name: columns[n] for n, name in enumerate(names) if name not in found and columns[n] not in taken}
    return found


def load(query: Reading, files: Mapping[str, bytes]) -> tuple[Table | None, list[Finding]]:
    """The result table and what is wrong with the files as files."""
    name = choose(query, files)
    if name is None:
        return None, [Finding("no-file", f"the program left no {query.output_name}", expected=query.output_name)]
    try:
        table = read(name, files[name])
    except Unreadable as error:
        return None, [Finding("unreadable-file", str(error), got=name)]
    findings = [
        Finding("unreadable-file", f"{name}: {note}", severity="error" if "UTF-8" in note else "warning")
        for note in table.notes
    ]
    said, got, asked = f"the file is {name}", name, query.file
    if query.format_said and table.format != query.format:
        said, got, asked = f"{name} is {table.format}", table.format, query.format
    if asked and got != asked:
        findings.append(Finding("wrong-format", f"{said}, asked was {asked}", expected=asked, got=got))
    return table, findings
