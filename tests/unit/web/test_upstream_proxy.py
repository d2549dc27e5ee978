"""Proxies of the person's own: how they are named, what they are asked for, what is still refused."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import msgspec
import pytest
import trustme
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.settings import Secret
from scrapewright.web.upstream_proxy import BadProxy, Proxies, UpstreamProxy, offered, parse_proxy, proxies_of
from tests.fakes.proxies import FakeProxy, http_proxy, socks_proxy
from tests.unit.web.site import PUBLIC, QUICK, Say, Site, client_context, rig, server_context, serving

LOGIN = ("wendy", "pl4nted-p@ss")
AS_URL = "wendy:pl4nted-p%40ss"


def resolver(*addresses: str) -> Any:
    async def lookup(host: str, port: int) -> Sequence[str]:
        if not addresses:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return addresses

    return lookup


def through(proxy: str, bypass: str = "") -> Proxies:
    found = parse_proxy(proxy)
    return Proxies(found, found, bypass)


def opened(
    scheme: str, port: int, login: tuple[str, str] | None = None, says: bytes = b""
) -> AbstractContextManager[FakeProxy]:
    ports = {"shop.test": port, PUBLIC: port}
    return (http_proxy if scheme == "http" else socks_proxy)(ports, login, says)


# How they are named.


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("http://proxy.test:3128", UpstreamProxy("http", "proxy.test", 3128)),
        ("proxy.test:3128", UpstreamProxy("http", "proxy.test", 3128)),
        ("HTTP://Proxy.Test/", UpstreamProxy("http", "proxy.test", 80)),
        ("socks5://127.0.0.1", UpstreamProxy("socks5", "127.0.0.1", 1080)),
        ("socks5h://[::1]:9050", UpstreamProxy("socks5h", "::1", 9050)),
        (f"socks5://{AS_URL}@proxy.test", UpstreamProxy("socks5", "proxy.test", 1080, LOGIN[0], Secret(LOGIN[1]))),
    ],
)
def test_a_proxys_address(text: str, found: UpstreamProxy) -> None:
    assert parse_proxy(text) == found


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("ftp://proxy.test", "no way to use a proxy by 'ftp'"),
        ("https://proxy.test", "no way to use a proxy by 'https'"),
        ("http://", "not the address of a proxy"),
        ("http://proxy.test/path", "not the address of a proxy"),
        ("http://proxy.test:99999", "not a port"),
        ("http://-:1", "not a host name"),
        ("http://:geheim@proxy.test", "without a user"),
        ("socks5://" + "u" * 256 + ":x@proxy.test", "longer than the 255 bytes"),
    ],
)
def test_what_is_no_proxy(text: str, says: str) -> None:
    with pytest.raises(BadProxy, match=says):
        parse_proxy(text)


@given(st.text(max_size=60) | st.from_regex(r"(http|socks5h?|x)://[^ ]{0,20}@[a-z.:]{0,12}", fullmatch=True))
def test_any_text_is_a_proxy_or_refused(text: str) -> None:
    try:
        proxy = parse_proxy(text)
    except BadProxy:
        return
    assert 0 < proxy.port < 65536
    assert parse_proxy(proxy.name) == UpstreamProxy(proxy.scheme, proxy.host, proxy.port)


@given(st.text(alphabet=st.characters(blacklist_characters="@", max_codepoint=300), min_size=1, max_size=10))
def test_a_password_is_never_repeated(text: str) -> None:
    with pytest.raises(BadProxy) as raised:
        parse_proxy(f"http://wendy:pl4nted{text}@proxy test:1")
    assert "pl4nted" not in str(raised.value)
    assert "pl4nted" not in repr(parse_proxy("http://wendy:pl4nted@proxy.test"))


def test_the_proxies_of_the_environment() -> None:
    environ = {
        "HTTP_PROXY": "http://one.test:1",
        "https_proxy": "http://two.test:2",
        "HTTPS_PROXY": "http://no.test",
        "NO_PROXY": "in.test",
    }
    assert offered(environ) == ("HTTP_PROXY", "HTTPS_PROXY")
    found = proxies_of("env", environ)
    assert found.names == ("http://one.test:1", "http://two.test:2")
    assert found.of("http", "in.test", 80) is None
    assert found.of("http", "a.in.test", 80) is None
    assert found.of("https", "shop.test", 443) == parse_proxy("http://two.test:2")
    assert proxies_of("env", {"all_proxy": "socks5://all.test"}).names == ("socks5://all.test:1080",)
    assert proxies_of("", environ) == proxies_of("none", environ) == Proxies()
    with pytest.raises(BadProxy, match="none of HTTP_PROXY, HTTPS_PROXY, ALL_PROXY is set"):
        proxies_of("env", {})
    with pytest.raises(BadProxy, match="env: the https proxy: there is no way"):
        proxies_of("env", {"HTTPS_PROXY": "ftp://x"})


def test_this_machine_is_never_asked_for_elsewhere() -> None:
    proxies = through("http://proxy.test:1")
    assert [proxies.of("http", host, 80) for host in ("127.0.0.1", "::1", "localhost", "a.localhost")] == [None] * 4


# What they are asked for.


@pytest.mark.parametrize(
    ("scheme", "login", "asked"),
    [
        ("http", None, "GET http://shop.test/a?b=1"),
        ("http", LOGIN, "GET http://shop.test/a?b=1"),
        ("socks5", None, f"socks {PUBLIC}:80"),
        ("socks5", LOGIN, f"socks {PUBLIC}:80"),
        ("socks5h", LOGIN, "socks shop.test:80"),
    ],
)
async def test_a_page_through_a_proxy(scheme: str, login: tuple[str, str] | None, asked: str, tmp_path: Path) -> None:
    site = Site({"/a": lambda got: Say(got.headers["host"].encode() + repr(sorted(got.headers)).encode())})
    async with serving(site):
        with opened(scheme, site.port, login) as proxy:
            url = proxy.url(scheme, AS_URL if login else "")
            lookup = resolver(PUBLIC) if scheme != "socks5h" else resolver()
            async with rig(["http://shop.test/"], tmp_path, proxies=through(url), lookup=lookup) as made:
                page = await made.gateway.fetch("http://shop.test/a?b=1")
                assert page.error == "", page.message
                assert page.body.startswith(b"shop.test")
                assert b"proxy-" not in page.body
                assert (await made.get("http://shop.test/a")).text.startswith("shop.test")
    assert proxy.asked[0] == asked


@pytest.mark.parametrize("scheme", ["http", "socks5", "socks5h"])
async def test_https_through_a_proxy(scheme: str, tmp_path: Path) -> None:
    authority = trustme.CA()
    site = Site({"/": Say(b"in private")})
    async with serving(site, server_context(authority, "shop.test")):
        with opened(scheme, site.port, LOGIN) as proxy:
            proxies = through(proxy.url(scheme, AS_URL))
            async with rig(
                ["https://shop.test/"],
                tmp_path,
                proxies=proxies,
                lookup=resolver(PUBLIC),
                roots=client_context(authority),
            ) as made:
                assert (await made.gateway.fetch("https://shop.test/")).body == b"in private"
                assert (await made.get("https://shop.test/?2")).text == "in private"
    where = {"http": "CONNECT shop.test", "socks5": f"socks {PUBLIC}", "socks5h": "socks shop.test"}
    assert set(proxy.asked) == {f"{where[scheme]}:443"}


async def test_a_name_that_only_the_proxy_knows(tmp_path: Path) -> None:
    site = Site({"/": Say(b"x"), "/2": Say(b"y")})
    lookups = 0

    async def lookup(host: str, port: int) -> Sequence[str]:
        nonlocal lookups
        lookups += 1
        raise OSError("no network")

    async with serving(site):
        with http_proxy({"shop.test": site.port}) as proxy:
            async with rig(["http://shop.test/"], tmp_path, proxies=through(proxy.url()), lookup=lookup) as made:
                assert (await made.gateway.fetch("http://shop.test/")).body == b"x"
                assert (await made.gateway.fetch("http://shop.test/2")).body == b"y"
    assert lookups == 1


async def test_sites_that_are_dialled_directly(tmp_path: Path) -> None:
    site = Site({"/": Say(b"here")})
    async with serving(site):
        with http_proxy({}) as proxy:
            async with rig([site.base], tmp_path, proxies=through(proxy.url())) as made:
                assert (await made.gateway.fetch(site.base)).body == b"here"
    assert proxy.asked == []


# What is refused.


@pytest.mark.parametrize("scheme", ["http", "socks5"])
async def test_a_name_that_leads_where_none_may_is_not_asked_for(scheme: str, tmp_path: Path) -> None:
    with opened(scheme, 1) as proxy:
        proxies = through(proxy.url(scheme))
        async with rig(["http://shop.test/"], tmp_path, proxies=proxies, lookup=resolver("169.254.169.254")) as made:
            page = await made.gateway.fetch("http://shop.test/")
    assert page.error == "policy"
    assert proxy.asked == []


@pytest.mark.parametrize("scheme", ["http", "socks5", "socks5h"])
async def test_hosts_that_are_not_named_are_not_asked_for(scheme: str, tmp_path: Path) -> None:
    with opened(scheme, 1) as proxy:
        proxies = through(proxy.url(scheme))
        async with rig(["http://shop.test/"], tmp_path, proxies=proxies, lookup=resolver(PUBLIC)) as made:
            for url in ("http://other.test/", "http://169.254.169.254/latest", "http://127.0.0.1/", "http://10.1.1.1/"):
                assert (await made.gateway.fetch(url)).error == "policy"
                assert (await made.get(url)).status_code == 403
    assert proxy.asked == []


async def test_an_allowed_address_by_number_is_still_judged_where_names_are_not(tmp_path: Path) -> None:
    with socks_proxy({}) as proxy:
        proxies = through(proxy.url("socks5h"))
        async with rig(["http://shop.test/"], tmp_path, proxies=proxies, lookup=resolver()) as made:
            made.gateway.allow("169.254.169.254")  # an answer to a program's question opens public addresses only
            assert (await made.gateway.fetch("http://169.254.169.254/")).error == "policy"
    assert proxy.asked == []


# What goes wrong.


@pytest.mark.parametrize("url", ["http://shop.test/", "https://shop.test/"])
@pytest.mark.parametrize("scheme", ["http", "socks5", "socks5h"])
@pytest.mark.parametrize(
    ("given_login", "says"), [("", "asks for a login"), ("wendy:pl4nted-wrong", "does not accept")]
)
async def test_a_proxy_that_wants_another_login(
    scheme: str, url: str, given_login: str, says: str, tmp_path: Path
) -> None:
    with opened(scheme, 1, LOGIN) as proxy:
        proxies = through(proxy.url(scheme, given_login))
        async with rig(["http://shop.test/"], tmp_path, proxies=proxies, lookup=resolver(PUBLIC)) as made:
            page = await made.gateway.fetch(url)
            answer = await made.get("http://shop.test/")
    assert page.error == "proxy-auth"
    assert f"127.0.0.1:{proxy.port} {says}" in page.message
    assert (answer.status_code, answer.headers["X-Scrapewright"]) == (502, "proxy-auth")
    assert not [text for text in (page.message, answer.text, *(r.note for r in made.log)) if "pl4nted" in text]


@pytest.mark.parametrize("scheme", ["http", "socks5"])
async def test_a_proxy_that_is_not_there(scheme: str, tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"{scheme}://127.0.0.1:{taken.getsockname()[1]}"
        async with rig(["http://shop.test/"], tmp_path, proxies=through(url), lookup=resolver(PUBLIC)) as made:
            page = await made.gateway.fetch("http://shop.test/")
    assert page.error == "proxy"
    assert f"the proxy {url} can't be reached: Connection refused" in page.message


@pytest.mark.parametrize(
    ("scheme", "says_first", "says", "connections"),
    [
        ("socks5h", b"", "it did not answer as a socks5h proxy within 0.2 s", 1),
        ("http", b"", "it did not answer as a http proxy within 0.2 s", 2),
        ("socks5h", b"\x05\x00", "it did not connect to shop.test:443 within 0.2 s", 2),
    ],
)
async def test_a_proxy_that_is_silent(
    scheme: str, says_first: bytes, says: str, connections: int, tmp_path: Path
) -> None:
    """It is tried once more where the site behind it can be what is slow."""
    taken: list[bytes] = []

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(says_first)
        taken.append(await reader.read())
        writer.close()

    quick = msgspec.structs.replace(QUICK, connect_timeout=0.2, tries=2)
    async with await asyncio.start_server(silent, "127.0.0.1", 0) as server:
        url = f"{scheme}://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        proxies = through(url)
        async with rig(
            ["https://shop.test/"], tmp_path, proxies=proxies, lookup=resolver(PUBLIC), politeness=quick
        ) as made:
            page = await made.gateway.fetch("https://shop.test/")
    assert page.error == "proxy"
    assert page.message.endswith(f"{url} does not work as a proxy: {says}")
    assert len(taken) == connections


async def test_a_name_that_does_not_resolve_here(tmp_path: Path) -> None:
    with socks_proxy({}) as proxy:
        proxies = through(proxy.url("socks5"))
        async with rig(["http://shop.test/"], tmp_path, proxies=proxies, lookup=resolver()) as made:
            page = await made.gateway.fetch("http://shop.test/")
    assert page.error == "dns"
    assert page.message.endswith("(socks5h:// has the proxy resolve names)")
    assert proxy.asked == []


async def test_a_proxy_whose_name_does_not_resolve(tmp_path: Path) -> None:
    async with rig(["http://shop.test/"], tmp_path, proxies=through("socks5h://no.test"), lookup=resolver()) as made:
        page = await made.gateway.fetch("http://shop.test/")
    assert page.error == "proxy"
    assert "socks5h://no.test:1080 can't be reached: the name no.test does not resolve" in page.message
    assert "has the proxy resolve names" not in page.message


@pytest.mark.parametrize(
    ("scheme", "answer", "kind", "says"),
    [
        (
            "http",
            b"HTTP/1.1 403 Not From Here\r\nContent-Length: 0\r\n\r\n",
            "proxy",
            "does not connect to shop.test:443: 403 Not From Here",
        ),
        ("http", b"SSH-2.0-x\r\n\r\n", "proxy", "it does not speak HTTP"),
        ("http", b"HTTP/1.1 100 Wait\r\n\r\n", "proxy", "it hung up"),
        ("socks5", b"HTTP/1.1 400 What\r\n\r\n", "proxy", "it does not speak SOCKS5"),
        ("socks5", b"\x05", "proxy", "it hung up"),
        ("socks5", b"\x05\x00\x05\x02\x00\x01" + bytes(6), "proxy", "its rules forbid it"),
        ("socks5", b"\x05\x00\x05\x05\x00\x03\x01x\x00\x00", "refused", "it refused the connection"),
        ("socks5", b"\x05\x00\x05\x01\x00\x04" + bytes(18), "proxy", "SOCKS error 1"),
    ],
)
async def test_what_proxies_answer(scheme: str, answer: bytes, kind: str, says: str, tmp_path: Path) -> None:
    with opened(scheme, 1, says=answer) as proxy:
        proxies = through(proxy.url(scheme))
        async with rig(["https://shop.test/"], tmp_path, proxies=proxies, lookup=resolver(PUBLIC)) as made:
            page = await made.gateway.fetch("https://shop.test/")
    assert page.error == kind
    assert says in page.message


async def test_a_site_of_its_own_that_answers_407_is_no_proxy(tmp_path: Path) -> None:
    site = Site({"/": Say(b"odd", 407)})
    async with serving(site), rig([site.base], tmp_path) as made:
        assert (await made.gateway.fetch(site.base)).status == 407
