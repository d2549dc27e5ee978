from __future__ import annotations

import pytest

from scrapewright.query.model import Field
from scrapewright.query.read import read_query


def shapes(text: str) -> str:
    """Fields as `name:type`, `!` where the type was said, `?` where it may be missing."""
    return " ".join(f"{f.name}:{f.type}{'!' * f.typed}{'?' * f.optional}" for f in read_query(text).fields)


def field(text: str, name: str) -> Field:
    return next(f for f in read_query(text).fields if f.name == name)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Scrape https://a.example/x: name, price, url", "name:text price:float url:url"),
        ("Scrape https://a.example/x with columns alpha, beta and gamma", "alpha:text beta:text gamma:text"),
        ("List every book on https://a.example with title and price", "title:text price:float"),
        ("Get title, price and rating of every book on https://a.example", "title:text price:float rating:float"),
        ("I want headline, byline and topics (list) for each story", "headline:text byline:text topics:list!"),
        ("shop.example: item, cost_eur (number only), link", "item:text cost_eur:float! link:url"),
        ("For each: sku, made (ISO date), page_url. JSON.", "sku:text made:date! page_url:url"),
        ("Extract title, source url, number of votes", "title:text source_url:url number_of_votes:int"),
        (
            "shop.example: rank (int), team, won, lost (ints), ratio as float",
            "rank:int! team:text won:int! lost:int! ratio:float!",
        ),
        ("shop.example: name, chairs and tables as integers", "name:text chairs:int! tables:int!"),
        ("shop.example: colour, cost in pounds as int, url", "colour:text cost:int! url:url"),
        ("shop.example: name, weight exactly as shown (empty for samples)", "name:text weight:text!?"),
        ("shop.example: player, score (int, may be blank), mean (float)", "player:text score:int!? mean:float!"),
        (
            "shop.example: id = the number in the link as int, win_rate = share of wins as float",
            "id:int! win_rate:float!",
        ),
        ("shop.example: title; price; in_stock (true/false)", "title:text price:float in_stock:bool!"),
        ("every product on shop.example: name/price/url", "name:text price:float url:url"),
        ('shop.example {"title": string, "price": number, "tags": array}', "title:text! price:float! tags:list!"),
        ("shop.example with 'name' and 'price' fields", "name:text price:float"),
        (
            "shop.example, fields:\n- name: what it is called\n- price (float)\n- image_url: absolute",
            "name:text price:float! image_url:url!",
        ),
        ("shop.example columns:\ntitle\nprice\nurl\n\nCSV", "title:text price:float url:url"),
        ("the walking time in minutes (walk_minutes) and the title of shop.example", "walk_minutes:int title:text"),
        ("shop.example: posted (YYYY-MM-DD HH:MM), user", "posted:datetime! user:text"),
        ("Make a CSV (colour,weight_g,num_seats) of it", "colour:text weight_g:float num_seats:int"),
        (
            'shop.example: case_no (e.g. "A v. B, No. 3"), date (taken from the text, as YYYY-MM-DD)',
            "case_no:text date:date!",
        ),
        ("shop.example: plate (just the number(s), such as AB123), owner", "plate:text owner:text"),
        (
            "Liste alle Orte auf shop.example: name, einwohner (Ganzzahl), fläche (Dezimalzahl), link (absolut)",
            "name:text einwohner:int! fläche:float! link:url!",
        ),
        (
            "Récupère les livres de shop.example : titre, prix (décimal), lien absolu",
            "titre:text prix:float! lien:url!",
        ),
        ("Extrae de shop.example nombre, precio (número) y enlace", "nombre:text precio:float! enlace:url"),
        ("Estrai titolo, data (AAAA-MM-GG) e link da shop.example", "titolo:text data:date! link:url"),
        (
            "Haal van shop.example: titel, bedrag (getal, leeg als er geen is) en link",
            "titel:text bedrag:float!? link:url",
        ),
        ("Extraia de shop.example: título, preço (decimal) e link", "título:text preço:float! link:url"),
        ("Pobierz z shop.example: tytuł, cena (liczba), autor i link", "tytuł:text cena:float! autor:text link:url"),
        ("Stáhni z shop.example: název, cena (číslo) a odkaz", "název:text cena:float! odkaz:url"),
        (
            "Собери с shop.example: название, цена (число), страниц (целое, может отсутствовать)",
            "название:text цена:float! страниц:int!?",
        ),
        ("shop.example sayfasından başlık, fiyat (ondalık) ve bağlantı çıkar", "başlık:text fiyat:float! bağlantı:url"),
        ("Gyűjtsd ki innen: shop.example – cím, ár (szám) és link", "cím:text ár:float! link:url"),
        ("抓取 https://shop.example 的图书：书名、价格（数字）和链接", "书名:text 价格:float! 链接:url"),
        ("https://shop.example から名前、価格（数値）、リンクを抽出", "名前:text 価格:float! リンク:url"),
        ("https://shop.example 에서 제목과 가격(숫자), 링크를 추출해줘", "제목:text 가격:float! 링크:url"),
        ("shop.example: version, download link for every release", "version:text download_link:url"),
        (
            "https://shop.example の求人を最初の3ページ分、職種、給与（あれば）、URL（絶対URL）の列でCSVに",
            "職種:text 給与:text? URL:url!",
        ),
        ("从 https://shop.example 提取文章的标题、日期（YYYY-MM-DD）和作者", "标题:text 日期:date! 作者:text"),
    ],
)
def test_field_lists(text: str, expected: str) -> None:
    assert shapes(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("List all projects with their description", "project:text description:text"),
        ("Extract all article titles from shop.example", "title:text"),
        ("Give me the price of the first result on shop.example", "price:float"),
        ("extract all blog posts on shop.example", ""),
        ("Find information about actors", ""),
        ("Scrape these: http://a.example/1, http://a.example/2", ""),
        ("Find the number of stars of the following repos: alpha-use, beta, gamma", "number_of_stars:int"),
        ("extract the data table preserving structure", ""),
        ("", ""),
    ],
)
def test_vague_requests_name_no_more_than_they_say(text: str, expected: str) -> None:
    assert shapes(text) == expected


