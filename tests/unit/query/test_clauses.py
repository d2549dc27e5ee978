from __future__ import annotations

import pytest

from scrapewright.query.model import Filter, Order
from scrapewright.query.read import read_query

LIST = "https://shop.example/list: name, price (float), date (ISO date), rating, url"


@pytest.mark.parametrize(
    ("phrase", "paging", "pages"),
    [
        ("All pages.", "all", None),
        ("Follow the pagination.", "all", None),
        ("follow every pagination link", "all", None),
        ('Keep clicking "Next" until there is no next page.', "all", None),
        ("Follow the next link to the end.", "all", None),
        ("Go through all the pages", "all", None),
        ("on every page", "all", None),
        ("This page only.", "first", None),
        ("only this page", "first", None),
        ("First page only.", "first", None),
        ("just the first page", "first", None),
        ("Ignore the pager.", "first", None),
        ("don't paginate", "first", None),
        ("First two pages.", "count", 2),
        ("pages 1 to 3", "count", 3),
        ("the first 5 pages", "count", 5),
        ("at most 4 pages", "count", 4),
        ("The first 1 pages", "first", None),
        ("Über alle Seiten.", "all", None),
        ("Nur diese Seite.", "first", None),
        ("die ersten drei Seiten", "count", 3),
        ("Toutes les pages.", "all", None),
        ("Uniquement cette page.", "first", None),
        ("les 2 premières pages", "count", 2),
        ("De todas las páginas.", "all", None),
        ("Solo esta página.", "first", None),
        ("las primeras 3 páginas", "count", 3),
        ("Tutte le pagine.", "all", None),
        ("Solo questa pagina.", "first", None),
        ("le prime due pagine", "count", 2),
        ("Van alle pagina's.", "all", None),
        ("Alleen deze pagina.", "first", None),
        ("de eerste 2 pagina's", "count", 2),
        ("Todas as páginas.", "all", None),
        ("Apenas esta página.", "first", None),
        ("Wszystkie strony.", "all", None),
        ("Tylko ta strona.", "first", None),
        ("pierwsze 3 strony", "count", 3),
        ("Všechny stránky.", "all", None),
        ("Pouze tato stránka.", "first", None),
        ("první dvě stránky", "count", 2),
        ("Все страницы.", "all", None),
        ("Только эта страница.", "first", None),
        ("первые три страницы", "count", 3),
        ("Tüm sayfalar.", "all", None),
        ("Sadece bu sayfa.", "first", None),
        ("ilk 3 sayfa", "count", 3),
        ("Minden oldal.", "all", None),
        ("Csak ez az oldal.", "first", None),
        ("az első két oldal", "count", 2),
        ("所有页面。", "all", None),
        ("只要第一页。", "first", None),
        ("前3页", "count", 3),
        ("全ページ。", "all", None),
        ("このページのみ。", "first", None),
        ("最初の2ページ", "count", 2),
        ("모든 페이지.", "all", None),
        ("이 페이지만.", "first", None),
        ("처음 3페이지", "count", 3),
        ("CSV.", "unsaid", None),
        ("Get number of pages.", "unsaid", None),
    ],
)
def test_paging(phrase: str, paging: str, pages: int | None) -> None:
    query = read_query(f"{LIST}. {phrase}")
    assert (query.paging, query.pages) == (paging, pages)


