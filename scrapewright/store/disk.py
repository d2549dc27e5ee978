"""The store's caches: bytes under text keys, flushed at every write."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import diskcache
from diskcache.core import MODE_RAW

from scrapewright.web.disk import BytesDisk, NotBytes

__all__ = ["NotBytes", "open_cache", "read_all"]


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


def read_all(cache: diskcache.Cache) -> list[tuple[str, bytes | None]]:
    """All keys with their values, in one statement: asking for ten thousand rows one by one takes seconds.

    None stands for a value that is not in the row itself (a large one has a file) or that is no bytes: `cache.get`
    says what it is.
    """
    statement = "SELECT key, mode, value FROM Cache WHERE raw = 1"
    return [
        (key, bytes(value) if mode == MODE_RAW and isinstance(value, bytes) else None)
        for key, mode, value in cache._sql(statement)
        if isinstance(key, str)
    ]
