"""Pages, order, limit, format, section and the like: what is said in so many words, in several wordings."""

from __future__ import annotations

from typing import Any

import pytest

from scrapewright.query.read import read_request
from scrapewright.query.reading import Order

AT = "https://shop.example/list"


@pytest.mark.parametrize(
    ("said", "pages"),
    [
        ("all pages", "all"), ("every page", "all"), ("across all 12 pages", "all"), ("all result pages", "all"),
        ("follow the pagination", "all"), ("following the next links", "all"), ('follow the "next" links', "all"),
        ("follow every pagination link", "all"), ("follow the pages to the end", "all"),
        ("all pages of the pager", "all"),
        ("and all following pages", "all"), ("not only the first page", "all"),
        ("until there are no more pages", "all"),
        ("alle Seiten", "all"), ("toutes les pages", "all"), ("todas las páginas", "all"), ("tutte le pagine", "all"),
        ("alle pagina's", "all"), ("todas as páginas", "all"), ("wszystkie strony", "all"), ("všechny stránky", "all"),
        ("все страницы", "all"),
        ("this page only", "first"), ("only this page", "first"), ("just this page", "first"),
        ("first page only", "first"),
        ("only the first page", "first"), ("of this one page", "first"), ("front page only", "first"),
        ("don't follow the page links", "first"), ("ignore the pager", "first"), ("no pagination", "first"),
        ("without following the next pages", "first"), ("nur diese Seite", "first"), ("alleen deze pagina", "first"),
        ("seulement la première page", "first"), ("solo esta página", "first"), ("solo questa pagina", "first"),
        ("tylko ta strona", "first"), ("только эта страница", "first"),
        ("first 2 pages", 2), ("the first three pages", 3), ("only the first two result pages", 2), ("pages 1-4", 4),
        ("at most 5 pages", 5), ("die ersten zwei Seiten", 2), ("les deux premières pages", 2),
        ("las primeras 3 páginas", 3), ("le prime due pagine", 2), ("de eerste 2 pagina's", 2),
        ("pierwsze dwie strony", 2), ("první dvě stránky", 2), ("первые две страницы", 2),
        ("de två första sidorna", 2), ("ilk iki sayfa", 2),
        ("tiga halaman pertama", 3), ("最初の3ページ", 3), ("前2页", 2), ("처음 3페이지", 3),
        ("", "unsaid"), ("from this page", "unsaid"), ("page 3", "unsaid"), ("open the page of every lamp", "unsaid"),
        ("all pages, but only the first page", "unsaid"),
    ],
)  # fmt: skip
def test_pages(said: str, pages: Any) -> None:
    reading = read_request(f"Lamps on {AT} ({said}): name, price")
    assert reading.pages == pages
    assert [column.name for column in reading.columns] == ["name", "price"]
    assert reading.unread == () or pages == "unsaid"


@pytest.mark.parametrize(
    ("said", "likely"),
    [("no need for later pages", "first"), ("the next pages too, all the way", "all"), ("all pages", None),
     ("all pages, but only the first page", None), ("each with its maker", None)],
)  # fmt: skip
def test_pages_that_are_likely_meant_are_for_somebody_to_confirm(said: str, likely: str | None) -> None:
    found = read_request(f"https://a.example/ : name, price (float). {said}.").likely_pages
    assert (found.pages if found is not None else None) == likely


