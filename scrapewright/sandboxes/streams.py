"""The connections that come out of a sandbox, as the gateway's ByteStreams."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from scrapewright.sandboxes.wire import WireError, frames

Send = Callable[[int, int, bytes], None]
Drain = Callable[[], Awaitable[None]]


class SandboxStream:
    """One connection. The reader task feeds it without waiting; one handler reads and writes it.

    Either direction holds WINDOW bytes at most: the sandbox gets credit for what the handler has read, and `write`
    waits for credit that the sandbox gives for what reached the program.
    """

    def __init__(self, number: int, send: Send, drain: Drain) -> None:
        self._number = number
        self._send = send
        self._drain = drain
        self._received = bytearray()
        self._owed = frames.WINDOW
        """Bytes that the sandbox may still send."""
        self._credit = frames.WINDOW
        self._ended = False
        """Nothing more will come."""
        self._gone = False
        """Nothing more can be written."""
        self._closed = False
        """Closed by the handler."""
        self._readable = asyncio.Event()
        self._writable = asyncio.Event()

    async def read(self) -> bytes:
        while not self._received and not self._ended:
            self._readable.clear()
            await self._readable.wait()
        data = bytes(self._received)
        self._received.clear()
        if data and not self._gone and not self._closed:
            self._owed += len(data)
            self._send(frames.CREDIT, self._number, frames.number(len(data)))
        return data

    async def write(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            while self._credit <= 0 and not self._gone and not self._closed:
                self._writable.clear()
                await self._writable.wait()
            if self._gone or self._closed:
                raise ConnectionResetError("the program's end of the connection is closed")
            piece = bytes(view[: min(self._credit, frames.CHUNK_BYTES)])
            view = view[len(piece) :]
            self._credit -= len(piece)
            self._send(frames.DATA, self._number, piece)
            await self._drain()

    def waited(self, seconds: float) -> None:
        """Called when the gateway delays a request for so long, so that the program is not charged for it."""
        if not self._closed and not self._gone and seconds > 0:
            self._send(frames.WAITED, self._number, frames.number(min(round(seconds * 1000), 0xFFFFFFFF)))

    def close(self) -> None:
        if not self._closed and not self._gone:
            self._send(frames.CLOSE, self._number, b"")
        self._closed = self._ended = True
        self._received.clear()
        self._wake()

    # -- from the sandbox

    def feed(self, data: bytes) -> None:
        """Raises WireError where the sandbox sends more than its window."""
        self._owed -= len(data)
        if self._owed < 0:
            raise WireError(f"stream {self._number} overran its window")
        if self._ended and not self._closed:
            raise WireError(f"stream {self._number} sent bytes after its end")
        if not self._closed:
            self._received += data
            self._readable.set()

    def credit(self, amount: int) -> None:
        """Raises WireError where that is more than was sent."""
        self._credit += amount
        if self._credit > frames.WINDOW:
            raise WireError(f"stream {self._number} took more than was sent")
        self._writable.set()

    def finish(self) -> None:
        """The program sends no more."""
        self._ended = True
        self._readable.set()

    def lose(self) -> None:
        """The connection is gone in both directions; what was received can still be read."""
        self._ended = self._gone = True
        self._wake()

    def _wake(self) -> None:
        self._readable.set()
        self._writable.set()
