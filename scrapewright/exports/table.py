"""Result files as a table of texts, for looking at."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Table:
    """`rows` are the first ones, each as long as `columns`; `total` is how many there are."""

    columns: list[str]
    rows: list[list[str]]
    total: int


def read_table(name: str, data: bytes, *, limit: int) -> Table | None:
    """A CSV, JSON or JSON Lines file; None where it is none of these or can't be read."""
    suffix = name.rpartition(".")[2].lower()
    try:
        text = data.decode("utf-8-sig")
        if suffix == "csv":
            found = list(csv.DictReader(io.StringIO(text, newline="")))
            return _table([dict(row) for row in found[:limit]], len(found))
        if suffix in {"jsonl", "ndjson"}:
            lines = [line for line in text.splitlines() if line.strip()]
            return _table([_record(json.loads(line)) for line in lines[:limit]], len(lines))
        if suffix == "json":
            whole = json.loads(text)
            items = whole if isinstance(whole, list) else [whole]
            return _table([_record(item) for item in items[:limit]], len(items))
    except (ValueError, csv.Error, RecursionError):
        return None
    return None


def _table(records: list[dict[str, Any]], total: int) -> Table:
    columns = list(dict.fromkeys(str(key) for record in records for key in record if key is not None))
    rows = [[_text(record.get(column)) for column in columns] for record in records]
    return Table(columns, rows, total)


def _text(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _record(item: Any) -> dict[str, Any]:
    return item if isinstance(item, dict) else {"value": item}
