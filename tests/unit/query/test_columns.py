"""The list of columns of a request: names, what is said of them, and when it is offered instead of taken."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapewright.query.columns import naming
from scrapewright.query.read import guessed_columns, named_columns, read_request
from scrapewright.query.reading import Column

AT = "https://shop.example/list"


def seen(text: str) -> tuple[Column, ...]:
    """The columns that are taken, or offered for somebody to confirm."""
    return read_request(text).columns or guessed_columns(text)


def names(text: str) -> str:
    return " ".join(column.name for column in seen(text))


def shapes(text: str) -> str:
    """Columns as `name:type`, the type only where it was said, and its format in braces."""
    return " ".join(
        c.name + (f":{c.type}" if c.type else "") + (f"{{{c.format}}}" if c.format else "") for c in seen(text)
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"Scrape {AT}: name, price, stock", "name price stock"),
        (f"Scrape {AT} with columns alpha, beta and gamma", "alpha beta gamma"),
        (f"{AT} - name, price", "name price"),
        (f"{AT} -> name, price", "name price"),
        (f"List every book on {AT} with title and price", "title price"),
        (f"Get title, price and rating of every book on {AT}", "title price rating"),
        (f"title and price of every lamp on {AT}", "title price"),
        (f"pdf link and title of every report on {AT}", "pdf_link title"),
        (f"I need name, unit_price, and stock from {AT}. CSV please.", "name unit_price stock"),
        (f"Give me all stations on {AT} with their links (station, line)", "station line"),
        (f"What is the yield? See {AT}. Write a CSV (title,servings).", "title servings"),
        (f"{AT} as CSV with name, price and stock", "name price stock"),
        (f"CSV of title, agency from {AT}", "title agency"),
        (f"{AT} name / price / stock", "name price stock"),
        (f"{AT} with 'name' and 'price' fields", "name price"),
        (f"columns from {AT}:\n- name\n- price\n- stock", "name price stock"),
        (f"{AT} columns:\ntitle\nprice\nstock\n\nCSV", "title price stock"),
        (f"One row per lamp on {AT}: name", "name"),
        (f"{AT}, fields: blade sweep, air flow, number of blades", "blade_sweep air_flow number_of_blades"),
        (f'{AT} columns: "Book title", pricePerUnit, SKU', "Book title pricePerUnit SKU"),
        (f"Alle Lampen von {AT}: Name, Preis und Lager", "name preis lager"),
        (f"Preciso de {AT}: praia, altura da onda, hora da maré", "praia altura_da_onda hora_da_maré"),
        (f"Haal alle jassen van {AT} met merk, naam en prijs", "merk naam prijs"),
        (f"Récupère les livres de {AT} : titre, prix et stock", "titre prix stock"),
        (f"Extrae de {AT}: nombre, precio y enlace", "nombre precio enlace"),
        (f"Estrai i libri da {AT}: titolo, prezzo e autore", "titolo prezzo autore"),
        (f"Extraia de {AT}: título, preço e autor", "título preço autor"),
        (f"Pobierz z {AT}: tytuł, cena i autor", "tytuł cena autor"),
        (f"Stáhni z {AT}: název, cena a autor", "název cena autor"),
        (f"Собери с {AT}: title (заголовок), author (автор)", "title author"),
        (f"Нужны книги с {AT}: название (title), автор (author)", "title author"),
        (f"Hol von {AT} den Titel (title), den Autor (author) und die Dauer (minutes, int)", "title author minutes"),
        (f"{AT} の記事：title、author、section をJSONで", "title author section"),
        (f"{AT} name, price (the first one), sorted by price", "name price"),
        (f"{AT}: name, price, under $20", "name price"),
        (f"{AT}: name, price, csv", "name price"),
        (f"{AT}: Zug (train), Ziel (destination), Verspätung (delay, int)", "train destination delay"),
        (f"{AT}: name, price in EUR (float), opened as JSON", "name price opened"),
        (f"{AT}: name, price, date; dates as YYYY-MM-DD", "name price date"),
        (f"{AT} give me the name, price (int) and agent of this house as JSON", "name price agent"),
        (f"{AT}: name, year built (int), price (float)", "name year_built price"),
        (f"{AT} — for every project give name (the part before the dash), url", "name url"),
        (f"{AT}: order number, buyer, full name, record holder", "order_number buyer full_name record_holder"),
        (f"{AT} - room, price from, price to (EUR), link", "room price_from price_to link"),
        (f"{AT}: the bridge's name, its length and the year opened", "name length year_opened"),
        (f"{AT}: distillery, then region, then owner and finally status", "distillery region owner status"),
        (f"{AT}: name, town, since -> members.csv", "name town since"),
        (f"{AT}: title, all page numbers, price", "title page_numbers price"),
        (f"{AT}: title, all pages, price", "title pages price"),
        (f"{AT} \n・店舗名\n・時給（数値）\n・勤務時間", "店舗名 時給 勤務時間"),
        (f"{AT} から会社名・IATAコード・拠点を取得してください。", "会社名 iataコード 拠点"),
        (f"请从 {AT} 提取：排名、游戏名称、评分和下载量", "排名 游戏名称 评分 下载量"),
        (f"{AT} 에서 축제명, 개최지, 입장료를 정리해 주세요", "축제명 개최지 입장료"),
        (f"Hae sivulta {AT}: sija, nimi, seura ja aika", "sija nimi seura aika"),
        (f"{AT}: city, mayor's name, governor's name", "city mayor_s_name governor_s_name"),
        (f"{AT}: name, price and give rating", "name price rating"),
        (f"{AT}: name, price, create csv", "name price"),
        (f"{AT}: title, price, order price ascending", "title price"),
        (f"{AT}: name, price (column Preis), salary in (USD)", "name price salary"),
        (f"title, author and price from\n{AT}", "title author price"),
        (f"{AT}：姓名、共和国名称、互联网普及程度、活动参与人数", "姓名 共和国名称 互联网普及程度 活动参与人数"),
        (f"{AT}: 絵はがき名、肩はば、はがき料金、駅からの距離", "絵はがき名 肩はば はがき料金 駅からの距離"),
        (f"{AT}: 고속도로, 등산로, 진료과, 가격", "고속도로 등산로 진료과 가격"),
        (f"Movies at {AT} for 2024: title, director", "title director"),
        (f'{{"url": "{AT}", "fields": ["flight", "scheduledTime"], "limit": 50}}', "flight scheduledTime"),
    ],
)
def test_lists_are_read_in_many_wordings(text: str, expected: str) -> None:
    assert names(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{AT}: rank (int), team, ratio as float", "rank:int team ratio:float"),
        (f"{AT}: name, chairs and tables as integers", "name chairs:int tables:int"),
        (f"{AT}: team, won, lost (ints)", "team won:int lost:int"),
        (f"{AT}: name, opened, closed (dates as DD.MM.YYYY)", "name opened:date{%d.%m.%Y} closed:date{%d.%m.%Y}"),
        (f"{AT}: id = the number in the link as int, name", "id:int name"),
        (f"{AT}: case_no, filed in YYYY-MM-DD, judge", "case_no filed:date judge"),
        (f"{AT}: posted (YYYY-MM-DD HH:MM), user", "posted:datetime{%Y-%m-%d %H:%M} user"),
        (f"{AT}: departure (HH:MM), platform", "departure:text{%H:%M} platform"),
        (f"{AT}: name, start as HH:MM:SS, place", "name start:text{%H:%M:%S} place"),
        (f"{AT}: name, topics (list), in_stock (true/false)", "name topics:list in_stock:bool"),
        (f"{AT}: name, url, pdf_url (absolute)", "name url:url pdf_url:url"),
        (f'{AT} {{"title": string, "weight": float, "tags": array}}', "title:text weight:float tags:list"),
        (f"Orte auf {AT}: name, einwohner (Ganzzahl), datum (TT.MM.JJJJ)", "name einwohner:int datum:date{%d.%m.%Y}"),
        (f"{AT} : titre, prix (décimal), publié (AAAA-MM-JJ)", "titre prix:float publié:date"),
        (f"{AT}: titulo, precio (entero en euros), fotos (lista de textos)", "titulo precio:int fotos:list"),
        (f"{AT}: название, дата (в формате ГГГГ-ММ-ДД), страниц (целое)", "название дата:date страниц:int"),
        (f"{AT}: name, price (number), sold as numbers", "name price sold"),
        (f"{AT}: plate (just the number, such as AB123), owner", "plate owner"),
        (f"{AT}: hearing (date of the hearing), court", "hearing court"),
    ],
)  # fmt: skip
def test_types_and_formats_are_claimed_where_they_are_said(text: str, expected: str) -> None:
    assert shapes(text) == expected


def test_notes_are_the_requests_own_words() -> None:
    columns = seen(f"{AT}: name (the bold text), price (float, in euro), size (exactly as shown)")
    assert [column.note for column in columns] == ["the bold text", "float, in euro", "exactly as shown"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"From {AT}: name, date as DD/MM/YYYY, price", "name date price"),
        (f"From {AT}: name, status as open/closed/sold, price", "name status price"),
        (f"From {AT}: name, price in EUR/USD/GBP, stock", "name price stock"),
        (f"Columns: title, author, release date {AT}", "title author release_date"),
        (f"Columns: name, price, phone number {AT}", "name price phone_number"),
    ],
)
def test_what_is_said_of_a_column_is_no_other_one(text: str, expected: str) -> None:
    assert " ".join(column.name for column in seen(text)) == expected


def test_a_name_for_the_page_becomes_the_note() -> None:
    columns = seen(f"Собери с {AT}: название (title), автор (author)")
    assert [(column.name, column.note) for column in columns] == [("title", "название"), ("author", "автор")]


@pytest.mark.parametrize(
    "text",
    [
        f"get titles and prices from {AT}",
        f"List all projects on {AT} with their description",
        f"What is the price of the lamp on {AT}?",
        f"{AT} titres des lampes, prix de vente et en plus le numéro d'édition",
        "extract all blog posts",
        "",
    ],
)
def test_prose_is_not_claimed(text: str) -> None:
    assert read_request(text).columns == ()


def test_what_follows_a_condition_in_a_list_stays_unread() -> None:
    reading = read_request(f"{AT}: name, price, under $20, stock")
    assert [column.name for column in reading.columns] == ["name", "price"]
    assert any("stock" in phrase for phrase in reading.unread)


def test_words_behind_a_name_that_are_not_understood_stay_unread() -> None:
    reading = read_request(f"{AT}: title, url of the image, price. CSV")
    assert [column.name for column in reading.columns] == ["title", "url", "price"]
    assert reading.unread == ("image",)


@pytest.mark.parametrize(
    "text", [f"{AT}: name, price; the price may be empty", f"{AT}: name, price. Leave price empty if it is missing."]
)
def test_empty_cells_are_said_of_their_column(text: str) -> None:
    reading = read_request(text)
    assert [field.optional for field in reading.fields] == [False, True]
    assert reading.unread == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"{AT} - title, price, item number of the lamp", "title price item_number"),
        (
            f"From the page {AT} take the headline, the subtitle, the author and the date.",
            "headline subtitle author date",
        ),
        (f"Which lamps are there on {AT} ? lamp, price (EUR), url. cheapest ones on top", "lamp price url"),
        (f"List every lamp: published (ISO date of its heading), title, pdf link. {AT}", "published title pdf_link"),
        (f"lamp info from {AT}: title, all makers, first sold when, price", "title makers first_sold price"),
        (
            f"{AT}: name, type, and the article number of each (number, only in the link). Sort by number",
            "name type article_number",
        ),
        (f"{AT} - title, number of replies of the thread, last user", "title number_of_replies last_user"),
        (f"{AT} - lamp list. Columns: name | code, e.g. 22-1 | date YYYY-MM-DD", "name code date"),
        (f"get me all about the lamps on {AT}", ""),
        (f"{AT} red, green and blue", "red green blue"),  # the one list that there is, for somebody to refuse
        (f"which are the red ones on {AT}?", ""),
        ("", ""),
    ],
)
def test_columns_are_found_in_prose(text: str, expected: str) -> None:
    assert names(text) == expected


def test_what_is_read_is_not_offered() -> None:
    assert guessed_columns(f"{AT}: name, price") == ()
    assert guessed_columns(f"get titles and prices from {AT}")


@given(st.text(max_size=300))
def test_any_text_gives_a_guess(text: str) -> None:
    names = [column.name for column in guessed_columns(text)]
    assert len(set(names)) == len(names)


def test_what_else_a_request_says_is_read_once_its_columns_are_named() -> None:
    text = f"get titles and prices from {AT}. Only where prices is 12"
    before, after = read_request(text), read_request(text, guessed_columns(text))
    assert (before.columns, before.filters) == ((), ())
    assert any("prices" in phrase for phrase in before.unread)
    assert [column.name for column in after.columns] == ["titles", "prices"]
    assert [one.column for one in after.filters] == ["prices"]
    assert after.unread == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("title, price (number), url", "title price url"), ("title", "title"), ("title and price", "title price"),
        ("title, price. And sort it", ""), ("", ""),
    ],
)  # fmt: skip
def test_columns_are_named_by_a_list_alone(text: str, expected: str) -> None:
    assert " ".join(column.name for column in named_columns(text)) == expected


def test_the_words_of_a_whole_name_name_no_other_column() -> None:
    names = ("date", "closing_date", "date_of_birth")
    assert naming(names, ("closing", "date")) == {"date": 0, "closing_date": 4, "date_of_birth": 0}
    assert naming(names, ("date",)) == {"date": 4, "closing_date": 0, "date_of_birth": 0}
    assert naming(names, ("closing",)) == {"date": 0, "closing_date": 3, "date_of_birth": 0}


def test_a_name_in_a_plural_is_the_noun_of_the_rows_and_none_to_sort_by() -> None:
    reading = read_request(f"From {AT}. Columns: song, artist, plays. Most played songs first")
    assert "song" not in {key.column for key in reading.order}
    reading = read_request(f"From {AT}. Columns: song, artist, plays. Sort by songs")
    assert [key.column for key in reading.order] == ["song"]


@pytest.mark.parametrize(
    ("columns", "said", "key"),
    [
        ("title, posted, posted_by", "Sort by posted", "posted"),
        ("title, price, price_from", "Sort by price", "price"),
        ("日期、结束日期、名称", "按结束日期排序", "结束日期"),
        ("제목, 가격, 할인가격", "할인가격 낮은 순", "할인가격"),
    ],
)
def test_an_order_is_by_the_column_whose_name_it_has(columns: str, said: str, key: str) -> None:
    assert [one.column for one in read_request(f"{AT}: {columns}. {said}").order] == [key]


def test_a_name_has_a_letter() -> None:
    assert "2" not in {column.name for column in guessed_columns(f"{AT} 2, title, date, url")}
