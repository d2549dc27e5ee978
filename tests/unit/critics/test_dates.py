"""Dates that a page says in its own words and figures."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.critics.dates import says

DAY = (2024, 3, 5, None, None)


@pytest.mark.parametrize(
    "text",
    ["5² March 2024", "March 5 ②, 2024", "5 m² on 5 March 2024", "٥ March 2024"],
    ids=["note", "ring", "area", "arabic"],
)
def test_raised_and_ringed_digits_beside_a_date_are_passed_over(text: str) -> None:
    assert says(text, DAY)


@given(st.text(st.sampled_from("0123456789²③٣ ./-:March五月"), max_size=30))
def test_any_text_says_a_day_or_does_not(text: str) -> None:
    assert says(text, DAY) in (True, False)
