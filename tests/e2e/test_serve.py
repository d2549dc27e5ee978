"""`scrapewright serve`: the workbench in a browser, for whoever has the token."""

from __future__ import annotations

import http.client
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from scrapewright.settings import load
from scrapewright.store.sessions import SessionBusy, SessionStore
from tests.e2e.chromium import CHROMIUM, PATIENCE, Browser
from tests.e2e.site import command

SERVE = [sys.executable, "-m", "scrapewright", "serve"]


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Of a server, as it is printed."""
    with subprocess.Popen(
        [*SERVE, "--port", "0"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130


def asked(address: str, path: str, **headers: str) -> tuple[int, http.client.HTTPMessage, str]:
    parts = urlsplit(address)
    connection = http.client.HTTPConnection(parts.hostname or "", parts.port or 0, timeout=PATIENCE)
    connection.request("GET", path, headers=headers)
    response = connection.getresponse()
    found = response.status, response.headers, response.read().decode()
    connection.close()
    return found


def test_nothing_is_served_without_the_token(address: str) -> None:
    parts = urlsplit(address)
    assert parts.hostname == "127.0.0.1"
    upgrade = {
        "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }  # fmt: skip
    for path in ("/", "/?token=", "/?token=%C3%A9", "/ws", "/static/js/textual.js", f"/ws?{parts.query}"):
        status, _, text = asked(address, path, **(upgrade if path.startswith("/ws") else {}))
        assert (status, "token" in text) == (403, True), path
    status, headers, page = asked(address, f"/?{parts.query}")
    cookie = headers["Set-Cookie"].partition(";")[0]
    assert status == 200
    assert "HttpOnly" in headers["Set-Cookie"]
    assert "SameSite=Strict" in headers["Set-Cookie"]
    assert "https://" not in page.replace("http://127.0.0.1", ""), "nothing of another site is loaded"
    assert asked(address, "/static/js/textual.js", Cookie=cookie)[0] == 200
    assert asked(address, "/", Cookie=cookie.partition("=")[0] + "=other")[0] == 403


def test_a_port_that_is_taken_is_said(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = command("serve", "--port", port, cwd=tmp_path)
    assert done.returncode == 2
    assert f"nothing can be served on 127.0.0.1, port {port}" in done.stderr
    assert "--port names another" in done.stderr
    assert done.stdout == ""


def test_a_missing_package_is_said(tmp_path: Path) -> None:
    script = (
        "import sys\n"
        "import importlib.util\n"
        "found = importlib.util.find_spec\n"
        "importlib.util.find_spec = lambda name, *rest: None if name == 'textual_serve' else found(name, *rest)\n"
        "sys.argv = ['scrapewright', 'serve']\n"
        "from scrapewright.__main__ import main\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, "pip install 'scrapewright[serve]'" in done.stderr) == (2, True), done.stderr


@pytest.mark.full
@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")
def test_the_demo_comes_to_its_rows_in_a_browser_and_a_closed_tab_suspends_a_session(
    address: str, tmp_path: Path
) -> None:
    browser = Browser(tmp_path / "profile")
    try:
        browser.open(address)
        browser.until("Request", "type what you want")
        assert "token" not in browser.evaluate("location.href")
        assert browser.evaluate("document.querySelectorAll('canvas').length") > 0
        browser.press("F4")
        browser.until("Try one on the practice shop")
        browser.press("1")
        browser.until("enter runs")
        browser.press("Enter")
        browser.until(" success ", "Harbour Lamp", "40 rows")
        browser.press("F3")
        browser.until("Past sessions")
        browser.press("F6", "Enter")
        browser.until("run attempt 1?")
        browser.close_page()
        data = load().data_dir
        deadline = time.monotonic() + PATIENCE
        with SessionStore(data) as store:
            found = store.list()
            assert [(s.outcome, s.rows) for s in found] == [("", 0), ("success", 40)]
            while True:
                try:
                    store.own(found[0].id).release()
                    break
                except SessionBusy:
                    assert time.monotonic() < deadline, "the closed tab's workbench still has the session"
                    time.sleep(0.05)
            assert [s.outcome for s in store.list()] == ["", "success"]
    finally:
        browser.close()
