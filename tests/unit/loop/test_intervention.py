"""A person who steps in without being asked: an edit, a rewind, a hint, at any moment."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from scrapewright.loop.answers import TEXT_AT_MOST, Answer, BadAnswer
from scrapewright.loop.parts import Options
from scrapewright.loop.ports import Case
from scrapewright.session import events as ev
from scrapewright.session.events import Mode, Phase
from scrapewright.session.live import Live
from scrapewright.session.state import replay
from scrapewright.session.verdict import Verdict
from tests.fakes.parts import RIGHT, Bench, FakeCritic, FakeProgrammer, FakeSandbox, MemoryLog, crashed, ran, wrong

MINE = "x = 'mine'\n"


def make(*programs: str, mode: Mode = Mode.AUTO, verdicts: tuple[Verdict, ...] = (wrong(0.1), RIGHT)) -> Bench:
    """The first run crashes, the second is right, whoever wrote the programs."""
    return Bench(
        FakeProgrammer(*(programs or ("x = 1", "x = 2"))), FakeSandbox(crashed(), ran()), FakeCritic(*verdicts),
        mode=mode,
    )  # fmt: skip


@asynccontextmanager
async def at_work(bench: Bench, step: str) -> AsyncIterator[asyncio.Task[ev.SessionFinished]]:
    """The session, held in that step."""
    await bench.open()
    part = {"survey": bench.surveyor, "write": bench.programmer, "run": bench.sandbox}[step]
    part.hold = hold = asyncio.Event()
    task = asyncio.create_task(bench.run())
    while not (getattr(part, "calls", 0) or getattr(part, "briefs", ()) or getattr(part, "running", 0)):
        await asyncio.sleep(0)
    try:
        yield task
    finally:
        hold.set()
        if not task.done():
            bench.gate.stop()
            await task
        assert_replay_is_the_same(bench)


def assert_replay_is_the_same(bench: Bench) -> None:
    live = bench.journal.session
    live.live = Live()
    assert replay(bench.journal.events) == live


def goes_on(bench: Bench, part: str) -> None:
    """What is held now stays so; the next of its kind is not."""
    held = {"write": bench.programmer, "run": bench.sandbox}[part]
    held.hold = None


@pytest.mark.parametrize("step", ["write", "run"])
async def test_an_edit_interrupts_the_step_in_hand_and_runs_next(step: str) -> None:
    bench = make("x = 1", "x = 2")
    async with at_work(bench, step) as task:
        goes_on(bench, step)
        assert bench.gate.edit(MINE)
        end = await task
    interrupted = next(e for e in bench.journal.events if isinstance(e, ev.StepInterrupted))
    assert (interrupted.step, interrupted.reason) == (step, "edited by hand")
    at = bench.names.index("StepInterrupted")
    assert "Intervened" in bench.names[at : at + 2]
    mine = next(a for a in bench.journal.session.attempts.values() if a.author == "person")
    assert MINE in [job.code for job in bench.sandbox.jobs]
    assert bench.sandbox.jobs[-1 if step == "run" else 0].code in {MINE, "x = 2"}
    assert mine.parent == (1 if step == "run" else 0)
    assert end.outcome == "success"
    assert bench.journal.session.edit == ""


async def test_the_loop_goes_on_from_the_persons_program() -> None:
    bench = make("x = 1", "x = 3")
    bench.sandbox.results = [crashed(), ran()]
    async with at_work(bench, "run") as task:
        goes_on(bench, "run")
        bench.gate.edit(MINE)
        end = await task
    session = bench.journal.session
    assert [(a.author, a.parent) for a in session.attempts.values()] == [("rules", 0), ("person", 1), ("rules", 2)]
    assert bench.programmer.briefs[-1].attempts[-1].code == MINE
    assert session.attempts[1].outcome == "written", "an interrupted run has no result"
    assert (end.outcome, end.best) == ("success", 3)
    assert session.mode is Mode.AUTO
    assert "Asked" not in bench.names


async def test_an_edit_during_the_survey_waits_for_it() -> None:
    bench = make(verdicts=(RIGHT,))
    async with at_work(bench, "survey") as task:
        assert bench.gate.edit(MINE)
        await asyncio.sleep(0)
        assert bench.surveyor.cancelled == 0
        bench.surveyor.hold.set()  # type: ignore[union-attr]
        end = await task
    assert "StepInterrupted" not in bench.names
    assert bench.sandbox.jobs[0].code == MINE
    assert bench.programmer.briefs == []
    assert end.best == 1


async def test_an_edit_while_it_judges_is_what_runs_next() -> None:
    judging, judged = threading.Event(), threading.Event()

    class SlowCritic(FakeCritic):
        def judge(self, case: Case) -> Verdict:
            verdict = super().judge(case)
            if len(self.cases) == 1:
                judging.set()
                judged.wait(20)
            return verdict

    bench = make("x = 1", verdicts=(RIGHT, RIGHT))
    bench.critic = SlowCritic(RIGHT)
    await bench.open()
    task = asyncio.create_task(bench.run())
    await asyncio.to_thread(judging.wait, 20)
    assert bench.gate.edit(MINE)
    await bench.until(lambda: 2 in bench.journal.session.attempts)
    judged.set()
    end = await task
    assert end.best == 2
    assert bench.sandbox.jobs[1].code == MINE
    assert_replay_is_the_same(bench)


@pytest.mark.parametrize("kind", ["phase", "run", "retry"])
async def test_an_edit_answers_a_question_that_takes_one(kind: str) -> None:
    bench = await make(mode=Mode.STEP if kind == "phase" else Mode.APPROVE).open()
    task = asyncio.create_task(bench.run())
    if kind == "retry":
        bench.gate.answer((await bench.question("run")).seq, Answer("go"))
    question = await bench.question(kind)
    assert bench.gate.edit(MINE)
    await bench.until(lambda: any(a.author == "person" and a.code for a in bench.journal.session.attempts.values()))
    answered = [e for e in bench.journal.events if isinstance(e, ev.Answered)]
    assert (answered[-1].ticket, answered[-1].answer) == (question.seq, "edit")
    assert "Intervened" not in bench.names
    bench.gate.stop()
    await task
    assert_replay_is_the_same(bench)


async def test_an_edit_drops_a_question_that_takes_none() -> None:
    bench = make("x = 1")
    bench.options = Options(attended=True)
    await bench.open()
    bench.web.refusals = [("cdn.example", "https://cdn.example/x")]
    task = asyncio.create_task(bench.run())
    question = await bench.question("host")
    assert bench.gate.edit(MINE)
    end = await task
    assert not any(isinstance(e, ev.Answered) for e in bench.journal.events)
    assert bench.sandbox.jobs[1].code == MINE
    assert bench.gate.answer(question.seq, Answer("allow")) is False
    assert (end.outcome, bench.web.allowed) == ("success", [])
    assert_replay_is_the_same(bench)


@pytest.mark.parametrize("step", ["write", "run"])
async def test_an_edit_while_it_is_paused_goes_on(step: str) -> None:
    bench = make("x = 1", "x = 2", verdicts=(RIGHT,))
    async with at_work(bench, step) as task:
        bench.gate.pause()
        bench.gate.pause()
        await bench.until(lambda: bench.journal.session.phase is Phase.PAUSED)
        goes_on(bench, step)
        assert bench.gate.edit(MINE)
        end = await task
    assert bench.sandbox.jobs[-1].code == MINE
    assert end.outcome == "success"
    assert "Resumed" in bench.names


async def test_the_last_of_several_edits_counts() -> None:
    bench = make("x = 1", verdicts=(RIGHT,))
    async with at_work(bench, "run") as task:
        goes_on(bench, "run")
        bench.gate.edit("x = 'first'\n")
        bench.gate.edit(MINE)
        await task
    assert [job.code for job in bench.sandbox.jobs[1:]] == [MINE]


async def test_an_edit_of_the_persons_own_running_program() -> None:
    bench = make("x = 1", verdicts=(RIGHT,))
    async with at_work(bench, "run") as task:
        bench.gate.edit(MINE)
        await bench.until(lambda: bench.journal.session.current == 2 and bench.journal.session.phase is Phase.RUNNING)
        while len(bench.sandbox.jobs) < 2:
            await asyncio.sleep(0)
        goes_on(bench, "run")
        bench.gate.edit(MINE + "# again\n")
        end = await task
    assert [a.author for a in bench.journal.session.attempts.values()] == ["rules", "person", "person"]
    assert end.best == 3


async def test_a_rewind_while_it_writes_goes_back_at_once_and_counts_no_repeat() -> None:
    bench = make("x = 1", "x = 2", "x = 3", verdicts=(wrong(0.1), wrong(0.2), RIGHT))
    bench.sandbox.results = [crashed(message="one"), crashed(message="two"), ran()]
    await bench.open()
    task = asyncio.create_task(bench.run())
    await bench.until(lambda: bench.journal.session.attempts.get(2) is not None)
    bench.programmer.hold = asyncio.Event()
    while len(bench.programmer.briefs) < 3:
        await asyncio.sleep(0)
    bench.programmer.hold = None
    assert bench.gate.rewind(1)
    end = await task
    session = bench.journal.session
    assert session.attempts[3].parent == 1
    assert not any("another way" in note.text for note in session.notes)
    assert end.outcome == "success"
    assert_replay_is_the_same(bench)


async def test_a_rewind_while_it_runs() -> None:
    bench = make("x = 1", "x = 2", "x = 3", verdicts=(wrong(0.1), RIGHT))
    await bench.open()
    task = asyncio.create_task(bench.run())
    await bench.until(lambda: 2 in bench.journal.session.attempts)
    bench.sandbox.hold = asyncio.Event()
    while len(bench.sandbox.jobs) < 2 or not bench.sandbox.running:
        await asyncio.sleep(0)
    bench.sandbox.hold = None
    bench.gate.rewind(1)
    await task
    interrupted = next(e for e in bench.journal.events if isinstance(e, ev.StepInterrupted))
    assert interrupted.reason == "rewound by hand"
    assert bench.journal.session.attempts[3].parent == 1
    assert_replay_is_the_same(bench)


async def test_a_rewind_to_a_program_that_was_never_judged_runs_it() -> None:
    bench = make("x = 1", "x = 2", verdicts=(RIGHT,))
    async with at_work(bench, "run") as task:
        bench.gate.edit(MINE)
        while len(bench.sandbox.jobs) < 2:
            await asyncio.sleep(0)
        goes_on(bench, "run")
        bench.gate.rewind(1)
        end = await task
    assert [job.code for job in bench.sandbox.jobs] == ["x = 1", MINE, "x = 1"]
    assert end.best == 1


async def test_a_rewind_while_it_is_paused_stays_paused() -> None:
    bench = make("x = 1", "x = 2", "x = 3")
    await bench.open()
    task = asyncio.create_task(bench.run())
    await bench.until(lambda: 2 in bench.journal.session.attempts)
    bench.gate.pause()
    await bench.until(lambda: bench.journal.session.phase is Phase.PAUSED)
    assert bench.gate.rewind(1)
    await bench.until(lambda: bench.journal.session.current == 1 and bench.journal.session.phase is Phase.PAUSED)
    assert not task.done()
    bench.gate.resume()
    await task
    assert bench.journal.session.attempts[3].parent == 1
    assert_replay_is_the_same(bench)


async def test_a_hint_while_it_runs_reaches_the_next_program_and_interrupts_nothing() -> None:
    bench = make()
    async with at_work(bench, "run") as task:
        assert bench.gate.hint("prices may be words")
        await bench.until(lambda: bench.journal.session.hint != "")
        bench.sandbox.hold.set()  # type: ignore[union-attr]
        await task
    assert bench.programmer.briefs[1].hint == "prices may be words"
    assert "StepInterrupted" not in bench.names
    assert bench.journal.session.hint == ""


async def test_a_hint_while_it_writes_is_kept_for_the_program_after() -> None:
    bench = make()
    async with at_work(bench, "write") as task:
        bench.gate.hint("prices may be words")
        await bench.until(lambda: bench.journal.session.hint != "")
        bench.programmer.hold.set()  # type: ignore[union-attr]
        await task
    assert [brief.hint for brief in bench.programmer.briefs] == ["", "prices may be words"]


async def test_a_hint_outlives_a_persons_own_program() -> None:
    bench = make("x = 1", "x = 2")
    bench.sandbox.results = [crashed(), ran()]
    async with at_work(bench, "run") as task:
        goes_on(bench, "run")
        bench.gate.hint("prices may be words")
        bench.gate.edit(MINE)
        await task
    assert bench.programmer.briefs[-1].hint == "prices may be words"


async def test_what_makes_no_sense_is_said() -> None:
    bench = make()
    async with at_work(bench, "run"):
        with pytest.raises(BadAnswer, match="needs a program"):
            bench.gate.edit(" \n")
        with pytest.raises(BadAnswer, match="1 MB at most"):
            bench.gate.edit("x = 1\n" * 200_000)
        with pytest.raises(BadAnswer, match="no attempt 7"):
            bench.gate.rewind(7)
        with pytest.raises(BadAnswer, match="some words"):
            bench.gate.hint(" ")
        with pytest.raises(BadAnswer, match=str(TEXT_AT_MOST)):
            bench.gate.hint("x" * (TEXT_AT_MOST + 1))
        assert bench.sandbox.running == 1


async def test_nothing_is_taken_after_the_end() -> None:
    bench = await make().open()
    await bench.run()
    assert not bench.gate.edit(MINE)
    assert not bench.gate.rewind(1)
    assert not bench.gate.hint("late")


async def test_an_edit_that_comes_with_the_verdict_keeps_the_session_going() -> None:
    """The loop is about to end as a success; the person's program still runs."""
    bench = make("x = 1", verdicts=(RIGHT,))
    bench.sandbox.results = [ran()]
    await bench.open()

    async def watch() -> None:
        async for item in bench.journal.follow():
            if isinstance(item, ev.Judged) and item.attempt == 1:
                assert bench.gate.edit(MINE)
                return

    watching = asyncio.create_task(watch())
    end = await bench.run()
    await watching
    assert [job.code for job in bench.sandbox.jobs] == ["x = 1", MINE]
    assert end.best == 2
    assert_replay_is_the_same(bench)


