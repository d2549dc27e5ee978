"""The keys by which the tape finds a request again."""

from __future__ import annotations

import hashlib

import msgspec

from scrapewright.web.exchange import GatewayRequest
from scrapewright.web.headers import value_of
from scrapewright.web.identity import Identity
from scrapewright.web.redact import Redactor
from scrapewright.web.tape import place_digest

VARYING = ("accept", "accept-language", "x-requested-with", "content-type", "origin", "referer")
"""Request headers that a Vary is heeded for. Not User-Agent: the survey's and the program's differ, the rows do not.
Not Cookie, which the key knows already, nor Accept-Encoding, which is the gateway's own.
"""
_PARTIAL = ("range", "if-range", "if-none-match", "if-modified-since")


class Keys(msgspec.Struct, frozen=True):
    """`key`: method, URL, digests of body, cookies and credentials. `place`: without the client's cookies and
    credentials, but with who the gateway asks as: what one person is shown is no answer for another.
    """

    key: str
    place: str
    wanted: dict[str, str]

    def vary(self, header: str) -> dict[str, str]:
        """What an answer with this Vary header depended on."""
        names = {name.strip().lower() for name in header.split(",")}
        return {name: self.wanted.get(name, "") for name in VARYING if name in names}


def keys_of(request: GatewayRequest, redactor: Redactor, identity: Identity) -> Keys:
    url, body = redactor.url(request.target.url), redactor.digest(request.body)
    place = place_digest(request.method, url, body, identity.digest(request.target))
    parts = [
        place,
        redactor.cookie_digest(identity.other_cookies(request.headers, request.target)),
        redactor.digest(value_of(request.headers, "authorization").encode("utf-8", "surrogateescape")),
        *(value_of(request.headers, name) for name in _PARTIAL),
    ]
    wanted = {name: value for name in VARYING if (value := value_of(request.headers, name))}
    if wanted.get("accept") == "*/*":
        del wanted["accept"]  # the same as not saying
    return Keys(
        key=hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:40],
        place=place,
        wanted=wanted,
    )
