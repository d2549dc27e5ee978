"""Pages that a run asked for and did not get."""

from __future__ import annotations

import json

import pytest

from scrapewright.critics.judge import RowsCritic
from scrapewright.loop.failure import Failure, classify
from scrapewright.loop.ports import Case
from scrapewright.query.reading import Column, Reading
from scrapewright.session.result import Request, RunResult
from scrapewright.session.verdict import Finding, Verdict
from scrapewright.web.page import Page
from tests.unit.critics.shop_pages import BASE, PER_PAGE, ask, document, site, teas

SECOND, THIRD = f"{BASE}/teas?page=2", f"{BASE}/teas?page=3"


def judged(
    asked: str,
    *,
    status: int = 0,
    verdict: str = "allowed",
    note: str = "",
    query: Reading | None = None,
    body: bytes = b"",
) -> tuple[Verdict, Failure]:  # fmt: skip
    """A run that got two of the three pages and then asked for one more address in vain."""
    pages = site()
    del pages[THIRD]
    requests = [Request("GET", url, 200, "text/html") for url in pages]
    requests.append(Request("GET", asked, status, verdict=verdict, note=note))
    if body:
        pages[asked] = Page(asked, asked, status, {"content-type": "text/html"}, body)
    query = query or ask()
    files = {query.output_name: json.dumps(teas()[: 2 * PER_PAGE], ensure_ascii=False).encode()}
    case = Case(query, None, RunResult("ok", 0, requests=tuple(requests)), files, pages, author="model")
    found = RowsCritic().judge(case)
    return found, classify(case.result, None, pages, found)


def failed(verdict: Verdict) -> list[Finding]:
    return [finding for finding in verdict.findings if finding.code == "page-failed"]


@pytest.mark.parametrize("status", [404, 410, 400])
@pytest.mark.parametrize("source", ["allowed", "tape"])
def test_a_dead_next_link_is_said_and_the_rows_are_right(status: int, source: str) -> None:
    verdict, _ = judged(THIRD, status=status, verdict=source)
    assert verdict.ok, verdict.findings
    assert [(f.severity, f.message) for f in verdict.findings] == [
        ("warning", f"page 3 ({THIRD}) answered {status}: 16 rows of 2 pages are kept")
    ]


def test_what_an_error_page_lists_is_no_record() -> None:
    body = site()[SECOND].body.replace(b"Iron", b"Other").replace(b"Jasmine", b"Another")
    verdict, _ = judged(THIRD, status=404, body=body)
    assert verdict.ok, verdict.findings


@pytest.mark.parametrize(
    ("status", "kind", "code"), [(429, "rate-limited", 3), (500, "server-error", 3), (503, "server-error", 3),
                                 (403, "forbidden", 1), (401, "unauthorized", 1)],
)  # fmt: skip
def test_a_page_that_is_kept_back_is_missing(status: int, kind: str, code: int) -> None:
    verdict, failure = judged(THIRD, status=status)
    assert not verdict.ok
    assert (failure.kind, failure.exit_code, failure.repairable) == (kind, code, False)
    assert failure.message == f"page 3 ({THIRD}) answered {status}: 16 rows of 2 pages are kept"
    assert failure.advice


@pytest.mark.parametrize(
    ("note", "kind", "code"), [("timeout: no answer in 30 s", "timeout", 3), ("dns: no such name", "dns", 3)]
)
def test_a_page_without_an_answer_is_missing(note: str, kind: str, code: int) -> None:
    verdict, failure = judged(THIRD, verdict="error", note=note)
    assert not verdict.ok
    assert (failure.kind, failure.exit_code, failure.repairable) == (kind, code, False)
    assert f"could not be had ({note}): 16 rows of 2 pages are kept" in failure.message


def test_a_page_that_came_at_the_second_try_is_not_missing() -> None:
    pages = site()
    requests = [Request("GET", THIRD, 503), *(Request("GET", url, 200) for url in pages)]
    files = {"rows.json": json.dumps(teas()).encode()}
    assert not failed(
        RowsCritic().judge(
            Case(ask(), None, RunResult("ok", 0, requests=tuple(requests)), files, pages, author="model")
        )
    )


def test_as_many_pages_as_were_asked_for() -> None:
    enough, _ = judged(THIRD, status=404, query=ask(pages=2))
    assert enough.ok
    few, failure = judged(THIRD, status=404, query=ask(pages=3))
    assert not few.ok
    assert (failure.kind, failure.exit_code, failure.repairable) == ("client-error", 1, False)


def test_a_page_that_the_request_names_is_missing() -> None:
    named = f"{BASE}/teas/rare"
    verdict, failure = judged(named, status=404, query=ask(urls=(f"{BASE}/teas", named), pages=1))
    assert [f.severity for f in failed(verdict)] == ["error"]
    assert failure.kind == "client-error"


def test_a_program_that_can_be_made_better_is_repaired_before_a_dead_page_ends_it() -> None:
    query = ask(pages=3, columns=(*ask().columns[:1], Column("colour")))
    verdict, failure = judged(THIRD, status=404, query=query)
    assert {"missing-column", "page-failed"} <= {finding.code for finding in verdict.findings}
    assert failure.repairable
    _, later = judged(THIRD, status=429, query=query)
    assert not later.repairable, "no program gets the page now"


@pytest.mark.parametrize("url", [f"{BASE}/teas?page=4", f"{BASE}/api/teas?offset=16"])
def test_an_address_that_no_page_has_may_be_missing(url: str) -> None:
    query = ask(pages=2)
    verdict, _ = judged(url, status=404, query=query)
    assert not failed(verdict)


def test_a_number_counted_up_beyond_what_the_pages_link_to_may_be_kept_back() -> None:
    verdict, failure = judged(f"{BASE}/teas?page=4", status=429, query=ask(pages=2))
    assert not verdict.ok
    assert failure.exit_code == 3


LOGIN = b'<h1>Log in</h1><form><input name="user"><input type="password" name="p"><button>Log in</button></form>'


def test_a_login_instead_of_a_page() -> None:
    verdict, failure = judged(THIRD, status=200, body=document(LOGIN.decode()))
    assert {finding.code for finding in verdict.findings if finding.severity == "error"} == {"asks-login"}
    assert (failure.kind, failure.exit_code, failure.repairable) == ("login", 1, False)


def test_an_empty_next_page_is_said() -> None:
    verdict, _ = judged(THIRD, status=200, body=document("<p>That was all.</p>"))
    assert verdict.ok, verdict.findings
    assert [f.message for f in failed(verdict)] == [f"page 3 ({THIRD}) has no records: 16 rows of 2 pages are kept"]
