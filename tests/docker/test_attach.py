"""The engine's framing of a container's streams, and what is reported of a build."""

from __future__ import annotations

import asyncio
import io
import socket
import struct
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapewright.headless.image_build import BuildProgress
from scrapewright.loop.ports import SandboxUnavailable
from scrapewright.sandboxes.docker.attach import ContainerPipe, attach
from scrapewright.sandboxes.docker.endpoint import Endpoint
from tests.docker.engines import Handlers


async def pipe_over(data: bytes, cuts: list[int]) -> tuple[bytes, str]:
    """What a pipe makes of a stream that comes in pieces: its stdout, and what its end says."""
    near, far = socket.socketpair()
    reader, writer = await asyncio.open_connection(sock=near)

    async def end(by_us: bool) -> str:
        return "by us" if by_us else "by itself"

    async def look() -> str:
        return ""

    pipe = ContainerPipe(reader, writer, end, look)
    out = bytearray()

    async def feed() -> None:
        other_reader, other = await asyncio.open_connection(sock=far)
        last = 0
        for cut in [*sorted(cuts), len(data)]:
            other.write(data[last:cut])
            await other.drain()
            await asyncio.sleep(0)
            last = cut
        other.write_eof()
        await other_reader.read()
        other.close()

    feeding = asyncio.create_task(feed())
    while piece := await pipe.read():
        out += piece
    said = await pipe.wait()
    await feeding
    return bytes(out), said


frames = st.lists(st.tuples(st.sampled_from([0, 1, 2]), st.binary(max_size=60)), max_size=20)


@settings(max_examples=60, deadline=None)
@given(frames, st.data())
def test_stdout_comes_out_whole_however_it_is_cut(listed: list[tuple[int, bytes]], data: st.DataObject) -> None:
    whole = b"".join(struct.pack(">B3xI", stream, len(content)) + content for stream, content in listed)
    cuts = data.draw(st.lists(st.integers(0, len(whole)), max_size=10))
    out, said = asyncio.run(pipe_over(whole, cuts))
    assert out == b"".join(content for stream, content in listed if stream == 1)
    assert said.startswith("by itself")


async def test_stderr_is_kept_for_the_message_and_a_broken_stream_ends_it() -> None:
    frame = struct.pack(">B3xI", 2, 9) + b"no python"
    assert await pipe_over(frame, []) == (b"", "by itself: no python")
    out, said = await pipe_over(struct.pack(">B3xI", 1, 2) + b"ab" + b"\x07" + bytes(7), [])
    assert out == b"ab"
    assert "out of step" in said


async def test_an_engine_that_hands_nothing_over_is_reported(tmp_path: Path) -> None:
    place = tmp_path / "engine.sock"

    handlers = Handlers()

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        handlers.enter()
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 409 Conflict\r\nContent-Length: 13\r\n\r\nnot startable")
        writer.close()
        await writer.wait_closed()

    server = await asyncio.start_unix_server(refuse, place)
    with pytest.raises(SandboxUnavailable, match="409 Conflict not startable"):
        await attach(Endpoint(f"unix://{place}", "a test"), "1.41", "x")
    server.close()
    await handlers.end()


def test_a_build_is_reported_in_steps() -> None:
    err = io.StringIO()
    tell = BuildProgress(err)
    for progress in (
        ("FROM python", 0.0, 2.0), ("---> 0123", 0.0, 2.0), ("Collecting \x1b[31mred", 0.0, 2.0),
        ("COPY harness /harness", 1.0, 2.0), ("Successfully built 0123", 1.0, 2.0),
    ):  # fmt: skip
        tell(*progress)
    lines = [line.split(" s  ", 1)[1] for line in err.getvalue().splitlines()]
    assert lines[0] == "[1/2] FROM python"
    assert lines[1].startswith("  Collecting")
    assert "\x1b" not in lines[1]
    assert lines[2:] == ["[2/2] COPY harness /harness"]
