"""Whether records without a row are left out by the request: read where the rows' records say what it compares."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from scrapewright.critics.judge import RowsCritic
from scrapewright.loop.ports import Case
from scrapewright.query.reading import Column, Filter, Reading
from scrapewright.session.result import Request, RunResult
from scrapewright.web.page import Page

URL = "http://guild.test/"
NAMES = ("Ash", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Gum", "Hazel", "Ironwood", "Juniper", "Larch", "Maple")


def codes(
    body: str,
    columns: tuple[Column, ...],
    rows: list[dict[str, Any]],
    *filters: Filter,
    distinct: tuple[str, ...] = (),
    more: Mapping[str, str] | None = None,
) -> set[str]:
    """What is found of the rows; `more` are the bodies of further pages that the run got."""
    query = Reading(text="x", urls=(URL,), columns=columns, filters=filters, distinct=distinct, format="json")
    pages = {
        url: Page(url, url, 200, {"content-type": "text/html; charset=utf-8"}, f"<main>{inner}</main>".encode())
        for url, inner in ({URL: body} | dict(more or {})).items()
    }
    result = RunResult("ok", 0, requests=tuple(Request("GET", url, 200, "text/html", 100) for url in pages))
    files = {query.output_name: json.dumps(rows).encode()}
    return {found.code for found in RowsCritic().judge(Case(query, None, result, files, pages)).findings}


LEFT = {"left-out", "too-few-rows"}
COLUMNS = (Column("name"), Column("url", "url"), Column("date", "date"))
DAYS = [f"2021-{3 if n < 8 else 4:02}-{n + 1:02}" for n in range(len(NAMES))]
IN_MARCH = [
    {"name": f"{name} Workshop", "url": f"{URL}w/{n}", "date": day}
    for n, (name, day) in enumerate(zip(NAMES, DAYS, strict=True))
    if day < "2021-04"
]
MARCH = Filter("in March", "date", "starts", "2021-03")


def workshops(*beside: str) -> str:
    """A list of links, each with something beside it."""
    links = [f"<a href='/w/{n}'>{name} Workshop</a>" for n, name in enumerate(NAMES)]
    return f"<ul>{''.join(f'<li>{a}{other}</li>' for a, other in zip(links, beside, strict=True))}</ul>"


def test_a_column_is_read_in_records_of_another_layout() -> None:
    """Two of the rows' records have it, and most of those without a row."""
    body = workshops(*(f"<p><i>{d}</i></p>" if n not in (2, 5, 9, 10) else f"<u>{d}</u>" for n, d in enumerate(DAYS)))
    assert not codes(body, COLUMNS, IN_MARCH, MARCH)
    assert "too-few-rows" in codes(body, COLUMNS, IN_MARCH[:6] + IN_MARCH[7:], MARCH)


def test_a_place_that_says_something_else_in_some_rows_is_not_read() -> None:
    """A second date is that of the first in some records, and another in others."""
    seen = [day if n % 2 else f"2021-03-{n + 12:02}" for n, day in enumerate(DAYS)]
    firsts = [f"<i>{day}</i>" if n != 8 else "" for n, day in enumerate(DAYS)]
    body = workshops(*(f"{first}<u>{second}</u>" for first, second in zip(firsts, seen, strict=True)))
    assert codes(body, COLUMNS, IN_MARCH, MARCH) == {"left-out"}


def test_a_column_that_a_heading_says_is_read_above_the_records() -> None:
    groups = {"Wood": NAMES[:4], "Metal": NAMES[4:8], "Glass": NAMES[8:]}
    body = "".join(
        f"<h2>{group}</h2><ul>{''.join(f'<li><b>{name} Workshop</b></li>' for name in names)}</ul>"
        for group, names in groups.items()
    )
    rows = [{"group": group, "name": f"{name} Workshop"} for group in ("Wood", "Glass") for name in groups[group]]
    columns, wanted = (Column("group"), Column("name")), Filter("without metal", "group", "ne", "Metal")
    assert not codes(body, columns, rows, wanted)
    assert "too-few-rows" in codes(body, columns, rows[:1] + rows[2:], wanted)


