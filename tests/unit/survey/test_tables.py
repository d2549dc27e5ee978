from __future__ import annotations

import pytest

from tests.unit.survey.helpers import column, page, query, rows, shell, survey_pages

BODY = "".join(
    f"<tr><td>{n}</td><td><a href='/u/{n}'>user{n}</a></td><td>{n * 10}</td><td>{n}.5</td></tr>" for n in range(1, 13)
)


@pytest.mark.parametrize(
    "head",
    [
        "<thead><tr><th>Rank</th><th>User</th><th>Karma</th><th>Average</th></tr></thead>",
        "<tr><th>Rank</th><th>User</th><th>Karma</th><th>Average</th></tr>",
        "<tr><td><b>Rank</b></td><td><b>User</b></td><td><b>Karma</b></td><td><b>Average</b></td></tr>",
        "<tr><td>Rank</td><td>User</td><td>Karma</td><td>Average</td></tr>",
    ],
)
def test_headings_name_the_columns_and_are_no_records(head: str) -> None:
    body = shell(f"<table class=board>{head}{BODY}</table>")
    group = survey_pages(query("rank:int", "user", "karma:int", "average:float"), [page(body)]).groups[0]
    assert (group.kind, group.count) == ("table", 12)
    karma = column(body, group, [str(n * 10) for n in range(1, 13)])
    assert karma is not None
    assert (karma.header, karma.type) == ("Karma", "int")
    assert list(dict.fromkeys(slot.header for slot in group.slots if slot.header)) == [
        "Rank",
        "User",
        "Karma",
        "Average",
    ]


@pytest.mark.parametrize("head", ["<tr><th>Harbour</th><th>Coast</th></tr>", ""])
def test_a_row_that_begins_with_its_own_heading_is_a_record(head: str) -> None:
    towns = ("Ayr", "Bude", "Cromer", "Deal", "Exmouth")
    lines = "".join(f"<tr><th><b><a href='/{t}'>{t}</a></b></th><td><b>{t[0]} coast</b></td></tr>" for t in towns)
    body = shell(f"<table>{head}{lines}</table>")
    group = survey_pages(query("harbour", "coast"), [page(body)]).groups[0]
    assert group.count == 5
    assert column(body, group, list(towns)) is not None
    assert {slot.header for slot in group.slots} <= {"Harbour", "Coast", ""}


@pytest.mark.parametrize(
    "above", ["<tr><td><b>Hull</b></td></tr>", "<tr><th>Hull</th><th>Make</th></tr>"], ids=["section", "headings"]
)
def test_a_plain_row_behind_headings_is_a_record(above: str) -> None:
    parts = (("Keel", "oak"), ("Ribs", "ash"), ("Deck", "teak"), ("Mast", "pine"), ("Boom", "fir"))
    lines = [f"<tr><td><i>{name}</i></td><td>{wood}</td></tr>" for name, wood in parts]
    further = "<tr><td><b>Rig</b></td></tr>" if "<b>" in above else ""
    body = shell(f"<table class=parts>{above}{''.join(lines[:3])}{further}{''.join(lines[3:])}</table>")
    groups = survey_pages(query("part", "wood"), [page(body)]).groups
    group = next(one for one in groups if one.kind == "table")
    assert group.count == len(parts)
    assert column(body, group, [wood for _, wood in parts]) is not None


def test_spanning_headings_are_joined() -> None:
    head = "<tr><th rowspan=2>Clan</th><th colspan=2>Rating</th></tr><tr><th>all</th><th>recent</th></tr>"
    lines = "".join(f"<tr><td>c{n}</td><td>{n}00</td><td>{n}50</td></tr>" for n in range(1, 7))
    group = survey_pages(query("clan", "rating:int"), [page(shell(f"<table>{head}{lines}</table>"))]).groups[0]
    assert list(dict.fromkeys(slot.header for slot in group.slots if slot.header)) == [
        "Clan",
        "Rating all",
        "Rating recent",
    ]
    assert group.count == 6


