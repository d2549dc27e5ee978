"""The code pane: marks, hits, what is followed, the diff, and editing that loses nothing."""

from __future__ import annotations

import asyncio
import os
import stat
from pathlib import Path

import msgspec
import pytest
from textual.app import App

from scrapewright.session import events as ev
from scrapewright.session.events import Mode
from scrapewright.session.result import PROGRAM_AT_MOST
from scrapewright.session.state import replay
from scrapewright.tui import editor
from scrapewright.tui.panes.code import CodePane
from scrapewright.tui.screens.confirm import ConfirmScreen
from scrapewright.tui.view_state import ViewState
from scrapewright.tui.widgets.codeview import CodeView
from scrapewright.tui.widgets.rows import Rows
from tests.fakes.parts import RIGHT, Bench, FakeCritic, FakeProgrammer, FakeSandbox, crashed, ran, wrong
from tests.pilot.stage import bench_screen, frame, leave, make_app, question, until

LONG = "".join(f"a{n} = {n}\n" for n in range(1, 201))


def failing(*programs: str, line: int = 150, mode: Mode = Mode.APPROVE) -> Bench:
    return Bench(
        FakeProgrammer(*programs), FakeSandbox(crashed(line=line), ran()), FakeCritic(wrong(0.1), wrong(0.2), RIGHT),
        mode=mode,
    )  # fmt: skip


def pane_of(app: App[int]) -> CodePane:
    return app.screen.query_one(CodePane)


async def test_the_crashed_line_comes_into_view_with_its_mark() -> None:
    bench = failing(LONG)
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await question(pilot, "run")
        await pilot.press("a")
        await question(pilot, "retry")
        await until(pilot, lambda: "✖150  a150 = 150" in frame(app))
        await leave(pilot, bench)


async def test_hits_are_before_the_line_numbers_after_a_run() -> None:
    bench = failing(LONG)
    bench.sandbox.results = [msgspec.structs.replace(crashed(line=3), hits={"1": 1, "2": 1234, "3": 99_999})]
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await question(pilot, "run")
        assert "1.2k" not in frame(app)
        await pilot.press("a")
        await question(pilot, "retry")
        await until(pilot, lambda: " 1.2k   2  a2 = 2" in frame(app))
        assert "✖100k   3  a3 = 3" in frame(app)
        await leave(pilot, bench)


async def test_the_running_line_is_followed_until_the_person_scrolls() -> None:
    bench = failing(LONG)
    bench.sandbox.hold = asyncio.Event()
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await question(pilot, "run")
        await pilot.press("a")
        await until(pilot, lambda: "▶  3" in frame(app))
        bench.journal.tick(ev.LineReached(line=120))
        await until(pilot, lambda: "▶120  a120 = 120" in frame(app))
        view = pane_of(app).view
        view.focus()
        view.scroll_to(y=0, animate=False, force=True, immediate=True)
        assert view.left
        bench.journal.tick(ev.LineReached(line=180))
        await until(pilot, lambda: view._marks.get(179) == "running")
        assert "a1 = 1" in frame(app), "who scrolled is left in peace"
        await pilot.press("G")
        bench.journal.tick(ev.LineReached(line=90))
        await until(pilot, lambda: "▶ 90  a90 = 90" in frame(app))
        bench.sandbox.hold.set()
        await question(pilot, "retry")
        await leave(pilot, bench)


async def test_a_line_stays_marked_while_requests_are_made() -> None:
    bench = failing(LONG)
    bench.sandbox.hold = asyncio.Event()
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await question(pilot, "run")
        await pilot.press("a")
        await until(pilot, lambda: "▶  3" in frame(app))
        before = bench.journal.session.seq
        await bench.journal.append(ev.Noted(text="something happened"))
        await until(pilot, lambda: bench.journal.session.seq > before)
        for _ in range(5):
            await pilot.pause()
        assert "▶  3" in frame(app)
        bench.sandbox.hold.set()
        await question(pilot, "retry")
        await until(pilot, lambda: "▶" not in frame(app))
        await leave(pilot, bench)


