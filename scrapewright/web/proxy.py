"""The proxy that a sandbox's connections end in: HTTP/1.1 over byte streams, with the tunnels' TLS ended here.

Strict where HTTP is lenient (RFC 9112, section 6.3: a message with both lengths "ought to be handled as an error"),
because what two readers understand differently is how requests are smuggled past a policy.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import h11
import msgspec

from scrapewright.web.authority import Authority, TLSStream, name_fits
from scrapewright.web.exchange import GatewayRequest, GatewayResponse, RunUsage, gateway_error
from scrapewright.web.failure import WebFailure
from scrapewright.web.headers import end_to_end, value_of
from scrapewright.web.page import ByteStream
from scrapewright.web.pipeline import RequestPipeline
from scrapewright.web.redact import Headers
from scrapewright.web.urls import DEFAULT_PORTS, BadURL, Target, clean_path, parse_authority, parse_url

MAX_HEAD = 64 << 10
_NO_BODY = frozenset({204, 304})


class Patience(msgspec.Struct, frozen=True):
    """Seconds that a client may take: for a request's head and for its body once begun, between requests, for the TLS
    handshake, and to take the next piece of an answer. Counts of connections are per run and at the same time.
    """

    head: float = 20.0
    body: float = 60.0
    idle: float = 120.0
    handshake: float = 20.0
    stall: float = 300.0
    connections: int = 128


class _Reject(Exception):
    """The request can't be taken; the connection ends after the answer."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class _Feed:
    """A byte stream whose end can be waited for while an answer is under way. The read in hand is never cancelled: half
    a frame would be lost.
    """

    def __init__(self, stream: ByteStream) -> None:
        self._stream = stream
        self._reading: asyncio.Task[bytes] | None = None

    async def read(self) -> bytes:
        try:
            data = await self._pending()
        except OSError:
            data = b""
        self._reading = None
        return data

    async def ended(self) -> None:
        """Returns when the client is gone; never where it goes on talking."""
        try:
            data = await self._pending()
        except OSError:
            return
        if data:
            await asyncio.Event().wait()

    async def _pending(self) -> bytes:
        if self._reading is None:
            self._reading = asyncio.ensure_future(self._stream.read())
        await asyncio.wait({self._reading})
        return self._reading.result()

    async def close(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.wait({self._reading})
            if not self._reading.cancelled():
                self._reading.exception()


class Proxy:
    """Serves the connections of sandboxes."""

    def __init__(
        self, pipeline: RequestPipeline, authority: Authority, max_body: int = 8 << 20, patience: Patience | None = None
    ) -> None:
        self._pipeline = pipeline
        self._authority = authority
        self._max_body = max_body
        self._patience = patience or Patience()

    async def serve(self, stream: ByteStream, run: RunUsage) -> None:
        """Serves one connection to its end and closes it. Never raises for what the client does."""
        run.connections += 1
        try:
            if run.connections > self._patience.connections:
                await self._turn_away(stream, run)
            else:
                await _Session(self, run, stream, None).serve()
        except (OSError, TimeoutError, h11.ProtocolError):
            pass
        finally:
            run.connections -= 1
            stream.close()

    async def _turn_away(self, stream: ByteStream, run: RunUsage) -> None:
        """Answers a connection that is one too many. No state is made for it: there may be thousands."""
        message = f"more than {self._patience.connections} connections at a time"
        self._pipeline.log_rejected(run, "?", "", 503, message)
        if run.connections <= 2 * self._patience.connections:
            async with asyncio.timeout(1.0):
                await stream.read()  # hanging up on unread bytes could lose the answer
        text = f"scrapewright: {message}\n".encode()
        head = f"HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: {len(text)}\r\n\r\n"
        await stream.write(head.encode() + text)


class _Session:
    """One client connection, or the inside of one tunnel, where `fixed` is the place that the tunnel leads to."""

    def __init__(
        self,
        proxy: Proxy,
        run: RunUsage,
        stream: ByteStream,
        fixed: Target | None,
        *,
        fits: bool = True,
    ) -> None:
        self._proxy = proxy
        self._pipeline = proxy._pipeline
        self._patience = proxy._patience
        self._run = run
        self._stream = stream
        self._feed = _Feed(stream)
        self._fixed = fixed
        self._fits = fits
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=MAX_HEAD)

    async def serve(self) -> None:
        try:
            while await self._one():
                pass
        finally:
            await self._feed.close()

    async def _one(self) -> bool:
        """One request and its answer. False when the connection is over."""
        request: h11.Request | None = None
        try:
            async with asyncio.timeout(self._patience.idle):
                first = await self._begun()
            if not first:
                return False
            async with asyncio.timeout(self._patience.head):
                event = await self._event()
            if not isinstance(event, h11.Request):
                return False
            request = event
            method = request.method.decode("ascii")
            headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in request.headers.raw_items()]
            _check_framing(headers)
            if method == "CONNECT":
                return await self._tunnel(request, headers)
            target = self._target(request, headers)
            # a forbidden place is refused before its body is waited for
            refused = self._pipeline.refuse(self._run, method, target)
            if refused is not None:
                await self._respond(refused, method, close=True)
                return False
            async with asyncio.timeout(self._patience.body):
                body = await self._body()
        except h11.RemoteProtocolError as error:
            await self._reject(request, error.error_status_hint, str(error))
            return False
        except _Reject as error:
            await self._reject(request, error.status, str(error))
            return False
        except TimeoutError:
            if request is not None or self._http.trailing_data[0]:
                await self._reject(request, 408, "the request did not come in time")
            return False
        await self._carry(GatewayRequest(method=method, target=target, headers=end_to_end(headers), body=body))
        if self._http.our_state is h11.DONE and self._http.their_state is h11.DONE:
            self._http.start_next_cycle()
            return True
        return False

    async def _begun(self) -> bool:
        """Waits for the first byte of the next request."""
        if self._http.trailing_data[0]:
            return True
        data = await self._feed.read()
        self._http.receive_data(data)
        return bool(data)

    async def _event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        while True:
            event = self._http.next_event()
            if event is not h11.NEED_DATA:
                return event
            if self._http.they_are_waiting_for_100_continue:
                await self._send(h11.InformationalResponse(status_code=100, headers=[], reason=b"Continue"))
            self._http.receive_data(await self._feed.read())

    async def _body(self) -> bytes:
        body = bytearray()
        while True:
            event = await self._event()
            if isinstance(event, h11.Data):
                body += event.data
                if len(body) > self._proxy._max_body:
                    raise _Reject(413, f"a request's body may be {self._proxy._max_body >> 20} MB at most")
            elif isinstance(event, h11.EndOfMessage):
                return bytes(body)
            else:
                raise _Reject(400, "the request broke off")

    def _target(self, request: h11.Request, headers: Headers) -> Target:
        text = request.target.decode("latin-1")
        host = value_of(headers, "host")
        try:
            if self._fixed is None:
                if text.startswith(("/", "*")):
                    raise _Reject(400, "this is a proxy: the request must name the whole URL")
                target = parse_url(text)
            elif text.startswith("/"):
                target = msgspec.structs.replace(self._fixed, path=clean_path(text))
            elif text == "*":
                raise _Reject(400, "a request for no page")
            else:
                target = parse_url(text)
            if not host and request.http_version == b"1.0":
                named = (target.host, target.port)
            else:
                named = parse_authority(host, DEFAULT_PORTS[target.scheme])
        except BadURL as error:
            raise _Reject(400, str(error)) from error
        here = self._fixed or target
        if named != (here.host, here.port) or (target.host, target.port) != (here.host, here.port) or not self._fits:
            raise _Reject(421, f"the request is for another host than its connection ({here.authority})")
        if target.scheme != here.scheme:
            raise _Reject(421, "the request is for another scheme than its connection")
        return target

    async def _tunnel(self, request: h11.Request, headers: Headers) -> bool:
        if self._fixed is not None:
            raise _Reject(400, "a tunnel inside a tunnel")
        try:
            host, port = parse_authority(request.target.decode("latin-1"))
            target = Target(scheme="https", host=host, port=port)
            named = value_of(headers, "host")
            if named and parse_authority(named, 443) != (host, port):
                raise _Reject(421, "the Host of the tunnel's request is not where the tunnel leads")
        except BadURL as error:
            raise _Reject(400, str(error)) from error
        refused = self._pipeline.refuse_tunnel(self._run, target)
        if refused is not None:
            # clients drop the body of a refused tunnel, and show this
            refused.reason = f"Forbidden by scrapewright: {refused.failure}"[:200]
            await self._respond(refused, "GET", close=True)
            return False
        await self._event()  # the end of the request, which has no body
        await self._send(h11.Response(status_code=200, headers=[], reason=b"Connection established"))
        early, _ = self._http.trailing_data
        await self._feed.close()
        inner = _Early(self._stream, early)
        try:
            context = await self._proxy._authority.context(host)
            tls = await TLSStream.accept(inner, context, self._patience.handshake)
        except (OSError, TimeoutError):
            note = "the program did not go through with the handshake; it may not accept the run's own authority"
            self._pipeline.log_rejected(self._run, "CONNECT", f"https://{target.authority}/", 0, note)
            return False
        fits = name_fits(tls.server_name, host)
        try:
            await _Session(self._proxy, self._run, tls, target, fits=fits).serve()
            await tls.finish()
        except (OSError, TimeoutError):
            pass
        return False

    async def _carry(self, request: GatewayRequest) -> None:
        """Answers a request, and stops working on it when the client goes away."""
        work = asyncio.ensure_future(self._exchange(request))
        gone = asyncio.ensure_future(self._feed.ended())
        try:
            await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                work.cancel()
                await asyncio.wait({work})
                raise ConnectionResetError("the client went away")
            work.result()
        finally:
            for task in (work, gone):
                task.cancel()
            await asyncio.wait({work, gone})

    async def _exchange(self, request: GatewayRequest) -> None:
        async with self._pipeline.exchange(self._run, request, held=self._stream.waited) as response:
            await self._respond(response, request.method)

    async def _respond(self, response: GatewayResponse, method: str, *, close: bool = False) -> None:
        headers = [(name, value) for name, value in response.headers if name.lower() != "transfer-encoding"]
        bodiless = method == "HEAD" or response.status in _NO_BODY
        if not bodiless:
            if (length := response.length) is not None:
                headers = [pair for pair in headers if pair[0].lower() != "content-length"]
                headers.append(("Content-Length", str(length)))
        elif response.status in _NO_BODY:
            headers = [pair for pair in headers if pair[0].lower() != "content-length"]
        if close:
            headers.append(("Connection", "close"))
        await self._send(
            h11.Response(
                status_code=response.status,
                reason=response.reason.encode("latin-1", "replace"),
                headers=[(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers],
            )
        )
        try:
            if not bodiless:
                async for piece in _cut(response.chunks()):
                    await self._send(h11.Data(data=piece))
        except WebFailure as failure:
            # the head is gone already: cutting the connection is the only way left to say that this is not all
            raise ConnectionAbortedError(failure.message) from failure
        await self._send(h11.EndOfMessage())

    async def _reject(self, request: h11.Request | None, status: int, message: str) -> None:
        method = request.method.decode("ascii") if request is not None else "?"
        where = request.target.decode("latin-1") if request is not None else ""
        if self._fixed is not None and where.startswith("/"):
            where = self._fixed.origin + where
        self._pipeline.log_rejected(self._run, method, where[:2000], status, message)
        if self._http.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            response = gateway_error(WebFailure("protocol", message), status)
            try:
                await self._respond(response, "GET", close=True)
            except h11.LocalProtocolError:
                pass  # the request was not even HTTP

    async def _send(self, event: h11.Event) -> None:
        data = self._http.send(event)
        if data:
            async with asyncio.timeout(self._patience.stall):
                await self._stream.write(data)


class _Early:
    """A stream of which some bytes have been read already."""

    def __init__(self, stream: ByteStream, early: bytes) -> None:
        self._stream = stream
        self._early = early

    async def read(self) -> bytes:
        if self._early:
            data, self._early = self._early, b""
            return data
        return await self._stream.read()

    async def write(self, data: bytes) -> None:
        await self._stream.write(data)

    def waited(self, seconds: float) -> None:
        self._stream.waited(seconds)

    def close(self) -> None:
        self._stream.close()


async def _cut(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Pieces of 64 KB at most: a stalled client then holds no more than that on its way."""
    async for chunk in chunks:
        view = memoryview(chunk)
        while view:
            yield bytes(view[: 64 << 10])
            view = view[64 << 10 :]


def _check_framing(headers: Headers) -> None:
    # h11 limits a head that is not whole yet; one that came in a few large reads has to be measured here
    if sum(len(name) + len(value) + 4 for name, value in headers) > MAX_HEAD:
        raise _Reject(431, f"the request's headers are larger than {MAX_HEAD >> 10} KB")
    names = [name.lower() for name, _ in headers]
    if "transfer-encoding" in names and "content-length" in names:
        raise _Reject(400, "the request has both Content-Length and Transfer-Encoding")
    if names.count("transfer-encoding") > 1 or names.count("content-length") > 1 or names.count("host") > 1:
        raise _Reject(400, "the request says its length or host twice")
