"""The survey's way to a page."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
import requests

from scrapewright.web.gateway import Gateway
from tests.unit.web.site import QUICK, Got, Say, Site, listening, rig, serving


def echo(name: str) -> Callable[[Got], Say]:
    return lambda got: Say(f"{got.method} {got.headers.get(name, '-')}".encode())


async def test_a_page(tmp_path: Path) -> None:
    site = Site({"/": Say(b"<p>", headers=[("Content-Type", "Text/HTML; charset=x"), ("X-Two", "a"), ("X-Two", "b")])})
    async with serving(site), rig([site.base], tmp_path) as made:
        page = await made.gateway.fetch(site.base)
        again = await made.gateway.fetch(site.base + "/#part")
    assert (page.url, page.asked, page.status, page.body) == (site.base + "/", site.base, 200, b"<p>")
    assert (page.media_type, page.headers["x-two"], page.error) == ("text/html", "a, b", "")
    assert (page.from_tape, again.from_tape, again.asked) == (False, True, site.base + "/#part")


async def test_error_pages_are_pages(tmp_path: Path) -> None:
    site = Site({"/no": Say(b"no", 403), "/oops": Say(b"oops", 500)})
    async with serving(site), rig([site.base], tmp_path) as made:
        for path, status in (("/no", 403), ("/oops", 500), ("/lost", 404)):
            page = await made.gateway.fetch(site.base + path)
            assert (page.status, page.error) == (status, "")


async def test_redirects(tmp_path: Path) -> None:
    site = Site(
        {
            "/a": Say(status=301, headers=[("Location", "b/")]),
            "/b/": Say(status=308, headers=[("Location", "../c?x=1#y")]),
            "/c": Say(b"end"),
            "/nowhere": Say(b"stays", 302),
            "/bad": Say(status=302, headers=[("Location", "mailto:a@b.c")]),
            "/see": Say(status=303, headers=[("Location", "/echo")]),
            "/keep": Say(status=307, headers=[("Location", "/echo")]),
            "/echo": lambda got: Say(got.method.encode()),
        }
    )
    async with serving(site), rig([site.base], tmp_path) as made:
        page = await made.gateway.fetch(site.base + "/a")
        assert (page.url, page.body) == (site.base + "/c?x=1", b"end")
        assert (await made.gateway.fetch(site.base + "/nowhere")).body == b"stays"
        assert (await made.gateway.fetch(site.base + "/bad")).error == "protocol"
        assert (await made.gateway.fetch(site.base + "/see", method="POST")).body == b"GET"
        assert (await made.gateway.fetch(site.base + "/keep", method="POST")).body == b"POST"


async def test_a_site_that_sets_a_cookie_and_redirects_to_itself(tmp_path: Path) -> None:
    def gate(got: Got) -> Say:
        if "seen=1" in got.headers.get("cookie", ""):
            return Say(b"in " + got.headers["cookie"].encode())
        return Say(status=302, headers=[("Location", "/"), ("Set-Cookie", "seen=1; Path=/")])

    site = Site({"/": gate})
    async with serving(site), rig([site.base], tmp_path) as made:
        assert (await made.gateway.fetch(site.base + "/")).body == b"in seen=1"
        own = await made.gateway.fetch(site.base + "/", headers={"Cookie": "mine=2"})
        assert own.body == b"in mine=2; seen=1"
        none = await made.gateway.fetch(site.base + "/?fresh", headers={"Cookie": "seen=1"})
        assert none.body == b"in seen=1"


async def test_headers_of_ones_own(tmp_path: Path) -> None:
    site = Site({"/": lambda got: Say(repr(sorted(got.headers)).encode() + got.headers["accept"].encode())})
    async with serving(site), rig([site.base], tmp_path) as made:
        plain = await made.gateway.fetch(site.base + "/")
        asked = await made.gateway.fetch(site.base + "/?2", headers={"accept": "text/x", "X-Mine": "1"})
    assert plain.body.endswith(b"*/*")
    assert asked.body.endswith(b"text/x")
    assert b"x-mine" in asked.body


async def test_credentials_stay_with_their_site(tmp_path: Path) -> None:
    other = Site({"/": echo("authorization")})
    async with serving(other):
        site = Site({"/": Say(status=302, headers=[("Location", other.base + "/")]), "/own": echo("authorization")})
        async with serving(site), rig([site.base, other.base], tmp_path) as made:
            secret = site.base.replace("://", "://user:p%40ss@")
            assert (await made.gateway.fetch(secret + "/own")).body == b"GET Basic dXNlcjpwQHNz"
            page = await made.gateway.fetch(secret + "/")
            assert page.body == b"GET -"
            assert "p%40ss" not in page.url


async def test_text_that_people_paste(tmp_path: Path) -> None:
    site = Site({"/%E6%97%A5%20x": Say(b"here")})
    async with serving(site), rig([site.base], tmp_path) as made:
        assert (await made.gateway.fetch(site.base + "/日 x")).body == b"here"
        assert (await made.gateway.fetch(site.base + "/%E6%97%A5%20x")).from_tape


async def test_a_host_over_ipv6(tmp_path: Path) -> None:
    with socket.socket(socket.AF_INET6) as probe:
        try:
            probe.bind(("::1", 0))
        except OSError:
            pytest.skip("no IPv6 on loopback")
    site = Site({"/": lambda got: Say(got.headers["host"].encode())})
    await site.start(host="::1")
    try:
        base = f"http://[::1]:{site.port}"
        async with rig([base], tmp_path) as made:
            assert (await made.gateway.fetch(base + "/")).body == f"[::1]:{site.port}".encode()
            assert (await made.get(base + "/?2")).text == f"[::1]:{site.port}"
    finally:
        await site.stop()


async def test_the_log_tells_the_attempts_apart(tmp_path: Path) -> None:
    seen: list[tuple[int, str]] = []
    site = Site({"/": Say(b"x")})
    async with serving(site):
        gateway = Gateway(
            [site.base],
            tape=tmp_path,
            session="s",
            politeness=QUICK,
            on_request=lambda attempt, request: seen.append((attempt, request.url)),
        )
        await gateway.open()
        try:
            await gateway.fetch(site.base + "/0")
            for attempt in (1, 2):
                async with listening(gateway.connect(attempt)) as port:
                    with requests.Session() as session:
                        session.trust_env = False
                        session.proxies = {"http": f"http://127.0.0.1:{port}"}
                        await asyncio.to_thread(session.get, f"{site.base}/{attempt}", timeout=10)
        finally:
            await gateway.close()
    assert seen == [(0, site.base + "/0"), (1, site.base + "/1"), (2, site.base + "/2")]
