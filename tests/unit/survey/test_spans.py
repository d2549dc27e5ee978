"""Tables whose cells span rows and columns, with headings and sums of every kind: columns stay columns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import html as lxml_html

from scrapewright.programmers.rules.helpers import function
from scrapewright.survey import tables
from tests.unit.reading_helpers import Reading, html, read

RUNNERS = ("Adeyemi", "Brandt", "Castillo", "Dubois", "Eriksen", "Fontaine", "Gruber", "Haddad", "Ivanova")
EVENTS = ("Sprint", "Relay", "Hurdles")
YEARS = (2019, 2021, 2023)


def winners(plain: bool = False) -> str:
    rows = ""
    for y, year in enumerate(YEARS):
        for e, event in enumerate(EVENTS):
            first = f"<td>{year}</td>" if plain else f'<td rowspan="3">{year}</td>' if not e else ""
            rows += f"<tr>{first}<td>{event}</td><td>{RUNNERS[3 * y + e]}</td></tr>"
    return f"<table><tr><th>Year</th><th>Event</th><th>Winner</th></tr>{rows}</table>"


ASKED = "results on {}: year (int), event, winner"
RIGHT = [(str(year), event, RUNNERS[3 * y + e]) for y, year in enumerate(YEARS) for e, event in enumerate(EVENTS)]


def cells(found: Reading, *names: str) -> list[tuple[Any, ...]]:
    return [tuple(row[name] for name in names) for row in found.rows]


def test_a_cell_over_several_rows_belongs_to_each_of_them(tmp_path: Path) -> None:
    found = read(ASKED, html(winners()), tmp_path)
    assert cells(found, "year", "event", "winner") == RIGHT
    assert found.ok
    assert "def unspan(rows):" in found.code


def test_a_table_without_spans_needs_no_grid(tmp_path: Path) -> None:
    found = read(ASKED, html(winners(plain=True)), tmp_path)
    assert cells(found, "year", "event", "winner") == RIGHT
    assert found.ok
    assert "unspan" not in found.code


def test_a_cell_in_the_middle_over_several_rows(tmp_path: Path) -> None:
    rows = ""
    for k, runner in enumerate(RUNNERS[:8]):
        hall = f'<td rowspan="2">{("Ring", "Cube", "Arena", "Forum")[k // 2]} Hall</td>' if k % 2 == 0 else ""
        rows += f"<tr><td>{k + 3} May 2024</td>{hall}<td>{runner}</td><td>{k + 40}</td></tr>"
    head = "<thead><tr><th>Date</th><th>Hall</th><th>Name</th><th>Points</th></tr></thead>"
    found = read(
        "bouts on {}: date, hall, name, points (int)", html(f"<table>{head}<tbody>{rows}</tbody></table>"), tmp_path
    )
    assert [row["hall"] for row in found.rows] == [
        f"{h} Hall" for h in ("Ring", "Cube", "Arena", "Forum") for _ in "12"
    ]
    assert cells(found, "date", "name", "points") == [
        (f"2024-05-{k + 3:02}", runner, str(k + 40)) for k, runner in enumerate(RUNNERS[:8])
    ]
    assert found.ok


def test_a_cell_over_two_columns_belongs_to_both(tmp_path: Path) -> None:
    rows = ""
    for k, who in enumerate(RUNNERS):
        middle = f'<td colspan="2">{who} all day</td>' if k % 4 == 2 else f"<td>{who}</td><td>Tea and cake</td>"
        rows += f"<tr><td>Room {k}</td>{middle}<td>{10 * k + 10}</td></tr>"
    head = "<tr><th>Room</th><th>Morning</th><th>Afternoon</th><th>Seats</th></tr>"
    found = read("rooms on {}: room, morning, afternoon, seats (int)", html(f"<table>{head}{rows}</table>"), tmp_path)
    assert found.column("seats") == [str(10 * k + 10) for k in range(9)]
    assert found.rows[2]["morning"] == found.rows[2]["afternoon"] == "Castillo all day"
    assert found.ok


SHIFTED = """
import csv, requests
from bs4 import BeautifulSoup
soup = BeautifulSoup(requests.get("{}").content, "lxml")
with open("rows.csv", "w", newline="", encoding="utf-8") as file:
    writer = csv.writer(file)
    writer.writerow(["year", "event", "winner"])
    year = None
    for row in soup.select("tr")[1:]:
        texts = [cell.get_text() for cell in row.select("td")]
        TAKE
        writer.writerow(texts[:3])
