"""A column that is wrong is pointed out: in a session that is over, in one that waits, by keys alone and by a hint."""

from __future__ import annotations

import csv
import itertools
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from scrapewright.loop.handle import SessionHandle
from scrapewright.options import RunOptions, check_options
from scrapewright.session import events as ev
from scrapewright.session.live import Live
from scrapewright.session.state import Session, replay
from scrapewright.settings import load
from scrapewright.store.sessions import SessionStore
from scrapewright.tui.app import WorkbenchApp
from scrapewright.tui.launch import session_opener
from scrapewright.tui.panes.code import CodePane
from scrapewright.tui.panes.page import PagePane
from scrapewright.tui.screens.correct import CorrectScreen
from scrapewright.tui.screens.home import HomeScreen
from scrapewright.tui.screens.replay import ReplayScreen
from scrapewright.tui.widgets.rows import Rows
from scrapewright.tui.widgets.session_list import SessionList
from scrapewright.wiring import continued_session, new_session
from tests.e2e.site import Site, serve
from tests.pilot.stage import bench_screen, frame, question, set_up_agent, until

GOODS = [
    ("Oak table", "120.00", "150.00"), ("Pine chair", "45.50", "60.00"),
    ("Elm shelf", "80.00", "95.00"), ("Ash stool", "25.25", "31.50"),
    ("Beech bench", "210.00", "249.00"), ("Walnut desk", "330.00", "399.00"),
]  # fmt: skip


def page_of(goods: list[tuple[str, str, str]]) -> str:
    rows = "".join(
        f'<article class="good"><h3><a href="/g/{title}">{title}</a></h3><p><span class="price">£{price}</span> '
        f'<s class="old-price">£{old}</s></p></article>'
        for title, price, old in goods
    )
    return f"<html><head><title>Goods</title></head><body><h1>Goods</h1><main>{rows}</main></body></html>"


PAGE = page_of(GOODS)
NEW, OLD = ([float(good[place]) for good in GOODS] for place in (1, 2))
WIDE, NARROW = (120, 40), (80, 24)
SIZES = (WIDE, pytest.param(NARROW, marks=pytest.mark.full))
pytestmark = pytest.mark.sandbox


@pytest.fixture
def site() -> Iterator[Site]:
    gross = PAGE.replace('<s class="old-price"', '<b class="gross"').replace("</s>", "</b>")
    paged = PAGE.replace("</main>", '</main><nav class="pages"><a rel="next" href="/second">Next</a></nav>')
    second = page_of([(f"Small {title.lower()}", f"1{price}", f"2{old}") for title, price, old in GOODS])
    offers = "".join(
        f'<li class="offer"><a href="/o/{n}">Offer {n}</a> <span class="price">£{n}.50</span></li>' for n in range(1, 5)
    )
    two = PAGE.replace("</main>", f"</main><h2>Offers</h2><ul>{offers}</ul>")
    with serve({"/": PAGE, "/gross": gross, "/paged": paged, "/second": second, "/two": two}) as found:
        yield found


@asynccontextmanager
async def bench(
    site: Site,
    folder: Path,
    size: tuple[int, int] = WIDE,
    path: str = "/",
    *,
    start: bool = True,
    named: bool = False,
    **changes: object,
) -> AsyncIterator[tuple[WorkbenchApp, Pilot[int]]]:
    """The workbench on a request that the rules read wrong, with nobody there whom they could ask at first."""
    query = f"all goods on {site.base}{path}: title, price (float)"
    options = check_options(load(), query, {"programmer": "rules", **changes}, out=folder / "out" if named else None)

    def unasked(options: RunOptions, *, asks: bool) -> AbstractAsyncContextManager[SessionHandle]:
        return new_session(options, asks=False)

    opener = session_opener(options, unasked, continued_session)
    seconds = itertools.count()  # a question's grace is always over
    app = WorkbenchApp(opener, options.settings, query=query, start=start, monotonic=lambda: float(next(seconds)))
    async with app.run_test(size=size) as pilot:
        yield app, pilot


def session_of(app: WorkbenchApp) -> Session:
    handle = bench_screen(app).handle
    assert handle is not None
    return handle.journal.session