@pytest.mark.parametrize(
    ("said", "keys"),
    [
        ("sorted by price", "price"), ("sorted by price descending", "-price"),
        ("Sort by price, highest first", "-price"),
        ("Sort by price (descending)", "-price"), ("ordered by price from high to low", "-price"),
        ("price ascending", "price"), ("in name order", "name"), ("in alphabetical order", "name"), ("a to z", "name"),
        ("sort by price, then by name", "price name"), ("sorted by price descending and name", "-price name"),
        ("newest first", "-added"), ("oldest first", "added"), ("earliest first", "added"),
        ("latest added first", "-added"),
        ("cheapest first", "price"), ("most expensive first", "-price"), ("highest price first", "-price"),
        ("in reverse chronological order", "-added"),
        ("the cheapest lamp comes first", "price"), ("the newest one should be the first", "-added"),
        ("latest lamp on the first line", "-added"), ("start with the earliest", "added"),
        ("from the newest to the oldest", "-added"), ("descending by price", "-price"), ("by name a-z", "name"),
        ("nach price sortiert", "price"), ("sortiert nach price absteigend", "-price"),
        ("trié par price croissant", "price"),
        ("ordenado por price descendente", "-price"), ("ordinato per price crescente", "price"),
        ("gesorteerd op price aflopend", "-price"), ("posortowane według price malejąco", "-price"),
        ("trié par price du plus élevé au plus bas", "-price"),
        ("seřazeno podle price vzestupně", "price"), ("отсортируй по price по убыванию", "-price"),
    ],
)  # fmt: skip
def test_order(said: str, keys: str) -> None:
    reading = read_request(f"{AT}: name, price, added (ISO date). {said}.")
    assert reading.order == tuple(Order(key.lstrip("-"), key.startswith("-")) for key in keys.split())
    assert reading.unread == ()


@pytest.mark.parametrize(
    "said",
    ["sorted by popularity", "longest first", "by relevance", "best first"],
)
def test_an_order_that_no_column_tells_stays_unread(said: str) -> None:
    reading = read_request(f"{AT}: name, price. {said.capitalize()}.")
    assert reading.order == ()
    assert reading.unread != ()


@pytest.mark.parametrize(
    ("said", "keys"),
    [
        ("Sort by price, then by name", "price name"), ("sorted by added descending and name", "-added name"),
        ("sorted by price, high to low", "-price"), ("the 5 cheapest lamps", "price"),
    ],
)  # fmt: skip
def test_an_order_may_have_several_keys_and_go_on_behind_a_comma(said: str, keys: str) -> None:
    reading = read_request(f"{AT}: name, price, added (ISO date). {said}.")
    assert reading.order == tuple(Order(key.lstrip("-"), key.startswith("-")) for key in keys.split())


@pytest.mark.parametrize("number", ["9" * 400, "0", "4/5", "1.5"])
def test_a_number_that_no_rows_or_pages_can_be_is_none(number: str) -> None:
    reading = read_request(f"{AT}: name, price. At most {number} rows, first {number} pages.")
    assert (reading.limit, reading.pages, reading.filters) == (None, "unsaid", ())


def test_newest_first_needs_one_column_of_dates() -> None:
    reading = read_request(f"{AT}: name, created (ISO date), changed (ISO date). Newest first")
    assert reading.order == ()
    assert reading.unread == ("Newest first",)


@pytest.mark.parametrize("said", ["Keep the order of the page", "in page order", "in the original order"])
def test_the_order_of_the_page_is_no_sort_key(said: str) -> None:
    reading = read_request(f"{AT}: name, price. {said}.")
    assert (reading.order, reading.unread) == ((), ())


@pytest.mark.parametrize(
    ("said", "limit"),
    [
        ("only the first 50", 50), ("top 10", 10), ("first 20 rows", 20), ("at most 30 rows", 30), ("limit 15", 15),
        ("first ten", 10), ("die ersten 50 Zeilen", 50), ("les 20 premiers", 20), ("first 2 pages", None), ("", None),
        ("first 20, at most 30 rows", None), ("前20条", 20), ("上位30件", 30),
    ],
)  # fmt: skip
def test_limit(said: str, limit: int | None) -> None:
    assert read_request(f"{AT}: name, price. {said}.").limit == limit


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("under 5 million", "5000000"), ("under 1,200", "1200"), ("価格1,000円以下", "1000"),
        ("価格5万円以下", "50000"),
        ("価格3万5千円以下", "35000"), ("评分4.5以上", "4.5"), ("가격 3만원 이하", "30000"),
    ],
)  # fmt: skip
def test_what_a_number_is_with_its_unit_beside_it(said: str, value: str) -> None:
    assert [one.value for one in read_request(f"{AT}: name, price (float). {said}.").filters] == [value]


def test_a_year_beside_eastern_letters_is_compared_with_a_day() -> None:
    found = read_request(f"{AT}: name, date. date 2020年以降.").filters
    assert [(one.column, one.op, one.value) for one in found] == [("date", "ge", "2020-01-01")]


