"""What came out of a run, as lines of spans: findings and files."""

from __future__ import annotations

from collections.abc import Iterator

from scrapewright.session.result import RunResult
from scrapewright.session.state import AttemptState, Session
from scrapewright.tui.view.spans import QUIET, Spans


def checks(attempt: AttemptState | None) -> Iterator[Spans]:
    """The verdict with its findings."""
    verdict = attempt.verdict if attempt is not None else None
    if attempt is None or verdict is None:
        yield [("not judged yet", QUIET)]
        return
    word, color = (
        ("accepted", "$success")
        if attempt.accepted
        else ("right", "$success")
        if verdict.ok
        else ("falls short", "$error")
    )
    yield [(word, f"bold {color}"), (f"  {verdict.rows} rows, {verdict.pages} pages, score {verdict.score:.2f}", QUIET)]
    for finding in verdict.findings:
        serious = finding.severity == "error"
        rows = f"  rows {', '.join(map(str, finding.rows[:8]))}" if finding.rows else ""
        yield [("✗ " if serious else "· ", "$error" if serious else "$warning"), (finding.message, ""), (rows, QUIET)]


def files(result: RunResult | None, session: Session) -> Iterator[Spans]:
    """What the program wrote, and where the session's results were put."""
    for artifact in result.artifacts if result is not None else ():
        yield [(f"{artifact.bytes:10} ", QUIET), (artifact.name, ""), (f"  {artifact.media_type}", QUIET)]
    for path in session.end.files if session.end is not None else ():
        yield [("wrote ", QUIET), (path, "$success")]
    if result is None or not result.artifacts:
        yield [("no files", QUIET)]
