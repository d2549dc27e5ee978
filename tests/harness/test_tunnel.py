"""The tunnel with real sockets at one end and a pipe at the other."""

from __future__ import annotations

import errno
import os
import selectors
import socket
import time
from collections.abc import Callable, Iterator

import pytest

from harness import outbox, tunnel, wire

PATIENCE = 10.0


class Rig:
    """A tunnel, its loop, and the frames that come out of it."""

    def __init__(self) -> None:
        self._read, self._write = os.pipe()
        os.set_blocking(self._read, False)
        os.set_blocking(self._write, False)
        self.selector = selectors.DefaultSelector()
        self.outbox = outbox.Outbox(self._write)
        self.tunnel = tunnel.Tunnel(self.selector, self.outbox)
        self.parser = wire.Parser()
        self.frames: list[wire.Frame] = []
        self.clients: list[socket.socket] = []
        self.now: float | None = None

    def close(self) -> None:
        self.tunnel.close()
        for client in self.clients:
            client.close()
        self.selector.close()
        os.close(self._read)
        os.close(self._write)

    def connect(self) -> socket.socket:
        client = socket.create_connection(("127.0.0.1", self.tunnel.port), timeout=PATIENCE)
        self.clients.append(client)
        return client

    def turn(self, flush: bool = True) -> None:
        """One turn of the loop."""
        if flush:
            self.outbox.flush()
            try:
                self.frames += self.parser.feed(os.read(self._read, 1 << 20))
            except BlockingIOError:
                pass
        self.tunnel.refresh(time.monotonic() if self.now is None else self.now)
        for key, mask in self.selector.select(0.001):
            key.data(mask)

    def until(self, holds: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < deadline, self.frames
            self.turn()

    def settle(self) -> None:
        """Turns until nothing has come for a while."""
        quiet = 0
        while quiet < 20:
            before = len(self.frames)
            self.turn()
            quiet = quiet + 1 if len(self.frames) == before else 0

    def of(self, kind: int, stream: int) -> list[bytes]:
        return [frame.payload for frame in self.frames if (frame.kind, frame.stream) == (kind, stream)]

    def size(self, kind: int, stream: int) -> int:
        return sum(map(len, self.of(kind, stream)))


@pytest.fixture
def rig() -> Iterator[Rig]:
    made = Rig()
    made.tunnel.begin()
    yield made
    made.close()


def test_bytes_both_ways_and_the_end(rig: Rig) -> None:
    client = rig.connect()
    client.sendall(b"question")
    rig.until(lambda: rig.size(wire.DATA, 1) == 8)
    assert rig.frames[0] == wire.Frame(wire.OPEN, 1, b"")
    rig.tunnel.data(1, b"answer")
    rig.tunnel.finish(1)
    client.settimeout(PATIENCE)
    assert client.makefile("rb").read() == b"answer"
    rig.until(lambda: bool(rig.of(wire.CREDIT, 1)))
    assert rig.of(wire.CREDIT, 1) == [wire.number(6)]
    client.close()
    rig.until(lambda: bool(rig.of(wire.CLOSE, 1)))


def test_a_half_closed_connection_still_gets_its_answer(rig: Rig) -> None:
    client = rig.connect()
    client.sendall(b"all of it")
    client.shutdown(socket.SHUT_WR)
    rig.until(lambda: bool(rig.of(wire.SHUT, 1)))
    assert b"".join(rig.of(wire.DATA, 1)) == b"all of it"
    rig.tunnel.data(1, b"answer")
    rig.tunnel.finish(1)
    assert client.makefile("rb").read() == b"answer"
    rig.until(lambda: bool(rig.of(wire.CLOSE, 1)))
    assert rig.frames[-1].kind == wire.CLOSE


def test_no_more_is_read_than_there_is_credit_for(rig: Rig) -> None:
    client = rig.connect()
    client.setblocking(False)
    sent = 0
    while sent < 4 * wire.WINDOW:
        try:
            sent += client.send(bytes(1 << 16))
        except BlockingIOError:
            before = len(rig.frames)
            rig.settle()
            if len(rig.frames) == before:
                break
    rig.settle()
    assert rig.size(wire.DATA, 1) == wire.WINDOW
    rig.tunnel.credit(1, 1000)
    rig.settle()
    assert rig.size(wire.DATA, 1) == wire.WINDOW + 1000


def test_credit_comes_when_bytes_reach_the_socket(rig: Rig) -> None:
    client = rig.connect()
    rig.until(lambda: bool(rig.frames))
    total = 0
    while True:
        try:
            rig.tunnel.data(1, bytes(wire.WINDOW))
        except wire.WireError:
            break  # the socket takes no more, and the window is full
        total += wire.WINDOW
        rig.settle()
        delivered = sum(map(wire.read_number, rig.of(wire.CREDIT, 1)))
        if delivered < total:
            break
    assert delivered < total
    client.settimeout(PATIENCE)
    got = 0
    while got < total:
        got += len(client.recv(1 << 20))
        rig.turn()
    rig.until(lambda: sum(map(wire.read_number, rig.of(wire.CREDIT, 1))) == total)


def test_a_host_that_breaks_the_flow_control_is_refused(rig: Rig) -> None:
    rig.connect()
    rig.until(lambda: bool(rig.frames))
    with pytest.raises(wire.WireError, match="more credit"):
        rig.tunnel.credit(1, 1)
    with pytest.raises(wire.WireError, match="overran"):
        rig.tunnel.data(1, bytes(wire.WINDOW + 1))


def test_nothing_is_read_while_the_outbox_is_full(rig: Rig) -> None:
    for _ in range(8):
        rig.connect().sendall(bytes(wire.WINDOW))
    for _ in range(200):
        rig.turn(flush=False)
    # Each stream may add what it was about to read when the mark was passed.
    assert rig.outbox._bytes < outbox.HIGH + 8 * wire.CHUNK_BYTES + 1000
    assert rig.outbox.full
    rig.settle()
    assert sum(rig.size(wire.DATA, number) for number in range(1, 9)) == 8 * wire.WINDOW


def test_no_more_streams_than_allowed(rig: Rig) -> None:
    clients = []
    for _ in range(wire.MAX_STREAMS + 5):
        clients.append(rig.connect())
        rig.turn()
    rig.settle()
    opened = [frame.stream for frame in rig.frames if frame.kind == wire.OPEN]
    assert opened == list(range(1, wire.MAX_STREAMS + 1))
    for client in clients[:3]:
        client.close()
    rig.settle()
    for number in (1, 2, 3):
        rig.tunnel.finish(number)
    rig.settle()
    opened = [frame.stream for frame in rig.frames if frame.kind == wire.OPEN]
    assert opened == list(range(1, wire.MAX_STREAMS + 4))


def test_a_closed_stream_that_keeps_sending_is_dropped_in_time(rig: Rig) -> None:
    client = rig.connect()
    rig.until(lambda: bool(rig.frames))
    rig.tunnel.finish(1)
    client.sendall(bytes(1 << 16))
    rig.settle()
    assert rig.size(wire.DATA, 1) == 0
    assert not rig.of(wire.CLOSE, 1)
    rig.now = time.monotonic() + tunnel.LINGER + 1
    rig.until(lambda: bool(rig.of(wire.CLOSE, 1)))


def test_a_reset_ends_the_stream(rig: Rig) -> None:
    client = rig.connect()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    rig.until(lambda: bool(rig.frames))
    client.close()
    rig.until(lambda: bool(rig.of(wire.CLOSE, 1)))
    rig.tunnel.data(1, b"late")
    rig.tunnel.credit(1, 5)
    rig.tunnel.finish(1)
    rig.settle()
    assert rig.frames[-1].kind == wire.CLOSE


@pytest.mark.parametrize("options", [[], [socket.SO_REUSEADDR], [socket.SO_REUSEPORT, socket.SO_REUSEADDR]])
def test_the_port_cannot_be_taken(rig: Rig, options: list[int]) -> None:
    with socket.socket() as thief:
        for option in options:
            thief.setsockopt(socket.SOL_SOCKET, option, 1)
        with pytest.raises(OSError, match="in use") as caught:
            thief.bind(("127.0.0.1", rig.tunnel.port))
        assert caught.value.errno == errno.EADDRINUSE


def test_closing_ends_what_is_open(rig: Rig) -> None:
    client = rig.connect()
    rig.until(lambda: bool(rig.frames))
    rig.tunnel.close()
    assert client.recv(1) == b""
    with pytest.raises(ConnectionRefusedError):
        rig.connect()
