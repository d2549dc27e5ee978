"""The page beside the rows: what was fetched, where a row comes from, and the bench."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from scrapewright.session import events as ev
from scrapewright.session.events import Mode
from scrapewright.session.questions import Decision, Option, Question
from scrapewright.session.result import Request
from scrapewright.tui.app import WorkbenchApp
from scrapewright.tui.panes.output import OutputPane
from scrapewright.tui.panes.page import PagePane
from scrapewright.tui.screens.replay import ReplayScreen
from scrapewright.tui.session_spec import SessionSpec
from scrapewright.tui.view.page_bench import ON_PAGE
from scrapewright.tui.widgets.bench import SelectorBench
from scrapewright.tui.widgets.questionbar import QuestionBar
from scrapewright.tui.widgets.rows import Rows
from scrapewright.web.tape import Exchange, Tape
from tests.fakes.parts import FakeCritic
from tests.pilot.stage import bench_screen, frame, question, session_screen, until
from tests.pilot.story import RIGHT, RIGHT_RUN, SITE, Story, StorySandbox, story_app
from tests.pilot.test_heavy import UNBROKEN, longest

LAMPS = [
    ("Harbour Lamp", "7.61", "harbour"),
    ("Reading Lamp, No. 4", "24.69", "reading-4"),
    ("Attic Lantern", "31.00", "attic"),
    ("Night Light “Mist”", "", "mist"),
    ("Brass Sconce", "63.15", "sconce"),
    ("日本の行灯", "90.92", "andon"),
]
WIDE, NARROW = (120, 40), (80, 24)


def card(title: str, price: str, name: str) -> str:
    shown = f'<p class="price">from £{price}</p>' if price else ""
    return f'<article class="lamp"><h3><a href="/lamps/{name}">{title}</a></h3>{shown}<em>lamp</em></article>'


def listing(lamps: list[tuple[str, str, str]]) -> bytes:
    cards = "".join(card(*lamp) for lamp in lamps)
    head = "<html><head><title>Lamps</title></head><body><nav><a href='/'>home</a><a href='/x'>more</a></nav>"
    return f"{head}<h1>All lamps</h1><main>{cards}</main></body></html>".encode()


PAGES = [
    (SITE, "text/html; charset=utf-8", listing(LAMPS[:3])),
    (f"{SITE}?page=2", "text/html; charset=utf-8", listing(LAMPS[3:])),
    (f"{SITE}api.json", "application/json", json.dumps({"lamps": [{"name": f"L{n}"} for n in range(9)]}).encode()),
]


def taped(folder: Path, pages: list[tuple[str, str, bytes]]) -> list[Request]:
    """Puts the pages on the tape of the story's session."""
    tape = Tape(folder, "0528-lamp")
    requests = []
    for number, (url, kind, body) in enumerate(pages):
        given = Exchange("GET", url, f"k{number}", f"p{number}", 1.0, 200, headers=(("Content-Type", kind),))
        kept = tape.add(given, body)
        requests.append(Request("GET", url, 200, kind.partition(";")[0], len(body), body=kept.body))
    tape.close()
    return requests


class Taped(Story):
    """The story with rows at once, and pages that were fetched before it began."""

    def __init__(self, requests: list[Request], mode: Mode = Mode.AUTO, *, attempt: int = 0) -> None:
        super().__init__(mode=mode)
        self.attempt = attempt
        self.sandbox, self.critic = StorySandbox(RIGHT_RUN), FakeCritic(RIGHT)
        self.seen = requests

    async def open(self) -> Taped:
        await super().open()
        for request in self.seen if self.journal.session.seq == 1 else ():
            await self.journal.append(ev.RequestSeen(attempt=self.attempt, request=request))
        return self


def page_of(app: WorkbenchApp) -> PagePane:
    return session_screen(app).query_one(PagePane)


async def ended(pilot: Pilot[Any], story: Story) -> None:
    app = pilot.app
    assert isinstance(app, WorkbenchApp)
    await until(pilot, lambda: story.journal.session.over and not bench_screen(app).running)
    await until(pilot, lambda: bench_screen(app).shown == story.journal.session.seq)


