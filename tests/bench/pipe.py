"""The pipe: job to first line, requests in turn, one large body; and the memory that unread streams cost."""

from __future__ import annotations

import asyncio
import statistics
import sys
import time
from pathlib import Path

from scrapewright.loop.ports import Job, Limits, Ran, SandboxUnavailable
from scrapewright.sandboxes.choose import choose
from scrapewright.session.events import AnyTick
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


def unheard(tick: AnyTick) -> None:
    """Drops ticks."""


async def run(sandbox: AnySandbox, code: str, recorder: bool = True) -> Ran:
    await sandbox.prepare(LIMITS)
    ran = await sandbox.run(Job(code=code, limits=LIMITS, recorder=recorder), serve, unheard)
    assert ran.result.status == "ok", ran.result.stderr.text
    return ran


async def first_line(sandbox: AnySandbox, recorder: bool) -> float:
    """Milliseconds from the call to the program's first line, a spare being ready; the median of RUNS."""
    taken = []
    for _ in range(RUNS):
        await sandbox.prepare(LIMITS)
        began = time.time()
        ran = await sandbox.run(Job(code=FIRST_LINE, limits=LIMITS, recorder=recorder), serve, unheard)
        taken.append((float(ran.result.stdout.text) - began) * 1000)
    return statistics.median(taken)


def resident(field: str) -> float:
    """MB of this process, from the kernel."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(field))


async def measure(backend: Backend) -> None:
    await (await choose(backend.name)).sandbox.close()
    sandbox = await backend.make(spare=False)  # the next one's start would be measured, too
    try:
        print(f"pipe, {sandbox.name}")
        print(f"  job to first line, recorder on   {await first_line(sandbox, True):8.2f} ms")
        print(f"  job to first line, recorder off  {await first_line(sandbox, False):8.2f} ms")
        print(f"  100 requests.get, each           {float((await run(sandbox, GETS)).result.stdout.text):8.2f} ms")
        print(f"  one body of 50 MiB               {float((await run(sandbox, BODY)).result.stdout.text):8.0f} MB/s")
        for name in ("UNREAD", "FLOOD"):
            before = resident("VmRSS:")
            ran = await run(sandbox, getattr(programs_web, name))
            each = float(ran.result.stdout.text) * 1000
            print(
                f"  a GET beside streams of {name:8} {each:8.2f} ms, host's peak +{resident('VmHWM:') - before:.0f} MB"
            )
    finally:
        await sandbox.close()


def main() -> None:
    for backend in BACKENDS:
        try:
            asyncio.run(measure(backend))
        except SandboxUnavailable as error:
            print(f"{backend}: {error}", file=sys.stderr)


if __name__ == "__main__":
    main()
