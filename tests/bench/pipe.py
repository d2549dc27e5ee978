"""The pipe: job to first line, requests in turn, one large body; and the memory that unread streams cost.

Requests and body are measured beside the same program and server without a sandbox: what the way through the pipe
costs.
"""

from __future__ import annotations

import asyncio
import os
import statistics
import sys
import time
from asyncio.subprocess import PIPE
from pathlib import Path

from scrapewright.loop.ports import Job, Limits, Ran
from scrapewright.sandboxes.choose import choose
from scrapewright.session.events import AnyTick
from tests.bench.load import load
from tests.hostile import programs_web
from tests.hostile.backends import BACKENDS, AnySandbox, Backend
from tests.unit.sandboxes_helpers import serve

LIMITS = Limits(seconds=60.0)
RUNS = 20

FIRST_LINE = "import time\nprint(time.time())\n"

GETS = """
import time, requests
requests.get("http://shop.test/bytes/1000")
began = time.perf_counter()
for _ in range(100):
    assert len(requests.get("http://shop.test/bytes/1000").content) == 1000
print((time.perf_counter() - began) * 10)
"""

BODY = """
import time, os, socket
connection = socket.create_connection(("127.0.0.1", int(os.environ["http_proxy"].rpartition(":")[2])))
began = time.perf_counter()
connection.sendall(b"GET http://shop.test/bytes/52428800 HTTP/1.1\\r\\n\\r\\n")
buffer = bytearray(1 << 20)
total = 0
while count := connection.recv_into(buffer):
    total += count
assert total > 52428800
print(52.4288 / (time.perf_counter() - began))
"""


def ignore_ticks(tick: AnyTick) -> None:
    """Drops ticks."""


async def run(sandbox: AnySandbox, code: str, recorder: bool = True) -> Ran:
    await sandbox.prepare(LIMITS)
    ran = await sandbox.run(Job(code=code, limits=LIMITS, recorder=recorder), serve, ignore_ticks)
    assert ran.result.status == "ok", ran.result.stderr.text
    return ran


async def first_line(sandbox: AnySandbox, recorder: bool) -> float:
    """Milliseconds from the call to the program's first line, a spare being ready; the median of RUNS."""
    taken = []
    for _ in range(RUNS):
        await sandbox.prepare(LIMITS)
        began = time.time()
        ran = await sandbox.run(Job(code=FIRST_LINE, limits=LIMITS, recorder=recorder), serve, ignore_ticks)
        taken.append((float(ran.result.stdout.text) - began) * 1000)
    return statistics.median(taken)


def resident(field: str) -> float:
    """MB of this process, from the kernel."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(field))


class Direct:
    """A connection of this machine's in a sandbox's connection's place."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def read(self) -> bytes:
        return await self._reader.read(64 << 10)

    async def write(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()

    def waited(self, seconds: float) -> None:
        """There is no limit to put off."""

    def close(self) -> None:
        self._writer.close()


async def without_sandbox(code: str) -> float:
    """What the program prints, run as a plain process."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await serve(Direct(reader, writer))
        except ConnectionError:
            pass

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    environ = {**os.environ, "http_proxy": f"http://127.0.0.1:{port}", "no_proxy": ""}
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", code, stdout=PIPE, env=environ)
    out, _ = await process.communicate()
    server.close()
    assert process.returncode == 0
    return float(out)


async def measure(backend: Backend) -> None:
    await (await choose(backend.name)).sandbox.close()
    sandbox = await backend.make(spare=False)  # the next one's start would be measured, too

    async def figure(code: str) -> float:
        return float((await run(sandbox, code)).result.stdout.text)

    try:
        print(f"pipe, {sandbox.name}, {load()}")
        off, on = await first_line(sandbox, False), await first_line(sandbox, True)
        print(f"  job to first line, recorder off  {off:8.2f} ms")
        print(f"  job to first line, recorder on   {on:8.2f} ms    {on / off:5.2f}x")
        plain, through = [await without_sandbox(GETS) for _ in range(3)], [await figure(GETS) for _ in range(3)]
        each, usual = statistics.median(through), statistics.median(plain)
        print(f"  100 requests.get, each           {each:8.2f} ms    {each / usual:5.2f}x the time without a sandbox")
        plain, through = [await without_sandbox(BODY) for _ in range(3)], [await figure(BODY) for _ in range(3)]
        rate, usual = statistics.median(through), statistics.median(plain)
        print(f"  one body of 50 MiB               {rate:8.0f} MB/s  {rate / usual:5.2f}x the speed without a sandbox")
        for name in ("UNREAD", "FLOOD"):
            before = resident("VmRSS:")
            beside = await figure(getattr(programs_web, name)) * 1000
            grown = max(resident("VmHWM:") - before, 0.0)
            print(f"  a GET beside streams of {name:8} {beside:8.2f} ms    host's peak +{grown:.0f} MB", flush=True)
    finally:
        await sandbox.close()


def main() -> None:
    """Raises SandboxUnavailable where a backend can't be had."""
    for backend in BACKENDS:
        asyncio.run(measure(backend))


if __name__ == "__main__":
    main()
