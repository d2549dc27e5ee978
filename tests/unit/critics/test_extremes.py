"""Rows that are to be the cheapest, the best, the newest, or that meet a condition on what is not in the output."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from scrapewright.critics.judge import RowsCritic
from scrapewright.loop.ports import Case
from scrapewright.query.reading import Column, Filter, Order, Reading
from scrapewright.session.verdict import Verdict
from scrapewright.survey.model import Survey
from scrapewright.survey.survey import survey_pages
from tests.unit.critics.shop_pages import BASE, Row, ask, case, site, teas

NAME, PRICE = Column("name"), Column("price", "float")


def judged(rows: list[Row], layout: str = "cards", **asked: Any) -> Verdict:
    pages = site(layout)
    query: Reading = ask(**{"columns": (NAME,), **asked})
    survey: Survey = survey_pages(query, [pages[f"{BASE}/teas"]])
    given: Case = msgspec.structs.replace(case(rows, pages, query), survey=survey)
    return RowsCritic().judge(given)


def codes(verdict: Verdict) -> set[str]:
    return {finding.code for finding in verdict.findings if finding.severity == "error"}


def best(count: int, falling: bool = False, start: int = 0, columns: tuple[str, ...] = ("name",)) -> list[Row]:
    ordered = sorted(teas(), key=lambda row: row["price"], reverse=falling)
    return [{column: row[column] for column in columns} for row in ordered[start : start + count]]


CHEAPEST = {"order": (Order("price"),), "limit": 3}
both = pytest.mark.parametrize("layout", ["cards", "table"])
wide = pytest.mark.parametrize("columns", [("name",), ("name", "price")])


@both
@wide
@pytest.mark.parametrize("falling", [False, True])
def test_the_cheapest_and_the_dearest_are_right(layout: str, columns: tuple[str, ...], falling: bool) -> None:
    fields = (NAME, PRICE)[: len(columns)]
    asked: dict[str, Any] = {"order": (Order("price", falling),), "limit": 3}
    verdict = judged(best(3, falling, columns=columns), layout, columns=fields, **asked)
    assert verdict.ok, verdict.findings


@both
@wide
def test_three_that_are_not_the_cheapest_are_refused(layout: str, columns: tuple[str, ...]) -> None:
    fields = (NAME, PRICE)[: len(columns)]
    verdict = judged(best(3, start=1, columns=columns), layout, columns=fields, **CHEAPEST)
    assert codes(verdict) == {"not-extreme"}
    first = sorted(
        [{c: row[c] for c in columns} | {"price": row["price"]} for row in teas()[:3]], key=lambda r: r["price"]
    )
    rows = [{column: row[column] for column in columns} for row in first]
    assert "not-extreme" in codes(judged(rows, layout, columns=fields, **CHEAPEST))


@both
def test_the_wrong_order_shows_without_the_column(layout: str) -> None:
    assert "wrong-order" in codes(judged(best(3)[::-1], layout, **CHEAPEST))


@both
def test_one_row_alone_is_checked(layout: str) -> None:
    asked: dict[str, Any] = {"order": (Order("price"),), "limit": 1}
    assert judged(best(1), layout, **asked).ok
    assert "not-extreme" in codes(judged(best(1, start=4), layout, **asked))


def test_a_key_that_the_page_does_not_have_is_told() -> None:
    verdict = judged(best(3), order=(Order("rating", True),), limit=3)
    assert codes(verdict) == {"unchecked"}
    assert "rating" in verdict.findings[0].message


@both
def test_a_condition_on_what_is_not_in_the_output(layout: str) -> None:
    under = (Filter("under £10", "price", "lt", "10"),)
    rows = [{"name": row["name"]} for row in teas() if row["price"] < 10]
    assert codes(judged(rows, layout, filters=under)) <= {"left-out"}
    spoilt = [*rows, {"name": next(row["name"] for row in teas() if row["price"] > 20)}]
    assert "filter-broken" in codes(judged(spoilt, layout, filters=under))
    assert "unchecked" in codes(judged(rows, layout, filters=(Filter("over 4 stars", "rating", "gt", "4"),)))


@both
def test_words_of_a_condition_are_looked_for_in_the_record(layout: str) -> None:
    gold = (Filter("only gold", "quality", "contains", "Gold"),)
    rows = [{"name": row["name"]} for row in teas() if row["grade"] == "Gold"]
    others = [{"name": row["name"]} for row in teas() if row["grade"] != "Gold"][:2]
    assert "filter-broken" not in codes(judged(rows, layout, filters=gold))
    assert "filter-broken" in codes(judged(rows + others, layout, filters=gold))
    assert "unchecked" in codes(judged(rows, layout, filters=(Filter("only vegan", "diet", "contains", "vegan"),)))


def test_the_cheapest_of_a_page_of_several_are_not_the_cheapest() -> None:
    pages = site("cards")
    first = {url: page for url, page in pages.items() if url == f"{BASE}/teas"}
    query = ask(columns=(NAME, PRICE), pages="unsaid", **CHEAPEST)
    rows = sorted(({"name": r["name"], "price": r["price"]} for r in teas()[:8]), key=lambda r: r["price"])[:3]
    verdict = RowsCritic().judge(case(rows, first, query))
    assert "page-not-fetched" in codes(verdict)
