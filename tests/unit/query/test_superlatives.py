"""Superlatives that choose rows: how many, by what, which way, in the languages that the lexicon knows."""

from __future__ import annotations

import pytest

from scrapewright.query.model import Order, Query
from scrapewright.query.read import read_query

RISING, FALLING = False, True


def key(query: Query) -> tuple[str, bool, int | None]:
    assert len(query.order) == 1, query.order
    return query.order[0].field, query.order[0].descending, query.limit


@pytest.mark.parametrize(
    ("text", "field", "falling", "limit"),
    [
        ("the 3 cheapest books on shop.example: title, price", "price", RISING, 3),
        ("cheapest 10 lamps from shop.example with name and price", "price", RISING, 10),
        ("title and price of the three cheapest lamps on shop.example", "price", RISING, 3),
        ("the 10 most expensive lamps on shop.example: name, price", "price", FALLING, 10),
        ("lamps from shop.example: name, price. Only the 3 cheapest.", "price", RISING, 3),
        ("highest rated 5 films at films.example: title, rating", "rating", FALLING, 5),
        ("top 5 films by rating on films.example: title, rating", "rating", FALLING, 5),
        ("the 5 films with the most votes on films.example: title, votes", "votes", FALLING, 5),
        ("the 5 films with the lowest rating on films.example: title, rating", "rating", RISING, 5),
        ("the 5 highest prices on shop.example: name, price", "price", FALLING, 5),
        ("newest 20 posts on blog.example: title, date", "date", FALLING, 20),
        ("the oldest 5 posts on blog.example: title, published (date)", "published", RISING, 5),
        ("the 3 oldest players of club.example: name, age", "age", FALLING, 3),
        ("the 3 youngest players of club.example: name, age", "age", RISING, 3),
        ("the 10 largest cities on atlas.example: city, population", "population", FALLING, 10),
        ("the 10 smallest islands on atlas.example: name, area (float)", "area", RISING, 10),
        ("longest 5 films on films.example: title, runtime (int)", "runtime", FALLING, 5),
        ("the 3 most popular packages on index.example: name, downloads", "downloads", FALLING, 3),
        ("the cheapest lamp on shop.example: name, price", "price", RISING, 1),
        ("the cheapest lamps on shop.example: name, price", "price", RISING, None),
        ("die 3 billigsten Lampen auf shop.example: Name, Preis", "Preis", RISING, 3),
        ("die fünf teuersten Lampen von shop.example mit Name und Preis", "Preis", FALLING, 5),
        ("die 5 ältesten Beiträge auf blog.example: Titel, Datum", "Datum", RISING, 5),
        ("die 4 bestbewerteten Filme auf films.example: Titel, Bewertung", "Bewertung", FALLING, 4),
        ("die 3 Filme mit den meisten Stimmen auf films.example: Titel, Stimmen", "Stimmen", FALLING, 3),
        ("das günstigste Buch auf shop.example: Titel, Preis", "Preis", RISING, 1),
        ("les 5 livres les moins chers sur shop.example : titre, prix", "prix", RISING, 5),
        ("les 5 moins chers sur shop.example : titre, prix", "prix", RISING, 5),
        ("les 10 produits les plus chers de shop.example : nom, prix", "prix", FALLING, 10),
        ("los 3 libros más baratos de shop.example: título, precio", "precio", RISING, 3),
        ("los 3 más caros de shop.example: título, precio", "precio", FALLING, 3),
        ("i 3 libri più economici su shop.example: titolo, prezzo", "prezzo", RISING, 3),
        ("i 3 più cari su shop.example: titolo, prezzo", "prezzo", FALLING, 3),
        ("de 3 goedkoopste boeken op shop.example: titel, prijs", "prijs", RISING, 3),
        ("os 5 produtos mais baratos de shop.example: nome, preço", "preço", RISING, 5),
        ("3 najtańsze książki z shop.example: tytuł, cena", "cena", RISING, 3),
        ("5 nejlevnějších knih z shop.example: název, cena", "cena", RISING, 5),
        ("3 самые дешёвые книги на shop.example: название, цена", "цена", RISING, 3),
        ("3 самых дорогих товара на shop.example: название, цена", "цена", FALLING, 3),
        ("en ucuz 5 ürün shop.example: ad, fiyat", "fiyat", RISING, 5),
        ("az 5 legolcsóbb könyv a shop.example oldalról: cím, ár", "ár", RISING, 5),
        ("shop.example の最安の3件：タイトル、価格", "価格", RISING, 3),
        ("shop.example 上最便宜的5本书：标题，价格", "价格", RISING, 5),
        ("shop.example 에서 가장 저렴한 5개 상품: 제목, 가격", "가격", RISING, 5),
    ],
)
def test_a_superlative_is_an_order_and_a_limit(text: str, field: str, falling: bool, limit: int | None) -> None:
    query = read_query(text)
    assert key(query) == (field, falling, limit)
    assert query.unread == () or query.unread == ("lamps",)


@pytest.mark.parametrize(
    ("text", "field", "falling", "limit"),
    [
        ("the 3 cheapest books on shop.example: title", "price", RISING, 3),
        ("the 3 cheapest books on shop.example", "price", RISING, 3),
        ("newest 20 posts on blog.example: title, url", "date", FALLING, 20),
        ("what is the cheapest book on shop.example?", "price", RISING, 1),
    ],
)
def test_the_column_of_the_order_need_not_be_asked_for(text: str, field: str, falling: bool, limit: int) -> None:
    query = read_query(text)
    assert key(query) == (field, falling, limit)
    assert field not in {f.name for f in query.fields}
    assert not query.single


@pytest.mark.parametrize(
    "text",
    [
        "all books on shop.example: title, lowest price, highest price",
        "the latest news from paper.example: title, link",
        "best sellers on shop.example: title, price",
        "give me the top headlines on paper.example: headline",
        "the oldest version (text) and the newest version (text) of each package on index.example",
    ],
)
def test_praise_and_names_of_columns_choose_no_rows(text: str) -> None:
    query = read_query(text)
    assert (query.order, query.limit) == ((), None)


def test_the_words_of_a_superlative_are_no_part_of_what_a_row_is() -> None:
    for text, noun in (
        ("the 3 cheapest books on shop.example: title, price", "book"),
        ("les 5 livres les moins chers sur shop.example : titre, prix", "livre"),
        ("los 3 libros más baratos de shop.example: título, precio", "libro"),
        ("i 3 libri più economici su shop.example: titolo, prezzo", "libri"),
        ("3 самые дешёвые книги на shop.example: название, цена", "книги"),
    ):
        assert read_query(text).subject == (noun,)


def test_cheapest_first_is_an_order_without_a_limit() -> None:
    query = read_query("all lamps on shop.example: name, price, cheapest first")
    assert (query.order, query.limit) == ((Order("price"),), None)


def test_a_direction_without_a_column_to_go_by_is_not_understood() -> None:
    query = read_query("the 5 biggest boats on boats.example: name, builder, port")
    assert query.order == ()
    assert query.limit == 5
    assert any("biggest" in phrase for phrase in query.unread)
