"""The application on a scripted session, and ways to wait for what the screen shows."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from textual._context import visible_screen_stack
from textual.app import App
from textual.pilot import Pilot

from scrapewright.loop.corrections import Corrections
from scrapewright.loop.handle import SessionHandle
from scrapewright.loop.ports import Case
from scrapewright.session.verdict import Verdict
from scrapewright.settings import Settings
from scrapewright.tui.app import WorkbenchApp
from scrapewright.tui.screens.session import SessionScreen
from scrapewright.tui.screens.workbench import WorkbenchScreen
from scrapewright.tui.session_spec import SessionSpec
from tests.fakes.parts import Bench, FakeCorrector, FakeCritic


def make_app(
    bench: Bench, *, query: str = "all mugs on http://127.0.0.1/: title", start: bool = True, now: float = 0.0,
    tick: float = 1.0, tape: Path | None = None, specs: list[SessionSpec] | None = None, corrects: bool = False,
    **settings: Any,
) -> WorkbenchApp:  # fmt: skip
    """The app on the bench's session, whose pages are on `tape`; `specs` gets what was asked for; with `corrects` a
    column can be corrected. Its clock is at `now`; each look at the other one is `tick` seconds later, so that a
    question's grace is always over."""
    ticking = iter(range(10**9))

    @asynccontextmanager
    async def open_session(spec: SessionSpec) -> AsyncIterator[SessionHandle]:
        if specs is not None:
            specs.append(spec)
        await bench.open()
        if spec.act is not None:
            await bench.gate.reopen(spec.act)
        corrector = Corrections(bench.journal, bench.blobs, FakeCorrector(), lambda urls: {})
        try:
            yield SessionHandle(
                bench.journal, bench.gate, bench.loop, bench.blobs, tape, corrector if corrects else None
            )
        finally:
            await bench.journal.close()

    given = {"data_dir": Path("/nonexistent"), "config_dir": Path("/nonexistent"), **settings}
    return WorkbenchApp(
        open_session, Settings(**given), query=query, start=start, clock=lambda: now,
        monotonic=lambda: tick * next(ticking),
    )  # fmt: skip


def bench_screen(app: WorkbenchApp) -> WorkbenchScreen:
    screen = app.workbench
    assert screen is not None
    return screen


async def until(pilot: Pilot[Any], condition: Callable[[], bool], what: str = "") -> None:
    """Waits until the condition holds and still does once the app has done all that was under way. The test's own time
    limit ends a wait for nothing.

    The app gets no messages of ours meanwhile: `pilot.pause` sends one to each widget.
    """
    while not condition():
        while not condition():
            if pilot.app._exception is not None:
                raise pilot.app._exception
            await asyncio.sleep(0.01)
        await pilot.pause()


async def question(pilot: Pilot[int], kind: str) -> None:
    app = pilot.app
    assert isinstance(app, WorkbenchApp)
    bar = bench_screen(app).query_one("#question")

    def there() -> bool:
        asked = getattr(bar, "question", None)
        return asked is not None and asked.kind == kind

    await until(pilot, there, kind)


async def leave(pilot: Pilot[int], bench: Bench) -> None:
    """Stops the session, and waits until it is over."""
    assert isinstance(pilot.app, WorkbenchApp)
    bench_screen(pilot.app).action_stop()
    await until(pilot, lambda: bench.journal.session.over)


def frame(app: App[Any]) -> str:
    """The screen as plain text, as it would be drawn now."""
    visible_screen_stack.set(app._background_screens)
    return "\n".join(strip.text.rstrip() for strip in app.screen._compositor.render_strips())


def session_screen(app: WorkbenchApp) -> SessionScreen:
    screen = app.screen
    assert isinstance(screen, SessionScreen)
    return screen


class HeldCritic(FakeCritic):
    """Judges when it is let. It works in a thread."""

    def __init__(self, *verdicts: Verdict) -> None:
        super().__init__(*verdicts)
        self.judging = False
        self.let = threading.Event()
        self.let.set()

    def judge(self, case: Case) -> Verdict:
        self.judging = True
        self.let.wait(60)
        return super().judge(case)


AGENT = """
from pathlib import Path
import sys
known = "old one" in Path(sys.argv[1]).read_text()
Path("scraper.py").write_text(f"raise ValueError('it can not be done {known}')\\n")
"""


def set_up_agent(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An agent command whose programs fail."""
    agent = folder / "agent.py"
    agent.write_text(AGENT)
    monkeypatch.setenv("AGENT_CMD", f"{sys.executable} {agent} {{prompt_file}}")
