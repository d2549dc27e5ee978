"""Ending tasks so that nothing of them is left."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

T = TypeVar("T")


async def cancelled(task: asyncio.Future[T]) -> None:
    """Ends a task and waits for its end, whatever that is."""
    if not task.done():
        task.cancel()
        await asyncio.wait({task})
    if not task.cancelled():
        task.exception()


async def to_the_end(work: Awaitable[T]) -> T:
    """Sees it through even if the caller is cancelled meanwhile; the cancellation is raised afterwards."""
    task = asyncio.ensure_future(work)
    stopped: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError as error:
            if task.cancelled():
                raise
            stopped = error
        except Exception:
            break
    if stopped is not None:
        raise stopped
    return task.result()


@asynccontextmanager
async def held(take: Callable[[], T], give_back: Callable[[T], object]) -> AsyncIterator[T]:
    """What `take` gets in a thread, given back in one at the end, also where the caller is cancelled meanwhile: a
    thread can't be stopped, and what it takes after that nobody would give back.
    """
    taken: list[T] = []

    async def taking() -> None:
        taken.append(await asyncio.to_thread(take))

    try:
        await to_the_end(taking())
        yield taken[0]
    finally:
        for thing in taken:
            await to_the_end(asyncio.to_thread(give_back, thing))
