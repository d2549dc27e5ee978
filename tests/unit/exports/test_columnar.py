"""Rows in DuckDB and Parquet files: types kept, added by a key, all of them or none."""

from __future__ import annotations

import datetime
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from scrapewright.errors import UnfitRows
from scrapewright.exports.deliver import Delivery
from scrapewright.query.reading import Field
from scrapewright.session.attempt import AttemptState
from scrapewright.session.verdict import Verdict

ATTEMPT = AttemptState(id=1, author="rules", verdict=Verdict(True, 1.0, file="rows.json"))
FIELDS = (Field("day", type="date", typed=True), Field("odd", type="date", typed=True))
MUG = {
    "name": "Blue mug", "price": 3.5, "left": 2, "new": True, "tags": ["a", "b"], "gone": None, "mixed": 1,
    "day": "2024-03-01", "odd": "2024-03-01", "seller": {"name": "Fell"},
}  # fmt: skip
JUG = {**MUG, "name": "Red jug", "price": 4, "left": 1 << 40, "new": False, "tags": [], "mixed": "one", "odd": "soon"}
DAY = datetime.date(2024, 3, 1)


def read(path: Path) -> list[dict[str, Any]]:
    import duckdb  # a test module that holds it has it complain at the interpreter's end

    with duckdb.connect(str(path), read_only=True) as opened:
        found = opened.execute("SELECT * FROM rows")
        names = [name for name, *_ in found.description]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def deliver(out: Path, rows: list[dict[str, Any]], *, good: bool = True, **more: Any) -> list[str]:
    files = {"rows.json": json.dumps(rows).encode()}
    delivery = Delivery(out, fields=lambda: FIELDS, **more)
    return [Path(path).name for path in delivery(ATTEMPT, "print()", files, good)]


def test_a_duckdb_file_keeps_types(tmp_path: Path) -> None:
    out = tmp_path / "rows.duckdb"
    assert deliver(out, [MUG, JUG]) == ["rows.duckdb", "scraper.py"]
    assert read(out) == [
        {**MUG, "mixed": "1", "day": DAY, "seller": '{"name": "Fell"}'},
        {**JUG, "day": DAY, "seller": '{"name": "Fell"}'},
    ]
    import duckdb

    with duckdb.connect(str(out)) as opened:
        kinds = dict(
            opened.execute("SELECT column_name, data_type FROM duckdb_columns() WHERE NOT internal").fetchall()
        )
    assert (kinds["price"], kinds["left"], kinds["new"], kinds["tags"]) == ("DOUBLE", "BIGINT", "BOOLEAN", "VARCHAR[]")
    assert (kinds["day"], kinds["odd"]) == ("DATE", "VARCHAR")
    assert deliver(out, [MUG], good=False) == ["rows.unverified.duckdb", "scraper-2.py"]
    assert len(read(out)) == 2


def test_a_parquet_file_keeps_types(tmp_path: Path) -> None:
    out = tmp_path / "rows.parquet"
    assert deliver(out, [MUG, JUG]) == ["rows.parquet", "scraper.py"]
    table = pq.read_table(out)
    assert table.to_pylist() == [
        {**MUG, "mixed": "1", "day": DAY, "seller": '{"name": "Fell"}'},
        {**JUG, "day": DAY, "seller": '{"name": "Fell"}'},
    ]
    assert {name: str(kind) for name, kind in zip(table.schema.names, table.schema.types, strict=True)} == {
        "name": "string", "price": "double", "left": "int64", "new": "bool", "tags": "list<element: string>",
        "gone": "string", "mixed": "string", "day": "date32[day]", "odd": "string", "seller": "string",
    }  # fmt: skip


