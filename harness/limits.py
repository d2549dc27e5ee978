"""What the kernel holds the program's process to, and every process that comes from it."""

from __future__ import annotations

import math
import os
import resource
from typing import Any

SPARE_MEMORY = 64 << 20
"""Bytes between the soft limit, which the program meets, and the hard one, which reporting it may go up to."""


def apply(limits: dict[str, Any]) -> None:
    """Sets the limits of this process, for good. `limits`: seconds, memory, reserve, processes, files, file_bytes.

    A limit is never set above the one already in force. CPU seconds are those of all cores over the time limit, so that
    they end what outlives it and nothing sooner. Memory is address space, and at least SPARE_MEMORY more than what the
    interpreter and the preloaded modules have taken, or no line of the program's could run; `reserve` is what may be
    mapped beyond it, by programs that map far more than they use.
    """
    memory = max(limits["memory"], _address_space() + SPARE_MEMORY) + limits.get("reserve", 0)
    cpu = math.ceil(limits["seconds"] * (os.cpu_count() or 1)) + 2
    _limit(resource.RLIMIT_AS, memory, memory + SPARE_MEMORY)
    _limit(resource.RLIMIT_CPU, cpu, cpu + 1)
    _limit(resource.RLIMIT_FSIZE, limits["file_bytes"], limits["file_bytes"])
    _limit(resource.RLIMIT_NOFILE, limits["files"], limits["files"])
    _limit(resource.RLIMIT_NPROC, limits["processes"], limits["processes"])
    _limit(resource.RLIMIT_CORE, 0, 0)


def _address_space() -> int:
    """Bytes that this process has mapped; 0 where /proc does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[0]) * resource.getpagesize()
    except (OSError, ValueError):
        return 0


def _limit(kind: int, soft: int, hard: int) -> None:
    ceiling = resource.getrlimit(kind)[1]
    if ceiling != resource.RLIM_INFINITY:
        soft, hard = min(soft, ceiling), min(hard, ceiling)
    resource.setrlimit(kind, (soft, hard))
