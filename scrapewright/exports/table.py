"""Result files as a table of texts, for looking at.

Rows are numbered as the critics number them: blank lines of a CSV are none, and one list of records inside an object is
the rows. Large files are read piece by piece, so that other threads get their turn between the pieces.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

MAX_CELL = 1 << 20
_SUFFIXES = frozenset({"csv", "tsv", "json", "jsonl", "ndjson"})
_SPACE = re.compile(r"[ \t\n\r]*")
_INT = re.compile(r"[+-]?\d+", re.ASCII)
_FLOAT = re.compile(r"[+-]?(\d+\.\d*|\.\d+|\d+(?=[eE]))([eE][+-]?\d+)?", re.ASCII)
_DATE = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?)?( ?(Z|[+-]\d\d:?\d\d))?", re.ASCII)
_LINK = re.compile(r"(https?|ftp|mailto):\S+", re.IGNORECASE)
_EMPTY = frozenset({"", "none", "null", "nan", "nat", "<na>"})
_DECODER = json.JSONDecoder()


@dataclass(frozen=True)
class Table:
    """`rows` are those from number `first` on, each as long as `columns`; `total` is how many there are in the file.

    `kinds` (where asked for) say what all values of a column are: text, int, float, date, link, bool, list, object,
    empty; `empty` how many of them are missing.
    """

    columns: list[str]
    rows: list[list[str]]
    total: int
    first: int = 0
    kinds: tuple[str, ...] = ()
    empty: tuple[int, ...] = ()


def read_table(
    name: str, data: bytes, *, limit: int, first: int = 0, kinds: bool = False,
    wanted: Callable[[], bool] = lambda: True,
) -> Table | None:  # fmt: skip
    """`limit` rows of a CSV, TSV, JSON or JSON Lines file; None where it is none of these or can't be read, or where
    `wanted` says meanwhile that nobody waits for it."""
    shown: list[dict[str, Any]] = []
    columns: dict[str, None] = {}
    seen: dict[str, dict[str, int]] = {}
    total = 0
    try:
        for record in records(name, data):
            if first <= total < first + limit:
                shown.append(record)
            if total % 512 == 0 and not wanted():
                return None
            total += 1
            if record.keys() != columns.keys():
                columns.update(dict.fromkeys(record))
            if kinds:
                for column, value in record.items():
                    kind = kind_of(value)
                    counts = seen.setdefault(column, {})
                    counts[kind] = counts.get(kind, 0) + 1
    except (ValueError, csv.Error, RecursionError):
        return None
    names = list(columns)
    rows = [[as_text(record.get(column)) for column in names] for record in shown]
    if not kinds:
        return Table(names, rows, total, first)
    empty = (total - sum(n for kind, n in seen.get(name, {}).items() if kind != "empty") for name in names)
    return Table(names, rows, total, first, tuple(_common(seen.get(name, {})) for name in names), tuple(empty))


def is_table(name: str) -> bool:
    """Whether a file is read as rows, by its name."""
    return _suffix(name) in _SUFFIXES


def _suffix(name: str) -> str:
    return name.rpartition(".")[2].lower()


def records(name: str, data: bytes) -> Iterator[dict[str, Any]]:
    """The rows of a result file, one by one. Raises ValueError (csv.Error, RecursionError) where it is none."""
    suffix = _suffix(name)
    if suffix not in _SUFFIXES:
        raise ValueError(f"{name} is no table")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
    if suffix in {"csv", "tsv"}:
        yield from _csv(text, "\t" if suffix == "tsv" else "")
    elif suffix == "json":
        for item in _json(text):
            yield _record(item)
    else:
        for item in _lines(text):
            yield _record(item)


def _csv(text: str, delimiter: str) -> Iterator[dict[str, Any]]:
    text = text.lstrip("\r\n")
    if not text.strip():
        return
    head = text.split("\n", 1)[0]
    delimiter = delimiter or max(",;\t|", key=lambda mark: (head.count(mark), mark == ","))
    csv.field_size_limit(max(csv.field_size_limit(), MAX_CELL))
    found = (row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if row)
    header = [column.strip() for column in next(found, [])]
    for row in found:
        yield dict(zip(header, row + [""] * (len(header) - len(row)), strict=False))


def _lines(text: str) -> Iterator[Any]:
    for line in text.split("\n"):
        if line.strip():
            yield json.loads(line)


def _json(text: str) -> Iterator[Any]:
    at = _skip(text, 0)
    if text.startswith("[", at):
        end = yield from _items(text, at)
        if _skip(text, end) != len(text):
            raise ValueError("there is more after the list")
        return
    try:
        whole, end = _value(text, at)
    except ValueError:
        end, whole = -1, None
    if end < 0 or _skip(text, end) != len(text):
        yield from _lines(text)
        return
    yield from _rows_of(whole)


def _rows_of(whole: Any) -> list[Any]:
    """The records that a JSON document holds: the one list of them inside an object, else the object itself."""
    if not isinstance(whole, dict):
        return [whole]
    inner = [v for v in whole.values() if isinstance(v, list) and v and all(isinstance(item, dict) for item in v)]
    if len(inner) == 1 and len(whole) <= 3 and not any(isinstance(v, dict) for v in whole.values()):
        return list(inner[0])
    return [whole]


def _value(text: str, at: int) -> tuple[Any, int]:
    """The value that begins at `at`, and where it ends. Objects and the lists in them are read member by member."""
    if not text.startswith("{", at):
        return _DECODER.raw_decode(text, at)
    found: dict[str, Any] = {}
    at = _skip(text, at + 1)
    if text.startswith("}", at):
        return found, at + 1
    while True:
        key, at = _DECODER.raw_decode(text, at)
        at = _expect(text, at, ":")
        if text.startswith("[", at):
            items = _items(text, at)
            found[key] = whole = []
            try:
                while True:
                    whole.append(next(items))
            except StopIteration as stop:
                at = stop.value
        else:
            found[key], at = _DECODER.raw_decode(text, at)
        at = _skip(text, at)
        if text.startswith("}", at):
            return found, at + 1
        at = _expect(text, at, ",")


def _items(text: str, at: int) -> Generator[Any, None, int]:
    """The items of the list that begins at `at`; returns where it ends."""
    at = _skip(text, at + 1)
    if text.startswith("]", at):
        return at + 1
    while True:
        item, at = _DECODER.raw_decode(text, at)
        yield item
        at = _skip(text, at)
        if text.startswith("]", at):
            return at + 1
        at = _expect(text, at, ",")


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _expect(text: str, at: int, mark: str) -> int:
    at = _skip(text, at)
    if not text.startswith(mark, at):
        raise ValueError(f"no {mark!r} at character {at}")
    return _skip(text, at + 1)


def columns_of(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """The columns of all rows, in the order in which they come."""
    return list(dict.fromkeys(column for row in rows for column in row))


def as_text(value: Any) -> str:
    """A value as the text of a cell; texts are unchanged."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _record(item: Any) -> dict[str, Any]:
    return item if isinstance(item, dict) else {"value": item}


def kind_of(value: Any) -> str:
    """What one value is; texts that look like a number, a date or a link are that."""
    match value:
        case None:
            return "empty"
        case bool():
            return "bool"
        case int():
            return "int"
        case float():
            return "empty" if value != value else "float"
        case list():
            return "list" if value else "empty"
        case dict():
            return "object" if value else "empty"
    text = value.strip() if isinstance(value, str) else str(value)
    if len(text) > 2_000:
        return "text"
    if text.lower() in _EMPTY:
        return "empty"
    for kind, pattern in (("int", _INT), ("float", _FLOAT), ("date", _DATE), ("link", _LINK)):
        if pattern.fullmatch(text):
            return kind
    return "text"


def _common(counts: dict[str, int]) -> str:
    kinds = set(counts) - {"empty"}
    if not kinds:
        return "empty"
    if kinds == {"int", "float"}:
        return "float"
    return kinds.pop() if len(kinds) == 1 else "text"
