"""How long from "run" to the program's first line: with a spare ready, twenty runs back to back, and cold.

"Back to back" are runs of one second with nothing between them; "empty" ones end at once, and so wait for the next
sandbox to be started: that is what a spare can't help with. For containers a plain `docker run --rm` of the same image
that imports the same libraries stands beside them.

The clock is the kernel's monotonic one, which is the same inside: the program prints it as the first thing it does
after importing what scrapers import. All is measured in one run, in turns, so the ratios hold where the figures do not.
"""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import sys
import time

from scrapewright.loop.ports import Job, SandboxUnavailable
from scrapewright.sandboxes.choose import choose
from scrapewright.sandboxes.docker import image
from scrapewright.session.events import AnyTick
from scrapewright.web.page import ByteStream
from tests.hostile.backends import BACKENDS, AnySandbox, Backend

RUNS = 20
PROGRAM = "import requests, bs4, pandas, time\nprint(time.monotonic_ns())\n"
SCRAPE = PROGRAM + "time.sleep(1)\n"
"""A run as long as a small scrape takes, so that the next spare has the time it has in a session."""


async def no_web(stream: ByteStream) -> None:
    stream.close()


def unheard(tick: AnyTick) -> None:
    """Drops ticks."""


async def first_line(sandbox: AnySandbox, program: str = PROGRAM) -> float:
    """Seconds from the call to the program's first line."""
    job = Job(code=program, recorder=False)
    began = time.monotonic_ns()
    ran = await sandbox.run(job, no_web, unheard)
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


async def measure(backend: Backend, runs: int = RUNS) -> dict[str, list[float]]:
    """Seconds to the first line, by way of starting."""
    await (await choose(backend.name)).sandbox.close()
    figures: dict[str, list[float]] = {"spare ready": [], "back to back": [], "back to back, empty": [], "cold": []}
    if backend.name == "docker":
        figures["docker run --rm"] = []
    warm, cold = await backend.make(), await backend.make(spare=False)
    try:
        for _ in range(runs):
            await warm.prepare(Job(code="").limits)
            figures["spare ready"].append(await first_line(warm))
            # The next spare is on its way: let it arrive, or the cold start would be measured beside it.
            await warm.prepare(Job(code="").limits)
            figures["cold"].append(await first_line(cold))
            if "docker run --rm" in figures:
                figures["docker run --rm"].append(plain_run())
        for name, program in (("back to back", SCRAPE), ("back to back, empty", PROGRAM)):
            await warm.prepare(Job(code="").limits)
            for _ in range(runs):
                figures[name].append(await first_line(warm, program))
    finally:
        await warm.close()
        await cold.close()
    return figures


def lines(backend: Backend, figures: dict[str, list[float]]) -> list[str]:
    """The figures as text, each with its ratio to the cold start: for containers that of a plain docker run."""
    slowest = "docker run --rm" if "docker run --rm" in figures else "cold"
    cold = statistics.median(figures[slowest])
    shown = [f"{backend}: from run to the program's first line, medians of {len(figures['cold'])}; ratios to {slowest}"]
    for name, seconds in figures.items():
        median = statistics.median(seconds)
        shown.append(
            f"  {name:<19} {median * 1e3:8.1f} ms   worst {max(seconds) * 1e3:8.1f} ms   {cold / median:6.1f}x"
        )
    return shown


def main() -> int:
    """Prints the figures of each backend. Exit status 1 where none could be measured."""
    measured = 0
    for backend in BACKENDS:
        try:
            print("\n".join(lines(backend, asyncio.run(measure(backend)))), flush=True)
            measured += 1
        except SandboxUnavailable as error:
            print(f"{backend}: {error}", file=sys.stderr)
    return 0 if measured else 1


if __name__ == "__main__":
    sys.exit(main())
