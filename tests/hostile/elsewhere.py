"""A local sandbox whose host process is an ordinary user, for tests that themselves run as root.

`Elsewhere` starts this file as a process of its own through the project's launcher, which gives up root, and hands it
jobs: one JSON line with a job in, one with the run's record out.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec

from scrapewright.loop.ports import Job, Ran
from scrapewright.sandboxes import dists, interpreter, spawn
from scrapewright.sandboxes.local import LocalSandbox
from scrapewright.sandboxes.spawn import Kind
from scrapewright.session.events import AnyTick, OutputPrinted
from scrapewright.web.page import ByteStream, Connect

CHECKOUT = Path(__file__).resolve().parents[2]
USER = 0x7FFF0000


def command(code: str, *argv: str) -> list[str]:
    """Runs Python code as an ordinary user, on this environment and checkout, wherever only root can enter."""
    site = dists.find()
    paths = {str(real) for real in interpreter.find().shown.values()} | {sys.prefix, str(CHECKOUT)}
    paths.add(os.path.dirname(os.path.realpath(sys.executable)))  # a virtual environment's python is a link to a link
    paths |= {str(place.parent) for name, place in site.entries.items() if "/" not in name}
    boot = f"import sys; sys.path.insert(0, {str(CHECKOUT)!r}); {code}"
    spec = {"uid": USER, "gid": USER, "expose": sorted(paths)}
    return [*spawn.launcher("drop", spec), sys.executable, "-B", "-c", boot, *argv]


class Elsewhere:
    """A sandbox of one kind, as tests use it: run and close. Programs get no web."""

    def __init__(self, kind: Kind) -> None:
        self._process = subprocess.Popen(
            command("from tests.hostile.elsewhere import serve; serve()", kind),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={"PATH": "/usr/local/bin:/usr/bin:/bin"},
        )

    async def run(self, job: Job, connect: Connect, report: Any) -> Ran:
        return await asyncio.to_thread(self.ask, job)

    def ask(self, job: Job) -> Ran:
        """One run's record. Raises RuntimeError where the other process failed."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(msgspec.json.encode(job) + b"\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the host process ended with {self._process.wait()}")
        return msgspec.json.decode(line, type=Ran)

    def close(self) -> None:
        """Ends the process and waits for it."""
        self._process.communicate(timeout=30)


def serve() -> None:
    """The other process: runs what comes in on stdin until its end."""
    assert os.geteuid() != 0
    kind: Kind = sys.argv[1]  # type: ignore[assignment]
    asyncio.run(_serve(kind))


async def _serve(kind: Kind) -> None:
    local = LocalSandbox(kind, preload=(), spare=False)
    while line := await asyncio.to_thread(sys.stdin.buffer.readline):
        ran = await local.run(msgspec.json.decode(line, type=Job), _no_web, _unheard)
        sys.stdout.buffer.write(msgspec.json.encode(ran) + b"\n")
        sys.stdout.buffer.flush()
    await local.close()


async def _no_web(stream: ByteStream) -> None:
    stream.close()


def _unheard(tick: AnyTick) -> None:
    """Drops ticks."""


def spin() -> None:
    """A host process in the middle of a run: prints the numbers of all it has started, then waits to be killed."""
    asyncio.run(_spin(sys.argv[1]))  # type: ignore[arg-type]


async def _spin(kind: Kind) -> None:
    local = LocalSandbox(kind, preload=())
    running: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def heard(tick: AnyTick) -> None:
        if isinstance(tick, OutputPrinted) and not running.done():
            running.set_result(None)

    await local.prepare(Job(code="").limits)
    run = asyncio.create_task(local.run(Job(code=DAEMON), _no_web, heard))
    await asyncio.wait([run, running], return_when=asyncio.FIRST_COMPLETED)
    if run.done():
        print(json.dumps(repr(run.result())), flush=True)
        return
    print(json.dumps(sorted(descendants(os.getpid()))), flush=True)
    await run


DAEMON = """
import os, time
for _ in range(2):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(100)
        os._exit(0)
    os.wait()
print("up", flush=True)
while True:
    pass
"""


def descendants(pid: int) -> set[tuple[int, str]]:
    """The living processes below `pid`, each as its number and its start time."""
    parents: dict[int, tuple[int, str]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and (found := _stat(int(entry.name))) is not None:
            parents[int(entry.name)] = found
    below, before = {pid}, 0
    while len(below) != before:
        before = len(below)
        below |= {child for child, (parent, _) in parents.items() if parent in below}
    return {(child, parents[child][1]) for child in below - {pid}}


def living(processes: set[tuple[int, str]]) -> set[tuple[int, str]]:
    """Those of the processes that still run: neither gone, nor ended and waiting for their parent to notice."""
    return {(pid, start) for pid, start in processes if (found := _stat(pid)) is not None and found[1] == start}


def _stat(pid: int) -> tuple[int, str] | None:
    """Parent and start time, or None where the process has ended."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    fields = text.rpartition(")")[2].split()
    return None if fields[0] in "ZX" else (int(fields[1]), fields[19])
