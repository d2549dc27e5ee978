"""Frames on the one pipe between the host and the supervisor.

A frame is a header (kind u8, stream u32, length u32, big endian) and a payload of `length` bytes. JOB and RESULT are
messages: JSON in one or more frames of the kind, whose stream number is 1 while more follows and 0 in the last. Both
ends run this module, and neither trusts the other: whatever is not a frame raises WireError.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from typing import Any, NamedTuple

VERSION = 2

JOB = 1
"""Host to sandbox, a message: the program and its limits."""
CANCEL = 2
"""Host to sandbox: end the program now and answer."""
READY = 3
"""Sandbox to host: JSON about the interpreter; a job may come."""
FAULT = 4
"""Sandbox to host: text; the supervisor can't go on, and why."""
OPEN = 5
"""Sandbox to host: a connection, numbered from 1 upward without gaps."""
DATA = 6
"""Both ways: bytes of a connection, within the receiver's credit."""
CREDIT = 7
"""Both ways: u32, so many bytes of the connection were delivered and may be sent anew."""
SHUT = 8
"""Sandbox to host: the program will send no more on this connection, but still reads."""
CLOSE = 9
"""Both ways: done with the connection once what was sent is delivered. A stream's last frame from the sandbox."""
OUTPUT = 10
"""Sandbox to host, for watching: u32 of bytes left out after these bytes; stream 1 is stdout, 2 stderr."""
LINE = 11
"""Sandbox to host: u32, the program line being run."""
FILE = 12
"""Sandbox to host: JSON {name, bytes}; the stream numbers the artifacts from 1 upward."""
CHUNK = 13
"""Sandbox to host: bytes of the artifact of that number."""
RESULT = 14
"""Sandbox to host, a message, once and last."""
WAITED = 15
"""Host to sandbox: u32 of milliseconds for which the host holds a request back from now on. The program's time limit
is paused that long, at most to the job's `wall_limit`."""
PING = 16
"""Host to sandbox, after the job: is it there?"""
PONG = 17
"""Sandbox to host: it is."""

NAMES = {
    JOB: "JOB", CANCEL: "CANCEL", READY: "READY", FAULT: "FAULT", OPEN: "OPEN", DATA: "DATA", CREDIT: "CREDIT",
    SHUT: "SHUT", CLOSE: "CLOSE", OUTPUT: "OUTPUT", LINE: "LINE", FILE: "FILE", CHUNK: "CHUNK", RESULT: "RESULT",
    WAITED: "WAITED", PING: "PING", PONG: "PONG",
}  # fmt: skip

WINDOW = 256 << 10
"""Bytes of one connection and direction that may be under way unacknowledged."""
CHUNK_BYTES = 32 << 10
"""Most bytes that either end puts into one DATA or CHUNK frame."""
MAX_PAYLOAD = 256 << 10
MAX_MESSAGE = 16 << 20
MAX_STREAMS = 128
"""Connections open at one time; more wait in the listener's backlog."""

_HEAD = struct.Struct(">BII")
_U32 = struct.Struct(">I")
HEAD_BYTES = _HEAD.size


class WireError(Exception):
    """What came over the pipe is not what the protocol allows."""


class Frame(NamedTuple):
    kind: int
    stream: int
    payload: bytes


def frame(kind: int, stream: int = 0, payload: bytes = b"") -> bytes:
    """One frame as bytes. Raises WireError on an unknown kind or a payload over MAX_PAYLOAD."""
    if kind not in NAMES:
        raise WireError(f"no frame of kind {kind}")
    if len(payload) > MAX_PAYLOAD:
        raise WireError(f"{NAMES[kind]} of {len(payload)} bytes; {MAX_PAYLOAD} is the most")
    return _HEAD.pack(kind, stream, len(payload)) + payload


def number(value: int) -> bytes:
    """A u32 payload."""
    return _U32.pack(value)


def read_number(payload: bytes) -> int:
    """The u32 that a payload is. Raises WireError."""
    if len(payload) != 4:
        raise WireError(f"a number of {len(payload)} bytes")
    value: int = _U32.unpack(payload)[0]
    return value


def output(left_out: int, data: bytes) -> bytes:
    """An OUTPUT payload."""
    return _U32.pack(min(left_out, 0xFFFFFFFF)) + data


def read_output(payload: bytes) -> tuple[int, bytes]:
    """(bytes left out before, bytes) of an OUTPUT payload. Raises WireError."""
    if len(payload) < 4:
        raise WireError("an OUTPUT without its count")
    return _U32.unpack_from(payload)[0], payload[4:]


def message(kind: int, data: bytes) -> Iterator[bytes]:
    """The frames of a message. Raises WireError where it is over MAX_MESSAGE."""
    if len(data) > MAX_MESSAGE:
        raise WireError(f"{NAMES[kind]} of {len(data)} bytes; {MAX_MESSAGE} is the most")
    start = 0
    while len(data) - start > MAX_PAYLOAD:
        yield frame(kind, 1, data[start : start + MAX_PAYLOAD])
        start += MAX_PAYLOAD
    yield frame(kind, 0, data[start:])


class Parser:
    """Bytes in, frames out, however the bytes were cut. After a WireError it is of no more use."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[Frame]:
        """The frames that are complete now, to be taken to the end before more is fed.

        Raises WireError on an unknown kind or a length over MAX_PAYLOAD, after the frames before it.
        """
        buffer = self._buffer
        buffer += data
        start = 0
        try:
            while len(buffer) - start >= HEAD_BYTES:
                kind, stream, length = _HEAD.unpack_from(buffer, start)
                if kind not in NAMES:
                    raise WireError(f"no frame of kind {kind}")
                if length > MAX_PAYLOAD:
                    raise WireError(f"{NAMES[kind]} of {length} bytes; {MAX_PAYLOAD} is the most")
                end = start + HEAD_BYTES + length
                if len(buffer) < end:
                    break
                yield Frame(kind, stream, bytes(buffer[start + HEAD_BYTES : end]))
                start = end
        finally:
            del buffer[:start]

    @property
    def pending(self) -> int:
        """Bytes of a frame that is not complete."""
        return len(self._buffer)


class Assembler:
    """Puts a message together from its frames."""

    def __init__(self, limit: int = MAX_MESSAGE) -> None:
        self._parts: list[bytes] = []
        self._bytes = 0
        self._limit = limit

    def add(self, part: Frame) -> bytes | None:
        """The whole message with its last frame, else None. Raises WireError where it grows over the limit."""
        if part.stream not in (0, 1):
            raise WireError(f"{NAMES[part.kind]} with stream {part.stream}")
        self._bytes += len(part.payload)
        if self._bytes > self._limit:
            raise WireError(f"{NAMES[part.kind]} of more than {self._limit} bytes")
        self._parts.append(part.payload)
        if part.stream:
            return None
        data = b"".join(self._parts)
        self._parts.clear()
        self._bytes = 0
        return data


def dump(value: dict[str, Any]) -> bytes:
    """A JSON object as bytes, for JOB, READY, FILE and RESULT."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False).encode("ascii")


def _refuse(constant: str) -> object:
    raise ValueError(constant)  # NaN and the infinities, which are no JSON and could not be passed on


def load(data: bytes) -> dict[str, Any]:
    """The JSON object that the bytes are. Raises WireError on anything else, nesting too deep to parse included."""
    try:
        value = json.loads(data, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise WireError(f"not JSON: {type(error).__name__}") from None
    if not isinstance(value, dict):
        raise WireError("JSON, but no object")
    return value
