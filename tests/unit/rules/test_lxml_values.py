"""What is read on lxml's own tree is what BeautifulSoup reads."""

from __future__ import annotations

from time import process_time

import pytest
from bs4 import BeautifulSoup
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapewright.programmers.rules import reading
from scrapewright.programmers.rules.reading import Reader, elements_at, runs_together
from scrapewright.query.reading import Reading
from scrapewright.survey.model import Slot
from scrapewright.web.page import Page
from tests.unit.survey.helpers import survey_pages

TEXTS = st.sampled_from(["", " ", "one", " two ", "3 &amp; 4", "a\u00a0b", "\n x", "<!-- gone -->", "価格", "5 <br> 6"])
NAMES = st.sampled_from(["a", "b c", "price now", ""])
TAGS = st.sampled_from(["p", "span", "div", "a", "b", "em", "li", "td", "h3", "i", "style"])


@st.composite
def elements(draw: st.DrawFn, depth: int = 3) -> str:
    tag, name = draw(TAGS), draw(NAMES)
    inner = [draw(TEXTS)]
    if depth and tag != "style":
        for _ in range(draw(st.integers(0, 3))):
            inner += [draw(elements(depth - 1)), draw(TEXTS)]
    return f'<{tag} class="{name}" href=" /x {name}">{"".join(inner)}</{tag}>'


PAGES = st.lists(elements(), min_size=1, max_size=4).map(
    lambda found: (
        "<html><body><h2>Head</h2>"
        + "".join(f'<article class="r">{one}</article><section>{one}</section>' for one in found)
        + "<h2>Tail</h2></body></html>"
    )
)
SLOTS = (
    Slot("whole", ""),
    Slot("first", "span"),
    Slot("named", "span.price"),
    Slot("inner", "div > p"),
    Slot("scoped", ":scope > div"),
    Slot("second", "p", index=1),
    Slot("last", "b", index=-1),
    Slot("all", "a, em", many=True),
    Slot("own", "div", own=True),
    Slot("head", "div", "head"),
    Slot("tail", "b", "tail"),
    Slot("link", "a", "href"),
    Slot("class", "a", "class"),
    Slot("next", "+ span"),
    Slot("beside", "+"),
    Slot("above", "^ h2"),
)


@settings(deadline=None)
@given(PAGES, st.sampled_from(SLOTS))
def test_same_elements_and_same_texts(page: str, slot: Slot) -> None:
    soup = BeautifulSoup(page.encode(), "lxml", from_encoding="utf-8")
    wanted = soup.select("article.r")
    try:
        root, _ = reading.parsed(page.encode(), "utf-8")
        records = reading.Records([root], "article.r", 0, 0)
        found = records.at(slot)
    except reading.Apart:
        return
    assert len(records.elements) == len(wanted)
    for record, mine in zip(wanted, found, strict=True):
        if slot.above:
            before = record.find_previous("h2")
            theirs = [before] if before is not None else []
        else:
            theirs = elements_at(record, slot)
        for joint in ("", " "):
            ours = [text for element in mine if (text := reading.value_of(element, slot, joint))]
            read = [text for tag in theirs if (text := reading.value_of(tag, slot, joint))]
            assert ours == read
        assert [reading.runs_together(element) for element in mine] == [runs_together(tag) for tag in theirs]


def test_pages_of_two_are_read_in_their_order() -> None:
    roots = [
        reading.parsed(f"<ul><li><b>{n}</b></li><li><b>{n + 1}</b></li></ul>".encode(), "utf-8")[0] for n in (1, 3)
    ]
    records = reading.Records(roots, "li", 0, 0)
    slot = Slot("n", "b")
    assert [reading.value_of(found, slot, "") for (found,) in records.at(slot)] == ["1", "2", "3", "4"]


@pytest.mark.parametrize(
    "markup",
    [
        "<ul><li><template><b>x</b></template></li></ul>",
        "<ul><li><ruby>漢<rt>kan</rt></ruby></li></ul>",
    ],
)
def test_what_is_read_otherwise_is_left_to_beautifulsoup(markup: str) -> None:
    with pytest.raises(reading.Apart):
        reading.parsed(markup.encode(), "utf-8")


def test_records_inside_records_hold_what_these_hold() -> None:
    root, _ = reading.parsed(b"<div class=r><p>a</p><div class=r><p>b</p></div></div>", "utf-8")
    found = reading.Records([root], "div.r", 0, 0).at(Slot("p", "p", many=True))
    assert [[element.text for element in some] for some in found] == [["a", "b"], ["b"]]


def test_the_page_as_one_record_is_read_there_as_beautifulsoup_reads_it(monkeypatch: pytest.MonkeyPatch) -> None:
    items = "".join(f"<li class=mug><h3>Mug {n}</h3> for <b>{n}.50</b></li>" for n in range(30))
    head = "<title>Mugs</title><meta name=author content=' Ann  Lee'>"
    body = f"{head}<h1>Our <i>mugs</i></h1><dl><dt>Since<dd>1987</dl>{items}".encode()
    page = Page("http://h.example/", "http://h.example/", 200, {"content-type": "text/html; charset=utf-8"}, body)
    survey = survey_pages(Reading("", urls=(page.url,), single=True), [page])
    group = next(group for group in survey.groups if group.kind == "page")
    pages = {page.url: page}
    monkeypatch.setattr(Reader, "_lxml_records", lambda self, group: None)
    theirs = [Reader(survey, pages).values(group, slot) for slot in group.slots]
    monkeypatch.undo()
    monkeypatch.setattr(Reader, "_soup", None)
    assert [Reader(survey, pages).values(group, slot) for slot in group.slots] == theirs
    assert len(theirs) > 4


def test_the_texts_of_a_large_element_take_no_more_time_each() -> None:
    """Each was compared with all before it: those of a page of 5 MB took minutes."""
    root, _ = reading.parsed(b"<ul>" + b"<li><b>a</b> <i>1</i> <a>c</a></li>" * 30_000, "utf-8")
    started = process_time()
    assert len(reading.texts(root)) == 150_000
    assert process_time() - started < 3.0


@pytest.mark.parametrize(
    ("markup", "apart"),
    [
        ("a <i>b</i>.", False),
        ("<p>x.</p>\n<p>y</p>", False),
        ("<p>x.</p><p>y</p>", True),
        ("x.<br>y", True),
        ("x. <br/> y", False),
        ("<span><p>x.</p></span>y", True),
        ("x.<!-- --><br/><!-- -->y", True),
        ("<div>x" * 900 + "</div>" * 900, True),
    ],
)
def test_where_lines_meet_without_a_blank_both_trees_say(markup: str, apart: bool) -> None:
    page = f"<html><body><section>{markup}</section></body></html>"
    (tag,) = BeautifulSoup(page, "lxml").select("section")
    root, _ = reading.parsed(page.encode(), "utf-8")
    assert runs_together(tag) is apart
    assert reading.runs_together(next(root.iter("section"))) is apart
