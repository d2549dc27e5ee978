"""What a hostile program can try at the proxy. Nothing leaves loopback: a dialler writes down where it was sent."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Sequence
from pathlib import Path

import httpcore2
import pytest
import requests
import trustme

from scrapewright.web.policy import Policy
from scrapewright.web.urls import parse_host, parse_url
from tests.unit.web.dialling import Recorder
from tests.unit.web.site import PUBLIC, Say, Site, client_context, rig, server_context, serving

BAD_HOSTS = [
    "127.0.0.1",
    "127.0.0.1.",
    "[::1]",
    "169.254.169.254",
    "2130706433",
    "0x7f.1",
    "017700000001",
    "[::ffff:127.0.0.1]",
    "[::ffff:a00:1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b::a9fe:a9fe]",
    "100.64.0.1",
    "10.0.0.1",
    "192.168.0.1",
    "0.0.0.0",
    "localhost",
]


@pytest.mark.parametrize("host", BAD_HOSTS)
async def test_private_places_are_refused_and_logged(tmp_path: Path, host: str) -> None:
    world = Recorder()
    async with rig(["http://shop.test/"], tmp_path, lookup=world.lookup, dial=world.dial) as made:
        plain = await made.raw(f"GET http://{host}/ HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        tunnel = await made.raw(f"CONNECT {host}:443 HTTP/1.1\r\nHost: {host}:443\r\n\r\n".encode())
        questions = made.gateway.refused()
    for answer in (plain, tunnel):
        assert answer.startswith(b"HTTP/1.1 403 ")
        assert b"the request does not name it" in answer
    assert world.dialled == []
    assert [seen.verdict for seen in made.log] == ["refused", "refused"]
    assert [(seen.method, seen.status) for seen in made.log] == [("GET", 403), ("CONNECT", 403)]
    assert len(made.refused) == 1
    assert questions == []  # a yes could not open them, so nobody is asked


@pytest.mark.parametrize(
    "address", ["10.0.0.5", "127.0.0.1", "169.254.169.254", "::1", "64:ff9b::a00:1", "::ffff:a00:1"]
)
async def test_a_name_that_leads_to_a_private_place(tmp_path: Path, address: str) -> None:
    world = Recorder({"in.shop.test": [PUBLIC, address]})
    async with rig(["http://shop.test/"], tmp_path, lookup=world.lookup, dial=world.dial) as made:
        answer = await made.get("http://in.shop.test/")
        page = await made.gateway.fetch("http://in.shop.test/")
    assert answer.status_code == 403
    assert answer.headers["X-Scrapewright"] == "policy"
    assert page.error == "policy"
    assert world.dialled == []
    assert made.log[0].verdict == "refused"


async def test_the_checked_address_is_the_one_dialled(tmp_path: Path) -> None:
    """Rebinding: public when it is looked up first, private ever after."""
    world = Recorder({"shop.test": [PUBLIC]})

    async def once(host: str, port: int) -> Sequence[str]:
        found = await world.lookup(host, port)
        world.names[host] = ["127.0.0.1"]
        return found

    async with rig(["http://shop.test/"], tmp_path, lookup=once, dial=world.dial) as made:
        for _ in range(2):
            answer = await made.get("http://shop.test/")
            assert answer.status_code == 502
    assert set(world.dialled) == {(PUBLIC, 80)}
    assert world.looked_up == ["shop.test"]


async def test_the_dialled_address_keeps_the_name(tmp_path: Path) -> None:
    """Host and SNI stay the site's own; the certificate is checked against the name, not the address."""
    authority = trustme.CA()
    names: list[str | None] = []
    context = server_context(authority, "shop.test")
    context.sni_callback = lambda _socket, name, _context: names.append(name)
    site = Site({"/": Say(b"it is me")})
    async with serving(site, context):

        async def dial(address: str, port: int, seconds: float) -> httpcore2.AsyncNetworkStream:
            assert (address, port) == (PUBLIC, 443)
            return await httpcore2.AnyIOBackend().connect_tcp("127.0.0.1", site.port)

        world = Recorder({"shop.test": [PUBLIC], "other.shop.test": [PUBLIC]})
        async with rig(
            ["https://shop.test/"], tmp_path, lookup=world.lookup, dial=dial, roots=client_context(authority)
        ) as made:
            good = await made.get("https://shop.test/")
            bad = await made.get("https://other.shop.test/")
    assert good.content == b"it is me"
    assert site.got[0].headers["host"] == "shop.test"
    assert names == ["shop.test", "other.shop.test"]
    assert (bad.status_code, bad.headers["X-Scrapewright"]) == (502, "tls")


