"""A jar of cookies, by the rules of RFC 6265 as http.cookiejar has them."""

from __future__ import annotations

import email.message
import http.cookiejar
import urllib.request
from collections.abc import Iterable

from scrapewright.web.credentials import StoredCookie
from scrapewright.web.redact import Headers, split_pairs


class _Answer:
    """As much of a response as http.cookiejar looks at."""

    def __init__(self, headers: Iterable[tuple[str, str]]) -> None:
        self._message = email.message.Message()
        for name, value in headers:
            self._message[name] = value

    def info(self) -> email.message.Message:
        return self._message


class Cookies:
    """Sends each cookie back where it belongs: by domain, path, `Secure` and expiry. One without a domain goes to its
    own host alone."""

    def __init__(self, stored: Iterable[StoredCookie] = ()) -> None:
        strict = http.cookiejar.DefaultCookiePolicy.DomainStrictNonDomain
        self._jar = http.cookiejar.CookieJar(http.cookiejar.DefaultCookiePolicy(strict_ns_domain=strict))
        for cookie in stored:
            self._jar.set_cookie(_as_jar_has_it(cookie))

    def take(self, headers: Headers, url: str) -> None:
        """Keeps what an answer from `url` sets."""
        self._jar.extract_cookies(_Answer(headers), urllib.request.Request(url))  # type: ignore[arg-type]

    def pairs(self, url: str) -> list[str]:
        """`name=value` of each cookie that belongs to `url`, those with the longest path first."""
        request = urllib.request.Request(url)
        self._jar.add_cookie_header(request)
        return split_pairs(request.get_header("Cookie") or "")

    def add_to(self, headers: Headers, url: str) -> Headers:
        """The headers with what belongs to `url`, added to a Cookie header of the caller's own. Of two cookies of the
        same name the jar's is sent."""
        ours = self.pairs(url)
        if not ours:
            return list(headers)
        names = {pair.partition("=")[0] for pair in ours}
        own = [pair for name, value in headers if name.lower() == "cookie" for pair in split_pairs(value)]
        kept = [pair for pair in own if pair.partition("=")[0] not in names]
        return [pair for pair in headers if pair[0].lower() != "cookie"] + [("Cookie", "; ".join([*kept, *ours]))]


def _as_jar_has_it(cookie: StoredCookie) -> http.cookiejar.Cookie:
    # http.cookiejar looks up a name without a dot as NAME.local (RFC 2965, section 1)
    domain = cookie.domain if "." in cookie.domain or ":" in cookie.domain else f"{cookie.domain}.local"
    return http.cookiejar.Cookie(
        version=0,
        name=cookie.name,
        value=cookie.value.reveal().encode().decode("latin-1"),
        port=None,
        port_specified=False,
        domain=domain if cookie.host_only else f".{domain}",
        domain_specified=not cookie.host_only,
        domain_initial_dot=not cookie.host_only,
        path=cookie.path,
        path_specified=True,
        secure=cookie.secure,
        expires=cookie.expires,
        discard=cookie.expires is None,
        comment=None,
        comment_url=None,
        rest={},
    )
