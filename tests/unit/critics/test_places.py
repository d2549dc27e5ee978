"""Which records rows are found in: where a page lists them twice, says them otherwise, or leaves some of them out."""

from __future__ import annotations

import json
from typing import Any

import pytest

from scrapewright.critics.judge import RowsCritic
from scrapewright.loop.ports import Case
from scrapewright.query.lexicon import fold
from scrapewright.query.reading import Column, Filter, Reading
from scrapewright.session.questions import Decision, condition_option
from scrapewright.session.result import Request, RunResult
from scrapewright.web.page import Page

URL = "http://guild.test/"
NAMES = ("Ash", "Birch", "Cedar", "Dogwood", "Elm", "Fir", "Gum", "Hazel", "Ironwood", "Juniper")


def errors(body: str, columns: tuple[Column, ...], rows: list[dict[str, Any]], *filters: Filter) -> set[str]:
    query = Reading(text="x", urls=(URL,), columns=columns, filters=filters, format="json", row_is="workshop")
    page = Page(URL, URL, 200, {"content-type": "text/html; charset=utf-8"}, f"<main>{body}</main>".encode())
    result = RunResult("ok", 0, requests=(Request("GET", URL, 200, "text/html", len(page.body)),))
    files = {query.output_name: json.dumps(rows).encode()}
    verdict = RowsCritic().judge(Case(query, None, result, files, {URL: page}, author="model"))
    return {finding.code for finding in verdict.findings if finding.severity == "error"}


@pytest.mark.parametrize("first", [True, False])
def test_a_second_list_of_the_same_links_is_not_taken_for_the_records(first: bool) -> None:
    """A list of contents says the names of the records alone, and may come before them."""
    contents = "".join(f"<li><a href='/w/{n}'>{name} Workshop</a></li>" for n, name in enumerate(NAMES))
    records = "".join(
        f"<article><h3><a href='/w/{n}'>{name} Workshop</a></h3><p>Opened {n + 3} May 2021</p></article>"
        for n, name in enumerate(NAMES)
    )
    parts = [f"<ul>{contents}</ul>", f"<div>{records}</div>"]
    body = "".join(parts if first else reversed(parts))
    columns = (Column("name"), Column("opened", "date"), Column("url", "url"))
    rows = [
        {"name": f"{name} Workshop", "opened": f"2021-05-{n + 3:02}", "url": f"{URL}w/{n}"}
        for n, name in enumerate(NAMES)
    ]
    assert not errors(body, columns, rows)
    rows[4]["opened"], rows[5]["opened"] = rows[5]["opened"], rows[4]["opened"]
    assert errors(body, columns, rows)


def test_a_column_of_figures_alone_is_found_in_the_records() -> None:
    choices = "".join(f"<option value='{n * 1000}'>{n * 1000}</option>" for n in range(1, 9))
    records = "".join(f"<li><b>{name}</b> <i>€{n + 1},500</i></li>" for n, name in enumerate(NAMES))
    body = f"<select>{choices}</select><ul>{records}</ul>"
    rows = [{"price": (n + 1) * 1000 + 500} for n in range(len(NAMES))]
    assert not errors(body, (Column("price", "float"),), rows)
    assert "too-few-rows" in errors(body, (Column("price", "float"),), rows[:4] + rows[5:])
    assert "ungrounded" in errors(body, (Column("price", "float"),), [*rows[:4], {"price": 5510}, *rows[5:]])


def test_short_names_among_other_text_have_their_records() -> None:
    """The one that equals a text elsewhere, and those that equal none, are all found on the list."""
    records = "".join(f"<li><h3>Master {n} of {name}, Westland</h3></li>" for n, name in enumerate(NAMES))
    body = f"<nav><a href='/elm'>Elm</a></nav><ul>{records}</ul>"
    rows = [{"seat": name} for name in NAMES]
    assert not errors(body, (Column("seat"),), rows)


