"""What a site or a program can make the gateway hold or do is bounded: empty blocks, tunnels, certificates."""

from __future__ import annotations

import asyncio
import gzip
import struct
import threading
import tracemalloc
import zlib
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from scrapewright.web import authority as authorities
from scrapewright.web.authority import Authority
from scrapewright.web.decode import MAX_MEMBERS, PIECE, BadEncoding, Inflater
from scrapewright.web.politeness import Politeness
from scrapewright.web.tape import Exchange, Tape, TapeError, remove
from tests.unit.web.dialling import Recorder
from tests.unit.web.site import Say, Site, rig, serving

EMPTY_BLOCK = b"\x00\x00\x00\xff\xff"
"""A stored block of deflate with nothing in it (RFC 1951, section 3.2.4)."""


def test_empty_blocks_hold_no_memory() -> None:
    undo = Inflater("deflate")
    assert list(undo.feed(zlib.compress(b"")[:2])) == []
    for _ in range(400):
        assert list(undo.feed(EMPTY_BLOCK * 1000)) == []
    assert len(undo._begun) <= PIECE
    text = b"after all of them"
    block = b"\x01" + struct.pack("<HH", len(text), len(text) ^ 0xFFFF) + text
    assert b"".join(undo.feed(block + struct.pack(">I", zlib.adler32(text)))) == text


def test_a_bare_stream_is_known_from_a_first_piece_of_any_size() -> None:
    text = bytes(range(256)) * 4000
    made = zlib.compressobj(level=0, wbits=-15)
    encoded = made.compress(text) + made.flush()
    assert len(encoded) > 4 * PIECE
    assert b"".join(Inflater("deflate").feed(encoded)) == text


