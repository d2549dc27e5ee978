"""Generated programs, run alone against a small site."""

from __future__ import annotations

from pathlib import Path

from scrapewright.programmers.rules.emit import emit
from scrapewright.programmers.rules.plan import plan
from scrapewright.query.model import Field, Order, Query
from scrapewright.survey.model import NextPage, Slot
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
    Field("name"),
    Field("price", type="float"),
    Field("rating", type="int"),
    Field("tags", type="list"),
    Field("left", type="int"),
    Field("date", type="date"),
    Field("url", type="url"),
)


def test_a_shop_of_three_pages(tmp_path: Path) -> None:
    with served({"/": shop_page(1, 3), "/page2.html": shop_page(2, 3), "/page3.html": shop_page(3, 3)}) as site:
        onward = NextPage(how="link", selector="li.next > a", url=site.base + "/page2.html", verified=True)
        survey = survey_of(site.base + "/", group_of("div.product", *SHOP_SLOTS, count=3), onward=onward)
        query = Query(
            text="", urls=(site.base + "/",), fields=FIELDS, subject=("products",), paging="all",
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
