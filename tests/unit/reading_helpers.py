"""The way from a request and a page to judged rows, in one process: survey, plan, program and critic, as shipped."""

from __future__ import annotations

import asyncio
import contextlib
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import requests

from scrapewright.critics.judge import RowsCritic
from scrapewright.loop.ports import Brief, Case
from scrapewright.programmers.rules.programmer import first
from scrapewright.query.read import read_request
from scrapewright.query.reading import Reading
from scrapewright.session.result import Request, RunResult
from scrapewright.session.verdict import Verdict
from scrapewright.survey.model import Survey
from scrapewright.survey.surveyor import PageSurveyor
from scrapewright.web.page import Page
from tests.unit.rules.helpers import rows_of, served
from tests.unit.rules.layouts.ways import open_questions

OTHER = "https://elsewhere.example"
"""A site that is never fetched: links of the tests' pages that leave the site lead there."""


class Judged(msgspec.Struct):
    """What came of a request. `code` is empty where no program was written."""

    query: Reading
    survey: Survey
    code: str = ""
    rows: list[dict[str, Any]] = []
    verdict: Verdict | None = None
    hits: list[str] = []
    """The paths that the program asked for."""

    @property
    def ok(self) -> bool:
        return self.verdict is not None and self.verdict.ok

    @property
    def findings(self) -> set[str]:
        return {f.code for f in self.verdict.findings if f.severity == "error"} if self.verdict else set()

    def column(self, name: str) -> list[Any]:
        return [row[name] for row in self.rows]


def html(body: str, title: str = "A page", head: str = "") -> str:
    return f'<!doctype html><html lang="en"><head><title>{title}</title>{head}</head><body>{body}</body></html>'


def read(
    request: str, pages: Mapping[str, str] | str, directory: Path, program: str = "", *, undecided: bool = False
) -> Judged:
    """Serves the pages ("/" is the start), writes the program for the request (or takes one), runs and judges it.

    "{}" in the request is the address of the start page. `undecided`: with the questions that nobody answered.
    """
    whole = {"/": pages} if isinstance(pages, str) else dict(pages)
    with served(whole) as site:
        query = read_request(request.replace("{}", site.base + "/"))
        fetched: dict[str, Page] = {}

        async def fetch(url: str, *, method: str = "GET", headers: dict[str, str] | None = None) -> Page:
            answer = requests.request(method, url, headers=headers, timeout=10)
            page = Page(
                url=answer.url, asked=url, status=answer.status_code,
                headers={k.lower(): v for k, v in answer.headers.items()}, body=answer.content,
            )  # fmt: skip
            fetched[answer.url] = page
            return page

        survey = asyncio.run(PageSurveyor().survey(query, fetch, lambda tick: None))
        out = Judged(query, survey)
        if survey.verdict != "ok":
            return out
        out.code = program.replace("{}", site.base + "/") or first(Brief(query, survey, pages=fetched)).code
        hits = len(site.hits)
        with contextlib.chdir(directory), contextlib.redirect_stdout(io.StringIO()):
            exec(compile(out.code, "scraper.py", "exec"), {"__name__": "__main__"})
        out.hits = site.hits[hits:]
        asked = tuple(Request("GET", site.base + path, 200, "text/html") for path in out.hits if path in whole)
        seen = {request.url: site.page(request.url.removeprefix(site.base)) for request in asked}
        result = RunResult(status="ok", exit_code=0, requests=asked)
        file = directory / query.output_name
        out.rows = rows_of(file)
        out.verdict = RowsCritic().judge(
            Case(
                query, survey, result, {file.name: file.read_bytes()}, seen, out.code,
                open=open_questions(query, survey, fetched) if undecided else (),
            )
        )  # fmt: skip
        return out
