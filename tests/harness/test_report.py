"""An exception report is bounded, exact in its places, and runs no code of the exception."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import pytest

from harness.encoder import encode  # the child's own JSON encoder must take it as it is
from harness.recorder import Recorder
from harness.report import FRAMES, MESSAGE, exception_message, exception_report, exception_text
from harness.trail import Trail

PROGRAM = "scraper.py"


def caught(source: str, *, record: bool = True, **names: Any) -> BaseException:
    """The exception that a program ends with."""
    source = textwrap.dedent(source)
    recorder = Recorder(Trail(shared=False))
    code = recorder.compile(source, PROGRAM)
    recorder.install()
    if not record:
        code = compile(source, PROGRAM, "exec", dont_inherit=True)
    try:
        exec(code, {"__name__": "__main__", **names})
    except BaseException as error:
        return error
    raise AssertionError("the program ended well")


def report(source: str, **names: Any) -> dict[str, Any]:
    found = exception_report(caught(source, **names), PROGRAM)
    json.dumps(found)
    return found


def test_frames_places_and_locals() -> None:
    found = report(
        """
        def price(text):
            cut = text[1:]
            return float(cut) if cut else None

        rows = ["£1.5", "£x"]
        for row in rows:
            é = price(row) + 1; last = é
        """
    )
    assert (found["type"], found["message"]) == ("ValueError", "could not convert string to float: 'x'")
    module, function = found["frames"]
    assert (module["function"], module["line"], module["source"]) == ("<module>", 8, "é = price(row) + 1; last = é")
    # Columns are characters of the line in the program, not bytes.
    assert (module["column"], module["end_column"], module["end_line"]) == (8, 18, 8)
    assert module["locals"] == {"rows": "['£1.5', '£x']", "row": "'£x'", "é": "2.5", "last": "2.5"}
    assert (function["function"], function["line"]) == ("price", 4)
    assert (function["column"], function["end_column"]) == (11, 21)
    assert function["locals"] == {"text": "'£x'", "cut": "'x'"}
    assert found["cause"] is None


def test_library_frames_are_folded() -> None:
    found = report(
        """
        import json
        def read(text):
            return json.loads(text)
        read("[1, 2")
        """
    )
    module, read, library = found["frames"]
    assert found["type"] == "json.decoder.JSONDecodeError"
    assert found["message"].startswith("Expecting ',' delimiter")
    assert (read["line"], read["file"]) == (4, PROGRAM)
    assert read["folded"] >= 1
    assert library["file"].endswith("decoder.py")
    assert library["source"]
    assert library["locals"] == {}
    assert module["folded"] == 0


def test_a_callback_through_a_library_folds_it() -> None:
    found = report(
        """
        import functools
        def add(a, b):
            return a + b
        from statistics import fmean
        import contextlib
        @contextlib.contextmanager
        def inside():
            yield
            raise KeyError("gone")
        with inside():
            pass
        """
    )
    assert [frame["line"] for frame in found["frames"]] == [11, 10]
    assert found["frames"][0]["folded"] == 1
    assert found["message"] == "'gone'"


def test_the_chain() -> None:
    found = report(
        """
        try:
            try:
                {}["price"]
            except KeyError as error:
                raise ValueError("no price") from error
        except ValueError:
            raise RuntimeError("no row")
        """
    )
    assert (found["type"], found["relation"]) == ("RuntimeError", "context")
    assert (found["cause"]["type"], found["cause"]["relation"]) == ("ValueError", "cause")
    assert (found["cause"]["cause"]["type"], found["cause"]["cause"]["relation"]) == ("KeyError", "")
    assert found["cause"]["cause"]["frames"][0]["line"] == 4


def test_a_suppressed_context_is_left_out() -> None:
    found = report("try:\n    1/0\nexcept ZeroDivisionError:\n    raise ValueError from None")
    assert found["cause"] is None


def depth(found: dict[str, Any] | None) -> int:
    count = 0
    while found is not None:
        count, found = count + 1, found["cause"]
    return count


def test_a_chain_of_a_hundred_thousand() -> None:
    error: BaseException = ValueError(0)
    for index in range(1, 100_000):
        outer = ValueError(index)
        outer.__context__ = error
        error = outer
    start = time.thread_time()
    found = exception_report(error, PROGRAM)
    assert time.thread_time() - start < 1
    assert depth(found) == 8
    while error is not None and error.__context__ is not None:
        # Taken apart from the outside: the interpreter would do it by recursion.
        error.__context__, error = None, error.__context__


def test_a_circular_chain() -> None:
    a, b = ValueError("a"), ValueError("b")
    a.__cause__, b.__cause__ = b, a
    assert depth(exception_report(a, PROGRAM)) == 2


def test_groups() -> None:
    found = report(
        """
        def fail(n):
            raise KeyError(n)
        errors = []
        for n in range(3):
            try:
                fail(n)
            except KeyError as error:
                errors.append(error)
        raise ExceptionGroup("three", errors)
        """
    )
    assert found["message"] == "three (3 sub-exceptions)"
    assert found["notes"][:2] == ["sub-exception 1: KeyError: 0 (line 3)", "sub-exception 2: KeyError: 1 (line 3)"]


def test_a_group_of_a_hundred_thousand() -> None:
    group = ExceptionGroup("many", [ValueError(i) for i in range(100_000)])
    start = time.thread_time()
    found = exception_report(group, PROGRAM)
    assert time.thread_time() - start < 0.5
    assert found["message"] == "many (100000 sub-exceptions)"
    assert len(found["notes"]) == 5


def test_groups_in_groups() -> None:
    group: BaseException = ValueError(1)
    for _ in range(2000):
        group = ExceptionGroup("deep", [group])  # type: ignore[list-item]
    assert len(json.dumps(exception_report(group, PROGRAM))) < 2000


def test_endless_recursion() -> None:
    found = report(
        """
        def f(n):
            return f(n + 1)
        f(0)
        """
    )
    assert found["type"] == "RecursionError"
    assert len(found["frames"]) <= FRAMES
    assert found["frames"][0]["function"] == "<module>"
    assert {frame["file"] for frame in found["frames"]} == {PROGRAM}
    assert found["frames"][-1]["line"] in (2, 3)
    assert sum(frame["folded"] for frame in found["frames"]) > 900 - FRAMES


HOSTILE_EXCEPTIONS = """
    import sys
    ran = []
    class Bad(ValueError):
        def __str__(self):
            ran.append("str")
            raise SystemExit
        __repr__ = __str__
        def __getattribute__(self, name):
            ran.append(name)
            raise SystemExit
        @property
        def args(self):
            ran.append("args")
        @property
        def __notes__(self):
            ran.append("notes")
        @property
        def __cause__(self):
            ran.append("cause")
        @property
        def __class__(self):
            ran.append("class")
