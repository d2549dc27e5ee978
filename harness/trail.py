"""The trail: where a program is, kept in shared memory so that it outlives the program.

SIGKILL, a segmentation fault, the out-of-memory killer or `os._exit` leave a process no time to report. The recorder
writes the number of each line it reaches into an anonymous shared mapping; the supervisor, which made the mapping
before the fork, reads it at any moment and after any death.

Layout in host byte order: a header of unsigned 32-bit integers, the ring of the current lap, a log of the LAPS laps
before it, the hits per line (32 bits each). An entry of a ring has 64 bits: a line in its lower half, in its upper half
the line reached right after it, or 0; or FLAG, where values alone were noted. A lap is filled from its start, so its
head is the first zero. When it is full it is copied to the log and cleared; when the log is full its lines are counted
(`tally`), and the hits so far are published. The reader adds the laps since then: so a line costs one store in shared
memory, and the counts are exact. A short lap keeps to the processor's nearest cache, together with the program.
"""

from __future__ import annotations

import builtins
import mmap
import sys
from array import array

# Our own copy: functions defined below do not see what the program puts into the real one.
globals()["__builtins__"] = vars(builtins).copy()

RING = 256
"""Entries in a lap."""
LAPS = 16
"""Laps in the log."""
MAX_LINES = 65_536
"""Lines whose hits are published; a program's lines beyond it still appear in the ring."""
FLAG = 1 << 29
"""Stands for the line in an entry that carries values only: the line was noted by an entry before it."""
NEXT = 32
"""How far the second line of an entry is shifted."""

_HEADER = 16
_LAP, _PUBLISHED = 0, 1


class Trail:
    """The mapping with its parts. Made before the fork, it is shared with the child; else (`shared=False`) private."""

    def __init__(self, *, shared: bool = True, ring: int = RING) -> None:
        rings = 4 * _HEADER
        end = rings + 8 * ring * (1 + LAPS)
        size = end + 4 * MAX_LINES
        self._memory: mmap.mmap | bytearray = mmap.mmap(-1, size) if shared else bytearray(size)
        view = memoryview(self._memory).cast("B")
        self.header = view[:rings].cast("I")
        entries = view[rings:end].cast("Q")
        self.ring, self.log = entries[:ring], entries[ring:]
        self.counts = view[end:].cast("I")
        self.empty = memoryview(bytes(8 * ring)).cast("Q")

    def lines(self, limit: int = 200) -> list[int]:
        """The last line numbers, oldest first, at most `limit`.

        Read while the program runs, at the very moment that a lap ends, it may lack some or have some twice.
        """
        lines = _lines(self._lap())
        lap = laps = self.header[_LAP]
        while len(lines) < limit and lap > max(laps - LAPS, 0):
            lap -= 1
            lines = _lines(self.logged(lap)) + lines
        return lines[-limit:] if limit > 0 else []

    def last_line(self) -> int | None:
        """The line reached last, None where none was."""
        lines = self.lines(1)
        return lines[-1] if lines else None

    def hits(self) -> dict[int, int]:
        """How often each line was reached, by line number. A function's first line counts its calls too."""
        counts = {line: count for line, count in enumerate(self.counts.tolist()) if count}
        recent = self._lap()
        laps = self.header[_LAP]
        for lap in range(max(self.header[_PUBLISHED], laps - LAPS), laps):
            recent += self.logged(lap)
        for line in _lines(recent):
            if line < MAX_LINES:
                counts[line] = counts.get(line, 0) + 1
        return dict(sorted(counts.items()))

    def publish(self, counts: memoryview) -> None:
        """Publish the hits counted so far, by line number from 0 on (unsigned 32-bit): those of LAPS laps more."""
        size = min(len(counts), MAX_LINES)
        self.counts[:size] = counts[:size]
        self.header[_PUBLISHED] += LAPS

    def logged(self, lap: int) -> list[int]:
        """The entries of a lap in the log, by its number from 0 on."""
        size = len(self.ring)
        start = lap % LAPS * size
        entries: list[int] = self.log[start : start + size].tolist()
        return entries

    def _lap(self) -> list[int]:
        lap = self.ring.tolist()
        return lap[: lap.index(0)] if 0 in lap else lap


def _lines(entries: list[int]) -> list[int]:
    """The lines of a ring's entries, in order."""
    lines: list[int] = []
    for entry in entries:
        if not entry & FLAG:
            lines.append(entry & _LINE)
        if entry >> NEXT:
            lines.append(entry >> NEXT)
    return [line for line in lines if line]


_LINE = (1 << NEXT) - 1


def tally(laps: bytes, counts: array[int]) -> None:
    """Add the lines of laps (the bytes of rings) to the hits by line number, each modulo 2**32.

    Counting the lines of many laps at once is a small part of the price of counting each as it is reached: it is done
    on bytes alone where no line is beyond 65,535. Threads may be here at one time, each with laps of its own: so
    nothing is called between reading a count and storing it.
    """
    if laps[_HIGHER::4].count(0) != len(laps) // 4:
        for line in memoryview(laps).cast("I"):
            if 0 < line < FLAG:
                counts[line] = (counts[line] + 1) & _LINE
        return
    low, high = laps[_LOW::4], laps[_HIGH::4]
    pages = high
    while pages:
        page = pages[0]
        rest = pages.translate(None, pages[:1])
        entries = len(pages) - len(rest)
        pages = rest
        # The lower bytes of this page's lines; the others are made 0.
        part = low
        if entries != len(high):
            mask = high.translate(_ONLY[page])
            both = int.from_bytes(low, "little") & int.from_bytes(mask, "little")
            part = both.to_bytes(len(low), "little")
        part = part.translate(None, b"\0")
        if page:
            first, times = page << 8, entries - len(part)
            counts[first] = (counts[first] + times) & _LINE
        while part:
            rest = part.translate(None, part[:1])
            line, times = page << 8 | part[0], len(part) - len(rest)
            counts[line] = (counts[line] + times) & _LINE
            part = rest


_ONLY = [bytes(255 * (other == page) for other in range(256)) for page in range(256)]
"""By a byte: the table that turns it to 255 and all others to 0."""

_LOW, _HIGH, _HIGHER = (0, 1, 2) if sys.byteorder == "little" else (3, 2, 1)
