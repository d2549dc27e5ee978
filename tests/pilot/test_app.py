"""The application around its screens: what is typed early, quitting, Home, what a past session is read from."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.command import CommandList, CommandPalette
from textual.pilot import Pilot
from textual.screen import Screen

from scrapewright.loop.handle import SessionHandle
from scrapewright.options import QUERY_AT_MOST
from scrapewright.session import events as ev
from scrapewright.session.events import Mode
from scrapewright.session.exit_codes import ExitCode
from scrapewright.settings import Settings
from scrapewright.store.sessions import SessionStore
from scrapewright.tui import launch
from scrapewright.tui.app import WorkbenchApp
from scrapewright.tui.messages import SessionRequested
from scrapewright.tui.panes.code import CodePane
from scrapewright.tui.panes.query import QueryPane
from scrapewright.tui.screens.confirm import QUIT, ConfirmScreen, QuitScreen
from scrapewright.tui.screens.help import HelpScreen
from scrapewright.tui.screens.home import HomeScreen
from scrapewright.tui.screens.jump import JumpScreen
from scrapewright.tui.screens.replay import ReplayScreen
from scrapewright.tui.screens.save import Savable, SaveScreen
from scrapewright.tui.screens.workbench import WorkbenchScreen
from scrapewright.tui.session_spec import SessionSpec
from scrapewright.tui.widgets.detail import DetailScreen
from scrapewright.tui.widgets.questionbar import QuestionBar
from scrapewright.tui.widgets.request_input import RequestInput
from scrapewright.tui.widgets.rows import Rows
from scrapewright.tui.widgets.session_list import SessionList
from tests.fakes.parts import RIGHT, Bench, FakeCritic, FakeProgrammer, FakeSandbox, ran
from tests.pilot.stage import bench_screen, frame, leave, make_app, question, until
from tests.pilot.test_home import QUERY, SIZE, home_app, stored


def one_run(mode: Mode = Mode.AUTO) -> Bench:
    return Bench(FakeProgrammer("x = 1\n"), FakeSandbox(ran()), FakeCritic(RIGHT), mode=mode)


def full_app(folder: Path, bench: Bench) -> tuple[WorkbenchApp, list[SessionSpec]]:
    """Home first, and sessions that are the bench's."""
    opened: list[SessionSpec] = []

    @asynccontextmanager
    async def open_session(spec: SessionSpec) -> AsyncIterator[SessionHandle]:
        opened.append(spec)
        await bench.open()
        try:
            yield SessionHandle(bench.journal, bench.gate, bench.loop, bench.blobs)
        finally:
            await bench.journal.close()

    return WorkbenchApp(open_session, Settings(data_dir=folder, config_dir=folder), query=QUERY), opened


def type_in(app: WorkbenchApp, *keys: str) -> None:
    """All at once, without waiting for what comes of any."""
    for key in keys:
        app.post_message(events.Key({"?": "question_mark"}.get(key, key), key if len(key) == 1 else None))


async def settled(pilot: Pilot[int]) -> None:
    for _ in range(5):
        await pilot.pause()


async def to_past_sessions(pilot: Pilot[int]) -> None:
    app = pilot.app
    await until(pilot, lambda: isinstance(app.screen, HomeScreen) and len(app.screen.query_one(SessionList).shown) == 1)
    await pilot.press("f3")
    await until(pilot, lambda: app.focused is app.screen.query_one("#past-rows"))


# What is typed early.


