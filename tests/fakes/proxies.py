"""Real proxies on loopback: HTTP (forwarding and CONNECT) and SOCKS5, with or without a login."""

from __future__ import annotations

import base64
import socket
import socketserver
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from urllib.parse import urlsplit


@dataclass
class FakeProxy:
    """`ports` are where hosts lead, on 127.0.0.1: the proxy's own idea of the network. `asked` is what clients asked
    for: `CONNECT host:port`, `GET http://…`, `socks host:port`. `says` is an answer in place of all that.
    """

    ports: Mapping[str, int]
    login: tuple[str, str] | None = None
    says: bytes = b""
    asked: list[str] = field(default_factory=list)
    port: int = 0

    def url(self, scheme: str = "http", login: str = "") -> str:
        return f"{scheme}://{login + '@' if login else ''}127.0.0.1:{self.port}"

    def dial(self, host: str) -> socket.socket:
        """Raises OSError for a host that is not known."""
        if host not in self.ports:
            raise OSError("no such host")
        return socket.create_connection(("127.0.0.1", self.ports[host]), timeout=20)


@contextmanager
def http_proxy(
    ports: Mapping[str, int], login: tuple[str, str] | None = None, says: bytes = b""
) -> Iterator[FakeProxy]:
    with _serving(_Http, FakeProxy(ports, login, says)) as proxy:
        yield proxy


@contextmanager
def socks_proxy(
    ports: Mapping[str, int], login: tuple[str, str] | None = None, says: bytes = b""
) -> Iterator[FakeProxy]:
    with _serving(_Socks, FakeProxy(ports, login, says)) as proxy:
        yield proxy


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    block_on_close = False
    allow_reuse_address = True

    def __init__(self, handler: type[_Handler], proxy: FakeProxy) -> None:
        self.proxy = proxy
        super().__init__(("127.0.0.1", 0), handler)


class _Handler(socketserver.StreamRequestHandler):
    timeout = 20

    @property
    def proxy(self) -> FakeProxy:
        return self.server.proxy  # type: ignore[attr-defined]

    def handle(self) -> None:
        with suppress(OSError):
            self.serve()

    def serve(self) -> None:
        raise NotImplementedError

    def join(self, other: socket.socket) -> None:
        """Passes bytes both ways till both ends are done."""
        back = threading.Thread(target=_pass, args=(other, self.connection), daemon=True)
        back.start()
        _pass(self.connection, other)
        back.join()
        other.close()


class _Http(_Handler):
    def serve(self) -> None:
        lines: list[bytes] = []
        while (line := self.rfile.readline()) not in (b"\r\n", b""):
            lines.append(line)
        if not lines:
            return
        method, target, _ = lines[0].decode().split()
        self.proxy.asked.append(f"{method} {target}")
        if self.proxy.says:
            self.wfile.write(self.proxy.says)
            return
        headers = {
            name.strip().lower(): value.strip() for name, _, value in (x.decode().partition(":") for x in lines[1:])
        }
        if self.proxy.login is not None:
            wanted = "Basic " + base64.b64encode(":".join(self.proxy.login).encode()).decode()
            if headers.get("proxy-authorization") != wanted:
                self.wfile.write(b"HTTP/1.1 407 Login\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n")
                return
        host = target.rpartition(":")[0] if method == "CONNECT" else urlsplit(target).hostname or ""
        try:
            other = self.proxy.dial(host)
        except OSError:
            self.wfile.write(b"HTTP/1.1 503 Nowhere\r\nContent-Length: 0\r\n\r\n")
            return
        if method == "CONNECT":
            self.wfile.write(b"HTTP/1.1 200 Connected\r\n\r\n")
        else:
            parts = urlsplit(target)
            path = parts.path + (f"?{parts.query}" if parts.query else "")
            kept = [x for x in lines[1:] if not x.lower().startswith((b"proxy-", b"connection:"))]
            other.sendall(b"".join([f"{method} {path} HTTP/1.1\r\n".encode(), *kept, b"Connection: close\r\n\r\n"]))
        self.join(other)


class _Socks(_Handler):
    def serve(self) -> None:
        version, count = self.rfile.read(2)
        assert version == 5
        methods = self.rfile.read(count)
        if self.proxy.says:
            self.wfile.write(self.proxy.says)
            return
        wanted = 0 if self.proxy.login is None else 2
        if wanted not in methods:
            self.wfile.write(b"\x05\xff")
            return
        self.wfile.write(bytes([5, wanted]))
        if self.proxy.login is not None:
            self.rfile.read(1)
            said = tuple(self.rfile.read(self.rfile.read(1)[0]).decode() for _ in range(2))
            self.wfile.write(b"\x01\x00" if said == self.proxy.login else b"\x01\x01")
            if said != self.proxy.login:
                return
        kind = self.rfile.read(4)[3]
        if kind == 3:
            host = self.rfile.read(self.rfile.read(1)[0]).decode()
        else:
            family, size = (socket.AF_INET, 4) if kind == 1 else (socket.AF_INET6, 16)
            host = socket.inet_ntop(family, self.rfile.read(size))
        port = int.from_bytes(self.rfile.read(2), "big")
        self.proxy.asked.append(f"socks {host}:{port}")
        try:
            other = self.proxy.dial(host)
        except OSError:
            self.wfile.write(b"\x05\x04\x00\x01" + bytes(6))
            return
        self.wfile.write(b"\x05\x00\x00\x01" + bytes(6))
        self.join(other)


def _pass(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)


@contextmanager
def _serving(handler: type[_Handler], proxy: FakeProxy) -> Iterator[FakeProxy]:
    server = _Server(handler, proxy)
    proxy.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield proxy
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
