"""The loop on fakes: every way through it, and every way out."""

from __future__ import annotations

import asyncio
import dataclasses
from typing import Literal

import msgspec
import pytest

from scrapewright.errors import UnfitRows
from scrapewright.loop.answers import Answer
from scrapewright.loop.budget import Allowance
from scrapewright.loop.parts import Options
from scrapewright.loop.ports import BadReply, Draft, NoIdea, ProgrammerUnavailable, SandboxUnavailable
from scrapewright.session import events as ev
from scrapewright.session.events import Phase
from scrapewright.session.journal import JournalBroken
from scrapewright.session.result import ExceptionInfo, RunResult
from scrapewright.session.state import replay
from scrapewright.session.verdict import Finding, Verdict
from scrapewright.survey.model import Survey, SurveyedPage
from tests.fakes.parts import RIGHT, Bench, FakeCritic, FakeProgrammer, FakeSandbox, crashed, ran, wrong


def options(**allowance: int) -> Options:
    return Options(allowance=Allowance(**allowance))


async def test_first_program_is_right() -> None:
    bench = await Bench(FakeProgrammer("print(1)"), FakeSandbox(ran()), FakeCritic(RIGHT)).open()
    end = await bench.run()
    assert (end.outcome, end.exit_code, end.best, end.files) == ("success", 0, 1, ("rows.csv",))
    assert bench.names == [
        "SessionStarted", "PhaseChanged", "Surveyed", "PhaseChanged", "AttemptStarted", "CodeWritten", "CodeChecked",
        "PhaseChanged", "RunStarted", "RunFinished", "PhaseChanged", "Judged", "SessionFinished",
    ]  # fmt: skip
    assert bench.delivered == [(1, "print(1)", {"rows.csv": b"title\na\nb\nc\n"}, True)]
    assert (bench.web.opened, bench.web.closed) == (1, 1)
    assert bench.sandbox.prepared == 1


async def test_a_crash_is_repaired() -> None:
    bench = await Bench(
        FakeProgrammer("x = 1", "x = 2"), FakeSandbox(crashed(), ran()), FakeCritic(wrong(0.0), RIGHT)
    ).open()
    end = await bench.run()
    assert (end.outcome, end.best) == ("success", 2)
    brief = bench.programmer.briefs[1]
    assert [a.code for a in brief.attempts] == ["x = 1"]
    assert brief.attempts[0].result is not None
    assert brief.attempts[0].result.exception is not None
    assert brief.attempts[0].result.exception.frames[0].locals == {"text": "'call us'"}
    assert bench.journal.session.attempts[2].parent == 1


def unjudged() -> Verdict:
    return Verdict(False, 0.0, (Finding("could-not-judge", "the rows could not be judged: KeyError: 'x'"),))


async def test_a_judge_that_fails_is_not_repaired_by_another_program() -> None:
    bench = await Bench(FakeProgrammer("x = 1"), FakeSandbox(ran()), FakeCritic(unjudged())).open()
    end = await bench.run()
    assert (end.outcome, end.exit_code, end.best) == ("unjudged", 1, 1)
    assert "KeyError" in end.reason
    assert bench.delivered == [(1, "x = 1", {"rows.csv": b"title\na\nb\nc\n"}, False)]


async def test_a_program_that_crashed_is_repaired_though_its_rows_could_not_be_judged() -> None:
    bench = await Bench(
        FakeProgrammer("x = 1", "x = 2"), FakeSandbox(crashed(), ran()), FakeCritic(unjudged(), RIGHT)
    ).open()
    assert (await bench.run()).outcome == "success"


async def test_a_person_may_accept_rows_that_could_not_be_judged() -> None:
    bench = await Bench(
        FakeProgrammer("x = 1"), FakeSandbox(ran()), FakeCritic(unjudged()), mode=ev.Mode.APPROVE
    ).open()

    async def answer() -> None:
        async for item in bench.journal.follow():
            if isinstance(item, ev.Asked):
                assert item.kind == "run" or "go" not in item.choices
                bench.gate.answer(item.seq, Answer("go" if item.kind == "run" else "accept"))

    answering = asyncio.create_task(answer())
    end = await bench.run()
    await answering
    assert (end.outcome, end.exit_code) == ("accepted", 0)


BAD = "line 2: 'h3 >' is no selector that bs4 reads"


