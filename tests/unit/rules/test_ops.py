"""Every step does in the program what it does in the plan."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.programmers.rules.ops import (
    FAILURES,
    Between,
    Blank,
    IsoDate,
    Lookup,
    MailDate,
    Minutes,
    NamedMonth,
    Op,
    ParseDate,
    Part,
    Piece,
    Rewrite,
    Search,
    Split,
    Swap,
    ToFloat,
    ToInt,
    Trim,
    UnixDate,
    literal,
    raw_literal,
    run,
)
from scrapewright.programmers.rules.plan import Column, Plan
from scrapewright.programmers.rules.program import ColumnWriter, Program, lay
from scrapewright.query.reading import Field
from tests.unit.rules.helpers import group_of

TEXTS = st.text(st.sampled_from("abA19 .,-:/£€'\"\\\n{}é日本"), max_size=30)
SOME = st.text(st.sampled_from("ab1 -:£'\"\\é"), min_size=1, max_size=4)
OPS = st.one_of(
    st.builds(Trim, SOME, SOME),
    st.builds(Part, SOME, st.booleans(), st.booleans()),
    st.builds(Piece, SOME, st.integers(-2, 2)),
    st.builds(Search, st.sampled_from([r"\d+", r"(\d+) ?a", r"[\d.,]+", "'b\"", r"\\"]), st.just(0), st.booleans()),
    st.builds(Swap, SOME, SOME),
    st.builds(Rewrite, st.sampled_from([r"^\((.*)\)$", r"-(\d)"]), st.sampled_from([r"-\1", r"\1", ""])),
    st.builds(Blank, st.tuples(SOME)),
    st.builds(Blank, st.tuples(SOME, SOME)),
    st.builds(Split, SOME),
)  # fmt: skip


def program_of(ops: tuple[Op, ...]) -> Any:
    """The function that the emitter writes for the steps."""
    program = Program("x")
    plan = Plan(urls=("http://a.example/",), noun="entry", group=group_of("div"), columns=())
    column = Column(field=Field("value"), ops=ops)  # type: ignore[arg-type]
    name = ColumnWriter(program, plan).parser(ops, column)
    space: dict[str, Any] = {"__name__": "generated"}
    exec(compile(program.text().partition('if __name__ == "__main__"')[0], "generated", "exec"), space)
    return space[name]


def outcome(action: Any, value: str) -> object:
    try:
        return action(value)
    except FAILURES as error:
        return type(error).__name__


@given(st.lists(OPS, min_size=1, max_size=3), TEXTS)
def test_the_written_function_does_what_the_steps_do(ops: list[Op], text: str) -> None:
    if any(isinstance(op, Split) for op in ops[:-1]):
        ops = ops[-1:]
    assert outcome(program_of(tuple(ops)), text) == outcome(lambda value: run(ops, value), text)


@pytest.mark.parametrize(
    ("ops", "text", "value"),
    [
        ((Trim("£"), ToFloat()), "£12.50", 12.5),
        ((Swap(","), ToInt()), "1,234", 1234),
        ((Lookup("RATING", (("One", 1), ("Two", 2))),), "Two", 2),
        ((ParseDate("%d %B %Y"),), "5 May 2024", "2024-05-05"),
        ((ParseDate("%d.%m.%Y %H:%M", "%Y-%m-%d %H:%M", True),), "05.05.2024 07:30", "2024-05-05 07:30"),
        ((IsoDate(),), "2024-05-05T10:00:00Z", "2024-05-05"),
        ((IsoDate("", True),), "2024-05-05T10:00:00+00:00", "2024-05-05T10:00:00+00:00"),
        ((MailDate(),), "Sun, 05 May 2024 10:00:00 GMT", "2024-05-05"),
        ((UnixDate(),), "1714903200", "2024-05-05"),
        ((NamedMonth(r"(?P<day>\d+)\. (?P<month>\w+) (?P<year>\d{4})", (("mai", 5),)),), "5. Mai 2024", "2024-05-05"),
        ((Minutes(r"(\d+)H", r"(\d+)M"),), "PT1H30M", 90),
        ((Between(r"\d+:\d+", "%H:%M"),), "from 22:45 to 0:15", 90),
        ((Between(r"\d+:\d+", "%H:%M"),), "from 22:45", None),
        ((Split(","),), "a, b ,c", ["a", "b", "c"]),
        ((Lookup("ANSWERS", (("In stock", True), ("Sold out", False))),), "Sold out", False),
    ],
)
def test_each_kind_of_value(ops: tuple[Op, ...], text: str, value: object) -> None:
    assert run(ops, text) == value
    assert program_of(ops)(text) == value
    assert program_of(ops)(None) is None


@pytest.mark.parametrize(
    ("ops", "text", "failure"),
    [
        ((Trim("£"), ToFloat()), "£1,249.00", "ValueError"),
        ((ToFloat(),), "call us", "ValueError"),
        ((Lookup("RATING", (("One", 1),)),), "Half", "KeyError"),
        ((Search(r"\d+"),), "none", "TypeError"),
        ((ParseDate("%d %B %Y"),), "soon", "ValueError"),
    ],
)
def test_a_value_unlike_those_seen_is_not_swallowed(ops: tuple[Op, ...], text: str, failure: str) -> None:
    assert outcome(lambda value: run(ops, value), text) == failure
    assert outcome(program_of(ops), text) == failure


@given(st.text(max_size=60))
def test_literals_are_the_text(text: str) -> None:
    assert eval(literal(text)) == text
    assert eval(raw_literal(text)) == text


@given(st.text(st.sampled_from("ab >.,'\"\\("), max_size=250), st.integers(0, 12))
def test_long_lines_are_broken_without_changing_them(text: str, indent: int) -> None:
    code = f"call(first, {{'key': {literal(text)}}}, [{literal(text)}, other(1)])"
    lines = lay(code, indent)
    called: list[object] = []
    space = {"call": lambda *args: called.append(args), "first": 1, "other": lambda x: x}
    exec("\n".join(line[indent:] for line in lines), space)
    assert called == [(1, {"key": text}, [text, 1])]
