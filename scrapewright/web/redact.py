"""Keeps secrets off the disk and out of the log, without losing what the tape needs to compare.

A secret value (a cookie, a credential, a token in a query string) is written as a token that stands for it: the same
value gives the same token, so requests can be distinguished and matched, and the value itself is kept in memory alone.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Callable, Iterable

Headers = list[tuple[str, str]]

_TOKEN = re.compile(r"veiled-[0-9a-f]{24}")
_SECRET_HEADERS = frozenset(
    {
        "authorization",
        "proxy-authorization",
        "authentication-info",
        "x-api-key",
        "x-auth-token",
        "x-access-token",
        "x-amz-security-token",
        "x-csrf-token",
        "x-csrftoken",
        "x-xsrf-token",
    }
)
_SECRET_NAMES = re.compile(
    r"(?:.*[_-])?(?:access[_-]?token|auth[_-]?token|id[_-]?token|refresh[_-]?token|token|api[_-]?key|apikey|secret|"
    r"client[_-]?secret|passw(?:or)?d|passwd|pwd|auth|authorization|signature|sig|credential|credentials|session|"
    r"session[_-]?id|sessid|phpsessid|jsessionid|sid|otp)",
    re.IGNORECASE,
)
_MAYBE_SECRET = re.compile(r"key|code|state|hash|nonce|k|t", re.IGNORECASE)
_OPAQUE = re.compile(r"(?=.*[0-9])(?=.*[A-Za-z])[A-Za-z0-9_\-.~%+/=]{20,}")
_MATRIX = re.compile(r";(jsessionid|phpsessid|sid)=([^/?;#]+)", re.IGNORECASE)
_USERINFO = re.compile(r"^([A-Za-z][A-Za-z0-9+.-]*://)[^/?#]*@")


def redact_url(url: str, stand_in: Callable[[str], str]) -> str:
    """The URL as it may be logged: no user information, tokens in path and query replaced. Other parameters stay."""
    url = _USERINFO.sub(r"\1", url)
    url = _MATRIX.sub(lambda match: f";{match[1]}={stand_in(match[2])}", url)
    base, mark, query = url.partition("?")
    if not mark:
        return url
    query, hash_mark, fragment = query.partition("#")
    return base + mark + "&".join(_redact_pair(pair, stand_in) for pair in query.split("&")) + hash_mark + fragment


def _redact_pair(pair: str, stand_in: Callable[[str], str]) -> str:
    name, equals, value = pair.partition("=")
    if not value:
        return pair
    if _SECRET_NAMES.fullmatch(name) or (_MAYBE_SECRET.fullmatch(name) and _OPAQUE.fullmatch(value)):
        return f"{name}{equals}{stand_in(value)}"
    return pair


class Redactor:
    """Tokens for secrets, and back, while the process lives. `salt` is the tape's own: tokens of two tapes differ."""

    def __init__(self, salt: bytes) -> None:
        self._salt = salt
        self._values: dict[str, str] = {}
        self._handed: set[str] = set()

    def token(self, value: str) -> str:
        """The token that replaces a value. A token replaces itself, so a replayed response gives the same digests."""
        if _TOKEN.fullmatch(value):
            return value
        digest = hmac.new(self._salt, value.encode("utf-8", "surrogateescape"), hashlib.sha256).hexdigest()
        token = f"veiled-{digest[:24]}"
        self._values[token] = value
        return token

    def url(self, url: str) -> str:
        """A URL as it may be written."""
        return redact_url(url, self.token)

    def restore_url(self, url: str) -> str:
        """The inverse of url for what this process has seen."""
        return self._restore(url)

    def redact(self, headers: Iterable[tuple[str, str]]) -> Headers:
        """Response headers as they may be written."""
        return [(name, self._redact_value(name.lower(), value)) for name, value in headers]

    def restore(self, headers: Iterable[tuple[str, str]]) -> Headers:
        """The inverse of redact for what this process has seen; other tokens stay."""
        return [(name, self._restore(value)) for name, value in headers]

    def outgoing(self, headers: Iterable[tuple[str, str]]) -> Headers:
        """Request headers as a site should get them. A cookie known by its token alone (its value was never written,
        and the process that saw it is gone) is left out: better a new visitor than one with a wrong session.
        """
        kept: Headers = []
        for name, value in headers:
            if name.lower() == "cookie":
                pairs = [self._restore(pair) for pair in split_pairs(value)]
                pairs = [pair for pair in pairs if not _TOKEN.search(pair)]
                if not pairs:
                    continue
                value = "; ".join(pairs)
            kept.append((name, value))
        return kept

    def cookie_digest(self, header: str) -> str:
        """A digest of the cookies that can change an answer, empty where there are none.

        Long random values that the site handed out in the answer to a plain GET are left out: they number visitors, and
        every run would be a new one, so nothing would ever be found again. Cookies from a login count, those that the
        program made itself too, and short values, which are choices (a currency, a language).
        """
        parts: list[str] = []
        for pair in split_pairs(header):
            name, _, value = pair.partition("=")
            token = self.token(value)
            if f"{name}={token}" not in self._handed:
                parts.append(f"{name}={token}")
        return self.digest("; ".join(sorted(parts)).encode("utf-8", "surrogateescape"))

    def digest(self, data: bytes) -> str:
        """A salted digest, empty for nothing: what is short can't be guessed from it without the tape's salt."""
        return hmac.new(self._salt, data, hashlib.sha256).hexdigest()[:32] if data else ""

    def visitor_cookies(self, headers: Iterable[tuple[str, str]]) -> list[str]:
        """The visitor ids among a response's Set-Cookie, as `name=token`, left out of cookie_digest from now on."""
        found: list[str] = []
        for name, value in headers:
            if name.lower() == "set-cookie":
                cookie, _, content = value.partition(";")[0].strip().partition("=")
                if len(content) >= 16 and not content.isalpha():
                    found.append(f"{cookie}={self.token(content)}")
        self._handed.update(found)
        return found

    def add_visitor_cookies(self, handed: Iterable[str]) -> None:
        """Restores what visitor_cookies found in an earlier process."""
        self._handed.update(handed)

    def _redact_value(self, name: str, value: str) -> str:
        if name == "set-cookie":
            cookie, semicolon, rest = value.partition(";")
            key, equals, content = cookie.partition("=")
            content = content.strip()
            return key + equals + (self.token(content) if content else "") + semicolon + rest
        if name in _SECRET_HEADERS:
            return self.token(value) if value else value
        if name in ("location", "content-location", "refresh", "link"):
            return self.url(value)
        return value

    def _restore(self, value: str) -> str:
        return _TOKEN.sub(lambda match: self._values.get(match[0], match[0]), value)


def split_pairs(header: str) -> list[str]:
    """The `name=value` of a Cookie header."""
    return [pair.strip() for pair in header.split(";") if pair.strip()]
