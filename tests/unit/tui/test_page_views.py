"""A page as source, text, tree and records, without a screen."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from scrapewright.session.result import Request
from scrapewright.survey.decode import Document, parse
from scrapewright.survey.extract import Extract
from scrapewright.survey.model import Group, Slot
from scrapewright.tui.opened_pages import pages_of
from scrapewright.tui.view.page_records import record_lines
from scrapewright.tui.view.page_source import LONGEST, offsets_of, source
from scrapewright.tui.view.page_text import reader_text, wrapped
from scrapewright.tui.view.page_tree import HtmlNodes, JsonNodes, Tree, selector_of
from scrapewright.web.page import Page
from tests.json_values import json_values
from tests.suite import examples

CARD = '<article class="card"><h3><a href="/p/{n}">Lamp {n}</a></h3><p class="price">£{n}.50</p></article>'
SCRIPT = "<script>\n" + "let a = '<b>';\n" * 9 + "</script>"
TEXT = (
    f"<html><head><title>Shop</title>{SCRIPT}</head><body><nav><a href='/'>home</a></nav><h1>All\n lamps</h1><main>"
    + "".join(CARD.format(n=n) for n in range(9))
    + "</main><ul><li>one<li>two <b>bold</b></ul><table><tr><td>a<td>b</table><pre>x\n  y</pre>"
    "<!-- no --></body></html>"
)


def document(text: str = TEXT) -> Document:
    return parse(Page("http://shop.test/", headers={"content-type": "text/html"}, body=text.encode()))


def plain(lines: Any) -> list[str]:
    return ["".join(text for text, _ in lines[row]) for row in range(len(lines))]


# source


def test_long_lines_of_source_are_broken_at_tags_and_scripts_are_folded() -> None:
    made = source(TEXT, "markup")
    rows = plain(made)
    assert rows[0].startswith(" 1 <html><head><title>Shop</title><script>")
    assert "10 lines" in rows[0]
    assert all(len(line) < 260 for line in made.lines)
    assert made.lines[made.lines.index(next(line for line in made.lines if "Lamp 4" in line))].startswith("<")
    before = len(made)
    assert made.toggle(0)
    assert len(made) == before + 10
    assert not made.toggle(before)


def test_source_is_coloured_by_what_it_is() -> None:
    styles = dict(source('<a href="x" b>t &amp; u</a><!-- c -->', "markup")[0])
    assert styles["<a"] == "$primary"
    assert styles["href"] == "$accent"
    assert styles['"x"'] == "$success"
    assert styles["&amp;"] == "$warning"
    assert styles["<!-- c -->"] == "$text-quiet"
    styles = dict(source('{\n"a": ["b", 1]}', "json")[1])
    assert (styles['"a"'], styles['"b"'], styles["1"]) == ("$accent", "$success", "$primary")


def test_an_element_is_found_in_the_source_where_that_is_known() -> None:
    page, made = document(), source(TEXT, "markup")
    cards = list(page.root.iter("article"))
    assert [TEXT[at : at + 21] for at in offsets_of(made, cards[3:5])] == ['<article class="card"'] * 2
    assert "Lamp 3" in TEXT[offsets_of(made, cards[3:4])[0] :][:60]
    assert offsets_of(made, [next(page.root.iter("tr"))]) != []
    bodies = document("<p>a<p>b").root
    assert offsets_of(source("<p>a<p>b", "markup"), [bodies]) == []  # the parser's own


@settings(max_examples=examples(150), deadline=None)
@given(st.text(alphabet="<>/!-ab=\"' \n\tscript", max_size=80))
def test_no_source_is_too_odd_and_none_of_it_is_lost(text: str) -> None:
    made = source(text, "markup")
    made.folded.clear()
    made.lay()
    assert "".join(made.lines).split() == text.replace("\n", "").split() or len(made) > 1
    assert sum(len(line) for line in made.lines) >= len(text.replace("\n", ""))
    for row in range(len(made)):
        drawn = "".join(part for part, _ in made[row]).partition(" ")[2]
        assert drawn.strip() == made.lines[row].strip()
        assert len(made.lines[row]) <= LONGEST + 4 * len(text)


# text


def test_the_text_is_what_a_reader_sees() -> None:
    rows = plain(reader_text(document().root).lines)
    assert rows[0] == "home ‹/›"
    assert "# All lamps" in rows
    assert "### Lamp 4 ‹/p/4›" in rows
    assert "£4.50" in rows
    assert rows[rows.index("• one") + 1] == "• two bold"
    assert "a  │  b" in rows
    assert rows[rows.index("x") + 1] == "  y"
    assert not any("let a" in row or "Shop" in row or row.strip() == "no" for row in rows)


def test_text_is_wrapped_with_the_element_of_each_line() -> None:
    text = wrapped(reader_text(document("<p>" + "word " * 40 + "</p>").root), 30)
    assert len(text.lines) == 7
    assert {element.tag for element in text.elements} == {"p"}


# tree


def test_boilerplate_is_folded_and_of_many_alike_the_first_is_open() -> None:
    tree = Tree(HtmlNodes(document().root))
    rows = plain(tree)
    assert any(row.strip().startswith("▸ head") for row in rows)
    assert any(row.strip().startswith("▸ nav") for row in rows)
    assert sum("article.card" in row for row in rows) == 4
    assert "… 6 more like this: article.card" in next(row for row in rows if "more like" in row)
    assert any("p.price  “£0.50”" in row for row in rows)
    assert not any("£1.50”" in row and "p.price" in row for row in rows)
    more = next(row for row, text in enumerate(rows) if "more like" in text)
    assert tree.toggle(more)
    assert sum("article.card" in row for row in plain(tree)) == 9
    assert tree.toggle(0)
    assert len(tree) == 1


def test_a_node_deep_in_what_is_folded_is_shown() -> None:
    page = document()
    tree = Tree(HtmlNodes(page.root))
    price = list(page.root.iter("p"))[7]
    row = tree.reveal(price)
    assert "£7.50" in plain(tree)[row]
    card = tree.row_of(price.getparent())
    assert row in tree.below(card)
    assert selector_of(price, page.root) == "p.price"
    assert selector_of(next(page.root.iter("h3")), page.root) == "article.card > h3"


def test_json_is_a_tree_too() -> None:
    tree = Tree(JsonNodes({"total": 9, "items": [{"name": f"n{n}", "x": None} for n in range(9)]}))
    rows = plain(tree)
    assert rows[1].strip() == "total: 9"
    assert 'name: "n0"' in rows[4]
    assert "… 6 more like this" in rows[-1]
    row = tree.reveal((("items", 7, "name"), "n7"))
    assert 'name: "n7"' in plain(tree)[row]


@settings(max_examples=examples(60), deadline=None)
@given(json_values(st.none() | st.integers() | st.text(max_size=5), most=None))
def test_any_json_has_a_tree(data: Any) -> None:
    tree = Tree(JsonNodes(data))
    for row in reversed(range(len(tree))):
        tree.toggle(row)
    assert len(plain(tree)) == len(tree)


# records, and the list of pages


def test_records_are_tables_with_the_selectors_to_write() -> None:
    slots = (Slot("t", "h3 a", names=("title",)), Slot("u", "h3 a", attr="href", names=("url",)))
    extract = Extract(document(), Group("g", "list", "article.card", 9, slots, headings=("All lamps",)))
    lines = record_lines([extract])
    rows = plain([line.spans for line in lines])
    assert rows[0] == "9 × article.card  under “All lamps”"
    assert rows[1].split() == ["title", "url"]
    assert rows[2].split() == ["h3", "a", "h3", "a@href"]
    assert rows[6].split() == ["4", "Lamp", "3", "/p/3"]
    assert (lines[6].group, lines[6].record) == (0, 3)
    assert "no repeated records" in plain([line.spans for line in record_lines([])])[0]


def test_each_page_is_listed_once() -> None:
    one, two = Request("GET", "http://a/", 200, body="1"), Request("GET", "http://a/2", 200, body="2")
    robots = Request("GET", "http://a/robots.txt", 200, body="3")
    assert pages_of([robots, one, two, one, Request("GET", "http://a/3", 0)]) == [one, two]
