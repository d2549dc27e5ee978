"""Many hostile programs at random, four sandboxes at a time: each is answered, and nothing is left."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from typing import get_args

import pytest

from scrapewright.loop.ports import Job
from scrapewright.session.result import Status
from tests.hostile.backends import Backend, ignore_ticks, no_web, those_here
from tests.hostile.expected import SHORT, Program
from tests.hostile.processes import living
from tests.hostile.programs_report import REPORTS
from tests.hostile.programs_run import ENDINGS

PROGRAMS = 100
AT_ONCE = 4
SEED = 20_240_229
LONGEST = 3.0
"""Seconds: the longer ones are in here with their time cut to SHORT's."""


def drawn() -> list[Program]:
    """The same ones each time, so that a failure can be looked at again."""
    return random.Random(SEED).choices([*ENDINGS, *REPORTS], k=PROGRAMS)


@pytest.mark.full
@pytest.mark.timeout(300)
async def test_many_at_random(capsys: pytest.CaptureFixture[str]) -> None:
    """Over all backends that are here in turn, one after the other in each of the four lanes."""
    here = those_here()
    if not here:
        pytest.skip("no sandbox can be had here")
    before = {backend.name: (backend.processes(), backend.remnants()) for backend in here}
    sandboxes = {backend.name: await backend.make(preload=()) for backend in here}
    todo = list(enumerate(drawn()))
    statuses: Counter[tuple[str, str]] = Counter()
    failed: list[str] = []

    async def lane() -> None:
        while todo:
            number, program = todo.pop()
            backend: Backend = here[number % len(here)]
            limits = program.limits if program.limits.seconds <= LONGEST else SHORT
            ran = await sandboxes[backend.name].run(Job(code=program.code, limits=limits), no_web, ignore_ticks)
            statuses[backend.name, ran.result.status] += 1
            if ran.result.status == "lost" or ran.result.status not in get_args(Status):
                failed.append(f"{program.name} on {backend}: {ran.result.note}")

    began = time.monotonic()
    async with asyncio.TaskGroup() as lanes:
        for _ in range(AT_ONCE):
            lanes.create_task(lane())
    took = time.monotonic() - began
    for sandbox in sandboxes.values():
        await sandbox.close()
    async with asyncio.timeout(10):
        for backend in here:
            processes, remnants = before[backend.name]
            while living(backend.processes() - processes) or backend.remnants() - remnants:
                await asyncio.sleep(0.02)
    with capsys.disabled():
        counts = ", ".join(f"{name} {status} {count}" for (name, status), count in sorted(statuses.items()))
        print(f"\n{PROGRAMS} hostile programs, {AT_ONCE} at a time, in {took:.0f} s: {counts}")
    assert failed == []
    assert sum(statuses.values()) == PROGRAMS
