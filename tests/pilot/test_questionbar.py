"""The bar of the open question: whatever is asked, every answer to it can be read."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from scrapewright.session import events as ev
from scrapewright.tui.widgets.plain import Plain
from scrapewright.tui.widgets.questionbar import QuestionBar, meaning
from tests.pilot.stage import frame, until

CHOICES: tuple[ev.AnswerKind, ...] = ("go", "edit", "hint", "refuse", "retry", "accept", "rewind", "stop")


class Bed(App[None]):
    AUTO_FOCUS = None

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return {"text-quiet": "#808080"}

    def compose(self) -> ComposeResult:
        yield QuestionBar()


@asynccontextmanager
async def bed(width: int) -> AsyncIterator[tuple[QuestionBar, Pilot[None]]]:
    app = Bed()
    async with app.run_test(size=(width, 24)) as pilot:
        yield app.query_one(QuestionBar), pilot


@pytest.mark.parametrize("width", [50, 80])
async def test_a_long_question_leaves_room_for_the_answers(width: int) -> None:
    async with bed(width) as (bar, pilot):
        bar.show(ev.Asked(seq=1, kind="retry", prompt="a reason that goes on " * 40, choices=CHOICES))
        words = [meaning("retry", choice) for choice in CHOICES]
        await until(pilot, lambda: all(word in frame(pilot.app) for word in words))
        assert "a reason that goes on" in frame(pilot.app)
        assert " …" in frame(pilot.app), "that there is more is said"


async def test_a_long_ending_leaves_room_for_what_can_be_done() -> None:
    async with bed(80) as (bar, pilot):
        bar.tell(
            [("broken", "bold"), ("  " + "it ended for reasons " * 60, "")],
            [("f3", "home"), ("^q", "quit")],
            good=False,
        )
        await until(pilot, lambda: "broken" in frame(pilot.app))
        await until(pilot, lambda: " f3  home   ^q  quit" in frame(pilot.app))


@pytest.mark.parametrize(("width", "lines"), [(60, 3), (120, 2)])
async def test_it_is_laid_out_for_the_screen_before_it_is_on_it(width: int, lines: int) -> None:
    keys = [("left", "back"), ("right", "forward"), ("space", "play on"), ("c", "continue: go on in this session")]
    async with bed(width) as (bar, pilot):
        for _ in range(2):
            bar.tell([("success", "bold")], keys, good=True)  # nothing is drawn in between
            assert str(bar.query_one(Plain).content).count("\n") + 1 == lines
            await until(pilot, lambda: "continue" in frame(pilot.app))
            bar.untell()
            await until(pilot, lambda: "continue" not in frame(pilot.app))


async def test_a_hint_is_typed_below_a_long_question() -> None:
    async with bed(80) as (bar, pilot):
        bar.show(ev.Asked(seq=1, kind="retry", prompt="a reason that goes on " * 40, choices=CHOICES))
        bar.ask_hint()
        await until(
            pilot, lambda: "what should the programmer know?" in frame(pilot.app) and "send it" in frame(pilot.app)
        )
