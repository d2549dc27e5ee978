"""The application: themes, keys, and which screen is shown. Everything else has its own file."""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from rich.text import Text
from textual import events, on, work
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen, Screen

from scrapewright.session.exit_codes import ExitCode
from scrapewright.session.sanitize import one_line
from scrapewright.settings import Settings
from scrapewright.tui import clipboard, query_reader
from scrapewright.tui.commands import commands, open_commands
from scrapewright.tui.image_builder import ImageBuilder
from scrapewright.tui.keymap import complaints, known_bindings
from scrapewright.tui.messages import AnswerWanted
from scrapewright.tui.screens.confirm import QUIT, ask_to_quit
from scrapewright.tui.screens.home import HomeScreen
from scrapewright.tui.session_spec import FindModels, OpenSession, SessionSpec
from scrapewright.tui.stored_session import read_stored_session
from scrapewright.tui.terminal import Notifier, leave_on_signals
from scrapewright.tui.themes import CUSTOM, DEFAULT, Palette, ThemeFolder

if TYPE_CHECKING:
    from scrapewright.tui.screens.workbench import WorkbenchScreen

THEMES_PERIOD, LEAVING = 1.0, 3.0
"""Seconds between two looks at the user's own palettes, and in which a second ctrl+c quits."""


class WorkbenchApp(App[int]):
    """`open_session` starts a session for a request; `settings` give theme and keys."""

    TITLE = "scrapewright"
    ENABLE_COMMAND_PALETTE = True
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
        **clocks: Callable[[], float],
    ) -> None:  # fmt: skip
        super().__init__()
        self._open_session = open_session
        self._settings = settings
        self._query, self._start, self._replay = query, start, replay
        self._make_home = partial(HomeScreen, settings, images=images, find_models=find_models)
        self._clocks = clocks
        self._leaving = False
        self._bench: WorkbenchScreen | None = None
        self._palettes: dict[str, Palette] = {}
        self._folder = ThemeFolder(settings.themes_dir)
        self.caller = Notifier(self.write_to_terminal, on=settings.bell)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict.fromkeys(CUSTOM, "#808080")

    def on_mount(self) -> None:
        for name in self.available_themes:  # theirs know nothing of marks and quiet text
            self.unregister_theme(name)
        self._read_themes()
        wanted = self._settings.theme or DEFAULT
        if wanted not in self.available_themes:
            self._say(f"there is no theme {wanted!r}; there are {', '.join(self._palettes)}", "warning")
            wanted = DEFAULT
        if wanted in self.available_themes:
            self.theme = wanted
        self.set_interval(THEMES_PERIOD, self._look_at_themes)
        self.set_keymap(self._settings.keys)
        leave_on_signals(lambda: self._driver, self._cut_off)
        if self._replay:
            self._open_replay(self._replay)
        elif self._start:
            self.push_screen(self._make_bench(SessionSpec(self._query)))
        else:
            self.push_screen(self._make_home(self._query))
        self.call_after_refresh(self._load_rest)

    def _say(self, message: str, severity: Literal["information", "warning", "error"] = "information") -> None:
        self.notify(one_line(message, 400), severity=severity, markup=False)

    @work(group="load", exit_on_error=False)
    async def _load_rest(self) -> None:
        """What the first paint does not need; keys are checked when all that has any is there."""
        try:
            await asyncio.to_thread(_load_screens)
            for message in complaints(self._settings.keys, known_bindings()):
                self._say(message, "warning")
            await asyncio.to_thread(query_reader.load)
        finally:
            if not gc.isenabled():  # since the start; what was loaded till now is never looked through again
                gc.freeze()
                gc.enable()

    # Themes.

    def _read_themes(self) -> None:
        self._palettes, wrong = self._folder.read()
        for palette in self._palettes.values():
            self.register_theme(palette.theme)
        for message in wrong:
            self._say(message, "warning")

    def _look_at_themes(self) -> None:
        """The user's own palettes, as they are written."""
        if not self._folder.changed():
            return
        before = set(self._palettes)
        self._read_themes()
        for name in before - set(self._palettes) - {self.theme}:
            self.unregister_theme(name)
        self._watch_theme(self.theme)

    def action_take_theme(self, name: str) -> None:
        """For now; the config says what it is at the start."""
        if name != self.theme:
            self.theme = name
            self._say(f'theme = "{name}" in {self._settings.config_path} keeps it')

    @property
    def workbench(self) -> WorkbenchScreen | None:
        return self._bench if self._bench in self.screen_stack else None

    def _make_bench(self, spec: SessionSpec) -> WorkbenchScreen:
        from scrapewright.tui.screens.workbench import WorkbenchScreen

        self._bench = WorkbenchScreen(self._open_session, spec, **self._clocks)
        return self._bench

    async def on_event(self, event: events.Event) -> None:
        """What is typed while a screen is only opening waits for it: there is nothing yet that it could be typed into,
        and letters would go through as commands."""
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            await self.screen._mounted_event.wait()
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
        """Quits; asks where a session is running, and then stops it first, so that nothing is left running."""
        bench = self.workbench
        if self.screen.id == QUIT:
            self.screen.dismiss(True)
        elif bench is None or not bench.running:
            self.exit(0)
        else:
            self.push_screen(ask_to_quit(), self._leave_if)

    def _leave_if(self, sure: bool | None) -> None:
        if sure:
            self._stop_and_leave()

    @work(group="leave", exclusive=True, exit_on_error=False)
    async def _stop_and_leave(self) -> None:
        """The keys live on meanwhile: what a session started may take seconds to end."""
        if (bench := self.workbench) is not None:
            await bench.stopped()
        self.exit(0)

    def _cut_off(self) -> None:
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
        self._say(said)

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

    def on_unmount(self) -> None:
        self.caller.done()

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
            text = bench.first_query() if bench is not None and bench.view_state is None else ""
            self.push_screen(self._make_home(text, over_session=True))

    @on(HomeScreen.SessionRequested)
    async def _session_requested(self, event: HomeScreen.SessionRequested) -> None:
        home, bench = self._home, self.workbench
        if home is None:  # asked for twice, and under way
            return
        if self._replay:
            self._say("a replay starts no sessions; leave it, then run scrapewright", "warning")
            return
        if bench is not None and bench.running:
            self._say("a session is running; stop it first", "warning")
            return
        while self.screen is not home:  # what was opened over it while the request was read
            await self.pop_screen()
        if bench is None:
            self.switch_screen(self._make_bench(event.spec))
        else:
            self.pop_screen()
            bench.begin(event.spec)

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
            self._say(found.wrong, "error")

    def _replay_left(self, _: None) -> None:
        if self._replay:  # the command was to replay: there is nothing below it
            self.exit(0)


def _load_screens() -> None:
    import scrapewright.tui.screens.help
    import scrapewright.tui.screens.replay
    import scrapewright.tui.screens.workbench  # noqa: F401  # loaded, not used here
