"""A weak model beside the rules: what it says is asked once, kept, and counted; without it the rules go on."""

from __future__ import annotations

from typing import Any

import pytest

from scrapewright.loop.budget import Allowance
from scrapewright.loop.parts import Options
from scrapewright.loop.ports import Advice, BadReply, Brief, Draft, ProgrammerUnavailable
from scrapewright.query.reading import Column, Reading
from scrapewright.session import events as ev
from scrapewright.session.questions import Copied, Option, Question
from scrapewright.session.spending import Spent
from scrapewright.session.state import replay
from tests.fakes.parts import RIGHT, Bench, FakeCritic, FakeProgrammer, FakeSandbox, ran

COPIED = (Copied("price", 0, "£3"),)


class FakeAdviser:
    model = "small"

    def __init__(self, read: Any = None, copied: Any = None) -> None:
        self.said = {"read": read, "copy": copied}
        self.asked: list[str] = []
        self.briefs: list[Brief] = []

    async def read(self, reading: Reading) -> Advice | None:
        return self._say("read")

    async def copy(self, brief: Brief) -> Advice | None:
        self.briefs.append(brief)
        return self._say("copy")

    def _say(self, what: str) -> Advice | None:
        self.asked.append(what)
        said = self.said[what]
        if isinstance(said, Exception):
            raise said
        assert said is None or isinstance(said, Advice)
        return said


def advice(**more: Any) -> Advice:
    return Advice(model="small", tokens=40, cost=0.5, prompt="{}", reply="said", **more)


async def opened(
    adviser: FakeAdviser, programmer: FakeProgrammer | None = None, rules: FakeProgrammer | None = None, **options: int
) -> Bench:
    """With `rules` the programmer is a model."""
    programmer = programmer or FakeProgrammer("x = 1")
    bench = Bench(
        programmer, FakeSandbox(ran()), FakeCritic(RIGHT), options=Options(allowance=Allowance(**options))
    )  # fmt: skip
    bench.adviser, bench.stand_in = adviser, rules
    if rules is not None:
        programmer.author, bench.model = "model", "small"
    return await bench.open()


async def test_what_it_reads_comes_before_the_survey_and_what_it_copies_before_the_program() -> None:
    read = Reading(text="q", urls=("http://127.0.0.1/",), columns=(Column("price"),))
    adviser = FakeAdviser(advice(reading=read), advice(copied=COPIED))
    bench = await opened(adviser)
    assert (await bench.run()).outcome == "success"
    names = bench.names
    assert names.index("Advised") < names.index("ReadingChanged") < names.index("Surveyed")
    assert adviser.asked == ["read", "copy"]
    assert adviser.briefs[0].reading.columns == (Column("price"),)
    assert bench.programmer.briefs[0].copied == COPIED
    session = replay(bench.journal.events)
    assert session.copied == COPIED
    assert session.spent[:2] == [
        Spent(1, role, "small", 1, 40, 0.5) for role in ("reader", "mapper")  # type: ignore[arg-type]
    ]  # fmt: skip
    assert (bench.loop.budget.tokens, bench.loop.budget.money) == (80, 1.0)


@pytest.mark.parametrize(
    "error",
    [
        BadReply("the reply was cut off", 40, 0.5, model="small", prompt="{}", reply="no"),
        ProgrammerUnavailable("it can't be reached"),
    ],
)
async def test_without_an_answer_the_rules_go_on(error: Exception) -> None:
    adviser = FakeAdviser(error, error)
    bench = await opened(adviser)
    assert (await bench.run()).outcome == "success"
    problems = [event.problem for event in bench.journal.events if isinstance(event, ev.Advised)]
    assert problems == [str(error)] * 2
    assert [note.text for note in bench.journal.session.notes if note.level == "warning"] == [
        f"small is of no help, the rules go on without: {error}"
    ] * 2
    assert len(bench.journal.session.spent) == (2 if isinstance(error, BadReply) else 0)


async def test_what_was_copied_fits_into_an_event() -> None:
    many = tuple(Copied(f"column {n}", 0, "é" * 120) for n in range(1_000))
    bench = await opened(FakeAdviser(copied=advice(copied=many)))
    assert (await bench.run()).outcome == "success"
    assert 0 < len(bench.journal.session.copied) < len(many)


async def test_nothing_is_recorded_where_there_is_nothing_to_ask() -> None:
    bench = await opened(FakeAdviser())
    await bench.run()
    assert "Advised" not in bench.names


async def test_what_is_left_open_is_what_the_copies_left() -> None:
    programmer = FakeProgrammer("x = 1")
    question = Question("column", "which?", (Option("a", "one"),), "price", 0.3)

    async def undecided(brief: Brief) -> Question | None:
        open_ = not brief.copied and not any(d.column == "price" for d in brief.decisions)
        return question if open_ else None

    programmer.question = undecided  # type: ignore[method-assign]
    with_copy, without = FakeAdviser(copied=advice(copied=COPIED)), FakeAdviser()
    for adviser, left in ((with_copy, 0), (without, 1)):
        programmer.drafts = ["x = 1"]
        bench = await opened(adviser, programmer)
        await bench.run()
        assert len(bench.journal.session.left_open) == left


async def test_a_budget_that_is_spent_asks_nobody() -> None:
    adviser = FakeAdviser(advice(), advice(copied=COPIED))
    bench = await opened(adviser, tokens=40)
    await bench.run()
    assert adviser.asked == ["read"]


def too_weak(code: str = "a = 0") -> Draft:
    return Draft(code=code, author="model", model="small", tokens=10)


@pytest.mark.parametrize(
    "replies",
    [
        (BadReply("no program", model="small", reply="Hm."), BadReply("none either", model="small", reply="Hm.")),
        (BadReply("no program", model="small", reply="Hm."), too_weak()),
    ],
)
async def test_a_model_without_a_program_in_two_replies_advises_from_then_on(replies: tuple[Any, Any]) -> None:
    programmer, rules = FakeProgrammer(*replies), FakeProgrammer("x = 1")
    adviser = FakeAdviser(copied=advice(copied=COPIED))
    bench = await opened(adviser, programmer, rules)
    bench.checker.failing["a = 0"] = "line 1: 'h3 >' is no selector that bs4 reads"
    assert (await bench.run()).outcome == "success"
    assert adviser.asked == ["copy"]
    (brief,) = rules.briefs
    assert (brief.attempts, brief.copied) == ((), COPIED)
    notes = [note.text for note in bench.journal.session.notes]
    assert sum("gave no usable program twice" in text for text in notes) == 1


async def test_one_whose_endpoint_breaks_off_is_not_too_weak() -> None:
    broken = BadReply("it broke off", model="small")
    programmer = FakeProgrammer(broken, broken, Draft(code="a = 1", author="model", model="small"))
    adviser = FakeAdviser(copied=advice(copied=COPIED))
    bench = await opened(adviser, programmer, FakeProgrammer())
    assert (await bench.run()).outcome == "success"
    assert (adviser.asked, bench.journal.session.attempts[1].author) == ([], "model")


async def test_one_that_wrote_a_program_that_ran_is_not_too_weak() -> None:
    bad = BadReply("no program", model="small", reply="Hm.")
    programmer = FakeProgrammer(bad, Draft(code="a = 1", author="model", model="small"))
    adviser = FakeAdviser(copied=advice(copied=COPIED))
    bench = await opened(adviser, programmer, FakeProgrammer())
    assert (await bench.run()).outcome == "success"
    assert adviser.asked == []
