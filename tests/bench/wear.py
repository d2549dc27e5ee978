"""Two hundred runs in a row on each backend: what of processes, containers, descriptors and memory has grown."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
from pathlib import Path

from scrapewright.loop.ports import SandboxUnavailable
from scrapewright.sandboxes.choose import choose
from tests.hostile.backends import BACKENDS, Backend, run

RUNS = 200
WARM_UP = 20
PROGRAM = "open('rows.csv', 'w').write('a,b\\n' * 1000)\nprint('x' * 10_000)\n"


def resident() -> float:
    """MB that this process holds now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGESIZE") / (1 << 20)


def counted(backend: Backend) -> tuple[int, int, int, float]:
    """Processes, what else is left of sandboxes, open descriptors, MB; no sandbox being open."""
    gc.collect()
    return len(backend.processes()), len(backend.remnants()), len(os.listdir("/proc/self/fd")), resident()


async def measure(backend: Backend, runs: int = RUNS) -> str:
    """One line: before, after, and the growth."""
    await (await choose(backend.name)).sandbox.close()
    before = None
    for count in (WARM_UP, runs):
        sandbox = await backend.make(preload=())
        try:
            for _ in range(count):
                ran = await run(sandbox, PROGRAM)
                if ran.result.status != "ok":
                    raise RuntimeError(f"{ran.result.status}: {ran.result.note}")
        finally:
            await sandbox.close()
        now = counted(backend)
        if before is not None:
            names = ("processes", "containers", "descriptors", "MB")
            told = ", ".join(f"{name} {old:g} -> {new:g}" for name, old, new in zip(names, before, now, strict=True))
            return f"{backend}: {runs} runs in a row: {told}"
        before = now
    raise AssertionError


def main() -> int:
    measured = 0
    for backend in BACKENDS:
        try:
            print(asyncio.run(measure(backend)), flush=True)
            measured += 1
        except SandboxUnavailable as error:
            print(f"{backend}: {error}", file=sys.stderr)
    return 0 if measured else 1


if __name__ == "__main__":
    sys.exit(main())
