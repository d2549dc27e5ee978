"""Jump mode: a letter over every pane and tab; pressing it goes there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Region
from textual.screen import ModalScreen, Screen

from scrapewright.tui.panes.base import Pane
from scrapewright.tui.stale_resize import StaleResizeFilter
from scrapewright.tui.widgets.plain import Plain

LETTERS = "asdfghjklqwertyuiopzxcvbnm"


@dataclass(frozen=True)
class Target:
    """A pane, or a tab of it, and where on the screen its letter goes."""

    pane: str
    tab: str
    x: int
    y: int


def targets(screen: Screen[None], names: Sequence[str], picker: Region | None = None) -> list[Target]:
    """What can be jumped to, from the top left on. Panes that are not seen are in the `picker` line, where `names`
    are written one after the other."""
    found: list[Target] = []
    for pane in screen.query(Pane):
        region = pane.region
        if pane.id is None or not region:
            continue
        found.append(Target(pane.id, "", region.x + 1, region.y))
        titles = next(iter(pane.query(".tabs")), None)
        if titles is None or not titles.region:
            continue
        at = titles.content_region.x
        for tab in getattr(pane, "TABS", ()):
            found.append(Target(pane.id, tab, at, titles.content_region.y))
            at += len(tab) + 2
    if picker:
        at, seen = picker.x, {target.pane for target in found}
        for number, name in enumerate(names, 1):
            if name not in seen:
                found.append(Target(name, "", at, picker.y))
            at += len(f" {number} {name} ")
    return sorted(found, key=lambda target: (target.y, target.x))


class JumpScreen(StaleResizeFilter, ModalScreen[Target | None]):
    """Over the screen that it jumps in; any other key leaves it."""

    DEFAULT_CSS = """
    JumpScreen {
        background: transparent;
        .jump-letter { position: absolute; width: 1; height: 1; background: $warning; color: $background;
                       text-style: bold; }
        &:ansi .jump-letter { text-style: bold reverse; }
        #jump-foot { dock: bottom; height: 1; background: $panel; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", "Leave", id="jump-leave", priority=True)]

    def __init__(self, found: list[Target]) -> None:
        super().__init__()
        self._found = dict(zip(LETTERS, found, strict=False))

    def compose(self) -> ComposeResult:
        for letter, target in self._found.items():
            label = Plain(classes="jump-letter", id=f"jump-{letter}")
            label.styles.offset = (target.x, target.y)
            yield label
        yield Plain(id="jump-foot")

    def on_mount(self) -> None:
        for letter in self._found:
            self.query_one(f"#jump-{letter}", Plain).show([[(letter, "")]])
        self.query_one("#jump-foot", Plain).show([[(" press a letter to go there, esc to stay", "bold")]])

    def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        if self.app.screen is self:  # of two keys at once the second would leave another screen, too
            self.dismiss(self._found.get(event.key))
