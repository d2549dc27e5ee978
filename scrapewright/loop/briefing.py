"""The input of the programmer (Brief) and of the critic (Case), read from the session's state and blobs."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from functools import lru_cache

import msgspec

from scrapewright.loop import pages as paging
from scrapewright.loop.parts import Deliver
from scrapewright.loop.ports import Attempt, Brief, Case, Ran
from scrapewright.query.reading import differing
from scrapewright.session.attempt import AttemptState
from scrapewright.session.journal import Blobs, get_text
from scrapewright.session.result import RunResult
from scrapewright.session.review import Review
from scrapewright.session.sanitize import to_json
from scrapewright.session.state import Session
from scrapewright.survey.model import Survey, from_json
from scrapewright.web.page import Page


def read_survey(session: Session, blobs: Blobs) -> Survey | None:
    return _survey(blobs.get(session.survey)) if session.survey else None


@lru_cache(maxsize=2)
def _survey(data: bytes) -> Survey:
    """The same survey for the same bytes: who has read its page knows it again."""
    return from_json(data)


def read_code(attempt: AttemptState, blobs: Blobs) -> str:
    return get_text(blobs, attempt.code) if attempt.code else ""


def read_edit(session: Session, blobs: Blobs) -> str:
    """The person's program that has not become an attempt yet."""
    return get_text(blobs, session.edit)


def read_program(session: Session, blobs: Blobs) -> str:
    """The program that the session was started with, empty where there was none."""
    return get_text(blobs, session.program) if session.program else ""


def read_result(attempt: AttemptState, blobs: Blobs) -> RunResult | None:
    return msgspec.json.decode(blobs.get(attempt.result), type=RunResult) if attempt.result else None


def read_files(result: RunResult, blobs: Blobs) -> dict[str, bytes]:
    """The artifacts' contents by name; one whose blob is gone is left out."""
    files = {}
    for artifact in result.artifacts:
        try:
            files[artifact.name] = blobs.get(artifact.sha256)
        except KeyError:
            continue
    return files


def keep_run(ran: Ran, result: RunResult, blobs: Blobs) -> str:
    """Stores a run's files and its record; returns the record's name."""
    for data in ran.files.values():
        blobs.put(data)
    return blobs.put(to_json(result))


def deliver(to: Deliver, best: AttemptState, blobs: Blobs) -> tuple[str, ...]:
    """Hands the best attempt's program and files on; where they are then."""
    result = read_result(best, blobs)
    return to(best, read_code(best, blobs), read_files(result, blobs) if result else {}, best.good)


def past_attempt(attempt: AttemptState, blobs: Blobs, review: Review | None = None) -> Attempt:
    return Attempt(
        id=attempt.id,
        author=attempt.author,
        code=read_code(attempt, blobs),
        parent=attempt.parent,
        diagnosis=attempt.diagnosis,
        result=read_result(attempt, blobs),
        verdict=attempt.verdict,
        problems=attempt.problems,
        reading=attempt.reading,
        decisions=attempt.decisions,
        review=review,
    )


def make_brief(
    session: Session, blobs: Blobs, pages: Mapping[str, Page], *, strategy: int = 0, forget: int = 0,
    blank: tuple[str, ...] = (),
) -> Brief:  # fmt: skip
    """The programmer's whole input. The current attempt comes last; `forget` leaves one attempt out. The rules, which
    write in place of a model that is too weak, do not go on from what can't work."""
    order = sorted(session.attempts.values(), key=lambda a: (a.id == session.current, a.id))
    order = [a for a in order if a.code and a.id != forget and not (a.fails and session.too_weak)]
    reviews = {reviewed.attempt: reviewed.review for reviewed in session.reviews.values()}
    known: AttemptState | Session = session.attempt if session.attempt is not None else session
    return Brief(
        reading=session.reading,
        survey=read_survey(session, blobs),
        attempts=tuple(past_attempt(a, blobs, reviews.get(a.id)) for a in order),
        pages=pages,
        hint=session.hint,
        strategy=strategy,
        attempt=max(session.attempts, default=0) + 1,
        fell_short=session.fell_short,
        blank=blank,
        decisions=session.decisions,
        corrections=tuple(decision for decision in session.decisions if decision not in known.decisions),
        reread=differing(known.reading or session.reading, session.reading),
        copied=session.copied,
    )


def make_case(session: Session, attempt: AttemptState, blobs: Blobs, pages: Mapping[str, Page]) -> Case:
    result = read_result(attempt, blobs)
    assert result is not None, "an attempt is judged after it ran"
    return Case(
        reading=session.reading,
        survey=read_survey(session, blobs),
        result=result,
        files=read_files(result, blobs),
        pages=pages,
        code=read_code(attempt, blobs),
        author=attempt.author,
        open=session.left_open,
        disputes=session.disputes,
        decisions=session.decisions,
    )


def pages_not_read(session: Session, attempt: AttemptState | None, blobs: Blobs) -> str:
    """That there are more pages than the attempt's rows are from, where nobody decided it; empty otherwise."""
    result = read_result(attempt, blobs) if attempt is not None else None
    if attempt is None or attempt.verdict is None or result is None:
        return ""
    fetched = (request.name for request in result.requests)
    return paging.not_read(session.reading, read_survey(session, blobs), attempt.verdict.rows, fetched)


def changed_lines(old: str, new: str) -> tuple[int, int]:
    """(added, removed) lines from one program to the next."""
    added = removed = 0
    for tag, a0, a1, b0, b1 in difflib.SequenceMatcher(None, old.splitlines(), new.splitlines(), False).get_opcodes():
        if tag != "equal":
            removed += a1 - a0
            added += b1 - b0
    return added, removed
