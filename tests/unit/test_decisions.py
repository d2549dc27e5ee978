"""What --set and --example say of columns, and what is wrong with them."""

from __future__ import annotations

import pytest

from scrapewright.errors import UsageError
from scrapewright.options import RunOptions, check_decisions
from scrapewright.query.reading import Column, Reading
from scrapewright.session.questions import Decision
from scrapewright.settings import Settings
from scrapewright.tui.session_spec import SessionSpec, run_options

QUERY = Reading(text="q", columns=(Column("title"), Column("site")))


def test_each_says_where_one_column_is() -> None:
    assert check_decisions(QUERY, ["Site = span.a > b:nth-of-type(2)"], ["title=a=b"]) == (
        Decision("column", "site", text="span.a > b:nth-of-type(2)", how="selector"),
        Decision("column", "title", text="a=b", how="example"),
    )


@pytest.mark.parametrize("place", ["author.name", "offers.0.price", "tags.*.name", "^ h2", "+ td a", "+ + td", "@id"])
def test_places_are_taken_as_questions_name_them(place: str) -> None:
    assert check_decisions(QUERY, [f"site={place}"], [])[0].text == place


@pytest.mark.parametrize(
    ("selectors", "examples", "says"),
    [
        (["site"], [], "--set takes COLUMN=SELECTOR, and 'site' is not of that form"),
        (["=x"], [], "--set takes"),
        ([], ["site= "], "--example takes COLUMN=VALUE"),
        (["site=p["], [], r"--set: 'p\[' is no CSS selector: Malformed attribute selector"),
        (["site=a:has-not(b)"], [], "is no CSS selector"),
        (["price=.p"], [], "there is no column 'price'; the request asks for title, site; a column is added by naming"),
        (["site=.a"], ["SITE=b"], "the column site is decided by another --set or --example already"),
        (["title=.t"], ["site=" + "x" * 6_000], "6000 bytes at most"),
    ],
)
def test_bad_input_says_what_to_do(selectors: list[str], examples: list[str], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        check_decisions(QUERY, selectors, examples)


def test_a_request_without_columns_has_none_to_speak_of() -> None:
    with pytest.raises(UsageError, match="the request names no columns; name them in it, with site among them"):
        check_decisions(Reading(text="q"), ["site=.s"], [])


def test_what_was_decided_on_the_screen_goes_into_the_session() -> None:
    said = (Decision("column", "price", text=".was", how="selector"),)
    spec = SessionSpec(text="all mugs on http://127.0.0.1/: title, price (float)", decisions=said)
    assert run_options(spec, RunOptions(Settings(), Reading(text=""))).decisions == said
