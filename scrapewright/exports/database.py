"""Rows in a SQLite file, with their types: a new file, or added to the table of one that is there, by a key."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from scrapewright.errors import UnfitRows
from scrapewright.exports.table import columns_of
from scrapewright.session.sanitize import well_formed

TABLE = "rows"
_PATIENCE = 30.0
"""Seconds to wait for another process that writes to the file."""
OTHER_FILE = "name another file with --out"
OTHER_KEY = "take them out, or name another column with --key, or another file with --out"
_TYPES: dict[frozenset[type], str] = {
    frozenset({str}): "TEXT", frozenset({int}): "INTEGER", frozenset({float}): "REAL",
    frozenset({int, float}): "REAL", frozenset({bool}): "BOOLEAN",
}  # fmt: skip

Row = Mapping[str, Any]


def check(path: Path, key: str = "") -> None:
    """Raises OSError where a file that is there can't be written now, UnfitRows where rows can't be added to it."""
    if not path.exists():
        return
    try:
        with closing(sqlite3.connect(path, timeout=_PATIENCE)) as database:
            there = _columns(database)
            with path.open("r+b"):
                pass
            (name,) = distinct_names([key])
            if key and folded(name) in there:
                by = quoted(name)
                shared = f"SELECT 1 FROM {TABLE} WHERE {by} IS NOT NULL GROUP BY {by} HAVING count(*) > 1 LIMIT 1"
                if database.execute(shared).fetchone():
                    raise UnfitRows(f"{path}: {shared_key(key)}", OTHER_KEY)
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise OSError(f"{path} is open in another process that writes to it: let that end first") from error
        raise UnfitRows(f"{path} is no SQLite file that rows can be added to: {error}", OTHER_FILE) from error


def write(path: Path, rows: Sequence[Row]) -> None:
    """Writes a new file. Raises OSError where SQLite can't hold the rows."""
    try:
        append(path, rows)
    except UnfitRows as error:
        raise OSError(str(error)) from error


def append(path: Path, rows: Sequence[Row], key: str = "") -> None:
    """Adds all rows or none to the file's table; both are made where they are not there. With a `key` a row takes the
    place of the one that has its value in that column. Columns that the table lacks are added to it.

    Raises OSError: no database, no room. Raises UnfitRows: a row without a key, a key that is not unique, a value
    that its column's type would change.
    """
    was_there = path.exists()
    try:
        with closing(sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)) as database:
            database.execute("BEGIN IMMEDIATE")
            try:
                _add(database, rows, key)
                database.execute("COMMIT")
            except BaseException:
                if database.in_transaction:  # SQLite has ended it where the disk is full
                    database.execute("ROLLBACK")
                raise
    except (sqlite3.Error, UnfitRows) as error:
        if not was_there:
            path.unlink(missing_ok=True)
        why = f"rows can't be added to {path}: {error}"
        if isinstance(error, UnfitRows):
            raise UnfitRows(why, error.advice) from error
        if isinstance(error, sqlite3.IntegrityError):
            raise UnfitRows(why, "name that column with --key, or another file with --out") from error
        raise OSError(why) from error


def _add(database: sqlite3.Connection, rows: Sequence[Row], key: str) -> None:
    """Raises sqlite3.Error, UnfitRows."""
    columns = columns_of(rows)
    names = dict(zip(columns, distinct_names(columns), strict=True))
    check_key(rows, key)
    declared = {names[column]: _type_of(row.get(column) for row in rows) for column in columns}
    there = _columns(database)
    if not columns:
        return
    if not there:
        listed = ", ".join(f"{quoted(name)} {kind}" for name, kind in declared.items())
        database.execute(f"CREATE TABLE {TABLE} ({listed})")
    else:
        for name, kind in declared.items():
            if folded(name) not in there:
                database.execute(f"ALTER TABLE {TABLE} ADD COLUMN {quoted(name)} {kind}")
    into = ", ".join(map(quoted, names.values()))
    marks = ", ".join("?" * len(columns))
    insert = f"INSERT INTO {TABLE} ({into}) VALUES ({marks})"
    if key:
        by = quoted(names[key])
        try:
            database.execute(f"CREATE UNIQUE INDEX IF NOT EXISTS {quoted(f'key {key}')} ON {TABLE} ({by})")
        except sqlite3.IntegrityError as error:
            raise UnfitRows(shared_key(key), OTHER_KEY) from error
        others = ", ".join(f"{quoted(name)} = excluded.{quoted(name)}" for name in names.values())
        insert += f" ON CONFLICT ({by}) DO UPDATE SET {others}"
    counts: Counter[Any] = Counter()
    for row in rows:
        values = [_value(row.get(column)) for column in columns]
        ((*stored,),) = database.execute(f"{insert} RETURNING {into}", values).fetchall()
        for name, value, kept in zip(names.values(), values, stored, strict=True):
            was = there.get(folded(name))
            if was is not None and not _is_kept(value, kept):
                raise UnfitRows(changed(name, was, value, kept), OTHER_FILE)
        if key:
            counts[stored[columns.index(key)]] += 1  # as SQLite compares them
    if twice := sum(count for count in counts.values() if count > 1):
        raise UnfitRows(
            f"{twice} of {len(rows)} rows have a {key} that another row has: it is no key of them", "name another --key"
        )


def check_key(rows: Sequence[Row], key: str) -> None:
    """Raises UnfitRows where a row has no value in the column that is the key."""
    if key and (lacking := sum(row.get(key) in (None, "") for row in rows)):
        raise UnfitRows(f"{lacking} of {len(rows)} rows have no {key}, which is the key", "name another --key")


def _columns(database: sqlite3.Connection) -> dict[bytes, str]:
    """The declared types of the table's columns by their folded names; none where it is not there."""
    return {folded(name): kind for _, name, kind, *_ in database.execute(f"PRAGMA table_info({TABLE})")}


def _is_kept(value: Any, stored: Any) -> bool:
    """Whether what a column made of a value still says the same: a number's text does, 7 in place of '007' does not."""
    if isinstance(stored, str) and isinstance(value, int | float):
        return float(stored) == value
    return bool(stored == value) or str(stored) == value or (value != value and stored is None)


def changed(name: str, kind: str, value: object, stored: object) -> str:
    return f"{name} has the type {kind} in it, which would make {stored!r} of {value!r}"


def shared_key(key: str) -> str:
    return f"rows that are there already share a {key}"


def folded(name: str) -> bytes:
    """A name as SQLite compares it: without regard to the case of ASCII letters alone."""
    return name.encode().lower()


def distinct_names(columns: Iterable[str]) -> list[str]:
    """Names that differ as SQLite compares them, and none is empty."""
    taken: set[bytes] = set()
    found = []
    for column in columns:
        base = name = well_formed(column).replace("\0", "") or "column"
        number = 1
        while folded(name) in taken:
            number += 1
            name = f"{base}_{number}"
        taken.add(folded(name))
        found.append(name)
    return found


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _type_of(values: Iterable[Any]) -> str:
    """The column's declared type; none where it has no value yet, or has values of several types: SQLite then keeps
    each as it is."""
    return _TYPES.get(frozenset(type(_value(value)) for value in values if value is not None), "")


def _value(value: Any) -> Any:
    """As SQLite holds it: lists and objects as JSON, whole numbers of more than 64 bits as text."""
    if isinstance(value, list | dict):
        return json.dumps(well_formed(value), ensure_ascii=False)
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
        return str(value)
    return well_formed(value) if isinstance(value, str) else value
