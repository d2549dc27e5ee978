"""What a session's screen reads of it, where the disk does not give it."""

from __future__ import annotations

import pytest

from scrapewright.session.attempt import AttemptState
from scrapewright.session.state import Session
from scrapewright.tui.view_state import ViewState


class FailingBlobs:
    def __init__(self, error: Exception) -> None:
        self.error = error

    def put(self, data: bytes) -> str:
        raise self.error

    def get(self, name: str) -> bytes:
        raise self.error


@pytest.mark.parametrize("error", [KeyError("gone"), ValueError("damaged"), OSError("the disk fails")])
def test_what_can_not_be_read_is_empty_and_breaks_nothing(error: Exception) -> None:
    session = Session()
    session.attempts[1] = AttemptState(id=1, author="rules", code="0" * 64, result="1" * 64)
    session.current = 1
    view_state = ViewState(session, FailingBlobs(error))
    assert view_state.code() == ""
    assert view_state.result() is None
    assert view_state.file("2" * 64) == b""
    assert len(view_state.log("stdout")) == 0
