"""How fast the command opens: whole processes, beside a bare interpreter and beside importing everything first."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

RUNS = 10
COMMANDS: dict[str, list[str]] = {
    "python -c pass": ["-c", "pass"],
    "scrapewright --version": ["-m", "scrapewright", "--version"],
    "scrapewright run --help": ["-m", "scrapewright", "run", "--help"],
    "everything imported": ["-c", "import textual.app, openai, docker, pandas, lxml.html, diskcache, typer"],
}


def main() -> None:
    """Medians in milliseconds, and each as a multiple of the bare interpreter; taken in turns."""
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(RUNS):
        for name, args in COMMANDS.items():
            began = time.perf_counter()
            subprocess.run([sys.executable, *args], check=True, stdout=subprocess.DEVNULL)
            times[name].append(time.perf_counter() - began)
    bare = statistics.median(times["python -c pass"])
    for name, taken in times.items():
        median = statistics.median(taken)
        print(f"{name:26} {median * 1e3:7.0f} ms  {median / bare:5.1f}x  (best {min(taken) * 1e3:.0f})")


if __name__ == "__main__":
    main()
