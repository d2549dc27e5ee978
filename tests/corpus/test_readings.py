"""What the grammar claims is right, where requests with true readings lie beside the checkout."""

from __future__ import annotations

import pytest

from tests.corpus.readings import PARTS, TRUTH, Case, cases, missed, tallies

SHARE = 0.95
NAMED = 0.9
"""The same of columns, whose true names shorten those of the request in places ("pdf link": pdf)."""
CLAIMED = 0.7
"""Of the lists of columns: a grammar that claims nothing is never wrong."""

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.skipif(not TRUTH.is_file(), reason=f"no true readings at {TRUTH}"),
]


@pytest.fixture(scope="module")
def found() -> list[Case]:
    return cases()


@pytest.mark.parametrize("part", PARTS)
def test_what_is_claimed_is_right(found: list[Case], part: str) -> None:
    tally = tallies(found)[part]
    assert tally.right >= (NAMED if part == "columns" else SHARE) * tally.claimed, tally.wrong


def test_most_lists_of_columns_are_claimed(found: list[Case]) -> None:
    tally = tallies(found)["columns"]
    assert tally.claimed >= CLAIMED * tally.there


def test_a_condition_that_was_not_read_is_in_unread(found: list[Case]) -> None:
    lost = [(case.task, text, held) for case in found for text, held in missed(case)]
    assert sum(held for _, _, held in lost) >= SHARE * len(lost), [one for one in lost if not one[2]]