async def over(pilot: Pilot[int], app: WorkbenchApp, attempt: int = 1) -> Session:
    """The session, once it ended with that attempt as its best, and its screen shows it."""

    def ended() -> bool:
        screen = bench_screen(app)
        if screen.handle is None or screen.running:
            return False
        session = session_of(app)
        return session.end is not None and session.end.best == attempt and screen.shown == session.seq

    await until(pilot, ended, "the end")
    return session_of(app)


def stored(session: Session) -> list[ev.Durable]:
    with SessionStore(load().data_dir) as store:
        return store.read(session.id).events()


def prices(session: Session) -> list[float]:
    assert session.end is not None
    with open(session.end.files[0], encoding="utf-8", newline="") as file:
        return [float(row["price"]) for row in csv.DictReader(file)]


async def shows(pilot: Pilot[int], app: WorkbenchApp, text: str) -> None:
    await until(pilot, lambda: text in frame(app), text)


@pytest.mark.parametrize("size", SIZES, ids=["wide", "narrow"])
async def test_a_false_success_is_put_right_by_pointing_in_three_keys(
    size: tuple[int, int], site: Site, tmp_path: Path
) -> None:
    async with bench(site, tmp_path, size) as (app, pilot):
        before = await over(pilot, app)
        assert (before.end.exit_code, prices(before)) == (0, NEW)  # type: ignore[union-attr]
        await pilot.press("=")
        await shows(pilot, app, "What is wrong?")
        await pilot.press("2")
        await shows(pilot, app, "price changes in 6 of 6 records")
        assert "s.old-price" in frame(app)
        assert "399.0" in frame(app)
        await pilot.press("enter")
        session = await over(pilot, app, attempt=2)
        assert (session.end.exit_code, session.end.outcome) == (0, "success")  # type: ignore[union-attr]
        assert prices(session) == OLD
        assert session.id == before.id
        assert [a.author for a in session.attempts.values()] == ["rules", "rules"]
        assert session.attempts[1].outcome == "overruled"
        await until(pilot, lambda: "150.0" in frame(app))
        await pilot.press("R")
        await until(pilot, lambda: bench_screen(app).running or session_of(app).id != before.id)
        again = await over(pilot, app)
        assert (again.id != before.id, prices(again)) == (True, OLD)
    events = stored(session)
    session.live = Live()
    assert replay(events) == session
    assert [e.kind for e in events if isinstance(e, ev.Intervened)] == ["correct"]
    assert not any(isinstance(e, ev.Intervened) for e in stored(again)), "what was done is not done again"


async def notified(pilot: Pilot[int], app: WorkbenchApp, text: str) -> None:
    await until(pilot, lambda: any(text in note.message for note in app._notifications), text)


async def type_and_enter(pilot: Pilot[int], text: str) -> None:
    await until(pilot, lambda: isinstance(pilot.app.focused, Input))
    field = pilot.app.focused
    assert isinstance(field, Input)
    field.value = text
    await pilot.press("enter")


async def test_a_hint_puts_it_right_once_it_is_over_and_an_undo_takes_that_back(site: Site, tmp_path: Path) -> None:
    async with bench(site, tmp_path) as (app, pilot):
        await over(pilot, app)
        await pilot.press("h")
        await type_and_enter(pilot, "price is .old-price")
        session = await over(pilot, app, attempt=2)
        assert (session.end.exit_code, prices(session)) == (0, OLD)  # type: ignore[union-attr]
        assert session.end is not None
        written = [Path(path) for path in session.end.files]
        assert [path.name for path in written] == ["rows.csv", "scraper.py"], "in place of the earlier ones"
        assert sorted(written[0].parent.iterdir()) == written
        runs = len(site.seen)
        await pilot.press("u")
        session = await over(pilot, app, attempt=1)
        assert (session.end.exit_code, prices(session)) == (0, NEW)  # type: ignore[union-attr]
        assert [attempt.runs for attempt in session.attempts.values()] == [1, 1]
        assert len(site.seen) == runs
        await pilot.press("u")
        await notified(pilot, app, "there is nothing to undo")


