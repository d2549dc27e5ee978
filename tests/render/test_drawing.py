"""Pages drawn by a real Chromium in a real sandbox, through the gateway: what comes of them, and their bounds."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpcore2
import msgspec
import pytest
import trustme

from scrapewright.loop.ports import Job
from scrapewright.sandboxes import chromium
from scrapewright.sandboxes.chromium import Chromium
from scrapewright.sandboxes.layout import Guest
from scrapewright.sandboxes.local import LocalSandbox
from scrapewright.sandboxes.spawn import KINDS, Kind
from scrapewright.session.result import Request
from scrapewright.web import render
from scrapewright.web.gateway import Gateway
from scrapewright.web.page import DATA, DRAWN, KEPT_OUT, RENDER, ByteStream, Page
from scrapewright.web.pipeline import Mode
from scrapewright.web.politeness import Politeness
from tests.fakes.drawn import PEAKS, Drawn, serve
from tests.unit.web.site import client_context, server_context

needs_chromium = pytest.mark.skipif(chromium.find() is None, reason="no Chromium is installed")
pytestmark = [pytest.mark.sandbox, needs_chromium]


class Drawing:
    """A gateway with a browser for a site, and its log."""

    def __init__(self, folder: Path, browser: Chromium | None) -> None:
        self.folder = folder
        self.browser = browser
        self.log: list[Request] = []
        self.refused: list[str] = []

    def fetch(self, url: str, mode: Mode = "reuse", session: str = "one", drawn: bool = True) -> Page:
        async def fetch(web: Gateway) -> Page:
            return await web.fetch(url, headers=DRAWN if drawn else None)

        return self.use(fetch, url, mode, session)

    def use(self, work: Callable[[Gateway], Awaitable[Page]], url: str, mode: Mode, session: str) -> Page:
        async def main() -> Page:
            web = Gateway(
                [url], tape=self.folder, session=session, mode=mode, browser=self.browser,
                on_request=lambda attempt, request: self.log.append(request),
                on_refused=lambda attempt, host, url, reason: self.refused.append(host),
            )  # fmt: skip
            await web.open()
            try:
                return await work(web)
            finally:
                await web.close()

        return asyncio.run(main())


@pytest.fixture
def drawing(tmp_path: Path) -> Drawing:
    return Drawing(tmp_path, Chromium())


@pytest.fixture
def _hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages that never come to rest are waited for no longer than it takes to see it."""
    monkeypatch.setattr(chromium, "SETTLE", 2.0)
    monkeypatch.setattr(chromium, "STUCK", 2.0)


ADDRESSES = {"peaks.test": "93.184.215.14", "files.test": "93.184.215.15"}
"""Stand for public addresses; nothing dials them."""
WINDOWED = chromium.find(names=("chromium", "chromium-browser", "google-chrome"))


@pytest.mark.skipif(WINDOWED is None, reason="no Chromium with windows is installed")
@pytest.mark.full
def test_a_chromium_with_windows_draws_too_and_asks_its_maker_for_nothing(tmp_path: Path) -> None:
    assert WINDOWED is not None
    assert not WINDOWED.shell
    with serve(Drawn()) as site:
        drawing = Drawing(tmp_path, Chromium(found=WINDOWED))
        assert drawing.fetch(f"{site.base}/lamps").body.count(b" Lamp</h2>") == 8
        bare = drawing.fetch(f"{site.base}/bare")  # which it fills with words of its own
        assert (bare.status, bare.body) == (404, b"<!doctype html>")
        assert {request.url.partition(site.base)[0] for request in drawing.log} == {""}


