"""What a person corrects, also once a session is over: it stands in all that follows, and can be undone."""

from __future__ import annotations

import asyncio

import pytest

from scrapewright.loop.budget import Allowance
from scrapewright.loop.gate import Answer
from scrapewright.loop.parts import Options
from scrapewright.loop.ports import Brief, NoIdea, NotUnderstood
from scrapewright.session import events as ev
from scrapewright.session.events import Mode
from scrapewright.session.questions import Decision, Option, Question
from scrapewright.session.state import IllegalTransition, Live, Session, replay
from tests.fakes.parts import RIGHT, Bench, FakeCritic, FakeProgrammer, FakeSandbox, crashed, ran, wrong

PRICE = Decision("column", "price", option="s5", text="s.old-price", how="selector", values=("150.0",))
STOCK = Decision("column", "stock", text=".left")


async def finished(*programs: str, attempts: int = 4, decisions: tuple[Decision, ...] = ()) -> Bench:
    """A session that ended with its first program's rows."""
    bench = Bench(
        FakeProgrammer(*(programs or ("x = 1",))), FakeSandbox(ran()), FakeCritic(RIGHT),
        options=Options(allowance=Allowance(attempts=attempts)), decisions=decisions,
    )  # fmt: skip
    await bench.open()
    assert (await bench.run()).exit_code == 0
    return bench


async def reopened(before: Bench, *programs: str | Exception, critic: FakeCritic | None = None) -> Bench:
    """The same session as the next process has it."""
    bench = Bench(
        FakeProgrammer(*programs), FakeSandbox(ran()), critic or FakeCritic(RIGHT), log=before.log, blobs=before.blobs,
        options=before.options,
    )  # fmt: skip
    await bench.open()
    await bench.journal.append(ev.Reopened())
    return bench


def told(bench: Bench) -> Session:
    """The session, which a replay gives as well."""
    live = bench.journal.session
    live.live = Live()
    assert replay(bench.journal.events) == live
    return live


async def test_a_session_that_is_over_goes_on_with_the_correction() -> None:
    bench = await reopened(await finished(), "x = 2")
    assert bench.gate.correct((PRICE,))
    end = await bench.run()
    session = told(bench)
    assert (end.outcome, end.best) == ("success", 2)
    assert bench.programmer.briefs[0].corrections == (PRICE,)
    assert [job.code for job in bench.sandbox.jobs] == ["x = 2"], "the first program is not run again"
    assert [(a.outcome, a.good) for a in session.attempts.values()] == [("overruled", False), ("right", True)]
    assert bench.names.count("SessionFinished") == 2


async def test_an_undo_goes_back_to_the_attempt_before_without_a_run() -> None:
    bench = await reopened(await finished(), "x = 2")
    bench.gate.correct((PRICE,))
    await bench.run()
    again = await reopened(bench)
    assert again.gate.undo()
    end = await again.run()
    session = told(again)
    assert (end.outcome, end.best, session.decisions, again.sandbox.jobs) == ("success", 1, (), [])
    assert [a.outcome for a in session.attempts.values()] == ["right", "overruled"]
    assert again.delivered[-1][1] == "x = 1"


async def test_the_same_correction_again_goes_back_to_its_program_without_a_run() -> None:
    bench = await reopened(await finished(), "x = 2")
    bench.gate.correct((PRICE,))
    await bench.run()
    undone = await reopened(bench)
    undone.gate.undo()
    await undone.run()
    again = await reopened(undone)
    again.gate.correct((PRICE,))
    end = await again.run()
    assert (end.outcome, end.best, again.sandbox.jobs) == ("success", 2, [])
    assert [a.outcome for a in told(again).attempts.values()] == ["overruled", "right"]


async def test_only_a_question_about_the_column_is_decided_with_it() -> None:
    group, column = (Question(kind, "which?", column=name) for kind, name in (("group", ""), ("column", "price")))
    bench = await reopened(await finished())
    for question in (group, column):
        await bench.journal.append(ev.LeftOpen(question=question))
    bench.gate.correct((Decision("group", option="g"), PRICE))
    await bench.run()
    assert told(bench).left_open == (group,)


