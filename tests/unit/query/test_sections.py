"""The part of the page that a request names."""

from __future__ import annotations

import pytest

from scrapewright.query.read import read_query


@pytest.mark.parametrize(
    ("text", "section"),
    [
        ("articles under 'News' on paper.example: title, link", "News"),
        ('articles under the heading "Local news" on paper.example: title, link', "Local news"),
        ("all articles in the News section of paper.example: title, link", "News"),
        ("dishes in the desserts section on menu.example: name, price", "desserts"),
        ('the rows of the table "Medals by country" on games.example: country, gold (int)', "Medals by country"),
        ("events under Upcoming on hall.example: title, date", "Upcoming"),
        ("Artikel unter der Überschrift „Nachrichten“ auf paper.example: Titel, Link", "Nachrichten"),
        ("Gerichte im Abschnitt Nachspeisen auf menu.example: Name, Preis", "Nachspeisen"),
        ("articles sous le titre « Actualités » sur paper.example : titre, lien", "Actualités"),
        ('los artículos de la sección "Deportes" en paper.example: título, enlace', "Deportes"),
        ('gli articoli nella sezione "Sport" su paper.example: titolo, link', "Sport"),
        ('de artikelen onder de kop "Nieuws" op paper.example: titel, link', "Nieuws"),
        ('os artigos da seção "Esportes" em paper.example: título, link', "Esportes"),
        ('artykuły w sekcji "Sport" na paper.example: tytuł, link', "Sport"),
        ('články v sekci "Sport" na paper.example: název, odkaz', "Sport"),
        ("статьи в разделе «Новости» на paper.example: заголовок, ссылка", "Новости"),
        ("paper.example の「ニュース」欄の記事：タイトル、リンク", "ニュース"),
        ("paper.example “新闻”栏目下的文章：标题，链接", "新闻"),
    ],
)
def test_a_section_is_read(text: str, section: str) -> None:
    query = read_query(text)
    assert query.section == section
    assert query.doubts == ()
    assert query.filters == ()
    assert len(query.fields) == 2


@pytest.mark.parametrize(
    "text",
    [
        "all lamps on shop.example: name, price",
        "lamps under $20 on shop.example: name, price",
        "lamps under 20 on shop.example: name, price",
        "all books from The Great Library at lib.example: title, author",
        "the main section of blog.example: title, date",
        "all products in the product list of shop.example: name, price",
        'quotes from quotes.example: text ("quote" in the table), author',
        "alle Lampen unter 20 Euro auf shop.example: Name, Preis",
    ],
)
def test_what_is_no_section_is_read_as_none(text: str) -> None:
    assert read_query(text).section == ""
