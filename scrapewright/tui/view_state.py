"""The state that the panes share: a session, its blobs, and what is selected in it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

from scrapewright.loop.briefing import read_result
from scrapewright.session.attempt import AttemptState
from scrapewright.session.journal import Blobs, get_text
from scrapewright.session.result import RunResult
from scrapewright.session.state import Session
from scrapewright.tui.live_output import LineLog, LiveOutput

if TYPE_CHECKING:
    from scrapewright.survey.model import Survey

KEPT = 8

_NOTHING = LineLog()

Stream = Literal["stdout", "stderr"]

K = TypeVar("K")
T = TypeVar("T")


@dataclass
class ViewState:
    """Blobs that were read are kept, a few of them. The view state here is what several panes share, nothing else."""

    session: Session
    blobs: Blobs
    chosen: int = 0
    """The attempt being looked at; 0 follows the current one."""
    against: int = 0
    """The attempt that the chosen one is compared with; 0 means its parent."""
    step: int | None = None
    """Place in the result's `steps` that the person walked to."""
    frame: int | None = None
    """The frame chosen in the trace, counted through the exception chain as the trace lists it."""
    line: int | None = None
    """1-based line of the program that goes with the step or the frame."""
    rows: frozenset[int] = frozenset()
    """Rows of the output that the chosen finding names, numbered as the finding numbers them."""
    tape: Path | None = None
    """The folder of the pages that sessions have fetched, None where none are kept."""
    live_output: LiveOutput = field(default_factory=LiveOutput)
    """What was printed, run and streamed since the last event. Empty in a replay."""
    _results: OrderedDict[str, RunResult | None] = field(default_factory=OrderedDict)
    _logs: OrderedDict[tuple[str, str], LineLog] = field(default_factory=OrderedDict)
    _codes: OrderedDict[str, str] = field(default_factory=OrderedDict)
    _surveys: OrderedDict[str, Survey | None] = field(default_factory=OrderedDict)

    @property
    def attempt(self) -> AttemptState | None:
        """The attempt being looked at."""
        return self.session.attempts.get(self.chosen or self.session.current)

    @property
    def other(self) -> AttemptState | None:
        """The attempt it is compared with; None where there is none, or it is the same."""
        attempt = self.attempt
        if attempt is None:
            return None
        other = self.session.attempts.get(self.against or attempt.parent)
        return other if other is not attempt else None

    @property
    def live(self) -> bool:
        """Whether the current attempt is being looked at, so that live output is shown."""
        return not self.session.over and self.chosen in {0, self.session.current}

    @property
    def running_line(self) -> int:
        """The 1-based line being run now, 0 where nothing runs or it is not known."""
        attempt = self.attempt
        if attempt is None or not attempt.running or not self.live:
            return 0
        return self.live_output.line or self.session.live.line

    @property
    def streaming(self) -> str:
        """The program as far as it is written, while one is being written or its author has failed."""
        asked = self.session.question
        if asked is not None and asked.kind == "programmer" and self.chosen in {0, self.session.current}:
            return self._text(asked.code)
        return (self.live_output.code or self.session.live.code) if self.live else ""

    def look_at(self, attempt: int) -> None:
        """Chooses an attempt; what was chosen inside the one before is no longer."""
        if attempt == self.session.current:
            attempt = 0
        if attempt != self.chosen:
            self.chosen = attempt
            self.forget()

    def forget(self) -> None:
        """Lets go of the step, the frame and the rows chosen."""
        self.step = self.frame = self.line = None
        self.rows = frozenset()

    def result(self) -> RunResult | None:
        attempt = self.attempt
        if attempt is None or not attempt.result:
            return None
        return _kept(self._results, attempt.result, lambda: read_result(attempt, self.blobs), None)

    def log(self, stream: Stream) -> LineLog:
        """What the attempt printed: as it is printed while it runs, then what the result kept of it."""
        attempt, result = self.attempt, self.result()
        if attempt is not None and result is not None:
            captured = result.stdout if stream == "stdout" else result.stderr
            return _kept(self._logs, (attempt.result, stream), lambda: LineLog(captured.text), LineLog())
        if attempt is not None and attempt.running and self.live:
            return self.live_output.stdout if stream == "stdout" else self.live_output.stderr
        return _NOTHING

    def code(self, attempt: AttemptState | None = None) -> str:
        chosen = attempt or self.attempt
        return self._text(chosen.code) if chosen is not None else ""

    def written(self) -> str:
        """The program of the attempt looked at as it came, where it was fixed before it ran; else empty."""
        return self._text(self.attempt.written) if self.attempt is not None else ""

    def _text(self, name: str) -> str:
        """The program of that blob; empty where there is none."""
        return _kept(self._codes, name, lambda: get_text(self.blobs, name), "") if name else ""

    def survey(self) -> Survey | None:
        """What the survey proposed; None before it has, or where it can't be read. Blocks."""
        from scrapewright.survey.model import from_json

        name = self.session.survey
        return _kept(self._surveys, name, lambda: from_json(self.blobs.get(name)), None) if name else None

    def file(self, sha256: str) -> bytes:
        """An artifact's content; empty where it can't be had."""
        try:
            return self.blobs.get(sha256)
        except (KeyError, ValueError, OSError):
            return b""


def _kept(cache: OrderedDict[K, T], key: K, make: Callable[[], T], missing: T) -> T:
    if key not in cache:
        try:
            cache[key] = make()
        except (KeyError, ValueError, OSError):  # gone, damaged, or on a failing disk: the rest can be looked at
            return missing
        while len(cache) > KEPT:
            cache.popitem(last=False)
    return cache[key]
