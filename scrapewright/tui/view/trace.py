"""How a run went, as lines of spans: the exception chain with its frames, or the stack of a run that was killed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from scrapewright.session.attempt import AttemptState
from scrapewright.session.result import PROGRAM_NAME, ExceptionInfo, Frame, RunResult
from scrapewright.session.sanitize import one_line
from scrapewright.tui.view.cells import cells, fit
from scrapewright.tui.view.code import source_lines
from scrapewright.tui.view.spans import QUIET, Spans
from scrapewright.tui.view.steps import FUNCTION, known
from scrapewright.tui.view.units import counted
from scrapewright.tui.view.wrap import wrap_spans

CHAIN = 20
"""Exceptions of a chain that are shown."""
FRAMES = 500
VALUES = 500
TRAIL = 100
"""Last lines shown of a run that left no traceback."""
VALUE_AT_MOST = 1_000
"""Characters of a value in its line; the whole is one key away."""


@dataclass(frozen=True)
class Entry:
    """One row of the list. `frame` counts through the chain, or the stack and the trail where there is none.

    `line` is the program's line that goes with it, 0 if none; `values` are those seen there; `about` is what else is to
    be said below the list; `own` says that it is a place in the program itself.
    """

    spans: Spans
    frame: int | None = None
    line: int = 0
    values: Mapping[str, str] = field(default_factory=dict)
    about: str = ""
    own: bool = False


@dataclass(frozen=True)
class FrameList:
    """`start` is the row where the cursor belongs at first: the innermost frame of the program's own."""

    header: list[Spans]
    entries: list[Entry]
    start: int = 0


def frame_list(
    result: RunResult | None, attempt: AttemptState | None, running: int = 0, source: str = "", width: int = 10_000
) -> FrameList:
    """What the upper part of the tab lists, messages broken to `width` cells. `running` is the line being run now, 0 if
    none is."""
    lines = source_lines(source)
    if attempt is not None and attempt.running:
        where = f" line {running}" if running else ""
        text = _source(lines, running)
        return FrameList([[("running", "bold $warning"), (where, ""), (f"  {text}" if text else "", QUIET)]], [])
    if result is None:
        return FrameList([[("the program has not run yet" if attempt else "no attempt yet", QUIET)]], [])
    header = [_ending(result)]
    if result.note:
        header += wrap_spans([(one_line(result.note, 300), "$warning")], width)
    if result.recorder != "on":
        said = f"recorder {result.recorder}: {one_line(result.recorder_note, 200)}"
        header += wrap_spans([(said, "$warning")], width)
    if result.exception is not None:
        entries = list(_chain(result.exception, width))
        own = [row for row, entry in enumerate(entries) if entry.own]
    else:
        stack, trail = list(_stack(result, lines)), list(_trail(result, lines))
        entries = stack + trail
        own = [row for row, entry in enumerate(stack or trail) if entry.own]
    return FrameList(header, entries, own[-1] if own else max(0, len(entries) - 1))


def _ending(result: RunResult) -> Spans:
    where = f" in line {result.where}" if result.where and result.status != "ok" else ""
    code = f" {result.exit_code}" if result.status == "exit" else f" by {result.signal}" if result.signal else ""
    color = "$success" if result.status == "ok" else "$error"
    return [(f"{result.status}{code}{where}", f"bold {color}"), (f"  {result.seconds:.2f} s", QUIET)]


def _chain(info: ExceptionInfo, width: int) -> Iterator[Entry]:
    """As Python prints it: what came first on top, frames outermost first."""
    links = [info]
    while links[-1].cause is not None and len(links) < CHAIN:
        links.append(links[-1].cause)
    if links[-1].cause is not None:
        yield Entry([("… earlier exceptions not shown", QUIET)])
    number = 0
    shape = _shape(frame for link in links for frame in link.frames[:FRAMES])
    for place, link in enumerate(reversed(links)):
        if place:
            how = "while that was handled" if link.relation == "context" else "which caused"
            yield Entry([(f"{how}:", QUIET)])
        text = f"{link.type}: {link.message}" + "".join(f"\nnote: {note}" for note in link.notes)
        said: Spans = [(one_line(link.type, 80), "bold $error"), (f": {one_line(link.message, 600)}", "")]
        yield from (Entry(piece, about=text) for piece in wrap_spans(said, width))
        line = 0
        for frame in link.frames[:FRAMES]:
            own = frame.file == PROGRAM_NAME
            line = frame.line if own else line
            yield Entry(_frame(frame, shape), number, line, frame.locals, own=own)
            number += 1
            if frame.folded:
                yield Entry([(f"    … {counted(frame.folded, 'library frame')}", QUIET)], line=line)
        if len(link.frames) > FRAMES:
            yield Entry([(f"    … {counted(len(link.frames) - FRAMES, 'more frame')}", QUIET)])


