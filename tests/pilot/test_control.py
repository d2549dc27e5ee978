"""Stepping in from the screen: edits, hints and rewinds with and without a question, pauses, the calls for answers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from scrapewright.loop.answers import Answer
from scrapewright.loop.budget import Allowance
from scrapewright.loop.handle import SessionHandle
from scrapewright.loop.parts import Options
from scrapewright.loop.ports import Brief, NotUnderstood, Preview
from scrapewright.session.events import Mode
from scrapewright.settings import Settings
from scrapewright.tui.app import WorkbenchApp
from scrapewright.tui.panes.code import CodePane
from scrapewright.tui.panes.query import QueryPane
from scrapewright.tui.screens.session import PANES
from scrapewright.tui.session_spec import SessionSpec
from scrapewright.tui.terminal import KEEP_TITLE, TITLE_BACK
from scrapewright.tui.widgets.codeview import CodeView
from scrapewright.tui.widgets.questionbar import QuestionBar
from tests.fakes.parts import RIGHT, Bench, FakeCritic, FakeProgrammer, FakeSandbox, crashed, ran, wrong
from tests.pilot.stage import bench_screen, frame, leave, make_app, question, until

ONE = "import requests\n\nx = float(text)\n"
TWO = ONE.replace("float(text)", "price(text)")
SIZE = (120, 40)


def failing_then_right(mode: Mode, *programs: str) -> Bench:
    return Bench(
        FakeProgrammer(*(programs or (ONE, TWO))), FakeSandbox(crashed(line=3), ran()),
        FakeCritic(wrong(0.1), RIGHT), mode=mode,
    )  # fmt: skip


def remarks(app: WorkbenchApp) -> str:
    """The texts of the remarks now."""
    return "\n".join(toast.message for toast in app._notifications)


async def test_a_hint_without_a_question_is_kept_for_the_next_program() -> None:
    bench = failing_then_right(Mode.AUTO)
    bench.sandbox.hold = asyncio.Event()
    app = make_app(bench)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: bench.sandbox.running == 1)
        await pilot.press("2", "h")
        bar = app.screen.query_one(QuestionBar)
        await until(pilot, lambda: bar.has_class("hinting"))
        await pilot.press(*"use h3", "enter")
        await until(pilot, lambda: bench.journal.session.hint == "use h3")
        assert bench.sandbox.running == 1, "nothing is interrupted"
        bench.sandbox.hold.set()
        await until(pilot, lambda: bench.journal.session.over)
    assert [brief.hint for brief in bench.programmer.briefs] == ["", "use h3"]


async def test_a_rewind_between_questions() -> None:
    bench = failing_then_right(Mode.AUTO, ONE, TWO)
    bench.sandbox.during = lambda: setattr(bench.programmer, "hold", asyncio.Event())
    app = make_app(bench)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: len(bench.programmer.briefs) == 2)
        await until(pilot, lambda: "ValueError" in frame(app))
        bench.sandbox.during = lambda: None
        bench.programmer.hold = None
        await pilot.press("5", "home", "w")
        await until(pilot, lambda: bench.journal.session.over)
    assert "Intervened" in bench.names
    assert bench.programmer.cancelled == 1
    assert bench.journal.session.attempts[2].parent == 1


async def test_a_rewind_to_where_the_session_is_says_that_it_changes_nothing() -> None:
    bench = failing_then_right(Mode.APPROVE)
    app = make_app(bench)
    async with app.run_test(size=SIZE) as pilot:
        await question(pilot, "run")
        asked = bench.journal.session.question
        await pilot.press("w")
        await until(pilot, lambda: "the session is at attempt 1 already; there is no other one" in remarks(app))
        assert bench.journal.session.question is asked, "it is asked no second time"
        await pilot.press("a")
        await question(pilot, "retry")
        await pilot.press("a")
        await question(pilot, "run")
        await pilot.press("5", "end", "w")
        await until(pilot, lambda: "the session is at attempt 2 already; choose another one" in remarks(app))
        await pilot.press("home", "w")
        await until(pilot, lambda: bench.journal.session.current == 1)


async def test_columns_keep_their_width_wherever_the_keys_are() -> None:
    """But where a program is edited."""
    bench = failing_then_right(Mode.APPROVE)
    app = make_app(bench)
    async with app.run_test(size=SIZE) as pilot:
        await question(pilot, "run")
        widths = set()
        for name in ("query", "code", "trace", "output", "attempts"):
            await pilot.press(str(PANES.index(name) + 1))
            await until(pilot, lambda name=name: bool(app.screen.query_one(f"#{name}").has_focus_within))
            widths.add((app.screen.query_one("#left").size.width, app.screen.query_one("#right").size.width))
        assert len(widths) == 1, widths


async def test_run_mine_while_it_is_paused_and_the_loop_goes_on_from_it() -> None:
    bench = failing_then_right(Mode.AUTO, ONE, TWO)
    bench.sandbox.hold = asyncio.Event()
    app = make_app(bench)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: bench.sandbox.running == 1)
        await pilot.press("2", "escape")
        await until(pilot, lambda: "pausing" in frame(app))
        await pilot.press("escape")
        await until(pilot, lambda: "paused" in frame(app))
        bench.sandbox.hold = None
        await pilot.press("e")
        await until(pilot, lambda: app.screen.query_one(CodePane).editing)
        app.screen.query_one(CodeView).load_text("print('mine')\n")
        await pilot.press("f2")
        await until(pilot, lambda: bench.journal.session.over)
    session = bench.journal.session
    assert [(a.author, a.parent) for a in session.attempts.values()] == [("rules", 0), ("person", 1), ("rules", 2)]
    assert [job.code for job in bench.sandbox.jobs] == [ONE, "print('mine')\n", TWO]


async def test_an_edit_that_was_begun_before_the_end_goes_on_after_it() -> None:
    bench = failing_then_right(Mode.AUTO)
    bench.sandbox.hold = asyncio.Event()
    specs: list[SessionSpec] = []
    app = make_app(bench, specs=specs)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: bench.sandbox.running == 1)
        await pilot.press("2", "e")
        await until(pilot, lambda: app.screen.query_one(CodePane).editing)
        app.screen.query_one(CodeView).load_text("print('mine')\n")
        bench.sandbox.hold.set()
        await until(pilot, lambda: bench.journal.session.over and not bench_screen(app).running)
        assert app.screen.query_one(CodeView).text == "print('mine')\n"
        await pilot.press("f2")
        await until(pilot, lambda: bench.sandbox.jobs[-1].code == "print('mine')\n")
        await until(pilot, lambda: not bench_screen(app).running)
        assert bench.names.count("SessionFinished") == 2
        assert specs[-1].act == Answer("edit", code="print('mine')\n")
        await pilot.press("R")
        await until(pilot, lambda: len(specs) == 3 and not bench_screen(app).running)
        bench_screen(app).post_message(QueryPane.Submitted("all cups on http://127.0.0.1/: title"))
        await until(pilot, lambda: len(specs) == 4 and not bench_screen(app).running)
    assert [(spec.act, spec.resume) for spec in specs[2:]] == [(None, "")] * 2, "what was done is not done again"


async def test_everything_can_be_read_while_it_is_paused() -> None:
    bench = failing_then_right(Mode.AUTO)
    app = make_app(bench)
    async with app.run_test(size=(80, 24)) as pilot:
        bench.sandbox.hold = asyncio.Event()
        await until(pilot, lambda: bench.sandbox.running == 1)
        await pilot.press("2", "escape")
        await until(pilot, lambda: "pausing" in frame(app))
        for number, name in enumerate(PANES, 1):
            await pilot.press(str(number))
            await until(pilot, lambda: f"╭─ {number} {name.capitalize()}" in frame(app), name)  # noqa: B023
        bench.sandbox.hold.set()
        await until(pilot, lambda: "paused" in frame(app))
        await pilot.press("f5")
        await until(pilot, lambda: bench.journal.session.over)


async def test_iterate_goes_on_to_the_next_approval() -> None:
    bench = failing_then_right(Mode.STEP)
    app = make_app(bench)
    async with app.run_test(size=SIZE) as pilot:
        await question(pilot, "phase")
        await until(pilot, lambda: "i  next iteration" in frame(app))
        await pilot.press("i")
        await question(pilot, "run")
        await leave(pilot, bench)
    assert bench.names.count("Asked") == 2


async def test_a_question_about_a_host_is_answered_by_a_which_goes_on_otherwise() -> None:
    bench = failing_then_right(Mode.AUTO, ONE)
    bench.options = Options(attended=True)
    bench.web.refusals = [("cdn.example", "https://cdn.example/[/]")]
    app = make_app(bench)
    async with app.run_test(size=SIZE) as pilot:
        await question(pilot, "host")
        await until(pilot, lambda: "a  allow" in frame(app) and "https://cdn.example/[/]" in frame(app))
        await pilot.press("a")
        await until(pilot, lambda: bench.journal.session.over)
    assert bench.web.allowed == ["cdn.example"]


@pytest.mark.parametrize("bell", [True, False])
async def test_an_answer_that_is_wanted_rings_and_retitles_until_it_is_given(bell: bool) -> None:
    bench = failing_then_right(Mode.APPROVE)
    app = make_app(bench, bell=bell)
    written: list[str] = []
    app.caller._write = written.append
    async with app.run_test(size=SIZE) as pilot:
        await question(pilot, "run")
        if bell:
            await until(pilot, lambda: "".join(written).endswith("\a"))
            assert "".join(written).startswith(KEEP_TITLE)
        await pilot.press("a")
        await question(pilot, "retry")
        await leave(pilot, bench)
    assert written == [] if not bell else written[-1] == TITLE_BACK
    assert "".join(written).count(KEEP_TITLE) == "".join(written).count(TITLE_BACK)


async def test_the_screen_leaves_the_pane_that_the_person_has_just_chosen() -> None:
    bench = failing_then_right(Mode.AUTO)
    bench.sandbox.hold = asyncio.Event()
    app = make_app(bench)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: bench.sandbox.running == 1)
        screen = bench_screen(app)
        screen._monotonic = lambda: 0.0
        await pilot.press("5")
        await until(pilot, lambda: "╭─ 5 Attempts" in frame(app) and screen._chose_at == 0.0)
        bench.programmer.hold = asyncio.Event()
        bench.sandbox.hold.set()
        await until(pilot, lambda: "ValueError" in frame(app))
        assert "╭─ 5 Attempts" in frame(app)
        screen._monotonic = lambda: 60.0
        bench.programmer.hold.set()
        await until(pilot, lambda: "╭─ 4 Output" in frame(app))
        assert bench.journal.session.over


async def test_a_session_that_is_over_says_why_and_what_the_keys_do() -> None:
    bench = failing_then_right(Mode.AUTO)
    app = make_app(bench)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "3 rows · wrote rows.csv" in frame(app))
        await until(pilot, lambda: " R  run again" in frame(app))
        assert "f3  home" in frame(app)
        assert "f8 Stop" not in frame(app)


async def test_the_question_stays_in_view_on_a_small_screen() -> None:
    bench = failing_then_right(Mode.APPROVE)
    app = make_app(bench)
    async with app.run_test(size=(80, 24)) as pilot:
        await question(pilot, "run")
        await pilot.press("a")
        await question(pilot, "retry")
        await until(pilot, lambda: "Q  stop" in frame(app))
        shown = frame(app)
        for text in ("a  repair it", "A  accept rows", "w  rewind", "1 query ", "attempt 1 of 4", "f1 Help"):
            assert text in shown
        await leave(pilot, bench)


async def test_a_session_that_is_put_away_late_says_nothing_of_the_one_begun_meanwhile() -> None:
    first, second = failing_then_right(Mode.AUTO), failing_then_right(Mode.AUTO)
    put_away, opened, left = asyncio.Event(), asyncio.Event(), asyncio.Event()
    coming = iter((first, second))

    @asynccontextmanager
    async def open_session(spec: SessionSpec) -> AsyncIterator[SessionHandle]:
        bench = next(coming)
        if bench is second:
            await opened.wait()
        await bench.open()
        try:
            yield SessionHandle(bench.journal, bench.gate, bench.loop, bench.blobs)
        finally:
            if bench is first:
                try:
                    await put_away.wait()
                finally:
                    left.set()

    nowhere = Path("/nonexistent")
    settings = Settings(data_dir=nowhere, config_dir=nowhere)
    app = WorkbenchApp(open_session, settings, query="all mugs on http://127.0.0.1/: title", start=True)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: app.workbench is not None and app.workbench.handle is not None)
        bench = bench_screen(app)
        await until(pilot, lambda: first.journal.session.over)
        before = bench.handle
        bench.action_again()
        await until(pilot, lambda: bench.running)
        assert not left.is_set(), "the one before is not cut short"
        put_away.set()
        await left.wait()
        await until(pilot, lambda: sum(worker.group == "session" for worker in app.workers) == 1)
        assert bench.running, "the second is on its way"
        opened.set()
        await until(pilot, lambda: bench.handle is not before)
        await until(pilot, lambda: second.journal.session.over)


async def test_a_session_whose_budget_is_spent_goes_on_with_another() -> None:
    bench = failing_then_right(Mode.AUTO)
    bench.options = Options(allowance=Allowance(attempts=1))
    app = make_app(bench)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "the budget of 1 attempts is spent" in frame(app) and " a  go on" in frame(app))
        await pilot.press("a")
        await until(pilot, lambda: bench.journal.session.over and "success" in frame(app))
        await pilot.press("a")
        await until(pilot, lambda: any("it ended well" in note.message for note in app._notifications))
    assert (list(bench.journal.session.attempts), bench.names.count("SessionFinished")) == ([1, 2], 2)


async def test_why_a_hint_led_nowhere_is_said_above_the_keys_until_something_is_answered() -> None:
    class Deaf(FakeProgrammer):
        def read_hint(self, text: str, brief: Brief) -> Preview:
            raise NotUnderstood("COLUMN is SELECTOR is understood")

    bench = Bench(Deaf("x = 1"), FakeSandbox(ran()), FakeCritic(RIGHT), mode=Mode.APPROVE)
    app = make_app(bench)
    async with app.run_test(size=SIZE) as pilot:
        await question(pilot, "run")
        await pilot.press("h", *"it", "enter")
        message = "hint: COLUMN is SELECTOR is understood"
        await until(pilot, lambda: message in foot(app) and " a  run it" in foot(app))
        assert not app._notifications
        await pilot.press("a")
        await until(pilot, lambda: "success" in foot(app))
        assert message not in foot(app)


def foot(app: WorkbenchApp) -> str:
    """What is below the panes."""
    return frame(app).rpartition("━━━")[2]