@pytest.mark.parametrize("host", ["shop.test.evil.test", "evilshop.test", "xn--shop-8qa.test"])
async def test_what_only_looks_like_the_site(tmp_path: Path, host: str) -> None:
    world = Recorder()
    async with rig(["http://shop.test/"], tmp_path, lookup=world.lookup, dial=world.dial) as made:
        answer = await made.get(f"http://{host}/x")
        with pytest.raises(requests.exceptions.ProxyError, match="is not a site that the request names"):
            await made.get(f"https://{host}/x")
        assert made.gateway.refused() == [(host, f"http://{host}/x")]
        assert made.gateway.refused() == []
    assert answer.status_code == 403
    assert world.looked_up == []
    assert [what[:2] for what in made.refused] == [(1, host)]


@pytest.mark.parametrize("host", ["cdn.test", "8.8.8.8", "[2606:4700::1111]", "shop.test:8080"])
async def test_what_is_asked_about_can_be_allowed_and_forbidden_again(tmp_path: Path, host: str) -> None:
    world = Recorder()
    async with rig(["http://shop.test/"], tmp_path, lookup=world.lookup, dial=world.dial) as made:
        answer = await made.raw(f"GET http://{host}/ HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        [(name, url)] = made.gateway.refused()
    assert answer.startswith(b"HTTP/1.1 403 ")
    assert world.looked_up == []
    policy = Policy(["http://shop.test/"])
    policy.allow(name)
    assert policy.judge(parse_url(url)) is None
    policy.forbid(name)
    assert policy.judge(parse_url(url)) is not None


@pytest.mark.parametrize(
    "target",
    [
        "http://shop.test@evil.test/",
        "http://shop.test:80@evil.test/",
        "http://evil.test\\@shop.test/",
        "http://shop.test%2eevil/",
    ],
)
async def test_tricks_with_user_information(tmp_path: Path, target: str) -> None:
    world = Recorder()
    async with rig(["http://shop.test/"], tmp_path, lookup=world.lookup, dial=world.dial) as made:
        answer = await made.raw(f"GET {target} HTTP/1.1\r\nHost: shop.test\r\n\r\n".encode())
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert world.looked_up == []
    assert (made.log[0].verdict, made.log[0].status) == ("error", 400)


@pytest.mark.parametrize("spelling", ["SHOP.test", "shop.test.", "www.shop.test", "a.b.shop.test"])
async def test_the_sites_own_spellings_go_through(tmp_path: Path, spelling: str) -> None:
    world = Recorder({parse_host(spelling): [PUBLIC]})
    async with rig(["http://shop.test/"], tmp_path, lookup=world.lookup, dial=world.dial) as made:
        answer = await made.get(f"http://{spelling}/")
    assert answer.headers["X-Scrapewright"] == "refused"  # by the dialler, behind the policy
    assert set(world.dialled) == {(PUBLIC, 80)}


class Tunnel:
    """A client's end of a CONNECT tunnel, by hand."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def open(cls, port: int, to: str, pem: str, sni: str) -> Tunnel:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"CONNECT {to} HTTP/1.1\r\nHost: {to}\r\n\r\n".encode())
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200 ")
        context = ssl.create_default_context(cadata=pem)
        context.check_hostname = False
        await writer.start_tls(context, server_hostname=sni)
        return cls(reader, writer)

    async def say(self, text: str) -> bytes:
        self.writer.write(text.encode())
        answer = await self.reader.read()
        self.writer.close()
        return answer


@pytest.mark.parametrize(
    ("sni", "request_line", "host"),
    [
        ("shop.test", "GET / HTTP/1.1", "evil.test"),
        ("shop.test", "GET / HTTP/1.1", "shop.test:8443"),
        ("shop.test", "GET https://evil.test/ HTTP/1.1", "shop.test"),
        ("shop.test", "GET https://evil.test/ HTTP/1.1", "evil.test"),
        ("shop.test", "GET http://shop.test/ HTTP/1.1", "shop.test"),
        ("evil.test", "GET / HTTP/1.1", "shop.test"),
    ],
)
async def test_fronting_gets_421(tmp_path: Path, sni: str, request_line: str, host: str) -> None:
    world = Recorder({"shop.test": [PUBLIC], "evil.test": [PUBLIC]})
    async with rig(["https://shop.test/"], tmp_path, lookup=world.lookup, dial=world.dial) as made:
        tunnel = await Tunnel.open(made.port, "shop.test:443", made.gateway.ca, sni)
        answer = await tunnel.say(f"{request_line}\r\nHost: {host}\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 421 ")
    assert world.looked_up == []
    assert [(seen.status, seen.verdict) for seen in made.log] == [(421, "refused")]


async def test_a_plain_request_for_two_hosts_gets_421(tmp_path: Path) -> None:
    world = Recorder()
    async with rig(["http://shop.test/", "http://b.test/"], tmp_path, lookup=world.lookup, dial=world.dial) as made:
        answer = await made.raw(b"GET http://shop.test/ HTTP/1.1\r\nHost: b.test\r\n\r\n")
        tunnel = await made.raw(b"CONNECT shop.test:443 HTTP/1.1\r\nHost: b.test:443\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 421 ")
    assert tunnel.startswith(b"HTTP/1.1 421 ")
    assert world.looked_up == []


async def test_a_redirect_is_judged_like_any_request(tmp_path: Path) -> None:
    evil = Site({"/": Say(b"stolen")})
    async with serving(evil):
        site = Site({"/": Say(status=302, headers=[("Location", evil.base + "/")])})
        async with serving(site), rig([site.base], tmp_path) as made:
            answer = await made.get(site.base + "/")
            page = await made.gateway.fetch(site.base + "/")
    assert answer.status_code == 403
    assert [(seen.status, seen.verdict) for seen in made.log[:2]] == [(302, "allowed"), (403, "refused")]
    assert (page.error, page.asked) == ("policy", site.base + "/")
    assert evil.got == []


async def test_a_tunnel_inside_a_tunnel_is_no_way_out(tmp_path: Path) -> None:
    world = Recorder({"shop.test": [PUBLIC]})
    async with rig(["https://shop.test/"], tmp_path, lookup=world.lookup, dial=world.dial) as made:
        tunnel = await Tunnel.open(made.port, "shop.test:443", made.gateway.ca, "shop.test")
        answer = await tunnel.say("CONNECT evil.test:443 HTTP/1.1\r\nHost: evil.test:443\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert world.looked_up == []


async def test_an_empty_list_allows_nothing(tmp_path: Path) -> None:
    site = Site({"/": Say(b"x")})
    async with serving(site), rig([], tmp_path) as made:
        assert (await made.get(site.base + "/")).status_code == 403
        assert (await made.gateway.fetch(site.base + "/")).error == "policy"
    assert site.got == []


async def test_the_list_can_grow_while_a_run_goes_on(tmp_path: Path) -> None:
    world = Recorder({"cdn.test": [PUBLIC]})
    async with rig(["http://shop.test/"], tmp_path, lookup=world.lookup, dial=world.dial) as made:
        assert (await made.get("http://cdn.test/")).status_code == 403
        made.gateway.allow("cdn.test")
        assert (await made.get("http://cdn.test/")).headers["X-Scrapewright"] == "refused"
        assert (await made.get("http://evil.test/")).status_code == 403
    assert set(world.dialled) == {(PUBLIC, 80)}
