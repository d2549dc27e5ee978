"""Descriptions run no code of the objects, are bounded in size and time, and say what a person needs."""

from __future__ import annotations

import ast
import collections
import datetime
import functools
import gc
import re
import sys
import threading
import time
import weakref
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness import snapshot as snapshots
from harness.describe import Describer, describe
from harness.fields import instance_dict, type_name
from harness.snapshot import Allowance, shown, snapshot
from tests.json_values import json_values

ran: list[str] = []


def bite(*args: Any, **kwargs: Any) -> Any:
    ran.append(sys._getframe(1).f_code.co_name)
    raise SystemExit("the program's code was run")


DUNDERS = (
    *(
        "__repr__",
        "__str__",
        "__len__",
        "__iter__",
        "__eq__",
        "__hash__",
        "__bool__",
        "__getattribute__",
        "__getattr__",
    ),
    *("__format__", "__getitem__", "__contains__", "__sizeof__", "__dir__", "__index__", "__int__", "__float__"),
    *("__lt__", "__reduce__", "__class_getitem__", "__next__", "__ge__", "__instancecheck__", "__subclasscheck__"),
)


def thoroughly_biting() -> Any:
    """An instance of a class whose methods all bite, as its metaclass's do."""
    meta = type("BitingMeta", (type,), {})
    kind = meta("Biting", (), {"__class__": property(bite), **dict.fromkeys(DUNDERS, bite)})
    value = object.__new__(kind)
    for name in (*DUNDERS, "mro"):
        setattr(meta, name, bite)
    return value


def biting(base: type) -> Any:
    """An instance of a subclass of a built-in type whose methods bite."""
    kind = type(f"Biting{base.__name__}", (base,), {})
    value = kind(
        *([("a", 1)],) if base is dict else ([1, 2],) if base in (list, tuple, set) else (1,) if base is int else ()
    )
    for name in DUNDERS:
        setattr(kind, name, bite)
    return value


@pytest.fixture(autouse=True, scope="module")
def _as_in_a_sandbox() -> Any:
    """There is no pyarrow, which pandas keeps texts in where it is installed."""
    import pandas

    with pandas.option_context("mode.string_storage", "python"):
        yield


@pytest.fixture(autouse=True)
def _nothing_ran(monkeypatch: pytest.MonkeyPatch) -> Any:
    ran.clear()
    monkeypatch.setattr(snapshots, "_allowance", Allowance(free=1e9))
    yield
    assert ran == []


@pytest.mark.parametrize("base", [object, int, str, float, list, tuple, dict, set, Exception])
def test_a_biting_object_is_named_only(base: type) -> None:
    value = biting(base)
    for text in (describe(value), shown(snapshot(value)), describe([value]), shown(snapshot([value, {"k": value}]))):
        assert f"Biting{base.__name__}" in text


def test_a_biting_metaclass_is_not_asked() -> None:
    value = thoroughly_biting()
    for text in (describe(value), shown(snapshot(value)), describe({1: value}), shown(snapshot({"k": value}))):
        assert "Biting" in text


def test_a_class_cannot_lie_about_its_name() -> None:
    class Liar:
        __module__ = biting(str)
        __qualname__ = "x" * 1000

    assert len(type_name(Liar)) <= 200
    assert describe(Liar()).startswith("<xxx")


def test_a_property_or_slot_is_not_read() -> None:
    class Shop:
        __slots__ = ("name",)

        @property
        def price(self) -> int:
            return int(bite())

    shop = Shop()
    shop.name = "a"
    assert describe(shop).endswith("Shop>")


def test_own_attributes_are_listed() -> None:
    class Shop:
        def __init__(self) -> None:
            self.name = "a"
            self.rows = [1, {"k": biting(dict)}]

    assert "name='a', rows=[1, {… +1}]" in describe(Shop())


def test_a_false_dict_is_not_believed() -> None:
    class Shop:
        __dict__ = property(bite)  # type: ignore[assignment]

    assert instance_dict(Shop()) == {}


def test_no_dict_is_created_where_a_class_can_tell() -> None:
    inner = functools.partial(int, "11")
    describe(inner)
    assert instance_dict(inner) == {}
    assert functools.partial(inner, base=2).func is int, "a partial that has a dict is not unfolded"


@pytest.mark.parametrize("base", [object, str, int, tuple, list, dict, ValueError])
def test_own_attributes_of_a_class_with_any_base_are_read(base: type) -> None:
    value = type("Shop", (base,), {})()
    value.name = "a"
    assert instance_dict(value) == {"name": "a"}


class Word(str):
    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return bool(bite())

    def __hash__(self) -> int:
        return hash(str(self.encode(), "utf-8"))