async def test_what_is_typed_while_home_opens_is_text(tmp_path: Path) -> None:
    opens = asyncio.Event()

    class SlowHome(HomeScreen):
        async def on_mount(self) -> None:  # type: ignore[override]
            await opens.wait()

    app, _ = home_app(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        home = SlowHome(Settings(data_dir=tmp_path, config_dir=tmp_path))
        app.push_screen(home)
        type_in(app, *"?mugs")
        app.post_message(events.Paste(" on http://127.0.0.1/"))
        for _ in range(50):  # time enough for the keys to go wrong in
            await asyncio.sleep(0)
        opens.set()
        await until(
            pilot, lambda: home.is_mounted and home.query_one(RequestInput).text == "?mugs on http://127.0.0.1/"
        )
        assert app.screen is home


SCREENS: dict[str, Callable[[Bench], Screen[Any]]] = {
    "home": lambda bench: HomeScreen(Settings(data_dir=Path("/nonexistent")), over_session=True),
    "replay": lambda bench: ReplayScreen(bench.journal.events, bench.blobs),
    "help": lambda bench: HelpScreen([]),
    "jump": lambda bench: JumpScreen([]),
    "detail": lambda bench: DetailScreen("row", [("", "text")]),
    "confirm": lambda bench: QuitScreen(asyncio.Event().wait),
    "save": lambda bench: SaveScreen(Savable("rows", "rows.csv", bytes)),
}


@pytest.mark.parametrize("name", SCREENS)
async def test_no_key_is_too_early_for_a_screen(name: str) -> None:
    """A key that comes before the widgets that it is about breaks nothing."""
    bench = one_run()
    app = make_app(bench)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: bench_screen(app).handle is not None and bench.journal.session.over)
        screen = SCREENS[name](bench)
        closing = {"escape", "enter", "q", "y", "n", "ctrl+q", "f10"}
        early = sorted({*screen._bindings.key_to_bindings, "f2", "f9", "slash", "e"} - closing)
        app.push_screen(screen)
        type_in(app, *early)
        await until(pilot, lambda: screen.is_mounted)
        await settled(pilot)


async def test_two_keys_at_once_leave_jump_mode_and_nothing_else() -> None:
    bench = one_run(Mode.APPROVE)
    app = make_app(bench)
    async with app.run_test(size=SIZE) as pilot:
        await question(pilot, "run")
        await pilot.press("f")
        await until(pilot, lambda: isinstance(app.screen, JumpScreen))
        jump = app.screen
        app.push_screen(QuitScreen(asyncio.Event().wait))
        jump.post_message(events.Key("1", "1"))  # on its way when the question came
        await settled(pilot)
        assert app.screen.id == QUIT
        await app.pop_screen()
        type_in(app, "1", "2", "3")
        await until(pilot, lambda: isinstance(app.screen, WorkbenchScreen))
        await settled(pilot)
        assert app.screen is app.workbench
        assert bench.journal.session.question is not None
        await leave(pilot, bench)


async def test_keys_at_once_and_no_room_break_no_command_palette() -> None:
    bench = one_run(Mode.APPROVE)
    app = make_app(bench)
    async with app.run_test(size=(20, 4)) as pilot:
        await question(pilot, "run")
        await pilot.press("ctrl+p")
        await until(pilot, lambda: isinstance(app.screen, CommandPalette))
        listed = app.screen.query_one(CommandList)
        await until(pilot, lambda: listed.option_count > 0)
        assert not listed.scrollable_content_region
        type_in(app, "down", "pagedown", "pagedown", "pageup")
        await settled(pilot)
        await pilot.resize_terminal(*SIZE)
        await until(pilot, lambda: bool(listed.scrollable_content_region))
        type_in(app, "down", "enter", "enter", "enter")
        await until(pilot, lambda: isinstance(app.screen, WorkbenchScreen))
        await settled(pilot)
        assert app.screen is app.workbench
        await leave(pilot, bench)


# Leaving.


async def test_a_session_that_is_only_starting_can_be_quit() -> None:
    never = asyncio.Event()

    @asynccontextmanager
    async def open_session(spec: SessionSpec) -> AsyncIterator[SessionHandle]:
        await never.wait()
        yield  # type: ignore[misc]

    nowhere = Path("/nonexistent")
    app = WorkbenchApp(open_session, Settings(data_dir=nowhere, config_dir=nowhere), query=QUERY, start=True)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: app.workbench is not None and app.workbench.running)
        await pilot.press("ctrl+q")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen) and app.screen.is_mounted)
        await pilot.press("y")
        await until(pilot, lambda: not app.is_running)
    assert app.return_value == 0


