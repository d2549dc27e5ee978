"""A replay shows at every durable event what the live screen showed when it had happened."""

from __future__ import annotations

import asyncio
import re
import threading
import time

import msgspec
import pytest
from textual.pilot import Pilot

from scrapewright.loop.answers import Answer
from scrapewright.loop.ports import BadReply, Brief, Draft, Job, Opinion, Ran, Report
from scrapewright.session.result import Author
from scrapewright.session.review import ColumnReview, Review
from scrapewright.session.state import Session
from scrapewright.tui.app import WorkbenchApp
from scrapewright.tui.panes.code import CodePane
from scrapewright.tui.screens.replay import ReplayScreen
from scrapewright.web.page import Connect
from tests.fakes.parts import FakeReviewer, MemoryLog
from tests.pilot.stage import bench_screen, frame, session_screen, until
from tests.pilot.story import ONE, TWO, Story, StoryProgrammer, StorySandbox, story_app
from tests.suite import FULL

SIZE = (120, 40)
PATIENCE = 20.0
"""Seconds."""
Tabs = tuple[tuple[str, str], ...]
TABS: list[Tabs] = [
    (("code", "code"), ("trace", "frames"), ("output", "checks")),
    (("code", "diff"), ("trace", "requests"), ("output", "table")),
    (("code", "code"), ("trace", "steps"), ("output", "stdout")),
]


class HeldLog(MemoryLog):
    """Stores an event only when it is let: until then nothing more can happen. Called in the journal's thread."""

    def __init__(self) -> None:
        super().__init__()
        self.wanted = 0
        self._let = threading.Semaphore(0)

    def append(self, seq: int, row: bytes) -> None:
        self.wanted = seq
        self._let.acquire()
        super().append(seq, row)

    def let(self, number: int = 1) -> None:
        self._let.release(number)


class QuietProgrammer(StoryProgrammer):
    """Says nothing meanwhile: ticks are what a replay has not."""

    async def write(self, brief: Brief, report: Report) -> Draft:
        return await super().write(brief, lambda _: None)


class QuietSandbox(StorySandbox):
    """As it."""

    async def run(self, job: Job, connect: Connect, report: Report) -> Ran:
        return await super().run(job, connect, lambda _: None)


def held_story(author: Author) -> tuple[Story, HeldLog]:
    """A model's has a reply without a program first, prompts, costs and reviews."""
    story, log = Story(), HeldLog()
    story.log = log
    drafts = story.programmer.drafts
    if author == "model":
        asked = {"model": "gpt", "tokens": 812, "cost": 0.004, "prompt": '{"system": "s", "user": "u"}', "reply": "r"}
        written = [msgspec.structs.replace(d, author=author, **asked) for d in drafts if isinstance(d, Draft)]
        drafts = [
            BadReply("the reply holds no program", 90, 0.001, model="gpt", prompt="{}", reply="I can't"),
            *written,
        ]
        judged = (ColumnReview("title", "right"), ColumnReview("price", "wrong", "it is another's", (1,)))
        story.reviewer = FakeReviewer(Opinion(Review((0, 1), judged), model="small", tokens=77, cost=0.0002, reply="r"))
    story.programmer = QuietProgrammer(*drafts)
    story.programmer.author = author
    story.sandbox = QuietSandbox(*story.sandbox.results)
    return story, log


def fix_the_view(app: WorkbenchApp, tabs: Tabs) -> None:
    """The same focus, tabs and places, whatever was turned to."""
    screen = session_screen(app)
    if screen.view_state is not None:
        screen.view_state.chosen = screen.view_state.against = 0
        screen.view_state.forget()
    for pane, tab in tabs:
        screen.choose_tab(pane, tab)
    screen.action_pane("attempts")
    for widget in (screen.query_one(CodePane).view, *(w for w in screen.query("*") if w.max_scroll_y > 0)):
        for y in (1, 0):  # a view that somebody scrolled is led nowhere by a resize that is still to come
            widget.scroll_to(0, y, animate=False, force=True, immediate=True)
    screen.refresh_session()