async def typed(pilot: Pilot[Any], text: str, message: str) -> None:
    """Types a selector over what is in the bench, until the bench says that."""
    app = pilot.app
    assert isinstance(app, WorkbenchApp)
    page_of(app).query_one("#bench-text", Input).value = text
    await until(pilot, lambda: message in frame(app), message)


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=str)
async def test_from_a_row_to_its_record_and_back(size: tuple[int, int], tmp_path: Path) -> None:
    story = Taped(taped(tmp_path, PAGES))
    app = story_app(story, tape=tmp_path)
    async with app.run_test(size=size) as pilot:
        await ended(pilot, story)
        await pilot.press("4", "j", "j", "j", "j", "v")
        page = page_of(app)
        await until(pilot, lambda: page.located is not None and "title, url @href ◂ a" in frame(app))
        assert page.tab == "tree"
        assert page.chosen is not None
        assert page.chosen.url == f"{SITE}?page=2"
        assert "price ◂ p.price  “from £63.15”" in frame(app)
        rows = page.query_one("#page-tree", Rows)
        assert rows.cursor in rows.marks
        assert "Brass Sconce" in "".join(rows.line_text(row) for row in rows.marks)
        assert "Night Light" not in "".join(rows.line_text(row) for row in rows.marks)
        for tab, there in (("source", "63.15"), ("text", "Brass Sconce"), ("records", "Brass Sconce")):
            page.choose(tab)
            shown = page.query_one(f"#page-{tab}", Rows)
            await until(pilot, lambda: len(shown.marks) > 0, tab)  # noqa: B023
            assert there in "".join(shown.line_text(row) for row in shown.marks)
        await pilot.press("v")
        output = session_screen(app).query_one(OutputPane)
        await until(pilot, lambda: output.has_focus_within)
        assert output.query_one("#output-table", Rows).cursor == 4


async def test_from_a_request_to_what_it_brought(tmp_path: Path) -> None:
    story = Taped(taped(tmp_path, PAGES), attempt=1)
    app = story_app(story, tape=tmp_path)
    async with app.run_test(size=WIDE) as pilot:
        await ended(pilot, story)
        bench_screen(app).choose_tab("trace", "requests")
        await pilot.press("3", "G", "v")
        page = page_of(app)
        await until(pilot, lambda: page.has_focus_within and page.chosen is not None)
        assert page.chosen is not None
        assert (page.chosen.url, page.tab) == (f"{SITE}api.json", "tree")
        await pilot.press("3", "g", "v")
        await until(pilot, lambda: page.chosen is not None and page.chosen.url == SITE)


async def test_of_a_request_without_an_answer_there_is_no_page(tmp_path: Path) -> None:
    story = Taped([Request("GET", f"{SITE}gone", 404)], attempt=1)
    app = story_app(story, tape=tmp_path)
    async with app.run_test(size=WIDE) as pilot:
        await ended(pilot, story)
        bench_screen(app).choose_tab("trace", "requests")
        await pilot.press("3", "v")
        await until(pilot, lambda: any("none that is kept" in note.message for note in app._notifications))


async def test_the_page_that_is_seen_follows_the_cursor_in_the_table(tmp_path: Path) -> None:
    story = Taped(taped(tmp_path, PAGES))
    app = story_app(story, tape=tmp_path)
    async with app.run_test(size=WIDE) as pilot:
        await ended(pilot, story)
        await pilot.press("4", "v")
        page = page_of(app)
        await until(pilot, lambda: page.located is not None)
        await pilot.press("4", "j")
        await until(pilot, lambda: "title, url @href ◂ a href=/lamps/reading-4" in frame(app))
        await pilot.press("j", "j", "j")
        await until(pilot, lambda: "title, url @href ◂ a href=/lamps/sconce" in frame(app))
        await pilot.press("2")
        assert not page.display
        assert session_screen(app).query_one("#code").display


async def test_pages_are_listed_and_turned_to_and_json_is_a_tree(tmp_path: Path) -> None:
    story = Taped(taped(tmp_path, PAGES))
    app = story_app(story, tape=tmp_path)
    async with app.run_test(size=WIDE) as pilot:
        await ended(pilot, story)
        await pilot.press("6")
        await until(pilot, lambda: "3 pages" in frame(app))
        await pilot.press("enter")
        await until(pilot, lambda: "# All lamps" in frame(app))
        assert "### Harbour Lamp ‹/lamps/harbour›" in frame(app)
        await pilot.press("left_curly_bracket", "right_square_bracket", "right_square_bracket")
        await until(pilot, lambda: "lamps: [9]" in frame(app))
        assert "… 6 more like this" in frame(app)
        await pilot.press("j", "j", "enter")
        await until(pilot, lambda: '▸ 0: {1}  name: "L0"' in frame(app))
        await pilot.press("left_square_bracket")
        await until(pilot, lambda: '"name": "L0"' in frame(app))


SEARCHED = [
    ("text", "lamp", 7), ("source", "LAMPS", 0), ("source", "lamps", 5), ("tree", "lamp", 7), ("records", "harbour", 2),
    ("pages", "page=2", 1),
]  # fmt: skip
"""Tab, what is looked for, how often it is there at least."""


