"""Odd, greedy and broken clients and sites: what the proxy makes of malformed requests, limits and broken answers."""

from __future__ import annotations

import asyncio
import gzip
import zlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import requests

from scrapewright.web.politeness import Politeness
from scrapewright.web.proxy import Patience
from tests.unit.web.dialling import Recorder
from tests.unit.web.site import QUICK, Got, Say, Site, rig, serving


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("POST http://{h}/ HTTP/1.1\r\nHost: {h}\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", 400),
        ("POST http://{h}/ HTTP/1.1\r\nHost: {h}\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcd", 400),
        ("POST http://{h}/ HTTP/1.1\r\nHost: {h}\r\nContent-Length: -1\r\n\r\n", 400),
        ("POST http://{h}/ HTTP/1.1\r\nHost: {h}\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501),
        ("GET http://{h}/ HTTP/1.1\r\nHost: {h}\r\nHost: evil.test\r\n\r\n", 400),
        ("GET http://{h}/ HTTP/1.1\r\n\r\n", 400),
        ("GET http://{h}/ HTTP/1.1\r\nHost: {h}\r\n X-Folded: a\r\n Host: evil.test\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: {h}\r\n\r\n", 400),
        ("GET ftp://{h}/ HTTP/1.1\r\nHost: {h}\r\n\r\n", 400),
        ("OPTIONS * HTTP/1.1\r\nHost: {h}\r\n\r\n", 400),
        ("GET http://{h}/ HTTP/1.1\r\nHost: {h}\r\nX: " + "a" * 80000 + "\r\n\r\n", 431),
        ("CONNECT {h} HTTP/1.1\r\nHost: {h}\r\n\r\n\x00\x01\x02 this is no TLS", 200),
        ("\x16\x03\x01 this is no HTTP\r\n\r\n", 400),
        ("SSH-2.0-OpenSSH_9.6\r\n\r\n", 400),
    ],
)  # fmt: skip
async def test_malformed_requests(tmp_path: Path, text: str, status: int) -> None:
    site = Site({"/": Say(b"x")})
    async with serving(site), rig([site.base], tmp_path) as made:
        answer = await made.raw(text.replace("{h}", f"127.0.0.1:{site.port}").encode("latin-1"))
        assert answer.startswith(f"HTTP/1.1 {status} ".encode())
        assert site.got == []
        assert (await made.get(site.base + "/")).content == b"x"  # and the next client is served