async def test_the_last_of_several_corrections_is_undone_first() -> None:
    asked = Decision("column", "price", option="s1")
    bench = await reopened(await finished(decisions=(asked,)), "x = 2")
    bench.gate.correct((PRICE,))
    await bench.run()
    assert told(bench).decisions == (PRICE,)
    more = await reopened(bench, "x = 3")
    more.gate.correct((STOCK,))
    await more.run()
    assert told(more).decisions == (PRICE, STOCK)
    back = await reopened(more)
    back.gate.undo()
    end = await back.run()
    assert (end.best, told(back).decisions) == (2, (PRICE,))
    first = await reopened(back)
    first.gate.undo()
    assert ((await first.run()).best, told(first).decisions) == (1, (asked,))


async def test_there_is_nothing_to_undo_where_nothing_was_corrected() -> None:
    bench = await reopened(await finished())
    assert not bench.gate.undo()
    with pytest.raises(IllegalTransition, match="an undo where nothing was corrected"):
        await bench.journal.append(ev.Intervened(kind="undo"))
    assert (await bench.run()).best == 1


async def test_a_program_that_was_written_before_may_come_again_after_a_correction() -> None:
    bench = await reopened(await finished(), "x = 1")
    bench.gate.correct((PRICE,))
    end = await bench.run()
    assert (end.outcome, end.best) == ("success", 2)


async def test_the_attempts_are_counted_from_the_correction() -> None:
    bench = await reopened(await finished(attempts=1), "x = 2")
    bench.gate.correct((PRICE,))
    assert (await bench.run()).best == 2
    assert bench.loop.budget.attempts == 1


async def test_it_stands_in_later_repairs() -> None:
    bench = await reopened(await finished(), "x = 2", "x = 3", critic=FakeCritic(wrong(), RIGHT))
    bench.gate.correct((PRICE,))
    assert (await bench.run()).best == 3
    written, repaired = bench.programmer.briefs
    assert (written.corrections, repaired.corrections) == ((PRICE,), ())
    assert repaired.decisions == (PRICE,)


async def test_rows_that_were_corrected_are_not_stood_behind_where_no_program_comes() -> None:
    bench = await reopened(await finished(), NoIdea("nothing left to try"))
    bench.gate.correct((PRICE,))
    end = await bench.run()
    assert (end.outcome, end.exit_code, end.best) == ("unrepaired", 1, 1)
    assert bench.delivered[-1][3] is False


@pytest.mark.parametrize("question", ["run", "retry"])
async def test_a_session_that_waits_is_corrected_without_an_answer(question: str) -> None:
    bench = Bench(
        FakeProgrammer("x = 1", "x = 2"), FakeSandbox(crashed(), ran()), FakeCritic(wrong(0.1), RIGHT),
        mode=Mode.APPROVE,
    )  # fmt: skip
    await bench.open()
    task = asyncio.create_task(bench.run())
    asked = await bench.question("run")
    if question == "retry":
        bench.gate.answer(asked.seq, Answer("go"))
        asked = await bench.question("retry")
    assert bench.gate.correct((PRICE,))
    await bench.until(lambda: bench.journal.session.current == 2 and bench.journal.session.question is not None)
    assert bench.programmer.briefs[-1].corrections == (PRICE,)
    bench.gate.stop()
    await task
    assert told(bench).decisions == (PRICE,)


async def test_a_step_in_hand_is_interrupted_by_a_correction() -> None:
    bench = Bench(FakeProgrammer("x = 1", "x = 2"), FakeSandbox(ran()), FakeCritic(RIGHT))
    await bench.open()
    bench.sandbox.hold = asyncio.Event()
    task = asyncio.create_task(bench.run())
    await bench.until(lambda: bench.sandbox.running == 1)
    bench.sandbox.hold = None
    assert bench.gate.correct((PRICE,))
    end = await task
    assert end.best == 2
    assert [e.reason for e in bench.journal.events if isinstance(e, ev.StepInterrupted)] == ["a column was corrected"]


