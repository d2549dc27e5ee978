"""The local sandbox: programs run on this machine, in namespaces made by bubblewrap or by our own launcher."""

from __future__ import annotations

import asyncio
import os
import platform
from asyncio.subprocess import Process
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from scrapewright.assets import harness_dir
from scrapewright.loop.ports import Limits, SandboxUnavailable
from scrapewright.sandboxes import bytecode, distributions, isolation, layout, spawn
from scrapewright.sandboxes.instance import SandboxInstance
from scrapewright.sandboxes.layout import Guest, Layout
from scrapewright.sandboxes.prewarmed import IDLE, PrewarmedSandbox
from scrapewright.sandboxes.spares import digest
from scrapewright.sandboxes.spawn import KINDS, Kind

_SMALLEST_DISK = 1 << 20
"""Bytes. To the kernel a tmpfs of size 0 is one without a limit."""
START_SECONDS = 60.0
"""How long a start may take, imports and all, on a machine that is busy or reads its disk for the first time."""

Prefer = Literal["auto", "local", "bwrap", "namespaces"]


class Key(NamedTuple):
    """What matters when a sandbox is started."""

    kind: Kind
    python: str
    preload: tuple[str, ...]
    disk: int
    harness: str
    guest: Guest


class Check(NamedTuple):
    """One line of the doctor's report. `advice` is empty where there is nothing to do."""

    name: str
    ok: bool
    detail: str
    advice: str = ""


_layouts: dict[tuple[Path, str, tuple[str, ...], Guest], Layout] = {}
_proved: set[tuple[Kind, str, Guest]] = set()
"""Kind, harness and guest that were started here and found to hold."""
_refused: dict[Kind, str] = {}
_failed_imports: dict[str, str] = {}
"""Modules that could not be imported ahead, with the reason, as the last proved start reported."""


@dataclass(frozen=True)
class Spare:
    """An instance and its process. The kernel is asked whether it runs: the event loop may not know of its end yet."""

    box: SandboxInstance
    process: Process

    @property
    def alive(self) -> bool:
        return self.box.alive and self.process.returncode is None and not _ended(self.process.pid)

    async def kill(self) -> None:
        spawn.kill(self.process)
        await self.box.kill()


def _ended(pid: int) -> bool:
    """Whether a child has ended, which is left to the event loop to collect."""
    try:
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return True


class LocalSandbox(PrewarmedSandbox[Key, Spare]):
    """Runs programs in sandboxes of one kind, with one spare kept ready. To be used from one event loop's thread.

    `preload` are the modules imported before the job, `guest` what it shows besides. `spare=False` starts a
    sandbox when it is needed and not before, for one who runs a single program.
    """

    def __init__(
        self,
        kind: Kind,
        *,
        harness: Path | None = None,
        preload: tuple[str, ...] = distributions.PRELOAD,
        spare: bool = True,
        idle: float = IDLE,
        guest: Guest | None = None,
    ) -> None:
        super().__init__(spare=spare, idle=idle)
        self._guest = guest or Guest()
        self.kind = kind
        self._preload = preload
        self._harness = harness or harness_dir()

    @property
    def name(self) -> str:
        return self.kind

    def _key(self, limits: Limits) -> Key:
        disk = max(limits.disk, _SMALLEST_DISK)
        return Key(self.kind, platform.python_version(), self._preload, disk, digest(self._harness), self._guest)

    async def _start(self, key: Key) -> Spare:
        plan = await _layout(self._harness, key)
        process = await spawn.spawn(spawn.command(key.kind, plan, key.disk))
        box = SandboxInstance(process, key.kind)
        spare = Spare(box, process)
        try:
            await box.ready(START_SECONDS)
            if (key.kind, key.harness, key.guest) not in _proved:
                _prove(box, process.pid)
                _proved.add((key.kind, key.harness, key.guest))
        except BaseException:
            await spare.kill()
            raise
        return spare


def _prove(box: SandboxInstance, pid: int) -> None:
    """Raises SandboxUnavailable where the isolation is incomplete, or a package that every program needs is missing."""
    mapped = os.geteuid() == 0 and spawn.unprivileged() is None
    if wrong := isolation.breaches(pid, root_is_user=mapped):
        raise SandboxUnavailable(f"The sandbox started, but it does not hold: {'; '.join(wrong)}.")
    _failed_imports.clear()
    _failed_imports.update(box.preload_failed)
    for name in distributions.ESSENTIAL:
        if name in box.preload_failed:
            raise SandboxUnavailable(
                f"The sandbox started, but programs can't import {name} in it: {box.preload_failed[name]}. "
                "Its files must be readable for other users."
            )


async def choose_local(prefer: Prefer = "auto", limits: Limits | None = None) -> LocalSandbox:
    """The first kind that a real start shows to work here, with that start as its spare.

    What failed is remembered for the process. Raises SandboxUnavailable with what each kind said, what forbids it on
    this host as far as can be seen, and what to do.
    """
    if reason := isolation.supported():
        raise SandboxUnavailable(f"No local sandbox: {reason}. Use Docker (--sandbox docker).")
    reasons: dict[str, str] = {}
    kinds: tuple[Kind, ...] = KINDS if prefer == "auto" or prefer == "local" else (prefer,)
    for kind in kinds:
        if kind in _refused:
            reasons[kind] = _refused[kind]
            continue
        sandbox = LocalSandbox(kind)
        try:
            await sandbox.prepare(limits or Limits())
        except SandboxUnavailable as error:
            reasons[kind] = _refused[kind] = str(error)
            await sandbox.close()
        except BaseException:
            await sandbox.close()
            raise
        else:
            return sandbox
    raise SandboxUnavailable(isolation.explain(reasons))


async def diagnose() -> list[Check]:
    """What the local sandbox finds on this host, for the doctor: each kind is really started."""
    if reason := isolation.supported():
        return [Check("local sandbox", False, reason, "Use Docker.")]
    checks = []
    for kind in KINDS:
        try:
            sandbox = await choose_local(kind)
        except SandboxUnavailable:
            here = "; ".join(f"{obstacle.what}: {obstacle.advice}" for obstacle in isolation.obstacles())
            checks.append(Check(f"sandbox {kind}", False, _refused[kind], here or "Install bubblewrap 0.8 or newer."))
        else:
            await sandbox.close()
            checks.append(Check(f"sandbox {kind}", True, "starts and isolates"))
    site = await asyncio.to_thread(distributions.find)
    shown = ", ".join(f"{name} {version}" for name, version in sorted(site.versions.items()))
    wrong = {**site.missing, **_failed_imports}
    lacking = "".join(f"; {name}: {why}" for name, why in sorted(wrong.items()))
    advice = "Install scrapewright with its requirements, readable for other users." if wrong else ""
    checks.append(Check("packages for programs", not wrong, shown + lacking, advice))
    return checks


async def _layout(harness: Path, key: Key) -> Layout:
    """Built once for the process, harness and modules, off the event loop."""
    known = (harness, key.harness, key.preload, key.guest)
    found = _layouts.get(known)
    if found is None:
        found = await asyncio.to_thread(layout.build, harness, key.preload, key.guest)
        await bytecode.compile_ahead([harness, spawn.LAUNCHERS], key.preload, found.site.entries)
        _layouts[known] = found
    return found
