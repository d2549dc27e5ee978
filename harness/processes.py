"""Ending every process of the sandbox, and noticing that one has ended."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from typing import NamedTuple

from harness import kernel

REAP_SECONDS = 1.0


class Usage(NamedTuple):
    cpu_seconds: float = 0.0
    max_rss_bytes: int = 0


class Family:
    """The program's process and all that come from it.

    As PID 1 of its own namespace the supervisor may kill -1, which is everything but itself. Anywhere else (in a
    checkout, for tests) it adopts orphans and ends what the kernel lists as its own children, and nothing more.
    """

    def __init__(self) -> None:
        self.alone = os.getpid() == 1
        self.child = 0
        self.wait_status: int | None = None
        self._cpu = 0.0
        self._rss = 0
        if not self.alone:
            kernel.set_subreaper()

    @property
    def usage(self) -> Usage:
        """Of all that were reaped; the peak is the largest process's."""
        return Usage(max(self._cpu, 0.0), self._rss)

    def adopt(self, child: int) -> int | None:
        """Takes the program's process on; a descriptor that turns readable at its end, None if that can't be."""
        self.child = child
        try:
            return os.pidfd_open(child)
        except OSError:
            return None

    def count_from_now(self) -> None:
        """What the program's process has used up to now, waiting for its job, does not count."""
        clock = (~self.child << 3) | 2  # the process's CPU clock, as clock_getcpuclockid(3) makes it
        try:
            self._cpu = -time.clock_gettime(clock)
        except OSError:
            pass

    def reap(self) -> bool:
        """Collects who has ended. Whether any child is left."""
        while True:
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if pid == 0:
                return True
            self._cpu += usage.ru_utime + usage.ru_stime
            self._rss = max(self._rss, usage.ru_maxrss * 1024)
            if pid == self.child:
                self.wait_status = status

    def signal(self, number: int) -> None:
        """To the program's process alone."""
        if self.wait_status is None and self.child:
            _quietly(os.kill, self.child, number)

    def freeze_the_others(self) -> None:
        """Stops all but the program's first process, so that a crowd of them does not keep it from reporting."""
        if self.alone:
            _quietly(os.kill, -1, signal.SIGSTOP)
        self.signal(signal.SIGCONT)

    def end(self) -> None:
        """Kills all of them and waits until they are gone, at most REAP_SECONDS."""
        deadline = time.monotonic() + REAP_SECONDS
        pause = 0.0005
        while True:
            if self.alone:
                _quietly(os.kill, -1, signal.SIGKILL)
            else:
                for pid in _children():
                    _quietly(os.kill, pid, signal.SIGKILL)
            if not self.reap() or time.monotonic() > deadline:
                return
            time.sleep(pause)
            pause = min(pause * 2, 0.02)


def _children() -> list[int]:
    pid = os.getpid()
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return []


def _quietly(call: Callable[[int, int], None], pid: int, number: int) -> None:
    try:
        call(pid, number)
    except OSError:
        pass  # gone already


_OOM_COUNTS = ("/sys/fs/cgroup/memory.events", "/sys/fs/cgroup/memory/memory.oom_control")
"""Of control groups of the second and of the first version."""


def oom_kills(counts: tuple[str, ...] = _OOM_COUNTS) -> int:
    """How many processes the kernel has killed for want of memory in this control group; 0 where it doesn't tell."""
    for path in counts:
        try:
            with open(path, encoding="ascii") as file:
                for line in file:
                    key, _, value = line.partition(" ")
                    if key == "oom_kill":
                        return int(value)
        except (OSError, ValueError):
            continue
    return 0
