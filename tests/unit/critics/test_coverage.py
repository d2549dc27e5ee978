"""Values that a record has and its row has not, and names that most rows lack."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from scrapewright.critics.judge import RowsCritic
from scrapewright.loop.ports import Case
from scrapewright.query.reading import Column, Reading
from scrapewright.session.questions import Decision
from scrapewright.session.result import Request, RunResult
from scrapewright.session.verdict import Verdict
from scrapewright.web.page import Page

URL = "http://council.test/"
DAYS = ("3 March 2024", "10 March 2024", "17 March 2024", "24 March 2024", "31 March 2024", "7 April 2024")
ISO = ("2024-03-03", "2024-03-10", "2024-03-17", "2024-03-24", "2024-03-31", "2024-04-07")


def judged(body: str, fields: tuple[Column, ...], rows: list[dict[str, Any]]) -> Verdict:
    query = Reading(text="", urls=(URL,), columns=fields, format="json")
    page = Page(
        URL, URL, 200, {"content-type": "text/html; charset=utf-8"}, f"<main><h1>Town</h1>{body}</main>".encode()
    )
    result = RunResult("ok", 0, requests=(Request("GET", URL, 200, "text/html", len(page.body)),))
    files = {query.output_name: json.dumps(rows).encode()}
    return RowsCritic().judge(Case(query, None, result, files, {URL: page}, author="model"))


def codes(verdict: Verdict) -> set[str]:
    return {finding.code for finding in verdict.findings if finding.severity == "error"}


def test_a_date_that_the_record_says_is_missed() -> None:
    body = "".join(f"<li class='meeting'><h3>Board {n}</h3><p>On {day} at ten</p></li>" for n, day in enumerate(DAYS))
    fields = (Column("title"), Column("date", "date"))
    rows: list[dict[str, Any]] = [{"title": f"Board {n}", "date": day} for n, day in enumerate(ISO)]
    assert "low-coverage" not in codes(judged(f"<ul>{body}</ul>", fields, rows))
    rows[2]["date"] = rows[4]["date"] = None
    assert "low-coverage" in codes(judged(f"<ul>{body}</ul>", fields, rows))


@pytest.mark.parametrize("dash", ["–", "—<sup>[5]</sup>"])
def test_a_dash_has_no_number(dash: str) -> None:
    """Neither has its note, nor the cell beside it, which is like it."""
    heights = ["38", "22", dash, "54", "17", "61"]
    body = "".join(f"<tr><th>Bridge {n}</th><td>{height}</td><td>{n + 3}</td></tr>" for n, height in enumerate(heights))
    rows = [{"title": f"Bridge {n}", "height": int(h) if h.isdigit() else None} for n, h in enumerate(heights)]
    found = judged(f"<table>{body}</table>", (Column("title"), Column("height", "int")), rows).findings
    assert "low-coverage" not in {finding.code for finding in found}


def test_a_class_that_names_nothing_of_the_column_is_not_missed() -> None:
    kinds = ["news", "", "press", "letters", "news", "press"]
    body = "".join(
        f"<article class='post {f'tag-{kind}' if kind else 'bare'}'><h3>Item {n}</h3><p>Text {n}</p></article>"
        for n, kind in enumerate(kinds)
    )
    rows = [{"title": f"Item {n}", "tag": kind or None} for n, kind in enumerate(kinds)]
    found = judged(body, (Column("title"), Column("tag")), rows).findings
    assert "low-coverage" not in {finding.code for finding in found}


def test_a_number_that_other_records_have_as_well_is_not_missed() -> None:
    """Beside what is asked for, in an element like that."""
    counts = [(3, ""), (None, 1), (11, 2), (6, ""), (None, 1), (8, 4)]
    parts = '<i><a class="n">{}</a></i><b>{}</b>'
    body = "".join(
        f"<li><h3>Task {n}</h3>{parts.format(links, f'<a class=n>{notes}</a>' if notes else '')}</li>"
        for n, (notes, links) in enumerate(counts)
    )
    rows: list[dict[str, Any]] = [{"title": f"Task {n}", "notes": notes} for n, (notes, _) in enumerate(counts)]
    assert "low-coverage" not in codes(judged(f"<ul>{body}</ul>", (Column("title"), Column("notes", "int")), rows))
    rows[3]["notes"] = None
    assert "low-coverage" in codes(judged(f"<ul>{body}</ul>", (Column("title"), Column("notes", "int")), rows))


def test_a_date_of_another_column_is_not_missed() -> None:
    """Both columns' cells are alike; one of them has no day in a row."""
    closes = [*DAYS[1:], "Not applicable"]
    body = "".join(
        f"<tr><th>Notice {n}</th><td class='day'>{day}</td><td class='day'>{close}</td></tr>"
        for n, (day, close) in enumerate(zip(DAYS, closes, strict=True))
    )
    fields = (Column("title"), Column("published", "date"), Column("closes", "date"))
    ends = [*ISO[1:], None]
    rows = [
        {"title": f"Notice {n}", "published": day, "closes": end}
        for n, (day, end) in enumerate(zip(ISO, ends, strict=True))
    ]
    assert "low-coverage" not in codes(judged(f"<table>{body}</table>", fields, rows))


