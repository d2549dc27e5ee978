from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.web.redact import Redactor, redact_url

SECRET = "Abc123Def456Ghi789Jkl0"


def hidden(url: str) -> str:
    return redact_url(url, lambda value: "X")


@pytest.mark.parametrize(
    ("url", "logged"),
    [
        ("http://a.test/?q=red+shoes&page=2", "http://a.test/?q=red+shoes&page=2"),
        ("http://a.test/?token=abc&page=2", "http://a.test/?token=X&page=2"),
        ("http://a.test/?Access_Token=abc", "http://a.test/?Access_Token=X"),
        ("http://a.test/?my-api-key=abc&apikey=d", "http://a.test/?my-api-key=X&apikey=X"),
        ("http://a.test/?password=abc&sid=1", "http://a.test/?password=X&sid=X"),
        (f"http://a.test/?key={SECRET}&key=name", "http://a.test/?key=X&key=name"),
        ("http://a.test/?code=SW1A&tokens=3&author=poe", "http://a.test/?code=SW1A&tokens=3&author=poe"),
        ("http://a.test/p;jsessionid=abc?x=1", "http://a.test/p;jsessionid=X?x=1"),
        ("http://u:p@a.test/x", "http://a.test/x"),
        ("http://u@x:p@a.test/x", "http://a.test/x"),
        ("http://a.test/?token=&token", "http://a.test/?token=&token"),
        ("http://a.test/?token=abc#part", "http://a.test/?token=X#part"),
        ("/in?token=abc", "/in?token=X"),
        ("http://a.test/@user?mail=a@b.c", "http://a.test/@user?mail=a@b.c"),
    ],
)
def test_urls_in_the_log(url: str, logged: str) -> None:
    assert hidden(url) == logged


def test_a_token_stands_for_its_value() -> None:
    one, other = Redactor(b"salt"), Redactor(b"another salt")
    token = one.token(SECRET)
    assert SECRET not in token
    assert one.token(SECRET) == token
    assert one.token(token) == token
    assert one.token(SECRET + "x") != token
    assert other.token(SECRET) != token
    headers = [("Set-Cookie", f"a={SECRET}; Path=/"), ("Set-Cookie", "b=; Max-Age=0"), ("Content-Type", "text/html")]
    veiled = one.redact(headers)
    assert veiled == [("Set-Cookie", f"a={token}; Path=/"), headers[1], headers[2]]
    assert one.restore(veiled) == headers
    assert Redactor(b"salt").restore(veiled) == veiled


def test_cookies_known_by_token_only_are_not_sent() -> None:
    redactor = Redactor(b"salt")
    stranger = Redactor(b"other").token("unknown")
    known = redactor.token(SECRET)
    assert redactor.outgoing([("Cookie", f"a={known}; b={stranger}; c=1")]) == [("Cookie", f"a={SECRET}; c=1")]
    assert redactor.outgoing([("Cookie", f"b={stranger}"), ("X", "1")]) == [("X", "1")]


def test_cookie_digests() -> None:
    redactor = Redactor(b"salt")
    assert redactor.cookie_digest("") == ""
    assert redactor.cookie_digest("a=1; b=2") == redactor.cookie_digest("b=2;a=1")
    assert redactor.cookie_digest("a=1") != redactor.cookie_digest("a=2")
    assert redactor.cookie_digest(f"a={SECRET}") == redactor.cookie_digest(f"a={redactor.token(SECRET)}")
    handed = redactor.visitor_cookies([("Set-Cookie", f"a={SECRET}; Path=/"), ("Set-Cookie", "currency=EUR")])
    assert handed == [f"a={redactor.token(SECRET)}"]
    assert redactor.cookie_digest(f"a={SECRET}") == ""
    assert redactor.cookie_digest(f"a={SECRET}; currency=EUR") == redactor.cookie_digest("currency=EUR") != ""
    later = Redactor(b"salt")
    assert later.cookie_digest(f"a={SECRET}") != ""
    later.add_visitor_cookies(handed)
    assert later.cookie_digest(f"a={SECRET}") == ""


@given(st.text(max_size=80))
def test_any_url_keeps_its_length_of_parameters(url: str) -> None:
    once = hidden(url)
    assert once.count("&") == url.count("&") or "@" in url or ";" in url
    assert hidden(once) == once


@given(st.text(alphabet=st.characters(min_codepoint=33, max_codepoint=126, exclude_characters=";="), min_size=1))
def test_veiling_goes_back(value: str) -> None:
    redactor = Redactor(b"salt")
    headers = [("Set-Cookie", f"a={value}; Path=/"), ("Authorization", value)]
    assert redactor.restore(redactor.redact(headers)) == headers
