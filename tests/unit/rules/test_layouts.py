"""Requests on pages whose layout names nothing: the first program's rows are right, or the critics refuse them."""

from __future__ import annotations

from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from scrapewright.critics.judge import RowsCritic
from scrapewright.loop.ports import Case as Judged
from scrapewright.query.read import read_request
from scrapewright.session.result import Request, RunResult
from tests.unit.rules.helpers import lint, served
from tests.unit.rules.layouts import Case, fixed, flat, further, prose, spread, terms, turned, turns
from tests.unit.rules.layouts.ways import expected, outcome

CASES = [case for module in (flat, fixed, turned, terms, prose, further, turns, spread) for case in module.CASES]


REPEATED = {
    "branches led by a bold name, lines behind it", "meetings in lines led by a bold date",
    "labels and values between dots", "labels and values between commas", "li comma",
    "a paragraph each, the name first", "references with links", "references in paragraphs, titles in quotes",
    "refs cite", "stock in an icon's class", "stock in a dot's class", "groups in spanning headings",
    "tables in tables, rows inside", "dl events", "two ul cols", "changelog md", "pre psql",
    "pre depart", "nginx", "papers", "days below months", "dotted days below one year",
}  # fmt: skip
"""Layouts of a kind that another page has as well."""


def each(case: Case) -> ParameterSet:
    return pytest.param(case, id=case.name, marks=[pytest.mark.full] if case.name in REPEATED else [])


@pytest.mark.parametrize("case", [each(case) for case in CASES])
async def test_rows_are_right_or_refused(case: Case, tmp_path: Path) -> None:
    with served({"/": case.page}) as site:
        found = await outcome(site, case.request, tmp_path, undecided=case.refused)
        assert lint(found.code) == ""
        if case.refused:
            assert not found.verdict.ok
        else:
            assert found.rows == expected(case.rows, site)
            assert found.verdict.ok, found.verdict.findings


def test_rows_read_across_a_turned_table_are_refused() -> None:
    with served({"/": turned.PLANS}) as site:
        query = read_request(f"{site.base}/ for each plan: name, price (float), storage, users (int), as CSV")
        rows = "name,price,storage,users\nPrice per month,5.0,$12.50,40\nStorage,10,100 GB,2\nUsers,1,3,25\n"
        result = RunResult("ok", requests=(Request("GET", f"{site.base}/", 200),))
        pages = {f"{site.base}/": site.page("/")}
        verdict = RowsCritic().judge(Judged(query, None, result, {query.output_name: rows.encode()}, pages))
    assert any("called what the columns are called" in finding.message for finding in verdict.findings)
    assert not verdict.ok
