"""Contested findings: weighed once more, never asked for again, and an end where nothing new comes."""

from __future__ import annotations

import asyncio

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.loop import summaries
from scrapewright.loop.answers import DOUBT_CHOICES, Answer
from scrapewright.loop.ports import Checked, Draft
from scrapewright.session import events as ev
from scrapewright.session.events import Mode, Phase
from scrapewright.session.result import Author
from scrapewright.session.state import replay
from scrapewright.session.verdict import Dispute, Finding, Sample, Verdict
from tests.fakes.parts import RIGHT, Bench, FakeCritic, FakeProgrammer, FakeSandbox, MemoryLog, crashed, ran, wrong

MINE = Dispute("empty-column", "price", "no record has a price", "each says “on request”")
SHORT = msgspec.structs.replace(wrong(), file="rows.csv", columns=("title",))
WEIGHED = msgspec.structs.replace(SHORT, disputes=(MINE,))
SIDES = "the judge: the column price is empty; the model: no record has a price (each says “on request”)"


class Model(FakeProgrammer):
    author: Author = "model"


def contesting(code: str, *disputes: Dispute) -> Draft:
    return Draft(code=code, author="model", tokens=7, disputes=disputes or (MINE,))


def judged(bench: Bench) -> list[ev.Judged]:
    return [e for e in bench.journal.events if isinstance(e, ev.Judged)]


def contested(bench: Bench) -> list[ev.Disputed]:
    return [e for e in bench.journal.events if isinstance(e, ev.Disputed)]


def is_replayed(bench: Bench) -> bool:
    session = bench.journal.session
    session.live = replay(bench.journal.events).live
    return replay(bench.journal.events) == session


async def test_a_program_that_comes_back_contested_is_judged_again_and_may_be_right() -> None:
    programmer = Model("x = 1", contesting("x = 1  # as it was"))
    bench = await Bench(programmer, FakeSandbox(ran()), FakeCritic(SHORT, RIGHT)).open()
    end = await bench.run()
    assert (end.outcome, end.best) == ("success", 1)
    assert [case.disputes for case in bench.critic.cases] == [(), (MINE,)]
    assert len(bench.sandbox.jobs) == 1
    (event,) = contested(bench)
    assert (event.attempt, event.unchanged, event.disputes) == (1, True, (MINE,))
    assert [brief.strategy for brief in programmer.briefs] == [0, 0]
    assert bench.journal.session.attempts[1].disputed == "weighed"
    assert is_replayed(bench)


async def test_it_ends_with_both_sides_where_the_judge_holds_on() -> None:
    programmer = Model("x = 1", contesting("x = 1"))
    bench = await Bench(programmer, FakeSandbox(ran()), FakeCritic(SHORT, WEIGHED)).open()
    end = await bench.run()
    assert (end.outcome, end.exit_code, end.best, end.reason) == ("unrepaired", 1, 1, SIDES)
    assert "accept" in end.advice
    assert (len(programmer.briefs), len(bench.sandbox.jobs), len(judged(bench))) == (2, 1, 2)


async def test_a_slip_that_was_fixed_for_free_leaves_the_program_the_same() -> None:
    bench = Bench(Model("x = 1\nx", contesting("x = 1")), FakeSandbox(ran()), FakeCritic(SHORT, WEIGHED))
    await bench.open()
    bench.checker.found = Checked("x = 1", fixes=("a stray name",))
    end = await bench.run()
    assert (end.reason, len(bench.sandbox.jobs)) == (SIDES, 1)


async def test_another_program_with_the_same_rows_ends_it_likewise() -> None:
    programmer = Model("x = 1", contesting("x = 2"))
    bench = await Bench(programmer, FakeSandbox(ran()), FakeCritic(SHORT, WEIGHED)).open()
    end = await bench.run()
    assert (end.outcome, end.reason) == ("unrepaired", SIDES)
    assert (len(programmer.briefs), len(bench.sandbox.jobs)) == (2, 2)
    (event,) = contested(bench)
    assert (event.attempt, event.unchanged) == (2, False)


async def test_another_program_with_other_rows_goes_on() -> None:
    programmer = Model("x = 1", contesting("x = 2"), "x = 3")
    other = {"rows.csv": b"title\na\nb\nd\n"}
    bench = Bench(programmer, FakeSandbox(ran(), ran(other), ran()), FakeCritic(SHORT, WEIGHED, RIGHT))
    await bench.open()
    bench.sandbox.during = lambda: bench.sandbox.files.update(
        other if len(bench.sandbox.jobs) == 2 else {"rows.csv": b"title\na\nb\nc\n"}
    )
    end = await bench.run()
    assert (end.outcome, end.best) == ("success", 3)
    assert [case.disputes for case in bench.critic.cases] == [(), (MINE,), (MINE,)]


