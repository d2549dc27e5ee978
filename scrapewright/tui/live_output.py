"""What the ticks of a live session brought: lines printed, the line being run, the program as it is written.

`Session.live` is cleared by every durable event, a request in mid-run among them; a person who reads a log wants to
keep what was printed before it. So this is view state, beside the session like a scroll position, and never stored.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator

from scrapewright.session import events as ev
from scrapewright.session.journal import Item

LINES_KEPT = 5_000
LINE_AT_MOST = 2_000
"""Characters of one printed line; what is over it is counted."""
CODE_KEPT = 256 * 1024
SILENT = 3.0
"""Seconds without text after which it is said."""
CHARACTERS_A_TOKEN = 4
"""Of a program, about: how many tokens a reply has is known at its end alone."""


class LineLog:
    """Printed lines, the last `keep` of them, in memory that does not grow. Line numbers only grow: `first` is the
    number of the oldest line kept, so that what is shown elsewhere can tell what is new."""

    def __init__(self, text: str = "", *, keep: int = LINES_KEPT) -> None:
        self.keep = keep
        self.first = 0
        self.written = 0
        """Characters written so far: differs whenever the log does."""
        self._lines: deque[str] = deque()
        self._open = ""
        self._over = 0
        self._returned = False
        """The open line ends in a carriage return: what comes next is drawn over it, unless it is the line's end."""
        if text:
            self.write(text)

    def __len__(self) -> int:
        return len(self._lines) + self.unfinished

    @property
    def unfinished(self) -> bool:
        """The last line has no end yet and may grow."""
        return bool(self._open or self._over)

    @property
    def end(self) -> int:
        """The number after the last line's."""
        return self.first + len(self)

    def write(self, text: str) -> None:
        """Adds what was printed; a piece may end inside a line."""
        self.written += len(text)
        *whole, last = text.split("\n")
        for line in whole:
            self._lengthen(line)
            self._lines.append(self._line())
            self._open, self._over, self._returned = "", 0, False
        self._lengthen(last)
        while len(self) > self.keep:
            self._lines.popleft()
            self.first += 1

    def since(self, number: int) -> Iterator[str]:
        """The lines from that number on, as far as they are kept."""
        start = max(0, number - self.first)
        total = len(self._lines)
        if start < total // 2:
            for place, line in enumerate(self._lines):
                if place >= start:
                    yield line
        else:
            tail = [self._lines[place] for place in range(-1, start - total - 1, -1)]
            yield from reversed(tail)
        if self.unfinished and start <= total:
            yield self._line()

    def _lengthen(self, text: str) -> None:
        if not text:
            return
        shown = text.rstrip("\r")
        if shown and (self._returned or "\r" in shown):
            # A progress bar draws over its line: what a terminal would show at the end is what came last.
            self._open, self._over, shown = "", 0, shown.rpartition("\r")[2]
        self._returned = text.endswith("\r")
        room = LINE_AT_MOST - len(self._open)
        self._open += shown[:room]
        self._over += max(0, len(shown) - room)

    def _line(self) -> str:
        return f"{self._open} … {self._over:,} more characters" if self._over else self._open


class LiveOutput:
    """Fed with every event and tick of a session, in order. `clock` gives seconds."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._begun = 0.0
        """Since when a program is written, or the run goes on."""
        self._first = self._last = 0.0
        """When the first and the last text of the program came; 0.0 before."""
        self._characters = 0
        self.run = 0
        """Grows with every run, so that a log of the run before is known as old."""
        self.line = 0
        self.stdout = LineLog()
        self.stderr = LineLog()
        self._code: list[str] = []
        self._code_size = 0
        self.code_version = 0

    @property
    def code(self) -> str:
        """The program so far; the end of it where it is very long."""
        if len(self._code) > 1:
            self._code = ["".join(self._code)]
        return self._code[0] if self._code else ""

    def receive(self, item: Item) -> None:
        """Takes what a follower of the journal is given."""
        match item:
            case ev.OutputPrinted(stream="stdout"):
                self.stdout.write(item.text)
            case ev.OutputPrinted():
                self.stderr.write(item.text)
            case ev.LineReached():
                self.line = item.line
            case ev.CodeStreamed():
                self._stream(item.text)
            case ev.RunStarted():
                self.run += 1
                self._begun = self._clock()
                self.line, self.stdout, self.stderr = 0, LineLog(), LineLog()
            case ev.RunFinished() | ev.StepInterrupted():
                self.line = 0
                self._forget_code()
            case ev.PhaseChanged(phase=ev.Phase.WRITING) | ev.CodeWritten() | ev.SessionFinished():
                self._forget_code()
                self._begun, self._first, self._last, self._characters = self._clock(), 0.0, 0.0, 0

    def pace(self, phase: ev.Phase | None, requests: int, counted: str = "") -> tuple[str, bool]:
        """How fast it goes, and whether nothing has come for a while: what there is to say of a program that is
        written, or of a run that has asked for `requests` pages; `counted` says what they are."""
        now = self._clock()
        if phase is ev.Phase.WRITING and self._begun:
            if not self._first:
                return (f"no text yet, {now - self._begun:.0f} s", True) if now - self._begun >= SILENT else ("", False)
            if now - self._last >= SILENT:
                return f"no text for {now - self._last:.0f} s", True
            seconds = self._last - self._first
            rate = self._characters / CHARACTERS_A_TOKEN / seconds if seconds >= 1 else 0
            return (f"about {rate:.0f} tokens a second" if rate else "", False)
        if phase is ev.Phase.RUNNING and self._begun and requests and now - self._begun >= 1:
            rate = requests / (now - self._begun)
            return (
                f"{counted or f'page {requests:,}'}, {rate:.1f} {'requests ' if ',' in counted else ''}a second",
                False,
            )
        return "", False

    def _stream(self, text: str) -> None:
        self._last = self._clock()
        self._first = self._first or self._last
        self._characters += len(text)
        self._code.append(text)
        self._code_size += len(text)
        self.code_version += 1
        if self._code_size > 2 * CODE_KEPT:
            kept = self.code[-CODE_KEPT:]
            self._code, self._code_size = [kept], len(kept)

    def _forget_code(self) -> None:
        if self._code:
            self._code, self._code_size = [], 0
            self.code_version += 1
