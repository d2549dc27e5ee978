"""The types that the values of a column show where the request left its type open."""

from __future__ import annotations

from typing import Any

import pytest

from scrapewright.critics.value_types import fits, settled
from scrapewright.query.reading import Field, FieldType

OPEN = (("int", 0.6), ("text", 0.3), ("list", 0.1))


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


@pytest.mark.parametrize("values", [["12 a", "8 b"], ["oak; elm"]])
def test_a_type_that_was_said_stays(values: list[Any]) -> None:
    field = Field(name="trees", type="int", typed=True)
    assert settled(field, values) is field


def test_texts_that_could_be_numbers_stay_what_they_were_taken_for() -> None:
    field = Field(name="lane", kinds=(("text", 0.9), ("int", 0.1)))
    assert settled(field, ["12", "8"]) is field


@pytest.mark.parametrize(
    ("value", "kind", "good"),
    [
        ("yes", "bool", True), ("maybe", "bool", False), ("", "int", True), ("1.5", "int", False), (1.0, "int", True),
        ("2024-05-01", "date", True), ("1 May", "date", False), ("anything", "text", True),
    ],
)  # fmt: skip
def test_whether_a_value_is_written_as_asked(value: Any, kind: FieldType, good: bool) -> None:
    assert fits(value, Field(name="it", type=kind)) is good
