"""A diskcache that holds bytes under text keys and nothing else: a pickle is an error, in and out."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import diskcache
from diskcache.core import MODE_PICKLE, UNKNOWN


class NotBytes(TypeError):
    """A row that is no plain bytes: a mistake of ours on the way in, tampering or corruption on the way out."""


class BytesDisk(diskcache.Disk):  # type: ignore[misc]  # diskcache has no types
    """diskcache pickles whatever it does not know; unpickling is running code, so this refuses both ways."""

    def put(self, key: Any) -> tuple[Any, bool]:
        if type(key) is not str:
            raise NotBytes(f"a key must be str, not {type(key).__name__}")
        return key, True

    def get(self, key: Any, raw: bool) -> Any:
        if not raw or type(key) is not str:
            raise NotBytes("the store holds a key that is not text")
        return key

    def store(self, value: Any, read: bool, key: Any = UNKNOWN) -> Any:
        if read or type(value) is not bytes:
            raise NotBytes(f"a value must be bytes, not {type(value).__name__}")
        return super().store(value, read, key=key)

    def fetch(self, mode: int, filename: str | None, value: Any, read: bool) -> Any:
        if mode == MODE_PICKLE:
            raise NotBytes("the store holds a pickled row; it was not written by scrapewright")
        found = super().fetch(mode, filename, value, read)
        if type(found) is not bytes:
            raise NotBytes("the store holds a row that is not bytes")
        return found


def open_cache(path: Path) -> diskcache.Cache:
    """A cache that never evicts, flushed to disk at every write. Raises OSError where the folder can't be written."""
    path.mkdir(parents=True, exist_ok=True)
    try:
        return diskcache.Cache(
            str(path),
            disk=BytesDisk,
            eviction_policy="none",
            cull_limit=0,
            statistics=0,
            tag_index=1,
            sqlite_synchronous=2,
        )
    except sqlite3.Error as error:
        raise OSError(f"{path}: {error}") from error