"""


def test_a_hostile_exception_is_named_and_not_run() -> None:
    error = caught(HOSTILE_EXCEPTIONS + "    holder.append(ran)\n    raise Bad('text')", holder=(holder := []))
    holder[0].clear()
    found = exception_report(error, PROGRAM)
    assert exception_text(error) == "Bad: text"
    assert holder[0] == []
    assert (found["type"], found["message"]) == ("Bad", "text")
    assert found["frames"][-1]["source"] == "raise Bad('text')"


def test_a_hostile_argument_is_not_run() -> None:
    error = caught(HOSTILE_EXCEPTIONS + "    holder.append(ran)\n    raise OSError(2, Bad(1))", holder=(holder := []))
    holder[0].clear()
    assert "<Bad" in exception_message(error)
    assert holder[0] == []
    error = caught(HOSTILE_EXCEPTIONS + "    holder.append(ran)\n    raise KeyError(Bad('x'))", holder=(holder := []))
    holder[0].clear()
    assert exception_message(error) == "Bad: x"
    assert holder[0] == []


def test_fields_set_afterwards_are_not_run() -> None:
    class Bad:
        def __str__(self) -> str:
            raise AssertionError("run")

        __repr__ = __str__

    for error, name in (
        (OSError(2, "gone", "a"), "filename"),
        (SyntaxError("bad", ("a", 1, 2, "x")), "msg"),
        (UnicodeDecodeError("utf-8", b"a", 0, 1, "why"), "reason"),
    ):
        setattr(error, name, Bad())
        exception_report(error, PROGRAM)


@pytest.mark.parametrize(
    "error",
    [
        ValueError(),
        ValueError("a"),
        ValueError("a", 1),
        KeyError("a"),
        OSError(2, "No such file or directory", "x.csv"),
        FileNotFoundError(2, "No such file or directory"),
        UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"),
        ZeroDivisionError("division by zero"),
        StopIteration(3),
        SystemExit(3),
        AttributeError("'NoneType' object has no attribute 'text'"),
        SyntaxError("invalid syntax", ("x.py", 1, 2, "a b")),
        ImportError("no", name="x"),
    ],
    ids=repr,
)
def test_messages_of_the_interpreters_own_are_exact(error: BaseException) -> None:
    assert exception_message(error) == str(error)


def test_messages_of_others() -> None:
    class Plain(Exception):
        pass

    class Misprinted(Exception):
        def __init__(self, code: int) -> None:
            self.code = code

        def __str__(self) -> str:
            raise AssertionError("run")

    class Bare(Exception):
        def __init__(self) -> None:
            super().__init__()
            self.url = "http://shop.test/"

    assert exception_message(Plain("a")) == "a"
    assert exception_message(Plain("a", 1)) == "('a', 1)"
    assert exception_message(Misprinted(3)) == "3"
    assert exception_message(Bare()) == "url='http://shop.test/'"
    assert exception_message(Plain(ValueError("inner"))) == "ValueError: inner"


def test_a_huge_message_is_cut() -> None:
    message = exception_message(ValueError("x" * 10**7))
    assert message == "x" * MESSAGE + "… (10000000 characters)"


def test_notes() -> None:
    found = report("error = ValueError(1)\nerror.add_note('row 3')\nraise error")
    assert found["notes"] == ["row 3"]


def test_a_syntax_error_has_its_place() -> None:
    with pytest.raises(SyntaxError) as caught_error:
        Recorder().compile("a = 1\nb = (\n", PROGRAM)
    found = exception_report(caught_error.value, PROGRAM)
    assert found["type"] == "SyntaxError"
    assert (found["frames"][-1]["line"], found["frames"][-1]["column"]) == (2, 4)


def test_locals_are_bounded_and_hostile_ones_named() -> None:
    found = report(
        """
        def f():
            class Bad:
                def __repr__(self):
                    raise SystemExit
                __len__ = __iter__ = __str__ = __repr__
            bad = Bad()
            big = "x" * 10**6
            rows = [bad] * 10**5
            return 1 / 0
        f()
        """
    )
    values = found["frames"][-1]["locals"]
    assert values["bad"] == "<f.<locals>.Bad>"
    assert values["big"].endswith("(1000000 characters)")
    assert len(json.dumps(found)) < 10_000


def test_weird_names_in_globals() -> None:
    found = report("globals()[1] = 2\nglobals()['\\ud800'] = 3\nglobals()['x y'] = 4\na = 1\n1 / 0")
    assert found["frames"][0]["locals"] == {"a": "1"}
    encode(found)


def test_a_code_object_that_claims_another_file() -> None:
    for name in ("/dev/zero", "/proc/self/mem", "/nowhere.py", "x\0.py"):
        with pytest.raises(ZeroDivisionError) as raised:
            exec(compile("1/0", "x", "exec").replace(co_filename=name))
        assert exception_report(raised.value, PROGRAM)["frames"]


def test_the_recorders_frames_are_not_the_programs() -> None:
    source = """
        import signal
        class Late(BaseException):
            pass
        def end(*_):
            raise Late
        signal.signal(signal.SIGALRM, end)
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        n = 0
        while True:
            n += 1
        """
    for _ in range(3):
        found = report(source)
        assert {frame["file"] for frame in found["frames"]} == {PROGRAM}
        assert found["frames"][0]["line"] in (10, 11)


SABOTAGE = """
import builtins, io, itertools, json, linecache, os, sys, threading, time, types
rows = [1]
def broken(*a, **k):
    raise SystemExit("sabotage")
