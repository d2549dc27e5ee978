"""The web as the loop uses it: one gateway a session."""

from __future__ import annotations

import asyncio
import base64
import ssl
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import unquote, urlencode, urlsplit

import msgspec

from scrapewright.web.authority import Authority
from scrapewright.web.cookie_file import read_cookies
from scrapewright.web.cookies import Cookies
from scrapewright.web.credentials import Credentials
from scrapewright.web.exchange import GatewayRequest, RunUsage
from scrapewright.web.failure import WebFailure
from scrapewright.web.headers import value_of
from scrapewright.web.identity import Identity
from scrapewright.web.page import ByteStream, Connect, Fetch, Page
from scrapewright.web.pipeline import Mode, OnRefused, OnRequest, RequestPipeline
from scrapewright.web.policy import Policy
from scrapewright.web.politeness import Politeness
from scrapewright.web.proxy import Patience, Proxy
from scrapewright.web.redact import Headers
from scrapewright.web.render import DRAW, Draws, Renderer
from scrapewright.web.resolve import Guard, Lookup
from scrapewright.web.summary import Note, notes
from scrapewright.web.tape import Exchange, Tape
from scrapewright.web.upstream import Dial, Upstream, tcp_dial
from scrapewright.web.upstream_proxy import Proxies
from scrapewright.web.urls import BadURL, join, parse_url

MAX_REDIRECTS = 10