def common(app: WorkbenchApp, session: Session) -> str:
    """The screen without what says that it is live or replayed: the place and the slider, for which the
    status line leaves out what it has no room for, the clock, the keys."""
    lines = frame(app).splitlines()[:-1]
    if session.over:
        lines.pop()  # what can be done now
    found = re.search(
        r"\S \w+  (?:esc again kills the running step · |f5 goes on · )?"
        r"(?:attempt \d+(?: of \d+)?|up to \d+ attempts)",
        lines[0],
    )
    assert found is not None, lines[0]
    lines[0] = found[0]
    return "\n".join(line.rstrip() for line in lines)


def answer(story: Story) -> None:
    """What the person says to each question in turn: run it, repair it, run that, then an edit by hand."""
    asked = story.journal.session.question
    assert asked is not None
    by_hand = asked.kind == "retry" and len(story.sandbox.jobs) == 2
    assert story.gate.answer(asked.seq, Answer("edit", code="# mine\n" + TWO) if by_hand else Answer("go"))


@pytest.mark.parametrize(
    ("author", "turns"),
    [("rules", TABS), ("model", TABS), *(pytest.param("rules", [tabs], marks=pytest.mark.full) for tabs in TABS)],
    ids=["in turn", "of a model", "code-frames-checks", "diff-requests-table", "code-steps-stdout"],
)
async def test_every_event_looks_the_same_live_and_replayed(author: Author, turns: list[Tabs]) -> None:
    story, log = held_story(author)
    app = story_app(story)
    live: dict[int, str] = {}
    async with app.run_test(size=SIZE) as pilot:
        try:
            log.let()  # the beginning is stored before the screen has the session
            await until(pilot, lambda: bench_screen(app).handle is not None)
            bench, session = bench_screen(app), story.journal.session
            while True:
                seq = session.seq
                await until(pilot, lambda: bench.shown == seq)  # noqa: B023
                await until(pilot, lambda: session.over or session.question is not None or log.wanted == seq + 1)  # noqa: B023
                if FULL or seq in first_ones(story):
                    fix_the_view(app, turns[seq % len(turns)])
                    live[seq] = await still(pilot, session)
                if session.over:
                    break
                if session.question is not None and log.wanted == seq:
                    answer(story)
                    await until(pilot, lambda: log.wanted == seq + 1)  # noqa: B023
                log.let()
                await until(pilot, lambda: session.seq > seq)  # noqa: B023
            screen = ReplayScreen(story.journal.events, story.blobs)
            await app.push_screen(screen)
            for seq, shown in live.items():
                screen.go_to(seq)
                fix_the_view(app, turns[seq % len(turns)])
                replayed = screen.view_state
                assert replayed is not None
                until_then = time.monotonic() + PATIENCE
                while common(app, replayed.session) != shown and time.monotonic() < until_then:
                    await asyncio.sleep(0.01)
                assert common(app, replayed.session) == shown, f"event {seq}: {story.names[seq - 1]}"
            await pilot.press("escape")
        finally:
            log.let(1_000)  # else the application could not end where this failed
    assert list(live) == (list(range(1, len(story.journal.events) + 1)) if FULL else sorted(first_ones(story)))
    assert [job.code for job in story.sandbox.jobs] == [ONE, TWO, "# mine\n" + TWO]
    assert {"Asked", "Answered", "RunFinished", "Judged", "SessionFinished"} <= set(story.names)
    assert ({"ReplyUnused", "Reviewed"} <= set(story.names)) is (author == "model")


def first_ones(story: Story) -> set[int]:
    """The numbers of the first event of each type, as far as the story has come."""
    return {story.names.index(name) + 1 for name in story.names}


async def still(pilot: Pilot[int], session: Session) -> str:
    """The screen once nothing is left to be done and drawn."""
    app = pilot.app
    assert isinstance(app, WorkbenchApp)
    before = ""
    while True:
        await pilot.pause()
        now = common(app, session)
        if now == before and not any(worker.is_running and worker.group != "session" for worker in app.workers):
            return now
        before = now
