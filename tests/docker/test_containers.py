"""Containers: hardened as asked, gone with their owner, swept when left over, and killed for want of memory or not."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator
from typing import Any

import pytest

from scrapewright.loop.ports import Limits, SandboxUnavailable
from scrapewright.sandboxes.docker import image
from scrapewright.sandboxes.docker import sandbox as docker_sandbox
from scrapewright.sandboxes.docker.engine import Engine, connect
from scrapewright.sandboxes.docker.isolation import breaches
from scrapewright.sandboxes.docker.owner import FORGOTTEN_SECONDS, OWNER, Owner, left_over, myself
from scrapewright.sandboxes.docker.sandbox import DockerSandbox, Key, choose_docker, container_config
from scrapewright.sandboxes.instance import SandboxInstance
from tests.hostile.backends import checkout, containers, present, run, wait_until_ended
from tests.hostile.processes import stat

KEY = Key(image.tag(), (), 256 << 20, 64, 1 << 20)


@pytest.fixture
async def engine() -> AsyncIterator[Engine]:
    present("docker")
    made = await connect()
    yield made
    made.close()


async def test_a_container_is_as_hard_as_asked(engine: Engine) -> None:
    made = DockerSandbox(engine, preload=(), spare=False)
    await made.prepare(Limits(memory=300 << 20, disk=5 << 20, processes=33))
    (found,) = containers()
    host = found["HostConfig"]
    assert (host["NetworkMode"], host["ReadonlyRootfs"], host["Privileged"]) == ("none", True, False)
    assert (host["CapDrop"], host["CapAdd"], host["Binds"]) == (["ALL"], None, None)
    assert host["SecurityOpt"] == ["no-new-privileges"]
    assert host["Memory"] == host["MemorySwap"] > 300 << 20
    assert host["PidsLimit"] == 33 + 16
    assert host["LogConfig"]["Type"] == "none"
    assert host["AutoRemove"] is True
    assert not host["Init"]
    assert "size=5242880" in host["Tmpfs"]["/tmp"]
    assert found["Config"]["Tty"] is False
    assert list(found["NetworkSettings"]["Networks"]) == ["none"]
    assert found["Mounts"] == []
    assert int(found["Config"]["User"].split(":")[0]) > 1000
    await made.close()
    assert containers() == []


WEAKER: list[tuple[dict[str, Any], str]] = [
    ({"NetworkMode": "bridge"}, "network is bridge"),
    ({"ReadonlyRootfs": False}, "root can be written"),
    ({"Privileged": True}, "it is privileged"),
    ({"SecurityOpt": []}, "gain privileges"),
    ({"SecurityOpt": ["no-new-privileges", "seccomp=unconfined"]}, r"weakened \(seccomp=unconfined\)"),
    ({"SecurityOpt": ["no-new-privileges=false"]}, "weakened"),
    ({"CapAdd": ["NET_ADMIN"]}, "capabilities"),
    ({"CapDrop": ["CHOWN", "KILL"]}, "capabilities"),
    ({"Binds": ["/:/host"]}, "mounted"),
    ({"Mounts": [{"Type": "bind", "Source": "/", "Target": "/host"}]}, "mounted"),
    ({"Tmpfs": {"/tmp": "rw,exec,nosuid,nodev,mode=1777"}}, r"/tmp is not as asked \(lacks size=1048576\)"),
    ({"Memory": 0, "MemorySwap": 0}, "memory is not limited as asked"),
    ({"MemorySwap": -1}, "memory with swap is not limited"),
    ({"PidsLimit": 0}, "processes is not limited"),
    ({"ShmSize": 1 << 30}, "shared memory"),
    ({"Ulimits": []}, "limit core is not as asked; its limit nofile .*; its limit nproc"),
    ({"Devices": [{"PathOnHost": "/dev/zero", "PathInContainer": "/dev/x", "CgroupPermissions": "rwm"}]}, "devices"),
    ({"DeviceCgroupRules": ["c 1:3 rwm"]}, "devices"),
    ({"GroupAdd": ["0"]}, "groups"),
    ({"PidMode": "host"}, r"shares a namespace \(PidMode host\)"),
    ({"IpcMode": "host"}, "IpcMode"),
    ({"MaskedPaths": []}, "not masked"),
    ({"ReadonlyPaths": []}, "kernel's settings"),
    ({"LogConfig": {"Type": "json-file", "Config": {}}}, "kept by the engine"),
    ({"Init": True}, "first process"),
]


@pytest.mark.parametrize(("change", "says"), WEAKER, ids=[says for _, says in WEAKER])
async def test_what_an_engine_says_of_a_weaker_container_gives_it_away(
    engine: Engine, change: dict[str, Any], says: str
) -> None:
    """Made, and not started, weaker than it was asked for."""
    asked = container_config(KEY, nested=False)

    def make(client: Any) -> dict[str, Any]:
        made = client.create_container(**{**asked, "host_config": {**asked["host_config"], **change}})
        try:
            found: dict[str, Any] = client.inspect_container(made["Id"])
            return found
        finally:
            client.remove_container(made["Id"])

    assert re.search(says, "; ".join(breaches(await engine.call(make), asked)))


async def test_an_engine_that_does_not_do_as_asked_is_refused(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    start = engine.start

    async def weaker(config: dict[str, Any]) -> Any:
        return await start(
            {**config, "host_config": {**config["host_config"], "PidsLimit": 0, "NetworkMode": "bridge"}}
        )

    monkeypatch.setattr(engine, "start", weaker)
    made = DockerSandbox(engine, preload=(), spare=False)
    with pytest.raises(SandboxUnavailable, match=r"does not hold: .*processes is not limited.*; its network is bridge"):
        await made.prepare(Limits())
    await made.close()
    assert containers() == []


async def test_what_an_engine_can_not_limit_and_what_it_adds(engine: Engine) -> None:
    config = container_config(KEY, nested=False)
    pipe, container, _ = await engine.start(config)
    inspected = await engine.inspect(container)
    pipe.kill()
    await pipe.wait()

    def of(what: str, **change: Any) -> dict[str, Any]:
        return {**inspected, what: {**inspected[what], **change}}

    assert breaches(inspected, config) == []
    without = of("HostConfig", PidsLimit=None, MemorySwap=-1)
    assert len(breaches(without, config)) == 2
    assert breaches(without, config, {"PidsLimit", "MemorySwap"}) == []
    added = {**inspected["HostConfig"]["Tmpfs"], "/run": "rw"}
    assert breaches(of("HostConfig", Tmpfs=added), config) == ["there is more to write to in it (/run)"]
    assert breaches(of("HostConfig", UTSMode="host"), config) == ["it shares a namespace (UTSMode host)"]
    assert breaches(of("Config", User=""), config) == ["it runs as root"]
    assert breaches(of("Config", Tty=True), config) == ["it has a terminal"]
    assert breaches(of("NetworkSettings", Networks={"bridge": {}}), config) == ["its network is bridge"]
    # As Podman tells: of masks nothing, of capabilities those that it would have given.
    given = ["CAP_CHOWN", "DAC_OVERRIDE", "FOWNER", "KILL", "SETGID", "SETPCAP", "SETUID", "NET_RAW"]
    assert breaches(of("HostConfig", MaskedPaths=None, ReadonlyPaths=None, CapDrop=given), config) == []


async def test_each_container_has_a_user_of_its_own(engine: Engine) -> None:
    users = {container_config(KEY, nested=False)["user"] for _ in range(50)}
    assert len(users) == 50
    small = {int(container_config(KEY, nested=True)["user"].split(":")[0]) for _ in range(50)}
    assert len(small) == 50
    assert max(small) < 65534


# Memory.


async def test_a_program_killed_for_want_of_memory_is_distinguished_from_a_killed_one(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The container is made smaller than what its program may have, so that the kernel meets the program first."""
    monkeypatch.setattr(docker_sandbox, "_BESIDE", -(256 << 20))
    made = DockerSandbox(engine, preload=(), spare=False)
    limits = Limits(memory=512 << 20, disk=1 << 20, seconds=20.0)
    ran = await run(made, "block = bytearray(b'x') * (420 << 20)\nprint(len(block))", limits=limits)
    assert (ran.result.status, ran.result.signal, ran.result.stdout.text) == ("oom", "SIGKILL", "")
    assert "want of memory" in ran.result.note
    ran = await run(made, "import os\nos.kill(os.getpid(), 9)", limits=limits)
    assert (ran.result.status, ran.result.signal) == ("killed", "SIGKILL")
    assert "memory" not in ran.result.note
    await made.close()


