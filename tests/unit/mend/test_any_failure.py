"""Whatever is said to have failed wherever: a repair compiles and differs, or there is none. Nothing raises."""

from __future__ import annotations

import ast

from hypothesis import given, settings
from hypothesis import strategies as st

from scrapewright.loop.ports import Attempt, Brief
from scrapewright.loop.syntax_fixes import syntax_error
from scrapewright.programmers.rules.mends import mend
from scrapewright.programmers.rules.scene import in_docstring
from scrapewright.query.reading import Column, Order, Reading
from scrapewright.session.result import ExceptionInfo, Frame, Request, RunResult, Step
from scrapewright.session.verdict import Finding, Verdict
from scrapewright.web.page import Page
from tests.suite import examples

PROGRAM = '''"""Prices – und mehr."""
import csv, json
import re
from datetime import datetime
from urllib.parse import urljoin

import requests
from bs4 import BeautifulSoup

BASE = "http://shop.test/"
RATING = {"One": 1, "Two": 2}


class Item:
    def __init__(self, card):
        self.name = card.find("h3", class_="title").text.strip()
        self.price = float(re.sub("[^0-9.]", "", card.select_one("span.price")["data-p"]))


def read(card, url):
    cells = card.find_all("td")
    när = datetime.strptime(card.time.get_text().strip(), "%d %B %Y").date().isoformat()
    return {"name": cells[0].text, "price": float(cells[1].text[1:].split()[0]), "när": när,
            "url": card.a["href"], "rating": RATING[card.p["class"][1]],
            "tags": [t.text for t in card.select("a[rel=tag]")]}


def main():
    rows, url = [], BASE
    while url:
        response = requests.get(url)
        soup = BeautifulSoup(response.text, "html5lib")
        for card in soup.select("div.card"):
            rows.append(read(card, url))
        link = soup.find("a", {"class": "next"})
        url = urljoin(url, link["href"]) if link else None
    rows.sort(key=lambda row: row["price"])
    with open("/out/rows.csv", "w") as file:
        writer = csv.DictWriter(file, fieldnames=["name", "price", "url"])
        writer.writerows(rows)


main()
'''
SPOTS = sorted(
    {
        (node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or 0)
        for node in ast.walk(ast.parse(PROGRAM))
        if isinstance(node, ast.expr)
    }
)
ERRORS = st.sampled_from(
    [
        ("ValueError", "could not convert string to float: '1.250,00'"),
        ("ValueError", "invalid literal for int() with base 10: ''"),
        ("ValueError", "time data '2024-03-18' does not match format '%d %B %Y'"),
        ("AttributeError", "'NoneType' object has no attribute 'text'"),
        ("AttributeError", 'ResultSet object has no attribute "text". You\'re probably treating a list'),
        ("KeyError", "'href'"),
        ("KeyError", "'Zero'"),
        ("AttributeError", "'NavigableString' object has no attribute 'find_all'"),
        ("IndexError", "list index out of range"),
        ("TypeError", "'NoneType' object is not subscriptable"),
        ("TypeError", "'<' not supported between instances of 'NoneType' and 'float'"),
        ("TypeError", "float() argument must be a string or a real number, not 'NoneType'"),
        ("NameError", "name 'tim' is not defined"),
        ("bs4.FeatureNotFound", "Couldn't find a tree builder with the features you requested: html5lib. Do you need"),
        ("soupsieve.util.SelectorSyntaxError", "Malformed attribute selector at position 1"),
        ("UnicodeDecodeError", "'utf-8' codec can't decode byte"),
        ("FileNotFoundError", "[Errno 2] No such file or directory: '/out/rows.csv'"),
        ("UnicodeEncodeError", "'charmap' codec can't encode character '\\u0361'"),
        ("requests.exceptions.MissingSchema", "Invalid URL '/a': No scheme supplied."),
        ("RecursionError", "maximum recursion depth exceeded"),
    ]
)
VALUES = st.sampled_from(
    [
        "None",
        "'1.250,00 €'",
        "''",
        "'Zero'",
        "<ResultSet of 0>",
        "<Tag td>",
        "['a', 'b']",
        "12.5",
        "'cut…",
        "{… +2}",
        "'18 März'",
    ]
)
NAMES = st.sampled_from(["card", "cells", "text", "rows", "url", "link", "när", "response"])
FINDINGS = st.lists(
    st.builds(
        Finding,
        st.sampled_from(
            [
                "mojibake",
                "relative-link",
                "wrong-type",
                "low-coverage",
                "missing-column",
                "too-few-rows",
                "wrong-order",
                "not-distinct",
                "duplicate-rows",
                "limit-broken",
                "extra-rows",
                "no-file",
                "unreadable-file",
            ]
        ),
        st.sampled_from(["the file is not UTF-8", "row 1 is a header", "x"]),
        st.sampled_from(["name", "price", "url", "stock", ""]),
        expected=st.sampled_from(["", "24", "£1,250.00", "rows.csv"]),
        got=st.sampled_from(["", "20", "£4"]),
    ),
    max_size=3,
)


@settings(max_examples=examples(300), deadline=None)
@given(
    ERRORS, st.sampled_from(SPOTS), st.booleans(), st.dictionaries(NAMES, VALUES, max_size=4), FINDINGS, st.booleans()
)
def test_no_failure_makes_it_stumble(
    error: tuple[str, str],
    spot: tuple[int, int, int, int],
    placed: bool,
    values: dict[str, str],
    found: list[Finding],
    failed: bool,
) -> None:
    line, column, end_line, end_column = spot
    frame = Frame("scraper.py", line, "read", "", end_line, column if placed else -1, end_column, values)
    info = ExceptionInfo(error[0], error[1], (frame,))
    page = Page("http://shop.test/", status=200, body=b'<div class="card"><h3 class="titel">A</h3><a>x</a></div>')
    requests = (Request("GET", page.url, 200),) * 3
    status = "error" if failed else "timeout"
    result = RunResult(
        status, 1, exception=info if failed else None, steps=(Step(line, values=values),), requests=requests
    )
    query = Reading(
        "q",
        urls=(page.url,),
        columns=(Column("name"), Column("price", "float"), Column("url", "url"), Column("stock", "int")),
        order=(Order("price", True),),
        limit=3,
        distinct=("name",),
    )
    verdict = Verdict(False, 0.5, tuple(found), columns=("Name", "prices"))
    attempts = [Attempt(1, "model", PROGRAM, result=result, verdict=verdict)]
    for blank in ((), ("steps", "locals")):
        draft = mend(Brief(query, None, tuple(attempts), {page.url: page}, blank=blank))
        if draft is not None:
            assert syntax_error(draft.code) is None
            assert ast.dump(ast.parse(draft.code)) != ast.dump(ast.parse(PROGRAM))
            assert draft.diagnosis.endswith(".")


@given(st.text(st.sampled_from("a9\"'\\\n{}x…"), max_size=60))
def test_a_text_of_the_page_stays_inside_the_docstring_that_quotes_it(text: str) -> None:
    (said,) = ast.parse(
        f'"""The first number in a text such as {in_docstring(text)}, None where there is none."""'
    ).body
    assert isinstance(said, ast.Expr)
    assert isinstance(said.value, ast.Constant)
