"""The record of a run. One object, the same in `trace --json`, in the journal and on the screen."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

Status = Literal["ok", "error", "exit", "timeout", "killed", "oom", "lost"]
Author = Literal["rules", "model", "person", "command"]


class Captured(msgspec.Struct, frozen=True):
    """An output stream, bounded: the first and the last of it as text, and how many bytes there were."""

    head: str = ""
    tail: str = ""
    bytes: int = 0

    @property
    def text(self) -> str:
        """Head and tail in one, with a line saying what was cut."""
        if not self.tail:
            return self.head
        return f"{self.head}\n[…]\n{self.tail}"


class Frame(msgspec.Struct, frozen=True):
    """One frame of a traceback. Columns are 0-based character offsets, -1 where unknown; lines are 1-based."""

    file: str
    line: int
    function: str
    source: str = ""
    end_line: int = 0
    column: int = -1
    end_column: int = -1
    locals: dict[str, str] = {}
    folded: int = 0
    """Library frames left out after this one."""


class ExceptionInfo(msgspec.Struct, frozen=True):
    """An exception with its frames, outermost first, and what it came from."""

    type: str
    message: str
    frames: tuple[Frame, ...] = ()
    cause: ExceptionInfo | None = None
    relation: Literal["", "cause", "context"] = ""
    """How `cause` is tied to this one: raised from it, or raised while it was handled."""
    notes: tuple[str, ...] = ()


class Step(msgspec.Struct, frozen=True):
    """One recorded step. `kind`: line, call, return, set (values bound by the line), raise."""

    line: int
    function: str = "<module>"
    frame: int = 0
    thread: int = 0
    kind: str = "line"
    values: dict[str, str] = {}


class StackLine(msgspec.Struct, frozen=True):
    """One line of a stack read from outside (faulthandler), innermost first."""

    file: str
    line: int
    function: str
    thread: str = ""


class Request(msgspec.Struct, frozen=True):
    """One exchange through the gateway. `verdict`: allowed, refused, tape, miss, robots, error."""

    method: str
    url: str
    status: int = 0
    media_type: str = ""
    bytes: int = 0
    ms: float = 0.0
    from_tape: bool = False
    verdict: str = "allowed"
    note: str = ""
    body: str = ""
    """sha256 of the decoded body in the page store, empty where there is none."""
    page: str = ""
    """Names the answer among the session's pages where the URL does not: of a form that was sent by POST."""

    @property
    def answered(self) -> bool:
        """Whether the status is a site's, of now or of when it was taped. Else nobody answered: the program got the
        status from the gateway, and the note says what happened."""
        return self.verdict in {"allowed", "tape"} or 0 < self.status < 400

    @property
    def name(self) -> str:
        """The answer's key among the session's pages."""
        return self.page or self.url


class Artifact(msgspec.Struct, frozen=True):
    """A file the program left in its working directory. The content is a blob by `sha256`."""

    name: str
    bytes: int
    sha256: str
    media_type: str = ""


class RunResult(msgspec.Struct, frozen=True):
    """How a run ended and what it left behind.

    `exit_code` is None where the process was ended by a signal; `signal` is the signal's name ("SIGKILL"), empty if
    none. `recorder`: "on", or "off" with `recorder_note` saying why. `claimed` names the parts that only the sandboxed
    process itself reported; everything else was seen from outside it.
    """

    status: Status
    exit_code: int | None = None
    signal: str = ""
    recorder: str = "on"
    recorder_note: str = ""
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    max_rss_bytes: int = 0
    stdout: Captured = Captured()
    stderr: Captured = Captured()
    exception: ExceptionInfo | None = None
    steps: tuple[Step, ...] = ()
    stack: tuple[StackLine, ...] = ()
    trail: tuple[int, ...] = ()
    """The last line numbers, oldest first, from the shared-memory ring: there even after SIGKILL."""
    hits: dict[str, int] = {}
    """How often each line was reached, by line number."""
    requests: tuple[Request, ...] = ()
    artifacts: tuple[Artifact, ...] = ()
    artifacts_note: str = ""
    sandbox: str = ""
    python: str = ""
    note: str = ""
    claimed: tuple[str, ...] = ("exception", "steps", "stack", "trail")

    @property
    def where(self) -> int | None:
        """The program line at which it ended badly: innermost program frame, else stack, else last step."""
        if self.exception is not None:
            for frame in reversed(self.exception.frames):
                if frame.file == PROGRAM_NAME:
                    return frame.line
        for entry in self.stack:
            if entry.file == PROGRAM_NAME:
                return entry.line
        if self.steps:
            return self.steps[-1].line
        return self.trail[-1] if self.trail else None

    def to_builtins(self) -> dict[str, Any]:
        """As plain JSON types."""
        data: dict[str, Any] = msgspec.to_builtins(self)
        return data


PROGRAM_NAME = "scraper.py"
"""The file name under which a program is compiled, shown in its tracebacks."""
PROGRAM_AT_MOST = 1 << 20
"""Bytes. Checking, rewriting and comparing a program of a million lines takes minutes and all the memory there is."""