async def test_a_supervisor_killed_for_want_of_memory_is_reported_by_the_engine(engine: Engine) -> None:
    config = container_config(Key(image.tag(), ("pandas",), 256 << 20, 64, 1 << 20), nested=False)
    config["host_config"]["Memory"] = config["host_config"]["MemorySwap"] = 24 << 20
    pipe, _, _ = await engine.start(config)
    with pytest.raises(SandboxUnavailable, match=r"killed by the kernel for want of memory \(exit status 137\)"):
        await SandboxInstance(pipe, "docker").ready(30)
    assert containers() == []


async def test_what_python_says_before_the_pipe_is_up_is_reported(engine: Engine) -> None:
    config = container_config(KEY, nested=False)
    config["command"][4] = "/harness/missing.py"
    pipe, _, _ = await engine.start(config)
    with pytest.raises(SandboxUnavailable, match=r"exit status 2: .*missing\.py"):
        await SandboxInstance(pipe, "docker").ready(30)


# Who owns what.

SPIN = "from tests.hostile.elsewhere import spin; spin()"


async def other_host() -> asyncio.subprocess.Process:
    """Another process of ours in the middle of a run, with its next spare on the way."""
    host = await asyncio.create_subprocess_exec(
        sys.executable, "-c", SPIN, "docker", stdout=asyncio.subprocess.PIPE, cwd=checkout()
    )
    assert host.stdout is not None
    assert isinstance(json.loads(await host.stdout.readline()), list)
    return host


