"""When a model is asked to review rows, what is kept of the answer, and that nothing depends on getting one."""

from __future__ import annotations

import asyncio

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.loop import summaries
from scrapewright.loop.budget import Allowance
from scrapewright.loop.parts import Options
from scrapewright.loop.ports import BadReply, Draft, Opinion, ProgrammerUnavailable
from scrapewright.session import events as ev
from scrapewright.session.result import Author
from scrapewright.session.review import ColumnReview, Review
from scrapewright.session.state import replay
from scrapewright.session.verdict import Dispute
from tests.fakes.parts import (
    RIGHT,
    Bench,
    FakeCritic,
    FakeProgrammer,
    FakeReviewer,
    FakeSandbox,
    MemoryLog,
    crashed,
    ran,
    wrong,
)

GOOD = Opinion(Review((0,), (ColumnReview("title", "right"),)), tokens=30, cost=0.5, prompt="{}")
OTHER = {"rows.csv": b"title\na\nb\nd\n"}


def bench(*programs: Draft | str, reviewer: FakeReviewer, critic: FakeCritic | None = None, **more: object) -> Bench:
    made = Bench(FakeProgrammer(*programs), FakeSandbox(ran()), critic or FakeCritic(RIGHT), reviewer=reviewer)
    for name, value in more.items():
        setattr(made, name, value)
    return made


def reviewed(one: Bench) -> list[ev.Reviewed]:
    return [e for e in one.journal.events if isinstance(e, ev.Reviewed)]


def notes(one: Bench) -> list[str]:
    return [e.text for e in one.journal.events if isinstance(e, ev.Noted)]


def is_replayed(one: Bench) -> bool:
    session = one.journal.session
    session.live = replay(one.journal.events).live
    return replay(one.journal.events) == session


async def test_the_critic_gets_the_review_and_the_journal_keeps_it() -> None:
    reviewer = FakeReviewer(GOOD)
    one = await bench("x = 1", reviewer=reviewer).open()
    end = await one.run()
    assert end.outcome == "success"
    assert [case.review for case in one.critic.cases] == [GOOD.review]
    assert [(reading.text, samples) for reading, samples in reviewer.asked] == [("q", one.critic.shown)]
    (event,) = reviewed(one)
    assert (event.attempt, event.model, event.review, event.problem) == (1, "small", GOOD.review, "")
    assert (one.journal.session.tokens, one.journal.session.cost) == (30, 0.5)
    assert (one.loop.budget.tokens, one.loop.budget.money, one.loop.budget.attempts) == (30, 0.5, 1)
    assert one.blobs.get(event.prompt) == b"{}"
    assert one.names.index("Reviewed") == one.names.index("Judged") - 1
    assert is_replayed(one)


class Model(FakeProgrammer):
    author: Author = "model"


async def test_the_same_program_and_rows_are_reviewed_once() -> None:
    contested = Draft(code="x = 1", author="model", disputes=(Dispute("empty-column", "price", "there is none"),))
    reviewer = FakeReviewer(GOOD)
    one = Bench(Model("x = 1", contested), FakeSandbox(ran()), FakeCritic(wrong(), RIGHT), reviewer=reviewer)
    await one.open()
    end = await one.run()
    assert end.outcome == "success"
    assert [case.review for case in one.critic.cases] == [GOOD.review, GOOD.review]
    assert (len(reviewer.asked), len(reviewed(one))) == (1, 1)


@pytest.mark.parametrize("second", [("x = 2", ran()), ("x = 1; y = 2", ran(OTHER))])
async def test_another_program_is_reviewed_again(second: tuple[str, object]) -> None:
    program, result = second
    reviewer = FakeReviewer(GOOD)
    sandbox = FakeSandbox(ran(), result)  # type: ignore[arg-type]
    one = Bench(FakeProgrammer("x = 1", program), sandbox, FakeCritic(wrong(), RIGHT), reviewer=reviewer)
    await one.open()
    sandbox.during = lambda: sandbox.files.update(OTHER if result == ran(OTHER) and len(sandbox.jobs) == 2 else {})
    await one.run()
    assert len(reviewer.asked) == 2


