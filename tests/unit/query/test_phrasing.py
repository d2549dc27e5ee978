"""Wordings that people use and that once were read as something else."""

from __future__ import annotations

import pytest

from scrapewright.query.model import Filter, Order
from scrapewright.query.read import read_query
from scrapewright.query.weight import content_words

AT = "https://shop.example/list"


def names(text: str) -> list[str]:
    return [field.name for field in read_query(text).fields]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"I want name, changed as YYYY-MM-DD HH:MM, size (int) from {AT}", ["name", "changed", "size"]),
        (f"Get name, start as HH:MM:SS, place from {AT}", ["name", "start", "place"]),
        (f"{AT}: departure (HH:MM), arrival, platform", ["departure", "arrival", "platform"]),
    ],
)
def test_the_colon_of_a_time_of_day_ends_no_list(text: str, expected: list[str]) -> None:
    assert names(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"CSV of title, agency, posted (YYYY-MM-DD) from {AT}, first page only", ["title", "agency", "posted"]),
        (f"Stations on {AT}: station, line, opened (year, int). JSON", ["station", "line", "opened"]),
        (f"{AT}: list every page with its last change (loc, lastmod YYYY-MM-DD). CSV", ["loc", "lastmod"]),
    ],
)
def test_lists_with_forms_and_types_beside_the_names(text: str, expected: list[str]) -> None:
    query = read_query(text)
    assert [field.name for field in query.fields] == expected
    assert query.doubts == ()


@pytest.mark.parametrize(
    "text", [f"title, points as int of {AT} (front page only)", f"title, points of {AT} (all pages)"]
)
def test_which_pages_is_no_column(text: str) -> None:
    assert names(text) == ["title", "points"]


def test_on_or_after_holds_the_day_itself() -> None:
    query = read_query(f"cases on {AT} decided on or after 2021-12-01: caption, decided (ISO date)")
    assert [(f.field, f.op, f.value) for f in query.filters] == [("decided", "ge", "2021-12-01")]


def test_things_of_one_kind_only_are_no_column() -> None:
    query = read_query(f"{AT}: rivers in Norway only, river and length as int. JSON")
    assert [field.name for field in query.fields] == ["river", "length"]
    assert [doubt.kind for doubt in query.doubts] == ["condition"]


@pytest.mark.parametrize(
    ("text", "column", "descending"),
    [
        (f"Hole die Termine von {AT}: titel, datum. CSV, nach Datum sortiert.", "datum", False),
        (f"Hole die Bücher von {AT}: titel, preis. Nach Preis sortiert (absteigend).", "preis", True),
        (f"Haal de boeken van {AT}: titel, prijs. CSV, op prijs gesorteerd", "prijs", False),
        (f"Récupère {AT} : country, capital, url (lien du pays). CSV trié par nom de pays.", "country", False),
        (f"The 3 most populous towns of {AT}: town, population", "population", True),
        (f"Concerts at {AT}: name, date, venue. CSV by date", "date", False),
        (f"Aufträge auf {AT}: titel, wert (Zahl). Als CSV, höchster Wert zuerst.", "wert", True),
        (f"Estrai i prodotti da {AT}: nome, sconto (intero). CSV ordinato per sconto dal più alto.", "sconto", True),
        (f"Trie les livres de {AT} : titre, prix. CSV trié par prix du plus élevé au plus bas", "prix", True),
        (f"Extrae {AT}: nombre, precio; ordenado por precio del más caro al más barato", "precio", True),
        (f"Extrae {AT}: nombre, precio; ordenado por precio del más barato al más caro", "precio", False),
    ],
)
def test_orders_without_a_direction_and_by_what_a_column_means(text: str, column: str, descending: bool) -> None:
    query = read_query(text)
    assert query.order == (Order(column, descending),)
    assert query.doubts == ()


@pytest.mark.parametrize(
    "text",
    [
        f"List only the lamps on sale at {AT} with name, price",
        f"List the lamps on sale at {AT}: name, price",
        f"Alle Lampen im Angebot von {AT}: name, preis",
        f"{AT}: title, price. Only the .zip files.",
    ],
)
def test_a_condition_that_no_column_tells_is_a_doubt(text: str) -> None:
    assert "condition" in {doubt.kind for doubt in read_query(text).doubts}


@pytest.mark.parametrize(
    "text",
    [
        f"Scrape the houses for sale on {AT}: address, price",
        f"The homes on {AT} are only in the page's state. Get title, price.",
        f"Only films after 1980 from {AT}, columns title, year, director",
        f"All permits on {AT}, all pages of the pager: applicant, number",
    ],
)
def test_what_describes_the_page_is_no_doubt(text: str) -> None:
    assert read_query(text).doubts == ()


