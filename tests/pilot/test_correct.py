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
from scrapewright.session.state import Live, Session, replay
from scrapewright.settings import load
from scrapewright.store.sessions import SessionStore
from scrapewright.tui.app import WorkbenchApp
from scrapewright.tui.launch import session_opener
from scrapewright.tui.screens.correct import CorrectScreen
from scrapewright.wiring import continued_session, new_session
from tests.e2e.site import Site, serve
from tests.pilot.stage import bench_screen, frame, question, until

GOODS = [
    ("Oak table", "120.00", "150.00"), ("Pine chair", "45.50", "60.00"),
    ("Elm shelf", "80.00", "95.00"), ("Ash stool", "25.25", "31.50"),
    ("Beech bench", "210.00", "249.00"), ("Walnut desk", "330.00", "399.00"),
]  # fmt: skip
PAGE = (
    "<html><head><title>Goods</title></head><body><h1>Goods</h1><main>"
    + "".join(
        f'<article class="good"><h3><a href="/g/{n}">{title}</a></h3><p><span class="price">£{price}</span> '
        f'<s class="old-price">£{old}</s></p></article>'
        for n, (title, price, old) in enumerate(GOODS)
    )
    + "</main></body></html>"
)
NEW, OLD = ([float(good[place]) for good in GOODS] for place in (1, 2))
WIDE, NARROW = (120, 40), (80, 24)
SIZES = (WIDE, pytest.param(NARROW, marks=pytest.mark.full))
pytestmark = pytest.mark.sandbox


@pytest.fixture
def site() -> Iterator[Site]:
    gross = PAGE.replace('<s class="old-price"', '<b class="gross"').replace("</s>", "</b>")
    with serve({"/": PAGE, "/gross": gross}) as found:
        yield found


@asynccontextmanager
async def bench(
    site: Site, folder: Path, size: tuple[int, int] = WIDE, path: str = "/", **changes: object
) -> AsyncIterator[tuple[WorkbenchApp, Pilot[int]]]:
    """The workbench on a request that the rules read wrong, with nobody there whom they could ask at first."""
    query = f"all goods on {site.base}{path}: title, price (float)"
    options = check_options(load(), query, {"programmer": "rules", **changes}, out=folder / "out")

    def unasked(options: RunOptions, *, asks: bool) -> AbstractAsyncContextManager[SessionHandle]:
        return new_session(options, asks=False)

    opener = session_opener(options, unasked, continued_session)
    seconds = itertools.count()  # a question's grace is always over
    app = WorkbenchApp(opener, options.settings, query=query, start=True, monotonic=lambda: float(next(seconds)))
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
        await shows(pilot, app, "Which column is wrong?")
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
    with SessionStore(load().data_dir) as store:
        events = store.read(session.id).events()
    session.live = Live()
    assert replay(events) == session
    assert [e.kind for e in events if isinstance(e, ev.Intervened)] == ["correct"]


async def told(pilot: Pilot[int], app: WorkbenchApp, text: str) -> None:
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
        runs = len(site.seen)
        await pilot.press("u")
        session = await over(pilot, app, attempt=1)
        assert (session.end.exit_code, prices(session)) == (0, NEW)  # type: ignore[union-attr]
        assert [attempt.runs for attempt in session.attempts.values()] == [1, 1]
        assert len(site.seen) == runs
        await pilot.press("u")
        await told(pilot, app, "nothing was corrected")


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
        await told(pilot, app, why)
        assert (session_of(app).seq, list(session_of(app).attempts)) == (before.seq, [1])


@pytest.mark.parametrize("size", SIZES, ids=["wide", "narrow"])
async def test_a_value_can_be_typed_and_is_put_right_where_no_record_has_it(
    size: tuple[int, int], site: Site, tmp_path: Path
) -> None:
    async with bench(site, tmp_path, size) as (app, pilot):
        await over(pilot, app)
        await pilot.press("=")
        await shows(pilot, app, "Which column is wrong?")
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
        await shows(pilot, app, "Which column is wrong?")
        await pilot.press("2")
        await shows(pilot, app, "price changes in 6 of 6 records")
        await pilot.press("0")
        await shows(pilot, app, "empty in 6")
        await pilot.press("=")
        await until(pilot, lambda: isinstance(app.focused, Input))
        await pilot.press("escape", "escape")
        await shows(pilot, app, "Which column is wrong?")
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(app.screen, CorrectScreen))
        assert session_of(app).seq == before.seq


async def test_a_session_that_waits_is_corrected_and_keeps_it_in_its_next_program(site: Site, tmp_path: Path) -> None:
    async with bench(site, tmp_path, mode="approve") as (app, pilot):
        await question(pilot, "run")
        await pilot.press("=")
        await told(pilot, app, "there are no rows yet")
        await pilot.press("h")
        await type_and_enter(pilot, "price is '£150.00'")
        await until(pilot, lambda: session_of(app).current == 2 and session_of(app).question is not None)
        await question(pilot, "run")
        await pilot.press("a")
        session = await over(pilot, app, attempt=2)
        assert (list(session.attempts), prices(session)) == ([1, 2], OLD)


async def test_a_selector_of_the_bench_corrects_a_session_that_is_over(site: Site, tmp_path: Path) -> None:
    async with bench(site, tmp_path) as (app, pilot):
        before = await over(pilot, app)
        await pilot.press("6", "b")
        await until(pilot, lambda: isinstance(app.focused, Input))
        for letter in ".old-price":
            await pilot.press({".": "full_stop", "-": "minus"}.get(letter, letter))
        await shows(pilot, app, "6 of 6 records")
        await pilot.press("enter")
        await shows(pilot, app, "which column is it?")
        await pilot.press("enter")
        session = await over(pilot, app, attempt=2)
        assert (session.id, prices(session)) == (before.id, OLD)
