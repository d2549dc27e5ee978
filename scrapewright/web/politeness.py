"""Polite crawling: one request at a time per host, with a delay; limited retries; robots.txt."""

from __future__ import annotations

import asyncio
import email.utils
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import msgspec
from protego import Protego

from scrapewright import __version__
from scrapewright.web.policy import is_loopback
from scrapewright.web.urls import Target

PRODUCT = "scrapewright"
USER_AGENT = f"Mozilla/5.0 (compatible; {PRODUCT}/{__version__})"
"""Says what it is, in the form that robots have used since the first of them."""

LIBRARY_AGENTS = (
    "python-requests/",
    "python-urllib/",
    "python-httpx/",
    "python-urllib3/",
    "aiohttp/",
    "curl/",
    "wget/",
)
RETRY_STATUS = frozenset({429, 502, 503, 504})
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
MAX_ROBOTS = 512 << 10


class Politeness(msgspec.Struct, frozen=True):
    """Seconds, bytes and counts. `delay` is from the end of one request to a host to the start of the next, never kept
    on loopback. Caps are per run; `body` is the most one decoded answer may be, `page_timeout` the longest that a fetch
    for the survey may take.
    """

    user_agent: str = USER_AGENT
    robots: bool = True
    delay: float = 0.5
    longest_delay: float = 10.0
    tries: int = 3
    backoff: float = 0.5
    longest_wait: float = 20.0
    connect_timeout: float = 10.0
    read_timeout: float = 30.0
    page_timeout: float = 120.0
    requests: int = 2000
    bytes: int = 256 << 20
    seconds: float = 900.0
    body: int = 64 << 20
    request_body: int = 8 << 20


OnPause = Callable[[float], None]
"""Called with the seconds of each pause as it begins."""


async def pause(seconds: float, held: OnPause | None) -> None:
    """Sleeps, and reports the pause first."""
    if seconds > 0 and held is not None:
        held(seconds)
    await asyncio.sleep(max(0.0, seconds))


class Throttle:
    """Limits requests to a host: one at a time, with a delay between."""

    def __init__(self, politeness: Politeness) -> None:
        self._politeness = politeness
        self._locks: dict[str, asyncio.Lock] = {}
        self._last: dict[str, float] = {}
        self._asked: dict[str, float] = {}

    def ask(self, host: str, seconds: float) -> str:
        """A host's own Crawl-delay; only ever slows down, up to `longest_delay`. Returns a remark where it is cut."""
        self._asked[host] = min(max(seconds, self._politeness.delay), self._politeness.longest_delay)
        if is_loopback(host) or seconds <= self._politeness.longest_delay:
            return ""
        return f"robots.txt asks for {seconds:g} s between requests; {self._politeness.longest_delay:g} s are kept"

    @asynccontextmanager
    async def turn(self, host: str, held: OnPause | None = None) -> AsyncIterator[None]:
        """Exclusive access to the host inside. `held` is called with the pause before it begins."""
        async with self._locks.setdefault(host, asyncio.Lock()):
            if host in self._last and not is_loopback(host):
                delay = self._asked.get(host, self._politeness.delay)
                await pause(self._last[host] + delay - time.monotonic(), held)
            try:
                yield
            finally:
                self._last[host] = time.monotonic()


def retry_after(value: str, now: float) -> float | None:
    """Seconds that a Retry-After header asks for (RFC 9110, section 10.2.3), None where it can't be read."""
    text = value.strip()
    if text.isascii() and text.isdigit():
        return float(text[:9])
    try:
        moment = email.utils.parsedate_to_datetime(text)
    except (ValueError, TypeError):
        return None
    return max(0.0, moment.timestamp() - now)


class RobotsReply(msgspec.Struct, frozen=True):
    """What came for robots.txt. `status` 0: nothing came, and `failure` says why."""

    status: int
    body: bytes = b""
    failure: str = ""


class Verdict(msgspec.Struct, frozen=True):
    """Whether robots.txt lets a URL be fetched; `note` says why not, or how an unusual response was taken."""

    allowed: bool
    note: str = ""


class Robots:
    """robots.txt of each origin, read once (RFC 9309; matching by protego)."""

    def __init__(self, pace: Throttle) -> None:
        self._throttle = pace
        self._rules: dict[str, tuple[Protego | None, Verdict]] = {}
        self._locks: dict[str, asyncio.Lock] = {}

    async def judge(
        self, target: Target, user_agent: str, fetch: Callable[[Target], Awaitable[RobotsReply]]
    ) -> Verdict:
        """`fetch` gets the file through the same policy, pace and tape as all else; what it raises is passed on."""
        async with self._locks.setdefault(target.origin, asyncio.Lock()):
            if target.origin not in self._rules:
                reply = await fetch(msgspec.structs.replace(target, path="/robots.txt"))
                rules, verdict = read_robots(reply)
                if rules is None and not verdict.allowed:
                    return verdict  # asked again next time: the site may be back
                if rules is not None and (seconds := rules.crawl_delay(PRODUCT)):
                    verdict = Verdict(True, self._throttle.ask(target.host, float(seconds)))
                self._rules[target.origin] = (rules, verdict)
        rules, verdict = self._rules[target.origin]
        if rules is None:
            return verdict
        agent = PRODUCT if PRODUCT in user_agent.lower() else user_agent
        if rules.can_fetch(target.url, agent) and rules.can_fetch(target.url, PRODUCT):
            return verdict
        return Verdict(
            False,
            f"robots.txt of {target.authority} asks programs to stay away from {target.path.partition('?')[0][:200]}",
        )


def read_robots(reply: RobotsReply) -> tuple[Protego | None, Verdict]:
    """RFC 9309, section 2.3.1: 2xx is the rules, 4xx means there are none, a site that fails is left alone."""
    if 200 <= reply.status < 300:
        text = reply.body[:MAX_ROBOTS].decode("utf-8-sig", "replace")
        try:
            return Protego.parse(text), Verdict(True)
        except Exception as error:  # a parser of foreign text; what it can't read it can't forbid by
            return None, Verdict(True, f"robots.txt can't be read ({type(error).__name__}), taken as absent")
    if reply.status == 0 or reply.status == 429 or reply.status >= 500:
        what = f"answered {reply.status}" if reply.status else f"can't be had ({reply.failure})"
        return None, Verdict(False, f"robots.txt {what}; until it can be read the site has to be left alone (RFC 9309)")
    return None, Verdict(True)