@pytest.mark.parametrize(
    ("phrase", "order"),
    [
        ("sorted by price", [("price", False)]),
        ("sort by price descending", [("price", True)]),
        ("Sort by price, highest first", [("price", True)]),
        ("sorted by price (high to low)", [("price", True)]),
        ("sort by price from high to low", [("price", True)]),
        ("order by rating desc, then name", [("rating", True), ("name", False)]),
        ("sort by rating then by price descending", [("rating", False), ("price", True)]),
        ("cheapest first", [("price", False)]),
        ("most expensive first", [("price", True)]),
        ("newest first", [("date", True)]),
        ("oldest first", [("date", False)]),
        ("in descending order of price", [("price", True)]),
        ("highest rating first", [("rating", True)]),
        ("sort alphabetically by name", [("name", False)]),
        ("sort by best rating", [("rating", True)]),
        ("in site order", []),
        ("Keep the order of the page.", []),
        ("in the order shown", []),
        ("don't sort", []),
        ("sortiert nach Preis absteigend", [("price", True)]),
        ("nach Datum aufsteigend", [("date", False)]),
        ("teuerste zuerst", [("price", True)]),
        ("Reihenfolge der Seite beibehalten", []),
        ("triés par prix croissant", [("price", False)]),
        ("par note décroissante", [("rating", True)]),
        ("garde l'ordre de la page", []),
        ("ordenado por precio de mayor a menor", [("price", True)]),
        ("los más baratos primero", [("price", False)]),
        ("ordina per prezzo decrescente", [("price", True)]),
        ("gesorteerd op prijs oplopend", [("price", False)]),
        ("ordenado por preço decrescente", [("price", True)]),
        ("posortowane według ceny malejąco", [("price", True)]),
        ("seřazené podle ceny vzestupně", [("price", False)]),
        ("отсортируй по цене по убыванию", [("price", True)]),
        ("по возрастанию цены", [("price", False)]),
        ("fiyata göre azalan sırala", [("price", True)]),
        ("ár szerint csökkenő sorrendben", [("price", True)]),
        ("按价格降序排序", [("price", True)]),
        ("按评分从高到低", [("rating", True)]),
        ("価格の安い順", [("price", False)]),
        ("価格の降順", [("price", True)]),
        ("가격 내림차순", [("price", True)]),
        ("", []),
    ],
)
def test_order(phrase: str, order: list[tuple[str, bool]]) -> None:
    assert list(read_query(f"{LIST}. {phrase}").order) == [Order(*key) for key in order]


def test_numbers_have_scales_and_units() -> None:
    query = read_query(
        "https://a.example: city, population (int). Only where there are more than 1 million inhabitants."
    )
    assert [(f.field, f.op, f.value) for f in query.filters] == [("population", "gt", "1000000")]


def test_an_order_by_something_that_is_no_field_is_kept_as_said() -> None:
    assert read_query("https://shop.example: name, url. Sorted by popularity descending").order == (
        Order("popularity", True),
    )


@pytest.mark.parametrize(
    ("phrase", "limit"),
    [
        ("Top 10.", 10),
        ("the first 20 books", 20),
        ("at most 50 rows", 50),
        ("limit 100", 100),
        ("Limit it to 5", 5),
        ("only ten results", 10),
        ("die ersten 10 Bücher", 10),
        ("höchstens 5 Zeilen", 5),
        ("les 10 premiers livres", 10),
        ("los primeros 10", 10),
        ("i primi dieci libri", 10),
        ("de eerste 10 boeken", 10),
        ("os primeiros 10", 10),
        ("pierwsze 10 książek", 10),
        ("prvních 10 knih", 10),
        ("первые 10 книг", 10),
        ("ilk 10 kitap", 10),
        ("az első 10 könyv", 10),
        ("前10条", 10),
        ("最初の10件", 10),
        ("상위 10개", 10),
        ("the first two pages", None),
        ("first 3 words", None),
        ("1,000 items", None),
        ("the first result", 1),
    ],
)
def test_limit(phrase: str, limit: int | None) -> None:
    assert read_query(f"{LIST}. {phrase}").limit == limit


