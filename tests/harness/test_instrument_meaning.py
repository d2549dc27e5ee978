"""What a program is and sees stays as it was: its names, its tracebacks, its errors and warnings."""

from __future__ import annotations

import ast
import inspect
import linecache
import sys
import textwrap
import traceback
import types
import warnings
from typing import Any

import pytest

from harness import snapshot as snapshots
from harness.instrument import HOOKS, MODULE_FRAME, UNBOUND, bind, instrument
from harness.recorder import Recorder
from harness.trail import Trail
from tests.harness.recording import PROGRAM, record, sets


@pytest.fixture(autouse=True)
def _all_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """How closely a value is looked at depends on the time; what is compared here must not."""
    monkeypatch.setattr(snapshots, "_allowance", snapshots.Allowance(free=1e9))


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
