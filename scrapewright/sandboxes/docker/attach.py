"""A container's stdin and stdout as the pipe, over the connection that the engine hands over on attach.

Docker Engine API, "Attach to a container": the HTTP connection becomes a raw stream both ways; what comes is in frames
of eight bytes (stream, 0, 0, 0, length in network order) and the content, what goes is plain. The connection is our
own: docker-py's has a time-out and blocks.
"""

from __future__ import annotations

import asyncio
import select
import struct
from collections.abc import Awaitable, Callable

from scrapewright.loop.ports import SandboxUnavailable
from scrapewright.sandboxes.docker.endpoint import Endpoint
from scrapewright.sandboxes.pipe import READ_BYTES, STDERR_BYTES, WAIT_SECONDS

CONNECT_SECONDS = 10.0
_HEADER = struct.Struct(">B3xI")
_STDOUT, _STDERR = 1, 2

End = Callable[[bool], Awaitable[str]]
"""Removes the container, and says how it ended. The argument: whether it was ended by us."""

Look = Callable[[], Awaitable[str]]
"""Says who paused the container; empty where it is not paused."""


class ContainerPipe:
    """A Pipe whose other end is a container."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, end: End, look: Look) -> None:
        self._reader = reader
        self._writer = writer
        self._end = end
        self._look = look
        self._ending: asyncio.Task[str] | None = None
        self._drained = asyncio.Lock()  # before 3.12 two tasks may not wait in drain() at once
        self._buffer = bytearray()
        self._left = 0
        """Bytes still to come of the frame at hand."""
        self._stream = _STDOUT
        self._broken = False
        self._said = bytearray()

    @property
    def alive(self) -> bool:
        """Whether the connection is open and silent, asked of the kernel: a sandbox without a job says nothing."""
        if self._writer.is_closing() or self._reader.at_eof():
            return False
        poll = select.poll()
        poll.register(self._writer.get_extra_info("socket").fileno(), select.POLLIN)
        return not poll.poll(0)

    async def read(self) -> bytes:
        while not self._broken:
            try:
                data = await self._reader.read(READ_BYTES)
            except OSError:
                return b""
            if not data:
                return b""
            if out := self._split(data):
                return out
        return b""

    def _split(self, data: bytes) -> bytes:
        """The stdout in what came; stderr is kept for the message. A frame that is none ends it all."""
        self._buffer += data
        out = bytearray()
        position = 0
        while True:
            if not self._left:
                if len(self._buffer) - position < _HEADER.size:
                    break
                self._stream, self._left = _HEADER.unpack_from(self._buffer, position)
                if self._stream > _STDERR:
                    self._say(b"the engine's stream is out of step")
                    self._broken = True
                    break
                position += _HEADER.size
            piece = bytes(self._buffer[position : position + self._left])
            if self._left and not piece:
                break
            position += len(piece)
            self._left -= len(piece)
            if self._stream == _STDOUT:
                out += piece
            else:
                self._say(piece)
        del self._buffer[:position]
        return bytes(out)

    def _say(self, data: bytes) -> None:
        self._said += data
        del self._said[:-STDERR_BYTES]

    def write(self, data: bytes) -> None:
        if not self._writer.is_closing():
            self._writer.write(data)

    async def drain(self) -> None:
        async with self._drained:
            await self._writer.drain()

    async def halted(self) -> str:
        return await self._look()

    def kill(self) -> None:
        # The supervisor ends by itself when its stdin does, also where the engine is too busy to kill it.
        self._writer.transport.abort()
        self._begin_end(by_us=True)

    async def wait(self) -> str:
        how = self._begin_end(by_us=False)
        done, _ = await asyncio.wait([how], timeout=WAIT_SECONDS)
        self._writer.transport.abort()
        if not done:
            return "the engine did not remove its container in time"
        said = self._said.decode("utf-8", "replace").strip()
        return f"{how.result()}: {said}" if said else how.result()

    def _begin_end(self, *, by_us: bool) -> asyncio.Task[str]:
        if self._ending is None:
            self._ending = asyncio.create_task(_ended(self._end, by_us), name="container's end")
        return self._ending


async def _ended(end: End, by_us: bool) -> str:
    return await end(by_us)


async def attach(
    endpoint: Endpoint, api_version: str, container: str
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """The two ends of a container's standard streams. To be called before it is started, or its first words are lost.

    Raises SandboxUnavailable.
    """
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            reader, writer = await _connect(endpoint)
            try:
                await _hand_over(reader, writer, f"/v{api_version}/containers/{container}/attach")
            except BaseException:
                writer.transport.abort()
                raise
            return reader, writer
    except (OSError, EOFError, asyncio.LimitOverrunError) as error:
        reason = "no answer in time" if isinstance(error, TimeoutError) else str(error) or type(error).__name__
        raise SandboxUnavailable(
            f"The container engine at {endpoint} did not hand over its streams: {reason}."
        ) from error


async def _connect(endpoint: Endpoint) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    if endpoint.socket:
        return await asyncio.open_unix_connection(endpoint.socket, limit=READ_BYTES)
    host, port, tls = endpoint.address
    return await asyncio.open_connection(host, port, ssl=tls, limit=READ_BYTES)


async def _hand_over(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, path: str) -> None:
    writer.write(
        f"POST {path}?stream=1&stdin=1&stdout=1&stderr=1 HTTP/1.1\r\nHost: docker\r\n"
        "Connection: Upgrade\r\nUpgrade: tcp\r\nContent-Length: 0\r\n\r\n".encode()
    )
    head = await reader.readuntil(b"\r\n\r\n")
    status = head.split(b" ", 2)[1:2]
    if status not in ([b"101"], [b"200"]):
        said = (await reader.read(1000)).decode("utf-8", "replace").strip()
        raise OSError(f"{head.splitlines()[0].decode('latin-1')} {said}")