"""


@pytest.mark.parametrize(
    "take",
    [
        "texts = (texts + ['', ''])[:3]",
        "texts = texts if len(texts) == 3 else ['2019', *texts[::-1]]",
        "texts = texts if len(texts) == 3 else [texts[0], texts[0], texts[1]]",
    ],
)
def test_cells_taken_by_their_number_are_refused(take: str, tmp_path: Path) -> None:
    found = read(ASKED, html(winners()), tmp_path, SHIFTED.replace("TAKE", take))
    assert not found.ok
    assert found.findings & {"shifted-column", "wrong-record", "wrong-type"}


def test_a_program_that_carries_the_cell_on_by_hand_is_right(tmp_path: Path) -> None:
    take = "year = texts.pop(0) if len(texts) == 3 else year; texts = [year, *texts]"
    found = read(ASKED, html(winners()), tmp_path, SHIFTED.replace("TAKE", take))
    assert cells(found, "year", "event", "winner") == RIGHT
    assert found.ok, found.verdict


COUNTRIES = (
    ("Norway", "Oslo", 5),
    ("Peru", "Lima", 34),
    ("Ghana", "Accra", 33),
    ("Japan", "Tokyo", 125),
    ("Fiji", "Suva", 1),
)


@pytest.mark.parametrize(
    "total",
    [
        '<tr class="total"><th scope="row">Total</th><td></td><td>198</td></tr>',
        '<tr><td colspan="2"><b>Total</b></td><td>198</td></tr>',
        "<tr><td>Total:</td><td></td><td>198</td></tr>",
        '<tfoot><tr><td colspan="2">Summe</td><td>198</td></tr></tfoot>',
    ],
)
@pytest.mark.parametrize("row_heads", [True, False])
def test_a_row_of_sums_is_no_record(total: str, row_heads: bool, tmp_path: Path) -> None:
    tag = ("td", 'th scope="row"')[row_heads]
    rows = "".join(f"<tr><{tag}>{a}</{tag[:2]}><td>{b}</td><td>{c}</td></tr>" for a, b, c in COUNTRIES)
    head = '<tr><th scope="col">Country</th><th scope="col">Capital</th><th scope="col">People</th></tr>'
    body = f"<h1>Lands</h1><table><caption>In millions</caption>{head}{rows}{total}</table>"
    found = read("countries on {}: country, capital, people (int)", html(body), tmp_path)
    assert cells(found, "country", "capital", "people") == [(a, b, str(c)) for a, b, c in COUNTRIES]
    assert found.ok


def test_headings_of_two_lines(tmp_path: Path) -> None:
    above = '<tr><th rowspan="2">Country</th><th colspan="2">People</th></tr>'
    head = f"<thead>{above}<tr><th>2011</th><th>2021</th></tr></thead>"
    rows = "".join(f"<tr><td>{a}</td><td>{c}</td><td>{c + 2}</td></tr>" for a, _, c in COUNTRIES)
    found = read(
        "countries on {}: country, people_2011 (int), people_2021 (int)", html(f"<table>{head}{rows}</table>"), tmp_path
    )
    assert cells(found, "country", "people_2011", "people_2021") == [(a, str(c), str(c + 2)) for a, _, c in COUNTRIES]
    assert found.ok


span = st.sampled_from(["1", "2", "3", "0", "", " 2 ", "²", "two"])
spans = st.tuples(span, span)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(spans, min_size=1, max_size=4), min_size=2, max_size=6))
def test_survey_reader_and_program_lay_the_same_grid(layout: list[list[tuple[str, str]]]) -> None:
    number = 0
    body = ""
    for row in layout:
        body += "<tr>"
        for down, across in row:
            body += f'<td rowspan="{down}" colspan="{across}">c{number}</td>'
            number += 1
        body += "</tr>"
    page = f"<table>{body}</table>"
    tree = lxml_html.fromstring(page)
    rows = list(tree.iter("tr"))
    laid = tables.grid(rows)
    by_survey = [[cell.text for cell in laid[row]] for row in rows]
    found = function("unspan")(list(BeautifulSoup(page, "lxml").select("tr")))
    by_program = [[cell.get_text() for cell in row.select("td")] for row in found]
    assert by_survey == by_program
