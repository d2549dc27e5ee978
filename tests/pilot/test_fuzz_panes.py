"""Hostile text in every field of a session, in every pane and tab: nothing fails, and the terminal is sent nothing but
what the application itself makes. The bytes are looked at, not the widgets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from textual.pilot import Pilot
from textual.widgets import Input

from scrapewright.session import events as ev
from scrapewright.settings import Settings
from scrapewright.tui.app import WorkbenchApp
from scrapewright.tui.panes.base import Pane
from scrapewright.tui.panes.code import CodePane
from scrapewright.tui.panes.tabbed import TabbedPane
from scrapewright.tui.screens.replay import ReplayScreen
from scrapewright.tui.screens.save import SaveScreen
from scrapewright.tui.screens.session import PANES
from scrapewright.tui.widgets.detail import DetailScreen
from scrapewright.tui.widgets.rows import Rows
from scrapewright.tui.widgets.searchline import SearchLine
from tests.pilot.hostile import (
    BIDI,
    ESCAPES,
    PIECES,
    Recorded,
    free_texts,
    in_turn,
    nasty,
    read_stream,
    session_of,
)  # fmt: skip
from tests.pilot.stage import frame, until
from tests.suite import examples

WIDE, NARROW = (120, 40), (80, 24)


class Watched(WorkbenchApp):
    """On a terminal that is recorded."""

    def __init__(self) -> None:
        nowhere = Path("/nonexistent")
        super().__init__(None, Settings(data_dir=nowhere, config_dir=nowhere), clock=lambda: 0.0)  # type: ignore[arg-type]  # starts none
        self.driver_class = Recorded

    @property
    def written(self) -> str:
        assert isinstance(self._driver, Recorded)
        return self._driver.written


@asynccontextmanager
async def watched(size: tuple[int, int] = WIDE) -> AsyncIterator[tuple[Watched, Pilot[int]]]:
    """When it ends, all that was sent to the terminal is looked through."""
    app = Watched()
    async with app.run_test(headless=False, size=size, notifications=True) as pilot:
        yield app, pilot
        written = app.written
    assert len(written) > 1_000
    read_stream(written, size)


async def open_session(pilot: Pilot[int], texts: Sequence[str]) -> ReplayScreen:
    events, blobs = session_of(in_turn(texts))
    screen = ReplayScreen(events, blobs)
    await pilot.app.push_screen(screen)
    await until(pilot, lambda: screen.view_state is not None and screen.focused is not None)
    return screen


async def look_everywhere(pilot: Pilot[int], screen: ReplayScreen) -> None:
    """Every tab of every pane, each from its first row and from its last, to the right."""
    panes = [screen.query_one(f"#{name}", Pane) for name in PANES]
    for turn in range(max(len(pane.TABS) for pane in panes if isinstance(pane, TabbedPane))):
        for pane in panes:
            if isinstance(pane, TabbedPane) and turn < len(pane.TABS):
                pane.choose(pane.TABS[turn])
        for pane in panes if screen.narrow else panes[:1]:  # seen one by one
            screen.action_pane(pane.id or "")
            await pilot.pause()
            for rows in screen.query(Rows):
                if rows.is_on_screen and rows.row_count:
                    rows.action_scroll_end()
                    rows.scroll_to(x=rows.max_scroll_x, animate=False, force=True, immediate=True)
            await pilot.pause()


def where(screen: ReplayScreen, kind: type[ev.Event], after: int = 0) -> int:
    """The number of the first such event past `after`."""
    return next(e.seq for e in screen._events if isinstance(e, kind) and e.seq > after)


def test_the_session_has_every_kind_of_event_and_hostile_text_in_every_field() -> None:
    events, _ = session_of(lambda: "[/]\x1b")
    assert {type(event) for event in events} == set(get_args(ev.Durable))
    for event in events:
        left = [text for text in free_texts(event) if "\x1b" not in text and text != "scraper.py"]
        assert not left, f"{type(event).__name__}: {left}"


@pytest.mark.parametrize(
    ("size", "shift"),
    [
        (NARROW, 13), *(pytest.param(WIDE, shift, marks=pytest.mark.full) for shift in (0, 31, 57)),
    ],
)  # fmt: skip
async def test_every_pane_shows_every_kind_of_hostile_text(size: tuple[int, int], shift: int) -> None:
    async with watched(size) as (_, pilot):
        screen = await open_session(pilot, [*PIECES[shift:], *PIECES[:shift]])
        for number in (where(screen, ev.Judged), len(screen._events))[: 2 if size == WIDE else 1]:
            screen.go_to(number)
            await look_everywhere(pilot, screen)


@settings(max_examples=examples(6), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(nasty, min_size=3, max_size=12), st.integers(1, 39))
def test_any_mixture_of_it_is_shown(texts: list[str], number: int) -> None:
    async def show() -> None:
        async with watched() as (_, pilot):
            screen = await open_session(pilot, texts)
            screen.go_to(number)
            await look_everywhere(pilot, screen)

    asyncio.run(show())


@pytest.mark.full
async def test_dialogs_copies_and_searches_take_it(tmp_path: Path) -> None:
    texts = [*PIECES[::-1], *PIECES]
    (tmp_path / "file").write_text("no folder")
    async with watched() as (app, pilot):
        screen = await open_session(pilot, texts)
        screen.go_to(where(screen, ev.Judged))
        for pane, tab, keys in (
            ("trace", "frames", ["enter", "enter"]), ("trace", "steps", ["enter", "enter"]),
            ("trace", "requests", ["enter"]), ("output", "table", ["enter"]), ("output", "files", ["enter"]),
        ):  # fmt: skip
            screen.choose_tab(pane, tab)
            screen.action_pane(pane)
            await pilot.pause()
            await pilot.press("y", *keys)
            await until(pilot, lambda: isinstance(app.screen, DetailScreen) and app.focused is not None)
            await pilot.press("G", "y", "escape")
            await until(pilot, lambda: app.screen is screen)
        for what in ("rows", "program"):
            screen.action_save(what)
            await until(pilot, lambda: isinstance(app.screen, SaveScreen) and isinstance(app.focused, Input))
            app.screen.query_one(Input).value = f"{tmp_path}/file/{ESCAPES[0]}{ESCAPES[1]}"
            await pilot.press("enter")
            await until(pilot, lambda: "not saved" in frame(app))
            await pilot.press("escape")
            await until(pilot, lambda: app.screen is screen)
        screen.action_pane("code")
        code = screen.query_one(CodePane)
        for tab in ("code", "diff"):
            code.choose(tab)
            code.focus_inside()
            await pilot.press("slash")
            await until(pilot, lambda: screen.query_one(SearchLine).active)
            screen.query_one("#search-text", Input).value = ESCAPES[0] + BIDI[0]
            await pilot.pause()
            await pilot.press("escape")
        await pilot.press("question_mark")
        await pilot.pause()
        await pilot.press("escape")
        copied = read_stream(app.written, WIDE)
    assert len(copied) > 5, "what is copied goes to the clipboard's own sequence, encoded"
