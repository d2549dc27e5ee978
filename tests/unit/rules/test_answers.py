"""What texts answer to the question of a column."""

from __future__ import annotations

import pytest

from scrapewright.programmers.rules.answers import answers, of_mark
from scrapewright.query.reading import Field

STATES = [
    ("available", {"Available": True, "Not available": False}),
    ("available", {"Available": True, "Not yet available": False, "Not currently available": False}),
    ("available", {"Available": True, "Sold out": False}),
    ("available", {"In stock": True, "Out of stock": False}),
    ("in_stock", {"In stock (3 left)": True, "Not in stock": False}),
    ("stock", {"In stock": True, "Out of stock": False}),
    ("in_stock", {"In stock": True, "Currently unavailable": False}),
    ("sold_out", {"Sold out": True, "Tickets": False}),
    ("sold_out", {"Sold out": True, "Available": False}),
    ("sold_out", {"Out of stock": True, "In stock": False}),
    ("sold_out", {"Unavailable": True, "Available": False}),
    ("sold_out", {"Yes": True, "No": False}),
    ("unavailable", {"Not available": True, "Available": False}),
    ("out_of_stock", {"Unavailable": True, "Available": False}),
    ("not_available", {"Not available": True, "Available": False}),
    ("sofort_lieferbar", {"sofort lieferbar": True, "lieferbar in 3–5 Tagen": False, "nicht lieferbar": False}),
]
NAMED = [
    ("remote", {"Remote": True, "Hybrid": False, "On site": False}),
    ("remote", {"Remote": True, "Not remote": False}),
    ("remote", {"Remote": True, "Isn't remote": False, "Hybrid": False}),
    ("open", {"Open": True, "Closed": False}),
    ("is_open", {"Open": True, "Not open": False}),
    ("closed", {"Closed": True, "Open": False}),
    ("closed", {"Closed": True, "Not closed": False}),
    ("verified", {"Verified": True, "Unverified": False}),
    ("refundable", {"Refundable": True, "Non-refundable": False, "Not refundable": False}),
    ("parking", {"Parking available": True, "Parking unavailable": False}),
    ("parking", {"Parking": True, "No parking": False}),
    ("no_smoking", {"No smoking": True, "Smoking": False}),
    ("discontinued", {"Discontinued": True, "Available": False}),
    ("vegan", {"Vegan": True, "nicht vegan": False}),
    ("wifi", {"Yes": True, "No": False}),
    ("wifi", {"Available": True, "Unavailable": False}),
    ("pool", {"✓": True, "–": False}),
    ("hearing_loop", {"ja": True, "nej": False}),
]
UNSURE = [
    ("free", ("Free", "Free for all members", "Paid")),
    ("free", ("Sugar free", "Gluten")),
    ("open", ("Open", "Re-open Monday")),
    ("in_stock", ("In stock", "Few left")),
    ("wifi", ("Lobby", "Rooms")),
    ("pool", ("–",)),
    ("open", ("Open", "Open every day but Monday, from nine to five")),
]


@pytest.mark.parametrize(("name", "said"), [*STATES, *NAMED])
def test_texts_that_answer(name: str, said: dict[str, bool]) -> None:
    assert answers(sorted(said), Field(name, "bool"), ("–",)) == said


@pytest.mark.parametrize(("name", "kinds"), UNSURE)
def test_texts_that_do_not(name: str, kinds: tuple[str, ...]) -> None:
    assert answers(kinds, Field(name, "bool"), ("–",)) is None


@pytest.mark.parametrize(
    ("name", "mark", "says"),
    [
        ("sold_out", "Sold out", True), ("available", "Sold out", False), ("in_stock", "Out of stock", False),
        ("available", "Not available", False), ("available", "Unavailable", False), ("in_stock", "In stock", True),
        ("open", "Not open", False), ("refundable", "Non-refundable", False), ("vegan", "Not vegan", False),
        ("parking", "No parking", False), ("verified", "Unverified", False), ("featured", "Featured", True),
        ("open", "Closed", None), ("on_sale", "Sold out", None), ("new", "Like new", None), ("member", "Sale", None),
    ],
)  # fmt: skip
def test_what_a_mark_says(name: str, mark: str, says: bool | None) -> None:
    assert of_mark(mark, Field(name, "bool")) is says
