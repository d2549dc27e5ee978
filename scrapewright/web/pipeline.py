"""The one path of every request, from a program or from the survey: policy, tape, robots, pace, upstream, tape."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Executor
from contextlib import asynccontextmanager
from typing import Literal, TypeVar

import msgspec

from scrapewright.session.result import Request
from scrapewright.web.exchange import GatewayRequest, GatewayResponse, RunAccount, TapePlayback, local_response
from scrapewright.web.failure import WebFailure
from scrapewright.web.headers import request_headers, response_headers, value_of
from scrapewright.web.keys import Keys, keys_of
from scrapewright.web.policy import Policy
from scrapewright.web.politeness import (
    LIBRARY_AGENTS,
    MAX_ROBOTS,
    RETRY_STATUS,
    SAFE_METHODS,
    Held,
    Politeness,
    Robots,
    RobotsReply,
    Throttle,
    pause,
    retry_after,
)
from scrapewright.web.redact import Veil
from scrapewright.web.streamed_body import BufferBudget, StreamedBody
from scrapewright.web.tape import MAX_BODY, Exchange, Tape, TapeError
from scrapewright.web.upstream import Reply, Upstream
from scrapewright.web.urls import BadURL, Target, bracketed, join, parse_url

Mode = Literal["reuse", "live", "only"]
OnRequest = Callable[[int, Request], None]
OnRefused = Callable[[int, str, str, str], None]
"""(attempt, host, URL, reason)."""

MAX_QUESTIONS = 50
"""Hosts that a run is told about as refused: more is a program trying out names."""

_VERDICTS = {"policy": "refused", "robots": "robots", "miss": "miss"}
T = TypeVar("T")


class RequestPipeline:
    """Carries requests out. Not thread-safe: it lives on one event loop; `disk` is the thread that works the tape."""

    def __init__(
        self,
        policy: Policy,
        upstream: Upstream,
        tape: Tape,
        politeness: Politeness,
        mode: Mode,
        disk: Executor,
        on_request: OnRequest | None = None,
        on_refused: OnRefused | None = None,
    ) -> None:
        self._policy = policy
        self._upstream = upstream
        self._tape = tape
        self._manners = politeness
        self._mode = mode
        self._on_request = on_request
        self._on_refused = on_refused
        self._pace = Throttle(politeness)
        self._robots = Robots(self._pace)
        self._veil = Veil(tape.salt)
        self._disk = disk
        self._budget = BufferBudget()
        self._wanted: set[str] = set()
        self._noted: set[tuple[str, str]] = set()
        self._refused: dict[str, str] = {}
        self.seen: dict[str, Exchange] = {}
        """The newest answer of each URL (see Gateway.pages), by the URL itself."""
        for exchange in tape.exchanges():
            self._veil.recall(exchange.handed)
            self._see(exchange.url, exchange)

    def refused(self) -> list[tuple[str, str]]:
        """(host, URL) of what was refused since the last call and could be allowed, one URL a host."""
        found = list(self._refused.items())
        self._refused.clear()
        return found

    @asynccontextmanager
    async def exchange(
        self, run: RunAccount, ask: GatewayRequest, *, robots: bool = True, held: Held | None = None
    ) -> AsyncIterator[GatewayResponse]:
        """Carries out a request; the body of the answer is read inside. Never raises for what the site does, except
        WebFailure out of Answer.chunks where a body breaks off that has already been begun. Logged when it is over.
        """
        started = time.perf_counter()
        answer: GatewayResponse | None = None
        try:
            try:
                answer = await self._answer(run, ask, robots, started, held)
            except WebFailure as failure:
                answer = local_response(failure)
            yield answer
        finally:
            if answer is None:
                answer = local_response(WebFailure("timeout", "the program did not wait for the answer"))
            await answer.close()
            self._report(run, ask, answer, started)

    def refuse(self, run: RunAccount, method: str, target: Target) -> GatewayResponse | None:
        """The answer to a request for a forbidden place, logged and remembered; None where it may go out."""
        try:
            self._judge(run, target)
        except WebFailure as failure:
            answer = local_response(failure)
            self._report(run, GatewayRequest(method=method, target=target), answer, time.perf_counter())
            return answer
        return None

    def refuse_tunnel(self, run: RunAccount, target: Target) -> GatewayResponse | None:
        """The answer to a tunnel that may not be: to a forbidden place, or one too many for this run."""
        refused = self.refuse(run, "CONNECT", target)
        if refused is None:
            try:
                run.count_tunnel(self._manners)
            except WebFailure as failure:
                refused = local_response(failure)
                self._report(run, GatewayRequest(method="CONNECT", target=target), refused, time.perf_counter())
        return refused

    def log_rejected(self, run: RunAccount, method: str, url: str, status: int, reason: str) -> None:
        """Logs what was not even judged: a malformed request, or (421) one for another host than its connection's."""
        if run.may_log(refused=True):
            url = self._veil.url(url)
            verdict = "refused" if status == 421 else "error"
            self._emit(run, Request(method=method, url=url, status=status, verdict=verdict, note=reason[:500]))

    async def _answer(
        self, run: RunAccount, ask: GatewayRequest, robots: bool, started: float, held: Held | None
    ) -> GatewayResponse:
        run.count(self._manners)
        self._judge(run, ask.target)
        if robots and ask.target.path == "/robots.txt":
            self._wanted.add(ask.target.url)  # somebody asked for it as a page
        keys = keys_of(ask, self._veil)
        if self._mode != "live" and (hit := await self._recorded(run, ask, keys)):
            return hit
        if self._mode == "only":
            raise WebFailure("miss", self._miss(ask, keys))
        note = ""
        if robots and self._manners.robots:
            agent = self._agent(ask)
            verdict = await self._robots.judge(ask.target, agent, lambda target: self._robots_file(run, target))
            if not verdict.allowed:
                raise WebFailure("robots", verdict.note)
            note = verdict.note
        elif robots:
            note = "robots.txt was not asked"
        answer = await self._live(run, ask, keys, started, held)
        if note and (ask.target.origin, note) not in self._noted:
            self._noted.add((ask.target.origin, note))
            answer.note = f"{answer.note}; {note}" if answer.note else note
        return answer

    def _judge(self, run: RunAccount, target: Target) -> None:
        refusal = self._policy.judge(target)
        if refusal is None:
            return
        host = bracketed(refusal.host) + (f":{target.port}" if refusal.kind == "port" else "")
        if refusal.kind != "address" and len(self._refused) < MAX_QUESTIONS:
            self._refused.setdefault(host, self._veil.url(target.url))
        self._tell_refused(run, host, target, refusal.reason)
        raise WebFailure("policy", refusal.reason)

    def _tell_refused(self, run: RunAccount, host: str, target: Target, reason: str) -> None:
        if self._on_refused is not None and host not in run.told and len(run.told) < MAX_QUESTIONS:
            run.told.add(host)
            self._on_refused(run.attempt, host, self._veil.url(target.url), reason)

    async def _live(
        self, run: RunAccount, ask: GatewayRequest, keys: Keys, started: float, held: Held | None
    ) -> GatewayResponse:
        """Asks the site, again if that may help. Raises WebFailure."""
        headers = request_headers(self._veil.outgoing(ask.headers), ask, self._agent(ask))
        raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        target = msgspec.structs.replace(ask.target, path=self._veil.lift_url(ask.target.path))
        wait = 0.0
        for number in range(1, self._manners.tries + 1):
            await pause(wait, held)
            last = number == self._manners.tries
            wait = self._manners.backoff * 2 ** (number - 1)
            reply: Reply | None = None
            try:
                async with self._pace.turn(ask.target.host, held):
                    # while this one waited for its turn another may have fetched the same
                    if self._mode == "reuse" and (hit := await self._recorded(run, ask, keys)):
                        return hit
                    reply = await self._upstream.send(ask.method, target, raw, ask.body, self._manners.body)
                    asked = None if last else self._wait_asked(ask, reply, wait)
                    if asked is None:
                        answer = await self._receive(run, ask, keys, reply, started)
                        answer.note = f"try {number}" if number > 1 and not answer.note else answer.note
                        return answer
                    wait = asked
                await reply.close()
            except WebFailure as failure:
                if reply is not None:
                    await reply.close()
                if failure.kind == "policy":
                    self._tell_refused(run, ask.target.host, ask.target, failure.message)
                if last or not failure.passing or not (failure.unsent or ask.method in SAFE_METHODS):
                    raise
            except BaseException:
                if reply is not None:
                    await reply.close()
                raise
        raise AssertionError("the last try returns or raises")

    def _wait_asked(self, ask: GatewayRequest, reply: Reply, backoff: float) -> float | None:
        """Seconds to wait before asking again after this answer, None to take it as it is."""
        if reply.status not in RETRY_STATUS or ask.method not in SAFE_METHODS:
            return None
        asked = retry_after(value_of(reply.headers, "retry-after"), time.time())
        if asked is not None and asked > self._manners.longest_wait:
            return None
        return max(asked or 0.0, backoff)

    async def _receive(
        self, run: RunAccount, ask: GatewayRequest, keys: Keys, reply: Reply, started: float
    ) -> GatewayResponse:
        """Reads ahead. An answer that is whole by then is on the tape before the client sees it."""
        answer = GatewayResponse(reply.status, reply.reason, response_headers(reply.headers))

        async def keep(body: bytes) -> None:
            await self._keep(run, ask, keys, reply, answer, body, started)

        stream = reply.chunks(lambda size: run.charge(size, self._manners))
        incoming = StreamedBody(reply, stream, self._budget, MAX_BODY, keep)
        try:
            body = await incoming.read_ahead()
        except BaseException:
            await incoming.close()
            raise
        if body is not None:
            answer.body = body
            await incoming.close()
        else:
            answer.incoming = incoming
        return answer

    async def _keep(
        self,
        run: RunAccount,
        ask: GatewayRequest,
        keys: Keys,
        reply: Reply,
        answer: GatewayResponse,
        body: bytes,
        started: float,
    ) -> None:
        handed = self._veil.handed_out(reply.headers) if ask.method in SAFE_METHODS else []
        exchange = Exchange(
            method=ask.method,
            url=self._veil.url(ask.target.url),
            key=keys.key,
            place=keys.place,
            at=time.time(),
            status=reply.status,
            reason=reply.reason,
            headers=tuple(self._veil.veil(answer.headers)),
            ms=round((time.perf_counter() - started) * 1000, 1),
            attempt=run.attempt,
            vary=keys.vary(value_of(reply.headers, "vary")),
            handed=tuple(handed),
        )
        try:
            exchange = await self._on_disk(self._tape.add, exchange, body)
        except TapeError as error:
            answer.note = str(error)
            return
        answer.sha256 = exchange.body
        self._see(ask.target.url, exchange)

    async def _recorded(self, run: RunAccount, ask: GatewayRequest, keys: Keys) -> GatewayResponse | None:
        """The answer from the tape. `reuse` looks for this very request in this session; `only` takes, failing that,
        the same URL asked with other cookies, and then what other sessions have taped, which this one's then holds too.
        """
        if self._mode == "reuse" and ask.method not in ("GET", "HEAD"):
            return None
        for method in ("HEAD", "GET") if ask.method == "HEAD" else (ask.method,):
            same = keys if method == ask.method else keys_of(msgspec.structs.replace(ask, method=method), self._veil)
            found = self._tape.find(same.key, same.wanted)
            ours = True
            if found is None and self._mode == "only":
                found = self._tape.find_place(same.place)
                if found is None:
                    found = await self._on_disk(self._tape.find_shared, same.key, same.place)
                    ours = False
            if found is None:
                continue
            recorded = await self._on_disk(self._tape.open_body, found)
            if recorded is None:
                continue
            answer = GatewayResponse(found.status, found.reason, [], from_tape=True)
            if isinstance(recorded, bytes):
                answer.body = recorded
            else:
                answer.playback = TapePlayback(recorded, self._disk)
            try:
                if not ours:
                    copy = msgspec.structs.replace(found, attempt=run.attempt, key=same.key)
                    try:
                        found = await self._on_disk(self._tape.adopt, copy)
                    except TapeError:
                        pass  # it is still there where it was found
                self._veil.recall(found.handed)
                self._see(ask.target.url, found)
                answer.headers, answer.sha256 = self._veil.lift(found.headers), found.body
            except BaseException:
                await answer.close()
                raise
            if ask.method == "HEAD":
                await answer.close()
                answer.body, answer.playback = b"", None
            return answer
        return None

    def _miss(self, ask: GatewayRequest, keys: Keys) -> str:
        stored = self._tape.find_passing(keys.place)
        what = f"only a {stored.status} is, which is not replayed" if stored else "nothing was sent"
        return f"{ask.method} {self._veil.url(ask.target.url)} is not on the tape, and the tape is all there is: {what}"

    async def _robots_file(self, run: RunAccount, target: Target) -> RobotsReply:
        """robots.txt over at most five redirects, as RFC 9309 has it. Where the site can't be reached at all that is
        the answer to the request itself, so it is raised.
        """
        for _ in range(6):
            if self._policy.judge(target) is not None:
                return RobotsReply(404)
            ask = GatewayRequest(method="GET", target=target, headers=[("Accept", "*/*")])
            async with self.exchange(run, ask, robots=False) as answer:
                if answer.failure is not None:
                    if answer.failure.kind in ("dns", "refused", "tls", "policy", "timeout"):
                        raise answer.failure
                    return RobotsReply(0, failure=answer.failure.message)
                body = bytearray()
                try:
                    async with asyncio.timeout(self._manners.read_timeout):
                        async for piece in answer.chunks():
                            body += piece
                            if len(body) > MAX_ROBOTS:
                                break
                except WebFailure as failure:
                    return RobotsReply(0, failure=failure.message)
                except TimeoutError:
                    return RobotsReply(0, failure="it does not end")
                location = value_of(answer.headers, "location")
                if not 300 <= answer.status < 400 or not location:
                    return RobotsReply(answer.status, bytes(body))
            try:
                target = parse_url(join(target.url, location))
            except BadURL:
                return RobotsReply(404)
        return RobotsReply(404)

    def _agent(self, ask: GatewayRequest) -> str:
        """A program's own User-Agent is passed; what a library puts there by itself gives way to ours, so that the
        survey and the program look the same to the site.
        """
        own = value_of(ask.headers, "user-agent")
        return self._manners.user_agent if not own or own.lower().startswith(LIBRARY_AGENTS) else own

    def _see(self, url: str, exchange: Exchange) -> None:
        if exchange.method == "HEAD" or (url.endswith("/robots.txt") and url not in self._wanted):
            return
        name = url if exchange.method == "GET" else f"{url}#{exchange.method}:{exchange.place[:12]}"
        before = self.seen.get(name)
        if before is None or exchange.lasting or not before.lasting:
            self.seen.pop(name, None)
            self.seen[name] = exchange

    def _report(self, run: RunAccount, ask: GatewayRequest, answer: GatewayResponse, started: float) -> None:
        failure = answer.failure
        if not run.may_log(refused=failure is not None and failure.kind == "policy"):
            return
        verdict = "tape" if answer.from_tape else "allowed"
        note = answer.note
        if failure is not None:
            verdict = _VERDICTS.get(failure.kind, "error")
            note = f"{failure.kind}: {failure.message}"
        self._emit(
            run,
            Request(
                method=ask.method,
                url=self._veil.url(ask.target.url),
                status=answer.status,
                media_type=value_of(answer.headers, "content-type").partition(";")[0].strip().lower()[:100],
                bytes=answer.sent,
                ms=round((time.perf_counter() - started) * 1000, 1),
                from_tape=answer.from_tape,
                verdict=verdict,
                note=note[:500],
                body=answer.sha256,
            ),
        )

    def _emit(self, run: RunAccount, request: Request) -> None:
        if self._on_request is not None:
            self._on_request(run.attempt, request)

    async def _on_disk(self, work: Callable[..., T], *arguments: object) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._disk, work, *arguments)