def test_a_name_cut_short_on_the_list_is_that_of_its_row() -> None:
    long = [f"A thorough introduction to working with {name.lower()} by hand" for name in NAMES]
    records = "".join(
        f"<li><h3><a href='/t/{n}'>{title[:44]}{'...' if n % 2 else title[44:]}</a></h3></li>"
        for n, title in enumerate(long)
    )
    details = [f"<h1>{title}</h1><p>Held {n + 1} June 2022</p>" for n, title in enumerate(long)]
    pages = {URL: f"<ul>{records}</ul>", **{f"{URL}t/{n}": body for n, body in enumerate(details)}}
    query = Reading(text="x", urls=(URL,), columns=(Column("title"), Column("held", "date")), format="json")
    found = {
        url: Page(url, url, 200, {"content-type": "text/html; charset=utf-8"}, f"<main>{body}</main>".encode())
        for url, body in pages.items()
    }
    result = RunResult("ok", 0, requests=tuple(Request("GET", url, 200, "text/html", 100) for url in pages))
    rows = [{"title": title, "held": f"2022-06-{n + 1:02}"} for n, title in enumerate(long)]
    for kept, right in ((rows, True), ([row for n, row in enumerate(rows) if n != 3], False)):
        files = {query.output_name: json.dumps(kept).encode()}
        verdict = RowsCritic().judge(Case(query, None, result, files, found, author="model"))
        assert ("too-few-rows" not in {finding.code for finding in verdict.findings}) is right, verdict.findings


LOTS = [(name, ("0", "3", "7")[n % 3], ("USA", "Canada / USA", "Peru")[n % 3]) for n, name in enumerate(NAMES)]


@pytest.mark.parametrize(
    ("column", "value"), [("replies", "0"), ("country", "USA"), ("price", "20")], ids=["figure", "word", "amount"]
)
def test_what_a_condition_leaves_out_is_not_missed(column: str, value: str) -> None:
    """The kept rows have one value, which other places of the records say too; or other records say it among more."""
    body = "".join(
        f"<tr><td><img src='a.png' border='0'></td><td>{name} Lodge</td><td>{count}</td><td>{where}</td>"
        f"<td>${n * 5}, 30 m²</td></tr>"
        for n, (name, count, where) in enumerate(LOTS)
    )
    columns = (Column("name"), Column("replies", "int"), Column("country"), Column("price", "int"))
    rows = [
        {"name": f"{name} Lodge", "replies": int(count), "country": where, "price": n * 5}
        for n, (name, count, where) in enumerate(LOTS)
    ]
    wanted = Filter(f"{column} {value}", column, "ge" if column == "price" else "eq", value)
    keeps = (lambda row: row["price"] >= 20) if column == "price" else (lambda row: str(row[column]) == value)
    kept = [row for row in rows if keeps(row)]
    assert 2 < len(kept) < len(rows)
    assert not errors(f"<table>{body}</table>", columns, kept, wanted)
    assert "too-few-rows" in errors(f"<table>{body}</table>", columns, kept[:1] + kept[2:], wanted)


def test_a_time_of_day_is_compared_as_one() -> None:
    body = "".join(f"<li><b>{name}</b> <i>19:2{n % 2}</i></li>" for n, name in enumerate(NAMES))
    rows = [{"name": name, "at": f"19:2{n % 2}"} for n, name in enumerate(NAMES) if n % 2]
    columns = (Column("name"), Column("at", "text", "%H:%M"))
    assert "filter-broken" not in errors(f"<ul>{body}</ul>", columns, rows, Filter("at 19:21", "at", "eq", "19:21"))


