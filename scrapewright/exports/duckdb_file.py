"""Rows in a DuckDB file, with their types: a new file, or added to the table of one that is there, by a key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapewright.errors import UnfitRows
from scrapewright.exports.database import (
    OTHER_FILE,
    OTHER_KEY,
    TABLE,
    changed,
    check_key,
    distinct_names,
    folded,
    quoted,
    shared_key,
)
from scrapewright.exports.rows import Row, stored_text
from scrapewright.exports.table import columns_of
from scrapewright.session.sanitize import well_formed

if TYPE_CHECKING:
    import duckdb

_TYPES: dict[frozenset[type], str] = {
    frozenset(): "VARCHAR", frozenset({int}): "BIGINT", frozenset({float}): "DOUBLE",
    frozenset({int, float}): "DOUBLE", frozenset({bool}): "BOOLEAN", frozenset({date}): "DATE",
    frozenset({datetime}): "TIMESTAMP",
}  # fmt: skip
_OFFLINE: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
}
"""DuckDB would otherwise fetch extensions by itself."""


def check(path: Path, key: str = "") -> None:
    """Raises OSError where a file that is there can't be written, UnfitRows where rows can't be added to it."""
    if not path.exists():
        return
    with path.open("r+b"):
        pass
    with _opened(path) as database:
        _check_shared(database, key, f"{path}: ")


def write(path: Path, rows: Sequence[Row]) -> None:
    """Writes a new file. Raises OSError."""
    append(path, rows)


def append(path: Path, rows: Sequence[Row], key: str = "") -> None:
    """Adds all rows or none to the file's table; both are made where they are not there. With a `key` a row takes the
    place of the one that has its value in that column. Columns that the table lacks are added to it.

    Raises OSError: no room, another process has the file. Raises UnfitRows: no DuckDB file, a row without a key, a key
    that is not unique, a value that the column's type can't hold.
    """
    import duckdb

    was_there = path.exists()
    try:
        with _opened(path) as database:
            database.execute("BEGIN")
            _add(database, rows, key)
            database.execute("COMMIT")
    except duckdb.ConversionException as error:
        raise UnfitRows(f"rows can't be added to {path}: {_line(error)}", OTHER_FILE) from error
    except duckdb.Error as error:
        raise OSError(f"rows can't be added to {path}: {_line(error)}") from error
    except UnfitRows as error:
        raise UnfitRows(f"rows can't be added to {path}: {error}", error.advice) from error
    finally:
        if not was_there and path.exists() and not path.stat().st_size:
            path.unlink()


@contextmanager
def _opened(path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Raises OSError where another process has it, UnfitRows where it is no DuckDB file."""
    import duckdb

    try:
        database = duckdb.connect(str(path), config=_OFFLINE)
    except duckdb.Error as error:
        if "Could not set lock" in str(error):
            raise OSError(f"{path} is open in another process, which DuckDB does not allow") from error
        raise UnfitRows(f"{path} is no DuckDB file that rows can be added to: {_line(error)}", OTHER_FILE) from error
    try:
        yield database
    finally:
        database.close()


def _add(database: duckdb.DuckDBPyConnection, rows: Sequence[Row], key: str) -> None:
    columns = columns_of(rows)
    check_key(rows, key)
    if not columns:
        return
    names = dict(zip(columns, distinct_names(columns), strict=True))
    values = [{names[column]: _value(row.get(column)) for column in columns} for row in rows]
    kinds = {name: _type_of(row[name] for row in values) for name in names.values()}
    there = _columns(database)
    listed = ", ".join(f"{quoted(name)} {kind}" for name, kind in kinds.items())
    if not there:
        database.execute(f"CREATE TABLE {TABLE} ({listed})")
    for name, kind in kinds.items():
        if there and folded(name) not in there:
            database.execute(f"ALTER TABLE {TABLE} ADD COLUMN {quoted(name)} {kind}")
    database.execute(f"CREATE TEMP TABLE added ({listed})")
    texts = {name for name, kind in kinds.items() if kind == "VARCHAR"}
    database.executemany(
        f"INSERT INTO added VALUES ({', '.join('?' * len(names))})",
        [[stored_text(value) if name in texts else value for name, value in row.items()] for row in values],
    )
    _fit(database, kinds, there)
    into = ", ".join(map(quoted, names.values()))
    if not key:
        database.execute(f"INSERT INTO {TABLE} ({into}) SELECT {into} FROM added")
        return
    by = quoted(names[key])
    _check_shared(database, names[key])
    if twice := _count(database, f"SELECT sum(n) FROM (SELECT count(*) n FROM added GROUP BY {by}) WHERE n > 1"):
        what = f"{twice} of {len(rows)} rows have a {key} that another row has: it is no key of them"
        raise UnfitRows(what, "name another --key")
    changes = ", ".join(f"{name} = added.{name}" for name in map(quoted, names.values()) if name != by)
    same = f"{TABLE}.{by} = added.{by}"
    if changes:
        database.execute(f"UPDATE {TABLE} SET {changes} FROM added WHERE {same}")
    fresh = f"NOT EXISTS (SELECT 1 FROM {TABLE} WHERE {same})"
    database.execute(f"INSERT INTO {TABLE} ({into}) SELECT {into} FROM added WHERE {fresh}")


