"""What the web gives: a fetched page, and the byte stream a sandbox's connection comes in on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Protocol

import msgspec

RENDER = "X-Scrapewright-Render"
"""Header of a GET that asks the gateway for the page as a browser draws it, and of the answer to it."""
DATA = "X-Scrapewright-Data"
"""Header of a drawn page: the addresses of the JSON answers that its scripts got, with blanks between."""
KEPT_OUT = "X-Scrapewright-Kept-Out"
"""Header of a drawn page: scripts, and what they asked for, at hosts that are not allowed; an address of each."""
DRAWN = {RENDER: "1"}


class Page(msgspec.Struct, frozen=True):
    """One answer, decoded from its transfer and content encoding, with its body as bytes.

    `url` is where it came from after redirects, `asked` what was asked for. `headers` have lower-case names. `error` is
    empty where an answer came; else one of: dns, refused, tls, timeout, policy, robots, miss, too-large, redirects,
    protocol, proxy (the person's own can't be used), proxy-auth (it asks for a login), render (it can't be drawn).
    """

    url: str
    asked: str = ""
    status: int = 0
    headers: dict[str, str] = {}
    body: bytes = b""
    from_tape: bool = False
    error: str = ""
    message: str = ""
    method: str = "GET"
    name: str = ""
    """Its name among the session's pages where that is not the URL asked for: of a form that was sent by POST."""

    @property
    def content_type(self) -> str:
        return self.headers.get("content-type", "")

    @property
    def media_type(self) -> str:
        """The type without its parameters, in lower case."""
        return self.content_type.partition(";")[0].strip().lower()


class Fetch(Protocol):
    """Fetches through the gateway: policy, politeness and tape apply. Never raises for what the site does."""

    async def __call__(
        self,
        url: str,
        *,
        method: str = "GET",
        headers: dict[str, str] | None = None,
        form: Mapping[str, str] | None = None,
    ) -> Page:
        """`form`: fields that a POST sends, as a browser encodes them, with the cookies of the pages fetched so far."""
        ...


class ByteStream(Protocol):
    """One connection out of a sandbox, as the gateway sees it."""

    async def read(self) -> bytes:
        """Some bytes, or b"" at the end."""
        ...

    async def write(self, data: bytes) -> None:
        """Raises ConnectionError when the other end is gone."""
        ...

    def close(self) -> None: ...

    def waited(self, seconds: float) -> None:
        """Called as the gateway begins to hold a request back for so long: the program is not charged for it."""
        ...


Connect = Callable[[ByteStream], Awaitable[None]]
"""What a sandbox hands each of its connections to. It must close the stream."""
