"""What the gateway sends to sites on the person's behalf, so that no program ever holds it.

A header goes to the sites that the request names, a login to its own host, a cookie by its own rules. From a site that
gets any of it the gateway keeps the cookies too, and what the site repeats of it is replaced by tokens.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Sequence
from urllib.parse import quote

import msgspec

from scrapewright.web.cookies import Cookies
from scrapewright.web.credentials import Credentials, Login, StoredCookie
from scrapewright.web.echoes import Echoes, slow_digest
from scrapewright.web.exchange import GatewayRequest
from scrapewright.web.headers import value_of
from scrapewright.web.policy import is_twin
from scrapewright.web.redact import Headers, split_pairs
from scrapewright.web.urls import DEFAULT_PORTS, Target, is_address, parse_authority, parse_url

_COMMON = re.compile(
    r"accept.*|referer|origin|x-requested-with|content-type|range|dnt|cache-control|pragma|sec-.*|if-.*|"
    r"upgrade-insecure-requests"
)
"""Headers whose values are no secrets and may occur in any page."""

SET_AT_MOST = 50
"""Values of cookies, the newest of each origin, that are looked for in its answers."""


class Identity:
    """The credentials of one session. `sites` are the URLs that the request names, `salt` is the tape's.

    Nothing goes in plain text that is for a site named with https. Not thread-safe.
    """

    def __init__(self, credentials: Credentials, sites: Iterable[str], salt: bytes) -> None:
        self._credentials = credentials
        self._salt = salt
        self._sites = [parse_url(site, userinfo=True) for site in sites]
        self._logins = [(places_of(login, self._sites), login) for login in credentials.logins]
        self._stored = Cookies(credentials.cookies)
        self._jar = Cookies(credentials.cookies)
        self._digests: dict[tuple[str, ...], str] = {}
        self._set: dict[str, dict[str, bool]] = {}
        """Values of cookies by the origin that set them; whether its scripts may read them."""
        self._echoes: dict[str, Echoes] = {}

    def covers(self, target: Target) -> bool:
        """Whether anything is sent to this site, not of necessity for this very path."""
        return bool(self._headers(target)) or bool(cookies_of(self._credentials, target.host))

    def outgoing(self, headers: Headers, target: Target) -> Headers:
        """The client's headers with what is for this target, which replaces headers and cookies of the same name."""
        ours = self._headers(target)
        names = {name.lower() for name, _ in ours}
        kept = [pair for pair in headers if pair[0].lower() not in names]
        return self._jar.add_to([*kept, *ours], target.url) if self.covers(target) else [*kept, *ours]

    def incoming(self, headers: Headers, target: Target) -> Headers:
        """An answer's headers as the client and the tape may have them; the cookies that they set are kept here."""
        dropped = set()
        if self.covers(target):
            dropped.add("set-cookie")
            self._jar.take(headers, target.url)
            self._note_set([value for name, value in headers if name.lower() == "set-cookie"], target.origin)
        echoes = self.echoes(target)
        if echoes:
            dropped.add("content-length")  # a token has a length of its own
        return [(name, echoes.hide_text(value)) for name, value in headers if name.lower() not in dropped]

    def _note_set(self, cookies: Iterable[str], origin: str) -> None:
        known = self._set.setdefault(origin, {})
        for cookie in cookies:
            pair, _, attributes = cookie.partition(";")
            value = pair.partition("=")[2].strip()
            if value not in known and _looks_random(value):
                known[value] = "httponly" not in attributes.lower()
                while len(known) > SET_AT_MOST:
                    del known[next(iter(known))]
                self._echoes.pop(origin, None)

    def restored(self, request: GatewayRequest) -> GatewayRequest:
        """The request with values for tokens of this site's cookies, as far as a page's own scripts may read them.

        Nothing else is put back: a program could have a site show a password to others.
        """
        cookies = cookies_of(self._credentials, request.target.host)
        values = [cookie.value.reveal() for cookie in cookies if not cookie.http_only]
        values += [value for value, readable in self._set.get(request.target.origin, {}).items() if readable]
        echoes = Echoes(values, self._salt)
        if not echoes:
            return request
        kind = value_of(request.headers, "content-type").partition(";")[0].strip().lower()
        body = request.body.decode("latin-1")
        return msgspec.structs.replace(
            request,
            target=msgspec.structs.replace(request.target, path=echoes.restore(request.target.path, _in_url)),
            headers=[(name, echoes.restore(value, _as_latin)) for name, value in request.headers],
            body=echoes.restore(body, _IN_BODY.get(kind, _as_latin)).encode("latin-1"),
        )

    def echoes(self, target: Target) -> Echoes:
        """What to hide in this site's answers: every header and login, and its own cookies."""
        if target.origin not in self._echoes:
            self._echoes[target.origin] = Echoes(self._secrets(target), self._salt)
        return self._echoes[target.origin]

    def digest(self, target: Target) -> str:
        """Tells one sender from another, on the tape: empty where nothing is sent. A session that the site renews
        meanwhile stays the same sender."""
        sent = (*(f"{name}: {value}" for name, value in self._headers(target)), *self._stored.pairs(target.url))
        if not sent:
            return ""
        if sent not in self._digests:
            self._digests[sent] = slow_digest("\n".join(sent), self._salt)
        return self._digests[sent]

    def other_cookies(self, headers: Headers, target: Target) -> str:
        """The cookies of a request that digest knows nothing of: the client's, and those that the site has set."""
        if not self.covers(target):
            return "; ".join(value for name, value in headers if name.lower() == "cookie")
        given = {cookie.name for cookie in cookies_of(self._credentials, target.host)}
        sent = self._jar.add_to([pair for pair in headers if pair[0].lower() == "cookie"], target.url)
        pairs = [pair for _, value in sent for pair in split_pairs(value)]
        return "; ".join(pair for pair in pairs if pair.partition("=")[0] not in given)

    def _headers(self, target: Target) -> Headers:
        """Headers and logins for this target. A login overrides a header Authorization."""
        found: Headers = []
        if any(_leads_to(site, target) for site in self._sites):
            found += [(header.name, header.value.reveal()) for header in self._credentials.headers]
        for places, login in self._logins:
            if any(_leads_to(place, target) for place in places):
                found = [pair for pair in found if pair[0].lower() != "authorization"]
                return [*found, ("Authorization", _authorization(login))]
        return found

    def _secrets(self, target: Target) -> list[str]:
        found = list(self._set.get(target.origin, ()))
        for header in self._credentials.headers:
            value = header.value.reveal()
            if header.name.lower() == "authorization":
                found += [value, value.partition(" ")[2]]
            elif not _COMMON.fullmatch(header.name.lower()):
                found.append(value)
        for login in self._credentials.logins:
            secret = login.secret.reveal()
            found += [secret, _authorization(login).partition(" ")[2]]
            if login.scheme == "basic":
                found.append(secret.partition(":")[2])
        for cookie in cookies_of(self._credentials, target.host):
            if cookie.http_only or _looks_random(cookie.value.reveal()):
                found.append(cookie.value.reveal())
        return found