async def test_a_session_that_is_over_takes_all_pages_an_edit_and_a_rewind(site: Site, tmp_path: Path) -> None:
    async with bench(site, tmp_path, path="/paged", named=True) as (app, pilot):
        first = await over(pilot, app)
        await shows(pilot, app, "a next page is there")
        assert (len(prices(first)), " p  all pages" in frame(app)) == (6, True)
        await pilot.press("p")
        session = await over(pilot, app, attempt=2)
        assert (session.id, len(prices(session)), session.reading.pages) == (first.id, 12, "all")
        assert session.end is not None
        assert Path(session.end.files[0]).name == "rows-2.csv", "beside the earlier ones where a folder was named"
        await pilot.press("p")
        await notified(pilot, app, "all pages are read already")
        await pilot.press("e")
        await until(pilot, lambda: app.screen.query_one(CodePane).editing)
        code = app.screen.query_one(CodePane).view
        code.load_text(code.text + "\n# mine\n")
        await pilot.press("f2")
        session = await over(pilot, app, attempt=3)
        assert (session.attempts[3].author, len(prices(session))) == ("person", 12)
        await pilot.press("5", "up", "w")
        await until(pilot, lambda: session_of(app).over and session_of(app).current == 2)
        acts = [e.kind for e in stored(session) if isinstance(e, ev.Intervened)]
        assert acts == ["correct", "edit", "rewind"]


async def test_a_correction_keeps_what_the_person_wrote_into_the_program(site: Site, tmp_path: Path) -> None:
    async with bench(site, tmp_path) as (app, pilot):
        await over(pilot, app)
        await pilot.press("e")
        await until(pilot, lambda: app.screen.query_one(CodePane).editing)
        code = app.screen.query_one(CodePane).view
        code.load_text(code.text + "\n# mine\n")
        await pilot.press("f2")
        await over(pilot, app, attempt=2)
        await pilot.press("=", "2")
        await shows(pilot, app, "price changes in 6 of 6 records")
        await pilot.press("enter")
        session = await over(pilot, app, attempt=3)
        assert (session.attempts[3].author, prices(session)) == ("rules", OLD)
        assert app.screen.query_one(CodePane).view.text.endswith("\n# mine\n")


@pytest.mark.full
async def test_a_session_that_is_over_takes_another_programmer_in_the_same_journal(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_up_agent(tmp_path, monkeypatch)
    async with bench(site, tmp_path, programmer="command") as (app, pilot):
        screen = bench_screen(app)
        await until(pilot, lambda: screen.handle is not None and not screen.running and session_of(app).over)
        first = session_of(app)
        assert first.end is not None
        assert first.end.exit_code != 0
        await shows(pilot, app, " P  another programmer")
        await pilot.press("P")
        await shows(pilot, app, "Who is to write the next programs?")
        assert "your own agent (now)" in frame(app)
        await pilot.press("1")
        session = await over(pilot, app, attempt=2)
        assert (session.id, session.programmer, session.attempts[2].author) == (first.id, "rules", "rules")
        assert session.end is not None
        assert session.end.exit_code == 0
        await pilot.press("P", "2")
        await notified(pilot, app, "command writes the next program")
        assert session_of(app).over
        assert session_of(app).programmer == "rules", "nothing is done before there is something to write"
        await pilot.press("h")
        await until(pilot, lambda: isinstance(app.focused, Input))
        await type_and_enter(pilot, "the price is the old one")
        await until(pilot, lambda: session_of(app).programmer == "command" and session_of(app).over)
        done = session_of(app)
    changes = [(e.programmer, e.model) for e in stored(done) if isinstance(e, ev.ProgrammerChanged)]
    assert changes == [("rules", ""), ("command", "")]
    done.live = Live()
    assert replay(stored(done)) == done


async def test_where_no_other_programmer_is_set_up_it_says_how_to(site: Site, tmp_path: Path) -> None:
    async with bench(site, tmp_path) as (app, pilot):
        await over(pilot, app)
        await pilot.press("P")
        await notified(pilot, app, "there is none but rules; a key such as OPENAI_API_KEY")


async def test_home_and_a_replay_go_on_in_a_session_that_is_over(site: Site, tmp_path: Path) -> None:
    async with bench(site, tmp_path) as (app, pilot):
        first = await over(pilot, app)
    async with bench(site, tmp_path, start=False) as (app, pilot):
        await until(pilot, lambda: bool(app.screen.query_one(SessionList).shown))
        await pilot.press("f3", "enter")
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen) and "go on in this session" in frame(app))
        await pilot.press("c")
        assert (await over(pilot, app)).seq == first.seq, "only opened"
        await pilot.press("=")
        await shows(pilot, app, "What is wrong?")
        await pilot.press("2")
        await shows(pilot, app, "price changes in 6 of 6 records")
        await pilot.press("enter")
        assert prices(await over(pilot, app, attempt=2)) == OLD
        await pilot.press("f3")
        await until(pilot, lambda: isinstance(app.screen, HomeScreen) and bool(app.screen.query_one(SessionList).shown))
        await pilot.press("f3", "c")
        await notified(pilot, app, f"session {first.id} goes on")
        session = await over(pilot, app, attempt=2)
        await pilot.press("u")
        assert (await over(pilot, app)).id == session.id