def test_members_without_end() -> None:
    undo = Inflater("gzip")
    hundred = gzip.compress(b"") * 100
    for _ in range(MAX_MEMBERS // 100):
        assert list(undo.feed(hundred)) == []
    with pytest.raises(BadEncoding, match="members"):
        list(undo.feed(hundred))


@pytest.mark.parametrize("encoding", ["gzip", "deflate"])
async def test_a_body_of_empty_blocks_stops_at_the_limit(tmp_path: Path, encoding: str) -> None:
    sent = 0
    head = gzip.compress(b"")[:10] if encoding == "gzip" else zlib.compress(b"")[:2]

    async def endless() -> AsyncIterator[bytes]:
        nonlocal sent
        yield head
        while True:
            sent += 65535
            yield EMPTY_BLOCK * (65535 // 5)

    site = Site({"/": lambda got: Say(pieces=endless(), headers=[("Content-Encoding", encoding)])})
    limits = Politeness(delay=0, robots=False, body=2 << 20, tries=1)
    async with serving(site), rig([site.base], tmp_path, politeness=limits) as made:
        answer = await made.get(site.base + "/")
        assert (answer.status_code, answer.headers["X-Scrapewright"]) == (502, "too-large")
        assert "larger than 2 MB" in made.log[0].note
    # what the sockets hold besides is the systems' own
    assert sent < 32 << 20


async def test_empty_blocks_count_against_the_run(tmp_path: Path) -> None:
    body = zlib.compress(b"")[:2] + EMPTY_BLOCK * 100_000
    site = Site({"/": Say(body, headers=[("Content-Encoding", "deflate")])})
    limits = Politeness(delay=0, robots=False, bytes=1 << 20, tries=1)
    async with serving(site), rig([site.base], tmp_path, politeness=limits) as made:
        got = [(await made.get(f"{site.base}/?{number}")).status_code for number in range(4)]
    assert got == [200, 200, 429, 429]
    assert "the most a run may" in made.log[-1].note


async def test_a_large_page_is_on_the_tape_before_its_last_piece_goes_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = 1 << 20
    all_there = threading.Event()
    early: list[bool] = []
    plain = Tape.add

    def waiting(self: Tape, exchange: Exchange, body: bytes) -> Exchange:
        early.append(all_there.wait(0.5))  # a client that could have it all by now would have it
        return plain(self, exchange, body)

    async def large() -> AsyncIterator[bytes]:
        for _ in range(size >> 16):
            yield b"a" * 65536

    monkeypatch.setattr(Tape, "add", waiting)
    site = Site({"/": lambda got: Say(pieces=large())})
    async with serving(site), rig([site.base], tmp_path) as made:
        host = f"127.0.0.1:{site.port}"
        reader, writer = await asyncio.open_connection("127.0.0.1", made.port)
        writer.write(f"GET http://{host}/ HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        await reader.readuntil(b"\r\n\r\n")
        count = 0
        while count < size:
            count += (await reader.read(65536)).count(b"a")
        all_there.set()
        writer.close()  # without waiting for the end of the message
        again = await made.get(site.base + "/")
    assert early[0] is False
    assert (len(again.content), len(site.got)) == (size, 1)
    assert made.log[-1].from_tape


async def test_unread_answers_from_the_tape_cost_a_piece_each(tmp_path: Path) -> None:
    size, count = 6 << 20, 40
    site = Site({"/": Say(bytes(range(256)) * (size >> 8))})
    async with serving(site), rig([site.base], tmp_path) as made:
        first = await made.get(site.base + "/")
        site.routes.clear()
        host = f"127.0.0.1:{site.port}"
        held = []
        tracemalloc.start()
        try:
            for _ in range(count):
                reader, writer = await asyncio.open_connection("127.0.0.1", made.port, limit=1024)
                writer.write(f"GET http://{host}/ HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
                assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200 ")
                held.append((reader, writer))
            grown = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        last, writer = held[-1]
        body = b""
        while len(body) < size:
            body += await last.read(1 << 20)
        for _, writer in held:
            writer.close()
    assert body == first.content
    # a piece each on the way, another in each socket's buffer, and the test's own client
    assert grown < count * (512 << 10) < count * size / 10


async def test_the_survey_and_other_methods_read_the_tape_as_well(tmp_path: Path) -> None:
    body = b"prix" * 50_000
    site = Site({"/": Say(body), "/empty": Say(b"")})
    async with serving(site), rig([site.base], tmp_path) as made:
        for path in ("/", "/empty"):
            await made.get(site.base + path)
        site.routes.clear()
        page = await made.gateway.fetch(site.base + "/")
        head = await made.get(site.base + "/", "HEAD")
        empty = await made.get(site.base + "/empty")
    assert (page.body, page.from_tape) == (body, True)
    assert (head.headers["Content-Length"], head.content) == (str(len(body)), b"")
    assert (empty.status_code, empty.content) == (200, b"")
    async with rig([site.base], tmp_path, session="two", mode="only") as made:
        other = await made.get(site.base + "/")
    assert other.content == body
    remove(tmp_path / "tape", "one")  # the second session holds the body now
    tape = Tape(tmp_path / "tape", "two")
    try:
        assert tape.body(tape.exchanges()[0]) == body
        damaged = msgspec.structs.replace(tape.exchanges()[0], body="0" * 64)
        assert tape.open_body(damaged) is None
        with pytest.raises(TapeError, match="not on the tape any more"):
            tape.adopt(damaged)
    finally:
        tape.close()


async def test_a_stream_that_pauses_is_passed_on_as_it_comes(tmp_path: Path) -> None:
    received = asyncio.Event()

    async def pausing() -> AsyncIterator[bytes]:
        yield b"a" * (700 << 10)
        yield b"news"
        await received.wait()
        yield b"more"

    site = Site({"/": lambda got: Say(pieces=pausing())})
    async with serving(site), rig([site.base], tmp_path) as made:
        host = f"127.0.0.1:{site.port}"
        reader, writer = await asyncio.open_connection("127.0.0.1", made.port, limit=1 << 20)
        writer.write(f"GET http://{host}/ HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        await asyncio.wait_for(reader.readuntil(b"news"), 20)
        received.set()
        assert b"more" in await reader.read()
        writer.close()
        assert len((await made.get(site.base + "/")).content) == (700 << 10) + 8
    assert len(site.got) == 1


async def test_tunnels_are_counted(tmp_path: Path) -> None:
    world = Recorder()
    limits = Politeness(delay=0, robots=False, requests=5)
    async with rig(["https://shop.test/"], tmp_path, politeness=limits, lookup=world.lookup) as made:
        answers = [
            await made.raw(b"CONNECT %d.shop.test:443 HTTP/1.1\r\nHost: %d.shop.test:443\r\n\r\nno TLS" % (n, n))
            for n in range(8)
        ]
        other = await made.raw(b"CONNECT evil.test:443 HTTP/1.1\r\nHost: evil.test:443\r\n\r\n")
    assert [answer[9:12] for answer in answers] == [b"200"] * 5 + [b"429"] * 3
    assert b"opened 5 tunnels" in answers[-1]
    assert other.startswith(b"HTTP/1.1 403 ")
    assert world.dialled == []


async def test_refused_places_get_no_certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made_for: list[str] = []
    plain = Authority._make

    def noted(self: Authority, host: str) -> object:
        made_for.append(host)
        return plain(self, host)

    monkeypatch.setattr(Authority, "_make", noted)
    async with rig(["https://shop.test/"], tmp_path, lookup=Recorder().lookup) as made:
        for host in (b"evil.test", b"10.0.0.1", b"shop.test.evil.test", b"shop.test"):
            await made.raw(b"CONNECT %s:443 HTTP/1.1\r\nHost: %s:443\r\n\r\nno TLS" % (host, host))
    assert made_for == ["shop.test"]


async def test_certificates_are_made_once_in_a_thread_and_not_kept_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(authorities, "MAX_CONTEXTS", 3)
    authority = Authority()
    threads: list[bool] = []
    plain = Authority._make

    def noted(self: Authority, host: str) -> object:
        try:
            asyncio.get_running_loop()
            threads.append(False)
        except RuntimeError:
            threads.append(True)
        return plain(self, host)

    monkeypatch.setattr(Authority, "_make", noted)
    together = await asyncio.gather(*(authority.context("a.test") for _ in range(10)))
    assert len(set(map(id, together))) == 1
    for name in ("b.test", "c.test", "a.test", "d.test"):
        await authority.context(name)
    assert threads == [True] * 4
    assert list(authority._contexts) == ["c.test", "a.test", "d.test"]
    assert await authority.context("a.test") is together[0]
