"""Result files as tables: the rows that the critics number, whatever the file looks like."""

from __future__ import annotations

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.critics import rows as critics
from scrapewright.exports.table import read_table, records

TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12)
VALUES = st.one_of(st.none(), st.booleans(), st.integers(-999, 999), TEXT, st.lists(st.integers(0, 9), max_size=2))
RECORDS = st.lists(st.dictionaries(TEXT, VALUES, min_size=1, max_size=4), max_size=8)


@given(RECORDS, st.sampled_from(["list", "lines", "inside", "whole"]))
def test_json_is_read_as_the_critics_read_it(rows: list[dict[str, object]], how: str) -> None:
    match how:
        case "list":
            text = json.dumps(rows, indent=1)
        case "lines":
            text = "\n".join(json.dumps(row) for row in rows)
        case "inside":
            text = json.dumps({"items": rows, "count": len(rows)}, ensure_ascii=False)
        case _:
            text = json.dumps({"a": {"b": rows}})
    name = "rows.jsonl" if how == "lines" else "rows.json"
    theirs = critics.read(name, text.encode())
    assert list(records(name, text.encode())) == list(theirs.rows)


@given(st.lists(st.lists(TEXT, min_size=1, max_size=4), min_size=1, max_size=6), st.sampled_from(",;\t|"))
def test_csv_is_read_as_the_critics_read_it(rows: list[list[str]], mark: str) -> None:
    out = io.StringIO()
    csv.writer(out, delimiter=mark).writerows([["name", "price", "link"], *rows])
    theirs = critics.read("rows.csv", out.getvalue().encode())
    assert list(records("rows.csv", out.getvalue().encode())) == list(theirs.rows)


def test_a_part_of_the_rows_is_numbered_from_the_first() -> None:
    data = b"n\n" + b"".join(b"%d\n" % n for n in range(2_500))
    table = read_table("rows.csv", data, limit=1_000, first=1_000)
    assert table is not None
    assert (table.total, table.first, len(table.rows)) == (2_500, 1_000, 1_000)
    assert table.rows[0] == ["1000"]


def test_a_kind_is_that_of_the_whole_column() -> None:
    data = (
        b"name,price,count,when,link,none\n"
        b"mug,3.50,1,2024-05-01,https://x.example/a,\n"
        b"cup,4,,2024-05-01T10:00:00Z,https://x.example/b,N/A\n"
    )
    table = read_table("rows.csv", data, limit=1, kinds=True)
    assert table is not None
    assert table.kinds == ("text", "float", "int", "date", "link", "text")
    assert table.empty == (0, 0, 1, 0, 0, 1)


@pytest.mark.parametrize(
    ("name", "data"),
    [("a.json", b"[1, 2"), ("a.json", b"[1] 2"), ("a.json", b"["), ("a.bin", b"x"), ("a.jsonl", b"{"),
     ("a.json", b"[" * 100_000), ("a.json", b'{"a": ' * 100_000), ("a.json", b'{"a": [1 2]}')],
)  # fmt: skip
def test_what_is_no_table_is_none(name: str, data: bytes) -> None:
    assert read_table(name, data, limit=5) is None


def test_reading_ends_where_nobody_waits() -> None:
    data = b"n\n" + b"1\n" * 5_000
    asked: list[int] = []

    def wanted() -> bool:
        asked.append(1)
        return len(asked) < 3

    assert read_table("rows.csv", data, limit=5, wanted=wanted) is None
    assert len(asked) == 3
