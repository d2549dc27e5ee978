"""Selectors that bs4 can't read are found before a program is run."""

from __future__ import annotations

import ast

import pytest
import soupsieve
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.loop.css_selectors import css_selectors, selector_problems
from scrapewright.loop.static_check import StaticChecker


def found(code: str) -> list[tuple[int, str]]:
    return css_selectors(ast.parse(code))


@pytest.mark.parametrize(
    ("code", "selectors"),
    [
        ("soup.select('li.mug')", ["li.mug"]),
        ("a = [x.select_one('h3') for x in soup.select('li')]", ["h3", "li"]),
        ("soup.css.select('p', limit=3)", ["p"]),
        ("CARD = '.card'\ndef main():\n    soup.select(CARD)", [".card"]),
        ("card: str = '.card'\nsoup.select(card)", [".card"]),
        ("for s in ('h2', 'h3'):\n    soup.select(s)", ["h2", "h3"]),
        ("soup.select('a' if wide else 'b')", ["a", "b"]),
        ("def text(tag, s):\n    return tag.select_one(s)\ntext(x, 'h3')\ntext(x, s='h4')", ["h3", "h4"]),
        ("def text(tag, *, s):\n    return tag.select_one(s)\ntext(x, s='h4')", ["h4"]),
        ("try:\n    soup.select('h3')\nexcept Exception:\n    pass", ["h3"]),
        # put together at run time, or not known to be a selector
        ("soup.select(f'li.{name}')", []),
        ("soup.select('li' + name)", []),
        ("CARD = '.card'\nCARD += ' >'\nsoup.select(CARD)", []),
        ("CARD = '.card >'\nCARD = CARD + ' a'\nsoup.select(CARD)", []),
        ("s = 'li >'\nfor s in all_of_them:\n    soup.select(s)", []),
        ("def text(tag, s):\n    s = s + ' a'\n    return tag.select_one(s)\ntext(x, 'h3 >')", []),
        ("def text(tag, s):\n    return tag.select_one(s)\ntext(*both, 'h3 >')", []),
        ("def text(tag, s):\n    return tag.find(s)\ntext(x, 'h3 >')", []),
        ("soup.select(':--cards', custom={':--cards': '.card'})", []),
        ("select.select([], [], [])", []),
        ("soup.select()", []),
    ],
)
def test_the_selectors_of_a_program(code: str, selectors: list[str]) -> None:
    assert sorted(text for _, text in found(code)) == selectors


def test_what_can_not_be_read_is_reported_with_its_line() -> None:
    code = """\
import re
PRICE = "p.price::text"
for card in soup.select("li:has(> h3"):
    card.select_one(PRICE)
    card.select_one("dc|creator, a:-soup-contains('x'), a:contains('y')")
open("rows.csv", "w").write("")
soup = card = None
"""
    assert selector_problems(ast.parse(code)) == [
        (
            2,
            "line 2: 'p.price::text' is no selector that bs4 reads: Pseudo-element found at position 7; bs4 gives "
            "texts by get_text() and attributes by [name]",
        ),
        (3, "line 3: 'li:has(> h3' is no selector that bs4 reads: Unclosed pseudo-class at position 11"),
    ]
    checked = StaticChecker().check(code)
    assert (len(checked.problems), checked.line, checked.fails) == (2, 2, True)


@pytest.mark.parametrize(
    ("code", "fails"),
    [
        ("soup.select('h3 >')", True),
        (
            "def rows(soup):\n    try:\n        return soup.select('h3 >')\n    except ValueError:\n        return []",
            False,
        ),
        ("soup.select('h3')", False),
        ("print(1 2)", True),
        ("print(odd)", False),  # whether it comes there is not known
    ],
)
def test_what_ends_a_run_for_certain(code: str, fails: bool) -> None:
    assert StaticChecker().check(f"soup = None\n{code}\n").fails is fails


@given(st.text(max_size=30))
def test_a_program_is_refused_exactly_where_bs4_would_refuse_its_selector(selector: str) -> None:
    try:
        soupsieve.compile(selector)
    except (soupsieve.SelectorSyntaxError, NotImplementedError, ValueError):
        good = False
    else:
        good = True
    assert (selector_problems(ast.parse(f"soup.select({selector!r})")) == []) is good