def test_numbers_are_parts_of_names_that_are_written_without_blanks() -> None:
    names = [column.name for column in read_request(f"抓取 {AT} 的 标题、近30天销量、上位10商品").columns]
    assert names == ["标题", "近30天销量", "上位10商品"]


@pytest.mark.parametrize(
    ("said", "format_", "file"),
    [
        ("CSV", "csv", ""), ("as JSON", "json", ""), ("JSON array", "json", ""), ("JSON Lines", "jsonl", ""),
        ("as ndjson", "jsonl", ""), ("Save it to lamps.csv", "csv", "lamps.csv"),
        ("to out.jsonl", "jsonl", "out.jsonl"),
        ("Write JSON to lamps.json", "json", "lamps.json"), ("Als CSV bitte", "csv", ""),
        ("Сохрани в JSON", "json", ""),
        ("Un CSV por favor", "csv", ""), ("", None, ""), ("Read its JSON feed", None, ""), ("CSV or JSON", None, ""),
    ],
)  # fmt: skip
def test_format(said: str, format_: str | None, file: str) -> None:
    reading = read_request(f"{AT}: name, price. {said}.")
    assert (reading.format if reading.format_said else None, reading.file) == (format_, file)


@pytest.mark.parametrize(
    "text",
    [
        f"Excel file of {AT}: name, price",
        f"{AT}: name, price into a SQLite database",
        f"{AT}: name, price, as lamps.xlsx",
    ],
)
def test_a_kind_of_file_that_is_not_written_stays_unread(text: str) -> None:
    reading = read_request(text)
    assert not reading.format_said
    assert any(word in " ".join(reading.unread) for word in ("Excel", "SQLite", "xlsx"))


@pytest.mark.parametrize(
    ("text", "single"),
    [
        (f"{AT}: title, servings. JSON object.", True),
        (f"{AT}: title, servings. One row.", True),
        (f"{AT}: title, servings, as a single row", True),
        (f"Un CSV de una fila de {AT}: título, precio", True),
        (f"{AT}: title, servings. One row per recipe.", False),
        (f"List all books on {AT} as JSON objects: title, price", False),
        (f"The recipe {AT}: title, servings", False),
    ],
)
def test_one_row_is_claimed_where_it_is_said(text: str, single: bool) -> None:
    assert read_request(text).single is single


@pytest.mark.parametrize(
    ("text", "section"),
    [
        (f'articles under the heading "Local news" on {AT}: title, author', "Local news"),
        (f"articles under 'News' on {AT}: title, author", "News"),
        (f'the rows of the table "Medals by country" on {AT}: country, gold', "Medals by country"),
        (f'only the "Sport" section of {AT}: title, author', "Sport"),
        (f"all articles in the Sport section of {AT}: title, author", "Sport"),
        (f'gli articoli nella sezione "Sport" su {AT}: titolo, autore', "Sport"),
        (f"статьи в разделе «Новости» на {AT}: заголовок, автор", "Новости"),
        (f'the boxes "News" and "Sport" on {AT}: title, author', ""),
        (f"the main section of {AT}: title, author", ""),
        (f"{AT}: title, section", ""),
    ],
)
def test_section(text: str, section: str) -> None:
    assert read_request(text).section == section


@pytest.mark.parametrize(
    ("text", "search"),
    [
        (f"search {AT} for 'desk lamp': title, price, stock", "desk lamp"),
        (f'the results of a search for "lamps" on {AT}: title, price', "lamps"),
        (f"search the site for 'x' on {AT}: title", "x"),
        (f"search for all lamps on {AT}: title, price", ""),
        (f"search for 'lamp' and search for 'desk' on {AT}: title", ""),
        (f"all books on {AT}: title, search terms", ""),
    ],
)
def test_search(text: str, search: str) -> None:
    reading = read_request(text)
    assert reading.search == search
    assert not (search and reading.unread)