@pytest.mark.parametrize("author", ["model", "command"])
async def test_a_program_that_can_not_work_costs_a_repair_and_no_run(author: Literal["model", "command"]) -> None:
    drafts = [Draft(code=f"a = {n}", author=author) for n in range(2)]
    bench = await Bench(FakeProgrammer(*drafts), FakeSandbox(ran()), FakeCritic(RIGHT)).open()
    bench.checker.failing["a = 0"] = BAD
    end = await bench.run()
    assert (end.outcome, end.best, len(bench.sandbox.jobs)) == ("success", 2, 1)
    assert (bench.sandbox.jobs[0].code, bench.loop.budget.attempts) == ("a = 1", 2)
    assert bench.programmer.briefs[1].attempts[0].problems == (BAD,)
    first = replay(bench.journal.events).attempts[1]
    assert (first.runs, first.outcome) == (0, "can't work")
    assert bench.journal.session.fell_short == (author == "model")


async def test_programs_that_can_not_work_spend_the_attempts() -> None:
    drafts = [Draft(code=f"a = {n}", author="model") for n in range(3)]
    bench = await Bench(
        FakeProgrammer(*drafts), FakeSandbox(ran()), FakeCritic(RIGHT), options=options(attempts=2)
    ).open()
    bench.checker.failing.update({f"a = {n}": BAD for n in range(3)})
    end = await bench.run()
    assert (end.outcome, end.exit_code, bench.sandbox.jobs) == ("budget", 4, [])


@pytest.mark.parametrize(("reply", "outcome"), [("go", "success"), ("stop", "stopped")])
async def test_a_persons_program_that_can_not_work_runs_if_they_say_so(
    reply: Literal["go", "stop"], outcome: str
) -> None:
    bench = await Bench(
        FakeProgrammer(), FakeSandbox(ran()), FakeCritic(RIGHT), program="a = 0", options=Options(attended=True)
    ).open()
    bench.checker.failing["a = 0"] = BAD

    async def answer() -> None:
        async for item in bench.journal.follow():
            if isinstance(item, ev.Asked):
                assert item.prompt == f"attempt 1 can't work: {BAD}; run it all the same?"
                bench.gate.answer(item.seq, Answer(reply))

    answering = asyncio.create_task(answer())
    end = await bench.run()
    await answering
    assert (end.outcome, len(bench.sandbox.jobs)) == (outcome, reply == "go")


async def test_a_persons_program_runs_where_nobody_is_there() -> None:
    bench = await Bench(FakeProgrammer(), FakeSandbox(ran()), FakeCritic(RIGHT), program="a = 0").open()
    bench.checker.failing["a = 0"] = BAD
    assert (await bench.run()).outcome == "success"


async def test_one_that_can_not_work_is_asked_about_where_that_is_wanted() -> None:
    drafts = [Draft(code=f"a = {n}", author="model") for n in range(2)]
    bench = await Bench(FakeProgrammer(*drafts), FakeSandbox(ran()), FakeCritic(RIGHT), mode=ev.Mode.APPROVE).open()
    bench.checker.failing["a = 0"] = BAD
    asked: list[tuple[str, str]] = []

    async def answer() -> None:
        async for item in bench.journal.follow():
            if isinstance(item, ev.Asked):
                asked.append((item.kind, item.prompt))
                assert "accept" not in item.choices
                bench.gate.answer(item.seq, Answer("go"))

    answering = asyncio.create_task(answer())
    end = await bench.run()
    await answering
    assert (end.outcome, asked) == (
        "success", [("retry", f"attempt 1 can't work: {BAD}"), ("run", "run attempt 2?")],
    )  # fmt: skip


async def test_the_best_attempt_wins_not_the_last() -> None:
    bench = await Bench(
        FakeProgrammer("a = 1", "a = 2", "a = 3"),
        FakeSandbox(ran()),
        FakeCritic(wrong(0.3, "one"), wrong(0.8, "two"), wrong(0.5, "three")),
        options=options(attempts=3),
    ).open()
    end = await bench.run()
    assert (end.outcome, end.exit_code, end.best) == ("budget", 4, 2)
    assert bench.delivered == [(2, "a = 2", {"rows.csv": b"title\na\nb\nc\n"}, False)]


async def test_attempts_are_all_programs_counted() -> None:
    bench = await Bench(
        FakeProgrammer(*(f"a = {n}" for n in range(9))),
        FakeSandbox(*(crashed(line=n, message=f"bad value {n}") for n in range(1, 9))),
        FakeCritic(wrong(0.0)),
        options=options(attempts=4),
    ).open()
    end = await bench.run()
    assert end.exit_code == 4
    assert len(bench.sandbox.jobs) == 4
    assert [w.what for w in bench.journal.events if isinstance(w, ev.BudgetWarned)] == ["attempts"]


