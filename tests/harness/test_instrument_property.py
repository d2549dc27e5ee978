"""Any program does under the recorder what it does without it, and what is recorded is what tracing sees."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.harness.recorder_helpers import (
    bindings_recorded,
    bindings_seen,
    run_plain,
    run_recorded,
    run_traced,
)
from tests.suite import examples

NAMES = ("a", "b", "c")
EXAMPLES = int(os.environ.get("RECORDER_EXAMPLES", examples(90)))


class Writer:
    """Writes a random program, one statement a line. It ends: loops are counted, functions call earlier ones only."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.draw = draw
        self.lines: list[str] = []
        self.functions: list[str] = []
        self.count = 0

    def pick(self, *options: str) -> str:
        return self.draw(st.sampled_from(options))

    def fresh(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}{self.count}"

    def name(self) -> str:
        return self.pick(*NAMES)

    def expression(self, depth: int = 0) -> str:
        kinds = ["name", "number", "text", "list", "dict", "none"]
        if depth < 2:
            kinds += ["add", "div", "index", "compare", "comp", "walrus", "lambda", "ternary", "method", "join"]
            if self.functions:
                kinds += ["call"] * 3
        inner = lambda: self.expression(depth + 1)  # noqa: E731
        match self.pick(*kinds):
            case "name":
                return self.name()
            case "number":
                return self.pick("0", "1", "2", "7", "2.5", "10**20", "True")
            case "text":
                return self.pick("''", "'x'", "'abc'", "'q' * 300")
            case "none":
                return "None"
            case "list":
                return f"[{inner()}, {inner()}]"
            case "dict":
                return f"{{'k': {inner()}}}"
            case "add":
                return f"({inner()} + {inner()})"
            case "div":
                return f"({inner()} // {inner()})"
            case "index":
                return f"{self.name()}[{self.pick('0', '-1', repr('k'))}]"
            case "compare":
                return f"({inner()} == {inner()})"
            case "comp":
                item = self.pick("i", "(i, i)", f"({self.name()} := i)")
                return f"[{item} for i in range({self.pick('0', '2', '3')})]"
            case "walrus":
                return f"({self.name()} := {inner()})"
            case "lambda":
                return f"(lambda z={inner()}: z)()"
            case "ternary":
                return f"({inner()} if {inner()} else {inner()})"
            case "method":
                return f"{self.name()}.pop()"
            case "join":
                return f"f'{{{self.name()}!r}}'"
            case _:
                return f"{self.pick(*self.functions)}({inner()}, {inner()})"

    def block(self, indent: int, depth: int, *, inside: frozenset[str]) -> None:
        for _ in range(self.draw(st.integers(1, 4 if depth < 2 else 2))):
            self.statement(indent, depth, inside=inside)

    def put(self, indent: int, text: str) -> None:
        self.lines.append("    " * indent + text)

    def statement(self, indent: int, depth: int, *, inside: frozenset[str]) -> None:
        kinds = ["assign", "assign", "unpack", "star", "augment", "annotate", "append", "item", "print", "expr"]
        kinds += ["delete", "assert", "import", "chain", "pass"]
        if depth < 3:
            kinds += ["if", "ifelse", "for", "while", "whilewalrus", "try", "finally", "with", "match", "group"]
        if depth < 2:
            kinds += ["def", "generator", "class", "async"]
        if "loop" in inside:
            kinds += ["break", "continue"]
        if "function" in inside:
            kinds += ["return", "return"]
        if "handler" in inside:
            kinds += ["reraise"]
        kinds += ["raise"] if self.draw(st.integers(0, 4)) == 0 else []
        e = self.expression
        put = self.put

        def sub(extra: str = "") -> None:
            self.block(indent + 1, depth + 1, inside=inside | ({extra} if extra else set()))

        match self.pick(*kinds):
            case "assign":
                put(indent, f"{self.name()} = {e()}")
            case "unpack":
                parts = self.pick("(1, 2, 3)", "[4]", "a")
                put(indent, f"{self.name()}, ({self.name()}, *{self.name()}) = {e()}, {parts}")
            case "star":
                put(indent, f"{self.name()}, *b = {e()}")
            case "augment":
                put(indent, f"{self.name()} += {e()}")
            case "annotate":
                put(indent, f"{self.fresh('n')}: int = {e()}")
            case "chain":
                put(indent, f"{self.name()} = {self.name()} = {e()}")
            case "append":
                put(indent, f"{self.name()}.append({e()})")
            case "item":
                put(indent, f"{self.name()}[{self.pick('0', repr('k'))}] = {e()}")
            case "print":
                put(indent, f"print({e()})")
            case "expr":
                put(indent, e())
            case "delete":
                put(indent, f"del {self.pick('a', 'b', 'c', 'a[0]')}")
            case "assert":
                put(indent, f"assert {e()}, {e()}")
            case "import":
                put(indent, self.pick("import math", "from math import pi as c, e", "import os.path"))
            case "pass":
                put(indent, "pass")
            case "if":
                put(indent, f"if {e()}:")
                sub()
            case "ifelse":
                put(indent, f"if {e()}:")
                sub()
                put(indent, f"elif {e()}:")
                sub()
                if self.draw(st.booleans()):
                    put(indent, "else:")
                    sub()
            case "for":
                target = self.pick("a", "b", "a, b", "(a, *b)")
                put(indent, f"for {target} in {self.pick('range(2)', '[(1, 2), (3, 4)]', 'c', repr('xy'))}:")
                sub("loop")
                if self.draw(st.booleans()):
                    put(indent, "else:")
                    sub()
            case "while":
                w = self.fresh("w")
                put(indent, f"{w} = 0")
                put(indent, f"while {w} < {self.pick('1', '3')}:")
                put(indent + 1, f"{w} += 1")
                sub("loop")
            case "whilewalrus":
                w = self.fresh("w")
                put(indent, f"{w} = 0")
                put(indent, f"while ({w} := {w} + 1) < 3:")
                sub("loop")
            case "try":
                put(indent, "try:")
                sub()
                caught = self.pick("Exception", "(TypeError, NameError)", "KeyError")
                put(indent, f"except {caught}{self.pick('', ' as err')}:")
                sub("handler")
                if self.draw(st.booleans()):
                    put(indent, "else:")
                    sub()
                if self.draw(st.booleans()):
                    put(indent, "finally:")
                    self.block(indent + 1, 3, inside=frozenset())
            case "finally":
                put(indent, "try:")
                sub()
                put(indent, "finally:")
                self.block(indent + 1, 3, inside=frozenset())
            case "group":
                put(indent, "try:")
                put(indent + 1, f"raise ExceptionGroup('g', [ValueError({e()}), KeyError(1)])")
                put(indent, "except* ValueError as err:")
                self.block(indent + 1, 3, inside=frozenset())
                put(indent, "except* KeyError:")
                self.block(indent + 1, 3, inside=frozenset())
            case "with":
                put(indent, "import contextlib")
                manager = self.pick("suppress(TypeError)", "nullcontext(1)", "nullcontext((1, 2))")
                put(indent, f"with contextlib.{manager} as {self.pick('a', 'b', '(a, b)')}:")
                sub()
            case "match":
                put(indent, f"match {e()}:")
                pattern = self.pick("[a, *b]", "{'k': c}", "int(a)", "(1 | 2) as b", "str() as a if a")
                put(indent + 1, f"case {pattern}:")
                self.block(indent + 2, depth + 1, inside=inside)
                put(indent + 1, "case _:")
                self.block(indent + 2, depth + 1, inside=inside)
            case "def":
                self.function(indent, depth)
            case "generator":
                f = self.fresh("g")
                put(indent, f"def {f}(a, b=1):")
                put(indent + 1, "tick()")
                self.block(indent + 1, depth + 1, inside=frozenset())
                put(indent + 1, f"yield {e()}")
                self.block(indent + 1, depth + 1, inside=frozenset())
                put(indent + 1, "yield from [b]")
                put(indent, f"c = list({f}({e()}))")
            case "async":
                f = self.fresh("k")
                put(indent, f"async def {f}(a, b=1):")
                put(indent + 1, "tick()")
                self.block(indent + 1, depth + 1, inside=frozenset({"function"}))
                put(indent, "try:")
                put(indent + 1, f"{f}({e()}).send(None)")
                put(indent, "except StopIteration as stop:")
                put(indent + 1, "a = stop.value")
            case "class":
                c = self.fresh("C")
                put(indent, f"class {c}:")
                put(indent + 1, "'text'")
                put(indent + 1, f"__x = {e()}")
                put(indent + 1, "def m(self, a):")
                put(indent + 2, "tick()")
                put(indent + 2, f"self.y = {e()}")
                self.block(indent + 2, depth + 1, inside=frozenset({"function"}))
                put(indent + 2, "return self.__x")
                put(indent, f"b = {c}().m({e()})")
            case "break":
                put(indent, "break")
            case "continue":
                put(indent, "continue")
            case "return":
                put(indent, f"return {e()}")
            case "raise":
                put(indent, f"raise ValueError({e()})")
            case _:
                put(indent, "raise")

    def function(self, indent: int, depth: int) -> None:
        f = self.fresh("f")
        put = self.put
        if self.draw(st.booleans()):
            put(indent, self.pick("@staticmethod", "@(lambda f: f)"))
        put(indent, f"def {f}({self.pick('a, b=1', 'a, /, *b', 'a, *, b=2, **c', '*a, **b', 'a, b: int = 1')}):")
        if self.draw(st.booleans()):
            put(indent + 1, "'text'")
        put(indent + 1, self.pick("global c", "tick()") if "c" not in self.lines[-1] else "tick()")
        put(indent + 1, "tick()")
        self.block(indent + 1, depth + 1, inside=frozenset({"function"}))
        if self.draw(st.booleans()):
            put(indent + 1, f"print(sorted(locals()), {self.expression()})")
        if indent == 0:
            self.functions.append(f)
        else:
            put(indent, f"{f}({self.expression()}, {self.expression()})")


