"""The diff tab of the code pane: what a repair changed, and any two attempts."""

from __future__ import annotations

import pytest

from tests.pilot.stage import frame, leave, make_app, question, until
from tests.pilot.test_code import LONG, failing, pane_of


@pytest.mark.parametrize("size", [(120, 40), (80, 24)], ids=str)
async def test_a_repair_is_shown_at_its_main_change_also_where_the_code_was_hidden(size: tuple[int, int]) -> None:
    two = LONG.replace("a150 = 150", "a150 = 1")
    for line in (10, 40, 70, 100):
        two = two.replace(f"a{line} = {line}\n", f"a{line} = {line}\nmore = {line}\n")
    three = two
    for line in (20, 30, 50, 60, 80, 90):
        three = three.replace(f"a{line} = {line}\n", f"a{line} = {line}\nmore = 0\n")
    three = three.replace("a120 = 120", "a120 = 1")
    bench = failing(LONG, two, three)
    app = make_app(bench)
    async with app.run_test(size=size) as pilot:
        await question(pilot, "run")
        for changed in ("a150 = 1", "a120 = 1"):
            await pilot.press("a")
            await question(pilot, "retry")
            await pilot.press("a")
            await question(pilot, "run")
            await until(pilot, lambda: f"+ {changed}" in frame(app), changed)  # noqa: B023
        await leave(pilot, bench)


async def test_the_diff_numbers_both_sides_and_says_what_it_compares() -> None:
    two = LONG.replace("a150 = 150", "a150 = 1").replace("a20 = 20\n", "")
    bench = failing(LONG, two)
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await question(pilot, "run")
        await pilot.press("a")
        await question(pilot, "retry")
        await pilot.press("a")
        await question(pilot, "run")
        pane_of(app).choose("diff")
        await until(pilot, lambda: "attempt 1 → attempt 2   +1 −2 of 199 lines" in frame(app))
        shown = frame(app)
        for text in (" 20     − a20 = 20", "150     − a150 = 150", "    149 + a150 = 1", "⋯ 16 unchanged"):
            assert text in shown
        pane_of(app).focus_inside()
        await pilot.press("d")
        await until(pilot, lambda: "+149  a150 = 1" in frame(app) or "  1  a1 = 1" in frame(app))
        assert pane_of(app).tab == "code"
        await leave(pilot, bench)


async def test_any_two_attempts_can_be_compared() -> None:
    bench = failing("x = 1\n", "x = 2\n", "x = 3\n")
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        for _ in range(2):
            await question(pilot, "run")
            await pilot.press("a")
            await question(pilot, "retry")
            await pilot.press("a")
        await question(pilot, "run")
        pane_of(app).compare(3, 1)
        await until(pilot, lambda: "attempt 1 → attempt 3" in frame(app) and "− x = 1" in frame(app))
        pane_of(app).focus_inside()
        await pilot.press("full_stop")
        await until(pilot, lambda: "attempt 2 → attempt 3" in frame(app) and "− x = 2" in frame(app))
        await pilot.press("comma")
        await until(pilot, lambda: "attempt 1 → attempt 3" in frame(app))
        await leave(pilot, bench)


async def test_a_long_diff_is_made_beside_the_keys() -> None:
    one = "".join(f"a{n} = {n}\n" for n in range(4_000))
    bench = failing(one, one.replace("a3000 = 3000", "a3000 = 1"))
    app = make_app(bench)
    async with app.run_test(size=(120, 40)) as pilot:
        await question(pilot, "run")
        await pilot.press("a")
        await question(pilot, "retry")
        await pilot.press("a")
        await question(pilot, "run")
        pane_of(app).choose("diff")
        await until(pilot, lambda: "− a3000 = 3000" in frame(app))
        await leave(pilot, bench)
