"""Where a request is written: it grows with the text, enter runs it, up and down go through what was asked before."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from textual import events
from textual.message import Message
from textual.widgets import TextArea
from textual.widgets.text_area import Edit, EditResult

from scrapewright.session.sanitize import sanitize
from scrapewright.tui.view.cells import flat

_SITE = re.compile(r"(?:\b(?:on|from|at)\s+|(?=https?://))(\S{2,})$")


class RequestInput(TextArea):
    """Alt+enter and ctrl+j break the line; right at the end takes the suggestion, a site seen before."""

    DEFAULT_CSS = """
    RequestInput, RequestInput:focus {
        height: auto; min-height: 2; max-height: 8; border: none; padding: 0; background: $surface;
    }
    """

    class Submitted(Message):
        """The person wants this."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self, text: str = "", *, placeholder: str = "", id: str | None = None) -> None:  # noqa: A002
        super().__init__(
            sanitize(text), soft_wrap=True, tab_behavior="focus", show_line_numbers=False, highlight_cursor_line=False,
            compact=True, placeholder=placeholder, id=id,
        )  # fmt: skip
        self._asked: Sequence[str] = ()
        self._sites: Sequence[str] = ()
        self._place = -1
        self._own = ""

    def remember(self, asked: Iterable[str], sites: Iterable[str]) -> None:
        """What was asked before, newest first, and the addresses seen; doubles are left out."""
        self._asked = list(dict.fromkeys(text for text in asked if text.strip()))
        self._sites = list(dict.fromkeys(map(flat, sites)))

    def write(self, text: str) -> None:
        """Replaces the text; the cursor is at its end."""
        self.load_text(text)
        self.move_cursor(self.document.end)

    def load_text(self, text: str) -> None:
        super().load_text(sanitize(text))

    def edit(self, edit: Edit) -> EditResult:
        """What is pasted may hold what a terminal obeys."""
        edit.text = sanitize(edit.text)
        return super().edit(edit)

    async def _on_key(self, event: events.Key) -> None:
        if event.key == "enter":
            event.stop()
            event.prevent_default()
            if self.text.strip():
                self.post_message(self.Submitted(self.text.strip()))
        elif event.key in {"alt+enter", "shift+enter", "ctrl+j"}:
            event.stop()
            event.prevent_default()
            self.insert("\n")
        else:
            await super()._on_key(event)

    def action_cursor_up(self, select: bool = False) -> None:
        if self.cursor_at_first_line and not select and self._go(1):
            return
        super().action_cursor_up(select)

    def action_cursor_down(self, select: bool = False) -> None:
        if self.cursor_at_last_line and not select and self._go(-1):
            return
        super().action_cursor_down(select)

    def _go(self, step: int) -> bool:
        """Through what was asked before; -1 is what the person was writing."""
        place = self._place + step
        if not -1 <= place < len(self._asked):
            return False
        if self._place == -1:
            self._own = self.text
        self._place = place
        self.write(self._own if place == -1 else self._asked[place])
        return True

    def update_suggestion(self) -> None:
        """The rest of an address seen before, where one is being written at the end."""
        self.suggestion = ""
        if self.cursor_location != self.document.end or not (match := _SITE.search(self.text)):
            return
        begun = match[1].casefold()
        for url in self._sites:
            for whole in (url, url.partition("://")[2]):
                if whole.casefold().startswith(begun) and len(whole) > len(begun):
                    self.suggestion = whole[len(begun) :]
                    return