@st.composite
def programs(draw: st.DrawFn) -> str:
    writer = Writer(draw)
    if draw(st.booleans()):
        writer.lines += ["'text'", "from __future__ import annotations"]
    writer.lines += ["a = 1", "b = [2, 3]"]
    for _ in range(draw(st.integers(0, 2))):
        writer.function(0, 1)
    writer.block(0, 0, inside=frozenset())
    writer.block(0, 0, inside=frozenset())
    return "\n".join(writer.lines) + "\n"


def compiles(source: str) -> bool:
    try:
        compile(source, "x", "exec", dont_inherit=True)
    except SyntaxError:
        return False
    return True


PROGRAMS = programs().filter(compiles)
SETTINGS = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)


@SETTINGS
@given(PROGRAMS)
def test_a_program_behaves_as_without_the_recorder(source: str) -> None:
    plain = run_plain(source)
    recorded, _ = run_recorded(source)
    assert recorded.output == plain.output
    assert recorded.error == plain.error
    assert recorded.traceback == plain.traceback
    assert recorded.variables == plain.variables


@SETTINGS
@given(PROGRAMS)
@example("a = 1\nassert (a := a), (a := 2)\n")
@example("a = {}\na[(b := 1)] = (b := 2)\n")
def test_what_is_recorded_is_what_tracing_sees(source: str) -> None:
    _, recorder = run_recorded(source)
    traced = run_traced(source)
    seen = bindings_seen(source, traced)
    calls, lines = bindings_recorded(recorder)
    first = [events[0].values for events in traced.events[1:]]
    assert [sorted(call.items()) for call in calls] == [
        sorted((k, v) for k, v in values.items() if k in call) for call, values in zip(calls, first, strict=True)
    ]
    for found, expected in zip(lines, seen, strict=True):
        for line, values in found.items():
            merged = merge(values)
            after = expected[line]
            assert len(merged) == len(after), (line, merged, after)
            for recorded, real in zip(merged, after, strict=True):
                assert recorded.items() <= real.items(), line


def merge(values: list[dict[str, str]]) -> list[dict[str, str]]:
    """A line that notes names one by one (a walrus beside a target) makes several steps a time: join them."""
    merged: list[dict[str, str]] = []
    first: set[str] = set()
    for step in values:
        if not merged or set(step) & (set(merged[-1]) | first):
            merged.append({})
        merged[-1].update(step)
    return merged
