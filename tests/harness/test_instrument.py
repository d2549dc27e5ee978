"""What is recorded, construct by construct, and what must not change."""

from __future__ import annotations

import ast
import inspect
import linecache
import sys
import textwrap
import threading
import traceback
import types
import warnings
from typing import Any

import pytest

from harness import snapshot as snapshots
from harness.instrument import HOOKS, MODULE_FRAME, UNBOUND, bind, instrument
from harness.recorder import Recorder
from harness.trail import Trail

PROGRAM = "scraper.py"


@pytest.fixture(autouse=True)
def _all_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """How closely a value is looked at depends on the time; what is compared here must not."""
    monkeypatch.setattr(snapshots, "_allowance", snapshots.Allowance(free=1e9))


def record(source: str, **names: Any) -> tuple[dict[str, Any], Recorder]:
    namespace: dict[str, Any] = {"__name__": "__main__", **names}
    recorder = Recorder(Trail(shared=False))
    code = recorder.compile(textwrap.dedent(source).lstrip("\n"), PROGRAM)
    assert recorder.state == "on", recorder.note
    recorder.install()
    exec(code, namespace)
    return namespace, recorder


def sets(recorder: Recorder) -> list[tuple[int, dict[str, str]]]:
    return [(step["line"], step["values"]) for step in recorder.steps() if step["kind"] == "set"]


def steps(recorder: Recorder) -> list[tuple[Any, ...]]:
    return [(s["kind"], s["line"], *([s["values"]] if s["values"] else [])) for s in recorder.steps()]


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


def test_generators_and_threads_are_told_apart() -> None:
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


def test_names_are_not_mangled_and_bodies_not_touched() -> None:
    source = textwrap.dedent(
        """
        class Watched(dict):
            def __getitem__(self, name):
                asked.append(name)
                return dict.__getitem__(self, name)
        class Meta(type):
            @classmethod
            def __prepare__(meta, name, bases):
                return Watched()
        class A(metaclass=Meta):
            __x = 1
            y: int = 2
            def __m(self):
                __z = self.__x
                return __z
            if __x:
                w = __x
        value = A()._A__m()
        """
    )
    plain: list[str] = []
    exec(compile(source, PROGRAM, "exec", dont_inherit=True), {"__name__": "__main__", "asked": plain})
    namespace, recorder = record(source, asked=(asked := []))
    assert namespace["value"] == 1
    assert asked == plain
    assert (13, {"__z": "1"}) in sets(recorder)
    assert sorted(vars(namespace["A"]).keys() & {"_A__x", "y", "w", "_A__m"}) == ["_A__m", "_A__x", "w", "y"]


def test_nothing_is_added_to_what_a_program_sees() -> None:
    namespace, _ = record(
        """
        import builtins
        def f(a):
            b = 1
            return f.__code__.co_argcount, f.__defaults__, f.__doc__
        def g():
            "text"
        before = sorted(globals())
        seen = f(1), g.__doc__, f.__name__, f.__qualname__, f.__module__, f.__code__.co_firstlineno
        """
    )
    assert namespace["seen"] == ((1, None, None), "text", "f", "f", "__main__", 2)
    assert "__doc__" not in namespace["before"] or namespace["__doc__"] is None
    assert not [name for name in vars(sys.modules["builtins"]) if name.endswith("__") and name[:2] != "__"]


def test_docstrings_and_future_imports_stay_first() -> None:
    namespace, _ = record(
        '''
        """Module text."""
        from __future__ import annotations
        def f(x: missing) -> nowhere:
            """Function text."""
        class A:
            """Class text."""
            x: missing
        '''
    )
    assert namespace["__doc__"] == "Module text."
    assert namespace["f"].__doc__ == "Function text."
    assert namespace["A"].__doc__ == "Class text."
    assert namespace["f"].__annotations__ == {"x": "missing", "return": "nowhere"}


def test_our_own_future_is_not_inherited() -> None:
    namespace, _ = record("def f(x: int): pass")
    assert namespace["f"].__annotations__ == {"x": int}


