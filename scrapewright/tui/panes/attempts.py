"""Every program so far; the chosen one is what the other panes show."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from scrapewright.tui.panes.base import Pane
from scrapewright.tui.subject import Subject
from scrapewright.tui.view import attempt_line
from scrapewright.tui.widgets.plain import content


class AttemptsPane(Pane):
    TITLE = "Attempts"
    DEFAULT_CSS = """
    AttemptsPane {
        OptionList, OptionList:focus {
            background: $surface; height: 1fr; text-wrap: nowrap; text-overflow: ellipsis;
        }
    }
    """

    class Chosen(Message):
        """The attempt to look at."""

        def __init__(self, attempt: int) -> None:
            super().__init__()
            self.attempt = attempt

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._shown: list[tuple[int, object]] = []

    def compose(self) -> ComposeResult:
        yield OptionList(id="attempts-list", markup=False, compact=True)

    def show(self, subject: Subject | None) -> None:
        if subject is None:
            return
        session = subject.session
        best = session.best
        looked_at = subject.chosen or session.current
        rows = [
            (a.id, content([attempt_line(a, current=a.id == looked_at, best=best is not None and a.id == best.id)]))
            for a in session.attempts.values()
        ]
        if rows == self._shown:
            return
        self._shown = list(rows)
        options = self.query_one(OptionList)
        highlighted = options.highlighted
        options.clear_options()
        options.add_options([Option(text, id=f"attempt-{number}") for number, text in rows])
        if highlighted is not None and highlighted < len(rows):
            options.highlighted = highlighted

    @property
    def highlighted(self) -> int:
        """The attempt under the cursor, 0 if none."""
        place = self.query_one(OptionList).highlighted
        return self._shown[place][0] if place is not None and place < len(self._shown) else 0

    @on(OptionList.OptionSelected, "#attempts-list")
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.post_message(self.Chosen(self._shown[event.option_index][0]))
