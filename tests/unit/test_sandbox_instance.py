"""The host's end of the pipe, against the real supervisor and against processes that break the protocol."""

from __future__ import annotations

import asyncio
import hashlib
import json
import subprocess
import sys
import textwrap
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from scrapewright.assets import dockerfile, harness_dir, themes_dir
from scrapewright.loop.ports import Job, Limits, Ran, SandboxUnavailable
from scrapewright.sandboxes.instance import SandboxInstance
from scrapewright.sandboxes.streams import SandboxStream
from scrapewright.sandboxes.wire import WireError, frames
from scrapewright.session.events import AnyTick, LineReached, OutputPrinted
from scrapewright.session.result import RunResult
from scrapewright.web.page import ByteStream, Connect
from tests.unit.sandboxes_helpers import GOOD, serve

LIMITS = Limits(seconds=20.0, memory=4 << 30, processes=4096)
"""No sandbox is around these: only harmless programs are run, and the user's other processes don't count."""

Start = Callable[..., Any]


async def idle(stream: ByteStream) -> None:
    """Neither reads nor writes."""
    await asyncio.Event().wait()


async def closed(stream: ByteStream) -> None:
    stream.close()


def ignore_ticks(tick: AnyTick) -> None:
    pass


@pytest.fixture
async def start() -> AsyncIterator[Start]:
    """Starts a process and wraps it; all are ended afterwards."""
    boxes = []

    async def begin(*command: str) -> SandboxInstance:
        process = await asyncio.create_subprocess_exec(*command, stdin=-1, stdout=-1, stderr=-1)
        box = SandboxInstance(process, "test")
        boxes.append(box)
        return box

    yield begin
    for box in boxes:
        await box.kill()


def supervisor() -> list[str]:
    return [sys.executable, "-I", "-S", "-B", str(harness_dir() / "__main__.py"), "{}"]


async def run(
    start: Start, code: str, connect: Connect = closed, report: Callable[[AnyTick], None] = ignore_ticks, **job: Any
) -> Ran:
    box = await start(*supervisor())
    await box.ready(30)
    return await box.run(Job(code=textwrap.dedent(code), **{"limits": LIMITS, **job}), connect, report)


# -- with the real supervisor


@pytest.mark.full
async def test_a_wait_that_the_gateway_makes_is_not_the_programs(start: Start) -> None:
    async def hold(stream: ByteStream) -> None:
        assert isinstance(stream, SandboxStream)
        await stream.read()
        stream.waited(60)
        await stream.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        stream.close()

    code = """
        import time, urllib.request
        until = time.monotonic() + 2.5
        print(urllib.request.urlopen("http://shop.test/").read())
        while time.monotonic() < until:
            time.sleep(0.05)
    """
    limits = Limits(seconds=2.0, wall_limit=60.0, memory=4 << 30, processes=4096)
    ran = await run(start, code, hold, limits=limits)
    assert (ran.result.status, ran.result.stdout.head) == ("ok", "b'ok'\n")
    assert ran.result.seconds > 2.0


async def test_a_record_with_its_files(start: Start) -> None:
    ticks: list[AnyTick] = []
    code = """
        import sys
        print("hello", *sys.argv[1:])
        with open("rows.csv", "w") as file:
            file.write("a,b")
    """
    ran = await run(start, code, report=ticks.append, argv=("x", "y"))
    result = ran.result
    assert (result.status, result.exit_code, result.sandbox, result.note) == ("ok", 0, "test", "")
    assert result.stdout.text == "hello x y\n"
    assert result.python == ".".join(map(str, sys.version_info[:3]))
    assert ran.files == {"rows.csv": b"a,b"}
    (artifact,) = result.artifacts
    assert (artifact.name, artifact.bytes, artifact.media_type) == ("rows.csv", 3, "text/csv")
    assert artifact.sha256 == hashlib.sha256(b"a,b").hexdigest()
    assert [tick.text for tick in ticks if isinstance(tick, OutputPrinted)] == ["hello x y\n"]
    assert {tick.line for tick in ticks if isinstance(tick, LineReached)} <= {2, 3, 4, 5}


