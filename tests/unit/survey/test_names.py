"""How well classes and ids name what they are on."""

from __future__ import annotations

import pytest

from scrapewright.survey.dom import stability

NAMES = {
    2: "price product-title grid-product-price item-box p-name text-title inner-content-date block__author size",
    1: "col-md col row text-muted text-center bg-primary w-full float-left btn-primary table-striped container-fluid"
    " flex-row d-none border-bottom wrapper inner-wrapper font-semibold p-lg",
    0: "active odd last css-1x2y3z sc-4fd2a item-12345 a3f9c0de1 x mt-4 col-md-6 grid-cols-3",
}


@pytest.mark.parametrize(("rank", "name"), [(rank, name) for rank, names in NAMES.items() for name in names.split()])
def test_a_class_names_a_thing_or_its_looks_or_nothing(rank: int, name: str) -> None:
    assert stability(name) == rank
