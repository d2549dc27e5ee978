"""What every request goes through, a program's or the survey's: policy, tape, robots.txt, throttle, upstream, tape."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import Executor
from contextlib import asynccontextmanager
from typing import Literal, TypeVar

import msgspec

from scrapewright.session.result import Request
from scrapewright.web.exchange import GatewayRequest, GatewayResponse, RunUsage, TapePlayback, gateway_error
from scrapewright.web.failure import WebFailure
from scrapewright.web.headers import request_headers, response_headers, value_of
from scrapewright.web.identity import Identity
from scrapewright.web.keys import Keys, keys_of
from scrapewright.web.page import KEPT_OUT
from scrapewright.web.policy import Policy
from scrapewright.web.politeness import (
    LIBRARY_AGENTS,
    MAX_ROBOTS,
    RETRY_STATUS,
    SAFE_METHODS,
    OnPause,
    Politeness,
    Robots,
    RobotsReply,
    Throttle,
    pause,
    retry_after,
)
from scrapewright.web.redact import Redactor
from scrapewright.web.render import DRAW, DrawingUsage, Renderer, drawing_asked
from scrapewright.web.streamed_body import BufferBudget, StreamedBody
from scrapewright.web.tape import MAX_BODY, Exchange, Tape, TapeError
from scrapewright.web.upstream import Reply, Upstream
from scrapewright.web.urls import BadURL, Target, bracketed, join, parse_url

Mode = Literal["reuse", "live", "only"]
OnRequest = Callable[[int, Request], None]
OnRefused = Callable[[int, str, str, str], None]
"""(attempt, host, URL, reason)."""

MAX_QUESTIONS = 50
"""The most refused hosts reported of a run: more is a program trying out names."""

_VERDICTS = {"policy": "refused", "robots": "robots", "miss": "miss"}
T = TypeVar("T")


class RequestPipeline:
    """Answers requests. Not thread-safe: it belongs to one event loop; `disk` is the thread that uses the tape."""

    def __init__(
        self,
        policy: Policy,
        upstream: Upstream,
        tape: Tape,
        politeness: Politeness,
        mode: Mode,
        disk: Executor,
        identity: Identity,
        on_request: OnRequest | None = None,
        on_refused: OnRefused | None = None,
    ) -> None:
        self._policy = policy
        self._upstream = upstream
        self._tape = tape
        self._politeness = politeness
        self._mode = mode
        self._on_request = on_request
        self._on_refused = on_refused
        self._throttle = Throttle(politeness)
        self._robots = Robots(self._throttle)
        self._redactor = Redactor(tape.salt)
        self._identity = identity
        self._disk = disk
        self._budget = BufferBudget()
        self._wanted: set[str] = set()
        self._notes_given: set[tuple[str, str]] = set()
        self._refused: dict[str, str] = {}
        self.renderer: Renderer | None = None
        self.no_renderer = "no browser is set up to draw pages"
        self._forms: set[str] = set()
        """URLs that the survey has sent forms to: what comes back is a page like any other."""
        self.seen: dict[str, Exchange] = {}
        """The newest answer of each URL (see Gateway.pages), by the URL itself."""
        for exchange in tape.exchanges():
            self._redactor.add_visitor_cookies(exchange.handed)
            self._remember(exchange.url, exchange)

    def send_as(self, identity: Identity) -> None:
        """What is sent on the person's behalf from now on."""
        self._identity = identity

    def answers_form(self, url: str) -> None:
        """A POST to this URL asks for a page: the same one sent again is answered from the tape."""
        self._forms.add(url)

    def refused(self) -> list[tuple[str, str]]:
        """(host, URL) of what was refused since the last call and could be allowed, one URL a host."""
        found = list(self._refused.items())
        self._refused.clear()
        return found

    @asynccontextmanager
    async def exchange(
        self, run: RunUsage, request: GatewayRequest, *, robots: bool = True, held: OnPause | None = None
    ) -> AsyncIterator[GatewayResponse]:
        """Carries out a request; the body of the answer is read inside. Never raises for what the site does, except
        WebFailure out of Answer.chunks where a body breaks off that has already been begun. Logged when it is over.
        """
        started = time.perf_counter()
        request = drawing_asked(request, run)
        response: GatewayResponse | None = None
        try:
            try:
                response = await self._respond(run, request, robots, started, held)
            except WebFailure as failure:
                response = gateway_error(failure)
            yield response
        finally:
            if response is None:
                response = gateway_error(WebFailure("dropped", "the program was killed or did not wait for the answer"))
            await response.close()
            self._report(run, request, response, started)

    def refuse(self, run: RunUsage, method: str, target: Target) -> GatewayResponse | None:
        """The answer to a request for a forbidden place, logged and remembered; None where it may go out."""
        try:
            self._check_policy(run, target)
        except WebFailure as failure:
            response = gateway_error(failure)
            self._report(run, GatewayRequest(method=method, target=target), response, time.perf_counter())
            return response
        return None

    def refuse_tunnel(self, run: RunUsage, target: Target) -> GatewayResponse | None:
        """The answer to a tunnel that may not be: to a forbidden place, or one too many for this run."""
        refused = self.refuse(run, "CONNECT", target)
        if refused is None:
            try:
                run.count_tunnel(self._politeness)
            except WebFailure as failure:
                refused = gateway_error(failure)
                self._report(run, GatewayRequest(method="CONNECT", target=target), refused, time.perf_counter())
        return refused

    def log_rejected(self, run: RunUsage, method: str, url: str, status: int, reason: str) -> None:
        """Logs what was not even judged: a malformed request, or (421) one for another host than its connection's."""
        if run.may_log(refused=True):
            url = self._redactor.url(url)
            verdict = "refused" if status == 421 else "error"
            self._emit(run, Request(method=method, url=url, status=status, verdict=verdict, note=reason[:500]))

    async def _respond(
        self, run: RunUsage, request: GatewayRequest, robots: bool, started: float, held: OnPause | None
    ) -> GatewayResponse:
        run.count(self._politeness)
        self._check_policy(run, request.target)
        if robots and request.target.path == "/robots.txt":
            self._wanted.add(request.target.url)  # somebody asked for it as a page
        keys = keys_of(request, self._redactor, self._identity)
        keys = msgspec.structs.replace(keys, key=run.key(keys.key, request))
        if self._mode != "live" and (hit := await self._recorded(run, request, keys)):
            return hit
        if self._mode == "only":
            raise WebFailure("miss", self._miss(request, keys))
        note = ""
        if robots and self._politeness.robots:
            agent = self._agent(request)
            verdict = await self._robots.judge(request.target, agent, lambda target: self._robots_file(run, target))
            if not verdict.allowed:
                raise WebFailure("robots", verdict.note)
            note = verdict.note
        elif robots:
            note = "robots.txt was not asked"
        get = self._draw if request.method == DRAW else self._fetch_live
        response = await get(run, request, keys, started, held)
        if note and (request.target.origin, note) not in self._notes_given:
            self._notes_given.add((request.target.origin, note))
            response.note = f"{response.note}; {note}" if response.note else note
        return response

    def _check_policy(self, run: RunUsage, target: Target) -> None:
        refusal = self._policy.judge(target)
        if refusal is None:
            return
        host = bracketed(refusal.host) + (f":{target.port}" if refusal.kind == "port" else "")
        if run.refuse(target):
            if refusal.kind != "address" and len(self._refused) < MAX_QUESTIONS:
                self._refused.setdefault(host, self._redactor.url(target.url))
            self._report_refused(run, host, target, refusal.reason)
        raise WebFailure("policy", refusal.reason)

    def _report_refused(self, run: RunUsage, host: str, target: Target, reason: str) -> None:
        if self._on_refused is not None and host not in run.reported and len(run.reported) < MAX_QUESTIONS:
            run.reported.add(host)
            self._on_refused(run.attempt, host, self._redactor.url(target.url), reason)

    async def _fetch_live(
        self, run: RunUsage, request: GatewayRequest, keys: Keys, started: float, held: OnPause | None
    ) -> GatewayResponse:
        """Fetches from the site, with retries where they may help. Raises WebFailure."""
        sent = self._as_sent(request)
        raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in sent.headers]
        wait = 0.0
        for number in range(1, self._politeness.tries + 1):
            await pause(wait, held)
            last = number == self._politeness.tries
            wait = self._politeness.backoff * 2 ** (number - 1)
            reply: Reply | None = None
            try:
                async with self._throttle.turn(request.target.host, held):
                    # while this one waited for its turn another may have fetched the same
                    if self._mode == "reuse" and (hit := await self._recorded(run, request, keys)):
                        return hit
                    reply = await self._upstream.send(sent.method, sent.target, raw, sent.body, self._politeness.body)
                    asked = None if last else self._wait_asked(request, reply, wait)
                    if asked is None:
                        response = await self._receive(run, request, keys, reply, started)
                        response.note = f"try {number}" if number > 1 and not response.note else response.note
                        return response
                    wait = asked
                await reply.close()
            except WebFailure as failure:
                if reply is not None:
                    await reply.close()
                if failure.kind == "policy":
                    self._report_refused(run, request.target.host, request.target, failure.message)
                if last or not failure.passing or not (failure.unsent or request.method in SAFE_METHODS):
                    raise
            except BaseException:
                if reply is not None:
                    await reply.close()
                raise
        raise AssertionError("the last try returns or raises")

    async def _draw(
        self, run: RunUsage, request: GatewayRequest, keys: Keys, started: float, held: OnPause | None
    ) -> GatewayResponse:
        """The page as a browser draws it. Raises WebFailure."""
        if self.renderer is None or isinstance(run, DrawingUsage):
            raise WebFailure("render", self.no_renderer)
        agent = self._agent(request)
        response = await self.renderer.draw(request.target.url, agent, self._redactor.url, held)
        await self._keep(run, request, keys, response, response.body, started)
        return response

    def _as_sent(self, request: GatewayRequest) -> GatewayRequest:
        """The request as the site gets it: values for tokens, the gateway's own headers, and what the person sends."""
        whole = self._identity.restored(request)
        headers = request_headers(self._redactor.outgoing(whole.headers), whole, self._agent(whole))
        path = self._redactor.restore_url(whole.target.path)
        return msgspec.structs.replace(
            whole,
            target=msgspec.structs.replace(whole.target, path=path),
            headers=self._identity.outgoing(headers, whole.target),
        )

    def _wait_asked(self, request: GatewayRequest, reply: Reply, backoff: float) -> float | None:
        """Seconds to wait before asking again after this answer, None to take it as it is."""
        if reply.status not in RETRY_STATUS or request.method not in SAFE_METHODS:
            return None
        asked = retry_after(value_of(reply.headers, "retry-after"), time.time())
        if asked is not None and asked > self._politeness.longest_wait:
            return None
        return max(asked or 0.0, backoff)

    async def _receive(
        self, run: RunUsage, request: GatewayRequest, keys: Keys, reply: Reply, started: float
    ) -> GatewayResponse:
        """Reads ahead. An answer that is whole by then is on the tape before the client sees it."""
        headers = self._identity.incoming(response_headers(reply.headers), request.target)
        response = GatewayResponse(reply.status, reply.reason, headers)

        async def keep(body: bytes) -> None:
            handed = self._redactor.visitor_cookies(reply.headers) if request.method in SAFE_METHODS else []
            vary = value_of(reply.headers, "vary")
            await self._keep(run, request, keys, response, body, started, vary, handed)

        stream = reply.chunks(lambda size: run.charge(size, self._politeness))
        if echoes := self._identity.echoes(request.target):
            stream = echoes.hidden(stream)
        incoming = StreamedBody(reply, stream, self._budget, MAX_BODY, keep)
        try:
            body = await incoming.read_ahead()
        except BaseException:
            await incoming.close()
            raise
        if body is not None:
            response.body = body
            await incoming.close()
        else:
            response.incoming = incoming
        return response

    async def _keep(
        self,
        run: RunUsage,
        request: GatewayRequest,
        keys: Keys,
        response: GatewayResponse,
        body: bytes,
        started: float,
        vary: str = "",
        handed: Sequence[str] = (),
    ) -> None:
        exchange = Exchange(
            method=request.method,
            url=self._redactor.url(request.target.url),
            key=keys.key,
            place=keys.place,
            at=time.time(),
            status=response.status,
            reason=response.reason,
            headers=tuple(self._redactor.redact(response.headers)),
            ms=round((time.perf_counter() - started) * 1000, 1),
            attempt=run.attempt,
            vary=keys.vary(vary),
            handed=tuple(handed),
        )
        try:
            exchange = await self._on_disk(self._tape.add, exchange, body)
        except TapeError as error:
            response.note = str(error)
            return
        response.sha256 = exchange.body
        response.page = self._remember(request.target.url, exchange)

    async def _recorded(self, run: RunUsage, request: GatewayRequest, keys: Keys) -> GatewayResponse | None:
        """The answer from the tape. `reuse` looks for this very request in this session; `only` takes, failing that,
        the same URL asked with other cookies, and then what other sessions have taped, which this one's then holds too.
        """
        form = request.method == "POST" and request.target.url in self._forms
        if self._mode == "reuse" and request.method not in ("GET", "HEAD", DRAW) and not form:
            return None
        for method in ("HEAD", "GET") if request.method == "HEAD" else (request.method,):
            same = (
                keys
                if method == request.method
                else keys_of(msgspec.structs.replace(request, method=method), self._redactor, self._identity)
            )
            found = self._tape.find(same.key, same.wanted)
            ours = True
            if found is None and self._mode == "only":
                found = self._tape.find_place(same.place)
                if found is None:
                    found = await self._on_disk(self._tape.find_shared, same.key, same.place)
                    ours = False
            if found is None or (self._mode == "reuse" and self._lets_in_more(found)):
                continue
            recorded = await self._on_disk(self._tape.open_body, found)
            if recorded is None:
                continue
            response = GatewayResponse(found.status, found.reason, [], from_tape=True)
            if isinstance(recorded, bytes):
                response.body = recorded
            else:
                response.playback = TapePlayback(recorded, self._disk)
            try:
                if not ours:
                    copy = msgspec.structs.replace(found, attempt=run.attempt, key=same.key)
                    try:
                        found = await self._on_disk(self._tape.adopt, copy)
                    except TapeError:
                        pass  # it is still there where it was found
                self._redactor.add_visitor_cookies(found.handed)
                response.page = self._remember(request.target.url, found)
                response.headers, response.sha256 = self._redactor.restore(found.headers), found.body
            except BaseException:
                await response.close()
                raise
            if request.method == "HEAD":
                await response.close()
                response.body, response.playback = b"", None
            return response
        return None

    def _lets_in_more(self, exchange: Exchange) -> bool:
        """Whether a page was drawn without something that is allowed by now."""
        kept_out = value_of(exchange.headers, KEPT_OUT.lower()).split() if exchange.method == DRAW else []
        return any(self._policy.judge(parse_url(url)) is None for url in kept_out)

    def _miss(self, request: GatewayRequest, keys: Keys) -> str:
        stored = self._tape.find_passing(keys.place)
        what = f"only a {stored.status} is, which is not replayed" if stored else "nothing was sent"
        url = self._redactor.url(request.target.url)
        return f"{request.method} {url} is not on the tape, and the tape is all there is: {what}"

    async def _robots_file(self, run: RunUsage, target: Target) -> RobotsReply:
        """robots.txt over at most five redirects, as RFC 9309 has it. Where the site can't be reached at all that is
        the answer to the request itself, so it is raised.
        """
        for _ in range(6):
            if self._policy.judge(target) is not None:
                return RobotsReply(404)
            request = GatewayRequest(method="GET", target=target, headers=[("Accept", "*/*")])
            async with self.exchange(run, request, robots=False) as response:
                if response.failure is not None:
                    if response.failure.kind in ("dns", "refused", "tls", "policy", "timeout", "proxy", "proxy-auth"):
                        raise response.failure
                    return RobotsReply(0, failure=response.failure.message)
                body = bytearray()
                try:
                    async with asyncio.timeout(self._politeness.read_timeout):
                        async for piece in response.chunks():
                            body += piece
                            if len(body) > MAX_ROBOTS:
                                break
                except WebFailure as failure:
                    return RobotsReply(0, failure=failure.message)
                except TimeoutError:
                    return RobotsReply(0, failure="it does not end")
                location = value_of(response.headers, "location")
                if not 300 <= response.status < 400 or not location:
                    return RobotsReply(response.status, bytes(body))
            try:
                target = parse_url(join(target.url, location))
            except BadURL:
                return RobotsReply(404)
        return RobotsReply(404)

    def _agent(self, request: GatewayRequest) -> str:
        """A program's own User-Agent is passed; what a library puts there by itself gives way to ours, so that the
        survey and the program look the same to the site.
        """
        own = value_of(request.headers, "user-agent")
        return self._politeness.user_agent if not own or own.lower().startswith(LIBRARY_AGENTS) else own

    def _remember(self, url: str, exchange: Exchange) -> str:
        """Returns how the answer is named in the log, where that is not its URL."""
        if exchange.method == "HEAD" or (url.endswith("/robots.txt") and url not in self._wanted):
            return ""
        name = url + exchange.fragment
        before = self.seen.get(name)
        if before is None or exchange.lasting or not before.lasting:
            self.seen.pop(name, None)
            self.seen[name] = exchange
        return exchange.url + exchange.fragment if exchange.fragment else ""

    def _report(self, run: RunUsage, request: GatewayRequest, response: GatewayResponse, started: float) -> None:
        failure = response.failure
        run.end(request, response)
        if not run.may_log(refused=failure is not None and failure.kind == "policy"):
            return
        verdict = "tape" if response.from_tape else "allowed"
        note = response.note
        if failure is not None:
            verdict = _VERDICTS.get(failure.kind, "error")
            note = f"{failure.kind}: {failure.message}"
        self._emit(
            run,
            Request(
                method=request.method,
                url=self._redactor.url(request.target.url),
                status=response.status,
                media_type=value_of(response.headers, "content-type").partition(";")[0].strip().lower()[:100],
                bytes=response.sent,
                ms=round((time.perf_counter() - started) * 1000, 1),
                from_tape=response.from_tape,
                verdict=verdict,
                note=note[:500],
                body=response.sha256,
                page=response.page,
            ),
        )

    def _emit(self, run: RunUsage, request: Request) -> None:
        if self._on_request is not None:
            self._on_request(run.attempt, request)

    async def _on_disk(self, work: Callable[..., T], *arguments: object) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._disk, work, *arguments)
