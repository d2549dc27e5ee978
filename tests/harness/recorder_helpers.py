"""Runs a program plainly under `sys.settrace`, and under the recorder, and says what can be compared."""

from __future__ import annotations

import ast
import contextlib
import io
import sys
import types
from dataclasses import dataclass, field
from typing import Any

from harness import snapshot as snapshots
from harness.recorder import Recorder
from harness.snapshot import shown, snapshot
from harness.trail import Trail

PROGRAM = "scraper.py"
# How closely an object is looked at depends on the time; what is compared must not.
snapshots._allowance.left = 1e9
snapshots._LOOK_SECONDS = 60.0
_OPTIMIZED = 1
Values = dict[str, str]


class OutOfFuelError(Exception):
    """Raised in a generated program that calls too much."""


@dataclass
class Ran:
    """What a program did: output, exception, module variables."""

    output: str
    error: tuple[str, str] | None
    traceback: list[tuple[int, int | None, int | None, int | None]]
    variables: Values
    raised: BaseException | None = None


@dataclass
class Event:
    kind: str
    line: int
    values: Values


@dataclass
class Traced:
    """What `sys.settrace` saw: each frame's events, the module's first, then functions' in the order of their calls."""

    frames: list[types.FrameType] = field(default_factory=list)
    events: list[list[Event]] = field(default_factory=list)


def execute(code: types.CodeType, fuel: int = 400, tracer: Any = None) -> Ran:
    left = fuel

    def tick() -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise OutOfFuelError

    namespace: dict[str, Any] = {"__name__": "__main__", "tick": tick}
    output = io.StringIO()
    raised: BaseException | None = None
    with contextlib.redirect_stdout(output):
        before = sys.gettrace()
        sys.settrace(tracer)
        try:
            exec(code, namespace)
        except BaseException as error:
            raised = error
        finally:
            sys.settrace(before)
    places = []
    traceback = raised.__traceback__ if raised else None
    while traceback is not None:
        inside = traceback.tb_frame.f_code
        if inside.co_filename == PROGRAM:
            at = list(inside.co_positions())[traceback.tb_lasti // 2]
            places.append((traceback.tb_lineno, at[1], at[2], at[3]))
        traceback = traceback.tb_next
    error = (type(raised).__name__, str(raised)) if raised is not None else None
    return Ran(output.getvalue(), error, places, visible(namespace), raised)


def visible(values: dict[str, Any]) -> Values:
    shy = ("__", "tick")
    return {k: shown(snapshot(v)) for k, v in values.items() if k.isidentifier() and not k.startswith(shy)}


def run_plain(source: str) -> Ran:
    return execute(compile(source, PROGRAM, "exec", dont_inherit=True))


def run_recorded(source: str, steps: int = 20_000) -> tuple[Ran, Recorder]:
    recorder = Recorder(Trail(shared=False, ring=steps), steps)
    code = recorder.compile(source, PROGRAM)
    assert recorder.state == "on", recorder.note
    recorder.install()
    return execute(code), recorder


def run_traced(source: str) -> Traced:
    """The program's run as the interpreter's own tracing sees it."""
    traced = Traced()
    index: dict[int, int] = {}

    def trace(frame: types.FrameType, event: str, arg: Any) -> Any:
        code = frame.f_code
        if code.co_filename != PROGRAM:
            return None
        module = code.co_name == "<module>"
        if not module and (code.co_name.startswith("<") or not code.co_flags & _OPTIMIZED):
            return None
        number = index.get(id(frame))
        if number is None:
            number = index[id(frame)] = len(traced.frames)
            traced.frames.append(frame)
            traced.events.append([])
        # A module's `f_locals` can be a stale copy in 3.12, where it has comprehensions: its globals are the truth.
        outer = {k: v for k, v in frame.f_globals.items() if k not in code.co_varnames}
        values = dict(frame.f_globals) if module else {**outer, **frame.f_locals}
        traced.events[number].append(Event(event, frame.f_lineno, visible(values)))
        return trace

    execute(compile(source, PROGRAM, "exec", dont_inherit=True), tracer=trace)
    return traced


def bindings_seen(source: str, traced: Traced) -> list[dict[int, list[Values]]]:
    """Per frame and line, the variables as they were each time the line's statement was done (or its block entered).

    A line event is followed by the next line's, so the variables at an event are those that the line before it left.
    The interpreter goes back to the head of a loop or a `with` when it leaves it; what binds there is the way in, which
    the block's first line tells.
    """
    heads = {}

    def first_line(block: list[ast.stmt]) -> int:
        return min([block[0].lineno, *(node.lineno for node in getattr(block[0], "decorator_list", ()))])

    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith)):
            heads[node.lineno] = first_line(node.body)
        elif isinstance(node, ast.match_case):
            heads[node.pattern.lineno] = first_line(node.body)
    seen = []
    for events in traced.events:
        lines: dict[int, list[Values]] = {}
        joined: list[Event] = []
        for event in events:
            if event.kind == "call" and joined:
                joined.pop()  # entered again: the return before it was a yield
            else:
                joined.append(event)
        for event, after in zip(joined, [*joined[1:], None], strict=True):
            if event.kind != "line" or after is None or after.kind == "exception":
                continue
            if after.kind == "line" and after.line == event.line and event.line not in heads:
                continue  # a comprehension's turn
            if event.line in heads and (after.kind, after.line) != ("line", heads[event.line]):
                continue
            lines.setdefault(event.line, []).append(after.values)
        seen.append(lines)
    return seen


def bindings_recorded(recorder: Recorder) -> tuple[list[Values], list[dict[int, list[Values]]]]:
    """Arguments of each call in order, and per frame (the module's first) and line the values recorded."""
    calls: list[Values] = []
    order = {0: 0}
    lines: list[dict[int, list[Values]]] = [{}]
    for step in recorder.steps():
        if step["kind"] == "call":
            order[step["frame"]] = len(lines)
            lines.append({})
            calls.append(step["values"])
        elif step["kind"] == "set" and step["frame"] in order:
            lines[order[step["frame"]]].setdefault(step["line"], []).append(step["values"])
    return calls, lines