async def test_every_tab_is_searched(tmp_path: Path) -> None:
    story = Taped(taped(tmp_path, PAGES))
    app = story_app(story, tape=tmp_path)
    async with app.run_test(size=WIDE) as pilot:
        await ended(pilot, story)
        await pilot.press("6")
        page = page_of(app)
        for tab, text, count in SEARCHED:
            page.choose(tab)
            page.focus_inside()
            shown = page.query_one(f"#page-{tab}", Rows)
            await until(pilot, lambda: shown.row_count > 0, tab)  # noqa: B023
            found = shown.search(text)
            assert (found >= count) if count else found == 0, (tab, text, found)
            if found:
                assert shown.go_to_match(1)[1] == found
                assert text.casefold() in shown.line_text(shown.cursor).casefold()
            shown.search("")


async def test_the_bench_tells_what_a_selector_finds_as_it_is_typed(tmp_path: Path) -> None:
    story = Taped(taped(tmp_path, PAGES))
    specs: list[SessionSpec] = []
    app = story_app(story, tape=tmp_path, specs=specs, corrects=True)
    async with app.run_test(size=WIDE) as pilot:
        await ended(pilot, story)
        await pilot.press("6", "b")
        page = page_of(app)
        await until(pilot, lambda: isinstance(app.focused, Input))
        await typed(pilot, ".price", "3 of 3 records")
        assert "from £24.69" in frame(app)
        await pilot.press("down")
        await until(pilot, lambda: "3 matches" in frame(app))
        await pilot.press("down")
        await until(pilot, lambda: "5 of 6 records on 2 pages" in frame(app))
        await pilot.press("down")
        await until(pilot, lambda: "5 matches on 2 pages" in frame(app))
        await typed(pilot, "a[", 'a "[" is not closed')
        await typed(pilot, "//p[@class='price']", "5 matches on 2 pages")
        await pilot.press("enter")
        await until(pilot, lambda: "programs select by CSS" in frame(app))
        await pilot.press("escape")
        await typed(pilot, "h3 a@href", "6 matches on 2 pages")
        await pilot.press("enter")
        await until(pilot, lambda: "which column is it?" in frame(app))
        await pilot.press("j", "j", "enter")
        await until(pilot, lambda: len(specs) == 2 and bool(story.journal.session.corrections))
        assert story.journal.session.decisions == (Decision("column", "url", text="h3 a@href", how="selector"),)
        assert specs[1].resume == story.journal.session.id
        assert not page.query_one(SelectorBench).is_open


async def test_the_bench_finds_a_record_that_it_opens_on(tmp_path: Path) -> None:
    story = Taped(taped(tmp_path, PAGES))
    app = story_app(story, tape=tmp_path)
    async with app.run_test(size=WIDE) as pilot:
        await ended(pilot, story)
        await pilot.press("4", "v")
        await until(pilot, lambda: page_of(app).located is not None and "title, url @href ◂ a" in frame(app))
        await pilot.press("b")
        await until(pilot, lambda: "3 matches" in frame(app))
        assert page_of(app).query_one("#bench-text", Input).value == "article.lamp"


async def test_a_selector_that_cannot_be_tried_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RecursionError

    story = Taped(taped(tmp_path, PAGES))
    app = story_app(story, tape=tmp_path)
    async with app.run_test(size=WIDE) as pilot:
        await ended(pilot, story)
        await pilot.press("6", "b")
        await until(pilot, lambda: isinstance(app.focused, Input))
        monkeypatch.setattr("scrapewright.survey.selecting.Finder.within", fail)
        await typed(pilot, ".price", "the selector can't be tried on this page")
        assert "looking …" not in frame(app)


async def test_a_selector_answers_the_question_about_its_column(tmp_path: Path) -> None:
    story = Taped(taped(tmp_path, PAGES))
    asked = Question("column", "which of these is price?", (Option("a", "price", ".price"),), "price", 0.4)
    story.programmer.questions = [asked]
    app = story_app(story, tape=tmp_path)
    async with app.run_test(size=WIDE) as pilot:
        await question(pilot, "column")
        screen = bench_screen(app)
        assert screen.why_no_selector("price") == ""
        assert screen.why_no_selector("title") == "the session asks about price now"
        screen.action_pane("page")
        page = page_of(app)
        page.action_bench()
        await until(pilot, lambda: isinstance(app.focused, Input))
        await typed(pilot, "article > .price", "3 of 3 records")
        await pilot.press("enter")
        await until(pilot, lambda: "price is article > .price" in frame(app))
        await pilot.press("enter")
        await until(pilot, lambda: story.journal.session.over)
        assert story.journal.session.decisions == (Decision("column", "price", text="article > .price"),)


