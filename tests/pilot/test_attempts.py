"""The list of attempts: which one is looked at, which two are compared, and branches drawn as a tree."""

from __future__ import annotations

from typing import Any

from textual.app import App
from textual.pilot import Pilot

from scrapewright.session.attempt import AttemptState
from scrapewright.session.events import Mode
from scrapewright.session.state import Session
from scrapewright.session.verdict import Verdict
from scrapewright.tui.app import WorkbenchApp
from scrapewright.tui.panes.attempts import AttemptsPane
from scrapewright.tui.panes.code import CodePane
from scrapewright.tui.view.attempts import attempt_lines, in_order
from tests.fakes.parts import RIGHT, Bench, FakeCritic, FakeProgrammer, FakeSandbox, crashed, ran, wrong
from tests.pilot.stage import bench_screen, frame, make_app, until

PROGRAMS = ("x = 1\n", "x = 2\n", "x = 3\n")


def three() -> Bench:
    return Bench(
        FakeProgrammer(*PROGRAMS), FakeSandbox(crashed(line=1), crashed(line=1, message="other"), ran()),
        FakeCritic(wrong(0.1), wrong(0.2), RIGHT), mode=Mode.AUTO,
    )  # fmt: skip


def pane_of(app: App[Any]) -> AttemptsPane:
    return app.screen.query_one(AttemptsPane)


def session(*parents: int) -> Session:
    """Attempts 1, 2, … with these parents."""
    attempts = {n: AttemptState(id=n, author="rules", parent=parent) for n, parent in enumerate(parents, 1)}
    return Session(attempts=attempts, current=len(parents))


def test_attempts_in_a_row_are_a_list() -> None:
    assert [(a.id, drawing) for a, drawing in in_order(session(0, 1, 2))] == [(1, ""), (2, ""), (3, "")]


def test_a_rewind_branches() -> None:
    drawn = [(a.id, drawing) for a, drawing in in_order(session(0, 1, 2, 1, 4, 4))]
    assert drawn == [(1, ""), (2, "├ "), (3, "│ "), (4, "└ "), (5, "  ├ "), (6, "  └ ")]


def test_an_attempt_whose_parent_is_gone_is_shown() -> None:
    assert [a.id for a, _ in in_order(session(0, 9, 2))] == [1, 2, 3]


def test_a_row_says_what_became_of_an_attempt() -> None:
    state = session(0, 1)
    first = state.attempts[1]
    first.status, first.seconds, first.added, first.removed = "ok", 1.25, 12, 3
    first.verdict = Verdict(ok=True, score=0.5, rows=20)
    (_, row), (_, running) = attempt_lines(state, looked_at=2, against=1)
    text = "".join(part for part, _ in row)
    for part in ("★  1 rules", "right", "0.50     20  +12 −3", "1.2 s", "≠"):
        assert part in text
    assert "".join(part for part, _ in running).startswith("▸   2 rules")


async def to_the_rows(pilot: Pilot[int], app: WorkbenchApp, bench: Bench) -> None:
    """Gives the attempts the focus, once the screen has turned to the end of the session: that takes it, too."""
    await until(pilot, lambda: bench_screen(app).shown == bench.journal.session.seq)
    await pilot.pause()
    pane_of(app).rows.focus()
    await until(pilot, lambda: pane_of(app).rows.has_focus)


async def test_an_attempt_is_looked_at_and_left_again() -> None:
    bench = three()
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: bench_screen(app).handle is not None and bench.journal.session.over)
        await until(pilot, lambda: "★  3 rules" in frame(app) and pane_of(app).highlighted == 3)
        await to_the_rows(pilot, app, bench)
        await pilot.press("g")
        await until(pilot, lambda: pane_of(app).highlighted == 1)
        assert bench_screen(app).view_state.chosen == 0, "moving the cursor looks at nothing"  # type: ignore[union-attr]
        await pilot.press("enter")
        await until(pilot, lambda: "attempt 1 by rules" in frame(app) and "▸   1 rules" in frame(app))
        await pilot.press("0")
        await until(pilot, lambda: "attempt 3 by rules" in frame(app) and pane_of(app).highlighted == 3)
        await pilot.press("k", "escape")
        await until(pilot, lambda: pane_of(app).highlighted == 3)


async def test_space_compares_with_the_attempt_looked_at() -> None:
    bench = three()
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: bench_screen(app).handle is not None and bench.journal.session.over)
        await until(pilot, lambda: pane_of(app).highlighted == 3)
        await to_the_rows(pilot, app, bench)
        await pilot.press("g", "space")
        await until(pilot, lambda: "attempt 1 → attempt 3" in frame(app) and "≠   1 rules" in frame(app))
        assert "− x = 1" in frame(app)
        await pilot.press("space")
        await until(pilot, lambda: "≠   1 rules" not in frame(app))
        assert app.screen.query_one(CodePane).tab == "code"


async def test_the_cursor_goes_with_the_attempt_in_hand_until_it_is_moved() -> None:
    bench = three()
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: bench_screen(app).handle is not None and bench.journal.session.over)
        view_state = bench_screen(app).view_state
        assert view_state is not None
        await until(pilot, lambda: pane_of(app).highlighted == 3)
        await to_the_rows(pilot, app, bench)
        await pilot.press("g")
        await until(pilot, lambda: pane_of(app).highlighted == 1)
        pane_of(app).show(view_state)
        assert pane_of(app).highlighted == 1
        view_state.look_at(2)
        pane_of(app).show(view_state)
        assert pane_of(app).highlighted == 2


async def test_a_short_list_has_no_header() -> None:
    bench = three()
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await until(pilot, lambda: bench_screen(app).handle is not None and bench.journal.session.over)
        await until(pilot, lambda: "author  outcome" in frame(app))
        pane_of(app).styles.height = 5
        await until(pilot, lambda: "author  outcome" not in frame(app) and "★  3 rules" in frame(app))
