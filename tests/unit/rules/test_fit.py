"""What the steps fitted to texts make of them: times of day, lists."""

from __future__ import annotations

import pytest

from scrapewright.critics.normal_forms import durations
from scrapewright.programmers.rules.fit import fit
from scrapewright.query.reading import Field, FieldType
from tests.unit.rules.test_figures import made

SPENT = [
    (["1 h 30 min", "45 min"], [90, 45]),
    (["2 timmar 5 min", "1 timer 10 minutter", "1 tim", "45 min"], [125, 70, 60, 45]),
    (["1 tunti 5 min", "50 min"], [65, 50]),
    (["1 sa 20 dk", "35 dk"], [80, 35]),
    (["1 год 15 хв", "40 хв"], [75, 40]),
    (["1 ώρα 20 λεπτά", "45 λεπτά"], [80, 45]),
]


def read(values: list[str], kind: FieldType, form: str = "") -> list[object]:
    found = fit(values, Field(name="zeta", type=kind, date_format=form))
    assert found is not None
    return made(found, values)


@pytest.mark.parametrize(
    ("values", "times"),
    [
        (["9:30 AM", "12:05 am", "11:15 PM"], ["09:30", "00:05", "23:15"]),
        (["7pm", "11am"], ["19:00", "11:00"]),
        (["5/9 Thu 1:30 PM", "5/10 Fri 10:00 AM"], ["13:30", "10:00"]),
        (["9:05", "17:40"], ["09:05", "17:40"]),
        (["9h05", "17h40"], ["09:05", "17:40"]),
        (["9:05 - 9:50", "17:40 - 18:10"], ["09:05", "17:40"]),
        (["noon", "later"], ["noon", "later"]),
    ],
)
def test_a_time_of_day_is_written_as_asked(values: list[str], times: list[str]) -> None:
    assert read(values, "text", "%H:%M") == times


@pytest.mark.parametrize(
    ("name", "values", "years"),
    [
        ("year", ["4/2019", "11/1998", "2003"], [2019, 1998, 2003]),
        ("Jahr", ["12. Mai 2020", "1. Juni 2021"], [2020, 2021]),
        ("zeta", ["4/2019", "11/1998"], [4, 11]),
    ],
)
def test_the_year_of_dates_is_read_where_a_year_is_asked_for(name: str, values: list[str], years: list[int]) -> None:
    found = fit(values, Field(name=name, type="int"))
    assert found is not None
    assert made(found, values) == years


@pytest.mark.parametrize("mark", [" - ", " – ", ", ", " / "])
def test_one_text_that_holds_several_is_split_where_they_are_set_apart(mark: str) -> None:
    assert read([mark.join(("Oak 3-4", "Elm", "Ash 7"))], "list") == [["Oak 3-4", "Elm", "Ash 7"]]


@pytest.mark.parametrize("last", ["and", "und", "y", "och", "&", "и"])
def test_the_last_of_several_follows_a_word(last: str) -> None:
    texts = [f"Oak, Elm {last} Ash", f"Fir {last} Yew", "Candy", f"Box, Fig, {last} Sandalwood"]
    assert read(texts, "list") == [["Oak", "Elm", "Ash"], ["Fir", "Yew"], ["Candy"], ["Box", "Fig", "Sandalwood"]]


@pytest.mark.parametrize("text", ["Oak, made in a mill", "Rouge, fait en France"])
def test_a_small_word_of_one_text_is_not_what_the_last_of_several_follows(text: str) -> None:
    assert read([text, "Elm, Ash"], "list") == [text.split(", "), ["Elm", "Ash"]]


def test_a_word_between_two_alone_sets_nothing_apart() -> None:
    assert read(["Salt and pepper, Oil", "Vinegar and sugar"], "list") == [
        ["Salt and pepper", "Oil"],
        ["Vinegar and sugar"],
    ]


def test_an_address_is_no_list_of_its_parts() -> None:
    links = ["http://tags.test/tag/oak", "http://tags.test/tag/elm"]
    assert read(links, "list") == [[link] for link in links]
    assert read(["oak/elm", "ash/fir"], "list") == [["oak", "elm"], ["ash", "fir"]]


@pytest.mark.parametrize(
    ("values", "minutes"),
    [
        (["Sat 3 May, 9:30 AM - 11:00 AM", "Sun 4 May, 11:30 PM - 12:15 AM"], [90, 45]),
        (["9:05–9:50", "17:40 bis 18:10", "all day", "8:00-8:30"], [45, 30, None, 30]),
        *SPENT,
    ],
)
def test_how_many_minutes_it_takes(values: list[str], minutes: list[object]) -> None:
    found = fit(values, Field(name="minutes", type="int"))
    assert found is not None
    assert made(found, values) == minutes


@pytest.mark.parametrize(("values", "minutes"), SPENT)
def test_the_critics_know_how_many_minutes_it_takes(values: list[str], minutes: list[int]) -> None:
    assert [wanted in durations(value) for value, wanted in zip(values, minutes, strict=True)] == [True] * len(values)


@pytest.mark.parametrize(
    ("name", "values", "wanted"),
    [
        ("total_time", ["PT55M", "PT1H5M"], [55, 65]),
        ("cook_minutes", ["PT40M"], [40]),
        ("views", ["55M", "1.2M"], [55_000_000, 1_200_000]),
    ],
)
def test_the_m_of_a_duration_is_minutes(name: str, values: list[str], wanted: list[int]) -> None:
    found = fit(values, Field(name=name, type="int"))
    assert found is not None
    assert made(found, values) == wanted


def test_what_says_that_there_is_none_counts_none() -> None:
    assert read(["No comments", "1 comment", "12 comments"], "int") == [0, 1, 12]
    assert read(["keine Antworten", "3 Antworten"], "int") == [0, 3]


@pytest.mark.parametrize("texts", [["✓", "✗"], ["✔️", "❌"], ["Yes", "–"]])
def test_marks_answer_too(texts: list[str]) -> None:
    assert read(texts, "bool") == [True, False]
