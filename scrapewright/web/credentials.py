"""What a person gives to be sent to sites: headers, logins by a named secret, cookies. Identity sends it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from scrapewright.settings import Secret
from scrapewright.settings.web import SECRET_NAME
from scrapewright.web.urls import BadURL, parse_authority, parse_url

HEADERS_AT_MOST = 16 << 10
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")
_PLACE = re.compile(r"[\w.:/\[\]-]{1,100}")
"""A place that messages repeat."""
_OWN: Mapping[str, str] = {
    "cookie": "cookies are given by --cookies FILE",
    "user-agent": "it is the setting user_agent",
    "proxy-authorization": "a proxy's login is part of its address, --proxy http://user:password@host:port",
    **dict.fromkeys(("host", "content-length", "accept-encoding"), "the gateway sets it itself"),
    **dict.fromkeys(
        ("connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "expect", "proxy-connection"),
        "it concerns one connection, which is the gateway's own",
    ),
}
"""Headers that can't be given, and what to do instead."""

Scheme = Literal["basic", "bearer"]


class BadCredentials(ValueError):
    """A header, login or file that can't be used. The message says what is valid and repeats no value."""


class Header(msgspec.Struct, frozen=True):
    """Sent to the sites that the request names."""

    name: str
    value: Secret


class Login(msgspec.Struct, frozen=True):
    """`Authorization` for one place: `host`, `host:port` or a URL. `secret_name` is the variable that `secret` is from:
    `user:password` for basic, the token for bearer."""

    place: str
    scheme: Scheme
    secret_name: str
    secret: Secret = Secret()


class StoredCookie(msgspec.Struct, frozen=True):
    """A cookie of a browser. `domain` has no leading dot; `host_only`: not for its subdomains. `expires` in seconds
    since 1970, None for one that ends with the browser."""

    name: str
    value: Secret
    domain: str
    host_only: bool = True
    path: str = "/"
    secure: bool = False
    http_only: bool = False
    expires: int | None = None


class Credentials(msgspec.Struct, frozen=True):
    """All that is given. `cookies_from` names the file."""

    headers: tuple[Header, ...] = ()
    logins: tuple[Login, ...] = ()
    cookies: tuple[StoredCookie, ...] = ()
    cookies_from: str = ""


def parse_headers(texts: Sequence[str]) -> tuple[Header, ...]:
    """`Name: value` each. Raises BadCredentials."""
    found: list[Header] = []
    for text in texts:
        name, colon, value = text.partition(":")
        name, value = name.strip(), value.strip()
        if not colon or not _NAME.fullmatch(name):
            raise BadCredentials("a header has the form 'Name: value', and the name has letters, digits and dashes")
        if name.lower() in _OWN:
            raise BadCredentials(f"{name} can't be given as a header: {_OWN[name.lower()]}")
        if not value:
            raise BadCredentials(f"the header {name} has no value")
        if not _VALUE.fullmatch(value):
            raise BadCredentials(f"the value of {name} has characters that no header can have, such as line breaks")
        if any(header.name.lower() == name.lower() for header in found):
            raise BadCredentials(f"the header {name} is given twice")
        found.append(Header(name, Secret(value)))
    if sum(len(header.name) + len(header.value.reveal()) for header in found) > HEADERS_AT_MOST:
        raise BadCredentials(f"all headers together may have {HEADERS_AT_MOST >> 10} KB at most")
    return tuple(found)


def parse_login(text: str) -> Login:
    """`HOST=basic:SECRET_NAME` or `HOST=bearer:SECRET_NAME`, without the secret. Raises BadCredentials."""
    place, equals, rest = text.rpartition("=")
    scheme, colon, name = rest.partition(":")
    place, scheme, name = place.strip(), scheme.strip().lower(), name.strip()
    if not equals or not colon or not place:
        raise BadCredentials("a login has the form HOST=basic:SECRET_NAME or HOST=bearer:SECRET_NAME")
    said = f"the login for {place}" if _PLACE.fullmatch(place) else "the login"
    if scheme not in ("basic", "bearer"):
        raise BadCredentials(f"{said} is neither basic nor bearer")
    if not SECRET_NAME.fullmatch(name):
        raise BadCredentials(
            f"{said} takes the NAME of a variable that holds the secret, such as SHOP_LOGIN, not the secret itself"
        )
    try:
        _ = parse_url(place) if "://" in place else parse_authority(place, 443)
    except BadURL as error:
        raise BadCredentials(str(error)) from error
    return Login(place, "basic" if scheme == "basic" else "bearer", name)


def with_secret(login: Login, secret: Secret) -> Login:
    """The login with its secret. Raises BadCredentials where that is of another form, without repeating it."""
    text = secret.reveal()
    if login.scheme == "basic" and not re.fullmatch(r"[^:\x00-\x1f\x7f]*:[^\x00-\x1f\x7f]*", text):
        raise BadCredentials(f"{login.secret_name} has to hold user:password for basic")
    if login.scheme == "bearer" and not re.fullmatch(r"[\x21-\x7e]+", text):
        raise BadCredentials(f"{login.secret_name} has characters that no token can have, such as blanks")
    return msgspec.structs.replace(login, secret=secret)
