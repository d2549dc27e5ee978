"""A replay is walked and played; what it shows is what the events add up to."""

from __future__ import annotations

from pathlib import Path

import pytest

from scrapewright.session import events as ev
from scrapewright.session.events import Mode
from scrapewright.session.state import replay
from scrapewright.tui.screens.home import HomeScreen
from scrapewright.tui.screens.replay import LONGEST, ReplayScreen, next_attempt, pause_before, slider
from tests.fakes.parts import RIGHT, Bench, FakeCritic, FakeProgrammer, FakeSandbox, ran, wrong
from tests.pilot.stage import bench_screen, frame, make_app, until


def two_attempts() -> Bench:
    files = {"rows.csv": b"title\nBlue mug\n"}
    return Bench(
        FakeProgrammer("print()\n", "print(1)\n"),
        FakeSandbox(ran(files), ran(files), files=files),
        FakeCritic(wrong(0.2), RIGHT),
        mode=Mode.AUTO,
    )


def test_long_waits_are_cut_short_and_speed_divides_them() -> None:
    def at(seconds: float) -> ev.Event:
        return ev.Noted(text="x", at=seconds)

    assert pause_before(at(0), at(1), 1) == 1
    assert pause_before(at(0), at(1), 10) == 0.1
    assert pause_before(at(0), at(500), 1) == LONGEST
    assert 0 < pause_before(at(5), at(5), 10) < 0.1


def test_the_slider_is_as_wide_as_asked_and_its_knob_goes_from_end_to_end() -> None:
    for width in (1, 7, 40):
        for count in (1, 5, 300):
            lines = ["".join(text for text, _ in slider(at, count, [1], width)) for at in range(1, count + 1)]
            assert {len(line) for line in lines} == {width}
            assert lines[0].index("●") == 0
            knobs = [line.index("●") for line in lines]
            assert knobs == sorted(knobs)
    assert "".join(text for text, _ in slider(40, 40, [], 40)).endswith("●")


async def test_it_goes_by_event_by_attempt_and_plays_to_the_end() -> None:
    bench = two_attempts()
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: bench_screen(app).handle is not None and bench.journal.session.over)
        events = bench.journal.events
        screen = ReplayScreen(events, bench.blobs)
        app.push_screen(screen)
        await until(pilot, lambda: f"replay {len(events)}/{len(events)}" in frame(app))
        second = next_attempt(events, len(events), -1)
        assert isinstance(events[second - 1], ev.CodeWritten)
        await pilot.press("shift+left")
        await until(pilot, lambda: screen.at == second)
        await pilot.press("left")
        await until(pilot, lambda: screen.at == second - 1)
        await pilot.press("shift+right", "right")
        await until(pilot, lambda: screen.at == second + 1)
        assert screen.view_state is not None
        assert screen.view_state.session == replay(events, screen.at)
        await pilot.press("home", "plus", "plus", "plus", "space")
        await until(pilot, lambda: "▶ 10x" in frame(app) or screen.at == len(events))
        await until(pilot, lambda: screen.at == len(events) and not screen.playing)
        assert screen.view_state.session == replay(events)


@pytest.mark.full
async def test_each_jump_goes_to_what_matters_in_the_program() -> None:
    files = {"rows.csv": b"title\nBlue mug\n"}
    above, below = "\n".join(f"a = {n}" for n in range(70)), "\n".join(f"b = {n}" for n in range(70))
    first = f"{above}\nrow = page.select_one('.old')\n{below}\n"
    sandbox, critic = FakeSandbox(ran(files), ran(files), files=files), FakeCritic(wrong(0.2), RIGHT)
    programmer = FakeProgrammer(first, first.replace(".old", ".new"))
    bench = Bench(programmer, sandbox, critic, mode=Mode.AUTO)
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: bench_screen(app).handle is not None and bench.journal.session.over)
        screen = ReplayScreen(bench.journal.events, bench.blobs)
        app.push_screen(screen)
        await until(pilot, lambda: app.screen is screen and "select_one('.new')" in frame(app))
        await pilot.press("home")
        await until(pilot, lambda: "no program yet" in frame(app))
        for key, seen in ((")", ".old"), (")", ".new"), ("(", ".old"), ("end", ".new")):
            await pilot.press(key)
            await until(pilot, lambda: f"select_one('{seen}')" in frame(app), f"{key}: {seen}")  # noqa: B023


async def test_a_step_stops_the_play() -> None:
    bench = two_attempts()
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: bench_screen(app).handle is not None and bench.journal.session.over)
        events = [
            type(e)(**{n: getattr(e, n) for n in e.__struct_fields__} | {"at": 1e9 * e.seq})
            for e in bench.journal.events
        ]
        screen = ReplayScreen(events, bench.blobs)
        app.push_screen(screen)
        await until(pilot, lambda: app.screen is screen and screen.view_state is not None)
        await pilot.press("space")
        await until(pilot, lambda: screen.playing)
        await pilot.press("right")
        await until(pilot, lambda: not screen.playing)


async def test_sessions_that_cannot_be_read_are_reported(tmp_path: Path) -> None:
    (tmp_path / "sessions").write_text("no folder")
    app = make_app(two_attempts(), start=False, data_dir=tmp_path)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        app.screen.post_message(HomeScreen.Opened("1122-abcd"))
        await until(pilot, lambda: "exists" in frame(app))
        assert isinstance(app.screen, HomeScreen)
