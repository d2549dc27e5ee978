"""A request to the gateway, the response to it, and what the run has used so far."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from concurrent.futures import Executor

import msgspec

from scrapewright.web.failure import Kind, WebFailure
from scrapewright.web.politeness import Politeness
from scrapewright.web.redact import Headers
from scrapewright.web.streamed_body import StreamedBody
from scrapewright.web.tape import PIECE, Recorded, TapeError
from scrapewright.web.urls import Target

_STATUS: dict[Kind, int] = {
    "policy": 403,
    "robots": 403,
    "miss": 504,
    "timeout": 504,
    "dns": 502,
    "refused": 502,
    "tls": 502,
    "too-large": 502,
    "redirects": 502,
    "protocol": 502,
    "proxy": 502,
    "proxy-auth": 502,
    "spent": 429,
    "render": 501,
    "dropped": 504,
}
_REASONS = {
    400: "Bad Request",
    403: "Forbidden",
    408: "Request Timeout",
    413: "Content Too Large",
    421: "Misdirected Request",
    429: "Too Many Requests",
    431: "Request Header Fields Too Large",
    501: "Not Implemented",
    502: "Bad Gateway",
    504: "Gateway Timeout",
}
_ADVICE: dict[Kind, str] = {
    "policy": "Only the sites that the request names may be reached. The person can allow a host, with --allow HOST.",
    "robots": "The site asks programs to stay away from here. The person can overrule it with --ignore-robots.",
    "miss": "Run without --tape only to fetch it.",
    "dns": "The name may be misspelt, or there is no network.",
    "tls": "The site's certificate was not accepted, so nothing was sent.",
}
MARK = "X-Scrapewright"
"""On every answer that the gateway made itself, with the kind of failure: a site's own 403 does not have it."""

MAX_REFUSALS = 500


class GatewayRequest(msgspec.Struct, frozen=True):
    """A request. `headers` as the client sent them, without Host and the hop-by-hop ones."""

    method: str
    target: Target
    headers: Headers = []
    body: bytes = b""


class TapePlayback:
    """A body from the tape on its way to a client: read in the tape's thread as the client takes it, so that however
    many are unread, each costs a piece and an open file.
    """

    def __init__(self, recorded: Recorded, disk: Executor) -> None:
        self.size = recorded.size
        self._recorded = recorded
        self._disk = disk
        self._closed = False

    async def chunks(self) -> AsyncIterator[bytes]:
        """The body. Raises WebFailure where the tape can't be read any more."""
        left = self.size
        while left:
            reading = asyncio.get_running_loop().run_in_executor(self._disk, self._recorded.read, PIECE)
            try:
                piece = await reading
            except TapeError as error:
                raise WebFailure("protocol", str(error)) from error
            if not piece:
                raise WebFailure("protocol", "the body on the tape has become shorter")
            left -= len(piece)
            if not left:
                await self.close()  # before the client has it all, and not between that and the log
            yield piece

    async def close(self) -> None:
        """More than once does no harm."""
        if self._closed:
            return
        self._closed = True
        # in the same thread, after a read that may still be under way there
        await asyncio.get_running_loop().run_in_executor(self._disk, self._recorded.close)


