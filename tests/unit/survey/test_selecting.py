from __future__ import annotations

from contextlib import suppress

import pytest
import soupsieve
from bs4 import BeautifulSoup
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapewright.survey.decode import parse
from scrapewright.survey.extract import Extract
from scrapewright.survey.model import Group
from scrapewright.survey.selecting import Finder, Refused, read
from tests.suite import examples
from tests.unit.survey.helpers import page

PAGE = """<html><body><main id="m"><ul>
<li class="book new" data-id="1"><a href="/1" TYPE="text/html">One <b>more</b></a></li>
<li class="book" data-id="2"><a href="/2">Two</a><p>tail</p></li>
<li class="ad"><a href="/3">Three</a></li></ul></main></body></html>"""


def finder(text: str = PAGE) -> Finder:
    return Finder(parse(page(text.encode())))


def values(text: str) -> list[str]:
    return [hit.value for hit in finder().select(read(text))]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("li.book a", ["One more", "Two"]),
        ("li.book a@href", ["/1", "/2"]),
        ("li.book a::attr(href)", ["/1", "/2"]),
        ("li.book a::text", ["One more", "Two"]),
        ("a[href]@href", ["/1", "/2", "/3"]),
        ("li:nth-child(odd) a", ["One more", "Three"]),
        ("li:is(.book, .ad):not(.new) > a", ["Two", "Three"]),
        ("li:-soup-contains('Two')", ["Two tail"]),
        ("a[type='TEXT/HTML']", ["One more"]),
        ("//li[@class='ad']/a", ["Three"]),
        ("//a/@href", ["/1", "/2", "/3"]),
        ("(//a)[2]", ["Two"]),
        (".nowhere", []),
    ],
)
def test_what_a_selector_selects(text: str, found: list[str]) -> None:
    assert values(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("p", [["tail one"], ["tail two"]]),
        ("+ p", [["so one"], ["so two"]]),
        ("+ + p@title", [["1"], []]),
        ("+", [["one so one"], ["two so two"]]),
        ("+ p:nth-last-child(1)", [["so one"], ["so two"]]),
        ("^ h2", [["All"], ["Rest"]]),
        ("^ h2@id", [["a"], [""]]),
        ("//p", [["tail one"], ["tail two"]]),
    ],
)
def test_a_selector_looks_from_each_record(text: str, found: list[list[str]]) -> None:
    parts = [
        f"<section class=r><p>tail {name}</p></section><div><b>{name}</b><p>so {name}</p></div>{more}"
        for name, more in (("one", "<div><p title=1>x</p></div><h2>Rest</h2>"), ("two", ""))
    ]
    document = parse(page(f"<h2 id=a>All</h2>{''.join(parts)}"))
    extract = Extract(document, Group("g", "list", "section.r", 2))
    hits = Finder(document).from_records(read(text), extract)
    assert [[hit.value for hit in some] for some in hits] == found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "type a CSS selector"),
        ("a[href", 'a "[" is not closed'),
        ("li:not(.ad", 'a "(" is not closed'),
        ("li >", "something must follow '>'"),
        ("li.", "a name must follow '.'"),
        ("a::before", "no pseudo-elements"),
        ("a:contains(x)", ":-soup-contains"),
        ("a:frist-child", ":frist-child is none of the pseudo-classes"),
        ("..a", "can't be read as CSS, at '..a'"),
        ("//a[", "XPath that can't be read"),
    ],
)
def test_what_is_refused_is_said_in_plain_words(text: str, said: str) -> None:
    with pytest.raises(Refused) as refused:  # what it says is looked at below
        read(text)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_within_each_record() -> None:
    found = finder()
    records = [hit.element for hit in found.select(read("li"))]
    assert [[hit.value for hit in hits] for hits in found.within(read("a"), records)] == [
        ["One more"],
        ["Two"],
        ["Three"],
    ]
    assert [len(hits) for hits in found.within(read("p:first-of-type"), records)] == [0, 1, 0]
    assert [hits[0].value for hits in found.within(read("@data-id"), records)] == ["1", "2", ""]
    assert found.within(read("./a"), records)[1][0].value == "Two"
    for path, each in (("//a/@href", ["/1", "/2", "/3"]), ("(//a)[1]", ["One more", "Two", "Three"])):
        assert [[hit.value for hit in hits] for hits in found.within(read(path), records)] == [[one] for one in each]
    assert [len(hits) for hits in found.within(read(" /p"), records)] == [0, 1, 0]
    assert [len(hits) for hits in found.within(read("//p | //b[. != '|/']"), records)] == [1, 1, 0]
    assert found.within(read("a:is(a)"), records, lambda: False) == []


def test_a_page_that_is_no_html_has_nothing_to_select() -> None:
    assert Finder(parse(page(b'{"a": 1}', content_type="application/json"))).select(read("a")) == []


SELECTORS = st.sampled_from([
    "li", ".book", "li > a", "li:nth-child(2)", "li:has(b)", "li + li", "li ~ .ad", "[data-id='2']", "li:not(.book)",
    "li:first-child a", "li:nth-last-of-type(1)", "main *", "ul li.book.new", "a:only-child", ":is(a, p)",
])  # fmt: skip


@settings(max_examples=examples(60), deadline=None)
@given(SELECTORS)
def test_it_selects_what_soupsieve_selects(selector: str) -> None:
    soup = BeautifulSoup(PAGE, "lxml")
    assert values(selector) == [" ".join(tag.get_text(" ").split()) for tag in soupsieve.select(selector, soup)]


@settings(max_examples=examples(200), deadline=None)
@given(st.text(alphabet="ab.#[]()=\"':>+~ *@/-\\0\n,", max_size=12))
def test_no_text_is_too_odd(text: str) -> None:
    with suppress(Refused):
        finder().select(read(text))
