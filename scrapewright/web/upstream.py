"""The connections that go out. Only what Guard has checked is ever dialled, or asked of a proxy; certificates are
verified.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import ssl
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import httpcore2

from scrapewright.web.decode import BadEncoding, decoder
from scrapewright.web.failure import WebFailure
from scrapewright.web.resolve import Guard
from scrapewright.web.upstream_proxy import (
    Proxies,
    UpstreamProxy,
    asks_login,
    socks_connect,
    too_slow,
    tunnel,
    unreachable,
)
from scrapewright.web.urls import Target, bracketed, is_address

RawHeaders = list[tuple[bytes, bytes]]
Dial = Callable[[str, int, float], Awaitable[httpcore2.AsyncNetworkStream]]
"""(address, port, seconds) to a connection. Raises httpcore2.ConnectError or ConnectTimeout."""


STAGGER = 0.3


async def tcp_dial(address: str, port: int, seconds: float) -> httpcore2.AsyncNetworkStream:
    return await httpcore2.AnyIOBackend().connect_tcp(address, port, timeout=seconds)


def trusted_roots() -> ssl.SSLContext:
    """The system's certificate authorities (or SSL_CERT_FILE's, SSL_CERT_DIR's), certifi's where it has none."""
    context = httpcore2.default_ssl_context()
    if not context.cert_store_stats()["x509_ca"] and not _hashed_roots():
        import certifi

        context.load_verify_locations(certifi.where())
    return context


def interleaved(addresses: Sequence[str]) -> list[str]:
    """The same addresses, IPv6 and IPv4 by turns, starting with the family that the resolver put first."""
    first = [address for address in addresses if (":" in address) == (":" in addresses[0])]
    second = [address for address in addresses if address not in first]
    pairs = itertools.zip_longest(first, second)
    return [address for pair in pairs for address in pair if address is not None]


async def _abandon(tasks: set[asyncio.Future[httpcore2.AsyncNetworkStream]]) -> None:
    """Ends the dials that lost; a connection that came after all is closed."""
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks)
    for task in tasks:
        if not task.cancelled() and task.exception() is None:
            await task.result().aclose()


def _hashed_roots() -> bool:
    """Whether there is a directory of certificates, which OpenSSL only opens during a handshake."""
    directories = (os.environ.get("SSL_CERT_DIR") or ssl.get_default_verify_paths().openssl_capath).split(os.pathsep)
    return any(Path(directory).is_dir() and any(Path(directory).glob("*.[0-9]")) for directory in directories)


class _CheckedBackend(httpcore2.AsyncNetworkBackend):
    """Dials the addresses that the guard gives for a name, or a proxy for sites of `scheme`."""

    def __init__(self, guard: Guard, dial: Dial, proxies: Proxies, scheme: str) -> None:
        self._guard = guard
        self._dial = dial
        self._proxies = proxies
        self._scheme = scheme

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """A connection to the host, or to the proxy that plain http is then asked of. Raises WebFailure, too."""
        seconds = 10.0 if timeout is None else timeout
        proxy = self._proxies.of(self._scheme, host, port)
        if proxy is None:
            return await self._first_of(await self._guard.addresses(host, port), port, seconds)
        match proxy.scheme:
            case "socks5":
                destination = interleaved(await self._guard.addresses(host, port))[0]
            case "http":
                await self._guard.check_known(host, port)
                destination = host
            case _:
                if is_address(host):
                    await self._guard.addresses(host, port)
                destination = host
        stream = await self._to_proxy(proxy, seconds)
        try:
            if proxy.scheme != "http":
                await socks_connect(stream, proxy, destination, port, seconds)
            elif self._scheme == "https":
                await tunnel(stream, proxy, destination, port, seconds)
        except httpcore2.TimeoutException as error:
            await stream.aclose()
            raise too_slow(proxy, f"{bracketed(destination)}:{port}", seconds) from error
        except httpcore2.NetworkError as error:
            await stream.aclose()
            raise unreachable(proxy, _words(error)) from error
        except BaseException:
            await stream.aclose()
            raise
        return stream

    async def _to_proxy(self, proxy: UpstreamProxy, seconds: float) -> httpcore2.AsyncNetworkStream:
        """A connection to a proxy. It is the person's own, so its address is not judged. Raises WebFailure."""
        try:
            return await self._first_of(await self._guard.resolve(proxy.host, proxy.port), proxy.port, seconds)
        except WebFailure as failure:
            raise unreachable(proxy, failure.message) from failure
        except httpcore2.TimeoutException as error:
            raise unreachable(proxy, f"no connection in {seconds:g} s") from error
        except httpcore2.ConnectError as error:
            raise unreachable(proxy, _words(error)) from error

    async def _first_of(self, addresses: Sequence[str], port: int, seconds: float) -> httpcore2.AsyncNetworkStream:
        """The first address that answers. The next is tried when one fails or has been silent for STAGGER seconds, so a
        host with a dead IPv6 route costs no time-out (RFC 8305).
        """
        waiting = interleaved(addresses)
        running: set[asyncio.Future[httpcore2.AsyncNetworkStream]] = set()
        failures: list[BaseException] = []
        try:
            while waiting or running:
                if waiting:
                    running.add(asyncio.ensure_future(self._dial(waiting.pop(0), port, seconds)))
                done, running = await asyncio.wait(
                    running, timeout=STAGGER if waiting else None, return_when=asyncio.FIRST_COMPLETED
                )
                for task in done:
                    if (error := task.exception()) is None:
                        won = task.result()
                        running |= done - {task}
                        return won
                    failures.append(error)
        finally:
            await _abandon(running)
        raise failures[0]

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ASYNC109
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        raise httpcore2.ConnectError("no socket of the machine's own is ever dialled")


