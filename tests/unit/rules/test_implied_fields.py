"""Rows that are sorted or chosen by what is not asked for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from scrapewright.programmers.rules.emit import emit
from scrapewright.programmers.rules.plan import plan
from scrapewright.query.read import read_request
from scrapewright.query.reading import Filter, Order
from scrapewright.survey.model import NextPage
from tests.unit.rules.helpers import Site, group_of, lint, rows_of, run_program, served, survey_of
from tests.unit.rules.test_programs import SHOP_SLOTS, shop_page

PAGES = {"/": shop_page(1, 3), "/page2.html": shop_page(2, 3), "/page3.html": shop_page(3, 3)}


def rows_for(site: Site, directory: Path, columns: str = "name", **parts: Any) -> list[dict[str, Any]]:
    reading = msgspec.structs.replace(read_request(f"products on {site.base}/: {columns}"), **parts)
    onward = NextPage(how="link", selector="li.next > a", url=site.base + "/page2.html", verified=True)
    survey = survey_of(site.base + "/", group_of("div.product", *SHOP_SLOTS, count=3), onward=onward)
    code = emit(plan(reading, survey))
    assert lint(code) == ""
    done = run_program(code, directory)
    assert done.returncode == 0, done.stderr
    return rows_of(directory / reading.output_name)


CHEAPEST, DEAREST = (Order("price"),), (Order("price", descending=True),)


@pytest.mark.parametrize(
    ("parts", "names"),
    [
        ({"order": CHEAPEST, "limit": 2}, ["Thing 10", "Thing 11"]),
        ({"order": DEAREST, "limit": 4}, ["Thing 32", "Thing 31", "Thing 30", "Thing 22"]),
        ({"order": (Order("rating", descending=True),), "limit": 3}, ["Thing 11", "Thing 21", "Thing 31"]),
        (
            {"order": (Order("rating"),), "limit": 5},
            ["Thing 10", "Thing 20", "Thing 30", "Thing 12", "Thing 22"],
        ),
        (
            {"order": DEAREST, "pages": "all", "filters": (Filter("under 12", "price", "lt", "12"),)},
            ["Thing 11", "Thing 10"],
        ),
        ({"pages": "all", "filters": (Filter("over £31", "price", "gt", "31"),)}, ["Thing 31", "Thing 32"]),
        ({"limit": 4}, ["Thing 10", "Thing 11", "Thing 12", "Thing 20"]),
    ],
)
def test_the_key_is_read_used_and_left_out(parts: dict[str, Any], names: list[str], tmp_path: Path) -> None:
    with served(PAGES) as site:
        rows = rows_for(site, tmp_path, **parts)
    assert rows == [{"name": name} for name in names]


def test_as_many_pages_are_read_as_the_rows_need(tmp_path: Path) -> None:
    parts: dict[str, Any]
    for columns, parts, hits in (
        ("name", {"limit": 4}, ["/", "/page2.html"]),
        ("name", {"limit": 3}, ["/"]),
        ("name, date", {"order": (Order("date", descending=True),), "limit": 4}, ["/", "/page2.html"]),
        ("name", {"order": CHEAPEST, "limit": 2}, ["/", "/page2.html", "/page3.html"]),
        ("name", {"order": CHEAPEST, "limit": 2, "pages": "first"}, ["/"]),
    ):
        with served(PAGES) as site:
            rows_for(site, tmp_path, columns, **parts)
            assert site.hits == hits, parts


def test_json_holds_the_columns_asked_for_alone(tmp_path: Path) -> None:
    with served(PAGES) as site:
        rows = rows_for(site, tmp_path, "name, link. JSON", order=CHEAPEST, limit=2)
    assert [list(row) for row in rows] == [["name", "link"]] * 2
