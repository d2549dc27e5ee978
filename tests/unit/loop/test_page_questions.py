"""Questions about how many pages: asked before those about records and columns, a part of the reading once answered."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from scrapewright.loop.answers import Answer, BadAnswer
from scrapewright.loop.parts import Options
from scrapewright.query.reading import LikelyPages
from scrapewright.session import events as ev
from scrapewright.session.state import replay
from scrapewright.survey.model import NextPage
from tests.fakes.parts import (
    RIGHT,
    Bench,
    FakeCritic,
    FakeProgrammer,
    FakeSandbox,
    MemoryLog,
    ran,
    request,
)
from tests.unit.loop.test_questions import ATTENDED, GROUP, answered, asked_of, bench_of, left_open

NEXT = NextPage("link", "a.next", "next", "http://127.0.0.1/?page=2", verified=True, last=10)


async def paged(options: Options = ATTENDED, found: NextPage = NEXT, **reading: object) -> Bench:
    bench = await bench_of(options=options)
    bench.surveyor.found = msgspec.structs.replace(bench.surveyor.found, next=found)
    if reading:
        query = msgspec.structs.replace(bench.journal.session.reading, **reading)
        await bench.journal.append(ev.ReadingChanged(reading=query))
    return bench


@pytest.mark.parametrize(
    ("answer", "pages"),
    [
        (Answer("choose", option="first"), "first"),
        (Answer("choose", option="all"), "all"),
        (Answer("go"), "first"),
        (Answer("say", text="3"), 3),
        (Answer("say", text="the first 4 pages"), 4),
        (Answer("say", text="all"), "all"),
        (Answer("choose", option="none"), "unsaid"),
    ],
)
async def test_a_next_page_is_asked_about_and_the_answer_is_a_part_of_the_reading(
    answer: Answer, pages: str | int
) -> None:
    bench = await paged()
    end = await answered(bench, answer)
    asked = next(e for e in bench.journal.events if isinstance(e, ev.Asked))
    assert [(o.id, o.text) for o in asked.options] == [("first", "page 1 only"), ("all", "all 10 pages")]
    query = bench.programmer.briefs[0].reading
    assert query.pages == pages
    assert query.sources.get("pages") == (None if pages == "unsaid" else "person")
    assert bench.surveyor.calls == (1 if pages in ("first", "unsaid") else 2)  # what holds on the next page too
    assert replay(bench.journal.events).reading == query
    assert ("a next page is there" in end.reason) is (pages == "unsaid")


@pytest.mark.parametrize(
    ("likely", "ids"),
    [
        (LikelyPages("all", 0.7, "give me every lamp"), ["all", "first"]),
        (LikelyPages("first", 0.7, "give me every lamp"), ["first", "all"]),
        (LikelyPages(3, 0.6, "give me every lamp"), ["3", "first", "all"]),
    ],
    ids=str,
)
async def test_what_the_request_likely_means_is_offered_first_and_its_words_count_as_read(
    likely: LikelyPages, ids: list[str]
) -> None:
    bench = await paged(likely_pages=likely, unread=("give me every lamp", "only the long ones"))
    await answered(bench, Answer("go"))
    asked = next(e for e in bench.journal.events if isinstance(e, ev.Asked))
    assert ([o.id for o in asked.options], asked.kind) == (ids, "pages")
    query = bench.programmer.briefs[0].reading
    assert (query.pages, query.unread) == (likely.pages, ("only the long ones",))


async def test_pages_come_before_records_and_columns() -> None:
    bench = await paged()
    bench.programmer.questions = [GROUP]
    await answered(bench, Answer("choose", option="all"), Answer("choose", option="b"))
    assert [kind for kind, _ in asked_of(bench)] == ["pages", "group"]
    assert bench.programmer.asked[0].reading.paging == "all"


@pytest.mark.parametrize("text", ["soon", "0", "-1", "3.5"])
async def test_what_is_no_number_of_pages_is_refused(text: str) -> None:
    bench = await paged()
    work = asyncio.create_task(bench.run())
    asked = await bench.question("pages")
    with pytest.raises(BadAnswer, match="say how many pages, or all"):
        bench.gate.answer(asked.seq, Answer("say", text=text))
    bench.gate.stop()
    await work


async def test_without_anybody_page_1_is_read_and_it_is_said() -> None:
    bench = await paged(Options())
    end = await bench.run()
    assert (end.outcome, end.exit_code) == ("success", 0)
    assert end.reason == '3 rows of page 1; a next page is there: say "all pages" or --pages N'
    assert [q.kind for q in left_open(bench)] == ["pages"]
    assert bench.programmer.briefs[0].reading.paging == "unsaid"


@pytest.mark.parametrize("reading", [{"pages": "all"}, {"pages": 2}, {"limit": 5}, {"single": True}], ids=str)
async def test_a_request_that_says_how_many_is_asked_nothing(reading: dict[str, object]) -> None:
    bench = await paged(**reading)
    end = await bench.run()
    assert (asked_of(bench), end.reason) == ([], "")


async def test_a_next_page_that_was_not_verified_is_asked_nothing() -> None:
    bench = await paged(found=msgspec.structs.replace(NEXT, verified=False))
    await bench.run()
    assert asked_of(bench) == []


async def test_a_program_that_read_on_by_itself_is_said_nothing_of() -> None:
    bench = await paged(Options())
    bench.sandbox.during = lambda: bench.requests.request(1, request(NEXT.url))
    assert (await bench.run()).reason == ""


async def test_a_session_cut_off_after_the_answer_goes_on_with_it() -> None:
    bench = await paged()
    work = asyncio.create_task(bench.run())
    asked = await bench.question("pages")
    rows = list(bench.log.rows)
    bench.gate.answer(asked.seq, Answer("choose", option="all"))
    await work
    said = next(e for e in bench.journal.events if isinstance(e, ev.Answered))
    again = await paged_again(bench, [*rows, ev.encode(said)])
    await again.run()
    assert again.programmer.briefs[0].reading.paging == "all"
    assert [e.kind for e in again.journal.events if isinstance(e, ev.Asked)] == ["pages"]


async def test_a_session_cut_off_while_it_asks_asks_again() -> None:
    bench = await paged()
    work = asyncio.create_task(bench.run())
    await bench.question("pages")
    rows = list(bench.log.rows)
    bench.gate.stop()
    await work
    again = await paged_again(bench, rows)
    await answered(again, Answer("choose", option="all"))
    assert again.programmer.briefs[0].reading.paging == "all"


async def paged_again(bench: Bench, rows: list[bytes]) -> Bench:
    """Another process that goes on with what was stored."""
    again = Bench(
        FakeProgrammer("a = 1"), FakeSandbox(ran()), FakeCritic(RIGHT), options=ATTENDED, log=MemoryLog(rows),
        blobs=bench.blobs,
    )  # fmt: skip
    return await again.open()
