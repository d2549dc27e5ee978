"""An answer to a question about columns is taken back, and the question asked again."""

from __future__ import annotations

import asyncio

from scrapewright.loop.answers import Answer
from scrapewright.loop.parts import Options
from scrapewright.session import events as ev
from scrapewright.session.questions import Decision, Option, Question
from tests.fakes.parts import RIGHT, Bench, FakeCritic, FakeProgrammer, FakeSandbox, ran
from tests.unit.loop.test_corrections import reopened, replayed

SITE, CITY = (
    Question("column", f"which is {name}?", (Option("a", "one"), Option("b", "two")), name, 0.4)
    for name in ("site", "city")
)


async def at_work(*questions: Question) -> tuple[Bench, asyncio.Task[ev.SessionFinished]]:
    """A session that somebody attends, whose programmer asks these."""
    programmer = FakeProgrammer("x = 1")
    programmer.questions = list(questions)
    bench = await Bench(programmer, FakeSandbox(ran()), FakeCritic(RIGHT), options=Options(attended=True)).open()
    return bench, asyncio.create_task(bench.run())


async def undone(*programs: str) -> tuple[Bench, asyncio.Task[ev.SessionFinished]]:
    """A session that was over after its one question, goes on once the answer is taken back, and writes these."""
    bench, work = await at_work(SITE)
    await answer_next(bench, "site", "a")
    await work
    again = await reopened(bench, *programs)
    again.programmer.questions = [SITE]
    await again.gate.reopen(Answer("undo"))
    return again, asyncio.create_task(again.run())


async def answer_next(bench: Bench, column: str, option: str, after: int = 0) -> int:
    """Answers the next question, which is about the column; its number."""
    await bench.until(lambda: (q := bench.journal.session.question) is not None and q.seq > after)
    asked = bench.journal.session.question
    assert asked is not None
    assert asked.column == column
    assert bench.gate.answer(asked.seq, Answer("choose", option=option))
    return asked.seq


async def test_an_answer_is_taken_back_while_the_next_question_is_open() -> None:
    bench, work = await at_work(SITE, CITY)
    await answer_next(bench, "site", "a")
    await bench.until(lambda: (q := bench.journal.session.question) is not None and q.column == "city")
    assert bench.gate.undo()
    last = await answer_next(bench, "site", "b", bench.journal.session.seq)
    await answer_next(bench, "city", "a", last)
    await work
    session = replayed(bench)
    assert session.decisions == (Decision("column", "site", option="b"), Decision("column", "city", option="a"))
    assert session.questions == 3, "each answer that was given"
    assert len(session.attempts) == 1


async def test_an_answer_is_taken_back_once_it_is_over_and_its_question_is_asked_again() -> None:
    again, work = await undone("x = 2")
    await answer_next(again, "site", "b")
    end = await work
    session = replayed(again)
    assert (end.best, session.decisions) == (2, (Decision("column", "site", option="b"),))
    assert [a.outcome for a in session.attempts.values()] == ["overruled", "right"]


async def test_the_same_answer_again_goes_back_to_its_program_without_a_run() -> None:
    again, work = await undone()
    await answer_next(again, "site", "a")
    assert ((await work).best, again.sandbox.jobs) == (1, [])
    assert [a.outcome for a in replayed(again).attempts.values()] == ["right"]
