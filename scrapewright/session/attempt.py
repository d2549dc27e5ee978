"""One attempt of a session: a program and what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from scrapewright.query.reading import Reading
from scrapewright.session.questions import Decision
from scrapewright.session.result import Author, ExceptionInfo, Status
from scrapewright.session.spending import Kept
from scrapewright.session.verdict import Verdict


@dataclass(slots=True)
class AttemptState:
    """One program and what became of it. `code`, `prompt`, `result` are blob names; empty or None while unknown.
    `written` is the blob of the program as it came, where it was fixed before it ran; it `fails` for certain by one of
    the `problems` that were seen without running it.

    `disputed`: the program came with disputes ("changed"), or came back as it was: its rows are then to be judged again
    ("unchanged") until they are ("weighed"). `decisions` are what the person had decided as it was begun, and `reading`
    how the request was read; `overruled`: they have corrected something since, or taken back what it was written with.
    """

    id: int
    author: Author
    parent: int = 0
    code: str = ""
    lines: int = 0
    added: int = 0
    removed: int = 0
    diagnosis: str = ""
    prompt: str = ""
    model: str = ""
    tokens: int = 0
    cost: float = 0.0
    kept: Kept = ""
    checked: bool = False
    written: str = ""
    fixes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    fails: bool = False
    sandbox: str = ""
    runs: int = 0
    running: bool = False
    result: str = ""
    status: Status | None = None
    exit_code: int | None = None
    signal: str = ""
    line: int | None = None
    exception: ExceptionInfo | None = None
    seconds: float = 0.0
    artifacts: tuple[str, ...] = ()
    verdict: Verdict | None = None
    accepted: bool = False
    refused: bool = False
    decisions: tuple[Decision, ...] = ()
    reading: Reading | None = None
    overruled: bool = False
    disputed: Literal["", "changed", "unchanged", "weighed"] = ""

    @property
    def score(self) -> float:
        """The verdict's score; -1.0 before there is one."""
        return self.verdict.score if self.verdict is not None else -1.0

    @property
    def good(self) -> bool:
        """The critic or the person accepted its rows, and the person has corrected none since."""
        return not self.overruled and (self.accepted or (self.verdict is not None and self.verdict.ok))

    @property
    def has_rows(self) -> bool:
        """There is something that a person can accept: rows, or files that could not be judged."""
        verdict = self.verdict
        return verdict is not None and bool(verdict.rows or (verdict.failure and self.artifacts))

    @property
    def ended_well(self) -> bool:
        """It ran to its end without an error."""
        return self.status == "ok" or (self.status == "exit" and not self.exit_code)

    @property
    def outcome(self) -> str:
        """In a word or two, for lists."""
        if self.refused:
            return "refused"
        if self.overruled:
            return "overruled"
        if self.accepted:
            return "accepted"
        if self.running:
            return "running"
        if self.status is None:
            return "can't work" if self.fails else "written" if self.code else "being written"
        if self.status != "ok":
            return self.exception.type if self.exception is not None and self.status == "error" else self.status
        if self.verdict is None:
            return "ran"
        return "right" if self.verdict.ok else "doubtful" if self.verdict.doubtful else "fell short"
