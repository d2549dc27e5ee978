"""The options of a question, drawn: each can be distinguished from the others at any width and height."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from scrapewright.session.questions import Option
from scrapewright.tui.view.options import option_lines, samples_line

PRICES = Option("s1", "price", ".price", (12.5, None, 48.16))
NAMES = Option("s2", "title", "h3 > a@title", ("Harbour Lamp", "Wool Throw, Undyed", "Café Ladle"))


def text(line: list[tuple[str, str]]) -> str:
    return "".join(part for part, _ in line)


def test_each_option_has_its_number_name_place_and_samples() -> None:
    lines = [text(line) for line in option_lines((PRICES, NAMES), 80, 10, marked=1)]
    assert lines == [
        " 1  price  .price",
        "    12.5 · ∅ · 48.16",
        " 2  title  h3 > a@title",
        "    Harbour Lamp · Wool Throw, Undyed · Café Ladle",
    ]


def test_links_are_shown_from_where_they_differ() -> None:
    shop = "https://shop.example/a/long/way/down/"
    lamp, vase = f"{shop}lamps/a.html", f"{shop}vases/b.html"
    assert text(samples_line((lamp, None, vase), 80)) == "…/lamps/a.html · ∅ · …/vases/b.html"
    assert text(samples_line((lamp, lamp), 80)).count("https://shop.") == 2, "nothing differs"
    two = ("https://a.example/x", "https://b.example/x")
    assert text(samples_line(two, 80)) == " · ".join(two)


def test_where_there_is_little_room_an_option_is_one_line() -> None:
    lines = [text(line) for line in option_lines((PRICES, NAMES), 60, 3)]
    assert len(lines) == 2
    assert lines[0].startswith(" 1  price")
    assert "12.5" in lines[0]


def test_a_long_sample_that_is_alone_takes_the_line() -> None:
    record = "Lantern & Loom " * 20
    (line,) = option_lines((Option("g", "8 × article", samples=(record, "second")),), 60, 2)[1:]
    assert cell_len(text(line)) == 60
    assert text(line).endswith("…")


TEXTS = st.text(max_size=40)
SAMPLES = st.lists(
    st.none() | TEXTS | st.integers() | st.floats() | st.booleans() | st.lists(TEXTS, max_size=3), max_size=12
)
OPTIONS = st.builds(Option, id=TEXTS, text=st.text(max_size=60), where=st.text(max_size=60), samples=SAMPLES.map(tuple))


@given(st.lists(OPTIONS, max_size=8), st.integers(20, 160), st.integers(8, 30))
def test_no_line_is_too_wide_and_no_option_is_lost(options: list[Option], width: int, most: int) -> None:
    lines = option_lines(options, width, most)
    assert all(cell_len(text(line)) <= width for line in lines)
    assert len(lines) <= most
    assert sum(text(line).startswith(f" {n} ") for n, _ in enumerate(options, 1) for line in lines) >= len(options)


@pytest.mark.parametrize("width", [2, 5, 30])
def test_samples_fit(width: int) -> None:
    assert cell_len(text(samples_line(("Harbour Lamp", 1, True), width))) <= width
