"""Rows that are to be the cheapest, the best, the newest, or that meet a condition on what is not in the output."""

from __future__ import annotations

from operator import itemgetter
from typing import Any

import pytest

from scrapewright.critics.judge import RowsCritic
from scrapewright.query.reading import Column, Filter, Order
from scrapewright.session.verdict import Verdict
from scrapewright.web.page import Page
from tests.unit.critics.shop_pages import BASE, Row, ask, case, document, site, teas

NAME, PRICE = Column("name"), Column("price", "float")


ON_A_PAGE = teas(1)


def judged(rows: list[Row], layout: str = "cards", **asked: Any) -> Verdict:
    query = ask(**{"columns": (NAME, PRICE), **asked})
    return RowsCritic().judge(case(rows, site(layout, 1), query))


def codes(verdict: Verdict) -> set[str]:
    return {finding.code for finding in verdict.findings if finding.severity == "error"}


def best(count: int, falling: bool = False, start: int = 0) -> list[Row]:
    ordered = sorted(ON_A_PAGE, key=itemgetter("price"), reverse=falling)
    return [{"name": row["name"], "price": row["price"]} for row in ordered[start : start + count]]


CHEAPEST = {"order": (Order("price"),), "limit": 3}
both = pytest.mark.parametrize("layout", ["cards", "table"])


@both
@pytest.mark.parametrize("falling", [False, True])
def test_the_cheapest_and_the_dearest_are_right(layout: str, falling: bool) -> None:
    asked: dict[str, Any] = {"order": (Order("price", falling),), "limit": 3}
    verdict = judged(best(3, falling), layout, **asked)
    assert verdict.ok, verdict.findings


@both
def test_three_that_are_not_the_cheapest_are_refused(layout: str) -> None:
    verdict = judged(best(3, start=1), layout, **CHEAPEST)
    assert {(finding.code, finding.source) for finding in verdict.findings} == {("not-extreme", "grammar")}
    first = sorted(
        ({"name": row["name"], "price": row["price"]} for row in ON_A_PAGE[:3]), key=lambda row: row["price"]
    )
    assert "not-extreme" in codes(judged(first, layout, **CHEAPEST))


def test_a_price_of_thousands_is_not_the_lowest() -> None:
    """1.680 may be that, or less than two."""
    prices = {"Fig": "640", "Elm": "702,50", "Oak": "811", "Ash": "1.680", "Yew": "1.204,10", "Fir": "930"}
    cards = "".join(f"<li><h3>{name} Lodge</h3><p class=sum>€ {price}</p></li>" for name, price in prices.items())
    pages = {BASE: Page(BASE, BASE, 200, {"content-type": "text/html"}, document(f"<ul>{cards}</ul>"))}
    rows = [
        {"name": f"{name} Lodge", "price": price} for name, price in (("Fig", 640.0), ("Elm", 702.5), ("Oak", 811.0))
    ]
    query = ask(columns=(NAME, PRICE), **CHEAPEST)
    assert "not-extreme" not in codes(RowsCritic().judge(case(rows, pages, query)))
    second = [rows[0], rows[2], {"name": "Fir Lodge", "price": 930.0}]
    assert "not-extreme" in codes(RowsCritic().judge(case(second, pages, query)))


@both
def test_the_newest_are_those_with_the_latest_day(layout: str) -> None:
    rows = sorted(
        ({"name": r["name"], "packed": r["packed"]} for r in ON_A_PAGE), key=lambda r: r["packed"], reverse=True
    )
    asked: dict[str, Any] = {"columns": (NAME, Column("packed", "date")), "order": (Order("packed", True),), "limit": 3}
    assert "not-extreme" not in codes(judged(rows[:3], layout, **asked))
    assert "not-extreme" in codes(judged(rows[-3:], layout, **asked))


def test_a_key_that_is_no_column_is_reported() -> None:
    verdict = judged(best(3), order=(Order("rating", True),), limit=3)
    (finding,) = [finding for finding in verdict.findings if finding.code == "unchecked"]
    assert "rating" in finding.message


@both
def test_a_condition_on_what_is_not_in_the_output_is_reported(layout: str) -> None:
    rows = [{"name": row["name"], "price": row["price"]} for row in ON_A_PAGE]
    verdict = judged(rows, layout, filters=(Filter("over 4 stars", "rating", "gt", "4"),))
    assert "unchecked" in {finding.code for finding in verdict.findings}


@both
def test_words_of_a_condition_are_looked_for_in_the_record(layout: str) -> None:
    gold = (Filter("only gold", "quality", "contains", "Gold"),)
    rows = [{"name": row["name"], "price": row["price"]} for row in ON_A_PAGE if row["grade"] == "Gold"]
    others = [{"name": row["name"], "price": row["price"]} for row in ON_A_PAGE if row["grade"] != "Gold"][:2]
    assert "filter-broken" not in codes(judged(rows, layout, filters=gold))
    assert "filter-broken" in codes(judged(rows + others, layout, filters=gold))


def test_the_cheapest_of_a_page_of_several_are_not_the_cheapest() -> None:
    pages = site("cards")
    first = {url: page for url, page in pages.items() if url == f"{BASE}/teas"}
    query = ask(columns=(NAME, PRICE), pages="unsaid", **CHEAPEST)
    rows = sorted(({"name": r["name"], "price": r["price"]} for r in teas()[:8]), key=itemgetter("price"))[:3]
    verdict = RowsCritic().judge(case(rows, first, query))
    assert "page-not-fetched" in codes(verdict)
