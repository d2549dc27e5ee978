"""What a person corrects, also once a session is over: it applies to all that follows, and can be undone."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from scrapewright.loop.answers import Answer, BadAnswer, undoing
from scrapewright.loop.budget import Allowance
from scrapewright.loop.parts import Options
from scrapewright.loop.ports import Brief, NoIdea, NotUnderstood, Preview
from scrapewright.loop.writing import SO_ALREADY
from scrapewright.query.reading import Column, Reading
from scrapewright.session import events as ev
from scrapewright.session.events import AnswerKind, Mode
from scrapewright.session.live import Live
from scrapewright.session.questions import Decision, Option, Question
from scrapewright.session.state import Session, replay
from scrapewright.session.transitions import IllegalTransition, check
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
    return await bench.open()


async def running(*programs: str) -> tuple[Bench, asyncio.Task[ev.SessionFinished]]:
    """A session whose first program runs until it is interrupted, and those after it to their end."""
    bench = Bench(FakeProgrammer(*programs), FakeSandbox(ran()), FakeCritic(RIGHT))
    await bench.open()
    bench.sandbox.hold = asyncio.Event()
    task = asyncio.create_task(bench.run())
    await bench.until(lambda: bench.sandbox.running == 1)
    bench.sandbox.hold = None
    return bench, task


def correction(*decisions: Decision, reading: Reading | None = None) -> Answer:
    return Answer("correct", decisions=decisions, reading=reading)


def replayed(bench: Bench) -> Session:
    """The session, which a replay gives as well."""
    live = bench.journal.session
    live.live = Live()
    assert replay(bench.journal.events) == live
    return live


async def test_a_session_that_is_over_goes_on_with_the_correction() -> None:
    bench = await reopened(await finished(), "x = 2")
    await bench.gate.reopen(correction(PRICE))
    end = await bench.run()
    session = replayed(bench)
    assert (end.outcome, end.best) == ("success", 2)
    assert bench.programmer.briefs[0].corrections == (PRICE,)
    assert [job.code for job in bench.sandbox.jobs] == ["x = 2"], "the first program is not run again"
    assert [(a.outcome, a.good) for a in session.attempts.values()] == [("overruled", False), ("right", True)]
    assert bench.names.count("SessionFinished") == 2


async def test_an_undo_goes_back_to_the_attempt_before_without_a_run() -> None:
    bench = await reopened(await finished(), "x = 2")
    await bench.gate.reopen(correction(PRICE))
    await bench.run()
    again = await reopened(bench)
    await again.gate.reopen(Answer("undo"))
    end = await again.run()
    session = replayed(again)
    assert (end.outcome, end.best, session.decisions, again.sandbox.jobs) == ("success", 1, (), [])
    assert [a.outcome for a in session.attempts.values()] == ["right", "overruled"]
    assert again.delivered[-1][1] == "x = 1"


async def test_the_same_correction_again_goes_back_to_its_program_without_a_run() -> None:
    bench = await reopened(await finished(), "x = 2")
    await bench.gate.reopen(correction(PRICE))
    await bench.run()
    undone = await reopened(bench)
    await undone.gate.reopen(Answer("undo"))
    await undone.run()
    again = await reopened(undone)
    await again.gate.reopen(correction(PRICE))
    end = await again.run()
    assert (end.outcome, end.best, again.sandbox.jobs) == ("success", 2, [])
    assert [a.outcome for a in replayed(again).attempts.values()] == ["overruled", "right"]


async def test_only_a_question_about_the_column_is_decided_with_it() -> None:
    group, column = (Question(kind, "which?", column=name) for kind, name in (("group", ""), ("column", "price")))
    bench = await reopened(await finished())
    await bench.gate.reopen(Answer("go"))
    for question in (group, column):
        await bench.journal.append(ev.LeftOpen(question=question))
    assert bench.gate.correct((Decision("group", option="g"), PRICE))
    await bench.run()
    assert replayed(bench).left_open == (group,)


async def test_the_last_of_several_corrections_is_undone_first() -> None:
    asked = Decision("column", "price", option="s1")
    bench = await reopened(await finished(decisions=(asked,)), "x = 2")
    await bench.gate.reopen(correction(PRICE))
    await bench.run()
    assert replayed(bench).decisions == (PRICE,)
    more = await reopened(bench, "x = 3")
    await more.gate.reopen(correction(STOCK))
    await more.run()
    assert replayed(more).decisions == (PRICE, STOCK)
    back = await reopened(more)
    await back.gate.reopen(Answer("undo"))
    end = await back.run()
    assert (end.best, replayed(back).decisions) == (2, (PRICE,))
    first = await reopened(back)
    await first.gate.reopen(Answer("undo"))
    assert ((await first.run()).best, replayed(first).decisions) == (1, (asked,))


async def test_there_is_nothing_to_undo_where_nothing_was_corrected() -> None:
    bench = await reopened(await finished())
    with pytest.raises(BadAnswer, match="there is nothing to undo"):
        await bench.gate.reopen(Answer("undo"))
    assert bench.journal.session.over
    with pytest.raises(IllegalTransition, match="an undo where there is nothing to undo"):
        await bench.journal.append(ev.Intervened(kind="undo"))
    await bench.gate.reopen(Answer("go"))
    with pytest.raises(BadAnswer, match="there is nothing to undo"):
        bench.gate.undo()
    assert (await bench.run()).best == 1


async def test_an_undo_takes_back_a_rewind_before_the_correction() -> None:
    bench = await reopened(await finished(), "x = 2")
    await bench.gate.reopen(correction(PRICE))
    await bench.run()
    away = await reopened(bench)
    await away.gate.reopen(Answer("rewind", target=1))
    assert ((await away.run()).best, replayed(away).decisions) == (1, ()), "as it was, with what was decided then"
    back = await reopened(away)
    await back.gate.reopen(undoing(back.journal.session))
    end = await back.run()
    assert (end.best, back.sandbox.jobs, replayed(back).decisions) == (2, [], (PRICE,))
    first = await reopened(back)
    await first.gate.reopen(undoing(first.journal.session))
    assert ((await first.run()).best, replayed(first).decisions) == (1, ())
    with pytest.raises(BadAnswer, match="there is nothing to undo"):
        await (await reopened(first)).gate.reopen(undoing(first.journal.session))


async def test_a_program_that_was_written_before_may_come_again_after_a_correction() -> None:
    bench = await reopened(await finished(), "x = 1")
    await bench.gate.reopen(correction(PRICE))
    end = await bench.run()
    assert (end.outcome, end.best) == ("success", 2)


async def test_the_attempts_are_counted_from_the_correction() -> None:
    bench = await reopened(await finished(attempts=1), "x = 2")
    await bench.gate.reopen(correction(PRICE))
    assert (await bench.run()).best == 2
    assert bench.loop.budget.attempts == 1


async def test_it_applies_to_later_repairs() -> None:
    bench = await reopened(await finished(), "x = 2", "x = 3", critic=FakeCritic(wrong(), RIGHT))
    await bench.gate.reopen(correction(PRICE))
    assert (await bench.run()).best == 3
    written, repaired = bench.programmer.briefs
    assert (written.corrections, repaired.corrections) == ((PRICE,), ())
    assert repaired.decisions == (PRICE,)


async def test_rows_that_were_corrected_are_not_stood_behind_where_no_program_comes() -> None:
    bench = await reopened(await finished(), NoIdea("nothing left to try"))
    await bench.gate.reopen(correction(PRICE))
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
    assert replayed(bench).decisions == (PRICE,)


async def test_a_step_in_hand_is_interrupted_by_a_correction() -> None:
    bench, task = await running("x = 1", "x = 2")
    assert bench.gate.correct((PRICE,))
    end = await task
    assert end.best == 2
    assert [e.reason for e in bench.journal.events if isinstance(e, ev.StepInterrupted)] == ["a column was corrected"]


async def test_nothing_but_what_the_person_does_follows_an_end() -> None:
    bench = await finished()
    session = bench.journal.session
    with pytest.raises(IllegalTransition, match="Noted after the session's end"):
        check(session, ev.Noted(seq=session.seq + 1, text="late"))
    check(session, ev.Intervened(seq=session.seq + 1, kind="go"))
    again = await reopened(bench)
    await again.gate.reopen(Answer("go"))
    with pytest.raises(IllegalTransition, match="goes on before its end"):
        await again.journal.append(ev.Intervened(kind="go"))
    assert (await again.run()).best == 1


# What else a session that is over takes.


@pytest.mark.parametrize("kind", ["go", "edit", "rewind"])
async def test_a_session_that_is_over_takes_more_attempts_an_edit_and_a_rewind(kind: AnswerKind) -> None:
    """It ends with the budget of one attempt spent, and has another one with each of them."""
    failed = Bench(
        FakeProgrammer("x = 1"), FakeSandbox(ran()), FakeCritic(wrong()), options=Options(Allowance(attempts=1))
    )
    await failed.open()
    assert (await failed.run()).outcome == "budget"
    bench = await reopened(failed, *([] if kind == "edit" else ["x = 2"]))
    if kind == "rewind":
        bench.critic.verdicts = [RIGHT]
    await bench.gate.reopen(Answer(kind, code="x = 2" if kind == "edit" else "", target=int(kind == "rewind")))
    session = bench.journal.session
    assert (session.end, bench.names[-1]) == (None, "Intervened")
    end = await bench.run()
    assert (end.outcome, end.best) == ("success", 2)
    assert [job.code for job in bench.sandbox.jobs] == ["x = 2"]
    assert replayed(bench).attempts[2].author == ("person" if kind == "edit" else "rules")


async def test_rows_that_the_person_edited_or_went_back_to_win_over_others_that_are_right_as_well() -> None:
    bench = await reopened(await finished(), critic=FakeCritic(msgspec.structs.replace(RIGHT, score=0.6)))
    await bench.gate.reopen(Answer("edit", code="x = 2"))
    assert (await bench.run()).best == 2
    back = await reopened(bench)
    await back.gate.reopen(Answer("rewind", target=1))
    assert (await back.run()).best == 1
    assert back.sandbox.jobs == []


async def test_a_session_that_was_cut_off_right_after_what_the_person_did_still_does_it() -> None:
    bench = await reopened(await finished())
    await bench.gate.reopen(correction(PRICE))
    again = await reopened(bench, "x = 2")
    assert (await again.run()).best == 2
    assert again.programmer.briefs[0].corrections == (PRICE,)


# The reading.

ALL_PAGES = Reading(text="q", urls=("http://127.0.0.1/",), pages="all", sources={"pages": "person"})


async def test_more_pages_are_looked_at_and_an_undo_takes_them_back() -> None:
    bench = await reopened(await finished(), "x = 2", "x = 3")
    await bench.gate.reopen(correction(reading=ALL_PAGES))
    end = await bench.run()
    session = replayed(bench)
    assert (end.best, bench.surveyor.calls, session.reading) == (2, 1, ALL_PAGES)
    assert (bench.programmer.briefs[0].reread, bench.programmer.briefs[0].corrections) == (("pages",), ())
    assert [a.outcome for a in session.attempts.values()] == ["overruled", "right"]
    back = await reopened(bench)
    await back.gate.reopen(Answer("undo"))
    end = await back.run()
    assert (end.best, back.surveyor.calls, back.sandbox.jobs) == (1, 0, [])
    assert replayed(back).reading.pages == "unsaid"


async def test_a_reading_that_is_too_large_is_refused_and_nothing_has_happened() -> None:
    bench = await reopened(await finished())
    with pytest.raises(BadAnswer, match="say it in fewer words"):
        await bench.gate.reopen(correction(reading=Reading(text="q" * 50_000)))
    assert bench.journal.session.over


async def test_a_question_about_a_column_that_is_dropped_is_open_no_more() -> None:
    bench = await reopened(await finished())
    await bench.gate.reopen(Answer("go"))
    await bench.journal.append(ev.LeftOpen(question=Question("column", "which?", column="price")))
    bench.gate.correct((), Reading(text="q", columns=(Column("title"),)))
    await bench.run()
    assert replayed(bench).left_open == ()


# Several at once.


async def test_corrections_that_come_before_the_first_is_recorded_all_count() -> None:
    bench, task = await running("x = 1", "x = 2")
    third = Decision("column", "title", text="h3")
    for decision in (PRICE, STOCK, third):
        assert bench.gate.correct((decision,))
    assert bench.gate.undo()
    assert (await task).best == 2
    session = replayed(bench)
    assert session.decisions == bench.programmer.briefs[-1].corrections == (PRICE, STOCK)
    assert [e.kind for e in bench.journal.events if isinstance(e, ev.Intervened)] == ["correct"] * 3 + ["undo"]


async def test_what_is_done_next_can_wait_until_what_was_done_is_recorded() -> None:
    bench, task = await running("x = 1", "x = 2")
    session = bench.journal.session
    assert bench.gate.correct((PRICE,))
    assert session.decisions == ()
    await bench.gate.taken_up()
    assert session.decisions == (PRICE,)
    await bench.until(lambda: bench.gate._closed)
    assert not bench.gate.undo(), "it takes nothing more, and is not over"
    await bench.gate.taken_up()
    assert session.over
    await task


# Hints.


async def test_a_model_is_asked_again_where_a_session_that_is_over_gets_a_hint() -> None:
    bench = await reopened(await finished(), "x = 2")
    bench.programmer.author = "model"
    await bench.gate.reopen(Answer("hint", text="the old price is meant"))
    end = await bench.run()
    assert (end.best, bench.programmer.briefs[0].hint) == (2, "the old price is meant")
    assert replayed(bench).attempts[1].outcome == "right", "a hint overrules no rows"


class Listener(FakeProgrammer):
    """Understands one hint."""

    def read_hint(self, text: str, brief: Brief) -> Preview:
        if text == "all pages":
            return Preview((), (), ALL_PAGES)
        if text != "stock is .left":
            raise NotUnderstood("COLUMN is SELECTOR is understood")
        return Preview((STOCK,), ())


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
    replayed(bench)


async def test_a_hint_can_say_how_the_request_is_read() -> None:
    bench = waiting()
    bench.critic.verdicts = [RIGHT]
    await bench.open()
    task = asyncio.create_task(bench.run())
    bench.gate.answer((await bench.question("run")).seq, Answer("hint", text="all pages"))
    await bench.until(lambda: bench.surveyor.calls == 2)
    await bench.question("run")
    assert bench.programmer.briefs[-1].reread == ("pages",)
    assert bench.journal.session.reading == ALL_PAGES
    bench.gate.stop()
    await task


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


async def test_a_hint_that_says_what_is_so_already_spends_no_run_on_the_same_program() -> None:
    bench = waiting()
    bench.programmer.drafts = ["x = 1", "x = 1", "x = 2"]
    await bench.open()
    task = asyncio.create_task(bench.run())
    bench.gate.answer((await bench.question("run")).seq, Answer("go"))
    bench.gate.answer((await bench.question("retry")).seq, Answer("hint", text="stock is .left"))
    await bench.question("run")
    assert [brief.corrections for brief in bench.programmer.briefs] == [(), (STOCK,), ()]
    session = bench.journal.session
    assert session.decisions == (STOCK,)
    assert (list(session.attempts), session.attempts[2].diagnosis) == ([1, 2], f"{SO_ALREADY} because")
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
