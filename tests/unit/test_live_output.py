"""Printed lines, however they come in pieces."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from scrapewright.tui.live_output import LineLog


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
