"""The list of requests: what happened to those that nobody answered."""

from __future__ import annotations

import pytest

from scrapewright.session.result import Request
from scrapewright.tui.view.requests import request_lines, request_parts

URL = "http://127.0.0.1/slow"


@pytest.mark.parametrize(
    ("status", "verdict", "note", "shown"),
    [
        (504, "error", "dropped: the program was killed or did not wait for the answer", "gave up"),
        (504, "error", "timeout: no answer in 30 s", "timeout"),
        (502, "error", "refused: nobody listens there", "no link"),
        (502, "error", "dns: there is no such host", "no host"),
        (403, "refused", "policy: the query does not name it", "refused"),
        (504, "miss", "miss: it is not on the tape", "miss"),
    ],
)
def test_what_nobody_answered_has_no_status(status: int, verdict: str, note: str, shown: str) -> None:
    request = Request("GET", URL, status, verdict=verdict, note=note)
    line = "".join(text for text, _ in request_lines([request])[0])
    assert line.startswith("--- ")
    assert shown in line.partition(URL)[0]
    assert str(status) not in line
    assert note in line
    status_in_full = dict(request_parts(request))["status"]
    assert status_in_full == f"none, nobody answered; the program got {status}"


def test_a_status_of_the_site_s_own_is_shown() -> None:
    own = Request("GET", URL, 504, note="try 3")
    assert "".join(text for text, _ in request_lines([own])[0]).startswith("504 ")
    assert dict(request_parts(own))["status"] == "504"
    broken = Request("GET", URL, 200, verdict="error", note="protocol: the body broke off")
    assert "".join(text for text, _ in request_lines([broken])[0]).startswith("200 ")