async def test_a_program_that_is_written_shows_its_end() -> None:
    bench = failing(LONG)
    bench.programmer.hold = asyncio.Event()
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: bench.programmer.briefs != [])
        for start in range(1, 300, 10):
            text = "".join(f"b{n} = '''{n}'''\n" for n in range(start, start + 10))
            bench.journal.tick(ev.CodeStreamed(attempt=1, text=text))
        await until(pilot, lambda: "b300 = '''300'''" in frame(app))
        assert "being written" in frame(app)
        bench.journal.tick(ev.CodeStreamed(attempt=1, text="last = 1\n"))
        await until(pilot, lambda: "last = 1" in frame(app))
        bench.programmer.hold.set()
        await question(pilot, "run")
        await until(pilot, lambda: "attempt 1 by rules" in frame(app) and "a1 = 1" in frame(app))
        await leave(pilot, bench)


async def editing(pilot, app, bench: Bench) -> CodePane:  # type: ignore[no-untyped-def]
    await question(pilot, "run")
    await until(pilot, lambda: "x = 1" in frame(app))
    await pilot.press("e")
    pane = pane_of(app)
    await until(pilot, lambda: pane.editing and pane.view.has_focus)
    return pane


async def test_an_edit_can_be_undone_and_shows_that_it_is_one() -> None:
    bench = failing("x = 1\n")
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        pane = await editing(pilot, app, bench)
        await pilot.press("#", "1", "z", "j")
        await until(pilot, lambda: pane.view.text == "#1zjx = 1\n" and "● edited" in frame(app))
        pane.view.undo()
        await until(pilot, lambda: pane.view.text == "x = 1\n" and "● edited" not in frame(app))
        pane.view.redo()
        await until(pilot, lambda: pane.view.text == "#1zjx = 1\n")
        await pilot.press("f2")
        await until(pilot, lambda: len(bench.sandbox.jobs) == 1)
        assert bench.sandbox.jobs[0].code == "#1zjx = 1\n"
        await question(pilot, "retry")
        await leave(pilot, bench)


async def test_an_edit_that_is_left_is_kept() -> None:
    bench = failing("x = 1\n")
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        pane = await editing(pilot, app, bench)
        await pilot.press("#")
        await pilot.press("escape")
        await until(pilot, lambda: not pane.editing and pane.view.text == "x = 1\n")
        assert not bench.journal.session.pause_asked, "escape left the edit and nothing else"
        await until(pilot, lambda: "your edit is kept" in frame(app))
        pane.begin_edit("x = 1\n")
        await until(pilot, lambda: pane.view.text == "#x = 1\n" and "● edited" in frame(app))
        pane.view.undo()
        assert pane.view.text == "x = 1\n", "undo leads back to the program"
        pane.view.redo()
        await pilot.press("escape")
        await until(pilot, lambda: not pane.editing)
        pane.action_discard()
        pane.begin_edit("x = 1\n")
        await until(pilot, lambda: pane.view.text == "x = 1\n")
        await pilot.press("escape")
        await until(pilot, lambda: not pane.editing)
        await leave(pilot, bench)


async def test_what_happens_during_an_edit_does_not_touch_it() -> None:
    bench = failing("x = 1\n")
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        pane = await editing(pilot, app, bench)
        await pilot.press("#")
        bench.journal.tick(ev.CodeStreamed(attempt=1, text="other"))
        bench.journal.tick(ev.LineReached(line=1))
        await bench.journal.append(ev.Noted(text="something"))
        for _ in range(5):
            await pilot.pause()
        assert pane.view.text == "#x = 1\n"
        await pilot.press("escape")
        await until(pilot, lambda: not pane.editing)
        await leave(pilot, bench)


def an_editor(folder: Path, body: str) -> str:
    path = folder / "my editor"
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return f"'{path}'"


@pytest.mark.parametrize(
    ("body", "message"),
    [("exit 3", "ended with 3"), ("true", "nothing was changed"), (None, "no editor is set"), ("", "nothing was")],
)
async def test_an_editor_that_brings_nothing_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str | None, message: str
) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)
    if body is not None:
        monkeypatch.setenv("EDITOR", an_editor(tmp_path, body))
    bench = failing("x = 1\n")
    app = make_app(bench)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        monkeypatch.setattr(type(app._driver), "can_suspend", True)
        await question(pilot, "run")
        pane_of(app).edit_outside("x = 1\n")
        await until(pilot, lambda: message in frame(app))
        assert not pane_of(app).editing
        await leave(pilot, bench)