@pytest.mark.parametrize("kind", KINDS)
def test_a_drawn_page_is_on_the_tape_with_all_it_asked_for(tmp_path: Path, kind: Kind) -> None:
    drawing = Drawing(tmp_path, Chromium((kind,)))
    with serve(Drawn()) as site:
        url = f"{site.base}/lamps"
        page = drawing.fetch(url)
        assert page.error == "", page.message
        assert page.status == 200
        assert page.body.count(b" Lamp</h2>") == 8
        assert page.headers[RENDER.lower()] == "1"
        assert page.headers[DATA.lower()] == f"{site.base}/api/lamps"
        seen = [(request.method, request.url.removeprefix(site.base), request.verdict) for request in drawing.log]
        assert seen == [
            ("GET", "/robots.txt", "allowed"), ("GET", "/lamps", "allowed"), ("GET", "/api/lamps", "allowed"),
            ("RENDER", "/lamps", "allowed"),
        ]  # fmt: skip
        assert site.asked == ["/robots.txt", "/lamps", "/api/lamps"]  # and nothing else, not even an icon
        asked = len(site.asked)
        again = drawing.fetch(url, "only", "two")
        assert (again.body, again.from_tape) == (page.body, True)
        assert again.headers == page.headers
        assert len(site.asked) == asked
        assert b" Lamp</h2>" not in drawing.fetch(url, "only", "three", drawn=False).body


def test_what_a_page_is_shown_is_what_its_site_sends_and_no_header_reaches_it(drawing: Drawing) -> None:
    """A page's script can't have pages drawn in turn."""
    with serve(Drawn()) as site:
        assert b">as sent</div>" in drawing.fetch(f"{site.base}/again").body


@pytest.mark.full
@pytest.mark.usefixtures("_hurried")
def test_a_script_without_end_is_ended_and_the_page_kept(drawing: Drawing) -> None:
    with serve(Drawn()) as site:
        page = drawing.fetch(f"{site.base}/endless")
        assert page.body.count(b'<li class="peak">') == 3, page.message
        assert "a script of the page did not end" in drawing.log[-1].note


@pytest.mark.full
@pytest.mark.usefixtures("_hurried")
def test_a_page_that_opens_many_requests_is_bounded(drawing: Drawing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render, "REQUESTS", 30)
    with serve(Drawn()) as site:
        page = drawing.fetch(f"{site.base}/flood")
        assert page.error == "", page.message
        assert "never came to rest" in drawing.log[-1].note
        assert len(site.asked) <= 31


@pytest.mark.full
def test_a_page_that_takes_all_memory_is_ended(drawing: Drawing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chromium, "SETTLE", 50.0)
    monkeypatch.setattr(chromium, "LIMITS", msgspec.structs.replace(chromium.LIMITS, memory=700 << 20))
    with serve(Drawn()) as site:
        page = drawing.fetch(f"{site.base}/hoard")
        assert page.error == "render"
        assert "can't be drawn" in page.message


@pytest.mark.full
def test_scripts_of_other_hosts_are_kept_out_and_named(drawing: Drawing) -> None:
    with serve(Drawn()) as other, serve(Drawn(other.base.replace("127.0.0.1", "localhost"))) as site:
        page = drawing.fetch(f"{site.base}/outside")
        assert b">kept out</div>" in page.body
        assert page.headers[KEPT_OUT.lower()] == f"{site.elsewhere}/list.js"
        assert drawing.refused == []  # it is no question of its own: most such hosts count visitors
        assert other.asked == []


@pytest.mark.full
async def test_a_page_over_tls_is_drawn_anew_once_what_it_lacked_is_let_in(tmp_path: Path) -> None:
    authority = trustme.CA()
    ports = {}

    async def lookup(host: str, port: int) -> list[str]:
        return [ADDRESSES[host]]

    async def dial(address: str, port: int, seconds: float) -> httpcore2.AsyncNetworkStream:
        assert port == 443
        return await httpcore2.AnyIOBackend().connect_tcp("127.0.0.1", ports[address])

    context = server_context(authority, *ADDRESSES)
    with serve(Drawn(), context) as other, serve(Drawn("https://files.test"), context) as site:
        for there, address in zip((site, other), ADDRESSES.values(), strict=True):
            ports[address] = int(there.base.rpartition(":")[2])
        url = "https://peaks.test/outside"
        web = Gateway(
            [url], tape=tmp_path, session="one", browser=Chromium(), politeness=Politeness(delay=0.0),
            lookup=lookup, dial=dial, roots=client_context(authority),
        )  # fmt: skip
        await web.open()
        try:
            without = await web.fetch(url, headers=DRAWN)
            assert b">kept out</div>" in without.body, without.message
            assert without.headers[KEPT_OUT.lower()] == "https://files.test/list.js"
            assert (await web.fetch(url, headers=DRAWN)).from_tape
            web.allow("files.test")
            drawn = await web.fetch(url, headers=DRAWN)
            assert not drawn.from_tape
            assert drawn.body.count(b'<li class="peak">') == 3
            assert (await web.fetch(url, headers=DRAWN)).from_tape
            assert web.refused() == []
        finally:
            await web.close()
        assert other.asked == ["/robots.txt", "/list.js"]