def test_a_column_made_constant_does_not_keep_a_condition() -> None:
    """The value of the condition written into every row is contradicted by the records."""
    states = ("open", "closed", "planned")
    body = "".join(f"<tr><td>{name} Lodge</td><td>{states[n % 3]}</td></tr>" for n, name in enumerate(NAMES * 2))
    rows = [{"name": f"{name} Lodge", "status": "open"} for name in NAMES * 2]
    wanted = Filter("status open", "status", "eq", "open")
    columns = (Column("name"), Column("status"))
    assert errors(f"<table>{body}</table>", columns, rows, wanted)
    kept = [row for n, row in enumerate(rows) if n % 3 == 0]
    assert not errors(f"<table>{body}</table>", columns, kept, wanted)


def paged(lists: list[list[tuple[str, str]]], rows: list[dict[str, Any]]) -> set[str]:
    """The errors of rows that are on several pages, a name and a country each."""
    query = Reading(text="x", urls=(URL,), columns=(Column("name"), Column("land")), pages="all", format="json")
    pages = {}
    for number, records in enumerate(lists, 1):
        url = URL if number == 1 else f"{URL}?page={number}"
        body = "".join(f"<li><h3>{name}</h3><p>{land}</p></li>" for name, land in records)
        headers = {"content-type": "text/html; charset=utf-8"}
        pages[url] = Page(url, url, 200, headers, f"<main><ul>{body}</ul></main>".encode())
    result = RunResult("ok", 0, requests=tuple(Request("GET", url, 200, "text/html", 100) for url in pages))
    files = {query.output_name: json.dumps(rows).encode()}
    verdict = RowsCritic().judge(Case(query, None, result, files, pages, author="model"))
    return {finding.code for finding in verdict.findings if finding.severity == "error"}


def test_a_row_of_one_page_does_not_stand_in_for_a_record_of_another() -> None:
    """Its name is the beginning of the one that was lost."""
    lists = [[(f"Item {10 * page + n}", ("USA", "Peru")[n % 2]) for n in range(10)] for page in range(3)]
    rows = [{"name": name, "land": land} for records in lists for name, land in records]
    assert not paged(lists, rows)
    assert "too-few-rows" in paged(lists, [row for row in rows if row["name"] != "Item 13"])


def test_equal_rows_are_in_the_order_of_their_records() -> None:
    body, rows = "", []
    for n in range(6):
        films = [("Dune part two", "18:00"), ("Alien romulus", f"2{n % 3}:00"), (f"Heat number {n}", "22:00")]
        shown = "".join(f"<p><b>{film}</b> <i>{time}</i></p>" for film, time in films)
        body += f"<section><h3>Cinema {n}</h3>{shown}</section>"
        rows += [{"cinema": f"Cinema {n}", "film": film, "time": time} for film, time in films]
    assert not errors(body, (Column("cinema"), Column("film"), Column("time")), rows)


def test_a_row_that_is_blank_where_records_are_found_gets_none() -> None:
    records = "".join(f"<li><h3>Workshop {chr(65 + n) * 3}</h3><p>hall {n}</p></li>" for n in range(8))
    records += "<li><h3>Foo Company</h3><p>CODE-99-XY</p></li>" * 2
    rows = [{"name": f"Workshop {chr(65 + n) * 3}", "code": f"KEY-{n}-ZZ"} for n in range(8)]
    rows += [{"name": "Foo Company", "code": ""}, {"name": "", "code": "CODE-99-XY"}]
    found = errors(f"<ul>{records}</ul>", (Column("name"), Column("code")), rows)
    assert "ungrounded" in found
    assert "could-not-judge" not in found


def test_months_are_compared_as_they_are_written() -> None:
    months = ("May", "June", "July")
    body = "".join(f"<li><b>{name} Fair</b> <i>{months[n % 3]} 2021</i></li>" for n, name in enumerate(NAMES))
    rows = [{"name": f"{name} Fair", "month": f"{months[n % 3]} 2021"} for n, name in enumerate(NAMES)]
    columns = (Column("name"), Column("month", "date", "%B %Y"))
    wanted = Filter("in June 2021", "month", "eq", "2021-06")
    kept = [row for row in rows if row["month"] == "June 2021"]
    assert "filter-broken" not in errors(f"<ul>{body}</ul>", columns, kept, wanted)
    assert "filter-broken" in errors(f"<ul>{body}</ul>", columns, rows, wanted)


