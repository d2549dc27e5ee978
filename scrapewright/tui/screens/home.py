"""Home: a request with its reading and its settings, and the past sessions."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.screen import Screen
from textual.widgets import TextArea

from scrapewright.errors import ScrapewrightError
from scrapewright.options import QUERY_AT_MOST
from scrapewright.query.reading import Reading
from scrapewright.session.sanitize import one_line
from scrapewright.settings import Settings
from scrapewright.tui import examples
from scrapewright.tui.examples import EXAMPLES
from scrapewright.tui.image_builder import ImageBuilder
from scrapewright.tui.messages import SessionRequested
from scrapewright.tui.query_reader import QueryReader
from scrapewright.tui.removals import Removals
from scrapewright.tui.screens.confirm import ConfirmScreen
from scrapewright.tui.screens.menu import MenuScreen
from scrapewright.tui.session_spec import FindModels, OfferTables, SessionSpec
from scrapewright.tui.stale_resize import StaleResizeFilter
from scrapewright.tui.widgets.focus import focus_now
from scrapewright.tui.widgets.form import Form
from scrapewright.tui.widgets.imageline import ImageLine
from scrapewright.tui.widgets.keyline import KeyLine
from scrapewright.tui.widgets.modelsline import ModelsLine, offered
from scrapewright.tui.widgets.plain import Line
from scrapewright.tui.widgets.readingbox import ReadingBox
from scrapewright.tui.widgets.request_input import RequestInput
from scrapewright.tui.widgets.session_list import SessionList

if TYPE_CHECKING:  # loaded after the first paint
    from scrapewright.store.sessions import SessionStore, Summary
    from scrapewright.tui.screens.pick_table import PickedTable

BOXES = ("request-box", "reading", "form-box", "past")


class HomeScreen(StaleResizeFilter, Screen[None]):
    """Posts what the person asks for; the application does it."""

    DEFAULT_CSS = """
    HomeScreen {
        .box {
            border: round $text-quiet 40%; border-title-color: $text-quiet; border-title-style: bold;
            background: $surface; padding: 0 1; height: auto;
            &:ansi { border: round $text-quiet; }
            &:focus-within {
                border: round $primary; border-title-color: $primary; border-title-style: bold reverse;
            }
        }
        #reading { height: 1fr; min-height: 5; }
        #past { height: 1fr; min-height: 5; }
        &.-short {
            RequestInput { min-height: 1; }
            #past { height: 5; }
            #past:focus-within { height: 3fr; }
        }
    }
    """
    VERTICAL_BREAKPOINTS = [(0, "-short"), (30, "-tall")]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f2,ctrl+s", "start", "Run", id="home-run"),
        # A text area has commands of its own on these.
        Binding("f4", "examples", "Examples", id="home-examples", priority=True),
        Binding("f6", "turn('mode')", "Mode", show=False, id="home-mode", priority=True),
        Binding("f7", "turn('programmer')", "Programmer", show=False, id="home-programmer", priority=True),
        Binding("f8", "turn('sandbox')", "Sandbox", show=False, id="home-sandbox"),
        Binding("f9,ctrl+b", "build_image", "Build the image", id="home-image"),
        Binding("f5,slash", "search", "Search", id="home-search"),
        Binding("f3", "past", "Past sessions", id="home-past"),
        Binding("escape", "back", "Back", id="home-back"),
    ]

    class Opened(Message):
        """A past session is to be replayed."""

        def __init__(self, session: str) -> None:
            super().__init__()
            self.session = session

    def __init__(
        self, settings: Settings, text: str = "", *, over_session: bool = False, images: ImageBuilder | None = None,
        find_models: FindModels | None = None, offer_tables: OfferTables | None = None,
        removals: Removals | None = None, clock: Callable[[], float] = time.time, last: SessionSpec | None = None,
    ) -> None:  # fmt: skip
        """`last`: what was asked for before, to be asked again or written over."""
        super().__init__()
        self._settings = settings
        self._last = last or SessionSpec()
        self._first = text or self._last.text
        self._over_session = over_session
        self._images = images
        self._find_models = find_models
        self._offer_tables = offer_tables
        self._removals = removals if removals is not None else Removals(settings.data_dir)
        self._clock = clock
        self._reader = QueryReader(self._take_reading)
        self._awaited = ""
        """The text that is to start as soon as it is read."""

    def compose(self) -> ComposeResult:
        with Vertical(id="request-box", classes="box") as box:
            box.border_title = "Request"
            yield RequestInput(
                self._first, placeholder="all books on https://example.org/: title, price (float)", id="request"
            )
        reading = ReadingBox(id="reading")
        reading.add_class("box")
        reading.border_title = "Reading"
        yield reading
        with Vertical(id="form-box", classes="box") as box:
            box.border_title = "Settings"
            yield Form(self._settings, self._last.changes, self._last.pages, id="form")
        yield ImageLine(self._images, build="home-image", stop="home-back", id="image")
        yield ModelsLine(id="models")
        past = SessionList(clock=self._clock, id="past")
        past.add_class("box")
        past.border_title = "Past sessions"
        yield past
        yield KeyLine(id="keys")

    def on_mount(self) -> None:
        request = self.query_one(RequestInput)
        request.move_cursor(request.document.end)
        if self._last.text:
            request.select_all()
        focus_now(request)
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        """What is slow comes after the first paint."""
        if self._first:
            self._read(self._first)
        self._chosen()
        self.load_past()
        self.look_for_models()

    @work(exclusive=True, group="models", exit_on_error=False)
    async def look_for_models(self) -> None:
        """Offers what servers on this machine have."""
        if self._find_models is None:
            return
        found = await self._find_models()
        if not self.is_attached:
            return
        self.query_one(ModelsLine).tell(found)
        self.query_one(Form).offer("model", offered(found))

    def on_screen_resume(self) -> None:
        self.load_past()

    def on_unmount(self) -> None:
        self._reader.close()

    # The request and its reading.

    @on(TextArea.Changed, "#request")
    def _typed(self, event: TextArea.Changed) -> None:
        if event.text_area.text.strip() != self._awaited:
            self._awaited = ""
        self._read(event.text_area.text)

    def _read(self, text: str) -> None:
        self.query_one(ReadingBox).wait()
        self._reader.want(text.strip())

    def _take_reading(self, query: Reading) -> None:
        if not self.is_attached:
            return
        self.query_one(ReadingBox).show_reading(query)
        if self._awaited:
            self._awaited = ""
            self._start(query)

    @on(RequestInput.Submitted)
    def _submitted(self, event: RequestInput.Submitted) -> None:
        self.action_start()

    def action_start(self) -> None:
        """Starts the session as soon as what is written is read, unless something is wrong with it."""
        text, reading = self.query_one(RequestInput).text.strip(), self.query_one(ReadingBox).reading
        if not text:
            self.query_one(RequestInput).focus()
        elif len(text) > QUERY_AT_MOST:
            said = f"the request has {len(text):,} characters; {QUERY_AT_MOST:,} are the most it may have"
            self.query_one(ReadingBox).say(said, warn=True)
        elif reading is None or reading.text != text.encode("utf-8", "replace").decode():
            self._awaited = text
            self._reader.want(text)
        else:
            self._start(reading)

    def _start(self, reading: Reading) -> None:
        box, form = self.query_one(ReadingBox), self.query_one(Form)
        if not reading.urls:
            box.say("the request names no address; write it like: all books on https://example.org/: title", warn=True)
        elif wrong := form.wrong or self.query_one(ImageLine).hindrance:
            self._say(wrong, "warning")
            form.focus()
        else:
            corrected = reading if box.is_corrected else None
            spec = SessionSpec(reading.text, corrected, form.changes, pages=form.pages)
            if self._offer_tables is not None and reading.says_address_alone:
                self.look_at_page(self._offer_tables, spec, reading)
            else:
                self.post_message(SessionRequested(spec))

    @work(exclusive=True, group="look", exit_on_error=False)
    async def look_at_page(self, offer_tables: OfferTables, spec: SessionSpec, reading: Reading) -> None:
        """Before a request that says nothing but its address: what there is to choose from. Where that is nothing, the
        session says why."""
        from scrapewright.tui.screens.pick_table import PickTableScreen

        box, began = self.query_one(ReadingBox), time.monotonic()

        def say() -> None:
            passed = f" {time.monotonic() - began:.0f} s" if time.monotonic() - began >= 1 else ""
            box.say(f"looking at {one_line(reading.urls[0], 200)} …{passed} · esc leaves it")

        say()
        clock = self.set_interval(1.0, say)
        try:
            offered = await offer_tables(spec)
        except (ScrapewrightError, OSError) as error:
            box.say(one_line(str(error), 400), warn=True)
            return
        finally:
            clock.stop()
        if not self.is_current:  # the person went elsewhere meanwhile
            return
        if not offered.tables:
            self.post_message(SessionRequested(spec))
        else:
            self.app.push_screen(PickTableScreen(reading, offered), partial(self._picked, spec))

    def _picked(self, spec: SessionSpec, picked: PickedTable | None) -> None:
        self.query_one(ReadingBox).say("enter looks at the page again; name columns to run without")
        if picked is not None:
            self.post_message(SessionRequested(replace(spec, reading=picked.reading, decisions=picked.decisions)))

    @property
    def _looking(self) -> bool:
        """A page is being looked at for what there is to choose from."""
        return any(worker.group == "look" and worker.is_running for worker in self.workers)

    def action_turn(self, name: str) -> None:
        self.query_one(Form).turn(name)

    @on(Form.Changed)
    def _chosen(self) -> None:
        self.query_one(ImageLine).want(self.query_one(Form).cell("sandbox").value)

    def action_build_image(self) -> None:
        self.query_one(ImageLine).start()

    def action_examples(self) -> None:
        entries = [(str(n), name, text.replace("{BASE}", "")) for n, (name, text) in enumerate(EXAMPLES)]
        self.app.push_screen(MenuScreen("Try one on the practice shop, served on this machine", entries), self._try)

    def _try(self, example: str | None) -> None:
        if example is None:
            return
        try:
            text = examples.request(int(example))
        except OSError as error:
            self._say(f"the practice shop can't be served: {error.strerror or error}", "error")
            return
        self.query_one(RequestInput).write(text)
        focus_now(self.query_one(RequestInput))

    @on(SessionList.Tried)
    def _tried(self, event: SessionList.Tried) -> None:
        self._try(str(event.example))

    def action_search(self) -> None:
        """Through what was asked, the addresses, and the examples."""
        self.query_one(SessionList).action_look()

    def action_past(self) -> None:
        """To the past sessions, and back to the request."""
        past = self.query_one("#past-rows")
        (self.query_one(RequestInput) if past.has_focus else past).focus()

    def action_back(self) -> None:
        """Stops a build; else to the request, and from there to the session that is below, if there is one."""
        request, image = self.query_one(RequestInput), self.query_one(ImageLine)
        if self._looking:
            self.workers.cancel_group(self, "look")
            self.query_one(ReadingBox).say("left; enter looks at the page again")
            return
        if image.state == "building":
            image.cancel()
            return
        if request.has_focus and self._over_session:
            self.dismiss()
        else:
            request.focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "build_image":
            return self.query_one(ImageLine).buildable
        if action == "back":
            busy = self._looking or self.query_one(ImageLine).state == "building"
            return busy or self._over_session or not self.query_one(RequestInput).has_focus
        return super().check_action(action, parameters)

    def _say(self, text: str, severity: Any = "information") -> None:
        self.app.notify(one_line(text, 400), severity=severity, markup=False)

    # Past sessions.

    @work(exclusive=True, group="load-past", exit_on_error=False)
    async def load_past(self) -> None:
        """The list, anew from the store."""
        try:
            summaries = await asyncio.to_thread(self._list)
        except OSError as error:
            self._say(str(error), "error")
            return
        summaries = [summary for summary in summaries if summary.id not in self._removals]
        self.query_one(SessionList).show_all(summaries, undoes=bool(self._removals))
        self.query_one(RequestInput).remember((s.text for s in summaries), (url for s in summaries for url in s.urls))

    def _list(self) -> list[Summary]:
        if not (self._settings.data_dir / "summaries").is_dir():  # looking at what is not there would make it
            return []
        found: list[Summary] = self._with_store(lambda store: store.list())
        return found

    def _with_store(self, use: Callable[[SessionStore], Any]) -> Any:
        from scrapewright.store.sessions import SessionStore

        with SessionStore(self._settings.data_dir) as store:
            return use(store)

    @on(SessionList.Opened)
    def _opened(self, event: SessionList.Opened) -> None:
        self.post_message(self.Opened(event.summary.id))

    @on(SessionList.Continued)
    def _continued(self, event: SessionList.Continued) -> None:
        """In the session itself: one that is over is opened for what is to be done in it."""
        summary = event.summary
        self.post_message(SessionRequested(SessionSpec(summary.text, resume=summary.id)))
        if summary.outcome:
            self._say(f"session {summary.id} goes on, in its own journal; R on Home runs it again as a new session")

    @on(SessionList.Again)
    def _again(self, event: SessionList.Again) -> None:
        summary = event.summary
        lines: list[Line | str] = [
            [(f"Run session {summary.id} again, as a new session?", "bold")], "",
            "Its best program is run, and repaired where it falls short. The old one stays as it is; c goes on in it.",
        ]  # fmt: skip
        self.app.push_screen(ConfirmScreen(lines, "run it again"), partial(self._run_again, summary))

    async def _run_again(self, summary: Summary, sure: bool | None) -> None:
        """A new session that starts from the best program of an old one."""
        if not sure:
            return
        from scrapewright.store.sessions import DamagedSession, NoSuchSession

        try:
            query, program = await asyncio.to_thread(self._with_store, partial(best_program, summary.id))
        except (NoSuchSession, DamagedSession, LookupError, ValueError, OSError) as error:
            self._say(str(error), "error")
            return
        self.post_message(SessionRequested(SessionSpec(query.text, query, program=program)))

    @on(SessionList.Removed)
    async def _removed(self, event: SessionList.Removed) -> None:
        from scrapewright.store.sessions import NoSuchSession, SessionBusy

        try:
            await asyncio.to_thread(self._removals.take, event.summary.id)
        except (NoSuchSession, SessionBusy, OSError) as error:
            self._say(str(error), "error")
        else:
            self._say(f"session {event.summary.id} is removed; u takes that back, until you quit")
        self.load_past()

    @on(SessionList.Undone)
    def _undone(self) -> None:
        if session := self._removals.undo():
            self._say(f"session {session} is back")
            self.load_past()


def best_program(session: str, store: SessionStore) -> tuple[Reading, str]:
    """The reading and the best program of a stored session. Raises LookupError where it has none, DamagedSession."""
    from scrapewright.loop.briefing import read_code
    from scrapewright.session.state import replay

    file = store.read(session)
    state = replay(file.events())
    best = state.best or state.attempt
    if best is None or not best.code:
        raise LookupError(f"session {session} has no program")
    return state.reading, read_code(best, file)
