"""What is drawn takes the cells that it is said to take, in whatever terminal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from scrapewright.tui.view.cells import cells, drawn, fit, flat

FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467"
TEXTS = st.text(
    alphabet=st.sampled_from(["a", " ", "é", "\u0301", "日", "🙂", "\u2764", "\ufe0f", "\u200d", "🏽", "\t", "\x1b"]),
    max_size=40,
)


@given(TEXTS)
def test_each_character_takes_the_cells_that_it_takes_alone(text: str) -> None:
    assert cell_len(drawn(text)) == sum(map(cell_len, drawn(text)))


@given(TEXTS, st.integers(1, 30), st.booleans(), st.booleans())
def test_a_text_is_fitted_to_the_cell(text: str, width: int, right: bool, middle: bool) -> None:
    fitted = fit(text, width, right=right, middle=middle)
    assert cell_len(fitted) == width
    assert drawn(text) in fitted if cells(text) <= width else "…" in fitted


def test_what_joins_and_varies_emoji_is_kept_in_what_is_not_drawn() -> None:
    assert flat(f"{FAMILY} \u2764\ufe0f\n👍🏽") == f"{FAMILY} \u2764\ufe0f 👍🏽"
    assert drawn(f"{FAMILY} \u2764\ufe0f\n👍🏽") == "👩👩👧 \u2764 👍"


@pytest.mark.parametrize(
    ("text", "width", "fitted"),
    [("abc", 5, "  abc"), ("日本", 5, " 日本"), ("abcdef", 4, "abc…"), ("日本語", 4, "日 …")],
)
def test_numbers_are_at_the_right_and_long_texts_are_cut(text: str, width: int, fitted: str) -> None:
    assert fit(text, width, right=True) == fitted


def test_a_link_that_is_cut_shows_both_its_ends() -> None:
    link = "https://shop.example/catalogue/lamps/reading-lamp-no-4"
    assert fit(link, 24, middle=True) == "https:/…eading-lamp-no-4"
