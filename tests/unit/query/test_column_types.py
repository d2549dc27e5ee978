"""The types that names and notes suggest, and how likely each is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.query.column_types import likely_types, type_of_name, types_of
from scrapewright.query.fields import field_of
from scrapewright.query.reading import Column, FieldType


@given(st.text(max_size=60), st.text(max_size=80))
def test_the_types_of_any_name_are_shares_of_one_the_likeliest_first(name: str, note: str) -> None:
    found = [*types_of(name, note).values()]
    assert sum(found) == pytest.approx(1.0)
    assert found == sorted(found, reverse=True)


@given(st.text(max_size=60))
def test_what_may_be_meant_is_several_types_or_whole_numbers_or_nothing(name: str) -> None:
    found = likely_types(name)
    assert len(found) != 1 or found == (("int", 1.0),)
    assert not found or sum(share for _, share in found) == pytest.approx(1.0)
    assert not {"int", "float"} <= {kind for kind, _ in found}


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("number_of_bridges", "int"), ("anzahl_brücken", "int"), ("prezzo_unitario", "float"),
        ("ticket_price", "float"),
        ("photo_url", "url"), ("date_of_opening", "date"), ("is_open", "bool"), ("ingredients", "list"),
        ("bridge_name", "text"), ("straße", "text"),
    ],
)  # fmt: skip
def test_names_nobody_wrote_down_have_the_types_of_those_like_them(name: str, kind: FieldType) -> None:
    assert type_of_name(name) == kind


def test_a_note_says_more_than_the_name() -> None:
    alone, counted = field_of(Column("girders")), field_of(Column("girders", note="how many there are"))
    numbers = [dict(field.kinds) for field in (alone, counted)]
    assert sum(numbers[1].get(kind, 0.0) for kind in ("int", "float")) > sum(
        numbers[0].get(kind, 0.0) for kind in ("int", "float")
    )


def test_what_a_note_says_outright_leaves_nothing_open() -> None:
    assert field_of(Column("girders", note="int")).kinds == ()
    assert field_of(Column("girders", "text")).variants == ((field_of(Column("girders", "text")), 1.0),)


def test_a_field_of_open_type_is_each_of_its_types_the_guess_first() -> None:
    field = field_of(Column("girders"))
    variants = field.variants
    assert variants[0][0] is field
    assert sum(share for _, share in variants) == pytest.approx(1.0)
    assert len({one.type for one, _ in variants}) == len(variants) > 1
