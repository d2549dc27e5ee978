"""The lines of Home: a past session says how it ended, or why it has not."""

from __future__ import annotations

import pytest

from scrapewright.store.sessions import Summary
from scrapewright.tui.view.home import past_line, search_text


@pytest.mark.parametrize(
    ("outcome", "open_now", "shown"),
    [("success", True, "success"), ("", True, "open now"), ("", False, "cut off")],
)
def test_a_session_that_is_open_is_not_called_cut_off(outcome: str, open_now: bool, shown: str) -> None:
    summary = Summary("s", "mugs", outcome=outcome, open=open_now)
    assert shown in "".join(text for text, _ in past_line(summary, 0.0, sites=True))
    assert shown in search_text(summary)
