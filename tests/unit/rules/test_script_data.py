"""Lists that are in a page's scripts or attributes alone: the program reads them there, and its rows are trusted."""

from __future__ import annotations

import html
import json
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup

from scrapewright.programmers.rules.helpers import function
from scrapewright.survey.decode import Document, parse
from scrapewright.survey.script_data import as_json, literal_at, script_values
from tests.unit.reading_helpers import html as shell
from tests.unit.reading_helpers import read
from tests.unit.survey.helpers import page

WARES = [
    {"name": 'Oak "long" table', "price": 149.5, "maker": "Fell & Sons"},
    {"name": "Reed chair", "price": 38.0, "maker": "Uno"},
    {"name": "Ida's lamp", "price": 12.25, "maker": "Fell & Sons"},
    {"name": "Wool rug", "price": 89.99, "maker": "Harbour"},
]


def document(markup: str) -> Document:
    return parse(page(markup))


def loose(data: Any) -> str:
    """Data as people write it into scripts."""
    if isinstance(data, dict):
        return "{" + "".join(f"{key}: {loose(value)}, " for key, value in data.items()) + "}"
    if isinstance(data, list):
        return "[" + ",\n".join(map(loose, data)) + ",]"
    return "'" + data.replace("'", "\\'") + "'" if isinstance(data, str) else json.dumps(data)


KEYED = {"entities": {"wares": {f"w{n}": ware for n, ware in enumerate(WARES, 40)}}, "build": "4.1"}
PLACES = {
    "by their ids": f"<script>window.__STATE__ = {json.dumps(KEYED)};</script>",
    "given to a function": f"<script>/* [1] */ shop.show({json.dumps(WARES)}, 'grid');</script>",
    "written as JavaScript": f"<script>var open = {{run() {{}}}}; var wares = {loose(WARES)}; start();</script>",
    "in an attribute": f'<div id="app" data-props="{html.escape(json.dumps({"page": 1, "list": WARES}))}"></div>',
    "in a stream": "".join(
        f"<script>self.__next_f.push([1,{json.dumps(piece)}])</script>"
        for piece in ('1:"$Sreact.fragment"\n7:["$","$L9",null,{"items":', f'{json.dumps(WARES)}}}]\n', '8:null\n')
    ),
}  # fmt: skip


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_a_list_that_scripts_hold(place: str, tmp_path: Path) -> None:
    found = read("all wares on {}: name, price (float), maker", shell(f"<h1>Wares</h1><div></div>{place}"), tmp_path)
    assert [(row["name"], float(row["price"]), row["maker"]) for row in found.rows] == [
        (ware["name"], ware["price"], ware["maker"]) for ware in WARES
    ]
    assert found.ok, found.verdict


MORE = [{"name": f"Tub {n}", "price": 5.5 + n, "maker": "Fell & Sons"} for n in range(4)]
"""What is on the second page."""
PAGES = {
    "the number of a line is another": (
        f"<script>self.__next_f.push([1,{json.dumps('7:' + json.dumps({'items': WARES}))}])</script>",
        f"<script>self.__next_f.push([1,{json.dumps('9:' + json.dumps({'items': MORE}))}])</script>",
    ),
    "keyed records are a list": (
        f"<script>S = {json.dumps({'all': dict(zip('abcd', WARES, strict=True))})}</script>",
        f"<script>S = {json.dumps({'all': MORE})}</script>",
    ),
    "an empty value comes first": (
        f"<script>var items = [];</script><script>items = {loose(WARES)};</script>",
        f"<script>var items = [];\nitems = {loose(MORE)};</script>",
    ),
    "another element has the attribute": (
        f"<i data-list='open'></i><i data-list='[]'></i><i data-list='{html.escape(json.dumps(WARES))}'></i>",
        f"<i data-list='{html.escape(json.dumps(MORE))}'></i>",
    ),
    "a template has the name": (
        f"<script type='text/template'>show([1])</script><script>show({json.dumps(WARES)})</script>",
        f"<script type='text/template'>show([1])</script><script>show({json.dumps(MORE)})</script>",
    ),
}


@pytest.mark.parametrize("pages", PAGES.values(), ids=PAGES)
def test_the_second_page_is_read_as_the_first(pages: tuple[str, str], tmp_path: Path) -> None:
    onward = '<a rel="next" href="/?page=2">Next</a>'
    served = {"/": shell(f"<h1>Wares</h1>{pages[0]}{onward}"), "/?page=2": shell(f"<h1>Wares</h1>{pages[1]}")}
    found = read("all wares on all pages of {}: name, price (float), maker", served, tmp_path)
    assert found.column("name") == [ware["name"] for ware in [*WARES, *MORE]]


def test_of_a_name_that_is_given_several_values_none_is_offered() -> None:
    scripts = f"<script>add({json.dumps(WARES)}); add({json.dumps(MORE)})</script>"
    assert not list(script_values(document(shell(scripts))))


LITERALS = (
    r"{a: 'x', 'b': [1, 2,], }", r"""["it\'s", "a: b, ]", {c:"\u00e9"}]""", r"""['a \"b\" \'c\'', "\x41"]""",
    "[]", "{1: !0, b: undefined, c: !1}", "['a\\\\', 'b']", "[{a: 'x; y(z)'}]",
)  # fmt: skip


@pytest.mark.parametrize("text", LITERALS)
def test_the_program_reads_literals_as_the_survey_does(text: str) -> None:
    assert function("literal_at")(f"x = {text}; y()", 4) == literal_at(f"x = {text}; y()", 4) == text
    assert function("as_json")(text) == as_json(text)
    assert json.loads(as_json(text)) is not None


@pytest.mark.parametrize(
    "code",
    [
        "a=[" * 10_000, 'a={x:"' + r'\"' * 20_000, "a={x:" + "q" * 40_000, "f([" * 5_000 + "]" * 5_000,
        'self.__next_f.push([1,"' + r'\"' * 20_000, "a={" + "b:{" * 60_000 + "}" * 60_001,
    ],
    ids=["opened and not closed", "a text without an end", "a long name", "calls in calls", "a piece", "deep"],
)  # fmt: skip
def test_code_that_holds_no_data_is_given_up(code: str) -> None:
    assert list(script_values(document(shell(f"<script>{code}</script>")))) == []
    soup = BeautifulSoup(f"<script>{code}</script>", "lxml")
    assert [function(name)(soup, "a") for name in ("data_of", "literal_of")] == [None, None]
    assert function("flight_of")(soup) == []
