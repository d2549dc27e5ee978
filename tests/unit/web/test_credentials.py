"""Headers, logins and files of cookies, as they are given."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.settings import Secret
from scrapewright.web.cookie_file import AT_MOST, parse_cookies, read_cookies
from scrapewright.web.credentials import BadCredentials, Header, StoredCookie, parse_headers, parse_login, with_secret
from tests.json_values import json_values

NETSCAPE = """\
# Netscape HTTP Cookie File

.shop.test\tTRUE\t/\tTRUE\t4102444800\tsid\tpl4nted-1
#HttpOnly_shop.test\tFALSE\t/account\tFALSE\t0\ttoken\tpl4nted=2
#a comment
127.0.0.1\tFALSE\t/\tFALSE\t1.5\told\t
"""
JSON = json.dumps(
    [
        {
            "domain": ".shop.test", "hostOnly": False, "path": "/", "secure": True, "httpOnly": False, "session": False,
            "expirationDate": 4102444800.25, "name": "sid", "value": "pl4nted-1", "sameSite": "lax", "storeId": "0",
        },
        {
            "domain": "shop.test", "hostOnly": True, "path": "/account", "secure": False, "httpOnly": True,
            "session": True, "name": "token", "value": "pl4nted=2",
        },
    ]
)  # fmt: skip
FIRST = StoredCookie("sid", Secret("pl4nted-1"), "shop.test", False, "/", True, False, 4102444800)
SECOND = StoredCookie("token", Secret("pl4nted=2"), "shop.test", True, "/account", False, True, None)
HEADERS = st.lists(st.text(max_size=30), max_size=3)


def test_headers() -> None:
    found = parse_headers(["X-Key:  pl4nted ", "Accept-Language: de;q=1, en: 2"])
    assert found == (Header("X-Key", Secret("pl4nted")), Header("Accept-Language", Secret("de;q=1, en: 2")))
    assert "pl4nted" not in repr(found)


@pytest.mark.parametrize(
    ("texts", "says"),
    [
        (["X-Key=pl4nted"], "the form 'Name: value'"),
        (["X Key: pl4nted"], "the form 'Name: value'"),
        ([": pl4nted"], "the form 'Name: value'"),
        (["X-Key:"], "X-Key has no value"),
        (["X-Key: pl4nted\r\nEvil: 1"], "such as line breaks"),
        (["X-Key: pl4nted\u20ac"], "characters that no header can have"),
        (["X-Key: pl4nted", "x-key: 2"], "x-key is given twice"),
        (["Host: pl4nted"], "Host can't be given as a header: the gateway sets it"),
        (["Cookie: a=pl4nted"], "cookies are given by --cookies FILE"),
        (["Proxy-Authorization: pl4nted"], "--proxy http://user:password@host:port"),
        (["Connection: pl4nted"], "it concerns one connection"),
        (["User-Agent: pl4nted"], "the setting user_agent"),
        (["X-Key: " + "pl4nted" * 3000], "16 KB at most"),
    ],
)
def test_what_is_no_header(texts: list[str], says: str) -> None:
    with pytest.raises(BadCredentials, match=says) as raised:
        parse_headers(texts)
    assert "pl4nted" not in str(raised.value)


@given(HEADERS)
def test_any_text_is_a_header_or_refused(texts: list[str]) -> None:
    try:
        found = parse_headers(texts)
    except BadCredentials:
        return
    for header in found:
        assert "\n" not in header.name + header.value.reveal()
        header.value.reveal().encode("latin-1")


@pytest.mark.parametrize(
    ("text", "place", "scheme", "name"),
    [
        ("shop.test=basic:SHOP", "shop.test", "basic", "SHOP"),
        ("shop.test:8443=Bearer:SHOP", "shop.test:8443", "bearer", "SHOP"),
        ("http://127.0.0.1:8000/?a=b=basic:SHOP", "http://127.0.0.1:8000/?a=b", "basic", "SHOP"),
    ],
)
def test_logins(text: str, place: str, scheme: str, name: str) -> None:
    login = parse_login(text)
    assert (login.place, login.scheme, login.secret_name) == (place, scheme, name)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("shop.test", "the form HOST=basic:SECRET_NAME"),
        ("shop.test=SHOP", "the form HOST=basic:SECRET_NAME"),
        ("=basic:SHOP", "the form HOST=basic:SECRET_NAME"),
        ("shop.test=digest:SHOP", "neither basic nor bearer"),
        ("shop.test=basic:wendy:pl4nted", "for shop.test takes the NAME of a variable that holds the secret"),
        ("shop.test=bearer:ghp_pl4nted", "such as SHOP_LOGIN, not the secret itself"),
        ("shop.test=bearer:pl4nted=", "the form HOST=basic:SECRET_NAME"),
        ("shop.test=bearer:pl4nted=a:b", "the login is neither basic nor bearer"),
        ("shop test=basic:SHOP", "not a host name"),
        ("ftp://shop.test=basic:SHOP", "only http and https"),
    ],
)
def test_what_is_no_login(text: str, says: str) -> None:
    with pytest.raises(BadCredentials, match=says) as raised:
        parse_login(text)
    assert "pl4nted" not in str(raised.value)


@pytest.mark.parametrize(
    ("scheme", "secret"), [("basic", "pl4nted"), ("basic", "a:pl4nted\n"), ("bearer", "pl4nted x")]
)
def test_secrets_of_another_form(scheme: str, secret: str) -> None:
    with pytest.raises(BadCredentials, match="SHOP has") as raised:
        with_secret(parse_login(f"shop.test={scheme}:SHOP"), Secret(secret))
    assert "pl4nted" not in str(raised.value)


# Cookies.


def test_cookies_txt() -> None:
    assert parse_cookies(NETSCAPE) == (FIRST, SECOND, StoredCookie("old", Secret(""), "127.0.0.1", expires=1))
    assert parse_cookies("shop.test\tFALSE\t/\tFALSE\t0\tempty")[0].value == Secret("")
    assert "pl4nted" not in repr(parse_cookies(NETSCAPE))


def test_cookies_as_json() -> None:
    assert parse_cookies(JSON) == (FIRST, SECOND)
    state = {"cookies": [{"name": "sid", "value": "pl4nted-1", "domain": ".shop.test", "path": "/", "expires": -1}]}
    assert parse_cookies(json.dumps(state)) == (msgspec.structs.replace(FIRST, secure=False, expires=None),)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "there are no cookies in it"),
        ("# nothing\n", "there are no cookies in it"),
        ("[]", "there are no cookies in it"),
        ("sid=pl4nted; a=b", "line 1 has 1 fields, not the 7"),
        ("# x\nshop.test TRUE / TRUE 0 sid pl4nted", "line 2 has 1 fields"),
        ("shop.test\tTRUE\t/\tTRUE\tpl4nted\tsid\tx", "line 1: the time of expiry is not a number"),
        ("shop test\tTRUE\t/\tTRUE\t0\tsid\tpl4nted", "line 1: its domain is no host name"),
        ("shop.test\tTRUE\tx\tTRUE\t0\tsid\tpl4nted", "line 1: its path"),
        ("shop.test\tTRUE\t/\tTRUE\t0\tsid\tpl4nted;x", "line 1: its name or value"),
        ("[{", "not valid JSON"),
        ('{"a": 1}', "neither a list of cookies"),
        ("[1]", "cookie 1 is not an object"),
        ('[{"domain": "shop.test", "name": "x"}]', "cookie 1 has no text under 'value'"),
        ('[{"domain": "a", "name": "x", "value": "pl4nted", "expires": "x"}]', "cookie 1: the time"),
        ('[{"domain": "a", "name": "x", "value": "pl4nted", "path": 3}]', "cookie 1: its path"),
    ],
)
def test_what_holds_no_cookies(text: str, says: str) -> None:
    with pytest.raises(BadCredentials, match=says) as raised:
        parse_cookies(text)
    assert "pl4nted" not in str(raised.value)


@given(
    st.text(max_size=80)
    | st.lists(st.sampled_from(["a.test", "\t", "0", "TRUE", "/", "\n", "#HttpOnly_"])).map("".join)
)
def test_any_text_holds_cookies_or_is_refused(text: str) -> None:
    try:
        found = parse_cookies(text)
    except BadCredentials:
        return
    assert found
    assert all(cookie.path.startswith("/") and cookie.name for cookie in found)


JSON_VALUES = json_values(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=8),
    st.sampled_from(["cookies", "name", "value", "domain", "path", "expires", "expirationDate"]),
    most=None,
    max_leaves=12,
)


@given(JSON_VALUES)
def test_any_json_holds_cookies_or_is_refused(value: object) -> None:
    try:
        parse_cookies(json.dumps([value]))
    except BadCredentials:
        return


def test_expired_cookies(tmp_path: Path) -> None:
    file = tmp_path / "cookies.txt"
    file.write_text(NETSCAPE)
    assert read_cookies(file, now=1_800_000_000) == (FIRST, SECOND)
    file.write_text(NETSCAPE.replace("\t0\ttoken", "\t3\ttoken"))
    with pytest.raises(BadCredentials, match=r"all of its 3 cookies have expired, the last on 2100-01-01"):
        read_cookies(file, now=4_200_000_000)


def test_files_that_can_not_be_read(tmp_path: Path) -> None:
    with pytest.raises(BadCredentials, match=r"gone.txt can't be read: No such file"):
        read_cookies(tmp_path / "gone.txt")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadCredentials, match="no UTF-8 text"):
        read_cookies(tmp_path / "binary")
    with (tmp_path / "large").open("wb") as file:
        file.truncate(AT_MOST + 1)
    with pytest.raises(BadCredentials, match="larger than 8 MB"):
        read_cookies(tmp_path / "large")
