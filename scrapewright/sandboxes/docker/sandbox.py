"""The sandbox in a container: hardened, without a network, with one spare kept ready."""

from __future__ import annotations

import asyncio
import json
import secrets
from dataclasses import dataclass
from typing import Any, NamedTuple

from scrapewright.loop.ports import Limits, SandboxUnavailable
from scrapewright.sandboxes import distributions, spawn
from scrapewright.sandboxes.docker import image
from scrapewright.sandboxes.docker.attach import ContainerPipe
from scrapewright.sandboxes.docker.engine import ANSWER_SECONDS, Engine, connect
from scrapewright.sandboxes.docker.isolation import breaches
from scrapewright.sandboxes.docker.owner import OWNER, myself
from scrapewright.sandboxes.instance import SandboxInstance
from scrapewright.sandboxes.layout import ENVIRONMENT, HARNESS, SCRATCH, SHARED_MEMORY, SITE
from scrapewright.sandboxes.prewarmed import IDLE, PrewarmedSandbox

START_SECONDS = 60.0
_SMALLEST_DISK = 1 << 20
_BESIDE = 512 << 20
"""Bytes for the supervisor, for a program that ran out of memory and reports it, and for what a crowd of processes may
take between two looks of the supervisor's: it tells more than the kernel does, so it is to be the first to find out."""
_MORE_PROCESSES = 16
"""So that the program meets its own limit, and an error that it can tell, before the container's."""
_FILES = 4096
"""Descriptors of the supervisor's; a program is held to its own limit. What engines set by default may be more than
they are allowed to."""
_SHARES = 8192
"""Of the processors, where they are short: one process of the host has 1024, and so has a whole container by default,
which would leave a supervisor beside its program's crowd with next to nothing on a busy host."""
_PYTHON = "/usr/bin/python3"
_MASKED = (
    "/proc/asound", "/proc/acpi", "/proc/interrupts", "/proc/kcore", "/proc/keys", "/proc/key-users",
    "/proc/latency_stats", "/proc/sched_debug", "/proc/scsi", "/proc/timer_list", "/proc/timer_stats",
    "/sys/devices/virtual/powercap", "/sys/firmware",
)  # fmt: skip
"""What engines close by themselves (the newest: this list takes the place of theirs), and the host's key rings, which
they forget."""


class Key(NamedTuple):
    """What matters when a container is started."""

    image: str
    preload: tuple[str, ...]
    memory: int
    processes: int
    disk: int


@dataclass(frozen=True)
class Spare:
    """An instance and its container."""

    box: SandboxInstance
    pipe: ContainerPipe
    container: str

    @property
    def alive(self) -> bool:
        return self.box.alive and self.pipe.alive

    async def kill(self) -> None:
        await self.box.kill()


class DockerSandbox(PrewarmedSandbox[Key, Spare]):
    """Runs programs in containers of one engine. `preload`, `spare` and `idle` as in LocalSandbox.

    Closing it closes the engine, which is its own.
    """

    def __init__(
        self,
        engine: Engine,
        *,
        preload: tuple[str, ...] = distributions.PRELOAD,
        spare: bool = True,
        idle: float = IDLE,
    ) -> None:
        super().__init__(spare=spare, idle=idle)
        self.engine = engine
        self._preload = preload
        self._proved = False
        self.warnings: tuple[str, ...] = engine.about.warnings
        """Limits that the engine says it can't keep."""

    @property
    def name(self) -> str:
        return "docker"

    async def close(self) -> None:
        await super().close()
        await self.engine.tidy()
        self.engine.close()

    def _key(self, limits: Limits) -> Key:
        disk = max(limits.disk, _SMALLEST_DISK)
        return Key(image.tag(), self._preload, limits.memory, limits.processes, disk)

    async def _start(self, key: Key) -> Spare:
        config = container_config(key, nested=self.engine.about.nested, own_tmpfs=self.engine.about.own_tmpfs)
        pipe, container, warnings = await self.engine.start(config)
        box = SandboxInstance(pipe, self.name)
        spare = Spare(box, pipe, container)
        try:
            if not self._proved:
                await self._prove(container, config, warnings)
            await box.ready(START_SECONDS)
            for name in distributions.ESSENTIAL:
                if name in box.preload_failed:
                    raise SandboxUnavailable(
                        f"The container started, but programs can't import {name} in it: {box.preload_failed[name]}. "
                        "Build the image again: scrapewright image build."
                    )
        except BaseException:
            await spare.kill()
            raise
        return spare

    async def _prove(self, container: str, config: dict[str, Any], warnings: tuple[str, ...]) -> None:
        """Raises SandboxUnavailable where the container is less isolated than was asked for."""
        if wrong := breaches(await self.engine.inspect(container), config, self.engine.about.unable):
            raise SandboxUnavailable(f"The container started, but it does not hold: {'; '.join(wrong)}.")
        self.warnings = tuple(dict.fromkeys((*self.warnings, *warnings)))
        self._proved = True


