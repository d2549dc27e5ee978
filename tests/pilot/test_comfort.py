"""Help, jumps, the palette, palettes of colours, keys of one's own, the mouse, copying, quitting."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest
from textual.command import CommandPalette

from scrapewright.assets import themes_dir
from scrapewright.session import events as ev
from scrapewright.session.events import Mode
from scrapewright.tui.commands import commands
from scrapewright.tui.screens.help import HelpScreen
from scrapewright.tui.screens.jump import JumpScreen, targets
from scrapewright.tui.themes import palettes
from scrapewright.tui.widgets.keyline import KeyLine
from tests.fakes.parts import RIGHT, Bench, FakeCritic, FakeProgrammer, FakeSandbox, crashed, ran, wrong
from tests.pilot.stage import bench_screen, frame, leave, make_app, question, session_screen, until
from tests.suite import FULL

CODE = "import requests\n\nx = float(text)\n"
SIZE = (120, 40)


def a_run(mode: Mode = Mode.APPROVE) -> Bench:
    return Bench(
        FakeProgrammer(CODE, CODE.replace("float", "price")), FakeSandbox(crashed(line=3), ran()),
        FakeCritic(wrong(), RIGHT), mode=mode,
    )  # fmt: skip


async def test_help_tells_of_the_pane_the_session_and_the_rest() -> None:
    bench = a_run()
    app = make_app(bench)
    async with app.run_test(size=(120, 60)) as pilot:
        await question(pilot, "run")
        await pilot.press("3", "f1")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))
        await until(pilot, lambda: "How it ran" in frame(app))
        shown = frame(app)
        for text in ("Trace", "Next tab", "Now, in this session", "Go", "m  f6", "Everywhere", "At other times"):
            assert text in shown, text
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is bench_screen(app))
        await pilot.press("4", "question_mark")
        await until(pilot, lambda: "What came out" in frame(app))
        await pilot.press("q")
        await until(pilot, lambda: app.screen is bench_screen(app))
        await leave(pilot, bench)


async def test_help_fits_a_narrow_terminal() -> None:
    bench = a_run()
    app = make_app(bench)
    async with app.run_test(size=(80, 24)) as pilot:
        await question(pilot, "run")
        await pilot.press("2", "f1")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen) and "crashed here" in frame(app))
        assert "›" not in frame(app)
        await pilot.press("G")
        await until(pilot, lambda: "answer-go" in frame(app))
        assert "›" not in frame(app)
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is bench_screen(app))
        await leave(pilot, bench)


async def test_keys_shown_as_a_pair_have_one_line() -> None:
    bench = a_run()
    app = make_app(bench)
    async with app.run_test(size=(120, 60)) as pilot:
        await question(pilot, "run")
        await pilot.press("3", "f1")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen) and "Tab before / Next tab" in frame(app))
        assert "Step back / Step forth" in frame(app)
        assert sum("Next tab" in line or "Tab before" in line for line in frame(app).splitlines()) == 2, (
            "and the footer"
        )
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is bench_screen(app))
        await leave(pilot, bench)


async def test_help_shows_the_keys_as_they_were_remapped() -> None:
    bench = a_run()
    app = make_app(bench, keys={"mode": "ctrl+y"})
    async with app.run_test(size=(120, 60)) as pilot:
        await question(pilot, "run")
        await pilot.press("f1")
        await until(pilot, lambda: "^y" in frame(app))
        await pilot.press("escape")
        await pilot.press("ctrl+y", "1")
        await until(pilot, lambda: bench.journal.session.mode is Mode.STEP)
        await leave(pilot, bench)


async def test_a_remapped_answer_is_shown_and_taken() -> None:
    bench = a_run()
    app = make_app(bench, keys={"answer-go": "K"})
    async with app.run_test(size=SIZE) as pilot:
        await question(pilot, "run")
        await until(pilot, lambda: "K  run it" in frame(app))
        await pilot.press("1")
        bench_screen(app).set_focus(None)
        await pilot.press("a")
        await pilot.press("K")
        await question(pilot, "retry")
        await leave(pilot, bench)
    assert len([e for e in bench.journal.events if isinstance(e, ev.Answered)]) == 2


async def test_keys_that_make_no_sense_are_reported() -> None:
    app = make_app(a_run(), start=False, keys={"stpo": "f8", "mode": "f5"})
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await until(pilot, lambda: len(app._notifications) == 2)
        messages = sorted(note.message for note in app._notifications)
        assert messages[1] == "[keys] stpo: there is no such command; did you mean stop?"
        assert messages[0] == "[keys] one key for two commands: f5 is mode and resume"


@pytest.mark.parametrize("size", [(120, 40), (80, 24)])
async def test_jumping_to_every_pane_and_tab(size: tuple[int, int]) -> None:
    bench = a_run()
    app = make_app(bench)
    async with app.run_test(size=size) as pilot:
        await question(pilot, "run")
        screen = session_screen(app)
        await pilot.press("2", "f")
        await until(pilot, lambda: isinstance(app.screen, JumpScreen))
        found = dict(app.screen._found)  # type: ignore[attr-defined]
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is screen)
        hidden = {"page"} if size[0] > 100 else set()  # it takes the place of others where they are side by side
        panes = {"query", "code", "trace", "output", "attempts", "page"}
        assert {target.pane for target in found.values()} == panes - hidden
        if size[0] > 100:
            assert ("trace", "steps") in {(t.pane, t.tab) for t in found.values()}
        wanted = [("trace", "steps"), ("output", "stdout"), ("attempts", "")] if size[0] > 100 else [("output", "")]
        for target in [t for t in found.values() if (t.pane, t.tab) in wanted]:
            await pilot.press("2", "ctrl+o")
            await until(pilot, lambda: isinstance(app.screen, JumpScreen))
            letter = next(key for key, t in app.screen._found.items()  # type: ignore[attr-defined]
                          if (t.pane, t.tab) == (target.pane, target.tab))  # fmt: skip
            await pilot.press(letter)
            await until(pilot, lambda: app.screen is screen)
            await until(pilot, lambda: (p := screen.pane_of(screen.focused)) is not None and p.id == target.pane)  # noqa: B023
            if target.tab:
                assert screen.query_one(f"#{target.pane}").tab == target.tab  # type: ignore[attr-defined]
        await leave(pilot, bench)


async def test_letters_are_where_they_lead() -> None:
    bench = a_run()
    app = make_app(bench)
    async with app.run_test(size=SIZE) as pilot:
        await question(pilot, "run")
        screen = session_screen(app)
        lines = frame(app).splitlines()
        for target in targets(screen, ()):
            if target.tab:
                assert lines[target.y][target.x :].startswith(f" {target.tab} ")
            else:
                assert target.pane in lines[target.y][target.x : target.x + 12].lower()
        await leave(pilot, bench)


async def test_the_palette_has_the_commands_that_are_valid_and_runs_them() -> None:
    bench = a_run()
    app = make_app(bench)
    async with app.run_test(size=SIZE) as pilot:
        await question(pilot, "run")
        await pilot.press("2")
        found = {command.title: command for command in commands(app, app.screen, app._palettes)}
        for title in ("Go on", "Hint", "Edit", "Mode", "Stop", "Help", "Home", "Jump", "Copy", "Maximise", "Quit"):
            assert title in found, title
        assert "Run again" not in found
        assert "Theme: paper" in found
        await pilot.press("ctrl+p")
        await until(pilot, lambda: isinstance(app.screen, CommandPalette))
        await pilot.press(*"mode")
        await until(pilot, lambda: "key m" in frame(app))
        await pilot.press("down", "enter")
        await until(pilot, lambda: "When is it to ask?" in frame(app))
        await pilot.press("up", "enter")
        await until(pilot, lambda: bench.journal.session.mode is Mode.STEP)
        await until(pilot, lambda: app.screen is bench_screen(app))
        await leave(pilot, bench)


@pytest.mark.parametrize("folder", ["Downloads", ""])
async def test_a_picture_is_saved_also_where_there_are_no_downloads(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DOWNLOAD_DIR", raising=False)
    (tmp_path / folder).mkdir(exist_ok=True)
    bench = Bench(FakeProgrammer("x = 1\n"), FakeSandbox(ran()), FakeCritic(RIGHT))
    app = make_app(bench)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: bench.journal.session.over)
        (command,) = (c for c in commands(app, app.screen, ()) if c.title.startswith("Save a picture"))
        command.callback()
        await until(pilot, lambda: list((tmp_path / folder).glob("*.svg")) != [])


async def test_every_palette_draws_every_pane() -> None:
    bench = a_run()
    first, *others = sorted(palettes()[0])[:: 1 if FULL else 4]
    app = make_app(bench, theme=first)
    async with app.run_test(size=SIZE) as pilot:
        await question(pilot, "run")
        await pilot.press("a")
        await question(pilot, "retry")
        assert app.theme == first
        for name in (first, *others):
            app.theme = name
            ground = (palettes()[0][name].theme.background or "").lower()
            await until(pilot, lambda: app.theme_variables["background"].lower() == ground, name)  # noqa: B023
            await until(pilot, lambda: "ValueError" in frame(app) and "x = float(text)" in frame(app), name)
            await pilot.press("f1")
            await until(pilot, lambda: isinstance(app.screen, HelpScreen) and "How it ran" in frame(app), name)
            await pilot.press("escape")
            await until(pilot, lambda: app.screen is bench_screen(app), name)
        await leave(pilot, bench)


async def test_a_theme_is_taken_from_the_palette_and_how_to_keep_it_is_shown(tmp_path: Path) -> None:
    app = make_app(a_run(), start=False, config_dir=tmp_path)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await until(pilot, lambda: app.theme == "slate")
        command = next(c for c in commands(app, app.screen, app._palettes) if c.title == "Theme: paper")
        await command.callback()  # type: ignore[misc]
        await until(pilot, lambda: app.theme == "paper")
        await until(pilot, lambda: len(app._notifications) == 1)
        messages = [note.message for note in app._notifications]
        assert messages == [f'theme = "paper" in {tmp_path}/config.toml keeps it']
        assert set(app.available_themes) == set(palettes()[0]), "theirs would lack the marks"


@pytest.mark.full
async def test_a_theme_of_ones_own_is_followed_as_it_is_written(tmp_path: Path) -> None:
    folder = tmp_path / "themes"
    folder.mkdir()
    text = (themes_dir() / "slate.toml").read_text().replace('name = "slate"', 'name = "mine"')
    (folder / "mine.toml").write_text(text)
    app = make_app(a_run(), start=False, config_dir=tmp_path, theme="mine")
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await until(pilot, lambda: app.theme == "mine")
        (folder / "mine.toml").write_text(text.replace('background = "#15181d"', 'background = "#102030"') + "# new\n")
        await until(pilot, lambda: app.theme_variables["background"] == "#102030")
        await until(pilot, lambda: app.screen.styles.background.hex == "#102030")
        (folder / "mine.toml").write_text(text + "# worse\nkeyword = 3\n")
        await until(pilot, lambda: len(app._notifications) == 1)
        assert "mine.toml" in next(iter(app._notifications)).message
        assert app.theme == "mine", "what was right before stays"
        (folder / "other.toml").write_text(text.replace('"mine"', '"other"'))
        (folder / "mine.toml").write_text(text)
        await until(pilot, lambda: "other" in app.available_themes)


async def test_a_theme_that_is_not_there_is_reported() -> None:
    app = make_app(a_run(), start=False, theme="slat")
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await until(pilot, lambda: app.theme == "slate")
        assert "there is no theme 'slat'" in next(iter(app._notifications)).message


async def test_no_color_is_heeded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    bench = a_run()
    app = make_app(bench)
    async with app.run_test(size=SIZE) as pilot:
        await question(pilot, "run")
        await until(pilot, lambda: "run it" in frame(app))
        colors = set(re.findall(r"fill: ?(#[0-9a-f]{6})", app.export_screenshot()))
        await leave(pilot, bench)
    from_the_frame = {"#ff5f57", "#febc2e", "#28c840", "#c5c8c6", "#292929"}  # the picture's own window buttons
    grey = {c for c in colors - from_the_frame if len({c[1:3], c[3:5], c[5:7]}) == 1}
    assert colors - from_the_frame == grey


async def test_a_pane_over_the_whole_screen_and_back() -> None:
    bench = a_run()
    app = make_app(bench)
    async with app.run_test(size=SIZE) as pilot:
        await question(pilot, "run")
        await pilot.press("3", "z")
        await until(pilot, lambda: "╭─ 2 Code" not in frame(app) and "╭─ 3 Trace" in frame(app))
        await until(pilot, lambda: "run it" in frame(app), "the question is there all the same")
        await pilot.press("z")
        await until(pilot, lambda: "╭─ 2 Code" in frame(app))
        await leave(pilot, bench)


async def test_the_mouse_focuses_panes_tabs_and_keys() -> None:
    bench = a_run()
    app = make_app(bench)
    async with app.run_test(size=SIZE) as pilot:
        await question(pilot, "run")
        screen = session_screen(app)
        await pilot.click("#attempts")
        await until(pilot, lambda: (p := screen.pane_of(screen.focused)) is not None and p.id == "attempts")
        await pilot.click("#trace .tabs", offset=(len(" frames  "), 0))
        await until(pilot, lambda: screen.query_one("#trace").tab == "steps")  # type: ignore[attr-defined]
        keys = screen.query_one(KeyLine)
        at = frame(app).splitlines()[keys.region.y].index("Mode")
        await pilot.click(offset=(at, keys.region.y))
        await until(pilot, lambda: "When is it to ask?" in frame(app))
        await pilot.press("1")
        await until(pilot, lambda: bench.journal.session.mode is Mode.STEP)
        await leave(pilot, bench)


async def test_the_picker_of_a_narrow_screen_takes_clicks() -> None:
    bench = a_run()
    app = make_app(bench)
    async with app.run_test(size=(80, 24)) as pilot:
        await question(pilot, "run")
        await until(pilot, lambda: "╭─ 2 Code" in frame(app))
        await pilot.click("#picker", offset=(frame(app).splitlines()[1].index("output"), 0))
        await until(pilot, lambda: "╭─ 4 Output" in frame(app))
        await leave(pilot, bench)


async def test_y_copies_what_has_the_focus(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    bench = a_run(Mode.AUTO)
    app = make_app(bench)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await until(pilot, lambda: bench_screen(app).handle is not None and bench.journal.session.over)
        screen = session_screen(app)
        await until(pilot, lambda: "run again" in frame(app))
        screen.choose_tab("trace", "steps")
        await pilot.press("3", "y")
        await until(pilot, lambda: "steps recorded" in app.clipboard)
        assert any(note.message.startswith("copied") for note in app._notifications)


async def test_a_progress_with_a_total_is_a_bar() -> None:
    bench = a_run(Mode.AUTO)
    bench.sandbox.hold = asyncio.Event()
    app = make_app(bench)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: bench.sandbox.running == 1)
        bench.journal.tick(ev.Progressed(attempt=1, what="pages", done=3, total=5))
        await until(pilot, lambda: "━ 3/5 pages" in frame(app).splitlines()[0])
        bench.sandbox.hold.set()
        await until(pilot, lambda: "success" in frame(app).splitlines()[0])
        assert "3/5" not in frame(app)


@pytest.mark.parametrize(("size", "tall"), [((120, 24), 5), ((120, 40), 8)])
async def test_a_short_screen_leaves_the_room_to_the_code(size: tuple[int, int], tall: int) -> None:
    bench = a_run()
    app = make_app(bench)
    async with app.run_test(size=size) as pilot:
        await question(pilot, "run")
        screen = session_screen(app)
        await until(pilot, lambda: screen.query_one("#attempts").region.height == tall)
        await until(pilot, lambda: screen.query_one("#query").region.height == 4)
        await leave(pilot, bench)


async def test_the_query_grows_while_it_has_the_focus() -> None:
    bench = a_run()
    app = make_app(bench)
    async with app.run_test(size=SIZE) as pilot:
        await question(pilot, "run")
        await leave(pilot, bench)
        await until(pilot, lambda: bench_screen(app).shown == bench.journal.session.seq)
        pane = session_screen(app).query_one("#query")
        session_screen(app).action_pane("query")
        await until(pilot, lambda: pane.region.height == 12)
        session_screen(app).action_pane("code")
        await until(pilot, lambda: pane.region.height == 4)


async def test_quitting_with_nothing_at_work_asks_nothing() -> None:
    app = make_app(a_run(), start=False)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("f10")
        await until(pilot, lambda: not app.is_running)


async def test_a_remark_covers_neither_the_question_nor_the_keys() -> None:
    bench = a_run()
    app = make_app(bench)
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await question(pilot, "run")
        bench_screen(app).say("a remark " * 9)
        await until(pilot, lambda: "a remark a remark" in frame(app))
        for said in ("run attempt 1?", "a  run it", "Q  stop", "f1 Help"):
            assert said in frame(app)
        await leave(pilot, bench)
