"""When a programmer contests findings: whether its program and its rows are still the same.

A program that comes back unchanged is not run again but judged again, and rows that come back unchanged end the loop.
"""

from __future__ import annotations

from scrapewright.loop.briefing import read_code, read_result
from scrapewright.loop.budget import fingerprint
from scrapewright.loop.ports import Draft
from scrapewright.session.attempt import AttemptState
from scrapewright.session.journal import Blobs
from scrapewright.session.state import Session


def given_back(session: Session, draft: Draft, blobs: Blobs) -> int:
    """The attempt with rows whose program comes back as it was, with disputes; 0 where there is none."""
    if not draft.disputes:
        return 0
    program = fingerprint(draft.code)
    attempts = sorted(session.attempts.values(), key=lambda a: (a.id == session.current, a.id), reverse=True)
    with_rows = (a for a in attempts if a.ended_well and a.result and a.verdict is not None and a.verdict.rows)
    return next((a.id for a in with_rows if fingerprint(read_code(a, blobs)) == program), 0)


def nothing_new(session: Session, attempt: AttemptState, blobs: Blobs) -> bool:
    """Whether the attempt's author contests the findings, and its rows are those that were judged before."""
    if attempt.disputed == "changed":
        before = session.attempts.get(attempt.parent)
        rows = _rows(attempt, blobs) if attempt.ended_well else ""
        return before is not None and bool(rows) and rows == _rows(before, blobs)
    return attempt.disputed == "weighed"


def _rows(attempt: AttemptState, blobs: Blobs) -> str:
    """The digest of the result file, empty where there is none."""
    result = read_result(attempt, blobs)
    if result is None or attempt.verdict is None:
        return ""
    return next((a.sha256 for a in result.artifacts if a.name == attempt.verdict.file), "")
