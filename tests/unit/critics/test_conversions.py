"""Values made from what a record says otherwise: each conversion is followed, a value that none gives is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scrapewright.critics.judge import RowsCritic
from scrapewright.critics.normal_forms import clocks
from scrapewright.loop.ports import Case
from scrapewright.query.reading import Column, Filter, Reading
from scrapewright.session.result import Request, RunResult
from scrapewright.web.page import Page

URL = "http://harbour.test/"
BOATS = ("Avocet", "Bittern", "Curlew", "Dunlin", "Egret", "Fulmar", "Gannet", "Heron")


def errors(body: str, columns: tuple[Column, ...], rows: list[dict[str, Any]], **asked: Any) -> set[str]:
    query = Reading(text="x", urls=(URL,), columns=columns, format="json", row_is="boat", **asked)
    page = Page(URL, URL, 200, {"content-type": "text/html; charset=utf-8"}, f"<main>{body}</main>".encode())
    result = RunResult("ok", 0, requests=(Request("GET", URL, 200, "text/html", len(page.body)),))
    files = {query.output_name: json.dumps(rows).encode()}
    verdict = RowsCritic().judge(Case(query, None, result, files, {URL: page}, author="model"))
    return {finding.code for finding in verdict.findings if finding.severity == "error"}


MADE = {
    "clock": ([f"{n + 1}:15 PM" for n in range(8)], [f"{n + 13}:15" for n in range(8)], "text"),
    "noon": (["12:05 am", "12:40 pm", *[f"{n} p.m." for n in range(1, 7)]],
             ["00:05", "12:40", *[f"{n + 12}:00" for n in range(1, 7)]], "text"),
    "minutes": ([f"{8 + n}:30 - {10 + n}:{10 + n}" for n in range(8)], [100 + n for n in range(8)], "int"),
    "hours": ([f"{10 + n}½ hours" for n in range(8)], [630 + 60 * n for n in range(8)], "int"),
    "year": ([f"Reg. HB{100 + n}-{91 + n}" for n in range(8)], [1991 + n for n in range(8)], "int"),
    "rounded": ([f"{n + 2}.{n + 1}67 m" for n in range(8)], [round(1.1 * (n + 2), 1) for n in range(8)], "float"),
}  # fmt: skip


@pytest.mark.parametrize("made", MADE)
def test_a_conversion_is_followed(made: str) -> None:
    texts, values, kind = MADE[made]
    records = "".join(f"<li><b>{boat}</b> <i>{text}</i></li>" for boat, text in zip(BOATS, texts, strict=True))
    rows = [{"boat": boat, "value": value} for boat, value in zip(BOATS, values, strict=True)]
    columns = (Column("boat"), Column("value", kind))
    assert not errors(f"<ul>{records}</ul>", columns, rows)
    rows[2]["value"], rows[5]["value"] = rows[5]["value"], rows[2]["value"]
    assert errors(f"<ul>{records}</ul>", columns, rows)
    rows[2]["value"] = "03:59" if kind == "text" else 4711
    assert errors(f"<ul>{records}</ul>", columns, rows)


@pytest.mark.parametrize(
    "place", ["<b class='berth berth_{}'>{}</b>", "<b id='boat-90{}'>{}</b>", "<a href='/b/boat-90{}.html'>{}</a>",
              "<a href='/quay?berth={}'>{}</a>"],
)  # fmt: skip
def test_figures_of_a_word_are_a_number(place: str) -> None:
    records = "".join(f"<li>{place.format(17 + n, boat)}<i>moored</i></li>" for n, boat in enumerate(BOATS))
    rows = [{"boat": boat, "berth": (0 if "berth" in place else 9000) + 17 + n} for n, boat in enumerate(BOATS)]
    columns = (Column("boat"), Column("berth", "int"))
    assert not errors(f"<ul>{records}</ul>", columns, rows)
    rows[3]["berth"] += 1
    assert errors(f"<ul>{records}</ul>", columns, rows)


def test_elements_of_a_kind_are_counted_in_records_that_have_few_or_none() -> None:
    records = "".join(
        f"<li><b>{boat}</b>{'<ol>' + '<li><u>mate</u></li>' * (n % 4) + '</ol>' if n % 4 else ''}</li>"
        for n, boat in enumerate(BOATS)
    )
    rows = [{"boat": boat, "crew": n % 4} for n, boat in enumerate(BOATS)]
    columns = (Column("boat"), Column("crew", "int"))
    assert not errors(f"<ul>{records}</ul>", columns, rows)
    rows[2]["crew"] = 3
    assert errors(f"<ul>{records}</ul>", columns, rows)


@pytest.mark.parametrize(
    ("text", "times"),
    [("7 PM", [(19, 0)]), ("from 9:30 to 10:45", [(9, 30), (10, 45)]), ("1.30", []), ("13h05", [(13, 5)]),
     ("2021-01-23T12:30:00", [(12, 30)]), ("1:30–2:15 p.m.", [(1, 30), (14, 15)]), ("31 PM", []), ("25:10", []),
     ("10:72", [])],
)  # fmt: skip
def test_times_of_day(text: str, times: list[tuple[int, int]]) -> None:
    assert list(clocks(text)) == times


def test_names_of_files_are_taken_apart() -> None:
    names = [f"{boat.lower()}_{n}-2_all.tar" for n, boat in enumerate(BOATS)]
    records = "".join(f"<li><a href='{name}'>{name}</a></li>" for name in names)
    rows = [dict(zip(("boat", "version", "arch"), name.removesuffix(".tar").split("_"), strict=True)) for name in names]
    columns = (Column("boat"), Column("version"), Column("arch"))
    assert not errors(f"<ul>{records}</ul>", columns, rows)
    rows[1]["version"] = "9-9"
    assert errors(f"<ul>{records}</ul>", columns, rows)


def test_one_of_a_list_keeps_a_condition() -> None:
    rigs = (["sloop", "steel"], ["ketch", "steel"], ["ketch", "oak"], ["yawl"])
    records = "".join(
        f"<li><b>{boat}</b>{''.join(f'<a>{rig}</a>' for rig in rigs[n % 4])}</li>" for n, boat in enumerate(BOATS)
    )
    rows = [{"boat": boat, "rig": rigs[n % 4]} for n, boat in enumerate(BOATS)]
    columns = (Column("boat"), Column("rig", "list"))
    wanted = Filter("with a steel hull", "rig", "eq", "steel")
    kept = [row for row in rows if "steel" in row["rig"]]
    assert not errors(f"<ul>{records}</ul>", columns, kept, filters=(wanted,))
    assert "filter-broken" in errors(f"<ul>{records}</ul>", columns, rows, filters=(wanted,))


def test_a_value_in_json_passed_behind_a_name() -> None:
    script = """<script>push('boat', {"berth": {"code": "HB 17"}, "sub": "Sloop", "length": 9.5})</script>"""
    columns = (Column("code"), Column("sub"), Column("length", "float"))
    row = {"code": "HB 17", "sub": "Sloop", "length": 9.5}
    body = f"<h1>SLOOP RIGGED BOAT</h1><p>Moored here.</p>{script}"
    assert not errors(body, columns, [row], single=True)
    assert errors(body, columns, [row | {"code": "HB 18"}], single=True)


NOT_MADE = {
    "thousands": ([f"{12 + n}K" for n in range(8)], [12 + n for n in range(8)], "int"),
    "day": ([f"{11 + n} May 2005" for n in range(8)], [2011 + n for n in range(8)], "int"),
    "cents": ([f"${n + 1}.{50 + n}" for n in range(8)], [1950 + n for n in range(8)], "int"),
    "price": ([f"${n + 4}.4{n}" for n in range(1, 9)], [n + 4.4 for n in range(1, 9)], "float"),
}


@pytest.mark.parametrize("made", NOT_MADE)
def test_what_no_request_converts_is_refused(made: str) -> None:
    texts, values, kind = NOT_MADE[made]
    records = "".join(f"<li><b>{boat}</b> <i>{text}</i></li>" for boat, text in zip(BOATS, texts, strict=True))
    rows = [{"boat": boat, "value": value} for boat, value in zip(BOATS, values, strict=True)]
    assert errors(f"<ul>{records}</ul>", (Column("boat"), Column("value", kind)), rows)


def test_first_names_of_short_names_are_cut() -> None:
    records = "".join(f"<li>{boat[:4]} {other}</li>" for boat, other in zip(BOATS, BOATS[::-1], strict=True))
    assert "cut-text" in errors(f"<ul>{records}</ul>", (Column("name"),), [{"name": boat[:4]} for boat in BOATS])


def test_one_of_a_list_may_have_a_comma() -> None:
    records = "".join(f"<li><b>{boat}</b> <i>Hull, {'UK' if n % 2 else 'MA'}</i></li>" for n, boat in enumerate(BOATS))
    rows = [{"boat": boat, "port": "Hull, UK"} for n, boat in enumerate(BOATS) if n % 2]
    columns = (Column("boat"), Column("port", "list"))
    assert not errors(f"<ul>{records}</ul>", columns, rows, filters=(Filter("of Hull", "port", "eq", "Hull, UK"),))


def test_long_figures_before_a_fraction_are_judged() -> None:
    body = f"<p>{'x' * 4500}{'1' * 5000}½ h</p><h1>Avocet</h1>"
    assert "could-not-judge" not in errors(body, (Column("hours", "float"),), [{"hours": 3.5}], single=True)


def test_a_number_and_its_unit_without_a_blank() -> None:
    units = [("ft", "m")[n % 2] for n in range(8)]
    records = "".join(f"<li>{boat} {9 + n}{unit}</li>" for n, (boat, unit) in enumerate(zip(BOATS, units, strict=True)))
    rows = [{"boat": b, "length": 9 + n, "unit": u} for n, (b, u) in enumerate(zip(BOATS, units, strict=True))]
    columns = (Column("boat"), Column("length", "int"), Column("unit"))
    assert not errors(f"<ul>{records}</ul>", columns, rows)
    rows[3]["unit"] = "f"
    assert errors(f"<ul>{records}</ul>", columns, rows)


def test_a_name_and_the_code_before_it_are_two_columns() -> None:
    records = "".join(f"<li><b>{('HB', 'QY')[n % 2]} {boat}</b> <i>{n}</i></li>" for n, boat in enumerate(BOATS))
    rows = [{"boat": boat, "kind": ("HB", "QY")[n % 2]} for n, boat in enumerate(BOATS)]
    assert not errors(f"<ul>{records}</ul>", (Column("boat"), Column("kind")), rows)
    assert "cut-text" in errors(f"<ul>{records}</ul>", (Column("boat"),), [{"boat": row["boat"]} for row in rows])


def test_an_arrow_behind_a_name_is_not_part_of_it() -> None:
    records = "".join(f"<li><b>{boat}{' »' if n == 2 else ''}</b> <i>{n}</i></li>" for n, boat in enumerate(BOATS))
    assert not errors(f"<ul>{records}</ul>", (Column("boat"),), [{"boat": boat} for boat in BOATS])
    records = "".join(f"<li><b>{boat} o' the {boat[::-1]} Isle</b> <i>{n}</i></li>" for n, boat in enumerate(BOATS))
    cut = [{"boat": f"{boat} o' the"} for boat in BOATS]
    assert "cut-text" in errors(f"<ul>{records}</ul>", (Column("boat"),), cut)


def test_a_figure_in_the_place_of_words_is_another_value() -> None:
    """Where some boats have a note, others have the number of their places in the same cell."""
    said = ("sold out", "in dock", *map(str, range(11, 17)))
    records = "".join(f"<tr><td>{boat}</td><td>{text}</td></tr>" for boat, text in zip(BOATS, said, strict=True))
    rows = [{"boat": b, "note": t if t in said[:2] else ""} for b, t in zip(BOATS, said, strict=True)]
    columns = (Column("boat"), Column("note"))
    assert not errors(f"<table>{records}</table>", columns, rows)
    rows[1]["note"] = ""
    assert "low-coverage" in errors(f"<table>{records}</table>", columns, rows)


def test_a_time_alone_is_read_by_twelve_hours() -> None:
    texts = [f"{n + 3} Mar 2016 {n + 1}:49 PM" for n in range(8)]
    records = "".join(f"<li><b>{boat}</b> <i>{text}</i></li>" for boat, text in zip(BOATS, texts, strict=True))
    rows = [{"boat": boat, "sails": f"{n + 13}:49"} for n, boat in enumerate(BOATS)]
    columns = (Column("boat"), Column("sails", "datetime", "%H:%M"))
    assert not errors(f"<ul>{records}</ul>", columns, rows)
    rows[2]["sails"], rows[5]["sails"] = rows[5]["sails"], rows[2]["sails"]
    assert errors(f"<ul>{records}</ul>", columns, rows)


@pytest.mark.parametrize("note", ["east&nbsp;quay", "east <?quay?>side"])
def test_an_entity_and_an_instruction_in_a_feed_are_passed_over(note: str) -> None:
    items = "".join(f"<item><title>{boat}</title><note>{note}</note></item>" for boat in BOATS)
    page = Page(URL, URL, 200, {"content-type": "text/xml"}, f"<feed>{items}</feed>".encode())
    query = Reading(text="x", urls=(URL,), columns=(Column("title"), Column("note")), format="json")
    result = RunResult("ok", 0, requests=(Request("GET", URL, 200, "text/xml", len(page.body)),))
    rows = [{"title": boat, "note": note.partition("&")[0].partition(" <")[0]} for boat in BOATS]
    files = {query.output_name: json.dumps(rows).encode()}
    assert "could-not-judge" not in {
        f.code for f in RowsCritic().judge(Case(query, None, result, files, {URL: page})).findings
    }


def test_figures_of_any_script_between_two_columns() -> None:
    records = "".join(f"<li><b>{boat} \u1369 Sail</b></li>" for boat in BOATS)
    rows = [{"boat": boat, "kind": "Sail"} for boat in BOATS]
    assert "could-not-judge" not in errors(f"<ul>{records}</ul>", (Column("boat"), Column("kind")), rows)


def test_capitals_behind_a_figure_are_no_unit() -> None:
    records = "".join(f"<li><b>{boat}</b> <i>{2 + n % 2}XL</i></li>" for n, boat in enumerate(BOATS))
    assert errors(f"<ul>{records}</ul>", (Column("boat"), Column("size")), [{"boat": b, "size": "XL"} for b in BOATS])


def test_stars_beside_figures_are_counted() -> None:
    records = "".join(
        f"<li><b>{boat}</b> <i>{'★' * (n % 5 + 1)}{'☆' * (4 - n % 5)} ({17 + n} reviews)</i></li>"
        for n, boat in enumerate(BOATS)
    )
    rows = [{"boat": boat, "rating": n % 5 + 1} for n, boat in enumerate(BOATS)]
    columns = (Column("boat"), Column("rating", "int"))
    assert not errors(f"<ul>{records}</ul>", columns, rows)
    assert errors(f"<ul>{records}</ul>", columns, [*rows[:3], rows[3] | {"rating": 2}, *rows[4:]])


def test_drawn_stars_that_all_have_alike_and_one_has_not() -> None:
    records = "".join(
        f"<li><b>{boat}</b> <i>{'n/a' if n == 2 else '<u class=on></u>' * 4}</i></li>" for n, boat in enumerate(BOATS)
    )
    rows = [{"boat": boat, "rating": None if n == 2 else 4} for n, boat in enumerate(BOATS)]
    assert not errors(f"<ul>{records}</ul>", (Column("boat"), Column("rating", "int")), rows)


def test_a_date_that_is_lost() -> None:
    months = ("May", "June", "July", "March", "April", "August", "October", "January")
    days = [f"{n + 3} {month} 1965" for n, month in enumerate(months)]
    records = "".join(f"<li><b>{boat}</b> <i>{day}</i></li>" for boat, day in zip(BOATS, days, strict=True))
    numbers = (5, 6, 7, 3, 4, 8, 10, 1)
    rows = [{"boat": b, "built": f"1965-{numbers[n]:02}-{n + 3:02}"} for n, b in enumerate(BOATS)]
    columns = (Column("boat"), Column("built", "date"))
    assert not errors(f"<ul>{records}</ul>", columns, rows)
    assert "low-coverage" in errors(f"<ul>{records}</ul>", columns, [*rows[:5], rows[5] | {"built": None}, *rows[6:]])
