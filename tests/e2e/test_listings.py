"""Whole runs over the kinds of lists that sites are made of: each row must be what a person would have read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.e2e.site import called, serve, written

Row = dict[str, Any]


def page(body: str) -> str:
    menu = '<nav><ul><li><a href="/">Home</a></li><li><a href="/about">About</a></li></ul></nav>'
    head = '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A site</title></head>'
    return f"{head}<body>{menu}<main>{body}</main><footer><a href='/terms'>Terms</a></footer></body></html>"


def each(form: str, *rows: tuple[Any, ...]) -> str:
    return "".join(form.format(*row) for row in rows)


def rows(columns: str, *values: tuple[Any, ...]) -> list[Row]:
    return [dict(zip(columns.split(), row, strict=True)) for row in values]


GOODS = [
    ("Oak Stool", 49.0, 39.0),
    ("Pine Bench", 120.0, None),
    ("Ash Table", 1299.0, 999.5),
    ("Elm Chair", 85.0, None),
]


def sale(name: str, usual: float, now: float | None) -> str:
    """A sale price is deeper in the card than a usual one, behind the price that it strikes out."""
    usual_, now_ = (f'<b class="amount">${price:,.2f}</b>' for price in (usual, now or 0))
    price = f"<del>{usual_}</del> <ins>{now_}</ins>" if now else usual_
    return f'<li class="product"><h2>{name}</h2><span class="price">{price}</span></li>'


JOBS = [("Engineer", "Northwind", "Berlin", "Full-time"), ("Analyst", "Globex", "Paris", "Contract"),
        ("Designer", "Initech", "London", "Full-time"), ("Tester", "Umbrella", "Rome", "Part-time")]  # fmt: skip
JOB = (
    '<article class="job"><h3 class="job__title">{}</h3><div class="job__meta"><span class="job__company">{}</span> · '
    '<span class="job__location">{}</span> · <span>{}</span></div></article>'
)
DAYS = [("Monday, 23 November 2026", "09:00", "Yoga", "Hall A"), ("Tuesday, 24 November 2026", "10:30", "Chess", "Bar"),
        ("Friday, 27 November 2026", "19:00", "Jazz", "Cellar")]  # fmt: skip
LINKS = [("Kettle", "https://a.example/", "boils water"), ("Whisk", "https://b.example/", "beats eggs"),
         ("Ladle", "https://c.example/", "serves soup")]  # fmt: skip
TEAMS = [("Rovers", 12, 29), ("United", 11, 26), ("City", 12, 18), ("Albion", 10, 10)]
TRAINS = [
    ("10:05", "Leeds", "On time"),
    ("10:12", "York", "Late"),
    ("10:30", "Hull", "On time"),
    ("10:41", "Ely", "Late"),
]
CITIES = [("القاهرة", 9540000), ("الجيزة", 4367343), ("طنطا", 658798)]
MENU = [("Starters", [("Soup", 4.5), ("Salad", 5.2)]), ("Mains", [("Stew", 11.0), ("Pie", 9.8)])]

CASES: dict[str, tuple[str, str, list[Row]]] = {
    "sale prices beside usual ones": (
        "<ul>" + "".join(sale(*one) for one in GOODS) + "</ul>",
        "all products: name, price (number)",
        rows("name price", *((name, now or usual) for name, usual, now in GOODS)),
    ),
    "classes of a block and its parts": (
        each(JOB, *JOBS), "all jobs: title, company, location",
        rows("title company location", *(job[:3] for job in JOBS)),
    ),
    "events under their days": (
        each("<h2>{}</h2><ul class='day'><li><span>{}</span> <strong>{}</strong> <em>{}</em></li></ul>", *DAYS),
        "all events: date, time, event, place",
        rows("date time event place", *((f"2026-11-{day.split()[1]}", *rest) for day, *rest in DAYS)),
    ),
    "what is behind a link": (
        "<ul>" + each("<li><a href='{1}'>{0}</a> – {2}</li>", *LINKS) + "</ul>",
        "each link: name, url, description", rows("name url description", *LINKS),
    ),
    "headings cut short": (
        "<table><tr><th>Team</th><th><abbr title='Played'>P</abbr></th><th><abbr title='Points'>Pts</abbr></th></tr>"
        + each("<tr><td>{}</td><td>{}</td><td>{}</td></tr>", *TEAMS) + "</table>",
        "all teams: team, played (int), points (int)", rows("team played points", *TEAMS),
    ),
    "a table in another script": (
        "<table><tr><th>المدينة</th><th>السكان</th></tr>"
        + each("<tr><td>{}</td><td>{:,}</td></tr>", *CITIES) + "</table>",
        "the table: city, population (int)",
        rows("city population", *CITIES),
    ),
    "a board whose first line names its columns": (
        "<div><div class='head'><div>Time</div><div>Destination</div><div>Status</div></div>"
        + each("<div class='row'><div>{}</div><div>{}</div><div>{}</div></div>", *TRAINS) + "</div>",
        "all trains: time, destination, status", rows("time destination status", *TRAINS),
    ),
    "sections in rows of their own": (
        "<table>" + "".join(
            f"<tr><th colspan='2'>{section}</th></tr>" + each("<tr><td>{}</td><td>€{:.2f}</td></tr>", *dishes)
            for section, dishes in MENU
        ) + "</table>",
        "all dishes: section, dish, price (float)",
        rows("section dish price", *((section, *dish) for section, dishes in MENU for dish in dishes)),
    ),
}  # fmt: skip


ALSO_LAYOUTS = {"events under their days", "sections in rows of their own"}
"""Kinds that tests/unit/rules/test_layouts.py has."""


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=[pytest.mark.full] if kind in ALSO_LAYOUTS else []) for kind in CASES]
)
def test_the_rows_are_what_a_person_reads(kind: str, tmp_path: Path) -> None:
    body, asked, expected = CASES[kind]
    with serve({"/": page(body)}) as site:
        what, columns = asked.split(": ")
        text = f"{what} on {site.base}/: {columns}. JSON"
        run = called("run", text, "--out", str(tmp_path / "out"), cwd=tmp_path)
    assert written(run, tmp_path / "out") == expected
