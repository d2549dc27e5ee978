"""Rows in a Parquet file, with their types."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scrapewright.exports.rows import Row, stored_text
from scrapewright.exports.table import columns_of
from scrapewright.session.sanitize import well_formed


def write(path: Path, rows: Sequence[Row]) -> None:
    """Writes a new file. A column whose values are of several types is text, objects are JSON. Raises OSError."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = columns_of(rows)
    made = [_column(pa, [row.get(name) for row in rows]) for name in columns]
    try:
        pq.write_table(pa.Table.from_arrays(made, names=[well_formed(name) for name in columns]), path)
    except pa.ArrowException as error:
        raise OSError(f"the rows can't be written as Parquet: {error}") from error


def _column(pa: Any, values: list[Any]) -> Any:
    if all(value is None for value in values):
        return pa.array(values, pa.string())
    kinds = {type(value) for value in values if value is not None}
    try:
        if kinds == {int, float}:
            return pa.array([None if value is None else float(value) for value in values], pa.float64())
        if len(kinds) == 1 and dict not in kinds:
            return pa.array([well_formed(value) for value in values])
    except (pa.ArrowException, OverflowError, ValueError):
        pass
    return pa.array([stored_text(value) for value in values], pa.string())
