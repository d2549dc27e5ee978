"""Serves the practice shop on 127.0.0.1, in a thread of its own."""

from __future__ import annotations

import contextlib
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, cast
from urllib.parse import unquote, urlsplit

from scrapewright.practice.shop import Shop


class ShopServer:
    """A context manager: inside it the shop is reachable at `base` (no slash at its end), on a port of its own.

    `requests` lists (method, path) in the order of arrival. Leaving closes the port and every open connection.
    """

    def __init__(self, shop: Shop) -> None:
        self.shop = shop
        self.requests: list[tuple[str, str]] = []
        self._server: _Server | None = None
        self._thread: threading.Thread | None = None

    @property
    def base(self) -> str:
        if self._server is None:
            raise RuntimeError("the shop is closed")
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def port(self) -> int:
        return int(self.base.rpartition(":")[2])

    def start(self) -> ShopServer:
        """Opens the port. The caller must call `close`."""
        self._server = _Server(self)
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.05,), name="practice shop", daemon=True
        )
        self._thread.start()
        return self

    def close(self) -> None:
        server, thread = self._server, self._thread
        self._server = self._thread = None
        if server is not None:
            server.shutdown()
            server.server_close()
            server.hang_up()
        if thread is not None:
            thread.join()

    def __enter__(self) -> ShopServer:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, owner: ShopServer) -> None:
        self.owner = owner
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        super().__init__(("127.0.0.1", 0), _Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        with self._lock:
            self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        with self._lock:
            self._open.discard(request)
        super().shutdown_request(request)

    def hang_up(self) -> None:
        with self._lock:
            left = list(self._open)
        for connection in left:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is no news."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "practice"
    sys_version = ""
    timeout = 30

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def _answer(self, with_body: bool) -> None:
        owner = cast(_Server, self.server).owner
        path = unquote(urlsplit(self.path).path)
        owner.requests.append((self.command, path))
        found = owner.shop.resource(path)
        self.send_response(found.status)
        self.send_header("Content-Type", found.content_type)
        self.send_header("Content-Length", str(len(found.body)))
        self.end_headers()
        if with_body:
            self.wfile.write(found.body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Nothing is printed; the requests are in the list."""
