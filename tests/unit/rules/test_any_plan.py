"""Whatever the plan, the program compiles and holds nothing that it does not use."""

from __future__ import annotations

import ast
import builtins
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapewright.programmers.rules.conditions import Keep
from scrapewright.programmers.rules.emit import emit
from scrapewright.programmers.rules.plan import Column, Paging, Plan
from scrapewright.programmers.rules.program import WIDTH
from scrapewright.programmers.rules.view import Rest
from scrapewright.query.reading import Field, Order
from scrapewright.survey.model import Group, NextPage, Slot
from tests.suite import examples
from tests.unit.rules.test_ops import OPS

TEXT = st.text(st.sampled_from("ab é\"'\\{}\n日£%"), min_size=1, max_size=12)
LONG = "div." + "very-long-class-name-" * 6 + " > span"
SELECTORS = st.sampled_from(
    [
        "",
        "a",
        "h3 > a",
        'a[href*="/x/"]',
        ":scope > td:nth-of-type(2)",
        "+ td.s",
        "+ + p",
        "^ h2",
        "^ h2.top",
        "^ div > b",
        LONG,
    ]
)
SLOTS = st.builds(
    Slot,
    id=st.sampled_from(["a", "b", "c-1"]),
    selector=SELECTORS,
    attr=st.sampled_from(["text", "tail", "head", "href", "src", "class", "title"]),
    index=st.sampled_from([0, 0, 0, 1, -1]),
    own=st.booleans(),
    many=st.booleans(),
)
JSON_SLOTS = st.builds(
    Slot,
    id=st.just("j"),
    selector=st.sampled_from(["", "name", "author.name", "tags.*.name", "offers.0.price", "tags"]),
    many=st.booleans(),
)
TYPES = st.sampled_from(["text", "int", "float", "date", "url", "list"])


def columns_of(slots: st.SearchStrategy[Slot]) -> st.SearchStrategy[tuple[Column, ...]]:
    column = st.builds(
        Column,
        field=st.builds(Field, name=TEXT, type=TYPES),
        slot=st.none() | slots,
        ops=st.lists(OPS, max_size=2).map(tuple),
        joint=st.sampled_from(["", " "]),
        detail=st.booleans(),
        carried=st.booleans(),
        rest=st.sampled_from([None, None, Rest(Slot("r", "^ h2")), Rest(Slot("r", "^ div > b"), "/")]),
    )
    return st.lists(column, min_size=1, max_size=5, unique_by=lambda made: made.name).map(tuple)


GROUPS = st.one_of(
    st.builds(
        Group, id=st.just("g"), kind=st.sampled_from(["list", "table", "feed", "page"]), count=st.just(3),
        selector=st.sampled_from(["div.x", "tr", "body", "html", "li, p"]),
        skip=st.sampled_from([(0, 0), (1, 0), (0, 2), (1, 1)]),
    ),
    st.builds(
        Group, id=st.just("g"), kind=st.just("json"), count=st.just(3), selector=st.sampled_from(["", "a", "a.0.b"]),
        source=st.sampled_from(["ld+json", "body", "var data", "script#d", "url http://a.example/api?page=1"]),
    ),
)  # fmt: skip
NEXT = st.builds(
    NextPage, how=st.sampled_from(["link", "param", "numbers", "json"]), selector=st.sampled_from(["a.next", "more"]),
    param=st.sampled_from(["page", ""]), start=st.integers(0, 2), step=st.sampled_from([1, 20]),
)  # fmt: skip


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    group = draw(GROUPS)
    columns = draw(columns_of(JSON_SLOTS if group.source else SLOTS))
    name = columns[0].name
    onward = draw(st.none() | st.builds(Paging, next=NEXT, pages=st.none() | st.integers(2, 9)))
    if onward is not None and not _possible(onward.next, group):
        onward = None
    follow = (
        None
        if group.source
        else draw(st.none() | st.builds(Slot, id=st.just("f"), selector=st.just("a"), attr=st.just("href")))
    )
    detail = draw(st.sampled_from([Group("d", "page", "body", 1), Group("d", "page", "div.d", 1)])) if follow else None
    if detail is None:
        columns = tuple(_here(column) for column in columns)
    several = (Keep(op="lacks", value='a"b', column=name), Keep(op="ge", value=3, column=name))
    addresses = [("http://a.example/",), ("http://a.example/?q=1",), ("http://a.example/1", "http://b.example/2?x")]
    return Plan(
        urls=draw(st.sampled_from(addresses)),
        noun=draw(st.sampled_from(["quote", "entry", "table_row"])),
        group=group,
        columns=columns,
        paging=onward,
        follow=follow,
        detail=detail,
        keep=draw(st.sampled_from([(), (Keep(op="present", column=name),), several])),
        order=draw(st.sampled_from([(), (Order(name),), (Order(name, True),)])),
        limit=draw(st.none() | st.just(5)),
        distinct=draw(st.sampled_from([(), (name,), tuple(column.name for column in columns)])),
        format=draw(st.sampled_from(["csv", "json", "jsonl"])),
        single=draw(st.booleans()),
        encoding=draw(st.sampled_from(["", "utf-8"])),
        decoded=draw(st.sampled_from(["", "gb18030"])),
        based=draw(st.booleans()),
        endpoint="http://a.example/api?page=1" if group.source == "body" or group.source.startswith("url ") else "",
    )  # fmt: skip


def _possible(onward: NextPage, group: Group) -> bool:
    """Counting needs a parameter's name; what a JSON answer says of the next page needs a JSON answer."""
    if onward.how == "param":
        return bool(onward.param)
    return (onward.how == "json") == (group.source == "body" or group.source.startswith("url "))


def _here(column: Column) -> Column:
    return msgspec.structs.replace(column, detail=False)


def unused(code: str) -> set[str]:
    """Names that the module binds at its top, imports included, and uses nowhere."""
    tree = ast.parse(code)
    bound: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            bound |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.FunctionDef):
            bound.add(node.name)
        elif isinstance(node, ast.Assign):
            bound |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    return bound - used


def undefined(code: str) -> set[str]:
    """Names that functions read and nothing binds."""
    tree = ast.parse(code)
    known: set[str] = set(dir(builtins)) | {"__name__"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            known |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.FunctionDef):
            known |= {node.name, *(argument.arg for argument in (*node.args.args, node.args.vararg) if argument)}
        elif isinstance(node, ast.ExceptHandler) and node.name:
            known.add(node.name)
        elif isinstance(node, ast.Lambda):
            known |= {argument.arg for argument in node.args.args}
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            known.add(node.id)
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - known


@settings(max_examples=examples(120), deadline=None)
@given(plans())
def test_any_plan_gives_a_whole_program(plan: Plan) -> None:
    code = emit(plan)
    compile(code, "scraper.py", "exec")
    assert unused(code) == set()
    assert undefined(code) == set()
    long = [line for line in code.splitlines() if len(line) > WIDTH]
    assert not long


def test_the_checks_of_this_test_can_fail() -> None:
    broken: dict[str, Any] = {
        "unused": unused("import os\nx = 1\n"),
        "undefined": undefined("def f():\n    return y\n"),
    }
    assert broken == {"unused": {"os", "x"}, "undefined": {"y"}}
