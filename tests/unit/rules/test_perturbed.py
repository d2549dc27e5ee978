"""The verdict where what helps a reader of a page is taken away: nothing wrong is trusted, and what was stays so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.suite import FULL
from tests.unit.rules import test_layouts, test_markup, test_sites
from tests.unit.rules.layouts import Case
from tests.unit.rules.perturbed import CHANGES, Asked, all_tried, as_it_is, leaves_answers

CASES = [case for module in (test_layouts, test_markup, test_sites) for case in module.CASES]
SAMPLE = CASES[:: 9 if FULL else 18]

Change = Callable[[Case], Asked]
each = pytest.mark.parametrize("change", CHANGES, ids=[change.__name__ for change in CHANGES])


@each
async def test_none_of_a_sample_is_wrong_and_trusted(change: Change, tmp_path: Path) -> None:
    cases = [case for case in SAMPLE if leaves_answers(change, case)]
    after = await all_tried(cases, change, tmp_path)
    assert [case.name for case, one in zip(cases, after, strict=True) if one.trusted and not one.right] == []
    assert any(one.trusted for one in after)


@pytest.mark.full
@pytest.mark.timeout(1200)
async def test_the_trusted_stay_trusted_and_none_is_wrong(tmp_path: Path) -> None:
    unchanged = await all_tried(CASES, as_it_is, tmp_path)
    for change in CHANGES:
        left = [(case, before) for case, before in zip(CASES, unchanged, strict=True) if leaves_answers(change, case)]
        after = await all_tried([case for case, _ in left], change, tmp_path)
        assert [case.name for (case, _), one in zip(left, after, strict=True) if one.trusted and not one.right] == []
        trusted = [one.trusted for (_, before), one in zip(left, after, strict=True) if before.trusted]
        assert len(trusted) >= 30
        assert sum(trusted) >= 0.8 * len(trusted), f"{change.__name__}: {sum(trusted)} of {len(trusted)}"
