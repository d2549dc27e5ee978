"""Rows that no record can be told for, and rows that their dates alone tell."""

from __future__ import annotations

import json

from scrapewright.critics.judge import RowsCritic
from scrapewright.loop.ports import Case
from scrapewright.query.reading import Column, Reading
from scrapewright.session.result import Request, RunResult
from scrapewright.web.page import Page

URL = "http://guild.test/"


def test_rows_that_are_nowhere_on_the_pages_are_not_called_right() -> None:
    """Figures of two places alike: no row can be found again, so none can be missed."""
    body = "".join(f"<li><i>{n % 3} kg</i> <u>{n % 2} m</u></li>" for n in range(12))
    query = Reading(text="x", urls=(URL,), columns=(Column("kg", "int"), Column("m", "int")), format="json")
    page = Page(URL, URL, 200, {"content-type": "text/html"}, f"<ul>{body}</ul>".encode())
    result = RunResult("ok", 0, requests=(Request("GET", URL, 200, "text/html"),))
    files = {query.output_name: json.dumps([{"kg": n % 3, "m": n % 2} for n in range(12)]).encode()}
    verdict = RowsCritic().judge(Case(query, None, result, files, {URL: page}, author="model"))
    assert not verdict.ok
    assert "where on the pages 12 of the rows are" in verdict.unchecked


def test_rows_are_found_by_their_dates_where_short_texts_are_parts_of_others() -> None:
    body = "".join(f"<h2>1.{n}.0 oak r5{n} (2023-05-{n + 10})</h2><ul><li>Typos</li></ul>" for n in range(8))
    columns = (Column("version"), Column("tree"), Column("build"), Column("date", "date"))
    query = Reading(text="x", urls=(URL,), columns=columns, format="json")
    page = Page(URL, URL, 200, {"content-type": "text/html"}, f"<main>{body}</main>".encode())
    result = RunResult("ok", 0, requests=(Request("GET", URL, 200, "text/html"),))
    rows = [{"version": f"1.{n}.0", "tree": "oak", "build": f"r5{n}", "date": f"2023-05-{n + 10}"} for n in range(8)]
    case = Case(query, None, result, {query.output_name: json.dumps(rows).encode()}, {URL: page}, author="model")
    verdict = RowsCritic().judge(case)
    assert verdict.ok, verdict.findings
    assert not any("where on the pages" in said for said in verdict.unchecked)
