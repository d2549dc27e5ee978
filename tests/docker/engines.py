"""Engines for tests: the real one, a relay in front of it that can be cut, and one that follows a script."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from tests.hostile.backends import engine_url


def real() -> str:
    """The path of the real engine's socket."""
    scheme, _, path = engine_url().partition("://")
    assert scheme == "unix", "the tests' engine must have a Unix socket"
    return path


class Handlers:
    """The tasks that serve a test's connections. What they leave open is closed before the loop is: a socket that only
    the garbage collector closes warns in whatever is at work then."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def enter(self) -> None:
        """The task that calls is one of them."""
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)

    async def leave(self, *writers: asyncio.StreamWriter) -> None:
        """The last that a handler does."""
        for writer in writers:
            writer.transport.abort()
        for writer in writers:
            with suppress(OSError):
                await writer.wait_closed()

    async def end(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


class Relay:
    """Passes connections on to the real engine. `asked` are the request lines that went through."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.asked: list[str] = []
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._handlers = Handlers()

    async def open(self) -> None:
        self._server = await asyncio.start_unix_server(self._serve, self.path)

    def cut(self) -> None:
        """The engine is gone, as far as can be seen from this side."""
        assert self._server is not None
        self._server.close()
        for writer in self._writers:
            writer.transport.abort()
        self.path.unlink(missing_ok=True)

    async def close(self) -> None:
        self.cut()
        await self._handlers.end()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._handlers.enter()
        self._writers.add(writer)
        there_reader, there = await asyncio.open_unix_connection(real())
        self._writers.add(there)
        try:
            await asyncio.gather(self._pass(reader, there, record=True), self._pass(there_reader, writer))
        except asyncio.CancelledError:
            pass  # the test is over; 3.11 complains of a handler that says so
        finally:
            self._writers -= {writer, there}
            await self._handlers.leave(writer, there)

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, record: bool = False) -> None:
        try:
            while data := await reader.read(1 << 16):
                if record and data.split(b" ", 1)[0] in (b"GET", b"POST", b"DELETE", b"PUT", b"HEAD"):
                    self.asked.append(data.split(b"\r\n", 1)[0].decode("latin-1"))
                writer.write(data)
                await writer.drain()
            writer.write_eof()
        except OSError:
            pass


VERSION = {"ApiVersion": "1.41", "Version": "0.0-test", "Components": [{"Name": "Engine"}]}


HANGS = 0


class Scripted:
    """An engine that answers by the path's end: (status, JSON) each. It speaks real HTTP on a real socket.

    Where the status is HANGS it gives no answer until the client has gone.
    """

    def __init__(self, path: Path, answers: dict[str, tuple[int, Any]]) -> None:
        self.path = path
        self.answers = {"/version": (200, VERSION), "/info": (200, {"SecurityOptions": []}), **answers}
        self.asked: list[str] = []
        self.handlers = Handlers()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.handlers.enter()
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                line, *headers = head.split("\r\n")
                await self._body(reader, [header.lower() for header in headers])
                self.asked.append(line.rsplit(" ", 1)[0])
                path = line.split(" ")[1].partition("?")[0]
                status, body = next(
                    (answer for end, answer in self.answers.items() if path.endswith(end)),
                    (404, {"message": f"no such thing: {path}"}),
                )
                if status == HANGS:
                    await reader.read()
                    return
                writer.write(f"HTTP/1.1 {status} -\r\nContent-Type: application/json\r\n".encode())
                if isinstance(body, bytes):  # as an engine streams
                    writer.write(b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%b\r\n0\r\n\r\n" % (len(body), body))
                else:
                    data = json.dumps(body).encode()
                    writer.write(b"Content-Length: %d\r\n\r\n%b" % (len(data), data))
                await writer.drain()
        except (asyncio.IncompleteReadError, asyncio.CancelledError, OSError):
            pass
        finally:
            await self.handlers.leave(writer)

    async def _body(self, reader: asyncio.StreamReader, headers: list[str]) -> None:
        """Reads a request's body, which nobody asks for."""
        if "transfer-encoding: chunked" in headers:
            size = -1
            while size:
                size = int(await reader.readline(), 16)
                await reader.readexactly(size + 2)
        for header in headers:
            if header.startswith("content-length:"):
                await reader.readexactly(int(header.partition(":")[2]))


@asynccontextmanager
async def scripted(path: Path, answers: dict[str, tuple[int, Any]]) -> AsyncIterator[Scripted]:
    """The engine, listening at `path`."""
    engine = Scripted(path, answers)
    server = await asyncio.start_unix_server(engine.serve, path)
    try:
        yield engine
    finally:
        server.close()
        await engine.handlers.end()
