from __future__ import annotations

import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.query.read import read_request
from scrapewright.query.row_examples import row_example
from scrapewright.query.tokens import Tokens

NAMES = st.from_regex(r"[a-z][a-z_]{0,9}", fullmatch=True)
VALUES = st.none() | st.booleans() | st.integers(0, 99) | st.floats(0, 9) | st.sampled_from(["", "string"])


def test_the_keys_of_an_example_are_the_columns_and_its_values_say_their_types() -> None:
    read = read_request(
        'Fill this for every kiosk at http://127.0.0.1:9/x: {"kiosk": "", "tables": 0, "rent": 0.0, "open": true,'
        ' "opened": "YYYY-MM-DD", "sells": []} and write kiosks.json'
    )
    types = [("kiosk", "text"), ("tables", "int"), ("rent", "float"), ("open", "bool"), ("opened", "date")]
    assert [(field.name, field.type) for field in read.fields] == [*types, ("sells", "list")]
    assert read.file == "kiosks.json"


def test_an_array_of_one_example_is_one_too() -> None:
    read = read_request('http://127.0.0.1:9/x -> [{"plate": "string", "km": "integer"}]')
    assert [(field.name, field.type) for field in read.fields] == [("plate", "text"), ("km", "int")]


@pytest.mark.parametrize("text", ["{}", "{name, price}", '{"name": ', '{"item": {"name": ""}}', "{" * 10_000])
def test_what_is_no_example_of_a_row_is_none(text: str) -> None:
    assert row_example(Tokens(text[:10_000])) is None


def test_an_examples_values_say_no_types_and_its_address_is_none_to_read() -> None:
    row = '{"title": "Yes or no", "maker": "Float Miller", "price": 12, "link": "https://other.example/p/1"}'
    read = read_request(f"rows like {row} from http://127.0.0.1:9/x")
    types = [("title", "text"), ("maker", "text"), ("price", "float"), ("link", "url")]
    assert [(field.name, field.type) for field in read.fields] == types
    assert read.urls == ("http://127.0.0.1:9/x",)


@pytest.mark.parametrize(
    "text",
    [
        'All lamps from http://127.0.0.1:9/x, columns name, price and stock. Post {"page": 2} for the next page.',
        'Columns: name, price, stock. http://127.0.0.1:9/x Wait until window.__STATE__ = {"loaded": true}',
        'From http://127.0.0.1:9/x rows like {"name": string, "price": float, "stock": {"id": 1, "rating": 2.0}}',
    ],
)
def test_other_json_does_not_hide_the_list_of_columns(text: str) -> None:
    assert [column.name for column in read_request(text).columns] == ["name", "price", "stock"]


@pytest.mark.parametrize("row", [r'{"\ud83d": 1, "name": 2}', '{"": 1, "name": ""}', r'{"name": "\ud83d"}'])
def test_what_can_not_be_kept_is_no_column(row: str) -> None:
    read = read_request(f"{row} http://127.0.0.1:9/x")
    assert all(column.name.strip() for column in read.columns)
    msgspec.json.encode(read)


@given(st.dictionaries(NAMES, VALUES, min_size=1, max_size=6), st.sampled_from(["", "rows like ", "x: "]))
def test_every_object_is_read_to_its_end(row: dict[str, object], before: str) -> None:
    tokens = Tokens(f"{before}{json.dumps(row)} please")
    found = row_example(tokens)
    assert found is not None
    assert [item.name for item in found.items] == list(row)
    assert tokens.said(found.start, found.end) == json.dumps(row)