async def test_stopping_wins_over_an_edit() -> None:
    bench = make()
    async with at_work(bench, "run") as task:
        bench.gate.edit(MINE)
        bench.gate.stop()
        end = await task
    assert end.outcome == "stopped"
    assert bench.sandbox.running == 0
    assert len(bench.journal.session.attempts) == 1


@pytest.mark.parametrize("step", ["survey", "write", "run"])
async def test_cancelling_with_an_edit_pending_leaves_nothing_running(step: str) -> None:
    bench = make()
    await bench.open()
    part = {"survey": bench.surveyor, "write": bench.programmer, "run": bench.sandbox}[step]
    part.hold = asyncio.Event()
    task = asyncio.create_task(bench.loop.run())
    while not (getattr(part, "calls", 0) or getattr(part, "briefs", ()) or getattr(part, "running", 0)):
        await asyncio.sleep(0)
    bench.gate.edit(MINE)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert bench.names[-1] == "SessionFinished"
    assert bench.sandbox.running == 0
    assert part.cancelled == 1
    await bench.journal.close()


async def test_an_edit_when_the_attempts_are_spent_still_runs() -> None:
    from scrapewright.loop.budget import Allowance

    bench = make("x = 1", verdicts=(RIGHT,))
    bench.options = Options(allowance=Allowance(attempts=1))
    async with at_work(bench, "run") as task:
        goes_on(bench, "run")
        bench.gate.edit(MINE)
        end = await task
    assert (end.outcome, end.best) == ("success", 2)