def test_tracebacks_and_inspect_show_the_program() -> None:
    source = "def f(x):\n    y = [x, 0]\n    return y[0] / y[1]\nf(1)\n"
    recorder = Recorder(Trail(shared=False))
    code = recorder.compile(source, PROGRAM)
    recorder.install()
    namespace: dict[str, Any] = {}
    try:
        with pytest.raises(ZeroDivisionError) as raised:
            exec(code, namespace)
        frames = traceback.extract_tb(raised.value.__traceback__)[1:]
        assert [(f.lineno, f.line, f.colno, f.end_colno) for f in frames] == [
            (4, "f(1)", 0, 4),
            (3, "return y[0] / y[1]", 11, 22),
        ]
        linecache.checkcache()
        assert inspect.getsource(namespace["f"]) == "def f(x):\n    y = [x, 0]\n    return y[0] / y[1]\n"
    finally:
        linecache.cache.pop(PROGRAM, None)


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("a = (", SyntaxError),
        ("return", SyntaxError),
        ("x = 1\0", (SyntaxError, ValueError)),
        ("def f():\n    x = 1\n    global x\n", SyntaxError),
        ("a = " + "(" * 500 + ")" * 500, (SyntaxError, MemoryError, RecursionError)),
    ],
)
def test_a_programs_own_errors(source: str, kind: Any) -> None:
    with pytest.raises(kind) as plain:
        compile(source, PROGRAM, "exec", dont_inherit=True)
    with pytest.raises(kind) as recorded:
        Recorder().compile(source, PROGRAM)
    assert str(recorded.value) == str(plain.value)


def test_a_programs_own_warnings_come_once() -> None:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        Recorder().compile("x = 1 is 1\n'a'()\n" if sys.version_info < (3, 12) else "x = 1 is 1\n", PROGRAM)
    assert len(found) == (2 if sys.version_info < (3, 12) else 1)


def test_where_rewriting_fails_the_program_runs_plainly() -> None:
    # More blocks than the compiler nests, with a guarded read in the innermost.
    depth = 20
    source = "".join("    " * n + "while a < 1:\n" for n in range(depth)) + "    " * depth + "a += 1\n"
    source = "a = 0\n" + source.replace("a += 1", "rows.append(a); a = 1")
    recorder = Recorder()
    code = recorder.compile("rows = []\n" + source, PROGRAM)
    assert recorder.state == "off"
    assert "nested" in recorder.note
    recorder.install()
    namespace: dict[str, Any] = {}
    exec(code, namespace)
    assert namespace["rows"] == [0]
    assert recorder.steps() == []


def test_deep_programs() -> None:
    chain = "if x == 0:\n    pass\n" + "".join(f"elif x == {n}:\n    y = {n}\n" for n in range(1, 150))
    _, recorder = record("x = 149\n" + chain)
    assert sets(recorder)[-1][1] == {"y": "149"}
    for size in (500, 900, 1500, 3000):
        terms = "x = " + " + ".join(["1"] * size)
        try:
            compile(terms, PROGRAM, "exec")
        except RecursionError:
            continue
        recorder = Recorder()
        exec(recorder.compile(terms, PROGRAM), namespace := {})
        assert namespace["x"] == size
        assert recorder.state == "on" or "RecursionError" in recorder.note


def test_the_tree_is_pure_and_the_marks_are_bound() -> None:
    source = "def f(x):\n    return x\nf(1)\n"
    first, second = instrument(source, PROGRAM), instrument(source, PROGRAM)
    assert ast.dump(first, include_attributes=True) == ast.dump(second, include_attributes=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        code = compile(first, PROGRAM, "exec", dont_inherit=True)
    called: list[str] = []

    def hook(name: str) -> Any:
        def call(*args: Any) -> Any:
            called.append(name)
            return args[0]

        return call

    hooks = {name: hook(name) for name in HOOKS}
    bound = bind(code, {**hooks, MODULE_FRAME: (0, 0, ""), UNBOUND: NameError})

    def marks(code: types.CodeType) -> list[Any]:
        inner = [c for c in code.co_consts if isinstance(c, types.CodeType)]
        return [c for c in code.co_consts if isinstance(c, frozenset)] + [m for c in inner for m in marks(c)]

    assert marks(code)
    assert not marks(bound)
    exec(bound, {})
    assert called == ["note", "note", "enter_one", "leave"]


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
