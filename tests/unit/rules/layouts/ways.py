"""A request on a page, by the surveyor, the first program and the verdict on its rows: what the loop's first try
does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from scrapewright.critics.judge import RowsCritic
from scrapewright.loop.ports import Case as Judged
from scrapewright.programmers.rules.emit import emit
from scrapewright.programmers.rules.plan import plan
from scrapewright.programmers.rules.questions import question
from scrapewright.programmers.rules.reading import Reader
from scrapewright.query.read import read_request
from scrapewright.query.reading import Reading
from scrapewright.session.questions import QUESTIONS_AT_MOST, Decision, Question, best_guess, with_decision
from scrapewright.session.result import Request, RunResult
from scrapewright.session.verdict import Verdict
from scrapewright.survey.model import Survey
from scrapewright.survey.surveyor import PageSurveyor
from scrapewright.web.page import Page
from tests.unit.rules.helpers import Site, rows_of, run_program


class Outcome(NamedTuple):
    """The program, its rows and what the critics say of them."""

    code: str
    rows: list[dict[str, Any]]
    verdict: Verdict


async def outcome(site: Site, request: str | Reading, directory: Path, *, undecided: bool = False) -> Outcome:
    """The first program's rows for a request ("{URL}" is the site's address).

    They are judged as rows whose questions somebody answered with the best guess; with `undecided` as those of
    questions that nobody answered.
    """
    query = read_request(request.replace("{URL}", site.base + "/")) if isinstance(request, str) else request
    fetched: dict[str, Page] = {}

    async def fetch(url: str, *, method: str = "GET", headers: dict[str, str] | None = None) -> Page:
        path = url.removeprefix(site.base).partition("#")[0]
        found = path in site.pages
        fetched[url] = site.page(path) if found else Page(url, url, 404, {"content-type": "text/html"}, b"")
        return fetched[url]

    survey = await PageSurveyor().survey(query, fetch, lambda tick: None)
    pages = {url: page for url, page in fetched.items() if page.status == 200}
    code = emit(plan(query, survey, pages=pages))
    done = run_program(code, directory)
    assert done.returncode == 0, done.stderr
    file = directory / query.output_name
    asked = tuple(Request("GET", site.base + path, 200) for path in dict.fromkeys(site.hits))
    seen = {site.base + path: site.page(path) for path in dict.fromkeys(site.hits)}
    left = open_questions(query, survey, pages) if undecided else ()
    judged = Judged(query, survey, RunResult("ok", requests=asked), {file.name: file.read_bytes()}, seen, open=left)
    return Outcome(code, rows_of(file), RowsCritic().judge(judged))


def open_questions(query: Reading, survey: Survey, pages: dict[str, Page]) -> tuple[Question, ...]:
    """What the rules would ask, one question after the other, each answered by the best guess."""
    reader, decisions = Reader(survey, pages), tuple[Decision, ...]()
    found: list[Question] = []
    while len(found) < QUESTIONS_AT_MOST:
        asked = question(query, survey, reader, decisions)
        if asked is None:
            break
        found.append(asked)
        decisions = with_decision(decisions, best_guess(asked))
    return tuple(found)


def expected(rows: list[dict[str, Any]], site: Site) -> list[dict[str, Any]]:
    """The rows that are right, with the site's address in them."""
    filled: list[dict[str, Any]] = json.loads(json.dumps(rows).replace("{URL}", site.base + "/"))
    return filled
