"""The application: themes, keys, and which screen is up. Everything else lives in its own file."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, suppress
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on
from textual.app import App
from textual.binding import Binding, BindingType

from scrapewright.options import RunOptions, UsageError, check_options
from scrapewright.session import events as ev
from scrapewright.session.sanitize import one_line
from scrapewright.settings import Settings
from scrapewright.store.sessions import DamagedSession, NoSuchSession, SessionStore
from scrapewright.tui.screens.replay import ReplayScreen
from scrapewright.tui.screens.sessions import SessionsScreen
from scrapewright.tui.screens.workbench import OpenSession, WorkbenchScreen
from scrapewright.tui.themes import DEFAULT, VARIABLES, Palette, palettes
from scrapewright.tui.widgets.codeview import CodeView

if TYPE_CHECKING:
    from scrapewright.loop.kit import Kit

INTERRUPTED = 130
LEAVING = 3.0
"""Seconds in which a second ctrl+c quits."""

NewSession = Callable[..., AbstractAsyncContextManager["Kit"]]


class WorkbenchApp(App[int]):
    """`open_session` starts a session for a request; `settings` give theme and keys."""

    TITLE = "scrapewright"
    ENABLE_COMMAND_PALETTE = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", "Stop or quit", id="interrupt", show=False, priority=True),
        Binding("ctrl+q,f10", "leave", "Quit", id="quit", priority=True),
        Binding("f3,ctrl+o", "sessions", "Sessions", id="sessions"),
    ]

    def __init__(
        self, open_session: OpenSession, settings: Settings, *, query: str = "", start: bool = False,
        replay: str = "", **clocks: Callable[[], float],
    ) -> None:  # fmt: skip
        super().__init__()
        self._open_session = open_session
        self._settings = settings
        self._query = query
        self._start = start
        self._replay = replay
        self._clocks = clocks
        self._leaving = False
        self._palettes: dict[str, Palette] = {}

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict.fromkeys(VARIABLES, "#808080")

    def on_mount(self) -> None:
        self._palettes, wrong = palettes()
        for palette in self._palettes.values():
            self.register_theme(palette.theme)
        wanted = self._settings.theme or DEFAULT
        if wanted in self.available_themes:
            self.theme = wanted
        else:
            wrong.append(f"there is no theme {wanted!r}; there are {', '.join(self._palettes)}")
            self.theme = DEFAULT if DEFAULT in self._palettes else self.theme
        for message in wrong:
            self.notify(one_line(message, 300), severity="warning", markup=False)
        self.set_keymap(self._settings.keys)
        self._leave_on_signals()
        self.theme_changed_signal.subscribe(self, lambda _: self._recolor())
        if self._replay:
            self._open_replay(self._replay)
        else:
            self.push_screen(WorkbenchScreen(self._open_session, self._query, start=self._start, **self._clocks))
        self.call_after_refresh(self._recolor)

    def _leave_on_signals(self) -> None:
        """Else the terminal would be left as it is now, and the session without an end."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP):
            with suppress(NotImplementedError, RuntimeError, ValueError):  # not on the main thread
                loop.add_signal_handler(number, lambda: self.exit(INTERRUPTED))

    def _recolor(self) -> None:
        palette = self._palettes.get(self.theme)
        variables = self.theme_variables
        marks = {kind: variables[f"line-{kind}"] for kind in ("crashed", "running", "added", "removed")}
        marks |= {"crashed-glyph": variables["error"], "running-glyph": variables["warning"]}
        marks |= {"added-glyph": variables["success"], "removed-glyph": variables["error"]}
        for screen in self.screen_stack:
            for view in screen.query(CodeView):
                view.recolor(palette.syntax if palette is not None else {}, marks)

    @property
    def workbench(self) -> WorkbenchScreen | None:
        return next((s for s in self.screen_stack if isinstance(s, WorkbenchScreen)), None)

    def action_interrupt(self) -> None:
        """Copies a selection, else stops the run, else quits the second time."""
        if text := self.screen.get_selected_text():
            self.copy_to_clipboard(text)
            return
        bench = self.workbench
        if bench is not None and bench.running:
            bench.action_stop()
        elif self._leaving:
            self.exit(0)
        else:
            self._leaving = True
            self.set_timer(LEAVING, self._stay)
            self.notify("press ctrl+c again to quit", timeout=LEAVING, markup=False)

    def _stay(self) -> None:
        self._leaving = False

    async def action_leave(self) -> None:
        """Quits; a session at work is stopped first, so that nothing is left running."""
        bench = self.workbench
        if bench is not None and bench.running:
            bench.action_stop()
            await self.workers.wait_for_complete()
        self.exit(0)

    async def action_sessions(self) -> None:
        if isinstance(self.screen, SessionsScreen):
            return
        try:
            summaries = await asyncio.to_thread(self._with_store, lambda store: store.list())
        except OSError as error:
            self.notify(one_line(str(error), 300), severity="error", markup=False)
            return
        if not summaries:
            self.notify("no past sessions", markup=False)
            return
        self.push_screen(SessionsScreen(summaries))

    @on(SessionsScreen.Opened)
    def _session_opened(self, event: SessionsScreen.Opened) -> None:
        self._open_replay(event.session)

    def _open_replay(self, session: str) -> None:
        store = SessionStore(self._settings.data_dir)  # the replay reads blobs from it as long as it is open
        events: list[ev.Durable] = []
        try:
            file = store.read(session)
            for event in file.iter_events():
                events.append(event)
        except (NoSuchSession, DamagedSession) as error:
            self.notify(one_line(str(error), 300), severity="error", markup=False)
        if events:
            self.push_screen(ReplayScreen(events, file), lambda _: self._replay_left(store))
        else:
            store.close()
        self.call_after_refresh(self._recolor)

    def _replay_left(self, store: SessionStore) -> None:
        store.close()
        if self._replay:  # the command was to replay: there is nothing below it
            self.exit(0)

    def _with_store(self, use: Callable[[SessionStore], Any]) -> Any:
        with SessionStore(self._settings.data_dir) as store:
            return use(store)


def run_workbench(options: RunOptions, new_session: NewSession) -> int:
    """Opens the screen and returns the exit code when it is left. A query in the options starts at once."""

    def open_session(text: str) -> AbstractAsyncContextManager[Kit]:
        ready = options
        if text != options.query.text:
            ready = check_options(options.settings, text, {}, out=options.out, allow=options.allow)
        elif not options.query.urls:
            raise UsageError("the query names no address; write it like: all books on https://example.org/: title")
        return new_session(ready, asks=True)

    text = options.query.text
    app = WorkbenchApp(open_session, options.settings, query=text, start=bool(text and options.query.urls))
    return app.run() or 0


def run_replay(settings: Settings, session: str) -> int:
    """Opens a past session, read-only."""

    def open_session(text: str) -> AbstractAsyncContextManager[Kit]:
        raise UsageError("a replay does not start sessions")

    return WorkbenchApp(open_session, settings, replay=session).run() or 0
