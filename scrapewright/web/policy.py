"""Who may be reached: the sites that the request names, and nothing else.

Judged twice, at the two places where it can be got round otherwise: the name when a request comes in, and the addresses
where the connection is made. Nothing fails open: an empty policy allows nothing, an unknown kind of address is refused.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from scrapewright.web.urls import DEFAULT_PORTS, BadURL, Target, bracketed, is_address, parse_authority, parse_url

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_NETS: tuple[tuple[str, str], ...] = (
    # the special-purpose registries of IANA (RFC 6890), spelt out because ipaddress' own tables differ between Pythons
    ("0.0.0.0/8", "this host"),
    ("10.0.0.0/8", "a private network"),
    ("100.64.0.0/10", "a carrier's shared network"),
    ("127.0.0.0/8", "loopback"),
    ("169.254.0.0/16", "link-local"),
    ("172.16.0.0/12", "a private network"),
    ("192.0.0.0/24", "reserved"),
    ("192.0.2.0/24", "documentation"),
    ("192.31.196.0/24", "reserved"),
    ("192.52.193.0/24", "reserved"),
    ("192.88.99.0/24", "reserved"),
    ("192.168.0.0/16", "a private network"),
    ("192.175.48.0/24", "reserved"),
    ("198.18.0.0/15", "benchmarking"),
    ("198.51.100.0/24", "documentation"),
    ("203.0.113.0/24", "documentation"),
    ("224.0.0.0/4", "multicast"),
    ("240.0.0.0/4", "reserved"),
    ("::1/128", "loopback"),
    ("::/96", "reserved"),
    ("64:ff9b:1::/48", "a local NAT64 network"),
    ("100::/64", "reserved"),
    ("2001::/23", "reserved"),
    ("2001:db8::/32", "documentation"),
    ("2002::/16", "6to4"),
    ("3fff::/20", "documentation"),
    ("5f00::/16", "reserved"),
    ("fc00::/7", "a private network"),
    ("fe80::/10", "link-local"),
    ("fec0::/10", "a private network"),
    ("ff00::/8", "multicast"),
)
_TABLE = tuple((ipaddress.ip_network(net), kind) for net, kind in _NETS)
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_GLOBAL_SIX = ipaddress.IPv6Network("2000::/3")
_METADATA = frozenset({"169.254.169.254", "100.100.100.200", "192.0.0.192", "168.63.129.16", "fd00:ec2::254"})
_ONLY_BY_NUMBER = frozenset({"link-local", "multicast", "this host", "reserved", "cloud metadata"})


class Refusal(msgspec.Struct, frozen=True):
    """Why a request may not go out. A "host" or "port" can be allowed by the person, an "address" only by naming it."""

    kind: Literal["host", "port", "address"]
    host: str
    reason: str


def address_kind(address: Address) -> str:
    """What kind of place an address is, empty for one on the public internet. IPv4 inside IPv6 is judged as IPv4."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped
        if inner is None and address in _NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner is not None:
            return address_kind(inner)
        if address.scope_id is not None:
            return "link-local"
    if str(address) in _METADATA:
        return "cloud metadata"
    for net, kind in _TABLE:
        if address.version == net.version and address in net:
            return kind
    if isinstance(address, ipaddress.IPv6Address) and address not in _GLOBAL_SIX:
        return "reserved"
    return "" if address.is_global else "reserved"


