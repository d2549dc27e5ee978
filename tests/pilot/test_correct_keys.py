"""Keys in the dialog of corrections that come faster than what it looks for."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from scrapewright.loop.corrections import Proposal
from scrapewright.loop.ports import Row
from scrapewright.tui.screens.correct import CorrectScreen
from tests.e2e.site import Site, serve
from tests.pilot.stage import bench_screen, frame, until
from tests.pilot.test_correct import PAGE, bench, over, shows

pytestmark = pytest.mark.sandbox


@pytest.fixture
def site() -> Iterator[Site]:
    with serve({"/": PAGE}) as found:
        yield found


async def test_keys_that_are_pressed_while_it_looks_are_meant_for_what_comes(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with bench(site, tmp_path) as (app, pilot):
        await over(pilot, app)
        corrections, let = bench_screen(app)._corrections, asyncio.Event()
        assert corrections is not None
        look = corrections.other_rows

        async def held(rows: Sequence[Row]) -> list[Proposal]:
            await let.wait()
            return await look(rows)

        monkeypatch.setattr(corrections, "other_rows", held)
        await pilot.press("=", "4", "enter", "=", *"title contains table", "enter")
        let.set()
        await shows(pilot, app, "6 rows become 1")
        await pilot.press("escape", "escape")
        await until(pilot, lambda: not isinstance(app.screen, CorrectScreen))
        let.clear()
        await pilot.press("=")
        await shows(pilot, app, "What is wrong?")
        await pilot.press("4", "enter")
        let.set()
        await shows(pilot, app, "Which records are the rows?")
        await until(pilot, lambda: "looking" not in frame(app))
        assert isinstance(app.screen, CorrectScreen), "what nobody has seen was not taken"
