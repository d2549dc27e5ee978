"""The verdict where what helps a reader of a page is taken away: nothing wrong is trusted, and what was stays so."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.suite import FULL
from tests.unit.rules import test_layouts, test_markup, test_sites
from tests.unit.rules.perturbed import CHANGES, all_tried, as_it_is, leaves_answers

CASES = [case for module in (test_layouts, test_markup, test_sites) for case in module.CASES]
PARTS = 4


@pytest.mark.timeout(600)
@pytest.mark.parametrize("part", range(PARTS if FULL else 1))
async def test_the_trusted_stay_trusted_and_none_is_wrong(part: int, tmp_path: Path) -> None:
    """Every change on a part of the cases: together the parts are all of them."""
    cases = CASES[part::PARTS]
    unchanged = await all_tried(cases, as_it_is, tmp_path)
    stayed: list[bool] = []
    for change in CHANGES:
        left = [(case, once) for case, once in zip(cases, unchanged, strict=True) if leaves_answers(change, case)]
        after = await all_tried([case for case, _ in left], change, tmp_path)
        assert [case.name for (case, _), now in zip(left, after, strict=True) if now.trusted and not now.right] == []
        stayed += [now.trusted for (_, once), now in zip(left, after, strict=True) if once.trusted]
    assert len(stayed) >= len(CHANGES)
    assert sum(stayed) >= 0.8 * len(stayed), f"{sum(stayed)} of {len(stayed)}"
