"""The shipped weights are those that the stored table gives, and mean what they say on sites that were held out."""

from __future__ import annotations

import math

import pytest

from scrapewright.critics.probability import TRUSTED, Calibration, calibration, probability
from tests.calibrate import fit


@pytest.fixture(scope="module")
def rows() -> list[fit.Row]:
    return fit.load()


def test_the_weights_are_those_of_the_table(rows: list[fit.Row]) -> None:
    fitted, shipped = fit.fit(rows), calibration()
    assert shipped.sure == pytest.approx(fitted.sure, abs=0.01)
    assert shipped.weights == pytest.approx(fitted.weights, abs=0.01)
    assert shipped.unseen == fitted.unseen


def test_nothing_found_speaks_for_rows() -> None:
    assert all(weight >= 0 for weight in calibration().weights.values())


def test_what_no_row_of_the_fit_had_weighs_by_its_severity() -> None:
    fitted = Calibration(2.5, {"error known": 1.0}, {"error": 5.0, "warning": 0.2})
    clean, known = probability({}, fitted), probability({"error known": 1.0}, fitted)
    assert clean > known > probability({"error new": 1.0}, fitted)
    assert clean > probability({"warning new": 1.0}, fitted) > known


@pytest.mark.parametrize("author", ["model", "rules"])
def test_of_the_trusted_nine_in_ten_are_right_on_sites_that_were_held_out(rows: list[fit.Row], author: str) -> None:
    own = [(row, likely) for row, likely in zip(rows, fit.held_out(rows), strict=True) if not row.plant]
    trusted = [row for row, likely in own if row.author == author and likely >= TRUSTED]
    right = sum(row.right for row in trusted)
    assert len(trusted) >= 20
    chance = math.sqrt(0.9 * 0.1 * len(trusted))  # a standard error of so few
    assert right >= 0.9 * len(trusted) - chance, f"{right} of {len(trusted)}"


def test_spoilt_rows_are_seldom_trusted_on_sites_that_were_held_out(rows: list[fit.Row]) -> None:
    likely = fit.held_out(rows)
    for plant in ("lost", "shift", "first", "repeat", "noise", "cut"):
        for leaves, most in ((False, 0.15), (True, 0.4)):
            some = [
                probable >= TRUSTED
                for row, probable in zip(rows, likely, strict=True)
                if (row.plant, row.leaves, row.reading) == (plant, leaves, "true")
            ]
            assert sum(some) <= most * len(some), (plant, leaves)
