"""Values that records hold in unusual ways: in two elements, behind links, drawn, as marks."""

from __future__ import annotations

from pathlib import Path

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
