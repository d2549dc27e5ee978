"""What all panes have in common."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widget import Widget

from scrapewright.tui.view_state import ViewState
from scrapewright.tui.widgets.focus import focus_now
from scrapewright.tui.widgets.search import Searchable
from scrapewright.tui.widgets.searchline import SearchLine


class Pane(Vertical):
    """A titled part of the workbench. `show` is called whenever something may have changed, and must be cheap then."""

    DEFAULT_CSS = """
    Pane {
        border: round $text-quiet 40%;
        border-title-color: $text-quiet;
        border-title-style: bold;
        background: $surface;
        padding: 0 1;
        &:ansi { border: round $text-quiet; }
        &:focus-within { border: round $primary; border-title-color: $primary; border-title-style: bold reverse; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "search", "Search", show=False, id="search"),
        Binding("n", "search_step(1)", "Next match", show=False, id="search-next"),
        Binding("N", "search_step(-1)", "Last match", show=False, id="search-before"),
        Binding("escape", "search_end", "End the search", show=False, id="search-end"),
    ]
    TITLE = ""
    ALLOW_MAXIMIZE = True
    number = 0
    """The key that goes to the pane, shown in its title; 0 where there is none."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._subject: ViewState | None = None
        self._title_text = ""

    def renumber(self, number: int) -> None:
        """Shows another number in the title, or with 0 none."""
        if number != self.number:
            self.number = number
            self.entitle(self._title_text)

    def on_mount(self) -> None:
        self.entitle(self.TITLE)

    def entitle(self, title: str) -> None:
        """Writes the title, behind the pane's number. It is text, and no markup."""
        self._title_text = title
        self.border_title = Text(f"{self.number} {title}" if self.number else title)

    def show(self, view_state: ViewState | None) -> None:
        """Takes the view state, None before there is a session; each kind of pane then draws it."""
        self._subject = view_state

    def focus_inside(self) -> None:
        """Puts the focus on the part that takes keys."""
        focus_now(self)

    @property
    def front(self) -> Widget | None:
        """The part that is seen and can be searched and copied from; None where there is none."""
        inside = [w for w in self.query("*") if isinstance(w, Searchable) and w.display]
        return next((w for w in inside if w.has_focus), next(iter(inside), None))

    async def action_search(self) -> None:
        """Opens the search line for what is in front."""
        if (front := self.front) is not None:
            (await SearchLine.on_screen(self.screen)).open(front)

    def action_search_step(self, step: int) -> None:
        line, front = SearchLine.there(self.screen), self.front
        if line is not None and front is not None:
            line.step(front, step)

    def action_search_end(self) -> None:
        if (line := SearchLine.there(self.screen)) is not None:
            line.close()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The keys of a search are keys while there is one; escape pauses the session otherwise."""
        if action == "search":
            return self.front is not None
        if action in {"search_step", "search_end"}:
            line = SearchLine.there(self.screen)
            return line is not None and line.active
        return super().check_action(action, parameters)
