"""A preview of result rows, for the end of the narration."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

from scrapewright.session.sanitize import one_line

ROWS = 8
WIDTH = 110


def preview(path: Path) -> list[str]:
    """The first rows of a CSV, JSON or JSON Lines file as aligned text lines; empty for anything else."""
    try:
        rows, total = _read(path)
    except (OSError, ValueError, csv.Error):
        return []
    if not rows:
        return ["no rows"]
    columns = list(dict.fromkeys(name for row in rows for name in row))
    cells = [[one_line(str("" if row.get(c) is None else row[c]), 60) for c in columns] for row in rows]
    share = max(8, WIDTH // max(1, len(columns)) - 2)
    widths = [min(share, max(len(c), *(len(line[i]) for line in cells))) for i, c in enumerate(columns)]
    lines = [_line(columns, widths), _line(["─" * w for w in widths], widths)]
    lines += [_line(line, widths) for line in cells]
    if total > len(rows):
        lines.append(f"… {total - len(rows)} more of {total}")
    return lines


def _line(cells: list[str], widths: list[int]) -> str:
    return "  ".join(one_line(cell, width).ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()


def _read(path: Path) -> tuple[list[dict[str, Any]], int]:
    text = path.read_text("utf-8-sig")
    if path.suffix == ".csv":
        found = list(csv.DictReader(io.StringIO(text)))
        return [dict(row) for row in found[:ROWS]], len(found)
    if path.suffix in {".jsonl", ".ndjson"}:
        lines = [line for line in text.splitlines() if line.strip()]
        return [_record(json.loads(line)) for line in lines[:ROWS]], len(lines)
    if path.suffix == ".json":
        data = json.loads(text)
        items = data if isinstance(data, list) else [data]
        return [_record(item) for item in items[:ROWS]], len(items)
    return [], 0


def _record(item: Any) -> dict[str, Any]:
    return item if isinstance(item, dict) else {"value": item}