def test_a_list_named_by_the_section_is_that_of_the_rows() -> None:
    """The page has its records twice, and says as much of them in both places."""
    records = "".join(f"<li><a href='/w/{n}'>{name} Workshop</a></li>" for n, name in enumerate(NAMES))
    body = f"<h2>Guild</h2><div><p>Welcome</p><ol>{records}</ol></div><h2>Newest</h2><ul>{records}</ul>"
    query = Reading(text="x", urls=(URL,), columns=(Column("name"),), section="Newest", format="json", limit=4)
    page = Page(URL, URL, 200, {"content-type": "text/html"}, f"<main>{body}</main>".encode())
    result = RunResult("ok", 0, requests=(Request("GET", URL, 200, "text/html", len(page.body)),))
    files = {query.output_name: json.dumps([{"name": f"{name} Workshop"} for name in NAMES[:4]]).encode()}
    verdict = RowsCritic().judge(Case(query, None, result, files, {URL: page}, author="model"))
    assert "other-section" not in {finding.code for finding in verdict.findings}


def test_records_are_whole_where_a_part_of_one_is_as_deep_as_another() -> None:
    """The boxes of a page are nested one deeper here and there; the elements of a record are called the same."""
    card = "<div class='{}'><div class='name'><a href='/w/{}'>{} Workshop</a></div><div class='fee'>{}</div></div>"
    cards = [card.format(("card big", "big card")[n % 2], n, name, 30 + n) for n, name in enumerate(NAMES)]
    body = f"<div><div>{''.join(cards[:7])}</div></div><div>{''.join(cards[7:])}</div>"
    rows = [{"name": f"{name} Workshop", "fee": 30 + n, "url": f"{URL}w/{n}"} for n, name in enumerate(NAMES)]
    columns = (Column("name"), Column("fee", "int"), Column("url", "url"))
    assert not errors(body, columns, rows)
    rows[8]["fee"] = 31
    assert errors(body, columns, rows)


def test_cells_with_classes_by_turns_are_one_column() -> None:
    body = "".join(
        f"<tr><td class='r{n % 2}'>{name} Lodge</td><td class='r{n % 2}'>{n + 20}</td></tr>"
        for n, name in enumerate(NAMES)
    )
    rows = [{"name": f"{name} Lodge", "seats": n + 20} for n, name in enumerate(NAMES)]
    columns = (Column("name"), Column("seats", "int"))
    assert not errors(f"<table>{body}</table>", columns, rows)
    assert "too-few-rows" in errors(f"<table>{body}</table>", columns, rows[:3] + rows[4:])


def test_a_condition_is_read_where_the_rows_records_say_it() -> None:
    """Another record has the word elsewhere; and its date is in the order of the others."""
    body = "".join(
        f"<li><b>{name} Lodge</b><a href='/d?month={n % 3 + 3}&day={n + 1}&year=2021'>go</a>"
        f"<i>Demand: {('High', 'Low')[n % 2]}</i><p>A {'high' if n == 1 else 'quiet'} place</p></li>"
        for n, name in enumerate(NAMES)
    )
    rows = [{"name": f"{name} Lodge", "date": f"2021-{n % 3 + 3:02}-{n + 1:02}"} for n, name in enumerate(NAMES)]
    columns = (Column("name"), Column("date", "date"))
    high = Filter("high demand", "", "eq", "High")
    assert not errors(f"<ul>{body}</ul>", columns, rows[::2], high)
    march = Filter("in March", "date", "starts", "2021-03")
    kept = rows[::3]
    assert not errors(f"<ul>{body}</ul>", columns, kept, march)
    assert "too-few-rows" in errors(f"<ul>{body}</ul>", columns, kept[:1] + kept[2:], march)


