"""Choices by fitted weights."""

from __future__ import annotations

import math

import pytest

from scrapewright.query.logit import score, shares, weights


@pytest.mark.parametrize("name", ["clause_choice", "list_choice"])
def test_the_shipped_weights_are_finite(name: str) -> None:
    assert weights(name)
    assert all(map(math.isfinite, weights(name).values()))


def test_shares_are_by_the_odds() -> None:
    assert shares([math.log(3), 0.0]) == pytest.approx([0.75, 0.25])
    assert shares([-math.inf, 0.0]) == [0.0, 1.0]
    assert shares([5000.0, 4000.0]) == [1.0, 0.0]
    assert score({"a": 1.5, "b": -1.0}, ["a", "b", "unknown"]) == 0.5
