"""The gateway with a real client on one side and real servers on the other."""

from __future__ import annotations

from pathlib import Path

import trustme

from tests.unit.web.site import Say, Site, client_context, rig, server_context, serving


async def test_http_goes_through_and_is_logged(tmp_path: Path) -> None:
    site = Site({"/": Say(b"<h1>hello</h1>", headers=[("Content-Type", "text/html; charset=utf-8"), ("X-Own", "1")])})
    async with serving(site), rig([site.base], tmp_path) as made:
        answer = await made.get(site.base + "/?a=1")
    assert answer.content == b"<h1>hello</h1>"
    assert answer.headers["X-Own"] == "1"
    assert site.got[0].headers["host"] == f"127.0.0.1:{site.port}"
    [seen] = made.log
    assert (seen.method, seen.url, seen.status, seen.verdict) == ("GET", site.base + "/?a=1", 200, "allowed")
    assert (seen.media_type, seen.bytes, seen.from_tape) == ("text/html", 14, False)
    assert len(seen.body) == 64


async def test_https_through_the_runs_own_authority(tmp_path: Path) -> None:
    authority = trustme.CA()
    site = Site({"/": Say(b"secret")})
    async with (
        serving(site, server_context(authority, "127.0.0.1")),
        rig([site.base], tmp_path, roots=client_context(authority)) as made,
    ):
        for _ in range(2):
            answer = await made.get(site.base + "/")
            assert answer.content == b"secret"
    assert site.paths() == ["/"]
    assert [seen.from_tape for seen in made.log] == [False, True]


async def test_an_untrusted_certificate_is_not_spoken_to(tmp_path: Path) -> None:
    site = Site({"/": Say(b"secret")})
    async with (
        serving(site, server_context(trustme.CA(), "127.0.0.1")),
        rig([site.base], tmp_path, roots=client_context(trustme.CA())) as made,
    ):
        answer = await made.get(site.base + "/")
        page = await made.gateway.fetch(site.base + "/")
    assert answer.status_code == 502
    assert answer.headers["X-Scrapewright"] == "tls"
    assert "certificate" in answer.text
    assert page.error == "tls"
    assert site.got == []