def container_config(key: Key, *, nested: bool, own_tmpfs: tuple[str, ...] = ()) -> dict[str, Any]:
    """docker-py's arguments to create_container.

    Each container gets a user of its own, for the kernel counts a user's processes over all containers and the host.
    `nested`: the engine's users are of a user namespace, which has small numbers only. `own_tmpfs`: where the engine
    mounts something to write to by itself; it gets a closed one there.
    """
    from docker.types import HostConfig, LogConfig, Ulimit

    user = spawn.unused_uid(nested=nested)
    memory = key.memory + key.disk + SHARED_MEMORY + _BESIDE
    processes = key.processes + _MORE_PROCESSES
    host = HostConfig(
        version="1.40",
        network_mode="none",
        read_only=True,
        cap_drop=["ALL"],
        security_opt=["no-new-privileges"],
        ipc_mode="private",
        mem_limit=memory,
        memswap_limit=memory,
        pids_limit=processes,
        shm_size=SHARED_MEMORY,
        tmpfs={
            SCRATCH: f"rw,exec,nosuid,nodev,mode=1777,size={key.disk}",
            **dict.fromkeys(own_tmpfs, "ro,noexec,nosuid,nodev,mode=555,size=4096"),
        },
        log_config=LogConfig(type="none"),
        auto_remove=True,
        init=False,
        ulimits=[
            Ulimit(name="core", soft=0, hard=0),
            Ulimit(name="nofile", soft=_FILES, hard=_FILES),
            Ulimit(name="nproc", soft=processes, hard=processes),
        ],
        cpu_shares=_SHARES,
        oom_score_adj=500,
        dns=["127.0.0.1"],  # or the engine copies the host's name servers in
    )
    host["MaskedPaths"] = list(_MASKED)  # docker-py has no argument for it
    task = json.dumps({"site": [SITE], "preload": list(key.preload)})
    # `env -i`, since an image's own variables can't be left out of a container. It becomes the supervisor: one process.
    variables = [f"{name}={value}" for name, value in ENVIRONMENT.items()]
    return {
        "image": key.image,
        "name": f"scrapewright-{secrets.token_hex(6)}",
        "hostname": "sandbox",
        "user": f"{user}:{user}",
        "working_dir": SCRATCH,
        "entrypoint": ["/usr/bin/env", "-i", *variables],
        "command": [_PYTHON, "-I", "-S", "-B", f"{HARNESS}/__main__.py", task],
        "stdin_open": True,
        "tty": False,
        "labels": {OWNER: myself().label(), image.BUILD: ""},  # or it has the image's, as a container of the build
        "host_config": host,
    }


async def choose_docker(limits: Limits | None = None, *, answer_within: float = ANSWER_SECONDS) -> DockerSandbox:
    """A sandbox of the engine that is there, with a real start as its spare; what was left over is swept away.

    Raises NoEngine, NoImage or SandboxUnavailable with what to do.
    """
    engine = await connect(answer_within=answer_within)
    sandbox = DockerSandbox(engine)
    try:
        await engine.image(image.tag())
        await asyncio.gather(engine.sweep(), sandbox.prepare(limits or Limits()))
    except BaseException:
        await sandbox.close()
        raise
    return sandbox
