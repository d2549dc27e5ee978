"""Which list in a request is taken for its columns: what can be read as one, and which is the likeliest."""

from __future__ import annotations

import pytest

from scrapewright.query.column_lists import LISTS_AT_MOST, lists
from scrapewright.query.list_choice import likeliest
from scrapewright.query.read import guessed_columns, read_request
from scrapewright.query.tokens import Tokens
from tests.requests.lists import UNSEEN, cases_of, plain

AT = "https://shop.example/list"


def names(text: str) -> list[str]:
    chosen = likeliest(Tokens(text))
    return list(chosen.found.names) if chosen is not None else []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"lamps on {AT}: brand / model / price per night / shop link", "brand model price_per_night shop_link"),
        (f"Von {AT} bitte: Ort, Preis pro Nacht (Kommazahl) sowie den Link", "Ort preis_pro_nacht Link"),
        (
            f"{AT} - item, the day it was sold (sold_on, YYYY-MM-DD) and who bought it (buyer_name)",
            "item sold_on buyer_name",
        ),
        (f'{AT}, the keys are "term", "meaning" and "origin"', "term meaning origin"),
        (f"{AT} の一覧。列は「名称」「価格」「住所」", "名称 価格 住所"),
        (f"just name/price/stock from {AT}", "name price stock"),
        (f"pull the maker and year columns off {AT}", "maker year"),
        (f"{AT}: Rotor span in metres (span_m, int), Owner (owner)", "span_m owner"),
        (f"{AT} から 駅名｜路線｜開業年", "駅名 路線 開業年"),
        (f"select name, price from {AT} where price < 20 order by price limit 5", "name price"),
        (f'scrape("{AT}", fields=["name", "maker"])', "name maker"),
        (f"url: {AT}\nfields: name, made, price\ntypes: str, date, float\nsort: made", "name made price"),
        (f"{AT} из списка: номер поезда, отправление (ЧЧ:ММ), прибытие", "номер_поезда отправление прибытие"),
    ],
)
def test_lists_are_found_in_many_wordings(text: str, expected: str) -> None:
    assert expected in {" ".join(one.names) for one in lists(Tokens(text))}


def test_of_unseen_requests_most_are_read_right_and_nearly_all_that_are_taken_unasked() -> None:
    taken: list[bool] = []
    right: list[bool] = []
    for case in cases_of(UNSEEN):
        read = read_request(case.text).columns
        found = read or guessed_columns(case.text)
        right.append([plain(column.name) for column in found] == [plain(name) for name in case.names])
        taken += right[-1:] if read else []
    assert sum(right) >= 0.72 * len(right)
    assert len(taken) >= 0.5 * len(right)
    assert sum(taken) >= 0.88 * len(taken)


@pytest.mark.parametrize(
    "text", ["", "get me all of them", f"what does the lamp on {AT} cost?", "...", f"{AT} {AT}", "the the the"]
)
def test_what_lists_nothing_has_no_likely_list(text: str) -> None:
    chosen = likeliest(Tokens(text))
    assert chosen is None or chosen.likelihood < 0.2


def test_the_lists_of_a_long_request_are_bounded() -> None:
    text = ", ".join(f"column {n} (int)" for n in range(700))
    assert 0 < sum(1 for _ in lists(Tokens(text))) <= LISTS_AT_MOST
    several = list(lists(Tokens(f"{AT}: {', '.join(f'c{n}' for n in range(50))}")))
    assert max(len(one.items) for one in several) == 50
