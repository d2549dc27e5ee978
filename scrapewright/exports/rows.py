"""The rows of a result file as values."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

from scrapewright.exports.table import records
from scrapewright.query.reading import Field
from scrapewright.session.sanitize import well_formed

Row = dict[str, Any]


def typed_rows(name: str, data: bytes, fields: Sequence[Field] = ()) -> list[Row]:
    """The rows in file order. JSON keeps its types; of a CSV the cells of columns that are whole numbers, numbers,
    true or false are converted (an empty one is None): where that was asked for each that can be read so, where it
    is guessed from the column's name all or none.

    Raises ValueError (csv.Error, RecursionError) where the file is no table.
    """
    rows = list(records(name, data))
    if not name.lower().endswith((".csv", ".tsv")):
        return rows
    for field in fields:
        if field.type not in ("int", "float", "bool"):
            continue
        some = [row for row in rows if field.name in row]
        values = [_converted(row[field.name], field.type) for row in some]
        if field.typed or all(_is_lossless(row[field.name], value) for row, value in zip(some, values, strict=True)):
            for row, value in zip(some, values, strict=True):
                row[field.name] = value
    return rows


def stored_text(value: Any) -> str | None:
    """A value as a column of texts holds it: lists and objects as JSON, dates in ISO form."""
    if value is None or isinstance(value, str):
        return None if value is None else str(well_formed(value))
    return json.dumps(well_formed(value), ensure_ascii=False, default=str)


def with_dates(rows: Sequence[Row], fields: Sequence[Field]) -> list[Row]:
    """The rows with dates and times as such, in the columns that were asked for as these and hold nothing else."""
    made = [dict(row) for row in rows]
    for field in fields:
        read = {"date": date.fromisoformat, "datetime": datetime.fromisoformat}.get(field.type)
        if read is None or not any(row.get(field.name) for row in made):
            continue
        try:
            values = [read(text) if (text := row.get(field.name)) else None for row in made]
        except (ValueError, TypeError):
            continue
        if len({value.tzinfo is None for value in values if isinstance(value, datetime)}) > 1:
            continue
        for row, value in zip(made, values, strict=True):
            if field.name in row:
                row[field.name] = value
    return made


def _is_lossless(text: str, value: Any) -> bool:
    """Whether nothing is lost by the value: 007 is no 7."""
    return not isinstance(value, str) and (type(value) is not int or str(value) == text.strip())


def _converted(text: str, kind: str) -> Any:
    if not text.strip():
        return None
    if kind == "bool":
        return {"true": True, "false": False}.get(text.strip().lower(), text)
    try:
        number = float(text)
        if kind == "float":
            return number if math.isfinite(number) else text
        return int(text) if "." not in text else int(number) if number.is_integer() else text
    except (ValueError, OverflowError):
        return text
