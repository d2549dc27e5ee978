"""Whole requests as people write them: what of them is fields, conditions, pages and form."""

from __future__ import annotations

import pytest

from scrapewright.query.model import Filter
from scrapewright.query.read import read_query


def conditions(filters: tuple[Filter, ...]) -> list[tuple[str, str, str]]:
    return [(f.field, f.op, f.value) for f in filters]


@pytest.mark.parametrize(
    ("text", "names", "wanted"),
    [
        ("products under $20 on shop.example: name, price", "name price", [("price", "lt", "20")]),
        ("lamps under 20 on shop.example: name, price", "name price", [("price", "lt", "20")]),
        (
            "only products in stock on shop.example: name, price",
            "name price",
            [("availability", "contains", "in stock")],
        ),
        ("shop.example: name, price, in stock only", "name price", [("availability", "contains", "in stock")]),
        ("shop.example: name, price, under $20, url", "name price url", [("price", "lt", "20")]),
        ("posts on blog.example published after 2024: title, date", "title date", [("date", "ge", "2025")]),
        ("posts on blog.example since 2024-03-01: title, date", "title date", [("date", "ge", "2024-03-01")]),
        (
            "posts on blog.example from 2023: title, date",
            "title date",
            [("date", "ge", "2023"), ("date", "lt", "2024")],
        ),
        (
            "products between 10 and 20 euros on shop.example: name, price",
            "name price",
            [("price", "ge", "10"), ("price", "le", "20")],
        ),
        ("products rated 4 stars or more on shop.example: name, rating", "name rating", [("rating", "ge", "4")]),
        ("products with a rating above 4 on shop.example: name, rating", "name rating", [("rating", "gt", "4")]),
        ("books on shop.example: title, price; price < 20", "title price", [("price", "lt", "20")]),
        ("books on shop.example: title, price where price >= 20", "title price", [("price", "ge", "20")]),
        ("Alle Bücher von shop.example: Titel, Preis, unter 20 Euro, als CSV", "Titel Preis", [("Preis", "lt", "20")]),
        ("tous les livres de shop.example : titre, prix, moins de 20 €", "titre prix", [("prix", "lt", "20")]),
        ("todos los libros de shop.example: título, precio, menos de 20 €", "título precio", [("precio", "lt", "20")]),
        ("tutti i libri di shop.example: titolo, prezzo, sotto i 20 euro", "titolo prezzo", [("prezzo", "lt", "20")]),
        ("alle boeken van shop.example: titel, prijs, onder 20 euro", "titel prijs", [("prijs", "lt", "20")]),
        ("todos os livros de shop.example: título, preço, abaixo de 20 euros", "título preço", [("preço", "lt", "20")]),
        ("wszystkie książki z shop.example: tytuł, cena, poniżej 20 zł", "tytuł cena", [("cena", "lt", "20")]),
        ("все книги с shop.example: название, цена, дешевле 500 руб", "название цена", [("цена", "lt", "500")]),
        ("shop.example の全商品：名前、価格、2000円以下", "名前 価格", [("価格", "le", "2000")]),
        ("shop.example 上所有商品：名称，价格，低于100元", "名称 价格", [("价格", "lt", "100")]),
        ("shop.example 의 모든 상품: 이름, 가격, 10000원 이하", "이름 가격", [("가격", "le", "10000")]),
    ],
)
def test_conditions_are_no_columns(text: str, names: str, wanted: list[tuple[str, str, str]]) -> None:
    query = read_query(text)
    assert [field.name for field in query.fields] == names.split()
    assert conditions(query.filters) == wanted
    assert query.doubts == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("shop.example: name, price into a SQLite database", "SQLite"),
        ("save the name and price of every lamp on shop.example to lamps.xlsx", "lamps.xlsx"),
        ("name and price of every lamp on shop.example as an Excel file", "Excel"),
        ("Name und Preis aller Lampen auf shop.example, Excel-Datei", "Excel"),
    ],
)
def test_a_kind_of_file_that_is_not_written_is_said(text: str, said: str) -> None:
    query = read_query(text)
    assert [field.type for field in query.fields] == ["text", "float"]
    assert [doubt.kind for doubt in query.doubts] == ["format"]
    assert said in query.doubts[0].text


@pytest.mark.parametrize(
    ("text", "urls", "names"),
    [
        ("localhost:8000/items - title, price", ["http://localhost:8000/items"], "title price"),
        ("http://127.0.0.1:8080/list title and price", ["http://127.0.0.1:8080/list"], "title price"),
        (
            "www.shop.example/lamps?page=1 name/price/rating",
            ["https://www.shop.example/lamps?page=1"],
            "name price rating",
        ),
        (
            "all events from https://a.example/x and https://b.example/y: title, date",
            ["https://a.example/x", "https://b.example/y"],
            "title date",
        ),
        ("lamps on shop.example: 1. name 2. price 3. url", ["https://shop.example"], "name price url"),
        ("pdf link and title of every report on reports.example", ["https://reports.example"], "pdf_link title"),
        ("image url and name of each product on shop.example", ["https://shop.example"], "image_url name"),
        (
            "link to the review and title of all films on films.example",
            ["https://films.example"],
            "link_to_review title",
        ),
        ("title, url of the image, price from shop.example", ["https://shop.example"], "title url_of_image price"),
        ("title, the link to the pdf (pdf) from papers.example", ["https://papers.example"], "title pdf"),
        ("name, link to each product from shop.example", ["https://shop.example"], "name link"),
        ("Bild-URL und Name aller Produkte auf shop.example", ["https://shop.example"], "bild_url Name"),
    ],
)
def test_addresses_and_names(text: str, urls: list[str], names: str) -> None:
    query = read_query(text)
    assert list(query.urls) == urls
    assert [field.name for field in query.fields] == names.split()
    assert query.doubts == ()


def test_pages_said_among_the_names_are_pages() -> None:
    query = read_query("shop.example first 2 pages only, name and price")
    assert [field.name for field in query.fields] == ["name", "price"]
    assert (query.paging, query.pages) == ("count", 2)
