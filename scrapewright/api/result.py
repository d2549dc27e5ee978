"""What a session left, read from its events and its stored values."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import msgspec

from scrapewright.errors import HostRefused, ScrapewrightError, SiteError, Unavailable, UsageError
from scrapewright.exports.rows import Row, typed_rows
from scrapewright.loop.briefing import past_attempt, read_files
from scrapewright.loop.ports import Attempt
from scrapewright.session.journal import Blobs
from scrapewright.session.spending import Spent, summed
from scrapewright.session.state import Session
from scrapewright.session.verdict import Verdict

if TYPE_CHECKING:
    import pandas

OF_ROWS = frozenset({"success", "accepted", "unrepaired", "unjudged", "budget", "stopped"})
"""Outcomes that say something of the rows; all others are errors that no program could mend."""


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What a session left.

    `rows` are those that the verdict trusts or a person accepted; others are `unverified`, as they are in
    files. `columns` are their names in order, `code` is the program that made them and `verdict` what is held of them,
    None where nothing was judged. `attempts` are all programs with their runs and verdicts, oldest first; `best` is the
    number of the one that is the result, 0 where there is none. `outcome`, `reason` and `advice` say how the session
    ended: success, accepted, unrepaired, unjudged, budget or stopped, empty while it is not over, else the kind of a
    failure. `session` is its id, for `result(id)` and for `scrapewright replay`.
    `files` are the paths written, `spent` is what models took, by attempt, role and model. `exit_code` is
    what the command would have ended with, None while it is not over.
    """

    session: str
    query: str
    outcome: str = ""
    reason: str = ""
    advice: str = ""
    rows: list[Row] = []
    unverified: list[Row] = []
    columns: tuple[str, ...] = ()
    code: str = ""
    verdict: Verdict | None = None
    attempts: tuple[Attempt, ...] = ()
    best: int = 0
    files: tuple[str, ...] = ()
    spent: tuple[Spent, ...] = ()
    exit_code: int | None = None

    @property
    def ok(self) -> bool:
        """Whether the verdict trusts the rows, or a person accepted them."""
        return self.outcome in ("success", "accepted")

    def to_pandas(self, *, unverified: bool = False) -> pandas.DataFrame:
        """`rows` as a DataFrame with the columns in order; with `unverified` those of that name."""
        import pandas

        return pandas.DataFrame(self.unverified if unverified else self.rows, columns=list(self.columns))

    def __repr__(self) -> str:
        rows = f"{len(self.rows)} rows" if self.rows or not self.unverified else f"{len(self.unverified)} unverified"
        return f"<Result {self.session}: {self.outcome or 'not over'}, {rows}, {len(self.attempts)} attempts>"


def result_of(session: Session, blobs: Blobs) -> Result:
    """The result as of the session's last event. Reads blobs: not for the event loop's thread."""
    end = session.end
    attempts = tuple(past_attempt(a, blobs) for _, a in sorted(session.attempts.items()) if a.code)
    best = session.attempts.get(end.best) if end is not None else session.best
    program = next((a for a in attempts if best is not None and a.id == best.id), None)
    rows, columns = _rows(session, program, blobs)
    good = best is not None and best.good
    return Result(
        session=session.id, query=session.text, outcome=end.outcome if end else "", reason=end.reason if end else "",
        advice=end.advice if end else "", rows=rows if good else [], unverified=[] if good else rows, columns=columns,
        code=program.code if program else "", verdict=best.verdict if best else None, attempts=attempts,
        best=program.id if program else 0, files=end.files if end else (), spent=summed(session.spent),
        exit_code=end.exit_code if end else None,
    )  # fmt: skip


def _rows(session: Session, attempt: Attempt | None, blobs: Blobs) -> tuple[list[Row], tuple[str, ...]]:
    if attempt is None or attempt.result is None or attempt.verdict is None:
        return [], ()
    name = attempt.verdict.file
    data = read_files(attempt.result, blobs).get(name)
    if data is None:
        return [], ()
    try:
        rows = typed_rows(name, data, session.reading.fields)
    except (ValueError, csv.Error, RecursionError):
        return [], ()
    return rows, attempt.verdict.columns or tuple(dict.fromkeys(key for row in rows for key in row))


def raise_for(result: Result) -> None:
    """Raises what a session ended with that no program could mend, or that its right rows could not be written; nothing
    for any other outcome of rows."""
    unwritten = result.ok and result.exit_code
    if result.outcome in OF_ROWS and not unwritten:
        return
    kinds = {"host": HostRefused, "configuration": UsageError, "retry-later": Unavailable, "sandbox": Unavailable,
             "broken": ScrapewrightError}  # fmt: skip
    kind = UsageError if unwritten else kinds.get(result.outcome, SiteError)
    error = kind("; ".join(filter(None, (result.reason, result.advice))))
    error.session = result.session
    raise error
