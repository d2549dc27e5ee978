"""Lists in parts, in groups under headings, with foreign items between them; pages whose records have no element."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.reading_helpers import OTHER, html, read

ASKED = "all products on {}: name, price (float), url"
WARES = (
    "Copper pot", "Iron pan", "Bread knife", "Oak board", "Tin kettle", "Stone mug", "Glass jug", "Clay bowl",
    "Wire whisk", "Steel ladle", "Linen cloth", "Cork mat",
)  # fmt: skip


def card(n: int, kind: str = "ware", where: str = "/p") -> str:
    return (
        f'<li class="{kind}"><h3><a href="{where}/{n}">{WARES[n]}</a></h3><span class="price">£{n + 2}.50</span></li>'
    )


def cards(*numbers: int, kind: str = "ware") -> str:
    return "".join(card(n, kind) for n in numbers)


@pytest.mark.parametrize(
    "between",
    [
        f'<li class="ad"><h3><a href="{OTHER}/x">Buy shoes</a></h3><span class="price">£99.00</span></li>',
        '<li class="ware-sponsored"><h3><a href="/go/7">Shoes, today</a></h3><span class="price">£9.00</span></li>',
        f'<li class="banner"><a href="{OTHER}/z"><img src="/z.png" alt="Fly away"></a></li>',
    ],
)
def test_adverts_between_the_records_are_no_rows(between: str, tmp_path: Path) -> None:
    body = f"<ul>{cards(0, 1, 2, 3)}{between}{cards(4, 5, 6, 7)}{between}{cards(8, 9, 10, 11)}</ul>"
    found = read(ASKED, html(f"<main>{body}</main>"), tmp_path)
    assert found.column("name") == list(WARES)
    assert found.ok


@pytest.mark.parametrize(
    "block",
    [
        "<section><h2>Customers also bought</h2><ul>{}</ul></section>",
        '<div class="related"><ul>{}</ul></div>',
        "<div><h3>Das könnte Ihnen auch gefallen</h3><ul>{}</ul></div>",
    ],
)
def test_suggestions_of_the_records_own_make_are_no_rows(block: str, tmp_path: Path) -> None:
    more = block.format(cards(8, 9, 10))
    found = read(ASKED, html(f"<main><ul>{cards(*range(8))}</ul></main>{more}"), tmp_path)
    assert found.column("name") == list(WARES[:8])
    assert found.ok


def test_posts_held_at_the_top_stay(tmp_path: Path) -> None:
    posts = "".join(
        f'<div class="post{" sticky" if n < 2 else ""}"><h2><a href="/t/{n}">{w}</a></h2><i>{w[:3]}</i></div>'
        for n, w in enumerate(WARES)
    )
    found = read("posts on {}: title, url", html(f"<main>{posts}</main>"), tmp_path)
    assert found.column("title") == list(WARES)
    assert found.ok


@pytest.mark.parametrize(
    ("before", "between", "after"),
    [
        ("<div class=left><ul>", "</ul></div><div class=right><ul>", "</ul></div>"),
        ("<table><tr><td><ul>", "</ul></td><td><ul>", "</ul></td></tr></table>"),
        ("<div id=top><ul>", "</ul></div><p>And the others</p><div id=rest><ul>", "</ul></div>"),
    ],
)
def test_rows_in_two_boxes_are_all_taken(before: str, between: str, after: str, tmp_path: Path) -> None:
    body = before + cards(*range(5), kind="") + between + cards(*range(5, 12), kind="") + after
    found = read(ASKED, html(f"<main><h1>Wares</h1>{body}</main>"), tmp_path)
    assert found.column("name") == list(WARES)
    assert found.ok


DAYS = {"1 March 2026": ("Brahms", "Verdi"), "2 March 2026": ("Cage",), "3 March 2026": ("Satie", "Bach", "Ives")}


@pytest.mark.parametrize(
    ("day", "concert"),
    [
        ("<h2>{}</h2><ul>{}</ul>", '<li><span class="time">1{}:00</span> <b>{} evening</b></li>'),
        ("<section><h3>{}</h3>{}</section>", "<div><em>1{}:00</em><strong>{} evening</strong></div>"),
        ("<div><p>{}</p><ul>{}</ul></div>", "<li><span>1{}:00</span> <b>{} evening</b></li>"),
    ],
)
def test_records_under_the_headings_of_their_days(day: str, concert: str, tmp_path: Path) -> None:
    body = "".join(
        day.format(name, "".join(concert.format(n, who) for n, who in enumerate(concerts, 7)))
        for name, concerts in DAYS.items()
    )
    found = read("events on {}: date, time, title", html(f"<main><h1>Programme</h1>{body}</main>"), tmp_path)
    assert [(row["date"], row["title"]) for row in found.rows] == [
        (f"2026-03-0{name[0]}", f"{who} evening") for name, concerts in DAYS.items() for who in concerts
    ]
    assert found.ok


MENU = {"Starters": ("Soup", "Salad"), "Mains": ("Pie", "Trout", "Stew"), "Desserts": ("Fool", "Trifle")}


def test_nested_lists_give_all_branches_with_what_heads_them(tmp_path: Path) -> None:
    body = "".join(
        f"<li><b>{name}</b><ul>"
        + "".join(f"<li><span>{dish} of the day</span> <em>€{n},50</em></li>" for n, dish in enumerate(dishes, 4))
        + "</ul></li>"
        for name, dishes in MENU.items()
    )
    asked = "dishes on {}: name, price (float), category"
    found = read(asked, html(f"<h1>Card</h1><ul>{body}</ul>"), tmp_path)
    assert [(row["category"], row["name"]) for row in found.rows] == [
        (name, f"{dish} of the day") for name, dishes in MENU.items() for dish in dishes
    ]
    assert found.ok


def test_a_table_in_sections(tmp_path: Path) -> None:
    lands = {"Asia": ("Ob", "Lena", "Mekong"), "Africa": ("Nile", "Congo"), "Europe": ("Volga", "Danube", "Ural")}
    body = "".join(
        f'<tbody><tr><th colspan="2">{land}</th></tr>'
        + "".join(f"<tr><td>{name}</td><td>{2000 + 37 * len(name)} km</td></tr>" for name in names)
        + "</tbody>"
        for land, names in lands.items()
    )
    head = "<thead><tr><th>River</th><th>Length</th></tr></thead>"
    found = read("rivers on {}: continent, river, length (int)", html(f"<table>{head}{body}</table>"), tmp_path)
    assert [(row["continent"], row["river"]) for row in found.rows] == [
        (land, name) for land, names in lands.items() for name in names
    ]
    assert found.ok


def test_terms_and_definitions(tmp_path: Path) -> None:
    terms = {"Adze": "Smooths wood.", "Burin": "Cuts lines.", "Dowel": "Holds boards.", "Fret": "Saws curves."}
    body = "".join(f"<dt>{term}</dt><dd>{what}</dd>" for term, what in terms.items())
    found = read("the glossary terms on {}: term, definition", html(f"<h1>Tools</h1><dl>{body}</dl>"), tmp_path)
    assert [(row["term"], row["definition"]) for row in found.rows] == list(terms.items())
    assert found.ok


def test_a_list_of_definitions_for_each_record(tmp_path: Path) -> None:
    people = ("Ann Ash", "Bo Birch", "Cy Cole", "Di Dorn")
    body = "".join(
        f"<dl><dt>Name</dt><dd>{who}</dd><dt>Mail</dt><dd>{who[:2].lower()}@mail.example</dd></dl>" for who in people
    )
    found = read("people on {}: name, mail", html(f"<h1>Staff</h1>{body}"), tmp_path)
    assert found.column("name") == list(people)
    assert found.ok


def test_records_without_elements(tmp_path: Path) -> None:
    lines = "\n".join(f"{ware:14}{n}" for n, ware in enumerate(WARES))
    body = f"<pre>\nNAME          LEFT\n{lines}\n</pre>"
    found = read("all wares on {}: name, left (int)", html(f"<h1>Wares</h1>{body}"), tmp_path)
    assert [(row["name"], int(row["left"])) for row in found.rows] == [(ware, n) for n, ware in enumerate(WARES)]
    assert found.ok


def test_lines_that_are_not_alike_are_refused(tmp_path: Path) -> None:
    lines = (
        "Old Mill",
        "12 Weir Lane",
        "Open daily, 9 to 5",
        "Closed in January",
        "Tel. 555 0100",
        "Ask for Ann, or Bo",
    )
    found = read("all mills on {}: name", html(f"<h1>Mills</h1><p>{'<br>'.join(lines)}</p>"), tmp_path, undecided=True)
    assert not found.ok


def test_one_result_that_the_page_calls_one_is_no_fault(tmp_path: Path) -> None:
    body = "<p>1 result for “pot”</p><h2>Copper pot</h2><p>Price: <b>£2.50</b></p>"
    found = read("all products on {}: name, price (float)", html(f"<main>{body}</main>"), tmp_path)
    assert len(found.rows) == 1
    assert "too-few-rows" not in found.findings


def test_names_of_columns_may_be_less_apart_than_what_is_below_them(tmp_path: Path) -> None:
    boats = (("Grey Heron", "7.40"), ("Kittiwake", "112.05"), ("Old Tern", "9.10"))
    lines = "".join(f"{name:<16}{fee:>8}  2024-03-0{day}\n" for day, (name, fee) in enumerate(boats * 2, 1))
    body = f"<h1>Moorings</h1><pre>Vessel             Fee   Paid\n{lines}</pre>"
    found = read("all moorings on {}: vessel, fee (float), paid (YYYY-MM-DD)", html(body), tmp_path)
    assert [(row["vessel"], row["fee"]) for row in found.rows] == [(name, str(float(fee))) for name, fee in boats * 2]
    assert found.column("paid") == [f"2024-03-0{day}" for day in range(1, 7)]
    assert found.ok