async def test_a_crash_is_not_contested_away() -> None:
    programmer = Model("x = 1", contesting("x = 1"), "x = 2")
    bench = await Bench(programmer, FakeSandbox(crashed(), ran()), FakeCritic(SHORT, RIGHT)).open()
    end = await bench.run()
    assert (end.outcome, end.best) == ("success", 2)
    assert contested(bench) == []
    assert [brief.strategy for brief in programmer.briefs] == [0, 0, 1]


async def test_an_earlier_program_that_comes_back_contested_is_the_current_one() -> None:
    other = {"rows.csv": b"title\nz\n"}
    bench = Bench(
        Model("x = 1", "x = 2", contesting("x = 1")), FakeSandbox(ran(), ran(other)),
        FakeCritic(SHORT, msgspec.structs.replace(SHORT, score=0.6), RIGHT),
    )  # fmt: skip
    await bench.open()
    bench.sandbox.during = lambda: bench.sandbox.files.update(other if len(bench.sandbox.jobs) == 2 else {})
    end = await bench.run()
    assert (end.outcome, end.best, bench.journal.session.current) == ("success", 1, 1)
    assert bench.critic.cases[-1].code == "x = 1"
    assert is_replayed(bench)


@pytest.mark.parametrize(("answer", "outcome"), [("accept", "accepted"), ("stop", "stopped")])
async def test_a_person_who_is_asked_sees_both_sides(answer: ev.AnswerKind, outcome: str) -> None:
    programmer = Model("x = 1", contesting("x = 1"))
    bench = Bench(programmer, FakeSandbox(ran()), FakeCritic(SHORT, WEIGHED), mode=Mode.APPROVE)
    await bench.open()
    work = asyncio.create_task(bench.run())
    questions = []
    async for item in bench.journal.follow():
        if isinstance(item, ev.Asked):
            questions.append(item)
            assert bench.gate.answer(item.seq, Answer(answer if SIDES in item.prompt else "go"))
    end = await work
    assert end.outcome == outcome
    assert questions[-1].prompt == f"attempt 1: {SIDES}; who is right?"
    assert questions[-1].choices == DOUBT_CHOICES


async def test_a_session_cut_off_before_the_second_judgement_goes_on_with_it() -> None:
    whole = await Bench(Model("x = 1", contesting("x = 1")), FakeSandbox(ran()), FakeCritic(SHORT, RIGHT)).open()
    await whole.run()
    place = next(n for n, e in enumerate(whole.journal.events, 1) if isinstance(e, ev.Disputed))
    for cut in (place, place + 1):  # before and after the phase is entered
        again = Bench(
            Model(), FakeSandbox(ran()), FakeCritic(RIGHT), log=MemoryLog(whole.log.rows[:cut]),
            blobs=whole.blobs,
        )  # fmt: skip
        await again.open()
        end = await again.run()
        assert (end.outcome, end.best) == ("success", 1)
        assert again.critic.cases[0].disputes == (MINE,)


def test_the_newest_dispute_of_a_finding_counts() -> None:
    first, other = Dispute("empty-column", "price", "old"), Dispute("wrong-order", reason="it is by date")
    events: list[ev.Event] = [
        ev.SessionStarted(session="s", text="t", reading=replay([]).reading),
        ev.PhaseChanged(phase=Phase.WRITING, step="write"), ev.AttemptStarted(attempt=1, author="model"),
        ev.Disputed(attempt=1, disputes=(first, other)), ev.Disputed(attempt=1, disputes=(MINE,)),
    ]  # fmt: skip
    session = replay([msgspec.structs.replace(e, seq=n) for n, e in enumerate(events, 1)])  # type: ignore[misc]
    assert session.disputes == (other, MINE)


WIDE = "価\x01" * 50_000


def test_disputes_and_samples_of_any_size_fit_into_their_events() -> None:
    many = tuple(Dispute("ungrounded", f"{n}{WIDE}", WIDE, WIDE) for n in range(99))
    kept = summaries.fit_disputes(many)
    event = ev.Disputed(seq=10**9, at=1e9, attempt=10**6, disputes=kept, unchanged=True)
    assert kept
    assert ev.decode(ev.encode(event)) == event
    findings = tuple(Finding("ungrounded", WIDE, column=d.column) for d in many)
    samples = tuple(Sample(n, {"title": WIDE}, WIDE) for n in range(3))
    small = summaries.fit_verdict(Verdict(False, 0.5, findings, 9, disputes=many, samples=samples))
    assert small.findings
    assert small.samples == ()
    assert all(any(map(d.names, small.findings)) for d in small.disputes)
    assert len(ev.encode(ev.Judged(verdict=small))) <= ev.MAX_EVENT_BYTES


TEXTS = st.text(max_size=900)
DISPUTES = st.builds(Dispute, st.sampled_from(["wrong-order", "rival"]), st.text(max_size=3), TEXTS, TEXTS)


@given(st.lists(DISPUTES, max_size=20).map(tuple))
def test_fitting_twice_is_fitting_once(disputes: tuple[Dispute, ...]) -> None:
    kept = summaries.fit_disputes(disputes)
    assert summaries.fit_disputes(kept) == kept
