"""Much to show leaves the keys alive: what the loop does without a break is bounded, whatever the amount.

What one callback of the event loop takes is measured in processor time of the loop's own thread, which neither other
processes nor a thread that reads a file add to.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
import pytest
from textual.widgets import Input

from scrapewright.loop.ports import Job, Ran, Report
from scrapewright.session import events as ev
from scrapewright.session.events import Mode
from scrapewright.session.result import ExceptionInfo, Frame, Request, RunResult, Step
from scrapewright.session.verdict import Verdict
from scrapewright.tui.panes.tabbed import TabbedPane
from scrapewright.web.page import Connect
from tests.fakes.parts import RIGHT, Bench, FakeCritic, FakeProgrammer, FakeSandbox, crashed, ran
from tests.pilot.stage import bench_screen, frame, leave, make_app, question, until

pytestmark = pytest.mark.drawn

SIZE = (120, 40)
UNBROKEN = 0.4
"""Seconds of processor time: some times what a slow machine takes, and a small part of what all of it would take."""


@contextmanager
def longest(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], float]]:
    """The longest time that the loop was held without a break."""
    run = asyncio.Handle._run
    worst = 0.0

    def timed(handle: Any) -> None:
        nonlocal worst
        began = time.thread_time()
        run(handle)
        worst = max(worst, time.thread_time() - began)

    gc.collect()
    gc.freeze()  # what other tests left is not gone through in a callback of this one
    try:
        with monkeypatch.context() as patch:
            patch.setattr(asyncio.Handle, "_run", timed)
            yield lambda: worst
    finally:
        gc.unfreeze()
        gc.collect()
        gc.freeze()  # as tests/conftest.py has it


class Flooding(FakeSandbox):
    """Prints the piece over and over, `least` times and until it is stopped."""

    def __init__(self, piece: str, least: int) -> None:
        super().__init__(ran())
        self.piece, self.least = piece, least
        self.printed = 0
        self.enough = asyncio.Event()

    async def run(self, job: Job, connect: Connect, report: Report) -> Ran:
        while self.printed < self.least or not self.enough.is_set():
            report(ev.OutputPrinted(stream="stdout", text=self.piece))
            self.printed += 1
            if self.printed % 20 == 0:
                await asyncio.sleep(0.01)  # a program has work of its own, and the sandbox's pipe its pace
        return await super().run(job, connect, report)


LINES = "".join(f"{n:06d} {'=' * 60}\n" for n in range(50))
WIDE_LINES = ("é" * 159 + "\n") * 400
FLOODS = {
    "100,000 lines": (LINES, 2_000),
    "50 MB in lines": (WIDE_LINES, 800),
    "50 MB in one line": ("x" * 65_536, 800),
}


@pytest.mark.parametrize(
    ("piece", "least"),
    [
        pytest.param(*flood, id=name, marks=[pytest.mark.full] if name == "100,000 lines" else [])
        for name, flood in FLOODS.items()
    ],
)
async def test_keys_are_live_while_a_program_floods(piece: str, least: int, monkeypatch: pytest.MonkeyPatch) -> None:
    sandbox = Flooding(piece, least)
    bench = Bench(FakeProgrammer("x = 1\n"), sandbox, FakeCritic(RIGHT), mode=Mode.APPROVE)
    app = make_app(bench)
    async with app.run_test(size=SIZE) as pilot:
        await question(pilot, "run")
        screen = bench_screen(app)
        screen.choose_tab("output", "stdout")
        screen.action_pane("output")
        await until(pilot, lambda: "run it" in frame(app))
        with longest(monkeypatch) as held:
            await pilot.press("a")
            await until(pilot, lambda: sandbox.printed > 100)
            await pilot.press("slash")
            await until(pilot, lambda: isinstance(app.focused, Input))
            for typed in ("q", "qu", "qui", "quit"):
                before = sandbox.printed
                await pilot.press(typed[-1])
                await until(pilot, lambda: f" / {typed}" in frame(app))  # noqa: B023
                await until(pilot, lambda: sandbox.printed > before)  # noqa: B023
            sandbox.enough.set()
            await until(pilot, lambda: bench.journal.session.over)
            await until(pilot, lambda: screen.shown == bench.journal.session.seq)
    assert held() < UNBROKEN


def big_locals(many: bool) -> RunResult:
    values = {f"name_{n}": "v" * 90 for n in range(20_000)} if many else {"page": "<li>é</li> " * 200_000}
    inner = Frame("scraper.py", 2, "parse", "float(text)", locals=values)
    return msgspec.structs.replace(
        crashed(2), exception=ExceptionInfo("ValueError", "no price", (inner,)),
        steps=tuple(Step(2, "parse", 1, 0, "set", values) for _ in range(3)),
    )  # fmt: skip


def many_requests() -> RunResult:
    asked = tuple(Request("GET", f"http://127.0.0.1/{n}", 200, "text/html", 100, 1.0) for n in range(20_000))
    return msgspec.structs.replace(crashed(2), requests=asked)


SHORT = Verdict(ok=False, score=0.1, rows=1, file="rows.csv", columns=("n",))
TABS = [("trace", "frames"), ("trace", "steps"), ("trace", "requests"), ("trace", "story"), ("output", "table"),
        ("output", "json"), ("output", "files"), ("code", "diff")]  # fmt: skip


@pytest.mark.parametrize("what", ["one value", "many values", pytest.param("requests", marks=pytest.mark.full)])
async def test_keys_are_live_beside_a_large_trace(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    result = many_requests() if what == "requests" else big_locals(what == "many values")
    bench = Bench(FakeProgrammer("x = 1\ny = 2\n"), FakeSandbox(result), FakeCritic(SHORT), mode=Mode.APPROVE)
    app = make_app(bench)
    async with app.run_test(size=SIZE) as pilot:
        await question(pilot, "run")
        with longest(monkeypatch) as held:
            await pilot.press("a")
            await question(pilot, "retry")
            for pane, tab in TABS:
                screen = bench_screen(app)
                screen.choose_tab(pane, tab)
                screen.action_pane(pane)
                await until(pilot, lambda: shows(screen.query_one(f"#{pane}"), tab))  # noqa: B023
                await pilot.press("j", "k", "G", "g")
        await leave(pilot, bench)
    assert held() < UNBROKEN


def shows(pane: Any, tab: str) -> bool:
    assert isinstance(pane, TabbedPane)
    return pane.tab == tab and pane.tab_widget.has_focus_within


async def test_keys_are_live_while_requests_pour_in(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench(FakeProgrammer("x = 1\n"), FakeSandbox(ran()), FakeCritic(RIGHT), mode=Mode.APPROVE)
    bench.sandbox.hold = asyncio.Event()
    app = make_app(bench)
    async with app.run_test(size=SIZE) as pilot:
        await question(pilot, "run")
        screen = bench_screen(app)
        await pilot.press("a")
        await until(pilot, lambda: bench.sandbox.running == 1)
        screen.choose_tab("trace", "requests")
        screen.action_pane("trace")
        with longest(monkeypatch) as held:
            for n in range(6_000):
                asked = Request("GET", f"http://127.0.0.1/{n}", 200, "text/html", 100, 1.0)
                bench.journal.post(ev.RequestSeen(attempt=1, request=asked))
            await pilot.press("slash")
            await until(pilot, lambda: isinstance(app.focused, Input))
            for typed in ("z", "zz", "zzz"):
                await pilot.press("z")
                await until(pilot, lambda: f" / {typed}" in frame(app))  # noqa: B023
            await pilot.press("escape")
            await until(pilot, lambda: bench.journal.session.requests_dropped >= 1_000)
        bench.sandbox.hold.set()
        await until(pilot, lambda: bench.journal.session.over)
    assert held() < UNBROKEN