def test_records_without_a_link_that_others_have_are_missed() -> None:
    records = "".join(
        f"<li><b>{name} Lodge</b><i>€{n + 20}.50</i>{'<a href=/buy>Buy</a>' if n % 4 else 'Sold out'}</li>"
        for n, name in enumerate(NAMES)
    )
    rows = [{"name": f"{name} Lodge", "price": n + 20.5} for n, name in enumerate(NAMES) if n % 4]
    assert "too-few-rows" in errors(f"<ul>{records}</ul>", (Column("name"), Column("price", "float")), rows)


def test_headings_over_all_records_are_the_groups_whatever_addresses_say() -> None:
    """A group's name may be a word of its records' links as well, of some of them."""
    groups = {"Wood": NAMES[:4], "Metal": NAMES[4:7], "Old Glass": NAMES[7:]}
    body = "".join(
        f"<dt>{head}</dt><dd>"
        + "".join(
            f"<p><a href='/w?{head.split()[-1].lower()}={n}'>{name} Workshop</a></p>" for n, name in enumerate(of)
        )
        + "</dd>"
        for head, of in groups.items()
    )
    rows = [{"group": head, "name": f"{name} Workshop"} for head, of in groups.items() for name in of]
    columns = (Column("group"), Column("name"))
    assert not errors(f"<dl>{body}</dl>", columns, rows)
    rows[4]["group"] = "Wood"
    assert errors(f"<dl>{body}</dl>", columns, rows)


def test_a_word_that_records_must_not_say_is_read_where_those_left_out_say_it() -> None:
    kinds = ["Award" if n % 3 == 0 else "Repair" for n in range(len(NAMES))]
    names = [f"{name} Award" if name == "Birch" else name for name in NAMES]
    records = "".join(f"<li><b>{name} Workshop</b> <i>{kind}</i></li>" for name, kind in zip(names, kinds, strict=True))
    rows = [{"name": f"{name} Workshop"} for name, kind in zip(names, kinds, strict=True) if kind != "Award"]
    wanted = Filter("without the awards", None, "lacks", "Award")
    assert not errors(f"<ul>{records}</ul>", (Column("name"),), rows, wanted)
    assert errors(f"<ul>{records}</ul>", (Column("name"),), rows[:4], wanted)
    assert errors(f"<ul>{records}</ul>", (Column("name"),), [*rows, {"name": "Ash Workshop"}], wanted)


def test_a_condition_on_there_being_a_value_of_a_part_cannot_be_read_off_a_record() -> None:
    records = "".join(f"<li>{name}{f' {n}00g' if n else ''} <i>{n + 4}.50</i></li>" for n, name in enumerate(NAMES))
    rows = [{"name": name, "portion": n * 100} for n, name in enumerate(NAMES) if n]
    wanted = Filter("without those that have no portion", "portion", "ne", "")
    assert not errors(f"<ul>{records}</ul>", (Column("name"), Column("portion", "int")), rows, wanted)


def test_every_second_record_whose_cells_have_another_class_is_missed() -> None:
    records = "".join(
        "<tr>"
        + "".join(f"<td class=row{n % 2}>{cell}</td>" for cell in (f"{name} Workshop", n + 20, f"hall {n}"))
        + "</tr>"
        for n, name in enumerate(NAMES)
    )
    rows = [{"name": f"{name} Workshop", "age": n + 20, "hall": f"hall {n}"} for n, name in enumerate(NAMES)]
    columns = (Column("name"), Column("age", "int"), Column("hall"))
    assert not errors(f"<table>{records}</table>", columns, rows)
    assert "too-few-rows" in errors(f"<table>{records}</table>", columns, rows[::2])


def missed(body: str, columns: tuple[Column, ...], rows: list[dict[str, Any]], wanted: Filter) -> tuple[bool, bool]:
    """Whether a record is missed with all rows that a condition keeps, and with one of them left out."""
    without = rows[:1] + rows[2:]
    return tuple("too-few-rows" in errors(body, columns, some, wanted) for some in (rows, without))  # type: ignore[return-value]


