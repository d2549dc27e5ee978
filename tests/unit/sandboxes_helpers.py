"""A small HTTP server at the host's end of a sandbox's connections, one request each."""

from __future__ import annotations

import asyncio
from typing import Any

from scrapewright.web.page import ByteStream

PIECE = b"x" * (64 << 10)


async def serve(stream: ByteStream) -> None:
    """`/bytes/N`: N bytes. `/count`: how many came after the head. `/echo`: those. `/silent`: does nothing more."""
    head = b""
    while b"\r\n\r\n" not in head:
        data = await stream.read()
        if not data:
            stream.close()
            return
        head += data
    head, _, rest = head.partition(b"\r\n\r\n")
    path = head.split(b" ")[1].partition(b"shop.test")[2].decode()
    if path == "/silent":
        await asyncio.Event().wait()
    elif path == "/echo":
        await stream.write(rest)
        while data := await stream.read():
            await stream.write(data)
    elif path == "/count":
        count = len(rest)
        while data := await stream.read():
            count += len(data)
        await stream.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n%d" % count)
    else:
        left = int(path.rpartition("/")[2])
        await stream.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % left)
        while left:
            piece = PIECE[:left]
            await stream.write(piece)
            left -= len(piece)
    stream.close()


GOOD: dict[str, dict[str, Any]] = {
    "seen": {"status": "ok", "exit_code": 0, "stdout": {}, "stderr": {}},
    "claimed": {"exception": None, "steps": [], "stack": [], "trail": [], "hits": {}},
}
"""A RESULT that claims nothing and is right."""
