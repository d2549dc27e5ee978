"""The trail: where a program is, kept in shared memory so that it outlives the program.

SIGKILL, a segmentation fault, the out-of-memory killer or `os._exit` leave a process no time to report. The recorder
writes the number of each line it reaches into an anonymous shared mapping; the supervisor, which made the mapping
before the fork, reads it at any moment and after any death.

Layout, unsigned 32-bit integers in host byte order: a header, the ring of the current lap, the ring of the lap before
it, the hits per line. A lap is filled from its start, so its head is the first zero. When it is full it is copied to
the second ring and cleared, and the hits so far, which the writer counts privately, are published. The reader adds
the entries of the lap in hand: so a line costs one store in shared memory, and the counts are exact.
"""

from __future__ import annotations

import builtins
import mmap

# Our own copy: functions defined below do not see what the program puts into the real one.
globals()["__builtins__"] = vars(builtins).copy()

RING = 512
"""Entries in a lap."""
MAX_LINES = 65_536
"""Lines whose hits are published; a program's lines beyond it still appear in the ring."""
FLAG = 1 << 29
"""Marks a ring entry that carries values only: the line was noted by an entry before it."""

_HEADER = 16
_LAP, _PUBLISHED = 0, 1


class Trail:
    """The mapping with its parts. Made before the fork, it is shared with the child; else (`shared=False`) private."""

    def __init__(self, *, shared: bool = True, ring: int = RING) -> None:
        size = 4 * (_HEADER + 2 * ring + MAX_LINES)
        self._memory: mmap.mmap | bytearray = mmap.mmap(-1, size) if shared else bytearray(size)
        view = memoryview(self._memory).cast("B").cast("I")
        self.header = view[:_HEADER]
        self.ring = view[_HEADER : _HEADER + ring]
        self.before = view[_HEADER + ring : _HEADER + 2 * ring]
        self.counts = view[_HEADER + 2 * ring :]
        self.empty = memoryview(bytes(4 * ring)).cast("I")

    def lines(self, limit: int = 200) -> list[int]:
        """The last line numbers, oldest first, at most `limit`.

        Read while the program runs, at the very moment that a lap ends, it may lack some or have some twice.
        """
        lines = [line for line in self._lap() if not line & FLAG]
        if len(lines) < limit and self.header[_LAP]:
            lines = [line for line in self.before.tolist() if line and not line & FLAG] + lines
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
        for line in recent:
            if 0 < line < MAX_LINES:
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
