"""Rows in a SQLite file, with their types: a new file, or added to the table of one that is there, by a key."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from scrapewright.session.sanitize import well_formed

SUFFIXES = frozenset({".sqlite", ".sqlite3", ".db"})
TABLE = "rows"
_PATIENCE = 30.0
"""Seconds to wait for another process that writes to the file."""
_TYPES: dict[frozenset[type], str] = {
    frozenset(): "TEXT", frozenset({str}): "TEXT", frozenset({int}): "INTEGER", frozenset({float}): "REAL",
    frozenset({int, float}): "REAL", frozenset({bool}): "BOOLEAN",
}  # fmt: skip

Row = Mapping[str, Any]


def is_database(path: Path) -> bool:
    """Whether results that go there go into a database, by its name; a folder of such a name is a folder."""
    return path.suffix.lower() in SUFFIXES and not path.is_dir()


def check(path: Path) -> None:
    """Raises OSError where the file is there and rows can't be added to it."""
    if not path.exists():
        return
    try:
        with closing(sqlite3.connect(path, timeout=_PATIENCE)) as database:
            database.execute("SELECT count(*) FROM sqlite_master")
            with path.open("r+b"):
                pass
    except sqlite3.Error as error:
        raise OSError(f"{path} is no SQLite file that rows can be added to: {error}") from error


def new_database(rows: Sequence[Row]) -> bytes:
    """The content of a new file: none where there are no columns. Raises OSError where SQLite can't hold the rows."""
    if not any(rows):
        return b""
    try:
        with closing(sqlite3.connect(":memory:", isolation_level=None)) as database:
            _add(database, rows, "")
            return database.serialize()
    except sqlite3.Error as error:
        raise OSError(f"SQLite can't hold the rows: {error}") from error


def append(path: Path, rows: Sequence[Row], key: str = "") -> None:
    """Adds all rows or none to the file's table; both are made where they are not there. With a `key` a row takes the
    place of the one that has its value in that column. Columns that the table lacks are added to it.

    Raises OSError: no database, a row without a key, a table in which the key is not unique.
    """
    was_there = path.exists()
    try:
        with closing(sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)) as database:
            database.execute("BEGIN IMMEDIATE")
            try:
                _add(database, rows, key)
                database.execute("COMMIT")
            except BaseException:
                database.execute("ROLLBACK")
                raise
    except (sqlite3.Error, ValueError) as error:
        if not was_there:
            path.unlink(missing_ok=True)
        raise OSError(f"rows can't be added to {path}: {error}") from error


def _add(database: sqlite3.Connection, rows: Sequence[Row], key: str) -> None:
    """Raises sqlite3.Error, ValueError."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    names = dict(zip(columns, _distinct(columns), strict=True))
    if key and (lacking := sum(row.get(key) in (None, "") for row in rows)):
        raise ValueError(f"{lacking} of {len(rows)} rows have no {key}, which is the key")
    declared = {names[column]: _type_of(row.get(column) for row in rows) for column in columns}
    there = [name for _, name, *_ in database.execute(f"PRAGMA table_info({TABLE})")]
    if not columns:
        return
    if not there:
        listed = ", ".join(f"{_quoted(name)} {kind}" for name, kind in declared.items())
        database.execute(f"CREATE TABLE {TABLE} ({listed})")
    else:
        known = {name.casefold() for name in there}
        for name, kind in declared.items():
            if name.casefold() not in known:
                database.execute(f"ALTER TABLE {TABLE} ADD COLUMN {_quoted(name)} {kind}")
    update = ""
    if key:
        by = _quoted(names[key])
        database.execute(f"CREATE UNIQUE INDEX IF NOT EXISTS {_quoted(f'key {key}')} ON {TABLE} ({by})")
        others = ", ".join(f"{_quoted(name)} = excluded.{_quoted(name)}" for name in names.values())
        update = f" ON CONFLICT ({by}) DO UPDATE SET {others}"
    into = ", ".join(map(_quoted, names.values()))
    marks = ", ".join("?" * len(columns))
    insert = f"INSERT INTO {TABLE} ({into}) VALUES ({marks}){update}"
    database.executemany(insert, [[_value(row.get(column)) for column in columns] for row in rows])


def _distinct(columns: Iterable[str]) -> list[str]:
    """Names that differ as SQLite compares them: without regard to case, and none is empty."""
    taken: set[str] = set()
    found = []
    for column in columns:
        base = name = well_formed(column).replace("\0", "") or "column"
        number = 1
        while name.casefold() in taken:
            number += 1
            name = f"{base}_{number}"
        taken.add(name.casefold())
        found.append(name)
    return found


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _type_of(values: Iterable[Any]) -> str:
    """The column's declared type; none where its values are of several types, which SQLite keeps as they are."""
    return _TYPES.get(frozenset(type(_value(value)) for value in values if value is not None), "")


def _value(value: Any) -> Any:
    """As SQLite holds it: lists and objects as JSON, whole numbers of more than 64 bits as text."""
    if isinstance(value, list | dict):
        return json.dumps(well_formed(value), ensure_ascii=False)
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
        return str(value)
    return well_formed(value) if isinstance(value, str) else value