class Reply:
    """An answer whose body is still coming. `chunks` gives it decoded; `headers` then say so. Close it."""

    def __init__(self, response: httpcore2.Response, method: str, limit: int) -> None:
        self._response = response
        self._limit = limit
        self.status = response.status
        self.reason = bytes(response.extensions.get("reason_phrase", b"")).decode("latin-1")
        headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in response.headers]
        encoding = ", ".join(value for name, value in headers if name.lower() == "content-encoding")
        self._decoder = decoder(encoding)
        self.decoded = bool(encoding) and self._decoder is not None
        if self.decoded:
            headers = [pair for pair in headers if pair[0].lower() not in ("content-encoding", "content-length")]
        self.headers = headers
        self._wire = 0
        self._decoded = 0

    async def chunks(self, charge: Callable[[int], None] | None = None) -> AsyncGenerator[bytes]:
        """The decoded body. `charge` gets every growth of what it costs: its bytes on the wire or decoded, whichever
        are more. Raises WebFailure (timeout, protocol, too-large) and what `charge` raises.
        """
        undo = self._decoder
        try:
            async for data in self._response.aiter_stream():
                self._count(charge, wire=len(data))
                for piece in undo.feed(data) if undo is not None else (data,):
                    self._count(charge, decoded=len(piece))
                    yield piece
        except BadEncoding as error:
            raise WebFailure(
                "protocol", f"the body is not encoded as its headers say: {error}", unsent=False
            ) from error
        except httpcore2.TimeoutException as error:
            raise WebFailure("timeout", "the body stopped coming", passing=True, unsent=False) from error
        except (httpcore2.NetworkError, httpcore2.ProtocolError) as error:
            raise WebFailure("protocol", f"the body broke off: {_words(error)}", passing=True, unsent=False) from error

    async def close(self) -> None:
        await self._response.aclose()

    def _count(self, charge: Callable[[int], None] | None, wire: int = 0, decoded: int = 0) -> None:
        before = max(self._wire, self._decoded)
        self._wire += wire
        self._decoded += decoded
        cost = max(self._wire, self._decoded)
        if charge is not None and cost > before:
            charge(cost - before)
        if cost > self._limit:
            raise WebFailure("too-large", f"the body is larger than {self._limit >> 20} MB", unsent=False)


