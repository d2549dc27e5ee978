"""What speaks for each column: how full, from where, how sure; those to be looked at first."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.exports.table import read_table
from scrapewright.session.questions import Decision
from scrapewright.session.verdict import Finding, Verdict
from scrapewright.survey.model import Group, NextPage, Slot, Survey, SurveyedPage
from scrapewright.tui.view.cells import cells
from scrapewright.tui.view.evidence import Evidence, evidence_of, pages_line, place_of, shared, strip

ROWS = b"title,price,url,site,note\nLamp,1234.5,http://h.example/a,x.example,\nVase,3,http://h.example/b,y.example,\n"
TABLE = read_table("rows.csv", ROWS, limit=100, kinds=True)
assert TABLE is not None
SURVEY = Survey(
    pages=(SurveyedPage(url="http://h.example/list", status=200),),
    groups=(
        Group(
            "g", "list", "li", 2,
            slots=(
                Slot("alt", "img", attr="alt", samples=("Lamp", "Vase")), Slot("t", "h3", samples=("Lamp", "Vase")),
                Slot("p", ".price", samples=("£1,234.50", "£3")), Slot("u", "a", attr="href", samples=("/a", "/b")),
            ),
        ),
    ),
    next=NextPage("link", verified=True, last=4),
)  # fmt: skip
VERDICT = Verdict(
    ok=False, score=0.5, rows=2, pages=1, file="rows.csv", checked=("2 of 2 rows",),
    findings=(Finding("rival", "the page calls another place so", column="site", severity="doubt"),),
    unchecked=("whether title could be another text of the record",),
)  # fmt: skip


def test_each_column_says_how_full_it_is_where_it_is_from_and_how_sure_it_is() -> None:
    assert TABLE is not None
    decided = (Decision("column", "price", text=".price", how="selector"),)
    found = {each.column: each for each in evidence_of(TABLE, VERDICT, decided, SURVEY)}
    assert [*found] == ["site", "note", "title", "url", "price"], "what is to be looked at comes first"
    assert [(e.filled, e.total) for e in found.values()] == [(2, 2), (0, 2), (2, 2), (2, 2), (2, 2)]
    assert found["title"].samples == ("Lamp", "Vase")
    assert found["url"].samples == ("…/a", "…/b"), "what all links begin with tells none from the others"
    places = {column: each.place for column, each in found.items()}
    assert places == {"site": "", "note": "", "title": "h3", "url": "a@href", "price": ".price"}
    assert found["site"].sure == "rival: the page calls another place so"
    assert (found["title"].sure, found["url"].sure, found["price"].sure) == (
        "may be another text", "checked", "you said so",
    )  # fmt: skip


def test_where_a_column_is_from_is_what_the_program_says_and_not_where_its_numbers_happen_to_be() -> None:
    table = read_table("rows.csv", b"comments,points,rating\n3,1,4\n1,2,5\n2,7,4\n", limit=9, kinds=True)
    assert table is not None
    age = Slot("age", "time", samples=("1 hour ago", "2 hours ago", "3 hours ago"))
    survey = Survey(SURVEY.pages, groups=(Group("g", "list", "li", 3, slots=(age,)),))
    guessed = {each.column: each.place for each in evidence_of(table, VERDICT, (), survey)}
    assert guessed == {"comments": "", "points": "", "rating": ""}, "all of its numbers are in the ages, too"
    code = """
def read(story):
    return {
        "comments": number_in(text_of(story.select_one(".label") or story.select_one(".old"))),
        "rating": words(classes_of(story.select_one("p.stars"))),
    }
"""
    places = {each.column: each.place for each in evidence_of(table, VERDICT, (), survey, code)}
    assert places == {"comments": ".label or .old", "points": "", "rating": "p.stars@class"}


@pytest.mark.parametrize(("width", "lines"), [(30, 2), (57, 4), (120, 8)])
def test_the_strip_fits_and_counts_what_it_leaves_out(width: int, lines: int) -> None:
    assert TABLE is not None
    shown = strip(evidence_of(TABLE, VERDICT, (), SURVEY), VERDICT, SURVEY, width, lines)
    assert len(shown) <= lines
    text = ["".join(part for part, _ in line) for line in shown]
    assert text[0].startswith("site")
    assert text[-1].startswith("1 page of 4 read")
    if width >= 57:
        assert max(map(cells, text)) <= width
        assert ("more column" in text[-1]) is (len(shown) - 1 < len(TABLE.columns))


def test_on_a_narrow_screen_no_part_of_a_line_takes_the_room_of_the_others() -> None:
    """Samples were cut to "1…" beside a long name and a place."""
    doubted = Evidence(
        "number_of_comments", 29, 30, ("10", "11", "12"), "+ td.subtext > a.hnuser", "may be another", "", 3
    )
    sure = Evidence("site", 30, 30, ("amber.example", "b.example", "c.example"), "span.sitestr", "checked", "", 4)
    first, second, _ = strip([doubted, sure], VERDICT, None, 56, 4)
    assert [text.strip() for text, _ in first] == ["number_of…", "29 of 30", "+ t…hnuser", "10 · 11 ·…", "may be an…"]
    assert [text.strip() for text, _ in second][3:] == ["amber.exampl…", "checked"]


def test_room_that_one_does_not_need_goes_to_the_others() -> None:
    assert shared([18, 4, 90, 30], 60) == [18, 4, 19, 19]
    assert shared([18, 0, 9, 7], 60) == [18, 0, 9, 7]
    assert shared([50, 50], 1) == [1, 1], "the smallest screen there is"


def test_columns_without_a_line_are_named_with_what_they_lack() -> None:
    assert TABLE is not None
    shown = strip(evidence_of(TABLE, VERDICT, (), SURVEY), VERDICT, SURVEY, 120, 2)
    assert len(shown) == 2
    said = "".join(part for part, _ in shown[-1])
    assert said.startswith("1 page of 4 read · 4 more columns: note 0 of 2, title, price, url · not checked: ")


def test_pages_that_are_there_and_were_not_read_are_said() -> None:
    one = Verdict(ok=True, score=1.0, pages=1)
    assert pages_line(one, Survey(SURVEY.pages, next=NextPage("link", verified=True))) == "page 1 read, more are there"
    assert pages_line(Verdict(ok=True, score=1.0, pages=5), Survey(SURVEY.pages)) == "5 pages read"


@given(st.lists(st.text(max_size=20), max_size=4))
def test_any_values_have_a_place_or_none(values: list[str]) -> None:
    assert place_of(values, SURVEY) in {"", "h3", "img@alt", ".price", "a@href"}
