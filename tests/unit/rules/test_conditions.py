"""Conditions that the request puts in words and the page answers in one place, and those that it does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.rules.helpers import lint, served
from tests.unit.rules.layouts import Case, framed, records
from tests.unit.rules.layouts.ways import expected, outcome


def product(name: str, price: str, former: str = "") -> str:
    amount = f'<b class="amount">€{price}</b>'
    shown = f'<del><b class="amount">€{former}</b></del> <ins>{amount}</ins>' if former else amount
    return f'<li class="product"><h2>{name}</h2><span class="price">{shown}</span></li>'


SHOP = framed(
    '<ul class="products">'
    + product("Stool", "89.00")
    + product("Bench", "199.00", "240.00")
    + product("Box", "35.50")
    + product("Table", "950.00", "1250.00")
    + product("Lamp", "110.00")
    + "</ul>"
)
RIVERS = framed(
    "<table><thead><tr><th>River</th><th>Length (km)</th><th>Continent</th><th>Mouth</th></tr></thead><tbody>"
    + "".join(
        f"<tr><td>{river}</td><td>{length}</td><td>{where}</td><td>{mouth}</td></tr>"
        for river, length, where, mouth in (
            ("Ebro", 930, "Europe", "Mediterranean"),
            ("Volta", 1500, "Africa", "Atlantic"),
            ("Oder", 866, "Europe", "Baltic"),
            ("Indus", 3180, "Asia", "Arabian Sea"),
            ("Limpopo", 1750, "Africa", "Indian Ocean"),
            ("Kura", 1364, "Asia", "Caspian"),
        )
    )
    + "</tbody></table>"
)
POSTS = framed(
    '<div class="jobs">'
    + "".join(
        f'<div class="job"><h3><a href="/j/{n}">{title}</a></h3><span class="firm">{firm}</span>'
        f'<span class="place">{place}</span></div>'
        for n, (title, firm, place) in enumerate(
            (
                ("Baker", "Rye & Co", "Remote"),
                ("Welder", "Iron Works", "Hull"),
                ("Clerk", "Mill", "Remote"),
                ("Cook", "Inn", "York"),
            )
        )
    )
    + "</div>"
)
FILES = framed(
    "<table><tr><th>Name</th><th>Size</th></tr>"
    + "".join(
        f'<tr><td><a href="{name}">{name}</a></td><td>{size}</td></tr>'
        for name, size in (
            ("kit-1.0.tar.gz", "1.2M"),
            ("kit-1.0.tar.gz.asc", "833"),
            ("kit-1.1.tar.gz", "1.3M"),
            ("kit-1.1.zip", "1.4M"),
            ("notes.txt", "4K"),
        )
    )
    + "</table>"
)
ARCHIVES = records(
    "name url",
    ("kit-1.0.tar.gz", "{URL}kit-1.0.tar.gz"),
    ("kit-1.1.tar.gz", "{URL}kit-1.1.tar.gz"),
)
CASES = [
    Case(
        "a former price marks what is on sale",
        "List only the products on sale at {URL} with name, old_price (float), sale_price (float). JSON",
        SHOP,
        records("name old_price sale_price", ("Bench", 240.0, 199.0), ("Table", 1250.0, 950.0)),
    ),
    Case(
        "a former price that was not asked for",
        "{URL}: name, price (float) of products on sale only. JSON",
        SHOP,
        records("name price", ("Bench", 199.0), ("Table", 950.0)),
    ),
    Case(
        "a column that was not asked for says it",
        "{URL}: rivers in Europe only, river and length as int, longest first, JSON",
        RIVERS,
        records("river length", ("Ebro", 930), ("Oder", 866)),
    ),
    Case(
        "a mark of the record",
        "Which remote jobs are listed on {URL} ? title, firm. JSON",
        POSTS,
        records("title firm", ("Baker", "Rye & Co"), ("Clerk", "Mill")),
    ),
    Case("what links end with", "{URL}: name, url. Only the .tar.gz files. JSON", FILES, ARCHIVES),
    Case("what links end with, said first", "List the .tar.gz files on {URL}: name, url. JSON", FILES, ARCHIVES),
]


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
async def test_rows_are_those_that_the_page_marks(case: Case, tmp_path: Path) -> None:
    with served({"/": case.page}) as site:
        found = await outcome(site, case.request, tmp_path)
        assert found.rows == expected(case.rows, site)
        assert found.verdict.ok, found.verdict.findings
        assert lint(found.code) == ""


@pytest.mark.parametrize(
    ("request_", "page"),
    [
        ("{URL}: rivers of renown only, river and length as int, JSON", RIVERS),
        # Two columns say it, of other rivers.
        ("{URL}: rivers in Asia only, river and length as int, JSON", RIVERS.replace("Baltic", "Asia")),
        ("{URL}: products not on sale, name, price (float). JSON", SHOP),
    ],
)
async def test_a_condition_without_one_answer_stays_a_doubt(request_: str, page: str, tmp_path: Path) -> None:
    with served({"/": page}) as site:
        assert not (await outcome(site, request_, tmp_path)).verdict.ok


async def test_a_word_of_what_a_row_is_chooses_none_where_it_is_said_in_passing(tmp_path: Path) -> None:
    rooms = ("Board room", "Annexe", "Board room", "Hall")
    page = framed(
        '<div class="list">'
        + "".join(
            f'<div class="meeting"><h3>{day} meeting</h3><span class="place">{room}</span></div>'
            for day, room in zip(("May", "June", "July", "August"), rooms, strict=True)
        )
        + "</div>"
    )
    with served({"/": page}) as site:
        found = await outcome(site, "List every board meeting on {URL}: title, place. JSON", tmp_path)
        assert [row["place"] for row in found.rows] == list(rooms)
