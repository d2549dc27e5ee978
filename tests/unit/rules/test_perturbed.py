"""The verdict where what helps a reader of a page is taken away: nothing wrong is trusted, and what was stays so."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.suite import FULL
from tests.unit.rules import test_layouts, test_markup, test_sites
from tests.unit.rules.perturbed import CHANGES, all_tried, as_it_is, leaves_answers

CASES = [case for module in (test_layouts, test_markup, test_sites) for case in module.CASES]
STEP = len(CHANGES) if FULL else 3 * len(CHANGES)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("number", range(len(CHANGES)), ids=[change.__name__ for change in CHANGES])
async def test_the_trusted_stay_trusted_and_none_is_wrong(number: int, tmp_path: Path) -> None:
    """Each change is tried on cases of its own: together they are all of them."""
    change = CHANGES[number]
    cases = [case for case in CASES[number::STEP] if leaves_answers(change, case)]
    before = await all_tried(cases, as_it_is, tmp_path)
    after = await all_tried(cases, change, tmp_path)
    assert [case.name for case, one in zip(cases, after, strict=True) if one.trusted and not one.right] == []
    assert any(one.trusted for one in after)
    lost = [case.name for case, once, now in zip(cases, before, after, strict=True) if once.trusted and not now.trusted]
    assert len(lost) <= 2, lost
