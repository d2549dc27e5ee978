"""A small site on loopback, and the command run for real against it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


@dataclass
class Site:
    """`pages` maps a path to (status, content type, body). `seen` are the paths asked for, in order."""

    base: str
    pages: dict[str, tuple[int, str, bytes]]
    seen: list[str] = field(default_factory=list)


@contextmanager
def serve(pages: Mapping[str, tuple[int, str, bytes] | str]) -> Iterator[Site]:
    """Serves pages; a text is an HTML page in UTF-8. Anything else is a 404."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    whole = {
        path: (200, "text/html; charset=utf-8", page.encode()) if isinstance(page, str) else page
        for path, page in pages.items()
    }
    site = Site(f"http://127.0.0.1:{server.server_address[1]}", whole)
    server.site = site  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        site: Site = self.server.site  # type: ignore[attr-defined]
        site.seen.append(self.path)
        status, kind, body = site.pages.get(self.path, (404, "text/html", b"<h1>Not found</h1>"))
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


LIST = "".join(
    f'<li class="mug"><h3><a href="/mug/{n}">{name} mug</a></h3><p class="price">£{price}</p></li>'
    for n, (name, price) in enumerate([("Blue", "3.50"), ("Red", "4.25"), ("Green", "2.75"), ("Grey", "9.00")], 1)
)
MUGS = f"<!doctype html><html><head><title>Mugs</title></head><body><h1>Our mugs</h1><ul>{LIST}</ul></body></html>"


def command(*args: str, cwd: Path, timeout: float = 120, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs scrapewright as a user would; stdin is empty."""
    return subprocess.run(
        [sys.executable, "-m", "scrapewright", *args],
        capture_output=True, text=True, timeout=timeout, cwd=cwd, stdin=subprocess.DEVNULL, check=False,
        env={**os.environ, "NO_COLOR": "1", **variables},
    )  # fmt: skip
