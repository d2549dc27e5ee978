"""The code view by itself: what is at its edges."""

from __future__ import annotations

from textual.strip import Strip

from scrapewright.tui.widgets.codeview import CodeView
from tests.pilot.stage import frame, until
from tests.pilot.test_hostile_widgets import bed


def grounds(strip: Strip) -> set[object]:
    return {segment.style.bgcolor for segment in strip if segment.style is not None and segment.text}


async def test_the_sign_of_a_line_that_goes_on_has_the_lines_own_background() -> None:
    view = CodeView()
    async with bed(view, (40, 5)) as (app, pilot):
        view.show("x = '" + "0123456789" * 9 + "'\ny = '" + "0123456789" * 9 + "'\n", {1: "crashed"})
        await until(pilot, lambda: frame(app).count("›") == 2)
        for row in (0, 1):
            line, gutter = view.render_line(row), view.gutter_width
            assert line.text.endswith("›")
            assert len(grounds(line.crop(gutter + 2))) == 1, "beside the cursor"


async def test_blanks_at_the_left_are_nothing_that_goes_on() -> None:
    view = CodeView()
    async with bed(view, (40, 5)) as (app, pilot):
        view.show("long = '" + "0123456789" * 9 + "'\n" + " " * 20 + "inner = 1\n\n")
        await until(pilot, lambda: "›" in frame(app))
        view.scroll_to(x=10, animate=False, force=True, immediate=True)
        await until(pilot, lambda: frame(app).count("‹") == 1 and "inner = 1" in frame(app))