def test_the_second_line_of_a_record_is_no_record() -> None:
    """It looks like a first line: a text with a link."""
    lines = [
        f"<tr><td></td><td><a href='/w/{n}'>{name} Workshop</a></td></tr>"
        f"<tr><td></td><td><a href='/by/{n}'>by {name.lower()[::-1]}</a> {n + 20} visits</td></tr>"
        for n, name in enumerate(NAMES)
    ]
    rows = [{"name": f"{name} Workshop", "url": f"{URL}w/{n}", "visits": n + 20} for n, name in enumerate(NAMES)]
    columns = (Column("name"), Column("url", "url"), Column("visits", "int"))
    assert not codes(f"<table>{''.join(lines)}</table>", columns, rows)
    assert "too-few-rows" in codes(f"<table>{''.join(lines)}</table>", columns, rows[:4] + rows[5:])


def test_words_where_a_number_is_asked_for_are_not_as_large() -> None:
    """Nor are they known to be as small: they may be a word for none."""
    prizes = [f"{n}00 coins" if n % 3 else ("to be announced", "open to all")[n % 2] for n in range(len(NAMES))]
    body = workshops(*(f"<i>{prize}</i>" for prize in prizes))
    columns = (Column("name"), Column("url", "url"), Column("prize", "int"))
    rows = [
        {"name": f"{name} Workshop", "url": f"{URL}w/{n}", "prize": n * 100} for n, name in enumerate(NAMES) if n % 3
    ]
    large, small = rows[2:], rows[:4]
    assert not codes(body, columns, large, Filter("at least 400 coins", "prize", "ge", "400"))
    assert codes(body, columns, small, Filter("at most 500 coins", "prize", "le", "500")) == {"left-out"}


@pytest.mark.parametrize(
    ("word", "left"),
    [
        ("Preis auf Anfrage", set()),
        ("VENDIDO", set()),
        ("gratis", {"left-out"}),
        ("Free, call now", {"left-out"}),
        ("satıldı", set()),
    ],
)
def test_a_number_that_is_not_told_is_none_below_a_limit(word: str, left: set[str]) -> None:
    body = workshops(*(f"<i>{f'{n}00 coins' if n % 3 else word}</i>" for n in range(len(NAMES))))
    columns = (Column("name"), Column("url", "url"), Column("prize", "int"))
    rows = [
        {"name": f"{name} Workshop", "url": f"{URL}w/{n}", "prize": n * 100} for n, name in enumerate(NAMES) if n % 3
    ]
    assert codes(body, columns, rows[:4], Filter("at most 500 coins", "prize", "le", "500")) == left


def test_a_class_that_tells_a_value_s_state_does_not_hide_others() -> None:
    below = [n - 6 for n in range(len(NAMES))]
    body = workshops(*(f"<p><b{' class=cold' if n < 0 else ''}>{n} °C</b></p>" for n in below))
    columns = (Column("name"), Column("url", "url"), Column("warmth", "int"))
    rows = [{"name": f"{NAMES[n]} Workshop", "url": f"{URL}w/{n}", "warmth": below[n]} for n in range(6)]
    cold = Filter("below 0", "warmth", "lt", "0")
    assert not codes(body, columns, rows, cold)
    assert "too-few-rows" in codes(body, columns, rows[:2] + rows[3:], cold)


def test_a_dash_is_no_number_below_a_limit() -> None:
    body = workshops(*(f"<i>{f'{n}00 coins' if n % 3 else '–'}</i>" for n in range(len(NAMES))))
    columns = (Column("name"), Column("url", "url"), Column("prize", "int"))
    rows = [
        {"name": f"{name} Workshop", "url": f"{URL}w/{n}", "prize": n * 100} for n, name in enumerate(NAMES) if n % 3
    ]
    assert not codes(body, columns, rows[:4], Filter("at most 500 coins", "prize", "le", "500"))


