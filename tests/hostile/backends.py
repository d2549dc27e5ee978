"""The backends that every hostile program is run on. Another backend is one more line in BACKENDS."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, get_args

import pytest

from scrapewright.loop.ports import Job, Limits, Ran, Report, SandboxUnavailable
from scrapewright.sandboxes import bwrap
from scrapewright.sandboxes.local import LocalSandbox, choose_local
from scrapewright.sandboxes.spawn import Kind
from scrapewright.session.events import AnyTick
from scrapewright.web.page import ByteStream, Connect

BACKENDS: tuple[Kind, ...] = get_args(Kind)

QUICK = Limits(seconds=5.0, disk=16 << 20)


@functools.cache
def absence(kind: Kind) -> str:
    """Why a backend can't be had on this host, or nothing. Asked once for the process, by a real start."""
    if kind == "bwrap" and bwrap.find() is None:
        return "bubblewrap is not installed"

    async def ask() -> None:
        await (await choose_local(kind)).close()

    try:
        with ThreadPoolExecutor(1) as other:  # a test's own event loop may be running in this thread
            other.submit(lambda: asyncio.run(ask())).result()
    except SandboxUnavailable as error:
        return str(error)
    return ""


@pytest.fixture(scope="module", params=BACKENDS)
def backend(request: pytest.FixtureRequest) -> Kind:
    """Each backend in turn; skipped, with the host's reason, where it can't be had."""
    kind: Kind = request.param
    if reason := absence(kind):
        pytest.skip(reason)
    return kind


@pytest.fixture
async def sandbox(backend: Kind) -> AsyncIterator[LocalSandbox]:
    """A sandbox that starts quickly: nothing is imported ahead, and no spare is kept."""
    local = LocalSandbox(backend, preload=(), spare=False)
    yield local
    await local.close()


class Runs(Protocol):
    """What runs a job."""

    async def run(self, job: Job, connect: Connect, report: Report) -> Ran: ...


async def no_web(stream: ByteStream) -> None:
    """Takes no connection."""
    stream.close()


def unheard(tick: AnyTick) -> None:
    """Drops ticks."""


async def run(sandbox: Runs, code: str, *argv: str, limits: Limits = QUICK, recorder: bool = False) -> Ran:
    """One program's record."""
    job = Job(code=code, argv=argv, limits=limits, recorder=recorder)
    return await sandbox.run(job, no_web, unheard)