def test_which_records_list_a_value_is_read_off_them() -> None:
    crafts = {name: ["wood", "iron"] if n % 3 == 0 else ["clay", "wood"] for n, name in enumerate(NAMES)}
    tags = {name: "".join(f"<a class='craft'>{craft}</a>" for craft in of) for name, of in crafts.items()}
    body = "".join(f"<li><b>{name} Workshop</b> <p>{tags[name]}</p></li>" for name in NAMES)
    rows = [{"name": f"{name} Workshop", "crafts": of} for name, of in crafts.items() if "iron" in of]
    columns = (Column("name"), Column("crafts", "list"))
    assert missed(f"<ul>{body}</ul>", columns, rows, Filter("with iron", "crafts", "eq", "iron")) == (False, True)


def test_a_record_with_nothing_at_the_columns_place_has_no_value() -> None:
    links = [
        f" <a class='chat' href='https://chat.test/{name.lower()[::-1]}'>Chat</a>" if n % 2 else ""
        for n, name in enumerate(NAMES)
    ]
    body = "".join(f"<li><b>{name} Workshop</b>{link}</li>" for name, link in zip(NAMES, links, strict=True))
    rows = [{"name": f"{name} Workshop", "chat": name.lower()[::-1]} for name in NAMES[1::2]]
    wanted = Filter("that have a chat", "chat", "ne", "")
    assert missed(f"<ul>{body}</ul>", (Column("name"), Column("chat")), rows, wanted) == (False, True)


def test_a_condition_on_a_month_is_read_off_the_only_day_that_a_record_says() -> None:
    days = [f"2021-{n % 2 + 2:02}-{n + 1:02}" for n in range(len(NAMES))]
    body = "".join(f"<li><b>{name} Workshop</b> <i>{day}</i></li>" for name, day in zip(NAMES, days, strict=True))
    rows = [{"name": f"{name} Workshop"} for name, day in zip(NAMES, days, strict=True) if day < "2021-03"]
    wanted = Filter("opened in February 2021", "", "starts", "2021-02")
    assert missed(f"<ul>{body}</ul>", (Column("name"),), rows, wanted) == (False, True)


def test_a_condition_is_what_a_person_said_that_it_means() -> None:
    """One of two words, which no comparison says."""
    body = "".join(
        f"<li><b>{name} Workshop</b> <i>{('oak', 'elm', 'fir')[n % 3]}</i></li>" for n, name in enumerate(NAMES)
    )
    rows = [{"name": f"{name} Workshop"} for n, name in enumerate(NAMES) if n % 3]
    wanted = Filter("of elm and fir only", "", "other", "elm or fir")
    query = Reading(text="x", urls=(URL,), columns=(Column("name"),), filters=(wanted,), format="json")
    page = Page(URL, URL, 200, {"content-type": "text/html"}, f"<ul>{body}</ul>".encode())
    result = RunResult("ok", 0, requests=(Request("GET", URL, 200, "text/html"),))
    said = Decision("condition", wanted.title, condition_option("contains", "s1", "elm\nfir"))

    def codes(some: list[dict[str, str]], *decisions: Decision) -> set[str]:
        files = {query.output_name: json.dumps(some).encode()}
        case = Case(query, None, result, files, {URL: page}, author="rules", decisions=decisions)
        return {finding.code for finding in RowsCritic().judge(case).findings}

    assert "left-out" in codes(rows)
    assert not codes(rows, said)
    assert "too-few-rows" in codes(rows[1:], said)


def found(body: str, rows: list[dict[str, Any]], wanted: Filter, *decisions: Decision) -> set[str]:
    """What is found of rows by rules with names alone."""
    query = Reading(text="x", urls=(URL,), columns=(Column("name"),), filters=(wanted,), format="json")
    page = Page(URL, URL, 200, {"content-type": "text/html; charset=utf-8"}, f"<ul>{body}</ul>".encode())
    result = RunResult("ok", 0, requests=(Request("GET", URL, 200, "text/html"),))
    files = {query.output_name: json.dumps(rows).encode()}
    case = Case(query, None, result, files, {URL: page}, author="rules", decisions=decisions)
    return {finding.code for finding in RowsCritic().judge(case).findings}


