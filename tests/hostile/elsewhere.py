"""A sandbox whose host process is another one: an ordinary user, for tests that themselves run as root, or one to kill.

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
from scrapewright.sandboxes import distributions, interpreter, spawn
from scrapewright.session.events import AnyTick, OutputPrinted
from scrapewright.web.page import ByteStream, Connect
from tests.hostile.backends import by_name

CHECKOUT = Path(__file__).resolve().parents[2]
USER = 0x7FFF0000


def command(code: str, *argv: str) -> list[str]:
    """Runs Python code as an ordinary user, on this environment and checkout, wherever only root can enter."""
    site = distributions.find()
    paths = {str(real) for real in interpreter.find().shown.values()} | {sys.prefix, str(CHECKOUT)}
    paths.add(os.path.dirname(os.path.realpath(sys.executable)))  # a virtual environment's python is a link to a link
    paths |= {str(place.parent) for name, place in site.entries.items() if "/" not in name}
    boot = f"import sys; sys.path.insert(0, {str(CHECKOUT)!r}); {code}"
    spec = {"uid": USER, "gid": USER, "expose": sorted(paths)}
    return [*spawn.launcher("drop_privileges", spec), sys.executable, "-B", "-c", boot, *argv]


class Elsewhere:
    """A sandbox of one kind, as tests use it: run and close. Programs get no web."""

    def __init__(self, name: str) -> None:
        self._process = subprocess.Popen(
            command("from tests.hostile.elsewhere import serve; serve()", name),
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
    asyncio.run(_serve(sys.argv[1]))


async def _serve(name: str) -> None:
    sandbox = await by_name(name).make(preload=(), spare=False)
    while line := await asyncio.to_thread(sys.stdin.buffer.readline):
        ran = await sandbox.run(msgspec.json.decode(line, type=Job), _no_web, _ignore_ticks)
        sys.stdout.buffer.write(msgspec.json.encode(ran) + b"\n")
        sys.stdout.buffer.flush()
    await sandbox.close()


async def _no_web(stream: ByteStream) -> None:
    stream.close()


def _ignore_ticks(tick: AnyTick) -> None:
    """Drops ticks."""


def spin() -> None:
    """A host process in the middle of a run: prints the numbers of all it has started, then waits to be killed."""
    asyncio.run(_spin(sys.argv[1]))


async def _spin(name: str) -> None:
    backend = by_name(name)
    sandbox = await backend.make(preload=())
    running: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def on_tick(tick: AnyTick) -> None:
        if isinstance(tick, OutputPrinted) and not running.done():
            running.set_result(None)

    await sandbox.prepare(Job(code="").limits)
    run = asyncio.create_task(sandbox.run(Job(code=DAEMON), _no_web, on_tick))
    await asyncio.wait([run, running], return_when=asyncio.FIRST_COMPLETED)
    if run.done():
        print(json.dumps(repr(run.result())), flush=True)
        return
    print(json.dumps(sorted(backend.processes())), flush=True)
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
