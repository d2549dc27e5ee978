"""The screen at work, on scripted sessions: every question, edit, pause, quit; and the replay that equals it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from scrapewright.loop.handle import SessionHandle
from scrapewright.session.events import Mode, Phase
from scrapewright.tui.app import WorkbenchApp
from scrapewright.tui.messages import SessionRequested
from scrapewright.tui.panes.code import CodePane
from scrapewright.tui.screens.confirm import ConfirmScreen
from scrapewright.tui.screens.home import HomeScreen
from scrapewright.tui.screens.replay import ReplayScreen
from scrapewright.tui.session_spec import SessionSpec
from scrapewright.tui.widgets.codeview import CodeView
from tests.fakes.parts import RIGHT, Bench, FakeCritic, FakeProgrammer, FakeSandbox, crashed, ran, wrong
from tests.pilot.stage import bench_screen, frame, leave, make_app, question, session_screen, until

ONE = 'import requests\n\n\ndef main():\n    x = float(text)\n    return "hi"\n'
TWO = ONE.replace("float(text)", "price(text)")


def failing_then_right(mode: Mode, *programs: str) -> Bench:
    return Bench(
        FakeProgrammer(*(programs or (ONE, TWO))), FakeSandbox(crashed(line=5), ran()), FakeCritic(wrong(0.1), RIGHT),
        mode=mode,
    )  # fmt: skip


async def test_auto_goes_from_the_query_to_the_rows() -> None:
    bench = failing_then_right(Mode.AUTO)
    app = make_app(bench, start=False)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: "from                 http://127.0.0.1/" in frame(app))
        await pilot.press("enter")
        await until(pilot, lambda: app.workbench is not None and bench_screen(app).handle is not None)
        await until(pilot, lambda: bench.journal.session.over)
        await until(pilot, lambda: "success" in frame(app))
        shown = frame(app)
    for text in ("rows.csv: 3 rows", "★  2 rules", "+1 −1 against attempt 1", "ValueError"):
        assert text in shown


async def test_approve_shows_the_program_and_where_it_crashed() -> None:
    bench = failing_then_right(Mode.APPROVE)
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await question(pilot, "run")
        await until(pilot, lambda: "a  run it" in frame(app))
        assert "def main():" in frame(app)
        await pilot.press("a")
        await question(pilot, "retry")
        await until(pilot, lambda: "✖5      x = float(text)" in frame(app))
        for text in ("ValueError: could not convert", "text = 'call us'", "A  accept rows"):
            assert text in frame(app)
        await pilot.press("a")
        await question(pilot, "run")
        await until(pilot, lambda: "x = price(text)" in frame(app) and "+1 −1 against attempt 1" in frame(app))
        await pilot.press("a")
        await until(pilot, lambda: bench.journal.session.over)
    assert [job.code for job in bench.sandbox.jobs] == [ONE, TWO]


async def test_keys_are_ignored_in_a_questions_first_half_second() -> None:
    bench = failing_then_right(Mode.APPROVE)
    app = make_app(bench)
    now = [0.0]
    app._clocks["monotonic"] = lambda: now[0]
    async with app.run_test(size=(120, 40)) as pilot:
        await question(pilot, "run")
        await pilot.press("ctrl+y")
        await pilot.pause()
        assert bench.journal.session.question is not None
        now[0] = 0.6
        await pilot.press("a")
        await question(pilot, "retry")
        await leave(pilot, bench)


async def test_step_waits_after_every_phase() -> None:
    bench = failing_then_right(Mode.STEP)
    app = make_app(bench)
    seen = []
    async with app.run_test(size=(120, 40)) as pilot:
        for kind in ("phase", "run", "phase", "retry"):
            await question(pilot, kind)
            asked = bench.journal.session.question
            assert asked is not None
            seen.append(asked.step)
            await pilot.press("a")
            await until(pilot, lambda: bench.journal.session.question is not asked)  # noqa: B023
        await leave(pilot, bench)
    assert seen == ["survey", "run", "run", "write"]


async def test_an_edit_in_mid_loop_changes_what_runs_next() -> None:
    bench = failing_then_right(Mode.APPROVE, ONE)
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await question(pilot, "run")
        await pilot.press("a")
        await question(pilot, "retry")
        await pilot.press("e")
        pane = app.screen.query_one(CodePane)
        await until(pilot, lambda: pane.editing)
        app.screen.query_one(CodeView).move_cursor((0, 0))
        await pilot.press("#", "m", "y", "enter", "f2")
        await until(pilot, lambda: bench.journal.session.over)
    assert bench.sandbox.jobs[1].code == "#my\n" + ONE
    assert bench.journal.session.attempts[2].author == "person"


async def test_an_edit_while_it_runs_by_itself_runs_next() -> None:
    bench = failing_then_right(Mode.AUTO, ONE)
    bench.sandbox.hold = asyncio.Event()
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: bench.sandbox.running == 1)
        await until(pilot, lambda: app.screen.query_one(CodeView).text == ONE)
        await pilot.press("2", "e")
        pane = app.screen.query_one(CodePane)
        await until(pilot, lambda: pane.editing)
        app.screen.query_one(CodeView).load_text("print('mine')\n")
        bench.sandbox.hold, bench.sandbox.results = None, [ran()]
        await pilot.press("f2")
        await until(pilot, lambda: bench.journal.session.over)
    assert [job.code for job in bench.sandbox.jobs] == [ONE, "print('mine')\n"]
    assert bench.journal.session.mode is Mode.AUTO
    assert "Asked" not in bench.names


async def test_a_hint_and_a_refusal() -> None:
    bench = failing_then_right(Mode.APPROVE)
    bench.sandbox.results, bench.critic.verdicts = [ran()], [RIGHT]
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await question(pilot, "run")
        await pilot.press("r")
        await question(pilot, "retry")
        await pilot.press("h", *"use h3", "enter")
        await question(pilot, "run")
        await pilot.press("a")
        await until(pilot, lambda: bench.journal.session.over)
    assert bench.programmer.briefs[1].hint == "use h3"
    assert bench.journal.session.attempts[1].refused


@pytest.mark.parametrize(
    "step", [pytest.param("survey", marks=pytest.mark.full), pytest.param("write", marks=pytest.mark.full), "run"]
)
async def test_escape_pauses_and_a_second_one_kills_the_step(step: str) -> None:
    bench = failing_then_right(Mode.AUTO)
    part = {"survey": bench.surveyor, "write": bench.programmer, "run": bench.sandbox}[step]
    part.hold = asyncio.Event()
    phase = {"survey": Phase.SURVEYING, "write": Phase.WRITING, "run": Phase.RUNNING}[step]
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: bench_screen(app).handle is not None and bench.journal.session.phase is phase)
        await pilot.press("escape")
        await until(pilot, lambda: "pausing" in frame(app))
        await pilot.press("escape")
        await until(pilot, lambda: " paused " in frame(app))
        assert bench.sandbox.running == 0
        part.hold.set()
        await pilot.press("f5")
        await until(pilot, lambda: bench.journal.session.over)
    assert bench.journal.session.end is not None
    assert bench.journal.session.end.outcome == "success"


@pytest.mark.parametrize(("key", "phase"), [("y", Phase.RUNNING), ("Q", Phase.STOPPED)], ids=["suspended", "stopped"])
async def test_quitting_while_it_runs_asks_and_leaves_nothing(key: str, phase: Phase) -> None:
    bench = failing_then_right(Mode.AUTO)
    bench.sandbox.hold = asyncio.Event()
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: bench.sandbox.running == 1)
        await pilot.press("ctrl+q")
        await until(pilot, lambda: "A session is running" in frame(app))
        await pilot.press("n")
        await until(pilot, lambda: app.screen is bench_screen(app))
        assert bench.sandbox.running == 1
        await pilot.press("f10")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen) and app.screen.is_mounted)
        await pilot.press(key)
        await until(pilot, lambda: not app.is_running)
    assert bench.sandbox.running == 0
    assert bench.journal.session.phase is phase
    assert bench.web.closed == 1


async def test_ctrl_c_stops_the_run_first() -> None:
    bench = failing_then_right(Mode.AUTO)
    bench.programmer.hold = asyncio.Event()
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: bench.programmer.briefs != [])
        await pilot.press("ctrl+c")
        await until(pilot, lambda: bench.journal.session.over)
        assert app.is_running
    assert bench.programmer.cancelled == 1


async def test_a_narrow_screen_shows_one_pane_at_a_time() -> None:
    bench = failing_then_right(Mode.APPROVE)
    app = make_app(bench)
    async with app.run_test(size=(80, 24)) as pilot:
        await question(pilot, "run")
        await pilot.press("2")
        await until(pilot, lambda: "╭─ 2 Code" in frame(app))
        assert "╭─ 3 Trace" not in frame(app)
        await pilot.press("3")
        await until(pilot, lambda: "╭─ 3 Trace" in frame(app))
        assert "╭─ 2 Code" not in frame(app)
        await leave(pilot, bench)


async def test_an_earlier_attempt_can_be_looked_at() -> None:
    bench = failing_then_right(Mode.AUTO)
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: bench_screen(app).handle is not None and bench.journal.session.over)
        await until(pilot, lambda: "★  2 rules" in frame(app))
        await pilot.press("5", "home", "enter")
        await until(pilot, lambda: "✖5      x = float(text)" in frame(app))
        assert "text = 'call us'" in frame(app)


@pytest.mark.full
async def test_a_replay_shows_at_every_event_what_the_live_screen_showed() -> None:
    bench = failing_then_right(Mode.APPROVE)
    live: dict[int, str] = {}
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        for kind in ("run", "retry", "run", ""):
            if kind:
                await question(pilot, kind)
            else:
                await until(pilot, lambda: bench.journal.session.over)
            await until(pilot, lambda: bench.journal.session.seq == bench_screen(app).shown)
            fix_the_view(app)
            await pilot.pause()
            live[bench.journal.session.seq] = panes(frame(app))
            if kind:
                await pilot.press("a")
        screen = ReplayScreen(bench.journal.events, bench.blobs)
        await app.push_screen(screen)
        for seq, shown in live.items():
            screen.go_to(seq)
            fix_the_view(app)
            await until(pilot, lambda: panes(frame(app)) == shown, f"event {seq}")  # noqa: B023
        await pilot.press("escape")
    assert len(live) == 4


def fix_the_view(app: WorkbenchApp) -> None:
    """The same focus and the same tabs, whatever was turned to."""
    screen = session_screen(app)
    for pane, tabs in (("code", ("code",)), ("trace", ("frames",)), ("output", ("rows", "table"))):
        screen.choose_tab(pane, *tabs)
    screen.action_pane("code")


def panes(shown: str) -> str:
    """The panes alone: status and footer say live or replay."""
    return "\n".join(line for line in shown.splitlines() if line.startswith(("│", "╭", "╰")))


async def test_another_session_begins_once_the_one_at_work_is_suspended() -> None:
    first, second = failing_then_right(Mode.APPROVE), failing_then_right(Mode.AUTO)
    waiting = [first, second]

    @asynccontextmanager
    async def open_next(spec: SessionSpec) -> AsyncIterator[SessionHandle]:
        bench = waiting.pop(0)
        await bench.open()
        yield SessionHandle(bench.journal, bench.gate, bench.loop, bench.blobs)
        await bench.journal.close()

    app = make_app(first)
    app._open_session = open_next
    async with app.run_test(size=(120, 40)) as pilot:
        await question(pilot, "run")
        await pilot.press("f3")
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        app.post_message(SessionRequested(SessionSpec("another")))
        await until(pilot, lambda: "Another session is at work" in frame(app))
        await pilot.press("n")
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        assert len(waiting) == 1
        app.post_message(SessionRequested(SessionSpec("another")))
        await until(pilot, lambda: "Another session is at work" in frame(app))
        await pilot.press("y")
        await until(pilot, lambda: not waiting and second.journal.session.over)
        assert not first.journal.session.over, "suspended"