@pytest.mark.parametrize("first", ["", "kill -INT $PPID; "], ids=["", "after ctrl+c, which a terminal sends to both"])
async def test_what_the_editor_saved_comes_back_as_an_edit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: str
) -> None:
    monkeypatch.setenv("VISUAL", an_editor(tmp_path, first + 'echo "y = 2" >> "$1"'))
    bench = failing("x = 1\n")
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        monkeypatch.setattr(type(app._driver), "can_suspend", True)
        await question(pilot, "run")
        pane = pane_of(app)
        pane.edit_outside("x = 1\n")
        await until(pilot, lambda: pane.editing and pane.view.text == "x = 1\ny = 2\n" and "● edited" in frame(app))
        await pilot.press("f2")
        await until(pilot, lambda: len(bench.sandbox.jobs) == 1)
        assert bench.sandbox.jobs[0].code == "x = 1\ny = 2\n"
        await question(pilot, "retry")
        await leave(pilot, bench)


def test_an_editor_is_found_in_the_environment() -> None:
    assert editor.command({"VISUAL": "code --wait", "EDITOR": "vi"}) == ["code", "--wait"]
    assert editor.command({"VISUAL": " ", "EDITOR": "vi"}) == ["vi"]
    with pytest.raises(editor.EditorError, match="export EDITOR"):
        editor.command({})
    with pytest.raises(editor.EditorError, match="no command"):
        editor.command({"EDITOR": "vi '"})


async def test_slash_searches_the_code_and_n_goes_on() -> None:
    bench = failing(LONG)
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await question(pilot, "run")
        view = pane_of(app).view
        view.focus()
        await until(pilot, lambda: view.has_focus and "a1 = 1" in frame(app))
        await pilot.press("slash")
        await until(pilot, lambda: bool(app.screen.query("#search-text:focus")))
        await pilot.press(*"a15")
        await until(pilot, lambda: "1/11" in frame(app) and "a15 = 15" in frame(app))
        await pilot.press("enter")
        await until(pilot, lambda: view.has_focus)
        await pilot.press("n")
        await until(pilot, lambda: "2/11" in frame(app) and "a150 = 150" in frame(app))
        await pilot.press("N", "N")
        await until(pilot, lambda: "11/11" in frame(app))
        await pilot.press("escape")
        await until(pilot, lambda: "11/11" not in frame(app))
        assert not bench.journal.session.pause_asked
        await leave(pilot, bench)


async def test_slash_searches_rows_and_escape_ends_it() -> None:
    bench = failing("x = 1\n", "x = 2\n")
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await question(pilot, "run")
        pane = pane_of(app)
        pane.choose("diff")
        pane.focus_inside()
        await until(pilot, lambda: pane.query_one(Rows).has_focus)
        await pilot.press("slash")
        await until(pilot, lambda: bool(app.screen.query("#search-text:focus")))
        await pilot.press(*"nowhere")
        await until(pilot, lambda: "no match" in frame(app))
        await pilot.press("escape")
        await until(pilot, lambda: pane.query_one(Rows).has_focus and "no match" not in frame(app))
        await leave(pilot, bench)


async def test_a_step_or_frame_that_is_chosen_is_marked_and_shown() -> None:
    bench = failing(LONG, line=20)
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await question(pilot, "run")
        await pilot.press("a")
        await question(pilot, "retry")
        view_state = bench_screen(app).view_state
        assert view_state is not None
        view_state.step, view_state.line = 3, 170
        bench_screen(app).refresh_session()
        await until(pilot, lambda: "▸170  a170 = 170" in frame(app))
        view_state.forget()
        bench_screen(app).refresh_session()
        await until(pilot, lambda: "✖ 20  a20 = 20" in frame(app))
        await leave(pilot, bench)


def test_a_view_has_no_colour_it_can_not_read() -> None:
    view = CodeView()
    assert view._style("no colour", "auto 87%").color is None
    assert view._style("#ff0000", "ansi_blue").bgcolor is not None


@pytest.mark.parametrize(
    ("how", "line"),
    [
        ("follow", 2), ("goto", 150), pytest.param("follow", 150, marks=pytest.mark.full),
        pytest.param("goto", 2, marks=pytest.mark.full),
    ],
)  # fmt: skip
async def test_a_line_reported_behind_another_tab_is_in_view_as_if_it_were_in_front(how: str, line: int) -> None:
    bench = failing(LONG)
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await question(pilot, "run")
        pane = pane_of(app)
        view = pane.view
        await until(pilot, lambda: view.size.height > 0)
        getattr(view, how)(line)
        in_front = view.scroll_offset
        view.goto(0)
        pane.choose("diff")
        await until(pilot, lambda: view.size.height == 0)
        getattr(view, how)(line)
        assert view.scroll_offset.y == 0
        pane.choose("code")
        await until(pilot, lambda: view.size.height > 0 and view.scroll_offset == in_front)
        await leave(pilot, bench)


