"""A question with options on the screen: a number chooses, 0 is none of them, enter takes the best guess."""

from __future__ import annotations

import asyncio

import pytest

from scrapewright.loop.parts import Options
from scrapewright.session import events as ev
from scrapewright.session.questions import Decision, Option, Question
from scrapewright.tui.panes.page import PagePane
from scrapewright.tui.screens.correcting import CorrectingScreen
from scrapewright.tui.widgets.questionbar import QuestionBar
from tests.fakes.parts import RIGHT, Bench, FakeCritic, FakeProgrammer, FakeSandbox, ran
from tests.pilot.stage import bench_screen, frame, leave, make_app, question, until

SITE = Question(
    "column", 'which of these is "site"?',
    tuple(Option(f"s{n}", f"[/] place {n}", f".c{n}", ("example.org", None)) for n in range(1, 9)), "site",
)  # fmt: skip


WIDE, NARROW = (120, 40), (80, 24)


def asking(asked: Question) -> Bench:
    """A session that somebody attends, whose programmer asks one thing."""
    programmer = FakeProgrammer("a = 1")
    programmer.questions = [asked]
    return Bench(programmer, FakeSandbox(ran()), FakeCritic(RIGHT), options=Options(attended=True))


@pytest.mark.parametrize(
    ("size", "key", "option"),
    [
        (WIDE, "1", "s1"), (NARROW, "3", "s3"), (NARROW, "8", "s8"), (WIDE, "0", "none"), (NARROW, "enter", "s1"),
        *(
            pytest.param(*other, marks=pytest.mark.full) for other in
            ((NARROW, "1", "s1"), (WIDE, "3", "s3"), (WIDE, "8", "s8"), (NARROW, "0", "none"), (WIDE, "enter", "s1"))
        ),
    ],
    ids=str,
)  # fmt: skip
async def test_one_key_chooses(key: str, option: str, size: tuple[int, int]) -> None:
    bench = asking(SITE)
    app = make_app(bench)
    async with app.run_test(size=size) as pilot:
        await question(pilot, "column")
        await until(pilot, lambda: "[/] place 8" in frame(app) and "none of them" in frame(app))
        await pilot.press(key)
        await until(pilot, lambda: bench.journal.session.over)
    (decision,) = bench.journal.session.decisions
    assert (decision.column, decision.option) == ("site", option)


async def test_a_number_that_is_no_option_leaves_it_open() -> None:
    programmer = FakeProgrammer("a = 1")
    programmer.questions = [Question("column", "which is it?", SITE.options[:2], "site")]
    bench = Bench(programmer, FakeSandbox(ran()), FakeCritic(RIGHT), options=Options(attended=True), mode=ev.Mode.AUTO)
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await question(pilot, "column")
        await pilot.press("8", "2")
        await until(pilot, lambda: bench.journal.session.over)
    assert bench.journal.session.decisions == (Decision("column", "site", option="s2"),)


async def test_the_arrows_mark_an_option_that_enter_takes() -> None:
    bench = asking(SITE)
    app = make_app(bench)
    async with app.run_test(size=(80, 24)) as pilot:
        await question(pilot, "column")
        await pilot.press("down", "down", "down", "up", "enter")
        await until(pilot, lambda: bench.journal.session.over)
    assert bench.journal.session.decisions == (Decision("column", "site", option="s3"),)


