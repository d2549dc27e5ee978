from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from scrapewright.survey.decode import parse
from scrapewright.survey.provenance import elements_of, find, what_it_says
from scrapewright.survey.selecting import Finder, read
from tests.suite import examples
from tests.unit.survey.helpers import page

CARD = (
    '<article><h3><a href="/p/{n}" title="Lamp {n}">Lamp {n}</a></h3><p class="price">from £1,{n:03}.50</p>'
    '<p class="stock">in stock</p></article>'
)
BODY = "<html><body>" + "".join(CARD.format(n=n) for n in range(100, 112)) + "</body></html>"
FINDER = Finder(parse(page(BODY.encode())))
RECORDS = [hit.element for hit in FINDER.select(read("article"))]
BASE = "http://shop.test/list/"


def row(n: int, **more: str) -> dict[str, str]:
    return {"title": f"Lamp {n}", "price": f"1{n}.5", "url": f"http://shop.test/p/{n}", "stock": "in stock", **more}


def test_the_record_of_a_row_is_found_by_all_of_its_values() -> None:
    said = [what_it_says(record) for record in RECORDS]
    assert find(row(107), said, BASE) == (7, 1.0)
    number, share = find(row(107, title="Lamp 107", note="not there"), said, BASE)
    assert number == 7
    assert 0.5 < share < 1.0


def test_a_row_of_none_of_the_records_has_none() -> None:
    said = [what_it_says(record) for record in RECORDS]
    assert find({"title": "Chair", "price": "4"}, said) == (-1, 0.0)
    assert find({"title": " "}, said) == (-1, 0.0)
    assert find(row(107), []) == (-1, 0.0)
    assert find(row(107), said, BASE, lambda: False) == (-1, 0.0)


def test_what_few_records_say_counts_for_more() -> None:
    said = [what_it_says(record) for record in RECORDS]
    assert find({"title": "LAMP  103", "stock": "in stock", "a": "nowhere"}, said)[0] == 3


def test_records_of_json_are_looked_through_as_well() -> None:
    items = [{"name": f"Lamp {n}", "offer": {"price": n + 0.5}} for n in range(5)]
    said = [what_it_says(item) for item in items]
    assert find({"title": "Lamp 3", "price": "3.5"}, said) == (3, 1.0)


def test_each_value_has_the_innermost_element_that_says_it() -> None:
    found = elements_of(row(104, note="nowhere"), RECORDS[4], BASE)
    assert {name: (element.tag, attr) for name, (element, attr) in found.items()} == {
        "title": ("a", ""), "price": ("p", ""), "url": ("a", "href"), "stock": ("p", ""),
    }  # fmt: skip
    assert found["price"][0].get("class") == "price"


@settings(max_examples=examples(100), deadline=None)
@given(st.dictionaries(st.text(max_size=4), st.text(max_size=12), max_size=4))
def test_no_row_is_too_odd(values: dict[str, str]) -> None:
    number, share = find(values, [what_it_says(record) for record in RECORDS[:3]], BASE)
    assert -1 <= number < 3
    assert 0.0 <= share <= 1.0 + 1e-9
    elements_of(values, RECORDS[0], BASE)
