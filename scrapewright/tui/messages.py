"""Messages to the application from screens that it loads late."""

from __future__ import annotations

from textual.message import Message

from scrapewright.tui.session_spec import SessionSpec


class SessionRequested(Message):
    """A session is to be started, or gone on with."""

    def __init__(self, spec: SessionSpec) -> None:
        super().__init__()
        self.spec = spec


class OpenElsewhere(Message):
    """A session can't be gone on with: another process has it."""

    def __init__(self, session: str, why: str) -> None:
        super().__init__()
        self.session = session
        self.why = why


class AnswerWanted(Message):
    """A question waits for the person's answer, or no longer does."""

    def __init__(self, wanted: bool) -> None:
        super().__init__()
        self.wanted = wanted
