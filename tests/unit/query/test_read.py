"""Whole requests, and what holds for any text."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scrapewright.query.read import MAX_READ, read_more, read_request
from scrapewright.query.reading import Order, Reading, check
from scrapewright.query.tokens import Tokens

AT = "https://shop.example/list"


@pytest.mark.parametrize(
    ("text", "row"),
    [
        (f"Scrape all lamps on {AT} (all pages): name, price (float). CSV sorted by price ascending.", "lamp"),
        (f"Please give me all the radio stations listed on {AT} with station and city", "radio station"),
        (f"One row per car park on {AT}: name, city. Write it to parks.csv", "car park"),
        (f"Extract the search results at {AT} — for every project give name, url, stars", "project"),
        (f"From the job ad {AT} give me the title, job_id, location, posted (as YYYY-MM-DD)", "job ad"),
        (f"I need the table of decisions on {AT} as CSV: case_name, decision_date (YYYY-MM-DD)", "decision"),
        (f"Collect from {AT} the episodes: title, date", "episode"),
        (f"Bitte hole alle Lampen von {AT}: Name, Preis (Dezimalzahl). Als CSV, nach Preis absteigend.", "lampen"),
        (f"Haal alle jassen van {AT} (alleen deze pagina) en maak een CSV met merk, naam en prijs", "jassen"),
        (f"Собери все новости со страницы {AT}: title (заголовок), date (дата). Сохрани в JSON.", "новости"),
        (f"{AT}: name, price", ""),
    ],
)
def test_a_plain_request_is_read_whole(text: str, row: str) -> None:
    reading = read_request(text)
    assert reading.columns
    assert reading.row_is == row
    assert reading.unread == ()


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        (f"Scrape all lamps on {AT}: name, price. Translate them to Klingon.", ("Translate them to Klingon",)),
        (f"Scrape all lamps on {AT}: name, price. Also the weird thing, int.", ("weird thing, int",)),
        (f"lamps on {AT}: name, price. I need it for my report on the A/B test", ("report on the A/B test",)),
        (f"lamps on {AT}: name, price. Aunt says she needs 'Spring' for that", ("Aunt says she needs 'Spring'",)),
        (f"The rows of {AT} are only in the page's state. Get title, price, url.", ("are only in the page's state",)),
    ],
)
def test_what_was_not_understood_is_kept_verbatim(text: str, unread: tuple[str, ...]) -> None:
    assert read_request(text).unread == unread


def test_sources_name_the_parts_that_were_claimed() -> None:
    reading = read_request(f"all lamps on {AT}: name, price. CSV")
    assert dict(reading.sources) == dict.fromkeys(("urls", "row_is", "columns", "single"), "grammar") | (
        {"format": "grammar"} if reading.format != "csv" else {}
    )


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (f"all lamps on {AT}: name, price", "en"), (f"alle Lampen von {AT} mit dem Preis", "de"),
        (f"tous les livres de {AT} avec le prix", "fr"), (f"wszystkie książki ze strony {AT} i cena", "pl"),
        (f"все книги на {AT} и цена", "ru"), (f"{AT} の記事をすべて", "ja"), (f"{AT} 上的所有图书", "zh"), ("", "en"),
    ],
)  # fmt: skip
def test_language(text: str, language: str) -> None:
    assert read_request(text).language == language


PIECES = """all pages only the first next sorted by price , and : ( ) ' ; . - — https://a.example/x a.example title url
price_eur (float) as int csv json skip follow every link where under 20 10 leave out empty und mit nach absteigend et
avec trié par из все по убыванию 的 所有 价格 、 。 を から 全ページ 의 모든 을 YYYY-MM-DD 2021-03-01 2024 { } [ ] = / *
İ ß \u0301 "quoted" «x» file.csv .CſV $ >= one row per " - """
WORDS = st.sampled_from([*PIECES.split(), "\n"])
TEXTS = st.one_of(
    st.text(max_size=200), st.lists(WORDS, max_size=40).map(" ".join), st.lists(WORDS, max_size=20).map("".join)
)


