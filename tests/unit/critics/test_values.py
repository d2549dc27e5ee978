"""Values from the row's own record that are still not what the column asks for."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from scrapewright.critics.judge import RowsCritic
from scrapewright.query.read import read_request
from scrapewright.query.reading import Column, Filter
from scrapewright.session.verdict import Verdict
from scrapewright.web.page import Page
from tests.unit.critics.shop_pages import BASE, ask, case, document
from tests.unit.survey.helpers import survey_pages

NAME, PRICE = Column("name"), Column("price", "float")


def judge(records: list[str], rows: list[dict[str, Any]], *fields: Column) -> Verdict:
    body = document("<ul>" + "".join(f'<li class="card">{record}</li>' for record in records) + "</ul>")
    page = Page(f"{BASE}/l", f"{BASE}/l", 200, {"content-type": "text/html; charset=utf-8"}, body)
    query = ask(columns=fields, urls=(page.url,), pages="first")
    return RowsCritic().judge(case(rows, {page.url: page}, query))


def columns(verdict: Verdict) -> set[str]:
    return {finding.column for finding in verdict.findings if finding.severity == "error"}


def priced(prices: list[str]) -> list[str]:
    return [f"<h3>Sofa {'ABCDEF'[n]}</h3><p>{price}</p>" for n, price in enumerate(prices)]


def rows_of(values: list[float], name: str = "Sofa") -> list[dict[str, Any]]:
    return [{"name": f"{name} {'ABCDEF'[n]}", "price": value} for n, value in enumerate(values)]


@pytest.mark.parametrize(
    ("texts", "right", "wrong"),
    [
        (["1.299 €", "950 €", "2.450 €", "80 €"], [1299, 950, 2450, 80], [1.299, 950, 2.45, 80]),
        (["1.299,50 €", "2.450 €", "80,00 €"], [1299.5, 2450, 80], [1299.5, 2.45, 80]),
        (["£1,299.50", "£2,450", "£80.00"], [1299.5, 2450, 80], [1299.5, 2.45, 80]),
        (["(1,200)", "3,000", "(15)", "80"], [-1200, 3000, -15, 80], [1200, 3000, 15, 80]),
        (["($1.50)", "$3.00", "$80.00"], [-1.5, 3, 80], [1.5, 3, 80]),
    ],
)
def test_a_number_read_against_its_columns_notation(texts: list[str], right: list[float], wrong: list[float]) -> None:
    good = judge(priced(texts), rows_of(right), NAME, PRICE)
    assert good.ok, good.findings
    bad = judge(priced(texts), rows_of(wrong), NAME, PRICE)
    assert columns(bad) == {"price"}


@pytest.mark.parametrize(
    "texts", [["1.299 €/l", "1.305 €/l", "0.999 €/l"], ["$1.299 per unit", "$0.75 per unit", "$2.5"]]
)
def test_a_fraction_of_three_figures_stays_one(texts: list[str]) -> None:
    values = [float("".join(c for c in text.split()[0] if c in "0123456789.").rstrip(".")) for text in texts]
    assert judge(priced(texts), rows_of(values), NAME, PRICE).ok


def test_figures_in_brackets_alone_are_counts() -> None:
    assert judge(priced(["(12)", "(7)", "(130)"]), rows_of([12, 7, 130]), NAME, PRICE).ok


def test_a_cell_that_was_passed_over_is_reported() -> None:
    cells = [("Ash", "+1.5"), ("Birch", "-2.0"), ("Cole", "—"), ("Dale", "+0.5"), ("Elm", "-1.0")]
    table = "<table><tr><th>Name</th><th>Change</th></tr>"
    table += "".join(f"<tr><td>{name}</td><td>{change}</td></tr>" for name, change in cells) + "</table>"
    page = Page(f"{BASE}/l", f"{BASE}/l", 200, {"content-type": "text/html; charset=utf-8"}, document(table))
    change = Column("change", "float", note="optional")
    query = ask(columns=(NAME, change), urls=(page.url,), pages="first")
    rows = [{"name": name, "change": None if said == "—" else float(said)} for name, said in cells]
    assert RowsCritic().judge(case(rows, {page.url: page}, query)).ok
    falls = [{**row, "change": row["change"] if (row["change"] or 0) < 0 else None} for row in rows]
    assert columns(RowsCritic().judge(case(falls, {page.url: page}, query))) == {"change"}


def test_one_row_out_of_a_table_is_not_the_table() -> None:
    towns = [("Aston", 12300), ("Bedale", 4500), ("Corby", 78100)]
    lines = "".join(f"<tr><td>{town}</td><td>{people}</td></tr>" for town, people in towns)
    body = document(f"<h1>Towns</h1><table><tr><th>Ort</th><th>Einwohner</th></tr>{lines}</table>")
    page = Page(f"{BASE}/l", f"{BASE}/l", 200, {"content-type": "text/html; charset=utf-8"}, body)
    query = read_request(f"city and population (int) from the table on {page.url} as JSON")
    survey = survey_pages(query, [page])

    def judged(rows: list[dict[str, Any]]) -> bool:
        one = case(rows, {page.url: page}, query)
        return RowsCritic().judge(msgspec.structs.replace(one, survey=survey, author="rules")).ok

    assert judged([{"city": town, "population": people} for town, people in towns])
    assert not judged([{"city": "Towns", "population": 12300}])


def test_a_value_is_not_missed_where_its_label_is_missing_too() -> None:
    def notice(number: int, value: str) -> str:
        worth = f"<div><b>Value</b> {value}</div>" if value else ""
        return f"<h3>Notice {number}</h3><div><b>Stage</b> Open</div>{worth}<div><b>Closing</b> {number} May 2024</div>"

    records = [notice(1, "£120,000"), notice(2, "£45,000"), notice(3, ""), notice(4, "£9,000")]
    value = Column("value", "text")
    rows = [{"name": f"Notice {n}", "value": text} for n, text in enumerate(("£120,000", "£45,000", "", "£9,000"), 1)]
    good = judge(records, rows, NAME, value)
    assert good.ok, good.findings


def test_true_and_false_as_text_are_no_values_of_the_page() -> None:
    records = [f"<h3>Sofa {n}</h3><p>{said}</p>" for n, said in enumerate(("in stock", "sold out", "in stock"))]
    rows = [{"name": f"Sofa {n}", "in_stock": text} for n, text in enumerate(("True", "False", "True"))]
    verdict = judge(records, rows, NAME, Column("in_stock", "bool"))
    assert verdict.ok, verdict.findings


def test_a_telephone_number_is_not_missed_where_its_place_says_something_else() -> None:
    texts = ["Tel. 555 01001 · Room 1", "Room 7", "Tel. 555 01003 · Room 4"]
    records = [f"<h3>Sofa {n}</h3><p>{text}</p>" for n, text in enumerate(texts)]
    rows = [{"name": f"Sofa {n}", "phone": phone} for n, phone in enumerate(("555 01001", "", "555 01003"))]
    good = judge(records, rows, NAME, Column("phone", note="optional"))
    assert good.ok, good.findings


def test_a_date_by_its_name_alone_may_be_text() -> None:
    records = [f"<h3>Sofa {n}</h3><p>before {n}th cent.</p>" for n in range(5, 8)]
    rows = [{"name": f"Sofa {n}", "date": f"before {n}th cent."} for n in range(5, 8)]
    assert judge(records, rows, NAME, Column("date")).ok
    assert "date" in columns(judge(records, rows, NAME, Column("date", "date")))


@pytest.mark.parametrize(
    ("column", "op", "value", "kept", "left"),
    [
        ("name", "starts", "kmod-", "kmod-usb", "usb-kmod"),
        ("day", "starts", "2018", "2018-05-01", "2019-01-01"),
        ("day", "eq", "2018", "2018-05-01", "2019-01-01"),
        ("day", "ge", "2018-06", "2018-06-02", "2018-05-31"),
        ("at", "ge", "12:00", "13:30", "9:30"),
        ("at", "lt", "12:00", "9:30", "13:30"),
        ("spelt", "lt", "2018-06-01", "03.02.2018", "01.07.2018"),
    ],
)
def test_rows_that_a_condition_leaves_out_are_found(column: str, op: Any, value: str, kept: str, left: str) -> None:
    field = Column(column, "text" if column in ("name", "at") else "date")
    if column == "spelt":
        field = Column(column, "date", "%d.%m.%Y")
    texts = [kept, left] * 2
    page = Page(
        f"{BASE}/l", f"{BASE}/l", 200, {"content-type": "text/html; charset=utf-8"},
        document("<ul>" + "".join(f"<li><b>{text}</b><i>{n}</i></li>" for n, text in enumerate(texts)) + "</ul>"),
    )  # fmt: skip
    wanted = Filter(text="a condition", column=column, op=op, value=value)
    query = ask(columns=(field,), urls=(page.url,), pages="first", filters=(wanted,))

    def codes_of(*rows: str) -> list[str]:
        verdict = RowsCritic().judge(case([{column: row} for row in rows], {page.url: page}, query))
        return [finding.code for finding in verdict.findings]

    assert "filter-broken" not in codes_of(kept)
    assert "filter-broken" in codes_of(kept, left)
