"""A reading is corrected part by part; what was not touched stays as it was read."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrapewright.query.correct import BadCorrection, corrected, parts
from scrapewright.query.reading import Column, Filter, Order, Reading, from_builtins, to_builtins

ASKED = Reading(
    text="books on https://example.org/",
    urls=("https://example.org/",),
    columns=(Column("title"), Column("price", "float"), Column("date", "date", "%d.%m.%Y")),
    pages=3,
    filters=(Filter("under 20 pounds", "price", "lt", "20"), Filter("without ads", op="lacks", value="ads")),
    order=(Order("price"),),
    format="json",
    format_said=True,
    file="books.json",
    sources={"columns": "grammar", "pages": "grammar", "order": "grammar"},
)
WORDS = st.from_regex(r"[a-z][a-z_]{0,11}", fullmatch=True).filter(
    lambda word: word not in {"contains", "lacks", "desc", "asc", "not", "without", "up", "down", "leave", "one"}
)
COLUMNS = st.builds(
    Column,
    name=WORDS,
    type=st.sampled_from([None, "text", "int", "float", "bool", "list", "url"]),
    note=st.lists(WORDS, max_size=3).map(", ".join),
)
DATES = st.builds(
    Column, name=WORDS, type=st.sampled_from(["date", "datetime"]), format=st.just("%d.%m.%Y: %H, %M"), note=WORDS
)
FILTERS = st.one_of(
    st.builds(
        Filter, text=WORDS, column=WORDS | st.just(""), op=st.sampled_from(["eq", "ne", "contains", "starts", "ends"]),
        value=WORDS,
    ),
    st.builds(
        Filter,
        text=WORDS,
        column=WORDS,
        op=st.sampled_from(["lt", "le", "gt", "ge"]),
        value=st.integers(0, 10**9).map(str),
    ),
    st.builds(Filter, text=WORDS, op=st.just("lacks"), value=WORDS),
    st.builds(Filter, text=WORDS),
)  # fmt: skip


@st.composite
def readings(draw: st.DrawFn) -> Reading:
    columns = tuple(draw(st.lists(COLUMNS | DATES, max_size=4, unique_by=lambda column: column.name)))
    named = st.sampled_from([c.name for c in columns]) if columns else WORDS
    words = st.lists(WORDS, max_size=2).map(" ".join)
    return Reading(
        text=draw(WORDS),
        urls=("https://example.org/a", "http://127.0.0.1:8000/b?c=d"),
        columns=columns,
        row_is=draw(words),
        section=draw(words),
        pages=draw(st.sampled_from(["unsaid", "first", "all"]) | st.integers(2, 900)),
        follow=draw(words),
        filters=tuple(draw(st.lists(FILTERS, max_size=3))),
        order=tuple(Order(n, draw(st.booleans())) for n in draw(st.lists(named, max_size=2, unique=True))),
        limit=draw(st.none() | st.integers(1, 10**6)),
        distinct=tuple(draw(st.lists(named, max_size=2, unique=True))),
        single=draw(st.booleans()),
        format=draw(st.sampled_from(["csv", "json", "jsonl"])),
        file=draw(WORDS | st.just("")),
        unread=("odd words", "bits"),
    )


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(readings())
def test_a_part_written_as_it_is_changes_nothing(reading: Reading) -> None:
    for part in parts(reading):
        assert corrected(reading, part.key, part.text) == reading, part


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(readings())
def test_all_parts_written_into_an_empty_reading_make_the_same_parts(reading: Reading) -> None:
    new = Reading(text=reading.text, unread=reading.unread)
    for part in parts(reading):
        if part.text:
            new = corrected(new, part.key, part.text)
    assert [(p.key, p.text) for p in parts(new)] == [(p.key, p.text) for p in parts(reading)]


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(readings(), st.text(max_size=40))
def test_any_text_is_taken_or_refused_with_what_is_accepted(reading: Reading, text: str) -> None:
    for part in parts(reading):
        with suppress(BadCorrection):
            new = corrected(reading, part.key, text)
            assert from_builtins(to_builtins(new), new.text)[0] == new


@pytest.mark.parametrize("said", ['the "New arrivals" box', "“'New arrivals'”"])
def test_a_heading_in_quotes_is_what_they_hold(said: str) -> None:
    new = corrected(ASKED, "section", said)
    assert new.section == "New arrivals"
    assert from_builtins(to_builtins(new), new.text)[0] == new


def read(**changes: str) -> Reading:
    reading = ASKED
    for key, text in changes.items():
        reading = corrected(reading, key.replace("_", "."), text)
    return reading


def test_a_reading_is_taken_apart() -> None:
    found = {part.key: part.text for part in parts(ASKED)}
    assert found["sites"] == "https://example.org/"
    assert found["column.1"] == "price: float"
    assert found["column.2"] == "date: date, written %d.%m.%Y"
    assert found["pages"] == "3"
    assert found["order"] == "price"
    assert (found["filter.0"], found["filter.1"]) == ("price < 20", "leave out ads")
    assert found["file"] == "books.json"


def test_a_column_is_changed_added_and_removed() -> None:
    reading = read(column_1="cost: int (empty if sold out)", column_3="url: url (absolute)")
    assert [c.name for c in reading.columns] == ["title", "cost", "date", "url"]
    assert reading.columns[1] == Column("cost", "int", note="empty if sold out")
    assert reading.fields[1].optional
    assert reading.fields[3].absolute
    assert [c.name for c in corrected(reading, "column.0", "").columns] == ["cost", "date", "url"]


def test_what_names_a_renamed_column_follows_it() -> None:
    reading = read(column_1="cost: float")
    assert reading.order == (Order("cost"),)
    assert "cost" in {f.column for f in reading.filters}


def test_a_type_that_nobody_said_stays_so_until_it_is_said() -> None:
    (title, *_) = [p for p in parts(ASKED) if p.key.startswith("column")]
    assert corrected(ASKED, title.key, title.text).columns[0].type is None
    assert corrected(ASKED, title.key, "title: text").columns[0].type == "text"


def test_a_corrected_part_is_the_persons() -> None:
    reading = read(pages="all", limit="5")
    assert reading.sources == {"columns": "grammar", "pages": "person", "order": "grammar", "limit": "person"}


def test_a_condition_is_written_anew() -> None:
    query = corrected(Reading(text="x"), "filter.0", "title contains blue mug")
    assert query.filters == (Filter("title contains blue mug", "title", "contains", "blue mug"),)
    for text, wanted in (
        ("leave out adverts", Filter("leave out adverts", op="lacks", value="adverts")),
        ("the record starts with Ab", Filter("the record starts with Ab", "", "starts", "Ab")),
        ("the nice ones", Filter("the nice ones")),
    ):
        assert corrected(query, "filter.1", text).filters[1] == wanted


def test_the_ending_of_the_file_follows_the_format_and_the_other_way_round() -> None:
    assert read(format="csv").output_name == "books.csv"
    assert read(file="all.jsonl").format == "jsonl"


def test_what_was_not_understood_is_let_go_of() -> None:
    reading = Reading(text="x", unread=("colour not red", "well"))
    assert corrected(reading, "unread.0", "").unread == ("well",)


@pytest.mark.parametrize(
    ("key", "text", "said"),
    [
        ("sites", "", "needs the address"),
        ("sites", "ftp://x.org", "no address of a web page"),
        ("sites", "http://[", "no address of a web page"),
        ("column.0", "price: flaot", "'flaot' is no type; types are text"),
        ("column.0", "price: float", "a column 'price' already"),
        ("column.0", "title: text, written %d", "only a date"),
        ("pages", "some", "all, first, or a number"),
        ("limit", "-3", "whole number"),
        ("order", "colour", "columns are title, price, date"),
        ("distinct", "colour", "columns are title"),
        ("filter.0", "price < cheap", "needs a number"),
        ("filter.0", "= cheap", "price < 20"),
        ("format", "xml", "csv, json, jsonl"),
        ("file", "../x", "without a folder"),
        ("nonsense", "x", "no part"),
        ("column.x", "x", "no part"),
    ],
)
def test_what_is_not_valid_is_refused_with_what_is(key: str, text: str, said: str) -> None:
    with pytest.raises(BadCorrection, match=said):
        corrected(ASKED, key, text)
