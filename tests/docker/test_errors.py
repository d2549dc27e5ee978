"""What can be wrong with an engine is said with what to do; without one, auto loses no time."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import certifi
import pytest
import trustme

from scrapewright.loop.ports import Job, Limits, SandboxUnavailable
from scrapewright.sandboxes.choose import choose
from scrapewright.sandboxes.docker import endpoint, image
from scrapewright.sandboxes.docker import engine as engine_calls
from scrapewright.sandboxes.docker.engine import EngineError, NoEngine, NoImage, connect
from scrapewright.sandboxes.docker.sandbox import DockerSandbox, choose_docker
from scrapewright.session.events import AnyTick, OutputPrinted
from tests.docker.engines import HANGS, Handlers, Relay, real, scripted
from tests.hostile.backends import absence, containers, ignore_ticks, no_web, present, run
from tests.hostile.elsewhere import command


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the environment says that the engine listens."""
    path = tmp_path / "engine.sock"
    monkeypatch.setenv("DOCKER_HOST", f"unix://{path}")
    return path


async def refusal(kind: type[SandboxUnavailable] = EngineError) -> str:
    with pytest.raises(kind) as refused:
        await choose_docker()
    text = str(refused.value)
    assert "--sandbox local" in text or "image build" in text
    return text


async def test_no_socket(place: Path) -> None:
    assert "DOCKER_HOST" in await refusal(NoEngine)


async def test_nobody_listens(place: Path) -> None:
    with socket.socket(socket.AF_UNIX) as left_behind:
        left_behind.bind(str(place))
    assert "systemctl start docker" in await refusal(NoEngine)


