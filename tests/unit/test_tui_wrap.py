"""Lines of spans are broken to a width: nothing is lost, nothing is wider."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from scrapewright.tui.view.wrap import wrap_spans

WORDS = st.text(alphabet="ab é日🙂 ́", max_size=60)
LINES = st.lists(st.tuples(WORDS, st.sampled_from(["", "bold"])), max_size=5)


def text(piece: list[tuple[str, str]]) -> str:
    return "".join(part for part, _ in piece)


@given(LINES, st.integers(4, 30))
def test_no_piece_is_wider_and_no_word_is_lost(line: list[tuple[str, str]], width: int) -> None:
    pieces = wrap_spans(line, width)
    assert all(cell_len(text(piece)) <= width for piece in pieces)
    assert "".join(map(text, pieces)).replace(" ", "") == text(line).replace(" ", "")


@given(LINES, st.integers(4, 30))
def test_each_character_keeps_its_style(line: list[tuple[str, str]], width: int) -> None:
    def styled(spans: list[tuple[str, str]]) -> list[tuple[str, str]]:
        return [(char, style) for part, style in spans for char in part if char != " "]

    assert [pair for piece in wrap_spans(line, width) for pair in styled(piece)] == styled(line)


def test_it_breaks_at_spaces_and_indents_as_the_first_line_is() -> None:
    line = [("  it reads ", ""), ("the number", "bold"), (" wherever it occurs", "")]
    assert [text(piece) for piece in wrap_spans(line, 16)] == [
        "  it reads the",
        "  number",
        "  wherever it",
        "  occurs",
    ]


def test_a_word_that_is_too_long_is_cut() -> None:
    assert [text(piece) for piece in wrap_spans([("abcdefghij kl", "")], 4)] == ["abcd", "efgh", "ij", "kl"]
    assert wrap_spans([], 5) == [[]]
