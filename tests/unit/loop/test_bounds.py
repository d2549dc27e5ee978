"""Whatever a page, a program or a person comes with, it fits into an event."""

from __future__ import annotations

import asyncio

import pytest

from scrapewright.loop import summaries
from scrapewright.loop.answers import Answer, BadAnswer
from scrapewright.loop.ports import Checked, ProgrammerUnavailable
from scrapewright.session import events as ev
from scrapewright.session.events import Mode
from scrapewright.session.result import ExceptionInfo, Frame, Request, RunResult
from scrapewright.session.verdict import Finding, Verdict
from tests.fakes.parts import RIGHT, Bench, FakeCritic, FakeProgrammer, FakeSandbox, ran

WIDE = "価" * 100_000


def test_a_verdict_of_any_size_fits() -> None:
    finding = Finding("ungrounded", WIDE, column="c", rows=tuple(range(500)), expected=WIDE, got=WIDE)
    said = ("in order", *(WIDE,) * 500)
    verdict = Verdict(False, 0.5, (finding,) * 500, 9, (WIDE,) * 500, checked=said, unchecked=said)
    small = summaries.fit_verdict(verdict)
    assert len(ev.encode(ev.Judged(verdict=small))) <= ev.MAX_EVENT_BYTES
    assert small.findings
    assert small.rows == 9
    assert (small.checked[0], small.unchecked[0]) == ("in order", "in order")


def test_any_number_of_files_fits() -> None:
    names = summaries.fit_in_event(f"{n}/{'é' * 200}" for n in range(10_000))
    assert len(ev.encode(ev.SessionFinished(phase=ev.Phase.FINISHED, outcome="", exit_code=0, files=names)))
    assert names[0].startswith("0/")


async def test_a_request_of_any_length_is_reported() -> None:
    bench = Bench(FakeProgrammer("print()"), FakeSandbox(ran()), FakeCritic(RIGHT), mode=Mode.AUTO)
    await bench.open()
    bench.sandbox.during = lambda: bench.requests.request(1, Request("GET", "http://shop.test/" + "x" * 100_000))
    await bench.loop.run()
    (seen,) = [request for attempt, request in bench.journal.session.requests if attempt == 1]
    assert seen.url.startswith("http://shop.test/x")
    await bench.journal.close()


async def test_a_request_with_a_method_of_any_length_is_reported() -> None:
    bench = Bench(FakeProgrammer("print()"), FakeSandbox(ran()), FakeCritic(RIGHT), mode=Mode.AUTO)
    await bench.open()
    bench.sandbox.during = lambda: bench.requests.request(1, Request("X" * 70_000, "http://shop.test/"))
    await bench.loop.run()
    assert [request.method[:2] for _, request in bench.journal.session.requests] == ["XX"]
    await bench.journal.close()


async def test_an_end_with_a_reason_of_any_length_is_reported() -> None:
    bench = Bench(FakeProgrammer(ProgrammerUnavailable(WIDE)), FakeSandbox(ran()), FakeCritic(RIGHT), mode=Mode.AUTO)
    await bench.open()
    end = await bench.loop.run()
    assert end is not None
    assert (end.outcome, end.exit_code) == ("retry-later", 3)
    await bench.journal.close()


async def test_any_number_of_slips_and_problems_is_reported() -> None:
    bench = Bench(FakeProgrammer("print()"), FakeSandbox(ran()), FakeCritic(RIGHT), mode=Mode.AUTO)
    await bench.open()
    bench.checker.found = Checked("print()", fixes=(WIDE, "é" * 500) * 100, problems=("é" * 500,) * 1000, line=3)
    end = await bench.loop.run()
    assert end is not None
    assert end.outcome == "success"
    attempt = bench.journal.session.attempts[1]
    assert attempt.problems[0] == "é" * 500
    await bench.journal.close()


async def test_frames_with_names_of_any_length_are_reported() -> None:
    frame = Frame(file=WIDE, line=1, function=WIDE, source=WIDE, locals={WIDE + str(n): WIDE for n in range(99)})
    result = RunResult(status="error", exit_code=1, exception=ExceptionInfo(WIDE, WIDE, (frame,)))
    bench = Bench(FakeProgrammer("print()"), FakeSandbox(result), FakeCritic(RIGHT), mode=Mode.AUTO)
    await bench.open()
    end = await bench.loop.run()
    assert end is not None
    assert end.outcome == "success"
    await bench.journal.close()


async def test_a_hint_too_long_is_refused_and_the_question_stays() -> None:
    bench = Bench(FakeProgrammer("print()", "print(1)"), FakeSandbox(ran()), FakeCritic(RIGHT), mode=Mode.APPROVE)
    await bench.open()
    work = asyncio.create_task(bench.loop.run())
    async for item in bench.journal.follow():
        if isinstance(item, ev.Asked):
            with pytest.raises(BadAnswer, match="4000"):
                bench.gate.answer(item.seq, Answer("hint", text="x" * 70_000))
            assert bench.gate.answer(item.seq, Answer("go"))
    end = await work
    assert end is not None
    assert end.outcome == "success"
    await bench.journal.close()