def is_loopback(host: str) -> bool:
    """Whether a canonical host is the machine itself."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    return is_address(host) and address_kind(ipaddress.ip_address(host)) == "loopback"


class Policy:
    """The list of allowed sites.

    `urls` are the query's own; `allow` are hosts, `host:port` or URLs that the person named up front, which count the
    same. A named host is allowed with its subdomains and its `www` twin, on its own port, 80 and 443; an IP address and
    a name without a dot only as given. Raises BadURL for an entry that is neither.
    """

    def __init__(self, urls: Iterable[str] = (), allow: Iterable[str] = ()) -> None:
        self._named: set[tuple[str, int]] = set()
        self._hosts: dict[str, set[int]] = {}
        for url in urls:
            self._name(parse_url(url, userinfo=True))
        for entry in allow:
            for host, port in _entry(entry):
                self._add(host, port)
                self._named.add((host, port))

    @property
    def hosts(self) -> tuple[str, ...]:
        """The hosts as named, sorted."""
        return tuple(sorted(self._hosts))

    def allow(self, entry: str) -> None:
        """Allows a host, `host:port` or URL from now on. It opens public addresses only: the person answered a
        question that a program raised, and a program must not talk anyone into their own network. Raises BadURL.
        """
        for host, port in _entry(entry):
            self._add(host, port)

    def forbid(self, entry: str) -> None:
        """Takes back what `allow` allowed; what was named from the start stays. Raises BadURL."""
        for host, port in _entry(entry):
            if (host, port) not in self._named and host in self._hosts:
                self._hosts[host].discard(port)
                if not self._hosts[host]:
                    del self._hosts[host]

    def judge(self, target: Target) -> Refusal | None:
        """None where the request may go out."""
        ports = self._ports(target.host)
        if ports is None:
            kind: Literal["host", "address"] = "host"
            if is_address(target.host) and (place := address_kind(ipaddress.ip_address(target.host))):
                kind, reason = "address", f"{target.host} is {_a(place)}, and the request does not name it"
            elif is_loopback(target.host):
                kind, reason = "address", f"{target.host} is this machine, and the request does not name it"
            elif not self._hosts:
                reason = "no host is allowed"
            else:
                reason = f"{target.host} is not a site that the request names"
            return Refusal(kind, target.host, reason)
        if target.port not in ports:
            return Refusal("port", target.host, f"port {target.port} of {target.host} is not named by the request")
        return None

    def check(self, host: str, port: int, addresses: Sequence[str]) -> Refusal | None:
        """Judges every address that a name came to, before any is dialled. None where all may be dialled.

        A name may lead into a private network only if the request names it with its port and all its addresses are of
        that sort: one public and one private is what DNS rebinding looks like.
        """
        if not addresses:
            return Refusal("address", host, f"{host} has no address")
        kinds: list[str] = []
        for text in addresses:
            try:
                kinds.append(address_kind(ipaddress.ip_address(text)))
            except ValueError:
                return Refusal("address", host, f"{host} leads to {text!r}, which is no address")
        bad = next(((text, kind) for text, kind in zip(addresses, kinds, strict=True) if kind), None)
        if bad is None:
            return None
        named = (host, port) in self._named
        if named and (is_address(host) or (all(kinds) and not _ONLY_BY_NUMBER.intersection(kinds))):
            return None
        where = "" if is_address(host) else f" leads to {bad[0]}, which"
        return Refusal("address", host, f"{host}{where} is {_a(bad[1])}; only what the request itself names may be")

    def _name(self, target: Target) -> None:
        self._add(target.host, target.port)
        self._named.add((target.host, target.port))

    def _add(self, host: str, port: int) -> None:
        self._hosts.setdefault(host, set()).add(port)

    def _ports(self, host: str) -> set[int] | None:
        """The ports allowed on a host, None where the host itself is not allowed."""
        found: set[int] | None = None
        for named, ports in self._hosts.items():
            if host == named:
                found = (found or set()) | ports
                if _has_family(named):
                    found |= set(DEFAULT_PORTS.values())
            elif _has_family(named) and (host.endswith("." + named) or is_twin(host, named)):
                found = (found or set()) | ports | set(DEFAULT_PORTS.values())
        return found


def _entry(entry: str) -> list[tuple[str, int]]:
    """`host`, `*.host`, `host:port` or a URL. A bare host means the web's two ports; so does an IPv6 address without
    brackets, after which no port can follow."""
    text = entry.strip()
    if "://" in text:
        target = parse_url(text, userinfo=True)
        return [(target.host, target.port)]
    text = text.removeprefix("*.").rstrip("/")
    if not text:
        raise BadURL("an empty host")
    if text.count(":") > 1 and not text.startswith("["):
        text = bracketed(text)
    host, port = parse_authority(text, 0)
    return [(host, port)] if port else [(host, number) for number in DEFAULT_PORTS.values()]


def _has_family(host: str) -> bool:
    """Whether subdomains and a www twin mean anything: not for addresses, nor for names without a dot."""
    return "." in host and not is_address(host) and not host.endswith(".localhost")


def is_twin(one: str, other: str) -> bool:
    """Whether two hosts differ by a leading `www.` alone."""
    return one == "www." + other or (other == "www." + one and "." in one)


def _a(kind: str) -> str:
    return kind if kind.startswith(("a ", "this")) else f"a {kind} address"
