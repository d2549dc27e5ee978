"""From the files that a run left behind to rows."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from scrapewright.query.model import Format, Query
from scrapewright.session.verdict import Finding

DATA_SUFFIXES = {".csv": "csv", ".tsv": "csv", ".json": "json", ".jsonl": "jsonl", ".ndjson": "jsonl"}
MAX_CELL = 1 << 20
_EMPTY_WORDS = frozenset({"", "none", "null", "nan", "nat", "<na>"})


class Unreadable(Exception):
    """The file is no table; the message says why."""


class Table(msgspec.Struct, frozen=True):
    """Rows in file order. `rows` hold JSON values (CSV: str); `columns` in the order of the file.

    `notes` are things found on the way (a wrong encoding, ragged rows).
    """

    name: str
    format: Format
    columns: tuple[str, ...]
    rows: tuple[Mapping[str, Any], ...]
    notes: tuple[str, ...] = ()

    def column(self, name: str) -> list[Any]:
        return [row.get(name) for row in self.rows]


def choose(query: Query, files: Mapping[str, bytes]) -> str | None:
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
    if kind == "csv":
        return _read_csv(name, text, notes)
    return _read_json(name, text, kind == "jsonl", notes)


def _read_csv(name: str, text: str, notes: list[str]) -> Table:
    lines = text.lstrip("\r\n")
    if not lines.strip():
        return Table(name, "csv", (), (), tuple(notes))
    head = lines.split("\n", 1)[0]
    delimiter = max(",;\t|", key=lambda mark: (head.count(mark), mark == ","))
    if name.endswith(".tsv"):
        delimiter = "\t"
    csv.field_size_limit(max(csv.field_size_limit(), MAX_CELL))
    try:
        records = [record for record in csv.reader(io.StringIO(lines, newline=""), delimiter=delimiter) if record]
    except csv.Error as error:
        raise Unreadable(f"{name} is no CSV: {error}") from error
    header = [column.strip() for column in records[0]]
    if len(set(header)) < len(header):
        notes.append("a column name stands twice in the header")
    ragged = sum(len(record) != len(header) for record in records[1:])
    if ragged:
        notes.append(f"{ragged} rows have more or fewer cells than the header")
    rows = tuple(dict(zip(header, record + [""] * (len(header) - len(record)), strict=False)) for record in records[1:])
    return Table(name, "csv", tuple(dict.fromkeys(header)), rows, tuple(notes))


def _read_json(name: str, text: str, lines: bool, notes: list[str]) -> Table:
    try:
        if lines:
            data: Any = [json.loads(line) for line in text.splitlines() if line.strip()]
        else:
            data = json.loads(text)
    except ValueError as error:
        if not lines and (several := _loads_lines(text)) is not None:
            data = several
        else:
            raise Unreadable(f"{name} is no JSON: {error}") from error
    except RecursionError as error:
        raise Unreadable(f"{name} is nested too deeply") from error
    if isinstance(data, dict):
        inner = [v for v in data.values() if isinstance(v, list) and v and all(isinstance(item, dict) for item in v)]
        if len(inner) == 1 and all(not isinstance(v, dict) for v in data.values()):
            data = inner[0] if len(data) <= 3 else [data]
        else:
            data = [data]
    if not isinstance(data, list):
        data = [data]
    rows = tuple(item if isinstance(item, dict) else {"value": item} for item in data)
    columns = tuple(dict.fromkeys(str(key) for row in rows for key in row))
    return Table(name, "jsonl" if lines else "json", columns, rows, tuple(notes))


def _loads_lines(text: str) -> list[Any] | None:
    try:
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    except ValueError:
        return None


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


def simplified(name: str) -> str:
    """A column name without case, blanks and punctuation."""
    return re.sub(r"[\W_]+", "", name.casefold())


def column_of(name: str, columns: Iterable[str]) -> str | None:
    """The table's column for a field: the same name, else the same but for case, blanks and punctuation."""
    columns = tuple(columns)
    if name in columns:
        return name
    short = simplified(name)
    return next((column for column in columns if short and simplified(column) == short), None)


def load(query: Query, files: Mapping[str, bytes]) -> tuple[Table | None, list[Finding]]:
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
    if query.format_said and table.format != query.format:
        findings.append(
            Finding(
                "wrong-format",
                f"{name} is {table.format}, asked was {query.format}",
                expected=query.format,
                got=table.format,
            )
        )
    elif query.filename and name != query.filename:
        message = f"the file is {name}, asked was {query.filename}"
        findings.append(Finding("wrong-format", message, expected=query.filename, got=name))
    return table, findings
