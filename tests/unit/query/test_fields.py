"""What the words of columns and conditions say."""

from __future__ import annotations

import pytest

from scrapewright.query.fields import needed, resolved
from scrapewright.query.reading import Column, Field, Filter, Order, Reading


def test_the_words_of_a_name_and_a_note() -> None:
    said = Field("unitPrice", "float", ("unitPrice", "cost"), "in euros, not the old price").said
    assert said.words == ("unit", "price")
    assert said.all == {"unit", "price", "cost", "in", "euros", "not", "the", "old"}
    assert "price" in said.concepts
    assert said.denied == (("old",),)
    assert Field("2nd price").said.constant == ""
    assert Field("old price").said.constant == "OLD_PRICE"


@pytest.mark.parametrize(
    ("kind", "note", "examples", "default"),
    [
        ("text", 'e.g. "Nr. 17/3"', ("Nr. 17/3",), None),
        ("text", "MM/YYYY", ("11/1111",), None),
        ("text", "such as AB123", ("AB123",), None),
        ("int", "0 if there are none", (), 0),
        ("int", "else 7", (), 7),
        ("text", "else 7", (), None),
    ],
)
def test_examples_and_defaults(kind: str, note: str, examples: tuple[str, ...], default: int | None) -> None:
    said = Field("number", kind, note=note).said  # type: ignore[arg-type]  # a parameter of the test
    assert (said.examples, said.default) == (examples, default)


def test_facts_are_those_of_the_field_that_they_are_asked_of() -> None:
    field = Field("code", kinds=(("text", 0.6), ("int", 0.4)))
    assert [one.said.takes_codes for one, _ in field.variants] == [True, True]
    assert not Field("seats", "int").said.takes_codes
    assert Field("seats", "int", note="seat code").said.takes_codes


def test_keys_and_conditions_get_fields_of_their_own_unless_a_column_means_the_same() -> None:
    query = Reading(columns=(Column("title"),), order=(Order("price"),), filters=(Filter("x", "rating", "gt", "3"),))
    assert [(field.name, field.optional) for field in needed(query, query.fields)] == [
        ("price", True),
        ("rating", True),
    ]
    cost = (*query.fields, Field("cost", "float"))
    assert [field.name for field in needed(query, cost)] == ["rating"]
    assert resolved(query, cost).order == (Order("cost"),)


def test_the_phrases_of_a_condition() -> None:
    said = Filter('only those that say "Sold Out" or so').said
    assert [phrase.text for phrase in said.phrases][:1] == ["Sold Out"]
    assert not said.leaves_out
    assert said.limits
    several = Filter("oak or elm", value="oak or elm").said.phrases[0]
    assert (several.text, several.folded, several.words) == ("oak\nelm", ("oak", "elm"), {"oak", "elm"})
    assert Filter("without the Winter Garden", value="Winter Garden").said.left_out == ({"winter", "garden"},)
