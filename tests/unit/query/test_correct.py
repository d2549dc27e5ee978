"""A reading is corrected part by part; what was not touched stays as it was read."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapewright.query.correct import BadCorrection, corrected, parts
from scrapewright.query.model import Doubt, Field, Filter, Order, Query
from scrapewright.query.read import read_query

REQUEST = (
    "all books under 20 pounds on https://example.org/: title, price (float), date as dd.mm.yyyy, cheapest first, "
    "without ads, the first 3 pages, save as books.json"
)
WORDS = st.from_regex(r"[a-z][a-z_]{0,11}", fullmatch=True).filter(
    lambda word: word not in {"contains", "lacks", "desc", "asc", "not", "without", "up", "down", "leave"}
)
FIELDS = st.builds(
    Field,
    name=WORDS,
    type=st.sampled_from(["text", "int", "float", "bool", "list"]),
    words=st.lists(WORDS, max_size=2).map(tuple),
    note=WORDS,
    optional=st.booleans(),
    typed=st.booleans(),
)
DATES = st.builds(
    Field, name=WORDS, type=st.sampled_from(["date", "datetime"]), date_format=st.just("%d.%m.%Y: %H, %M")
)
FILTERS = st.one_of(
    st.builds(Filter, text=WORDS, field=WORDS, op=st.sampled_from(["eq", "ne", "contains", "lacks"]), value=WORDS),
    st.builds(
        Filter,
        text=WORDS,
        field=WORDS,
        op=st.sampled_from(["lt", "le", "gt", "ge"]),
        value=st.integers(0, 10**9).map(str),
    ),
    st.builds(Filter, text=WORDS, value=WORDS),
)
PAGING = st.one_of(
    st.sampled_from([("unsaid", None), ("first", None), ("all", None)]),
    st.integers(2, 900).map(lambda pages: ("count", pages)),
)


@st.composite
def queries(draw: st.DrawFn) -> Query:
    fields = tuple(draw(st.lists(FIELDS | DATES, max_size=4, unique_by=lambda field: field.name)))
    named = st.sampled_from([f.name for f in fields]) if fields else WORDS
    said: tuple[Any, int | None] = draw(PAGING)
    paging, pages = said
    return Query(
        text=draw(WORDS),
        urls=("https://example.org/a", "http://127.0.0.1:8000/b?c=d"),
        fields=fields,
        subject=tuple(draw(st.lists(WORDS, max_size=2))),
        section=draw(WORDS | st.just("")),
        paging=paging,
        pages=pages,
        follow=tuple(draw(st.lists(WORDS, max_size=2))),
        filters=tuple(draw(st.lists(FILTERS, max_size=3))),
        order=tuple(Order(n, draw(st.booleans())) for n in draw(st.lists(named, max_size=2, unique=True))),
        limit=draw(st.none() | st.integers(1, 10**6)),
        distinct=tuple(draw(st.lists(named, max_size=2, unique=True))),
        single=draw(st.booleans()),
        format=draw(st.sampled_from(["csv", "json", "jsonl"])),
        filename=draw(WORDS | st.just("")),
        unread=("odd words", "bits"),
        doubts=(Doubt(text="odd words", kind="condition"),),
    )


@settings(max_examples=50)
@given(queries())
def test_a_part_written_as_it_stands_changes_nothing(query: Query) -> None:
    for part in parts(query):
        assert corrected(query, part.key, part.text) == query, part


@settings(max_examples=50)
@given(queries())
def test_all_parts_written_into_an_empty_reading_make_the_same_parts(query: Query) -> None:
    new = Query(text=query.text, unread=query.unread, doubts=query.doubts)
    for part in parts(query):
        if part.text:
            new = corrected(new, part.key, part.text)
    assert [(p.key, p.text) for p in parts(new)] == [(p.key, p.text) for p in parts(query)]


@settings(max_examples=50)
@given(queries(), st.text(max_size=40))
def test_any_text_is_taken_or_refused_with_what_is_accepted(query: Query, text: str) -> None:
    for part in parts(query):
        with suppress(BadCorrection):
            new = corrected(query, part.key, text)
            assert msgspec.json.decode(msgspec.json.encode(new), type=Query) == new


def read(**changes: str) -> Query:
    query = read_query(REQUEST)
    for key, text in changes.items():
        query = corrected(query, key.replace("_", "."), text)
    return query


def test_a_request_is_taken_apart() -> None:
    found = {part.key: part.text for part in parts(read_query(REQUEST))}
    assert found["sites"] == "https://example.org/"
    assert found["field.1"] == "price: float"
    assert found["field.2"] == "date: date, written %d.%m.%Y"
    assert found["paging"] == "3"
    assert found["order"] == "price"
    assert "price < 20" in found.values()
    assert found["file"] == "books.json"


def test_a_field_is_changed_added_and_removed() -> None:
    query = read(field_1="cost: int, optional", field_3="url: url, absolute")
    assert [f.name for f in query.fields] == ["title", "cost", "date", "url"]
    assert query.fields[1] == Field("cost", "int", ("cost",), optional=True, typed=True)
    assert query.fields[3].absolute
    assert [f.name for f in corrected(query, "field.0", "").fields] == ["cost", "date", "url"]


def test_what_speaks_of_a_renamed_field_follows_it() -> None:
    query = read(field_1="cost: float")
    assert query.order == (Order("cost"),)
    assert "cost" in {f.field for f in query.filters}


def test_a_type_that_was_guessed_stays_guessed_until_it_is_changed() -> None:
    query = read_query("mugs on https://example.org/: name, price")
    (price,) = [p for p in parts(query) if p.text.startswith("price")]
    assert not corrected(query, price.key, price.text).fields[1].typed
    assert corrected(query, price.key, "price: int").fields[1].typed


def test_a_condition_is_written_anew() -> None:
    query = corrected(Query(text="x"), "filter.0", "title contains blue mug")
    assert query.filters == (Filter("title contains blue mug", "title", "contains", "blue mug"),)
    assert corrected(query, "filter.1", "leave out adverts").filters[1] == Filter("leave out adverts", value="adverts")


def test_the_ending_of_the_file_follows_the_format_and_the_other_way_round() -> None:
    assert read(format="csv").output_name == "books.csv"
    assert read(file="all.jsonl").format == "jsonl"


def test_what_was_not_understood_is_let_go_of_with_its_doubt() -> None:
    said = "colour not red and fluffy quux"
    query = Query(text="x", unread=("well", said), doubts=(Doubt(text=said, kind="condition"),))
    while doubts := [p for p in parts(query) if p.key.startswith("doubt")]:
        query = corrected(query, doubts[0].key, "")
    assert not query.doubts
    assert query.unread == ("well",)


@pytest.mark.parametrize(
    ("key", "text", "said"),
    [
        ("sites", "", "needs the address"),
        ("sites", "ftp://x.org", "no address of a web page"),
        ("sites", "http://[", "no address of a web page"),
        ("field.0", "price: flaot", "'flaot' is no type; types are text"),
        ("field.0", "price: float", "a field 'price' already"),
        ("field.0", "title: text, written %d", "only a date"),
        ("paging", "some", "all, first, or a number"),
        ("limit", "-3", "whole number"),
        ("order", "colour", "fields are title, price, date"),
        ("distinct", "colour", "fields are title"),
        ("filter.0", "cheap", "price < 20"),
        ("filter.0", "price < cheap", "needs a number"),
        ("format", "xml", "csv, json, jsonl"),
        ("file", "../x", "without a folder"),
        ("nonsense", "x", "no part"),
        ("field.x", "x", "no part"),
    ],
)
def test_what_can_not_stand_there_is_refused_with_what_can(key: str, text: str, said: str) -> None:
    with pytest.raises(BadCorrection, match=said):
        corrected(read_query(REQUEST), key, text)