async def test_tokens_spent_end_the_session() -> None:
    drafts = [Draft(code=f"a = {n}", author="model", tokens=600) for n in range(3)]
    bench = await Bench(
        FakeProgrammer(*drafts), FakeSandbox(crashed(1, 'one'), crashed(2, 'two')), FakeCritic(wrong(0.0)),
        options=options(attempts=9, tokens=1000),
    ).open()  # fmt: skip
    end = await bench.run()
    assert (end.exit_code, bench.journal.session.tokens) == (4, 1200)
    assert "tokens" in end.reason


async def test_the_same_failure_twice_switches_once_then_stops() -> None:
    bench = await Bench(
        FakeProgrammer(*(f"a = {n}" for n in range(9))),
        FakeSandbox(crashed()),
        FakeCritic(wrong(0.0)),
        options=options(attempts=9),
    ).open()
    end = await bench.run()
    assert (end.outcome, end.exit_code) == ("unrepaired", 1)
    assert [b.strategy for b in bench.programmer.briefs] == [0, 0, 1]


async def test_the_same_program_twice_switches_once_then_stops() -> None:
    bench = await Bench(
        FakeProgrammer("a = 1", "a  =  1  # the same", "a = 1"),
        FakeSandbox(crashed()),
        FakeCritic(wrong(0.0)),
        options=options(attempts=9),
    ).open()
    end = await bench.run()
    assert (end.outcome, len(bench.sandbox.jobs)) == ("unrepaired", 1)
    assert [b.strategy for b in bench.programmer.briefs] == [0, 0, 1]


async def test_two_rounds_without_gain_stop() -> None:
    verdicts = [wrong(0.5, f"finding {n}") for n in range(9)]
    bench = await Bench(
        FakeProgrammer(*(f"a = {n}" for n in range(9))), FakeSandbox(ran()), FakeCritic(*verdicts),
        options=options(attempts=9),
    ).open()  # fmt: skip
    end = await bench.run()
    assert end.outcome == "unrepaired"
    assert len(bench.sandbox.jobs) == 3


async def test_nothing_more_to_try() -> None:
    bench = await Bench(
        FakeProgrammer("a = 1", NoIdea("no other list on the page")), FakeSandbox(crashed()), FakeCritic(wrong(0.0))
    ).open()
    end = await bench.run()
    assert (end.exit_code, end.reason) == (1, "no other list on the page")
    assert list(bench.journal.session.attempts) == [1]


async def test_a_reply_without_a_program_spends_an_attempt_and_its_tokens() -> None:
    bench = await Bench(
        FakeProgrammer(BadReply("the reply was cut off", tokens=700), "a = 1"), FakeSandbox(ran()), FakeCritic(RIGHT)
    ).open()
    end = await bench.run()
    assert end.exit_code == 0
    assert (bench.loop.budget.attempts, bench.loop.budget.tokens) == (2, 700)
    assert list(bench.journal.session.attempts) == [1]


@pytest.mark.parametrize(
    ("error", "code"), [(ProgrammerUnavailable("out of quota"), 3), (RuntimeError("a defect of ours"), 1)]
)
async def test_a_programmer_that_fails(error: Exception, code: int) -> None:
    bench = await Bench(FakeProgrammer(error), FakeSandbox(ran()), FakeCritic(RIGHT)).open()
    end = await bench.run()
    assert end.exit_code == code
    assert str(error) in end.reason


async def test_replies_without_a_program_are_what_the_end_tells_of() -> None:
    bench = await Bench(
        FakeProgrammer(BadReply("the reply was empty"), BadReply("the reply was empty")), FakeSandbox(ran()),
        FakeCritic(RIGHT), options=options(attempts=2),
    ).open()  # fmt: skip
    end = await bench.run()
    assert (end.outcome, end.exit_code) == ("budget", 4)
    assert "the reply was empty" in end.reason
    assert "another model" in end.advice


async def test_no_sandbox() -> None:
    bench = await Bench(
        FakeProgrammer("a = 1"), FakeSandbox(SandboxUnavailable("user namespaces are forbidden")), FakeCritic(RIGHT)
    ).open()
    end = await bench.run()
    assert (end.outcome, end.exit_code) == ("retry-later", 3)
    assert "user namespaces" in end.reason