@pytest.mark.parametrize(
    ("phrase", "form", "said", "name"),
    [
        ("CSV.", "csv", True, ""),
        ("as JSON", "json", True, ""),
        ("JSON Lines please", "jsonl", True, ""),
        ("as ndjson", "jsonl", True, ""),
        ("save to books.csv", "csv", True, "books.csv"),
        ("write out/rows.jsonl", "jsonl", True, "rows.jsonl"),
        ("als JSON-Datei", "json", True, ""),
        ("au format JSON", "json", True, ""),
        ("Guarda en datos.json", "json", True, "datos.json"),
        ("zapisz jako CSV", "csv", True, ""),
        ("Сохрани в JSON", "json", True, ""),
        ("JSON olarak kaydet", "json", True, ""),
        ("JSON formátumban", "json", True, ""),
        ("输出JSON", "json", True, ""),
        ("JSONで出力", "json", True, ""),
        ("CSV로 저장", "csv", True, ""),
        ("", "csv", False, ""),
        ("The JSON endpoint is hidden.", "csv", False, ""),
        ("Read the JSON-LD.", "csv", False, ""),
        ("as CSV, not JSON", "csv", True, ""),
        ("save to ../../etc/rows.csv", "csv", True, "rows.csv"),
    ],
)
def test_format_and_file(phrase: str, form: str, said: bool, name: str) -> None:
    query = read_query(f"{LIST}. {phrase}")
    assert (query.format, query.format_said, query.filename) == (form, said, name)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Skip the sponsored boxes.", [("", "exclude", "sponsored boxes")]),
        ('(skip the "Top hit" boxes)', [("", "exclude", "Top hit")]),
        ("Leave out an entry that is flagged as withdrawn.", [("", "exclude", "withdrawn")]),
        ("Leave out the ones that belong to the Old Store.", [("", "exclude", "Old Store")]),
        ("Ohne abgesagte Termine.", [("", "exclude", "abgesagte Termine")]),
        ("sauf les livres audio", [("", "exclude", "livres audio")]),
        ("Кроме аудиокниг.", [("", "exclude", "аудиокниг")]),
        ("Only with a price under £20.", [("price", "lt", "20")]),
        ("where rating is at least 4", [("rating", "ge", "4")]),
        ("price above 1,250", [("price", "gt", "1250")]),
        ("Nur Bücher unter 12,50 €.", [("price", "lt", "12.50")]),
        ("moins de 30 euros", [("price", "lt", "30")]),
        ("dated 2020-01-01 or later", [("date", "ge", "2020-01-01")]),
        ("published before 2019-05-01", [("date", "lt", "2019-05-01")]),
        ("价格低于100", [("price", "lt", "100")]),
        ("No audiobooks.", [("", "exclude", "audiobooks")]),
        ("Keine Hörbücher.", [("", "exclude", "Hörbücher")]),
        ("sin libros usados", [("", "exclude", "libros usados")]),
        ("Ignore the numbered pager.", []),
        ("Without a browser.", []),
        ("without duplicates", []),
        ("max 25 rows", []),
        ("", []),
    ],
)
def test_filters(text: str, expected: list[tuple[str, str, str]]) -> None:
    found = read_query(f"{LIST}. {text}").filters
    assert [(f.field, f.op, f.value) for f in found] == expected
    assert all(isinstance(f, Filter) and f.text for f in found)


@pytest.mark.parametrize(
    ("text", "follow"),
    [
        ("For each, open its detail page.", True),
        ('follow every "(bio)" maker link', True),
        ("Visit each product's page for the description.", True),
        ("Öffne jede Detailseite.", True),
        ("Follow the next link.", False),
        ("Follow all pages.", False),
        ("Open https://shop.example/x and read", False),
        ("", False),
    ],
)
def test_following(text: str, follow: bool) -> None:
    assert bool(read_query(f"{LIST}. {text}").follow) is follow


def test_following_names_the_link() -> None:
    query = read_query('From https://pots.example/ follow the pagination and every "(bio)" maker link: name, born')
    assert query.paging == "all"
    assert query.follow == ("bio", "maker")


def test_distinct() -> None:
    query = read_query("https://blog.example: one row per distinct author with name and page_url")
    assert query.distinct == ("name",)
    assert read_query("https://blog.example: title, url. No duplicates.").distinct == ("title", "url")
    assert read_query("https://blog.example: title, url with unique title").distinct == ("title",)
    assert read_query("https://blog.example: title, url").distinct == ()


