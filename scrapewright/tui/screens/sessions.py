"""The list of past sessions, to be opened as a replay."""

from __future__ import annotations

import time
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Footer, OptionList
from textual.widgets.option_list import Option

from scrapewright.session.sanitize import one_line
from scrapewright.store.sessions import Summary
from scrapewright.tui.widgets.plain import Plain, content


class SessionsScreen(Screen[None]):
    """Newest first; enter opens one."""

    DEFAULT_CSS = """
    SessionsScreen {
        #sessions-title { height: 1; background: $panel; padding: 0 1; }
        OptionList, OptionList:focus {
            height: 1fr; background: $surface; text-wrap: nowrap; text-overflow: ellipsis;
        }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "app.pop_screen", "Back", id="sessions-back")]

    class Opened(Message):
        """The session to be told again."""

        def __init__(self, session: str) -> None:
            super().__init__()
            self.session = session

    def __init__(self, summaries: list[Summary]) -> None:
        super().__init__()
        self._summaries = summaries

    def compose(self) -> ComposeResult:
        yield Plain(id="sessions-title")
        yield OptionList(
            *(Option(content([_line(s)]), id=f"session-{s.id}") for s in self._summaries),
            id="sessions-list",
            markup=False,
            compact=True,
        )
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        self.query_one(Plain).show([[(f"{len(self._summaries)} sessions", "bold $primary")]])
        self.query_one(OptionList).focus()

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.post_message(self.Opened(self._summaries[event.option_index].id))


def _line(row: Summary) -> list[tuple[str, str]]:
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(row.started_at))
    color = "$success" if row.exit_code == 0 else "$error" if row.outcome else "$warning"
    return [
        (f"{row.id}  {when}  ", "$text-quiet"), (f"{row.outcome or 'not ended':12} ", color),
        (f"{row.attempts:2} attempts {row.rows:5} rows  ", "$text-quiet"), (one_line(row.text, 120), ""),
    ]  # fmt: skip
