"""A program in the sandbox against the real gateway: relays, a thousand connections, taped answers left unread."""

from __future__ import annotations

import json
import resource
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from scrapewright.loop.ports import Job, Limits, Ran
from scrapewright.session.result import Request
from scrapewright.web.exchange import MAX_REFUSALS
from scrapewright.web.gateway import Gateway
from tests.hostile import programs_gateway as programs
from tests.hostile.backends import AnySandbox, backend, ignore_ticks, sandbox
from tests.unit.web.site import QUICK, Say, Site, serving

__all__ = ["backend", "sandbox"]

LIMITS = Limits(seconds=60.0, memory=1 << 30)
MEMORY = 64 << 20


@asynccontextmanager
async def opened(site: Site, directory: Path, log: list[Request]) -> AsyncIterator[Gateway]:
    gateway = Gateway(
        [site.base], tape=directory, session="one", politeness=QUICK, on_request=lambda _, request: log.append(request)
    )
    await gateway.open()
    try:
        yield gateway
    finally:
        await gateway.close()


async def run(sandbox: AnySandbox, gateway: Gateway, code: str, *argv: str) -> Ran:
    ran = await sandbox.run(Job(code=code, argv=argv, limits=LIMITS, recorder=False), gateway.connect(1), ignore_ticks)
    assert ran.result.status == "ok", (ran.result.stderr.text[-2000:], ran.result.note)
    return ran


@pytest.mark.every_backend
async def test_a_relay_inside_changes_nothing(sandbox: AnySandbox, tmp_path: Path) -> None:
    site, log = Site({"/": Say(b"hello")}), list[Request]()
    async with serving(site), opened(site, tmp_path, log) as gateway:
        ran = await run(sandbox, gateway, programs.RELAY, f"127.0.0.1:{site.port}")
    assert ran.result.stdout.text.split() == ["403", "403", "400", "421", "200"]
    refused = [(seen.method, seen.url, seen.verdict) for seen in log if seen.verdict == "refused"]
    assert ("CONNECT", "https://evil.test/", "refused") in refused
    assert ("GET", "http://169.254.169.254/latest", "refused") in refused
    assert site.paths() == ["/"]


async def test_no_spelling_redirect_or_trick_leads_elsewhere(sandbox: AnySandbox, tmp_path: Path) -> None:
    """Rows that the gateway's own tests have more of, here through the sandbox's proxy; a listener hears nothing."""
    site, log = Site({"/": Say(b"hello")}), list[Request]()
    with socket.create_server(("127.0.0.1", 0)) as other:
        other.setblocking(False)
        port = str(other.getsockname()[1])
        site.routes["/away"] = Say(status=302, headers=[("Location", f"http://127.0.0.1:{port}/inside")])
        async with serving(site), opened(site, tmp_path, log) as gateway:
            ran = await run(sandbox, gateway, programs.ELSEWHERE, f"127.0.0.1:{site.port}", port)
        with pytest.raises(BlockingIOError):
            other.accept()
    found = json.loads(ran.result.stdout.text)
    rest = {"the redirect": "302", "another host's name": "421", "two lengths": "400", "a long head": "431"}
    assert {name: found.pop(name) for name in (*rest, "the site")} == {**rest, "the site": "200"}
    assert {name: status for name, status in found.items() if status not in ("400", "403")} == {}
    assert found["where it leads"] == found["127.0.0.1"] == found["localhost"] == "403"
    assert site.paths() == ["/away", "/"]
    assert [seen.url for seen in log if seen.status < 400] == [f"{site.base}/away", f"{site.base}/"]
    assert f"http://127.0.0.1:{port}/inside" in [seen.url for seen in log if seen.verdict == "refused"]


async def test_a_thousand_connections_cost_no_more_than_a_few(sandbox: AnySandbox, tmp_path: Path) -> None:
    site, log = Site({"/": Say(b"hello")}), list[Request]()
    async with serving(site), opened(site, tmp_path, log) as gateway:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        ran = await run(sandbox, gateway, programs.THOUSAND, f"127.0.0.1:{site.port}", "1000")
        host = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before << 10
    assert ran.result.stdout.text == "1000\n"
    assert host < MEMORY
    assert len(log) <= MAX_REFUSALS + 1  # a loop of refusals does not flood the journal
    assert site.paths() == ["/"]


@pytest.mark.full
async def test_unread_answers_from_the_tape(sandbox: AnySandbox, tmp_path: Path) -> None:
    size = 12 << 20
    site, log = Site({"/large": Say(b"x" * size), "/": Say(b"hello")}), list[Request]()
    async with serving(site), opened(site, tmp_path, log) as gateway:
        await gateway.fetch(site.base + "/large")
        await gateway.fetch(site.base + "/")
        site.routes.clear()
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        ran = await run(sandbox, gateway, programs.UNREAD_TAPE, f"127.0.0.1:{site.port}", str(size))
        host = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before << 10
    assert ran.result.stdout.text == f"20 {size}\n"
    assert host < MEMORY
    assert len(site.got) == 2
    assert any(seen.from_tape and seen.url.endswith("/large") for seen in log)