def last():
    rows.append(2)
    for module in (os, io, itertools, linecache, threading, time, types, json.encoder):
        for name in list(vars(module)):
            if not name.startswith("__"):
                setattr(module, name, broken)
    sys.modules.clear()
    sys._getframe = sys.exc_info = sys.exception = broken
    for name in list(builtins.__dict__):
        if not name.startswith("__") and not isinstance_(builtins.__dict__[name], type_):
            builtins.__dict__[name] = broken
    for name in ("type", "str", "list", "dict", "tuple", "zip", "BaseException", "enumerate", "range"):
        builtins.__dict__[name] = broken
    rows.append(3)
    [][0]
isinstance_, type_ = isinstance, type
last()
"""

RUN_SABOTAGED = """
import sys
sys.path.insert(0, sys.argv[1])
from os import _exit, write
from harness.encoder import encode
from harness.recorder import Recorder
from harness.report import exception_report
from harness.trail import Trail
recorder = Recorder(Trail())
code = recorder.compile(sys.argv[2], "scraper.py")
recorder.install()
Base = BaseException
try:
    exec(code, {"__name__": "__main__"})
except Base as error:
    write(1, encode({"exception": exception_report(error, "scraper.py"), "steps": recorder.steps()}))
_exit(0)
"""


def test_after_sabotage() -> None:
    """A program that replaces all that the report might use changes nothing about it."""
    root = str(Path(__file__).resolve().parents[2])
    done = subprocess.run(
        [sys.executable, "-I", "-c", RUN_SABOTAGED, root, SABOTAGE], capture_output=True, check=True, timeout=20
    )
    found = json.loads(done.stdout)
    assert done.stderr == b""
    module, last = found["exception"]["frames"]
    assert found["exception"]["type"] == "IndexError"
    assert found["exception"]["message"] == "list index out of range"
    assert (module["source"], last["source"]) == ("last()", "[][0]")
    assert module["locals"]["rows"] == "[1, 2, 3]"
    assert last["locals"]["name"] == "'range'"
    assert found["steps"][-1]["line"] == last["line"]
    assert {"rows": "[1, 2, 3]"} in [step["values"] for step in found["steps"]]
