"""Rows as an Excel workbook of one sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from scrapewright.errors import UnfitRows
from scrapewright.exports.table import as_text, columns_of
from scrapewright.session.sanitize import well_formed

MOST_ROWS, MOST_CHARACTERS, MOST_COLUMNS = 1_048_575, 32_767, 16_384
"""What a sheet can hold: rows below the header, characters of a text, columns."""
_EXACT = 1 << 53
"""From here on a spreadsheet's numbers are no longer exact."""
_OTHER_KIND = "write them as csv or json"


def write(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Writes a new file. Texts stay texts: none is taken for a formula, a link or a number. Raises OSError, UnfitRows
    where a sheet can't hold the rows.
    """
    from xlsxwriter import Workbook

    columns = columns_of(rows)
    if len(rows) > MOST_ROWS or len(columns) > MOST_COLUMNS:
        raise UnfitRows(f"a sheet holds {MOST_ROWS:,} rows and {MOST_COLUMNS:,} columns at most", _OTHER_KIND)
    with Workbook(str(path), {"in_memory": True, "nan_inf_to_errors": True}) as book:
        sheet = book.add_worksheet("rows")
        bold = book.add_format({"bold": True})
        for place, column in enumerate(columns):
            sheet.write_string(0, place, well_formed(column)[:MOST_CHARACTERS], bold)
        for number, row in enumerate(rows, 1):
            for place, column in enumerate(columns):
                value = row.get(column)
                if value is None:
                    continue
                if isinstance(value, bool):
                    sheet.write_boolean(number, place, value)
                elif isinstance(value, float) or (isinstance(value, int) and abs(value) < _EXACT):
                    sheet.write_number(number, place, value)
                else:
                    text = well_formed(as_text(value))
                    if len(text) > MOST_CHARACTERS:
                        what = f"{column} of row {number} has {len(text):,} characters"
                        raise UnfitRows(f"{what}, and a cell of a sheet holds {MOST_CHARACTERS:,}", _OTHER_KIND)
                    sheet.write_string(number, place, text)
        sheet.freeze_panes(1, 0)
