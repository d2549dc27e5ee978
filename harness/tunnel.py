"""The proxy port inside the sandbox: every connection to it is a stream on the pipe, and nothing else leaves.

Flow control by credit: each end of a stream may have WINDOW bytes under way, and gets credit back when the other end
has delivered them. So a program that never reads, or never stops sending, holds one window of memory and delays
nobody.
"""

from __future__ import annotations

import selectors
import socket
import time
from collections.abc import Callable

from harness import wire
from harness.outbox import Outbox

BACKLOG = 1024
LINGER = 2.0
"""Seconds that a connection which the host has closed may take to read the rest and close its own end."""

_READ, _WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE


class Stream:
    """One connection: bytes for its socket, credit for what it sends, and which ends are closed."""

    def __init__(self, number: int, connection: socket.socket) -> None:
        self.number = number
        self.socket = connection
        self.buffer = bytearray()
        self.credit = wire.WINDOW
        self.finished_sending = False
        """The program has shut its end."""
        self.closing = False
        """The host is done with it: close when the buffer is empty."""
        self.linger_until = 0.0
        """Set once the socket's write end is shut after `closing`."""
        self.mask = 0


class Tunnel:
    """The listener and its streams, driven by the supervisor's selector. Callbacks are the keys' data."""

    def __init__(self, selector: selectors.BaseSelector, outbox: Outbox) -> None:
        self._selector = selector
        self._outbox = outbox
        self._streams: dict[int, Stream] = {}
        self._last = 0
        self._accepting = False
        # No SO_REUSEADDR or SO_REUSEPORT: with either, a program could bind the port beside it.
        self._listener = socket.socket()
        self._listener.bind(("127.0.0.1", 0))
        self._listener.listen(BACKLOG)
        self._listener.setblocking(False)
        self.port: int = self._listener.getsockname()[1]

    def begin(self) -> None:
        """Takes connections from now on."""
        self._accepting = True
        self._selector.register(self._listener, _READ, self._accept)

    def close(self) -> None:
        """Ends all streams. The program is gone, so nobody waits for what they hold."""
        if self._accepting and len(self._streams) < wire.MAX_STREAMS:
            self._selector.unregister(self._listener)
        self._accepting = False
        self._listener.close()
        for stream in list(self._streams.values()):
            self._drop(stream)

    def refresh(self, now: float) -> None:
        """Follows the outbox: no socket is read while that is full. Ends connections that linger too long."""
        for stream in list(self._streams.values()):
            if stream.linger_until and now > stream.linger_until:
                self._drop(stream)
            else:
                self._watch(stream)

    # -- frames from the host; those for a stream that is gone are late and mean nothing

    def data(self, number: int, payload: bytes) -> None:
        """Raises wire.WireError where the host sends more than the window."""
        stream = self._streams.get(number)
        if stream is None or stream.closing:
            return
        stream.buffer += payload
        if len(stream.buffer) > wire.WINDOW:
            raise wire.WireError(f"stream {number} overran its window")
        self._flush(stream)

    def credit(self, number: int, amount: int) -> None:
        stream = self._streams.get(number)
        if stream is None:
            return
        stream.credit += amount
        if stream.credit > wire.WINDOW:
            raise wire.WireError(f"stream {number} got more credit than its window")
        self._watch(stream)

    def finish(self, number: int) -> None:
        """The host closed the stream: what is buffered is still delivered."""
        stream = self._streams.get(number)
        if stream is not None:
            stream.closing = True
            self._flush(stream)

    # -- sockets

    def _accept(self, mask: int) -> None:
        try:
            connection, _ = self._listener.accept()
        except OSError:
            return  # gone again before it was taken, or out of descriptors: the next one may do better
        connection.setblocking(False)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._last += 1
        stream = self._streams[self._last] = Stream(self._last, connection)
        self._outbox.send(wire.OPEN, stream.number)
        self._watch(stream)
        if len(self._streams) >= wire.MAX_STREAMS:
            self._selector.unregister(self._listener)

    def _on_ready(self, stream: Stream) -> Callable[[int], None]:
        def ready(mask: int) -> None:
            if mask & _WRITE and stream.number in self._streams:
                self._flush(stream)
            if mask & _READ and stream.number in self._streams:
                self._receive(stream)

        return ready

    def _receive(self, stream: Stream) -> None:
        discard = stream.closing
        if not discard and stream.credit <= 0:
            return  # woken by a hang-up while there is nothing to read into
        try:
            data = stream.socket.recv(wire.CHUNK_BYTES if discard else min(wire.CHUNK_BYTES, stream.credit))
        except BlockingIOError:
            return
        except OSError:
            self._drop(stream)
            return
        if data and not discard:
            stream.credit -= len(data)
            self._outbox.send(wire.DATA, stream.number, data)
        elif not data:
            stream.finished_sending = True
            if stream.linger_until:
                self._drop(stream)
                return
            self._outbox.send(wire.SHUT, stream.number)
        self._watch(stream)

    def _flush(self, stream: Stream) -> None:
        try:
            while stream.buffer:
                sent = stream.socket.send(stream.buffer)
                del stream.buffer[:sent]
                self._outbox.send(wire.CREDIT, stream.number, wire.number(sent))
            if stream.closing and not stream.linger_until:
                # Closing with unread bytes would reset the connection and could cost the program the answer's end.
                stream.socket.shutdown(socket.SHUT_WR)
                stream.linger_until = time.monotonic() + LINGER
                if stream.finished_sending:
                    self._drop(stream)
                    return
        except BlockingIOError:
            pass
        except OSError:
            self._drop(stream)
            return
        self._watch(stream)

    def _watch(self, stream: Stream) -> None:
        may_read = not stream.finished_sending and (stream.closing or (stream.credit > 0 and not self._outbox.full))
        mask = (_READ if may_read else 0) | (_WRITE if stream.buffer else 0)
        if mask == stream.mask:
            return
        if not stream.mask:
            self._selector.register(stream.socket, mask, self._on_ready(stream))
        elif not mask:
            self._selector.unregister(stream.socket)
        else:
            self._selector.modify(stream.socket, mask, self._on_ready(stream))
        stream.mask = mask

    def _drop(self, stream: Stream) -> None:
        if stream.mask:
            self._selector.unregister(stream.socket)
            stream.mask = 0
        stream.socket.close()
        if len(self._streams) == wire.MAX_STREAMS and self._accepting:
            self._selector.register(self._listener, _READ, self._accept)
        del self._streams[stream.number]
        self._outbox.send(wire.CLOSE, stream.number)