def label_of(pid: int) -> str:
    known = stat(pid)
    assert known is not None
    return myself()._replace(pid=pid, started=known[1]).label()


async def test_a_killed_host_leaves_no_container_and_is_swept_by_nobody_while_it_lives() -> None:
    present("docker")
    host = await other_host()
    label = label_of(host.pid)
    try:
        mine = await choose_docker(Limits(disk=1 << 20))  # which sweeps
        running = [container for container in containers(label) if container["State"]["Running"]]
        assert running
        await mine.close()
    finally:
        host.kill()
        await host.wait()
    for container in running:
        await asyncio.to_thread(wait_until_ended, container["Id"])
    again = await choose_docker(Limits(disk=1 << 20))
    assert containers(label) == []
    await again.close()


async def test_a_sweep_takes_what_nobody_owns_and_nothing_else(engine: Engine) -> None:
    """Containers that were made and never started, as a host leaves them that is killed in the middle."""
    ended = subprocess.Popen(["true"])
    gone = myself()._replace(pid=ended.pid, started="1")
    ended.wait()
    other = subprocess.Popen(["sleep", "60"])
    labels = {
        "gone": gone.label(),
        "a later process with that number": myself()._replace(started="1").label(),
        "mine": myself().label(),
        "another's": label_of(other.pid),
        "another machine's": Owner("another-boot", "pid:[1]", 1, "1").label(),
        "no label of ours": "something else entirely, thank you",
    }
    made: dict[str, str] = {}
    try:
        for name, label in labels.items():
            config = {**container_config(KEY, nested=False), "labels": {OWNER: label}}
            made[name] = (await engine.call(lambda client, config=config: client.create_container(**config)))["Id"]
        await engine.sweep()
        left = {name for name, container in made.items() if await exists(engine, container)}
        assert left == {"mine", "another's", "another machine's", "no label of ours"}
    finally:
        other.kill()
        other.wait()
        for container in made.values():
            with contextlib.suppress(SandboxUnavailable):
                await engine.call(lambda client, container=container: client.remove_container(container, force=True))


async def exists(engine: Engine, container: str) -> bool:
    try:
        await engine.inspect(container)
    except SandboxUnavailable:
        return False
    return True


def entry(label: str, state: str = "created", age: float = 0.0) -> dict[str, Any]:
    return {"Labels": {OWNER: label}, "State": state, "Created": 1_000_000 - age}


def test_who_is_gone() -> None:
    elsewhere = Owner("another-boot", "pid:[1]", 1, "1").label()
    namespace = myself()._replace(namespace="pid:[1]", pid=1, started="1").label()
    old = FORGOTTEN_SECONDS + 1
    for label in (elsewhere, namespace):
        assert not left_over(entry(label), now=1_000_000)
        assert not left_over(entry(label, "running", old), now=1_000_000)
        assert left_over(entry(label, "created", old), now=1_000_000)
        assert left_over(entry(label, "exited", old), now=1_000_000)
    assert not left_over(entry(myself().label(), "exited", old), now=1_000_000)
    assert left_over(entry(myself()._replace(started="1").label(), "running"), now=1_000_000)
    assert not left_over(entry("a b c d", "exited", old), now=1_000_000)
    assert not left_over({"Labels": None, "State": "exited", "Created": 0})


async def test_two_at_once_do_not_count_on_each_other(engine: Engine) -> None:
    """The kernel counts processes by user: a fork bomb in one container takes none from the other."""
    first, second = DockerSandbox(engine, preload=()), DockerSandbox(engine, preload=())
    bomb = (
        "import os, time\n"
        "for _ in range(40):\n    if os.fork() == 0:\n        time.sleep(3)\n        os._exit(0)\n"
        "print('up', flush=True)\ntime.sleep(1)\n"
    )
    for sandbox in (first, second):
        await sandbox.prepare(Limits())
    results = await asyncio.gather(run(first, bomb, limits=Limits()), run(second, bomb, limits=Limits()))
    assert [ran.result.stdout.text for ran in results] == ["up\n"] * 2
    await first.close()


def test_my_own_label_names_this_process() -> None:
    assert str(os.getpid()) in myself().label().split(" ")
