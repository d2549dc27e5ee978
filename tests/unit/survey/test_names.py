"""How well classes and ids name what they are on."""

from __future__ import annotations

import pytest

from scrapewright.survey.dom import stability
from tests.unit.survey.helpers import page, query, shell, survey_pages

NAMES = {
    2: "price product-title grid-product-price item-box p-name text-title inner-content-date block__author size",
    1: "col-md col row text-muted text-center bg-primary w-full float-left btn-primary table-striped container-fluid"
    " flex-row d-none border-bottom wrapper inner-wrapper font-semibold p-lg",
    0: "active odd last css-1x2y3z sc-4fd2a item-12345 a3f9c0de1 x mt-4 col-md-6 grid-cols-3",
}


@pytest.mark.parametrize(("rank", "name"), [(rank, name) for rank, names in NAMES.items() for name in names.split()])
def test_a_class_names_a_thing_or_its_looks_or_nothing(rank: int, name: str) -> None:
    assert stability(name) == rank


def called(name: str, record: str) -> set[str]:
    """The samples of the places that are called so, in records made of `record` with another number in each."""
    records = "".join(record.replace("#", number) for number in ("3", "5", "8", "13"))
    survey = survey_pages(query(name), [page(shell(f"<div>{records}</div>"))])
    group = next(group for group in survey.groups if group.count == 4)
    return {slot.samples[0] for slot in group.slots if slot.attr in ("text", "tail", "alt") and name in slot.names}


@pytest.mark.parametrize(
    ("name", "record", "places"),
    [
        ("book", "<article class=book><h2><a href=/#>Vol. #</a></h2><p class=author>by #</p></article>", {"Vol. 3"}),
        (
            "lamp",
            "<div class=lamp><img alt='Lamp #'><h4>Lamp #</h4><p class=stock># left</p><p class=price>€#.50</p></div>",
            {"Lamp 3"},
        ),
        ("comment", "<li class=comment><b class=user>User #</b><p>I have # of it.</p></li>", {"I have 3 of it."}),
        ("tip", "<li class=tip>Tip #</li>", {"Tip 3"}),
        ("title", "<h3>Day #</h3><p>Rain on # hills.</p><p>And sun.</p>", {"Day 3"}),
    ],
    ids=["a title", "a picture's text", "a part that is called so", "all of it", "lines"],
)
def test_what_a_record_is_called_names_its_title(name: str, record: str, places: set[str]) -> None:
    assert called(name, record) == places
