"""A preview of result rows, for the end of the narration."""

from __future__ import annotations

from pathlib import Path

from scrapewright.exports.table import read_table
from scrapewright.session.sanitize import one_line

ROWS = 8
WIDTH = 110


def preview(path: Path) -> list[str]:
    """The first rows of a result file as aligned lines; empty for anything else."""
    try:
        table = read_table(path.name, path.read_bytes(), limit=ROWS)
    except OSError:
        return []
    if table is None:
        return []
    if not table.rows or not table.columns:
        return ["no rows"]
    share = max(8, WIDTH // len(table.columns) - 2)
    widths = [
        min(share, max(len(name), *(len(one_line(row[i])) for row in table.rows)))
        for i, name in enumerate(table.columns)
    ]
    lines = [_line(table.columns, widths), _line(["─" * width for width in widths], widths)]
    lines += [_line(row, widths) for row in table.rows]
    if table.total > len(table.rows):
        lines.append(f"… {table.total - len(table.rows)} more of {table.total}")
    return lines


def _line(cells: list[str], widths: list[int]) -> str:
    return "  ".join(one_line(cell, width).ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()
