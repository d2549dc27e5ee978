"""Values that records hold in unusual ways: in two elements, behind links, drawn, as marks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.reading_helpers import read
from tests.unit.rules.layouts import framed


def test_a_sum_whose_cents_are_an_element_of_their_own(tmp_path: Path) -> None:
    wares = (("Lamp", 4, 5), ("Rug", 129, 99), ("Sofa", 1349, 0))
    body = "".join(
        f'<li class="ware"><h3>{name}</h3><p class="price">$<b>{whole:,}</b><sup>{cents:02}</sup></p></li>'
        for name, whole, cents in wares
    )
    found = read("all wares on {}: name, price (float)", framed(f"<ul>{body}</ul>"), tmp_path)
    assert [(row["name"], float(row["price"])) for row in found.rows] == [
        (name, whole + cents / 100) for name, whole, cents in wares
    ]
    assert found.ok, found.verdict


def test_two_sums_beside_each_other_are_none_with_cents(tmp_path: Path) -> None:
    body = "".join(f'<li class="ware"><h3>Ware {n}</h3><p class="price">{n}€ {n + 40}€</p></li>' for n in range(3, 8))
    found = read("all wares on {}: name, price (float)", framed(f"<ul>{body}</ul>"), tmp_path)
    assert {float(price) for price in found.column("price")}.isdisjoint({n + (n + 40) / 100 for n in range(3, 8)})


def test_the_address_behind_a_link_that_says_the_same_in_all_records(tmp_path: Path) -> None:
    people = {"Ann Ash": "0161 496 0012", "Bo Birch": "0117 496 0155", "Cy Cole": "0131 496 0711"}
    body = "".join(
        f'<div class="person"><h3>{name}</h3><a href="mailto:{name[:2].lower()}@mail.example">Email</a> '
        f'<a href="tel:{phone.replace(" ", "")}">{phone}</a></div>'
        for name, phone in people.items()
    )
    found = read("all people on {}: name, email, phone", framed(body), tmp_path)
    assert found.column("email") == [f"{name[:2].lower()}@mail.example" for name in people]
    assert [phone.replace(" ", "") for phone in found.column("phone")] == [
        one.replace(" ", "") for one in people.values()
    ]


def test_how_long_a_bar_is(tmp_path: Path) -> None:
    lots = {"Quay Street": 35, "Old Market": 92, "Station": 8, "Castle": 61}
    body = "".join(
        f'<tr><td>{name}</td><td><div class="meter"><i style="color:#333; width: {full}%;"></i></div></td></tr>'
        for name, full in lots.items()
    )
    page = framed(f"<table><tr><th>Car park</th><th>Occupancy</th></tr>{body}</table>")
    found = read("all car parks on {}: name, occupancy (int, percent)", page, tmp_path)
    assert [(row["name"], int(row["occupancy"])) for row in found.rows] == list(lots.items())
    assert found.ok, found.verdict


def test_marks_that_say_yes_and_no(tmp_path: Path) -> None:
    inns = {"Ark": (True, False), "Bell": (False, True), "Crown": (True, True), "Dove": (False, False)}
    body = "".join(
        f"<tr><td>{name}</td><td>{'✓' if wifi else '✗'}</td><td>{'Yes' if pool else '–'}</td></tr>"
        for name, (wifi, pool) in inns.items()
    )
    page = framed(f"<table><tr><th>Inn</th><th>Wifi</th><th>Pool</th></tr>{body}</table>")
    found = read("all inns on {}: inn, wifi (bool), pool (bool) as JSON", page, tmp_path)
    assert [(row["inn"], row["wifi"], row["pool"]) for row in found.rows] == [
        (name, *said) for name, said in inns.items()
    ]
    assert found.ok, found.verdict


def test_the_currency_of_a_sum(tmp_path: Path) -> None:
    sums = {"Ash": "£4.20", "Birch": "€9.00", "Cole": "£7.35"}
    body = "".join(f'<div class="post"><h3>{name}</h3><b class="price">{sum_}</b></div>' for name, sum_ in sums.items())
    found = read("all posts on {}: name, price (float), currency", framed(body), tmp_path)
    assert found.column("currency") == [sum_[0] for sum_ in sums.values()]
    assert found.ok, found.verdict


def test_the_state_of_an_address(tmp_path: Path) -> None:
    shops = {"Ash": ("4 Mill Road, Salem, OR 97301", "OR"), "Birch": ("19 Quay Street, Bath, ME 04530-1103", "ME")}
    shops["Cole"] = ("7 Old Lane, Lima, OH 45801", "OH")
    body = "".join(f'<div class="shop"><h3>{name}</h3><p>{where}</p></div>' for name, (where, _) in shops.items())
    found = read("all shops on {}: name, state", framed(body), tmp_path)
    assert found.column("state") == [state for _, state in shops.values()]


def test_the_first_and_the_last_day_of_a_span(tmp_path: Path) -> None:
    fairs = {
        "Ash Fair": ("1–4 May 2024", "2024-05-01", "2024-05-04"),
        "Birch Fair": ("9 – 12 June 2024", "2024-06-09", "2024-06-12"),
        "Cole Fair": ("28 June – 3 July 2024", "2024-06-28", "2024-07-03"),
    }
    american = {
        "Ash Fair": ("May 1–4, 2024", "2024-05-01", "2024-05-04"),
        "Birch Fair": ("June 9 - 12, 2024", "2024-06-09", "2024-06-12"),
        "Cole Fair": ("June 28 – July 3, 2024", "2024-06-28", "2024-07-03"),
    }
    german = {
        "Ash Fair": ("1.5. – 4.5.2024", "2024-05-01", "2024-05-04"),
        "Birch Fair": ("9.6. bis 12.6.2024", "2024-06-09", "2024-06-12"),
        "Cole Fair": ("28.6. - 3.7.2024", "2024-06-28", "2024-07-03"),
    }
    for said in (fairs, american, german):
        body = "".join(f'<li class="fair"><h3>{name}</h3><i>{when[0]}</i></li>' for name, when in said.items())
        found = read("all fairs on {}: name, start (date), end (date)", framed(f"<ul>{body}</ul>"), tmp_path)
        assert [tuple(row.values()) for row in found.rows] == [(name, *when[1:]) for name, when in said.items()]


def test_lengths_of_time_in_the_unit_that_is_asked_for(tmp_path: Path) -> None:
    songs = {"Ash": ("4:05", 245), "Birch": ("0:48", 48), "Cole": ("1:02:10", 3730)}
    films = {"Ash": ("1h35", 95), "Birch": ("2h00", 120), "Cole": ("0h48", 48)}
    flights = {"Ash": ("1:35", 95), "Birch": ("12:00", 720), "Cole": ("0:48", 48)}
    for said, unit in ((songs, "seconds"), (films, "minutes"), (flights, "minutes")):
        body = "".join(
            f'<li class="one"><h3>{name}</h3><b class="len">{long}</b></li>' for name, (long, _) in said.items()
        )
        found = read(f"all on {{}}: name, length (int, in {unit})", framed(f"<ul>{body}</ul>"), tmp_path)
        assert [int(one) for one in found.column("length")] == [length for _, length in said.values()]


def test_a_point_on_a_map_behind_a_link(tmp_path: Path) -> None:
    shops = {"Ash": (52.51, 13.377), "Birch": (48.1374, 11.5755), "Cole": (-33.86, 151.2), "Dunn": (40.7, -74.006)}
    body = "".join(
        f'<div class="shop"><h3>{name}</h3><a href="https://maps.example/?q={point[0]},{point[1]}&z=9">Map</a></div>'
        for name, point in shops.items()
    )
    found = read("all shops on {}: name, latitude (float), longitude (float)", framed(body), tmp_path)
    assert [(float(row["latitude"]), float(row["longitude"])) for row in found.rows] == list(shops.values())


def test_addresses_in_styles_and_scripts_of_a_click(tmp_path: Path) -> None:
    body = "".join(
        f'<div class="tile" onclick="window.location.href=\'/ware/{n}.html\'"><h3>Ware {name}</h3>'
        f'<div class="pic" style="background-image: url(\'/media/{name}.jpg\'); height: 9em"></div></div>'
        for n, name in enumerate(("Ash", "Birch", "Cole", "Dunn"), 11)
    )
    found = read("all wares on {}: name, url, image (url)", framed(body), tmp_path)
    assert [row["url"].rpartition("/")[2] for row in found.rows] == ["11.html", "12.html", "13.html", "14.html"]
    assert [row["image"].rpartition("/")[2] for row in found.rows] == ["Ash.jpg", "Birch.jpg", "Cole.jpg", "Dunn.jpg"]


def test_a_picture_that_is_loaded_later(tmp_path: Path) -> None:
    body = "".join(
        f'<div class="tile"><h3>{name}</h3><img src="data:image/gif;base64,R0l" data-src="/media/{name}.jpg"></div>'
        for name in ("Ash", "Birch", "Cole", "Dunn")
    )
    found = read("all wares on {}: name, image (url)", framed(body), tmp_path)
    assert [row["image"].rpartition("/")[2] for row in found.rows] == ["Ash.jpg", "Birch.jpg", "Cole.jpg", "Dunn.jpg"]


def test_none_in_stock(tmp_path: Path) -> None:
    wares = {"Ash": 3, "Birch": 0, "Cole": 12, "Dunn": 0}
    body = "".join(
        f'<li class="ware"><h3>{name}</h3><p class="stock">{f"{left} in stock" if left else "Sold out"}</p></li>'
        for name, left in wares.items()
    )
    found = read("all wares on {}: name, stock (int)", framed(f"<ul>{body}</ul>"), tmp_path)
    assert [int(one) for one in found.column("stock")] == list(wares.values())


GIGS = {"Ash Hall": True, "Birch Rooms": False, "Cole Yard": True, "Dunn Arms": False, "Elm Barn": False}


@pytest.mark.parametrize(("said", "other"), [("Sold out", ""), ("Sold out", "Tickets"), ("SOLD OUT", "Available")])
def test_what_a_mark_says_is_what_the_column_asks(said: str, other: str, tmp_path: Path) -> None:
    """A column that asks whether a record is sold out is true where it says so, and false where it does not."""
    body = "".join(
        f'<li class="gig"><h3>{name}</h3>'
        + (f'<a class="btn" href="/g/{n}">{text}</a>' if (text := said if gone else other) else "")
        + "</li>"
        for n, (name, gone) in enumerate(GIGS.items())
    )
    found = read("all gigs on {}: venue, sold_out (bool) as JSON", framed(f"<ul>{body}</ul>"), tmp_path)
    assert [(row["venue"], row["sold_out"]) for row in found.rows] == list(GIGS.items())


def test_a_state_beside_another_that_has_no_word_for_no(tmp_path: Path) -> None:
    body = "".join(
        f'<li class="job"><h3>{name}</h3><p class="where">{"Remote" if remote else "On site"}</p></li>'
        for name, remote in GIGS.items()
    )
    found = read("all jobs on {}: title, remote (bool) as JSON", framed(f"<ul>{body}</ul>"), tmp_path)
    assert [row["remote"] for row in found.rows] == list(GIGS.values())