@pytest.mark.parametrize(
    ("text", "single"),
    [
        ("Extract title and author from https://a.example/x as one JSON object", True),
        ("https://kitchen.example/soup: title, servings (int). JSON object.", True),
        ("What is the price of the lamp on https://shop.example/lamp?", True),
        ("Wat is de prijs op https://shop.example/lamp? Maak één rij in een CSV: prijs", True),
        ("List all books on https://shop.example as JSON objects: title, price", False),
        ("One row per book on https://shop.example: title, price", False),
        ("What are the titles of all books on https://shop.example?", False),
    ],
)
def test_single(text: str, single: bool) -> None:
    assert read_query(text).single is single


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("Scrape all tiles in the grid of https://shop.example: name", ("tile",)),
        ("List every choir concert on https://city.example: title", ("choir", "concert")),
        ("for every boat on https://hire.example give name, url", ("boat",)),
        ("One row per kite on https://sky.example: name", ("kite",)),
        ("eine Zeile pro Sorte von https://tee.example: name", ("sorte",)),
        ("Get title and price of every book on https://shop.example", ("book",)),
        ("Собери все товары с https://shop.example: название", ("товары",)),
        ("抓取 https://shop.example 上的所有图书：书名", ("图书",)),
        ("Collect from https://radio.example the episodes: title, date", ("episode",)),
        ("https://shop.example/x", ()),
    ],
)
def test_subject(text: str, subject: tuple[str, ...]) -> None:
    assert read_query(text).subject == subject


@pytest.mark.parametrize("word", ["json", "JSON", "csv", "CSV", "jsonl"])
@pytest.mark.parametrize(
    "name", ["phone", "milestone", "opera", "bala", "alone", "data", "cubase", "mandate", "origin", "undone"]
)
@pytest.mark.parametrize(
    "shape",
    [
        "Get title, {name} {word} from https://shop.example/list",
        "https://shop.example/list: title and {name} {word}",
        "title, {name} {word} sorted by title, https://shop.example/list",
        "https://shop.example/list: title, {name}. {word} please",
    ],
)
def test_the_word_of_a_format_cuts_no_name_of_a_field(shape: str, name: str, word: str) -> None:
    query = read_query(shape.format(name=name, word=word))
    assert [field.name for field in query.fields] == ["title", name]
    assert query.format == word.lower()


@pytest.mark.parametrize("name", ["opera", "phone", "mama"])
def test_the_name_of_a_file_cuts_no_name_of_a_field(name: str) -> None:
    query = read_query(f"Get title, {name} rows.csv from https://shop.example/list")
    assert [field.name for field in query.fields] == ["title", name]
    assert query.filename == "rows.csv"


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("Files in https://shop.example/pub/: name, url. Only the .tar.gz files.", "url", ".tar.gz"),
        ("List the .sha256 files in https://shop.example/pub/: name, url", "url", ".sha256"),
        ("https://shop.example/pub/: title, link, PDF files only", "link", ".pdf"),
        ("https://shop.example/pub/: name, url of the .zip files only", "url", ".zip"),
        ("https://shop.example/pub/: filename, size. Only zip files.", "filename", ".zip"),
    ],
)
def test_the_ending_of_files(text: str, field: str, value: str) -> None:
    query = read_query(text)
    assert [(one.field, one.op, one.value) for one in query.filters] == [(field, "ends", value)]
    assert not query.doubts
    assert len(query.fields) == 2


def test_a_bound_on_the_rows_may_stand_in_the_list_of_columns() -> None:
    query = read_query("Get name and price (float) of everything over $50 from https://shop.example/list, JSON")
    assert [(one.field, one.op, one.value) for one in query.filters] == [("price", "gt", "50")]
    assert [field.name for field in query.fields] == ["name", "price"]


def test_items_in_stock_only() -> None:
    query = read_query("https://shop.example/list: name and price, in stock items only, cheapest first")
    assert [(one.field, one.op, one.value) for one in query.filters] == [("availability", "contains", "in stock")]
    assert [field.name for field in query.fields] == ["name", "price"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("List all employees and their roles on https://shop.example/team, with email. CSV", "employees roles email"),
        ("Collect the headlines from https://shop.example/ with date, author and link.", "headline date author link"),
        ("https://shop.example/: name, length (int), longest first", "name length"),
        ("https://shop.example/: name, height (int), tallest first", "name height"),
    ],
)
def test_columns_said_outside_of_a_list(text: str, names: str) -> None:
    assert [field.name for field in read_query(text).fields] == names.split()


@pytest.mark.parametrize(
    "text", ["name, price (float) of products on sale only", "name, price for items that are on sale"]
)
def test_on_sale_behind_a_column_is_not_passed_over(text: str) -> None:
    assert "condition" in {doubt.kind for doubt in read_query(f"https://shop.example/list: {text}").doubts}
