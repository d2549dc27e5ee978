"""Home: the request and its reading, the settings, past sessions."""

from __future__ import annotations

import asyncio
import time
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from scrapewright import wiring
from scrapewright.loop.handle import SessionHandle
from scrapewright.options import RunOptions
from scrapewright.query.read import read_request
from scrapewright.query.reading import Reading
from scrapewright.session import events as ev
from scrapewright.settings import Settings, load
from scrapewright.store.sessions import SessionStore
from scrapewright.tui import examples, launch
from scrapewright.tui.app import WorkbenchApp
from scrapewright.tui.screens.confirm import ConfirmScreen
from scrapewright.tui.screens.home import HomeScreen
from scrapewright.tui.screens.replay import ReplayScreen
from scrapewright.tui.session_spec import FindModels, OfferTables, SessionSpec, run_options
from scrapewright.tui.widgets.form import Form
from scrapewright.tui.widgets.readingbox import ReadingBox
from scrapewright.tui.widgets.request_input import RequestInput
from scrapewright.tui.widgets.rows import Rows
from scrapewright.tui.widgets.session_list import SessionList
from tests.pilot.stage import frame, until

SIZE = (120, 40)
QUERY = "all mugs on http://127.0.0.1/: title, price (float)"


def home_app(
    folder: Path,
    query: str = "",
    find_models: FindModels | None = None,
    offer_tables: OfferTables | None = None,
    **settings: object,
) -> tuple[WorkbenchApp, list[SessionSpec]]:
    """The application, and what was wished of it."""
    specs: list[SessionSpec] = []

    def open_session(spec: SessionSpec) -> AbstractAsyncContextManager[SessionHandle]:
        specs.append(spec)
        raise OSError("no sessions here")

    given = Settings(data_dir=folder, config_dir=folder, **settings)  # type: ignore[arg-type]
    return WorkbenchApp(open_session, given, query=query, find_models=find_models, offer_tables=offer_tables), specs


def stored(folder: Path, text: str, *, outcome: str = "", code: str = "", ago: float = 200.0) -> str:
    """A session of a program, over where it has an outcome."""
    at = time.time() - ago
    with SessionStore(folder) as store:
        file = store.own(store.new_id())
        query = Reading(text=text, urls=("http://shop.test/",))
        events: list[ev.Event] = [ev.SessionStarted(session=file.name, text=text, reading=query)]
        if code:
            blob = file.put(code.encode())
            events += [
                ev.PhaseChanged(phase=ev.Phase.WRITING, step="write"),
                ev.AttemptStarted(attempt=1, author="rules"),
                ev.CodeWritten(attempt=1, author="rules", code=blob, lines=1),
            ]
        if outcome:
            events.append(
                ev.SessionFinished(phase=ev.Phase.FINISHED, outcome=outcome, exit_code=0, best=1 if code else 0)
            )
        for seq, event in enumerate(events, 1):
            fields = {name: getattr(event, name) for name in event.__struct_fields__}
            file.append(seq, ev.encode(type(event)(**{**fields, "seq": seq, "at": at + seq})))
        file.release()
    return file.name


async def read(pilot: Pilot[int], text: str = QUERY) -> ReadingBox:
    box = pilot.app.screen.query_one(ReadingBox)
    await until(pilot, lambda: box.reading is not None and box.reading.text == text)
    return box


async def past(pilot: Pilot[int], count: int) -> SessionList:
    shown = pilot.app.screen.query_one(SessionList)
    await until(pilot, lambda: len(shown.shown) == count)
    await pilot.press("f3")
    await until(pilot, lambda: shown.query_one(Rows).has_focus)
    return shown


async def test_a_query_of_the_command_is_read_and_not_started(tmp_path: Path) -> None:
    app, specs = home_app(tmp_path, QUERY)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "field                price: float" in frame(app))
        assert not specs
        await pilot.press("enter")
        await until(pilot, lambda: bool(specs))
    assert specs == [SessionSpec(QUERY)]


