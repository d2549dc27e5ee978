"""Generated programs, run alone against a small site."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.programmers.rules.emit import emit
from scrapewright.programmers.rules.helpers import HELPERS, step_of
from scrapewright.programmers.rules.plan import noun_of, plan
from scrapewright.query.reading import Column, Filter, Order, Reading
from scrapewright.survey.model import NextPage, Slot, Survey
from scrapewright.web.page import Page
from tests.unit.rules.helpers import group_of, lint, rows_of, run_program, served, survey_of


def shop_page(number: int, last: int) -> str:
    words = ("One", "Three", "Two")
    items = "".join(
        f'<div class="product"><h3><a href="/p/{number}{at}.html">Thing {number}{at}</a></h3>'
        f'<p class="price">£{number}{at}.50</p><p class="star-rating {word}"></p>'
        f'<span><a class="tag">t{at}</a>, <a class="tag">wood</a></span>'
        f'<p class="stock">In stock ({at + 3} left)</p><time>{at + 1} March 2024</time></div>'
        for at, word in enumerate(words)
    )
    onward = f'<li class="next"><a href="/page{number + 1}.html">next</a></li>' if number < last else ""
    return f"<html><body>{items}{onward}</body></html>"


SHOP_SLOTS = (
    Slot("title", "h3 a", names=("title",), samples=("Thing 10", "Thing 11")),
    Slot("link", "h3 a", attr="href", type="url", names=("title",), samples=("/p/10.html", "/p/11.html")),
    Slot("price", "p.price", type="float", names=("price",), samples=("£10.50", "£11.50")),
    Slot("stars", "p.star-rating", attr="class", names=("star", "rating"), samples=("star-rating One",)),
    Slot("tags", "a.tag", many=True, names=("tag",), samples=("t0; wood",)),
    Slot("stock", "p.stock", names=("stock",), samples=("In stock (3 left)", "In stock (4 left)")),
    Slot("time", "time", type="date", names=("time",), samples=("1 March 2024", "2 March 2024")),
)
FIELDS = (
    Column("name"),
    Column("price", type="float"),
    Column("rating", type="int"),
    Column("tags", type="list"),
    Column("left", type="int"),
    Column("date", type="date"),
    Column("url", type="url"),
)


def test_a_shop_of_three_pages(tmp_path: Path) -> None:
    with served({"/": shop_page(1, 3), "/page2.html": shop_page(2, 3), "/page3.html": shop_page(3, 3)}) as site:
        onward = NextPage(how="link", selector="li.next > a", url=site.base + "/page2.html", verified=True)
        survey = survey_of(site.base + "/", group_of("div.product", *SHOP_SLOTS, count=3), onward=onward)
        query = Reading(
            text="", urls=(site.base + "/",), columns=FIELDS, row_is="products", pages="all",
            order=(Order("price", True),),
        )  # fmt: skip
        code = emit(plan(query, survey))
        assert lint(code) == ""
        done = run_program(code, tmp_path)
        assert done.returncode == 0, done.stderr
        assert done.stdout == "9 products written to rows.csv\n"
        rows = rows_of(tmp_path / "rows.csv")
        assert site.hits == ["/", "/page2.html", "/page3.html"]
        assert list(rows[0].values()) == [
            "Thing 32",
            "32.5",
            "2",
            "t2; wood",
            "5",
            "2024-03-03",
            site.base + "/p/32.html",
        ]
        assert [row["name"] for row in rows] == [f"Thing {page}{at}" for page in (3, 2, 1) for at in (2, 1, 0)]


def programmed(
    query: Reading, survey: Survey, directory: Path, pages: dict[str, Page] | None = None
) -> list[dict[str, Any]]:
    """The rows of the first program, which must be clean and end well."""
    code = emit(plan(query, survey, pages=pages))
    assert lint(code) == ""
    done = run_program(code, directory)
    assert done.returncode == 0, done.stderr
    return rows_of(directory / query.output_name)


def test_a_table_with_filter_order_and_limit(tmp_path: Path) -> None:
    rows = [
        ("Alpha", "1,200", "12/31/2023"),
        ("Beta", "-", "02/15/2024"),
        ("Gamma", "900", "03/20/2024"),
        ("Delta", "15", "04/01/2024"),
    ]
    body = "".join(f"<tr><td>{name}</td><td>{size}</td><td>{day}</td></tr>" for name, size, day in rows)
    page = f"<table id='t'><tr><th>Name</th><th>Visitors</th><th>Day</th></tr>{body}</table>"
    with served({"/t": page}) as site:
        slots = (
            Slot("a", "td:nth-of-type(1)", names=("name",), header="Name", samples=tuple(row[0] for row in rows)),
            Slot(
                "b",
                "td:nth-of-type(2)",
                names=("visitors",),
                header="Visitors",
                type="int",
                samples=tuple(row[1] for row in rows),
            ),
            Slot(
                "c",
                "td:nth-of-type(3)",
                names=("day",),
                header="Day",
                type="date",
                samples=tuple(row[2] for row in rows),
            ),
        )
        survey = survey_of(site.base + "/t", group_of("#t tr", *slots, kind="table", count=4, skip=(1, 0)))
        query = Reading(
            text="", urls=(site.base + "/t",), limit=2, format="json", order=(Order("visitors", True),),
            columns=(Column("name"), Column("visitors", type="int", note="optional"), Column("day", type="date")),
            filters=(Filter("2024", column="day", op="ge", value="2024-01-01"),),
        )  # fmt: skip
        assert programmed(query, survey, tmp_path) == [
            {"name": "Gamma", "visitors": 900, "day": "2024-03-20"},
            {"name": "Delta", "visitors": 15, "day": "2024-04-01"},
        ]


def test_rows_of_a_kind_that_is_left_out(tmp_path: Path) -> None:
    page = "".join(
        f"<li><b>{name}</b> <i>{kind}</i></li>" for name, kind in (("a1", "cars"), ("b2", "coach park"), ("c3", "cars"))
    )
    with served({"/": f"<ul>{page}</ul>"}) as site:
        slots = (
            Slot("n", "b", names=("name",), samples=("a1", "b2", "c3")),
            Slot("k", "i", names=("kind",), samples=("cars", "coach park")),
        )
        survey = survey_of(site.base + "/", group_of("li", *slots, count=3))
        query = Reading(
            text="", urls=(site.base + "/",), columns=(Column("name"),), row_is="places",
            filters=(Filter("leave out the coach parks", op="lacks", value="coach parks"),),
        )  # fmt: skip
        pages = {site.base + "/": site.page("/")}
        assert programmed(query, survey, tmp_path, pages) == [{"name": "a1"}, {"name": "c3"}]


def test_a_feed(tmp_path: Path) -> None:
    feed = (
        '<?xml version="1.0" encoding="utf-8"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>'
        "<item><title>Äpfel &amp; Birnen</title><link>http://a.example/1</link><dc:creator>Ann</dc:creator>"
        "<pubDate>Sun, 05 May 2024 10:00:00 +0200</pubDate></item></channel></rss>"
    ).encode()
    with served({"/rss": (feed, "application/rss+xml")}) as site:
        slots = (
            Slot("t", "title", names=("title",), samples=("Äpfel & Birnen",)),
            Slot("l", "link", names=("link",), type="url", samples=("http://a.example/1",)),
            Slot("c", "dc|creator", names=("creator",), samples=("Ann",)),
            Slot("d", "pubDate", names=("pub date",), type="date", samples=("Sun, 05 May 2024 10:00:00 +0200",)),
        )
        survey = survey_of(site.base + "/rss", group_of("item", *slots, kind="feed", count=1))
        fields = (Column("title"), Column("link", type="url"), Column("author"), Column("published", type="date"))
        query = Reading(text="rss", urls=(site.base + "/rss",), columns=fields, format="jsonl")
        assert programmed(query, survey, tmp_path) == [
            {"title": "Äpfel & Birnen", "link": "http://a.example/1", "author": "Ann", "published": "2024-05-05"}
        ]


def test_json_in_a_script(tmp_path: Path) -> None:
    data = (
        '[{"text": "One", "by": {"name": "Ann"}, "tags": ["a", "b"], "parts": ["x", "y"]},'
        ' {"text": "Two", "by": null, "tags": []}]'
    )
    with served({"/js": f"<script>var other = 1; var data = {data};\nrender(data);</script>"}) as site:
        slots = (
            Slot("t", "text", names=("text",), samples=("One", "Two")),
            Slot("n", "by.name", names=("by", "name"), samples=("Ann",)),
            Slot("g", "tags", many=True, type="list", names=("tags",), samples=("a", "b")),
            Slot("p", "parts", many=True, type="list", names=("parts",), samples=("x", "y")),
        )
        survey = survey_of(site.base + "/js", group_of("", *slots, kind="json", source="var data", count=2))
        fields = (Column("text"), Column("author", note="by"), Column("tags", type="list"), Column("parts"))
        query = Reading(text="", urls=(site.base + "/js",), columns=fields, format="json")
        assert programmed(query, survey, tmp_path) == [
            {"text": "One", "author": "Ann", "tags": ["a", "b"], "parts": ["x", "y"]},
            {"text": "Two", "author": None, "tags": [], "parts": []},
        ]


def test_an_endpoint_counted_up_to_its_end(tmp_path: Path) -> None:
    pages = {f"/api?page={n}": f'{{"items": [{{"name": "p{n}", "price": {n}.5}}]}}' for n in (1, 2, 3)}
    pages["/api?page=4"] = '{"items": []}'
    with served({**pages, "/": "<p>loads by script</p>"}) as site:
        slots = (
            Slot("n", "name", names=("name",), samples=("p1",)),
            Slot("p", "price", names=("price",), type="float", samples=("1.5",)),
        )
        first = site.base + "/api?page=1"
        group = group_of("items", *slots, kind="json", source=f"url {first}", count=1)
        onward = NextPage(how="param", param="page", start=1, url=site.base + "/api?page=2", verified=True)
        survey = survey_of(site.base + "/", group, onward=onward)
        fields = (Column("name"), Column("price", type="float"))
        query = Reading(text="", urls=(site.base + "/",), columns=fields, pages="all", format="json")
        rows = programmed(query, survey, tmp_path, {first: site.page("/api?page=1")})
        assert rows == [{"name": f"p{n}", "price": n + 0.5} for n in (1, 2, 3)]


def test_the_pages_behind_the_links_are_opened_once(tmp_path: Path) -> None:
    listing = "<h1>Site</h1>" + "".join(
        f'<div class="q"><i>{text}</i><a href="/by/{who}">about</a></div>'
        for text, who in (("x", "ann"), ("y", "bob"), ("z", "ann"))
    )
    people = {
        f"/by/{who}": f"<h1>Site</h1><h3>{who.title()}</h3><p class='born'>Born: {day}</p>"
        for who, day in (("ann", "May 5, 1950"), ("bob", "June 6, 1961"))
    }
    with served({"/": listing, **people}) as site:
        records = group_of(
            "div.q",
            Slot("t", "i", names=("text",), samples=("x",)),
            Slot("l", "a", attr="href", type="url", samples=("/by/ann",)),
            count=3,
        )
        person = (
            Slot("h", "h1", names=("title",), samples=("Site",)),
            Slot("n", "h3", names=("name",), samples=("Ann",)),
            Slot("b", "p.born", names=("born",), label="Born:", samples=("Born: May 5, 1950",)),
        )
        detail = survey_of(site.base + "/by/ann", group_of("body", *person, kind="page", count=1))
        survey = survey_of(site.base + "/", records, detail=detail, follow_slot="l")
        query = Reading(
            text="", urls=(site.base + "/",), columns=(Column("name"), Column("born", type="date")), follow="about",
            distinct=("name",), order=(Order("name"),), row_is="people",
        )  # fmt: skip
        pages = {site.base + path: site.page(path) for path in site.pages}
        assert programmed(query, survey, tmp_path, pages) == [
            {"name": "Ann", "born": "1950-05-05"},
            {"name": "Bob", "born": "1961-06-06"},
        ]
        assert site.hits == ["/", "/by/ann", "/by/bob"]


def test_headings_above_and_values_in_the_next_row(tmp_path: Path) -> None:
    page = (
        "<h2>North</h2><table><tr class='t'><td><a href='/1'>One</a></td></tr>"
        "<tr><td class='s'>5 points</td></tr></table>"
        "<h2>South</h2><table><tr class='t'><td><a href='/2'>Two</a></td></tr><tr><td class='s'>sponsored</td></tr>"
        "<tr class='t'><td><a href='/3'>Three</a></td></tr></table>"
    )
    with served({"/": page}) as site:
        slots = (
            Slot("t", "a", names=("title",), samples=("One", "Two", "Three")),
            Slot("p", "+ td.s", names=("s",), samples=("5 points", "sponsored")),
            Slot("h", "^ h2", names=("section", "heading"), samples=("North", "South")),
        )
        survey = survey_of(site.base + "/", group_of("tr.t", *slots, count=3))
        fields = (
            Column("title"),
            Column("points", type="int", note="optional"),
            Column("region", note="the heading it stands under"),
        )
        query = Reading(text="", urls=(site.base + "/",), columns=fields, format="json")
        pages = {site.base + "/": site.page("/")}
        assert programmed(query, survey, tmp_path, pages) == [
            {"title": "One", "points": 5, "region": "North"},
            {"title": "Two", "points": None, "region": "South"},
            {"title": "Three", "points": None, "region": "South"},
        ]


def test_without_fields_the_page_names_them(tmp_path: Path) -> None:
    with served({"/": shop_page(1, 1)}) as site:
        survey = survey_of(site.base + "/", group_of("div.product", *SHOP_SLOTS, count=3))
        query = Reading(text="", urls=(site.base + "/",), row_is="products")
        rows = programmed(query, survey, tmp_path, {site.base + "/": site.page("/")})
        assert rows[0]["title"] == "Thing 10"
        assert rows[0]["price"] == "10.5"
        assert rows[0]["title_url"] == site.base + "/p/10.html"


def test_an_unusual_value_stops_the_program_where_the_trace_can_show_it(tmp_path: Path) -> None:
    pages = {
        "/": shop_page(1, 3),
        "/page2.html": shop_page(2, 3),
        "/page3.html": shop_page(3, 3).replace("£31.50", "£1,031.50"),
    }
    with served(pages) as site:
        onward = NextPage(how="link", selector="li.next > a", url=site.base + "/page2.html", verified=True)
        survey = survey_of(site.base + "/", group_of("div.product", *SHOP_SLOTS, count=3), onward=onward)
        query = Reading(text="", urls=(site.base + "/",), columns=FIELDS, pages="all")
        seen = {site.base + path: site.page(path) for path in ("/", "/page2.html")}
        done = run_program(emit(plan(query, survey, pages=seen)), tmp_path)
        assert done.returncode == 1
        assert "could not convert string to float: '1,031.50'" in done.stderr


def test_choices_run_out() -> None:
    survey = survey_of("http://a.example/", group_of("div.product", *SHOP_SLOTS, count=3))
    query = Reading(text="", urls=("http://a.example/",), columns=FIELDS)
    assert plan(query, survey).group.selector == "div.product"
    with pytest.raises(LookupError):
        plan(query, survey, 1)


def test_a_list_holds_no_gaps_and_is_written_as_one_text(tmp_path: Path) -> None:
    figures = '<p class="entry"><img alt="Oak"><img alt=""><img></p><p class="entry"><img alt="Ash"></p>'
    slot = Slot("kinds", "img", attr="alt", many=True, names=("kinds",), samples=("Oak", "Ash"))
    with served({"/": f"<html><body>{figures}</body></html>"}) as site:
        query = Reading(
            text="", urls=(site.base + "/",), columns=(Column("kinds", type="list"),), order=(Order("kinds", False),)
        )
        code = emit(plan(query, survey_of(site.base + "/", group_of("p.entry", slot, count=2))))
        assert lint(code) == ""
        assert run_program(code, tmp_path).stderr == ""
        assert [row["kinds"] for row in rows_of(tmp_path / "rows.csv")] == ["Ash", "Oak"]


def test_numbers_in_a_list_of_json_are_written_as_one_text(tmp_path: Path) -> None:
    answer = '[{"sizes": [38, 40]}, {"sizes": null}]'
    slot = Slot("sizes", "sizes", many=True, names=("sizes",), samples=("38; 40",))
    group = group_of("", slot, kind="json", count=2, source="body")
    with served({"/": answer}) as site:
        query = Reading(
            text="", urls=(site.base + "/",), columns=(Column("sizes", type="list"),), order=(Order("sizes", True),)
        )
        code = emit(plan(query, survey_of(site.base + "/", group)))
        assert run_program(code, tmp_path).stderr == ""
        assert [row["sizes"] for row in rows_of(tmp_path / "rows.csv")] == ["38; 40", ""]


@pytest.mark.parametrize(
    ("row_is", "kind", "noun"),
    [
        ("books", "list", "book"),
        ("leaderboard", "table", "table_row"),
        ("directory listing", "table", "table_row"),
        ("board members", "table", "member"),
        ("RSS feed", "feed", "item"),
        ("sitemap index", "list", "entry"),
        ("", "list", "entry"),
    ],
)
def test_a_record_is_called_by_what_it_is_and_not_by_what_holds_it(row_is: str, kind: str, noun: str) -> None:
    assert noun_of(Reading(row_is=row_is), group_of("li", kind=kind)) == noun


PARAMETERS = ["page", "p[]", "p{__import__('os').getcwd()}", 'a"b', "a\\", "ä{0}\n"]


@pytest.mark.parametrize("parameter", PARAMETERS)
def test_the_name_of_a_parameter_is_text_whatever_the_page_says(parameter: str) -> None:
    onward = NextPage(how="param", param=parameter, start=1, url="http://shop.test/?x=2", verified=True)
    survey = survey_of("http://shop.test/", group_of("div.product", *SHOP_SLOTS, count=3), onward=onward)
    query = Reading(text="", urls=("http://shop.test/",), columns=FIELDS[:2], row_is="products", pages="all")
    tree = ast.parse(emit(plan(query, survey)))
    (call,) = (node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func) == "page_link")
    assert ast.literal_eval(call.args[1]) == quote(parameter, safe="[]")


def test_the_number_of_a_page_is_set_or_replaced_in_its_url() -> None:
    space: dict[str, Any] = {"re": re}
    exec(HELPERS["page_link"], space)
    links = [space["page_link"](url, "p[]", 3) for url in ("/a", "/a?x=1", "/a?p[]=1&x=1", "/a?x=1&p[]=")]
    assert links == ["/a?p[]=3", "/a?x=1&p[]=3", "/a?p[]=3&x=1", "/a?x=1&p[]=3"]


@given(st.text(max_size=12) | st.from_regex(r"-?[0-9]{0,4}", fullmatch=True))
def test_a_step_of_a_path_in_json_is_an_index_or_a_text(key: str) -> None:
    step = ast.literal_eval(step_of(key))
    assert step == key or (isinstance(step, int) and str(step) == key)


def test_a_key_of_figures_is_found_in_an_object_and_an_index_in_a_list() -> None:
    space: dict[str, Any] = {}
    exec(HELPERS["dig"], space)
    assert space["dig"]({"2020": [5, {"a": 7}]}, 2020, 1, "a") == 7
    assert space["dig"]([1], "a") is None