@given(TEXTS)
@example("0。CSV")
@example("save to 0.cſv")
def test_any_text_gives_a_reading_that_can_be_used(text: str) -> None:
    reading = read_request(text)
    assert isinstance(reading, Reading)
    assert reading.text == text
    check(reading)
    names = {column.name for column in reading.columns}
    assert all(order.column in names for order in reading.order)
    assert all(not one.column or one.column in names for one in reading.filters)


@given(TEXTS)
def test_what_is_unread_or_claimed_occurs_in_the_text(text: str) -> None:
    reading = read_request(text)
    whole = unicodedata.normalize("NFC", text).replace("\r\n", "\n").replace("\r", "\n")
    for said in (
        *reading.unread,
        *(one.text for one in reading.filters),
        reading.section,
        reading.follow,
        reading.file,
    ):
        assert said in whole
    for column in reading.columns:
        assert column.name in whole or set(column.name.split("_")) <= set(whole.lower().replace(",", " ").split())
        assert all(part in whole for part in column.note.split("; "))
    assert reading.limit is None or any(char.isdigit() for char in whole) or "ten" in whole


@given(st.text(max_size=100))
def test_a_word_that_nobody_knows_is_not_lost(noise: str) -> None:
    """Whatever is beside it; what of that is talk is told by weights (see test_phrases)."""
    reading = read_request(f"https://a.example/x: name, price. xyzzy {noise}", talk=2)
    assert any("xyzzy" in phrase for phrase in reading.unread) or not reading.columns


@pytest.mark.parametrize(
    "piece", ["the ", "a, ", "(", '"', "only the first page and ", "follow the next ", "- x\n", "1,"]
)
def test_long_texts_are_cut_and_said(piece: str) -> None:
    text = piece * (MAX_READ // len(piece) + 500)
    reading = read_request(text)
    assert reading.unread[-1] == text[MAX_READ : MAX_READ + 200].strip()


def test_other_words_for_what_was_not_read() -> None:
    reading = read_request("I need all lamps on http://shop.example/: Columns: name, price (float), stock.")
    more = read_more(reading, "sorted by price descending, first 5 rows")
    assert more is not None
    assert (more.order, more.sources["order"]) == ((Order("price", descending=True),), "person")
    more = read_more(reading, "only where stock is yes")
    assert more is not None
    assert [(one.column, one.op, one.value) for one in more.filters] == [("stock", "eq", "yes")]
    more = read_more(reading, "without duplicates")
    assert more is not None
    assert more.distinct == tuple(column.name for column in reading.columns)
    assert read_more(reading, "the nice ones") is None
    assert read_more(reading, "") is None


def test_the_stops_of_e_g_end_no_sentence() -> None:
    tokens = Tokens("codes, e.g. A1, z. B. this. Then i.e. that.")
    ends = [tokens.raw[: token.end] for n, token in enumerate(tokens.all) if tokens.ends_sentence(n)]
    assert ends == ["codes, e.g. A1, z. B. this.", "codes, e.g. A1, z. B. this. Then i.e. that."]


@pytest.mark.parametrize(
    ("said", "names"),
    [
        ("name, origin and whether it is organic", ["name", "origin", "organic"]),
        ("room, seats, whether there's a hearing loop, floor", ["room", "seats", "hearing_loop", "floor"]),
        ("name, whether a prescription is needed (true/false), price", ["name", "prescription_needed", "price"]),
        ("name, whether the dog is good with kids (good_with_kids), age", ["name", "good_with_kids", "age"]),
        ("date, venue and the number of songs in the setlist as song_count", ["date", "venue", "song_count"]),
        ('title, the collection and its date range (as "period")', ["title", "collection", "period"]),
        ("nct_id, sexes, ages (as written), first_posted", ["nct_id", "sexes", "ages", "first_posted"]),
    ],
)
def test_what_a_column_is_called(said: str, names: list[str]) -> None:
    reading = read_request(f"Get all rows of https://a.example/x with these columns: {said}.")
    assert [column.name for column in reading.columns] == names
