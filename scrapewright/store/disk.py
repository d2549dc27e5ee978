"""The store's caches: bytes under text keys, flushed at every write."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import diskcache

from scrapewright.web.disk import BytesDisk, NotBytes

__all__ = ["NotBytes", "open_cache"]


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
