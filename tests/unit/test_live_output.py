"""Printed lines, however they come in pieces."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scrapewright.session import events as ev
from scrapewright.session.events import Phase
from scrapewright.tui.live_output import LineLog, LiveOutput


def lines(*pieces: str) -> list[str]:
    log = LineLog()
    for piece in pieces:
        log.write(piece)
    return list(log.since(0))


def test_a_line_that_ends_in_a_carriage_return_and_a_newline_is_whole() -> None:
    assert lines("par", "tial\r", "\nnext\r\n") == ["partial", "next"]


def test_a_progress_bar_is_what_it_was_drawn_to_last() -> None:
    assert lines("10 %\r", "50 %", "\r100", " %\r", "\n") == ["100 %"]
    assert lines("10 %\r50 %\r") == ["50 %"]


@given(st.lists(st.text("ab\r\n", max_size=6)))
def test_pieces_make_the_lines_of_the_whole(pieces: list[str]) -> None:
    assert lines(*pieces) == lines("".join(pieces))


def test_how_fast_it_goes_and_that_nothing_comes() -> None:
    now = [100.0]
    live = LiveOutput(lambda: now[0])
    live.receive(ev.PhaseChanged(phase=Phase.WRITING))
    assert live.pace(Phase.WRITING, 0) == ("", False)
    now[0] = 112.0
    assert live.pace(Phase.WRITING, 0) == ("no text yet, 12 s", True)
    live.receive(ev.CodeStreamed(text="x" * 200))
    now[0] = 114.0
    live.receive(ev.CodeStreamed(text="x" * 200))
    assert live.pace(Phase.WRITING, 0) == ("about 50 tokens a second", False)
    now[0] = 122.0
    assert live.pace(Phase.WRITING, 0) == ("no text for 8 s", True)
    live.receive(ev.RunStarted(sandbox="x"))
    now[0] = 124.0
    assert live.pace(Phase.RUNNING, 7) == ("page 7, 3.5 a second", False)
    assert live.pace(Phase.JUDGING, 7) == ("", False)