def said(app: App[int]) -> str:
    return "\n".join(note.message for note in app._notifications)


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_who_is_ended_ends_the_editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pid_file = tmp_path / "pid"
    monkeypatch.setenv("VISUAL", an_editor(tmp_path, f'echo $$ > "{pid_file}"; exec sleep 600'))
    bench = failing("x = 1\n")
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        monkeypatch.setattr(type(app._driver), "can_suspend", True)
        await question(pilot, "run")
        pane_of(app).edit_outside("x = 1\n")
        await until(pilot, lambda: pid_file.exists() and pid_file.read_text().endswith("\n"))
        app.exit(0)
        await until(pilot, lambda: not app.is_running)
    pid = int(pid_file.read_text())
    while is_there(pid):
        await asyncio.sleep(0.01)


async def test_a_second_key_starts_no_second_editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs, go = tmp_path / "runs", tmp_path / "go"
    body = f'echo run >> "{runs}"; while [ ! -e "{go}" ]; do sleep 0.01; done; echo "y = 2" >> "$1"'
    monkeypatch.setenv("VISUAL", an_editor(tmp_path, body))
    bench = failing("x = 1\n")
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        monkeypatch.setattr(type(app._driver), "can_suspend", True)
        await question(pilot, "run")
        pane = pane_of(app)
        pane.edit_outside("x = 1\n")
        pane.edit_outside("x = 1\n")
        await until(pilot, runs.exists)
        pane.edit_outside("x = 1\n")
        await pilot.pause()
        go.touch()
        await until(pilot, lambda: pane.editing)
        assert runs.read_text() == "run\n"
        assert pane.view.text == "x = 1\ny = 2\n"
        await pilot.press("escape")
        await until(pilot, lambda: not pane.editing)
        await leave(pilot, bench)


async def test_a_program_that_can_not_be_run_stays_in_the_editor() -> None:
    bench = failing("x = 1\n")
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        pane = await editing(pilot, app, bench)
        long = f"#{'much' * 250}\n" * (PROGRAM_AT_MOST // 1_000)
        pane.view.load_text(long)
        await pilot.press("f2")
        await until(pilot, lambda: "a program may have" in said(app) and pane.editing)
        assert pane.view.text == long
        pane.view.load_text("y = 2\n")
        await pilot.press("escape")
        await until(pilot, lambda: not pane.editing and "your edit is kept" in frame(app))
        pane.begin_edit("x = 1\n")
        assert pane.view.text == "y = 2\n"


async def test_an_edit_that_was_left_belongs_to_its_session() -> None:
    bench = failing("x = 1\n")
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        pane = await editing(pilot, app, bench)
        await pilot.press("#")
        await pilot.press("escape")
        await until(pilot, lambda: "your edit is kept" in frame(app))
        await leave(pilot, bench)
        begun, *rest = bench.journal.events
        other = ViewState(replay([msgspec.structs.replace(begun, session="another"), *rest]), bench.blobs)
        pane.show(other)
        await until(pilot, lambda: "your edit is kept" not in frame(app))
        assert not pane.check_action("discard", ())
        pane.show(bench_screen(app).view_state)
        await until(pilot, lambda: "your edit is kept" in frame(app))


@pytest.mark.parametrize("left", [False, True], ids=["in hand", "left"])
async def test_an_edit_is_not_lost_without_a_question_once_the_session_is_over(left: bool) -> None:
    bench = Bench(FakeProgrammer("x = 1\n"), FakeSandbox(ran()), FakeCritic(RIGHT), mode=Mode.AUTO)
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: bench.journal.session.over and "x = 1" in frame(app))
        await pilot.press("e")
        pane = pane_of(app)
        await until(pilot, lambda: pane.editing and pane.view.has_focus)
        await pilot.press("#", *(["escape"] if left else []))
        await until(pilot, lambda: pane.has_unrun_edit and pane.editing is not left)
        await pilot.press("ctrl+q")
        await until(pilot, lambda: "Your edit of the program has not run" in frame(app))
        await pilot.press("n")
        await until(pilot, lambda: not isinstance(app.screen, ConfirmScreen))
        assert pane.has_unrun_edit
        await pilot.press("ctrl+q", "ctrl+q")
        await until(pilot, lambda: not app.is_running)
