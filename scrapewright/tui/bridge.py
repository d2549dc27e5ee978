"""Connects the journal to the screen: events and ticks come one by one, the screen is refreshed in batches."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from scrapewright.session.journal import Item, Journal

PERIOD = 0.05
"""Seconds between two refreshes: 20 Hz is as fast as anyone reads, and leaves the keys alive."""


async def follow(
    journal: Journal, refresh: Callable[[], None], receive: Callable[[Item], None] = lambda _: None
) -> None:
    """Calls `refresh` at most 20 times a second while events come and once at the end; `receive` with each item."""
    dirty = asyncio.Event()
    reader = asyncio.create_task(_read(journal, dirty, receive), name="bridge")
    try:
        while not reader.done():
            waiting = asyncio.create_task(dirty.wait())
            await asyncio.wait({reader, waiting}, return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()
            dirty.clear()
            refresh()
            if not reader.done():
                await asyncio.wait({reader}, timeout=PERIOD)
        refresh()
        reader.result()
    finally:
        reader.cancel()


async def _read(journal: Journal, dirty: asyncio.Event, receive: Callable[[Item], None]) -> None:
    async for item in journal.follow():
        receive(item)
        dirty.set()
