"""No byte that a terminal would obey gets through."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.session.sanitize import one_line, sanitize

nasty = st.text(
    alphabet=st.one_of(
        st.sampled_from("\x1b\x9b\x9d\x90\x07\x9c]P[0;2m\\\u202e\u2066\ud800\r\n\t\x00\x7f"), st.characters()
    )
)


@given(nasty)
def test_nothing_obeyed_is_left(text: str) -> None:
    clean = sanitize(text)
    for char in clean:
        assert char in "\n\t" or unicodedata.category(char) not in {"Cc", "Cs"}
        assert unicodedata.bidirectional(char) not in {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    assert sanitize(clean) == clean
    clean.encode("utf-8")  # no lone surrogate is left


@given(st.text(alphabet=st.characters(categories=["L", "N", "P", "S", "Zs", "M"])))
def test_text_for_people_stays(text: str) -> None:
    assert sanitize(text) == text


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("\x1b]2;PWNED\x07title", "title"),
        ("\x1b]52;c;aGk=\x1b\\copied", "copied"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b[2", ""),
        ("\x9b31mred", "red"),
        ("\x1bPq#0\x1b\\sixel", "sixel"),
        ("a\r\nb\rc", "a\nbc"),
        ("left\u202egnp.exe", "leftgnp.exe"),
        ("[/]", "[/]"),
        ("tab\there", "tab\there"),
        ("\x1b]0;never ended\nnext line", "\nnext line"),
    ],
)
def test_known_tricks(text: str, clean: str) -> None:
    assert sanitize(text) == clean


def test_one_line() -> None:
    assert one_line("  a\n\tb  ", 10) == "a b"
    assert one_line("x" * 30, 10) == "x" * 9 + "…"


def test_one_line_looks_at_the_beginning_of_a_long_text_alone() -> None:
    assert one_line("a\n" * 1_000_000, 10) == "a a a a a…"
    assert one_line(" " * 1_000_000 + "b", 10) == "…", "what was not looked at is not said to be nothing"
    text = "é\x1b[31m " * 300_000
    began = time.process_time()
    for _ in range(200):
        one_line(text)
    assert time.process_time() - began < 2.0, "the whole text takes a second each time"
