"""How connections are made."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path

import httpcore2
import pytest
import trustme

from scrapewright.web.failure import WebFailure
from scrapewright.web.policy import Policy
from scrapewright.web.resolve import Guard, system_lookup
from scrapewright.web.upstream import STAGGER, Upstream, _CheckedBackend, interleaved, tcp_dial, trusted_roots
from scrapewright.web.upstream_proxy import Proxies
from scrapewright.web.urls import Target
from tests.unit.web.site import PUBLIC, Say, Site, server_context, serving

SIX = "2606:2800:21f:cb07:6820:80da:af6b:8b2c"
TARGET = Target("http", "shop.test", 80, "/")


def guard(*addresses: str) -> Guard:
    async def lookup(host: str, port: int) -> Sequence[str]:
        return addresses

    return Guard(Policy(["http://shop.test/"]), lookup)


def test_families_take_turns() -> None:
    assert interleaved(["::1", "::2", "1.1.1.1"]) == ["::1", "1.1.1.1", "::2"]
    assert interleaved(["1.1.1.1", "2.2.2.2"]) == ["1.1.1.1", "2.2.2.2"]
    assert interleaved([]) == []


async def test_a_dead_route_costs_no_time_out() -> None:
    site = Site({"/": Say(b"x")})
    gone = asyncio.Event()
    async with serving(site):

        async def dial(address: str, port: int, seconds: float) -> httpcore2.AsyncNetworkStream:
            if address == SIX:
                try:
                    await asyncio.Event().wait()  # silence
                finally:
                    gone.set()
            return await httpcore2.AnyIOBackend().connect_tcp("127.0.0.1", site.port)

        upstream = Upstream(guard(SIX, PUBLIC), dial=dial)
        started = time.monotonic()
        reply = await upstream.send("GET", TARGET, [(b"Host", b"shop.test")], b"", 1000)
        assert time.monotonic() - started >= STAGGER
        assert b"".join([piece async for piece in reply.chunks()]) == b"x"
        assert gone.is_set()
        await reply.close()
        await upstream.close()


async def test_every_address_is_tried_before_giving_up() -> None:
    dialled: list[str] = []

    async def dial(address: str, port: int, seconds: float) -> httpcore2.AsyncNetworkStream:
        dialled.append(address)
        raise httpcore2.ConnectError(OSError(111, "Connection refused"))

    upstream = Upstream(guard(PUBLIC, SIX), dial=dial)
    with pytest.raises(WebFailure, match="Connection refused") as raised:
        await upstream.send("GET", TARGET, [(b"Host", b"shop.test")], b"", 1000)
    assert raised.value.kind == "refused"
    assert raised.value.unsent
    assert dialled == [PUBLIC, SIX]
    await upstream.close()


async def test_a_connection_that_came_too_late_is_closed() -> None:
    site = Site({"/": Say(b"x")})
    late: list[httpcore2.AsyncNetworkStream] = []
    async with serving(site):

        async def dial(address: str, port: int, seconds: float) -> httpcore2.AsyncNetworkStream:
            stream = await httpcore2.AnyIOBackend().connect_tcp("127.0.0.1", site.port)
            if address == SIX:
                late.append(stream)
                try:
                    await asyncio.Event().wait()
                except asyncio.CancelledError:
                    pass  # it was there already when it was called off
            return stream

        upstream = Upstream(guard(SIX, PUBLIC), dial=dial)
        reply = await upstream.send("GET", TARGET, [(b"Host", b"shop.test")], b"", 1000)
        await reply.close()
        with pytest.raises(httpcore2.WriteError):
            await late[0].write(b"anything")
        await upstream.close()


async def test_no_socket_of_the_machines_own() -> None:
    with pytest.raises(httpcore2.ConnectError):
        await _CheckedBackend(guard(PUBLIC), tcp_dial, Proxies(), "http").connect_unix_socket("/run/docker.sock")


async def test_the_systems_resolver() -> None:
    assert await system_lookup("127.0.0.1", 80) == ["127.0.0.1"]
    assert set(await system_lookup("localhost", 80)) <= {"127.0.0.1", "::1"}


async def test_the_systems_certificate_authorities(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    authority = trustme.CA()
    (tmp_path / "roots.pem").write_bytes(authority.cert_pem.bytes())
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "roots.pem"))
    site = Site({"/": Say(b"x")})
    async with serving(site, server_context(authority, "127.0.0.1")):
        upstream = Upstream(Guard(Policy([site.base])))
        for status in (200, 200):
            target = Target("https", "127.0.0.1", site.port, "/")
            reply = await upstream.send("GET", target, [(b"Host", target.authority.encode())], b"", 1000)
            assert reply.status == status
            assert [piece async for piece in reply.chunks()] == [b"x"]
            await reply.close()
        await upstream.close()
    assert site.connections == 1


def test_a_machine_without_certificate_authorities(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path))
    assert trusted_roots().cert_store_stats()["x509_ca"] > 50  # certifi's
    (tmp_path / "abcdef01.0").write_text("")
    assert trusted_roots().cert_store_stats()["x509_ca"] == 0  # a directory is read during the handshake


async def test_one_lookup_for_many_at_once_and_a_time_limit() -> None:
    calls = 0
    release = asyncio.Event()

    async def lookup(host: str, port: int) -> Sequence[str]:
        nonlocal calls
        calls += 1
        await release.wait()
        return [PUBLIC]

    shared = Guard(Policy(["http://shop.test/"]), lookup)
    waiting = [asyncio.ensure_future(shared.addresses("shop.test", 80)) for _ in range(5)]
    await asyncio.sleep(0)
    release.set()
    assert [await task for task in waiting] == [(PUBLIC,)] * 5
    assert calls == 1
    release.clear()
    with pytest.raises(WebFailure, match="not resolved") as raised:
        await Guard(Policy(["http://shop.test/"]), lookup, timeout=0.05).addresses("shop.test", 80)
    assert raised.value.kind == "dns"


async def test_a_proxy_of_the_hosts_own_is_mentioned_where_names_do_not_resolve(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def lookup(host: str, port: int) -> Sequence[str]:
        raise OSError("no network")

    for name in ("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(WebFailure, match=r"no network$"):
        await Guard(Policy(["http://shop.test/"]), lookup).addresses("shop.test", 80)
    monkeypatch.setenv("HTTPS_PROXY", "http://user:secret@proxy.test:3128")
    with pytest.raises(WebFailure, match="HTTPS_PROXY is set and not used; --proxy env uses it") as raised:
        await Guard(Policy(["http://shop.test/"]), lookup).addresses("shop.test", 80)
    assert "secret" not in raised.value.message


async def test_a_failed_lookup_is_not_remembered() -> None:
    answers: list[Sequence[str]] = [[], [PUBLIC]]

    async def lookup(host: str, port: int) -> Sequence[str]:
        found = answers.pop(0)
        if not found:
            raise OSError("no network")
        return found

    shared = Guard(Policy(["http://shop.test/"]), lookup)
    with pytest.raises(WebFailure, match="no network"):
        await shared.addresses("shop.test", 80)
    assert await shared.addresses("shop.test", 80) == (PUBLIC,)
