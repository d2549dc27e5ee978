"""What a run came to, from what the supervisor saw and what the program's process claims. Pure."""

from __future__ import annotations

import os
import signal
from typing import Any, NamedTuple

from harness import exchange


class Ended(NamedTuple):
    """What was seen of the end."""

    wait_status: int
    timed_out: bool = False
    phase: int = exchange.RUNNING
    """How far the process had come when its time was up, by its own account."""
    oom: bool = False
    """The kernel counted an out-of-memory kill while it ran."""
    cancelled: bool = False
    fatal: str = ""
    """What the interpreter said it died of."""
    held: int = 0
    """Bytes that its processes held together when the supervisor ended them for it; 0 where it did not."""
    memory: int = 0
    """Bytes that they might have held."""


class Outcome(NamedTuple):
    status: str
    exit_code: int | None
    signal: str
    note: str


def decide(ended: Ended, claim: dict[str, Any]) -> Outcome:
    """The status: how it ended is seen; ok, error and exit are distinguished by the claim.

    A program whose own lines were done when the time was up, with threads or exit handlers left over, ended as it says
    if it then ended by itself, and the note tells what had to be stopped. How far it had come is its own account, too:
    so what had to be killed is out of time whatever it says, and the exit code is always the one seen.
    """
    exit_code: int | None = None
    name = ""
    if os.WIFSIGNALED(ended.wait_status):
        name = _signal_name(os.WTERMSIG(ended.wait_status))
    else:
        exit_code = os.WEXITSTATUS(ended.wait_status)
    claimed = claim.get("outcome")
    note = ended.fatal

    if ended.cancelled:
        status, note = "killed", "stopped before its end"
    elif ended.held:
        status = "oom"
        note = f"its processes held {ended.held >> 20} MiB together; {ended.memory >> 20} MiB is the most"
    elif ended.timed_out and (name or not _main_was_done(ended, claimed)):
        status = "timeout"
    elif name == "SIGXCPU":
        status, note = "timeout", "the CPU time limit was reached"
    elif name == "SIGKILL" and ended.oom:
        status, note = "oom", "killed by the kernel for want of memory"
    elif name:
        status = "killed"
    elif claimed == "error":
        status = "error"
    elif claimed == "ok" and exit_code == 0:
        status = "ok"
    else:
        status = "exit"
        if claimed is None:
            note = "the process left without a report"
    if ended.timed_out and not name and ended.phase in (exchange.THREADS, exchange.EXITING) and status != "timeout":
        left = "a thread" if ended.phase == exchange.THREADS else "an exit handler"
        note = f"the program was done, but {left} was still running at the time limit and was ended"
    return Outcome(status, exit_code, name, note)


def _main_was_done(ended: Ended, claimed: object) -> bool:
    if claimed not in ("ok", "error", "exit"):
        return False
    return ended.phase in (exchange.THREADS, exchange.EXITING) or ended.phase >= exchange.REPORTING


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
