"""What is recorded, construct by construct, and what must not change."""

from __future__ import annotations

import sys
import threading
from typing import Any

import pytest

from harness import snapshot as snapshots
from harness.recorder import Recorder
from harness.trail import RING, Trail
from tests.harness.recording import PROGRAM, record, sets, steps


@pytest.fixture(autouse=True)
def _all_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """How closely a value is looked at depends on the time; what is compared here must not."""
    monkeypatch.setattr(snapshots, "_allowance", snapshots.Allowance(free=1e9))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a = 1", [(1, {"a": "1"})]),
        ("a = b = 1", [(1, {"a": "1", "b": "1"})]),
        ("a, (b, *c) = 1, (2, 3)", [(1, {"a": "1", "b": "2", "c": "[3]"})]),
        ("a: int = 1", [(1, {"a": "1"})]),
        ("a: int", []),
        ("a = 1\na += 1", [(1, {"a": "1"}), (2, {"a": "2"})]),
        ("import os.path", [(1, {"os": "<module os>"})]),
        ("from math import pi as p", [(1, {"p": "3.141592653589793"})]),
        ("from math import *", []),
        ("a = []\na.append(1)", [(1, {"a": "[]"}), (2, {"a": "[1]"})]),
        ("a = {}\na['k'] = 1", [(1, {"a": "{}"}), (2, {"a": "{'k': 1}"})]),
        ("a = {'k': [1]}\na['k'][0] = 2", [(1, {"a": "{'k': [… +1]}"}), (2, {"a": "{'k': [… +1]}"})]),
        ("a = [1, 2]\nb = a.pop()", [(1, {"a": "[1, 2]"}), (2, {"b": "2"}), (2, {"a": "[1]"})]),
        ("a = [1, 2]\ndel a[0]", [(1, {"a": "[1, 2]"}), (2, {"a": "[2]"})]),
        ("a = 'x'\na.strip()", [(1, {"a": "'x'"})]),
        ("a = 1\ndel a", [(1, {"a": "1"})]),
        ("for a in 'xy':\n    pass", [(1, {"a": "'x'"}), (1, {"a": "'y'"})]),
        ("for a, b in [(1, 2)]:\n    pass", [(1, {"a": "1", "b": "2"})]),
        ("import io\nwith io.StringIO('x') as f:\n    a = 1", [(2, {"f": "<_io.StringIO>"}), (3, {"a": "1"})]),
        ("match [1, 2]:\n    case [a, *b]:\n        pass", [(2, {"a": "1", "b": "[2]"})]),
        ("match {'k': 1}:\n    case {'k': v, **rest}:\n        pass", [(2, {"v": "1", "rest": "{}"})]),
        ("match [1, [(a := i) for i in ()]]:\n    case [a, b]:\n        pass", [(2, {"a": "1", "b": "[]"})]),
        ("if (a := 1):\n    b = 2", [(1, {"a": "1"}), (2, {"b": "2"})]),
        ("if (a := 0):\n    b = 2", [(1, {"a": "0"})]),
        ("if (a := 0):\n    pass\nelse:\n    b = 2", [(1, {"a": "0"}), (4, {"b": "2"})]),
        ("a = 1 and (b := 2)", [(1, {"b": "2"}), (1, {"a": "2"})]),
        ("a = 0 and (b := 2)", [(1, {"a": "0"})]),
        ("a = [(b := i) for i in range(3)]", [(1, {"b": "2"}), (1, {"a": "[0, 1, 2]"})]),
        ("n = 2\nwhile (n := n - 1):\n    pass", [(1, {"n": "2"}), (2, {"n": "1"})]),
        ("a = lambda x=(b := 1): (c := x)\na()", [(1, {"b": "1"}), (1, {"a": "<function <lambda>>"})]),
        ("class A:\n    x = 1\n    y = [x]", []),
    ],
)
def test_values(source: str, expected: list[Any]) -> None:
    _, recorder = record(source)
    found = [(line, values) for line, values in sets(recorder) if list(values.values()) != ["<module io>"]]
    assert found == expected


def test_lines_calls_and_returns() -> None:
    _, recorder = record(
        """
        def f(n, *rest, k=1, **more):
            "text"
            if n:
                return f(n - 1)
            return k
        x = f(1, 2, z=3)
        """
    )
    assert steps(recorder) == [
        ("line", 1),
        ("line", 6),
        ("call", 1, {"n": "1", "rest": "(2,)", "k": "1", "more": "{'z': 3}"}),
        ("line", 3),
        ("line", 4),
        ("call", 1, {"n": "0", "rest": "()", "k": "1", "more": "{}"}),
        ("line", 3),
        ("line", 5),
        ("return", 5, {"return": "1"}),
        ("return", 4, {"return": "1"}),
        ("set", 6, {"x": "1"}),
    ]
    frames = [step["frame"] for step in recorder.steps()]
    assert len(set(frames)) == 3
    assert frames == [0, 0, *[frames[2]] * 3, *[frames[5]] * 4, frames[2], 0]
    assert recorder.steps()[2]["function"] == "f"


def test_handlers_note_what_they_caught() -> None:
    _, recorder = record(
        """
        try:
            {}["price"]
        except KeyError as error:
            pass
        try:
            int("x")
        except ValueError:
            pass
        try:
            raise ExceptionGroup("g", [ValueError("v")])
        except* ValueError:
            pass
        """
    )
    raised = [step["values"] for step in recorder.steps() if step["kind"] == "raise"]
    assert raised == [
        {"error": "KeyError: 'price'"},
        {"exception": "ValueError: invalid literal for int() with base 10: 'x'"},
        {"exception": "ExceptionGroup: g (1 sub-exception)"},
    ]


