"""A session's best program as a file that runs by itself."""

from __future__ import annotations

from scrapewright.loop.briefing import read_code
from scrapewright.session.journal import Blobs
from scrapewright.session.sanitize import one_line
from scrapewright.session.state import Session


def script(session: Session, blobs: Blobs, attempt: int = 0) -> str:
    """The best program, or that of an attempt, with a comment that says where it comes from. Raises LookupError where
    there is none."""
    if attempt:
        best = session.attempts.get(attempt)
    else:
        ended = session.end.best if session.end is not None else 0
        best = (session.attempts.get(ended) if ended else session.best) or session.attempt
    if best is None or not best.code:
        raise LookupError(f"session {session.id} has no program to export")
    judged = "its rows were judged right" if best.good else "its rows were NOT judged right"
    lines = [
        f"# {one_line(session.text, 110)}",
        f"# Written by scrapewright ({best.author}), session {session.id}, attempt {best.id}; {judged}.",
        "# Needs: requests, beautifulsoup4, lxml (and pandas where it is imported).",
    ]
    try:
        code = read_code(best, blobs)
    except (KeyError, ValueError, OSError) as error:
        raise LookupError(f"the program of session {session.id} can't be read: {error.args[-1]}") from error
    return "\n".join(lines) + "\n\n" + code.lstrip("\n")
