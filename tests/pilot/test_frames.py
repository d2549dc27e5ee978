"""Every pane and state of the screen as plain text, at three sizes, on one scripted session.

After a change that is meant, `FULL_SUITE=1 GOLDEN=write pytest tests/pilot/test_frames.py` writes the frames anew;
read the difference. A frame is waited for: what comes to be what it should be is right, however slow the machine is.
"""

from __future__ import annotations

import asyncio
import difflib
import os
import time
from pathlib import Path
from typing import Any

import pytest
from textual.events import Paste
from textual.pilot import Pilot
from textual.widgets import Input

from scrapewright.query.read import read_request
from scrapewright.session import events as ev
from scrapewright.session.events import Phase
from scrapewright.store.sessions import SessionStore
from scrapewright.tui.app import WorkbenchApp
from scrapewright.tui.panes.code import CodePane
from scrapewright.tui.panes.output import OutputPane
from scrapewright.tui.panes.trace import TracePane
from scrapewright.tui.screens.replay import ReplayScreen
from scrapewright.tui.screens.session import PANES
from scrapewright.tui.widgets.detail import DetailScreen
from scrapewright.tui.widgets.readingbox import ReadingBox
from tests.fakes.parts import FakeCritic
from tests.pilot.stage import bench_screen, frame, question, session_screen, until
from tests.pilot.story import CRASHED, NOTHING, ONE, QUERY, RIGHT, RIGHT_RUN, SITE, Story, StorySandbox, story_app

FRAMES = Path(__file__).resolve().parents[1] / "data" / "frames"
SIZES = [(80, 24), (120, 40), (200, 60)]
WRITE = os.environ.get("GOLDEN") == "write"
PATIENCE = 30.0
STILL = 0.4
"""Seconds without a change after which a frame that is written is taken for finished."""


def at(size: tuple[int, int]) -> list[object]:
    """The sizes of one of the two tests that take many frames: each runs at its own, and in the whole suite at all."""
    return [size, *(pytest.param(other, marks=pytest.mark.full) for other in SIZES if other != size)]


class Camera:
    """Compares the screen with the frame of a name, or writes it. What differs is reported at the end, all of it."""

    def __init__(self, pilot: Pilot[Any], size: tuple[int, int]) -> None:
        self.pilot = pilot
        self._size = f"{size[0]}x{size[1]}"
        self._wrong: list[str] = []

    async def take(self, name: str) -> None:
        path = FRAMES / self._size / f"{name}.txt"
        if WRITE:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(await self._still(), "utf-8")
            return
        wanted = path.read_text("utf-8")
        deadline = time.monotonic() + (PATIENCE if not self._wrong else 1.0)
        while (shown := self._shown()) != wanted and time.monotonic() < deadline:
            await asyncio.sleep(0.02)
        if shown != wanted:
            lines = difflib.unified_diff(wanted.splitlines(), shown.splitlines(), str(path), "the screen", lineterm="")
            self._wrong.append("\n".join(lines))

    def develop(self) -> None:
        assert not self._wrong, "\n\n".join(self._wrong)

    def _shown(self) -> str:
        return frame(self.pilot.app) + "\n"

    async def _still(self) -> str:
        before, since = self._shown(), time.monotonic()
        while time.monotonic() - since < STILL:
            await self.pilot.pause()
            await asyncio.sleep(0.01)
            if (now := self._shown()) != before or not now.strip():
                before, since = now, time.monotonic()
        return before


async def drawn(pilot: Pilot[Any], story: Story) -> None:
    """What has happened so far is on the screen."""
    app = pilot.app
    assert isinstance(app, WorkbenchApp)
    await until(pilot, lambda: bench_screen(app).shown == story.journal.session.seq)


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_home(size: tuple[int, int]) -> None:
    app = story_app(Story(), start=False, query="")
    async with app.run_test(size=size) as pilot:
        camera = Camera(pilot, size)
        await until(pilot, lambda: "no past sessions yet" in frame(app))
        await camera.take("home-empty")
        app.post_message(Paste(f"all lamps on {SITE}: title, price (float)"))
        box = app.screen.query_one(ReadingBox)
        await until(pilot, lambda: box.reading is not None and box.reading.text.endswith("(float)"))
        await camera.take("home-read")
        await pilot.press("tab")
        await until(pilot, lambda: getattr(app.screen.focused, "id", "") != "request")
        await camera.take("home-reading-focused")
    camera.develop()


