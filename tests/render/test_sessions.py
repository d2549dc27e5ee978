"""Pages drawn by script, from a sentence to right rows; and what is said where none can be drawn."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from scrapewright.sandboxes import chromium
from tests.e2e.site import called
from tests.e2e.test_ask_json import Client
from tests.fakes.drawn import LAMPS, PAGE, PEAKS, Drawn, serve

QUERY = "all lamps on {base}/lamps: name, price (float). JSON"
HIGHER = "all peaks on {base}/peaks (all pages): name, metres (int). JSON"
RULES = ("--programmer", "rules")
needs_chromium = pytest.mark.skipif(chromium.find() is None, reason="no Chromium is installed")
pytestmark = pytest.mark.sandbox


def rows(folder: Path) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads((folder / "rows.json").read_text())
    return found


def scraped(request: str, out: Path, *words: str, **variables: str) -> tuple[list[dict[str, object]], str]:
    """The rows of a run that ends well and writes them there, and what it says."""
    run = called("run", request, *RULES, "--out", out.name, *words, cwd=out.parent, **variables)
    assert run.returncode == 0, run.stderr
    return rows(out), run.stderr


@needs_chromium
def test_a_page_drawn_from_a_json_answer_is_scraped_without_a_browser(tmp_path: Path) -> None:
    with serve(Drawn()) as site:
        request = QUERY.format(base=site.base)
        found, said = scraped(request, tmp_path / "out")
        assert found == [{"name": lamp["name"], "price": lamp["price"]} for lamp in LAMPS]
        assert f"its scripts draw the page from {site.base}/api/lamps, which programs fetch in its place" in said
        program = (tmp_path / "out" / "scraper.py").read_text()
        assert f'ENDPOINT = "{site.base}/api/lamps"' in program
        assert "Render" not in program
        assert "bs4" not in program
        asked = len(site.asked)
        assert scraped(request, tmp_path / "again", "--tape", "only")[0] == found
        assert len(site.asked) == asked


@pytest.mark.full
@needs_chromium
def test_a_page_that_has_its_records_nowhere_else_is_scraped_as_it_is_drawn(tmp_path: Path) -> None:
    with serve(Drawn()) as site:
        request = HIGHER.format(base=site.base)
        found, said = scraped(request, tmp_path / "out")
        assert found == [{"name": peak["peak"], "metres": peak["metres"]} for peak in PEAKS]
        assert "its scripts draw the page: programs ask for the drawn one, by the header X-Scrapewright-Render" in said
        assert "next page by link: Next page (verified)" in said
        asked = len(site.asked)
        # What was drawn is on the tape: replayed, and run again, without a browser and without the site.
        again, _ = scraped(request, tmp_path / "again", "--tape", "only", "--render", "always", PATH="/nowhere")
        assert again == found
        assert len(site.asked) == asked

        program = tmp_path / "out" / "scraper.py"
        alone = subprocess.run(
            [sys.executable, str(program)], cwd=tmp_path, capture_output=True, text=True, check=False,
            env={**os.environ, "NO_PROXY": "*"},
        )  # fmt: skip
        assert alone.returncode == 1
        assert alone.stderr == (
            f"{site.base}/peaks is drawn by its scripts: run this with scrapewright trace --allow HOST\n"
        )


@needs_chromium
@pytest.mark.full
def test_an_exported_program_runs_under_trace_and_its_rows_can_be_checked(tmp_path: Path) -> None:
    with serve(Drawn()) as site:
        request = HIGHER.format(base=site.base)
        found, _ = scraped(request, tmp_path / "out")
        program = tmp_path / "out" / "scraper.py"
        host = site.base.removeprefix("http://")
        # The seconds that drawing takes are not the program's.
        limit = ("--time-limit", "1.5")
        traced = called("trace", str(program), "--allow", host, "--out", "traced", *limit, cwd=tmp_path)
        assert traced.returncode == 0, traced.stderr
        assert rows(tmp_path / "traced") == found
        judged = called("check", str(tmp_path / "out" / "rows.json"), request, cwd=tmp_path)
        assert judged.returncode == 0, judged.stdout + judged.stderr


@pytest.mark.full
@needs_chromium
def test_an_answer_that_a_plain_request_does_not_get_is_not_taken(tmp_path: Path) -> None:
    with serve(Drawn()) as site:
        run = called(
            "run", f"peaks on {site.base}/guarded: name, metres (int). JSON", *RULES, "--out", "out", cwd=tmp_path
        )
        assert site.asked.count("/api/guarded") == 2
        assert "programs ask for the drawn one" in run.stderr
        assert rows(tmp_path / "out") == [{"name": peak["peak"], "metres": peak["metres"]} for peak in PEAKS[:PAGE]]


@pytest.mark.full
@needs_chromium
def test_a_page_that_holds_nothing_when_it_is_drawn_either_says_so(tmp_path: Path) -> None:
    with serve(Drawn()) as other, serve(Drawn(other.base.replace("127.0.0.1", "localhost"))) as site:
        run = called("run", f"all things on {site.base}/outside: name. JSON", *RULES, cwd=tmp_path)
        assert run.returncode == 1, run.stderr
        assert "the page holds no records, also as a browser draws it; its scripts asked for localhost" in run.stderr
        assert other.asked == []


@needs_chromium
@pytest.mark.full
def test_a_person_is_asked_for_what_a_page_can_not_be_drawn_without(tmp_path: Path) -> None:
    """And it is drawn again with it: here in vain, for on this machine only what the request names is let in."""
    with serve(Drawn()) as other, serve(Drawn(other.base)) as site:
        talk = Client(f"all peaks on {site.base}/outside: name, metres (int). JSON", tmp_path, *RULES)
        try:
            asked = talk.until("Asked")
            assert asked["kind"] == "host"
            assert asked["prompt"] == f"the page leads to {site.elsewhere}/list.js, which the query does not name"
            talk.say(ticket=asked["seq"], answer="allow")
            code, finished = talk.end()
        finally:
            talk.close()
        requests = [event["request"] for event in talk.events if event["type"] == "RequestSeen"]
        assert [request.get("from_tape", False) for request in requests if request["method"] == "RENDER"] == [False] * 2
        assert (code, finished["outcome"]) == (1, "javascript")


def test_without_a_browser_it_is_said_what_to_install(tmp_path: Path) -> None:
    with serve(Drawn()) as site:
        request = QUERY.format(base=site.base)
        run = called("run", request, *RULES, cwd=tmp_path, PATH="/nowhere")
        assert run.returncode == 1, run.stderr
        assert "no Chromium is here to draw it; install one (Debian: apt install chromium-headless-shell" in run.stderr
        run = called("run", request, *RULES, "--render", "never", cwd=tmp_path)
        assert run.returncode == 1, run.stderr
        assert "the page is filled by JavaScript" in run.stderr
        assert "Chromium" not in run.stderr
        assert site.asked == ["/robots.txt", "/lamps"] * 2
    run = called("run", request, "--render", "sometimes", cwd=tmp_path)
    assert run.returncode == 2
    assert "--render: 'sometimes' is none of auto, always, never" in run.stderr