async def test_the_reading_follows_what_is_typed(tmp_path: Path) -> None:
    app, _ = home_app(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: app.screen.query_one(RequestInput).has_focus)
        app.screen.query_one(RequestInput).write("mugs")
        await until(pilot, lambda: "the address of the page is missing" in frame(app))
        app.screen.query_one(RequestInput).write(QUERY)
        await until(pilot, lambda: "from                 http://127.0.0.1/" in frame(app))


async def test_enter_before_the_reading_starts_it_when_it_is_read(tmp_path: Path) -> None:
    app, specs = home_app(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        request = app.screen.query_one(RequestInput)
        await until(pilot, lambda: request.has_focus)
        request.write(QUERY)
        request.post_message(RequestInput.Submitted(QUERY))
        await until(pilot, lambda: bool(specs))
    assert specs == [SessionSpec(QUERY)]


async def test_nothing_starts_without_an_address(tmp_path: Path) -> None:
    app, specs = home_app(tmp_path, "mugs, cheapest first")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("enter")
        await until(pilot, lambda: "the request names no address" in frame(app))
        assert not specs


async def test_a_corrected_reading_is_what_starts(tmp_path: Path) -> None:
    app, specs = home_app(tmp_path, QUERY)
    async with app.run_test(size=SIZE) as pilot:
        box = await read(pilot)
        await pilot.press("tab")
        await until(pilot, lambda: box.query_one(Rows).has_focus)
        rows = [n for n, part in enumerate(box._parts) if part.text.startswith("price: float")]
        await pilot.press(*["down"] * rows[0], "enter")
        await until(pilot, lambda: box.editing)
        await pilot.press(*["backspace"] * 5, *"nix", "enter")
        await until(pilot, lambda: "'nix' is no type; types are text" in frame(app))
        await pilot.press(*["backspace"] * 3, *"int", "enter")
        await until(pilot, lambda: "price: int" in frame(app) and not box.editing)
        await pilot.press("f2")
        await until(pilot, lambda: bool(specs))
    (spec,) = specs
    assert spec.reading is not None
    assert [(c.name, c.type) for c in spec.reading.columns] == [("title", None), ("price", "int")]
    ready = run_options(spec, RunOptions(Settings(), Reading(text=""), out=tmp_path))
    assert ready.reading == spec.reading
    assert ready.as_read is not None
    assert ready.as_read.columns[1].type == "float"


async def test_a_part_is_taken_out_a_field_added_and_all_of_it_taken_back(tmp_path: Path) -> None:
    app, _ = home_app(tmp_path, QUERY)
    async with app.run_test(size=SIZE) as pilot:
        box = await read(pilot)
        await pilot.press("tab")
        await until(pilot, lambda: box.query_one(Rows).has_focus)
        at = next(n for n, part in enumerate(box._parts) if part.text == "title")
        await pilot.press(*["down"] * at, "delete")
        await until(pilot, lambda: "field                title" not in frame(app))
        await pilot.press("plus")
        await until(pilot, lambda: box.editing)
        await pilot.press(*"url", "enter")
        await until(pilot, lambda: "field                url" in frame(app))
        await pilot.press("u")
        await until(
            pilot, lambda: "field                title" in frame(app) and "field                url" not in frame(app)
        )


async def test_settings_are_changed_for_this_session(tmp_path: Path) -> None:
    app, specs = home_app(tmp_path, QUERY)
    async with app.run_test(size=SIZE) as pilot:
        await read(pilot)
        app.screen.query_one(Form).focus()
        await pilot.press("f6", "right", "right", "right", "right", "7", "right", "right", "3")
        await until(pilot, lambda: "mode approve" in frame(app) and "attempts 7" in frame(app))
        await pilot.press("f2")
        await until(pilot, lambda: bool(specs))
    assert specs[0].changes == {"mode": "approve", "attempts": 7}
    assert specs[0].pages == 3


async def test_settings_are_turned_from_the_request(tmp_path: Path) -> None:
    app, _ = home_app(tmp_path, QUERY)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: app.screen.query_one(RequestInput).has_focus)
        await pilot.press("f6", "f7", "f8")
        await until(pilot, lambda: "programmer rules" in frame(app) and "mode approve" in frame(app))
        assert app.screen.query_one(Form).changes == {"programmer": "rules", "sandbox": "docker", "mode": "approve"}


