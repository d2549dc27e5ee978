"""The journal: numbered, stored, applied, published, in that order."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.query.reading import Reading
from scrapewright.session import events as ev
from scrapewright.session.events import TERMINAL, Phase
from scrapewright.session.journal import TICKS_KEPT, Journal, JournalBroken
from scrapewright.session.state import Session
from scrapewright.session.transitions import IllegalTransition
from tests.fakes.parts import MemoryLog


def started() -> ev.SessionStarted:
    return ev.SessionStarted(session="t-1", text="q", reading=Reading(text="q"))


async def opened(log: MemoryLog | None = None) -> Journal:
    journal = await Journal.open(log or MemoryLog(), clock=iter(range(1, 10_000)).__next__)
    if journal.session.seq == 0:
        await journal.append(started())
    return journal


async def test_an_event_is_stored_before_it_is_applied_and_published() -> None:
    order: list[str] = []
    log = MemoryLog()
    store = log.append

    def append(seq: int, row: bytes) -> None:
        order.append(f"stored {seq}")
        assert journal.session.seq == seq - 1
        store(seq, row)

    log.append = append  # type: ignore[method-assign]
    journal = await Journal.open(log)

    async def read() -> None:
        async for item in journal.follow():
            assert isinstance(item, ev.Event)
            order.append(f"published {item.seq}")
            assert journal.session.seq >= item.seq

    reader = asyncio.create_task(read())
    await journal.append(started())
    await journal.append(ev.Noted(text="a"))
    await journal.close()
    await reader
    assert order.index("stored 1") < order.index("published 1")
    assert order.index("stored 2") < order.index("published 2")


async def test_numbers_follow_the_order_of_the_calls() -> None:
    journal = await opened()
    stored = await asyncio.gather(*(journal.append(ev.Noted(text=str(n))) for n in range(50)))
    assert [e.seq for e in stored] == list(range(2, 52))
    assert [e.text for e in stored] == [str(n) for n in range(50)]
    assert [e.seq for e in journal.events] == list(range(1, 52))
    await journal.close()


async def test_a_cancelled_caller_does_not_undo_an_event() -> None:
    journal = await opened()
    task = asyncio.create_task(journal.append(ev.Noted(text="kept")))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await journal.flush()
    assert journal.session.notes[0].text == "kept"
    await journal.close()


async def test_an_event_that_makes_no_sense_is_refused_and_not_stored() -> None:
    log = MemoryLog()
    journal = await opened(log)
    with pytest.raises(IllegalTransition, match="not there"):
        await journal.append(ev.CodeWritten(attempt=7, author="rules", code="x", lines=1))
    with pytest.raises(ValueError, match="the most an event may be"):
        await journal.append(ev.Noted(text="x" * 70_000))
    assert len(log.rows) == 1
    assert (await journal.append(ev.Noted(text="goes on"))).seq == 2
    await journal.close()


async def test_a_failing_disk_ends_everything_and_shows_nothing_that_is_not_stored() -> None:
    log = MemoryLog()
    log.fail_at = 3
    journal = await opened(log)
    seen: list[int] = []

    async def read() -> None:
        async for item in journal.follow():
            assert isinstance(item, ev.Event)
            seen.append(item.seq)

    reader = asyncio.create_task(read())
    await journal.append(ev.Noted(text="2"))
    with pytest.raises(JournalBroken, match="no space left"):
        await journal.append(ev.Noted(text="3"))
    with pytest.raises(JournalBroken):
        await journal.append(ev.Noted(text="4"))
    await reader
    assert seen == [1, 2]
    assert journal.session.seq == 2
    late = [item.seq async for item in journal.follow() if isinstance(item, ev.Event)]
    assert late == [1, 2], "and it does not wait for more"
    await journal.close()


async def test_following_from_a_number_misses_and_doubles_nothing() -> None:
    journal = await opened()
    for n in range(2, 12):
        await journal.append(ev.Noted(text=str(n)))
    seen: list[int] = []

    async def read() -> None:
        async for item in journal.follow(since=5):
            assert isinstance(item, ev.Event)
            seen.append(item.seq)

    reader = asyncio.create_task(read())
    await asyncio.sleep(0)
    await journal.append(ev.Noted(text="12"))
    await journal.append(ev.SessionFinished(phase=Phase.STOPPED, outcome="stopped", exit_code=130))
    await reader
    assert seen == list(range(6, 14))
    await journal.close()


async def test_a_slow_follower_loses_ticks_but_no_event_and_delays_nobody() -> None:
    journal = await opened()
    follower = journal.follow()
    assert isinstance(await anext(follower), ev.SessionStarted)
    for n in range(TICKS_KEPT + 500):
        journal.tick(ev.LineReached(line=n + 1))
        if n == 100:
            journal.post(ev.Noted(text="between"))
    await journal.append(ev.SessionFinished(phase=Phase.STOPPED, outcome="stopped", exit_code=130))
    items = [item async for item in follower]
    assert sum(isinstance(item, ev.Tick) for item in items) == TICKS_KEPT
    assert [type(i).__name__ for i in items if isinstance(i, ev.Event)] == ["Noted", "SessionFinished"]
    assert items[-2] == ev.LineReached(line=TICKS_KEPT + 500)
    await journal.close()


async def test_ticks_touch_live_alone_and_the_next_event_clears_it() -> None:
    journal = await opened()
    journal.tick(ev.CodeStreamed(text="import "))
    journal.tick(ev.CodeStreamed(text="re"))
    journal.tick(ev.OutputPrinted(stream="stdout", text="row 1\n"))
    await journal.flush()
    assert (journal.session.live.code, journal.session.live.stdout, journal.session.seq) == ("import re", "row 1\n", 1)
    await journal.append(ev.Noted(text="x"))
    assert journal.session.live.code == ""
    await journal.close()


async def test_opening_again_gives_the_same_state() -> None:
    log = MemoryLog()
    journal = await opened(log)
    await journal.append(ev.AttemptStarted(attempt=1, author="rules"))
    await journal.append(ev.CodeWritten(attempt=1, author="rules", code="abc", lines=3, tokens=10))
    await journal.close()
    again = await Journal.open(log)
    assert again.session == journal.session
    await again.append(ev.Noted(text="goes on"))
    assert again.session.seq == 4
    await again.close()


async def test_a_session_of_another_schema_is_refused() -> None:
    row = ev.encode(ev.SessionStarted(seq=1, session="t", text="q", reading=Reading(text="q"), schema=ev.SCHEMA + 1))
    with pytest.raises(IllegalTransition, match="schema"):
        await Journal.open(MemoryLog([row]))


@given(st.lists(st.sampled_from(list(Phase)), max_size=12))
def test_phases_only_move_as_they_may(phases: list[Phase]) -> None:
    session = Session()
    session.apply(ev.SessionStarted(seq=1, session="t", text="q", reading=Reading(text="q")))
    for phase in phases:
        before = session.phase
        try:
            session.apply(ev.PhaseChanged(seq=session.seq + 1, phase=phase))
        except IllegalTransition:
            assert session.phase is before
        else:
            assert session.phase is phase
            assert phase not in TERMINAL
            assert (before, phase) not in {(Phase.SURVEYING, Phase.JUDGING), (Phase.WRITING, Phase.JUDGING)}


@given(st.text(), st.text(max_size=50), st.integers(0, 10**9))
def test_events_survive_the_trip_to_disk(text: str, name: str, number: int) -> None:
    event = ev.Noted(seq=number, at=1.5, attempt=3, text=text, level="warning")
    assert ev.decode(ev.encode(event)) == event
    edit = ev.Answered(ticket=number, answer="edit", code=name, text=text)
    assert ev.decode(ev.encode(edit)) == edit


def test_a_lone_surrogate_does_not_stop_the_journal() -> None:
    event = ev.decode(ev.encode(ev.Noted(text="a\ud800b")))
    assert isinstance(event, ev.Noted)
    assert event.text == "a\ufffdb"
