"""What a page offers: its tables, and the columns of one of them, a line each."""

from __future__ import annotations

from scrapewright.loop.ports import OfferedColumn, OfferedTable
from scrapewright.session.sanitize import one_line
from scrapewright.tui.view.cells import fit
from scrapewright.tui.view.spans import QUIET, Spans

NAME = 22
"""Cells of a column as it will be called."""


def table_line(number: int, table: OfferedTable) -> Spans:
    """What the records are, and what their columns are called."""
    names = ", ".join(column.column.name for column in table.columns)
    return [(f"{number:>2} ", QUIET), (one_line(table.text, 60), "bold"), (f"  {one_line(names, 200)}", QUIET)]


def column_line(column: OfferedColumn, called: str) -> Spans:
    """The column with its type, how full it is, and the first values; struck out where it is dropped."""
    name = called or column.column.name
    samples = " · ".join(one_line(sample, 60) for sample in column.samples)
    filled = "" if column.filled >= 1 else f"{column.filled:4.0%}"
    style = "bold" if called else "strike $text-quiet"
    return [
        ("✓ " if called else "  ", "bold $success"), (fit(one_line(name), NAME), style),
        (f" {filled:4}  ", QUIET), (samples, "" if called else QUIET),
    ]  # fmt: skip
