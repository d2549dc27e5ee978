"""Which events can follow what has happened in a session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapewright.session import events as ev
from scrapewright.session.events import TERMINAL, Phase
from scrapewright.session.phases import may_follow
from scrapewright.session.questions import NONE

if TYPE_CHECKING:
    from scrapewright.session.state import Session

_OF_AN_ATTEMPT = (
    ev.CodeWritten, ev.CodeChecked, ev.RunStarted, ev.RunFinished, ev.Reviewed, ev.Judged, ev.Disputed,
)  # fmt: skip


class IllegalTransition(Exception):
    """An event that can't follow what happened before: the journal and the state disagree."""


def check(session: Session, event: ev.Event) -> None:
    """Raises IllegalTransition where `event` can't follow what has happened."""
    name = type(event).__name__
    if session.end is not None and not isinstance(event, ev.Intervened):
        raise IllegalTransition(f"{name} after the session's end")
    if event.seq != session.seq + 1:
        raise IllegalTransition(f"event {event.seq} after event {session.seq}")
    if (session.seq == 0) is not isinstance(event, ev.SessionStarted):
        raise IllegalTransition(f"{name} as event {event.seq}")
    if isinstance(event, ev.SessionStarted) and event.schema != ev.SCHEMA:
        raise IllegalTransition(f"the session has schema {event.schema}; this version reads schema {ev.SCHEMA}")
    if isinstance(event, ev.PhaseChanged) and not _may_enter(session, event.phase):
        raise IllegalTransition(f"{event.phase} after {session.phase}")
    if isinstance(event, ev.SessionFinished) and event.phase not in TERMINAL:
        raise IllegalTransition(f"a session does not end as {event.phase}")
    if isinstance(event, ev.AttemptStarted):
        if event.attempt <= max(session.attempts, default=0):
            raise IllegalTransition(f"attempt {event.attempt} does not follow attempt {max(session.attempts)}")
        if event.parent and event.parent not in session.attempts:
            raise IllegalTransition(f"attempt {event.attempt} has no parent {event.parent}")
    if isinstance(event, _OF_AN_ATTEMPT) and event.attempt not in session.attempts:
        raise IllegalTransition(f"{name} of attempt {event.attempt}, which is not there")
    if isinstance(event, ev.Answered):
        if session.question is None or session.question.seq != event.ticket:
            raise IllegalTransition(f"an answer to {event.ticket}, which is not the open question")
        if event.answer == "rewind" and event.target not in session.attempts:
            raise IllegalTransition(f"a rewind to attempt {event.target}, which is not there")
        if event.answer == "choose" and event.option not in {NONE, *(o.id for o in session.question.options)}:
            raise IllegalTransition(f"option {event.option!r}, which the question does not have")
    if isinstance(event, ev.Intervened) and event.kind == "rewind" and event.target not in session.attempts:
        raise IllegalTransition(f"a rewind to attempt {event.target}, which is not there")
    if (
        isinstance(event, ev.Intervened)
        and event.kind == "undo"
        and not (session.corrections or session.undoes == "acceptance")
    ):
        raise IllegalTransition("an undo where there is nothing to undo")
    if isinstance(event, ev.Intervened) and event.kind == "go" and session.end is None:
        raise IllegalTransition("it goes on before its end")


def _may_enter(session: Session, phase: Phase) -> bool:
    """From writing, only rows that are to be judged again are judged."""
    if (session.phase, phase) == (Phase.WRITING, Phase.JUDGING):
        return session.attempt is not None and session.attempt.disputed == "unchanged"
    return may_follow(session.phase, phase)