async def test_the_keys_live_while_what_a_session_started_ends(tmp_path: Path) -> None:
    bench, ended = one_run(Mode.APPROVE), asyncio.Event()
    app = make_app(bench)
    opened = app._open_session

    @asynccontextmanager
    async def slow_to_end(spec: SessionSpec) -> AsyncIterator[SessionHandle]:
        async with opened(spec) as handle:
            yield handle
        await ended.wait()

    app._open_session = slow_to_end
    async with app.run_test(size=SIZE) as pilot:
        await question(pilot, "run")
        await pilot.press("ctrl+q")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen) and app.screen.is_mounted)
        await pilot.press("Q")
        await until(pilot, lambda: bench.journal.session.over and isinstance(app.screen, WorkbenchScreen))
        await pilot.press("f1")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))
        assert app.is_running
        ended.set()
        await until(pilot, lambda: not app.is_running)


async def test_a_session_at_work_is_suspended_and_goes_on_where_it_was() -> None:
    bench = one_run(Mode.APPROVE)
    app = make_app(bench)
    async with app.run_test(size=SIZE) as pilot:
        await question(pilot, "run")
        await pilot.press("ctrl+q")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen) and app.screen.is_mounted)
        await pilot.press("ctrl+q")
        await until(pilot, lambda: not app.is_running)
    assert (app.return_value, bench.journal.session.over, bench.names[-1]) == (0, False, "Asked")
    async with make_app(bench).run_test(size=SIZE) as pilot:
        assert (await asked_again(pilot, bench)).prompt == "run attempt 1?"
        await pilot.press("a")
        await until(pilot, lambda: bench.journal.session.over)
    assert list(bench.journal.session.attempts) == [1]


async def test_the_question_before_quitting_tells_that_the_session_has_ended_meanwhile() -> None:
    bench = one_run()
    bench.sandbox.hold = asyncio.Event()
    app = make_app(bench)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: bench.journal.session.phase is ev.Phase.RUNNING)
        await pilot.press("ctrl+q")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen) and app.screen.is_mounted)
        assert "stop it" in frame(app)
        bench.sandbox.hold.set()
        await until(pilot, lambda: "has come to its end" in frame(app))
        assert "stop it" not in frame(app)
        await pilot.press("Q")
        await settled(pilot)
        assert app.screen.id == QUIT
        await pilot.press("y")
        await until(pilot, lambda: not app.is_running)
    assert app.return_value == 0


async def test_what_was_done_as_the_session_is_suspended_is_not_lost() -> None:
    bench, opens = one_run(), asyncio.Event()
    app = make_app(bench)
    opened = app._open_session

    @asynccontextmanager
    async def slow_to_open(spec: SessionSpec) -> AsyncIterator[SessionHandle]:
        if spec.act is not None:
            await opens.wait()
        async with opened(spec) as handle:
            yield handle

    app._open_session = slow_to_open
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: bench_screen(app).handle is not None and bench.journal.session.over)
        await until(pilot, lambda: not bench_screen(app).running)
        bench.sandbox.hold = asyncio.Event()
        app.screen.query_one(CodePane).post_message(CodePane.Edited("x = 2\n"))
        await until(pilot, lambda: bench_screen(app).running)
        await pilot.press("ctrl+q")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen) and app.screen.is_mounted)
        await pilot.press("y")
        await until(pilot, lambda: isinstance(app.screen, WorkbenchScreen))
        opens.set()
        await until(pilot, lambda: not app.is_running)
    assert ("Intervened" in bench.names, bench.journal.session.over) == (True, False)


async def asked_again(pilot: Pilot[int], bench: Bench) -> ev.Asked:
    await question(pilot, "run")
    asked = bench.journal.session.question
    assert asked is not None
    return asked


