"""Conditions: claimed where a column and a value are named, left unread where they are not."""

from __future__ import annotations

import pytest

from scrapewright.query.filters import names_heading
from scrapewright.query.read import read_request

AT = "https://shop.example/list"


def conditions(text: str) -> list[tuple[str, str, str]]:
    return [(f.column, f.op, f.value) for f in read_request(text).filters]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (f"products under $20 on {AT}: name, price", ("price", "lt", "20")),
        (f"lamps on {AT}: name, price. Only lamps with a price of at least 20.", ("price", "ge", "20")),
        (f"{AT}: name, price; price < 20", ("price", "lt", "20")),
        (f"{AT}: name, price where price >= 20", ("price", "ge", "20")),
        (f"everything on {AT} that costs 2,100 dollars or less: name, price", ("price", "le", "2100")),
        (f"matches on {AT} with 3 or more goals: team, goals (int)", ("goals", "ge", "3")),
        (f"topics on {AT} with more than 10 replies: topic, replies", ("replies", "gt", "10")),
        (f"topics on {AT} with no more than 10 replies: topic, replies", ("replies", "le", "10")),
        (f"{AT}: name, rating. Only those with a rating above 4.5.", ("rating", "gt", "4.5")),
        (f"Alle Lampen unter 20 Euro auf {AT}: Name, Preis", ("preis", "lt", "20")),
        (f"livres à moins de 20 euros sur {AT} : titre, prix", ("prix", "lt", "20")),
        (f"lamps under 20 on {AT}: name, price", ("price", "lt", "20")),
        (f"posts on {AT} dated 2021-01-01 or later: title, date", ("date", "ge", "2021-01-01")),
        (f"posts on {AT} since 2024-03-01: title, date", ("date", "ge", "2024-03-01")),
        (f"posts on {AT} published after 2024: title, date", ("date", "ge", "2025-01-01")),
        (f"posts on {AT} published before 2024: title, date", ("date", "lt", "2024-01-01")),
        (f"posts on {AT} from 2020 or earlier: title, date", ("date", "lt", "2021-01-01")),
        (f"cases on {AT} decided in 2026: caption, decided (ISO date)", ("decided", "starts", "2026")),
        (f"events on {AT} held on or after 1 January 2018: title, date", ("date", "ge", "2018-01-01")),
        (f"events on {AT} held on or before March 5, 2018: title, date", ("date", "le", "2018-03-05")),
        (f"{AT}: name, state. Only where state is open.", ("state", "eq", "open")),
        (f'{AT}: name, state. Only where state is not "sold out".', ("state", "ne", "sold out")),
        (f'{AT}: name, state. Keep only rows where name starts with "Lamp".', ("name", "starts", "Lamp")),
        (f"{AT}: name, state. Only rows where name contains lamp.", ("name", "contains", "lamp")),
        (f'{AT}: date, start. Keep only the events called "Board Meeting".', ("", "eq", "Board Meeting")),
        (f"{AT}: name, price. Leave out an entry that is marked as superseded.", ("", "lacks", "superseded")),
        (f"{AT}: name, postcode. Only postcodes starting with EH.", ("postcode", "starts", "EH")),
        (f"{AT}: name, room, judge. Only room 3.", ("room", "eq", "3")),
        (f"{AT}: name, venue. Only venue = Cameo 2 please.", ("venue", "eq", "Cameo 2")),
        (f"{AT}: clue, setter. Setter is Araucaria.", ("setter", "eq", "Araucaria")),
        (f"{AT}: callsign, city. callsign starts with K.", ("callsign", "starts", "K")),
        (f"{AT}: tune, key, composer. Only tunes where the key ends in 'minor'.", ("key", "ends", "minor")),
        (f'{AT}: name, proposal. Skip everything where the proposal mentions "trees".', ("proposal", "lacks", "trees")),
        (f"{AT}: name, licence. Leave out those where licence is MIT.", ("licence", "ne", "MIT")),
        (f"{AT}: Titel, Stadtteil. Stadtteil nicht Plagwitz.", ("stadtteil", "ne", "Plagwitz")),
        (f"{AT}: name, stock. only stock > 0", ("stock", "gt", "0")),
        (f"{AT}: name, rent (GBP), beds. Rent no more than 1200 pounds.", ("rent", "le", "1200")),
        (f"{AT}: place, magnitude. Magnitude 4.5 and up.", ("magnitude", "ge", "4.5")),
        (f"{AT}: name, open (bool). Only open = true.", ("open", "eq", "true")),
    ],
)  # fmt: skip
def test_conditions(text: str, wanted: tuple[str, str, str]) -> None:
    assert conditions(text) == [wanted]
    assert read_request(text).unread == ()


