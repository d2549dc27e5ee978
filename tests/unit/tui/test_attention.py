"""What the screen turns to by itself, and when it leaves everything where it is."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scrapewright.session import events as ev
from scrapewright.session.events import Mode
from scrapewright.tui.screens.attention import OWN_CHOICE, Attention, FocusChange, Scene
from tests.fakes.parts import RIGHT, Bench, FakeCritic, FakeProgrammer, FakeSandbox, crashed, ran, wrong

WRITING = Scene(attempt=1, live=True)
ASKED = replace(WRITING, question=7, kind="run", step="run", live=False)
RUNNING = Scene(attempt=1, runs=1, live=True)
CRASHED = replace(RUNNING, status="error")
SHORT = replace(RUNNING, status="ok", judged=True)
RIGHT_ROWS = replace(SHORT, good=True)
FRAMES = FocusChange("trace", (("trace", "frames"), ("code", "code")))
CHECKS = FocusChange("output", (("output", "checks"),))
TABLE = FocusChange("output", (("output", "table"),))


def look(*scenes: Scene, **how: float) -> FocusChange | None:
    """What the last of the scenes turns to."""
    attention = Attention()
    for scene in scenes[:-1]:
        attention.look(scene)
    return attention.look(scenes[-1], **how)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("before", "now", "turn"),
    [
        (WRITING, ASKED, FocusChange("code", (("code", "code"),))),
        (WRITING, replace(ASKED, has_parent=True), FocusChange("code", (("code", "diff"),))),
        (Scene(live=True), Scene(question=3, kind="phase", step="survey"), FocusChange("query")),
        (RUNNING, CRASHED, FRAMES),
        (CRASHED, replace(CRASHED, question=9, kind="retry", step="write", live=False, judged=True), FRAMES),
        (RUNNING, replace(SHORT, question=9, kind="retry", step="write", live=False), CHECKS),
        (RUNNING, replace(RUNNING, status="ok", question=9, kind="phase", step="run", live=False), TABLE),
        (SHORT, replace(SHORT, question=9, kind="host", live=False), FocusChange("trace", (("trace", "requests"),))),
        (RIGHT_ROWS, replace(RIGHT_ROWS, over=True, live=False), TABLE),
        (SHORT, replace(SHORT, over=True, live=False), CHECKS),
        (CRASHED, replace(CRASHED, over=True, live=False), FRAMES),
        (RUNNING, replace(RUNNING, over=True, live=False), FocusChange()),
    ],
)
def test_where_the_eye_should_go(before: Scene, now: Scene, turn: FocusChange) -> None:
    assert look(before, now) == turn


@pytest.mark.parametrize("now", [WRITING, RUNNING, SHORT, RIGHT_ROWS, replace(RUNNING, status="ok")])
def test_nothing_turns_while_it_just_goes_on(now: Scene) -> None:
    assert look(WRITING, now) is None


WAITED = Scene(live=True, writing=True)
STREAMED = replace(WAITED, streamed=True)


def test_where_one_pane_is_seen_a_models_program_is_turned_to_as_it_arrives_once_an_attempt() -> None:
    attention = Attention()
    assert attention.look(WAITED, one_pane=True) is None
    assert attention.look(STREAMED, one_pane=True) == FocusChange("code", (("code", "code"),))
    assert attention.look(STREAMED, one_pane=True) is None
    assert attention.look(RUNNING, one_pane=True) is None
    assert attention.look(replace(STREAMED, attempt=1), one_pane=True) == FocusChange("code", (("code", "code"),))


def test_a_models_program_is_left_where_it_is_seen_anyway_or_the_person_looks_elsewhere() -> None:
    assert look(WAITED, STREAMED) is None
    assert look(WAITED, STREAMED, editing=True, one_pane=True) is None
    attention = Attention()
    attention.look(WAITED, since_choice=1.0, one_pane=True)
    assert attention.look(STREAMED, since_choice=2.0, one_pane=True) is None
    assert attention.look(STREAMED, since_choice=OWN_CHOICE, one_pane=True) is not None
    attention = Attention()
    attention.look(WAITED, since_choice=10.0, one_pane=True)
    attention.look(WAITED, since_choice=0.5, one_pane=True)
    assert attention.look(STREAMED, since_choice=OWN_CHOICE + 5, one_pane=True) is None
    attention.look(RUNNING, since_choice=60.0, one_pane=True)
    assert attention.look(STREAMED, since_choice=90.0, one_pane=True) is not None


def test_each_thing_is_turned_to_once() -> None:
    assert look(WRITING, ASKED, ASKED) is None
    assert look(RUNNING, CRASHED, CRASHED, replace(CRASHED, judged=True)) is None
    over = replace(SHORT, over=True, live=False)
    assert look(SHORT, over, over) is None


def test_the_next_run_that_fails_is_turned_to_again() -> None:
    assert look(RUNNING, CRASHED, replace(RUNNING, runs=2), replace(CRASHED, runs=2)) == FRAMES
    assert look(RUNNING, CRASHED, replace(CRASHED, attempt=2)) == FRAMES


def test_nothing_turns_while_the_person_edits() -> None:
    assert look(RUNNING, CRASHED, editing=True) is None
    assert look(WRITING, ASKED, editing=True) is None


def test_the_persons_own_choice_holds_for_a_while_in_a_live_phase() -> None:
    assert look(RUNNING, CRASHED, since_choice=OWN_CHOICE / 2) is None
    assert look(RUNNING, CRASHED, since_choice=OWN_CHOICE) == FRAMES


def test_a_choice_made_while_it_waited_holds_nothing_up() -> None:
    other = replace(ASKED, question=9, kind="host")
    assert look(ASKED, other, since_choice=0.5) == FocusChange("trace", (("trace", "requests"),))


def test_the_diff_gives_way_to_the_program_that_runs() -> None:
    asked = replace(ASKED, has_parent=True)
    assert look(WRITING, asked, replace(asked, question=0, live=True)) == FocusChange(tabs=(("code", "code"),))
    attention = Attention()
    for scene in (WRITING, asked, replace(asked, question=0, live=True)):
        attention.look(scene)
    assert attention.look(replace(asked, question=0, live=True, runs=1)) is None
    assert look(WRITING, ASKED, replace(ASKED, question=0, live=True)) is None, "it was not turned to a diff"


async def test_a_whole_session_turns_to_the_crash_the_diff_and_the_rows() -> None:
    bench = await Bench(
        FakeProgrammer("x = 1", "x = 2"), FakeSandbox(crashed(), ran()), FakeCritic(wrong(0.1), RIGHT),
        mode=Mode.AUTO,
    ).open()  # fmt: skip
    attention, turns = Attention(), []

    async def watch() -> None:
        async for item in bench.journal.follow():
            if isinstance(item, ev.Event):
                turn = attention.look(Scene.of(bench.journal.session))
                if turn is not None:
                    turns.append(turn)

    import asyncio

    watching = asyncio.create_task(watch())
    await bench.run()
    await watching
    assert TABLE in turns
    assert len(turns) <= 2, "the crash may be past before it was looked at, and nothing else turns"
    assert all(turn in {FRAMES, TABLE} for turn in turns)
