"""A programmer that fails while somebody is there: what came is kept, and they say who writes instead."""

from __future__ import annotations

import asyncio

import pytest

from scrapewright.loop.answers import Answer
from scrapewright.loop.parts import Options
from scrapewright.loop.ports import BadReply, ProgrammerUnavailable
from scrapewright.session import events as ev
from scrapewright.session.journal import get_text
from scrapewright.session.questions import Decision
from scrapewright.session.state import replay
from tests.fakes.parts import RIGHT, Bench, FakeCritic, FakeProgrammer, FakeSandbox, ran

DOWN = ProgrammerUnavailable("the model's stream stood still")


def a_bench(*drafts: str | Exception, attended: bool = True) -> Bench:
    bench = Bench(
        FakeProgrammer(DOWN, *drafts), FakeSandbox(ran()), FakeCritic(RIGHT), options=Options(attended=attended)
    )
    bench.stand_in = FakeProgrammer("by = 'rules'\n")
    return bench


@pytest.mark.parametrize(
    ("answer", "program"),
    [
        (Answer("go"), "by = 'model'\n"), (Answer("rules"), "by = 'rules'\n"),
        (Answer("edit", code="by = 'me'\n"), "by = 'me'\n"),
    ],
)  # fmt: skip
async def test_what_came_is_kept_and_another_writes(answer: Answer, program: str) -> None:
    bench = await a_bench("by = 'model'\n").open()
    running = asyncio.create_task(bench.run())
    asked = await bench.question("programmer")
    assert "stood still; what instead?" in asked.prompt
    assert get_text(bench.blobs, asked.code) == "import requests\n"
    assert asked.choices == ("go", "rules", "edit", "stop")
    bench.gate.answer(asked.seq, answer)
    assert (await running).outcome == "success"
    assert [job.code for job in bench.sandbox.jobs] == [program]
    assert replay(bench.journal.events) == bench.journal.session


async def test_a_reply_that_broke_off_is_asked_about_as_long_as_the_budget_is_not_spent() -> None:
    bench = await a_bench(BadReply("the reply was cut off", tokens=9)).open()
    running = asyncio.create_task(bench.run())
    bench.gate.answer((await bench.question("programmer")).seq, Answer("go"))
    await bench.until(lambda: bench.names.count("Asked") == 2)
    asked = await bench.question("programmer")
    assert "cut off; what instead?" in asked.prompt
    bench.gate.answer(asked.seq, Answer("rules"))
    assert (await running).outcome == "success"


async def test_where_the_rules_write_they_are_no_way_out_any_more() -> None:
    bench = a_bench()
    bench.stand_in = FakeProgrammer(DOWN)
    await bench.open()
    running = asyncio.create_task(bench.run())
    bench.gate.answer((await bench.question("programmer")).seq, Answer("rules"))
    await bench.until(lambda: bench.names.count("Asked") == 2)
    asked = await bench.question("programmer")
    assert "rules" not in asked.choices
    bench.gate.answer(asked.seq, Answer("stop"))
    assert (await running).outcome == "stopped"


@pytest.mark.parametrize("leaves", [False, True])
async def test_where_nobody_is_there_it_ends_as_it_did(leaves: bool) -> None:
    bench = await a_bench(attended=leaves).open()
    running = asyncio.create_task(bench.run())
    if leaves:
        await bench.question("programmer")
        bench.gate.leave()
    end = await running
    assert (end.outcome, end.exit_code, end.reason) == ("retry-later", 3, str(DOWN))


async def a_stopped_one(*, attended: bool = True) -> tuple[Bench, asyncio.Task[ev.SessionFinished]]:
    """A session whose programmer stands still with a part of its program written."""
    bench = a_bench(attended=attended)
    bench.programmer.drafts, bench.programmer.hold = ["by = 'model'\n"], asyncio.Event()
    await bench.open()
    running = asyncio.create_task(bench.run())
    await bench.until(lambda: bool(bench.programmer.briefs))
    return bench, running


async def test_a_programmer_that_is_stopped_at_its_writing_is_asked_about_when_it_is_to_go_on() -> None:
    bench, running = await a_stopped_one()
    bench.gate.pause()
    bench.gate.pause()
    bench.gate.resume()
    asked = await bench.question("programmer")
    assert "was stopped while it was written; what instead?" in asked.prompt
    assert get_text(bench.blobs, asked.code) == "import requests\n"
    bench.gate.answer(asked.seq, Answer("rules"))
    assert (await running).outcome == "success"
    assert [job.code for job in bench.sandbox.jobs] == ["by = 'rules'\n"]
    assert bench.journal.session.unfinished == ""
    assert replay(bench.journal.events) == bench.journal.session


async def test_what_a_stopped_session_had_of_a_program_is_there_when_it_goes_on() -> None:
    bench, running = await a_stopped_one()
    bench.gate.stop()
    assert (await running).outcome == "stopped"
    assert get_text(bench.blobs, bench.journal.session.unfinished) == "import requests\n"
    again = Bench(
        FakeProgrammer("by = 'model'\n"), bench.sandbox, bench.critic, options=bench.options, log=bench.log,
        blobs=bench.blobs,
    )  # fmt: skip
    await again.open()
    await again.gate.reopen(Answer("go"))
    running = asyncio.create_task(again.run())
    asked = await again.question("programmer")
    assert get_text(bench.blobs, asked.code) == "import requests\n"
    again.gate.answer(asked.seq, Answer("go"))
    assert (await running).outcome == "success"
    assert [job.code for job in bench.sandbox.jobs] == ["by = 'model'\n"]


async def test_where_nobody_is_there_a_programmer_that_was_stopped_writes_again() -> None:
    bench, running = await a_stopped_one(attended=False)
    bench.gate.pause()
    bench.gate.pause()
    bench.programmer.hold = None
    bench.gate.resume()
    assert (await running).outcome == "success"
    assert [name for name in bench.names if name in ("WritingStopped", "Asked")] == ["WritingStopped"]


@pytest.mark.parametrize("does", ["edit", "correct"])
async def test_who_does_something_else_while_it_writes_is_not_asked_about_it(does: str) -> None:
    bench, running = await a_stopped_one()
    if does == "edit":
        bench.gate.edit("by = 'me'\n")
    else:
        bench.programmer.hold = None
        bench.gate.correct((Decision("column", "price", text=".price", how="selector"),))
    assert (await running).outcome == "success"
    assert not {"WritingStopped", "Asked"} & {*bench.names}
    assert [job.code for job in bench.sandbox.jobs] == ["by = 'me'\n" if does == "edit" else "by = 'model'\n"]


async def test_what_was_stopped_is_kept_in_a_session_that_is_suspended_then() -> None:
    bench, running = await a_stopped_one()
    bench.gate.pause()
    bench.gate.pause()
    await bench.until(lambda: bench.journal.session.phase is ev.Phase.PAUSED)
    bench.gate.cut_off()
    with pytest.raises(AssertionError):  # it has no end
        await running
    assert get_text(bench.blobs, bench.journal.session.unfinished) == "import requests\n"


async def test_a_person_who_does_something_else_at_the_question_is_not_asked_it_again() -> None:
    bench, running = await a_stopped_one()
    bench.gate.pause()
    bench.gate.pause()
    bench.gate.resume()
    await bench.question("programmer")
    bench.programmer.hold = None
    bench.gate.correct((Decision("column", "price", text=".price", how="selector"),))
    assert (await running).outcome == "success"
    assert bench.names.count("Asked") == 1
