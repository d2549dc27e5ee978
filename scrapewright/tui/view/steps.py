"""The last steps of a run, one row each, with the values seen up to each."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from scrapewright.session.result import RunResult, Step
from scrapewright.session.sanitize import one_line
from scrapewright.tui.view.cells import cells, fit
from scrapewright.tui.view.code import source_lines
from scrapewright.tui.view.spans import QUIET, Spans

STEPS = 200
"""Steps that are shown; the recorder keeps as many."""
VALUES = 40
"""Values that the row of a step shows; all of them are listed below it."""
FUNCTION = 24
"""Cells that the name of a function takes at most."""
DEEPEST = 8
"""Calls that are indented; deeper ones are not moved further."""
_GLYPHS = {"line": " ", "set": "=", "call": "→", "return": "←", "raise": "✖"}


def steps_of(result: RunResult | None) -> tuple[Step, ...]:
    """The recorded steps; the trail's lines where there are none, as after SIGKILL."""
    if result is None:
        return ()
    return result.steps or tuple(Step(line=line, function="") for line in result.trail)


def known(steps: Sequence[Step], place: int) -> dict[str, str]:
    """The values seen in the frame of step `place`, up to it; what the step itself bound comes first."""
    here = steps[place]
    found: dict[str, str] = {}
    for step in steps[: place + 1]:
        if step.frame == here.frame and step.thread == here.thread:
            found.update(step.values)
    return {**{name: found[name] for name in here.values}, **found}


def depths(steps: Sequence[Step]) -> list[int]:
    """How deep in calls each step is, as far as the steps tell; the outermost frame seen of a thread is 0."""
    found: list[int] = []
    levels: dict[tuple[int, int], int] = {}
    now: dict[int, int] = {}
    left: set[int] = set()
    """Threads whose step before was a return."""
    for step in steps:
        key, thread = (step.thread, step.frame), step.thread
        if key not in levels:
            level = now.get(thread, 0)
            if thread in now and step.kind == "call":
                level += 1
            elif thread in now and thread not in left:  # an exception led out to a frame older than the steps kept
                level -= 1
            levels[key] = level
        level = levels[key]
        found.append(level)
        left.discard(thread)
        now[thread] = level
        if step.kind == "return":
            now[thread] = level - 1
            left.add(thread)
    lowest: dict[int, int] = {}
    for step, level in zip(steps, found, strict=True):
        lowest[step.thread] = min(level, lowest.get(step.thread, level))
    return [level - lowest[step.thread] for step, level in zip(steps, found, strict=True)]


def step_lines(steps: Sequence[Step], code: str) -> list[Spans]:
    """A row for each: its line, thread and function, and what it bound, else the line's text."""
    lines = source_lines(code)
    threads = len({step.thread for step in steps}) > 1
    width = min(FUNCTION, max((cells(one_line(step.function, FUNCTION)) for step in steps), default=0))
    digits = max((len(str(step.line)) for step in steps), default=0)
    rows: list[Spans] = []
    for step, depth in zip(steps, depths(steps), strict=True):
        name = fit(one_line(step.function), width) if width else ""
        source = one_line(lines[step.line - 1], 160) if 0 < step.line <= len(lines) else ""
        bound: Spans = []
        for key, value in islice(step.values.items(), VALUES):
            if step.kind == "return":
                bound.append((one_line(value, 200), "bold"))
            else:
                comma = ", " if bound else ""
                bound += [(f"{comma}{one_line(key, 60)}", "$accent"), (f" = {one_line(value, 100)}", "bold")]
        if (over := len(step.values) - VALUES) > 0:
            bound.append((f" … {over:,} more", QUIET))
        color = "$error" if step.kind == "raise" else "$primary"
        rows.append([
            (f"{step.line:{digits}} ", color), (f"t{step.thread} " if threads else "", QUIET),
            (f"{name} ", QUIET), ("  " * min(depth, DEEPEST), ""),
            (f"{_GLYPHS.get(step.kind, '·')} ", f"bold {color}"), *(bound or [(source, "" if source else QUIET)]),
        ])  # fmt: skip
    return rows


def step_title(steps: Sequence[Step], place: int) -> Spans:
    """Which step the values are of."""
    step = steps[place]
    where = f"line {step.line}" + (f" in {one_line(step.function, 40)}" if step.function else "")
    thread = f" · thread {step.thread}" if len({s.thread for s in steps}) > 1 else ""
    return [(f"step {place + 1} of {len(steps)}", "bold"), (f"  {where} · frame {step.frame}{thread}", QUIET)]