class Upstream:
    """A pool of checked connections."""

    def __init__(
        self,
        guard: Guard,
        *,
        dial: Dial = tcp_dial,
        proxies: Proxies | None = None,
        roots: ssl.SSLContext | None = None,
        connect_timeout: float = 10.0,
        read_timeout: float = 30.0,
    ) -> None:
        self._guard = guard
        self._dial = dial
        self._proxies = proxies or Proxies()
        self._roots = roots
        self._timeouts = {"connect": connect_timeout, "read": read_timeout, "write": read_timeout, "pool": read_timeout}
        self._pools: dict[str, httpcore2.AsyncConnectionPool] = {}

    async def send(self, method: str, target: Target, headers: RawHeaders, body: bytes, limit: int) -> Reply:
        """Sends a request and waits for the head of its answer. Raises WebFailure."""
        extensions: dict[str, Any] = {"timeout": self._timeouts}
        proxy = self._proxies.of(target.scheme, target.host, target.port)
        forwarding = proxy if proxy is not None and proxy.scheme == "http" and target.scheme == "http" else None
        if forwarding is not None:
            extensions["target"] = target.url.encode()
            if forwarding.authorization:
                headers = [*headers, (b"Proxy-Authorization", forwarding.authorization)]
        request = httpcore2.Request(
            method,
            httpcore2.URL(
                scheme=target.scheme.encode(), host=target.host.encode(), port=target.port, target=target.path.encode()
            ),
            headers=headers,
            content=body,
            extensions=extensions,
        )
        where = f"{target.host}:{target.port}"
        try:
            pool = await self._pool(target.scheme)
            async with asyncio.timeout(self._timeouts["connect"] + self._timeouts["read"]):
                response = await pool.handle_async_request(request)
        except TimeoutError as error:
            message = f"{where} was too slow with the head of its answer"
            raise WebFailure("timeout", message, passing=True, unsent=False) from error
        except httpcore2.ConnectTimeout as error:
            raise WebFailure("timeout", f"{where} did not take the connection in time", passing=True) from error
        except httpcore2.PoolTimeout as error:
            raise WebFailure("timeout", "too many connections are open", passing=True) from error
        except httpcore2.TimeoutException as error:
            seconds = self._timeouts["read"]
            message = f"{where} did not answer in {seconds:g} s"
            raise WebFailure("timeout", message, passing=True, unsent=False) from error
        except httpcore2.ConnectError as error:
            cause = error.args[0] if error.args else error
            if isinstance(cause, ssl.SSLError):
                raise WebFailure("tls", f"{where}: {_words(cause)}") from error
            raise WebFailure("refused", f"{where} can't be reached: {_words(error)}", passing=True) from error
        except (httpcore2.NetworkError, httpcore2.ProtocolError) as error:
            message = f"{where} did not answer properly: {_words(error)}"
            raise WebFailure("protocol", message, passing=True, unsent=False) from error
        if forwarding is not None and response.status == 407:
            await response.aclose()
            raise asks_login(forwarding)
        return Reply(response, method, limit)

    async def close(self) -> None:
        for pool in self._pools.values():
            await pool.aclose()
        self._pools.clear()

    async def _pool(self, scheme: str) -> httpcore2.AsyncConnectionPool:
        # One a scheme, so that the certificate authorities are only loaded when https is spoken.
        if scheme not in self._pools:
            context = (self._roots or await asyncio.to_thread(trusted_roots)) if scheme == "https" else None
            if scheme in self._pools:
                return self._pools[scheme]
            self._pools[scheme] = httpcore2.AsyncConnectionPool(
                ssl_context=context,
                max_connections=64,
                max_keepalive_connections=8,
                keepalive_expiry=4.0,  # most servers hang up after five seconds
                network_backend=_CheckedBackend(self._guard, self._dial, self._proxies, scheme),
            )
        return self._pools[scheme]


def _words(error: BaseException) -> str:
    """The innermost message of an exception that wraps others."""
    inner = error.args[0] if error.args else ""
    if isinstance(inner, BaseException):
        return _words(inner)
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"the certificate is not valid: {error.verify_message}"
    if isinstance(error, OSError) and error.errno is None and isinstance(error.__cause__, OSError):
        return _words(error.__cause__)  # anyio's "All connection attempts failed" has the one that did behind it
    if isinstance(error, OSError) and error.strerror:
        if error.errno is not None and error.strerror.startswith("Connect call failed"):  # asyncio's, with the address
            return os.strerror(error.errno)
        return error.strerror
    return str(error) or type(error).__name__
