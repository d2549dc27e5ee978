"""The status line."""

from __future__ import annotations

from scrapewright.session.events import Phase
from scrapewright.session.state import Session
from scrapewright.tui.view.spans import QUIET, Spans


def status(session: Session, *, now: float) -> Spans:
    """The line at the top."""
    if session.seq == 0:
        return [("no session", QUIET)]
    end = session.end
    phase = end.outcome if end else str(session.phase or "starting")
    color = "$primary"
    if end is not None:
        color = "$success" if end.exit_code == 0 else "$error"
    elif session.phase in {Phase.WAITING, Phase.PAUSED, Phase.PAUSING}:
        color = "$warning"
    elapsed = int((session.at if end else max(now, session.at)) - session.started_at)
    number = session.current or 1
    parts = [
        f"attempt {number} of {session.max_attempts}", f"mode {session.mode}", session.programmer, session.sandbox,
        *([f"{session.tokens} tokens"] if session.tokens else []),
        *([f"${session.cost:.3f}"] if session.cost else []),
        f"{elapsed // 60}:{elapsed % 60:02}", session.id,
    ]  # fmt: skip
    return [(f" {phase} ", f"bold {color}"), ("  " + " · ".join(p for p in parts if p), QUIET)]
