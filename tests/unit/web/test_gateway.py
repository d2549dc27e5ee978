"""The gateway with a real client on one side and real servers on the other."""

from __future__ import annotations

import asyncio
import ssl
import urllib.request
from collections.abc import Sequence
from pathlib import Path

import httpcore2
import msgspec
import pytest
import requests
import trustme
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapewright.web.gateway import Gateway, stored_pages
from tests.suite import examples
from tests.unit.web.site import PUBLIC, QUICK, Say, Site, client_context, rig, server_context, serving


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


async def test_the_pages_of_a_session_are_read_without_a_gateway(tmp_path: Path) -> None:
    site = Site(
        {"/": Say(b"first"), "/other": Say(b"other"), "/moved": Say(b"", 302, headers=[("Location", "/other")])}
    )
    async with serving(site), rig([site.base], tmp_path) as made:
        for path in ("/", "/moved", "/none"):
            await made.gateway.fetch(site.base + path)
    urls = [site.base + path for path in ("/", "/moved", "/never")]
    pages = stored_pages(tmp_path / "tape", "one", urls)
    assert {url: (page.url, page.body) for url, page in pages.items()} == {
        urls[0]: (urls[0], b"first"), urls[1]: (site.base + "/other", b"other"),
    }  # fmt: skip
    assert stored_pages(tmp_path / "tape", "two", urls) == {}


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


async def test_the_standard_library_as_a_client_with_strict_checks(tmp_path: Path) -> None:
    """What CPython 3.13 and later demand of a certificate (VERIFY_X509_STRICT), on every Python."""
    authority = trustme.CA()
    site = Site({"/": Say(b"secret")})
    async with (
        serving(site, server_context(authority, "127.0.0.1")),
        rig([site.base], tmp_path, roots=client_context(authority)) as made,
    ):
        context = ssl.create_default_context(cadata=made.gateway.ca)
        context.verify_flags |= ssl.VERIFY_X509_STRICT
        opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({"https": f"http://127.0.0.1:{made.port}"}),
            urllib.request.HTTPSHandler(context=context),
        )

        def read() -> bytes:
            with opener.open(site.base + "/", timeout=10) as answer:
                data: bytes = answer.read()
                return data

        assert await asyncio.to_thread(read) == b"secret"


async def test_a_client_that_does_not_trust_the_authority(tmp_path: Path) -> None:
    site = Site({"/": Say(b"secret")})
    async with serving(site), rig([site.base.replace("http:", "https:")], tmp_path) as made:
        made.session.verify = True
        with pytest.raises(requests.exceptions.SSLError):
            await made.get(site.base.replace("http:", "https:") + "/")
    assert site.got == []
    assert "the run's own authority" in made.log[0].note


