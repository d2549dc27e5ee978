"""The image for containers is built from Home: where it lacks, how far it is, what went wrong."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from textual.pilot import Pilot

from scrapewright.loop.handle import SessionHandle
from scrapewright.loop.ports import SandboxUnavailable
from scrapewright.settings import Settings
from scrapewright.tui.app import WorkbenchApp
from scrapewright.tui.image_builder import Progress
from scrapewright.tui.screens.home import HomeScreen
from scrapewright.tui.session_spec import SessionSpec
from scrapewright.tui.widgets.form import Form
from scrapewright.tui.widgets.imageline import ImageLine
from tests.pilot.stage import frame, until

QUERY = "all mugs on http://127.0.0.1/: title"
LACKS, THERE = "no image of this version to run programs in", "the image for containers is there"


class FakeImages:
    """An engine. `wrong` is what the next build ends with; `let` lets it end."""

    def __init__(self, *, there: bool = False, engine: bool = True) -> None:
        self.has, self.engine = there, engine
        self.wrong = ""
        self.raises: Exception | None = None
        self.let = asyncio.Event()
        self.tell: Progress = lambda *_: None
        self.looked = self.built = self.cancelled = 0

    async def there(self) -> bool:
        self.looked += 1
        if not self.engine:
            raise SandboxUnavailable(
                "No container engine answers at unix:///nowhere. Start it, or use --sandbox local."
            )
        return self.has

    async def build(self, progress: Progress) -> None:
        self.built += 1
        self.tell = progress
        try:
            await self.let.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        if self.raises is not None:
            raise self.raises
        if self.wrong:
            raise SandboxUnavailable(self.wrong)
        self.has = True


def image_app(images: FakeImages, **settings: str) -> tuple[WorkbenchApp, list[SessionSpec]]:
    specs: list[SessionSpec] = []

    def open_session(spec: SessionSpec) -> AbstractAsyncContextManager[SessionHandle]:
        specs.append(spec)
        raise OSError("no sessions here")

    nowhere = Path("/nonexistent")
    given = Settings(data_dir=nowhere, config_dir=nowhere, **{"sandbox": "docker", **settings})  # type: ignore[arg-type]
    return WorkbenchApp(open_session, given, query=QUERY, images=images), specs


async def shows(pilot: Pilot[int], text: str) -> None:
    await until(pilot, lambda: text in frame(pilot.app), text)


async def test_it_is_asked_after_only_where_docker_is_chosen() -> None:
    images = FakeImages()
    app, _ = image_app(images, sandbox="local")
    async with app.run_test(size=(120, 40)) as pilot:
        await shows(pilot, "sandbox local")
        assert images.looked == 0
        form = app.screen.query_one(Form)
        while form.cell("sandbox").value != "docker":
            form.turn("sandbox")
        await shows(pilot, LACKS)
        await shows(pilot, " f9  builds it")
        form.turn("sandbox")
        await until(pilot, lambda: LACKS not in frame(app))


async def test_a_build_shows_its_steps_and_ends_with_the_image() -> None:
    images = FakeImages()
    app, specs = image_app(images)
    async with app.run_test(size=(120, 40)) as pilot:
        await shows(pilot, LACKS)
        await pilot.press("enter")
        await until(pilot, lambda: app.screen.query_one(Form).has_focus)
        assert not specs, "no session starts in a container that can't be"
        await pilot.press("f9")
        await until(pilot, lambda: images.built == 1)
        await shows(pilot, " esc  stops it")
        images.tell("RUN pip install\x1b[2J [/] lxml", 2.0, 8.0)
        await shows(pilot, "━ step 3 of 8 · RUN pip install")
        assert "\x1b" not in frame(app)
        images.let.set()
        await shows(pilot, THERE)
        await pilot.press("f2")
        await until(pilot, lambda: bool(specs))


async def test_escape_stops_a_build_and_it_can_be_begun_again() -> None:
    images = FakeImages()
    app, _ = image_app(images)
    async with app.run_test(size=(80, 24)) as pilot:
        await shows(pilot, " f9  builds it")
        await pilot.press("f9")
        await shows(pilot, "stops it")
        await pilot.press("escape")
        await until(pilot, lambda: images.cancelled == 1)
        await shows(pilot, " f9  builds it")
        await pilot.press("f9")
        await until(pilot, lambda: images.built == 2)
        images.let.set()
        await shows(pilot, THERE)


async def test_what_went_wrong_is_shown_with_what_to_do() -> None:
    images = FakeImages()
    images.wrong = (
        "The image could not be built: no network.\n  Step 2/8 : RUN pip [/]\nSet HTTPS_PROXY and build again."
    )
    images.let.set()
    app, _ = image_app(images)
    async with app.run_test(size=(120, 40)) as pilot:
        await shows(pilot, " f9  builds it")
        await pilot.press("f9")
        await shows(pilot, "Set HTTPS_PROXY and build again.")
        await shows(pilot, "RUN pip [/]")
        images.wrong = ""
        await pilot.press("f9")
        await shows(pilot, THERE)


async def test_an_error_of_any_kind_ends_the_build() -> None:
    images = FakeImages()
    images.raises = ValueError("the engine sent no JSON")
    images.let.set()
    app, _ = image_app(images)
    async with app.run_test(size=(120, 40)) as pilot:
        await shows(pilot, " f9  builds it")
        await pilot.press("f9")
        await shows(pilot, "the engine sent no JSON")
        images.raises = None
        await pilot.press("f9")
        await shows(pilot, THERE)


async def test_an_engine_that_is_not_there_is_reported_and_looked_for_again() -> None:
    images = FakeImages(engine=False)
    app, _ = image_app(images)
    async with app.run_test(size=(120, 40)) as pilot:
        await shows(pilot, "Start it, or use --sandbox local.")
        images.engine = True
        images.let.set()
        await pilot.press("f9")
        await shows(pilot, THERE)


async def test_quitting_leaves_no_build() -> None:
    images = FakeImages()
    app, _ = image_app(images)
    async with app.run_test(size=(120, 40)) as pilot:
        await shows(pilot, " f9  builds it")
        await pilot.press("f9")
        await until(pilot, lambda: images.built == 1)
        assert isinstance(app.screen, HomeScreen)
        assert app.screen.query_one(ImageLine).state == "building"
        await pilot.press("ctrl+q")
        await until(pilot, lambda: not app.is_running)
    assert images.cancelled == 1
