"""What a stream said, bounded: its first and last bytes, how many there were, and a thin live view."""

from __future__ import annotations

import codecs
from collections import deque

VIEW_BYTES = 8 << 10
"""Most bytes that the live view keeps between two looks at it."""


class Capture:
    """Keeps `limit` bytes, half from the start and half from the end; memory doesn't grow with what is written."""

    def __init__(self, limit: int) -> None:
        self.total = 0
        self._head = bytearray()
        self._head_limit = max(limit, 2) // 2
        self._tail: deque[bytes] = deque()
        self._tail_bytes = 0
        self._tail_limit = max(limit, 2) - self._head_limit
        self._view = bytearray()
        self._left_out = 0

    def add(self, data: bytes) -> None:
        self.total += len(data)
        room = VIEW_BYTES - len(self._view)
        self._view += data[:room]
        self._left_out += max(len(data) - room, 0)
        if len(self._head) < self._head_limit:
            room = self._head_limit - len(self._head)
            self._head += data[:room]
            data = data[room:]
        if data:
            self._tail.append(data[-self._tail_limit :])
            self._tail_bytes += len(self._tail[-1])
            while self._tail_bytes - len(self._tail[0]) >= self._tail_limit:
                self._tail_bytes -= len(self._tail.popleft())

    def view(self) -> tuple[bytes, int]:
        """(bytes since the last look, bytes left out after them)."""
        data, left_out = bytes(self._view), self._left_out
        self._view.clear()
        self._left_out = 0
        return data, left_out

    @property
    def pending(self) -> bool:
        """Whether the live view has something new."""
        return bool(self._view) or self._left_out > 0

    def record(self) -> dict[str, object]:
        """{head, tail, bytes} as text: UTF-8, what isn't becomes U+FFFD, a character cut in two is left out whole."""
        tail = b"".join(self._tail)[-self._tail_limit :]
        if len(self._head) + len(tail) == self.total:
            return {"head": (bytes(self._head) + tail).decode("utf-8", "replace"), "tail": "", "bytes": self.total}
        head = codecs.getincrementaldecoder("utf-8")("replace").decode(bytes(self._head))
        start = 0
        while start < min(3, len(tail)) and tail[start] & 0xC0 == 0x80:
            start += 1
        return {"head": head, "tail": tail[start:].decode("utf-8", "replace"), "bytes": self.total}
