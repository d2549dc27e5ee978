"""Values from the row's own record that are still not what the column asks for."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from scrapewright.critics.judge import RowsCritic
from scrapewright.query.read import read_request
from scrapewright.query.reading import Column, Filter
from scrapewright.session.verdict import Verdict
from scrapewright.survey.survey import survey_pages
from scrapewright.web.page import Page
from tests.unit.critics.shop_pages import BASE, ask, case, document

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


MODELS = [(300, 49), (200, 39), (450, 99), (500, 120)]


def test_a_price_out_of_the_name_is_refused() -> None:
    records = [f"<a href='/m/{n}'>Model {n}</a> in steel <b>{price} €</b>" for n, price in MODELS]
    right = [{"name": f"Model {n}", "price": price} for n, price in MODELS]
    assert judge(records, right, NAME, PRICE).ok
    bad = judge(
        records, [{"name": row["name"], "price": n} for row, (n, _) in zip(right, MODELS, strict=True)], NAME, PRICE
    )
    assert "price" in columns(bad)


def test_a_number_that_the_name_is_asked_for_stays() -> None:
    """A year that stands in the title alone is right, also beside a price that was not asked for."""
    records = [f"<a href='/f/{n}'>Film {'ABCD'[n]} ({1990 + n})</a> <b>{n + 5} €</b>" for n in range(4)]
    rows = [{"name": f"Film {'ABCD'[n]} ({1990 + n})", "year": 1990 + n} for n in range(4)]
    assert judge(records, rows, NAME, Column("year", "int")).ok


PEOPLE = [("Fog", "Ann Lee", "Reed"), ("Ash", "Bo Tan", "Moss"), ("Dew", "Cy Orr", "Fern"), ("Sun", "Di Poe", "Oak")]


def book(title: str, author: str, publisher: str) -> str:
    return f"<h3>{title}</h3><p class='author'>{author}</p><p class='house'>{publisher}</p>"


def test_a_text_from_the_wrong_part_of_its_record_is_refused() -> None:
    records = [book(*one) for one in PEOPLE]
    author = Column("author")
    right = [{"name": title, "author": who} for title, who, _ in PEOPLE]
    assert judge(records, right, NAME, author).ok
    bad = judge(records, [{"name": title, "author": house} for title, _, house in PEOPLE], NAME, author)
    assert columns(bad) == {"author"}
    assert any(finding.expected == "Ann Lee" for finding in bad.findings)


def test_a_column_that_holds_more_or_less_than_the_named_element_is_right() -> None:
    records = [f"<h3>{title}</h3><p>by <b class='author'>{who}</b>, {house}</p>" for title, who, house in PEOPLE]
    rows = [{"name": title, "author": f"by {who}, {house}"} for title, who, house in PEOPLE]
    assert judge(records, rows, NAME, Column("author")).ok
    rows = [{"name": title, "author": who.split()[0]} for title, who, _ in PEOPLE]
    assert "wrong-record" not in {f.code for f in judge(records, rows, NAME, Column("author")).findings}


def test_a_box_of_labelled_values_is_no_name() -> None:
    records = [
        f"<h3>{title}</h3><p>Since: 20{n}0 Posts: {n + 3} Seen: today</p>" for n, (title, _, _) in enumerate(PEOPLE)
    ]
    rows = [{"name": title, "user": f"20{n}0 Posts: {n + 3} Seen: today"} for n, (title, _, _) in enumerate(PEOPLE)]
    assert columns(judge(records, rows, NAME, Column("user"))) == {"user"}
    about = [{"name": row["name"], "description": row["user"]} for row in rows]
    assert judge(records, about, NAME, Column("description")).ok


def test_values_nothing_like_the_example_are_refused() -> None:
    records = [f"<h3>{title}</h3><p>{who} v. {house} - {title}town</p>" for title, who, house in PEOPLE]
    case_name = Column("case", note='e.g. "Marcus Lyle v. Loren Smith"')
    right = [{"name": title, "case": f"{who} v. {house}"} for title, who, house in PEOPLE]
    assert judge(records, right, NAME, case_name).ok
    wrong = [{"name": title, "case": f"{title}town"} for title, _, _ in PEOPLE]
    assert columns(judge(records, wrong, NAME, case_name)) == {"case"}
    said = Column("case", note='the part before "the last dash of the line"')
    assert judge(records, wrong, NAME, said).ok


SALE = [
    "<h3>Sofa A</h3><p><del><b>$49.00</b></del> <ins><b>$39.00</b></ins></p>",
    "<h3>Sofa B</h3><p><del><b>$99.00</b></del> <ins><b>$59.00</b></ins></p>",
    "<h3>Sofa C</h3><p><b>$120.00</b></p>",
    "<h3>Sofa D</h3><p><b>$85.00</b></p>",
]


@pytest.mark.parametrize(
    ("values", "wrong"),
    [
        ([39, 59, 120, 85], set()),
        ([49, 99, None, None], {"price"}),  # what no longer holds
        ([None, None, 120, 85], {"price"}),  # passed over where it stands elsewhere in the record
        ([49, 99, 120, 85], {"price"}),  # what no longer holds in some rows, what stands in the others
    ],
)
def test_a_price_is_the_one_that_stands(values: list[float], wrong: set[str]) -> None:
    assert columns(judge(SALE, rows_of(values), NAME, PRICE)) == wrong


def test_a_price_struck_out_serves_who_asks_for_it() -> None:
    asked = Column("old_price", "float")
    told = [{"name": f"Sofa {'ABCD'[n]}", "old_price": value} for n, value in enumerate([49, 99, None, None])]
    assert columns(judge(SALE, told, NAME, asked)) == set()


def test_the_regular_price_is_the_one_struck_out() -> None:
    asked = Column("regular_price", "float")
    rows = [{"name": f"Sofa {'ABCD'[n]}", "regular_price": value} for n, value in enumerate([49, 99, 120, 85])]
    assert columns(judge(SALE, rows, NAME, asked)) == set()
    reduced = [{**row, "regular_price": value} for row, value in zip(rows, [39, 59, 120, 85], strict=True)]
    assert columns(judge(SALE, reduced, NAME, asked)) == {"regular_price"}


def test_a_name_put_together_from_other_columns_is_none() -> None:
    records = [f"<h3>Sofa {n}</h3><i>{n}.5</i> of 5 <b>£{n}9.50</b>" for n in range(1, 5)]
    asked = (NAME, Column("rating", "float"), PRICE)
    right = [{"name": f"Sofa {n}", "rating": n + 0.5, "price": 10 * n + 9.5} for n in range(1, 5)]
    assert judge(records, right, *asked).ok
    boxed = [{**row, "name": f"{row['name']} {row['rating']} of 5 £{row['price']:.2f}"} for row in right]
    assert columns(judge(records, boxed, *asked)) == {"name"}


def test_a_text_that_goes_on_with_another_label_holds_two_values() -> None:
    records = [f"<h3>{title}</h3><p>Director: <a>{who}</a> | Stars: <a>{house}</a></p>" for title, who, house in PEOPLE]
    right = [{"name": title, "director": who} for title, who, _ in PEOPLE]
    assert judge(records, right, NAME, Column("director")).ok
    both = [{"name": title, "director": f"{who} | Stars: {house}"} for title, who, house in PEOPLE]
    assert columns(judge(records, both, NAME, Column("director"))) == {"director"}


def test_midnight_is_no_time_of_day_that_the_records_say() -> None:
    times = ["10:11", "15:40", "09:02", "00:00"]
    records = [f"<h3>Note {n}</h3><p>2021-03-0{n} {at}</p>" for n, at in enumerate(times, 1)]
    asked = Column("changed", "datetime", format="%Y-%m-%d %H:%M")
    right = [{"name": f"Note {n}", "changed": f"2021-03-0{n} {at}"} for n, at in enumerate(times, 1)]
    assert judge(records, right, NAME, asked).ok
    lost = [{**row, "changed": f"{row['changed'][:10]} 00:00"} for row in right]
    assert columns(judge(records, lost, NAME, asked)) == {"changed"}


def test_a_column_that_numbers_the_records_is_no_figure_of_theirs() -> None:
    people = ["Ann", "Bo", "Cy", "Di", "Ed", "Flo"]
    records = [f"<i>{n}.</i> <b>{who}</b> <u>{n * 117}</u>" for n, who in enumerate(people, 1)]
    karma = Column("karma", "int")
    right = [{"name": who, "karma": n * 117} for n, who in enumerate(people, 1)]
    assert judge(records, right, NAME, karma).ok
    ranks = [{"name": who, "karma": n} for n, who in enumerate(people, 1)]
    assert columns(judge(records, ranks, NAME, karma)) == {"karma"}
    rank = Column("rank", "int")
    assert judge(records, [{"name": who, "rank": n} for n, who in enumerate(people, 1)], NAME, rank).ok


@pytest.mark.parametrize("day", ["10/12/2015", "10-Mar"])
def test_a_piece_of_a_date_is_no_quantity(day: str) -> None:
    said = ["72", "6", day, "24", "48", "36"]
    records = [f"<h3>Item {'ABCDEF'[n]}</h3><p>Case: {text}</p>" for n, text in enumerate(said)]
    case_of = Column("case", "int", note="optional")
    right = [
        {"name": f"Item {'ABCDEF'[n]}", "case": int(text) if text.isdigit() else None} for n, text in enumerate(said)
    ]
    assert columns(judge(records, right, NAME, case_of)) <= {"case"}
    wrong = [{**row, "case": 10} if row["case"] is None else row for row in right]
    assert columns(judge(records, wrong, NAME, case_of)) == {"case"}


def test_a_cell_that_was_passed_over_is_told() -> None:
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


@pytest.mark.parametrize(
    ("places", "wrong"),
    [(["Remote", "Berlin", "Remote (EU)", "Paris"], True), (["Remote"] * 4, False), (["Berlin", "Paris"] * 2, False)],
)
def test_a_kind_that_some_records_are_marked_as_is_a_condition(places: list[str], wrong: bool) -> None:
    names = ["Engineer", "Remote hands", "Analyst", "Designer"]
    cards = [f"<h3>{name}</h3><p>{place}</p>" for name, place in zip(names, places, strict=True)]
    body = document("<ul>" + "".join(f'<li class="card">{card}</li>' for card in cards) + "</ul>")
    page = Page(f"{BASE}/l", f"{BASE}/l", 200, {"content-type": "text/html; charset=utf-8"}, body)
    query = ask(columns=(NAME,), urls=(page.url,), pages="first", row_is="remote job")
    verdict = RowsCritic().judge(case([{"name": name} for name in names], {page.url: page}, query))
    assert ["filter-broken"] * wrong == [finding.code for finding in verdict.findings if finding.severity == "error"]


def test_a_list_in_two_boxes_is_one_list() -> None:
    names = ["Ada", "Bob", "Cyd", "Dan", "Eve", "Fay"]
    years = [1990, 1985, 2001, 1979, 1966, 1999]
    people = [{"name": name, "year": year} for name, year in zip(names, years, strict=True)]
    one = "".join(f'<li><a href="/m/{p["name"]}">{p["name"]}</a> <i>{p["year"]}</i></li>' for p in people[:3])
    two = "".join(f'<tr><td><a href="/m/{p["name"]}">{p["name"]}</a><td>{p["year"]}</tr>' for p in people[3:])

    def findings(rows: list[dict[str, Any]], box: str) -> list[str]:
        body = document(f"<h1>Members</h1><ul>{one}</ul>{box}")
        page = Page(f"{BASE}/l", f"{BASE}/l", 200, {"content-type": "text/html; charset=utf-8"}, body)
        query = ask(columns=(NAME, Column("year", "int")), urls=(page.url,), pages="first")
        verdict = RowsCritic().judge(case(rows, {page.url: page}, query))
        return [finding.code for finding in verdict.findings if finding.severity == "error"]

    assert findings(people, f"<table>{two}</table>") == []
    assert findings(people[:3], f"<table>{two}</table>") == ["too-few-rows"]
    assert findings(people[:3], f"<aside><table>{two}</table></aside>") == []
    assert findings(people[:3], f"<h2>Friends</h2><table>{two}</table>") == []


def test_a_text_around_another_columns_value_is_no_value() -> None:
    works = [("Adams, J.", "Sparse things", "12"), ("Brown, K.", "A theory", "8"), ("Clark, M.", "On tables", "3")]
    records = [f"{author} (2019). <a href='/p'>{title}</a>. vol. {volume}" for author, title, volume in works]
    fields = (Column("author"), Column("title"))
    right = [{"author": author, "title": title} for author, title, _ in works]
    wrong = [{"author": f"{author} (2019). . vol. {volume}", "title": title} for author, title, volume in works]
    assert columns(judge(records, right, *fields)) == set()
    assert columns(judge(records, wrong, *fields)) == {"author"}


def test_all_files_of_a_kind_are_of_that_kind() -> None:
    names = ["Report", "Budget", "Map", "Form"]
    cards = [f"<a href='/f/{name}.{end}'>{name}</a>" for name, end in zip(names, ["pdf"] * 3 + ["docx"], strict=True)]
    body = document("<ul>" + "".join(f'<li class="card">{card}</li>' for card in cards) + "</ul>")
    page = Page(f"{BASE}/l", f"{BASE}/l", 200, {"content-type": "text/html; charset=utf-8"}, body)
    query = ask(columns=(NAME,), urls=(page.url,), pages="first", row_is="pdf")
    verdict = RowsCritic().judge(case([{"name": name} for name in names], {page.url: page}, query))
    assert [(finding.code, finding.rows) for finding in verdict.findings if finding.severity == "error"] == [
        ("extra-rows", (3,))
    ]


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


def test_values_behind_another_label_than_the_others() -> None:
    def notice(number: int, value: str) -> str:
        worth = f"<div><b>Value</b> {value}</div>" if value else ""
        return f"<h3>Notice {number}</h3><div><b>Stage</b> Open</div>{worth}<div><b>Closing</b> {number} May 2024</div>"

    records = [notice(1, "£120,000"), notice(2, "£45,000"), notice(3, ""), notice(4, "£9,000")]
    value = Column("value", "text")
    second = ["£120,000", "£45,000", "3 May 2024", "£9,000"]
    rows = [{"name": f"Notice {n}", "value": text} for n, text in enumerate(second, 1)]
    assert columns(judge(records, rows, NAME, value)) == {"value"}
    rows[2]["value"] = ""
    good = judge(records, rows, NAME, value)
    assert good.ok, good.findings


def test_true_and_false_as_text_are_no_values_of_the_page() -> None:
    records = [f"<h3>Sofa {n}</h3><p>{said}</p>" for n, said in enumerate(("in stock", "sold out", "in stock"))]
    rows = [{"name": f"Sofa {n}", "in_stock": text} for n, text in enumerate(("True", "False", "True"))]
    verdict = judge(records, rows, NAME, Column("in_stock", "bool"))
    assert verdict.ok, verdict.findings


def test_rows_that_are_halves_of_records() -> None:
    records = [f'<p>{n}. <a href="/s{n}">Story {n}</a></p><p>{n}0 points by ann{n}</p>' for n in range(1, 5)]
    whole = [{"name": f"Story {n}", "rank": n, "points": 10 * n, "by": f"ann{n}"} for n in range(1, 5)]
    rank, points = Column("rank", "int"), Column("points", "int")
    good = judge(records, whole, NAME, rank, points, Column("by"))
    assert good.ok, good.findings
    half = [dict.fromkeys(("name", "rank", "points", "by"), None) | part for row in whole for part in (
        {"name": row["name"], "rank": row["rank"]}, {"points": row["points"], "by": row["by"]},
    )]  # fmt: skip
    findings = judge(records, half, NAME, rank, points, Column("by")).findings
    assert any("half a record" in finding.message for finding in findings)


def test_a_column_that_says_what_another_is_called() -> None:
    records = [f"<h3>Ann {n}</h3><p>Clerk {n}</p><p>Email</p>" for n in range(3)]
    rows = [{"name": f"Ann {n}", "role": "Email", "email": ""} for n in range(3)]
    assert "role" in columns(judge(records, rows, NAME, Column("role"), Column("email", note="optional")))


def test_a_telephone_number_is_not_missed_where_its_place_says_something_else() -> None:
    texts = ["Tel. 555 01001 · Room 1", "Room 7", "Tel. 555 01003 · Room 4"]
    records = [f"<h3>Sofa {n}</h3><p>{text}</p>" for n, text in enumerate(texts)]
    rows = [{"name": f"Sofa {n}", "phone": phone} for n, phone in enumerate(("555 01001", "", "555 01003"))]
    good = judge(records, rows, NAME, Column("phone", note="optional"))
    assert good.ok, good.findings


def test_ratings_that_happen_to_be_all_figures_number_no_records() -> None:
    stars = [3, 1, 4, 5, 2]
    records = [f"<h3>Sofa {n}</h3><p>{star} stars</p>" for n, star in enumerate(stars)]
    rows = [{"name": f"Sofa {n}", "rating": star} for n, star in enumerate(stars)]
    rating = Column("rating", "int")
    good = judge(records, rows, NAME, rating)
    assert good.ok, good.findings
    numbered = [f"<i>{n}</i><h3>Sofa {n}</h3><p>{star} stars</p>" for n, star in enumerate(stars, 1)]
    bad = judge(numbered, [{"name": f"Sofa {n}", "rating": n} for n in range(1, 6)], NAME, rating)
    assert "rating" in columns(bad)


def test_a_name_that_counts_what_another_column_does() -> None:
    records = [f"<h3>Sofa {n}</h3><b>{n}12 points</b> <i>{n}8 comments</i>" for n in range(1, 5)]
    points, comments = Column("points", "int"), Column("comments", "int")
    rows = [{"name": f"{n}8 comments", "points": int(f"{n}12"), "comments": int(f"{n}8")} for n in range(1, 5)]
    assert "name" in columns(judge(records, rows, NAME, points, comments))
    good = judge(records, [row | {"name": f"Sofa {n}"} for n, row in enumerate(rows, 1)], NAME, points, comments)
    assert good.ok, good.findings


def test_two_prices_that_are_one() -> None:
    records = [f"<h3>Sofa {n}</h3><p>Was £{n}5.00 Now £{n}0.00</p>" for n in range(1, 4)]
    old = Column("old_price", "float")
    rows = [{"name": f"Sofa {n}", "price": 10.0 * n, "old_price": 10.0 * n} for n in range(1, 4)]
    assert "old_price" in columns(judge(records, rows, NAME, PRICE, old))
    good = judge(records, [row | {"old_price": row["price"] + 5} for row in rows], NAME, PRICE, old)
    assert good.ok, good.findings


def test_a_link_that_writes_to_somebody_among_links_to_pages() -> None:
    records = [f'<h3>Sofa {n}</h3><a href="{to}">more</a>' for n, to in enumerate(("/1", "/2", "mailto:a@b.example"))]
    links = [f"{BASE}/1", f"{BASE}/2", "mailto:a@b.example"]
    rows = [{"name": f"Sofa {n}", "url": link} for n, link in enumerate(links)]
    assert columns(judge(records, rows, NAME, Column("url", "url"))) == {"url"}


def test_what_leads_to_a_name_is_none() -> None:
    records = [f"<h3>Sofa {n}</h3><p>Started by <b>ann{n}</b></p>" for n in range(2)]
    assert columns(
        judge(records, [{"name": f"Sofa {n}", "by": "Started by"} for n in range(2)], NAME, Column("by"))
    ) == {"by"}


def test_quotation_marks_that_were_to_be_left_off() -> None:
    records = [f"<h3>“Sofa {n}”</h3><p>{n}</p>" for n in range(3)]
    bare = Column("name", note="without quotation marks")
    assert "name" in columns(judge(records, [{"name": f"“Sofa {n}”"} for n in range(3)], bare))
    assert not columns(judge(records, [{"name": f"Sofa {n}"} for n in range(3)], bare))


@pytest.mark.parametrize(
    ("said", "message"), [("{n}.", "number of its record"), ("Thai · ££ · {n} mi", "between marks")]
)
def test_what_is_no_value_by_itself(said: str, message: str) -> None:
    records = [f"<h3>Sofa {n}</h3><p>{n}.</p><p>Thai · ££ · {n} mi</p>" for n in range(1, 4)]
    rows = [{"name": f"Sofa {n}", "cuisine": said.format(n=n)} for n in range(1, 4)]
    findings = judge(records, rows, NAME, Column("cuisine")).findings
    assert any(message in finding.message for finding in findings)


def test_a_date_by_its_name_alone_may_be_text() -> None:
    records = [f"<h3>Sofa {n}</h3><p>before {n}th cent.</p>" for n in range(5, 8)]
    rows = [{"name": f"Sofa {n}", "date": f"before {n}th cent."} for n in range(5, 8)]
    assert judge(records, rows, NAME, Column("date")).ok
    assert "date" in columns(judge(records, rows, NAME, Column("date", "date")))


def test_a_brand_is_no_sum_of_money() -> None:
    records = [f"<h3>Sofa {n}</h3><p>Forma</p><p>${n}.50</p>" for n in range(1, 4)]
    rows = [{"name": f"Sofa {n}", "brand": f"${n}.50"} for n in range(1, 4)]
    assert columns(judge(records, rows, NAME, Column("brand"))) == {"brand"}


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