@pytest.mark.parametrize(
    "text",
    [
        f"{AT}: name, width. Only those with width between 3 and 8 cm.",
        f"{AT}: name, width. width >= 3 and width <= 8",
        f"{AT}: name, width. width between 3 and 8",
        f"{AT}: name, width. Keep those where width is at least 3 and width is at most 8.",
    ],
)
def test_two_conditions_on_one_column(text: str) -> None:
    assert conditions(text) == [("width", "ge", "3"), ("width", "le", "8")]


def test_a_negative_word_is_that_of_its_own_condition() -> None:
    wanted = [("licence", "ne", "MIT"), ("city", "eq", "Leeds")]
    assert conditions(f"{AT}: name, licence, city. Only those where licence is not MIT and city is Leeds.") == wanted
    assert conditions(f"{AT}: name, licence, city. Leave out those where licence is MIT and city is Leeds.") == []


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        (f"{AT}: name, grade. Grade must be Good or Better.", "Grade must be Good or Better"),
        (f"{AT}: name, reason. Not those where the reason is blank.", "Not those where the reason is blank"),
        (f"{AT}: name, phone number, email. Phone number digits only.", "Phone number digits only"),
        (f"only remote jobs on {AT}: title, company", "only remote jobs"),
        (f"free events on {AT}: title, place", "free"),
        (f"the members for Queensland on {AT}: name, party", "for Queensland"),
        (f"{AT}: name, price. In stock only", "In stock only"),
        (f"{AT}: name, price. Skip the adverts.", "Skip the adverts"),
        (f"{AT}: name, price. Leave out the parent directory.", "Leave out the parent directory"),
        (f"posts on {AT} since 2024-03-01: title, created (ISO date), changed (ISO date)", "since 2024-03-01"),
        (f"{AT}: name, price. Nur Lampen aus Holz.", "Nur Lampen aus Holz"),
        (f"{AT}: name, price. Jen produkty skladem.", "Jen produkty skladem"),
        (f"{AT}: name, price. Only products whose maker is Acme.", "Only products whose maker is Acme"),
        (f"shows on {AT} between noon and midnight on 23 January 2021: title, start (HH:MM), channel",
         "between noon and midnight on 23 January 2021"),
    ],
)  # fmt: skip
def test_a_condition_that_is_not_certain_stays_unread(text: str, unread: str) -> None:
    reading = read_request(text)
    assert reading.filters == ()
    assert reading.unread == (unread,)


def test_the_text_of_a_condition_is_the_requests_own() -> None:
    (one,) = read_request(f"posts on {AT} dated 2021-01-01 or later: title, date").filters
    assert one.text == "dated 2021-01-01 or later"


@pytest.mark.parametrize(
    ("phrase", "heading", "named"),
    [
        ("only the Metropolitan table", "Metropolitan", True), ("only Metropolitan", "Metropolitan counties", True),
        ('the "Old boats" table of this page', "Old boats 2019 for sale", True), ("only boats", "Old boats", True),
        ('skip the "Old boats" table', "Old boats 2019 for sale", False), ("boats", "Old boats", False),
        ('the tables "Old boats" and "New boats"', "Old boats", False), ("only boats over 10", "Old boats", False),
        ("only the", "The", False), ("only open", "Open and closed tickets", False),
        ('all tables but "Old boats"', "Old boats", False), ('after the "Old boats" table', "Old boats", False),
        ("the 'Old boats' table", "Old boats", True),
    ],
)  # fmt: skip
def test_a_heading_is_named_in_quotes_or_by_what_is_kept_alone(phrase: str, heading: str, named: bool) -> None:
    assert names_heading(phrase, heading) is named