@pytest.mark.parametrize("verdict", ["blocked", "javascript", "not-html", "error"])
async def test_a_page_that_no_program_can_help_with(verdict: str) -> None:
    bench = Bench(FakeProgrammer(), FakeSandbox(ran()), FakeCritic(RIGHT))
    page = SurveyedPage(url="http://127.0.0.1/", status=403 if verdict == "error" else 200)
    bench.surveyor.found = msgspec.convert(
        {"pages": [msgspec.to_builtins(page)], "verdict": verdict, "reason": "because"}, Survey
    )
    await bench.open()
    end = await bench.run()
    assert end.exit_code == 1
    assert not bench.programmer.briefs
    assert not bench.sandbox.jobs


async def test_a_given_program_runs_first() -> None:
    bench = await Bench(
        FakeProgrammer("a = 2"), FakeSandbox(crashed(), ran()), FakeCritic(wrong(0.0), RIGHT), program="a = 1"
    ).open()
    end = await bench.run()
    assert end.best == 2
    assert [job.code for job in bench.sandbox.jobs] == ["a = 1", "a = 2"]
    assert bench.journal.session.attempts[1].author == "person"


async def test_a_refused_host_is_said_and_without_a_person_stays_refused() -> None:
    bench = await Bench(
        FakeProgrammer("a = 1", NoIdea("enough")), FakeSandbox(crashed()), FakeCritic(wrong(0.0))
    ).open()
    bench.web.refusals = [("cdn.test", "http://cdn.test/x.json")]
    await bench.run()
    assert bench.web.allowed == []
    assert any("cdn.test" in note.text for note in bench.journal.session.notes)


@pytest.mark.parametrize("answer", ["allow-once", "allow"])
async def test_an_allowed_host_reruns_the_same_program(answer: Literal["allow-once", "allow"]) -> None:
    bench = await Bench(
        FakeProgrammer("a = 1"), FakeSandbox(crashed(), ran()), FakeCritic(wrong(0.0), RIGHT),
        options=Options(attended=True),
    ).open()  # fmt: skip
    bench.web.refusals = [("cdn.test", "http://cdn.test/x.json")]
    seen: list[list[str]] = []
    bench.sandbox.during = lambda: seen.append(list(bench.web.allowed))
    task = asyncio.create_task(bench.run())
    asked = await bench.question("host")
    assert bench.gate.answer(asked.seq, Answer(answer))
    end = await task
    assert end.best == 1
    assert bench.journal.session.attempts[1].runs == 2
    assert seen == [[], ["cdn.test"]]
    assert bench.web.allowed == ([] if answer == "allow-once" else ["cdn.test"])
    assert bench.journal.session.allowed_hosts == set(bench.web.allowed)


@pytest.mark.parametrize(("answer", "outcome", "looks"), [("allow", "success", 2), ("deny", "host", 1)])
async def test_a_page_that_leads_to_another_site_is_a_question(answer: ev.AnswerKind, outcome: str, looks: int) -> None:
    bench = await Bench(
        FakeProgrammer("a = 1"), FakeSandbox(ran()), FakeCritic(RIGHT), options=Options(attended=True)
    ).open()
    there = bench.surveyor.found
    moved = SurveyedPage("http://new.test/", 0, error="policy")
    bench.surveyor.found = Survey(pages=(moved,), verdict="error", reason="new.test is not named")
    bench.web.refusals = [("new.test", "http://new.test/")]
    task = asyncio.create_task(bench.run())
    asked = await bench.question("host")
    assert "http://new.test/" in asked.prompt
    if answer == "allow":
        bench.surveyor.found = there
    assert bench.gate.answer(asked.seq, Answer(answer))
    end = await task
    assert (end.outcome, bench.surveyor.calls) == (outcome, looks)
    assert sum(isinstance(event, ev.Surveyed) for event in bench.journal.events) == 1


async def test_a_denied_host_is_asked_about_once() -> None:
    bench = await Bench(
        FakeProgrammer("a = 1", "a = 2", "a = 3"), FakeSandbox(crashed(line=4), crashed(line=5), ran()),
        FakeCritic(wrong(0.0), wrong(0.0), RIGHT),
        options=Options(attended=True),
    ).open()  # fmt: skip

    def ask_for_it() -> None:
        bench.web.refusals = [("cdn.test", "http://cdn.test/x.json")]

    bench.sandbox.during = ask_for_it
    task = asyncio.create_task(bench.run())
    asked = await bench.question("host")
    assert bench.gate.answer(asked.seq, Answer("deny"))
    end = await task
    assert end.outcome == "success"
    questions = [event for event in bench.journal.events if isinstance(event, ev.Asked)]
    assert [q.host for q in questions] == ["cdn.test"]