async def test_ctrl_c_copies_what_is_selected_in_a_text_and_stops_nothing() -> None:
    bench = one_run(Mode.APPROVE)
    app = make_app(bench)
    async with app.run_test(size=SIZE) as pilot:
        await question(pilot, "run")
        pane = app.screen.query_one(CodePane)
        await until(pilot, lambda: "x = 1" in pane.view.text)
        await pilot.press("2")
        await until(pilot, lambda: pane.view.has_focus)
        pane.view.select_all()
        await pilot.press("ctrl+c")
        await settled(pilot)
        assert app.clipboard == "x = 1\n"
        assert bench.journal.session.question is not None
        await leave(pilot, bench)


def test_an_application_that_breaks_down_is_no_success(capsys: pytest.CaptureFixture[str]) -> None:
    class Broken(WorkbenchApp):
        async def run_async(self, **_: object) -> int | None:
            return await super().run_async(headless=True, size=SIZE)

        def on_ready(self) -> None:
            raise RuntimeError("a mistake of ours")

    nowhere = Path("/nonexistent")
    app = Broken(lambda spec: None, Settings(data_dir=nowhere, config_dir=nowhere))  # type: ignore[arg-type, return-value]
    assert launch._run(app) == 1
    assert "a mistake of ours" in capsys.readouterr().err


def test_what_a_terminal_can_not_write_takes_one_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    class Drawn(WorkbenchApp):
        async def run_async(self, **_: object) -> int:
            print("╭─", file=sys.__stderr__, end="", flush=True)
            return 0

    drawn = BytesIO()
    stream = TextIOWrapper(drawn, "ascii", "backslashreplace")
    monkeypatch.setattr(sys, "__stderr__", stream)
    nowhere = Path("/nonexistent")
    launch._run(Drawn(lambda spec: None, Settings(data_dir=nowhere, config_dir=nowhere)))  # type: ignore[arg-type, return-value]
    assert drawn.getvalue() == b"??"
    assert stream.errors == "backslashreplace"


# Home, the session, and a past one.


@pytest.mark.parametrize("turns", [0, 2, *(pytest.param(turns, marks=pytest.mark.full) for turns in (1, 3))])
async def test_a_request_that_is_sent_twice_is_one_session(tmp_path: Path, turns: int) -> None:
    bench = one_run(Mode.APPROVE)
    app, opened = full_app(tmp_path, bench)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "enter runs" in frame(app))
        for _ in range(2):
            type_in(app, "enter")
            for _ in range(turns):
                await asyncio.sleep(0)
        await until(pilot, lambda: app.workbench is not None and len(app.screen.query(QuestionBar)) == 1)
        await question(pilot, "run")
        assert len(opened) == 1
        await leave(pilot, bench)


async def test_a_request_that_is_read_behind_another_screen_leaves_home(tmp_path: Path) -> None:
    bench = one_run(Mode.APPROVE)
    app, _ = full_app(tmp_path, bench)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "enter runs" in frame(app))
        home = app.screen
        assert isinstance(home, HomeScreen)
        await pilot.press("f1")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))
        home.action_start()
        await until(pilot, lambda: app.workbench is not None and len(app.screen.query(QuestionBar)) == 1)
        await question(pilot, "run")
        assert [type(screen) for screen in app.screen_stack[1:]] == [WorkbenchScreen]
        await leave(pilot, bench)


async def test_another_request_does_not_start_from_the_program_of_the_one_before(tmp_path: Path) -> None:
    bench = one_run()
    app, opened = full_app(tmp_path, bench)
    async with app.run_test(size=SIZE) as pilot:
        app.post_message(SessionRequested(SessionSpec(QUERY, program="x = 0\n")))
        await until(pilot, lambda: app.workbench is not None and app.workbench.handle is not None)
        await until(pilot, lambda: bench.journal.session.over)
        app.screen.post_message(QueryPane.Submitted(QUERY))
        await until(pilot, lambda: len(opened) == 2)
        assert (opened[1].text, opened[1].program) == (QUERY, "")
        await until(pilot, lambda: not bench_screen(app).running)


