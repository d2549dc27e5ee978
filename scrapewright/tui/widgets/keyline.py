"""The footer: the keys that do something now. One line of text, so that a change of it costs little.

Keys that the question bar shows are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from rich.cells import cell_len
from textual import events
from textual.binding import Binding
from textual.screen import Screen

from scrapewright.tui.view.spans import QUIET
from scrapewright.tui.widgets.plain import Plain, Span

if TYPE_CHECKING:
    from scrapewright.tui.widgets.questionbar import QuestionBar

ORDER = (
    "edit-submit", "edit-abandon", "answer-", "resume", "pause", "edit", "mode", "stop", "again", "save-", "home",
    "search", "tab-next", "maximise", "jump", "help", "palette", "quit",
)  # fmt: skip
"""Ids of bindings, or how they begin; the others come between these, in their own order."""
_ELSE = len(ORDER) - 6


def place(binding: Binding) -> int:
    """Where in the line a binding is."""
    name = binding.id or ""
    for number, start in enumerate(ORDER):
        if name == start or (start.endswith("-") and name.startswith(start)):
            return number if number < _ELSE else number + 1
    return _ELSE


def fitting(entries: list[tuple[Binding, str, int]], width: int) -> list[tuple[Binding, str, int]]:
    """What fits: the keys of a pane's own go first, from the end, then the others; help and the way out stay."""
    kept = list(entries)
    while kept and sum(cells for _, _, cells in kept) > width:
        own = [entry for entry in kept if place(entry[0]) == _ELSE]
        rest = [entry for entry in kept if entry[0].id not in {"help", "quit"}]
        kept.remove((own or rest or kept)[-1])
    return kept


class KeyLine(Plain):
    """Follows the screen's bindings. A click on a key does what the key does."""

    DEFAULT_CSS = """
    KeyLine { height: 1; dock: bottom; background: $panel; text-wrap: nowrap; text-overflow: ellipsis; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._keys: list[tuple[int, int, str]] = []

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._changed)
        self.call_after_refresh(self.draw)

    def _changed(self, screen: Screen[object]) -> None:
        if self.is_attached and screen is self.screen:
            self.draw()

    def on_resize(self, event: events.Resize) -> None:
        self.draw()

    def draw(self) -> None:
        """Shows the keys that are valid now."""
        spans: list[Span] = []
        self._keys = []
        at = 0
        seen: set[str] = set()
        entries: list[tuple[Binding, str, int]] = []
        valid = [a.binding for a in self.screen.active_bindings.values() if a.enabled and a.binding.show]
        asked = self.screen.has_class("asked")
        bars = self.screen.query("QuestionBar")  # by its name: Home has none, and does not load it
        above = {pair for bar in bars for pair in cast("QuestionBar", bar).last_keys}
        for binding in sorted(valid, key=place):
            if binding.action in seen or (asked and (binding.id or "").startswith("answer-")):
                continue
            seen.add(binding.action)
            key = self.app.get_key_display(binding)
            if (key, binding.description.lower()) in above:
                continue
            entries.append((binding, key, cell_len(key) + cell_len(binding.description) + 4))
        for binding, key, cells in fitting(entries, self.size.width or 10_000):
            spans += [(f" {key} ", "bold $primary"), (f"{binding.description}  ", QUIET)]
            self._keys.append((at, at + cells, binding.key))
            at += cells
        self.show([spans])

    def on_click(self, event: events.Click) -> None:
        for start, end, key in self._keys:
            if start <= event.x < end:
                event.stop()
                self.app.simulate_key(key)
                return
