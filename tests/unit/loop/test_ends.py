"""Cancelled or stopped after any event: the session has its last event, nothing runs any more, nobody waits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Literal

import pytest

from scrapewright.loop.answers import Answer
from scrapewright.session import events as ev
from scrapewright.session.events import TERMINAL, Mode
from scrapewright.session.live import Live
from scrapewright.session.state import replay
from tests.fakes.parts import RIGHT, Bench, FakeCritic, FakeProgrammer, FakeSandbox, crashed, ran, wrong

EVENTS = {Mode.AUTO: 22, Mode.APPROVE: 34, Mode.STEP: 46}
"""How many there are in a whole session of one repair, every question answered with go."""


def made(mode: Mode) -> Bench:
    return Bench(
        FakeProgrammer("x = 1", "x = 2"), FakeSandbox(crashed(), ran()), FakeCritic(wrong(0.1), RIGHT), mode=mode
    )


async def at(bench: Bench, seq: int, act: Callable[[], object]) -> None:
    """Answers what is asked, and acts as soon as event `seq` has happened."""
    async for item in bench.journal.follow():
        if not isinstance(item, ev.Event):
            continue
        if item.seq == seq:
            act()
            return
        if isinstance(item, ev.Asked):
            bench.gate.answer(item.seq, Answer("go"))


@pytest.mark.parametrize("mode", EVENTS)
async def test_every_event_of_a_whole_session_is_counted(mode: Mode) -> None:
    bench = await made(mode).open()
    answering = asyncio.create_task(at(bench, 0, lambda: None))
    end = await bench.run()
    await answering
    assert (end.outcome, end.seq) == ("success", EVENTS[mode])


@pytest.mark.parametrize("how", ["cancel", "stop"])
@pytest.mark.parametrize(("mode", "seq"), [(mode, seq) for mode, count in EVENTS.items() for seq in range(1, count)])
async def test_an_end_after_any_event_leaves_nothing(mode: Mode, seq: int, how: Literal["cancel", "stop"]) -> None:
    bench = await made(mode).open()
    work = asyncio.create_task(bench.loop.run())
    acting = asyncio.create_task(at(bench, seq, work.cancel if how == "cancel" else bench.gate.stop))
    with suppress(asyncio.CancelledError):
        await work
    await bench.journal.close()
    await acting
    session = bench.journal.session
    assert isinstance(bench.journal.events[-1], ev.SessionFinished)
    assert session.phase in TERMINAL
    assert session.end is not None
    assert session.end.outcome in {"stopped", "success"}
    assert session.end.outcome == "stopped" or seq >= EVENTS[mode] - 2
    assert (bench.sandbox.running, bench.web.opened, bench.web.closed) == (0, 1, 1)
    assert asyncio.all_tasks() == {asyncio.current_task()}
    session.live = Live()
    assert replay(bench.journal.events) == session
