"""How long from "run" to the program's first line: with a spare ready, twenty runs back to back, and cold.

"Back to back" are runs of one second with nothing between them; "empty" ones end at once, and so wait for the next
sandbox to be started: that is what a spare can't help with.

The clock is the kernel's monotonic one, which is the same inside: the program prints it as the first thing it does
after importing what scrapers import. All is measured in one run, in turns, so the ratios hold where the figures do not.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import time

from scrapewright.loop.ports import Job, SandboxUnavailable
from scrapewright.sandboxes.local import LocalSandbox, choose_local
from scrapewright.sandboxes.spawn import KINDS, Kind
from scrapewright.session.events import AnyTick
from scrapewright.web.page import ByteStream

RUNS = 20
PROGRAM = "import requests, bs4, pandas, time\nprint(time.monotonic_ns())\n"
SCRAPE = PROGRAM + "time.sleep(1)\n"
"""A run as long as a small scrape takes, so that the next spare has the time it has in a session."""


async def no_web(stream: ByteStream) -> None:
    stream.close()


def unheard(tick: AnyTick) -> None:
    """Drops ticks."""


async def first_line(sandbox: LocalSandbox, program: str = PROGRAM) -> float:
    """Seconds from the call to the program's first line."""
    job = Job(code=program, recorder=False)
    began = time.monotonic_ns()
    ran = await sandbox.run(job, no_web, unheard)
    if ran.result.status != "ok":
        raise RuntimeError(f"{ran.result.status}: {ran.result.note} {ran.result.stderr.text}")
    return (int(ran.result.stdout.text) - began) / 1e9


async def measure(kind: Kind, runs: int = RUNS) -> dict[str, list[float]]:
    """Seconds to the first line, by way of starting."""
    first = await choose_local(kind)
    await first.close()
    figures: dict[str, list[float]] = {"spare ready": [], "back to back": [], "back to back, empty": [], "cold": []}
    warm, cold = LocalSandbox(kind), LocalSandbox(kind, spare=False)
    try:
        for _ in range(runs):
            await warm.prepare(Job(code="").limits)
            figures["spare ready"].append(await first_line(warm))
            # The next spare is on its way: let it arrive, or the cold start would be measured beside it.
            await warm.prepare(Job(code="").limits)
            figures["cold"].append(await first_line(cold))
        for name, program in (("back to back", SCRAPE), ("back to back, empty", PROGRAM)):
            await warm.prepare(Job(code="").limits)
            for _ in range(runs):
                figures[name].append(await first_line(warm, program))
    finally:
        await warm.close()
        await cold.close()
    return figures


def lines(kind: Kind, figures: dict[str, list[float]]) -> list[str]:
    """The figures as text, each with its ratio to the cold start."""
    cold = statistics.median(figures["cold"])
    shown = [f"{kind}: from run to the program's first line, medians of {len(figures['cold'])}"]
    for name, seconds in figures.items():
        median = statistics.median(seconds)
        shown.append(
            f"  {name:<19} {median * 1e3:8.1f} ms   worst {max(seconds) * 1e3:8.1f} ms   {cold / median:6.1f}x"
        )
    return shown


def main() -> int:
    """Prints the figures of each kind. Exit status 1 where none could be measured."""
    measured = 0
    for kind in KINDS:
        try:
            print("\n".join(lines(kind, asyncio.run(measure(kind)))), flush=True)
            measured += 1
        except SandboxUnavailable as error:
            print(f"{kind}: {error}", file=sys.stderr)
    return 0 if measured else 1


if __name__ == "__main__":
    sys.exit(main())
