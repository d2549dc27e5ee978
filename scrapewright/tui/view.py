"""What the panes say, as lines of spans. Pure: a Session and what hangs on it in, text out."""

from __future__ import annotations

from collections.abc import Iterator

from scrapewright.query.model import Query
from scrapewright.query.summary import summary
from scrapewright.session.events import Phase
from scrapewright.session.result import PROGRAM_NAME, ExceptionInfo, RunResult
from scrapewright.session.sanitize import one_line
from scrapewright.session.state import AttemptState, Session

Spans = list[tuple[str, str]]
QUIET = "$text-quiet"
STEPS = 200
REQUESTS = 500
LOG_LINES = 1_000


def reading(query: Query) -> Iterator[Spans]:
    """How the request was read."""
    if not query.text:
        yield [("type what you want, with the address of the page, then press enter", QUIET)]
        return
    for line in summary(query):
        yield [(line, "$warning" if line.startswith("not ") else "")]


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


def attempt_line(attempt: AttemptState, *, current: bool, best: bool) -> Spans:
    """One row of the attempts list."""
    color = "$success" if attempt.good else "$error" if attempt.status not in {None, "ok"} else "$warning"
    score = f"{attempt.score:.2f}" if attempt.verdict is not None else "    "
    change = f"+{attempt.added} −{attempt.removed}" if attempt.added or attempt.removed else f"{attempt.lines} lines"
    rows = f"{attempt.verdict.rows} rows" if attempt.verdict is not None else ""
    mark = "★" if best else "▸" if current else " "
    return [
        (f"{mark} {attempt.id:2} ", "bold"), (f"{attempt.author:7} ", QUIET), (f"{attempt.outcome:16} ", color),
        (f"{score} {rows:9} {change}", QUIET),
    ]  # fmt: skip


def frames(result: RunResult | None, attempt: AttemptState | None) -> Iterator[Spans]:
    """The exception chain with the frames and their locals, or the stack of a run that was killed."""
    if result is None:
        yield [("the program has not run yet" if attempt else "no attempt yet", QUIET)]
        return
    where = f" in line {result.where}" if result.where and result.status != "ok" else ""
    code = f" {result.exit_code}" if result.status == "exit" else f" by {result.signal}" if result.signal else ""
    color = "$success" if result.status == "ok" else "$error"
    yield [(f"{result.status}{code}{where}", f"bold {color}"), (f"  {result.seconds:.2f} s", QUIET)]
    if result.note:
        yield [(result.note, "$warning")]
    if result.recorder != "on":
        yield [(f"recorder {result.recorder}: {result.recorder_note}", "$warning")]
    if result.exception is not None:
        yield from _exception(result.exception)
    for entry in result.stack[:30] if result.exception is None else ():
        yield [(f"  {entry.file}:{entry.line} ", "$primary"), (f"in {entry.function}", QUIET)]


def _exception(info: ExceptionInfo, depth: int = 0) -> Iterator[Spans]:
    if info.cause is not None and depth < 10:
        yield from _exception(info.cause, depth + 1)
        yield [("… which was being handled when" if info.relation == "context" else "… which caused", QUIET)]
    yield [(info.type, "bold $error"), (f": {one_line(info.message, 600)}", "")]
    for frame in info.frames:
        own = frame.file == PROGRAM_NAME
        yield [(f"  {frame.file}:{frame.line} ", "$primary" if own else QUIET), (f"in {frame.function}", QUIET)]
        if frame.source:
            yield [(f"    {one_line(frame.source, 200)}", "" if own else QUIET)]
        for name, value in frame.locals.items() if own else ():
            yield [(f"      {one_line(name, 60)}", "$accent"), (f" = {one_line(value, 300)}", "")]
        if frame.folded:
            yield [(f"    … {frame.folded} library frames", QUIET)]


def steps(result: RunResult | None) -> Iterator[Spans]:
    """The last steps with the values they bound."""
    if result is None or not result.steps:
        yield [("no steps recorded", QUIET)]
        return
    for step in result.steps[-STEPS:]:
        values = ", ".join(f"{name} = {one_line(value, 100)}" for name, value in step.values.items())
        yield [
            (f"{step.line:5} ", "$primary"),
            (f"{step.kind:6} ", QUIET),
            (values or step.function, "" if values else QUIET),
        ]


def requests(session: Session, attempt: AttemptState | None, result: RunResult | None) -> Iterator[Spans]:
    """The requests of the attempt; before there is one, the survey's."""
    number = attempt.id if attempt is not None else 0
    rows = result.requests if result is not None else tuple(r for a, r in session.requests if a == number)
    if not rows:
        yield [("no requests", QUIET)]
    for row in rows[-REQUESTS:]:
        bad = row.verdict not in {"allowed", "tape"} or row.status >= 400
        tape = "tape" if row.from_tape else f"{row.ms:.0f} ms"
        yield [
            (f"{row.method:4} {row.status or '---'} ", "$error" if bad else "$success"),
            (f"{row.bytes:8} bytes {tape:>8} ", QUIET), (row.url, ""),
            (f"  {row.verdict} {row.note}" if bad else "", "$error"),
        ]  # fmt: skip


def log(text: str) -> Iterator[Spans]:
    """Output as lines, the last of them; says what it leaves out."""
    lines = text.splitlines()
    if len(lines) > LOG_LINES:
        yield [(f"… {len(lines) - LOG_LINES} earlier lines not shown", QUIET)]
    if not lines:
        yield [("nothing", QUIET)]
    for line in lines[-LOG_LINES:]:
        yield [(line[:2_000], "")]


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
