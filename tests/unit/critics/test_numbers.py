"""Numbers as people write them, read as one number each: not its parts, not without its sign or its scale."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.critics.judge import RowsCritic
from scrapewright.critics.normal_forms import number, numbers
from scrapewright.query.numerals import numerals
from scrapewright.query.reading import Column
from scrapewright.web.page import Page
from tests.unit.critics.shop_pages import BASE, ask, case, document

GROUPS = st.sampled_from([",", ".", " ", "\u00a0", "\u202f", "\u2009", "'", "’"])


def written(value: int, mark: str) -> str:
    return f"{value:,}".replace(",", mark)


@given(st.integers(1000, 10**12), GROUPS)
def test_a_grouped_number_is_itself_and_none_of_its_parts(value: int, mark: str) -> None:
    text = written(value, mark)
    read = numbers(text)
    assert float(value) in read
    assert read <= {float(value), float(text.replace(mark, ".", 1)) if text.count(mark) == 1 else float(value)}


@given(st.integers(1000, 10**9), st.integers(0, 99), st.sampled_from([",.", ".,", " ,", " .", "’.", "'.", "\u202f,"]))
def test_a_grouped_number_with_a_fraction_is_read_one_way(value: int, cents: int, marks: str) -> None:
    text = f"{written(value, marks[0])}{marks[1]}{cents:02}"
    assert numbers(f"{text} €") == {float(f"{value}.{cents:02}")}


@given(st.integers(1, 10**6), st.sampled_from("-−–"), st.sampled_from(["", "€", "$", "USD "]))
def test_a_minus_is_part_of_its_number(value: int, minus: str, money: str) -> None:
    assert numbers(f"{minus}{money}{value}") == {-float(value)}
    assert numbers(f"Change: {minus}{value} °C") == {-float(value)}


@pytest.mark.parametrize("text", ["5-10", "5–10", "10 - 5", "A-10, 5", "10 – 5"])
def test_a_dash_that_divides_is_no_minus(text: str) -> None:
    assert numbers(text) == {5.0, 10.0}


@given(
    st.integers(1, 999),
    st.sampled_from(
        [
            (" million", 10**6),
            (" Mio.", 10**6),
            ("K", 1000),
            (" Mrd. €", 10**9),
            ("万", 10**4),
            ("億", 10**8),
            (" тыс.", 1000),
        ]
    ),
)
def test_a_scaling_word_is_part_of_its_number(value: int, word: tuple[str, int]) -> None:
    assert numbers(f"{value}{word[0]}") == {float(value * word[1])}
    assert numbers(f"{value}{word[0]}", scaled=False) == {float(value), float(value * word[1])}


def test_what_can_be_read_two_ways_is_read_both_ways() -> None:
    assert numbers("1.299 €") == {1.299, 1299.0}
    assert numbers("(1,200)") == {1.2, -1.2, 1200.0, -1200.0}
    assert numbers("5 m") == {5.0, 5e6}


def test_dates_and_lists_keep_their_figures() -> None:
    assert {12.0, 3.0, 2024.0} <= numbers("12.03.2024")
    assert {3.0, 2024.0} <= numbers("03.2024")
    assert numbers("2024-03-12") == {2024.0, 3.0, 12.0}


@given(st.text(st.sampled_from("0123456789.,'’ -−–()€kMm万 millionTsd"), max_size=24))
def test_any_text_can_be_read(text: str) -> None:
    assert all(text[n.start : n.end] == n.text for n in numerals(text))
    numbers(text)


def verdict(texts: list[str], values: list[float | None], **more: object) -> set[str]:
    """The errors' codes for a list of towns with a number each."""
    names = ["Ash", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Gorse"]
    items = "".join(f"<li><b>{n}</b> <i>{text}</i></li>" for n, text in zip(names, texts, strict=False))
    page = Page(f"{BASE}/l", f"{BASE}/l", 200, {"content-type": "text/html"}, document(f"<ul>{items}</ul>"))
    rows = [{"name": n, "total": value} for n, value in zip(names, values, strict=False)]
    fields = (
        Column("name"),
        Column(str(more.get("column", "total")), "float", note=str(more.get("note", ""))),
    )
    rows = [{fields[1].name if key == "total" else key: value for key, value in row.items()} for row in rows]
    judged = RowsCritic().judge(case(rows, {page.url: page}, ask(columns=fields, urls=(page.url,), pages="first")))
    return {finding.code for finding in judged.findings if finding.severity == "error"}


MIXED = ["2,000,000", "1.5 million", "1,299", "850,000"]


def test_a_piece_of_a_number_is_refused() -> None:
    assert verdict(MIXED, [2e6, 1.5e6, 1299, 850000]) == set()
    for wrong in (1, 299, 2e6):
        assert verdict(MIXED, [2e6, 1.5e6, wrong, 850000])
    assert verdict(MIXED, [2e6, 1.5, 1299, 850000])
    assert verdict([*MIXED, "3 million"], [2e6, 1.5e6, 1299, 850000, 3])


def test_a_lost_minus_is_refused() -> None:
    for minus in "-−–":
        texts = [f"{minus}5", "3", f"{minus}12", "8"]
        assert verdict(texts, [-5, 3, -12, 8]) == set()
        assert verdict(texts, [5, 3, -12, 8])
        assert verdict(texts, [-5, -3, -12, 8])


def test_a_reduction_may_be_given_without_its_minus() -> None:
    assert verdict(["-5%", "-30%", "-12%"], [5, 30, 12], column="discount") == set()
    assert verdict(["-5%", "-30%", "-12%"], [5, 30, 12], column="change")


def test_a_column_in_millions_is_not_scaled() -> None:
    assert verdict(["1.5 million", "2.25 million", "12 million"], [1.5, 2.25, 12], note="in millions") == set()


def test_a_whole_number_that_no_float_holds_is_no_number() -> None:
    assert number(10**308) == 1e308
    assert number(10**309) is None
    assert number(-(10**400)) is None