def test_rows_are_added_to_a_duckdb_file_by_a_key(tmp_path: Path) -> None:
    out = tmp_path / "rows.duckdb"
    deliver(out, [{"url": "/1", "price": 3.5}, {"url": "/2", "price": 4.0}], append=True, key="url")
    newer = [{"URL": "/2", "stock": 7}, {"URL": "/3", "stock": None}]
    assert deliver(out, newer, append=True, key="URL") == ["rows.duckdb"]
    assert sorted(read(out), key=lambda row: row["url"]) == [
        {"url": "/1", "price": 3.5, "stock": None}, {"url": "/2", "price": 4.0, "stock": 7},
        {"url": "/3", "price": None, "stock": None},
    ]  # fmt: skip
    assert deliver(out, newer, append=True) == ["rows.duckdb"]
    with pytest.raises(UnfitRows, match="already share a url"):
        Delivery(out, append=True, key="url").check()
    Delivery(out, append=True, key="other").check()


@pytest.mark.parametrize(
    ("rows", "key", "says"),
    [
        ([{"url": "/3"}, {"url": None}], "url", "1 of 2 rows have no url, which is the key"),
        ([{"url": "/3", "name": "a"}], "name", "rows that are there already share a name"),
        ([{"url": "/3"}, {"url": "/4"}, {"url": "/3"}], "url", "2 of 3 rows have a url that another row has"),
        ([{"url": "/3", "left": "a few"}], "", "Could not convert"),
        ([{"url": "/3", "left": "007"}], "", "left has the type BIGINT in it, which would make 7 of '007'"),
        ([{"url": "/2", "new": 0.5}], "url", "new has the type BOOLEAN in it, which would make True of 0.5"),
    ],
)
def test_where_a_row_cannot_be_added_none_is(rows: list[dict[str, Any]], key: str, says: str, tmp_path: Path) -> None:
    out = tmp_path / "rows.duckdb"
    deliver(out, [{"url": f"/{n}", "name": "a", "left": n, "new": True} for n in (1, 2)], append=True)
    before = read(out)
    with pytest.raises(UnfitRows, match=says):
        deliver(out, rows, append=True, key=key)
    assert read(out) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["rows.duckdb", "scraper.py"]


def test_what_a_column_holds_later_is_kept_as_it_is(tmp_path: Path) -> None:
    """Whole numbers become numbers with decimals once there are some, and a column has a type once it has a value."""
    out = tmp_path / "rows.duckdb"
    rows: list[dict[str, Any]] = [
        {"url": "/1", "price": 3, "was": None, "tags": None, "code": "A1"},
        {"url": "/2", "price": 4.5, "was": 5.25, "tags": ["a"], "code": 7},
        {"url": "/3", "price": None, "was": 6, "tags": None, "code": None},
    ]
    for row in rows:
        deliver(out, [row], append=True, key="url")
    assert read(out) == [rows[0], {**rows[1], "code": "7"}, rows[2]]


def test_whole_numbers_that_decimals_cannot_hold_stay_whole(tmp_path: Path) -> None:
    out = tmp_path / "rows.duckdb"
    deliver(out, [{"id": (1 << 53) + 1}], append=True)
    with pytest.raises(UnfitRows, match=r"id has the type BIGINT in it, which would make 4 of 4[.]5"):
        deliver(out, [{"id": 4.5}], append=True)
    assert read(out) == [{"id": (1 << 53) + 1}]


def test_what_cannot_be_added_to_is_reported_beforehand(tmp_path: Path) -> None:
    for name in ("notes.duckdb", "clock.duckdb"):
        (tmp_path / name).write_text("not a database, but what somebody wrote\n" * 400)
        with pytest.raises(UnfitRows, match="is no DuckDB file that rows can be added to"):
            Delivery(tmp_path / name, append=True).check()
    out = tmp_path / "rows.duckdb"
    deliver(out, [{"url": "/1"}])
    held = f"import duckdb, sys; c = duckdb.connect({str(out)!r}); print('open', flush=True); sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", held], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"open\n"
        with pytest.raises(OSError, match="is open in another process"):
            Delivery(out, append=True).check()
        other.communicate()
    Delivery(out, append=True).check()