async def test_an_exception_with_locals_and_steps(start: Start) -> None:
    code = "def price(text):\n    return float(text)\nprice('n/a')\n"
    result = (await run(start, code)).result
    assert result.status == "error"
    assert result.exception is not None
    frame = result.exception.frames[-1]
    assert (frame.file, frame.line, frame.function, frame.source) == ("scraper.py", 2, "price", "return float(text)")
    assert frame.locals["text"] == "'n/a'"
    assert result.where == 2
    assert [step.line for step in result.steps][-1] == 2
    assert result.claimed == ("exception", "steps", "stack", "trail")


async def test_connections_are_served_side_by_side(start: Start) -> None:
    code = """
        from concurrent.futures import ThreadPoolExecutor
        import urllib.request
        def fetch(number):
            return len(urllib.request.urlopen(f"http://shop.test/bytes/{number}").read())
        with ThreadPoolExecutor(8) as pool:
            print(sum(pool.map(fetch, [1 << 20] * 8 + list(range(100)))))
    """
    result = (await run(start, code, serve)).result
    assert result.stdout.text == f"{(8 << 20) + sum(range(100))}\n", result.stderr.text


async def test_bytes_keep_their_order_both_ways_at_once(start: Start) -> None:
    code = """
        import array, hashlib, os, socket, threading
        connection = socket.create_connection(("127.0.0.1", int(os.environ["http_proxy"].rpartition(":")[2])))
        connection.sendall(b"POST http://shop.test/echo HTTP/1.1\\r\\n\\r\\n")
        data = array.array("I", range(1 << 20)).tobytes()
        def send():
            for start in range(0, len(data), 50_021):
                connection.sendall(data[start : start + 50_021])
            connection.shutdown(socket.SHUT_WR)
        threading.Thread(target=send).start()
        back = connection.makefile("rb").read()
        print(back == data, len(back))
    """
    result = (await run(start, code, serve)).result
    assert result.stdout.text == f"True {4 << 20}\n", result.stderr.text


async def test_no_proxy_where_none_is_asked_for(start: Start) -> None:
    code = "import os, urllib.request\nprint('http_proxy' in os.environ)\n"
    assert (await run(start, code, proxy=False)).result.stdout.text == "False\n"


async def test_the_authority_is_a_file_outside_the_artifacts(start: Start) -> None:
    code = """
        import os
        paths = {os.environ[name] for name in ("REQUESTS_CA_BUNDLE", "SSL_CERT_FILE", "CURL_CA_BUNDLE")}
        print(*[open(path).read() for path in paths])
    """
    ran = await run(start, code, ca="-----BEGIN CERTIFICATE-----")
    assert (ran.result.stdout.text, ran.files) == ("-----BEGIN CERTIFICATE-----\n", {})


async def test_a_handlers_fault_is_reported_and_ends_nothing(start: Start) -> None:
    async def broken(stream: ByteStream) -> None:
        raise RuntimeError("no idea")

    code = """
        import os, socket
        connection = socket.create_connection(("127.0.0.1", int(os.environ["http_proxy"].rpartition(":")[2])))
        print(connection.recv(10))
    """
    result = (await run(start, code, broken)).result
    assert (result.status, result.stdout.text) == ("ok", "b''\n")
    assert result.note == "a connection's handler failed: RuntimeError: no idea"


async def test_a_handler_sees_the_program_go(start: Start) -> None:
    seen: list[object] = []

    async def endless(stream: ByteStream) -> None:
        await stream.read()
        try:
            while True:
                await stream.write(b"x" * 100_000)
        except ConnectionError as error:
            seen.append(error)
            raise

    code = """
        import os, socket
        connection = socket.create_connection(("127.0.0.1", int(os.environ["http_proxy"].rpartition(":")[2])))
        connection.sendall(b"go")
        connection.recv(1000)
        connection.close()
        again = socket.create_connection(("127.0.0.1", int(os.environ["http_proxy"].rpartition(":")[2])))
        again.sendall(b"go")
        again.recv(1000)
    """
    assert (await run(start, code, endless)).result.status == "ok"
    assert isinstance(seen[0], ConnectionError)