@pytest.mark.parametrize("then", ["another question", "the end"])
async def test_an_answer_is_taken_back_by_one_key_and_asked_again(then: str) -> None:
    bench = asking(SITE)
    bench.programmer.drafts.append("a = 2")
    if then == "another question":
        bench.programmer.questions.append(Question("column", "which is it?", SITE.options[:2], "city"))
    app = make_app(bench)
    async with app.run_test(size=NARROW) as pilot:
        await question(pilot, "column")
        await pilot.press("3")
        await until(pilot, lambda: "which is it?" in frame(app) or bench.journal.session.over)
        before = bench.journal.session.seq
        await pilot.press("u")
        await until(pilot, lambda: (q := bench.journal.session.question) is not None and q.seq > before)
        await until(pilot, lambda: 'which of these is "site"?' in frame(app) and bench_screen(app).running)
        await until(pilot, lambda: bench_screen(app).query_one(QuestionBar).has_focus)
        await pilot.press("5")
        await until(pilot, lambda: "which is it?" in frame(app) or bench.journal.session.over)
        assert bench.journal.session.decisions == (Decision("column", "site", option="s5"),)
        await leave(pilot, bench)


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
async def test_a_pane_that_was_gone_to_keeps_its_keys_and_escape_leads_back(size: tuple[int, int]) -> None:
    bench = asking(SITE)
    app = make_app(bench)
    async with app.run_test(size=size) as pilot:
        await question(pilot, "column")
        screen, bar = bench_screen(app), bench_screen(app).query_one(QuestionBar)
        await until(pilot, lambda: bar.has_focus and "choose" in frame(app) and "4 Output" not in frame(app))
        await pilot.press("tab", "6")
        page = screen.query_one(PagePane)
        await until(pilot, lambda: page.has_focus_within and "6 Page" in frame(app))
        await until(pilot, lambda: "choose one" in frame(app) and "the marked one" not in frame(app))
        await pilot.press("down", "down", "enter", "0", "3")
        await until(pilot, lambda: screen.query_one("#trace").has_focus_within)
        assert bench.journal.session.question is not None, "none of them was an answer"
        await pilot.press("escape")
        await until(pilot, lambda: bar.has_focus and "the marked one" in frame(app))
        await pilot.press("f1")
        await until(pilot, lambda: "Option 8" in frame(app))
        await pilot.press("escape", "escape")
        assert not bench.journal.session.pause_asked, "nothing runs that could be paused"
        await pilot.press("3")
        await until(pilot, lambda: bench.journal.session.over)
        assert not bar.has_focus
    assert bench.journal.session.decisions == (Decision("column", "site", option="s3"),)


async def test_the_options_have_the_focus_also_right_after_the_request_was_gone_to() -> None:
    bench = asking(SITE)
    bench.surveyor.hold = hold = asyncio.Event()
    app = make_app(bench, tick=0.001)  # the pane was chosen a moment ago
    async with app.run_test(size=NARROW) as pilot:
        await until(pilot, lambda: bench.surveyor.calls == 1)
        await pilot.press("2", "1")
        hold.set()
        await question(pilot, "column")
        await until(pilot, lambda: bench_screen(app).query_one(QuestionBar).has_focus)
        await leave(pilot, bench)


async def test_a_number_that_is_no_option_leads_nowhere_else() -> None:
    bench = asking(Question("column", "which is it?", SITE.options[:2], "site"))
    app = make_app(bench)
    async with app.run_test(size=WIDE) as pilot:
        await question(pilot, "column")
        bar = bench_screen(app).query_one(QuestionBar)
        await until(pilot, lambda: bar.has_focus)
        await pilot.press("4")
        await until(pilot, lambda: any("tab leads to the panes" in note.message for note in app._notifications))
        assert bar.has_focus
        await leave(pilot, bench)


@pytest.mark.parametrize("size", [(120, 40), (80, 24)], ids=["wide", "narrow"])
async def test_the_answer_can_be_typed(size: tuple[int, int]) -> None:
    bench = asking(SITE)
    app = make_app(bench)
    async with app.run_test(size=size) as pilot:
        await question(pilot, "column")
        await pilot.press("f11")
        await until(pilot, lambda: "a value as the page shows it" in frame(app))
        await pilot.press("escape")
        await until(pilot, lambda: "none of them" in frame(app))
        await pilot.press("f11", *"3. May", "enter")
        await until(pilot, lambda: bench.journal.session.over)
    assert bench.journal.session.decisions == (Decision("column", "site", text="3. May"),)


async def test_what_is_typed_and_not_understood_answers_nothing_and_can_be_put_right(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(CorrectingScreen, "_programmer", "rules")
    bench = asking(SITE)
    app = make_app(bench, corrects=True)
    async with app.run_test(size=NARROW) as pilot:
        await question(pilot, "column")
        await pilot.press("f11", *"nowhere", "enter")
        await until(pilot, lambda: "no record has it" in frame(app))
        assert bench.journal.session.decisions == ()
        await until(pilot, lambda: "nowhere" in frame(app))
        await pilot.press(*["backspace"] * 7, *"3. May", "enter")
        await until(pilot, lambda: bench.journal.session.over)
    assert bench.journal.session.decisions == (Decision("column", "site", text="3. May"),)
