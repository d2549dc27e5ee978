"""Colours that are worked out in pieces equal those worked out at once."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from scrapewright.tui.widgets.highlight import LINES_AT_MOST, Highlighter

PIECES = [
    "import requests", "def main():", "    x = 'a' + \"b\"", '    """Doc', "    more", '    """', "x = '''", "'''",
    "class A:", "# note", "    return f'{x} {y!r}'", "", "@decorator", "y = [", "    1,", "]", "if x:", "else:",
    "print('done')  # end", "z = r'\\d+'",
]  # fmt: skip
programs = st.lists(st.sampled_from(PIECES), max_size=60)


def colours(lines: list[str]) -> list[list[tuple[int, int, str]]]:
    fresh = Highlighter()
    fresh.update(lines)
    return [merged(fresh.spans(n)) for n in range(len(lines))]


def merged(spans: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Neighbours of one kind as one: how a string is cut into tokens depends on where its end is."""
    found: list[tuple[int, int, str]] = []
    for start, end, kind in spans:
        if found and found[-1][1:] == (start, kind):
            found[-1] = (found[-1][0], end, kind)
        else:
            found.append((start, end, kind))
    return found


@given(programs)
def test_a_program_that_grows_has_the_colours_of_the_whole(lines: list[str]) -> None:
    growing = Highlighter()
    for count in range(len(lines) + 1):
        growing.update(lines[:count])
        for number in range(count):
            growing.spans(number)
    assert [merged(growing.spans(n)) for n in range(len(lines))] == colours(lines)


@settings(max_examples=50, deadline=None)
@given(programs, st.integers(0, 60), programs)
def test_a_program_that_is_edited_has_the_colours_of_the_new_one(lines: list[str], at: int, other: list[str]) -> None:
    edited = Highlighter()
    edited.update(lines)
    for number in range(len(lines)):
        edited.spans(number)
    new = lines[:at] + other
    edited.update(new)
    assert [merged(edited.spans(n)) for n in range(len(new))] == colours(new)


def test_only_what_is_asked_for_is_worked_out() -> None:
    lines = [f"a{n} = {n}" for n in range(4_000)]
    lazy = Highlighter()
    lazy.update(lines)
    assert lazy.spans(10)[0] == (0, 3, "name")
    assert lazy.lexed < 500
    lazy.update([*lines, "b = 1"])
    assert lazy.lexed >= 10, "what did not change keeps its colours"


def test_a_very_long_program_has_no_colours() -> None:
    long = Highlighter()
    long.update(["import x"] * (LINES_AT_MOST + 1))
    assert long.spans(0) == []


def test_a_very_long_line_has_no_colours_and_its_neighbours_do() -> None:
    mixed = Highlighter()
    mixed.update(["x = 1", "y = '" + "z" * 100_000 + "'", "def f():"])
    assert mixed.spans(1) == []
    assert mixed.spans(2)[0] == (0, 3, "keyword")