async def test_cancelling_ends_it_at_once(start: Start) -> None:
    box = await start(*supervisor())
    await box.ready(30)
    running, ended = asyncio.Event(), asyncio.Event()

    async def waiting(stream: ByteStream) -> None:
        running.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    code = "import urllib.request\nurllib.request.urlopen('http://shop.test/')\n"
    task = asyncio.create_task(box.run(Job(code=code, limits=LIMITS), waiting, ignore_ticks))
    async with asyncio.timeout(20):
        await running.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended.is_set()
    assert not box.alive


async def test_a_box_is_good_for_one_job(start: Start) -> None:
    box = await start(*supervisor())
    await box.ready(30)
    await box.run(Job(code="pass", limits=LIMITS), closed, ignore_ticks)
    with pytest.raises(SandboxUnavailable):
        await box.run(Job(code="pass", limits=LIMITS), closed, ignore_ticks)


async def test_a_program_too_long_for_the_pipe(start: Start) -> None:
    result = (await run(start, "#" * frames.MAX_MESSAGE)).result
    assert result.status == "lost"
    assert "too long to run" in result.note


# -- with processes that do it wrong

PEER = f"""
import importlib.util, os, sys
spec = importlib.util.spec_from_file_location("wire", {str(harness_dir() / "wire.py")!r})
wire = importlib.util.module_from_spec(spec)
spec.loader.exec_module(wire)

def send(*frame):
    os.write(1, wire.frame(*frame))

def ready(version=wire.VERSION):
    send(wire.READY, 0, wire.dump({{"version": version, "python": "3.99"}}))

def job():
    parser, assembler = wire.Parser(), wire.Assembler()
    while data := os.read(0, 65536):
        for frame in parser.feed(data):
            if frame.kind == wire.JOB and assembler.add(frame) is not None:
                return

def hang():
    while os.read(0, 65536):
        pass
"""


async def peer(start: Start, act: str, limits: Limits = LIMITS) -> RunResult:
    """The result of a run with a process that says it is ready, takes the job and then acts."""
    box = await start(sys.executable, "-I", "-S", "-c", PEER + "ready()\njob()\n" + textwrap.dedent(act))
    await box.ready(30)
    ran: Ran = await box.run(Job(code="pass", limits=limits), idle, ignore_ticks)
    return ran.result


BROKEN = {
    "no frame": "os.write(1, b'GET / HTTP/1.1')",
    "too long a frame": "os.write(1, bytes([wire.DATA, 0, 0, 0, 1, 255, 255, 255, 255]))",
    "a job from inside": "send(wire.JOB, 0, b'{}')",
    "ready twice": "ready()",
    "a stream out of turn": "send(wire.OPEN, 2)",
    "a stream twice": "send(wire.OPEN, 1); send(wire.OPEN, 1)",
    "too many streams": "[send(wire.OPEN, n) for n in range(1, wire.MAX_STREAMS + 2)]",
    "bytes for no stream": "send(wire.DATA, 1, b'x')",
    "more than the window": "send(wire.OPEN, 1); [send(wire.DATA, 1, bytes(wire.CHUNK_BYTES)) for _ in range(9)]",
    "bytes after the end": "send(wire.OPEN, 1); send(wire.SHUT, 1); send(wire.DATA, 1, b'x')",
    "credit for nothing": "send(wire.OPEN, 1); send(wire.CREDIT, 1, wire.number(1))",
    "credit of no number": "send(wire.OPEN, 1); send(wire.CREDIT, 1, b'1')",
    "a stream closed twice": "send(wire.OPEN, 1); send(wire.CLOSE, 1); send(wire.CLOSE, 1)",
    "output on a third stream": "send(wire.OUTPUT, 3, wire.output(0, b'x'))",
    "a line of text": "send(wire.LINE, 0, b'seven')",
    "a file out of turn": "send(wire.FILE, 2, wire.dump({'name': 'a', 'bytes': 0}))",
    "a file above": "send(wire.FILE, 1, wire.dump({'name': '../a', 'bytes': 0}))",
    "a file without a size": "send(wire.FILE, 1, wire.dump({'name': 'a', 'bytes': True}))",
    "a file too large": "send(wire.FILE, 1, wire.dump({'name': 'a', 'bytes': 1 << 40}))",
    "two files of a name": "[send(wire.FILE, n, wire.dump({'name': 'a', 'bytes': 0})) for n in (1, 2)]",
    "too many files": "[send(wire.FILE, n, wire.dump({'name': f'a{n}', 'bytes': 0})) for n in range(1, 9)]",
    "a file cut short": "[send(wire.FILE, n, wire.dump({'name': f'a{n}', 'bytes': 1})) for n in (1, 2)]",
    "a piece too much": "send(wire.FILE, 1, wire.dump({'name': 'a', 'bytes': 1})); send(wire.CHUNK, 1, b'xy')",
    "a piece of nothing": "send(wire.CHUNK, 1, b'x')",
    "a result of nothing": "send(wire.RESULT, 0, b'{}')",
    "a result with a list": "send(wire.RESULT, 0, b'[]')",
    "a result with a file missing": f"""
        send(wire.FILE, 1, wire.dump({{'name': 'a', 'bytes': 1}}))
        send(wire.RESULT, 0, {json.dumps(GOOD).encode()!r})""",
}


