"""What the processes of a sandbox take together. Each is bounded by the kernel; a crowd of them is watched here."""

from __future__ import annotations

import os
import resource
from collections.abc import Callable
from time import thread_time

INTERVAL = 0.1
"""Seconds between two looks."""
SHARE = 20
"""A look that is dear makes the next one wait for this many times the processor time that it took."""

_PAGE = resource.getpagesize()


class Watch:
    """Tells when processes together hold more than `limit` bytes of memory.

    One process alone is left to the kernel's limit. Several are added up by resident pages, which costs a few
    microseconds each; pages that a fork shares count for each then, so only where that sum is over the limit are they
    added up by their proportional share (PSS), which costs the kernel a walk through their tables.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._next = 0.0

    def over(self, now: float, processes: Callable[[], list[int]]) -> int:
        """How many bytes they hold, where that is more than the limit and it was time to look; else 0."""
        if now < self._next:
            return 0
        began = thread_time()  # the looks' own cost; on a loaded machine the clock on the wall says nothing of it
        found = processes()
        total = 0
        if len(found) > 1 and sum(map(resident, found)) > self.limit:
            total = sum(map(proportional, found))
        self._next = now + max(INTERVAL, SHARE * (thread_time() - began))
        return total if total > self.limit else 0


def resident(pid: int) -> int:
    """Bytes resident, shared ones included; 0 where it has ended."""
    try:
        with open(f"/proc/{pid}/statm", "rb", buffering=0) as file:
            return int(file.read(200).split()[1]) * _PAGE
    except (OSError, IndexError, ValueError):
        return 0


def proportional(pid: int) -> int:
    """Bytes resident, those shared by n processes for an n-th each. All of them where the kernel won't tell shares."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", "rb", buffering=0) as file:
            for line in file.read(8192).splitlines():
                if line.startswith(b"Pss:"):
                    return int(line.split()[1]) << 10
    except (OSError, IndexError, ValueError):
        pass
    return resident(pid)


def below(root: int) -> list[int]:
    """Every process but this one: of the namespace where this is its first, else `root` and all that come from it."""
    me = os.getpid()
    if me == 1:
        return [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) != me]
    found = [root]
    for pid in found:
        try:
            for task in os.listdir(f"/proc/{pid}/task"):
                with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as file:
                    found += [int(word) for word in file.read().split()]
        except OSError:
            continue
    return found