@pytest.mark.parametrize(("icon", "missed"), [("icon-caret-{}", True), ("thumbs-{}", False), ("status {}", False)])
def test_a_fall_that_an_arrow_shows_is_below_zero(icon: str, missed: bool) -> None:
    """Of votes and states up and down are no signs."""
    moves = [1.2, 0.4, 3.1, 2.2, 0.9, 1.7]
    body = "".join(
        f"<li class='coin'><h3>Coin {n}</h3><b><i class='{icon.format('down' if n % 2 else 'up')}'></i>{move}%</b></li>"
        for n, move in enumerate(moves)
    )
    fields = (Column("name"), Column("change", "float"))
    rows: list[dict[str, Any]] = [{"name": f"Coin {n}", "change": move} for n, move in enumerate(moves)]
    assert ("lacks the minus" in str(judged(f"<ul>{body}</ul>", fields, rows).findings)) is missed
    signed = [row | {"change": -move if n % 2 else move} for n, (row, move) in enumerate(zip(rows, moves, strict=True))]
    assert "lacks the minus" not in str(judged(f"<ul>{body}</ul>", fields, signed).findings)


def test_a_measure_of_another_unit_is_none_of_the_columns() -> None:
    """A list of what is known of each: in one, the power is where others have the distance."""
    cars = [(f"{n + 4},{n}10 miles", f"{n + 70} BHP") for n in range(6)]
    cars[2] = ("", "72 BHP")
    body = "".join(
        f"<li class='car'><h3>Car {n}</h3><ul>{''.join(f'<li>{text}</li>' for text in texts if text)}</ul></li>"
        for n, texts in enumerate(cars)
    )
    rows: list[dict[str, Any]] = [{"title": f"Car {n}", "miles": (n + 4) * 1000 + n * 100 + 10} for n in range(6)]
    rows[2]["miles"] = None
    found = judged(f"<ul>{body}</ul>", (Column("title"), Column("miles", "int")), rows)
    assert "low-coverage" not in {finding.code for finding in found.findings}


@pytest.mark.parametrize(("column", "right"), [("name", False), ("remark", True)])
def test_what_a_record_is_called_most_records_have(column: str, right: bool) -> None:
    body = "".join(
        f"<li class='lot'><i>{n + 11} kg</i>" + (f"<b>Lot {day}</b>" if n % 2 else "") + "</li>"
        for n, day in enumerate(DAYS)
    )
    rows = [{"weight": n + 11, column: f"Lot {day}" if n % 2 else None} for n, day in enumerate(DAYS)]
    verdict = judged(f"<ul>{body}</ul>", (Column("weight", "int"), Column(column)), rows)
    assert ("low-coverage" not in codes(verdict)) is right, verdict.findings


SUMS = [("49.00", "39.00"), ("99.00", "59.00"), ("", "120.00"), ("", "85.00")]
OFFERS = "".join(
    f"<li class='lot'><h3>Sofa {n}</h3>"
    + (f"<del><b>£{old}</b></del> <ins><b>£{now}</b></ins>" if old else f"<p><b>£{now}</b></p>")
    + "</li>"
    for n, (old, now) in enumerate(SUMS)
)


def test_a_value_at_another_place_of_the_record_is_missed() -> None:
    """What is empty in some rows is there in an element like that of the others."""
    fields = (Column("name"), Column("price", "float"))
    rows = [{"name": f"Sofa {n}", "price": None if old else float(now)} for n, (old, now) in enumerate(SUMS)]
    found = judged(f"<ul>{OFFERS}</ul>", fields, rows).findings
    assert [(finding.code, finding.column, finding.rows) for finding in found] == [("low-coverage", "price", (0, 1))]


def test_what_another_column_has_is_not_missed() -> None:
    fields = (Column("name"), Column("old", "float", note="optional"), Column("now", "float"))
    rows = [
        {"name": f"Sofa {n}", "old": float(old) if old else None, "now": float(now)}
        for n, (old, now) in enumerate(SUMS)
    ]
    assert "low-coverage" not in codes(judged(f"<ul>{OFFERS}</ul>", fields, rows))


def test_a_place_that_a_person_chose_may_be_empty_in_most_records() -> None:
    body = "".join(
        f"<li class='lot'><b>Lot {day}</b>" + (f"<i>sold by hall {n}</i>" if n < 2 else "") + "</li>"
        for n, day in enumerate(DAYS)
    )
    rows = [{"title": f"Lot {day}", "remark": f"sold by hall {n}" if n < 2 else ""} for n, day in enumerate(DAYS)]
    query = Reading(text="", urls=(URL,), columns=(Column("title"), Column("remark")), format="json")
    page = Page(URL, URL, 200, {"content-type": "text/html"}, f"<main><ul>{body}</ul></main>".encode())
    result = RunResult("ok", 0, requests=(Request("GET", URL, 200, "text/html"),))
    case = Case(query, None, result, {query.output_name: json.dumps(rows).encode()}, {URL: page}, author="rules")
    assert "low-coverage" in {finding.code for finding in RowsCritic().judge(case).findings}
    chosen = Decision("column", "remark", "s2", values=("sold by hall 0", "sold by hall 1"))
    case = msgspec.structs.replace(case, decisions=(chosen,))
    assert "low-coverage" not in {finding.code for finding in RowsCritic().judge(case).findings}
