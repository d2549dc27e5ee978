"""The backends that every test of what a sandbox promises is run on. Another backend is one more line in BACKENDS.

Where the kernel or the engine makes one behave unlike the others, DIFFERENCES says so, and the tests look it up there.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pytest

from scrapewright.loop.ports import Job, Limits, Ran, Report, SandboxUnavailable
from scrapewright.sandboxes import bwrap, distributions
from scrapewright.sandboxes.choose import Prefer, choose
from scrapewright.sandboxes.docker.endpoint import find
from scrapewright.sandboxes.docker.engine import connect
from scrapewright.sandboxes.docker.owner import OWNER, myself
from scrapewright.sandboxes.docker.sandbox import DockerSandbox
from scrapewright.sandboxes.local import LocalSandbox
from scrapewright.sandboxes.spawn import Kind
from scrapewright.session.events import AnyTick
from scrapewright.web.page import ByteStream, Connect
from tests.hostile.processes import descendants, stat

QUICK = Limits(seconds=5.0, disk=16 << 20)

REQUIRED = "REQUIRE_DOCKER"
"""Set in the environment, it makes a container engine that can't be had a failure instead of a skip."""


class Runs(Protocol):
    """What runs a job."""

    async def run(self, job: Job, connect: Connect, report: Report) -> Ran: ...


class AnySandbox(Runs, Protocol):
    """A sandbox, as tests use it."""

    @property
    def name(self) -> str: ...

    async def prepare(self, limits: Limits) -> None: ...

    async def close(self) -> None: ...


@dataclass(frozen=True)
class Backend:
    """One way to run programs.

    `make` gives a sandbox; its arguments are those that LocalSandbox and DockerSandbox share. `processes` are what the
    sandboxes of this process consist of now, by the host's numbers and start times. `users`: who may use it, where the
    tests run as root.
    """

    name: Prefer
    make: Callable[..., Awaitable[AnySandbox]]
    processes: Callable[[], set[tuple[int, str]]]
    users: tuple[str, ...] = ("self", "ordinary user")
    remnants: Callable[[], set[str]] = set
    """What of them is left where processes are not all, by name."""

    def __str__(self) -> str:
        return self.name

    def differs(self, promise: str, otherwise: Any = None) -> Any:
        """How it is unlike the others in this, by the table; `otherwise` where it is not."""
        return DIFFERENCES[promise].get(self.name, otherwise)


def _local(kind: Kind) -> Callable[..., Awaitable[AnySandbox]]:
    async def make(**options: Any) -> AnySandbox:
        return LocalSandbox(kind, **options)

    return make


async def _docker(**options: Any) -> AnySandbox:
    return DockerSandbox(await connect(), **options)


ENVIRONMENT = dict(os.environ)
"""As the tests were started: some of them change where the engine is said to be."""


def engine_url() -> str:
    """Where the real engine listens."""
    endpoint = find(ENVIRONMENT)
    assert endpoint is not None
    return endpoint.url


def containers(owner: str = "") -> list[dict[str, Any]]:
    """The engine's containers that a process, by default this one, has made: asked of the engine, not of our code."""
    import docker

    client = docker.DockerClient(base_url=engine_url())
    try:
        listed = client.api.containers(all=True, filters={"label": f"{OWNER}={owner or myself().label()}"})
        found = []
        for entry in listed:
            try:
                found.append(client.api.inspect_container(entry["Id"]))
            except docker.errors.NotFound:
                pass
        return found
    finally:
        client.close()


def wait_until_ended(container: str) -> None:
    """Until the engine knows that its processes have ended, 30 seconds at most; at once where it is removed."""
    import docker

    client = docker.DockerClient(base_url=engine_url())
    try:
        client.api.wait(container, timeout=30)
    except docker.errors.NotFound:
        pass
    finally:
        client.close()


def _in_containers() -> set[tuple[int, str]]:
    found: set[tuple[int, str]] = set()
    for container in containers():
        if (pid := container["State"]["Pid"]) and (known := stat(pid)) is not None:
            found |= {(pid, known[1])} | descendants(pid)
    return found