async def test_a_disk_that_fills_up_is_reported() -> None:
    bench = Bench(FakeProgrammer("a = 1"), FakeSandbox(ran()), FakeCritic(RIGHT))
    bench.log.fail_at = 9
    await bench.open()
    with pytest.raises(JournalBroken, match="no space left"):
        await bench.run()
    with pytest.raises(JournalBroken, match="no space left"):  # whoever asks next hears why, too
        await bench.journal.flush()
    assert len(bench.log.rows) == 8
    await bench.journal.close()


@pytest.mark.parametrize(
    "error",
    [
        PermissionError("read-only file system"),
        KeyError("no such blob"),
        RecursionError(),
        UnfitRows("rows share a key", "name another --key"),
    ],
)
async def test_results_that_cannot_be_written(error: Exception) -> None:
    bench = await Bench(FakeProgrammer("a = 1"), FakeSandbox(ran()), FakeCritic(RIGHT)).open()

    def deliver(*_: object) -> tuple[str, ...]:
        raise error

    bench.loop._parts = dataclasses.replace(bench.loop._parts, deliver=deliver)
    end = await bench.run()
    assert (end.outcome, end.exit_code, end.files) == ("success", 2, ())
    assert str(error) in end.reason
    assert end.advice.startswith("name another --key" if isinstance(error, UnfitRows) else "make room")
    assert "replay t-1" in end.advice


async def test_a_disk_that_fails_outside_the_journal_is_no_defect_of_ours() -> None:
    bench = await Bench(FakeProgrammer("a = 1"), FakeSandbox(ran()), FakeCritic(RIGHT)).open()

    async def open_web() -> None:
        raise OSError("the tape can't be opened")

    bench.web.open = open_web  # type: ignore[method-assign]
    end = await bench.run()
    assert (end.outcome, end.exit_code) == ("retry-later", 3)
    assert end.reason == "the tape can't be opened"


async def test_a_session_that_goes_on_reaches_the_hosts_it_was_allowed() -> None:
    first = await Bench(FakeProgrammer(), FakeSandbox(ran()), FakeCritic(RIGHT)).open()
    await first.journal.append(ev.HostAllowed(host="cdn.test", always=True))
    await first.journal.append(ev.HostAllowed(host="once.test"))
    await first.journal.close()
    again = await Bench(FakeProgrammer("a = 1"), FakeSandbox(ran()), FakeCritic(RIGHT), log=first.log).open()
    await again.run()
    assert again.web.allowed == ["cdn.test"]


async def test_a_session_that_goes_on_still_starts_from_the_program_it_was_given() -> None:
    first = await Bench(FakeProgrammer(), FakeSandbox(ran()), FakeCritic(RIGHT), program="mine = 1").open()
    await first.journal.close()
    again = Bench(FakeProgrammer(), FakeSandbox(ran()), FakeCritic(RIGHT), log=first.log, blobs=first.blobs)
    await (await again.open()).run()
    assert [job.code for job in again.sandbox.jobs] == ["mine = 1"]


async def test_a_replay_of_the_events_gives_the_same_state() -> None:
    bench = await Bench(
        FakeProgrammer("x = 1", "x = 2"), FakeSandbox(crashed(), ran()), FakeCritic(wrong(0.0), RIGHT)
    ).open()
    await bench.run()
    events = [ev.decode(row) for row in bench.log.rows]
    again = replay(events)
    assert again == bench.journal.session
    assert again.phase is Phase.FINISHED


async def test_large_results_stay_out_of_events() -> None:
    huge = RunResult(
        status="error", exit_code=1,
        exception=ExceptionInfo("E" * 500, "m" * 400_000, crashed().exception.frames * 20),  # type: ignore[union-attr]
    )  # fmt: skip
    bench = await Bench(
        FakeProgrammer("a = 1", NoIdea("enough")), FakeSandbox(huge), FakeCritic(wrong(0.0, "m" * 300_000))
    ).open()
    await bench.run()
    assert max(len(row) for row in bench.log.rows) < ev.MAX_EVENT_BYTES