def test_names_are_kept_as_they_were_spelt() -> None:
    query = read_query('shop.example columns: "Book title", pricePerUnit, SKU, Wind speed')
    assert [f.name for f in query.fields] == ["Book title", "pricePerUnit", "SKU", "wind_speed"]


def test_what_stands_beside_a_name_is_a_word_for_it() -> None:
    text = "shop.example: total (Stückzahl) and heading (подпись), url"
    assert field(text, "total").words == ("total", "stückzahl")
    assert field(text, "heading").words == ("heading", "подпись")


def test_the_phrase_before_a_bracketed_name_is_a_word_for_it() -> None:
    text = (
        "What are the preparation time (prep_minutes) and the yield (servings) on shop.example?"
        " CSV (prep_minutes,servings)"
    )
    assert "preparation" in field(text, "prep_minutes").words
    assert "yield" in field(text, "servings").words


def test_notes_are_verbatim() -> None:
    assert field("shop.example: made (the date at the end, as YYYY-MM-DD — not the other), b", "made").note == (
        "the date at the end, as YYYY-MM-DD — not the other"
    )


@pytest.mark.parametrize(
    ("note", "kind", "pattern"),
    [
        ("YYYY-MM-DD", "date", ""),
        ("ISO date", "date", ""),
        ("DD.MM.YYYY", "date", "%d.%m.%Y"),
        ("MM/DD/YYYY", "date", "%m/%d/%Y"),
        ("dd-mm-yy", "date", "%d-%m-%y"),
        ("TT.MM.JJJJ", "date", "%d.%m.%Y"),
        ("JJ/MM/AAAA", "date", "%d/%m/%Y"),
        ("AAAA-MM-DD", "date", ""),
        ("AAAA-MM-GG", "date", ""),
        ("RRRR-MM-DD", "date", ""),
        ("ГГГГ-ММ-ДД", "date", ""),
        ("ДД.ММ.ГГГГ", "date", "%d.%m.%Y"),
        ("ÉÉÉÉ-HH-NN", "date", ""),
        ("%d %b %Y", "date", "%d %b %Y"),
        ("YYYY-MM-DD HH:MM", "datetime", "%Y-%m-%d %H:%M"),
        ("YYYY-MM-DDTHH:MM:SS", "datetime", ""),
    ],
)
def test_date_patterns(note: str, kind: str, pattern: str) -> None:
    found = field(f"https://shop.example: made ({note}), title", "made")
    assert (found.type, found.typed, found.date_format) == (kind, True, pattern)


@pytest.mark.parametrize(
    "note",
    [
        "may be blank",
        "empty if there is none",
        "optional",
        "if any",
        "if available",
        "or null",
        "blank when missing",
        "falls vorhanden",
        "leer, wenn keiner da ist",
        "si disponible",
        "vide si absent",
        "puede faltar",
        "se presente",
        "leeg als er geen is",
        "se houver",
        "może być puste",
        "pokud existuje",
        "если есть",
        "varsa",
        "ha van",
        "如果有",
        "あれば",
        "있으면",
    ],
)
def test_optional_notes(note: str) -> None:
    assert field(f"https://shop.example: made ({note}), title", "made").optional


def test_leave_empty_makes_the_named_fields_optional() -> None:
    query = read_query("shop.example: name, points, user, comments. Leave points/user empty for adverts.")
    assert [f.name for f in query.fields if f.optional] == ["points", "user"]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("price", "float"),
        ("preis", "float"),
        ("cena", "float"),
        ("price_currency", "text"),
        ("price_range", "text"),
        ("date_filed", "date"),
        ("born_date", "date"),
        ("url", "url"),
        ("pdf_url", "url"),
        ("image", "url"),
        ("case_number", "text"),
        ("phone_number", "text"),
        ("review_count", "int"),
        ("num_pages", "int"),
        ("number_of_reviews", "int"),
        ("year", "int"),
        ("is_open", "bool"),
        ("tags", "list"),
        ("rating", "float"),
        ("product_code", "text"),
        ("title", "text"),
        ("xyzzy", "text"),
        ("win_percentage", "float"),
        ("цена", "float"),
        ("日期", "date"),
        ("가격", "float"),
    ],
)
def test_types_that_names_suggest_are_not_said(name: str, kind: str) -> None:
    found = field(f"https://shop.example columns: {name}, other", name)
    assert (found.type, found.typed) == (kind, False)


def test_absolute_links() -> None:
    for note in ("absolute", "full URL", "absolut", "url absolue", "полная ссылка", "绝对链接", "絶対URL"):
        found = field(f"https://shop.example: link ({note}), title", "link")
        assert found.absolute, note
        assert found.type == "url"