async def test_a_start_that_fails_leaves_the_request_to_be_written_anew(tmp_path: Path) -> None:
    app, specs = home_app(tmp_path, QUERY)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "enter runs" in frame(app))
        await pilot.press("enter")
        await until(pilot, lambda: any("no sessions here" in note.message for note in app._notifications))
        await until(pilot, lambda: app.focused is app.screen.query_one("#query-text"))
        await pilot.press("!", "enter")
        await until(pilot, lambda: [spec.text for spec in specs] == [QUERY, f"{QUERY}!"])


async def test_a_request_that_is_too_long_stays_on_home(tmp_path: Path) -> None:
    app, specs = home_app(tmp_path, QUERY + " book" * QUERY_AT_MOST)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "enter runs" in frame(app))
        await pilot.press("enter")
        await until(pilot, lambda: "are the most it may have" in frame(app))
        assert isinstance(app.screen, HomeScreen)
        assert specs == []


async def test_the_help_on_home_tells_the_keys_of_what_has_the_focus(tmp_path: Path) -> None:
    stored(tmp_path, QUERY, outcome="success", code="x = 1\n")
    app, _ = home_app(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await to_past_sessions(pilot)
        await pilot.press("f1")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen) and app.screen.is_mounted)
        rows = app.screen.query_one(Rows)
        keys = [rows.line_text(row).split() for row in range(rows.row_count)]
        assert ["c", "Continue"] in keys
        assert ["x", "del", "Remove"] in keys


async def test_f3_leads_from_a_past_session_back_to_home(tmp_path: Path) -> None:
    stored(tmp_path, QUERY, outcome="success", code="x = 1\n")
    app, _ = home_app(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await to_past_sessions(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen))
        await pilot.press("f3")
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        assert len(app.screen_stack) == 2


async def test_a_replay_is_gone_on_from_in_its_session(tmp_path: Path) -> None:
    name = stored(tmp_path, QUERY, outcome="success", code="x = 1\n")
    opened: list[SessionSpec] = []
    app = WorkbenchApp(opened.append, Settings(data_dir=tmp_path, config_dir=tmp_path), replay=name)  # type: ignore[arg-type]
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen) and "go on in this session" in frame(app))
        await pilot.press("c")
        await until(pilot, lambda: bool(opened))
        assert isinstance(app.screen, WorkbenchScreen)
    assert opened == [SessionSpec(QUERY, resume=name)]


async def test_a_past_session_of_which_nothing_can_be_read_ends_its_replay(tmp_path: Path) -> None:
    with SessionStore(tmp_path) as store:
        file = store.own(store.new_id())
        store._rows.set(f"{file.name}/1", b"no event", tag=file.name)
        file.release()
    app = WorkbenchApp(lambda spec: None, Settings(data_dir=tmp_path, config_dir=tmp_path), replay=file.name)  # type: ignore[arg-type, return-value]
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: not app.is_running)
    assert app.return_value == ExitCode.UNREPAIRED


# The focus.


async def test_the_pane_in_front_has_the_focus_at_every_size() -> None:
    bench = one_run(Mode.APPROVE)
    app = make_app(bench)
    async with app.run_test(size=SIZE) as pilot:
        await question(pilot, "run")
        for pane in (3, 4, 2):
            await pilot.press(str(pane))
            for width, height in ((20, 5), (80, 24), (12, 3), (200, 60)):
                await pilot.resize_terminal(width, height)
                await until(pilot, lambda: app.screen.query_one(f"#{bench_screen(app)._front}").has_focus_within)
        await leave(pilot, bench)


async def test_what_had_the_focus_when_the_terminal_lost_it_has_it_again() -> None:
    bench = one_run(Mode.APPROVE)
    app = make_app(bench)
    async with app.run_test(size=SIZE) as pilot:
        await question(pilot, "run")
        await pilot.press("h")
        hint = app.screen.query_one("#question Input")
        await until(pilot, lambda: hint.has_focus)
        app.post_message(events.AppBlur())
        await until(pilot, lambda: app.focused is None)
        await pilot.resize_terminal(90, 30)
        await settled(pilot)
        app.post_message(events.AppFocus())
        await until(pilot, lambda: hint.has_focus)
        await leave(pilot, bench)
