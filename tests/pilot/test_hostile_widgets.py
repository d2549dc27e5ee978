"""Hostile text in the widgets that draw it: nothing a terminal obeys comes out, nothing crashes, keys stay live."""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.theme import Theme
from textual.widget import Widget

from scrapewright.tui.live_output import LineLog
from scrapewright.tui.view.code import cut_lines, diff
from scrapewright.tui.widgets.codeview import CodeView
from scrapewright.tui.widgets.rows import Rows
from tests.pilot.stage import frame, until
from tests.pilot.test_outside_text import HOSTILE

pytestmark = pytest.mark.drawn

FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
MORE = [
    *HOSTILE, "\x1b]52;c;aGk=\x07", "\x1b]8;;http://evil/\x1b\\link\x1b]8;;\x1b\\", "a\u0300" * 200, "\u200b" * 50,
    "\x85\u2028\u2029\x0b\x0c", "ﷺ" * 100, "\U0001f600" * 300, "\ufffe\uffff", "'''", '"""', "f'{", "\t" * 40,
    "x\rhidden", "\\N{", "👩🏽‍🚀" * 50, "ก็็็็็็็็็็", "x" * 100_000, "日" * 100_000, "(" * 5_000,
]  # fmt: skip


class Bed(App[None]):
    def __init__(self, widget: Widget) -> None:
        super().__init__()
        self.widget = widget

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return {"text-quiet": "#808080", "line-added": "#203020", "line-removed": "#302020"}

    def compose(self) -> ComposeResult:
        yield self.widget

    def on_mount(self) -> None:
        self.register_theme(Theme("bed", primary="#7aa2d6"))
        self.theme = "bed"
        self.widget.focus()


@asynccontextmanager
async def bed(widget: Widget, size: tuple[int, int] = (60, 12)) -> AsyncIterator[tuple[Bed, Pilot[None]]]:
    app = Bed(widget)
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: widget.has_focus and widget.size.height > 0)
        yield app, pilot


def drawn(widget: Widget) -> str:
    """All that is put on the terminal for the widget, as it is scrolled now."""
    return "".join(widget.render_line(y).text for y in range(widget.size.height))


async def test_rows_draw_hostile_text() -> None:
    rows = Rows(cursor=True)
    async with bed(rows) as (app, pilot):
        for number, text in enumerate(MORE):
            last = f"next {number}"
            rows.show([[(text, "$error"), (text[:50], "")], [(last, "")]], header=[[(text[:100], "")]])
            assert rows.search(text[:20]) >= 0
            rows.go_to_match(1)
            rows.scroll_to(x=0, animate=False, force=True, immediate=True)
            await pilot.press("G")
            await until(pilot, lambda: rows.cursor == 1 and last in frame(app))  # noqa: B023
            assert not FORBIDDEN.search(drawn(rows)), text[:50]
            rows.scroll_to(x=rows.max_scroll_x, animate=False, force=True, immediate=True)
            assert not FORBIDDEN.search(drawn(rows)), text[:50]
            assert not FORBIDDEN.search(rows.copy_text()), text[:50]


@pytest.mark.full
async def test_the_code_view_draws_hostile_text() -> None:
    view = CodeView()
    async with bed(view) as (app, pilot):
        view.recolor({"string": "#9bbf7a", "keyword": "#b294d8", "name": "#d7dae0"}, {})
        for number, text in enumerate(MORE):
            first = f"before = {number}"
            code = cut_lines(f"{first}\n{text}\nx = '{text}'\nafter = 2\n")
            view.show(code, {1: "crashed", 2: "running", 3: "step"}, hits={0: "12", 1: "1.2k"})
            view.goto(0)
            await until(pilot, lambda: first in frame(app))  # noqa: B023
            assert view.search(text[:20]) >= 0
            view.go_to_match(1)
            view.goto(view.row_count - 1)
            assert not FORBIDDEN.search(drawn(view).replace("\n", "")), text[:50]
            view.scroll_to(x=view.max_scroll_x, animate=False, force=True, immediate=True)
            assert not FORBIDDEN.search(drawn(view).replace("\n", "")), text[:50]
            view.show(code + "more = 3\n", tail=True)
            view.read_only = False
            view.move_cursor((0, 0))
            await pilot.press("j")
            await until(pilot, lambda: view.text.startswith("jbefore"))
            view.insert(text[:5_000], (1, 0))
            assert not FORBIDDEN.search(drawn(view).replace("\n", "")), text[:50]
            view.undo()
            view.read_only = True


@pytest.mark.parametrize("text", MORE, ids=range(len(MORE)))
def test_diffs_and_logs_take_hostile_text(text: str) -> None:
    shown = list(diff(f"a\n{text}\nb\n", f"a\n{text[:-1]}x\nc\n", "one", "two"))
    assert len(shown) >= 2
    log = LineLog(keep=10)
    for start in range(0, len(text), 7):
        log.write(text[start : start + 7])
    log.write("\nend")
    assert list(log.since(0))[-1] == "end"


async def test_very_long_lines_leave_the_keys_alive() -> None:
    """Each key's way to the screen, on lines of 100,000 characters. The bound is far above what a loaded machine takes
    for a bounded amount of work, and far below what drawing whole lines takes."""
    rows = Rows(cursor=True)
    async with bed(rows, (120, 40)) as (_, pilot):
        rows.show([[("é" * 100_000, "")] for _ in range(40)])
        started = time.process_time()
        for _ in range(10):
            await pilot.press("j", "k")
        spent = (time.process_time() - started) / 20
    assert spent < 0.5
