"""A value as a whole, over the screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.cells import chop_cells
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from scrapewright.session.sanitize import sanitize
from scrapewright.tui.view.spans import QUIET, Spans
from scrapewright.tui.widgets.plain import Plain
from scrapewright.tui.widgets.rows import Rows

SHOWN_AT_MOST = 64 * 1024
"""Characters that are shown; what is over it is counted."""


class DetailScreen(ModalScreen[None]):
    """Names with their values, broken to the width of the screen; an empty name is a value by itself."""

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
        Binding("y", "copy", "Copy", id="detail-copy"),
    ]

    def __init__(self, title: str, parts: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self._heading = title
        self._parts = list(parts)
        self._width = 0

    def compose(self) -> ComposeResult:
        with Vertical(id="detail-box"):
            yield Plain(id="detail-title")
            yield Rows(id="detail-rows")
            yield Plain(id="detail-foot")

    def on_mount(self) -> None:
        self.query_one("#detail-title", Plain).show([[(self._heading, "bold $primary")]])
        self.query_one("#detail-foot", Plain).show([[("j k g G scroll · y copy · esc closes", QUIET)]])
        self.on_resize()
        self.query_one(Rows).focus()

    def on_resize(self) -> None:
        width = max(20, min(140, int(self.app.size.width * 0.92)) - 5)
        if width != self._width:
            self._width = width
            lines = wrapped(self._parts, width)
            rows = self.query_one(Rows)
            rows.styles.height = max(1, min(len(lines), int(self.app.size.height * 0.86) - 4))
            rows.show(lines)

    def action_copy(self) -> None:
        self.app.copy_to_clipboard("\n".join(f"{name}: {value}" if name else value for name, value in self._parts))


def wrapped(parts: Sequence[tuple[str, str]], width: int) -> list[Spans]:
    """Each value in lines of at most `width` cells, beside its name where there is one."""
    margin = min(24, max((len(name) for name, _ in parts), default=0))
    margin = margin + 2 if margin else 0
    room = SHOWN_AT_MOST
    lines: list[Spans] = []
    for name, value in parts:
        if room <= 0:
            lines.append([(f"… {sum(len(v) for _, v in parts) - SHOWN_AT_MOST:,} more characters", QUIET)])
            break
        shown, over = sanitize(value[:room]), max(0, len(value) - room)
        room -= len(value)
        head = name if len(name) <= 24 else name[:23] + "…"
        for line in shown.expandtabs(4).split("\n"):
            for piece in chop_cells(line, max(10, width - margin)) or [""]:
                lines.append([(f"{head:<{margin}}" if margin else "", "$accent"), (piece, "")])
                head = ""
        if over:
            lines.append([(f"{'':{margin}}… {over:,} more characters", QUIET)])
            break
    return lines