def _check_shared(database: duckdb.DuckDBPyConnection, key: str, where: str = "") -> None:
    """Raises UnfitRows where rows of the table share a value of the key."""
    (name,) = distinct_names([key])
    if not key or folded(name) not in _columns(database):
        return
    by = quoted(name)
    shared = f"SELECT count(*) FROM (SELECT 1 FROM {TABLE} WHERE {by} IS NOT NULL GROUP BY {by} HAVING count(*) > 1)"
    if _count(database, shared):
        raise UnfitRows(where + shared_key(key), OTHER_KEY)


def _count(database: duckdb.DuckDBPyConnection, question: str) -> int:
    found = database.execute(question).fetchone()
    return int(found[0] or 0) if found else 0


def _columns(database: duckdb.DuckDBPyConnection) -> dict[bytes, str]:
    """The types of the table's columns by their folded names; none where it is not there."""
    asked = (
        "SELECT column_name, data_type FROM duckdb_columns() "
        "WHERE table_name = ? AND schema_name = 'main' AND NOT internal"
    )
    return {folded(name): kind for name, kind in database.execute(asked, [TABLE]).fetchall()}


def _fit(database: duckdb.DuckDBPyConnection, kinds: Mapping[str, str], there: Mapping[bytes, str]) -> None:
    """A column of the table that has no value yet takes the type of those that are added, and whole numbers become
    numbers with decimals where these have some. Raises UnfitRows where a type would change a value: DuckDB rounds.
    """
    for name, kind in kinds.items():
        column, was = quoted(name), there.get(folded(name), kind)
        if was == kind or not _count(database, f"SELECT count({column}) FROM added"):
            continue
        wide = f"SELECT count(*) FROM {TABLE} WHERE {column} NOT BETWEEN -(1::BIGINT << 53) AND (1::BIGINT << 53)"
        if not _count(database, f"SELECT count({column}) FROM {TABLE}") or (
            (was, kind) == ("BIGINT", "DOUBLE") and not _count(database, wide)
        ):
            database.execute(f"ALTER TABLE {TABLE} ALTER COLUMN {column} TYPE {kind}")
            continue
        made = f"CAST({column} AS {was})"
        lossy = f"SELECT {column}, {made} FROM added WHERE CAST({made} AS {kind}) IS DISTINCT FROM {column} LIMIT 1"
        if found := database.execute(lossy).fetchone():
            raise UnfitRows(changed(name, was, *found), OTHER_FILE)


def _type_of(values: Iterable[Any]) -> str:
    """The column's type; text where values are of several types."""
    given = [value for value in values if value is not None]
    if given and all(isinstance(value, list) for value in given):
        return "VARCHAR[]" if all(isinstance(item, str) for value in given for item in value) else "VARCHAR"
    return _TYPES.get(frozenset(map(type, given)), "VARCHAR")


def _value(value: Any) -> Any:
    """As DuckDB holds it: objects as JSON, whole numbers of more than 64 bits as text."""
    if isinstance(value, dict):
        return stored_text(value)
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
        return str(value)
    return well_formed(value) if isinstance(value, str | list) else value


def _line(error: Exception) -> str:
    return str(error).partition("\n")[0]
