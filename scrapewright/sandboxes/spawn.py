"""Starting a sandbox's process: who it runs as, and through which launcher."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import scrapewright
from scrapewright.loop.ports import SandboxUnavailable
from scrapewright.sandboxes import bwrap, namespaces
from scrapewright.sandboxes.layout import Layout

Kind = Literal["bwrap", "namespaces"]
KINDS: tuple[Kind, ...] = ("bwrap", "namespaces")

_UNOWNED = range(0x7FFF0000, 0x7FFFFFFF)
"""User ids to run as where we are root, which no account has. Each sandbox gets another one, because the kernel counts
processes by user: one program's fork bomb then takes nothing from the run beside it."""
_SMALL_UNOWNED = range(20_000, 60_000)
"""The same for a user namespace: below what systems give to services, above what they give to people."""
_NOBODY = 65534
"""The one that small user namespaces have, too."""
_turn = itertools.count(os.getpid() * 16)
_END_SECONDS = 5.0
_GO_FIRST = ("/bin/sh", "-c", 'echo 1000 2>/dev/null >/proc/self/oom_score_adj; exec "$@"', "sh")
"""What `launch.kernel.prefer_oom_kill` does, before a program of its own: bubblewrap starts others at once."""
LAUNCHERS = Path(__file__).parent / "launch"


def unprivileged(uid_map: str | None = None) -> int | None:
    """The user to become where this process is root, or None where it is an ordinary user already.

    Root of a user namespace that maps one ordinary user alone counts as that user. Raises SandboxUnavailable where root
    has no other user to become.
    """
    if os.geteuid() != 0:
        return None
    text = Path("/proc/self/uid_map").read_text() if uid_map is None else uid_map
    ranges = [tuple(map(int, line.split())) for line in text.splitlines()]
    for uid in (unused_uid(nested=False), _NOBODY):
        if any(first <= uid < first + count for first, _, count in ranges):
            return uid
    if any(first == 0 and outer != 0 for first, outer, _ in ranges):
        return None
    raise SandboxUnavailable("This process is root and its user namespace maps no other user to run programs as.")


def unused_uid(*, nested: bool) -> int:
    """An unused user id, another at each call. `nested`: one that a user namespace of 65536 users has, too."""
    users = _SMALL_UNOWNED if nested else _UNOWNED
    return users[next(_turn) % len(users)]


def command(kind: Kind, layout: Layout, disk: int) -> list[str]:
    """The command line of a sandbox. Raises SandboxUnavailable where bubblewrap isn't installed."""
    uid = unprivileged()
    if kind == "namespaces":
        user = {"uid": uid or 0, "gid": uid or 0}
        return [*launcher("namespaces", {**namespaces.spec(layout, disk), **user}), *layout.argv]
    program = bwrap.find()
    if program is None:
        raise SandboxUnavailable("bubblewrap is not installed (no bwrap on the PATH).")
    line = bwrap.argv(program, layout, disk)
    if uid is None:
        return [*_GO_FIRST, *line]
    exposed = sorted({host for host, _ in layout.binds})
    return [*launcher("drop_privileges", {"uid": uid, "gid": uid, "expose": exposed}), *line]


def launcher(name: str, spec: Mapping[str, Any]) -> list[str]:
    """The command line of a program in launch/, on this interpreter with nothing of its environment."""
    package = Path(scrapewright.__file__).resolve().parent.parent
    boot = (
        f"import sys; sys.path.append({str(package)!r}); from scrapewright.sandboxes.launch.{name} import main; main()"
    )
    python = getattr(sys, "_base_executable", None) or sys.executable
    return [os.path.realpath(python), "-I", "-S", "-B", "-c", boot, json.dumps({**spec, "parent": os.getpid()})]


async def spawn(argv: list[str]) -> Process:
    """Starts it with three pipes. To be called on the event loop's own thread, and that is where it forks.

    A sandbox asks for death with its parent, and Linux means the parent's thread. The session of its own keeps the
    terminal's Ctrl-C from it: a run is ended by us.

    Cancelled, it waits until what it started has ended.
    """
    start = asyncio.create_task(_create(argv))
    try:
        return await asyncio.shield(start)
    except asyncio.CancelledError:
        # Not left to asyncio: cancelled between the fork and the pipes, it kills the process but keeps its stdin open,
        # and waits for good on a child of the child that would end with that.
        await asyncio.wait([start])
        if not start.cancelled() and start.exception() is None:
            await _discard(start.result())
        raise


def kill(process: Process) -> None:
    """Ends what `spawn` has started, at any stage of its start.

    A launcher's child asks for death with its parent only when it is set up, and bubblewrap's waits before that for a
    word from its parent. Until then it is in the session that `spawn` opened, so the whole of that is killed.
    """
    if process.stdin is not None:
        process.stdin.close()
    if process.returncode is None:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass


async def _create(argv: list[str]) -> Process:
    environment = {name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}
    try:
        return await asyncio.create_subprocess_exec(
            *argv, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=environment, cwd="/", start_new_session=True
        )
    except OSError as error:
        raise SandboxUnavailable(f"{argv[0]} could not be started: {error.strerror}.") from error


async def _discard(process: Process) -> None:
    kill(process)
    try:
        async with asyncio.timeout(_END_SECONDS):
            await process.wait()
    except TimeoutError:
        pass
