"""Notifies through the terminal: a bell and a title when an answer is wanted; and handles its end."""

from __future__ import annotations

import asyncio
import signal
import termios
from collections.abc import Callable
from contextlib import suppress
from typing import Any

BELL = "\a"
KEEP_TITLE = "\x1b[22;2t"
TITLE_BACK = "\x1b[23;2t"
"""XTerm's stack of titles, which tmux, VTE, kitty and others have too; the rest ignore both."""
TITLE = "scrapewright: an answer is wanted"


class Notifier:
    """Notifies the person that an answer is wanted. `write` writes a text to the terminal unchanged."""

    def __init__(self, write: Callable[[str], None], *, on: bool = True) -> None:
        self._write = write
        self._on = on
        self.calling = False

    def call(self) -> None:
        """Rings once for each call; the title stays until `done`."""
        if not self._on:
            return
        title = "" if self.calling else f"{KEEP_TITLE}\x1b]2;{TITLE}{BELL}"
        self.calling = True
        self._write(title + BELL)

    def done(self) -> None:
        """The title is as it was."""
        if self.calling:
            self.calling = False
            self._write(TITLE_BACK)


def discard_writes(driver: Any) -> None:
    """Discards all writes: the terminal is gone. The driver's thread has died of it or will, and a writer would wait
    for that thread for ever as soon as its short queue is full."""
    driver.write = lambda text: None
    queue = getattr(getattr(driver, "_writer_thread", None), "_queue", None)
    while queue is not None and not queue.empty():
        queue.get_nowait()


def is_gone(driver: Any) -> bool:
    """The terminal is closed. A SIGHUP alone does not say so: after `kill -HUP` there is one to be put right."""
    try:
        termios.tcgetattr(driver.fileno)
    except (AttributeError, OSError, ValueError, termios.error):  # no driver, or none on a terminal
        return True
    return False


def leave_on_signals(driver: Callable[[], Any], leave: Callable[[], None]) -> None:
    """Restores the terminal and ends the session on SIGTERM and SIGHUP, where the driver would do neither."""

    def on_signal(number: int) -> None:
        if number == signal.SIGHUP and is_gone(driver()):
            discard_writes(driver())
        leave()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGHUP):
        with suppress(NotImplementedError, RuntimeError, ValueError):  # not on the main thread
            loop.add_signal_handler(number, on_signal, number)
