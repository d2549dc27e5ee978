"""The tunnel under load: streams that nobody reads or that never stop delay no other and cost one window each."""

from __future__ import annotations

import asyncio
import resource
from pathlib import Path

import pytest

from scrapewright.loop.ports import Job, Limits, Ran
from tests.hostile import programs_web as programs
from tests.hostile.backends import AnySandbox, Backend, backend, ignore_ticks, sandbox
from tests.hostile.processes import stat
from tests.unit.sandboxes_helpers import serve

__all__ = ["backend", "sandbox"]

LIMITS = Limits(seconds=20.0, memory=1 << 30)
MEMORY = 64 << 20


async def run(sandbox: AnySandbox, code: str) -> Ran:
    ran = await sandbox.run(Job(code=code, limits=LIMITS), serve, ignore_ticks)
    assert ran.result.status == "ok", (ran.result.stderr.text[-2000:], ran.result.note)
    return ran


def peak(pid: int) -> int:
    """Bytes that the process has held at most."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) << 10
    return 0


class Watch:
    """The peak memory of the supervisor, the program's parent: looked at while it lives."""

    def __init__(self, family: set[tuple[int, str]]) -> None:
        self.first = 0
        self.peak = 0
        self._family = {pid for pid, _ in family}

    def _supervisor(self) -> int:
        """The one whose child has none: launchers above it have one child each."""
        parents = {pid: found[0] for pid in self._family if (found := stat(pid)) is not None}
        childless = set(parents) - set(parents.values())
        assert len(childless) == 1, parents
        return parents[childless.pop()]

    async def follow(self) -> None:
        supervisor = self._supervisor()
        self.first = peak(supervisor)
        while True:
            try:
                self.peak = max(self.peak, peak(supervisor))
            except OSError:
                return
            await asyncio.sleep(0.02)


@pytest.mark.parametrize("name", ["UNREAD", "FLOOD"])
async def test_other_requests_go_on(sandbox: AnySandbox, backend: Backend, name: str) -> None:
    before_it = backend.processes()
    await sandbox.prepare(LIMITS)
    watch = Watch(backend.processes() - before_it)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    follower = asyncio.create_task(watch.follow())
    ran = await run(sandbox, getattr(programs, name))
    follower.cancel()
    assert float(ran.result.stdout.text) < 0.25
    host = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before << 10
    assert watch.first > 0
    assert host < MEMORY
    assert watch.peak - watch.first < MEMORY
    if name == "FLOOD":
        assert ran.result.stderr.bytes == 20 << 20


async def test_more_connections_than_streams(sandbox: AnySandbox) -> None:
    assert (await run(sandbox, programs.MANY_STREAMS)).result.stdout.text == "100\n"


async def test_sixteen_threads_with_pandas(sandbox: AnySandbox) -> None:
    ran = await run(sandbox, programs.THREADS)
    assert ran.result.stdout.text == f"{sum(range(1000, 1064))} 40000\n"


@pytest.mark.every_backend
async def test_what_the_program_sends_arrives_whole(sandbox: AnySandbox) -> None:
    assert (await run(sandbox, programs.UPLOAD)).result.stdout.text == f"{16 << 20}\n"