async def whole_session() -> Bench:
    """Interrupted by an edit in its first run, then repaired."""
    bench = make("x = 1", "x = 3")
    async with at_work(bench, "run") as task:
        goes_on(bench, "run")
        bench.gate.edit(MINE)
        await task
    return bench


LENGTH = 30


@pytest.mark.parametrize("cut", range(1, LENGTH))
async def test_a_session_with_an_edit_that_was_cut_off_loses_none_of_it(cut: int) -> None:
    whole = await whole_session()
    rows = whole.log.rows
    assert len(rows) == LENGTH
    seen = [ev.decode(row) for row in rows[:cut]]
    by_programmer = sum(isinstance(e, ev.CodeWritten) and e.author == "rules" for e in seen)
    ended = sum(isinstance(e, ev.RunFinished) for e in seen)
    judged = sum(isinstance(e, ev.Judged) for e in seen)
    bench = Bench(
        FakeProgrammer(*["x = 1", "x = 3", "x = 4"][by_programmer:]),
        FakeSandbox(*([crashed(), ran()][ended:] or [ran()])), FakeCritic(*([wrong(0.1), RIGHT][judged:] or [RIGHT])),
        log=MemoryLog(rows[:cut]), blobs=whole.blobs,
    )  # fmt: skip
    await bench.open()
    end = await bench.run()
    assert end.outcome == "success"
    if any(isinstance(e, ev.Intervened) for e in seen):
        assert [a.author for a in bench.journal.session.attempts.values()].count("person") >= 1
        assert any(whole.blobs.get(a.code).decode() == MINE for a in bench.journal.session.attempts.values() if a.code)
    assert_replay_is_the_same(bench)
