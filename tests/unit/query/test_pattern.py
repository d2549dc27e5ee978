"""Patterns compiled at their first use."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.query import superlatives
from scrapewright.query.pattern import Pattern

WORDS = ["the", "3", "cheapest", "books", "oldest", "most expensive", "5", "les", "moins chers", "最安", "the 2"]


def test_nothing_is_compiled_before_it_is_used() -> None:
    pattern = Pattern("(")
    with pytest.raises(re.error):
        pattern.search("(")


@given(st.text("ab1 ", max_size=12))
def test_reads_as_a_compiled_one(text: str) -> None:
    lazy, plain = Pattern("(a+)b"), re.compile("(a+)b")
    assert lazy.findall(text) == plain.findall(text)
    assert lazy.sub("-", text) == plain.sub("-", text)
    assert lazy.split(text) == plain.split(text)
    assert [found.span() for found in lazy.finditer(text, 1)] == [found.span() for found in plain.finditer(text, 1)]
    for one, other in ((lazy.search, plain.search), (lazy.match, plain.match), (lazy.fullmatch, plain.fullmatch)):
        mine, theirs = one(text), other(text)
        assert (mine and mine.span()) == (theirs and theirs.span())


@given(st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join))
def test_what_a_superlative_needs_stands_in_whatever_matches_it(text: str) -> None:
    large = (*superlatives._PATTERNS, superlatives._AROUND, superlatives._ONE, superlatives._ONE_AFTER)
    for pattern in large:
        assert pattern.needs
        assert [found.span() for found in pattern.finditer(text)] == [
            found.span() for found in pattern.compiled.finditer(text)
        ]


def test_the_reader_compiles_next_to_nothing_when_it_is_imported() -> None:
    count = (
        "import re, gc; import scrapewright.query.read\n"
        "from scrapewright.query.pattern import Pattern\n"
        "made = [one for one in gc.get_objects() if isinstance(one, Pattern)]\n"
        "print(len(made), sum(one._compiled is not None for one in made))"
    )
    out = subprocess.run([sys.executable, "-c", count], capture_output=True, text=True, check=True).stdout.split()
    assert int(out[0]) > 100
    assert int(out[1]) == 0
