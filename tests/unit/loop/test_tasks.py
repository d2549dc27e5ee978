"""What is taken in a thread is given back, whenever the one who asked for it is cancelled."""

from __future__ import annotations

import asyncio
import threading

import pytest

from scrapewright.loop.tasks import acquired_in_thread


class Lease:
    """Something that is taken slowly, in a thread."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.go = threading.Event()
        self.given_back = 0

    def take(self) -> Lease:
        self.begun.set()
        assert self.go.wait(30)
        return self

    def give_back(self) -> None:
        self.given_back += 1


async def test_a_cancelled_taking_is_given_back() -> None:
    lease = Lease()
    entered = False

    async def use() -> None:
        nonlocal entered
        async with acquired_in_thread(lease.take, Lease.give_back):
            entered = True

    work = asyncio.create_task(use())
    await asyncio.to_thread(lease.begun.wait, 30)
    work.cancel()
    await asyncio.sleep(0)
    work.cancel()  # impatience changes nothing
    lease.go.set()
    with pytest.raises(asyncio.CancelledError):
        await work
    assert (entered, lease.given_back) == (False, 1)


async def test_it_is_held_until_the_end() -> None:
    lease = Lease()
    lease.go.set()
    async with acquired_in_thread(lease.take, Lease.give_back) as taken:
        assert taken is lease
        assert lease.given_back == 0
    assert lease.given_back == 1


async def test_what_could_not_be_taken_is_not_given_back() -> None:
    def take() -> Lease:
        raise OSError("no room")

    with pytest.raises(OSError, match="no room"):
        async with acquired_in_thread(take, Lease.give_back):
            pass
