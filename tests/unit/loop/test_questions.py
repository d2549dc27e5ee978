"""Questions about records, columns and pages: asked before the first program, left open where nobody is there."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import msgspec
import pytest

from scrapewright.loop.answers import Answer, BadAnswer
from scrapewright.loop.gate import Gate
from scrapewright.loop.parts import Options
from scrapewright.loop.ports import BadReply
from scrapewright.query.read import read_request
from scrapewright.session import events as ev
from scrapewright.session.questions import NOTHING, QUESTIONS_AT_MOST, Decision, Option, Question, undecided
from scrapewright.session.state import replay
from scrapewright.session.verdict import Finding, Verdict
from tests.fakes.parts import (
    RIGHT,
    Bench,
    FakeCritic,
    FakeProgrammer,
    FakeSandbox,
    crashed,
    ran,
    wrong,
)

A, B = Option("a", "the first", ".a", ("x", None)), Option("b", "the second", ".b", ("y",))
ATTENDED = Options(attended=True)
DOUBTFUL = Verdict(False, 0.98, (Finding("undecided", "undecided: which is site?", severity="doubt"),), 3, ("title",))


def column(name: str, confidence: float = 0.4) -> Question:
    return Question("column", f"which is {name}?", (A, B), name, confidence)


GROUP = Question("group", "which of these are the records?", (A, B), confidence=0.5)
SITE = column("site")


async def bench_of(
    *questions: Question, options: Options = ATTENDED, mode: ev.Mode = ev.Mode.AUTO, drafts: int = 1,
    critic: FakeCritic | None = None, decisions: tuple[Decision, ...] = (),
) -> Bench:  # fmt: skip
    programmer = FakeProgrammer(*(f"a = {n}" for n in range(drafts)))
    programmer.questions = list(questions)
    bench = Bench(
        programmer, FakeSandbox(ran()), critic or FakeCritic(RIGHT), options=options, mode=mode, decisions=decisions
    )
    return await bench.open()


async def answered(bench: Bench, *answers: Answer) -> ev.SessionFinished:
    """Runs it to its end, answering question after question."""
    work = asyncio.create_task(bench.run())
    last = bench.journal.session.seq
    for answer in answers:
        await bench.until(lambda last=last: (q := bench.journal.session.question) is not None and q.seq > last)  # type: ignore[misc]
        asked = bench.journal.session.question
        assert asked is not None
        last = asked.seq
        assert bench.gate.answer(asked.seq, answer)
    return await work


def asked_of(bench: Bench) -> list[tuple[str, str]]:
    return [(e.kind, e.column) for e in bench.journal.events if isinstance(e, ev.Asked)]


def left_open(bench: Bench) -> list[Question]:
    return [e.question for e in bench.journal.events if isinstance(e, ev.LeftOpen)]


async def test_each_question_is_asked_once_and_the_next_with_what_was_decided() -> None:
    bench = await bench_of(GROUP, SITE)
    end = await answered(bench, Answer("choose", option="b"), Answer("say", text="example.org"))
    assert end.outcome == "success"
    assert asked_of(bench) == [("group", ""), ("column", "site")]
    first = next(e for e in bench.journal.events if isinstance(e, ev.Asked))
    assert (first.options, first.choices[:3]) == (GROUP.options, ("choose", "say", "go"))
    chosen = (Decision("group", option="b"), Decision("column", "site", text="example.org"))
    assert [brief.decisions for brief in bench.programmer.asked] == [(), chosen[:1], chosen]
    assert bench.programmer.briefs[0].decisions == chosen
    assert replay(bench.journal.events).decisions == bench.journal.session.decisions == chosen
    assert left_open(bench) == []


async def test_to_go_on_takes_the_best_guess_and_none_takes_none() -> None:
    bench = await bench_of(SITE, column("date"), Question("column", "where is size?", column="size"))
    await answered(bench, Answer("go"), Answer("choose", option="none"), Answer("go"))
    assert bench.journal.session.decisions == (
        Decision("column", "site", option="a"), Decision("column", "date", option="none", refused=("a", "b")),
        Decision("column", "size", option="none"),
    )  # fmt: skip


async def test_to_go_on_decides_no_condition_that_nothing_was_found_for() -> None:
    condition = Question("condition", "Which rows does “no pinned ones” leave out?", (), "no pinned ones", 0.0)
    bench = await bench_of(condition)
    await answered(bench, Answer("go"))
    assert left_open(bench) == [condition]
    said = await bench_of(condition)
    await answered(said, Answer("say", text="Pinned"))
    assert left_open(said) == []


async def test_none_is_followed_by_options_that_were_not_shown() -> None:
    more = Question("column", "none of those; which is site?", (Option("c", "the third", ".c", ("z",)),), "site", 0.1)
    bench = await bench_of(SITE, more)
    await answered(bench, Answer("choose", option="none"), Answer("choose", option="c"))
    assert asked_of(bench) == [("column", "site")] * 2
    assert bench.programmer.briefs[0].decisions == (Decision("column", "site", option="c"),)


async def test_who_leaves_after_none_has_decided() -> None:
    """The column stays empty; that there were further options does not make it undecided."""
    more = Question("column", "none of those; which is site?", (Option("c", "the third", ".c", ("z",)),), "site", 0.1)
    bench = await bench_of(SITE, more)
    work = asyncio.create_task(bench.run())
    first = await bench.question("column")
    assert bench.gate.answer(first.seq, Answer("choose", option="none"))
    await bench.until(lambda: (q := bench.journal.session.question) is not None and q.seq > first.seq)
    bench.gate.leave()
    await work
    assert bench.programmer.briefs[0].decisions == (Decision("column", "site", option="none", refused=("a", "b")),)
    assert left_open(bench) == []


async def test_what_was_decided_beforehand_is_not_asked() -> None:
    decided = Decision("column", "site", text=".sitestr", how="selector")
    bench = await bench_of(SITE, decisions=(decided,))
    await bench.run()
    assert asked_of(bench) == []
    assert bench.programmer.briefs[0].decisions == (decided,)


async def test_nothing_is_asked_after_the_first_program() -> None:
    bench = await bench_of(SITE, drafts=2, critic=FakeCritic(wrong(), RIGHT))
    await answered(bench, Answer("choose", option="b"))
    assert len(bench.programmer.briefs) == 2
    assert asked_of(bench) == [("column", "site")]


async def test_a_reply_without_a_program_asks_nothing_again() -> None:
    bench = await bench_of(SITE)
    bench.programmer.drafts.insert(0, BadReply("empty"))
    bench.programmer.streams = ""
    await answered(bench, Answer("choose", option="b"))
    assert len(bench.programmer.briefs) == 2
    assert asked_of(bench) == [("column", "site")]


async def test_a_hint_asks_again_with_the_hint() -> None:
    bench = await bench_of(SITE)
    await answered(bench, Answer("hint", text="in brackets"), Answer("choose", option="b"))
    assert [brief.hint for brief in bench.programmer.asked] == ["", "in brackets", "in brackets"]
    assert bench.programmer.briefs[0].hint == "in brackets"


async def test_an_edit_is_run_instead() -> None:
    bench = await bench_of(SITE)
    await answered(bench, Answer("edit", code="mine = 1"))
    assert [job.code for job in bench.sandbox.jobs] == ["mine = 1"]
    assert bench.programmer.briefs == []


async def test_a_person_who_steps_in_drops_the_question() -> None:
    bench = await bench_of(SITE)
    work = asyncio.create_task(bench.run())
    await bench.question("column")
    assert bench.gate.edit("mine = 1")
    await work
    assert [job.code for job in bench.sandbox.jobs] == ["mine = 1"]


async def test_to_stop_ends_it() -> None:
    bench = await bench_of(SITE)
    end = await answered(bench, Answer("stop"))
    assert (end.outcome, end.exit_code) == ("stopped", 130)


async def test_questions_have_a_number_at_most_and_the_rest_is_left_open() -> None:
    bench = await bench_of(*(column(f"c{n}") for n in range(QUESTIONS_AT_MOST + 2)))
    await answered(bench, *(Answer("choose", option="b") for _ in range(QUESTIONS_AT_MOST)))
    assert len(asked_of(bench)) == QUESTIONS_AT_MOST
    assert [q.column for q in left_open(bench)] == [f"c{QUESTIONS_AT_MOST}", f"c{QUESTIONS_AT_MOST + 1}"]


async def test_a_programmer_that_asks_what_is_decided_is_ignored() -> None:
    bench = await bench_of(SITE)

    async def question(brief: object) -> Question:
        return SITE

    bench.programmer.question = question  # type: ignore[method-assign]
    await answered(bench, Answer("choose", option="b"))
    assert asked_of(bench) == [("column", "site")]


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (Answer("choose", option="c"), "there is no option 'c'; there are a, b, none"),
        (Answer("choose"), "there is no option ''"),
        (Answer("say", text="  "), "say which it is"),
        (Answer("say", text="x" * 4001), "4000 characters"),
        (Answer("accept"), "takes choose, say, go, edit, hint, stop, not accept"),
    ],
    ids=["an unknown option", "no option", "no text", "too long a text", "another answer"],
)
async def test_a_bad_answer_leaves_the_question_open(answer: Answer, says: str) -> None:
    bench = await bench_of(SITE)
    work = asyncio.create_task(bench.run())
    asked = await bench.question("column")
    with pytest.raises(BadAnswer, match=says):
        bench.gate.answer(asked.seq, answer)
    assert bench.gate.answer(asked.seq, Answer("choose", option="a"))
    assert not bench.gate.answer(asked.seq, Answer("choose", option="b"))  # a second answer
    assert (await work).outcome == "success"


async def test_waiting_for_an_option_spends_no_time_of_the_budget() -> None:
    bench = await bench_of(SITE)
    ticks: Iterator[float] = iter(range(0, 100_000, 100))
    gate = Gate(bench.journal, bench.blobs, clock=lambda: next(ticks))
    work = asyncio.create_task(gate.choose(SITE, step="write"))
    await bench.until(lambda: bench.journal.session.question is not None)
    assert gate.answer(bench.journal.session.seq, Answer("choose", option="a"))
    await work
    assert gate.waited == 100
    await bench.journal.close()


# Nobody is there.


async def test_without_anybody_what_is_not_sure_is_left_open_and_the_best_guess_runs() -> None:
    sure = column("title", 0.95)
    bench = await bench_of(GROUP, sure, SITE, options=Options())
    end = await bench.run()
    assert end.outcome == "success"  # this critic does not care
    assert asked_of(bench) == []
    assert left_open(bench) == [GROUP, SITE]
    assert bench.programmer.briefs[0].decisions == ()
    guess = (Decision("group", option="a"), Decision("column", "title", option="a"))
    assert guess in [brief.decisions for brief in bench.programmer.asked]
    assert bench.critic.cases[0].open == (GROUP, SITE)
    assert replay(bench.journal.events).left_open == (GROUP, SITE)


async def test_doubts_alone_end_it_without_a_repair() -> None:
    bench = await bench_of(SITE, options=Options(), critic=FakeCritic(DOUBTFUL))
    end = await bench.run()
    assert (end.outcome, end.exit_code) == ("unrepaired", 1)
    assert "which is site?" in end.reason
    assert len(bench.programmer.briefs) == 1
    assert bench.delivered[0][3] is False  # not trusted


async def test_doubts_of_a_run_that_failed_do_not_keep_it_from_repair() -> None:
    bench = await bench_of(SITE, options=Options(), drafts=2, critic=FakeCritic(DOUBTFUL, RIGHT))
    bench.sandbox.results = [crashed(), ran()]
    assert (await bench.run()).outcome == "success"


async def test_an_error_beside_a_doubt_is_repaired() -> None:
    both = msgspec.structs.replace(DOUBTFUL, findings=(*DOUBTFUL.findings, *wrong().findings))
    bench = await bench_of(SITE, options=Options(), drafts=2, critic=FakeCritic(both, RIGHT))
    assert (await bench.run()).outcome == "success"


async def test_a_person_who_approves_is_asked_whether_doubtful_rows_are_right() -> None:
    bench = await bench_of(mode=ev.Mode.APPROVE, critic=FakeCritic(DOUBTFUL))
    end = await answered(bench, Answer("go"), Answer("accept"))
    assert end.outcome == "accepted"
    asked = [e for e in bench.journal.events if isinstance(e, ev.Asked)][-1]
    assert (asked.kind, asked.choices[:3]) == ("retry", ("accept", "hint", "edit"))
    assert "which is site?" in asked.prompt


async def test_who_leaves_while_it_asks_decides_nothing() -> None:
    bench = await bench_of(GROUP, SITE)
    work = asyncio.create_task(bench.run())
    await bench.question("group")
    bench.gate.leave()
    assert (await work).outcome == "success"
    assert asked_of(bench) == [("group", "")]
    assert left_open(bench) == [GROUP, SITE]
    assert bench.journal.session.decisions == ()


async def test_who_leaves_between_two_questions_is_asked_no_more() -> None:
    bench = await bench_of(SITE)
    bench.gate.leave()
    await bench.run()
    assert asked_of(bench) == []
    assert left_open(bench) == [SITE]


@pytest.mark.parametrize("before", [True, False], ids=["before the question", "while it is asked"])
async def test_a_run_that_nobody_can_approve_ends_the_session(before: bool) -> None:
    bench = await bench_of(mode=ev.Mode.APPROVE)
    if before:
        bench.gate.leave()
    work = asyncio.create_task(bench.run())
    if not before:
        await bench.question("run")
        bench.gate.leave()
    end = await work
    assert (end.outcome, end.exit_code, end.reason) == ("stopped", 130, "nobody is there any more to answer")
    assert bench.sandbox.jobs == []


async def test_a_host_is_not_allowed_by_nobody() -> None:
    bench = await bench_of(critic=FakeCritic(wrong(), RIGHT), drafts=2)
    bench.sandbox.during = lambda: bench.web.refusals.append(("cdn.test", "http://cdn.test/x"))
    work = asyncio.create_task(bench.run())
    await bench.question("host")
    bench.gate.leave()
    assert (await work).outcome == "success"
    assert bench.web.allowed == []


# Which columns.

PROSE = "get titles and prices from http://127.0.0.1/ sorted by titles"
LISTED = Question(
    "columns", "Which columns?", (Option("columns", "titles, prices"), Option(NOTHING, "its own")),
    confidence=0.5,
)  # fmt: skip


async def in_prose(options: Options = ATTENDED) -> Bench:
    bench = await bench_of(LISTED, options=options)
    await bench.journal.append(ev.ReadingChanged(reading=read_request(PROSE)))
    return bench


@pytest.mark.parametrize(
    ("answer", "columns"),
    [
        (Answer("go"), "titles prices"),
        (Answer("choose", option="columns"), "titles prices"),
        (Answer("say", text="titles, maker"), "titles maker"),
        (Answer("choose", option=NOTHING), ""),
        (Answer("choose", option="none"), ""),
    ],
)
async def test_columns_are_asked_and_become_a_part_of_the_reading(answer: Answer, columns: str) -> None:
    bench = await in_prose()
    before = bench.journal.session.reading
    assert (before.columns, before.order) == ((), ())
    await answered(bench, answer)
    after = bench.programmer.briefs[0].reading
    assert " ".join(column.name for column in after.columns) == columns
    assert after.sources["columns"] == "person"
    assert [order.column for order in after.order] == (["titles"] if columns else [])
    assert not any("price" in phrase for phrase in after.unread)
    assert replay(bench.journal.events).reading == after


async def test_without_anybody_the_columns_are_guessed_and_the_rows_withheld() -> None:
    bench = await in_prose(Options())
    await bench.run()
    after = bench.programmer.briefs[0].reading
    assert [column.name for column in after.columns] == ["titles", "prices"]
    assert after.sources["columns"] == "grammar"
    assert left_open(bench) == [LISTED]
    assert LISTED.withholds
    assert "Say columns: and their names" in undecided(LISTED)


async def test_what_is_no_list_of_columns_is_refused() -> None:
    bench = await in_prose()
    work = asyncio.create_task(bench.run())
    asked = await bench.question("columns")
    with pytest.raises(BadAnswer, match="is no list of columns: name them with commas"):
        bench.gate.answer(asked.seq, Answer("say", text="title, price. And sort it"))
    bench.gate.stop()
    await work
