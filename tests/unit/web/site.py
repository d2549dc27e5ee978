"""Real servers on loopback, and a real listener in front of a gateway, for the tests of the web."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import h11
import requests
import trustme

from scrapewright.session.result import Request
from scrapewright.web.gateway import Gateway
from scrapewright.web.page import ByteStream, Connect
from scrapewright.web.politeness import Politeness

QUICK = Politeness(delay=0.0, backoff=0.01, robots=False)
PUBLIC = "93.184.215.14"
"""Stands for some public address. Nothing ever dials it: the diallers here only write it down."""


@dataclass
class Got:
    """A request as the server got it."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes = b""


@dataclass
class Say:
    """What the server answers. `raw` is sent as it is instead."""

    body: bytes = b""
    status: int = 200
    headers: list[tuple[str, str]] = field(default_factory=list)
    chunked: bool = False
    raw: bytes | None = None
    pieces: AsyncIterator[bytes] | None = None


Route = Say | Callable[[Got], "Say | Awaitable[Say]"]


class Site:
    """A web site on 127.0.0.1. `routes` by path without query; anything else is a 404. `got` is what was asked."""

    def __init__(self, routes: dict[str, Route] | None = None) -> None:
        self.routes: dict[str, Route] = routes or {}
        self.got: list[Got] = []
        self.port = 0
        self.scheme = "http"
        self.connections = 0
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()

    @property
    def base(self) -> str:
        return f"{self.scheme}://127.0.0.1:{self.port}"

    def paths(self) -> list[str]:
        return [got.target for got in self.got]

    async def start(self, tls: ssl.SSLContext | None = None, host: str = "127.0.0.1") -> None:
        self._server = await asyncio.start_server(self._serve, host, self.port, ssl=tls)
        self.port = self._server.sockets[0].getsockname()[1]
        self.scheme = "https" if tls else "http"

    async def stop(self) -> None:
        if self._server is not None:
            self._server.close()
            for writer in list(self._writers):
                writer.transport.abort()
            await self._server.wait_closed()
            self._server = None

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        self.connections += 1
        try:
            with suppress(OSError, h11.ProtocolError):
                await self._talk(reader, writer)
        finally:
            self._writers.discard(writer)
            writer.close()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        http = h11.Connection(h11.SERVER)

        async def event() -> Any:
            while (found := http.next_event()) is h11.NEED_DATA:
                http.receive_data(await reader.read(65536))
            return found

        while True:
            head = await event()
            if not isinstance(head, h11.Request):
                return
            headers = {name.decode().lower(): value.decode("latin-1") for name, value in head.headers}
            got = Got(head.method.decode(), head.target.decode(), headers)
            while isinstance(piece := await event(), h11.Data):
                got.body += piece.data
            self.got.append(got)
            say = self.routes.get(got.target.partition("?")[0], Say(b"nothing here", 404))
            if callable(say):
                made = say(got)
                say = made if isinstance(made, Say) else await made
            if say.raw is not None:
                writer.write(say.raw)
                await writer.drain()
                return
            answer = list(say.headers)
            if say.pieces is None and not say.chunked:
                answer.append(("Content-Length", str(len(say.body))))
            writer.write(http.send(h11.Response(status_code=say.status, headers=answer, reason=b"Fine")) or b"")
            if got.method != "HEAD" and say.status not in (204, 304):
                writer.write(http.send(h11.Data(data=say.body)) or b"")
                if say.pieces is not None:
                    async for part in say.pieces:
                        writer.write(http.send(h11.Data(data=part)) or b"")
                        await writer.drain()
            writer.write(http.send(h11.EndOfMessage()) or b"")
            await writer.drain()
            if http.our_state is not h11.DONE or http.their_state is not h11.DONE:
                return
            http.start_next_cycle()


class SocketStream:
    """A ByteStream over a socket."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def read(self) -> bytes:
        return await self.reader.read(65536)

    async def write(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    def waited(self, seconds: float) -> None:
        pass

    def close(self) -> None:
        self.writer.close()


@asynccontextmanager
async def listening(connect: Connect) -> AsyncIterator[int]:
    """A port on loopback whose connections go to a gateway, as a sandbox's tunnel has one inside."""
    tasks: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        try:
            await connect(SocketStream(reader, writer))
        except asyncio.CancelledError:
            pass
        finally:
            tasks.discard(task)
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await server.wait_closed()


class Rig:
    """A gateway with a listener, its log, and a `requests` session that goes through it."""

    def __init__(
        self, gateway: Gateway, port: int, log: list[Request], refused: list[tuple[int, str, str, str]]
    ) -> None:
        self.gateway, self.port, self.log, self.refused = gateway, port, log, refused
        self.connections = 0
        self.session = requests.Session()
        self.session.trust_env = False
        self.session.proxies = dict.fromkeys(("http", "https"), f"http://127.0.0.1:{port}")

    async def get(self, url: str, method: str = "GET", **options: Any) -> requests.Response:
        options.setdefault("timeout", 20)
        return await asyncio.to_thread(self.session.request, method, url, **options)

    async def raw(self, data: bytes, *, until_close: bool = True) -> bytes:
        """Sends bytes and gives all that comes back."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(data)
            await writer.drain()
            return await reader.read() if until_close else await reader.readuntil(b"\r\n\r\n")
        finally:
            writer.close()


@asynccontextmanager
async def rig(
    urls: list[str], directory: Path, *, session: str = "one", attempt: int = 1, **options: Any
) -> AsyncIterator[Rig]:
    log: list[Request] = []
    refused: list[tuple[int, str, str, str]] = []
    options.setdefault("politeness", QUICK)
    gateway = Gateway(
        urls,
        tape=directory / "tape",
        session=session,
        on_request=lambda _, request: log.append(request),
        on_refused=lambda *what: refused.append(what),
        **options,
    )
    await gateway.open()
    try:
        connect = gateway.connect(attempt)

        async def counted(stream: ByteStream) -> None:
            made.connections += 1
            await connect(stream)

        async with listening(counted) as port:
            made = Rig(gateway, port, log, refused)
            pem = directory / f"{session}.pem"
            pem.write_text(gateway.ca)
            made.session.verify = str(pem)
            try:
                yield made
            finally:
                made.session.close()
    finally:
        await gateway.close()


@asynccontextmanager
async def serving(site: Site, tls: ssl.SSLContext | None = None) -> AsyncIterator[Site]:
    await site.start(tls)
    try:
        yield site
    finally:
        await site.stop()


def server_context(authority: trustme.CA, *names: str) -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    authority.issue_cert(*names).configure_cert(context)
    return context


def client_context(authority: trustme.CA) -> ssl.SSLContext:
    context = ssl.create_default_context()
    authority.configure_trust(context)
    return context
