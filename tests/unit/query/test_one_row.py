"""Whether a request asks for one row about the page or for a list."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.query.one_row import POSSIBLE, SURE_OF_ONE_ROW
from scrapewright.query.read import read_request
from scrapewright.query.reading import Column, Reading
from tests.requests.lists import UNSEEN, cases_of


def test_of_unseen_requests_nearly_all_are_read_right_and_all_that_are_taken() -> None:
    cases = [case for case in cases_of(UNSEEN) if "single" in case.reading]
    found = [(read_request(case.text).one_row, case.reading["single"]) for case in cases]
    assert sum((likely > 0.5) == one for likely, one in found) >= 0.95 * len(found)
    assert all(one for likely, one in found if likely >= SURE_OF_ONE_ROW)
    assert not any(one for likely, one in found if likely < POSSIBLE)


@pytest.mark.parametrize(
    ("text", "one"),
    [
        ("the violin for sale at https://shop.example/ad/8812-violin: maker, year, price", True),
        ("violins for sale at https://shop.example/violins: maker, year, price, cheapest first", False),
        ("Ficha de la torre https://torres.example/torre/faro-4471: altura, año, arquitecto", True),
        ("Alle Türme auf https://tuerme.example/liste: Höhe, Jahr, Architekt", False),
    ],
)
def test_the_words_and_the_address_tell(text: str, one: bool) -> None:
    assert (read_request(text).one_row > 0.5) is one


def test_what_somebody_said_is_sure() -> None:
    reading = Reading(text="the recipe at https://food.example/soup-4471: title", columns=(Column("title"),))
    assert 0.0 < reading.one_row < 1.0
    assert reading.one_or_several
    for single in (True, False):
        said = Reading(text=reading.text, columns=reading.columns, single=single, sources={"single": "person"})
        assert said.one_row == single
        assert not said.one_or_several


@given(st.text(max_size=300))
def test_any_text_has_a_likelihood(text: str) -> None:
    assert 0.0 <= read_request(text).one_row <= 1.0
