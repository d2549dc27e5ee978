"""A person at the gate: every mode, every answer, pause, resume, stop, cancel, at every step."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from scrapewright.loop.answers import LOGIN_CHOICES, Answer, BadAnswer, check_answer
from scrapewright.loop.budget import Allowance
from scrapewright.loop.parts import Options
from scrapewright.loop.ports import NoIdea
from scrapewright.session import events as ev
from scrapewright.session.events import Mode, Phase
from scrapewright.session.state import replay
from scrapewright.session.verdict import Verdict
from tests.fakes.parts import RIGHT, Bench, FakeCritic, FakeProgrammer, FakeSandbox, crashed, ran, wrong


def failing_then_right(mode: Mode, *programs: str) -> Bench:
    programs = programs or ("x = 1", "x = 2")
    return Bench(FakeProgrammer(*programs), FakeSandbox(crashed(), ran()), FakeCritic(wrong(0.1), RIGHT), mode=mode)


async def test_approve_asks_before_every_run_and_every_retry() -> None:
    bench = await failing_then_right(Mode.APPROVE).open()
    task = asyncio.create_task(bench.run())
    asked: list[str] = []
    for kind in ("run", "retry", "run"):
        question = await bench.question(kind)
        asked.append(question.kind)
        assert bench.journal.session.phase is Phase.WAITING
        assert bench.gate.answer(question.seq, Answer("go"))
        await bench.until(lambda: bench.journal.session.question is None)
    end = await task
    assert end.outcome == "success"
    assert asked == ["run", "retry", "run"]


async def test_step_asks_after_every_phase_and_iterate_goes_to_the_next_approval() -> None:
    bench = await failing_then_right(Mode.STEP).open()
    task = asyncio.create_task(bench.run())
    seen: list[tuple[str, str | None]] = []
    while not bench.journal.session.over:
        await bench.until(lambda: bench.journal.session.question is not None or bench.journal.session.over)
        question = bench.journal.session.question
        if question is None:
            break
        seen.append((question.kind, question.step))
        skip = question.kind == "retry"
        bench.gate.answer(question.seq, Answer("iterate" if skip else "go"))
        await bench.until(lambda: bench.journal.session.question is not question)  # noqa: B023
    await task
    assert seen == [
        ("phase", "survey"), ("run", "run"), ("phase", "run"), ("retry", "write"), ("run", "run"), ("phase", "run"),
    ]  # fmt: skip


async def test_an_edit_runs_as_the_persons_own_attempt() -> None:
    bench = await failing_then_right(Mode.APPROVE, "x = 1").open()
    task = asyncio.create_task(bench.run())
    bench.gate.answer((await bench.question("run")).seq, Answer("go"))
    question = await bench.question("retry")
    with pytest.raises(BadAnswer, match="needs a program"):
        bench.gate.answer(question.seq, Answer("edit", code="  \n"))
    with pytest.raises(BadAnswer, match=r"line 2: .* the program is not run"):
        bench.gate.answer(question.seq, Answer("edit", code="x = 1\nHere is the program\n"))
    assert bench.gate.answer(question.seq, Answer("edit", code="x = 'mine'\n"))
    end = await task
    assert (end.outcome, end.best) == ("success", 2)
    assert bench.sandbox.jobs[1].code == "x = 'mine'\n"
    mine = bench.journal.session.attempts[2]
    assert (mine.author, mine.parent) == ("person", 1)


async def test_a_hint_reaches_the_programmer() -> None:
    bench = await failing_then_right(Mode.APPROVE).open()
    task = asyncio.create_task(bench.run())
    bench.gate.answer((await bench.question("run")).seq, Answer("go"))
    bench.gate.answer((await bench.question("retry")).seq, Answer("hint", text="prices may be words"))
    bench.gate.answer((await bench.question("run")).seq, Answer("go"))
    await task
    assert bench.programmer.briefs[1].hint == "prices may be words"


async def test_a_refused_program_is_not_run() -> None:
    bench = await failing_then_right(Mode.APPROVE).open()
    bench.sandbox.results = [ran()]
    bench.critic.verdicts = [RIGHT]
    task = asyncio.create_task(bench.run())
    bench.gate.answer((await bench.question("run")).seq, Answer("refuse"))
    question = await bench.question("retry")
    with pytest.raises(BadAnswer, match="takes hint, edit"):
        bench.gate.answer(question.seq, Answer("go"))
    bench.gate.answer(question.seq, Answer("hint", text="use the table"))
    bench.gate.answer((await bench.question("run")).seq, Answer("go"))
    end = await task
    assert (end.best, len(bench.sandbox.jobs)) == (2, 1)
    assert bench.journal.session.attempts[1].outcome == "refused"


async def test_retry_leaves_out_what_was_learnt() -> None:
    bench = await failing_then_right(Mode.APPROVE).open()
    task = asyncio.create_task(bench.run())
    bench.gate.answer((await bench.question("run")).seq, Answer("go"))
    bench.gate.answer((await bench.question("retry")).seq, Answer("retry"))
    bench.gate.answer((await bench.question("run")).seq, Answer("go"))
    await task
    assert bench.programmer.briefs[1].attempts == ()
    assert bench.programmer.briefs[1].strategy == 1


async def test_accept_overrules_the_judge() -> None:
    bench = await Bench(FakeProgrammer("x = 1"), FakeSandbox(ran()), FakeCritic(wrong(0.6)), mode=Mode.APPROVE).open()
    task = asyncio.create_task(bench.run())
    bench.gate.answer((await bench.question("run")).seq, Answer("go"))
    bench.gate.answer((await bench.question("retry")).seq, Answer("accept"))
    end = await task
    assert (end.outcome, end.exit_code, bench.delivered[0][3]) == ("accepted", 0, True)


async def test_rewind_branches_from_an_earlier_attempt() -> None:
    bench = await Bench(
        FakeProgrammer("x = 1", "x = 2", "x = 3"),
        FakeSandbox(crashed(1), crashed(2), ran()),
        FakeCritic(wrong(0.1), wrong(0.2), RIGHT),
        mode=Mode.APPROVE,
    ).open()
    task = asyncio.create_task(bench.run())
    bench.gate.answer((await bench.question("run")).seq, Answer("go"))
    bench.gate.answer((await bench.question("retry")).seq, Answer("go"))
    bench.gate.answer((await bench.question("run")).seq, Answer("go"))
    question = await bench.question("retry")
    with pytest.raises(BadAnswer, match="no attempt 7"):
        bench.gate.answer(question.seq, Answer("rewind", target=7))
    bench.gate.answer(question.seq, Answer("rewind", target=1))
    await bench.until(lambda: bench.journal.session.current == 1)
    bench.gate.answer((await bench.question("retry")).seq, Answer("go"))
    bench.gate.answer((await bench.question("run")).seq, Answer("go"))
    end = await task
    assert end.best == 3
    assert bench.journal.session.attempts[3].parent == 1
    assert [a.id for a in bench.programmer.briefs[2].attempts] == [2, 1]


async def test_a_stale_or_second_answer_is_dropped() -> None:
    bench = await failing_then_right(Mode.APPROVE).open()
    task = asyncio.create_task(bench.run())
    first = await bench.question("run")
    assert bench.gate.answer(first.seq, Answer("go"))
    assert not bench.gate.answer(first.seq, Answer("stop"))
    second = await bench.question("retry")
    assert not bench.gate.answer(first.seq, Answer("stop"))
    assert bench.gate.answer(second.seq, Answer("stop"))
    end = await task
    assert (end.outcome, end.exit_code) == ("stopped", 130)


async def test_a_mode_holds_from_the_moment_it_is_chosen() -> None:
    bench = await failing_then_right(Mode.STEP).open()
    assert bench.gate.wants_approval()
    bench.gate.set_mode(Mode.AUTO)
    assert not bench.gate.wants_approval(), "though the journal has not come to it yet"
    assert await bench.gate.after_phase("survey", "go on?") is None
    await bench.journal.close()


STEPS = ["survey", "write", "run"]


def held(bench: Bench, step: str) -> asyncio.Event:
    """Holds the step until the event is set."""
    part = {"survey": bench.surveyor, "write": bench.programmer, "run": bench.sandbox}[step]
    part.hold = asyncio.Event()
    return part.hold


PHASE = {"survey": Phase.SURVEYING, "write": Phase.WRITING, "run": Phase.RUNNING}


async def in_step(bench: Bench, step: str) -> None:
    await bench.until(lambda: bench.journal.session.phase is PHASE[step])
    part = {"survey": bench.surveyor, "write": bench.programmer, "run": bench.sandbox}[step]
    while not (getattr(part, "calls", 0) or getattr(part, "briefs", ()) or getattr(part, "running", 0)):
        await asyncio.sleep(0)


@pytest.mark.parametrize("step", STEPS)
async def test_a_pause_takes_effect_after_the_step(step: str) -> None:
    bench = await failing_then_right(Mode.AUTO).open()
    hold = held(bench, step)
    task = asyncio.create_task(bench.run())
    await in_step(bench, step)
    bench.gate.pause()
    await bench.until(lambda: bench.journal.session.phase is Phase.PAUSING)
    hold.set()
    await bench.until(lambda: bench.journal.session.phase is Phase.PAUSED)
    bench.gate.resume()
    assert (await task).outcome == "success"
    assert "StepInterrupted" not in bench.names


@pytest.mark.parametrize("step", STEPS)
async def test_a_second_pause_kills_the_step_and_resume_runs_it_again(step: str) -> None:
    bench = await failing_then_right(Mode.AUTO).open()
    hold = held(bench, step)
    task = asyncio.create_task(bench.run())
    await in_step(bench, step)
    bench.gate.pause()
    bench.gate.pause()
    await bench.until(lambda: bench.journal.session.phase is Phase.PAUSED)
    assert "StepInterrupted" in bench.names
    assert {"survey": bench.surveyor, "write": bench.programmer, "run": bench.sandbox}[step].cancelled == 1
    assert bench.sandbox.running == 0
    hold.set()
    bench.gate.resume()
    assert (await task).outcome == "success"


@pytest.mark.parametrize("step", STEPS)
async def test_stop_at_every_step(step: str) -> None:
    bench = await failing_then_right(Mode.AUTO).open()
    held(bench, step)
    task = asyncio.create_task(bench.run())
    await in_step(bench, step)
    bench.gate.stop()
    end = await task
    assert (end.outcome, end.exit_code, end.phase) == ("stopped", 130, Phase.STOPPED)
    assert bench.sandbox.running == 0
    assert bench.web.closed == 1


@pytest.mark.parametrize("step", STEPS)
async def test_cancel_at_every_step(step: str) -> None:
    bench = await failing_then_right(Mode.AUTO).open()
    held(bench, step)
    task = asyncio.create_task(bench.loop.run())
    await in_step(bench, step)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert bench.names[-1] == "SessionFinished"
    assert bench.journal.session.phase is Phase.STOPPED
    assert bench.sandbox.running == 0
    await bench.journal.close()


@pytest.mark.parametrize("kind", ["phase", "run", "retry"])
async def test_stop_pause_and_cancel_while_a_question_is_open(kind: str) -> None:
    mode = Mode.STEP if kind == "phase" else Mode.APPROVE
    bench = await failing_then_right(mode).open()
    task = asyncio.create_task(bench.loop.run())
    if kind == "retry":
        bench.gate.answer((await bench.question("run")).seq, Answer("go"))
    question = await bench.question(kind)
    bench.gate.pause()
    await bench.until(lambda: bench.journal.session.phase is Phase.PAUSING)
    bench.gate.answer(question.seq, Answer("go"))
    await bench.until(lambda: bench.journal.session.phase is Phase.PAUSED)
    bench.gate.stop()
    assert (await task).outcome == "stopped"
    await bench.journal.close()


async def test_cancel_while_a_question_is_open() -> None:
    bench = await failing_then_right(Mode.APPROVE).open()
    task = asyncio.create_task(bench.loop.run())
    await bench.question("run")
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert bench.names[-1] == "SessionFinished"
    await bench.journal.close()


async def test_waiting_spends_no_wall_time() -> None:
    bench = await failing_then_right(Mode.APPROVE).open()
    clock = iter(range(0, 10_000, 50))
    bench.gate._clock = lambda: float(next(clock))
    task = asyncio.create_task(bench.run())
    for kind in ("run", "retry", "run"):
        bench.gate.answer((await bench.question(kind)).seq, Answer("go"))
        await bench.until(lambda: bench.journal.session.question is None)
    await task
    assert bench.gate.waited == 150.0
    time_row = next(row for row in bench.loop.budget.rows() if row[0] == "time")
    assert time_row[1] < 0


@pytest.mark.parametrize("cut", range(1, 22))
async def test_a_session_cut_off_after_any_event_goes_on(cut: int) -> None:
    """The journal of a whole run, cut after `cut` events: a new process finishes the session."""
    whole = await failing_then_right(Mode.AUTO).open()
    await whole.run()
    rows = whole.log.rows
    assert len(rows) == 22, "every cut is tried"
    log = type(whole.log)(rows[:cut])
    before = {type(ev.decode(r)).__name__ for r in rows[:cut]}
    programs = ["x = 1", "x = 2"][sum(isinstance(ev.decode(r), ev.CodeWritten) for r in rows[:cut]) :]
    runs = [crashed(), ran()][sum(isinstance(ev.decode(r), ev.RunFinished) for r in rows[:cut]) :] or [ran()]
    verdicts = [wrong(0.1), RIGHT][sum(isinstance(ev.decode(r), ev.Judged) for r in rows[:cut]) :] or [RIGHT]
    bench = Bench(
        FakeProgrammer(*programs), FakeSandbox(*runs), FakeCritic(*verdicts), log=log, blobs=whole.blobs,
        options=Options(),
    )  # fmt: skip
    await bench.open()
    end = await bench.run()
    last = ev.decode(rows[cut - 1])
    numbers_lost = isinstance(last, ev.AttemptStarted)  # its program was never stored; numbers only grow
    assert (end.outcome, end.best) == ("success", 3 if numbers_lost else 2)
    assert len(bench.sandbox.jobs) == len(runs) or len(bench.sandbox.jobs) <= 1
    assert bench.surveyor.calls == ("Surveyed" not in before)


@pytest.mark.parametrize("why", ["no idea", "the same program"])
async def test_a_person_is_asked_where_the_programmer_knows_no_other_way(why: str) -> None:
    last = NoIdea("no other list on the page") if why == "no idea" else "x = 1"
    bench = await Bench(
        FakeProgrammer("x = 1", last, last, "x = 2"), FakeSandbox(crashed(), ran()), FakeCritic(wrong(0.1), RIGHT),
        mode=Mode.APPROVE, options=Options(allowance=Allowance(attempts=9)),
    ).open()  # fmt: skip
    task = asyncio.create_task(bench.run())
    bench.gate.answer((await bench.question("run")).seq, Answer("go"))
    bench.gate.answer((await bench.question("retry")).seq, Answer("retry"))
    await bench.until(lambda: bench.journal.session.question is None)
    stuck = await bench.question("retry")
    assert "what instead?" in stuck.prompt
    assert stuck.choices == ("hint", "edit", "rewind", "stop")
    bench.gate.answer(stuck.seq, Answer("edit", code="x = 3"))
    assert (await task).outcome == "success"
    assert [job.code for job in bench.sandbox.jobs] == ["x = 1", "x = 3"]


async def test_an_iteration_may_begin_with_an_approval() -> None:
    bench = await failing_then_right(Mode.STEP).open()
    task = asyncio.create_task(bench.run())
    bench.gate.answer((await bench.question("phase")).seq, Answer("go"))
    asked = await bench.question("run")
    assert asked.choices[:2] == ("go", "iterate")
    bench.gate.answer(asked.seq, Answer("iterate"))
    await bench.question("retry")
    assert len(bench.sandbox.jobs) == 1
    bench.gate.stop()
    await task


def test_a_login_takes_a_file_of_cookies_alone(tmp_path: Path) -> None:
    good = tmp_path / "cookies.txt"
    good.write_text("a.test\tFALSE\t/\tFALSE\t0\tsid\tpl4nted\n")
    (tmp_path / "odd.txt").write_text("sid=pl4nted")
    asked = ev.Asked(kind="login", prompt="?", choices=LOGIN_CHOICES)
    check_answer(Answer("say", text=f" {good}\n"), asked)
    odd = ("sid=pl4nted", "pl4nted\0", "~nobody-of-that-name/pl4nted", "pl4nted" * 500, str(tmp_path / "odd.txt"), " ")
    for text in odd:
        with pytest.raises(BadAnswer) as refused:
            check_answer(Answer("say", text=text), asked)
        assert "pl4nted" not in str(refused.value)


async def test_a_refusal_and_an_acceptance_can_be_taken_back() -> None:
    bench = await Bench(
        FakeProgrammer("x = 1\n", "x = 2\n"), FakeSandbox(ran()), FakeCritic(wrong()), mode=Mode.APPROVE
    ).open()
    running = asyncio.create_task(bench.run())
    bench.gate.answer((await bench.question("run")).seq, Answer("refuse"))
    asked = await bench.question("retry")
    assert "go" not in asked.choices
    assert bench.gate.undo()
    bench.gate.answer((await bench.question("run")).seq, Answer("go"))
    asked = await bench.question("retry")
    assert asked.attempt == 1, "the refused program itself has run"
    bench.gate.answer(asked.seq, Answer("accept"))
    assert (await running).outcome == "accepted"

    again = Bench(bench.programmer, bench.sandbox, bench.critic, log=bench.log, blobs=bench.blobs)
    await again.open()
    await again.gate.reopen(Answer("undo"))
    running = asyncio.create_task(again.run())
    asked = await again.question("retry")
    assert not again.journal.session.attempts[1].good
    again.gate.answer(asked.seq, Answer("stop"))
    await running
    assert replay(again.journal.events) == again.journal.session
    assert len(bench.programmer.briefs) == 1, "nothing else was written for it"


async def test_an_acceptance_is_taken_back_once() -> None:
    bench = await Bench(FakeProgrammer("x = 1\n"), FakeSandbox(ran()), FakeCritic(wrong()), mode=Mode.APPROVE).open()
    running = asyncio.create_task(bench.run())
    bench.gate.answer((await bench.question("run")).seq, Answer("go"))
    bench.gate.answer((await bench.question("retry")).seq, Answer("accept"))
    await running

    again = Bench(bench.programmer, bench.sandbox, bench.critic, log=bench.log, blobs=bench.blobs)
    await again.open()
    await again.gate.reopen(Answer("go"))
    assert again.gate.undo()
    with pytest.raises(BadAnswer, match="there is nothing to undo"):
        again.gate.undo()
    running = asyncio.create_task(again.run())
    again.gate.answer((await again.question("retry")).seq, Answer("stop"))
    assert (await running).outcome == "stopped"


async def test_rows_that_are_not_there_are_not_to_be_accepted() -> None:
    bench = await Bench(
        FakeProgrammer("x = 1\n"), FakeSandbox(crashed()), FakeCritic(Verdict(ok=False, score=0.0)), mode=Mode.APPROVE
    ).open()
    running = asyncio.create_task(bench.run())
    bench.gate.answer((await bench.question("run")).seq, Answer("go"))
    asked = await bench.question("retry")
    assert "accept" not in asked.choices
    bench.gate.answer(asked.seq, Answer("stop"))
    await running


async def test_a_mode_is_no_answer_to_the_open_question() -> None:
    bench = await Bench(FakeProgrammer("x = 1\n"), FakeSandbox(ran()), FakeCritic(RIGHT), mode=Mode.STEP).open()
    running = asyncio.create_task(bench.run())
    asked = await bench.question("phase")
    bench.gate.set_mode(Mode.AUTO)
    await bench.until(lambda: bench.journal.session.mode is Mode.AUTO)
    assert bench.journal.session.question == asked
    bench.gate.answer(asked.seq, Answer("go"))
    assert (await running).outcome == "success"
