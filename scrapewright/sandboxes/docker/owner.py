"""Identifies the process that owns a container, so that a sweep removes the containers whose owner is gone."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any, NamedTuple

OWNER = "scrapewright.owner"
"""The label of all our containers."""
FORGOTTEN_SECONDS = 3600.0
"""How old a container must be that does not run, and whose owner can't be asked after, to be taken for left over."""


class Owner(NamedTuple):
    """A process: its number, its start (clock ticks since boot), the boot, and the namespace its number is of."""

    boot: str
    namespace: str
    pid: int
    started: str

    def label(self) -> str:
        return " ".join((self.boot or "-", self.namespace or "-", str(self.pid), self.started or "-"))


def myself() -> Owner:
    """This process. Parts that the system does not tell (no /proc) are empty."""
    return Owner(*_here(), os.getpid(), _started(os.getpid()))


def left_over(container: dict[str, Any], now: float | None = None) -> bool:
    """Whether nobody owns a container any more, as far as this process can determine.

    `container` is an entry of the engine's list. The owner of one made by this boot of this machine and in this
    process namespace is looked up. Any other may belong to somebody on another machine that uses the same engine, so it
    is left over only if it does not run and has not for long: a live owner's runs from its first second on.
    """
    fields = str((container.get("Labels") or {}).get(OWNER, "")).split(" ")
    if len(fields) != 4 or not fields[2].isdigit():
        return False
    boot, namespace, pid, started = ("" if field == "-" else field for field in fields)
    if (boot, namespace) == _here():
        return _started(int(pid)) != started if started else not _exists(int(pid))
    age = (time.time() if now is None else now) - float(container.get("Created") or 0)
    return container.get("State") not in ("running", "paused", "restarting") and age > FORGOTTEN_SECONDS


def _here() -> tuple[str, str]:
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return boot, str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        return f"host:{os.uname().nodename}", ""


def _started(pid: int) -> str:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if fields[0] in "ZX" else fields[19]


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
