"""A response body that is streamed from a site to a client, and onto the tape."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable

from scrapewright.web.failure import WebFailure
from scrapewright.web.upstream import Reply

READ_AHEAD = 512 << 10
"""An answer up to this size is read whole before the client gets any of it: it can still be tried again, and the host's
turn is over however slowly the client reads."""
PATIENCE = 1.0
"""Seconds after which a body that is still coming is passed on as it comes."""
KEEPING = 32 << 20
"""Bytes of unfinished bodies that are held for the tape, of all connections together."""


class BufferBudget:
    """How many bytes are held for the tape, by everybody."""

    def __init__(self) -> None:
        self.held = 0


class StreamedBody:
    """One body. First `read_ahead`; where that gives nothing, `chunks` gives all of it. Always `close` it.

    `keep` is called with the whole body, if there was room for it (`limit` bytes, and KEEPING in all), before the last
    piece is handed on, so that a client which has it all finds it on the tape; `crowded_out` says that there was none.
    """

    def __init__(
        self,
        reply: Reply,
        stream: AsyncGenerator[bytes],
        budget: BufferBudget,
        limit: int,
        keep: Callable[[bytes], Awaitable[None]],
    ) -> None:
        self._reply = reply
        self._stream = stream
        self._budget = budget
        self._limit = limit
        self._keep = keep
        self._pieces: list[bytes] = []
        self._size = 0
        self._held = 0
        self._waiting: asyncio.Task[bytes | None] | None = None
        self.crowded_out = False
        self.ended = False
        """Whether all of it has come."""

    async def read_ahead(self) -> bytes | None:
        """The whole body, kept, if it comes within READ_AHEAD and PATIENCE; else None. Raises WebFailure."""
        deadline = time.monotonic() + PATIENCE
        while self._size < READ_AHEAD:
            self._waiting = asyncio.ensure_future(_next(self._stream))
            done, _ = await asyncio.wait({self._waiting}, timeout=max(0.0, deadline - time.monotonic()))
            if not done:
                return None
            piece = await self._next()
            if piece is None:
                body = b"".join(self._pieces)
                self._pieces.clear()
                await self._keep(body)
                return body
            self._pieces.append(piece)
            self._size += len(piece)
        return None

    async def chunks(self) -> AsyncIterator[bytes]:
        """The body, as it comes. Raises WebFailure."""
        last = b""
        pieces = list(self._pieces)
        self._hold(self._size)
        for piece in pieces:
            if last:
                yield last
            last = piece
        del pieces
        while True:
            # It may be the last one, which has to wait for the tape; where no other follows soon it is passed on.
            if last and not await self._soon():
                yield last
                last = b""
            try:
                next_piece = await self._next()
            except WebFailure:
                if last:
                    yield last
                raise
            if next_piece is None:
                self.ended = True
                break
            if not self.crowded_out:
                self._pieces.append(next_piece)
                self._size += len(next_piece)
                self._hold(len(next_piece))
            if last:
                yield last
            last = next_piece
        if not self.crowded_out:
            body = b"".join(self._pieces)
            self._pieces.clear()
            await self._keep(body)
        if last:
            yield last

    async def close(self) -> None:
        """Ends it, wherever it is. More than once does no harm."""
        if self._waiting is not None:
            self._waiting.cancel()
            await asyncio.wait({self._waiting})
            if not self._waiting.cancelled():
                self._waiting.exception()
            self._waiting = None
        self._budget.held -= self._held
        self._held = 0
        self._pieces.clear()
        await self._stream.aclose()
        await self._reply.close()

    async def _soon(self) -> bool:
        """Whether the next piece, the end or a failure is there within PATIENCE."""
        if self._waiting is None:
            self._waiting = asyncio.ensure_future(_next(self._stream))
        done, _ = await asyncio.wait({self._waiting}, timeout=PATIENCE)
        return bool(done)

    async def _next(self) -> bytes | None:
        if self._waiting is None:
            return await _next(self._stream)
        await asyncio.wait({self._waiting})
        done, self._waiting = self._waiting, None
        return done.result()

    def _hold(self, size: int) -> None:
        self._held += size
        self._budget.held += size
        if self._size > self._limit or self._budget.held > KEEPING:
            self.crowded_out = True
            self._pieces.clear()
            self._budget.held -= self._held
            self._held = 0


async def _next(stream: AsyncIterator[bytes]) -> bytes | None:
    try:
        return await anext(stream)
    except StopAsyncIteration:
        return None