def _shape(frames: Iterable[Frame]) -> tuple[int, int]:
    """Cells of the numbers and of the names of the functions, where each place in the program itself has its line."""
    own = [frame for frame in frames if frame.file == PROGRAM_NAME]
    names = (cells(one_line(frame.function, FUNCTION)) for frame in own)
    return max((len(str(frame.line)) for frame in own), default=0), min(FUNCTION, max(names, default=0))


def _frame(frame: Frame, shape: tuple[int, int]) -> Spans:
    source = f"  {one_line(frame.source, 200)}" if frame.source else ""
    if frame.file != PROGRAM_NAME:
        return [(f"  {one_line(frame.file, 60)}:{frame.line} in {one_line(frame.function, 60)}{source}", QUIET)]
    digits, width = shape
    name = fit(one_line(frame.function), max(1, width))
    return [(f"  {frame.line:>{digits}} ", "bold $primary"), (name, ""), (source, "$accent")]


def _stack(result: RunResult, lines: Sequence[str]) -> Iterator[Entry]:
    """Reversed, so that the innermost frame is last, as in a traceback."""
    stack = result.stack[:FRAMES]
    threads = list(dict.fromkeys(entry.thread for entry in stack))
    number = 0
    shape = _shape(Frame(entry.file, entry.line, entry.function) for entry in stack)
    for thread in reversed(threads):
        if len(threads) > 1 or (thread and thread != "0"):
            yield Entry([(f"thread {one_line(thread, 60)}", QUIET)])
        of_thread = [entry for entry in stack if entry.thread == thread]
        own_line = 0
        for entry in reversed(of_thread):
            own = entry.file == PROGRAM_NAME
            own_line = entry.line if own else own_line
            source = _source(lines, entry.line) if own else ""
            frame = Frame(entry.file, entry.line, entry.function, source)
            values = _last_values(result, entry.function) if own else {}
            yield Entry(_frame(frame, shape), number, own_line, values, own=own)
            number += 1


def _last_values(result: RunResult, function: str) -> Mapping[str, str]:
    """What the recorder last knew of the values in a function."""
    name = function.rpartition(".")[2]
    for place in range(len(result.steps) - 1, -1, -1):
        if result.steps[place].function.rpartition(".")[2] == name:
            return known(result.steps, place)
    return {}


def _trail(result: RunResult, lines: Sequence[str]) -> Iterator[Entry]:
    """The last lines that ran, where no traceback says it: the trail is there even after SIGKILL."""
    if result.status in {"ok", "exit"} or not result.trail:
        return
    yield Entry([("the last lines that ran, newest last:", QUIET)])
    runs: list[tuple[int, int]] = []
    for line in result.trail[-TRAIL:]:
        if runs and runs[-1][0] == line:
            runs[-1] = (line, runs[-1][1] + 1)
        else:
            runs.append((line, 1))
    first = len(result.stack)
    digits = max(len(str(line)) for line, _ in runs)
    often = max(len(str(times)) for _, times in runs)
    for number, (line, times) in enumerate(runs, first):
        count = f"×{times}" if times > 1 else ""
        spans: Spans = [
            (f"  {line:>{digits}} ", "$primary"), (f"{count:{often + 1}}  ", QUIET), (_source(lines, line), "$accent"),
        ]  # fmt: skip
        yield Entry(spans, number, line, own=True)


def _source(lines: Sequence[str], line: int) -> str:
    return one_line(lines[line - 1], 200) if 0 < line <= len(lines) else ""


def value_lines(
    values: Mapping[str, str], changed: Mapping[str, str] | None = None, was: Mapping[str, str] | None = None
) -> list[Spans]:
    """Names and values, one row each, in the mapping's order; those in `changed` stand out, with what they were."""
    lines: list[Spans] = []
    for name, value in list(values.items())[:VALUES]:
        new = changed is not None and name in changed
        before = (was or {}).get(name) if new else None
        lines.append([
            (one_line(name, 60) or "?", "bold $warning" if new else "$accent"), (" = ", QUIET),
            (one_line(value, VALUE_AT_MOST), "bold" if new else ""),
            (f"   was {one_line(before, 100)}" if before is not None and before != value else "", QUIET),
        ])  # fmt: skip
    if len(values) > VALUES:
        lines.append([(f"… {counted(len(values) - VALUES, 'more value')}", QUIET)])
    return lines