def test_keys_are_not_compared() -> None:
    class Shop:
        pass

    shop = Shop()
    shop.__dict__[Word("name")] = 1
    shop.__dict__["other"] = 2
    assert instance_dict(shop) == {"other": 2}


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1, "1"),
        ("a", "'a'"),
        (None, "None"),
        (2.5, "2.5"),
        ([], "[]"),
        ((1,), "(1,)"),
        (set(), "set()"),
        (frozenset(), "frozenset()"),
        ({"a": [1, None]}, "{'a': [1, None]}"),
        (collections.deque([1]), "deque([1])"),
        (collections.OrderedDict(a=1), "OrderedDict({'a': 1})"),
        (range(3), "range(0, 3)"),
        (b"x", "b'x'"),
        ("\ud800", "'\\ud800'"),
        (datetime.date(2020, 1, 2), "datetime.date(2020, 1, 2)"),
        (re.compile("a+"), "re.compile('a+')"),
        (re, "<module re>"),
        (len, "<function len>"),
        (ast.parse, "<function parse>"),
        (ValueError, "<class ValueError>"),
        (list(range(20)), "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, … +10]"),
        ("a" * 300, f"{'a' * 200!r}… (300 characters)"),
        (b"a" * 300, f"{b'a' * 200!r}… (300 bytes)"),
        (10**7, "10000000"),
    ],
    ids=lambda x: "",
)
def test_texts(value: object, text: str) -> None:
    assert describe(value) == text


def test_an_integer_of_ten_million_bits() -> None:
    assert describe(1 << 10_000_000) == shown(snapshot(1 << 10_000_000)) == "int of 10000001 bits"


def test_what_matched_is_shown() -> None:
    assert describe(re.search("(b)(x)?", "abc")) == "<re.Match (1, 2) 'b', groups=('b', None)>"


@settings(deadline=None)
@given(
    json_values(
        st.none()
        | st.booleans()
        | st.integers(-999, 999)
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(max_size=9),
        most=3,
        max_leaves=6,
    )
)
def test_small_values_read_back(value: object) -> None:
    text = describe(value)
    if "…" not in text:
        assert ast.literal_eval(text) == value
    flat = shown(snapshot(value))
    if "…" not in flat:
        assert ast.literal_eval(flat) == value


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary() | st.complex_numbers(),
    lambda inner: (
        st.lists(inner)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text() | st.integers(), inner)
        | st.builds(collections.deque, st.lists(inner))
    ),
)


@settings(deadline=None)
@given(VALUES)
def test_any_value_is_bounded(value: object) -> None:
    assert len(describe(value)) <= 801
    text = shown(snapshot(value))
    assert len(text) <= 1500
    text.encode("utf-8")


def test_deep_circular_and_huge_values() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    around: list[Any] = []
    around.append(around)
    huge = [list(range(1000)) for _ in range(1000)]
    for value in (deep, around, huge, {1: deep}, dict.fromkeys(range(10**6)), set(range(10**6)), "x" * 10**7):
        start = time.thread_time()
        assert len(describe(value)) <= 801
        assert len(shown(snapshot(value))) <= 801
        assert time.thread_time() - start < 0.2
    while deep:
        deep = deep[0]


def test_the_budget_is_kept() -> None:
    rows = [{str(i): [i] * 10 for i in range(10)} for _ in range(10)]
    describer = Describer(seconds=0.0)
    assert describer.describe([rows] * 10) == "[… +10]"


