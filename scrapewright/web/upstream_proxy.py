"""Proxies that the gateway dials sites through: HTTP (RFC 9110, section 9.3.6) and SOCKS5 (RFC 1928, RFC 1929).

What is resolved where: with socks5 names are resolved and their addresses checked here, and the proxy is given an
address. With http the proxy is given the name; where the name also resolves here, its addresses are checked. With
socks5h nothing is looked up here. A host is judged by its name, and an address by itself, in every case.
"""

from __future__ import annotations

import base64
import ipaddress
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import unquote

import h11
import msgspec

from scrapewright.settings import Secret
from scrapewright.web.failure import WebFailure
from scrapewright.web.policy import is_loopback
from scrapewright.web.urls import BadURL, bracketed, is_address, parse_authority

if TYPE_CHECKING:
    import httpcore2

PORTS = {"http": 80, "socks5": 1080, "socks5h": 1080}
VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
MAX_HEAD = 16 << 10
_FORM = "http://host:port, socks5://host:port or socks5h://host:port, with user:password@ before the host if it asks"
_SOCKS_ERRORS = {
    3: "its network can't be reached",
    4: "it can't be reached",
    5: "it refused the connection",
    6: "it took too long",
}


class BadProxy(ValueError):
    """The text names no proxy that can be used. The message does not repeat a password."""


class UpstreamProxy(msgspec.Struct, frozen=True):
    """`scheme`: http, socks5 or socks5h. `user` and `password` are empty for a proxy that asks for no login."""

    scheme: str
    host: str
    port: int
    user: str = ""
    password: Secret = Secret()

    @property
    def name(self) -> str:
        """scheme://host:port, as it may be shown."""
        return f"{self.scheme}://{bracketed(self.host)}:{self.port}"

    @property
    def authorization(self) -> bytes:
        """The value of Proxy-Authorization, empty without a login."""
        if not self.user:
            return b""
        return b"Basic " + base64.b64encode(f"{self.user}:{self.password.reveal()}".encode())


class Proxies(msgspec.Struct, frozen=True):
    """The proxy for sites of each scheme; None dials them directly. `bypass` has the form of NO_PROXY."""

    http: UpstreamProxy | None = None
    https: UpstreamProxy | None = None
    bypass: str = ""

    def of(self, scheme: str, host: str, port: int) -> UpstreamProxy | None:
        """The proxy for a site. This machine's own addresses are never asked for elsewhere."""
        found = self.https if scheme == "https" else self.http
        if found is None or is_loopback(host) or (self.bypass and _bypassed(host, port, self.bypass)):
            return None
        return found

    @property
    def names(self) -> tuple[str, ...]:
        """The proxies, as they may be shown."""
        return tuple(dict.fromkeys(proxy.name for proxy in (self.http, self.https) if proxy is not None))


def parse_proxy(text: str) -> UpstreamProxy:
    """`scheme://[user:password@]host[:port]`; without a scheme it is http. Raises BadProxy."""
    scheme, mark, rest = text.strip().partition("://")
    if not mark:
        scheme, rest = "http", scheme
    scheme = scheme.lower()
    if scheme not in PORTS:
        raise BadProxy(f"there is no way to use a proxy by {scheme[:20]!r}; write {_FORM}")
    login, _, place = rest.rpartition("@")
    place = place.removesuffix("/")
    if not place or re.search(r"[/?#\s]", place):
        raise BadProxy(f"that is not the address of a proxy; write {_FORM}")
    try:
        host, port = parse_authority(place, PORTS[scheme])
    except BadURL as error:
        raise BadProxy(f"{error}; write {_FORM}") from error
    user, _, password = login.partition(":")
    user, password = unquote(user), unquote(password)
    if scheme != "http" and max(len(user.encode()), len(password.encode())) > 255:
        raise BadProxy("the user or password is longer than the 255 bytes that SOCKS allows")
    if password and not user:
        raise BadProxy("the proxy's address has a password without a user; write user:password@ before the host")
    return UpstreamProxy(scheme, host, port, user, Secret(password))


def proxies_of(text: str, environ: Mapping[str, str]) -> Proxies:
    """The proxies that a setting names: one for every site by its URL, "env" for what the environment has, "none".

    Raises BadProxy.
    """
    text = text.strip()
    if text in ("", "none"):
        return Proxies()
    if text != "env":
        proxy = parse_proxy(text)
        return Proxies(proxy, proxy)
    http, https, both = (_variable(environ, name) for name in VARIABLES)
    if not (http or https or both):
        raise BadProxy(f"env: none of {', '.join(VARIABLES)} is set")
    found = {}
    for scheme, value in (("http", http or both), ("https", https or both)):
        try:
            found[scheme] = parse_proxy(value) if value else None
        except BadProxy as error:
            raise BadProxy(f"env: the {scheme} proxy: {error}") from error
    return Proxies(found["http"], found["https"], _variable(environ, "NO_PROXY"))


def offered(environ: Mapping[str, str]) -> tuple[str, ...]:
    """The variables of the environment that name a proxy."""
    return tuple(name for name in VARIABLES if _variable(environ, name))


def _variable(environ: Mapping[str, str], name: str) -> str:
    """The lower-case name counts first, as for curl."""
    return (environ.get(name.lower()) or environ.get(name) or "").strip()


