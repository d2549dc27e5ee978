"""Names to addresses, once: the address that was checked is the address that is dialled."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Awaitable, Callable, Sequence

from scrapewright.web.failure import WebFailure
from scrapewright.web.policy import Policy
from scrapewright.web.upstream_proxy import Proxies, offered
from scrapewright.web.urls import is_address

Lookup = Callable[[str, int], Awaitable[Sequence[str]]]
"""(host, port) to addresses, best first. Raises OSError."""


async def system_lookup(host: str, port: int) -> Sequence[str]:
    """The system's own resolver."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def _proxy_hint(proxies: Proxies | None) -> str:
    """Where the network is only reached through a proxy, names often do not resolve at all."""
    if proxies is not None and proxies.names:
        return " (socks5h:// has the proxy resolve names)"
    named = offered(os.environ)
    return f" ({named[0]} is set and not used; --proxy env uses it)" if named else ""


class Guard:
    """The addresses that may be dialled for a host.

    A name is looked up once in the guard's life and its answer kept, so a name that is public when it is checked can't
    be private when it is dialled (DNS rebinding); the check against the policy is made every time. `proxies` are those
    that sites are dialled through.
    """

    def __init__(
        self, policy: Policy, lookup: Lookup | None = None, timeout: float = 10.0, proxies: Proxies | None = None
    ) -> None:
        self._policy = policy
        self._lookup = lookup or system_lookup
        self._timeout = timeout
        self._proxies = proxies
        self._known: dict[str, tuple[str, ...]] = {}
        self._unknown: set[str] = set()
        self._locks: dict[str, asyncio.Lock] = {}

    async def addresses(self, host: str, port: int) -> tuple[str, ...]:
        """Every address of a host, all of them checked. Raises WebFailure: "dns" or "policy"."""
        try:
            found = await self.resolve(host, port)
        except WebFailure as failure:
            message = failure.message + _proxy_hint(self._proxies)
            raise WebFailure(failure.kind, message, passing=failure.passing) from failure
        refusal = self._policy.check(host, port, found)
        if refusal is not None:
            raise WebFailure("policy", refusal.reason)
        return found

    async def check_known(self, host: str, port: int) -> None:
        """Checks a host that a proxy will resolve, as far as it also resolves here. Raises WebFailure: "policy"."""
        if host in self._unknown:
            return
        try:
            await self.addresses(host, port)
        except WebFailure as failure:
            if failure.kind != "dns":
                raise
            self._unknown.add(host)

    async def resolve(self, host: str, port: int) -> tuple[str, ...]:
        """Every address of a host, unchecked. Raises WebFailure: "dns"."""
        if is_address(host):
            return (host,)
        async with self._locks.setdefault(host, asyncio.Lock()):
            if host not in self._known:
                try:
                    async with asyncio.timeout(self._timeout):
                        found = tuple(await self._lookup(host, port))
                except TimeoutError as error:
                    raise WebFailure("dns", f"the name {host} was not resolved in {self._timeout:g} s") from error
                except (OSError, UnicodeError) as error:
                    again = getattr(error, "errno", None) == socket.EAI_AGAIN
                    reason = getattr(error, "strerror", None) or str(error)
                    message = f"the name {host} does not resolve: {reason}"
                    raise WebFailure("dns", message, passing=again) from error
                if not found:
                    raise WebFailure("dns", f"the name {host} has no address")
                self._known[host] = found
            return self._known[host]