@pytest.mark.parametrize(
    ("said", "follow"),
    [
        ("Open each product page", "Open each product page"),
        ("Follow the link of every lamp", "Follow the link of every lamp"),
        ("open the page of each lamp", "open the page of each lamp"),
        ("Wejdź na stronę każdej lampy", "Wejdź na stronę każdej lampy"),
        ("Don't open each product page", ""), ("There is no need to open each product page", ""), ("", ""),
        ("Rows without price. Open each product page", "Open each product page"),
    ],
)  # fmt: skip
def test_follow(said: str, follow: str) -> None:
    assert read_request(f"Lamps on {AT}: name, price. {said}.").follow == follow


def test_pages_that_are_followed_are_no_links_of_rows() -> None:
    reading = read_request(f"Follow every page of {AT}: name, price")
    assert (reading.pages, reading.follow) == ("all", "")


@pytest.mark.parametrize(
    ("said", "form"),
    [
        ("Dates as YYYY-MM-DD", ""),
        ("All dates are written DD.MM.YYYY", "%d.%m.%Y"),
        ("Daty jako DD/MM/YYYY", "%d/%m/%Y"),
    ],
)
def test_how_dates_are_written(said: str, form: str) -> None:
    """Said once for all columns of dates, but for those of which it is said apart."""
    reading = read_request(f"news on http://a.test/: title, date, updated (date, MM/DD/YYYY). {said}. CSV")
    assert reading.unread == ()
    assert [column.format for column in reading.columns] == ["", form, "%m/%d/%Y"]
    assert [column.format for column in read_request(f"news on http://a.test/: title, size. {said}. CSV").columns] == [
        "",
        "",
    ]


ALL_THREE = ("name", "price", "url")


@pytest.mark.parametrize(
    ("said", "distinct"),
    [
        ("No duplicates", ALL_THREE), ("without duplicates", ALL_THREE),
        ("deduplicated", ALL_THREE), ("ohne Duplikate", ALL_THREE),
        ("sans doublons", ALL_THREE), ("Without any duplicate names", ("name",)),
        ("Deduplicate by url", ("url",)), ("one row per distinct url", ("url",)), ("unique names only", ("name",)),
        ("only unique urls", ("url",)), ("one row per distinct lamp", ("name",)),
        ("unique rows only", ALL_THREE), ("Keep those marked duplicate", ()), ("", ()),
    ],
)  # fmt: skip
def test_rows_that_are_not_to_repeat(said: str, distinct: tuple[str, ...]) -> None:
    reading = read_request(f"Lamps on {AT}: name, price, url. {said}.")
    assert reading.distinct == distinct
    assert not reading.unread or not distinct


def test_a_column_may_be_called_unique() -> None:
    reading = read_request(f"Sites on {AT}: name, unique visitors, duplicates (int)")
    assert ([column.name for column in reading.columns], reading.distinct) == (
        ["name", "unique_visitors", "duplicates"], (),
    )  # fmt: skip


def test_what_is_not_to_repeat_stays_unread_where_no_column_is() -> None:
    assert read_request(f"All lamps on {AT}, no duplicates").unread == ("no duplicates",)


@pytest.mark.parametrize(
    ("said", "name", "kind", "note"),
    [
        (
            "Karma is a whole number, empty where there is none.",
            "karma",
            "int",
            "a whole number, empty where there is none",
        ),
        ("Notes:\n- average: as a decimal", "average", "float", "as a decimal"),
        ("User is the name that others see.", "user", None, "the name that others see"),
        ("The last seen should be written DD.MM.YYYY.", "last_seen", "date", "written DD.MM.YYYY"),
    ],
)
def test_a_sentence_about_a_column_is_its_note(said: str, name: str, kind: str, note: str) -> None:
    reading = read_request(f"http://127.0.0.1:9/users: user, karma, average, last_seen. {said}")
    column = next(one for one in reading.columns if one.name == name)
    assert (column.type, column.note) == (kind, note)
    assert not reading.unread


@pytest.mark.parametrize(
    "said", ["Karma must be over 100.", "Karma not empty.", "User is Ada.", "Karma must be the highest of the team."]
)
def test_a_condition_on_a_column_is_no_note(said: str) -> None:
    assert [one.note for one in read_request(f"http://127.0.0.1:9/users: user, karma. {said}").columns] == ["", ""]
