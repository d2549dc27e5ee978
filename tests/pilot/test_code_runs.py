"""What runs is what the code pane shows, and what came of a program is kept."""

from __future__ import annotations

import asyncio

import pytest

from scrapewright.loop.parts import Options
from scrapewright.loop.ports import ProgrammerUnavailable
from scrapewright.loop.static_check import StaticChecker
from scrapewright.session import events as ev
from scrapewright.session.events import Mode
from scrapewright.session.state import replay
from scrapewright.tui.view import code
from tests.fakes.parts import FakeProgrammer
from tests.pilot.stage import frame, leave, make_app, question, until
from tests.pilot.test_code import LONG, failing, pane_of


async def test_only_the_text_on_screen_runs() -> None:
    bench = failing(LONG, line=150)
    bench.checker = StaticChecker()  # type: ignore[assignment]
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await question(pilot, "run")
        await pilot.press("a")
        await question(pilot, "retry")
        await until(pilot, lambda: "✖150  a150 = 150" in frame(app))
        await pilot.press("e")
        await until(pilot, lambda: pane_of(app).editing and app.screen.has_class("on-edit"))
        view = pane_of(app).view
        assert "✖150  a150 = 150" in frame(app), "what crashed can be seen while it is mended"
        view.insert("# looks like prose\nthen a line: that is none\n", (1, 0))
        await until(pilot, lambda: "✖152  a150 = 150" in frame(app))
        await pilot.press("f2")
        await until(pilot, lambda: "✖  3  then a line: that is none" in frame(app))
        assert "not run: line 3: invalid syntax" in frame(app)
        assert pane_of(app).editing
        assert len(bench.sandbox.jobs) == 1
        view.delete((2, 0), (3, 0))
        await until(pilot, lambda: "✖  3" not in frame(app))
        mine = view.text
        await pilot.press("f2")
        await until(pilot, lambda: len(bench.sandbox.jobs) == 2)
        assert bench.sandbox.jobs[1].code == mine, "it writes no file and uses what is not imported, and runs as it is"
        await leave(pilot, bench)


async def test_what_was_fixed_for_free_is_shown() -> None:
    bench = failing("print(json.dumps(1))\nopen('a', 'w')\n")
    bench.checker = StaticChecker()  # type: ignore[assignment]
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await question(pilot, "run")
        await pilot.press("2", "d")
        await until(pilot, lambda: "fixed for free: added `import json`" in frame(app))
        assert "as it was written → as it runs" in frame(app)
        assert bench.journal.session == replay(bench.journal.events)
        await leave(pilot, bench)


async def test_what_was_fixed_for_free_is_shown_where_comparing_takes_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code, "SLOW", 0)
    bench = failing("import json\nprint(json.dumps(1))\n", "print(json.dumps(2))\nopen('a', 'w')\n")
    bench.checker = StaticChecker()  # type: ignore[assignment]
    app = make_app(bench)
    async with app.run_test(size=(120, 60)) as pilot:
        for kind in ("run", "retry"):
            await question(pilot, kind)
            await pilot.press("a")
        await question(pilot, "run")
        await pilot.press("2")
        pane_of(app).choose("diff")
        await until(pilot, lambda: "attempt 1 → attempt 2" in frame(app))
        assert "fixed for free: added `import json`" in frame(app)
        assert "as it was written → as it runs" in frame(app)
        await leave(pilot, bench)


@pytest.mark.full
async def test_each_comparison_begins_at_its_main_change() -> None:
    two = LONG.replace("a150 = 150", "a150 = 1")
    three = "".join(f"b{n} = {n}\n" for n in range(1, 61)) + two.partition("a60 = 60\n")[2]
    bench = failing(LONG, two, three, line=150)
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        for kind in ("run", "retry") * 2:
            await question(pilot, kind)
            await pilot.press("a")
        await question(pilot, "run")
        await pilot.press("2")
        pane_of(app).choose("diff")
        await until(pilot, lambda: "attempt 2 → attempt 3" in frame(app) and "− a1 = 1" in frame(app))
        await pilot.press("comma")
        await until(pilot, lambda: "− a150 = 150" in frame(app))
        await pilot.press("full_stop")
        await until(pilot, lambda: "− a1 = 1" in frame(app))
        await leave(pilot, bench)


async def test_what_a_failed_model_wrote_is_kept_to_be_gone_on_with() -> None:
    bench = failing(mode=Mode.AUTO)
    bench.options = Options(attended=True)
    bench.stand_in = FakeProgrammer("by = 'rules'\n")
    bench.programmer.drafts = [ProgrammerUnavailable("the stream stood still")]
    bench.programmer.hold = asyncio.Event()
    app = make_app(bench)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: bench.programmer.briefs != [])
        wide = f"x = '{'0123456789' * 20}'\n"
        for _ in range(40):
            bench.journal.tick(ev.CodeStreamed(attempt=1, text=wide))
        await pilot.press("2")
        await until(pilot, lambda: " 41  x = '0123456789" in frame(app))
        assert pane_of(app).view.scroll_offset.x == 0, "it is read from its left"
        bench.programmer.hold.set()
        await question(pilot, "programmer")
        await until(pilot, lambda: "as far as it came" in frame(app))
        for said in ("the stream stood still; what instead?", "a  try again", "l  let the rules write it"):
            assert said in frame(app)
        await pilot.press("e")
        await until(pilot, lambda: pane_of(app).editing)
        assert pane_of(app).view.text == "import requests\n"  # what the programmer itself reported
        await pilot.press("escape")
        await until(pilot, lambda: not pane_of(app).editing)
        await pilot.press("l")
        await until(pilot, lambda: bench.sandbox.jobs != [] and bench.sandbox.jobs[0].code == "by = 'rules'\n")
        await leave(pilot, bench)
