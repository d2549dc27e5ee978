"""Whatever the notation of a column, the steps give each text's own number: whole, with its sign and scale."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.programmers.rules.figures import Fit, fit_number
from scrapewright.programmers.rules.ops import run
from tests.unit.rules.test_ops import program_of


def read(values: list[str], *, whole: bool = False, language: str = "", scaled: bool = True) -> list[object] | None:
    """What the written program makes of the values; the steps themselves must agree with it."""
    fit = fit_number(tuple(values), whole=whole, language=language, scaled=scaled)
    return made(fit, values) if fit is not None else None


def made(fit: Fit, values: list[str]) -> list[object]:
    parse = program_of(fit.ops)
    results: list[object] = []
    for value in values:
        results.append(parse(value))
        assert results[-1] == run(fit.ops, value)
    return results


@pytest.mark.parametrize(
    ("values", "numbers"),
    [
        (["2,000,000", "1.5 million", "1,299"], [2e6, 1.5e6, 1299]),
        (["3 Mio. €", "1,5 Mio. €", "950 Tsd. €"], [3e6, 1.5e6, 950e3]),
        (["1.2K", "300", "2M"], [1200, 300, 2e6]),
        (["3万", "500", "1.5億"], [3e4, 500, 1.5e8]),
        (["−5", "3", "−1.5"], [-5, 3, -1.5]),
        (["–5 °C", "3 °C"], [-5, 3]),
        (["− 3,5 °C", "12,5 °C"], [-3.5, 12.5]),
        (["(1,200)", "300", "4,500"], [-1200, 300, 4500]),
        (["($1,200.50)", "$300.00"], [-1200.5, 300]),
        (["(12)", "(3)"], [12, 3]),
        (["-€5.00", "€3.00"], [-5, 3]),
        (["€ -5", "€ 7"], [-5, 7]),
        (["+5", "-3"], [5, -3]),
        (["A-12", "A-15"], [12, 15]),
        (["A-12 x", "-3 y", "4 z"], [12, -3, 4]),
        (["5–10", "7–12"], [5, 7]),
        (["1’299.50", "12.00"], [1299.5, 12]),
        (["1'299", "950"], [1299, 950]),
        (["1\u202f299", "1\u2009000\u2009000", "7"], [1299, 1e6, 7]),
        (["1 299,50 €", "12,00 €"], [1299.5, 12]),
        (["12,34,567", "5,678"], [1234567, 5678]),
        (["1.299 €", "950 €", "12.500 €"], [1299, 950, 12500]),
        (["1.299 €/l", "1.309 €/l"], [1.299, 1.309]),
        (["0.299 €", "0.350 €"], [0.299, 0.35]),
        (["$ .50", "$1.5"], [0.5, 1.5]),
        (["44 hours", "91½ hours", "½ hour"], [44, 91.5, 0.5]),
        (["12 ¾ in", "3 in"], [12.75, 3]),
        (["Page 300 of 1,200", "Page 4 of 1,200"], [300, 4]),
    ],
)
def test_notations(values: list[str], numbers: list[float]) -> None:
    assert read(values) == numbers


def test_the_language_settles_what_no_currency_does() -> None:
    assert read(["1.299", "950"], language="en") == [1.299, 950]
    assert read(["1.299", "950"], language="de") == [1299, 950]
    assert read(["1.299", "950"], language="en", whole=True) == [1299, 950]


def test_a_column_in_millions_is_not_scaled() -> None:
    assert read(["1.5 million", "2 million"], scaled=False) == [1.5, 2]


@given(
    st.lists(st.integers(-(10**9), 10**9), min_size=1, max_size=8),
    st.sampled_from([",", ".", " ", "\u00a0", "\u202f", "’", "'"]),
    st.sampled_from("-−–"),
    st.sampled_from(["{} pcs", "total: {}", "{}", "x {} (net)"]),
)
def test_whole_numbers_in_any_notation(wanted: list[int], mark: str, minus: str, around: str) -> None:
    texts = [around.format((minus if n < 0 else "") + f"{abs(n):,}".replace(",", mark)) for n in wanted]
    assert read(texts, whole=True) == wanted


@given(
    st.lists(st.decimals(-(10**7), 10**7, places=2), min_size=1, max_size=8),
    st.sampled_from([",.", ".,", " ,", "\u202f,", "’.", "'."]),
    st.sampled_from(["{} €", "€{}", "EUR {} incl. VAT"]),
)
def test_prices_in_any_notation(wanted: list[object], marks: str, around: str) -> None:
    table = str.maketrans({",": marks[0], ".": marks[1]})
    texts = [around.format(f"{n:,.2f}".translate(table)) for n in wanted]
    assert read(texts) == [float(str(n)) for n in wanted]
