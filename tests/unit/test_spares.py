"""Spares: ready ahead, used once, replaced after use, ended when idle or closed, and never leaked."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from scrapewright.loop.ports import SandboxUnavailable
from scrapewright.sandboxes.spares import Spares, digest


class Started:
    """A sandbox as the spares see it: it can be found dead, and be killed."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.alive = True

    async def kill(self) -> None:
        self.alive = False


class Yard:
    """Starts sandboxes when it is let, and knows them all."""

    def __init__(self) -> None:
        self.all: list[Started] = []
        self.go = asyncio.Event()
        self.go.set()
        self.begun = asyncio.Event()
        self.fail = 0
        self.cancelled = 0

    async def start(self, key: str) -> Started:
        self.begun.set()
        if self.fail:
            self.fail -= 1
            raise SandboxUnavailable("not now")
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        self.all.append(Started(len(self.all)))
        return self.all[-1]

    @property
    def living(self) -> list[int]:
        return [started.number for started in self.all if started.alive]


async def test_a_spare_is_used_once_and_the_next_one_follows() -> None:
    yard = Yard()
    spares = Spares(yard.start)
    await spares.prepare("a")
    await spares.prepare("a")
    assert len(yard.all) == 1
    first = await spares.take("a")
    assert not spares.ready("a")
    spares.refill("a")
    spares.refill("a")
    second = await spares.take("a")
    assert (first.number, second.number) == (0, 1)
    await first.kill()
    await second.kill()
    await spares.close()
    assert yard.living == []


async def test_without_a_spare_one_is_started() -> None:
    yard = Yard()
    spares = Spares(yard.start)
    assert (await spares.take("a")).number == 0
    assert (await spares.take("b")).number == 1


async def test_two_at_once_get_different_ones() -> None:
    yard = Yard()
    spares = Spares(yard.start)
    spares.refill("a")
    one, two = await asyncio.gather(spares.take("a"), spares.take("a"))
    assert one is not two


async def test_keys_do_not_mix() -> None:
    yard = Yard()
    spares = Spares(yard.start)
    await spares.prepare("a")
    assert not spares.ready("b")
    await spares.prepare("b")
    assert (await spares.take("b")).number == 1
    assert (await spares.take("a")).number == 0


async def test_a_spare_that_died_is_replaced() -> None:
    yard = Yard()
    spares = Spares(yard.start)
    await spares.prepare("a")
    yard.all[0].alive = False
    assert not spares.ready("a")
    assert (await spares.take("a")).number == 1
    await spares.prepare("a")
    yard.all[2].alive = False
    await spares.prepare("a")
    assert spares.ready("a")
    assert (await spares.take("a")).number == 3


async def test_a_failed_background_start_is_tried_again_at_take() -> None:
    yard = Yard()
    yard.fail = 1
    spares = Spares(yard.start)
    spares.refill("a")
    assert (await spares.take("a")).number == 0


async def test_a_failure_reaches_the_one_who_asks() -> None:
    yard = Yard()
    spares = Spares(yard.start)
    yard.fail = 1
    with pytest.raises(SandboxUnavailable, match="not now"):
        await spares.take("a")
    yard.fail = 1
    with pytest.raises(SandboxUnavailable, match="not now"):
        await spares.prepare("a")
    await spares.prepare("a")
    assert spares.ready("a")
    await spares.close()


async def test_an_idle_spare_is_ended() -> None:
    yard = Yard()
    spares = Spares(yard.start, idle=0.01)
    await spares.prepare("a")
    async with asyncio.timeout(5):
        while yard.living:
            await asyncio.sleep(0)
    assert not spares.ready("a")
    assert (await spares.take("a")).number == 1


async def test_cancelling_a_take_ends_what_it_started() -> None:
    yard = Yard()
    yard.go.clear()
    spares = Spares(yard.start)
    for known in (False, True):
        yard.begun.clear()
        if known:
            spares.refill("a")
        waiting = asyncio.create_task(spares.take("a"))
        await yard.begun.wait()
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
    assert yard.cancelled == 2
    assert yard.living == []


async def test_a_take_cancelled_in_the_turn_of_its_start_leaks_nothing() -> None:
    yard = Yard()
    yard.go.clear()
    spares = Spares(yard.start)
    waiting = asyncio.create_task(spares.take("a"))
    await yard.begun.wait()
    yard.go.set()
    while not yard.all:
        await asyncio.sleep(0)
    waiting.cancel()
    try:
        started = await waiting
    except asyncio.CancelledError:
        assert yard.living == []
    else:
        assert yard.living == [started.number]


async def test_cancelling_prepare_leaves_the_start_to_the_next_one() -> None:
    yard = Yard()
    yard.go.clear()
    spares = Spares(yard.start)
    waiting = asyncio.create_task(spares.prepare("a"))
    await yard.begun.wait()
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    yard.go.set()
    assert (await spares.take("a")).number == 0
    assert len(yard.all) == 1


async def test_close_ends_ready_and_starting_ones_and_refuses_more() -> None:
    yard = Yard()
    spares = Spares(yard.start)
    await spares.prepare("a")
    yard.go.clear()
    yard.begun.clear()
    spares.refill("b")
    await yard.begun.wait()
    await spares.close()
    assert yard.living == []
    assert yard.cancelled == 1
    spares.refill("a")
    with pytest.raises(SandboxUnavailable):
        await spares.take("a")
    with pytest.raises(SandboxUnavailable):
        await spares.prepare("a")
    await spares.close()


def test_the_digest_is_of_the_content(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    for folder in (one, two):
        folder.mkdir()
        (folder / "a.py").write_text("x = 1\n")
        (folder / "notes.txt").write_text(str(folder))
    assert digest(one) == digest(two)
    (two / "b.py").write_text("")
    assert digest(one) != digest(two)
    before = digest(one)
    (one / "a.py").write_text("x = 12\n")
    assert digest(one) != before
