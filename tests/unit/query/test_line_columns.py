"""Columns that stand in lines, one each, with what is said of them behind."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapewright.query.read import read_request
from tests.suite import examples

AT = "https://shop.example/list"
TEN = ("abacus", "bell", "cup", "dish", "ewer", "fork", "grill", "hook", "ink", "jug")


@pytest.mark.parametrize(
    ("lines", "names"),
    [
        ("title: what the lamp is called\nprice: integer, euros\nmaker", "title price maker"),
        ("title = text of the heading\nlist_price = what it costs", "title list_price"),
        ("\n  title - as shown\n  height: in cm\n  width\n\nCSV please", "title height width"),
        ("- name – no brand\n- volume_l: no units\n- price", "name volume_l price"),
        ("* foo – the first\n* bar – the second\n* baz\n\nOnly this page.", "foo bar baz"),
        ("1. shade: which one it is\n2. cord length\n3. price -> a number", "shade cord_length price"),
        ("• brenndauer, also in Stunden\n• sockel\n• lampenart", "brenndauer sockel lampenart"),
        ('title\nopens: HH:MM\nprice (int; in full euros)\narea - the bit before the price\nurl',
         "title opens price area url"),
        ("title: as shown\nprice: what it costs\nmaker\nshade\nhttps://shop.example/more", "title price maker shade"),
        ("`title`\n`price` → number\n`maker`", "title price maker"),
        ("lamp ........ as the heading says\nwattage ..... integer\nshade ....... text", "lamp wattage shade"),
        ("| column | remark |\n| lamp | as shown |\n| wattage | integer |\n| shade | text |", "lamp wattage shade"),
        ("where: the shop\nColumns\n  lamp     as shown\n  wattage\n  shade    (text)\nOrder: none",
         "lamp wattage shade"),
        ("a) lamp\nb) wattage: integer\nc) shade", "lamp wattage shade"),
        ("- lamp\n - wattage: integer\n- shade", "lamp wattage shade"),
        ("\n".join(f"{n}. {name}" for n, name in enumerate(TEN, 1)), " ".join(TEN)),
    ],
)  # fmt: skip
def test_lines_are_columns_with_their_notes(lines: str, names: str) -> None:
    reading = read_request(f"All lamps on {AT} please, with\n{lines}")
    assert " ".join(column.name for column in reading.columns) == names


def test_what_a_line_says_is_of_its_column_alone() -> None:
    reading = read_request(f"lamps on {AT}\nname: the part before the dash\nadded: YYYY-MM-DD\ncost: int, no sign\n")
    assert [(column.name, column.type, column.note) for column in reading.columns] == [
        ("name", None, "the part before the dash"),
        ("added", "date", "YYYY-MM-DD"),
        ("cost", "int", "int, no sign"),
    ]


@pytest.mark.parametrize(
    "lines",
    [
        "title\nprice",  # two names, no bullets: as well two words of a sentence
        "- open the page\n- title and price of each lamp\n- save as CSV",
        "source: https://shop.example/other\nformat: csv\nlimit: 10",
        "Columns:\nPlease:\nThanks:",
        "- title\n- price\n- and then sort it all by price",
    ],
)
def test_other_lines_are_none(lines: str) -> None:
    names = [column.name for column in read_request(f"All lamps on {AT}\n{lines}").columns]
    assert not {"open", "save", "source", "format", "limit", "Columns", "Please", "Thanks", "and"}.intersection(names)
    assert len(names) in (0, 2)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["", "- ", "• ", "3. "]),
            st.sampled_from(["title", "price", "a_b", "(", ":", "x y", "", "URL", "„a“", "https://a.example/"]),
            st.sampled_from([":", " -", ",", " /", "(", ")", "", " and"]),
            st.text(max_size=6),
        ),
        max_size=6,
    )
)
@settings(max_examples=examples(100))
def test_any_lines_are_read(lines: list[tuple[str, str, str, str]]) -> None:
    reading = read_request(f"{AT}\n" + "\n".join("".join(line) for line in lines))
    names = [column.name for column in reading.columns]
    assert len(set(names)) == len(names)
    assert all(name.strip() for name in names)