@pytest.mark.parametrize("mark", ["<i>{}</i>", "<img alt='{}'>"])
@pytest.mark.parametrize("words", [("Sold", "Reserved"), ("Vendu", "Réservé")])
def test_rows_that_a_person_wants_left_out_are_found_wherever_records_say_it(mark: str, words: tuple[str, str]) -> None:
    said = [mark.format(words[n % 2]) if n % 3 == 0 else "" for n in range(len(NAMES))]
    body = "".join(f"<li><b>{name} Workshop</b>{more}</li>" for name, more in zip(NAMES, said, strict=True))
    rows = [{"name": f"{name} Workshop"} for name, more in zip(NAMES, said, strict=True) if not more]
    wanted = Filter("not those that are gone", "", "other", "")
    meant = condition_option("lacks", "s1", "\n".join(map(fold, words)))
    decided = Decision("condition", wanted.title, meant)
    assert not found(body, rows, wanted, decided)
    assert "filter-broken" in found(body, [*rows, {"name": "Ash Workshop"}], wanted, decided)
    assert "too-few-rows" in found(body, rows[1:], wanted, decided)


@pytest.mark.parametrize("loss", ["−{}.5%", "({}.5%)"])
def test_a_minus_is_one_where_no_row_shows_that_it_is_none(loss: str) -> None:
    changes = [n + 2 if n % 3 else -n - 2 for n in range(len(NAMES))]
    texts = [f"{change}.5%" if change > 0 else loss.format(-change) for change in changes]
    body = "".join(f"<li><b>{name} Workshop</b> <i>{text}</i></li>" for name, text in zip(NAMES, texts, strict=True))
    rows = [
        {"name": f"{name} Workshop", "change": change + 0.5}
        for name, change in zip(NAMES, changes, strict=True) if change > 0
    ]  # fmt: skip
    wanted = Filter("that rose", "change", "gt", "0")
    assert "too-few-rows" not in errors(f"<ul>{body}</ul>", (Column("name"), Column("change", "float")), rows, wanted)


def test_a_record_that_says_something_unreadable_at_the_columns_place_may_have_a_value() -> None:
    days = [f"2021-05-{n + 10}" if n % 3 else "" for n in range(len(NAMES))]
    days[3] = "3 days ago"
    body = "".join(f"<li><b>{name} Workshop</b> <i>{day}</i></li>" for name, day in zip(NAMES, days, strict=True))
    rows = [{"name": f"{name} Workshop", "day": d} for name, d in zip(NAMES, days, strict=True) if d.startswith("2")]
    query = Reading(
        text="x", urls=(URL,), columns=(Column("name"), Column("day", "date")), format="json",
        filters=(Filter("with a date", "day", "ne", ""),),
    )  # fmt: skip
    page = Page(URL, URL, 200, {"content-type": "text/html"}, f"<ul>{body}</ul>".encode())
    result = RunResult("ok", 0, requests=(Request("GET", URL, 200, "text/html"),))
    files = {query.output_name: json.dumps(rows).encode()}
    verdict = RowsCritic().judge(Case(query, None, result, files, {URL: page}, author="rules"))
    assert "left-out" in {finding.code for finding in verdict.findings}


def test_brackets_around_a_count_are_no_minus() -> None:
    body = "".join(f"<li><a href='/w/{n}'>{name} Workshop <i>({n + 3})</i></a></li>" for n, name in enumerate(NAMES))
    rows = [{"name": f"{name} Workshop", "count": n + 3} for n, name in enumerate(NAMES) if n >= 4]
    wanted = Filter("at least 7", "count", "ge", "7")
    assert missed(f"<ul>{body}</ul>", (Column("name"), Column("count", "int")), rows, wanted) == (False, True)