@pytest.mark.parametrize(("programmer", "lacks"), [("model", "a key"), ("command", "a command line")])
async def test_a_combination_that_can_not_be_is_explained_and_not_started(
    programmer: str, lacks: str, tmp_path: Path
) -> None:
    app, specs = home_app(tmp_path, QUERY, programmer=programmer)
    async with app.run_test(size=SIZE) as pilot:
        await read(pilot)
        await until(pilot, lambda: f"the programmer {programmer} needs {lacks}" in frame(app))
        await pilot.press("enter")
        await until(pilot, lambda: app.screen.query_one(Form).has_focus)
        assert not specs


async def test_models_that_run_on_this_machine_are_offered(tmp_path: Path) -> None:
    place = {"OLLAMA_BASE_URL": "http://127.0.0.1:9/v1", "SCRAPEWRIGHT_FIND_MODELS": "yes"}
    models = load(place, tmp_path).models
    let = asyncio.Event()

    async def find_models() -> dict[str, tuple[str, ...]]:
        await let.wait()
        return {"ollama": ("qwen3:4b", "odd[/]name"), "lmstudio": ()}

    app, specs = home_app(tmp_path, QUERY, find_models, models=models)
    async with app.run_test(size=SIZE) as pilot:
        await read(pilot)
        assert "runs here" not in frame(app)
        let.set()
        await until(pilot, lambda: "runs here: ollama/qwen3:4b, ollama/odd[/]name · lmstudio, without" in frame(app))
        app.screen.query_one(Form).focus()
        await pilot.press("right", "down")
        await until(pilot, lambda: "model  ollama/qwen3:4b" in frame(app))
        await pilot.press("f2")
        await until(pilot, lambda: bool(specs))
    assert specs[0].changes == {"model": "ollama/qwen3:4b"}
    options = await asyncio.to_thread(run_options, specs[0], RunOptions(Settings(models=models), Reading()))
    assert options.settings.model == "ollama/qwen3:4b"


async def test_a_model_that_there_is_not_is_explained_and_not_started(tmp_path: Path) -> None:
    app, specs = home_app(tmp_path, QUERY, models=load({}, tmp_path).models)
    async with app.run_test(size=SIZE) as pilot:
        await read(pilot)
        app.screen.query_one(Form).focus()
        await pilot.press("right", *"gpt")
        await until(pilot, lambda: "there is no model 'gpt'" in frame(app))
        await pilot.press("f2")
        await until(pilot, lambda: app.screen.query_one(Form).has_focus)
        assert not specs


