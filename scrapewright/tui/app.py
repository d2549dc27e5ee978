"""The application: themes, keys, and which screen is shown. Everything else has its own file."""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual import events, on, work
from textual.app import SystemCommand
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen, Screen

from scrapewright.session.exit_codes import ExitCode
from scrapewright.session.sanitize import one_line
from scrapewright.settings import Settings
from scrapewright.tui import clipboard, query_reader
from scrapewright.tui.commands import commands, open_commands
from scrapewright.tui.image_builder import ImageBuilder
from scrapewright.tui.keymap import SaysWhyNot, complaints, known_bindings
from scrapewright.tui.messages import AnswerWanted, OpenElsewhere, SessionRequested
from scrapewright.tui.removals import Removals
from scrapewright.tui.screens.confirm import QUIT, QuitScreen, ask_to_lose_edit, ask_to_replay, ask_to_suspend
from scrapewright.tui.screens.home import HomeScreen
from scrapewright.tui.session_spec import FindModels, OfferTables, OpenSession, SessionSpec
from scrapewright.tui.stored_session import read_stored_session
from scrapewright.tui.terminal import Notifier, leave_on_signals
from scrapewright.tui.themed_app import ThemedApp
from scrapewright.tui.themes import DEFAULT
from scrapewright.tui.widgets.focus import takes_letters

if TYPE_CHECKING:
    from scrapewright.tui.screens.workbench import WorkbenchScreen

LEAVING = 3.0
"""Seconds in which a second ctrl+c quits."""


