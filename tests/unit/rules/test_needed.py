"""Rows that are sorted or chosen by what is not asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scrapewright.programmers.rules.emit import emit
from scrapewright.programmers.rules.plan import plan
from scrapewright.query.model import Query
from scrapewright.query.read import read_query
from scrapewright.survey.model import NextPage
from tests.unit.rules.helpers import Site, group_of, lint, rows_of, run_program, served, survey_of
from tests.unit.rules.test_programs import SHOP_SLOTS, shop_page

PAGES = {"/": shop_page(1, 3), "/page2.html": shop_page(2, 3), "/page3.html": shop_page(3, 3)}


def rows_for(request: str, site: Site, directory: Path) -> list[dict[str, Any]]:
    query: Query = read_query(request.replace("SHOP", site.base + "/"))
    onward = NextPage(how="link", selector="li.next > a", url=site.base + "/page2.html", verified=True)
    survey = survey_of(site.base + "/", group_of("div.product", *SHOP_SLOTS, count=3), onward=onward)
    code = emit(plan(query, survey))
    assert lint(code) == ""
    done = run_program(code, directory)
    assert done.returncode == 0, done.stderr
    return rows_of(directory / query.output_name)


@pytest.mark.parametrize(
    ("request_", "names"),
    [
        ("the 2 cheapest products on SHOP: name", ["Thing 10", "Thing 11"]),
        ("the 4 most expensive products on SHOP: name", ["Thing 32", "Thing 31", "Thing 30", "Thing 22"]),
        ("the 3 highest rated products on SHOP: name", ["Thing 11", "Thing 21", "Thing 31"]),
        (
            "the 5 products with the lowest rating on SHOP: name",
            ["Thing 10", "Thing 20", "Thing 30", "Thing 12", "Thing 22"],
        ),
        (
            "all products on SHOP, all pages: name, sorted by price descending, only those under 12",
            ["Thing 11", "Thing 10"],
        ),
        ("all products over £31 on SHOP, all pages: name", ["Thing 31", "Thing 32"]),
        ("the first 4 products on SHOP: name", ["Thing 10", "Thing 11", "Thing 12", "Thing 20"]),
        ("die 2 billigsten Produkte auf SHOP: Name", ["Thing 10", "Thing 11"]),
        ("les 2 produits les moins chers sur SHOP : nom", ["Thing 10", "Thing 11"]),
    ],
)
def test_the_key_is_read_used_and_left_out(request_: str, names: list[str], tmp_path: Path) -> None:
    with served(PAGES) as site:
        rows = rows_for(request_, site, tmp_path)
    assert [list(row) for row in rows] == [[next(iter(rows[0]))]] * len(names)
    assert [next(iter(row.values())) for row in rows] == names


def test_as_many_pages_are_read_as_the_rows_need(tmp_path: Path) -> None:
    for request_, hits in (
        ("the first 4 products on SHOP: name", ["/", "/page2.html"]),
        ("the first 3 products on SHOP: name", ["/"]),
        ("the newest 4 products on SHOP: name, date", ["/", "/page2.html"]),
        ("the 2 cheapest products on SHOP: name", ["/", "/page2.html", "/page3.html"]),
        ("the 2 cheapest products on this page only SHOP: name", ["/"]),
    ):
        with served(PAGES) as site:
            rows_for(request_, site, tmp_path)
            assert site.hits == hits, request_


def test_json_holds_the_columns_asked_for_alone(tmp_path: Path) -> None:
    with served(PAGES) as site:
        rows = rows_for("the 2 cheapest products on SHOP: name, link. JSON", site, tmp_path)
    assert [list(row) for row in rows] == [["name", "link"]] * 2
