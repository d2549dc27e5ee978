"""Ending tasks, processes and threads without leaving anything behind."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import TypeVar

T = TypeVar("T")

_COMMAND_PATIENCE = 3.0
"""Seconds that an editor has to save what it saves and to leave the terminal as it was."""
_THREADS_PATIENCE = 2.0
"""Seconds that threads have to finish after everything else was cleaned up."""


async def cancel_and_wait(task: asyncio.Future[T]) -> None:
    """Ends a task and waits for its end, whatever that is."""
    if not task.done():
        task.cancel()
        await asyncio.wait({task})
    if not task.cancelled():
        task.exception()


async def run_to_completion(work: Awaitable[T]) -> T:
    """Completes the work even if the caller is cancelled meanwhile; the cancellation is raised afterwards."""
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


async def run_in_foreground(words: Sequence[str]) -> int:
    """The exit code of a command that has the terminal until it ends, which it does with the caller's task at the
    latest. Raises OSError where it can't be started.
    """
    process = await asyncio.create_subprocess_exec(*words)
    try:
        return await process.wait()
    finally:
        await run_to_completion(_ended(process))


async def _ended(process: asyncio.subprocess.Process) -> None:
    if process.returncode is not None:
        return
    with suppress(ProcessLookupError):
        process.terminate()
        try:
            await asyncio.wait_for(process.wait(), _COMMAND_PATIENCE)
        except TimeoutError:
            process.kill()
            await process.wait()


async def exit_despite_threads(code: int) -> None:
    """Called last in a process that is to end: where a thread still works (on a large page), the process exits here
    with this exit code. No thread can be stopped, and asyncio would wait for it.
    """
    waiting = asyncio.create_task(asyncio.get_running_loop().shutdown_default_executor())
    _, late = await asyncio.wait({waiting}, timeout=_THREADS_PATIENCE)
    if late:
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        os._exit(code)


@asynccontextmanager
async def acquired_in_thread(take: Callable[[], T], give_back: Callable[[T], object]) -> AsyncIterator[T]:
    """What `take` gets in a thread, given back in one at the end, also where the caller is cancelled meanwhile: a
    thread can't be stopped, and what it takes after that nobody would give back.
    """
    taken: list[T] = []

    async def taking() -> None:
        taken.append(await asyncio.to_thread(take))

    try:
        await run_to_completion(taking())
        yield taken[0]
    finally:
        for thing in taken:
            await run_to_completion(asyncio.to_thread(give_back, thing))