class WorkbenchApp(ThemedApp):
    """`open_session` starts a session for a request; `settings` give theme and keys."""

    TITLE = "scrapewright"
    ENABLE_COMMAND_PALETTE = True
    CSS = "ToastRack { dock: top; align: right top; margin-top: 1; }"  # below are the question, the paths and the keys
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", "Stop or quit", id="interrupt", show=False, priority=True),
        Binding("ctrl+q,f10", "leave", "Quit", id="quit", priority=True),
        Binding("f3,H", "sessions", "Home", id="home"),
        Binding("f1,question_mark", "help", "Help", id="help"),
        Binding("ctrl+p", "command_palette", "Commands", id="palette", show=False, priority=True),
    ]

    def __init__(
        self, open_session: OpenSession, settings: Settings, *, query: str = "", start: bool = False,
        replay: str = "", images: ImageBuilder | None = None, find_models: FindModels | None = None,
        offer_tables: OfferTables | None = None, **clocks: Callable[[], float],
    ) -> None:  # fmt: skip
        super().__init__(settings.themes_dir, settings.config_path)
        self._open_session = open_session
        self._settings = settings
        self._query, self._start, self._replay = query, start, replay
        self._clocks = clocks
        self._removals = Removals(settings.data_dir)
        self._make_home = partial(
            HomeScreen, settings, images=images, find_models=find_models, offer_tables=offer_tables,
            removals=self._removals,
        )  # fmt: skip
        self._leaving = False
        self.left_behind: list[str] = []
        """What could not be removed at the end, and why."""
        self._bench: WorkbenchScreen | None = None
        self.caller = Notifier(self.write_to_terminal, on=settings.bell)

    def on_mount(self) -> None:
        self.begin_themes(self._settings.theme or DEFAULT)
        self.set_keymap(self._settings.keys)
        leave_on_signals(lambda: self._driver, self.terminal_gone)
        if self._replay:
            self._open_replay(self._replay)
        elif self._start:
            self.push_screen(self._make_bench(SessionSpec(self._query)))
        else:
            self.push_screen(self._make_home(self._query))
        self.call_after_refresh(self._load_rest)

    @work(group="load", exit_on_error=False)
    async def _load_rest(self) -> None:
        """What the first paint does not need; keys are checked when all that has any is there."""
        try:
            await asyncio.to_thread(_load_screens)
            for message in complaints(self._settings.keys, known_bindings()):
                self.say(message, "warning")
            await asyncio.to_thread(query_reader.load)
        finally:
            if not gc.isenabled():  # since the start; what was loaded till now is never looked through again
                gc.freeze()
                gc.enable()

    @property
    def workbench(self) -> WorkbenchScreen | None:
        return self._bench if self._bench in self.screen_stack else None

    def _make_bench(self, spec: SessionSpec) -> WorkbenchScreen:
        from scrapewright.tui.screens.workbench import WorkbenchScreen

        self._bench = WorkbenchScreen(self._open_session, spec, self._settings, **self._clocks)
        return self._bench

    async def on_event(self, event: events.Event) -> None:
        """What is typed while a screen is only opening waits for it: letters would go through as commands."""
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            if (bench := self.workbench) is not None and self.screen is bench and bench.take_typed(event):
                return
            await self.screen._mounted_event.wait()
        elif isinstance(event, events.Key):  # nobody below has taken it
            if event.is_printable and (field := self.focused) and takes_letters(field):
                # A field takes its letters itself: this one was typed before it had the focus, in the same burst.
                field._forward_event(events.Key(event.key, event.character))
                return
            if isinstance(screen := self.screen, SaysWhyNot):
                screen.say_why_not(event.key)
        await super().on_event(event)

    def action_interrupt(self) -> None:
        """Copies a selection, else stops the run, else quits the second time."""
        if text := self.screen.get_selected_text() or getattr(self.focused, "selected_text", ""):
            self.copy_to_clipboard(text)
            return
        if (bench := self.workbench) is not None and bench.running:
            bench.action_stop()
        elif self._leaving:
            self.exit(0)
        else:
            self._leaving = True
            self.set_timer(LEAVING, partial(setattr, self, "_leaving", False))
            self.notify("press ctrl+c again to quit", timeout=LEAVING, markup=False)

    def action_leave(self) -> None:
        """Quits; where a session is running it asks whether to suspend or to stop it, and leaves nothing running."""
        bench = self.workbench
        if self.screen.id == QUIT:
            self.screen.dismiss(True)
        elif bench is None or not (bench.running or bench.has_unrun_edit):
            self.exit(0)
        elif bench.running:
            asked = QuitScreen(bench.session_ended, edited=bench.has_unrun_edit)
            self.push_screen(asked, partial(self._leave_if, asked))
        else:
            self.push_screen(ask_to_lose_edit(), lambda sure: self.exit(0) if sure else None)

    def _leave_if(self, asked: QuitScreen, sure: bool | None) -> None:
        if sure:
            self._end_and_leave(asked.stops)

    @work(group="leave", exclusive=True, exit_on_error=False)
    async def _end_and_leave(self, stops: bool) -> None:
        """The keys live on meanwhile: what a session started may take seconds to end."""
        if (bench := self.workbench) is not None:
            await (bench.stopped() if stops else bench.suspended())
        self.exit(0)

    def terminal_gone(self) -> None:
        """The terminal is gone, or the machine shuts down: the session is left as it is, to be continued later."""
        if self.workbench is not None:
            self.workbench.cut_off()
        self.exit(ExitCode.INTERRUPTED)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "sessions":
            return not isinstance(self.screen, HomeScreen | ModalScreen)
        return super().check_action(action, parameters)

    def action_help(self) -> None:
        from scrapewright.tui.screens.help import open_help

        open_help(self)

    def action_command_palette(self) -> None:
        open_commands(self)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Every command that is valid now, and the themes."""
        return commands(self, screen, self._palettes)

    # What is put on the terminal past the screen.

    def copy_to_clipboard(self, text: str) -> None:
        """The terminal's clipboard by OSC 52, and the desktop's."""
        text, said = clipboard.fit(text)
        super().copy_to_clipboard(text)
        if command := clipboard.tool(os.environ):
            self.run_worker(
                partial(clipboard.copy_with_tool, command, text), thread=True, exclusive=True, group="clipboard",
                exit_on_error=False,
            )  # fmt: skip
        self.say(said)

    def write_to_terminal(self, text: str) -> None:
        """Past the screen; only what the program itself says, never text from outside."""
        if self._driver is not None and not self.is_headless:
            self._driver.write(text)
            self._driver.flush()

    @on(AnswerWanted)
    def _answer_wanted(self, event: AnswerWanted) -> None:
        if event.wanted:
            self.caller.call()
        else:
            self.caller.done()

    async def on_unmount(self) -> None:
        self.caller.done()
        self.left_behind = await asyncio.to_thread(self._removals.finish)

    # Home, and past sessions.

    @property
    def _home(self) -> HomeScreen | None:
        return next((screen for screen in self.screen_stack if isinstance(screen, HomeScreen)), None)

    def action_sessions(self) -> None:
        """Home, over the session that is up; or back to it, from a past session that was opened there."""
        home, bench = self._home, self.workbench
        if home is not None:
            home.pop_until_active()
        else:
            self.push_screen(self._make_home(over_session=True, last=bench.spec if bench is not None else None))

    @on(SessionRequested)
    async def _session_requested(self, event: SessionRequested) -> None:
        """On the workbench, in place of what was opened over it; one at work is suspended if the person says so."""
        bench = self.workbench
        if self.screen is bench:  # asked for twice, and under way
            return
        if bench is not None and bench.running:
            self.push_screen(ask_to_suspend(), partial(self._suspend_for, event.spec))
            return
        self._replay = ""
        while self.screen is not bench and len(self.screen_stack) > 2:
            await self.pop_screen()
        if bench is None:
            self.switch_screen(self._make_bench(event.spec))
        else:
            bench.begin(event.spec)

    def _suspend_for(self, spec: SessionSpec, sure: bool | None) -> None:
        if sure:
            self._begin_after(spec)

    @work(group="suspend", exclusive=True, exit_on_error=False)
    async def _begin_after(self, spec: SessionSpec) -> None:
        if (bench := self.workbench) is not None:
            await bench.suspended()
        self.post_message(SessionRequested(spec))

    @on(OpenElsewhere)
    def _open_elsewhere(self, event: OpenElsewhere) -> None:
        """Nothing is to be seen on a workbench that was opened for it."""
        bench = self.workbench
        if bench is not None and bench.view_state is None:
            self.switch_screen(self._make_home())
        self.push_screen(ask_to_replay(event.why), partial(self._replay_if, event.session))

    def _replay_if(self, session: str, sure: bool | None) -> None:
        if sure:
            self._open_replay(session)

    @on(HomeScreen.Opened)
    def _session_opened(self, event: HomeScreen.Opened) -> None:
        self._open_replay(event.session)

    @work(group="replay", exclusive=True, exit_on_error=False)
    async def _open_replay(self, session: str) -> None:
        """Read in a thread: a long session takes a while."""
        from scrapewright.tui.screens.replay import ReplayScreen

        found = await asyncio.to_thread(read_stored_session, self._settings.data_dir, session)
        if found.blobs is not None:
            self.push_screen(ReplayScreen(found.events, found.blobs, found.close, found.tape), self._replay_left)
        elif self._replay:  # there is nothing else to be seen
            self.exit(ExitCode.UNREPAIRED, message=Text(one_line(found.wrong, 400)))
        if found.wrong:
            self.say(found.wrong, "error")

    def _replay_left(self, _: None) -> None:
        if self._replay:  # the command was to replay: there is nothing below it
            self.exit(0)


def _load_screens() -> None:
    import scrapewright.tui.screens.help
    import scrapewright.tui.screens.pick_table
    import scrapewright.tui.screens.replay
    import scrapewright.tui.screens.workbench  # noqa: F401  # loaded, not used here
