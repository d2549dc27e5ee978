"""A terminal whose size changes faster than the screen is laid out."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from textual import events
from textual.geometry import Size
from textual.screen import Screen

from scrapewright.tui.app import WorkbenchApp
from tests.pilot.stage import until
from tests.pilot.story import Story, story_app

SIZES = (Size(20, 5), Size(120, 40), Size(40, 12)) * 3


@pytest.mark.parametrize("over", [None, "f1", "ctrl+p"], ids=["session", "help", "commands"])
async def test_the_last_of_many_sizes_is_taken_and_no_other_sent_again(
    over: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sizes are sent with other messages between them, so that Textual can't put them together."""
    laid_out: Counter[Size] = Counter()
    layout = Screen._screen_resized

    def counted(screen: Screen[Any], size: Size) -> None:
        laid_out[size] += 1
        assert laid_out.total() < 500, "sizes follow each other without end"
        layout(screen, size)

    app: WorkbenchApp = story_app(Story())
    async with app.run_test(size=(120, 40)) as pilot:
        if over is not None:
            session = app.screen
            await pilot.press(over)
            await until(pilot, lambda: app.screen is not session, "the dialog")
        monkeypatch.setattr(Screen, "_screen_resized", counted)
        for size in SIZES:
            app._size = size
            for screen in app.screen_stack[1:]:
                screen.post_message(events.Resize(size, size))
                screen.call_later(lambda: None)
        await until(pilot, lambda: app.screen.size == SIZES[-1], "the last size")
    assert laid_out.total() < 500
