"""Where a program reads its columns, as its own text says it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.query.reading import Reading
from scrapewright.session.result import Request
from scrapewright.survey.model import Group, Slot, Survey
from scrapewright.tui.opened_page import OpenedPage
from scrapewright.tui.view.page import ShownTree, lay_out
from scrapewright.tui.view.program_places import places_in
from scrapewright.web.page import Page

HTML = {"content-type": "text/html"}
RULES = """
def read_story(story, page_url):
    return {
        "title": text_of(story.select_one("a.u-url")),
        "points": parse_points(text_of(story.select_one("a.upvoter"))),
        "cover": attribute_of(story.select_one("img"), "alt"),
        "rating": parse_rating(classes_of(story.select_one("p.rating"))),
        "url": absolute(page_url, attribute_of(story.select_one("div > a"), "href")),
        "size": text_of(nth(story.select("td"), 2)),
        "whole": text_of(story),
        "id": attribute_of(story, "id"),
        "empty": None,
        "heading": text_of(nearest_before(story, "h2")),
    }
"""
BY_HAND = """
for card in soup.select("li.card"):
    link = card.find("a", class_="name big")
    title = link.get_text(strip=True) if link else None
    price = (card.select_one(".now") or card.select_one(".price")).text.strip()
    row = {"title": title, "price": float(price), "href": link["href"]}
    row["tags"] = [tag.get_text() for tag in card.select(".tag")]
    row["second"] = card.select("td")[1].text
    row["deep"] = card.select_one(".box").find("b").text
    row["by_text"] = card.find("b", string="Price").text
"""


def said(code: str) -> dict[str, list[str]]:
    return {column: [str(place) for place in places] for column, places in places_in(code).items()}


def test_what_the_rules_write_is_read() -> None:
    assert said(RULES) == {
        "title": ["a.u-url"], "points": ["a.upvoter"], "cover": ["img@alt"], "rating": ["p.rating@class"],
        "url": ["div > a@href"], "size": ["td [3]"], "whole": ["(the record)"], "id": ["@id"],
    }  # fmt: skip


def test_what_a_person_or_a_model_writes_is_read() -> None:
    found = said(BY_HAND)
    assert found.pop("by_text", None) is None, "a place that no selector says is not made up"
    assert found == {
        "title": ["a.name.big"], "price": [".now", ".price"], "href": ["a.name.big@href"], "tags": [".tag"],
        "second": ["td [2]"], "deep": [".box b"],
    }  # fmt: skip


def test_of_json_the_keys_are_read() -> None:
    code = """
def read(item):
    row = {"name": item["name"], "by": item.get("author", {})["name"], "left": dig(item, "stock", "left")}
"""
    assert said(code) == {"name": ["name"], "by": ["author.name"], "left": ["stock.left"]}


BEHIND = """
def read_good(good):
    following = good.find_next_sibling()
    after_next = following and following.find_next_sibling()
    return {
        "score": text_of(following and following.select_one("b")),
        "by": text_of(following and nth(following.select("i"), 1)),
        "note": text_of(after_next),
        "name": text_of(good.select_one("h3")),
    }
"""


def test_what_is_behind_a_record_is_written_as_the_bench_takes_it() -> None:
    assert said(BEHIND) == {"score": ["+ b"], "by": ["+ i [2]"], "note": ["+ +"], "name": ["h3"]}


def test_it_is_named_on_the_page() -> None:
    body = "".join(
        f"<div class=good><h3>{name}</h3></div><p><b>3</b><i>3</i><i>{by}</i></p><p>so</p>"
        for name, by in (("Oak", "Ann"), ("Elm", "Bob"))
    )
    page = OpenedPage(Request("GET", "http://h.test/"), Page("http://h.test/", headers=HTML, body=body.encode()))
    row = {"name": "Elm", "score": "3", "by": "Bob", "note": "so"}
    survey = Survey((), groups=(Group("g", "list", "div.good", 2, slots=(Slot("n", "h3"), Slot("s", "+ + p"))),))
    located = page.locate(row, survey, Reading(""), lambda: True)
    assert located is not None, "most of the row is not in the record itself"
    tree = lay_out("tree", page.request, lambda _: page, survey, Reading(""), 80, lambda: True)
    assert isinstance(tree, ShownTree)
    tree.mark(located, row, None, reveal=True, code=BEHIND)
    assert {element.text: label for element, label in tree.lines.tags.items()} == {
        "Elm": "name", "3": "score", "Bob": "by", "so": "note",
    }  # fmt: skip


@pytest.mark.parametrize("code", ["", "def (", 'x = {"a": x["a"]}\nx = x', "a = b\nb = a\nr = {'c': a}", "\0"])
def test_what_says_nothing_has_no_places(code: str) -> None:
    assert places_in(code) == {}


@given(st.text(max_size=60))
def test_any_text_is_looked_into(text: str) -> None:
    places_in(text)
    places_in(f"row = {{'a': soup.select_one({text!r}).text}}")


PAGE = (
    '<html><body><ul><li class="good"><img alt="Oak"><h3>Oak</h3><i class="stars Three"></i><b>3</b></li>'
    '<li class="good"><img alt="Elm"><h3>Elm</h3><i class="stars Five"></i><b>3</b></li></ul></body></html>'
)
READS = """
def read(good):
    return {
        "name": attribute_of(good.select_one("img"), "alt"), "rating": words(classes_of(good.select_one("i.stars"))),
        "left": text_of(good.select_one("b")), "lost": text_of(good.select_one("td")),
    }
"""


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("", {"h3": "name", "b": "rating, left"}),
        (READS, {"img": "name @alt", "i": "rating @class", "b": "left"}),
    ],
    ids=["by what says the value", "by what the program selects"],
)
def test_the_elements_that_a_program_reads_are_named_on_the_page(code: str, wanted: dict[str, str]) -> None:
    page = OpenedPage(Request("GET", "http://h.test/"), Page("http://h.test/", headers=HTML, body=PAGE.encode()))
    row = {"name": "Elm", "rating": "3", "left": "3"}
    survey = Survey((), groups=(Group("g", "list", "li.good", 2, slots=(Slot("n", "h3"),)),))
    located = page.locate(row, survey, Reading(""), lambda: True)
    assert located is not None
    tree = lay_out("tree", page.request, lambda _: page, survey, Reading(""), 80, lambda: True)
    assert isinstance(tree, ShownTree)
    tree.mark(located, row, None, reveal=True, code=code)
    assert {element.tag: label for element, label in tree.lines.tags.items()} == wanted
