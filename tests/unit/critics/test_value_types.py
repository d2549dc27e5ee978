"""The types that the values of a column show where the request left its type open."""

from __future__ import annotations

from typing import Any

import pytest

from scrapewright.critics.value_types import fits, settled
from scrapewright.query.reading import Field, FieldType

OPEN = (("int", 0.5), ("text", 0.3), ("list", 0.1), ("date", 0.1))


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["12", "8", ""], "int"),
        (["12 a", "8 b"], "text"),
        (["1.5", "2"], "float"),
        (["2024-05-01", None], "date"),
        (["oak; elm", "ash"], "list"),
        ([["oak", "elm"], []], "list"),
        (["", None], "int"),
    ],
)
def test_a_guess_gives_way_to_what_the_values_are(values: list[Any], kind: FieldType) -> None:
    assert settled(Field(name="trees", type="int", kinds=OPEN), values).type == kind


def test_days_that_begin_with_a_nought_are_days() -> None:
    field = Field(name="felled", kinds=(("text", 0.6), ("date", 0.4)), date_format="%d.%m.%Y")
    assert settled(field, ["01.05.2024", "12.06.2024"]).type == "date"


@pytest.mark.parametrize("values", [["12 a", "8 b"], ["oak; elm"]])
def test_a_type_that_was_said_stays(values: list[Any]) -> None:
    field = Field(name="trees", type="int", typed=True)
    assert settled(field, values) is field


@pytest.mark.parametrize(
    ("values", "kind"),
    [(["12", "8"], "int"), ([12, 8.5], "float"), (["007", "012"], "text"), (["oak; elm", "ash", "yew"], "text")],
)
def test_a_guess_of_text_gives_way_as_well(values: list[Any], kind: FieldType) -> None:
    field = Field(name="lane", kinds=(("text", 0.6), ("int", 0.3), ("list", 0.1)))
    assert settled(field, values).type == kind


def test_values_of_no_type_that_may_be_meant_leave_the_guess_to_be_held_against_them() -> None:
    field = Field(name="votes", type="int", kinds=(("int", 1.0),))
    assert settled(field, ["12", "41 or so"]) is field
    assert settled(field, ["12", "4.5"]).type == "float"


@pytest.mark.parametrize(
    ("value", "kind", "good"),
    [
        ("yes", "bool", True), ("maybe", "bool", False), ("", "int", True), ("1.5", "int", False), (1.0, "int", True),
        ("2024-05-01", "date", True), ("1 May", "date", False), ("anything", "text", True),
    ],
)  # fmt: skip
def test_whether_a_value_is_written_as_asked(value: Any, kind: FieldType, good: bool) -> None:
    assert fits(value, Field(name="it", type=kind)) is good
