"""Hosts and URLs in one canonical form, so that a policy compares like with like.

Browsers, resolvers and URL libraries read the same text differently (`http://0x7f.1/`, `http://a@b/`, `http://a\\@b/`).
What several readers could take for different hosts is refused here instead of guessed at; what all of them take for the
same host is brought to one spelling. The number forms of IPv4 follow the WHATWG URL standard, section 3.5.
"""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import urljoin as _urljoin

import msgspec

DEFAULT_PORTS = {"http": 80, "https": 443}
MAX_URL = 16 * 1024

_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER = re.compile(r"0x[0-9a-f]*|[0-9]+")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*")
_FORBIDDEN = re.compile(r"[\x00-\x20\x7f\\^`{|}<>\"]")
_IN_PATH = re.compile(r"[^\x21-\x7e]")


class BadURL(ValueError):
    """The text is no URL or host that every reader would take for the same place."""


class Target(msgspec.Struct, frozen=True):
    """Where a request goes. `host` is canonical (IPv6 without brackets), `path` has the query and no fragment."""

    scheme: str
    host: str
    port: int
    path: str = "/"

    @property
    def authority(self) -> str:
        """host[:port], the port left out where it is the scheme's own."""
        host = bracketed(self.host)
        return host if DEFAULT_PORTS.get(self.scheme) == self.port else f"{host}:{self.port}"

    @property
    def origin(self) -> str:
        return f"{self.scheme}://{self.authority}"

    @property
    def url(self) -> str:
        return self.origin + self.path


def bracketed(host: str) -> str:
    """The host as written in a URL."""
    return f"[{host}]" if ":" in host else host


def parse_host(text: str) -> str:
    """The canonical form of a host: lower case, IDNA, no trailing dot; IPv4 in four decimal parts, IPv6 compressed.

    An IPv4-mapped IPv6 address becomes the IPv4 address that it is. Raises BadURL.
    """
    if text.startswith("["):
        if not text.endswith("]") or "%" in text:
            raise BadURL(f"{_shown(text)} is not an IPv6 address")
        try:
            six = ipaddress.IPv6Address(text[1:-1])
        except ValueError as error:
            raise BadURL(f"{_shown(text)} is not an IPv6 address") from error
        return str(six.ipv4_mapped or six)
    host = _to_ascii(text)
    if host.endswith("."):
        host = host[:-1]
    if not host or len(host) > 253:
        raise BadURL(f"{_shown(text)} is not a host name")
    labels = host.split(".")
    if _NUMBER.fullmatch(labels[-1]):
        return _parse_ipv4(labels, text)
    if not all(_LABEL.fullmatch(label) for label in labels):
        raise BadURL(f"{_shown(text)} is not a host name")
    return host


def parse_authority(text: str, default_port: int | None = None) -> tuple[str, int]:
    """`host:port` as (canonical host, port). Without a port it is `default_port`; None demands one. Raises BadURL."""
    if "@" in text:
        raise BadURL("user information does not belong here")
    if text.startswith("["):
        host, bracket, rest = text.partition("]")
        host += bracket
        if rest and not rest.startswith(":"):
            raise BadURL(f"{_shown(text)} is not host:port")
        port = rest[1:]
    else:
        host, _, port = text.partition(":")
    if not port:
        if default_port is None:
            raise BadURL(f"{_shown(text)} names no port")
        return parse_host(host), default_port
    if not re.fullmatch(r"[0-9]{1,5}", port) or not 0 < int(port) < 65536:
        raise BadURL(f"{port[:20]!r} is not a port")
    return parse_host(host), int(port)


def parse_url(text: str, *, userinfo: bool = False) -> Target:
    """An absolute http or https URL. `userinfo`: `user:password@` is dropped instead of refused. Raises BadURL."""
    if len(text) > MAX_URL:
        raise BadURL(f"the URL is longer than {MAX_URL} characters")
    scheme, colon, rest = text.partition(":")
    if not colon or not _SCHEME.fullmatch(scheme):
        raise BadURL(f"{_shown(text)} is not an absolute URL")
    scheme = scheme.lower()
    if scheme not in DEFAULT_PORTS:
        raise BadURL(f"only http and https go out, not {scheme}")
    if not rest.startswith("//"):
        raise BadURL(f"{_shown(text)} names no host")
    authority = re.split(r"[/?#]", rest[2:], maxsplit=1)[0]
    if _FORBIDDEN.search(authority):
        raise BadURL("the host has characters that no host has")
    path = rest[2 + len(authority) :].partition("#")[0]
    if userinfo:
        authority = authority.rpartition("@")[2]
    host, port = parse_authority(authority, DEFAULT_PORTS[scheme])
    return Target(scheme=scheme, host=host, port=port, path=clean_path(path))


def clean_path(path: str) -> str:
    """A request target's path and query: rooted, with what can't be in a request line percent-encoded as UTF-8."""
    path = path.partition("#")[0]
    if not path.startswith("/"):
        path = "/" + path
    return _IN_PATH.sub(lambda match: "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8", "replace")), path)


def join(base: str, reference: str) -> str:
    """RFC 3986 reference resolution. Raises BadURL for what can't be resolved."""
    try:
        return _urljoin(base, reference)
    except ValueError as error:
        raise BadURL(f"{_shown(reference)} is not a URL") from error


def is_address(host: str) -> bool:
    """Whether a canonical host is an IP address."""
    return ":" in host or host.replace(".", "").isdigit()


def _shown(text: str) -> str:
    """As much of a text as an error message may repeat: no user information, no query."""
    return repr(re.split(r"[?#]", text, maxsplit=1)[0].rpartition("@")[2][:80])


def _to_ascii(text: str) -> str:
    if text.isascii():
        return text.lower()
    import idna  # only a host outside ASCII needs its tables

    try:
        return idna.encode(text, uts46=True, std3_rules=False, transitional=False).decode("ascii").lower()
    except (idna.IDNAError, UnicodeError) as error:
        raise BadURL(f"{_shown(text)} is not a host name") from error


def _parse_ipv4(labels: list[str], text: str) -> str:
    if len(labels) > 4:
        raise BadURL(f"{_shown(text)} is not an IPv4 address")
    numbers: list[int] = []
    for label in labels:
        if not _NUMBER.fullmatch(label) or len(label) > 16:
            raise BadURL(f"{_shown(text)} is not an IPv4 address")
        try:
            if label.startswith("0x"):
                numbers.append(int(label[2:] or "0", 16))
            elif len(label) > 1 and label.startswith("0"):
                numbers.append(int(label, 8))
            else:
                numbers.append(int(label))
        except ValueError as error:
            raise BadURL(f"{_shown(text)} is not an IPv4 address") from error
    *heads, last = numbers
    if any(head > 255 for head in heads) or last >= 256 ** (5 - len(numbers)):
        raise BadURL(f"{_shown(text)} is not an IPv4 address")
    value = last + sum(head << (8 * (3 - index)) for index, head in enumerate(heads))
    return str(ipaddress.IPv4Address(value))
