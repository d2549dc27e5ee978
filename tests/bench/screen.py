"""The screen in a pseudo-terminal: how soon it is there, and how soon a key shows while a run prints 100,000 lines."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import statistics
import struct
import sys
import tempfile
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.e2e.site import MUGS, serve

SIZE = (40, 120)
RUNS = 7
PATIENCE = 60.0
KEYS = 60
MINIMAL = "from textual.app import App\nfrom textual.widgets import Static\n"
MINIMAL += "class Least(App):\n    def compose(self):\n        yield Static('the least that there is')\nLeast().run()\n"
FLOOD = """import time
for block in range(200):
    print("\\n".join(f"{block * 500 + n:06d} " + "=" * 60 for n in range(500)), flush=True)
    time.sleep(0.1)
"""
"""100,000 lines in twenty seconds or so; digits and = alone."""
LETTERS = "JKXYZWVB"
"""In nothing else that is drawn meanwhile."""

_ESCAPES = re.compile(r"\x1b(?:\][^\x07\x1b]*(?:\x07|\x1b\\)|P[^\x1b]*\x1b\\|\[[0-?]*[ -/]*[@-~]|[ -/]*[0-~])")


class Terminal:
    """A command in a pseudo-terminal. `seen` is all it has drawn, without the sequences that move and colour."""

    def __init__(self, argv: list[str], environ: dict[str, str]) -> None:
        self.began = time.perf_counter()
        self.pid, self._fd = pty.fork()
        if self.pid == 0:
            os.execve(argv[0], argv, environ)
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", *SIZE, 0, 0))
        self._raw = ""
        self.at = 0.0

    @property
    def seen(self) -> str:
        return _ESCAPES.sub("", self._raw)

    def press(self, keys: str) -> float:
        """Forgets what was drawn, sends the keys, and says when."""
        self._raw = ""
        os.write(self._fd, keys.encode())
        return time.perf_counter()

    def until(self, wanted: re.Pattern[str]) -> float:
        """When the pattern could first be read."""
        deadline = time.perf_counter() + PATIENCE
        while not wanted.search(self.seen):
            left = deadline - time.perf_counter()
            if left <= 0 or not select.select([self._fd], [], [], left)[0]:
                raise SystemExit(f"{wanted.pattern!r} never came; what came ends with {self.seen[-2000:]!r}")
            self._raw += os.read(self._fd, 1 << 16).decode(errors="replace")
            self._raw = self._raw[-(1 << 18) :]
        return time.perf_counter()

    def close(self) -> None:
        os.kill(self.pid, signal.SIGTERM)
        while True:  # what it still draws must be read, else it waits for it
            try:
                if not os.read(self._fd, 1 << 16):
                    break
            except OSError:
                break
        os.waitpid(self.pid, 0)
        os.close(self._fd)


@contextmanager
def opened(*args: str, home: Path) -> Iterator[Terminal]:
    environ = {name: value for name, value in os.environ.items() if name not in {"COLUMNS", "LINES"}}
    environ |= {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("DATA", "CACHE", "CONFIG")}
    terminal = Terminal([sys.executable, *args], environ | {"TERM": "xterm-256color", "COLORTERM": "truecolor"})
    try:
        yield terminal
    finally:
        terminal.close()


def first_paint(home: Path) -> None:
    """From the process's start to the first words on the screen, each in turn with the least Textual app there is."""
    commands = {"least Textual app": ["-c", MINIMAL], "scrapewright": ["-m", "scrapewright"]}
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(RUNS):
        for name, args in commands.items():
            with opened(*args, home=home) as terminal:
                times[name].append(terminal.until(re.compile(r"\w{3,}")) - terminal.began)
    least = statistics.median(times["least Textual app"])
    for name, taken in times.items():
        median = statistics.median(taken)
        print(f"first paint, {name:20} {median * 1e3:5.0f} ms  {median / least:4.1f}x  (best {min(taken) * 1e3:.0f})")


def key_to_screen(home: Path) -> None:
    """Letters typed into the search line, each waited for, while the run in hand prints."""
    program = home / "flood.py"
    program.write_text(FLOOD)
    with serve({"/": MUGS}) as site:
        query = f"all mugs on {site.base}/: title, price (float)"
        quiet = ["-m", "scrapewright", "--from", str(program), "--sandbox", "local", "--out", str(home), query]
        with opened(*quiet, home=home) as terminal:
            terminal.until(re.compile("enter runs"))
            terminal.press("\r")
            terminal.until(re.compile("running line"))
            for key in "4]]":
                terminal.press(key)
                terminal.until(re.compile(r"\S"))
            terminal.until(re.compile(r"={30}"))
            terminal.press("/")
            terminal.until(re.compile("look for"))
            waits = []
            for number in range(KEYS):
                letter = LETTERS[number % len(LETTERS)]
                pressed = terminal.press(letter)
                waits.append(terminal.until(re.compile(letter)) - pressed)
                terminal.press("\x7f")
                terminal.until(re.compile("look for"))
    waits.sort()
    p50, p95 = waits[len(waits) // 2], waits[len(waits) * 95 // 100]
    print(
        f"key to screen, 100,000 lines being printed: p50 {p50 * 1e3:.0f} ms, p95 {p95 * 1e3:.0f} ms, "
        f"worst {waits[-1] * 1e3:.0f} ms ({len(waits)} keys)"
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        first_paint(Path(folder))
        key_to_screen(Path(folder))


if __name__ == "__main__":
    main()