@pytest.mark.parametrize("host", ["a_b.shop.test", "r1--x.shop.test", "xn--bcher-kva.shop.test"])
async def test_hosts_that_only_dns_has(tmp_path: Path, host: str) -> None:
    authority = trustme.CA()
    site = Site({"/": Say(b"here")})

    async def lookup(name: str, port: int) -> Sequence[str]:
        assert name == host
        return [PUBLIC]

    roots = client_context(authority)
    roots.check_hostname = False  # the site's own certificate is not what this is about
    async with serving(site, server_context(authority, "shop.test")):

        async def dial(address: str, port: int, seconds: float) -> httpcore2.AsyncNetworkStream:
            return await httpcore2.AnyIOBackend().connect_tcp("127.0.0.1", site.port)

        async with rig(["https://shop.test/"], tmp_path, roots=roots, lookup=lookup, dial=dial) as made:
            context = ssl.create_default_context(cadata=made.gateway.ca)
            context.verify_flags |= ssl.VERIFY_X509_STRICT
            reader, writer = await asyncio.open_connection("127.0.0.1", made.port)
            writer.write(f"CONNECT {host}:443 HTTP/1.1\r\nHost: {host}:443\r\n\r\n".encode())
            assert b" 200 " in await reader.readuntil(b"\r\n\r\n")
            await writer.start_tls(context, server_hostname=host)  # the name is checked here
            writer.write(f"GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
            assert (await reader.read()).endswith(b"here")
            writer.close()


async def test_https_without_a_tunnel(tmp_path: Path) -> None:
    authority = trustme.CA()
    site = Site({"/": Say(b"secret")})
    async with (
        serving(site, server_context(authority, "127.0.0.1")),
        rig([site.base], tmp_path, roots=client_context(authority)) as made,
    ):
        host = f"127.0.0.1:{site.port}"
        answer = await made.raw(f"GET https://{host}/ HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
    assert answer.endswith(b"\r\n\r\nsecret")


async def test_connections_are_kept_on_both_sides(tmp_path: Path) -> None:
    authority = trustme.CA()
    site = Site({"/": Say(b"x")})
    async with (
        serving(site, server_context(authority, "127.0.0.1")),
        rig([site.base], tmp_path, roots=client_context(authority)) as made,
    ):
        for number in range(5):
            assert (await made.get(f"{site.base}/?n={number}")).content == b"x"
        assert len(site.got) == 5
        assert site.connections == 1
        assert made.connections == 1


REQUESTS = st.one_of(
    st.binary(max_size=200),
    st.builds(
        lambda method, target, host, extra, body: (
            b"%b %b HTTP/1.1\r\nHost: %b\r\n%b\r\n%b" % (method, target, host, extra, body)
        ),
        st.sampled_from([b"GET", b"POST", b"CONNECT", b"HEAD", b"OPTIONS", b"TRACE", b"PRI", b"get"]),
        st.sampled_from(
            [b"http://shop.test/", b"http://evil.test/", b"shop.test:443", b"evil.test:443", b"/", b"*", b"http://shop.test@evil.test/"]
        )
        | st.binary(max_size=40),
        st.sampled_from([b"shop.test", b"evil.test", b"shop.test:443", b"[::1]", b""]) | st.binary(max_size=20),
        st.sampled_from(
            [b"", b"Content-Length: 3\r\n", b"Transfer-Encoding: chunked\r\n", b"Connection: close\r\n", b"TE: x\r\n"]
        )
        | st.binary(max_size=40),
        st.binary(max_size=60),
    ),
)  # fmt: skip


class Script:
    """A ByteStream that says what it was given, in pieces, and then ends."""

    def __init__(self, data: bytes, step: int) -> None:
        self._pieces = [data[at : at + step] for at in range(0, len(data), step)]
        self.out = b""
        self.closed = False

    async def read(self) -> bytes:
        return self._pieces.pop(0) if self._pieces else b""

    async def write(self, data: bytes) -> None:
        self.out += data

    def waited(self, seconds: float) -> None:
        pass

    def close(self) -> None:
        self.closed = True


def test_any_bytes_are_answered_or_hung_up_on(tmp_path: Path) -> None:
    """Whatever a client sends: no exception, no way out but to the site, and each answer is HTTP."""
    dialled: set[str] = set()

    async def lookup(host: str, port: int) -> Sequence[str]:
        assert host == "shop.test"
        return [PUBLIC]

    async def dial(address: str, port: int, seconds: float) -> httpcore2.AsyncNetworkStream:
        dialled.add(address)
        raise httpcore2.ConnectError("nothing is dialled in a test")

    async def serve(gateway: Gateway, data: bytes, step: int) -> None:
        stream = Script(data, step)
        await gateway.connect(1)(stream)
        assert stream.closed
        assert not stream.out or stream.out.startswith(b"HTTP/1.1 ")

    with asyncio.Runner() as runner:
        politeness = msgspec.structs.replace(QUICK, tries=1)
        gateway = Gateway(
            ["http://shop.test/"], tape=tmp_path, session="s", lookup=lookup, dial=dial, politeness=politeness
        )
        runner.run(gateway.open())

        @settings(deadline=None, max_examples=examples(150))
        @given(st.lists(REQUESTS, min_size=1, max_size=3), st.integers(1, 300))
        def anything(requests: list[bytes], step: int) -> None:
            runner.run(serve(gateway, b"".join(requests), step))

        try:
            anything()
        finally:
            runner.run(gateway.close())
    assert dialled == {PUBLIC}
