"""What is said before anything is sent."""

from __future__ import annotations

import pytest

from scrapewright.settings import Secret
from scrapewright.web.credentials import Credentials, StoredCookie, parse_headers, parse_login, with_secret
from scrapewright.web.summary import Note, notes
from scrapewright.web.upstream_proxy import Proxies, parse_proxy

SHOP = "https://shop.test/books"
PROXY = parse_proxy("http://wendy:pl4nted@proxy.test:3128")
LOGIN = with_secret(parse_login("shop.test=basic:SHOP"), Secret("wendy:pl4nted"))
ELSEWHERE = with_secret(parse_login("other.test=bearer:OTHER"), Secret("pl4nted"))
COOKIE = StoredCookie("sid", Secret("pl4nted"), "shop.test", host_only=False)
ENVIRON = {"HTTPS_PROXY": "http://wendy:pl4nted@proxy.test:3128", "ALL_PROXY": "http://x"}


def said(
    credentials: Credentials | None = None, proxies: Proxies | None = None, environ: dict[str, str] | None = None,
    sites: tuple[str, ...] = (SHOP,), allow: tuple[str, ...] = (),
) -> list[Note]:  # fmt: skip
    return notes(credentials or Credentials(), proxies or Proxies(), sites, allow, environ or {})


@pytest.mark.parametrize(
    ("credentials", "note"),
    [
        (
            Credentials(headers=parse_headers(["X-A: pl4nted", "X-B: 2"])),
            ("info", "sent to shop.test: 2 headers (X-A, X-B)"),
        ),
        (Credentials(logins=(LOGIN,)), ("info", "sent to https://shop.test: a login (basic, SHOP)")),
        (
            Credentials(logins=(ELSEWHERE,)),
            ("warning", "the login OTHER is for other.test, which is not reached: it is not sent"),
        ),
        (
            Credentials(cookies=(COOKIE, COOKIE), cookies_from="c.txt"),
            ("info", "sent to shop.test: 2 cookies of c.txt, by path and scheme"),
        ),
        (
            Credentials(cookies=(StoredCookie("a", Secret("pl4nted"), "other.test"),), cookies_from="c.txt"),
            ("warning", "1 cookie in c.txt, and none is for shop.test"),
        ),
    ],
)
def test_what_is_sent_where(credentials: Credentials, note: Note) -> None:
    assert said(credentials) == [note]


def test_hosts_that_are_allowed() -> None:
    given = Credentials(logins=(ELSEWHERE,), cookies=(COOKIE,), cookies_from="c.txt")
    assert said(given, sites=(), allow=("other.test", "www.shop.test")) == [
        ("info", "sent to https://other.test: a login (bearer, OTHER)"),
        ("info", "sent to www.shop.test: 1 cookie of c.txt, by path and scheme"),
    ]


def test_the_proxy() -> None:
    both = Proxies(PROXY, PROXY, "in.test")
    through = ("info", "sites are dialled through http://proxy.test:3128")
    direct = "dialled directly, not through the proxy: "
    assert said(proxies=both) == [through]
    assert said(proxies=both, sites=(SHOP, "http://in.test/")) == [through, ("info", f"{direct}in.test")]
    assert said(proxies=both, sites=("http://127.0.0.1:8/",)) == [("info", f"{direct}127.0.0.1:8")]


def test_proxies_of_the_environment_are_offered() -> None:
    offer = "HTTPS_PROXY and ALL_PROXY are set and not used: --proxy env uses them; sites are dialled directly"
    assert said(environ=ENVIRON) == [("info", offer)]
    assert said(environ=ENVIRON, sites=("http://127.0.0.1:8/",)) == []
    assert said() == []
    assert said(sites=("no address",)) == []
