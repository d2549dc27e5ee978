"""One site with a login, a search form, a list paged by postbacks and a page drawn by its script: each leads from a
sentence to right rows, by the rules and a person who answers what is asked.
"""

from __future__ import annotations

import json
from http.cookiejar import MozillaCookieJar
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, ProxyHandler, build_opener

import pytest

from scrapewright.sandboxes import chromium
from tests.e2e.test_ask_json import Client
from tests.fakes.offices import PASSWORD, Offices, serve

needs_chromium = pytest.mark.skipif(chromium.find() is None, reason="no Chromium is installed")
pytestmark = pytest.mark.sandbox


def logged_in(base: str, file: Path) -> Path:
    """The cookies of somebody who has filled in the form, as a browser's extension exports them."""
    jar = MozillaCookieJar()
    sent = urlencode({"user": "wendy", "password": PASSWORD}).encode()
    build_opener(ProxyHandler({}), HTTPCookieProcessor(jar)).open(f"{base}/login", sent, timeout=30).close()
    jar.save(str(file), ignore_discard=True)
    return file


@pytest.mark.parametrize(
    ("sentence", "rows", "questions"),
    [
        pytest.param(
            "all offices on {base}/members: town, staff (int). JSON", slice(8, 12), ["login"],
            marks=pytest.mark.full,
        ),
        pytest.param(
            "search {base}/find for 'e' and give all offices: town, staff (int). JSON", "e", [], marks=pytest.mark.full
        ),
        pytest.param(
            "all offices on {base}/register: town, staff (int). JSON", slice(0, 12), ["pages"],
            marks=pytest.mark.full,
        ),
        pytest.param(
            "all offices on {base}/map: town, staff (int). JSON", slice(0, 12), [], marks=needs_chromium
        ),
    ],
    ids=["login", "search", "postbacks", "script"],
)  # fmt: skip
def test_each_way_in_leads_from_a_sentence_to_right_rows(
    sentence: str, rows: slice | str, questions: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SCRAPEWRIGHT_RENDER")  # as for whoever says nothing of it
    with serve(Offices()) as offices:
        answers = {
            "login": {"text": str(logged_in(offices.base, tmp_path / "cookies.txt"))},
            "pages": {"choose": "all"},
        }
        talk = Client(sentence.format(base=offices.base), tmp_path, "--programmer", "rules")
        try:
            for kind in questions:
                asked = talk.until("Asked")
                assert asked["kind"] == kind
                # Of the records the best guess is right: those with the row of page numbers are the other one.
                talk.say(ticket=asked["seq"], **(answers.get(kind) or {"choose": asked["options"][0]["id"]}))
            code, finished = talk.end()
        finally:
            talk.close()
    assert code == 0, finished
    assert [event["kind"] for event in talk.events if event["type"] == "Asked"] == questions
    wanted = (
        offices.rows[rows]
        if isinstance(rows, slice)
        else [row for row in offices.rows if rows in str(row["town"]).lower()]
    )
    assert json.loads((tmp_path / "out" / "rows.json").read_text()) == wanted
    drawn = [
        event for event in talk.events if event["type"] == "RequestSeen" and event["request"]["method"] == "RENDER"
    ]
    assert bool(drawn) == ("/map" in sentence), "no page is drawn that need not be"
