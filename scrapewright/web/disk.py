"""Bytes under text keys on disk, kept by diskcache: what sessions, the tape and kept replies of models are made of."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

import diskcache
from diskcache.core import MODE_BINARY, MODE_RAW, UNKNOWN


class NotBytes(ValueError):
    """A row that is not plain bytes: a defect of the caller when written, tampering or corruption when read."""


_PATIENCE = 10.0
"""Seconds in which a folder that others open at this moment can be opened."""


def _opened(path: Path, flush: bool, at_most: int) -> diskcache.Cache:
    """The cache in that folder. Those who open a new one at the same time lock each other out without waiting, as each
    makes the tables: SQLite sees a deadlock there. Raises sqlite3.Error."""
    bounds = {"eviction_policy": "none", "cull_limit": 0}
    if at_most:
        bounds = {"eviction_policy": "least-recently-stored", "cull_limit": 10, "size_limit": at_most}
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            return diskcache.Cache(
                str(path),
                disk=_BytesDisk,
                tag_index=1,
                sqlite_synchronous=2 if flush else 1,
                **bounds,
            )
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > end:
                raise
            time.sleep(0.02)


class BytesStore:
    """A folder of rows. Safe to use from several threads and several processes.

    Every method raises OSError where the disk or the database fails it (SQLite's own errors among them: a full disk, a
    damaged file), and NotBytes for a pickled row. `flush`: each commit reaches the platter before it returns, so that
    a power cut takes nothing; without, a killed process still loses nothing. `at_most`: bytes of which the oldest rows
    go when there are more; 0 keeps all.
    """

    def __init__(self, path: Path, *, flush: bool, at_most: int = 0) -> None:
        self.path = path
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        with self._disk_errors():
            self._rows = _opened(path, flush, at_most)
        self._rows.disk.flush = flush

    def close(self) -> None:
        self._rows.close()

    def __enter__(self) -> BytesStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __contains__(self, key: str) -> bool:
        with self._disk_errors():
            return key in self._rows

    def get(self, key: str) -> bytes | None:
        with self._disk_errors():
            found: bytes | None = self._rows.get(key)
            return found

    def open(self, key: str) -> bytes | BinaryIO | None:
        """The value as a file open for reading, where it has one of its own; a small one as bytes."""
        with self._disk_errors():
            found: bytes | BinaryIO | None = self._rows.get(key, read=True)
            return found

    def set(self, key: str, value: bytes, tag: str | None = None) -> None:
        with self._disk_errors():
            self._rows.set(key, value, tag=tag)

    def add(self, key: str, value: bytes, tag: str | None = None) -> bool:
        """False where the key is taken, and then nothing has changed."""
        with self._disk_errors():
            return bool(self._rows.add(key, value, tag=tag))

    def delete(self, key: str) -> None:
        with self._disk_errors():
            self._rows.delete(key)

    def evict(self, tag: str) -> None:
        """Removes every row of that tag."""
        with self._disk_errors():
            self._rows.evict(tag)

    def items(self) -> list[tuple[str, bytes | None]]:
        """All keys with their values, in one statement: asking for ten thousand rows one by one takes seconds.

        None stands for a value that is not in the row itself (a large one has a file) or is not bytes: `get` reads it.
        """
        with self._disk_errors():
            return [
                (key, bytes(value) if mode == MODE_RAW and isinstance(value, bytes) else None)
                for key, mode, value in self._rows._sql("SELECT key, mode, value FROM Cache WHERE raw = 1")
                if isinstance(key, str)
            ]

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """What happens inside is written together or not at all; other writers wait."""
        with self._disk_errors(), self._rows.transact():
            yield

    @contextmanager
    def _disk_errors(self) -> Iterator[None]:
        try:
            yield
        except diskcache.Timeout as error:
            # No write could begin: another has held the lock for a minute, or whatever SQLite said. diskcache's own
            # `retry` would go on for ever, also on a file system that has become read-only.
            reason: BaseException = error
            while reason.__context__ is not None:
                reason = reason.__context__
            raise OSError(f"{self.path}: {reason}") from error
        except sqlite3.Error as error:
            damaged = isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError)
            advice = "; with that folder moved away a new one is begun" if damaged else ""
            raise OSError(f"{self.path}: {error}{advice}") from error


class _BytesDisk(diskcache.Disk):  # type: ignore[misc]  # diskcache has no types
    """diskcache pickles whatever it does not know; unpickling is running code that somebody else may have written, so
    this refuses both ways.
    """

    flush = False

    def put(self, key: Any) -> tuple[Any, bool]:
        if type(key) is not str:
            raise NotBytes(f"a key must be str, not {type(key).__name__}")
        return key, True

    def get(self, key: Any, raw: bool) -> Any:
        if not raw or type(key) is not str:
            raise NotBytes("the store holds a pickled key, or one that is not text")
        return key

    def store(self, value: Any, read: bool, key: Any = UNKNOWN) -> Any:
        if read or type(value) is not bytes:
            raise NotBytes(f"a value must be bytes, not {type(value).__name__}")
        return super().store(value, read, key=key)

    def fetch(self, mode: int, filename: str | None, value: Any, read: bool) -> Any:
        """Bytes; with `read` a file open for reading where the row has one of its own."""
        if mode not in (MODE_RAW, MODE_BINARY):
            raise NotBytes("the store holds a pickled row; it was not written by scrapewright")
        if mode == MODE_BINARY and not isinstance(filename, str):
            raise NotBytes("the store holds a row whose file has no name")
        found = super().fetch(mode, filename, value, read)
        if type(found) is not bytes and not (read and mode == MODE_BINARY):
            raise NotBytes("the store holds a row that is not bytes")
        return found

    def _write(self, full_path: str, iterator: Iterator[bytes], mode: str, encoding: str | None = None) -> int:
        """A large value's own file: flushed like the rows, and gone where it could not be written whole."""
        try:
            size: int = super()._write(full_path, iterator, mode, encoding)
            if self.flush:
                with Path(full_path).open("rb") as file:
                    os.fsync(file.fileno())
        except OSError:
            with suppress(OSError):
                Path(full_path).unlink()
            raise
        return size
