"""The screen in a pseudo-terminal: how soon it is there, and how soon a key shows while it has much to show."""

from __future__ import annotations

import os
import statistics
import tempfile
from pathlib import Path

from tests.bench.terminal import Terminal, opened
from tests.e2e.site import MUGS, serve

RUNS = 7
KEYS = 60
MINIMAL = "from textual.app import App\nfrom textual.widgets import Static\n"
MINIMAL += "class Least(App):\n    def compose(self):\n        yield Static('the least that there is')\nLeast().run()\n"
LINES = """import time
for block in range(200):
    print("\\n".join(f"{block * 500 + n:06d} " + "=" * 60 for n in range(500)), flush=True)
    time.sleep(0.1)
"""
"""100,000 lines in twenty seconds or so; digits and = alone."""
BYTES = """import time
line = "=" * 60 + "0123456789" * 10 + "\\n"
for block in range(200):
    print(line * 1600, end="", flush=True)
    time.sleep(0.05)
"""
"""50 MB in lines of 160 characters."""
REQUESTS = """import requests, sys
session = requests.Session()
for n in range(20_000):
    session.get(f"{site}?{n}")
"""
PAGE = """import requests, time
requests.get(site)
time.sleep(120)
"""
LARGE = MUGS.replace("</body>", "<li class='mug'><b>mug</b> <i>12.50</i> <a href='/m'>more of it</a></li>" * 70_000)
"""5 MB."""
LETTERS = "JKXYZWVB"
"""In nothing else that is drawn meanwhile."""


def first_paint(home: Path) -> None:
    """From the process's start to the first words on the screen, each in turn with the least Textual app there is."""
    commands = {"least Textual app": ["-c", MINIMAL], "scrapewright": ["-m", "scrapewright"]}
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(RUNS):
        for name, args in commands.items():
            with opened(*args, home=home) as terminal:
                times[name].append(terminal.until(r"\w{3,}") - terminal.began)
    least = statistics.median(times["least Textual app"])
    for name, taken in times.items():
        median = statistics.median(taken)
        print(f"first paint, {name:20} {median * 1e3:5.0f} ms  {median / least:4.1f}x  (best {min(taken) * 1e3:.0f})")


def key_to_screen(home: Path, what: str, program: str, keys: str, sign: str, page: str = MUGS) -> None:
    """Letters typed into the search line, each waited for, while the program runs on the page.

    `keys` turn to what is searched, which `sign` can be read in.
    """
    path = home / "program.py"
    with serve({"/": page}) as site:
        path.write_text(f"site = {site.base + '/'!r}\n{program}")
        query = f"all mugs on {site.base}/: title, price (float)"
        args = ["-m", "scrapewright", "--from", str(path), "--sandbox", "local", "--out", str(home), query]
        with opened(*args, home=home) as terminal:
            terminal.until("enter runs")
            terminal.press("\r")
            terminal.until("● running")
            terminal.press(keys)
            terminal.until(sign)
            terminal.press("/")
            terminal.until("look for")
            tell(what, typed(terminal))


def typed(terminal: Terminal) -> list[float]:
    """Seconds from each key to its letter on the screen."""
    waits = []
    for number in range(KEYS):
        letter = LETTERS[number % len(LETTERS)]
        pressed = terminal.press(letter)
        waits.append(terminal.until(letter) - pressed)
        terminal.press("\x7f")
        terminal.until("look for")
    return waits


def tell(what: str, waits: list[float]) -> None:
    waits = sorted(wait * 1e3 for wait in waits)
    p50, p95 = waits[len(waits) // 2], waits[len(waits) * 95 // 100]
    load = os.getloadavg()[0]
    print(
        f"key to screen, {what:24} p50 {p50:3.0f} ms, p95 {p95:3.0f} ms, worst {waits[-1]:3.0f} ms "
        f"({len(waits)} keys, load {load:.1f})",
        flush=True,
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        first_paint(home)
        key_to_screen(home, "100,000 lines printed", LINES, "4]]", "={30}")
        key_to_screen(home, "50 MB printed", BYTES, "4]]", "={30}")
        key_to_screen(home, "20,000 requests made", REQUESTS, "3]]]", "requests ·")
        key_to_screen(home, "a page of 5 MB opened", PAGE, "6]]]", "reading", LARGE)


if __name__ == "__main__":
    main()