def keep_past(folder: Path) -> None:
    """Two sessions of some days ago: one that went well, one that was cut off."""
    with SessionStore(folder) as store:
        for name, text, outcome, days in (("0521-aaaa", QUERY, "success", 3), ("0520-bbbb", f"mugs on {SITE}", "", 4)):
            at = time.time() - days * 86_400 - 1_000
            happened: list[ev.Event] = [ev.SessionStarted(session=name, text=text, reading=read_request(text))]
            if outcome:
                happened.append(ev.SessionFinished(phase=Phase.FINISHED, outcome=outcome, exit_code=0))
            file = store.own(name)
            for seq, event in enumerate(happened, 1):
                fields = {field: getattr(event, field) for field in event.__struct_fields__}
                file.append(seq, ev.encode(type(event)(**{**fields, "seq": seq, "at": at + 3 * seq})))
            file.release()


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_home_with_past_sessions_and_a_reading_that_is_corrected(size: tuple[int, int], tmp_path: Path) -> None:
    keep_past(tmp_path)
    app = story_app(Story(), start=False, query=f"{QUERY}; the nicest ones", data_dir=tmp_path)
    async with app.run_test(size=size) as pilot:
        camera = Camera(pilot, size)
        box = app.screen.query_one(ReadingBox)
        await until(pilot, lambda: box.reading is not None and "success" in frame(app))
        await pilot.press("f3")
        await camera.take("home-past")
        await pilot.press("escape", "tab")
        await until(pilot, lambda: getattr(app.screen.focused, "id", "") == "parts")
        await camera.take("home-doubt")
        await pilot.press("j", "j", "enter")
        await until(pilot, lambda: box.editing)
        await camera.take("home-correcting")
        await pilot.press("escape", "tab", "tab")
        await camera.take("home-settings")
    camera.develop()


@pytest.mark.parametrize("size", at((80, 24)), ids=str)
async def test_every_tab_of_an_attempt_that_failed_and_of_one_that_is_right(size: tuple[int, int]) -> None:
    story = Story(mode=ev.Mode.AUTO)
    story.sandbox = StorySandbox(CRASHED, RIGHT_RUN)
    story.critic = FakeCritic(NOTHING, RIGHT)
    story.sandbox.hold = asyncio.Event()
    app = story_app(story)
    async with app.run_test(size=size) as pilot:
        camera = Camera(pilot, size)
        await until(pilot, lambda: story.sandbox.running == 1)
        for request in RIGHT_RUN.requests:
            await story.journal.append(ev.RequestSeen(attempt=1, request=request))
        story.sandbox.hold.set()
        await until(pilot, lambda: story.journal.session.over)
        await drawn(pilot, story)
        screen = bench_screen(app)
        assert screen.view_state is not None
        for attempt, word in ((1, "failed"), (2, "right")):
            screen.view_state.look_at(attempt)
            for pane, tabs in (("code", CodePane.TABS), ("trace", TracePane.TABS), ("output", OutputPane.TABS)):
                for tab in tabs:
                    screen.choose_tab(pane, tab)
                    screen.action_pane(pane)
                    screen.refresh_session()
                    await camera.take(f"{word}-{pane}-{tab}")
        screen.choose_tab("output", "table")
        screen.action_pane("output")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, DetailScreen))
        await camera.take("row-in-full")
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is screen)
        await pilot.press("s")
        await until(pilot, lambda: bool(app.screen.query("#save-path")))
        app.screen.query_one("#save-path", Input).value = "rows.csv"
        await camera.take("save")
        await pilot.press("escape")
    camera.develop()


