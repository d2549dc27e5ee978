"""Sandboxes started ahead of need. Each is used once; the next is started after one has been handed out.

The start of a sandbox (process, namespaces, imports) takes a few hundred milliseconds, and nothing of it depends on the
program. Knows nothing of what is started, so any backend can use it.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Hashable
from functools import lru_cache
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from scrapewright.loop.ports import SandboxUnavailable

IDLE = 600.0
"""Seconds that a spare waits before it is ended: it holds some 50 MB."""


class Startable(Protocol):
    """A started sandbox, waiting for its job."""

    @property
    def alive(self) -> bool: ...

    async def kill(self) -> None: ...


K = TypeVar("K", bound=Hashable)
S = TypeVar("S", bound=Startable)


class Spares(Generic[K, S]):
    """One spare a key. A key holds all that matters at the start: backend, Python, limits, the harness's digest.

    `start` gives a sandbox that is ready, or raises SandboxUnavailable; cancelled, it leaves nothing running.
    """

    def __init__(self, start: Callable[[K], Awaitable[S]], *, idle: float = IDLE) -> None:
        self._start = start
        self._idle = idle
        self._next: dict[K, asyncio.Task[S]] = {}
        self._timers: dict[K, asyncio.TimerHandle] = {}
        self._ending: set[asyncio.Task[None]] = set()
        self._closed = False

    def ready(self, key: K) -> bool:
        """Whether a spare waits now."""
        task = self._next.get(key)
        if task is None or not task.done():
            return False
        sandbox = _started(task)
        return sandbox is not None and sandbox.alive

    def refill(self, key: K) -> None:
        """Starts the next spare in the background, unless one is there or on its way. Its failure shows at `take`."""
        if self._closed or self.ready(key):
            return
        task = self._next.get(key)
        if task is not None and not task.done():
            return
        self._forget(key)
        task = asyncio.create_task(self._begin(key), name=f"spare {key}")
        task.add_done_callback(_retrieve)
        self._next[key] = task
        self._timers[key] = asyncio.get_running_loop().call_later(self._idle, self._forget, key)

    async def prepare(self, key: K) -> None:
        """Waits until a spare is ready. Raises SandboxUnavailable."""
        self._check()
        self.refill(key)
        task = self._next[key]
        await asyncio.shield(task)

    async def take(self, key: K) -> S:
        """The spare, or where there is none a new sandbox. The caller owns it and kills it.

        Raises SandboxUnavailable.
        """
        self._check()
        task = self._release(key)
        if task is not None:
            try:
                sandbox = await _owned(task)
            except SandboxUnavailable:
                pass  # started at another time, and that may have been why: the start below says how things are now
            else:
                if sandbox.alive:
                    return sandbox
                await sandbox.kill()
        return await _owned(asyncio.create_task(self._begin(key), name=f"sandbox {key}"))

    async def close(self) -> None:
        """Ends the spares, also those being started. Nothing is started after it."""
        self._closed = True
        for key in list(self._next):
            self._forget(key)
        while self._ending:
            await asyncio.gather(*self._ending, return_exceptions=True)

    async def _begin(self, key: K) -> S:
        return await self._start(key)

    def _check(self) -> None:
        if self._closed:
            raise SandboxUnavailable("The sandboxes have been closed.")

    def _release(self, key: K) -> asyncio.Task[S] | None:
        if (timer := self._timers.pop(key, None)) is not None:
            timer.cancel()
        return self._next.pop(key, None)

    def _forget(self, key: K) -> None:
        task = self._release(key)
        if task is None:
            return
        task.cancel()
        ending = asyncio.create_task(_end(task))
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)


async def _owned(task: asyncio.Task[S]) -> S:
    """The task's sandbox. Cancelled while waiting, it ends what the task has started."""
    try:
        return await task
    except asyncio.CancelledError:
        # The wait may have been cancelled in the same turn in which the task was done.
        task.cancel()
        await _end(task)
        raise


async def _end(task: asyncio.Task[S]) -> None:
    await asyncio.wait([task])
    sandbox = _started(task)
    if sandbox is not None:
        await sandbox.kill()


def _started(task: asyncio.Task[S]) -> S | None:
    return None if task.cancelled() or task.exception() is not None else task.result()


def _retrieve(task: asyncio.Task[S]) -> None:
    """Retrieves the failure of a spare that was never used, which asyncio would log otherwise."""
    if not task.cancelled():
        task.exception()


def digest(folder: Path) -> str:
    """The content of a folder's Python files as a short hex digest, the same wherever it lies."""
    files = sorted(folder.glob("*.py"))
    return _digest(tuple((str(file), file.stat().st_mtime_ns, file.stat().st_size) for file in files))


@lru_cache(maxsize=8)
def _digest(files: tuple[tuple[str, int, int], ...]) -> str:
    content = hashlib.sha256()
    for name, _, _ in files:
        data = Path(name).read_bytes()
        content.update(f"{Path(name).name} {len(data)}\n".encode() + data)
    return content.hexdigest()[:16]
