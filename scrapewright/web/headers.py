"""Which headers are forwarded, and which end at the gateway (RFC 9110, section 7.6.1)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from scrapewright.web.decode import ACCEPT_ENCODING
from scrapewright.web.redact import Headers

if TYPE_CHECKING:
    from scrapewright.web.exchange import GatewayRequest

_HOP_BY_HOP = frozenset(
    {
        "connection",
        "proxy-connection",
        "keep-alive",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
        "proxy-authorization",
        "proxy-authenticate",
        "expect",
        "alt-svc",
    }
)
_BODY_METHODS = frozenset({"POST", "PUT", "PATCH"})


def value_of(headers: Iterable[tuple[str, str]], name: str) -> str:
    """A header's values, joined by commas; empty where it is missing. `name` in lower case."""
    return ", ".join(value for key, value in headers if key.lower() == name)


def end_to_end(headers: Iterable[tuple[str, str]]) -> Headers:
    """Without the headers that concern one connection only, those that Connection names included."""
    pairs = list(headers)
    named = {part.strip().lower() for part in value_of(pairs, "connection").split(",")}
    return [pair for pair in pairs if pair[0].lower() not in _HOP_BY_HOP and pair[0].lower() not in named]


def request_headers(headers: Iterable[tuple[str, str]], request: GatewayRequest, user_agent: str) -> Headers:
    """What goes to the site: the client's own in its order, with Host, length, encoding and User-Agent set here."""
    ours = {"host", "content-length", "accept-encoding", "user-agent"}
    kept = [pair for pair in end_to_end(headers) if pair[0].lower() not in ours]
    encoding = "identity" if value_of(headers, "range") else ACCEPT_ENCODING
    found: Headers = [
        ("Host", request.target.authority),
        ("User-Agent", user_agent),
        ("Accept-Encoding", encoding),
        *kept,
    ]
    if request.body or request.method in _BODY_METHODS:
        found.append(("Content-Length", str(len(request.body))))
    return found


def response_headers(headers: Iterable[tuple[str, str]]) -> Headers:
    """What comes back from the site, as it is kept and passed on. The framing is set anew for each client."""
    return end_to_end(headers)