def _bypassed(host: str, port: int, bypass: str) -> bool:
    from urllib.request import proxy_bypass_environment  # type: ignore[attr-defined,unused-ignore]

    return bool(proxy_bypass_environment(f"{bracketed(host)}:{port}", {"no": bypass}))


async def tunnel(
    stream: httpcore2.AsyncNetworkStream, proxy: UpstreamProxy, host: str, port: int, seconds: float
) -> None:
    """Has an HTTP proxy connect to a host (CONNECT); the stream then leads there. Raises WebFailure, and what the
    stream raises.
    """
    http = h11.Connection(h11.CLIENT, max_incomplete_event_size=MAX_HEAD)
    place = f"{bracketed(host)}:{port}"
    headers: list[tuple[bytes, bytes]] = [(b"Host", place.encode())]
    if proxy.authorization:
        headers.append((b"Proxy-Authorization", proxy.authorization))
    head = http.send(h11.Request(method="CONNECT", target=place, headers=headers))
    await stream.write((head or b"") + (http.send(h11.EndOfMessage()) or b""), seconds)
    try:
        while not isinstance(event := http.next_event(), h11.Response):
            if event is h11.NEED_DATA:
                data = await stream.read(4096, seconds)
                if not data:
                    raise _no_proxy(proxy, "it hung up")
                http.receive_data(data)
    except h11.RemoteProtocolError as error:
        raise _no_proxy(proxy, "it does not speak HTTP") from error
    if event.status_code == 407:
        raise asks_login(proxy)
    if not 200 <= event.status_code < 300:
        reason = event.reason.decode("latin-1").strip()[:100]
        message = f"the proxy {proxy.name} does not connect to {place}: {event.status_code} {reason}".rstrip()
        raise WebFailure("proxy", message, passing=event.status_code in (502, 503, 504))


async def socks_connect(
    stream: httpcore2.AsyncNetworkStream, proxy: UpstreamProxy, host: str, port: int, seconds: float
) -> None:
    """Has a SOCKS5 proxy connect to a name or an address; the stream then leads there. Raises as tunnel does."""
    import httpcore2

    async def read(size: int) -> bytes:
        data = b""
        while len(data) < size:
            piece = await stream.read(size - len(data), seconds)
            if not piece:
                raise _no_proxy(proxy, "it hung up")
            data += piece
        return data

    await stream.write(b"\x05\x02\x00\x02" if proxy.user else b"\x05\x01\x00", seconds)
    try:
        version, method = await read(2)
    except httpcore2.TimeoutException as error:
        raise _no_proxy(proxy, _silent(proxy, seconds)) from error
    if version != 5:
        raise _no_proxy(proxy, "it does not speak SOCKS5")
    if method == 2 and proxy.user:
        user, password = proxy.user.encode(), proxy.password.reveal().encode()
        await stream.write(b"\x01" + bytes([len(user)]) + user + bytes([len(password)]) + password, seconds)
        if (await read(2))[1] != 0:
            raise asks_login(proxy)
    elif method != 0:
        raise asks_login(proxy)
    if is_address(host):
        address = ipaddress.ip_address(host)
        where = (b"\x01" if address.version == 4 else b"\x04") + address.packed
    else:
        where = b"\x03" + bytes([len(host)]) + host.encode("ascii")
    await stream.write(b"\x05\x01\x00" + where + port.to_bytes(2, "big"), seconds)
    _, code, _, kind = await read(4)
    size = {1: 4, 4: 16}.get(kind)
    await read((size if size is not None else (await read(1))[0]) + 2)
    if code in _SOCKS_ERRORS:
        message = f"{bracketed(host)}:{port} by the proxy {proxy.name}: {_SOCKS_ERRORS[code]}"
        raise WebFailure("refused", message, passing=True)
    if code:
        why = "its rules forbid it" if code == 2 else f"SOCKS error {code}"
        raise WebFailure("proxy", f"the proxy {proxy.name} does not connect to {bracketed(host)}:{port}: {why}")


def asks_login(proxy: UpstreamProxy) -> WebFailure:
    """The failure where a proxy asks for a login (407), or does not accept the one that it was given."""
    if proxy.user:
        return WebFailure("proxy-auth", f"the proxy {proxy.name} does not accept the user and password")
    return WebFailure("proxy-auth", f"the proxy {proxy.name} asks for a login")


def unreachable(proxy: UpstreamProxy, why: str) -> WebFailure:
    """The failure where a proxy can't be dialled."""
    return WebFailure("proxy", f"the proxy {proxy.name} can't be reached: {why}", passing=True)


def too_slow(proxy: UpstreamProxy, place: str, seconds: float) -> WebFailure:
    """The failure where a proxy that was reached does not connect to a place in time."""
    why = _silent(proxy, seconds) if proxy.scheme == "http" else f"it did not connect to {place} within {seconds:g} s"
    return WebFailure("proxy", f"{proxy.name} does not work as a proxy: {why}", passing=True)


def _silent(proxy: UpstreamProxy, seconds: float) -> str:
    return f"it did not answer as a {proxy.scheme} proxy within {seconds:g} s"


def _no_proxy(proxy: UpstreamProxy, why: str) -> WebFailure:
    return WebFailure("proxy", f"{proxy.name} does not work as a proxy: {why}")
