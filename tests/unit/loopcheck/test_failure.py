from __future__ import annotations

import pytest

from scrapewright.loop.failure import classify, signature
from scrapewright.session.result import ExceptionInfo, Frame, Request, RunResult
from scrapewright.session.verdict import Finding, Verdict
from scrapewright.survey.model import Survey, SurveyedPage
from scrapewright.web.page import Page

URL = "http://shop.test/list"
OK = Survey(pages=(SurveyedPage(URL, 200, "text/html"),))
HTML = Page(URL, URL, 200, {"content-type": "text/html"}, b'<a href="/list?page=2">next</a>')


def failed(
    type_: str, message: str, *requests: Request, line: int = 7, source: str = "value = float(text)"
) -> RunResult:
    frame = Frame("scraper.py", line, "main", source)
    return RunResult("error", 1, exception=ExceptionInfo(type_, message, (frame,)), requests=requests)


@pytest.mark.parametrize(
    ("request_", "kind", "code"),
    [
        (Request("GET", URL, 502, verdict="error", note="dns: no such name"), "dns", 3),
        (Request("GET", URL, 502, verdict="error", note="refused: shop.test:80 can't be reached"), "refused", 3),
        (Request("GET", URL, 502, verdict="error", note="tls: certificate has expired"), "tls", 1),
        (Request("GET", URL, 502, verdict="error", note="protocol: the peer closed the connection"), "protocol", 3),
        (Request("GET", URL, 401), "unauthorized", 1),
        (Request("GET", URL, 403), "forbidden", 1),
        (Request("GET", URL, 407), "proxy-auth", 2),
        (Request("GET", URL, 502, verdict="error", note="proxy-auth: it asks for a login"), "proxy-auth", 2),
        (Request("GET", URL, 502, verdict="error", note="proxy: it can't be reached"), "proxy", 3),
        (Request("GET", URL, 429), "rate-limited", 3),
        (Request("GET", URL, 503), "server-error", 3),
        (Request("GET", URL, 0, verdict="robots"), "robots", 1),
        (Request("GET", URL, 504, verdict="miss"), "miss", 1),
    ],
)
def test_what_no_program_can_repair(request_: Request, kind: str, code: int) -> None:
    failure = classify(failed("HTTPError", "x", request_), OK, {URL: HTML})
    assert (failure.kind, failure.repairable, failure.exit_code) == (kind, False, code)
    assert failure.message
    assert failure.advice
    assert f"{kind}:" not in failure.message


def test_a_status_says_nothing_where_the_program_made_the_address_up() -> None:
    made_up = Request("GET", "http://shop.test/api/v9/all.json", 403)
    assert classify(failed("HTTPError", "403", made_up), OK, {URL: HTML}).repairable
    linked = Request("GET", "http://shop.test/list?page=2", 403)
    assert not classify(failed("HTTPError", "403", linked), OK, {URL: HTML}).repairable
    missing = Request("GET", "http://shop.test/list?page=2", 404)
    assert classify(failed("HTTPError", "404", missing), OK, {URL: HTML}).repairable


def test_a_host_not_named_is_a_question_and_not_an_end() -> None:
    failure = classify(failed("ProxyError", "403", Request("GET", "http://cdn.test/x", 403, verdict="refused")), OK, {})
    assert (failure.kind, failure.repairable) == ("host", True)
    assert "cdn.test" in failure.message


def test_a_host_is_named_as_it_can_be_allowed() -> None:
    refused = [
        Request("GET", url, 403, verdict="refused") for url in ("http://[2606:4700::1]:81/x", "http://a.test:81")
    ]
    advice = [classify(failed("ProxyError", "403", request), OK, {}).advice for request in refused]
    assert [text.partition("--allow ")[2] for text in advice] == ["[2606:4700::1]:81", "a.test:81"]


@pytest.mark.parametrize(
    ("survey", "kind", "code"),
    [
        (Survey(pages=(SurveyedPage(URL, 403),), verdict="blocked", reason="a challenge page"), "blocked", 1),
        (Survey(pages=(SurveyedPage(URL, 200),), verdict="javascript"), "javascript", 1),
        (Survey(pages=(SurveyedPage(URL, 200, "application/pdf"),), verdict="not-html"), "not-html", 1),
        (Survey(pages=(SurveyedPage(URL, 404),), verdict="error"), "client-error", 1),
        (Survey(pages=(SurveyedPage(URL, 502),), verdict="error"), "server-error", 3),
        (Survey(pages=(SurveyedPage(URL, 429),), verdict="error"), "rate-limited", 3),
        (Survey(pages=(SurveyedPage(URL, 429),), verdict="blocked", reason="slow down (429)"), "rate-limited", 3),
        (Survey(pages=(SurveyedPage(URL, 0, error="redirects"),), verdict="error"), "redirects", 1),
        (Survey(pages=(SurveyedPage(URL, 0, error="dns"),), verdict="error"), "dns", 3),
        (Survey(pages=(SurveyedPage(URL, 0, error="tls"),), verdict="error"), "tls", 1),
        (
            Survey(pages=(SurveyedPage(URL, 0, error="protocol"),), verdict="error", reason="disconnected"),
            "protocol",
            3,
        ),
        (Survey(pages=(SurveyedPage(URL, 200),), verdict="empty"), "empty", 1),
    ],
)
def test_the_survey_alone_is_enough(survey: Survey, kind: str, code: int) -> None:
    failure = classify(None, survey, {})
    assert (failure.kind, failure.repairable, failure.exit_code) == (kind, False, code)


def test_a_page_that_leads_to_another_site_says_which() -> None:
    page = SurveyedPage("https://new.test:8443/", 0, error="policy")
    failure = classify(None, Survey(pages=(page,), verdict="error", reason="it is not named"), {})
    assert (failure.kind, failure.exit_code) == ("host", 1)
    assert "--allow new.test:8443" in failure.advice


def test_what_a_program_can_repair() -> None:
    assert classify(failed("ValueError", "could not convert string to float: 'call us'"), OK, {}).repairable
    assert classify(RunResult("timeout", trail=(3, 4)), OK, {}).kind == "endless"
    assert classify(RunResult("oom"), OK, {}).kind == "memory"
    spent = Request("GET", URL, 429, verdict="error", note="spent: this run has made 9 requests, the most a run may")
    endless = classify(failed("IndexError", "list index out of range", spent), OK, {})
    assert (endless.kind, endless.repairable) == ("endless", True)
    assert classify(RunResult("ok", 0), OK, {}).kind == "rows"
    assert classify(RunResult("exit", 3), OK, {}).kind == "program"
    lost = classify(RunResult("lost", note="no report"), OK, {})
    assert (lost.kind, lost.repairable, lost.exit_code) == ("sandbox", False, 3)


def test_the_same_failure_has_the_same_signature() -> None:
    first = failed("AttributeError", "<object at 0x7f00aa> has no x", line=7)
    moved = failed("AttributeError", "<object at 0x7f11bb> has no x", line=9)
    assert signature(first, None) == signature(moved, None)
    assert signature(first, None) != signature(failed("ValueError", "x"), None)
    other = failed("ValueError", "could not convert string to float: '1.299,00'")
    assert signature(other, None) != signature(failed("ValueError", "could not convert string to float: ''"), None)
    few = Verdict(False, 0.5, (Finding("empty-column", "a", "price"), Finding("mojibake", "b", "name")))
    same = Verdict(False, 0.4, (Finding("mojibake", "c", "name"), Finding("empty-column", "d", "price", (1,))))
    assert signature(RunResult("ok", 0), few) == signature(RunResult("ok", 0), same)
