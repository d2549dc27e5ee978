"""Rows in a SQLite file: types kept, added to what is there by a key, all of them or none."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.errors import UnfitRows
from scrapewright.exports import database
from scrapewright.exports.deliver import Delivery
from scrapewright.exports.formats import kind_of
from scrapewright.session.attempt import AttemptState
from scrapewright.session.verdict import Verdict

ATTEMPT = AttemptState(id=1, author="rules", verdict=Verdict(True, 1.0, file="rows.json"))


def read(path: Path) -> list[dict[str, Any]]:
    with closing(sqlite3.connect(path)) as opened:
        opened.row_factory = sqlite3.Row
        return [dict(row) for row in opened.execute(f"SELECT * FROM {database.TABLE}")]


def declared(path: Path) -> dict[str, str]:
    with closing(sqlite3.connect(path)) as opened:
        return {name: kind for _, name, kind, *_ in opened.execute(f"PRAGMA table_info({database.TABLE})")}


def deliver(out: Path, rows: list[dict[str, Any]], *, good: bool = True, **more: Any) -> list[str]:
    files = {"rows.json": json.dumps(rows).encode()}
    return [Path(path).name for path in Delivery(out, **more)(ATTEMPT, "print()", files, good)]


MUG = {"name": "Blue mug", "price": 3.5, "left": 2, "new": True, "tags": ["a", "b"], "gone": None, "mixed": 1}
JUG = {"name": "Red jug", "price": 4, "left": 1 << 40, "new": False, "tags": [], "gone": None, "mixed": "one"}


def test_types_are_kept_and_nothing_is_overwritten(tmp_path: Path) -> None:
    out = tmp_path / "new" / "rows.sqlite"
    assert deliver(out, [MUG, JUG]) == ["rows.sqlite", "scraper.py"]
    assert declared(out) == {
        "name": "TEXT", "price": "REAL", "left": "INTEGER", "new": "BOOLEAN", "tags": "TEXT", "gone": "",
        "mixed": "",
    }  # fmt: skip
    assert read(out) == [
        {**MUG, "new": 1, "tags": '["a", "b"]'}, {**JUG, "new": 0, "tags": "[]"},
    ]  # fmt: skip
    assert deliver(out, [MUG]) == ["rows-2.sqlite", "scraper-2.py"]
    assert deliver(out, [MUG], good=False) == ["rows.unverified.sqlite", "scraper-3.py"]
    assert len(read(out)) == 2


def test_rows_are_added_and_take_the_place_of_those_with_their_key(tmp_path: Path) -> None:
    out = tmp_path / "rows.db"
    assert deliver(out, [{"url": "/1", "price": 3.5}, {"url": "/2", "price": 4.0}], append=True, key="url") == [
        "rows.db", "scraper.py",
    ]  # fmt: skip
    newer = [{"url": "/2", "price": 4.5, "stock": 7}, {"url": "/3", "price": 1.0, "stock": None}]
    assert deliver(out, newer, append=True, key="url") == ["rows.db"]
    assert read(out) == [
        {"url": "/1", "price": 3.5, "stock": None}, {"url": "/2", "price": 4.5, "stock": 7},
        {"url": "/3", "price": 1.0, "stock": None},
    ]  # fmt: skip
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".py"] == ["scraper.py"]
    with pytest.raises(UnfitRows, match="UNIQUE constraint failed"):
        deliver(out, newer[:1], append=True)


def test_rows_that_are_not_trusted_are_never_added(tmp_path: Path) -> None:
    out = tmp_path / "rows.sqlite"
    deliver(out, [{"url": "/1"}], append=True, key="url")
    assert deliver(out, [{"url": "/9"}], good=False, append=True, key="url")[0] == "rows.unverified.sqlite"
    assert read(out) == [{"url": "/1"}]


@pytest.mark.parametrize(
    ("rows", "key", "says"),
    [
        ([{"url": "/3"}, {"url": None}], "url", "1 of 2 rows have no url, which is the key"),
        ([{"url": "/3", "name": "a"}], "name", "rows that are there already share a name"),
        ([{"url": "/3"}, {"url": "/4"}, {"url": "/3"}], "url", "2 of 3 rows have a url that another row has"),
        ([{"url": 3}, {"url": "3"}], "url", "2 of 2 rows have a url that another row has"),
        ([{"url": "/3", "left": "007"}], "", "left has the type INTEGER in it, which would make 7 of '007'"),
        ([{"url": "/2", "left": "1e3"}], "url", "left has the type INTEGER in it, which would make 1000 of '1e3'"),
        ([{"url": "/3", "name": 0.1 + 0.2}], "", "name has the type TEXT in it, which would make '0.3' of 0.3000"),
    ],
)
def test_where_a_row_cannot_be_added_none_is(rows: list[dict[str, Any]], key: str, says: str, tmp_path: Path) -> None:
    out = tmp_path / "rows.sqlite"
    deliver(out, [{"url": "/1", "name": "a", "left": 1}, {"url": "/2", "name": "a", "left": 2}], append=True)
    before = read(out)
    with pytest.raises(UnfitRows, match=says):
        Delivery(out, append=True, key=key)(ATTEMPT, "other()", {"rows.json": json.dumps(rows).encode()}, True)
    assert read(out) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["rows.sqlite", "scraper.py"]


def test_what_a_column_holds_later_is_kept_as_it_is(tmp_path: Path) -> None:
    out = tmp_path / "rows.sqlite"
    rows = [
        {"url": "/1", "price": 3, "was": None, "code": "A1"},
        {"url": "/2", "price": 4.5, "was": 5.25, "code": 7},
        {"url": "/3", "price": "sold out", "was": "none", "code": None},
    ]
    for row in rows:
        deliver(out, [row], append=True, key="url")
    assert read(out) == [rows[0], {**rows[1], "code": "7"}, rows[2]]


def test_a_file_that_another_process_writes_to_is_no_other_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "_PATIENCE", 0.05)
    out = tmp_path / "rows.sqlite"
    deliver(out, [{"url": "/1"}], append=True)
    with closing(sqlite3.connect(out, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(OSError, match=r"rows\.sqlite is open in another process that writes to it"):
            Delivery(out, append=True).check()
        with pytest.raises(OSError, match="database is locked"):
            deliver(out, [{"url": "/2"}], append=True)
    Delivery(out, append=True).check()


def test_a_key_that_the_table_cannot_have_is_reported_beforehand(tmp_path: Path) -> None:
    out = tmp_path / "rows.sqlite"
    deliver(out, [{"URL": "/1", "name": "a"}, {"URL": "/2", "name": "a"}, {"URL": "/3", "name": None}], append=True)
    with pytest.raises(UnfitRows, match="already share a name"):
        Delivery(out, append=True, key="name").check()
    for key in ("url", "other", ""):
        Delivery(out, append=True, key=key).check()


def test_an_error_that_ends_the_transaction_is_reported(tmp_path: Path) -> None:
    out = tmp_path / "rows.sqlite"
    deliver(out, [{"url": "/1"}], append=True)
    with closing(sqlite3.connect(out)) as opened:
        opened.execute("CREATE TRIGGER full BEFORE INSERT ON rows BEGIN SELECT RAISE(ROLLBACK, 'it is full'); END")
    with pytest.raises(UnfitRows, match="it is full"):
        deliver(out, [{"url": "/2"}], append=True)
    assert read(out) == [{"url": "/1"}]


def test_names_differ_by_the_case_of_letters_that_are_not_ascii(tmp_path: Path) -> None:
    out = tmp_path / "rows.sqlite"
    deliver(out, [{"É": 1, "A": 1}], append=True)
    deliver(out, [{"é": 2, "a": 2}], append=True)
    assert read(out) == [{"É": 1, "A": 1, "é": None}, {"É": None, "A": 2, "é": 2}]


def test_what_is_no_database_is_reported_beforehand_and_left_as_it_is(tmp_path: Path) -> None:
    out = tmp_path / "notes.db"
    out.write_text("not a database, but what somebody wrote\n" * 40)
    with pytest.raises(UnfitRows, match="is no SQLite file that rows can be added to"):
        Delivery(out, append=True).check()
    with pytest.raises(OSError, match="rows can't be added to"):
        deliver(out, [{"a": 1}], append=True)
    assert out.read_text().startswith("not a database")


def test_a_folder_of_such_a_name_is_a_folder(tmp_path: Path) -> None:
    (tmp_path / "rows.db").mkdir()
    assert deliver(tmp_path / "rows.db", [MUG]) == ["rows.json", "scraper.py"]


def test_a_file_that_is_no_table_is_written_as_it_is(tmp_path: Path) -> None:
    written = Delivery(tmp_path / "rows.sqlite")(ATTEMPT, "print()", {"rows.json": b"{"}, False)
    assert [Path(path).name for path in written] == ["rows.unverified.json", "scraper.py"]


VALUES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.lists(st.integers())


@given(st.lists(st.dictionaries(st.text(max_size=4), VALUES, max_size=4), max_size=4))
def test_any_rows_fit(rows: list[dict[str, Any]]) -> None:
    with closing(sqlite3.connect(":memory:")) as opened:
        kind = kind_of(Path("rows.sqlite"))
        assert kind is not None
        if any(rows):
            opened.deserialize(kind.content(rows))
            (count,) = opened.execute(f"SELECT count(*) FROM {database.TABLE}").fetchone()
            assert count == len(rows)
