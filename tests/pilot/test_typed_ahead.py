"""Keys that come faster than the focus moves do what they would have done one by one."""

from __future__ import annotations

from textual import events
from textual.widgets import Input

from scrapewright.session.events import Mode
from scrapewright.tui.panes.output import OutputPane
from scrapewright.tui.panes.trace import TracePane
from scrapewright.tui.widgets.questionbar import QuestionBar
from tests.fakes.parts import RIGHT, Bench, FakeCritic, FakeProgrammer, FakeSandbox, ran
from tests.pilot.stage import bench_screen, frame, leave, make_app, question, until


async def test_keys_typed_ahead_go_where_the_keys_before_them_led() -> None:
    bench = Bench(FakeProgrammer("x = 1\n"), FakeSandbox(ran()), FakeCritic(RIGHT), mode=Mode.APPROVE)
    app = make_app(bench)
    async with app.run_test(size=(140, 50)) as pilot:
        await question(pilot, "run")
        await until(pilot, lambda: "run it" in frame(app))
        output, trace = app.screen.query_one(OutputPane), app.screen.query_one(TracePane)
        for letter in "4]]3]":
            app.post_message(events.Key("right_square_bracket" if letter == "]" else letter, letter))
        await until(pilot, lambda: trace.tab_widget.has_focus_within)
        await pilot.pause()
        assert (output.tab, trace.tab) == ("stdout", "steps")
        await leave(pilot, bench)


async def test_a_hint_typed_at_once_with_its_key_is_text_and_no_commands() -> None:
    bench = Bench(FakeProgrammer("x = 1\n"), FakeSandbox(ran()), FakeCritic(RIGHT), mode=Mode.APPROVE)
    app = make_app(bench)
    async with app.run_test(size=(140, 50)) as pilot:
        await question(pilot, "run")
        await until(pilot, lambda: "run it" in frame(app))
        for letter in "hreach a duck":
            app.post_message(events.Key("space" if letter == " " else letter, letter))
        field = app.screen.query_one(QuestionBar).query_one(Input)
        await until(pilot, lambda: field.value == "reach a duck")
        assert bench_screen(app)._question is not None, "none of the letters was an answer"
        assert [n.message for n in app._notifications] == [], "nor a command that can't be done now, such as d and u"
        await leave(pilot, bench)
