"""Cookies for the length of one fetch: sites that set one and redirect to themselves would go round for ever."""

from __future__ import annotations

import email.message
import http.cookiejar
import urllib.request
from collections.abc import Iterable

from scrapewright.web.redact import Headers


class _Answer:
    """As much of a response as http.cookiejar looks at."""

    def __init__(self, headers: Iterable[tuple[str, str]]) -> None:
        self._message = email.message.Message()
        for name, value in headers:
            self._message[name] = value

    def info(self) -> email.message.Message:
        return self._message


class Cookies:
    """A jar by RFC 6265's rules as http.cookiejar has them."""

    def __init__(self) -> None:
        self._jar = http.cookiejar.CookieJar()

    def take(self, headers: Headers, url: str) -> None:
        """Keeps what an answer from `url` sets."""
        self._jar.extract_cookies(_Answer(headers), urllib.request.Request(url))  # type: ignore[arg-type]

    def add_to(self, headers: Headers, url: str) -> Headers:
        """The headers with what belongs to `url`, added to a Cookie header of the caller's own."""
        request = urllib.request.Request(url)
        self._jar.add_cookie_header(request)
        ours = request.get_header("Cookie")
        if not ours:
            return list(headers)
        own = [value for name, value in headers if name.lower() == "cookie"]
        return [pair for pair in headers if pair[0].lower() != "cookie"] + [("Cookie", "; ".join([*own, ours]))]
