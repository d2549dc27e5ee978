"""What all panes have in common."""

from __future__ import annotations

from textual.containers import Vertical

from scrapewright.tui.subject import Subject


class Pane(Vertical):
    """A titled part of the workbench. `show` is called whenever something may have changed, and must be cheap then."""

    DEFAULT_CSS = """
    Pane {
        border: round $panel-lighten-1;
        border-title-color: $text-quiet;
        border-title-style: bold;
        background: $surface;
        padding: 0 1;
        &:focus-within { border: round $primary; border-title-color: $primary; }
    }
    """
    TITLE = ""
    ALLOW_MAXIMIZE = True

    def on_mount(self) -> None:
        self.border_title = self.TITLE

    def show(self, subject: Subject | None) -> None:
        """Shows the subject; None before there is a session."""
        raise NotImplementedError

    def focus_inside(self) -> None:
        """Puts the focus on the part that takes keys."""
        for widget in self.query("*"):
            if widget.focusable:
                widget.focus()
                return
