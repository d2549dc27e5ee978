"""Sites that are slow, silent, wrong about themselves or in circles: each has an outcome and a line in the log."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import requests

from scrapewright.web.politeness import Politeness
from tests.unit.web.site import QUICK, Got, Say, Site, rig, serving

BROKEN = (requests.exceptions.ChunkedEncodingError, requests.exceptions.ConnectionError)


async def test_a_site_that_never_answers(tmp_path: Path) -> None:
    async def never(got: Got) -> Say:
        await asyncio.Event().wait()
        raise AssertionError

    limits = Politeness(delay=0, robots=False, read_timeout=0.2, connect_timeout=5, tries=2, backoff=0.01)
    site = Site({"/": never})
    async with serving(site), rig([site.base], tmp_path, politeness=limits) as made:
        answer = await made.get(site.base + "/")
        page = await made.gateway.fetch(site.base + "/")
    assert (answer.status_code, answer.headers["X-Scrapewright"]) == (504, "timeout")
    assert page.error == "timeout"
    assert [seen.verdict for seen in made.log] == ["error", "error"]
    assert made.log[0].note.startswith("timeout: 127.0.0.1")


async def test_a_body_that_stops_coming(tmp_path: Path) -> None:
    async def stops() -> AsyncIterator[bytes]:
        yield b"some"
        await asyncio.Event().wait()

    limits = Politeness(delay=0, robots=False, read_timeout=0.2, tries=1)
    site = Site({"/": lambda got: Say(pieces=stops())})
    async with serving(site), rig([site.base], tmp_path, politeness=limits) as made:
        answer = await made.get(site.base + "/")
        assert made.gateway.pages() == {}
    assert (answer.status_code, answer.headers["X-Scrapewright"]) == (504, "timeout")
    assert made.log[0].note == "timeout: the body stopped coming"


async def test_a_body_that_drips_ends_with_the_page_s_time(tmp_path: Path) -> None:
    over = asyncio.Event()

    async def drips() -> AsyncIterator[bytes]:
        while not over.is_set():
            yield b"a"
            await asyncio.wait({asyncio.ensure_future(over.wait())}, timeout=0.05)

    limits = Politeness(delay=0, robots=False, page_timeout=1.5)
    site = Site({"/": lambda got: Say(pieces=drips())})
    async with serving(site), rig([site.base], tmp_path, politeness=limits) as made:
        page = await made.gateway.fetch(site.base + "/")
        over.set()
        assert made.gateway.pages() == {}
    assert (page.error, page.body) == ("timeout", b"")
    assert made.log[0].note.endswith("the body was not read to its end")


async def test_a_large_body_that_closes_half_way_is_a_cut_not_a_page(tmp_path: Path) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 2000000\r\n\r\n"
    site = Site({"/": Say(raw=head + b"a" * 900_000)})
    async with serving(site), rig([site.base], tmp_path, politeness=QUICK) as made:
        with pytest.raises(BROKEN):
            await made.get(site.base + "/")
        page = await made.gateway.fetch(site.base + "/")
        assert made.gateway.pages() == {}
    assert (page.error, page.body) == ("protocol", b"")
    assert made.log[0].verdict == "error"
    assert "broke off" in made.log[0].note


@pytest.mark.parametrize(
    ("raw", "status", "body"),
    [
        (b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcdef", 200, b"abc"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", 502, b""),
        (b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\nabc", 502, b""),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", 502, b""),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc", 502, b""),
        (b"HTTP/1.1 304 Not Modified\r\n\r\n", 304, b""),
        (b"HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-2/9\r\nContent-Length: 3\r\n\r\nabc", 206, b"abc"),
    ],
)
async def test_answers_that_are_wrong_about_themselves(tmp_path: Path, raw: bytes, status: int, body: bytes) -> None:
    site = Site({"/": Say(raw=raw)})
    async with serving(site), rig([site.base], tmp_path, politeness=QUICK) as made:
        answer = await made.get(site.base + "/")
        page = await made.gateway.fetch(site.base + "/")
    assert answer.status_code == status
    assert {seen.status for seen in made.log} == {status}
    if status == 502:
        assert (page.error, page.status) == ("protocol", 0)
        assert {seen.verdict for seen in made.log} == {"error"}
    else:
        assert (answer.content, page.body, page.status) == (body, body, status)
        assert "X-Scrapewright" not in answer.headers


@pytest.mark.parametrize("status", [206, 304])
async def test_a_part_or_nothing_new_is_never_taken_for_the_page(tmp_path: Path, status: int) -> None:
    site = Site({"/": Say(b"" if status == 304 else b"ab", status)})
    async with serving(site), rig([site.base], tmp_path, session="one") as made:
        assert (await made.get(site.base + "/", headers={"X-Own": "1"})).status_code == status
    async with rig([site.base], tmp_path, session="two", mode="only") as made:
        page = await made.gateway.fetch(site.base + "/")
        other = await made.get(site.base + "/", headers={"Cookie": "a=1"})
    assert page.error in ("", "miss")
    assert other.status_code == 504


async def test_an_encoding_that_is_a_lie_half_way(tmp_path: Path) -> None:
    lie = gzip.compress(bytes(range(256)) * 100)[:-400] + b"this is not the rest of it" * 40
    site = Site({"/": Say(lie, headers=[("Content-Encoding", "gzip")])})
    async with serving(site), rig([site.base], tmp_path, politeness=QUICK) as made:
        answer = await made.get(site.base + "/")
        assert made.gateway.pages() == {}
    assert (answer.status_code, answer.headers["X-Scrapewright"]) == (502, "protocol")
    assert "not encoded as its headers say" in made.log[0].note


async def test_redirects_without_end(tmp_path: Path) -> None:
    site = Site({"/loop": Say(status=302, headers=[("Location", "/loop")])})
    for number in range(100):
        site.routes[f"/{number}"] = Say(status=301, headers=[("Location", f"/{number + 1}")])
    async with serving(site), rig([site.base], tmp_path, politeness=QUICK) as made:
        for path in ("/0", "/loop"):
            page = await made.gateway.fetch(site.base + path)
            assert (page.error, page.message) == ("redirects", "more than 10 redirects")
            with pytest.raises(requests.exceptions.TooManyRedirects):
                await made.get(site.base + path)
        assert made.gateway.pages()[site.base + "/loop"].status == 302
    assert site.paths().count("/loop") == 1  # the tape answers the circle
    assert len(site.got) == 31 + 1  # as far as requests goes, and the circle
