"""How a run went, as lines of spans: frames, steps, requests."""

from __future__ import annotations

from collections.abc import Iterator

from scrapewright.session.result import PROGRAM_NAME, ExceptionInfo, RunResult
from scrapewright.session.sanitize import one_line
from scrapewright.session.state import AttemptState, Session
from scrapewright.tui.view.spans import QUIET, Spans

STEPS = 200
REQUESTS = 500


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
