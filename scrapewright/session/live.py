"""The part of a session's state that ticks set."""

from __future__ import annotations

from dataclasses import dataclass

from scrapewright.session import events as ev

LIVE_TEXT_KEPT = 64 * 1024


@dataclass(slots=True)
class Live:
    """The state that ticks set. The next durable event clears it."""

    code: str = ""
    line: int = 0
    stdout: str = ""
    stderr: str = ""
    what: str = ""
    done: float = 0.0
    total: float = 0.0

    def apply(self, tick: ev.Tick) -> None:
        if isinstance(tick, ev.CodeStreamed):
            self.code = (self.code + tick.text)[-LIVE_TEXT_KEPT:]
        elif isinstance(tick, ev.LineReached):
            self.line = tick.line
        elif isinstance(tick, ev.OutputPrinted):
            kept = (getattr(self, tick.stream) + tick.text)[-LIVE_TEXT_KEPT:]
            setattr(self, tick.stream, kept)
        elif isinstance(tick, ev.Progressed):
            self.what, self.done, self.total = tick.what, tick.done, tick.total
