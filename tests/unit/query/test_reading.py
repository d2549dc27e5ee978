"""The JSON form of a reading, and whose word counts where two readings meet."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.query.reading import (
    BadReading,
    Column,
    Filter,
    Order,
    Reading,
    combined,
    differing,
    from_builtins,
    from_json,
    schema,
    to_builtins,
)
from tests.json_values import json_values
from tests.unit.query.test_correct import readings

WHOLE: dict[str, Any] = {
    "urls": ["https://example.org/books"], "row_is": "book",
    "columns": [
        {"name": "title", "type": "text", "format": None, "note": ""},
        {"name": "price", "type": "float", "format": None, "note": "in pounds, may be missing"},
        {"name": "published", "type": "date", "format": "%Y-%m-%d", "note": ""},
    ],
    "pages": 3, "follow": None,
    "filters": [{"text": "20 or more", "column": "price", "op": "ge", "value": 20}],
    "section": None, "order": [{"column": "price", "descending": True}], "limit": None, "distinct": [],
    "single": False, "format": "json", "format_said": True, "doubtful": "",
}  # fmt: skip


def test_a_whole_reading_is_read_with_the_parts_that_it_has() -> None:
    reading, given_parts = from_json(json.dumps(WHOLE), "the request")
    assert reading.text == "the request"
    assert reading.columns[1] == Column("price", "float", note="in pounds, may be missing")
    assert reading.columns[2].format == ""  # ISO is what dates are without one
    assert reading.fields[1].optional
    assert reading.filters == (Filter("20 or more", "price", "ge", "20"),)
    assert (reading.paging, reading.page_count, reading.output_name) == ("count", 3, "rows.json")
    assert set(given_parts) == {
        "urls",
        "row_is",
        "columns",
        "pages",
        "filters",
        "order",
        "distinct",
        "single",
        "format",
    }


@given(readings())
def test_what_is_written_is_read_again(reading: Reading) -> None:
    data = json.dumps(to_builtins(reading))
    assert from_json(data)[0] == reading


LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
KEYS = st.sampled_from([*WHOLE, "name", "type", "x"])
ANY_JSON = json_values(LEAVES, KEYS, most=6, max_leaves=12)


@given(ANY_JSON)
def test_any_json_is_taken_or_refused(raw: Any) -> None:
    with suppress(BadReading):
        reading, _ = from_builtins(raw)
        assert from_builtins(to_builtins(reading))[0] == reading


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"colums": []}, "unknown field `colums`"),
        ({"columns": [{"name": "a", "typ": "int"}]}, r"unknown field `typ` - at `\$.columns\[0\]`"),
        ({"columns": [{"name": "a", "type": "integer"}]}, r"'integer' - at `\$.columns\[0\].type`"),
        ({"columns": [{"name": " "}]}, r"needs a name - at `\$.columns\[0\].name`"),
        ({"columns": [{"name": "a"}, {"name": "a"}]}, r"two columns 'a' - at `\$.columns\[1\].name`"),
        ({"columns": [{"name": "a", "type": "int", "format": "%d"}]}, r"have a format.*at `\$.columns\[0\]`"),
        ({"urls": ["books"]}, r"no address of a web page .* at `\$.urls\[0\]`"),
        ({"pages": "some"}, r"at `\$.pages`"),
        ({"pages": 0}, r"0 is no number of pages - at `\$.pages`"),
        ({"limit": -1}, r"-1 is no number of rows - at `\$.limit`"),
        ({"filters": [{"text": "x", "op": "near"}]}, r"at `\$.filters\[0\].op`"),
        ({"distinct": ["isbn"]}, r"'isbn' is no column; columns are title, price, published - at `\$.distinct\[0\]`"),
        ({"file": "../rows.csv"}, r"without a folder, of at most 200 bytes: books.csv - at `\$.file`"),
        ({"single": "yes"}, r"at `\$.single`"),
    ],
)
def test_what_can_not_be_is_refused_with_its_place(change: dict[str, Any], said: str) -> None:
    with pytest.raises(BadReading, match=said):
        from_builtins(WHOLE | change)


@pytest.mark.parametrize("data", ["", "[]", "3", "{", '{"columns": {}}', "x" * 60_000])
def test_what_is_no_reading_is_refused(data: str) -> None:
    with pytest.raises(BadReading):
        from_json(data)


def test_the_schema_takes_what_is_written() -> None:
    made = schema()
    properties = made["$defs"]["Reading"]["properties"]
    assert set(WHOLE) <= set(properties)
    assert {"type": "null"} in properties["section"]["anyOf"]
    assert {"type": "null"} in made["$defs"]["Column"]["properties"]["type"]["anyOf"]
    assert made["$defs"]["Reading"]["additionalProperties"] is False


GRAMMAR = Reading(
    text="t", urls=("https://example.org/",), columns=(Column("sub_headline"),), pages="all", order=(Order("date"),),
    unread=("odd words",), sources={"columns": "grammar", "pages": "grammar", "order": "grammar"},
)  # fmt: skip


def test_a_models_reading_replaces_the_grammars_and_not_the_persons() -> None:
    corrected = combined(GRAMMAR, Reading(pages=2), ("pages",), "person")
    model = Reading(columns=(Column("headline"), Column("sub")), pages="first", format="json", format_said=True)
    after = combined(corrected, model, ("columns", "pages", "order", "format"), "model")
    assert [c.name for c in after.columns] == ["headline", "sub"]
    assert after.pages == 2
    assert after.order == ()
    assert after.format == "json"
    assert after.unread == ()
    assert after.urls == GRAMMAR.urls
    assert after.sources == {"columns": "model", "pages": "person", "order": "model", "format": "model"}
    assert differing(corrected, after) == ("columns", "order", "format")


def test_a_part_corrected_leaves_the_rest_unread() -> None:
    unnamed = msgspec.structs.replace(GRAMMAR, columns=())
    for before in (GRAMMAR, unnamed):
        assert combined(before, Reading(pages=2), ("pages",), "person").unread == ("odd words",)
    assert combined(unnamed, Reading(pages=2), ("pages",), "model").unread == ()


@given(readings(), readings())
def test_what_a_person_said_stays(below: Reading, above: Reading) -> None:
    said = msgspec.structs.replace(below, sources={"order": "person", "limit": "person"})
    after = combined(said, above, ("columns", "order", "limit"), "model")
    assert (after.order, after.limit) == (below.order, below.limit)
    assert after.columns == above.columns


@pytest.mark.parametrize(
    ("said", "heading"),
    [
        ('the "Spare Parts" box', "Spare Parts"), ("«Ανταλλακτικά»", "Ανταλλακτικά"),
        ("women's shoes", "women's shoes"), ('"Old" or "New"', '"Old" or "New"'), ("side bar", "side bar"),
    ],
)  # fmt: skip
def test_the_section_is_what_is_quoted_of_it(said: str, heading: str) -> None:
    assert from_json(json.dumps({"section": said}))[0].section == heading