def test_a_whole_number_has_thousands_and_no_fraction_of_three_figures() -> None:
    """No row's own number is that large."""
    body = workshops(*(f"<i>{1 + n},{n:03} coins</i>" if n > 7 else f"<i>{n + 1} coins</i>" for n in range(len(NAMES))))
    rows = [{"name": f"{name} Workshop", "url": f"{URL}w/{n}", "sum": n + 1} for n, name in enumerate(NAMES) if n < 8]
    wanted = Filter("at most 100 coins", "sum", "le", "100")
    assert not codes(body, (Column("name"), Column("url", "url"), Column("sum", "int")), rows, wanted)


def test_rows_say_whether_three_figures_behind_a_mark_are_thousands_or_a_fraction() -> None:
    sums = [f"{n + 1},{n}50" for n in range(len(NAMES))]
    body = workshops(*(f"<i>{one} coins</i>" for one in sums))
    columns = (Column("name"), Column("url", "url"), Column("sum", "float"))

    def rows(mark: str) -> list[dict[str, Any]]:
        values = [float(one.replace(",", mark)) for one in sums]
        return [
            {"name": f"{name} Workshop", "url": f"{URL}w/{n}", "sum": value}
            for n, (name, value) in enumerate(zip(NAMES, values, strict=True))
            if n > 3 and n < 10
        ]

    limits = Filter("at least 5000", "sum", "ge", "5000"), Filter("at most 11000", "sum", "lt", "11000")
    assert not codes(body, columns, rows(""), *limits)
    assert "too-few-rows" in codes(body, columns, rows("")[:2] + rows("")[3:], *limits)
    fractions = Filter("at least 5", "sum", "ge", "5"), Filter("at most 11", "sum", "lt", "11")
    assert codes(body, columns, rows("."), *fractions) == {"left-out"}


def test_where_a_record_goes_on_is_looked_for_on_its_own_page() -> None:
    """The pages that records link to have nodes of the same numbers."""
    lines = [
        f"<tr><td></td><td><a href='/w/{n}'>{name} Workshop</a></td></tr><tr><td></td><td>{n + 20} visits</td></tr>"
        for n, name in enumerate(NAMES)
    ]
    more = {f"{URL}w/{n}": f"{'<i>-</i>' * (n * 6)}<b>Guild no. {n}{n}7</b>" for n in range(len(NAMES))}
    rows = [
        {"name": f"{name} Workshop", "url": f"{URL}w/{n}", "visits": n + 20, "number": f"{n}{n}7"}
        for n, name in enumerate(NAMES)
    ]
    columns = (Column("name"), Column("url", "url"), Column("visits", "int"), Column("number"))
    table = f"<table>{''.join(lines)}</table>"
    assert not codes(table, columns, rows, more=more)
    for left in range(2, 10):
        assert "too-few-rows" in codes(table, columns, rows[:left] + rows[left + 1 :], more=more), left


def test_a_record_that_differs_from_all_rows_in_a_column_is_no_repetition() -> None:
    """Of the columns that are not to repeat, all together."""
    body = workshops(*(f"<i>open</i><b>{n % 3}.50 coins</b>" for n in range(len(NAMES))))
    columns = (Column("name"), Column("state"), Column("fee", "float"))
    rows = [{"name": f"{name} Workshop", "state": "open", "fee": n % 3 + 0.5} for n, name in enumerate(NAMES)]
    without, every = rows[:4] + rows[5:], ("name", "state", "fee")
    assert not codes(body, columns, rows, distinct=every)
    assert codes(body, columns, without, distinct=every) == {"left-out"}
    assert not codes(body, columns, rows[:3], distinct=("state", "fee"))