async def corrected(pilot: Pilot[int], app: WorkbenchApp, shown: str) -> Session:
    """The session after the correction that is shown is taken."""
    await shows(pilot, app, shown)
    attempt = max(session_of(app).attempts) + 1
    await pilot.press("enter")
    return await over(pilot, app, attempt)


def table(session: Session) -> list[dict[str, str]]:
    assert session.end is not None
    with open(session.end.files[0], encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


async def test_a_column_is_added(site: Site, tmp_path: Path) -> None:
    async with bench(site, tmp_path) as (app, pilot):
        await over(pilot, app)
        await pilot.press("=")
        await shows(pilot, app, "a column to add")
        await pilot.press("3")
        await type_and_enter(pilot, "was: float")
        await shows(pilot, app, "Where is the column to add?")
        await pilot.press("=")
        await type_and_enter(pilot, "s.old-price")
        session = await corrected(pilot, app, "was changes in 6 of 6 records")
        assert [(row["title"], float(row["was"])) for row in table(session)] == list(
            zip([good[0] for good in GOODS], OLD, strict=True)
        )
    session.live = Live()
    assert replay(stored(session)) == session


@pytest.mark.full
async def test_a_column_is_renamed_rows_are_sorted_and_left_out_and_a_column_dropped(
    site: Site, tmp_path: Path
) -> None:
    async with bench(site, tmp_path) as (app, pilot):
        await over(pilot, app)
        await pilot.press("=", "2")
        await shows(pilot, app, "called or typed otherwise")
        await pilot.press("G", "up", "enter")
        await type_and_enter(pilot, "now: text")
        session = await corrected(pilot, app, "price as now: text changes in 6 of 6 records")
        assert [row["now"] for row in table(session)] == [f"£{good[1]}" for good in GOODS]
        await pilot.press("=", "5")
        await shows(pilot, app, "In which order?")
        await pilot.press("2")
        session = await corrected(pilot, app, "6 rows in another order")
        assert [row["title"] for row in table(session)] == sorted((good[0] for good in GOODS), reverse=True)
        await pilot.press("=", "4")
        await shows(pilot, app, "Which records are the rows?")
        await pilot.press("=")
        await type_and_enter(pilot, "title contains table")
        session = await corrected(pilot, app, "6 rows become 1")
        assert [row["title"] for row in table(session)] == ["Oak table"]
        await pilot.press("=", "2")
        await shows(pilot, app, "drop the column")
        await pilot.press("G")
        session = await corrected(pilot, app, "now is dropped")
        assert list(table(session)[0]) == ["title"]
        for left in (3, 2, 1, 0):
            await pilot.press("u")
            await until(pilot, lambda: session_of(app).over and len(session_of(app).corrections) == left)  # noqa: B023
        session = await over(pilot, app)
        assert (prices(session), session.reading.columns[1].name) == (NEW, "price")


@pytest.mark.full
async def test_other_records_of_the_page_become_the_rows(site: Site, tmp_path: Path) -> None:
    async with bench(site, tmp_path, path="/two") as (app, pilot):
        first = await over(pilot, app)
        rows = len(prices(first))
        await pilot.press("=", "4")
        await shows(pilot, app, "Which records are the rows?")
        session = await corrected(pilot, app, "rows become")
        assert len(table(session)) != rows


async def test_what_the_page_calls_its_places_does_not_overrule_the_person(site: Site, tmp_path: Path) -> None:
    async with bench(site, tmp_path, path="/gross") as (app, pilot):
        await over(pilot, app)
        await pilot.press("h")
        await type_and_enter(pilot, "price is .gross")
        session = await over(pilot, app, attempt=2)
        assert (session.end.exit_code, prices(session)) == (0, OLD)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("hint", "why"),
    [("make it right", "the columns are title, price"), ("price is '£9.99'", "no record has '£9.99'")],
)
async def test_a_hint_that_leads_nowhere_is_said_and_changes_nothing(
    hint: str, why: str, site: Site, tmp_path: Path
) -> None:
    async with bench(site, tmp_path) as (app, pilot):
        before = await over(pilot, app)
        await pilot.press("h")
        await type_and_enter(pilot, hint)
        await shows(pilot, app, why)
        await shows(pilot, app, " h  hint")  # the footer is drawn anew some messages after the note
        assert not app._notifications, "nothing covers the keys"
        await pilot.press("h")
        await until(pilot, lambda: why not in frame(app))
        assert (session_of(app).seq, list(session_of(app).attempts)) == (before.seq, [1])


