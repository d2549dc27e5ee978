"""The rows of a result file as values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from scrapewright.exports.table import records
from scrapewright.query.reading import Field

Row = dict[str, Any]


def typed_rows(name: str, data: bytes, fields: Sequence[Field] = ()) -> list[Row]:
    """The rows in file order. JSON keeps its types; of a CSV the cells of columns whose type was asked for are
    converted (whole numbers, numbers, true and false; an empty one is None), unless the text can't be read so.

    Raises ValueError (csv.Error, RecursionError) where the file is no table.
    """
    rows = list(records(name, data))
    if not name.lower().endswith((".csv", ".tsv")):
        return rows
    kinds = {field.name: field.type for field in fields if field.typed and field.type in ("int", "float", "bool")}
    return [{key: _converted(text, kinds[key]) if key in kinds else text for key, text in row.items()} for row in rows]


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
