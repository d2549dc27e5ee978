"""Requests on pages whose layout names nothing: the first program's rows are right, or the critics refuse them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.rules.helpers import lint, served
from tests.unit.rules.layouts import Case, fixed, flat, prose, terms, turned
from tests.unit.rules.layouts.ways import expected, outcome

CASES = [case for module in (flat, fixed, turned, terms, prose) for case in module.CASES]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
async def test_rows_are_right_or_refused(case: Case, tmp_path: Path) -> None:
    with served({"/": case.page}) as site:
        found = await outcome(site, case.request, tmp_path)
        assert lint(found.code) == ""
        if case.refused:
            assert not found.verdict.ok
        else:
            assert found.rows == expected(case.rows, site)
            assert found.verdict.ok, found.verdict.findings