def test_the_figures_of_a_host_are_no_part_of_a_date() -> None:
    day = "http://10.0.0.1:8012/2005/{:02}/1{}/990{}.html"
    body = "".join(
        f"<li><b>{name} Workshop</b> <a>{day.format(12 if n % 2 else 11, n, n)}</a></li>"
        for n, name in enumerate(NAMES)
    )
    rows = [{"name": f"{name} Workshop", "day": f"2005-12-1{n}"} for n, name in enumerate(NAMES) if n % 2]
    wanted = Filter("of December 2005", "day", "starts", "2005-12")
    assert missed(f"<ul>{body}</ul>", (Column("name"), Column("day", "date")), rows, wanted) == (False, True)


def test_rows_that_are_nowhere_on_the_pages_are_not_called_right() -> None:
    """Figures of two places alike: no row can be found again, so none can be missed."""
    body = "".join(f"<li><i>{n % 3} kg</i> <u>{n % 2} m</u></li>" for n in range(12))
    query = Reading(text="x", urls=(URL,), columns=(Column("kg", "int"), Column("m", "int")), format="json")
    page = Page(URL, URL, 200, {"content-type": "text/html"}, f"<ul>{body}</ul>".encode())
    result = RunResult("ok", 0, requests=(Request("GET", URL, 200, "text/html"),))
    files = {query.output_name: json.dumps([{"kg": n % 3, "m": n % 2} for n in range(12)]).encode()}
    verdict = RowsCritic().judge(Case(query, None, result, files, {URL: page}, author="model"))
    assert not verdict.ok
    assert "where on the pages 12 of the rows are" in verdict.unchecked


def test_rows_are_found_by_their_dates_where_short_texts_are_parts_of_others() -> None:
    body = "".join(f"<h2>1.{n}.0 oak r5{n} (2023-05-{n + 10})</h2><ul><li>Typos</li></ul>" for n in range(8))
    columns = (Column("version"), Column("tree"), Column("build"), Column("date", "date"))
    query = Reading(text="x", urls=(URL,), columns=columns, format="json")
    page = Page(URL, URL, 200, {"content-type": "text/html"}, f"<main>{body}</main>".encode())
    result = RunResult("ok", 0, requests=(Request("GET", URL, 200, "text/html"),))
    rows = [{"version": f"1.{n}.0", "tree": "oak", "build": f"r5{n}", "date": f"2023-05-{n + 10}"} for n in range(8)]
    case = Case(query, None, result, {query.output_name: json.dumps(rows).encode()}, {URL: page}, author="model")
    verdict = RowsCritic().judge(case)
    assert verdict.ok, verdict.findings
    assert not any("where on the pages" in said for said in verdict.unchecked)


def test_a_link_in_the_second_line_of_a_record_is_no_record_of_its_own() -> None:
    """Some titles lead where the second line leads, which says more of the record."""
    lines = [
        (f"{name} Workshop", f"/item/{n}", f"/w/{name}" if n % 4 else f"/item/{n}") for n, name in enumerate(NAMES)
    ]
    body = "".join(
        f"<tr class='head line'><td><a href='{link}'>{name}</a></td></tr>"
        f"<tr><td><b>{n + 30} points</b> by <i>member {n % 3}</i> <a href='{item}'>{n + 7} comments</a></td></tr>"
        for n, (name, item, link) in enumerate(lines)
    )
    rows = [
        {"title": name, "url": f"{URL.rstrip('/')}{link}", "points": n + 30, "by": f"member {n % 3}", "comments": n + 7}
        for n, (name, _, link) in enumerate(lines)
    ]
    columns = (Column("title"), Column("url", "url"), Column("points", "int"), Column("by"), Column("comments", "int"))
    assert not errors(f"<table>{body}</table>", columns, rows)
