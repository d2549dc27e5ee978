"""Which of what was not understood bears on the rows."""

from __future__ import annotations

import pytest

from scrapewright.query.read import read_query
from scrapewright.query.summary import summary


@pytest.mark.parametrize(
    ("text", "kind", "said"),
    [
        ("lamps on shop.example: name, price, only those by local makers", "condition", "only those by local makers"),
        ("all hotels on stay.example: name, price; the ones with a balcony", "condition", "balcony"),
        ("all books by Tolkien on shop.example: title, price", "condition", "Tolkien"),
        ("all jobs in Berlin on work.example: title, company", "condition", "Berlin"),
        ("alle Stellen in Berlin auf work.example: Titel, Firma", "condition", "Berlin"),
        ("all books that mention dragons on shop.example: title, price", "condition", "mention dragons"),
        ("the 5 biggest boats on boats.example: name, builder, port", "order", "biggest"),
        ("the least crowded beaches on sea.example: name, town", "order", "least crowded"),
        ("boats on boats.example: name, port; 7 of them will do", "number", "7"),
        ("search for lamps on shop.example: name, price", "deed", "lamps"),
        ("get the prices on shop.example: name, price, and calculate the average", "deed", "calculate the average"),
        ("how many lamps are on shop.example?", "deed", "lamps"),
        ("Is Ada Lovelace one of the authors on shop.example?", "deed", "Ada Lovelace"),
    ],
)
def test_what_decides_about_rows_is_a_doubt(text: str, kind: str, said: str) -> None:
    query = read_query(text)
    assert [doubt.kind for doubt in query.doubts if said in doubt.text] == [kind], query.doubts
    assert any(said in line and "not understood" in line for line in summary(query))


@pytest.mark.parametrize(
    "text",
    [
        "please scrape all the lamps on shop.example for me: name, price. Thanks a lot!",
        "I would like a nice list of lamps from shop.example with name and price, many thanks in advance",
        "lamps on shop.example: name, price. Use Python with requests and BeautifulSoup.",
        "hey, can you kindly grab every lamp from shop.example? name, price as CSV with a header",
        "the lamps in the catalogue on shop.example: name, price (2 decimals)",
        "Bitte hole mir mal alle Lampen von shop.example: Name, Preis. Danke!",
        "all lamps on shop.example: name, price. The page is in English and UTF-8.",
        "lamps on shop.example: 1. name 2. price 3. url",
    ],
)
def test_words_around_it_are_no_doubts(text: str) -> None:
    assert read_query(text).doubts == ()
