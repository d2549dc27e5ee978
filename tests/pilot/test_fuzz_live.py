"""Hostile text while it comes in, on Home, and pasted: the bytes that the terminal is sent are looked at."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from textual import events
from textual.widgets import Input

from scrapewright.loop.ports import Brief, Draft, Job, Ran, Report
from scrapewright.session import events as ev
from scrapewright.session.events import Mode
from scrapewright.store.sessions import Summary
from scrapewright.tui.screens.session import SessionScreen
from scrapewright.tui.widgets.readingbox import ReadingBox
from scrapewright.tui.widgets.request_input import RequestInput
from scrapewright.tui.widgets.rows import Rows
from scrapewright.tui.widgets.session_list import SessionList
from scrapewright.web.page import Connect
from tests.fakes.parts import RIGHT, Bench, FakeCritic, FakeProgrammer, FakeSandbox, ran
from tests.pilot.hostile import ESCAPES, PIECES, Recorded, in_turn, poisoned, read_stream
from tests.pilot.stage import frame, make_app, question, until
from tests.pilot.test_home import home_app

SIZE = (120, 40)
EVERYTHING = "\n".join(PIECES)


def sent(app: object) -> str:
    driver = getattr(app, "_driver", None)
    assert isinstance(driver, Recorded)
    return driver.written


class Writer(FakeProgrammer):
    """Streams what it writes in pieces that cut sequences anywhere."""

    async def write(self, brief: Brief, report: Report) -> Draft:
        for start in range(0, len(EVERYTHING), 17):
            report(ev.CodeStreamed(attempt=brief.attempt, text=EVERYTHING[start : start + 17]))
        report(ev.Progressed(what=ESCAPES[0] + PIECES[0], done=3, total=9))
        return await super().write(brief, report)


class Printer(FakeSandbox):
    """Prints it on both streams, cut anywhere."""

    async def run(self, job: Job, connect: Connect, report: Report) -> Ran:
        for start in range(0, len(EVERYTHING), 31):
            piece = EVERYTHING[start : start + 31]
            report(ev.OutputPrinted(stream="stdout", text=piece))
            report(ev.OutputPrinted(stream="stderr", text=piece))
        report(ev.Progressed(what=EVERYTHING[:200]))
        return await super().run(job, connect, report)


async def test_what_is_streamed_and_printed_is_drawn_and_not_obeyed() -> None:
    code = "x = 1\n" + EVERYTHING.encode("utf-8", "replace").decode()
    bench = Bench(Writer(code), Printer(ran()), FakeCritic(RIGHT), mode=Mode.APPROVE)
    hold_code, hold_run = asyncio.Event(), asyncio.Event()
    bench.programmer.hold, bench.sandbox.hold = hold_code, hold_run
    app = make_app(bench, query=EVERYTHING[:3_000])
    app.driver_class = Recorded
    async with app.run_test(headless=False, size=SIZE, notifications=True) as pilot:
        await until(pilot, lambda: "being written" in frame(app))
        hold_code.set()
        await question(pilot, "run")
        await pilot.press("h")
        await until(pilot, lambda: isinstance(app.focused, Input))
        assert app.focused is not None
        app.focused.post_message(events.Paste("".join(ESCAPES)))
        await pilot.pause()
        await pilot.press("escape", "a")
        await until(pilot, lambda: bench.sandbox.running == 1)
        screen = app.screen
        assert isinstance(screen, SessionScreen)
        for pane, tab in (("output", "stdout"), ("trace", "stderr")):
            screen.choose_tab(pane, tab)
            shown = screen.query_one(f"#{pane}-{tab}", Rows)
            await until(pilot, lambda: shown.row_count > 50)  # noqa: B023
        hold_run.set()
        await until(pilot, lambda: bench.journal.session.over)
        await until(pilot, lambda: "success" in frame(app))
        stream = sent(app)
    read_stream(stream, SIZE)


@pytest.mark.full
async def test_home_lists_completes_and_reads_it(tmp_path: Path) -> None:
    text = in_turn(PIECES)
    summaries = [
        poisoned(Summary(id="s", text="mugs", urls=("http://shop.example/",), outcome="success", attempts=2), text)
        for _ in range(30)
    ]
    app, _ = home_app(tmp_path, EVERYTHING[:4_000])
    app.driver_class = Recorded
    async with app.run_test(headless=False, size=SIZE, notifications=True) as pilot:
        request, past = app.screen.query_one(RequestInput), app.screen.query_one(SessionList)
        await until(pilot, lambda: request.has_focus and app.screen.query_one(ReadingBox).reading is not None)
        past.show_all(summaries)
        request.remember((s.text for s in summaries), [f"https://shop.example/{piece}" for piece in PIECES])
        for _ in range(12):
            await pilot.press("up")
            request.move_cursor(request.document.end)
            await pilot.pause()
        request.write("all mugs on https://shop.exam")
        await pilot.press("p")
        await until(pilot, lambda: bool(request.suggestion))
        for piece in (*ESCAPES, EVERYTHING):
            request.post_message(events.Paste(f"mugs {piece} on https://shop.example/: title"))
        await pilot.pause()
        await pilot.press("f3", "G", "slash")
        await until(pilot, lambda: isinstance(app.focused, Input))
        assert app.focused is not None
        app.focused.post_message(events.Paste(EVERYTHING))
        await pilot.pause()
        await pilot.press("escape", "x")
        await pilot.pause()
        stream = sent(app)
    read_stream(stream, SIZE)


@pytest.mark.parametrize("piece", ["\x9b5;53m", "\x1b[2J", "\u202e", "a\tb\nc"])
async def test_what_is_pasted_is_text(tmp_path: Path, piece: str) -> None:
    app, _ = home_app(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        request = app.screen.query_one(RequestInput)
        await until(pilot, lambda: request.has_focus)
        request.post_message(events.Paste(f"one{piece}two"))
        await until(pilot, lambda: request.text.endswith("two"))
        assert not set("\x1b\x9b\u202e") & set(request.text)
        assert ("\n" in request.text) == ("\n" in piece), "a request may have several lines"