@pytest.mark.parametrize("act", BROKEN.values(), ids=BROKEN.keys())
async def test_a_broken_sandbox_is_killed_and_lost(start: Start, act: str) -> None:
    act = "send(wire.OUTPUT, 1, wire.output(0, b'before'))\nsend(wire.LINE, 0, wire.number(5))\n" + textwrap.dedent(act)
    result = await peer(start, act + "\nhang()", Limits(seconds=20.0, artifacts=4))
    assert result.status == "lost"
    assert "it broke the protocol" in result.note
    assert (result.stdout.text, result.stdout.bytes, result.trail, result.python) == ("before", 6, (5,), "3.99")
    assert not any(artifact.bytes for artifact in result.artifacts)


async def test_a_sandbox_that_dies_is_lost_with_what_was_seen(start: Start) -> None:
    act = """
        send(wire.OUTPUT, 1, wire.output(3, "ä".encode()[:1]))
        send(wire.OUTPUT, 2, wire.output(0, "é".encode()[:1]))
        send(wire.OUTPUT, 2, wire.output(0, "é".encode()[1:]))
        print("out of cheese", file=sys.stderr)
        os._exit(3)
    """
    result = await peer(start, act)
    assert result.status == "lost"
    assert "exit status 3: out of cheese" in result.note
    assert result.stdout.text == "\n[… 3 bytes …]\n"
    assert (result.stdout.bytes, result.stderr.text) == (4, "é")
    assert 0 < result.seconds < 20


