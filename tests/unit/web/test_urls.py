from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.web.urls import BadURL, Target, clean_path, is_address, parse_authority, parse_host, parse_url


@pytest.mark.parametrize(
    ("text", "host"),
    [
        ("Shop.TEST", "shop.test"),
        ("shop.test.", "shop.test"),
        ("bücher.test", "xn--bcher-kva.test"),
        ("BÜCHER.test", "xn--bcher-kva.test"),
        ("shop。test", "shop.test"),
        ("ｓｈｏｐ.test", "shop.test"),
        ("a_b.test", "a_b.test"),
        ("localhost", "localhost"),
        ("127.0.0.1", "127.0.0.1"),
        ("127.0.0.1.", "127.0.0.1"),
        ("2130706433", "127.0.0.1"),
        ("0x7f.1", "127.0.0.1"),
        ("0177.0.0.01", "127.0.0.1"),
        ("0x7f000001", "127.0.0.1"),
        ("127.1", "127.0.0.1"),
        ("0x", "0.0.0.0"),  # the URL standard reads an empty hexadecimal number as nought
        ("１２７.0.0.1", "127.0.0.1"),
        ("[::1]", "::1"),
        ("[0:0:0:0:0:0:0:1]", "::1"),
        ("[::ffff:127.0.0.1]", "127.0.0.1"),
        ("[::ffff:7f00:1]", "127.0.0.1"),
    ],
)
def test_one_spelling(text: str, host: str) -> None:
    assert parse_host(text) == host


@pytest.mark.parametrize(
    "text",
    [
        "", ".", "..", "a..b", "shop.test..", "-a.test", "a b", "a\tb", "a%2eb", "shop.test\x00", "a/b", "a@b", "a:b",
        "256.0.0.1", "1.2.3.4.5", "127.0.0.09", "99999999999", "[::1", "::1]", "[fe80::1%eth0]",
        "[1.2.3.4]", "a" * 64 + ".test", ".".join(["a" * 60] * 5), "shop.test\\", "shop.test#", "exa\u00admple..test",
    ],
)  # fmt: skip
def test_what_is_no_host(text: str) -> None:
    with pytest.raises(BadURL):
        parse_host(text)


@pytest.mark.parametrize(
    "text",
    [
        "http://shop.test@evil.test/",
        "http://shop.test:80@evil.test/",
        "http://user:pass@shop.test/",
        "http://shop.test\\@evil.test/",
        "http://evil.test\\.shop.test/",
        "http://shop.test%00.evil.test/",
        "http://shop.test\n.evil.test/",
        "http://shop.test /",
        "http:/shop.test/",
        "http:shop.test",
        "//shop.test/",
        "/page",
        "ftp://shop.test/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "http://",
        "http:///page",
        "http://:80/",
        "http://shop.test:0/",
        "http://shop.test:65536/",
        "http://shop.test:8o/",
        "http://shop.test:-1/",
        "http://[::1]evil.test/",
        "http://[::1].shop.test/",
        "http://shop.test/" + "a" * 20000,
    ],
)
def test_urls_that_readers_could_differ_over(text: str) -> None:
    with pytest.raises(BadURL):
        parse_url(text)


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("HTTP://Shop.Test", "http://shop.test/"),
        ("http://shop.test:80/a?b#c", "http://shop.test/a?b"),
        ("https://shop.test:443?q=1", "https://shop.test/?q=1"),
        ("https://shop.test:80/", "https://shop.test:80/"),
        ("http://shop.test#@evil.test/", "http://shop.test/"),
        ("http://shop.test?@evil.test/", "http://shop.test/?@evil.test/"),
        ("http://shop.test/a b/ü?q=%20", "http://shop.test/a%20b/%C3%BC?q=%20"),
        ("http://[::1]:8000/x", "http://[::1]:8000/x"),
    ],
)
def test_urls_brought_to_one_form(text: str, url: str) -> None:
    assert parse_url(text).url == url


def test_error_messages_repeat_no_secret() -> None:
    for text in (
        "/in?token=s3cret",
        "http://user:s3cret@a b/",
        "http://me:s3cret@/x",
        "user:s3cret@shop.test",
        "x#s3cret",
    ):
        with pytest.raises(BadURL) as raised:
            parse_url(text, userinfo=True)
        assert "s3cret" not in str(raised.value)


def test_user_information_is_dropped_only_where_that_is_wanted() -> None:
    assert parse_url("http://a:b@shop.test/x", userinfo=True) == Target("http", "shop.test", 80, "/x")
    assert parse_url("http://shop.test@evil.test/", userinfo=True).host == "evil.test"


def test_an_authority_can_demand_its_port() -> None:
    assert parse_authority("shop.test:443") == ("shop.test", 443)
    assert parse_authority("[::1]:443") == ("::1", 443)
    assert parse_authority("shop.test", 80) == ("shop.test", 80)
    for text in ("shop.test", "shop.test:", "::1:443", "[::1]443", "u@shop.test:443"):
        with pytest.raises(BadURL):
            parse_authority(text)


HOSTS = st.one_of(
    st.from_regex(r"[a-z0-9]{1,8}(\.[a-z]{1,8}){1,3}", fullmatch=True),
    st.ip_addresses(v=4).map(str),
    st.ip_addresses(v=6).map(lambda address: f"[{address}]"),
)


@given(HOSTS, st.integers(1, 65535), st.text(max_size=30), st.sampled_from(["http", "https"]))
def test_parsing_is_idempotent(host: str, port: int, path: str, scheme: str) -> None:
    first = parse_url(f"{scheme}://{host}:{port}/{path}")
    assert parse_url(first.url) == first
    assert first.port == port
    assert first.path.isascii()
    assert not set(first.path) & set(" \r\n\t#")


@given(st.text(max_size=60))
def test_any_text_is_a_host_or_refused(text: str) -> None:
    try:
        host = parse_host(text)
    except BadURL:
        return
    assert host == host.lower()
    assert parse_host(f"[{host}]" if ":" in host else host) == host
    if is_address(host):
        ipaddress.ip_address(host)
    else:
        assert not set(host) & set("/\\@:?#%[] ")


@given(st.text(max_size=60))
def test_any_text_is_a_url_or_refused(text: str) -> None:
    for candidate in (text, "http://" + text, "http://shop.test" + text):
        try:
            target = parse_url(candidate)
        except BadURL:
            continue
        assert target.path.startswith("/")


@given(st.ip_addresses(v=4))
def test_every_number_form_of_an_address_is_that_address(address: ipaddress.IPv4Address) -> None:
    number = int(address)
    a, b, c, d = address.packed
    forms = [str(number), hex(number), f"0{number:o}", f"{a}.{number & 0xFFFFFF}", f"{a:#x}.{b:#o}".replace("0o", "0")]
    forms[-1] += f".{c}.{d}"
    for form in forms:
        assert parse_host(form) == str(address)
    assert parse_host(f"[::ffff:{address}]") == str(address)


@given(st.text(max_size=40))
def test_a_path_is_safe_in_a_request_line(path: str) -> None:
    cleaned = clean_path(path)
    assert cleaned.startswith("/")
    assert all("\x21" <= char <= "\x7e" for char in cleaned)
    assert clean_path(cleaned) == cleaned