class GatewayResponse:
    """What the client gets. Either `body` is whole, or it is `incoming`, or `playback` reads it from the tape;
    `failure` is set where there is no answer.

    `sent` counts the bytes handed on, `sha256` names the body on the tape, `page` the answer among the session's pages
    where the URL does not.
    """

    def __init__(
        self,
        status: int,
        reason: str,
        headers: Headers,
        *,
        body: bytes = b"",
        from_tape: bool = False,
        sha256: str = "",
        failure: WebFailure | None = None,
    ) -> None:
        self.status = status
        self.reason = reason
        self.headers = headers
        self.body = body
        self.incoming: StreamedBody | None = None
        self.playback: TapePlayback | None = None
        self.from_tape = from_tape
        self.sha256 = sha256
        self.page = ""
        self.failure = failure
        self.note = ""
        self.sent = 0

    @property
    def length(self) -> int | None:
        """Bytes of the body, None where it is still coming in."""
        if self.incoming is not None:
            return None
        return self.playback.size if self.playback is not None else len(self.body)

    async def chunks(self) -> AsyncIterator[bytes]:
        """The body, decoded. Raises WebFailure where it breaks off or is too large."""
        if self.incoming is None and self.playback is None:
            self.sent += len(self.body)
            if self.body:
                yield self.body
            return
        source = self.incoming or self.playback
        assert source is not None
        try:
            async for piece in source.chunks():
                self.sent += len(piece)
                yield piece
        except WebFailure as failure:
            self.failure = failure
            raise

    async def close(self) -> None:
        """Ends a body that was not read to its end."""
        if self.playback is not None:
            await self.playback.close()
        if self.incoming is not None:
            if self.incoming.crowded_out:
                self._remark("too large for the tape")
            if not self.incoming.ended and self.failure is None:
                self._remark("the body was not read to its end")
            await self.incoming.close()

    def _remark(self, text: str) -> None:
        self.note = f"{self.note}; {text}" if self.note else text


def gateway_error(failure: WebFailure, status: int = 0) -> GatewayResponse:
    """The gateway's own response to a request that failed, in plain text."""
    status = status or _STATUS[failure.kind]
    advice = _ADVICE.get(failure.kind, "")
    text = f"scrapewright: {failure.message}\n" + (f"{advice}\n" if advice else "")
    headers = [("Content-Type", "text/plain; charset=utf-8"), (MARK, failure.kind)]
    return GatewayResponse(
        status, _REASONS.get(status, ""), headers, body=text.encode("utf-8", "replace"), failure=failure
    )


class RunUsage:
    """Counts what one run has requested, against its limits."""

    def __init__(self, attempt: int) -> None:
        self.attempt = attempt
        self.requests = 0
        self.tunnels = 0
        self.bytes = 0
        self.connections = 0
        self.refusals = 0
        self.reported: set[str] = set()
        self._started: float | None = None
        self._silent = False
        self._capped = False

    def count(self, politeness: Politeness) -> None:
        """Counts a request. Raises WebFailure where it is one too many."""
        self.requests += 1
        if self._started is None:
            self._started = time.monotonic()
        if self.requests > politeness.requests:
            self._stop(f"this run has made {politeness.requests} requests, the most a run may")
        if self.bytes > politeness.bytes:
            self._stop(f"this run has fetched {politeness.bytes >> 20} MB, the most a run may")
        if time.monotonic() - self._started > politeness.seconds:
            self._stop(f"this run has used the web for {politeness.seconds:g} s, the most a run may")

    def count_tunnel(self, politeness: Politeness) -> None:
        """Counts a tunnel: as many as requests, which are counted by themselves inside. Raises WebFailure."""
        self.tunnels += 1
        if self.tunnels > politeness.requests:
            self._stop(f"this run has opened {politeness.requests} tunnels, the most a run may")

    def charge(self, size: int, politeness: Politeness) -> None:
        """Counts bytes of an answer. Raises WebFailure."""
        self.bytes += size
        if self.bytes > politeness.bytes:
            self._stop(f"this run has fetched {politeness.bytes >> 20} MB, the most a run may")

    def key(self, key: str, request: GatewayRequest) -> str:
        """The tape's key of a request of this run."""
        return key

    def refuse(self, target: Target) -> bool:
        """Takes note of what was refused; whether a person is to be notified and asked."""
        return True

    def end(self, request: GatewayRequest, response: GatewayResponse) -> None:
        """Called with each exchange that is over."""

    def may_log(self, *, refused: bool = False) -> bool:
        """Whether an exchange is logged. After MAX_REFUSALS refusals, or the first beyond a cap, no more of the kind
        is: a program's endless loop must not flood the journal.
        """
        if refused:
            self.refusals += 1
            if self.refusals > MAX_REFUSALS:
                return False
        if self._capped and self._silent:
            return False
        self._silent = self._capped
        return True

    def _stop(self, message: str) -> None:
        self._capped = True
        raise WebFailure("spent", message)
