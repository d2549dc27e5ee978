"""What the bench finds becomes a column's place, in a session that is over."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.widgets import Input

from scrapewright.tui.view.notes import story
from scrapewright.tui.widgets.bench import SelectorBench
from tests.e2e.site import Site, serve
from tests.pilot.stage import until
from tests.pilot.test_correct import GOODS, NEW, OLD, PAGE, bench, over, prices, shows

pytestmark = pytest.mark.sandbox


@pytest.fixture
def site() -> Iterator[Site]:
    lines = "".join(
        f'<tr class="good"><td><a href="/g/{title}">{title}</a></td></tr>'
        f'<tr><td><span class="price">£{price}</span> <s class="old-price">£{old}</s></td></tr><tr class="gap"></tr>'
        for title, price, old in GOODS
    )
    lines = f"<h1>Goods</h1><ul class='ads'><li>{'</li><li>'.join('ABC')}</li></ul><table>{lines}</table>"
    with serve({"/": PAGE, "/lines": lines}) as found:
        yield found


async def test_a_selector_of_the_bench_corrects_a_session_that_is_over(site: Site, tmp_path: Path) -> None:
    async with bench(site, tmp_path) as (app, pilot):
        before = await over(pilot, app)
        await pilot.press("6", "b")
        await until(pilot, lambda: isinstance(app.focused, Input))
        for letter in ".old-price":
            await pilot.press({".": "full_stop", "-": "minus"}.get(letter, letter))
        await shows(pilot, app, "6 of 6 records")
        await pilot.press("enter")
        await shows(pilot, app, "which column is it?")
        await pilot.press("9")
        assert app.screen.query_one(SelectorBench).choosing, "there is no such choice, and no pane is gone to"
        await pilot.press("tab", "6", "2")
        session = await over(pilot, app, attempt=2)
        assert (session.id, prices(session)) == (before.id, OLD)
        told = "".join(text for line in story(session) for text, _ in line)
        assert told.index("attempt 1") < told.index("the session goes on") < told.index("attempt 2")


async def test_the_bench_finds_what_is_behind_each_record_and_begins_there(site: Site, tmp_path: Path) -> None:
    async with bench(site, tmp_path, path="/lines") as (app, pilot):
        before = await over(pilot, app)
        assert prices(before) == NEW
        await pilot.press("6", "b")
        await until(pilot, lambda: isinstance(app.focused, Input))
        app.screen.query_one("#bench-text", Input).value = ".old-price"
        await shows(pilot, app, "6 of 6 records · behind each record: + .old-price")
        app.screen.query_one("#bench-text", Input).value = "+ .old-price"
        await shows(pilot, app, "£249.00")
        await pilot.press("down")
        await shows(pilot, app, "'+' counts from a record")
        await pilot.press("up")
        await shows(pilot, app, "6 of 6 records")
        await pilot.press("enter")
        await shows(pilot, app, "price is + .old-price")
        await pilot.press("enter")
        assert prices(await over(pilot, app, attempt=2)) == OLD