def _as_latin(value: str) -> str:
    return value.encode().decode("latin-1")


def _in_url(value: str) -> str:
    return quote(value, safe="")


def _in_json(value: str) -> str:
    return json.dumps(value)[1:-1]


_IN_BODY = {"application/x-www-form-urlencoded": _in_url, "application/json": _in_json}


def places_of(login: Login, sites: Sequence[Target]) -> list[Target]:
    """Where a login goes: its host on the ports and schemes that the request names it with, else by https."""
    if "://" in login.place:
        return [parse_url(login.place)]
    host, port = parse_authority(login.place, 0)
    named = [site for site in sites if _same_host(host, site.host) and port in (0, site.port)]
    return named or [Target("https", host, port or DEFAULT_PORTS["https"])]


def cookies_of(credentials: Credentials, host: str) -> list[StoredCookie]:
    """The cookies that some page of a host may get."""
    return [cookie for cookie in credentials.cookies if _belongs(cookie, host)]


def _belongs(cookie: StoredCookie, host: str) -> bool:
    if host == cookie.domain:
        return True
    return not cookie.host_only and not is_address(host) and host.endswith("." + cookie.domain)


def _leads_to(site: Target, target: Target) -> bool:
    """Whether what is for a site may go to a target: the same host or its www twin, on the same port (or both on a
    default port), and never from https to http."""
    if not _same_host(site.host, target.host) or (site.scheme, target.scheme) == ("https", "http"):
        return False
    return site.port == target.port or all(DEFAULT_PORTS[place.scheme] == place.port for place in (site, target))


def _same_host(one: str, other: str) -> bool:
    return one == other or is_twin(one, other)


def _authorization(login: Login) -> str:
    secret = login.secret.reveal()
    if login.scheme == "bearer":
        return f"Bearer {secret}"
    return "Basic " + base64.b64encode(secret.encode()).decode("ascii")


def _looks_random(value: str) -> bool:
    """A number of a session rather than a choice ("en-GB", "2026-11-22") or an address of a page."""
    if value.startswith("/") or "://" in value or "%2f%2f" in value.lower():
        return False
    return len(value) >= 8 and any(c.isdigit() for c in value) and any(c.isalpha() for c in value)
