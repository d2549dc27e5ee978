"""What a correction may not do: run for nothing, miss what was undone right before it, need a model that is gone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from scrapewright.tui.widgets.session_list import SessionList
from tests.e2e.site import Site, serve
from tests.pilot.stage import bench_screen, frame, question, set_up_agent, until
from tests.pilot.test_correct import (
    NEW,
    OLD,
    PAGE,
    bench,
    over,
    prices,
    session_of,
    shows,
    type_and_enter,
)  # fmt: skip

pytestmark = pytest.mark.sandbox


@pytest.fixture
def site() -> Iterator[Site]:
    with serve({"/": PAGE}) as found:
        yield found


async def test_a_correction_that_changes_nothing_is_refused_and_nothing_is_run(site: Site, tmp_path: Path) -> None:
    async with bench(site, tmp_path) as (app, pilot):
        before = await over(pilot, app)
        await pilot.press("=", "1")
        await shows(pilot, app, "title is wrong: what is it?")
        await pilot.press("=")
        await type_and_enter(pilot, "Elm shelf")
        await shows(pilot, app, "title is that already in all of 6 records")
        await pilot.press("enter")
        await shows(pilot, app, "nothing would change, and nothing is run")
        await pilot.press("escape", "escape", "h")
        await type_and_enter(pilot, "price is span.price")
        await shows(pilot, app, "nothing would change, and nothing is run")
        assert (session_of(app).seq, list(session_of(app).attempts)) == (before.seq, [1])


async def test_what_is_said_right_after_an_undo_is_said_of_what_it_led_to(site: Site, tmp_path: Path) -> None:
    async with bench(site, tmp_path) as (app, pilot):
        await over(pilot, app)
        for attempt, place in ((2, ".old-price"), (3, "span.price")):
            await pilot.press("h")
            await type_and_enter(pilot, f"price is {place}")
            await over(pilot, app, attempt)
        await pilot.press("u", "=")
        await shows(pilot, app, "What is wrong?")
        assert prices(await over(pilot, app, attempt=2)) == OLD
        await pilot.press("2")
        await shows(pilot, app, "price changes in 6 of 6 records")
        assert "399.0  →  330.0" in frame(app)
        await pilot.press("escape", "escape", "h")
        await type_and_enter(pilot, "price is span.price")
        await over(pilot, app, attempt=3)
        await pilot.press("u", "u")
        await until(pilot, lambda: not session_of(app).corrections)
        assert prices(await over(pilot, app)) == NEW


async def test_a_session_whose_programmer_is_not_set_up_any_more_opens_and_the_rules_can_write(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up_agent(tmp_path, monkeypatch)
    async with bench(site, tmp_path, programmer="command", attempts=1) as (app, pilot):
        await until(pilot, lambda: bench_screen(app).handle is not None and session_of(app).over)
        first = session_of(app)
    monkeypatch.delenv("AGENT_CMD")
    async with bench(site, tmp_path, start=False) as (app, pilot):
        await until(pilot, lambda: bool(app.screen.query_one(SessionList).shown))
        await pilot.press("f3", "c")
        await over(pilot, app)
        assert not any("AGENT_CMD" in note.message for note in app._notifications)
        await pilot.press("a")
        await question(pilot, "programmer")
        await shows(pilot, app, "AGENT_CMD")
        await pilot.press("f8")
        await over(pilot, app)
        await pilot.press("P")
        await shows(pilot, app, "Who is to write the next programs?")
        await pilot.press("1")
        session = await over(pilot, app, attempt=2)
        assert (session.id, session.attempts[2].author) == (first.id, "rules")
