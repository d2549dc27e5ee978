"""Two hundred runs in a row on each backend: processes, containers, descriptors and memory must not grow."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
import time
from pathlib import Path

from scrapewright.sandboxes.choose import choose
from tests.bench.load import load
from tests.hostile.backends import BACKENDS, Backend, run

RUNS = 200
WARM_UP = 20
MOST_MB = 4.0
"""That this process may hold more after it: what is kept for good grows with each run, and is more."""
PROGRAM = "open('rows.csv', 'w').write('a,b\\n' * 1000)\nprint('x' * 10_000)\n"


def resident() -> float:
    """MB that this process holds now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGESIZE") / (1 << 20)


def counted(backend: Backend) -> tuple[int, int, int, float]:
    """Processes, what else is left of sandboxes, open descriptors, MB; no sandbox being open."""
    gc.collect()
    return len(backend.processes()), len(backend.remnants()), len(os.listdir("/proc/self/fd")), resident()


async def measure(backend: Backend, runs: int) -> bool:
    """Prints before, after and the processor's time a run. Whether nothing has grown."""
    await (await choose(backend.name)).sandbox.close()
    found = []
    for count in (WARM_UP, runs):
        sandbox = await backend.make(preload=())
        began = time.process_time()
        try:
            for _ in range(count):
                ran = await run(sandbox, PROGRAM)
                if ran.result.status != "ok":
                    raise RuntimeError(f"{ran.result.status}: {ran.result.note}")
        finally:
            await sandbox.close()
        spent = (time.process_time() - began) / count
        found.append(counted(backend))
    before, now = found
    names = ("processes", "containers", "descriptors", "MB")
    changes = ", ".join(f"{name} {old:.4g} -> {new:.4g}" for name, old, new in zip(names, before, now, strict=True))
    print(f"{backend}: {runs} runs in a row: {changes}; {spent * 1e3:.1f} ms of the host's processor a run", flush=True)
    return now[:3] == before[:3] and now[3] - before[3] <= MOST_MB


def main() -> None:
    """Raises SandboxUnavailable where a backend can't be had; exits with status 1 where something has grown."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    print(load())
    if grown := [backend.name for backend in BACKENDS if not asyncio.run(measure(backend, runs))]:
        raise SystemExit(f"something has grown with {', '.join(grown)}")


if __name__ == "__main__":
    main()