class Gateway:
    """Implements loop.ports.Web.

    `urls` are the query's, `allow` the person's own additions (`--allow HOST`); nothing else may be reached. `tape` is
    the directory of the store's tape, `session` the session's id on it. `credentials` are sent as Identity has it, and
    `proxies` dial what is not on this machine. `on_request` gets every exchange, `on_refused`
    (attempt, host, URL, reason) each host that was refused, once a run. `browser` draws pages; where there is none
    `no_browser` says why. `lookup`, `dial` and `roots` replace the
    system's resolver, its sockets and its certificate authorities, for tests.

    Raises urls.BadURL for a URL or host that is none; `open` raises tape.TapeError.
    """

    def __init__(
        self,
        urls: Iterable[str],
        *,
        tape: Path,
        session: str,
        mode: Mode = "reuse",
        allow: Iterable[str] = (),
        credentials: Credentials | None = None,
        proxies: Proxies | None = None,
        politeness: Politeness | None = None,
        patience: Patience | None = None,
        browser: Draws | None = None,
        no_browser: str = "no browser is set up to draw pages",
        on_request: OnRequest | None = None,
        on_refused: OnRefused | None = None,
        lookup: Lookup | None = None,
        dial: Dial = tcp_dial,
        roots: ssl.SSLContext | None = None,
    ) -> None:
        self._sites = tuple(urls)
        self._credentials = credentials or Credentials()
        self._policy = Policy(self._sites, allow)
        self._tape_directory = tape
        self._session = session
        self._mode: Mode = mode
        self._politeness = politeness or Politeness()
        self._patience = patience
        self._browser = browser
        self._no_browser = no_browser
        self._on_request = on_request
        self._on_refused = on_refused
        self._upstream = Upstream(
            Guard(self._policy, lookup, proxies=proxies),
            dial=dial,
            proxies=proxies,
            roots=roots,
            connect_timeout=self._politeness.connect_timeout,
            read_timeout=self._politeness.read_timeout,
        )
        self._disk = ThreadPoolExecutor(max_workers=1, thread_name_prefix="tape")
        self._tasks: set[asyncio.Task[None]] = set()
        self._opened: tuple[Tape, Authority, RequestPipeline, Proxy] | None = None
        self._visited = Cookies()
        """What the pages that the survey fetched have set: a form may be good for its visitor alone."""

    async def open(self) -> None:
        """Opens the tape and makes the certificate authority. Once, before anything else. Raises tape.TapeError."""
        loop = asyncio.get_running_loop()
        tape = await loop.run_in_executor(self._disk, Tape, self._tape_directory, self._session)
        authority = await asyncio.to_thread(Authority)
        pipeline = RequestPipeline(
            self._policy,
            self._upstream,
            tape,
            self._politeness,
            self._mode,
            self._disk,
            Identity(self._credentials, self._sites, tape.salt),
            self._on_request,
            self._on_refused,
        )
        proxy = Proxy(pipeline, authority, self._politeness.request_body, self._patience)
        pipeline.no_renderer = self._no_browser
        if self._browser is not None:
            pipeline.renderer = Renderer(self._browser, proxy.serve)
        self._opened = tape, authority, pipeline, proxy

    async def close(self) -> None:
        """Ends every connection, and the tape with them."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        await self._upstream.close()
        if self._opened is not None:
            await asyncio.get_running_loop().run_in_executor(self._disk, self._opened[0].close)
            self._opened = None
        await asyncio.to_thread(self._disk.shutdown)

    @property
    def ca(self) -> str:
        """PEM of the certificate authority that programs have to trust."""
        return self._parts[1].pem

    @property
    def fetch(self) -> Fetch:
        """Fetches for the survey, over redirects, on the very path that programs' requests take."""
        return self._fetch

    def connect(self, attempt: int) -> Connect:
        """What the sandbox of a run hands its connections to. Each call opens a new account of what the run may use."""
        run = RunUsage(attempt)
        proxy = self._parts[3]

        async def serve(stream: ByteStream) -> None:
            task = asyncio.ensure_future(proxy.serve(stream, run))
            self._tasks.add(task)
            try:
                await asyncio.wait({task})
            finally:
                task.cancel()
                await asyncio.wait({task})
                self._tasks.discard(task)
            if not task.cancelled():
                task.result()

        return serve

    def pages(self) -> Mapping[str, Page]:
        """A snapshot of what this session has fetched, by URL; bodies are read from the tape as they are asked for.

        A URL that redirects leads to the page in the end. Answers to other methods than GET are under the URL with a
        fragment that names the method, the newest also under the URL itself where no GET has one. A URL can be given as
        the log has it, too; one that an earlier process taped is known in that form only.
        """
        tape, _, pipeline, _ = self._parts
        return _Pages(tape, dict(pipeline.seen))

    def allow(self, host: str) -> None:
        """Allows a host (`host`, `host:port` or a URL) from now on. Raises urls.BadURL."""
        self._policy.allow(host)

    def forbid(self, host: str) -> None:
        """Takes back what `allow` allowed. Raises urls.BadURL."""
        self._policy.forbid(host)

    def log_in(self, cookies: str) -> list[Note]:
        """Sends the cookies of a file, too, from now on; in words how many go where. Blocks. Raises BadCredentials."""
        found = read_cookies(Path(cookies))
        names = {(cookie.domain, cookie.path, cookie.name) for cookie in found}
        kept = (c for c in self._credentials.cookies if (c.domain, c.path, c.name) not in names)
        given = msgspec.structs.replace(self._credentials, cookies=(*kept, *found), cookies_from=cookies)
        tape, _, pipeline, _ = self._parts
        pipeline.send_as(Identity(given, self._sites, tape.salt))
        self._credentials = given
        return notes(Credentials(cookies=found, cookies_from=cookies), Proxies(), self._sites, (), {})

    def refused(self) -> Sequence[tuple[str, str]]:
        """(host, URL) refused since the last call, one URL a host; only hosts that could be allowed."""
        return self._parts[2].refused()

    @property
    def _parts(self) -> tuple[Tape, Authority, RequestPipeline, Proxy]:
        if self._opened is None:
            raise RuntimeError("the gateway is not open")
        return self._opened

    async def _fetch(
        self, url: str, *, method: str = "GET", headers: dict[str, str] | None = None,
        form: Mapping[str, str] | None = None,
    ) -> Page:  # fmt: skip
        try:
            async with asyncio.timeout(self._politeness.page_timeout):
                return await self._follow(url, method, headers or {}, form)
        except BadURL as error:
            return Page(url=url, asked=url, error="protocol", message=str(error), method=method)
        except TimeoutError:
            message = f"the page did not come in {self._politeness.page_timeout:g} s"
            return Page(url=url, asked=url, error="timeout", message=message, method=method)

    async def _follow(self, url: str, method: str, headers: Mapping[str, str], form: Mapping[str, str] | None) -> Page:
        """Fetches a page, over redirects. Raises BadURL."""
        pipeline = self._parts[2]
        run = RunUsage(0)
        target = parse_url(url, userinfo=True)
        given: Headers = list(headers.items())
        if not value_of(given, "accept"):
            given.insert(0, ("Accept", "*/*"))
        if (credentials := _basic(url)) and not value_of(given, "authorization"):
            given.append(("Authorization", credentials))
        cookies, body = Cookies(), b""
        if form is not None and method == "POST":
            pipeline.answers_form(target.url)
            cookies, body = self._visited, urlencode(list(form.items())).encode()
            given.append(("Content-Type", "application/x-www-form-urlencoded"))
        origin, name = target.origin, ""
        for _ in range(MAX_REDIRECTS + 1):
            sent = given if target.origin == origin else _public(given)
            request = GatewayRequest(method, target, cookies.add_to(sent, target.url), body)
            async with pipeline.exchange(run, request) as response:
                received = bytearray()
                try:
                    async for piece in response.chunks():
                        received += piece
                except WebFailure:
                    pass  # it is in answer.failure as well
                if response.failure is not None:
                    kind, message = response.failure.kind, response.failure.message
                    return Page(url=target.url, asked=url, error=kind, message=message, method=method)
                cookies.take(response.headers, target.url)
                self._visited.take(response.headers, target.url)
                name = name or response.page
                location = value_of(response.headers, "location") if 300 <= response.status < 400 else ""
                page = Page(
                    url=target.url,
                    asked=url,
                    status=response.status,
                    headers=_as_dict(response.headers),
                    body=bytes(received),
                    from_tape=response.from_tape,
                    method=method,
                    name=name,
                )
            if not location or response.status == 304:
                return page
            try:
                target = parse_url(join(target.url, location), userinfo=True)
            except BadURL as error:
                return Page(url=target.url, asked=url, error="protocol", message=f"a redirect to nowhere: {error}")
            if response.status == 303 or (response.status in (301, 302) and method == "POST"):
                method, body = "GET", b""
                given = [pair for pair in given if pair[0] != "Content-Type"]
        return Page(url=target.url, asked=url, error="redirects", message=f"more than {MAX_REDIRECTS} redirects")


