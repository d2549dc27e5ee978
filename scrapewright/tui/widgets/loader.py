"""Reads and lays out in a thread what is too large for the event loop; the last request wins."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Event
from typing import Any

KEPT = 6


class Loader:
    """Keeps a few results by key. Asking for another key makes what is still being worked out give up.

    `then` is called on the loop when something that was asked for is there.
    """

    def __init__(self, start: Callable[[Any], object], then: Callable[[], None]) -> None:
        self._start = start
        self._then = then
        self._done: OrderedDict[Hashable, Any] = OrderedDict()
        self._wanted: Hashable = None
        self._quit = Event()

    def get(self, key: Hashable, work: Callable[[Callable[[], bool]], Any], *, quick: bool = False) -> tuple[bool, Any]:
        """(True, the result) or (False, None) while it is being worked out.

        `work` is given a function that says whether somebody still waits; what it returns then is dropped, and where it
        fails the result is None. `quick` work is done at once.
        """
        if key in self._done:
            self._done.move_to_end(key)
            return True, self._done[key]
        if quick:
            self._keep(key, _tried(work, lambda: True))
            return True, self._done[key]
        if key != self._wanted:
            self._quit.set()
            self._wanted, self._quit = key, Event()
            self._start(self._load(key, work, self._quit))
        return False, None

    async def _load(self, key: Hashable, work: Callable[[Callable[[], bool]], Any], quit_: Event) -> None:
        try:
            result = await asyncio.to_thread(_tried, work, lambda: not quit_.is_set())
        except asyncio.CancelledError:
            quit_.set()
            raise
        if quit_.is_set():
            return
        self._wanted = None
        self._keep(key, result)
        self._then()

    def stop(self) -> None:
        """Nobody waits any more."""
        self._quit.set()
        self._wanted = None

    def _keep(self, key: Hashable, result: Any) -> None:
        self._done[key] = result
        while len(self._done) > KEPT:
            self._done.popitem(last=False)


def _tried(work: Callable[[Callable[[], bool]], Any], wanted: Callable[[], bool]) -> Any:
    """The result, None where it can't be had: a file of any shape, a store that is gone."""
    try:
        return work(wanted)
    except Exception:
        return None