async def test_a_sandbox_that_never_answers_is_given_up(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrapewright.sandboxes.instance.GRACE_SECONDS", 0.1)
    result = await peer(start, "hang()", Limits(seconds=0.1))
    assert result.status == "lost"
    assert "no answer in time" in result.note


async def test_a_sandbox_that_falls_silent_is_given_up_long_before_its_limit(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scrapewright.sandboxes.instance.BEAT_SECONDS", 0.02)
    monkeypatch.setattr("scrapewright.sandboxes.instance.TAKEN_BEATS", 5000)
    act = """
        send(wire.OUTPUT, 1, wire.output(0, b'before'))
        for _ in range(5):
            while True:
                if any(frame.kind == wire.PING for frame in parser.feed(os.read(0, 1 << 16))):
                    break
            send(wire.PONG)
        hang()
    """
    began = time.monotonic()
    result = await peer(start, "parser = wire.Parser()\n" + textwrap.dedent(act), Limits(seconds=600.0))
    assert time.monotonic() - began < 100
    assert (result.status, result.stdout.text) == ("lost", "before")
    assert "no sign of life for" in result.note


async def test_a_sandbox_that_does_not_take_the_job_has_not_run_it(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scrapewright.sandboxes.instance.BEAT_SECONDS", 0.02)
    with pytest.raises(SandboxUnavailable, match="does not respond: no sign of life"):
        await peer(start, "hang()", Limits(seconds=600.0))


async def test_a_fault_is_the_reason(start: Start) -> None:
    result = await peer(start, "send(wire.FAULT, 0, b'it is all too much')\nos._exit(1)")
    assert result.status == "lost"
    assert "it is all too much" in result.note


@pytest.mark.parametrize(
    ("act", "why"),
    [
        ("sys.exit('no namespaces here')", "exit status 1: no namespaces here"),
        ("send(wire.FAULT, 0, b'no seccomp'); hang()", "no seccomp"),
        ("ready(99); hang()", "speaks version 99"),
        ("os.write(1, b'usage: bwrap'); hang()", "it broke the protocol"),
        ("send(wire.LINE, 0, wire.number(1)); hang()", "LINE out of turn"),
        ("os.kill(os.getpid(), 9)", "killed by signal 9"),
        ("hang()", "not ready within 0.5 s"),
    ],
)
async def test_a_sandbox_that_does_not_start(start: Start, act: str, why: str) -> None:
    box = await start(sys.executable, "-I", "-S", "-c", PEER + act)
    with pytest.raises(SandboxUnavailable, match=why):
        await box.ready(0.5 if act == "hang()" else 30)
    assert not box.alive


# -- one stream


class Wire:
    """Records what a stream sends."""

    def __init__(self) -> None:
        self.sent: list[tuple[int, int, bytes]] = []

    def send(self, kind: int, number: int, payload: bytes) -> None:
        self.sent.append((kind, number, payload))

    async def drain(self) -> None:
        await asyncio.sleep(0)

    def bytes(self, kind: int) -> int:
        return sum(len(payload) for sent, _, payload in self.sent if sent == kind)


async def test_writing_waits_for_credit() -> None:
    wire = Wire()
    stream = SandboxStream(1, wire.send, wire.drain)
    writing = asyncio.create_task(stream.write(bytes(frames.WINDOW + 5)))
    while wire.bytes(frames.DATA) < frames.WINDOW:
        await asyncio.sleep(0)
    for _ in range(20):
        await asyncio.sleep(0)
    assert (wire.bytes(frames.DATA), writing.done()) == (frames.WINDOW, False)
    stream.credit(3)
    while wire.bytes(frames.DATA) < frames.WINDOW + 3:
        await asyncio.sleep(0)
    stream.lose()
    with pytest.raises(ConnectionError):
        await writing


async def test_credit_is_given_when_read() -> None:
    wire = Wire()
    stream = SandboxStream(1, wire.send, wire.drain)
    stream.feed(b"x" * frames.WINDOW)
    assert wire.sent == []
    with pytest.raises(WireError):
        SandboxStream(2, wire.send, wire.drain).feed(b"x" * (frames.WINDOW + 1))
    assert len(await stream.read()) == frames.WINDOW
    assert wire.sent == [(frames.CREDIT, 1, frames.number(frames.WINDOW))]
    stream.feed(b"last")
    stream.finish()
    assert [await stream.read(), await stream.read()] == [b"last", b""]


async def test_closing_says_so_once() -> None:
    wire = Wire()
    stream = SandboxStream(1, wire.send, wire.drain)
    stream.close()
    stream.close()
    assert wire.sent == [(frames.CLOSE, 1, b"")]
    stream.feed(b"late")
    assert await stream.read() == b""
    with pytest.raises(ConnectionError):
        await stream.write(b"x")


def test_what_ships_beside_the_code_is_found() -> None:
    assert (harness_dir() / "wire.py").is_file()
    assert themes_dir().is_dir()
    assert dockerfile().is_file()


def test_the_host_loads_no_more_of_the_harness_than_the_wire() -> None:
    code = """
        import sys
        from pathlib import Path
        import scrapewright.sandboxes.instance
        from scrapewright.assets import harness_dir
        files = [Path(str(getattr(module, "__file__", ""))) for module in list(sys.modules.values())]
        print([file.name for file in files if file.parent == harness_dir()])
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=60)
    assert done.stdout == "['wire.py']\n", done.stderr
