"""The line at the bottom where one types what to look for."""

from __future__ import annotations

from typing import Any, cast
from weakref import WeakKeyDictionary

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input

from scrapewright.tui.widgets.inputs import SafeInput
from scrapewright.tui.widgets.plain import Plain
from scrapewright.tui.widgets.search import Searchable

_LINES: WeakKeyDictionary[Screen[Any], SearchLine] = WeakKeyDictionary()
"""By screen; looking for it among the widgets at every check of a key would cost more than all other checks."""


class SearchLine(Horizontal):
    """One a screen, there from the first search on. Searches as is typed; enter leaves the line with its matches, where
    n and N go from one to the next; escape ends the search."""

    DEFAULT_CSS = """
    SearchLine {
        display: none; height: 1; background: $panel; padding: 0 1;
        &.open { display: block; }
        .search-sign { width: 2; }
        Input, Input:focus { width: 1fr; background: $panel; padding: 0; border: none; height: 1; }
        .search-count { width: auto; min-width: 12; text-align: right; }
    }
    """
    BINDINGS = [
        Binding("escape", "close", "End the search", show=False),
        Binding("down,ctrl+n", "step(1)", "Next match", show=False),
        Binding("up,ctrl+p", "step(-1)", "Last match", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._target: Widget | None = None

    @classmethod
    def there(cls, screen: Screen[Any]) -> SearchLine | None:
        """The screen's line, if there was a search."""
        return _LINES.get(screen)

    @classmethod
    async def on_screen(cls, screen: Screen[Any]) -> SearchLine:
        """The screen's line, put above its footer where there is none yet."""
        line = cls.there(screen)
        if line is None:
            line = _LINES[screen] = cls()
            await screen.mount(line, before=next(iter(screen.query("#keys, Footer")), None))
        return line

    def on_unmount(self) -> None:
        """A line holds its screen, so that it would be kept with it for ever."""
        self._target = None
        for screen in [screen for screen, line in _LINES.items() if line is self]:
            del _LINES[screen]

    def compose(self) -> ComposeResult:
        yield Plain(classes="search-sign")
        yield SafeInput(placeholder="look for…", id="search-text", compact=True, select_on_focus=True, max_length=200)
        yield Plain(classes="search-count")

    @property
    def active(self) -> bool:
        """There is something that is looked for."""
        return self.has_class("open")

    @property
    def text(self) -> str:
        """What is looked for, or was."""
        return self.query_one(Input).value

    def open(self, target: Widget) -> None:
        """Searches in `target`, a Searchable, from now on."""
        self._turn_to(target)
        self.add_class("open")
        self.query_one(".search-sign", Plain).show([[("/", "bold $primary")]])
        self.query_one(Input).focus()
        self._look()

    def close(self) -> None:
        """Ends the search; the focus goes back to what was searched."""
        self.remove_class("open")
        if self._target is not None and self._target.is_attached:
            cast(Searchable, self._target).search("")
            if self.has_focus_within:
                self._target.focus()
        self._target = None

    def step(self, target: Widget, step: int) -> None:
        """To the next (1) or the last (-1) match in `target`."""
        if self._turn_to(target):
            cast(Searchable, target).search(self.text)
        self._tell(cast(Searchable, target).go_to_match(step))

    def action_close(self) -> None:
        self.close()

    def action_step(self, step: int) -> None:
        if self._target is not None:
            self.step(self._target, step)

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        self._look()

    @on(Input.Submitted)
    def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        if not event.value:
            self.close()
        elif self._target is not None:
            self._target.focus()

    def _turn_to(self, target: Widget) -> bool:
        if target is self._target:
            return False
        if self._target is not None and self._target.is_attached:
            cast(Searchable, self._target).search("")
        self._target = target
        return True

    def _look(self) -> None:
        if self._target is None or not self.active:
            return
        searched = cast(Searchable, self._target)
        self._tell(searched.go_to_match(0) if searched.search(self.text) else (0, 0))

    def _tell(self, place: tuple[int, int]) -> None:
        number, total = place
        if not self.text:
            count = [("", "")]
        elif not total:
            count = [("no match", "$warning")]
        else:
            count = [(f"{number}/{total:,}", "bold"), ("  n N", "$text-quiet")]
        self.query_one(".search-count", Plain).show([count])