@pytest.mark.full
def test_a_page_that_is_not_there_says_so(drawing: Drawing) -> None:
    with serve(Drawn()) as site:
        assert drawing.fetch(f"{site.base}/nowhere").status == 404
        bare = drawing.fetch(f"{site.base}/bare")
        assert (bare.status, b"<p" in bare.body) == (404, False)
        assert "it is a file to be saved, and no page" in drawing.fetch(f"{site.base}/file.zip").message
    gone = drawing.fetch(f"{site.base}/lamps")
    assert gone.error == "refused"


def test_nothing_is_left_running_when_the_fetch_is_given_up(drawing: Drawing, tmp_path: Path) -> None:
    with serve(Drawn()) as site:

        async def give_up(web: Gateway) -> Page:
            task = asyncio.ensure_future(web.fetch(f"{site.base}/flood", headers=DRAWN))
            while "/drop/0" not in site.asked:
                await asyncio.sleep(0.05)
            task.cancel()
            await asyncio.wait({task})
            asked = len(site.asked)
            await asyncio.sleep(0.3)
            assert len(site.asked) <= asked + 1
            return Page(url="")

        drawing.use(give_up, f"{site.base}/", "reuse", "one")


def test_without_a_browser_it_is_said_what_to_do(tmp_path: Path) -> None:
    drawing = Drawing(tmp_path, None)
    with serve(Drawn()) as site:
        page = drawing.fetch(f"{site.base}/peaks")
        assert (page.error, page.body) == ("render", b"")
        assert "no browser is set up" in page.message
        assert len(PEAKS) == 6


_LOOK_AROUND = """
import json, os, socket
def made(family):
    try:
        socket.socket(family).close()
        return True
    except OSError:
        return False
def reached(address):
    try:
        socket.create_connection(address, 2).close()
        return True
    except OSError:
        return False
inside = {"uid": os.getuid(), "unix": made(socket.AF_UNIX), "netlink": made(socket.AF_NETLINK),
    "folders": sorted(os.listdir("/")), "host": reached(("127.0.0.1", PORT)), "etc": sorted(os.listdir("/etc"))}
with open("inside.json", "w") as file:
    json.dump(inside, file)
"""


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("unix", [True, False])
def test_the_walls_are_those_of_programs(kind: Kind, unix: bool) -> None:
    """What a page could do that has taken Chromium over: no host's files, no network but the gateway."""
    found = chromium.find()
    assert found is not None
    guest = chromium.guest_of(found)._replace(unix=unix)

    async def no_web(stream: ByteStream) -> None:
        stream.close()

    async def run(guest: Guest | None, port: int) -> dict[str, Any]:
        sandbox = LocalSandbox(kind, preload=(), spare=False, guest=guest)
        job = Job(_LOOK_AROUND.replace("PORT", str(port)), recorder=False, limits=chromium.LIMITS)
        ran = await sandbox.run(job, no_web, lambda tick: None)
        inside: dict[str, Any] = json.loads(ran.files["inside.json"])
        return inside

    with serve(Drawn()) as site:
        port = int(site.base.rpartition(":")[2])
        inside, plain = asyncio.run(run(guest, port)), asyncio.run(run(None, port))
    assert inside["uid"] != 0
    assert (inside["unix"], inside["netlink"], inside["host"]) == (unix, False, False)
    assert not plain["unix"]
    assert set(inside["folders"]) == set(plain["folders"])
    assert set(inside["etc"]) - set(plain["etc"]) <= {"fonts"}
