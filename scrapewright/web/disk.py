"""A diskcache that holds bytes under text keys and nothing else: a pickle is an error, in and out."""

from __future__ import annotations

from typing import Any

import diskcache
from diskcache.core import MODE_BINARY, MODE_RAW, UNKNOWN


class NotBytes(TypeError):
    """A row that is no plain bytes: a mistake of ours on the way in, tampering or corruption on the way out."""


class BytesDisk(diskcache.Disk):  # type: ignore[misc]  # diskcache has no types
    """diskcache pickles whatever it does not know; unpickling is running code that somebody else may have written, so
    this refuses both ways.
    """

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
        found = super().fetch(mode, filename, value, read)
        if type(found) is not bytes and not (read and mode == MODE_BINARY):
            raise NotBytes("the store holds a row that is not bytes")
        return found
