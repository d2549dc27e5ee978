"""Reads requests in a thread: the reader takes half a second to load, and is loaded after the first paint."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable

from scrapewright.query.reading import Reading

_loaded = threading.Event()
_loading = threading.Lock()


def load() -> None:
    """Loads the reader's modules. Blocks; to be called in a thread."""
    with _loading:
        if not _loaded.is_set():
            import scrapewright.query.correct
            import scrapewright.query.read
            import scrapewright.query.summary  # noqa: F401  # loaded, not used here

            _loaded.set()


def loaded() -> bool:
    """Whether the reader's modules are loaded, so that reading is fast."""
    return _loaded.is_set()


def read(text: str) -> Reading:
    """The reading of a request. Blocks as long as it takes, which at the first time is long."""
    load()
    from scrapewright.query.read import read_request

    return read_request(text.encode("utf-8", "replace").decode())


class QueryReader:
    """Reads the newest text in a thread and passes the reading on; texts that are outdated by then are skipped."""

    def __init__(self, take: Callable[[Reading], None]) -> None:
        self._take = take
        self._wanted: str | None = None
        self._task: asyncio.Task[None] | None = None

    def want(self, text: str) -> None:
        """Schedules a text; an earlier one that is not read yet is dropped."""
        self._wanted = text
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._read(), name="reader")

    @property
    def busy(self) -> bool:
        """Whether the last text is still being read."""
        return self._task is not None and not self._task.done()

    def close(self) -> None:
        """Cancels what is being read."""
        if self._task is not None:
            self._task.cancel()

    async def _read(self) -> None:
        while (text := self._wanted) is not None:
            query = await asyncio.to_thread(read, text)
            if self._wanted == text:
                self._wanted = None
                self._take(query)
