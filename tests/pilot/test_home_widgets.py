"""The parts of Home by themselves: what the reading says where the focus is, and what is pasted into a setting."""

from __future__ import annotations

from textual import events

from scrapewright.tui.widgets.form import Form
from scrapewright.tui.widgets.readingbox import ReadingBox
from tests.pilot.stage import frame, until
from tests.pilot.story import SITE, Story, story_app


async def test_the_reading_tells_what_enter_does_where_the_focus_is() -> None:
    app = story_app(Story(), start=False, query=f"all lamps on {SITE}: title")
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: "enter runs · tab: correct the reading" in frame(app))
        await pilot.press("tab")
        await until(pilot, lambda: "enter edits · " in frame(app) and "enter runs" not in frame(app))
        await pilot.press("enter")
        await until(pilot, lambda: app.screen.query_one(ReadingBox).editing)
        await until(pilot, lambda: "enter edits" not in frame(app))
        await pilot.press("escape")
        await until(pilot, lambda: "enter edits · " in frame(app))
        await pilot.press("shift+tab")
        await until(pilot, lambda: "enter runs · tab: correct the reading" in frame(app))


async def test_the_name_of_a_model_is_pasted_and_a_word_is_no_number() -> None:
    app = story_app(Story(), start=False)
    async with app.run_test(size=(120, 40)) as pilot:
        form = app.screen.query_one(Form)
        form.focus()
        await until(pilot, lambda: form.has_focus)
        form.post_message(events.Paste("rules"))
        await pilot.press("right")
        form.post_message(events.Paste("\x1b[31msome-model\nand more"))
        await until(pilot, lambda: form.changes == {"model": "some-model and more"})
        await pilot.press("right", "right", "right")
        form.post_message(events.Paste("many"))
        form.post_message(events.Paste("12"))
        await until(pilot, lambda: form.changes == {"model": "some-model and more", "attempts": 12})