async def test_past_sessions_are_searched_and_opened(tmp_path: Path) -> None:
    stored(tmp_path, "all mugs", outcome="success", ago=500)
    stored(tmp_path, "all lamps", outcome="success")
    app, _ = home_app(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        shown = await past(pilot, 2)
        assert "3 min" in frame(app)
        assert "shop.test" in frame(app)
        await pilot.press("slash", *"mugs")
        await until(pilot, lambda: [s.text for s in shown.shown] == ["all mugs"])
        await pilot.press("enter", "enter")
        await until(pilot, lambda: isinstance(app.screen, ReplayScreen))
        await pilot.press("escape")
        await until(pilot, lambda: isinstance(app.screen, HomeScreen))


async def test_one_search_goes_through_requests_addresses_and_examples(tmp_path: Path) -> None:
    stored(tmp_path, "all mugs", outcome="success", ago=500)
    stored(tmp_path, "all lamps", outcome="success")
    app, _ = home_app(tmp_path)
    async with app.run_test(size=(80, 24)) as pilot:
        shown = app.screen.query_one(SessionList)
        await until(pilot, lambda: len(shown.shown) == 2)
        await pilot.press("f5", *"lamps")
        await until(pilot, lambda: [s.text for s in shown.shown] == ["all lamps"])
        await until(pilot, lambda: "/shelf/lamps.html" in frame(app))
        await pilot.press("enter", "down")
        await until(pilot, lambda: shown.chosen is not None and shown.chosen.text == "all lamps")
        await pilot.press("up")
        await until(pilot, lambda: shown.chosen is None)
        await pilot.press("enter")
        request = app.screen.query_one(RequestInput)
        await until(pilot, lambda: "/shelf/lamps.html: title, price" in request.text and request.has_focus)
        await pilot.press("f3", "slash")
        assert request.text.endswith("sorted by price"), "the key is a search there, and no letter"
        for _ in "lamps":
            await pilot.press("backspace")
        await pilot.press(*"shop.test")
        await until(pilot, lambda: len(shown.shown) == 2)


async def test_a_session_that_was_cut_off_is_gone_on_with(tmp_path: Path) -> None:
    name = stored(tmp_path, "all mugs", code="print()\n")
    app, specs = home_app(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await past(pilot, 1)
        assert "cut off" in frame(app)
        await pilot.press("c")
        await until(pilot, lambda: bool(specs))
    assert specs == [SessionSpec("all mugs", resume=name)]


async def test_a_session_that_is_open_elsewhere_says_so_and_is_replayed(tmp_path: Path) -> None:
    name = stored(tmp_path, "all mugs", code="print()\n")
    settings = Settings(data_dir=tmp_path, config_dir=tmp_path)
    options = RunOptions(settings, Reading())
    opener = launch.session_opener(options, wiring.new_session, wiring.continued_session)
    app = WorkbenchApp(opener, settings)
    with SessionStore(tmp_path) as elsewhere:
        held = elsewhere.own(name)
        async with app.run_test(size=SIZE) as pilot:
            await past(pilot, 1)
            await pilot.press("c")
            await until(pilot, lambda: f"session {name} is open in another process" in " ".join(frame(app).split()))
            await pilot.press("n")
            await until(pilot, lambda: isinstance(app.screen, HomeScreen))
            await past(pilot, 1)
            await pilot.press("c")
            await until(pilot, lambda: isinstance(app.screen, ConfirmScreen) and app.screen.is_mounted)
            await pilot.press("y")
            await until(pilot, lambda: isinstance(app.screen, ReplayScreen))
            await pilot.press("escape")
            await until(pilot, lambda: isinstance(app.screen, HomeScreen))
        held.release()


async def test_a_session_that_is_over_is_run_again_from_its_best_program_as_a_new_one(tmp_path: Path) -> None:
    stored(tmp_path, "all mugs", outcome="success", code="print('mugs')\n")
    app, specs = home_app(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await past(pilot, 1)
        await pilot.press("R")
        await until(pilot, lambda: isinstance(app.screen, ConfirmScreen) and app.screen.is_mounted)
        await pilot.press("y")
        await until(pilot, lambda: bool(specs))
    assert (specs[0].text, specs[0].program, specs[0].resume) == ("all mugs", "print('mugs')\n", "")


async def test_a_removal_is_undone_by_one_key_and_done_when_the_program_ends(tmp_path: Path) -> None:
    stored(tmp_path, "all mugs", outcome="success", ago=500)
    stored(tmp_path, "all lamps", outcome="success", ago=400)
    stored(tmp_path, "all cups", outcome="success")
    app, _ = home_app(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        shown = await past(pilot, 3)
        assert " u Undo" not in frame(app)
        await pilot.press("x")
        await until(pilot, lambda: [s.text for s in shown.shown] == ["all lamps", "all mugs"])
        await pilot.press("x")
        await until(pilot, lambda: [s.text for s in shown.shown] == ["all mugs"])
        with SessionStore(tmp_path) as store:
            assert len(store.list()) == 3, "nothing is lost as long as the program runs"
        await pilot.press("u")
        await until(pilot, lambda: [s.text for s in shown.shown] == ["all lamps", "all mugs"])
    with SessionStore(tmp_path) as store:
        assert [s.text for s in store.list()] == ["all lamps", "all mugs"]


async def test_a_session_that_is_open_elsewhere_is_not_removed(tmp_path: Path) -> None:
    first, other = (stored(tmp_path, text, outcome="success") for text in ("all mugs", "all lamps"))
    app, _ = home_app(tmp_path)
    with SessionStore(tmp_path) as elsewhere:
        held = elsewhere.own(first)
        async with app.run_test(size=SIZE) as pilot:
            shown = await past(pilot, 2)
            await pilot.press("end" if shown.shown[-1].id == first else "home", "x")
            await until(pilot, lambda: any("open in another process" in n.message for n in app._notifications))
            assert len(shown.shown) == 2
            held.release()
            await pilot.press("x")
            await until(pilot, lambda: [s.id for s in shown.shown] == [other])
            held = elsewhere.own(first)
        assert [f"session {first} was not removed" in line for line in app.left_behind] == [True]
        held.release()


async def test_what_was_asked_before_comes_back_newest_first_and_once(tmp_path: Path) -> None:
    for text, ago in (("one on http://shop.test/", 900.0), ("two", 800.0), ("two", 700.0)):
        stored(tmp_path, text, outcome="success", ago=ago)
    app, _ = home_app(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        shown = app.screen.query_one(SessionList)
        await until(pilot, lambda: len(shown.shown) == 3)
        request = app.screen.query_one(RequestInput)
        await until(pilot, lambda: list(request._asked) == ["two", "one on http://shop.test/"])
        await pilot.press("up", "up", "up")
        await until(pilot, lambda: request.text == "one on http://shop.test/")
        await pilot.press("down")
        await until(pilot, lambda: request.text == "two")
        request.write("mugs on ")
        await pilot.press(*"sho")
        await until(pilot, lambda: request.suggestion == "p.test/")
        await pilot.press("right")
        await until(pilot, lambda: request.text == "mugs on shop.test/")


async def test_what_was_asked_for_is_kept_and_typing_replaces_it(tmp_path: Path) -> None:
    app, specs = home_app(tmp_path, QUERY)
    async with app.run_test(size=SIZE) as pilot:
        box = await read(pilot)
        await pilot.press("f6", "enter")
        await until(pilot, lambda: specs != [])
        assert specs[0].changes == {"mode": "approve"}
        await until(pilot, lambda: not isinstance(app.screen, HomeScreen))
        await pilot.press("f3")
        await until(pilot, lambda: isinstance(app.screen, HomeScreen) and bool(app.screen.query(RequestInput)))
        request = app.screen.query_one(RequestInput)
        await until(pilot, lambda: request.text == QUERY and request.selected_text == QUERY)
        assert app.screen.query_one(Form).changes == {"mode": "approve"}
        assert box is not app.screen.query_one(ReadingBox)
        await pilot.press("x")
        await until(pilot, lambda: request.text == "x")


async def test_an_example_is_one_key_away(tmp_path: Path) -> None:
    app, specs = home_app(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: isinstance(app.focused, RequestInput))
        await pilot.press("f4")
        await until(pilot, lambda: "Try one on the practice shop" in frame(app))
        await pilot.press("2")
        text = examples.request(1)
        await until(pilot, lambda: isinstance(app.focused, RequestInput) and app.focused.text == text)
        await read(pilot, text)
        await pilot.press("enter")
        await until(pilot, lambda: [spec.text for spec in specs] == [text])


def test_each_example_names_the_shop_and_columns() -> None:
    for number, (name, _) in enumerate(examples.EXAMPLES):
        reading = read_request(examples.request(number))
        assert reading.urls[0].startswith("http://127.0.0.1:"), name
        assert len(reading.columns) >= 2, name
