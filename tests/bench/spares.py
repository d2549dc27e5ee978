"""How long from "run" to the program's first line: with a spare ready, twenty runs back to back, and cold.

"Back to back" are runs of one second with nothing between them; "empty" ones end at once, and so wait for the next
sandbox to be started: that is what a spare can't help with. A plain `docker run --rm` of the same image that imports
the same libraries is measured beside them.

The clock is the kernel's monotonic one, which is the same inside: the program prints it as the first thing it does
after importing what scrapers import. All is measured in one run, in turns, so the ratios hold where the figures do not.
"""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import sys
import time

from scrapewright.loop.ports import Job
from scrapewright.sandboxes.choose import Prefer, choose
from scrapewright.sandboxes.docker import image
from scrapewright.session.events import AnyTick
from scrapewright.web.page import ByteStream
from tests.bench.load import load
from tests.hostile.backends import BACKENDS, AnySandbox, Backend

RUNS = 20
PROGRAM = "import requests, bs4, pandas, time\nprint(time.monotonic_ns())\n"
SCRAPE = PROGRAM + "time.sleep(1)\n"
"""A run as long as a small scrape takes, so that the next spare has the time it has in a session."""


async def no_web(stream: ByteStream) -> None:
    stream.close()


def ignore_ticks(tick: AnyTick) -> None:
    """Drops ticks."""


async def first_line(sandbox: AnySandbox, program: str = PROGRAM) -> float:
    """Seconds from the call to the program's first line."""
    job = Job(code=program, recorder=False)
    began = time.monotonic_ns()
    ran = await sandbox.run(job, no_web, ignore_ticks)
    if ran.result.status != "ok":
        raise RuntimeError(f"{ran.result.status}: {ran.result.note} {ran.result.stderr.text}")
    return (int(ran.result.stdout.text) - began) / 1e9


def plain_run() -> float:
    """The same of a container that the docker command starts, with nothing of ours around the program."""
    code = f"import sys; sys.path.append('/site')\n{PROGRAM}"
    python = ["--entrypoint", "/usr/bin/python3", image.tag(), "-I", "-S", "-B", "-c", code]
    began = time.monotonic_ns()
    done = subprocess.run(["docker", "run", "--rm", "--network", "none", *python], capture_output=True, check=True)
    return (int(done.stdout) - began) / 1e9


Figures = dict[str, list[float]]
"""Seconds to the first line, by way of starting."""


async def in_turns(backends: list[Backend], runs: int) -> tuple[dict[Prefer, Figures], list[float]]:
    """Each backend with a spare ready and cold, and plain containers, one after the other, again and again."""
    figures: dict[Prefer, Figures] = {backend.name: {"spare ready": [], "cold": []} for backend in backends}
    plain: list[float] = []
    limits = Job(code="").limits
    warm = {backend.name: await backend.make() for backend in backends}
    cold = {backend.name: await backend.make(spare=False) for backend in backends}
    try:
        for _ in range(runs):
            for name, found in figures.items():
                await warm[name].prepare(limits)
                found["spare ready"].append(await first_line(warm[name]))
                # The next spare is on its way: let it arrive, or the cold start would be measured beside it.
                await warm[name].prepare(limits)
                found["cold"].append(await first_line(cold[name]))
            plain.append(plain_run())
    finally:
        for sandbox in (*warm.values(), *cold.values()):
            await sandbox.close()
    return figures, plain


async def back_to_back(backend: Backend, runs: int) -> Figures:
    """Runs in a row, from a spare that is ready."""
    sandbox = await backend.make()
    try:
        figures: Figures = {}
        for name, program in (("back to back", SCRAPE), ("back to back, empty", PROGRAM)):
            await sandbox.prepare(Job(code="").limits)
            figures[name] = [await first_line(sandbox, program) for _ in range(runs)]
        return figures
    finally:
        await sandbox.close()


async def measure(backends: list[Backend], runs: int) -> None:
    for backend in backends:
        await (await choose(backend.name)).sandbox.close()
    print(f"from run to the program's first line, medians of {runs}, {load()}; times as fast as a cold start and as")
    found, plain = await in_turns(backends, runs)
    usual = statistics.median(plain)
    print(f"docker run --rm, {usual * 1e3:.1f} ms (worst {max(plain) * 1e3:.1f})", flush=True)
    for backend in backends:
        figures = {**found[backend.name], **await back_to_back(backend, runs)}
        cold = statistics.median(figures["cold"])
        print(backend)
        for name, seconds in figures.items():
            median = statistics.median(seconds)
            print(
                f"  {name:<19} {median * 1e3:8.1f} ms   worst {max(seconds) * 1e3:8.1f} ms   "
                f"{cold / median:6.1f}x  {usual / median:6.1f}x",
                flush=True,
            )
    print(load())


def main() -> None:
    """Raises SandboxUnavailable where a backend can't be had: half a comparison is none."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    asyncio.run(measure(list(BACKENDS), runs))


if __name__ == "__main__":
    main()
