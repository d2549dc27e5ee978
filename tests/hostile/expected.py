"""What a hostile program's record must say."""

from __future__ import annotations

import textwrap
from typing import Any, NamedTuple

from scrapewright.loop.ports import Limits
from scrapewright.session.result import Status

SHORT = Limits(seconds=1.0, memory=1 << 30, disk=16 << 20, file_bytes=8 << 20)
LONG = Limits(seconds=8.0, memory=1 << 30, disk=16 << 20, file_bytes=8 << 20)
SMALL = Limits(seconds=2.0, memory=256 << 20, disk=16 << 20, file_bytes=8 << 20)
TREE = Limits(seconds=20.0, memory=256 << 20, disk=16 << 20, file_bytes=8 << 20)

IN_TIME = SHORT.seconds + 0.6 + 0.4
"""The supervisor's escalation takes 0.5 s; the rest is for a machine that is busy with other tests."""


class Program(NamedTuple):
    """A program and what is expected of its record. Empty means that it doesn't matter."""

    name: str
    code: str
    status: tuple[Status, ...]
    limits: Limits = LONG
    exit_code: int | None = None
    signal: str = ""
    type: str = ""
    """The exception's class."""
    stdout: str | None = None
    seconds: float = 0.0
    """The most the run may take, by the supervisor's clock."""
    note: str = ""
    """Part of the note."""
    stack: bool = False
    """The faulthandler's stack must name the line, too."""

    @property
    def lines(self) -> set[int]:
        return {number for number, line in enumerate(self.code.splitlines(), 1) if line.rstrip().endswith("# HERE")}


class Programs(list[Program]):
    """A list of programs that grows by calls, so that each reads as one entry."""

    def __call__(self, name: str, code: str, *status: Status, **expected: Any) -> None:
        self.append(Program(name, textwrap.dedent(code).lstrip("\n"), status, **expected))
