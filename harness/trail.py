"""The trail: where a program is, kept in shared memory so that it outlives the program.

SIGKILL, a segmentation fault, the out-of-memory killer or `os._exit` leave a process no time to report. The recorder
writes the number of each line it reaches into an anonymous shared mapping; the supervisor, which made the mapping
before the fork, reads it at any moment and after any death.

Layout in host byte order: a header of unsigned 32-bit integers, the ring of the current lap, the ring of the lap
before it, the hits per line (32 bits each). An entry of a ring has 64 bits: a line in its lower half, in its upper half
the line reached right after it, or 0; or FLAG, where values alone were noted. A lap is filled from its start, so its
head is the first zero. When it is full it is copied to the second ring and cleared, its lines are counted (`tally`),
and the hits so far are published. The reader adds the entries of the lap in hand: so a line costs one store in shared
memory, and the counts are exact.
"""

from __future__ import annotations

import builtins
import mmap
import sys
from array import array

# Our own copy: functions defined below do not see what the program puts into the real one.
globals()["__builtins__"] = vars(builtins).copy()

RING = 512
"""Entries in a lap."""
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
        end = rings + 16 * ring
        size = end + 4 * MAX_LINES
        self._memory: mmap.mmap | bytearray = mmap.mmap(-1, size) if shared else bytearray(size)
        view = memoryview(self._memory).cast("B")
        self.header = view[:rings].cast("I")
        both = view[rings:end].cast("Q")
        self.ring, self.before = both[:ring], both[ring:]
        self.counts = view[end:].cast("I")
        self.empty = memoryview(bytes(8 * ring)).cast("Q")

    def lines(self, limit: int = 200) -> list[int]:
        """The last line numbers, oldest first, at most `limit`.

        Read while the program runs, at the very moment that a lap ends, it may lack some or have some twice.
        """
        lines = _lines(self._lap())
        if len(lines) < limit and self.header[_LAP]:
            lines = _lines(self.before.tolist()) + lines
        return lines[-limit:] if limit > 0 else []

    def last_line(self) -> int | None:
        """The line reached last, None where none was."""
        lines = self.lines(1)
        return lines[-1] if lines else None

    def hits(self) -> dict[int, int]:
        """How often each line was reached, by line number. A function's first line counts its calls too."""
        counts = {line: count for line, count in enumerate(self.counts.tolist()) if count}
        recent = self._lap()
        if self.header[_PUBLISHED] != self.header[_LAP]:
            # The program ended between the end of a lap and the publishing of its counts.
            recent += self.before.tolist()
        for line in _lines(recent):
            if line < MAX_LINES:
                counts[line] = counts.get(line, 0) + 1
        return dict(sorted(counts.items()))

    def publish(self, counts: memoryview) -> None:
        """Publish the hits counted so far, by line number from 0 on (unsigned 32-bit), as of the lap that ended."""
        size = min(len(counts), MAX_LINES)
        self.counts[:size] = counts[:size]
        self.header[_PUBLISHED] = self.header[_LAP]

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


def tally(lap: bytes, counts: array[int]) -> None:
    """Add a lap's lines (the bytes of a ring) to the hits by line number, each modulo 2**32.

    Counting all the lines of a lap at once is a third of the price of counting each as it is reached. Where no line is
    beyond 255, as in most programs, it is done on bytes alone. Threads may be here at one time, each with a lap of its
    own: so nothing is called between reading a count and storing it.
    """
    if not (lap[_HIGH::4] + lap[_HIGHER::4]).strip(b"\0"):
        low = lap[_LOW::4].translate(None, b"\0")
        while low:
            rest = low.translate(None, low[:1])
            line, times = low[0], len(low) - len(rest)
            counts[line] = (counts[line] + times) & _LINE
            low = rest
        return
    for line in memoryview(lap).cast("I"):
        if 0 < line < FLAG:
            counts[line] = (counts[line] + 1) & _LINE


_LOW, _HIGH, _HIGHER = (0, 1, 2) if sys.byteorder == "little" else (3, 2, 1)
