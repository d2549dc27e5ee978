"""Rows on disk: bytes and nothing else, and whatever SQLite or the disk has against it is an OSError."""

from __future__ import annotations

import pickle
import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import diskcache
import pytest
from diskcache.core import MODE_BINARY

from scrapewright.web.disk import BytesStore, NotBytes


@pytest.fixture
def rows(tmp_path: Path) -> Iterator[BytesStore]:
    with BytesStore(tmp_path / "rows", flush=True) as rows:
        rows.set("old", b"1", tag="s")
        yield rows


WRITES: dict[str, Callable[[BytesStore], object]] = {
    "set": lambda rows: rows.set("a", b"x"),
    "add": lambda rows: rows.add("a", b"x"),
    "delete": lambda rows: rows.delete("old"),
    "evict": lambda rows: rows.evict("s"),
}
READS: dict[str, Callable[[BytesStore], object]] = {
    "get": lambda rows: rows.get("old"),
    "open": lambda rows: rows.open("old"),
    "in": lambda rows: "old" in rows,
    "items": lambda rows: rows.items(),
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_a_database_that_has_become_read_only_is_reported_and_not_tried_for_ever(
    rows: BytesStore, write: Callable[[BytesStore], object]
) -> None:
    rows._rows._sql("PRAGMA query_only = ON")
    with pytest.raises(OSError, match=r"rows: .*readonly"):
        write(rows)
    with pytest.raises(OSError, match="readonly"), rows.transaction():
        write(rows)
    rows._rows._sql("PRAGMA query_only = OFF")
    assert rows.get("old") == b"1"


@pytest.mark.parametrize("read", READS.values(), ids=READS)
def test_a_damaged_database_is_reported(rows: BytesStore, read: Callable[[BytesStore], object]) -> None:
    rows._rows._sql("DROP TABLE Cache")
    with pytest.raises(OSError, match="no such table"):
        read(rows)


def test_what_is_no_database_is_reported(tmp_path: Path) -> None:
    (tmp_path / "cache.db").write_bytes(b"no database" * 500)
    with pytest.raises(OSError, match="not a database; with that folder moved away"):
        BytesStore(tmp_path, flush=True)


def test_a_full_disk_leaves_no_half_of_a_large_value(rows: BytesStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def fill(self: object, path: str, pieces: Iterator[bytes], *_: object) -> int:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_bytes(next(iter(pieces))[:100])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(diskcache.Disk, "_write", fill)
    with pytest.raises(OSError, match="No space left"):
        rows.set("large", b"x" * 100_000)
    assert list(rows.path.rglob("*.val")) == []
    assert rows.get("large") is None


def test_a_transaction_is_all_or_nothing(rows: BytesStore) -> None:
    with suppress(RuntimeError), rows.transaction():
        rows.set("a", b"x")
        raise RuntimeError
    assert "a" not in rows
    with rows.transaction():
        rows.set("a", b"x")
        rows.delete("old")
    assert [key for key, _ in rows.items()] == ["a"]


def test_nothing_is_pickled_in_or_out(rows: BytesStore) -> None:
    for key, value in (("a", "text"), ("a", 1), ("a", {"a": 1}), (("a", 1), b"x"), (b"a", b"x")):
        with pytest.raises(NotBytes):
            rows.set(key, value)  # type: ignore[arg-type]
    fired = threading.Event()

    class Bomb:
        def __reduce__(self) -> tuple[object, ...]:
            return (fired.set, ())

    with pytest.raises(NotBytes):
        rows.set("b", Bomb())  # type: ignore[arg-type]
    connection = sqlite3.connect(rows.path / "cache.db")
    connection.execute("UPDATE Cache SET mode = 4, value = ? WHERE key = 'old'", (pickle.dumps([1]),))
    connection.execute(
        "INSERT INTO Cache(key, raw, store_time, mode, value) VALUES (?, 0, 0, 1, ?)", (pickle.dumps("k"), b"x")
    )
    connection.commit()
    connection.close()
    for read in (rows.get, rows.open):
        with pytest.raises(NotBytes, match="pickled"):
            read("old")
    assert rows.items() == [("old", None)]
    assert not fired.is_set()


def test_many_can_open_a_new_folder_at_the_same_time(tmp_path: Path) -> None:
    together = threading.Barrier(8)

    def opened(number: int) -> int:
        together.wait(30)
        with BytesStore(tmp_path / str(number // 8), flush=True) as rows:
            rows.set(str(number), b"x")
        return number

    with ThreadPoolExecutor(8) as pool:
        for folder in range(4):
            assert list(pool.map(opened, range(8 * folder, 8 * folder + 8)))
    for folder in range(4):
        with BytesStore(tmp_path / str(folder), flush=True) as rows:
            assert all(str(number) in rows for number in range(8 * folder, 8 * folder + 8))


def test_the_oldest_rows_go_where_there_are_too_many_bytes(tmp_path: Path) -> None:
    with BytesStore(tmp_path, flush=False, at_most=200_000) as rows:
        for number in range(200):
            rows.set(str(number), bytes(4_000))
    with BytesStore(tmp_path, flush=False, at_most=200_000) as rows:
        left = [number for number in range(200) if str(number) in rows]
    assert left[-1] == 199
    assert left[0] > 100


def test_a_row_whose_file_has_no_name_is_damaged(tmp_path: Path) -> None:
    with BytesStore(tmp_path / "rows", flush=False) as store:
        store.set("a", b"1")
        store._rows._sql("UPDATE Cache SET mode = ?, filename = NULL", (MODE_BINARY,))
        with pytest.raises(NotBytes, match="no name"):
            store.get("a")