def _names() -> set[str]:
    return {container["Id"] for container in containers()}


def _below() -> set[tuple[int, str]]:
    return descendants(os.getpid())


BACKENDS: tuple[Backend, ...] = (
    Backend("bwrap", _local("bwrap"), _below),
    Backend("namespaces", _local("namespaces"), _below),
    Backend("docker", _docker, _in_containers, users=("self",), remnants=_names),
)


DIFFERENCES: dict[str, dict[str, Any]] = {
    # An engine puts three files into each container. They say nothing of the host.
    "files of its own": {
        "docker": {
            "/etc/hostname": r"sandbox\n",
            "/etc/hosts": r"((127\.0\.0\.1|::1|f[ef]0[0-9a-f]*::\d?)(\s+(localhost|sandbox|ip6-[a-z]+))+\n)*",
            "/etc/resolv.conf": r"nameserver 127\.0\.0\.1\n",
        }
    },
    # A container's memory is limited as a whole, too, by its control group: what grows faster than the supervisor
    # looks is killed by the kernel. Elsewhere each process meets its own limit, and the supervisor looks at the sum.
    "memory of the whole": {"docker": ("oom", "killed", "error")},
    # A container's Python is the image's, the local sandbox's is the host's.
    "python": {"docker": "3.13."},
}
"""What the kernel or the engine makes unlike the others, by promise and backend. All else is the same on each."""


def by_name(name: str) -> Backend:
    return next(backend for backend in BACKENDS if backend.name == name)


LOCAL: tuple[Kind, ...] = ("bwrap", "namespaces")


@functools.cache
def absence(name: Prefer) -> str:
    """Why a backend can't be had on this host, or nothing. Asked once for the process, by a real start."""
    if name == "bwrap" and bwrap.find() is None:
        return "bubblewrap is not installed"

    async def ask() -> None:
        await (await choose(name)).sandbox.close()

    try:
        with ThreadPoolExecutor(1) as other:  # a test's own event loop may be running in this thread
            other.submit(lambda: asyncio.run(ask())).result()
    except SandboxUnavailable as error:
        return f"{name}: {error}"
    return ""


def present(name: Prefer) -> None:
    """Skips the test where a backend can't be had; fails it where that one is required."""
    if reason := absence(name):
        if name == "docker" and os.environ.get(REQUIRED):
            pytest.fail(f"{REQUIRED} is set. {reason}")
        pytest.skip(reason)


def those_here() -> list[Backend]:
    """The backends that can be had. Fails where one that is required can't."""
    for backend in BACKENDS:
        with contextlib.suppress(pytest.skip.Exception):
            present(backend.name)
    return [backend for backend in BACKENDS if not absence(backend.name)]


@pytest.fixture(scope="module", params=BACKENDS, ids=str)
def backend(request: pytest.FixtureRequest) -> Backend:
    """Each backend in turn; skipped, with the host's reason, where it can't be had."""
    found: Backend = request.param
    present(found.name)
    return found


@pytest.fixture(scope="module", params=LOCAL)
def kind(request: pytest.FixtureRequest) -> Kind:
    """Each kind of the local sandbox in turn."""
    found: Kind = request.param
    present(found)
    return found


@pytest.fixture
async def sandbox(backend: Backend) -> AsyncIterator[AnySandbox]:
    """A sandbox that starts quickly: nothing is imported ahead, and no spare is kept."""
    made = await backend.make(preload=(), spare=False)
    yield made
    await made.close()


async def no_web(stream: ByteStream) -> None:
    """Takes no connection."""
    stream.close()


def ignore_ticks(tick: AnyTick) -> None:
    """Drops ticks."""


async def run(sandbox: Runs, code: str, *argv: str, limits: Limits = QUICK, recorder: bool = False) -> Ran:
    """One program's record."""
    job = Job(code=code, argv=argv, limits=limits, recorder=recorder)
    return await sandbox.run(job, no_web, ignore_ticks)


def packages() -> list[str]:
    """The distributions that a program may import, by name."""
    return sorted(distributions.find().versions)


def checkout() -> Path:
    return Path(__file__).resolve().parents[2]