async def test_where_nothing_can_be_decided_it_says_why_and_copies(tmp_path: Path) -> None:
    story = Taped(taped(tmp_path, PAGES))
    story.programmer.hold = asyncio.Event()
    app = story_app(story, tape=tmp_path, corrects=True)
    async with app.run_test(size=WIDE) as pilot:
        await until(pilot, lambda: story.programmer.briefs != [])
        bench_screen(app).action_pane("page")
        await until(pilot, lambda: page_of(app).chosen is not None)
        page_of(app).action_bench()
        await until(pilot, lambda: isinstance(app.focused, Input))
        await typed(pilot, ".price", "3 of 3 records")
        await pilot.press("enter")
        await until(pilot, lambda: "it can be copied: there is no program yet that" in frame(app))
        await pilot.press("enter")
        await until(pilot, lambda: app.clipboard == ".price")
        assert story.journal.session.decisions == ()


@pytest.mark.full
async def test_a_replay_shows_the_same_pages_and_letters_are_typed_into_its_bench(tmp_path: Path) -> None:
    story = Taped(taped(tmp_path, PAGES))
    app = story_app(story, tape=tmp_path)
    async with app.run_test(size=WIDE) as pilot:
        await ended(pilot, story)
        app.push_screen(ReplayScreen(story.journal.events, story.blobs, tape=tmp_path))
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen))
        await pilot.press("4", "j", "v")
        await until(pilot, lambda: "title, url @href ◂ a href=/lamps/reading-4" in frame(app))
        await pilot.press("b")
        await until(pilot, lambda: isinstance(app.focused, Input))
        replay = app.screen
        assert isinstance(replay, ReplayScreen)
        at = replay.at
        field = page_of(app).query_one("#bench-text", Input)
        field.value = ""
        await pilot.press("h", "3", "space", "l", "left", "home")
        assert field.value == "h3 l"
        assert replay.at == at
        await typed(pilot, "h3", "3 matches")
        await pilot.press("enter")
        await until(pilot, lambda: "a replay changes nothing" in frame(app))


async def test_pages_that_are_gone_or_were_never_kept_are_said(tmp_path: Path) -> None:
    requests = taped(tmp_path, PAGES)
    story = Taped([*requests[:1], Request("GET", f"{SITE}[/]x[b", 200, "text/html", 9, body="0" * 64)])
    app = story_app(story, tape=tmp_path)
    async with app.run_test(size=WIDE) as pilot:
        await ended(pilot, story)
        await pilot.press("6", "right_square_bracket", "right_curly_bracket")
        await until(pilot, lambda: "not on the tape any more" in frame(app))
        assert f"2 of 2 · {SITE}[/]x[b" in frame(app)
    story = Taped([])
    app = story_app(story)
    async with app.run_test(size=WIDE) as pilot:
        await ended(pilot, story)
        await pilot.press("6")
        await until(pilot, lambda: "no pages are kept for this session" in frame(app))
        await pilot.press("b")
        await until(pilot, lambda: any("no page is shown" in said.message for said in app._notifications))


@pytest.mark.drawn
@pytest.mark.parametrize("count", [2_000, pytest.param(20_000, marks=pytest.mark.full)], ids=["half a MB", "5 MB"])
async def test_the_keys_are_live_beside_a_large_page(
    count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = [(f"Lamp number {n}", f"{n}.50", f"lamp-{n}-{'x' * 100}") for n in range(count)]
    body = listing([*LAMPS, *many])
    assert len(body) > 230 * count
    story = Taped(taped(tmp_path, [(SITE, "text/html; charset=utf-8", body)]))
    app = story_app(story, tape=tmp_path)
    async with app.run_test(size=WIDE) as pilot:
        await ended(pilot, story)
        page = page_of(app)
        with longest(monkeypatch) as held:
            await pilot.press("4", "v")
            await until(pilot, lambda: page.located is not None and "title, url @href ◂ a" in frame(app))
            await pilot.press("left_square_bracket")
            await until(pilot, lambda: "Harbour Lamp" in frame(app) and "<article" in frame(app))
            await pilot.press("j", "j", "b")
            await typed(pilot, ".price", f"{count + 5:,} of {count + 6:,} records")
        assert held() < UNBROKEN


async def test_the_bench_answers_which_are_the_records(tmp_path: Path) -> None:
    story = Taped(taped(tmp_path, PAGES))
    story.programmer.questions = [Question("group", "which are they?", (Option("g1", "2 × nav > a", "nav > a"),))]
    app = story_app(story, tape=tmp_path)
    async with app.run_test(size=WIDE) as pilot:
        await question(pilot, "group")
        page = page_of(app)
        await until(pilot, lambda: bench_screen(app).query_one(QuestionBar).has_focus)
        await pilot.press("tab", "6", "b")
        await until(pilot, lambda: app.focused is page.query_one("#bench-text"))
        await typed(pilot, "article.lamp", "3 matches")
        assert page.query_one(SelectorBench).scope == ON_PAGE
        await pilot.press("enter")
        await until(pilot, lambda: "are these the records?" in frame(app))
        await pilot.press("1")
        await ended(pilot, story)
    assert story.journal.session.decisions == (Decision("group", text="article.lamp"),)
