"""The survey's summary, each program's diagnosis, and every note, in the order of the attempts."""

from __future__ import annotations

from collections.abc import Iterator

from scrapewright.session.attempt import AttemptState
from scrapewright.session.sanitize import one_line
from scrapewright.session.spending import by_role
from scrapewright.session.state import Session
from scrapewright.tui.view.spans import QUIET, Spans

ATTEMPTS = 50
"""The last ones; more are a run away from being read."""
_LEVELS = {"info": QUIET, "warning": "$warning", "error": "$error"}


def story(session: Session) -> Iterator[Spans]:
    """All of it, a paragraph an attempt."""
    if session.survey_summary:
        yield [("the page", "bold $primary")]
        yield from ([("  " + one_line(line, 300), "")] for line in session.survey_summary)
    elif not session.over:
        yield [("looking at the page", QUIET)]
    yield from _remarks(session, 0)
    shown = list(session.attempts.values())[-ATTEMPTS:]
    for attempt in shown:
        yield from _chapter(attempt)
        yield from (
            [("  " + line, QUIET)] for line in by_role(one for one in session.spent if one.attempt == attempt.id)
        )
        yield from _remarks(session, attempt.id)
    if len(session.spent) > 1 and by_role(session.spent):
        yield [("models", "bold $primary")]
        yield from ([("  " + line, QUIET)] for line in by_role(session.spent))
    if session.end is not None and session.end.reason:
        yield [(one_line(session.end.reason, 1_000), "bold")]


def _chapter(attempt: AttemptState) -> Iterator[Spans]:
    by = f"{attempt.author} {attempt.model}".strip()
    yield [(f"attempt {attempt.id}", "bold $primary"), (f"  {by} · {attempt.outcome}", QUIET)]
    for line in attempt.diagnosis.splitlines():
        yield [("  " + one_line(line, 1_000), "")]
    for fix in attempt.fixes:
        yield [("  mended for free: " + one_line(fix, 300), QUIET)]
    for problem in attempt.problems:
        yield [("  " + one_line(problem, 300), "$warning")]


def _remarks(session: Session, attempt: int) -> Iterator[Spans]:
    for note in session.notes:
        if note.attempt == attempt:
            yield [("  " + one_line(note.text, 1_000), _LEVELS[note.level])]