async def test_what_comes_after_a_chunked_body_is_the_next_request(tmp_path: Path) -> None:
    site = Site({"/": lambda got: Say(got.body), "/two": Say(b"second")})
    async with serving(site), rig([site.base], tmp_path) as made:
        host = f"127.0.0.1:{site.port}"
        text = (
            f"POST http://{host}/ HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
            f"GET http://{host}/two HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        )
        answer = await made.raw(text.encode())
    assert answer.count(b"HTTP/1.1 200 ") == 2
    assert answer.endswith(b"second")
    assert [(got.method, got.target, got.body) for got in site.got] == [("POST", "/", b"abc"), ("GET", "/two", b"")]


async def test_a_slow_client_does_not_hold_its_place(tmp_path: Path) -> None:
    site = Site({"/": Say(b"x")})
    patience = Patience(head=0.2, body=0.2, handshake=0.2, idle=0.2)
    async with serving(site), rig([site.base], tmp_path, patience=patience) as made:
        host = f"127.0.0.1:{site.port}"
        head = await made.raw(b"GET http://")
        body = await made.raw(f"POST http://{host}/ HTTP/1.1\r\nHost: {host}\r\nContent-Length: 9\r\n\r\nab".encode())
        silent = await made.raw(b"")
        tunnel = await made.raw(f"CONNECT {host} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
    assert head.startswith(b"HTTP/1.1 408 ")
    assert body.startswith(b"HTTP/1.1 408 ")
    assert silent == b""
    assert tunnel.startswith(b"HTTP/1.1 200 ")
    assert site.got == []


async def test_too_many_connections_at_a_time(tmp_path: Path) -> None:
    site = Site({"/": Say(b"x")})
    async with serving(site), rig([site.base], tmp_path, patience=Patience(connections=3)) as made:
        held = [await asyncio.open_connection("127.0.0.1", made.port) for _ in range(3)]
        for _, writer in held:
            writer.write(b"GET ")
            await writer.drain()
        host = f"127.0.0.1:{site.port}"
        refused = await made.raw(f"GET http://{host}/ HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        assert refused.startswith(b"HTTP/1.1 503 ")
        for _, writer in held:
            writer.close()
            await writer.wait_closed()
        for _ in range(100):
            answer = await made.raw(f"GET http://{host}/ HTTP/1.0\r\nHost: {host}\r\n\r\n".encode())
            if answer.startswith(b"HTTP/1.1 200 "):
                break
        assert answer.endswith(b"x")


async def test_a_request_body_has_a_limit(tmp_path: Path) -> None:
    site = Site({"/": Say(b"x")})
    limits = Politeness(delay=0, robots=False, request_body=1000)
    async with serving(site), rig([site.base], tmp_path, politeness=limits) as made:
        host = f"127.0.0.1:{site.port}"
        text = f"POST http://{host}/ HTTP/1.1\r\nHost: {host}\r\nContent-Length: 1001\r\n\r\n" + "a" * 1001
        assert (await made.raw(text.encode())).startswith(b"HTTP/1.1 413 ")
        assert site.got == []
        assert (await made.get(site.base + "/", "POST", data=b"a" * 1000)).content == b"x"


async def test_a_gzip_bomb_stops_at_the_limit(tmp_path: Path) -> None:
    bomb = gzip.compress(b"\0" * (30 << 20))
    assert len(bomb) < 100_000
    site = Site({"/": Say(bomb, headers=[("Content-Encoding", "gzip")])})
    limits = Politeness(delay=0, robots=False, body=4 << 20)
    async with serving(site), rig([site.base], tmp_path, politeness=limits) as made:
        with pytest.raises((requests.exceptions.ChunkedEncodingError, requests.exceptions.ConnectionError)):
            await made.get(site.base + "/")
        page = await made.gateway.fetch(site.base + "/")
        assert made.gateway.pages() == {}
    assert page.error == "too-large"
    assert page.body == b""
    assert {seen.verdict for seen in made.log} == {"error"}
    assert all(seen.bytes <= 4 << 20 for seen in made.log)


async def test_an_endless_body_stops_at_the_runs_cap(tmp_path: Path) -> None:
    async def endless() -> AsyncIterator[bytes]:
        while True:
            yield b"a" * 65536

    site = Site({"/": lambda got: Say(pieces=endless()), "/small": Say(b"x")})
    limits = Politeness(delay=0, robots=False, bytes=3 << 20)
    async with serving(site), rig([site.base], tmp_path, politeness=limits) as made:
        with pytest.raises((requests.exceptions.ChunkedEncodingError, requests.exceptions.ConnectionError)):
            await made.get(site.base + "/")
        after = await made.get(site.base + "/small")
    assert after.status_code == 429
    assert "the most a run may" in after.text


async def test_a_run_may_make_so_many_requests(tmp_path: Path) -> None:
    site = Site({"/": Say(b"x")})
    limits = Politeness(delay=0, robots=False, requests=3)
    async with serving(site), rig([site.base], tmp_path, politeness=limits) as made:
        got = [(await made.get(f"{site.base}/?n={number}")).status_code for number in range(6)]
        page = await made.gateway.fetch(site.base + "/?n=survey")
    assert got == [200, 200, 200, 429, 429, 429]
    assert page.status == 200  # the survey's account is its own
    assert len(site.got) == 4
    assert [(seen.status, seen.verdict) for seen in made.log[3:]] == [(429, "error"), (200, "allowed")]
    assert made.log[3].note == "spent: this run has made 3 requests, the most a run may"


async def test_a_run_may_take_so_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = Site({"/": Say(b"x")})
    now = [0.0]
    limits = Politeness(delay=0, robots=False, seconds=10)
    async with serving(site), rig([site.base], tmp_path, politeness=limits) as made:
        monkeypatch.setattr("scrapewright.web.exchange.time.monotonic", lambda: now[0])
        assert (await made.get(site.base + "/?1")).status_code == 200
        now[0] = 9.0
        assert (await made.get(site.base + "/?2")).status_code == 200
        now[0] = 11.0
        late = await made.get(site.base + "/?3")
        monkeypatch.undo()
    assert (late.status_code, made.log[-1].verdict) == (429, "error")
    assert "10 s, the most a run may" in late.text


async def test_a_body_too_large_for_the_tape_is_passed_on_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scrapewright.web.pipeline.MAX_BODY", 1 << 20)
    size = 3 << 20

    async def large() -> AsyncIterator[bytes]:
        for _ in range(size >> 16):
            yield b"a" * 65536

    site = Site({"/": lambda got: Say(pieces=large())})
    async with serving(site), rig([site.base], tmp_path) as made:
        for _ in range(2):
            assert len((await made.get(site.base + "/")).content) == size
        assert made.gateway.pages() == {}
    assert len(site.got) == 2
    assert all("too large for the tape" in seen.note for seen in made.log)
    assert made.log[0].bytes == size


async def test_programs_get_what_the_site_said(tmp_path: Path) -> None:
    text = "prix 12 €".encode()
    deflated = zlib.compressobj(wbits=-15)
    bare = deflated.compress(text) + deflated.flush()
    site = Site(
        {
            "/gzip": Say(gzip.compress(text), headers=[("Content-Encoding", "gzip")]),
            "/gzip2": Say(gzip.compress(text[:4]) + gzip.compress(text[4:]), headers=[("Content-Encoding", "x-gzip")]),
            "/deflate": Say(zlib.compress(text), headers=[("Content-Encoding", "deflate")]),
            "/bare": Say(bare, headers=[("Content-Encoding", "deflate")]),
            "/chunked": Say(text, chunked=True),
            "/strange": Say(b"\x8b\x00opaque", headers=[("Content-Encoding", "br")]),
            "/none": Say(status=204),
        }
    )
    async with serving(site), rig([site.base], tmp_path) as made:
        for again in range(2):  # from the site, then from the tape
            for path in ("/gzip", "/gzip2", "/deflate", "/bare", "/chunked"):
                answer = await made.get(site.base + path, headers={"Accept-Encoding": "br"})
                assert answer.content == text, path
                assert "Content-Encoding" not in answer.headers
                assert answer.headers["Content-Length"] == str(len(text))
            strange = await made.get(site.base + "/strange", stream=True)
            assert strange.raw.read(decode_content=False) == b"\x8b\x00opaque"
            assert strange.headers["Content-Encoding"] == "br"
            assert (await made.get(site.base + "/none")).status_code == 204
            head = await made.get(site.base + "/gzip", "HEAD")
            assert (head.status_code, head.content) == (200, b"")
            assert len(site.got) == 7, again
        assert {got.headers["accept-encoding"] for got in site.got} == {"gzip, deflate"}


async def test_oddly_framed_answers(tmp_path: Path) -> None:
    early = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
    chunked = (
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-End\r\n\r\n3\r\nabc\r\n0\r\nX-End: 1\r\n\r\n"
    )
    site = Site(
        {
            "/early": Say(raw=early + b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc"),
            "/until-close": Say(raw=b"HTTP/1.0 200 OK\r\n\r\nabc"),
            "/chunked": Say(raw=chunked),
            "/hop": Say(raw=b"HTTP/1.1 200 OK\r\nConnection: X-Hop, close\r\nX-Hop: 1\r\nKeep-Alive: 5\r\n\r\nabc"),
            "/status": Say(raw=b"HTTP/1.1 299 Own Words\r\nContent-Length: 3\r\n\r\nabc"),
        }
    )
    async with serving(site), rig([site.base], tmp_path) as made:
        for _ in range(2):
            for path in site.routes:
                answer = await made.get(site.base + path)
                assert answer.content == b"abc", path
                assert {"X-Hop", "Keep-Alive", "Transfer-Encoding", "Trailer"}.isdisjoint(answer.headers)
            assert (answer.status_code, answer.reason) == (299, "Own Words")
    assert len(site.got) == len(site.routes)


async def test_methods_headers_and_bodies_go_out_as_they_came(tmp_path: Path) -> None:
    site = Site({"/": lambda got: Say(got.body, headers=[("X-Method", got.method)])})
    async with serving(site), rig([site.base], tmp_path) as made:
        for method in ("POST", "PUT", "PATCH", "DELETE"):
            answer = await made.get(site.base + "/", method, data=b"q=1", headers={"X-Mine": "yes"})
            assert (answer.content, answer.headers["X-Method"]) == (b"q=1", method)
        pieces = await made.get(site.base + "/", "POST", data=iter([b"a", b"b"]))
        assert pieces.content == b"ab"
        host = f"127.0.0.1:{site.port}"
        text = f"POST http://{host}/ HTTP/1.1\r\nHost: {host}\r\nExpect: 100-continue\r\nContent-Length: 2\r\n"
        reader, writer = await asyncio.open_connection("127.0.0.1", made.port)
        writer.write(text.encode() + b"Connection: close, X-Hop\r\nX-Hop: 1\r\nProxy-Authorization: secret\r\n\r\n")
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 100 ")
        writer.write(b"hi")
        assert (await reader.read()).endswith(b"hi")
        writer.close()
    assert site.got[0].headers["x-mine"] == "yes"
    assert {"x-hop", "proxy-authorization", "expect", "proxy-connection"}.isdisjoint(site.got[-1].headers)


async def test_a_client_that_goes_away_ends_the_work(tmp_path: Path) -> None:
    asked, ended = asyncio.Event(), asyncio.Event()

    async def never(got: Got) -> Say:
        asked.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        raise AssertionError

    site = Site({"/never": never, "/": Say(b"x")})
    async with serving(site), rig([site.base], tmp_path) as made:
        host = f"127.0.0.1:{site.port}"
        _, writer = await asyncio.open_connection("127.0.0.1", made.port)
        writer.write(f"GET http://{host}/never HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        await asyncio.wait_for(asked.wait(), 10)
        writer.close()
        # the host's turn is free again: without that this would wait for the read timeout
        assert (await made.get(site.base + "/", timeout=5)).content == b"x"
        assert made.log[0].verdict == "error"
        assert "did not wait" in made.log[0].note


async def test_large_bodies_stream_and_unread_ones_hold_nobody_up(tmp_path: Path) -> None:
    size = 3 << 20

    async def large() -> AsyncIterator[bytes]:
        for _ in range(size >> 16):
            yield b"a" * 65536

    site = Site({"/large": lambda got: Say(pieces=large()), "/": Say(b"x")})
    async with serving(site), rig([site.base], tmp_path) as made:
        host = f"127.0.0.1:{site.port}"
        unread = []
        for number in range(6):
            reader, writer = await asyncio.open_connection("127.0.0.1", made.port, limit=1024)
            text = f"GET http://{host}/large?n={number} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
            writer.write(text.encode())
            unread.append((reader, writer))
        assert (await made.get(site.base + "/", timeout=10)).content == b"x"
        whole = await made.get(site.base + "/large", timeout=10)
        assert len(whole.content) == size
        assert (await unread[0][0].read()).count(b"a" * 4096) > 0
        for _, writer in unread:
            writer.close()
        again = await made.get(site.base + "/large", timeout=10)
        assert again.content == whole.content
        assert made.log[-1].from_tape


async def test_a_closed_gateway_leaves_nothing_open(tmp_path: Path) -> None:
    async def never(got: Got) -> Say:
        await asyncio.Event().wait()
        raise AssertionError

    site = Site({"/never": never})
    async with serving(site):
        async with rig([site.base], tmp_path) as made:
            host = f"127.0.0.1:{site.port}"
            reader, writer = await asyncio.open_connection("127.0.0.1", made.port)
            writer.write(f"GET http://{host}/never HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
            while not site.got:
                await asyncio.sleep(0)
        assert await reader.read() == b""
        writer.close()


async def test_unreachable_places_say_why(tmp_path: Path) -> None:
    site = Site()
    await site.start()
    await site.stop()  # a port on which nobody listens
    world = Recorder()
    async with rig([site.base, "http://nowhere.test/"], tmp_path, lookup=world.lookup) as made:
        refused = await made.get(site.base + "/")
        unknown = await made.get("http://nowhere.test/")
        pages = [
            await made.gateway.fetch(url) for url in (site.base + "/", "http://nowhere.test/", "nonsense", "ftp://a/")
        ]
    assert (refused.status_code, refused.headers["X-Scrapewright"]) == (502, "refused")
    assert "Connection refused" in refused.text or "can't be reached" in refused.text
    assert (unknown.status_code, unknown.headers["X-Scrapewright"]) == (502, "dns")
    assert [page.error for page in pages] == ["refused", "dns", "protocol", "protocol"]
    assert all(page.status == 0 and page.message for page in pages)


async def test_answers_that_break_off(tmp_path: Path) -> None:
    short = b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nonly this"
    site = Site(
        {
            "/short": Say(raw=short),
            "/garbage": Say(raw=b"\x00\x01\x02\r\n\r\n"),
            "/bad-gzip": Say(b"this is not gzip", headers=[("Content-Encoding", "gzip")]),
            "/empty": Say(raw=b""),
        }
    )
    async with serving(site), rig([site.base], tmp_path, politeness=QUICK) as made:
        for path in site.routes:
            answer = await made.get(site.base + path)
            page = await made.gateway.fetch(site.base + path)
            assert (answer.status_code, answer.headers["X-Scrapewright"]) == (502, "protocol"), path
            assert (page.error, page.body) == ("protocol", b"")
        assert len(made.gateway.pages()) == 0
    assert site.paths().count("/short") == 6  # tried again, for the program and for the survey
    assert site.paths().count("/bad-gzip") == 2
