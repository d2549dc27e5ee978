"""`/` searches whatever is in front, in every pane and every tab."""

from __future__ import annotations

import pytest
from textual.app import App
from textual.screen import Screen
from textual.widgets import Input

from scrapewright.loop.ports import Draft
from scrapewright.session import events as ev
from scrapewright.session.events import Mode
from scrapewright.tui.panes.base import Pane
from scrapewright.tui.panes.tabbed import TabbedPane
from scrapewright.tui.screens.session import SessionScreen
from scrapewright.tui.widgets.plain import Plain
from scrapewright.tui.widgets.searchline import SearchLine
from tests.fakes.parts import request
from tests.pilot.stage import bench_screen, until
from tests.pilot.story import SITE, TWO, Story, story_app

CASES = [
    ("query", "", 1, "lamps"),
    ("code", "code", 1, "parse_price"), ("code", "diff", 2, "return"),
    ("trace", "frames", 1, "records"), ("trace", "steps", 1, "parse_price"), ("trace", "stderr", 1, "ValueError"),
    ("trace", "requests", 2, "page="), ("trace", "story", 1, "number"),
    ("output", "table", 2, "Lamp"), ("output", "json", 2, "title"), ("output", "stdout", 2, "rows"),
    ("output", "files", 2, "rows.csv"), ("output", "checks", 2, "price"),
    ("attempts", "", 1, "rules"),
]  # fmt: skip
"""Pane, tab, attempt looked at, a word that is there."""


def tabs_of(screen: SessionScreen) -> set[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    for pane in screen.query(Pane):
        tabs = pane.TABS if isinstance(pane, TabbedPane) else ("",)
        found |= {(pane.id or "", tab) for tab in tabs}
    return found


def whole_story() -> Story:
    """The story without the person: three programs, and requests."""
    story = Story(mode=Mode.AUTO)
    story.programmer.drafts.append(Draft(code="# the last\n" + TWO, diagnosis="the pages are read to the last one"))
    story.sandbox.during = lambda: story.journal.post(
        ev.RequestSeen(attempt=story.journal.session.current, request=request(f"{SITE}?page=2"))
    )
    return story


async def test_every_pane_and_tab_is_searched() -> None:
    app = story_app(whole_story())
    async with app.run_test(size=(120, 40)) as pilot:
        screen = bench_screen(app)
        await until(
            pilot, lambda: screen.handle is not None and screen.handle.journal.session.over and not screen.running
        )
        tabs = {(pane, tab) for pane, tab in tabs_of(screen) if pane != "page"}  # which test_page searches
        assert tabs == {(pane, tab) for pane, tab, *_ in CASES}
        assert screen.view_state is not None
        for name, tab, attempt, word in CASES:
            at = f"{name} {tab}".strip()
            screen.view_state.look_at(attempt)
            screen.refresh_session()
            if tab:
                screen.choose_tab(name, tab)
            screen.action_pane(name)
            pane = screen.query_one(f"#{name}", Pane)
            await until(pilot, lambda: pane.has_focus_within, at)  # noqa: B023
            app.simulate_key("slash")
            await until(pilot, lambda: isinstance(screen.focused, Input) and screen.focused.id == "search-text", at)
            line = screen.query_one(SearchLine)
            line.query_one(Input).value = word
            await until(pilot, lambda: said(line).startswith("1/"), f"{at}: {word}")  # noqa: B023
            app.simulate_key("enter")
            await until(pilot, lambda: pane.has_focus_within, at)  # noqa: B023
            app.simulate_key("N")
            await until(pilot, lambda: (place := said(line).split()[0].split("/"))[0] == place[1], at)  # noqa: B023
            app.simulate_key("escape")
            await until(pilot, lambda: not line.has_class("open"), at)  # noqa: B023
            assert pane.has_focus_within, at


def said(line: SearchLine) -> str:
    """The place and the number of matches, as the line tells them."""
    return str(line.query_one(".search-count", Plain).render())


@pytest.mark.parametrize("size", [(120, 40), (80, 24)])
async def test_a_word_that_is_nowhere_says_so(size: tuple[int, int]) -> None:
    app = story_app(whole_story())
    async with app.run_test(size=size) as pilot:
        screen = bench_screen(app)
        await until(
            pilot, lambda: screen.view_state is not None and screen.view_state.session.over and not screen.running
        )
        screen.choose_tab("trace", "story")
        screen.action_pane("trace")
        await until(pilot, lambda: screen.query_one("#trace", Pane).has_focus_within)
        app.simulate_key("slash")
        await until(pilot, lambda: isinstance(screen.focused, Input))
        line = screen.query_one(SearchLine)
        line.query_one(Input).value = "nowhere at all"
        await until(pilot, lambda: "no match" in said(line))


async def test_the_line_of_a_screen_that_is_gone_is_let_go() -> None:
    app: App[None] = App()
    async with app.run_test() as pilot:
        screen: Screen[None] = Screen()
        await app.push_screen(screen)
        line = await SearchLine.on_screen(screen)
        assert SearchLine.there(screen) is line
        await app.pop_screen()
        await until(pilot, lambda: SearchLine.there(screen) is None)
