"""Pages as a browser draws them, for those that their own scripts fill.

A GET with the header RENDER asks the gateway for one. The browser runs in a sandbox of its own and reaches the web
through this same gateway, so policy, manners and tape hold for all that a page asks for; what it drew is on the tape
as an answer to the method DRAW.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Protocol, TypeVar

import msgspec

from scrapewright.web.exchange import GatewayRequest, GatewayResponse, RunUsage
from scrapewright.web.failure import WebFailure
from scrapewright.web.headers import value_of
from scrapewright.web.page import DATA, KEPT_OUT, RENDER, ByteStream, Connect
from scrapewright.web.politeness import OnPause, Politeness
from scrapewright.web.urls import BadURL, Target, parse_url

DRAW = "RENDER"
"""The method under which a drawn page is logged and taped; no client can send it."""
REQUESTS = 300
"""The most that one page may make while it is drawn."""
BYTES = 64 << 20
"""The same for what it fetches."""
LISTED = 12
"""JSON answers, and addresses that were kept out, that are reported of a page."""
_BEAT = 1.0
T = TypeVar("T")


class Drawn(msgspec.Struct, frozen=True):
    """A page's DOM as HTML in UTF-8, the status of its document, in words why it was not waited for to the end, and the
    addresses of its scripts and of what they asked for, as the browser tells them."""

    html: bytes
    status: int = 200
    note: str = ""
    asked: tuple[str, ...] = ()


class CannotDraw(Exception):
    """No page can be drawn here, or not this one; the message says why and what to do."""


class Draws(Protocol):
    """A browser. `connect` takes its connections; it is ended with the call."""

    async def draw(self, url: str, user_agent: str, connect: Connect) -> Drawn:
        """Raises CannotDraw. Bounded in time, memory and processes, whatever the page does."""
        ...


class DrawingUsage(RunUsage):
    """What a page requests while it is drawn: the addresses of its JSON answers, the origins that it was refused."""

    def __init__(self) -> None:
        super().__init__(0)  # as the survey's: of a program's own record only the drawn page is a part
        self.data: dict[str, None] = {}
        self.kept_out: set[str] = set()
        self.failures: dict[str, WebFailure] = {}

    def count(self, politeness: Politeness) -> None:
        super().count(msgspec.structs.replace(politeness, requests=min(REQUESTS, politeness.requests)))

    def charge(self, size: int, politeness: Politeness) -> None:
        super().charge(size, msgspec.structs.replace(politeness, bytes=min(BYTES, politeness.bytes)))

    def key(self, key: str, request: GatewayRequest) -> str:
        """How the tape finds a request of the page again. What its scripts ask for is kept apart: they send more than a
        program does (a key, a token, another Accept), so what they get need not be what it would get.
        """
        return key if "text/html" in value_of(request.headers, "accept") else f"{key}-drawn"

    def refuse(self, target: Target) -> bool:
        self.kept_out.add(target.origin)
        return False  # most such hosts count visitors: none is a question yet

    def end(self, request: GatewayRequest, response: GatewayResponse) -> None:
        url = request.target.url
        if response.failure is not None:
            self.failures.setdefault(url, response.failure)
        media_type = value_of(response.headers, "content-type").partition(";")[0].strip().lower()
        came = request.method == "GET" and response.status == 200 and response.failure is None
        if came and media_type.endswith("json") and len(self.data) < LISTED:
            self.data[url] = None


class Renderer:
    """Draws one page at a time. `serve` is the gateway's own way of serving a connection."""

    def __init__(self, browser: Draws, serve: Callable[[ByteStream, RunUsage], Awaitable[None]]) -> None:
        self._browser = browser
        self._serve = serve
        self._turn = asyncio.Lock()

    async def draw(
        self, url: str, user_agent: str, logged: Callable[[str], str], held: OnPause | None
    ) -> GatewayResponse:
        """The drawn page as an answer; `logged` gives URLs as they may be logged. Raises WebFailure."""
        usage = DrawingUsage()

        async def connect(stream: ByteStream) -> None:
            await self._serve(stream, usage)

        async def draw() -> Drawn:
            async with self._turn:
                return await self._browser.draw(url, user_agent, connect)

        try:
            drawn = await _held(draw(), held)
        except CannotDraw as error:
            raise usage.failures.get(url) or WebFailure("render", str(error)) from error
        if (failure := usage.failures.get(url)) is not None:
            raise failure
        headers = [("Content-Type", "text/html; charset=utf-8"), (RENDER, "1")]
        headers += [(DATA, " ".join(map(logged, usage.data)))] if usage.data else []
        lacking = _first_of_each(drawn.asked, usage.kept_out)
        headers += [(KEPT_OUT, " ".join(map(logged, lacking)))] if lacking else []
        response = GatewayResponse(drawn.status or 200, "", headers, body=drawn.html)
        response.note = drawn.note
        return response


def _first_of_each(urls: Iterable[str], origins: set[str]) -> list[str]:
    """The first address at each of the origins, a few."""
    found: dict[str, str] = {}
    for url in urls:
        try:
            target = parse_url(url)
        except BadURL:
            continue
        if target.origin in origins and len(found) < LISTED:
            found.setdefault(target.origin, target.url)
    return list(found.values())


def drawing_asked(request: GatewayRequest, run: RunUsage) -> GatewayRequest:
    """The request as it is meant: with the header RENDER a GET is one for the drawn page, but in a page that is drawn.

    The header itself goes no further.
    """
    if not value_of(request.headers, RENDER.lower()):
        return request
    headers = [pair for pair in request.headers if pair[0].lower() != RENDER.lower()]
    drawn = request.method == "GET" and not isinstance(run, DrawingUsage)
    return msgspec.structs.replace(request, headers=headers, method=DRAW if drawn else request.method)


async def _held(work: Awaitable[T], held: OnPause | None) -> T:
    """The result of the work, whose time is not charged to the program that waits for it."""
    task = asyncio.ensure_future(work)
    try:
        while not task.done():
            if held is not None:
                held(_BEAT)
            await asyncio.wait({task}, timeout=_BEAT)
        return task.result()
    finally:
        task.cancel()
        await asyncio.wait({task})