def stored_pages(directory: Path, session: str, urls: Iterable[str]) -> dict[str, Page]:
    """Those of these pages that a session has fetched, as `Gateway.pages` gives them. Blocks. Raises TapeError."""
    tape = Tape(directory, session)
    try:
        seen: dict[str, Exchange] = {}
        for exchange in tape.exchanges():
            name = exchange.url + exchange.fragment
            if exchange.method in ("GET", "POST", DRAW) and (exchange.lasting or name not in seen):
                seen[name] = exchange
        pages = _Pages(tape, seen)
        return {url: pages[url] for url in urls if url in pages}
    finally:
        tape.close()


class _Pages(Mapping[str, Page]):
    """Pages by URL, their bodies read when they are first asked for. Safe to use from any thread while the gateway is
    open.
    """

    def __init__(self, tape: Tape, seen: dict[str, Exchange]) -> None:
        self._tape = tape
        self._seen = seen
        self._read: dict[str, Page] = {}
        self._aliases: dict[str, str] = {}
        for name, exchange in seen.items():
            # as the log has it, and for a URL that was only ever posted to, the newest of those answers
            for alias in (exchange.url + exchange.fragment, exchange.url, name.partition("#")[0]):
                if alias not in seen:
                    self._aliases[alias] = name

    def __getitem__(self, url: str) -> Page:
        name = self._aliases.get(url, url)
        if name not in self._read:
            self._read[name] = self._page(name)
        return self._read[name]

    def _page(self, url: str) -> Page:
        asked = url
        exchange = self._seen[url]
        for _ in range(MAX_REDIRECTS):
            location = value_of(exchange.headers, "location") if 300 <= exchange.status < 400 else ""
            try:
                onward = parse_url(join(url, location), userinfo=True).url if location else ""
            except BadURL:
                break
            if onward not in self._seen:
                break
            url, exchange = onward, self._seen[onward]
        return Page(
            url=url.partition("#")[0],
            asked=asked.partition("#")[0],
            status=exchange.status,
            headers=_as_dict(exchange.headers),
            body=self._tape.body(exchange) or b"",
            from_tape=True,
            method=exchange.method,
        )

    def __contains__(self, url: object) -> bool:
        return url in self._seen or url in self._aliases

    def __iter__(self) -> Iterator[str]:
        return iter(self._seen)

    def __len__(self) -> int:
        return len(self._seen)


def _as_dict(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in headers:
        key = name.lower()
        found[key] = f"{found[key]}, {value}" if key in found else value
    return found


def _public(headers: Headers) -> Headers:
    """Without what was meant for the first site alone."""
    return [pair for pair in headers if pair[0].lower() not in ("authorization", "cookie")]


def _basic(url: str) -> str:
    parts = urlsplit(url)
    if parts.username is None:
        return ""
    pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return "Basic " + base64.b64encode(pair.encode()).decode("ascii")
