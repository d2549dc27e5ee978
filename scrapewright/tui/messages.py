"""Messages from screens that are not loaded at the start to the application."""

from __future__ import annotations

from textual.message import Message


class AnswerWanted(Message):
    """An answer of the person's is wanted, or no longer."""

    def __init__(self, wanted: bool) -> None:
        super().__init__()
        self.wanted = wanted
