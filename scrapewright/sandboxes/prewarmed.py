"""The base of sandboxes that keep a spare started: a run takes it, the next starts meanwhile, `close` ends all."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Hashable
from typing import Generic, Protocol, TypeVar

from scrapewright.loop.ports import Job, Limits, Ran, Report, SandboxUnavailable
from scrapewright.sandboxes.instance import SandboxInstance
from scrapewright.sandboxes.spares import IDLE, Spares, Startable
from scrapewright.web.page import Connect

__all__ = ["IDLE", "PrewarmedSandbox"]

_REFILL_DELAY = 0.05


class StartedSandbox(Startable, Protocol):
    """A started sandbox with its instance."""

    @property
    def box(self) -> SandboxInstance: ...


K = TypeVar("K", bound=Hashable)
S = TypeVar("S", bound=StartedSandbox)


class PrewarmedSandbox(ABC, Generic[K, S]):
    """Runs programs with one spare kept ready. To be used from one event loop's thread.

    A backend says what a start depends on (`_key`) and how to start (`_start`, as Spares wants it). `spare=False`
    starts a sandbox when it is needed and not before, for one who runs a single program.
    """

    def __init__(self, *, spare: bool, idle: float) -> None:
        self._spare = spare
        self._spares: Spares[K, S] = Spares(self._start, idle=idle)

    @abstractmethod
    def _key(self, limits: Limits) -> K: ...

    @abstractmethod
    async def _start(self, key: K) -> S: ...

    async def prepare(self, limits: Limits) -> None:
        """Gets a spare ready, if there is none. Raises SandboxUnavailable."""
        await self._spares.prepare(self._key(limits))

    async def run(self, job: Job, connect: Connect, report: Report) -> Ran:
        """Runs the job in the spare, or in a new sandbox where none is ready, and starts the next spare meanwhile.

        Always a result, whatever the program does. Cancelled, it kills the sandbox before the cancellation goes on.
        Raises SandboxUnavailable where none could be started.
        """
        key = self._key(job.limits)
        spare = await self._spares.take(key)
        # Started a little later: the fork and the imports would take time from the program's own start.
        refill = asyncio.get_running_loop().call_later(_REFILL_DELAY, self._refill, key)
        try:
            try:
                return await spare.box.run(job, connect, report)
            except SandboxUnavailable:
                # Gone, or paused, before it took the job: nothing of the program has run.
                await spare.kill()
                spare = await self._spares.take(key)
                return await spare.box.run(job, connect, report)
        finally:
            refill.cancel()
            await spare.kill()
            self._refill(key)

    async def close(self) -> None:
        """Ends the spares. No process is left afterwards."""
        await self._spares.close()

    def _refill(self, key: K) -> None:
        if self._spare:
            self._spares.refill(key)
