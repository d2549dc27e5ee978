"""Results that are worked out beside the loop: the last wish wins, a few are kept, what fails is None."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from threading import Event
from typing import Any

from scrapewright.tui.widgets.loader import KEPT, Loader


class Bed:
    def __init__(self) -> None:
        self.came = asyncio.Event()
        self.tasks: set[asyncio.Task[None]] = set()
        self.loader = Loader(lambda work: self.tasks.add(asyncio.ensure_future(work)), self.came.set)

    async def got(self, key: str, work: Callable[[Callable[[], bool]], Any]) -> Any:
        while not (found := self.loader.get(key, work))[0]:
            self.came.clear()
            await self.came.wait()
        return found[1]


def fail(wanted: Callable[[], bool]) -> None:
    raise OSError("the store is gone")


async def test_what_fails_is_none_done_at_once_or_in_a_thread() -> None:
    bed = Bed()
    assert bed.loader.get("quick", fail, quick=True) == (True, None)
    assert await bed.got("slow", fail) is None


async def test_another_wish_makes_the_one_before_give_up() -> None:
    bed, begun, gave_up = Bed(), Event(), Event()

    def long(wanted: Callable[[], bool]) -> str:
        begun.set()
        while wanted():
            pass
        gave_up.set()
        return "too late"

    assert bed.loader.get("first", long) == (False, None)
    await asyncio.to_thread(begun.wait)
    assert await bed.got("second", lambda _: "done") == "done"
    await asyncio.to_thread(gave_up.wait)
    await asyncio.gather(*bed.tasks)
    assert not bed.loader.get("first", lambda _: "anew")[0], "what came too late was dropped"
    bed.loader.stop()


async def test_only_a_few_results_are_kept() -> None:
    bed = Bed()
    for number in range(KEPT + 1):
        bed.loader.get(number, lambda _: "x", quick=True)
    assert bed.loader.get(KEPT, fail, quick=True) == (True, "x")
    assert bed.loader.get(0, fail, quick=True) == (True, None)