def test_a_loops_test_is_noted_each_time() -> None:
    _, recorder = record("n = 2\nwhile n:\n    n -= 1\nelse:\n    n = 5\n")
    assert [s["line"] for s in recorder.steps() if s["kind"] == "line"] == [1, 2, 3, 2, 3, 2, 5]


def test_the_statement_that_fails_is_the_last_line() -> None:
    recorder = Recorder(Trail(shared=False))
    code = recorder.compile("rows = []\nfor x in (1, 0):\n    rows.append(\n        1 / x)\n", PROGRAM)
    with pytest.raises(ZeroDivisionError):
        exec(code, {})
    last = recorder.steps()[-1]
    assert (last["kind"], last["line"]) == ("line", 3)


def test_generators_and_threads_are_distinguished() -> None:
    _, recorder = record(
        """
        import threading
        def g(n):
            for i in range(2):
                yield i
        a, b = g(1), g(2)
        for x in zip(a, b):
            pass
        c = g(3)
        next(c)
        t = threading.Thread(target=list, args=(c,))
        t.start()
        t.join()
        """
    )
    inside = [step for step in recorder.steps() if step["function"] == "g"]
    assert len({step["frame"] for step in inside}) == 3
    third = inside[-1]["frame"]
    assert {step["thread"] for step in inside if step["frame"] == third} == {0, 1}
    assert {step["thread"] for step in inside if step["frame"] != third} == {0}


def test_frames_of_functions_that_look_at_their_locals() -> None:
    namespace, recorder = record(
        """
        def f(n):
            x = sorted(locals())
            if n:
                f(0)
            y = dir()
            return eval("locals().keys() >= {'n'}"), x, y
        r = f(1)
        """
    )
    assert namespace["r"] == (True, ["n"], ["n", "x"])
    calls = [step["frame"] for step in recorder.steps() if step["kind"] == "call"]
    assert len(set(calls)) == 2
    assert [s["frame"] for s in recorder.steps() if s["function"] == "f" and s["line"] == 2][:2] == [calls[0]] * 2


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type parameters are new in 3.12")
def test_type_parameters() -> None:
    namespace, recorder = record(
        """
        type Row[T] = dict[str, T]
        def first[T](rows: list[T]) -> T:
            row = rows[0]
            return row
        class Box[T]:
            def get(self, x: T) -> T:
                y = x
                return y
        a = first([1])
        b = Box[int]().get(2)
        """
    )
    assert (namespace["a"], namespace["b"]) == (1, 2)
    assert (3, {"row": "1"}) in sets(recorder)
    assert namespace["first"].__type_params__[0].__name__ == "T"


@pytest.mark.skipif(sys.version_info < (3, 14), reason="template strings are new in 3.14")
def test_template_strings() -> None:
    namespace, recorder = record("x = 1\ny = t'a{x!r:>{x}}b{(z := 2)}'\n")
    assert [part.value for part in namespace["y"].interpolations] == [1, 2]
    assert (2, {"z": "2"}) in sets(recorder)


def test_async_programs() -> None:
    namespace, recorder = record(
        """
        import asyncio, contextlib
        @contextlib.asynccontextmanager
        async def page(n):
            yield n
        async def rows(n):
            for i in range(n):
                await asyncio.sleep(0)
                yield i
        async def work(n):
            found = []
            async with page(n) as p:
                async for row in rows(p):
                    found.append(row)
            return found
        async def main():
            return await asyncio.gather(work(1), work(2))
        r = asyncio.run(main())
        """
    )
    assert namespace["r"] == [[0], [0, 1]]
    frames = {step["frame"] for step in recorder.steps() if step["function"] == "work"}
    assert len(frames) == 2
    for frame in frames:
        lines = [s for s in recorder.steps() if s["frame"] == frame and s["kind"] == "set" and "found" in s["values"]]
        assert lines[-1]["values"]["found"] in ("[0]", "[0, 1]")


def test_a_touched_object_of_the_programs_is_not_asked() -> None:
    record(
        """
        class Bad:
            def __repr__(self):
                raise SystemExit
            __str__ = __len__ = __iter__ = __eq__ = __bool__ = __repr__
            __hash__ = None
            def go(self):
                return self
            def __setitem__(self, key, value):
                pass
        bad = Bad()
        bad.go()
        bad[0] = bad
        rows = [bad]
        rows.append(bad)
        """
    )


def test_recursion_ends_as_it_would() -> None:
    namespace, _ = record(
        """
        import traceback
        def f(n):
            rows = [n]
            rows.append(n)
            return f(n + 1)
        try:
            f(0)
        except RecursionError as error:
            text = traceback.format_exc()
        """
    )
    assert "RecursionError" in namespace["text"]


def test_many_threads_record_without_harm() -> None:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        namespace, recorder = record(
            """
            import threading
            totals = []
            def work(n):
                total = 0
                for i in range(2000):
                    total += i
                totals.append(total)
            threads = [threading.Thread(target=work, args=(n,)) for n in range(6)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            """
        )
    finally:
        sys.setswitchinterval(interval)
    assert namespace["totals"] == [1999000] * 6
    assert recorder.steps()
    assert threading.active_count() < 6


@pytest.mark.full
def test_a_trace_function_of_the_programs_own() -> None:
    # It is called, and recorded, between any two lines of the hooks: also where the ring is about to turn.
    source = """
        import sys

        seen = 0

        def tracer(frame, event, arg):
            global seen
            seen += 1
            return tracer

        def pair(one, two):
            both, more = one + two, [one]
            return both

        total = 0
        sys.settrace(tracer)
        for number in range(1000):
            total += pair(number, 1)
        sys.settrace(None)
        """
    namespace, recorder = record(source)
    assert namespace["total"] == sum(range(1, 1001))
    assert namespace["seen"] > 4 * RING, "the ring has turned"
    assert recorder.steps()
