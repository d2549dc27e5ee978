"""Identifies the process that owns a session; a later process with the same number is another owner."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

import msgspec


class Owner(msgspec.Struct, frozen=True):
    """`boot` and `started` (clock ticks since boot, /proc/PID/stat) are empty where the system does not tell them."""

    pid: int
    boot: str = ""
    started: str = ""
    token: str = ""


def myself() -> Owner:
    """This process. The token distinguishes two openings in one process."""
    pid = os.getpid()
    return Owner(pid=pid, boot=_boot(), started=_started(pid), token=secrets.token_hex(8))


def is_alive(owner: Owner) -> bool:
    """Whether that very process still runs (a zombie does not)."""
    if owner.boot != _boot():
        return False
    if owner.started:
        return _started(owner.pid) == owner.started
    try:
        os.kill(owner.pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _boot() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""


def _started(pid: int) -> str:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return ""
    fields = stat.rpartition(")")[2].split()
    return "" if fields[0] in "ZX" else fields[19]