def test_a_type_without_its_column_is_a_doubt() -> None:
    kinds = {doubt.kind for doubt in read_query(f"{AT}: name, price. Also the weird thing, int.").doubts}
    assert "column" in kinds


def test_a_year_is_compared_with_the_column_that_has_one() -> None:
    query = read_query(f"films after 1980 from {AT}, columns title, year, director")
    assert [(f.field, f.op, f.value) for f in query.filters] == [("year", "ge", "1981")]


def test_what_records_are_not() -> None:
    query = read_query(f"List the lamps on {AT} that are not sold out: name, price")
    assert query.filters == (Filter(text="that are not sold out", op="exclude", value="sold out"),)


def test_more_replies_than_a_number() -> None:
    query = read_query(f"topics of {AT} with more than 10 replies: topic, replies")
    assert [(f.field, f.op, f.value) for f in query.filters] == [("replies", "gt", "10")]


def test_a_question_for_several_asks_for_a_list() -> None:
    assert not read_query(f"Which flats are listed on {AT}? title, rent").single
    assert read_query(f"What is the title of {AT}?").single


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"Hol von {AT} den Titel (title), den Autor (author) und die Dauer (minutes, int)", ["title", "author"]),
        (f"Собери с {AT}: title (заголовок), author (автор)", ["title", "author"]),
        (f"抓取 {AT} 的列表：标题（完整标题）、日期（YYYY-MM-DD），保存为CSV。", ["标题", "日期"]),
        (f"{AT} packages: package, version, url; the version may be empty. JSON", ["package", "version", "url"]),
        (f"Gyűjtsd ki a {AT} oldalról: cím (title), dátum (date, ÉÉÉÉ-HH-NN)", ["title", "date"]),
        (f"{AT}: Zug, Ziel, Verspätung in Minuten (verspaetung, int)", ["Zug", "Ziel", "verspaetung"]),
        (f"Extrae de {AT}: título, precio tal como aparece, enlace", ["título", "precio", "enlace"]),
        (f"Wat zijn de titel en opbrengst (yield, zoals vermeld) van het recept op {AT}?", ["titel", "yield"]),
        (f"List me all the projects on {AT} with their description.", ["project", "description"]),
        (f"Every quote on {AT}: text without the quotation marks, author, year. CSV", ["text", "author", "year"]),
        (f"Items of {AT}: title, creator, subject -> JSON", ["title", "creator", "subject"]),
    ],
)
def test_what_is_beside_a_name_is_no_column(text: str, expected: list[str]) -> None:
    assert names(text)[: len(expected)] == expected
    assert len(names(text)) <= len(expected) + text.count("(minutes")


def test_what_may_be_empty_is_optional() -> None:
    query = read_query(f"{AT} packages: package, version, url; the version may be empty. JSON")
    assert [field.name for field in query.fields if field.optional] == ["version"]


def test_a_state_in_a_condition_is_not_taken_for_a_deed() -> None:
    query = read_query(f"Only the open notices on {AT}: title, buyer. CSV")
    assert [content_words(doubt)[0] for doubt in query.doubts] == ["open"]


def test_all_following_pages_are_all_pages() -> None:
    assert read_query(f"Crawl {AT} and all following pages: title, price").paging == "all"
    assert read_query(f"{AT} is a paginated API (follow meta.next): title, price").paging == "all"


def test_goods_in_stock_in_other_words_than_english() -> None:
    query = read_query(f"Vypiš produkty z {AT}: název, cena, dostupnost. Jen produkty skladem.")
    assert [(one.op, one.value) for one in query.filters] == [("contains", "skladem")]


def test_years_in_danish() -> None:
    assert read_query(f"Hent fra {AT}: titel, dato (ÅÅÅÅ-MM-DD)").fields[1].type == "date"


def test_a_value_behind_the_name_of_its_column_is_a_condition() -> None:
    query = read_query(f"Only the issues with state open on {AT}: number (int), title. JSON")
    assert [(one.field, one.op, one.value) for one in query.filters] == [("state", "eq", "open")]
    assert query.doubts == ()


def test_a_number_in_words_counts_what_is_named_in_the_plural() -> None:
    query = read_query(f"Lots at {AT} with at least one bid: title, bid (int), bids (int)")
    assert [(one.field, one.op, one.value) for one in query.filters] == [("bids", "ge", "1")]


def test_what_the_address_is_of_is_no_condition() -> None:
    assert read_query(f"Z podcastu {AT} vypiš epizody: title, date").doubts == ()


def test_the_position_of_people_is_no_number() -> None:
    fields = {field.name: field.type for field in read_query(f"{AT}: name, position, email").fields}
    assert fields["position"] == "text"
    assert {field.name: field.type for field in read_query(f"{AT}: position, team, won").fields}["position"] == "int"