@pytest.mark.parametrize("size", SIZES, ids=["wide", "narrow"])
async def test_a_value_can_be_typed_and_is_put_right_where_no_record_has_it(
    size: tuple[int, int], site: Site, tmp_path: Path
) -> None:
    async with bench(site, tmp_path, size) as (app, pilot):
        await over(pilot, app)
        await pilot.press("=")
        await shows(pilot, app, "What is wrong?")
        await pilot.press("down", "enter")
        await shows(pilot, app, "price changes in 6 of 6 records")
        await pilot.press("=")
        await type_and_enter(pilot, "£9.99")
        await shows(pilot, app, "price: no record has '£9.99'")
        await type_and_enter(pilot, "£31.50")
        await until(pilot, lambda: "typed" in frame(app) and "price changes in 6 of 6 records" in frame(app))
        await pilot.press("enter")
        assert prices(await over(pilot, app, attempt=2)) == OLD


async def test_the_column_can_be_emptied_and_escape_goes_back_and_leaves(site: Site, tmp_path: Path) -> None:
    async with bench(site, tmp_path) as (app, pilot):
        before = await over(pilot, app)
        await pilot.press("=")
        await shows(pilot, app, "What is wrong?")
        await pilot.press("2")
        await shows(pilot, app, "price changes in 6 of 6 records")
        await pilot.press("0")
        await shows(pilot, app, "empty in 6")
        await pilot.press("=")
        await until(pilot, lambda: isinstance(app.focused, Input))
        await pilot.press("escape", "escape")
        await shows(pilot, app, "What is wrong?")
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(app.screen, CorrectScreen))
        assert session_of(app).seq == before.seq


@pytest.mark.full
async def test_a_session_that_waits_is_corrected_and_keeps_it_in_its_next_program(site: Site, tmp_path: Path) -> None:
    async with bench(site, tmp_path, mode="approve") as (app, pilot):
        await question(pilot, "run")
        await pilot.press("=")
        await notified(pilot, app, "there are no rows yet")
        await pilot.press("h")
        await type_and_enter(pilot, "price is '£150.00'")
        await until(pilot, lambda: session_of(app).current == 2 and session_of(app).question is not None)
        await question(pilot, "run")
        await pilot.press("a")
        session = await over(pilot, app, attempt=2)
        assert (list(session.attempts), prices(session)) == ([1, 2], OLD)


async def test_a_value_is_pointed_at_in_the_page(site: Site, tmp_path: Path) -> None:
    async with bench(site, tmp_path) as (app, pilot):
        await over(pilot, app)
        await pilot.press("=", "2")
        await shows(pilot, app, "v point in the page")
        await pilot.press("v")
        await shows(pilot, app, "where is price? enter on it")
        page = app.screen.query_one(PagePane)

        def row_of(text: str) -> int:
            rows = page.tab_widget
            assert isinstance(rows, Rows)
            return next((row for row in range(rows.row_count) if text in rows.line_text(row)), -1)

        await until(pilot, lambda: row_of("Pine chair £45.50") >= 0)
        rows = page.tab_widget
        assert isinstance(rows, Rows)
        rows.goto(row_of("Pine chair £45.50"))
        await pilot.press("enter")  # unfolds it first
        await until(pilot, lambda: row_of("“£60.00”") >= 0)
        rows.goto(row_of("“£60.00”"))
        await pilot.press("enter")
        await shows(pilot, app, "price changes in 6 of 6 records")
        await shows(pilot, app, "typed")
        await pilot.press("escape", "escape")
        await until(pilot, lambda: app.screen is app.workbench and not page.pointing)
        page.focus_inside()
        await pilot.press("=", "2")
        session = await corrected(pilot, app, "price changes in 6 of 6 records")
        assert prices(session) == OLD
