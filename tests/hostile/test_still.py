"""A sandbox that somebody paused: a spare is passed over, a run is given up long before its limit."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Iterator

import pytest

from scrapewright.loop.ports import Job, Limits
from scrapewright.session.events import AnyTick, OutputPrinted
from tests.hostile.backends import AnySandbox, Backend, backend, containers, engine_url, ignore_ticks, no_web, sandbox
from tests.hostile.processes import living

__all__ = ["backend", "sandbox"]

LONG = Limits(seconds=600.0, disk=1 << 20)


@contextlib.contextmanager
def stopped(backend: Backend, before: set[tuple[int, str]]) -> Iterator[str]:
    """All that was not there before is paused, as the host's administrator would have it: why."""
    if backend.name == "docker":
        import docker

        client = docker.DockerClient(base_url=engine_url())
        for container in containers():
            client.api.pause(container["Id"])
        client.close()
        yield "its container was paused"
        return
    for pid, _ in backend.processes() - before:
        os.kill(pid, signal.SIGSTOP)
    yield "no sign of life"


@pytest.mark.full
@pytest.mark.every_backend("docker")  # another way to pause it
async def test_a_spare_that_is_paused_is_passed_over(backend: Backend) -> None:
    before = backend.processes()
    made = await backend.make(preload=())
    await made.prepare(LONG)
    with stopped(backend, before):
        began = time.monotonic()
        ran = await made.run(Job(code="print('up')", limits=LONG), no_web, ignore_ticks)
    assert (ran.result.status, ran.result.stdout.text) == ("ok", "up\n")
    assert time.monotonic() - began < LONG.seconds / 10
    await made.close()
    assert not living(backend.processes() - before)
    assert backend.remnants() == set()


@pytest.mark.every_backend("docker")  # another way to pause it
async def test_a_run_that_is_paused_is_given_up(
    backend: Backend, sandbox: AnySandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = backend.processes()
    await sandbox.prepare(LONG)
    up = asyncio.Event()

    def on_tick(tick: AnyTick) -> None:
        if isinstance(tick, OutputPrinted):
            up.set()

    task = asyncio.create_task(
        sandbox.run(Job(code="print('up', flush=True)\nwhile True: pass", limits=LONG), no_web, on_tick)
    )
    await up.wait()
    with stopped(backend, before) as why:
        monkeypatch.setattr("scrapewright.sandboxes.instance.BEAT_SECONDS", 0.1)
        began = time.monotonic()
        ran = await task
    assert (ran.result.status, ran.result.stdout.head) == ("lost", "up\n")
    assert why in ran.result.note
    assert time.monotonic() - began < LONG.seconds / 10
    assert not living(backend.processes() - before)
    assert backend.remnants() == set()
