"""Listings whose next page is a form that is sent, from a sentence to right rows."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.e2e.site import called
from tests.e2e.test_ask_json import Client
from tests.e2e.test_credentials import contents
from tests.fakes.offices import SESSION, Offices, Pager, serve

QUERY = "all offices on {base}/register (all pages): town, staff (int). JSON"
SEARCH = "search {base}/find for 'e' and give all offices: town, staff (int). JSON"
RULES = ("--programmer", "rules")


@pytest.mark.sandbox
@pytest.mark.parametrize(
    "pager", ["numbers", *(pytest.param(kind, marks=pytest.mark.full) for kind in ("plain", "next", "button"))]
)
def test_all_pages_behind_a_form_are_read(tmp_path: Path, pager: Pager) -> None:
    with serve(Offices(pager)) as offices:
        request = QUERY.format(base=offices.base)
        run = called("run", request, *RULES, "--out", "out", cwd=tmp_path)
        assert run.returncode == 0, run.stderr
        assert json.loads((tmp_path / "out" / "rows.json").read_text()) == offices.rows
        # Page 2, which the survey has posted for, is read from the tape.
        assert [method for method, path, _ in offices.asked if path == "/register"] == ["GET", "POST", "POST"]
        asked = len(offices.asked)
        again = called("run", request, *RULES, "--tape", "only", "--out", "again", cwd=tmp_path)
        assert again.returncode == 0, again.stderr
        assert (tmp_path / "again" / "rows.json").read_text() == (tmp_path / "out" / "rows.json").read_text()
        assert len(offices.asked) == asked


@pytest.mark.sandbox
def test_pages_behind_a_form_that_were_not_asked_for_are_said(tmp_path: Path) -> None:
    with serve(Offices("next")) as offices:
        run = called(
            "run",
            f"all offices on {offices.base}/register: town, staff (int). JSON",
            *RULES,
            "--out",
            "out",
            cwd=tmp_path,
        )
        assert run.returncode == 0, run.stderr
        assert "4 rows of page 1; a next page is there" in run.stderr
        # A program that reads one page of all is not called right.
        program = next(tmp_path.glob("**/scraper.py"))
        run = called(
            "run", QUERY.format(base=offices.base), *RULES, "--from", str(program), "--attempts", "1", cwd=tmp_path
        )
        assert run.returncode == 4, run.stderr
        assert "the page after the last one, by the form around" in run.stderr


@pytest.mark.sandbox
def test_a_page_that_asks_for_a_login_asks_the_person_for_cookies(tmp_path: Path) -> None:
    """A pasted cookie is refused and not repeated; the cookies of a file go to the site and nowhere else."""
    (tmp_path / "given").mkdir()
    given = tmp_path / "given" / "cookies.txt"
    given.write_text(f"# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\tsid\t{SESSION}\n")
    request = "all offices on {base}/members: town, staff (int). JSON"
    with serve(Offices()) as offices:
        talk = Client(request.format(base=offices.base), tmp_path, *RULES)
        try:
            asked = talk.until("Asked")
            assert (asked["kind"], asked["choices"]) == ("login", ["say", "go", "stop"])
            assert asked["prompt"].startswith(f"{offices.base}/members asks for a login")
            for wrong in (SESSION, f"sid={SESSION}" + "x" * 3000, str(tmp_path)):
                talk.say(ticket=asked["seq"], text=wrong)
                assert "type the path of a file of cookies" in talk.until("Refused")["message"]
            talk.say(ticket=asked["seq"], text=str(given))
            code, finished = talk.end()
        finally:
            talk.close()
        assert code == 0, finished
        rows = json.loads((tmp_path / "out" / "rows.json").read_text())
        assert rows == offices.rows[8:]
        said = [event["text"] for event in talk.events if event["type"] == "Noted"]
        assert f"sent to 127.0.0.1: 1 cookie of {given}" in "\n".join(said)
        # Nobody there: as before.
        alone = called("run", request.format(base=offices.base), *RULES, "--out", "none", cwd=tmp_path)
        assert alone.returncode == 1
        assert "asks for a login" in alone.stderr
    homes = Path(os.environ["XDG_DATA_HOME"]).parent
    places = [("events", json.dumps(talk.events).encode()), *contents(homes), *contents(tmp_path / "out")]
    assert len(places) > 20
    assert [place for place, data in places if SESSION.encode() in data] == []


@pytest.mark.sandbox
@pytest.mark.parametrize("method", ["post", pytest.param("get", marks=pytest.mark.full)])
def test_a_search_form_is_filled(tmp_path: Path, method: str) -> None:
    with serve(Offices(search=method)) as offices:
        request = SEARCH.format(base=offices.base)
        run = called("run", request, *RULES, "--out", "out", cwd=tmp_path)
        assert run.returncode == 0, run.stderr
        assert json.loads((tmp_path / "out" / "rows.json").read_text()) == [
            row for row in offices.rows if "e" in str(row["town"]).lower()
        ]
        assert (method.upper(), "/results", {"in": "towns", "q": "e"}) in offices.asked
        nothing = called("run", request.replace("/find", "/members"), *RULES, "--out", "none", cwd=tmp_path)
        assert nothing.returncode == 1
        assert "there is no search form on the page" in nothing.stderr


def test_rows_behind_forms_are_checked_as_far_as_no_form_is_sent(tmp_path: Path) -> None:
    with serve(Offices()) as offices:
        (tmp_path / "rows.json").write_text(json.dumps(offices.rows))
        checked = called("check", "rows.json", QUERY.format(base=offices.base), cwd=tmp_path)
        assert checked.returncode == 1
        assert "the pages that a form leads to: forms are not sent here" in checked.stdout
        found = [row for row in offices.rows if "e" in str(row["town"]).lower()]
        (tmp_path / "found.json").write_text(json.dumps(found))
        checked = called("check", "found.json", SEARCH.format(base=offices.base), cwd=tmp_path)
        assert checked.returncode == 0, checked.stdout


@pytest.mark.full
@pytest.mark.sandbox
def test_a_person_says_that_all_pages_behind_a_form_are_meant(tmp_path: Path) -> None:
    with serve(Offices()) as offices:
        talk = Client(f"all offices on {offices.base}/register: town, staff (int). JSON", tmp_path, *RULES)
        try:
            asked = talk.until("Asked")
            assert (asked["kind"], [option["id"] for option in asked["options"]]) == ("pages", ["first", "all"])
            assert asked["prompt"] == "there is a next page: read page 1 only, or all 3 pages?"
            talk.say(ticket=asked["seq"], choose="all")
            code, finished = talk.end()
        finally:
            talk.close()
        assert code == 0, finished
        assert json.loads((tmp_path / "out" / "rows.json").read_text()) == offices.rows
