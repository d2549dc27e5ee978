"""Phrases that nothing has read: which of them are talk."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.programmers.rules.unread import LIKELY_TALK
from scrapewright.query.phrases import says_nothing
from scrapewright.query.read import TALK, read_request

AT = "http://127.0.0.1:9/list"


@pytest.mark.parametrize(
    "phrase",
    [
        "the site is a bit slow, please be patient with it",
        "I need it for a report that is due on Monday",
        "Merci d'avance pour votre aide",
        "keep the order of the page",
    ],
)
def test_talk_says_nothing_of_the_rows(phrase: str) -> None:
    assert says_nothing(phrase) > LIKELY_TALK


@pytest.mark.parametrize(
    "phrase",
    ["leave out the ones that are sold", "only those from Norway", "nur die mit Balkon", "the twenty largest of them"],
)
def test_conditions_say_something(phrase: str) -> None:
    assert says_nothing(phrase) < TALK


def test_talk_is_not_unread() -> None:
    said = f"Hello! {AT}: title, price. Only those from Norway. We want to compare it with our own catalogue."
    assert read_request(said).unread == ("Only those from Norway",)
    assert len(read_request(said, talk=2).unread) > 1


@given(st.text(max_size=60))
def test_any_text_has_a_likelihood(text: str) -> None:
    assert 0 <= says_nothing(text) <= 1


@pytest.mark.parametrize("said", ["xyzzy 0: 0", "plugh xyzzy for us", "xyzzy, plugh, frotz", "xyzzy A:SCRIPT:A AO"])
def test_words_that_nobody_knows_are_no_talk(said: str) -> None:
    assert read_request(f"{AT}: title, price. {said}").unread


def test_nothing_is_talk_where_no_columns_are_read() -> None:
    said = f"The lamps of {AT}, we want to compare them with our own catalogue"
    reading = read_request(said)
    assert not reading.columns
    assert reading.unread == read_request(said, talk=2).unread != ()