def test_what_is_kept_of_a_class_keeps_no_class_and_is_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Classes that come and go: one may get the place of another that is gone."""
    monkeypatch.setattr(snapshots, "_allowance", Allowance(share=0.0, free=0.0))
    for number in range(1000):
        kind = type(f"Kind{number}", (), {"__module__": "__main__"})
        assert [shown(snapshot(kind())) for _ in range(20)] == [f"<Kind{number}>"] * 20
    gone = weakref.ref(kind)
    del kind
    gc.collect()
    assert gone() is None
    assert len(snapshots._names) <= snapshots._MOST_NAMES


def test_a_snapshot_keeps_nothing_alive() -> None:
    class Row:
        pass

    row = Row()
    gone = weakref.ref(row)
    copies = [snapshot(row), snapshot([row]), snapshot({"k": row}), snapshot((row,) * 20), snapshot({row})]
    del row
    assert gone() is None
    assert all("Row" in shown(copy) or "+" in shown(copy) for copy in copies)


def test_a_snapshot_is_of_that_moment() -> None:
    rows = [1]
    row: dict[str, Any] = {"a": 1}
    copies = [snapshot(rows), snapshot(row)]
    rows.append(2)
    row["b"] = 2
    assert [shown(copy) for copy in copies] == ["[1]", "{'a': 1}"]


def test_of_a_long_list_the_last_item_is_shown() -> None:
    assert shown(snapshot([*range(10), "new"])) == "[… +10, 'new']"
    assert shown(snapshot(dict.fromkeys(range(10)))) == "{… +10}"


def test_past_the_allowance_class_and_size_are_left(monkeypatch: pytest.MonkeyPatch) -> None:
    class Shop:
        def __init__(self) -> None:
            self.name = "a"

    assert "name='a'" in shown(snapshot(Shop()))
    monkeypatch.setattr(snapshots, "_allowance", Allowance(share=0, free=0))
    assert shown(snapshot(Shop())).endswith("Shop>")
    assert shown(snapshot([1, 2])) == "[… +2]"
    assert shown(snapshot({"k": 1})) == "{… +1}"
    assert shown(snapshot(())) == "()"
    assert (shown(snapshot("a")), shown(snapshot(2.5))) == ("'a'", "2.5")


def test_an_allowance_is_a_share_of_the_time() -> None:
    allowance = Allowance(share=0.05, free=0.0)
    allowance.seen -= 0.02
    assert allowance.refill()
    assert 0.001 <= allowance.left < 0.002
    allowance.left = -1.0
    assert not allowance.refill()
    allowance.left, allowance.seen = 0.0, allowance.seen - 1000
    allowance.refill()
    assert allowance.left == 0.002


def test_containers_changed_by_another_thread() -> None:
    rows: dict[int, int] = {}
    row = {str(i): i for i in range(5)}
    stop = threading.Event()

    def churn() -> None:
        while not stop.is_set():
            for i in range(50):
                rows[i] = row["x"] = i
            rows.clear()
            del row["x"]

    thread = threading.Thread(target=churn)
    thread.start()
    try:
        for _ in range(3000):
            describe(rows)
            snapshot(row)
            describe(row)
    finally:
        stop.set()
        thread.join()


def test_documents() -> None:
    bs4 = pytest.importorskip("bs4")
    soup = bs4.BeautifulSoup(
        '<div id="m"><a href="x" class="big red">one <b>two</b></a><!-- no --><i></i></div>', "html.parser"
    )
    link = soup.a
    assert describe(soup) == "<BeautifulSoup> 'one two'"
    assert describe(link) == "<Tag a href='x' class='big red'> 'one two'"
    assert describe(soup.find_all("b")) == "<ResultSet of 1: <Tag b> 'two'>"
    assert describe(link.b.string) == "<NavigableString 'two'>"
    assert shown(snapshot(link)) == "<Tag a href='x' class='big red'>"
    assert shown(snapshot([link, link.b.string])) == "[<Tag a href='x' class='big red'>, <NavigableString 'two'>]"
    assert shown(snapshot(soup.i)) == "<Tag i>"
    for name in ("__repr__", "__str__", "__len__", "__iter__", "__getattr__", "__bool__"):
        assert hasattr(bs4.element.Tag, name)
    link.__dict__["name"] = biting(str)
    link.attrs["href"] = biting(list)
    assert "Tag" in describe(link)
    assert "Tag" in shown(snapshot(link))


def test_an_element_is_read_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    bs4 = pytest.importorskip("bs4")
    tag = bs4.BeautifulSoup("<a class='x y' href='/1'>t</a>", "html.parser").a
    assert shown(snapshot(tag)) == "<Tag a class='x y' href='/1'>"
    called: list[str] = []
    monkeypatch.setattr(bs4.element.PageElement, "attrs", property(lambda tag: called.append("attrs")), raising=False)
    assert shown(snapshot(tag)) == "<bs4.element.Tag>"
    monkeypatch.undo()
    assert shown(snapshot(tag)) == "<Tag a class='x y' href='/1'>"
    assert not called


def test_a_half_built_element() -> None:
    bs4 = pytest.importorskip("bs4")
    bare = bs4.element.Tag.__new__(bs4.element.Tag)
    assert describe(bare) == "<Tag ?>"
    assert shown(snapshot(bare)) == "<Tag ?>"


def test_tables_and_answers() -> None:
    pandas, numpy = pytest.importorskip("pandas"), pytest.importorskip("numpy")
    requests = pytest.importorskip("requests")
    frame = pandas.DataFrame({"name": ["a", "b"], "price": [1.5, 2.5]})
    assert describe(frame) == "<DataFrame 2 rows, 2 columns: 'name', 'price'>"
    assert describe(frame["price"]) == "<Series 'price' of 2>"
    assert describe(frame.columns) == "<Index of 2: 'name', 'price'>"
    assert describe(frame.index) == "<RangeIndex range(0, 2)>"
    assert describe(numpy.arange(3)) == "<ndarray shape=(3,), dtype=<i8: 0, 1, 2>"
    assert describe(numpy.zeros((2, 2))) == "<ndarray shape=(2, 2), dtype=<f8>"
    assert describe(numpy.float64(2.5)) == "numpy.float64(2.5)"
    answer = requests.Response()
    answer.status_code, answer.url, answer._content = 404, "http://shop.test/", b"abc"
    assert describe(answer) == "<Response 404 'http://shop.test/' 3 bytes>"


def test_patched_libraries_are_not_called(monkeypatch: pytest.MonkeyPatch) -> None:
    pandas = pytest.importorskip("pandas")
    bs4 = pytest.importorskip("bs4")
    frame = pandas.DataFrame({"name": ["a"]})
    soup = bs4.BeautifulSoup("<a>x</a>", "html.parser")
    for kind, name in ((pandas.DataFrame, "shape"), (pandas.DataFrame, "columns"), (pandas.Index, "__len__")):
        monkeypatch.setattr(kind, name, property(bite), raising=False)
    for name in ("name", "get_text", "__getattr__", "__len__", "__repr__"):
        monkeypatch.setattr(bs4.element.Tag, name, property(bite), raising=False)
    assert "1 columns: 'name'" in describe(frame)
    assert describe(soup.contents[0]) == "<Tag a> 'x'"