@pytest.mark.parametrize("size", SIZES, ids=str)
async def test_a_session_that_is_stopped(size: tuple[int, int]) -> None:
    story = Story(mode=ev.Mode.AUTO)
    story.sandbox.hold = asyncio.Event()
    app = story_app(story)
    async with app.run_test(size=size) as pilot:
        camera = Camera(pilot, size)
        await until(pilot, lambda: story.sandbox.running == 1)
        await drawn(pilot, story)
        await pilot.press("1")  # on a narrow screen the code is in front if it was drawn while it was written
        await pilot.press("f10")
        await until(pilot, lambda: app.screen is not bench_screen(app))
        await camera.take("quit")
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is bench_screen(app))
        await pilot.press("f8")
        await until(pilot, lambda: story.journal.session.over)
        await drawn(pilot, story)
        await camera.take("stopped")
    camera.develop()


@pytest.mark.parametrize("size", at((120, 40)), ids=str)
async def test_a_session_from_the_survey_to_the_rows(size: tuple[int, int]) -> None:
    story = Story()
    holds = [asyncio.Event() for _ in range(3)]
    story.surveyor.hold, story.programmer.hold, story.sandbox.hold = holds
    app = story_app(story)
    async with app.run_test(size=size) as pilot:
        camera = Camera(pilot, size)

        await until(pilot, lambda: story.surveyor.calls == 1)
        story.journal.tick(ev.Progressed(what="pages", done=2, total=5))
        await camera.take("surveying")
        holds[0].set()

        await until(pilot, lambda: len(story.programmer.briefs) == 1)
        await camera.take("writing")
        holds[1].set()

        await question(pilot, "run")
        await camera.take("asked-to-run")
        await pilot.press("slash", *"row")
        await camera.take("search")
        await pilot.press("escape", "f")
        await camera.take("jump")
        await pilot.press("escape", "f1")
        await camera.take("help")
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is bench_screen(app))

        await pilot.press("a")
        await until(pilot, lambda: story.sandbox.running == 1)
        story.journal.tick(ev.OutputPrinted(attempt=1, stream="stdout", text="page 1\npage 2\n"))
        story.journal.tick(ev.LineReached(attempt=1, line=18))
        await camera.take("running")
        await pilot.press("escape")
        await camera.take("pausing")
        holds[2].set()
        await until(pilot, lambda: story.journal.session.phase is Phase.PAUSED)
        await drawn(pilot, story)
        await camera.take("paused")
        await pilot.press("f5")

        await question(pilot, "retry")
        await camera.take("failed")
        await pilot.press("3", "comma", "comma")
        await camera.take("steps-walked")
        await pilot.press("a")

        await question(pilot, "run")
        await camera.take("asked-to-run-the-repair")
        story.sandbox.hold = asyncio.Event()
        story.web.refusals = [("cdn.example", "https://cdn.example/lamps.json")]
        await pilot.press("a")
        await until(pilot, lambda: story.sandbox.running == 1)
        await drawn(pilot, story)
        story.sandbox.hold.set()
        await question(pilot, "host")
        await camera.take("asked-for-a-host")
        await pilot.press("r")

        await question(pilot, "retry")
        await camera.take("judged-short")
        await pilot.press("4", "left_square_bracket", "left_square_bracket")
        await camera.take("requests-or-stdout")
        await pilot.press("5", "up", "space")
        await camera.take("compared")
        await pilot.press("5", "escape", "h")
        await camera.take("hint")
        await pilot.press("escape", "e")
        pane = session_screen(app).query_one(CodePane)
        await until(pilot, lambda: pane.editing)
        pane.view.move_cursor((0, 0))
        await pilot.press("#", "enter")
        await camera.take("edited-by-hand")
        await pilot.press("f2")

        await until(pilot, lambda: story.journal.session.over)
        await drawn(pilot, story)
        await camera.take("success")
        for name in PANES:
            bench_screen(app).action_pane(name)
            await camera.take(f"pane-{name}")

        app.push_screen(ReplayScreen(story.journal.events, story.blobs))
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen))
        await until(pilot, lambda: any(pane.has_focus_within for pane in app.screen.query(CodePane)))
        await camera.take("replay")
        await pilot.press("left", "left", "left")
        await until(pilot, lambda: "replay 51/" in frame(app))
        await camera.take("replay-back")
        await pilot.press("escape")
    camera.develop()
    assert story.sandbox.jobs[2].code.startswith("#\n")
    assert story.sandbox.jobs[0].code == ONE
