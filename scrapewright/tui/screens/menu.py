"""A few things to choose one of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from scrapewright.options import Writer, writers
from scrapewright.session.events import Mode
from scrapewright.session.sanitize import one_line
from scrapewright.settings import Settings
from scrapewright.tui.stale_resize import StaleResizeFilter
from scrapewright.tui.view.cells import cells
from scrapewright.tui.view.spans import QUIET, Spans
from scrapewright.tui.widgets.plain import Plain


class MenuScreen(StaleResizeFilter, ModalScreen[str | None]):
    """`entries` are (id, name, what it is for), nine at most. Returns the id of the one taken, None if it is left.

    The numbers take one at once; the arrows mark one (at first `now`), which enter takes.
    """

    DEFAULT_CSS = """
    MenuScreen {
        align: center middle;
        #menu { width: 90%; max-width: 100; height: auto; background: $panel; border: round $primary; padding: 1 2; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "Leave", id="menu-leave", priority=True),
    ]

    def __init__(self, title: str, entries: Sequence[tuple[str, str, str]], *, now: str = "") -> None:
        super().__init__()
        self._title = title
        self._entries = list(entries)
        self._now = now
        ids = [entry[0] for entry in entries]
        self._marked = ids.index(now) if now in ids else 0

    def compose(self) -> ComposeResult:
        with Vertical(id="menu"):
            yield Plain(id="menu-text")

    def on_mount(self) -> None:
        self._draw()

    def _draw(self) -> None:
        wide = max(cells(name) for _, name, _ in self._entries)
        lines: list[Spans] = [[(self._title, "bold")], []]
        for place, (entry, name, about) in enumerate(self._entries):
            mark = "bold reverse $primary" if place == self._marked else "bold $primary"
            now = " (now)" if entry == self._now else ""
            name += " " * (wide - cells(name))
            lines.append([(f" {place + 1} ", mark), (f" {name}", "bold"), (f"  {about}{now}", QUIET)])
        lines += [[], [("a number, or ↑ ↓ and enter; esc leaves it as it is", QUIET)]]
        self.query_one(Plain).show(lines)

    def on_key(self, event: events.Key) -> None:
        event.stop()
        if event.key in {"up", "down"}:
            self._marked = (self._marked + (1 if event.key == "down" else -1)) % len(self._entries)
            self._draw()
        elif event.key == "enter":
            self.dismiss(self._entries[self._marked][0])
        elif event.key.isascii() and event.key.isdecimal() and 1 <= int(event.key) <= len(self._entries):
            self.dismiss(self._entries[int(event.key) - 1][0])


MODES = (
    (Mode.STEP, "asks after every phase"), (Mode.APPROVE, "asks before every run and every repair"),
    (Mode.AUTO, "asks nothing but what it is not sure of"),
)  # fmt: skip


def mode_menu(now: Mode) -> MenuScreen:
    entries = [(str(mode), str(mode), about) for mode, about in MODES]
    return MenuScreen("When is it to ask?", entries, now=str(now))


def writer_menu(settings: Settings, now: Writer) -> tuple[MenuScreen, list[Writer]]:
    """Those that can write the next programs, and the menu of them, whose answer is a place in the list."""
    found = writers(settings)[:9]
    about = {"rules": "no key, nothing is sent", "model": "is sent what is wrong", "command": "your own agent"}
    entries = [
        (str(at), one_line(one.model or one.programmer, 60), about.get(one.programmer, "of a package"))
        for at, one in enumerate(found)
    ]
    known = next((str(at) for at, one in enumerate(found) if one == now), "")
    return MenuScreen("Who is to write the next programs?", entries, now=known), found
