"""Columns and places: the cheapest pairing, and what places say of one another."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from scrapewright.programmers.rules.assign import BARRED, assign, cheapest
from scrapewright.programmers.rules.view import View
from scrapewright.query.reading import Field
from scrapewright.survey.model import Slot

COST = st.one_of(st.floats(-5, 5), st.integers(-3, 3).map(float), st.just(BARRED))


@st.composite
def tables(draw: st.DrawFn) -> list[list[float]]:
    rows = draw(st.integers(0, 5))
    wide = rows + draw(st.integers(0, 3))
    return draw(st.lists(st.lists(COST, min_size=wide, max_size=wide), min_size=rows, max_size=rows))


@given(tables())
def test_no_other_pairing_costs_less(costs: list[list[float]]) -> None:
    found = cheapest(costs)
    assert len(set(found)) == len(costs)
    wide = len(costs[0]) if costs else 0
    least = min(sum(map(list.__getitem__, costs, ways)) for ways in itertools.permutations(range(wide), len(costs)))
    assert sum(map(list.__getitem__, costs, found)) <= least + 1e-6 * max(1.0, abs(least))


def place(selector: str, *values: str | None, name: str = "", attr: str = "text") -> View:
    return View(Slot(selector, selector, attr, names=(name,) if name else (), label=name), tuple(values))


def chosen(fields: list[Field], *views: View) -> dict[str, str]:
    return {name: match.view.slot.selector for name, match in assign(fields, views).items()}


def test_the_numbers_of_an_address_are_no_figures() -> None:
    link, staff = place("a", "/c/41", "/c/77", "/c/102", name="name", attr="href"), place("td", "12", "340", "7")
    assert chosen([Field("employees", "int")], link, staff) == {"employees": "td"}
    assert chosen([Field("name id", "int")], link) == {"name id": "a"}
