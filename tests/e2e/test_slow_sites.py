"""The command on sites that are slow, silent or hang up: said clearly, and over in time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.e2e.site import Odd, called, serve
from tests.fakes.loopback import Handler

QUERY = "all mugs on {base}/: name, price (float), url"


def _never(handler: Handler) -> None:
    handler.state.over.wait(60)


def _hangs_up(handler: Handler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9000\r\n\r\n" + b"<ul>" * 20)


def _drips(handler: Handler) -> None:
    """A byte every tenth of a second, without end."""
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n")
    while not handler.state.over.wait(0.1):
        handler.wfile.write(b"a")


def _program(base: str) -> str:
    return (
        "import requests\n"
        "from bs4 import BeautifulSoup\n"
        f"soup = BeautifulSoup(requests.get({base!r} + '/').text, 'html.parser')\n"
        "print(len(soup.select('li')))\n"
    )


def test_the_survey_says_that_the_site_hung_up(tmp_path: Path) -> None:
    with serve({"/": _hangs_up}) as site:
        done = called("run", QUERY.format(base=site.base), "--out", "out", cwd=tmp_path)
    assert done.returncode not in (0, 1), done.stderr
    assert "did not answer properly" in done.stderr or "broke off" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists() or not list((tmp_path / "out").iterdir())


@pytest.mark.parametrize(
    ("odd", "notes"),
    [
        pytest.param(_never, ("did not wait for the answer",), marks=pytest.mark.full),
        (_drips, ("not read to its end", "did not wait for the answer")),
    ],
)
def test_the_program_s_time_limit_ends_the_wait(tmp_path: Path, odd: Odd, notes: tuple[str, ...]) -> None:
    with serve({"/": odd}) as site:
        (tmp_path / "mine.py").write_text(_program(site.base))
        done = called("trace", "mine.py", "--json", "--time-limit", "4", "--allow", site.base, cwd=tmp_path)
    record = json.loads(done.stdout)
    assert record["status"] == "timeout"
    assert record["stack"], "where it waited"
    last = record["requests"][-1]
    assert last["url"] == site.base + "/"
    assert any(note in last["note"] for note in notes), last


@pytest.mark.full
def test_a_program_hears_that_the_site_hung_up(tmp_path: Path) -> None:
    with serve({"/": _hangs_up}) as site:
        (tmp_path / "mine.py").write_text(_program(site.base))
        done = called("trace", "mine.py", "--json", "--allow", site.base, cwd=tmp_path)
        asked = site.seen.count("/")
    record = json.loads(done.stdout)
    assert record["status"] == "ok"
    last = record["requests"][-1]
    assert (last["status"], last["verdict"]) == (502, "error")
    assert "broke off" in last["note"]
    assert asked == 3  # tried again, and not for ever


def _busy(handler: Handler) -> None:
    handler.wfile.write(b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 3\r\nContent-Length: 0\r\n\r\n")


@pytest.mark.full
def test_waiting_for_a_busy_site_is_not_charged_to_the_program(tmp_path: Path) -> None:
    """Three tries with the pauses that the site asks for take six seconds; the program has five of its own."""
    with serve({"/": _busy}) as site:
        (tmp_path / "mine.py").write_text(_program(site.base))
        done = called("trace", "mine.py", "--json", "--time-limit", "5", "--allow", site.base, cwd=tmp_path)
    record = json.loads(done.stdout)
    assert record["status"] == "ok", done.stderr
    assert record["seconds"] > 6