def test_rows_of_tables_under_headings_are_one_group_with_a_section() -> None:
    tables = "".join(
        f"<h3>Area {a}</h3><table><tr><th>Name</th><th>Places</th></tr>"
        + "".join(f"<tr><td>{a}{n}</td><td>{n * 7}</td></tr>" for n in range(1, 5))
        + "</table>"
        for a in "XYZ"
    )
    body = shell(tables)
    group = survey_pages(query("area", "name", "places:int"), [page(body)]).groups[0]
    assert group.count == 12
    assert column(body, group, [f"Area {a}" for a in "XYZ" for _ in range(4)]) is not None


def test_cells_without_a_value_stay_empty_and_in_line() -> None:
    lines = "".join(f"<tr><td>n{n}</td><td>{n if n % 2 else ''}</td><td>z{n}</td></tr>" for n in range(1, 9))
    body = shell(f"<table><tr><th>Name</th><th>Karma</th><th>Zone</th></tr>{lines}</table>")
    group = survey_pages(query("name", "karma:int", "zone"), [page(body)]).groups[0]
    assert column(body, group, [str(n) if n % 2 else "" for n in range(1, 9)]) is not None
    assert len(rows(body, group)) == 8


def test_the_heading_that_differs_from_table_to_table_names_the_section() -> None:
    tables = "".join(
        f"<div><table><thead><tr><th></th><th>Quarter {a}</th><th>Places</th></tr></thead><tbody>"
        + "".join(f"<tr><td>*</td><td>{a}{n}</td><td>{n * 7}</td></tr>" for n in range(1, 5))
        + "</tbody></table></div>"
        for a in "XYZ"
    )
    body = shell(f"<h2>Car parks</h2>{tables}")
    group = survey_pages(query("quarter", "name", "places:int"), [page(body)]).groups[0]
    assert group.count == 12
    section = column(body, group, [f"Quarter {a}" for a in "XYZ" for _ in range(4)])
    assert section is not None
    assert section.selector == "^ th:nth-of-type(2)"
    assert not any(slot.header.startswith("Quarter") for slot in group.slots)


def test_two_rows_of_a_table_are_records() -> None:
    lines = "".join(f"<tr><td>{n} May</td><td>No. {n}7</td><td>Hearing {n}</td></tr>" for n in (3, 4))
    head = "<thead><tr><th>Day</th><th>Number</th><th>Subject</th></tr></thead>"
    body = shell(f"<table>{head}<tbody>{lines}</tbody></table>")
    group = survey_pages(query("day", "number", "subject"), [page(body)]).groups[0]
    assert (group.kind, group.count) == ("table", 2)
    assert column(body, group, ["Hearing 3", "Hearing 4"]) is not None


def test_tables_with_the_same_headings_at_unlike_places_are_one_group() -> None:
    def table(first: int) -> str:
        lines = (f"<tr><td>{n}</td><td><a href='/b/{n}'>Barge {n}</a></td></tr>" for n in range(first, first + 5))
        return f"<table><tr><th>Berth</th><th>Vessel</th></tr>{''.join(lines)}</table>"

    body = shell(f"<div class=newest>{table(1)}</div><div><section><div id=more>{table(6)}</div></section></div>")
    groups = survey_pages(query("berth:int", "vessel"), [page(body)]).groups
    wanted = [f"Barge {n}" for n in range(1, 11)]
    assert any(group.count == len(wanted) and column(body, group, wanted) is not None for group in groups)


def test_headings_in_plain_cells_are_none_of_the_records_of_a_further_table() -> None:
    head = "<tr><td><strong>Title</strong></td><td><strong>Judge</strong></td></tr>"
    tables = "".join(
        f"<table><caption>{day} June</caption>{head}<tr><td><a href='/c/{day}'>Case {day}</a></td><td>J{day}</td></tr>"
        "</table>"
        for day in range(1, 5)
    )
    body = shell(tables)
    group = survey_pages(query("title", "judge"), [page(body)]).groups[0]
    assert (group.kind, group.count) == ("table", 4)
    assert column(body, group, [f"J{day}" for day in range(1, 5)]) is not None
