"""The rows of a result file as values."""

from __future__ import annotations

from typing import Any

import pytest

from scrapewright.exports.rows import typed_rows
from scrapewright.query.reading import Field

SAID, GUESSED = Field("points", "int", typed=True), Field("points", "int")


@pytest.mark.parametrize(
    ("field", "cells", "values"),
    [
        (SAID, ("12", "", "007", "many", "7.0", "7.5", "1e999"), [12, None, 7, "many", 7, "7.5", "1e999"]),
        (Field("points", "float", typed=True), ("from 3", "inf", "3.50"), ["from 3", "inf", 3.5]),
        (Field("points", "bool", typed=True), ("maybe", "True"), ["maybe", True]),
        (GUESSED, ("12", "", "-3"), [12, None, -3]),
        (GUESSED, ("12", "", "many"), ["12", "", "many"]),
        (GUESSED, ("12", "007"), ["12", "007"]),
        (Field("points", "float"), ("3.50", ""), [3.5, None]),
        (Field("points", "bool"), ("True", "false"), [True, False]),
        (Field("points"), ("12", "", " 7 "), ["12", "", " 7 "]),
        (Field("other", "int"), ("12",), ["12"]),
    ],
)
def test_columns_of_a_csv_have_their_types(field: Field, cells: tuple[str, ...], values: list[Any]) -> None:
    data = "title,points\n" + "".join(f"a,{cell}\n" for cell in cells)
    assert [row["points"] for row in typed_rows("rows.csv", data.encode(), (field,))] == values
