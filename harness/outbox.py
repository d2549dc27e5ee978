"""Frames on their way to the host. Writing never blocks; what the pipe does not take stays queued."""

from __future__ import annotations

import os
from collections import deque
from itertools import islice

from harness import wire

HIGH = 1 << 20
"""Bytes queued from which on nothing more is read that would add to them."""

_GATHER = 64


class Outbox:
    """A queue of frames before a non-blocking descriptor."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._queue: deque[bytes] = deque()
        self._bytes = 0

    def __bool__(self) -> bool:
        return bool(self._queue)

    @property
    def full(self) -> bool:
        return self._bytes >= HIGH

    def send(self, kind: int, stream: int = 0, payload: bytes = b"") -> None:
        self.put(wire.frame(kind, stream, payload))

    def put(self, frame: bytes) -> None:
        self._queue.append(frame)
        self._bytes += len(frame)

    def flush(self) -> None:
        """Writes what the pipe takes. Raises BrokenPipeError where the host is gone."""
        queue = self._queue
        while queue:
            try:
                written = os.writev(self._descriptor, list(islice(queue, _GATHER)))
            except BlockingIOError:
                return
            self._bytes -= written
            while written:
                first = queue[0]
                if written < len(first):
                    queue[0] = first[written:]
                    break
                written -= len(first)
                queue.popleft()
