"""Podman in Docker's place: its service, started by the test on a socket of its own, with an image of its own store."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from scrapewright.loop.ports import Job, Limits, SandboxUnavailable
from scrapewright.sandboxes.docker import image
from scrapewright.sandboxes.docker.engine import connect
from scrapewright.sandboxes.docker.sandbox import DockerSandbox
from tests.hostile.backends import engine_url, ignore_ticks, no_web, present, run

pytestmark = pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("podman") is None, reason="podman: not installed, or the tests are not root's"
)


@pytest.fixture(scope="module")
def service() -> Iterator[str]:
    """The service's address, with the image of the real engine loaded into its store."""
    present("docker")
    # Podman's sockets and locks need short paths (50 characters for a runroot), and its store a real file system.
    folder = Path(tempfile.mkdtemp(prefix="podman-", dir="/tmp"))
    store = ["--root", str(folder / "root"), "--runroot", str(folder / "run"), "--events-backend", "file"]
    socket = folder / "socket"
    saved = folder / "image.tar"
    import docker

    client = docker.DockerClient(base_url=engine_url(), timeout=120)
    with saved.open("wb") as file:
        for chunk in client.images.get(image.tag()).save(named=True):
            file.write(chunk)
    client.close()
    loaded = subprocess.run(["podman", *store, "load", "-q", "-i", str(saved)], capture_output=True, text=True)
    saved.unlink()
    if loaded.returncode != 0:
        shutil.rmtree(folder, ignore_errors=True)
        pytest.fail(f"podman load: {loaded.stderr}")
    # crun refuses a hybrid hierarchy of cgroups whose second version has controllers; runc takes it.
    runtime = ["--runtime", "runc"] if shutil.which("runc") else []
    server = subprocess.Popen(
        ["podman", *store, *runtime, "system", "service", "--time", "0", f"unix://{socket}"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield f"unix://{socket}"
    finally:
        server.terminate()
        server.wait(timeout=30)
        subprocess.run(["podman", *store, "rm", "-fa"], capture_output=True)
        subprocess.run(["podman", *store, "rmi", "-fa"], capture_output=True)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
async def podman(service: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[DockerSandbox]:
    monkeypatch.setenv("DOCKER_HOST", service)
    async with asyncio.timeout(30):
        while True:
            try:
                engine = await connect()
                break
            except SandboxUnavailable:  # it is starting
                await asyncio.sleep(0.05)
    made = DockerSandbox(engine, preload=())
    yield made
    await made.close()


@pytest.mark.full
async def test_programs_run_in_its_containers(podman: DockerSandbox) -> None:
    assert podman.engine.about.name == "Podman"
    await podman.engine.image(image.tag())
    ran = await run(podman, "import requests\nopen('rows.csv', 'w').write('a')\nprint('x' * 300_000)")
    assert ran.result.status == "ok", (ran.result.note, ran.result.stderr.text)
    assert ran.result.stdout.bytes == 300_001
    assert ran.files == {"rows.csv": b"a"}
    ran = await run(podman, "1 / 0", recorder=True)
    assert (ran.result.status, ran.result.where) == ("error", 1)


async def test_its_walls_hold(podman: DockerSandbox) -> None:
    code = (
        "import os, socket\n"
        "status = open('/proc/self/status').read()\n"
        "found = dict(line.split(':\\t', 1) for line in status.splitlines() if ':\\t' in line)\n"
        "print(found['CapEff'], found['CapBnd'], found['NoNewPrivs'], found['Seccomp'], os.getuid() > 1000)\n"
        "print(sorted(name for _, name in socket.if_nameindex()) if False else os.listdir('/sys/class/net'))\n"
        "for place in ('/new', '/run/new', '/var/tmp/new'):\n"
        "    try:\n        open(place, 'w')\n    except OSError as error:\n        print(error.strerror)\n"
    )
    ran = await run(podman, code)
    assert ran.result.stdout.text.splitlines() == [
        "0000000000000000 0000000000000000 1 2 True",
        "['lo']",
        *["Read-only file system"] * 3,
    ], ran.result.stderr.text


@pytest.mark.full
async def test_nothing_is_left_and_the_next_runs(podman: DockerSandbox) -> None:
    started = asyncio.Event()
    task = asyncio.create_task(
        podman.run(Job(code="print('up', flush=True)\nwhile True: pass"), no_web, lambda tick: started.set())
    )
    waiting = asyncio.create_task(started.wait())
    await asyncio.wait([task, waiting], return_when=asyncio.FIRST_COMPLETED)
    assert started.is_set(), await task
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await run(podman, "print('up')")).result.stdout.text == "up\n"
    assert await podman.engine.sweep() == 0


@pytest.mark.full
async def test_a_killed_supervisor_is_reported(podman: DockerSandbox) -> None:
    made = await connect()
    await podman.prepare(Limits())
    listed = await made.call(lambda client: client.containers())
    for container in listed:
        await made.call(lambda client, container=container: client.kill(container["Id"], 9))
    made.close()
    ran = await podman.run(Job(code="print('up')", limits=Limits()), no_web, ignore_ticks)
    assert (ran.result.status, ran.result.stdout.text) in {("ok", "up\n"), ("lost", "")}
    if ran.result.status == "lost":
        assert "signal 9" in ran.result.note
