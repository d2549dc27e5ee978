"""A value as a whole, over the screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.cells import chop_cells
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from scrapewright.session.sanitize import one_line, sanitize
from scrapewright.tui.stale_resize import StaleResizeFilter
from scrapewright.tui.view.cells import EMPTY, cells, drawn, fit
from scrapewright.tui.view.spans import QUIET, Spans
from scrapewright.tui.widgets.plain import Plain
from scrapewright.tui.widgets.rows import Rows

SHOWN_AT_MOST = 64 * 1024
"""Characters that are shown, of all values together; what is over it is counted."""
VALUE_AT_LEAST = 1_000
"""Characters of each value that are shown however many there are."""
NAME = 24
"""Cells that the names beside the values take at most."""


Parts = Sequence[tuple[str, str]]
"""Names with their values."""


class DetailScreen(StaleResizeFilter, ModalScreen[None]):
    """Names with their values, broken to the width of the screen; an empty name is a value by itself.

    With `turn` it goes through a list: given 1 or -1 it says the title and the parts of the next or the last one.
    """

    DEFAULT_CSS = """
    DetailScreen {
        align: center middle;
        #detail-box {
            width: 92%; max-width: 140; height: auto; max-height: 86%; background: $surface; border: round $primary;
            padding: 0 1;
        }
        #detail-title, #detail-foot { height: 1; }
        #detail-rows { height: auto; min-height: 1; max-height: 100%; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q", "dismiss", "Close", id="detail-close", priority=True),
        Binding("right,n", "turn(1)", "Next", id="detail-next", priority=True),
        Binding("left,p", "turn(-1)", "Last", id="detail-last", priority=True),
        Binding("y", "copy", "Copy", id="detail-copy"),
    ]

    def __init__(self, title: str, parts: Parts, *, turn: Callable[[int], tuple[str, Parts]] | None = None) -> None:
        super().__init__()
        self._heading, self._parts, self._turn = title, parts, turn
        self._width = 0

    def compose(self) -> ComposeResult:
        with Vertical(id="detail-box"):
            yield Plain(id="detail-title")
            yield Rows(id="detail-rows")
            yield Plain(id="detail-foot")

    def on_mount(self) -> None:
        turn = "← → turn · " if self._turn is not None else ""
        self.query_one("#detail-foot", Plain).show([[(f"{turn}j k g G scroll · y copy · esc closes", QUIET)]])
        self.on_resize()
        self.query_one(Rows).focus()

    def on_resize(self) -> None:
        width = max(20, min(140, int(self.app.size.width * 0.92)) - 5)
        if width != self._width:
            self._width = width
            self._draw()

    def _draw(self) -> None:
        self.query_one("#detail-title", Plain).show([[(self._heading, "bold $primary")]])
        lines, rows = wrapped(self._parts, self._width), self.query_one(Rows)
        rows.styles.height = max(1, min(len(lines), int(self.app.size.height * 0.86) - 4))
        rows.show(lines)

    def action_turn(self, step: int) -> None:
        if self._turn is not None:
            self._heading, self._parts = self._turn(step)
            self._draw()
            self.query_one(Rows).scroll_to(0, 0, animate=False, force=True, immediate=True)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self._turn is not None if action == "turn" else super().check_action(action, parameters)

    def action_copy(self) -> None:
        self.app.copy_to_clipboard("\n".join(f"{name}: {value}" if name else value for name, value in self._parts))


def wrapped(parts: Parts, width: int) -> list[Spans]:
    """Each value in lines of at most `width` cells, beside its name where there is one."""
    margin = min(NAME, max((cells(one_line(name)) for name, _ in parts), default=0))
    blank = " " * (margin + 2) if margin else ""
    most = max(VALUE_AT_LEAST, SHOWN_AT_MOST // max(1, len(parts)))
    lines: list[Spans] = []
    for name, value in parts:
        head = fit(one_line(name), margin) + "  " if margin else ""
        for line in sanitize(value[:most]).split("\n"):
            for piece in chop_cells(drawn(line), max(10, width - len(blank))) or [""]:
                lines.append([(head, "$accent"), (piece, "") if value else (EMPTY, QUIET)])
                head = blank
        if len(value) > most:
            lines.append([(blank, ""), (f"… {len(value) - most:,} more characters", QUIET)])
    return lines