async def test_nothing_but_a_reopening_follows_an_end() -> None:
    bench = await finished()
    session = bench.journal.session
    with pytest.raises(IllegalTransition, match="Noted after the session's end"):
        session.guard(ev.Noted(seq=session.seq + 1, text="late"))
    session.guard(ev.Reopened(seq=session.seq + 1))
    again = await reopened(bench)
    with pytest.raises(IllegalTransition, match="Reopened before the session's end"):
        await again.journal.append(ev.Reopened())
    assert (await again.run()).best == 1


# Hints.


async def test_a_model_is_asked_again_where_a_session_that_is_over_gets_a_hint() -> None:
    bench = await reopened(await finished(), "x = 2")
    bench.programmer.author = "model"
    assert bench.gate.hint("the old price is meant")
    end = await bench.run()
    assert (end.best, bench.programmer.briefs[0].hint) == (2, "the old price is meant")
    assert told(bench).attempts[1].outcome == "right", "a hint overrules no rows"


class Listener(FakeProgrammer):
    """Understands one hint."""

    def read_hint(self, text: str, brief: Brief) -> tuple[Decision, ...]:
        if text != "stock is .left":
            raise NotUnderstood("COLUMN is SELECTOR is understood")
        return (STOCK,)


def waiting() -> Bench:
    return Bench(
        Listener("x = 1", "x = 2"), FakeSandbox(crashed(), ran()), FakeCritic(wrong(0.1), RIGHT), mode=Mode.APPROVE
    )


async def test_a_hint_that_is_not_understood_is_said_and_costs_nothing() -> None:
    bench = waiting()
    await bench.open()
    task = asyncio.create_task(bench.run())
    asked = await bench.question("run")
    bench.gate.answer(asked.seq, Answer("refuse"))
    for _ in range(2):
        asked = await bench.question("retry")
        assert asked.prompt == "attempt 1 is not run; what instead?"
        bench.gate.answer(asked.seq, Answer("hint", text="make it right"))
        await bench.until(lambda last=asked: bench.journal.session.question not in (None, last))
    session = bench.journal.session
    assert [note.text for note in session.notes] == ["hint: COLUMN is SELECTOR is understood"] * 2
    assert (list(session.attempts), bench.loop.budget.attempts) == ([1], 1)
    asked = await bench.question("retry")
    bench.gate.answer(asked.seq, Answer("hint", text="stock is .left"))
    await bench.question("run")
    assert bench.programmer.briefs[-1].corrections == (STOCK,)
    bench.gate.stop()
    await task
    told(bench)


async def test_a_failure_is_asked_about_again_where_its_hint_is_not_understood() -> None:
    bench = waiting()
    await bench.open()
    task = asyncio.create_task(bench.run())
    bench.gate.answer((await bench.question("run")).seq, Answer("go"))
    first = await bench.question("retry")
    bench.gate.answer(first.seq, Answer("hint", text="make it right"))
    await bench.until(lambda: bench.journal.session.question not in (None, first))
    assert (await bench.question("retry")).prompt == first.prompt
    assert len(bench.programmer.briefs) == 1
    bench.gate.stop()
    await task


async def test_a_hint_before_the_first_program_decides_a_column() -> None:
    bench = waiting()
    bench.options = Options(attended=True)
    bench.programmer.questions = [Question("column", "which is stock?", (Option("a", "left", ".l"),), "stock")]
    await bench.open()
    task = asyncio.create_task(bench.run())
    asked = await bench.question("column")
    bench.gate.answer(asked.seq, Answer("hint", text="stock is .left"))
    await bench.question("run")
    assert bench.journal.session.decisions == (STOCK,)
    bench.gate.stop()
    await task
