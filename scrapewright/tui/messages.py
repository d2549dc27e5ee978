"""Messages to the application from screens that it loads late."""

from __future__ import annotations

from textual.message import Message


class AnswerWanted(Message):
    """A question waits for the person's answer, or no longer does."""

    def __init__(self, wanted: bool) -> None:
        super().__init__()
        self.wanted = wanted
