"""What a person can mean by a part of a text."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.programmers.rules.ops import run, value_of
from scrapewright.programmers.rules.quantities import pieces
from scrapewright.programmers.rules.view import View
from scrapewright.query.reading import Field
from scrapewright.survey.model import Slot

ROW = Slot(id="s1", selector="p.row")


@pytest.mark.parametrize(
    ("kind", "texts", "wanted"),
    [
        ("text", ("Fri 9:30 AM to 10:45 AM", "Sat 8:00 AM to 1:15 PM"), ("10:45 AM", "1:15 PM")),
        ("text", ("Lentil soup 250ml 3.10", "Oat bar 40 g 1.20"), ("250ml", "40 g")),
        ("text", ("Lentil soup 250ml 3.10", "Oat bar 40 g 1.20"), ("Lentil soup", "Oat bar")),
        ("text", ("12. Mill Lane", "Quay", "3. Old Road", "7) Well"), ("Mill Lane", "Quay", "Old Road", "Well")),
        ("text", ("Hull, Ward 3, East", "York, Ward 12, North"), ("Ward 3", "Ward 12")),
        ("text", ("a / b / c", "d / e / f / g"), ("c", "g")),
        ("text", ("3日13：00－16：40", "4日9：30－11：00"), ("16:40", "11:00")),
        ("text", ("Elm v. Oak (No. 12) (May)", "Fir v. Yew (No. 7) (June)"), ("No. 12", "No. 7")),
        ("text", ("Elm v. Oak 2025 ND 115", "Fir v. Yew 2024 ND 7"), ("2025 ND 115", "2024 ND 7")),
        (
            "text", ("Judge: Hon. Elm Jr. (sitting)", "Judge: Hon. Oak (sitting)", "Judge: Hon. A. Fir (sitting)",
                     "Judge: Hon. Yew (sitting)"),
            ("Elm Jr.", "Oak", "A. Fir", "Yew"),
        ),
        ("text", ("'x' “Elm” and “Oak”", "“Fir” or “Yew”"), ("Elm", "Fir")),
        ("text", ("Quay 9, 3 May 2024: Elm 4 a", "Mill 12, 4 May 2024: Fir"), ("Elm 4 a", "Fir")),
        ("text", ("Quay 9, 3 May 2024: Elm 4 a", "Mill 12, 4 May 2024: Fir"), ("Quay 9", "Mill 12")),
        (
            "text", ("by A. Roe on Monday", "by B. Poe and C on Friday", "by Di on Sunday", "by Ed Fox on Monday"),
            ("A. Roe", "B. Poe and C", "Di", "Ed Fox"),
        ),
        ("int", ("Hall 3 seats 120", "Room 14 seats 30"), ("120", "30")),
        ("date", ("3 May 2024 – 7 May 2024", "1 June 2024 – 2 June 2024"), ("7 May 2024", "2 June 2024")),
    ],
    ids=[
        "time", "measure", "before numbers", "numbered", "middle piece", "last piece", "wide", "brackets",
        "from a number", "between marks", "quotes", "after a day", "before a day", "between words", "number", "date",
    ],
)  # fmt: skip
def test_a_part_that_texts_have(kind: str, texts: tuple[str, ...], wanted: tuple[str, ...]) -> None:
    found = list(pieces(Field(name="x", type=kind), [View(slot=ROW, values=texts)]))  # type: ignore[arg-type]
    assert wanted in [view.values for view in found]


def test_what_few_texts_have_and_long_prose_are_no_parts() -> None:
    few = View(slot=ROW, values=("one, two", "three", "four", "five"))
    prose = View(slot=ROW, values=("word, " * 200, "other, " * 200))
    assert not list(pieces(Field(name="x"), [few, prose]))


@given(st.lists(st.text("ab 1,:-/", min_size=1, max_size=30), min_size=1, max_size=4))
def test_the_steps_to_a_part_give_what_is_shown(texts: list[str]) -> None:
    clean = [" ".join(text.split()) or None for text in texts]
    for view in pieces(Field(name="x"), [View(slot=ROW, values=tuple(clean))]):
        for text, value in zip(clean, view.values, strict=True):
            if text and value:
                assert run(view.ops, text) == value
                assert re.sub(r"\s", "", value) in re.sub(r"\s", "", text)


@pytest.mark.parametrize(
    ("texts", "place", "wanted"),
    [
        (("12 May 2024: Elm", "13 May 2024: Fir"), "before", None),
        (("Elm 1:00 pm", "Fir 2:00 p.m."), "after", None),
        (("13:00 - 14:00 Elm", "15:00 - 16:00 Fir"), "before", None),
        (("10km by Ann", "21 km by Bo", "5 km by Cy", "8km by Di"), "between", ("Ann", "Bo", "Cy", "Di")),
    ],
    ids=["a day's own figures", "of a time", "a time before it", "a word that is not one in each"],
)
def test_a_part_is_what_its_program_reads(texts: tuple[str, ...], place: str, wanted: tuple[str, ...] | None) -> None:
    found = list(pieces(Field(name="x"), [View(slot=ROW, values=texts)]))
    beside = [view for view in found if view.place[:1] == (place,) and view.place[1:2] != ("number",)]
    assert [view.values for view in beside if None not in view.values][-1:] == ([wanted] if wanted else [])
    for view in found:
        assert view.values == tuple(value_of(text, view.ops) for text in texts)