async def test_nothing_says_that_there_is_an_engine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("DOCKER_HOST", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(endpoint, "_usual", lambda environ: [])
    assert "No container engine was found" in await refusal(NoEngine)


async def test_an_engine_that_hangs_costs_its_time_out_and_no_more(place: Path) -> None:
    held: list[asyncio.StreamWriter] = []
    server = await asyncio.start_unix_server(lambda reader, writer: held.append(writer), place)
    began = time.monotonic()
    with pytest.raises(EngineError, match="does not answer in time"):
        await connect(answer_within=0.2)
    assert time.monotonic() - began < engine_calls.CALL_SECONDS / 2
    assert len(held) == 1, "it is not asked again"
    server.close()
    await Handlers().leave(*held)


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to give it up")
async def test_no_permission_on_the_socket(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    place = Path("/tmp") / f"engine-{os.getpid()}.sock"  # pytest's own folder is closed to other users
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(place))
        listener.listen()
        place.chmod(0o600)
        code = (
            "import asyncio\n"
            "from scrapewright.sandboxes.docker.engine import connect\n"
            "try:\n    asyncio.run(connect())\n"
            "except Exception as error:\n    print(type(error).__name__, error)\n"
        )
        environ = {"PATH": "/usr/bin:/bin", "DOCKER_HOST": f"unix://{place}", "HOME": "/"}
        done = await asyncio.to_thread(
            subprocess.run, command(f"exec({code!r})"), env=environ, capture_output=True, text=True
        )
    place.unlink()
    assert "EngineError No permission" in done.stdout, done.stderr
    assert "usermod -aG docker" in done.stdout


async def test_an_engine_that_is_too_old(place: Path) -> None:
    answers = {"/version": (200, {"ApiVersion": "1.30", "Version": "17.06"})}
    async with scripted(place, answers):
        assert "too old: it speaks API 1.30" in await refusal()


async def test_one_that_speaks_something_else(place: Path) -> None:
    async with scripted(place, {"/version": (200, b"<html>hello</html>")}):
        assert "can't be used" in await refusal()


async def test_the_image_is_not_there(place: Path) -> None:
    missing = {"/json": (404, {"message": f"No such image: {image.tag()}"})}
    async with scripted(place, missing) as engine:
        assert "scrapewright image build" in await refusal(NoImage)
        assert not [line for line in engine.asked if "create" in line]


@pytest.mark.parametrize(
    ("status", "message", "says"),
    [
        (500, "mkdir /var/lib/docker/overlay2/x: no space left on device", "docker system prune"),
        (404, "No such image: scrapewright-sandbox", "scrapewright image build"),
        (400, "invalid CapDrop", "refused (status 400): invalid CapDrop"),
    ],
)
async def test_the_engine_can_not_make_a_container(place: Path, status: int, message: str, says: str) -> None:
    answers: dict[str, tuple[int, Any]] = {
        "/containers/json": (200, []),
        "/containers/create": (status, {"message": message}),
        f"/images/{image.tag()}/json": (200, {"Config": {"Labels": {}}}),
    }
    async with scripted(place, answers):
        assert says in await refusal()


async def test_a_start_on_an_engine_that_hangs_can_be_given_up(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The engine takes the order for a container and says no more; removing it is tried, and not for ever."""
    monkeypatch.setattr(engine_calls, "LETTING_GO_SECONDS", 0.1)
    ready = {f"/images/{image.tag()}/json": (200, {"Id": "x"}), "/containers/json": (200, [])}
    async with scripted(place, {**ready, "/create": (HANGS, None)}) as engine:
        choosing = asyncio.create_task(choose_docker())
        while not any("/create" in line for line in engine.asked):
            await asyncio.sleep(0.01)
        choosing.cancel()
        async with asyncio.timeout(20):
            with pytest.raises(asyncio.CancelledError):
                await choosing
    assert any(line.startswith("DELETE") for line in engine.asked)


BUILD_IN_A_HURRY = """
import sys
from scrapewright.__main__ import main
from scrapewright.sandboxes.docker import image
image.LETTING_GO_SECONDS = 0.3
sys.argv[1:] = ["image", "build"]
main()
"""


@pytest.mark.parametrize("signal_number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.full)])
async def test_a_build_can_be_interrupted(place: Path, signal_number: signal.Signals) -> None:
    """By an engine that hangs, too: it takes the end of the process for the end of the build."""
    missing = {"/images/json": (200, []), f"/images/{image.tag()}/json": (404, {"message": "No such image: x"})}
    async with scripted(place, {**missing, "/build": (HANGS, None)}) as engine:
        build = await asyncio.create_subprocess_exec(
            sys.executable, "-c", BUILD_IN_A_HURRY, stderr=subprocess.PIPE, stdout=subprocess.PIPE
        )
        while not any("/build" in line for line in engine.asked):
            assert build.returncode is None
            await asyncio.sleep(0.01)
        build.send_signal(signal_number)
        try:
            async with asyncio.timeout(30):
                said = await build.communicate()
        finally:
            if build.returncode is None:
                build.kill()
        assert (build.returncode, *said) == (130, b"", b"")


async def test_auto_says_why_it_takes_the_local_one(place: Path) -> None:
    if reason := absence("local"):
        pytest.skip(reason)
    chosen = await choose("auto")
    await chosen.sandbox.close()
    assert chosen.sandbox.name in ("bwrap", "namespaces")
    assert chosen.why == "no container engine answers"
    async with scripted(place, {"/json": (404, {"message": "No such image: x"})}):
        chosen = await choose("auto")
        await chosen.sandbox.close()
        assert "image build" in chosen.why


async def test_auto_takes_the_engine_that_has_the_image() -> None:
    present("docker")
    chosen = await choose("auto")
    await chosen.sandbox.close()
    assert chosen.sandbox.name == "docker"
    assert "answers and has the image" in chosen.why


def test_a_start_without_an_engine_loads_nothing_of_it() -> None:
    code = (
        "import asyncio, sys, time\n"
        "from scrapewright.sandboxes.docker import endpoint\n"
        "from scrapewright.sandboxes.docker.engine import NoEngine, connect\n"
        "endpoint._usual = lambda environ: [('/nowhere/docker.sock', 'a socket that is not there')]\n"
        "async def main():\n"
        "    began = time.process_time()\n"
        "    try:\n        await connect()\n"
        "    except NoEngine:\n        print(time.process_time() - began)\n"
        "asyncio.run(main())\n"
        "assert 'docker' not in sys.modules and 'requests' not in sys.modules\n"
    )
    environ = {name: value for name, value in os.environ.items() if not name.startswith("DOCKER_")}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**environ, "HOME": "/"})
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < 0.1


# With the real engine.


@pytest.fixture
async def relay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Relay]:
    """In front of the real engine, and where the environment says that it listens."""
    present("docker")
    made = Relay(tmp_path / "relay.sock")
    monkeypatch.setenv("DOCKER_HOST", f"unix://{made.path}")
    await made.open()
    yield made
    await made.close()


async def test_an_engine_that_is_gone_in_mid_run(relay: Relay) -> None:
    # Without a spare: one that the engine is just making as it is lost is left as it is.
    made = DockerSandbox(await connect(), preload=(), spare=False)
    await made.prepare(Limits())
    started = asyncio.Event()
    code = "print('up', flush=True)\nwhile True: pass"

    def on_tick(tick: AnyTick) -> None:
        if isinstance(tick, OutputPrinted):
            started.set()

    task = asyncio.create_task(made.run(Job(code=code), no_web, on_tick))
    await started.wait()
    relay.cut()
    ran = await task
    assert ran.result.status == "lost"
    assert ran.result.stdout.head == "up\n"
    assert "the container engine was lost" in ran.result.note
    assert "Start it" in ran.result.note
    with pytest.raises(NoEngine):
        await run(made, "print('up')")
    async with asyncio.timeout(30):  # the engine itself lives: the supervisor ends with its stdin
        while any(container["State"]["Running"] for container in containers()):
            await asyncio.sleep(0.05)
    await relay.open()
    assert (await run(made, "print('up again')")).result.stdout.text == "up again\n"
    await made.close()
    assert containers() == []


async def test_nothing_but_what_a_pipe_needs_is_asked_of_the_engine(relay: Relay) -> None:
    made = await choose_docker()
    assert (await run(made, "print('up')")).result.status == "ok"
    await made.close()
    whole = [re.sub(r"(\?.*)? HTTP/1.1$|/v1\.\d+(?=/)", "", line) for line in relay.asked]
    assert {"/".join(line.split("/")[:2]) for line in whole} == {
        "GET /version", "GET /info", "GET /images", "GET /containers", "POST /containers", "DELETE /containers",
    }  # fmt: skip
    posts = {line.split(" ")[1].partition("?")[0].rsplit("/", 1)[1] for line in relay.asked if line.startswith("POST")}
    assert posts == {"create", "attach", "start"}


# Contexts.


async def test_the_dockers_own_context_is_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A context as `docker context create` and `docker context use` leave it."""
    present("docker")
    import hashlib

    place = tmp_path / "behind a context.sock"
    made = Relay(place)
    await made.open()
    folder = tmp_path / "contexts" / "meta" / hashlib.sha256(b"other").hexdigest()
    folder.mkdir(parents=True)
    meta = {
        "Name": "other",
        "Metadata": {},
        "Endpoints": {"docker": {"Host": f"unix://{place}", "SkipTLSVerify": False}},
    }
    (folder / "meta.json").write_text(json.dumps(meta))
    (tmp_path / "config.json").write_text(json.dumps({"currentContext": "other"}))
    monkeypatch.setenv("DOCKER_CONFIG", str(tmp_path))
    monkeypatch.delenv("DOCKER_HOST", raising=False)
    engine = await connect()
    assert engine.endpoint.socket == str(place)
    assert "context" in engine.endpoint.origin
    sandbox = DockerSandbox(engine, preload=(), spare=False)
    assert (await run(sandbox, "print('up')")).result.stdout.text == "up\n"
    await sandbox.close()
    assert made.asked
    await made.close()


@pytest.mark.parametrize("broken", ["{", '{"Name": "other"}'])
async def test_a_context_that_makes_no_sense(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    import hashlib

    folder = tmp_path / "contexts" / "meta" / hashlib.sha256(b"other").hexdigest()
    folder.mkdir(parents=True)
    (folder / "meta.json").write_text(broken)
    (tmp_path / "config.json").write_text(json.dumps({"currentContext": "other"}))
    monkeypatch.setenv("DOCKER_CONFIG", str(tmp_path))
    monkeypatch.delenv("DOCKER_HOST", raising=False)
    with pytest.raises(SandboxUnavailable, match="docker context ls"):
        await connect()


async def test_a_context_that_is_not_there_is_not_taken_for_the_usual_socket(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "config.json").write_text(json.dumps({"currentContext": "of the file"}))
    monkeypatch.setenv("DOCKER_CONFIG", str(tmp_path))
    monkeypatch.delenv("DOCKER_HOST", raising=False)
    with pytest.raises(SandboxUnavailable, match="There is no Docker context 'of the file'"):
        await connect()
    monkeypatch.setenv("DOCKER_CONTEXT", "of the environment")
    with pytest.raises(SandboxUnavailable, match="There is no Docker context 'of the environment'"):
        await connect()
    monkeypatch.setenv("DOCKER_CONTEXT", "default")
    usual = endpoint.find()
    assert usual is None or "context" not in usual.origin


@contextlib.asynccontextmanager
async def on_tcp(tls: ssl.SSLContext | None = None) -> AsyncIterator[str]:
    """The real engine's address on a port of this machine's."""
    handlers = Handlers()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        handlers.enter()
        there_reader, there = await asyncio.open_unix_connection(real())

        async def passing(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
            try:
                while data := await source.read(1 << 16):
                    target.write(data)
                    await target.drain()
                if target.can_write_eof():
                    target.write_eof()
                else:
                    target.close()
            except OSError:
                pass

        try:
            await asyncio.gather(passing(reader, there), passing(there_reader, writer))
        except asyncio.CancelledError:
            pass
        finally:
            await handlers.leave(writer, there)

    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls)
    try:
        yield f"tcp://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        await handlers.end()


async def test_an_engine_on_tcp(monkeypatch: pytest.MonkeyPatch) -> None:
    present("docker")
    async with on_tcp() as address:
        monkeypatch.setenv("DOCKER_HOST", address)
        sandbox = DockerSandbox(await connect(), preload=(), spare=False)
        ran = await sandbox.run(Job(code="print('x' * 1_000_000)"), no_web, ignore_ticks)
        await sandbox.close()
    assert ran.result.stdout.bytes == 1_000_001


def certificates(folder: Path) -> ssl.SSLContext:
    """What is looked for in DOCKER_CERT_PATH. The server's side: it asks for the client's."""
    authority = trustme.CA()
    client, server = authority.issue_cert("client@test"), authority.issue_cert("127.0.0.1")
    authority.cert_pem.write_to_path(folder / "ca.pem")
    client.cert_chain_pems[0].write_to_path(folder / "cert.pem")
    client.private_key_pem.write_to_path(folder / "key.pem")
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.verify_mode = ssl.CERT_REQUIRED
    server.configure_cert(context)
    authority.configure_trust(context)
    return context


async def test_an_engine_on_tcp_with_tls(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Both ends show their certificates; those that other programs are to trust don't matter."""
    present("docker")
    monkeypatch.setenv("REQUESTS_CA_BUNDLE", certifi.where())
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    async with on_tcp(certificates(tmp_path)) as address:
        monkeypatch.setenv("DOCKER_HOST", address)
        monkeypatch.setenv("DOCKER_TLS_VERIFY", "1")
        monkeypatch.setenv("DOCKER_CERT_PATH", str(tmp_path))
        sandbox = DockerSandbox(await connect(), preload=())
        await sandbox.prepare(Limits())
        ran = await sandbox.run(Job(code="print('x' * 1_000_000)"), no_web, ignore_ticks)
        assert ran.result.stdout.bytes == 1_000_001
        await sandbox.prepare(Limits())
        up = asyncio.Event()
        code = "print('up', flush=True)\nwhile True: pass"
        task = asyncio.create_task(sandbox.run(Job(code=code), no_web, lambda tick: up.set()))
        await up.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await sandbox.close()
    assert containers() == []


async def test_an_engine_with_certificates_of_another_authority(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    present("docker")
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    for folder in (ours, theirs):
        folder.mkdir()
    certificates(ours)
    async with on_tcp(certificates(theirs)) as address:
        monkeypatch.setenv("DOCKER_HOST", address)
        monkeypatch.setenv("DOCKER_TLS_VERIFY", "1")
        monkeypatch.setenv("DOCKER_CERT_PATH", str(ours))
        with pytest.raises(EngineError, match=r"certificate .* is not accepted.*DOCKER_CERT_PATH"):
            await connect()


@pytest.mark.parametrize(
    "address", ["ssh://somebody@127.0.0.1", "tcp://", "http://[::1", "tcp://127.0.0.1:99999", "no address"]
)
async def test_an_address_that_can_not_be_used(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setenv("DOCKER_HOST", address)
    with pytest.raises(SandboxUnavailable, match=r"unix:// and tcp:// can\."):
        await connect()


async def test_certificates_that_can_not_be_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("ca.pem", "cert.pem", "key.pem"):
        (tmp_path / name).write_text("none")
    monkeypatch.setenv("DOCKER_HOST", "tcp://127.0.0.1:9")
    monkeypatch.setenv("DOCKER_TLS_VERIFY", "1")
    monkeypatch.setenv("DOCKER_CERT_PATH", str(tmp_path))
    with pytest.raises(SandboxUnavailable, match="certificates"):
        await connect()