def test_a_number_of_the_condition_is_told_by_the_word_beside_it() -> None:
    """No answers are 0 answers, and not 0 votes."""
    said = {name: f"{n % 4} votes {n % 3} answers {n + 40} views" for n, name in enumerate(NAMES)}
    body = "".join(f"<li><b>{name} Workshop</b> <i>{text}</i></li>" for name, text in said.items())
    rows = [{"name": f"{name} Workshop"} for name, text in said.items() if " 0 answers" in text]
    wanted = Filter("those that have no answers (0 answers)", "", "eq", "0")
    page = f"<ul>{body}</ul>"
    assert not codes(page, (Column("name"),), rows, wanted) & LEFT
    assert "too-few-rows" in codes(page, (Column("name"),), rows[1:], wanted)


def test_a_part_of_a_word_keeps_a_condition_on_what_a_name_contains() -> None:
    names = ("Red car", "Blue car", "Big cars", "Fast cars", "Green boat")
    body = "".join(f"<li><b>{name}</b> <i>{n} years</i></li>" for n, name in enumerate(names))
    rows = [{"name": name} for name in names[:2]]
    found = codes(f"<ul>{body}</ul>", (Column("name"),), rows, Filter("cars", "name", "contains", "car"))
    assert "too-few-rows" in found


def test_of_several_numbers_the_columns_own_has_its_unit_behind_it() -> None:
    said = {
        name: f"{n % 4 + 1} bd | 1 ba | {500 + n} sqft" if n % 5 else "Studio | 1 ba" for n, name in enumerate(NAMES)
    }
    body = "".join(f"<li><b>{name} Workshop</b> <i>{text}</i></li>" for name, text in said.items())
    rows = [{"name": f"{name} Workshop", "beds": int(text[0])} for name, text in said.items() if text[0] in "34"]
    wanted = Filter("at least 3 beds", "beds", "ge", "3")
    columns = (Column("name"), Column("beds", "int"))
    page = f"<ul>{body}</ul>"
    assert not codes(page, columns, rows, wanted) & LEFT
    assert "too-few-rows" in codes(page, columns, rows[:1] + rows[2:], wanted)


def test_a_record_that_does_not_say_the_word_asked_for_does_not_keep_the_condition() -> None:
    """The place of the word is another one in records that lack something before it."""
    said = {name: ("Petrol" if n % 3 else "Diesel") for n, name in enumerate(NAMES)}
    body = "".join(
        f"<li><b>{name} Workshop</b> <p>{f'<i>{n} mi</i>' if n % 4 else ''}<i>Manual</i><i>{fuel}</i></p></li>"
        for n, (name, fuel) in enumerate(said.items())
    )
    rows = [{"name": f"{name} Workshop", "fuel": fuel} for name, fuel in said.items() if fuel == "Petrol"]
    columns = (Column("name"), Column("fuel"))
    assert not codes(f"<ul>{body}</ul>", columns, rows, Filter("petrol", "fuel", "eq", "Petrol")) & LEFT


def test_lines_between_records_say_what_those_below_them_are() -> None:
    """Without a heading's tag; the name of another part holds that of the one that is asked for."""
    parts = {"Hill": NAMES[:4], "Hill End": NAMES[4:7], "Quay": NAMES[7:9], "Hillock": NAMES[9:]}
    line = "<tr><td>{0}</td><td>{0}@guild.test</td><td>Quay {1}</td></tr>"
    body = "".join(
        f"<tr class=part><td></td><td colspan=2><p>District: {part}; workshops: {len(names)}</p></td></tr>"
        + "".join(line.format(name, n) for n, name in enumerate(names))
        for part, names in parts.items()
    )
    columns, hill = (Column("name"),), Filter("in Hill only", "", "eq", "Hill")
    rows = [{"name": name} for name in NAMES]
    assert not codes(f"<table>{body}</table>", columns, rows[:4], hill) & LEFT
    assert "too-few-rows" in codes(f"<table>{body}</table>", columns, rows[:3], hill)
    assert not codes(f"<table>{body}</table>", columns, rows[4:7], Filter("at Hill End", "", "eq", "Hill End")) & LEFT
