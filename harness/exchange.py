"""Shared memory between the supervisor and the program's process: how far it has come, and its report.

Memory, not a descriptor: a program that closes or scribbles over every descriptor it has still gets its report through.
The supervisor owns nothing here: all of it is the child's claim, read once after the child has ended.
"""

from __future__ import annotations

import builtins as _builtins
import mmap
import struct
from binascii import crc32 as _crc32

__builtins__ = dict(vars(_builtins))  # type: ignore[assignment]  # functions made below keep this copy

# How far the child has come.
STARTING, RUNNING, THREADS, EXITING, CLEARING, REPORTING, DONE = range(7)

CAPACITY = 4 << 20
"""Bytes of the longest report."""

_HEAD = struct.Struct("=II")
_WAITED = struct.Struct("=I")
_PHASE, _STOP, _HELD, _LENGTH, _REPORT = 0, 1, 4, 8, 16


class Exchange:
    """Anonymous shared memory; made before the fork, used on both sides of it."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, _REPORT + CAPACITY)

    @property
    def phase(self) -> int:
        return self._memory[_PHASE]

    @phase.setter
    def phase(self, value: int) -> None:
        self._memory[_PHASE] = value

    @property
    def stopping(self) -> bool:
        """Whether the supervisor is ending the program, so that the SIGTERM is its own."""
        return self._memory[_STOP] != 0

    def stop(self) -> None:
        self._memory[_STOP] = 1

    @property
    def waited(self) -> float:
        """Seconds by which the supervisor has put the time limit off."""
        return float(_WAITED.unpack(self._memory[_HELD : _HELD + 4])[0]) / 1000

    @waited.setter
    def waited(self, seconds: float) -> None:
        self._memory[_HELD : _HELD + 4] = _WAITED.pack(min(round(seconds * 1000), 0xFFFFFFFF))

    def write(self, report: bytes) -> None:
        """Replaces the report. Raises ValueError over CAPACITY."""
        if len(report) > CAPACITY:
            raise ValueError("report too long")
        self._memory[_LENGTH : _LENGTH + 8] = _HEAD.pack(0, 0)  # what is half written must not pass for whole
        self._memory[_REPORT : _REPORT + len(report)] = report
        self._memory[_LENGTH : _LENGTH + 8] = _HEAD.pack(len(report), _crc32(report))

    def read(self) -> bytes:
        """The report, or b"" where there is none or it is damaged."""
        length, checksum = _HEAD.unpack(self._memory[_LENGTH : _LENGTH + 8])
        if not 0 < length <= CAPACITY:
            return b""
        report = self._memory[_REPORT : _REPORT + length]
        return report if _crc32(report) == checksum else b""
