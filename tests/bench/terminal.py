"""A command in a pseudo-terminal, and when what it draws can be read there."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

SIZE = (40, 120)
PATIENCE = 30.0
"""Seconds that anything is waited for; then the bench ends and says what it waited for and what was drawn instead."""
KEPT = 1 << 16
"""Characters of what was drawn that are looked through."""

_ESCAPES = re.compile(r"\x1b(?:\][^\x07\x1b]*(?:\x07|\x1b\\)|P[^\x1b]*\x1b\\|\[[0-?]*[ -/]*[@-~]|[ -/]*[0-OQ-Z\\^-~])")


class Terminal:
    """`seen` is what was drawn since the last key, without the sequences that move and colour."""

    def __init__(self, argv: list[str], environ: dict[str, str]) -> None:
        self.began = time.perf_counter()
        self.pid, self._fd = pty.fork()
        if self.pid == 0:
            os.execve(argv[0], argv, environ)
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", *SIZE, 0, 0))
        self.seen = ""
        self._raw = b""

    def press(self, keys: str) -> float:
        """Forgets what was drawn, sends the keys, and says when."""
        self.seen = ""
        os.write(self._fd, keys.encode())
        return time.perf_counter()

    def until(self, wanted: str) -> float:
        """When the pattern could first be read. Raises SystemExit where that does not come to be."""
        pattern, deadline = re.compile(wanted), time.perf_counter() + PATIENCE
        while not pattern.search(self.seen):
            left = deadline - time.perf_counter()
            if left <= 0 or not select.select([self._fd], [], [], left)[0]:
                raise SystemExit(f"{wanted!r} was not drawn in {PATIENCE:.0f} s; what was: …{self.seen[-2000:]!r}")
            self._take()
        return time.perf_counter()

    def _take(self) -> None:
        try:
            self._raw += os.read(self._fd, 1 << 16)
        except OSError as error:
            raise SystemExit(f"the command ended; it had drawn …{self.seen[-2000:]!r}") from error
        whole, cut, rest = self._raw.rpartition(b"\x1b")  # the last sequence may go on in the next piece
        if len(rest) > 100:
            whole, cut, rest = self._raw, b"", b""
        self._raw = cut + rest
        self.seen = (self.seen + _ESCAPES.sub("", whole.decode(errors="replace")))[-KEPT:]

    def close(self) -> None:
        """Asks it to leave, and ends it where it does not."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)
            if self._drained():
                break
        os.waitpid(self.pid, 0)
        os.close(self._fd)

    def _drained(self) -> bool:
        """Reads what it still draws, which it waits for, until it is gone; False where it does not go."""
        deadline = time.perf_counter() + PATIENCE
        while (left := deadline - time.perf_counter()) > 0:
            if select.select([self._fd], [], [], left)[0]:
                try:
                    if not os.read(self._fd, 1 << 16):
                        return True
                except OSError:
                    return True
        return False


@contextmanager
def opened(*args: str, home: Path) -> Iterator[Terminal]:
    """Python with these arguments; what it keeps lies under `home`."""
    environ = {name: value for name, value in os.environ.items() if name not in {"COLUMNS", "LINES"}}
    environ |= {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("DATA", "CACHE", "CONFIG")}
    terminal = Terminal([sys.executable, *args], environ | {"TERM": "xterm-256color", "COLORTERM": "truecolor"})
    try:
        yield terminal
    finally:
        terminal.close()
