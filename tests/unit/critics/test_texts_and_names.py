"""Texts with a word too few or a neighbour's behind them, columns exchanged, days and months turned round."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
import pytest

from scrapewright.critics.borders import borders_of, cut_rows
from scrapewright.critics.dates import dates_in, order_of
from scrapewright.critics.evidence import Evidence
from scrapewright.critics.judge import RowsCritic
from scrapewright.critics.rows import Table
from scrapewright.query.reading import Column, Filter
from scrapewright.session.questions import Decision
from scrapewright.session.verdict import Verdict
from scrapewright.web.page import Page
from tests.unit.critics.shop_pages import BASE, ask, case, document, site, teas

Row = dict[str, Any]
BOOKS = [
    ("The Quiet Harbour", "Ada Lund", "Travel", "04/03/2021"),
    ("Salt and Iron Roads", "Bo Falk", "History", "25/03/2021"),
    ("A Winter Without Birds", "Cara Moe", "Fiction", "07/04/2021"),
    ("Nine Small Kitchens", "Dan Ruud", "Cooking", "19/04/2021"),
    ("Letters to a Bridge", "Eva Holm", "Poetry", "11/05/2021"),
]


def books(record: str) -> dict[str, Page]:
    return listing(
        record.format(title=title, author=author, topic=topic, day=day) for title, author, topic, day in BOOKS
    )


def listing(records: Iterable[str]) -> dict[str, Page]:
    body = "".join(f"<li class=book>{record}</li>" for record in records)
    url = f"{BASE}/books"
    return {url: Page(url, url, 200, {"content-type": "text/html"}, document(f"<ul>{body}</ul>"))}


PLAIN = "<h3 class=title>{title}</h3><p>by <b class=author>{author}</b></p><i class=topic>{topic}</i><time>{day}</time>"


def judged(rows: list[Row], *columns: Column, record: str = PLAIN, **changes: Any) -> Verdict:
    query = ask(columns=columns, urls=(f"{BASE}/books",), pages="first", **changes)
    return RowsCritic().judge(case(rows, books(record), query))


def codes(verdict: Verdict) -> set[str]:
    return {finding.code for finding in verdict.findings}


TITLE, AUTHOR = Column("title"), Column("author")
RIGHT = [{"title": title, "author": author} for title, author, _, _ in BOOKS]


def test_whole_texts_are_right() -> None:
    verdict = judged(RIGHT, TITLE, AUTHOR)
    assert verdict.ok
    assert codes(verdict) == set()
    assert verdict.probability >= 0.9
    assert any("5 of 5 rows" in said for said in verdict.checked)


def test_a_word_too_few_is_found() -> None:
    cut = [row | {"title": row["title"].rpartition(" ")[0]} for row in RIGHT]
    verdict = judged(cut, TITLE, AUTHOR)
    assert not verdict.ok
    (finding,) = [finding for finding in verdict.findings if finding.code == "cut-text"]
    assert (finding.column, finding.share, finding.source) == ("title", 1.0, "pages")
    assert finding.expected == BOOKS[0][0]


def test_another_columns_text_behind_it_is_found() -> None:
    joined = [row | {"title": f"{row['title']} {row['author']}"} for row in RIGHT]
    assert "joined-text" in codes(judged(joined, TITLE, AUTHOR))


@pytest.mark.parametrize(
    "record",
    [
        "<h3>{title}, {topic}</h3><b>{author}</b>",  # punctuation
        "<h3>{title} ({topic})</h3><b>{author}</b>",
        "<h3>Book: {title} in print</h3><b>{author}</b>",  # words that all records share
        "<h3>“{title}” {topic}</h3><b>{author}</b>",
        "<pre>{title}\n{topic}</pre><b>{author}</b>",  # a line
        "<h3>{title} <small>{topic}</small></h3><b>{author}</b>",  # an element
        '<h3 title="{title}">{title} {topic}</h3><b>{author}</b>',  # an attribute
    ],
)
def test_parts_that_something_bounds_are_whole(record: str) -> None:
    assert "cut-text" not in codes(judged(RIGHT, TITLE, AUTHOR, record=record))


def test_a_blank_alone_bounds_nothing() -> None:
    pages = books("<h3>{title} {topic}</h3><b>{author}</b>")
    query = ask(columns=(TITLE, AUTHOR))
    table = Table("rows.json", "json", ("title", "author"), tuple(RIGHT))
    cut = cut_rows(borders_of(Evidence(query, table, list(pages.values())), "title"))
    assert {row: border.after for row, border in cut.items()} == dict(enumerate(topic for _, _, topic, _ in BOOKS))


def test_two_letters_in_another_word_are_not_where_they_are_from() -> None:
    record = "<h3 class=title>{title}</h3><i class='flag mod-{code}'></i><p>by <b class=author>{author}</b></p>"
    codes_of = ("he", "al", "wi", "ni", "le")
    books_ = [record.replace("{code}", code) for code in codes_of]
    body = "".join(
        f"<li>{one.format(title=title, author=author)}</li>"
        for one, (title, author, _, _) in zip(books_, BOOKS, strict=True)
    )
    rows = [row | {"country": code} for row, code in zip(RIGHT, codes_of, strict=True)]
    url = f"{BASE}/books"
    pages = {url: Page(url, url, 200, {"content-type": "text/html"}, document(f"<ul>{body}</ul>"))}
    query = ask(columns=(TITLE, AUTHOR, Column("country")), urls=(url,), pages="first")
    assert "cut-text" not in codes(RowsCritic().judge(case(rows, pages, query)))


def test_a_name_cut_short_is_found_though_a_class_spells_the_piece() -> None:
    record = "<p class='by by-{piece}'>by <b class=author>{author}</b></p><h3 class=title>{title}</h3>"
    pieces = [author.split()[0] for _, author, _, _ in BOOKS]
    body = "".join(
        f"<li>{record.format(piece=piece.lower(), author=f'Kaarina {author}', title=title)}</li>"
        for piece, (title, author, _, _) in zip(pieces, BOOKS, strict=True)
    )
    rows = [{"title": row["title"], "author": f"Kaarina {piece}"} for row, piece in zip(RIGHT, pieces, strict=True)]
    url = f"{BASE}/books"
    pages = {url: Page(url, url, 200, {"content-type": "text/html"}, document(f"<ul>{body}</ul>"))}
    query = ask(columns=(TITLE, AUTHOR), urls=(url,), pages="first")
    assert "cut-text" in codes(RowsCritic().judge(case(rows, pages, query)))


def test_columns_that_are_at_each_others_places() -> None:
    swapped = [{"title": row["author"], "author": row["title"]} for row in RIGHT]
    (finding,) = [f for f in judged(swapped, TITLE, AUTHOR).findings if f.code == "exchanged"]
    assert finding.source == "names"
    assert not judged(swapped, TITLE, AUTHOR).ok


def test_a_place_that_is_called_like_the_column() -> None:
    taken = [{"title": title, "author": topic} for title, _, topic, _ in BOOKS]
    (finding,) = [f for f in judged(taken, TITLE, AUTHOR).findings if f.code == "rival"]
    assert (finding.column, finding.expected) == ("author", "Ada Lund")


@pytest.mark.parametrize("decided", ["title", "author"])
def test_what_the_page_calls_a_place_says_nothing_against_what_the_person_decided(decided: str) -> None:
    swapped = [{"title": row["author"], "author": row["title"]} for row in RIGHT]
    taken = [{"title": title, "author": topic} for title, _, topic, _ in BOOKS]

    def found(rows: list[Row], followed: bool = True) -> set[str]:
        values = tuple(row[decided] if followed else f"Another {n}" for n, row in enumerate(rows))
        pointed = (Decision("column", decided, text=".x", values=values),)
        held = case(rows, books(PLAIN), ask(columns=(TITLE, AUTHOR), urls=(f"{BASE}/books",), pages="first"))
        return codes(RowsCritic().judge(msgspec.structs.replace(held, decisions=pointed)))

    assert "exchanged" not in found(swapped)
    assert ("rival" in found(taken)) is (decided == "title")
    assert "exchanged" in found(swapped, followed=False)
    assert "rival" in found(taken, followed=False)


def test_day_and_month_are_read_alike_in_all_rows() -> None:
    days = [{"title": title, "day": "-".join(reversed(day.split("/")))} for title, _, _, day in BOOKS]
    assert "day-order" not in codes(judged(days, TITLE, Column("day", "date")))
    turned = [{"title": BOOKS[0][0], "day": "2021-04-03"}, *days[1:]]  # the first is 04/03/2021
    (finding,) = judged(turned, TITLE, Column("day", "date")).findings
    assert (finding.code, finding.rows) == ("day-order", (0,))


@pytest.mark.parametrize(
    ("text", "order"),
    [("04/03/2021", "dm"), ("03/04/2021", "md"), ("3/3/2021", ""), ("2021-03-04", "md"), ("March", "")],
)
def test_order_of(text: str, order: str) -> None:
    assert order_of(text, (2021, 3, 3 if text == "3/3/2021" else 4, None, None)) == order


def test_dates_in() -> None:
    assert dates_in("Feb 21, 2018 - 10:30 AM") == {(2018, 2, 21), (2018, 2, 10)}
    assert dates_in("04/03/2021") == {(2021, 3, 4), (2021, 4, 3)}
    assert dates_in("2021年4月3日") == dates_in("2021/4/3") == {(2021, 4, 3)}
    assert dates_in("no day at all") == set()


def test_records_that_the_conditions_leave_out_are_not_missing() -> None:
    late = Filter("over 10", "price", "gt", "10")
    kept = [row for row in teas() if row["price"] > 10]
    pages, query = site("cards"), ask(filters=(late,))
    assert RowsCritic().judge(case(kept, pages, query)).ok
    lost = RowsCritic().judge(case(kept[:4] + kept[5:], pages, query))
    assert "too-few-rows" in {finding.code for finding in lost.findings if finding.severity == "error"}


def test_what_is_unknown_of_a_record_is_a_warning() -> None:
    odd = Filter("the nice ones", "", "other", "nice")
    verdict = RowsCritic().judge(case(teas()[::2], site("cards"), ask(filters=(odd,))))
    assert "left-out" in codes(verdict)
    assert any("the nice ones" in said for said in verdict.unchecked)


def test_a_row_that_has_the_next_columns_text_is_found() -> None:
    written = [f"<p>{who}</p>" if n != 2 else "" for n, (_, who, _, _) in enumerate(BOOKS)]
    pages = listing(f"<h3>{b[0]}</h3>{by}<i>{b[2]}</i>" for b, by in zip(BOOKS, written, strict=True))
    query = ask(columns=(TITLE, AUTHOR, Column("topic")), urls=tuple(pages), pages="first")
    rows = [{"title": title, "author": who, "topic": topic} for title, who, topic, _ in BOOKS]
    rows[2]["author"] = ""
    assert codes(RowsCritic().judge(case(rows, pages, query))) == set()
    rows[2]["author"] = rows[2]["topic"]
    (finding,) = RowsCritic().judge(case(rows, pages, query)).findings
    assert (finding.code, finding.column, finding.rows) == ("wrong-record", "author", (2,))


def test_two_counts_from_one_place_are_one() -> None:
    counts = [(2, 1), (2, 0), (1, 2), (0, 2), (2, 2)]
    rows: list[Row] = [{"title": b[0], "home": x, "away": y} for b, (x, y) in zip(BOOKS, counts, strict=True)]
    pages = listing("<h3>{title}</h3><b>{home}</b> : <u>{away}</u>".format(**row) for row in rows)
    query = ask(columns=(TITLE, Column("home", "int"), Column("away", "int")), urls=tuple(pages), pages="first")
    assert codes(RowsCritic().judge(case(rows, pages, query))) == set()
    same = [row | {"away": row["home"]} for row in rows]
    assert "wrong-record" in codes(RowsCritic().judge(case(same, pages, query)))


def one_page(body: str) -> dict[str, Page]:
    url = f"{BASE}/dish"
    return {url: Page(url, url, 200, {"content-type": "text/html"}, document(body))}


def judged_page(row: Row, body: str) -> Verdict:
    pages = one_page(body)
    query = ask(columns=tuple(map(Column, row)), urls=tuple(pages), pages="unsaid", single=True)
    return RowsCritic().judge(case([row], pages, query))


def test_one_row_may_have_the_same_twice_where_the_page_says_it_twice() -> None:
    row = {"dish": "Onion soup", "site": "Copper Pot", "author": "Copper Pot"}
    once = judged_page(row, "<h1>Onion soup</h1><p class=by>Copper Pot</p>")
    assert [(f.code, f.severity) for f in once.findings] == [("wrong-record", "error")]
    assert not once.ok
    twice = judged_page(row, "<b>Copper Pot</b><h1>Onion soup</h1><p class=by>Copper Pot</p>")
    assert {finding.severity for finding in twice.findings} == {"warning"}
    assert twice.ok


def test_what_stands_before_the_only_rows_text_may_be_its_label() -> None:
    body = "<h1>Onion soup</h1><p>Makes about 6 deep bowls</p>"
    assert judged_page({"dish": "Onion soup", "yields": "6 deep bowls"}, body).ok
    assert codes(judged_page({"dish": "Onion soup", "yields": "6 deep"}, body)) == {"cut-text"}
    assert codes(judged_page({"dish": "Onion soup", "yields": "bowls"}, body)) == {"cut-text"}