@pytest.mark.parametrize(
    ("error", "tokens"),
    [
        (BadReply("the reply judges no column: hello", tokens=7, cost=0.1), 7),
        (ProgrammerUnavailable("OpenAI can't be reached"), 0),
    ],
)
@pytest.mark.parametrize("verdict", [RIGHT, wrong()], ids=["right", "wrong"])
async def test_a_review_that_fails_costs_a_note(error: Exception, tokens: int, verdict: object) -> None:
    def critic() -> FakeCritic:
        return FakeCritic(verdict)  # type: ignore[arg-type]

    options = Options(allowance=Allowance(attempts=1))
    one = await bench("x = 1", reviewer=FakeReviewer(error), critic=critic(), options=options).open()
    without = await bench("x = 1", reviewer=FakeReviewer(GOOD), critic=critic(), options=options).open()
    without.critic.shown = ()
    ends = [await one.run(), await without.run()]
    assert [(e.outcome, e.exit_code, e.best, e.reason) for e in ends[:1]] == [
        (e.outcome, e.exit_code, e.best, e.reason) for e in ends[1:]
    ]
    assert one.critic.cases[0].review is None
    (event,) = reviewed(one)
    assert (event.review, event.problem, event.tokens) == (None, str(error), tokens)
    assert one.loop.budget.tokens == tokens
    assert [e for e in one.journal.events if isinstance(e, ev.Noted)][-1].level == "warning"
    assert notes(one) == [f"the rows are not reviewed: {error}"]
    assert is_replayed(one)


async def test_no_review_of_a_crash_nor_of_no_rows() -> None:
    reviewer = FakeReviewer(GOOD)
    one = Bench(FakeProgrammer("x = 1", "x = 2"), FakeSandbox(crashed(), ran()), FakeCritic(RIGHT), reviewer=reviewer)
    await one.open()
    one.critic.shown = ()
    assert (await one.run()).outcome == "success"
    assert (reviewer.asked, reviewed(one)) == ([], [])


async def test_no_review_where_the_budget_is_spent_and_the_last_attempt_has_one() -> None:
    spent = Options(allowance=Allowance(attempts=1, tokens=5))
    reviewer = FakeReviewer(GOOD)
    one = await bench(Draft(code="x = 1", tokens=5), reviewer=reviewer, options=spent).open()
    assert (await one.run()).outcome == "success"
    assert (reviewer.asked, notes(one)) == ([], ["the rows are not reviewed: the budget is spent"])
    last = await bench("x = 1", reviewer=reviewer, options=Options(allowance=Allowance(attempts=1))).open()
    await last.run()
    assert len(reviewer.asked) == 1


async def test_the_next_program_is_written_with_what_the_review_said() -> None:
    one = await bench("x = 1", "x = 2", reviewer=FakeReviewer(GOOD), critic=FakeCritic(wrong(), RIGHT)).open()
    await one.run()
    assert [attempt.review for attempt in one.programmer.briefs[1].attempts] == [GOOD.review]


async def test_what_a_review_costs_counts_towards_the_next_program() -> None:
    reviewer = FakeReviewer(GOOD)
    options = Options(allowance=Allowance(attempts=4, money=0.5))
    one = await bench("x = 1", reviewer=reviewer, critic=FakeCritic(wrong()), options=options).open()
    end = await one.run()
    assert (end.outcome, end.exit_code, end.best) == ("budget", 4, 1)
    assert end.reason == "the budget of $0.50 is spent"


async def test_a_session_cut_off_after_the_review_does_not_ask_again() -> None:
    whole = await bench("x = 1", reviewer=FakeReviewer(GOOD)).open()
    await whole.run()
    cut = whole.names.index("Reviewed") + 1
    reviewer = FakeReviewer(GOOD)
    log = MemoryLog(whole.log.rows[:cut])
    again = await bench(reviewer=reviewer, log=log, blobs=whole.blobs).open()
    assert (await again.run()).outcome == "success"
    assert (reviewer.asked, again.critic.cases[0].review) == ([], GOOD.review)
    assert again.loop.budget.tokens == 30
    without = bench(reviewer=reviewer, log=MemoryLog(whole.log.rows[:cut]), blobs=whole.blobs)
    without.reviewer = None
    await without.open()
    await without.run()
    assert without.critic.cases[0].review == GOOD.review


async def test_a_stop_does_not_wait_for_the_review() -> None:
    reviewer = FakeReviewer(GOOD)
    reviewer.hold = asyncio.Event()
    one = await bench("x = 1", reviewer=reviewer).open()
    work = asyncio.create_task(one.run())
    await one.until(lambda: one.journal.session.live.what == "small reviews the rows")
    one.gate.stop()
    assert (await work).outcome == "stopped"
    assert (reviewer.cancelled, reviewed(one)) == (1, [])


TEXTS = st.text(max_size=900)
COLUMNS = st.builds(ColumnReview, TEXTS, st.sampled_from(["right", "wrong", "unsure"]), TEXTS)


@given(st.lists(COLUMNS, max_size=99).map(tuple))
def test_a_review_of_any_size_fits_into_its_event(columns: tuple[ColumnReview, ...]) -> None:
    fitted = summaries.fit_review(Review(tuple(range(5)), columns))
    event = ev.Reviewed(seq=10**9, at=1e9, attempt=10**6, of="0" * 64, model="m" * 99, review=fitted)
    assert ev.decode(ev.encode(event)) == event
    assert summaries.fit_review(fitted) == fitted
    assert len(fitted.columns) == len(columns) or len(msgspec.json.encode(fitted)) > 10_000
