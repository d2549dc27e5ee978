from __future__ import annotations

import time

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrapewright.query.lexicon import concept_of
from scrapewright.query.model import Query
from scrapewright.query.read import MAX_READ, read_query
from scrapewright.query.summary import summary

WORDS = """scrape list all pages sort by price , and : ( ) " ' ; . - https://a.example/x a.example title price_eur url
    (float) as int csv json skip the follow every link next where under 20 first 10
    only leave empty und mit nach absteigend et
    avec trié par из все по убыванию 的 所有 价格 、 。 を から 全ページ 의 모든 을 YYYY-MM-DD { } [ ] — = / * İ ß"""
PIECES = st.sampled_from([*WORDS.split(), "\n", "\u200b", "\ue000", "\ud800"])


@given(
    st.one_of(
        st.text(max_size=300), st.lists(PIECES, max_size=60).map(" ".join), st.lists(PIECES, max_size=60).map("".join)
    )
)
@settings(max_examples=150, deadline=None)
def test_any_text_gives_a_query_that_survives_the_wire(text: str) -> None:
    query = read_query(text)
    assert msgspec.json.decode(msgspec.json.encode(query), type=Query) == query
    assert len({f.name for f in query.fields}) == len(query.fields)
    assert all(f.name.strip() for f in query.fields)
    assert all(url.lower().startswith(("http://", "https://")) for url in query.urls)
    assert "/" not in query.output_name
    assert read_query(text) == query
    assert all(isinstance(line, str) and line for line in summary(query))


@given(st.lists(PIECES, max_size=40).map(" ".join))
@settings(max_examples=60, deadline=None)
def test_names_and_values_come_from_the_text(text: str) -> None:
    query = read_query(text)
    low = text.encode("utf-8", "replace").decode().lower()
    for field in query.fields:
        assert all(part.rstrip("s") in low for part in field.name.lower().split("_"))
        assert not field.note or field.note.split(",")[0] in text.encode("utf-8", "replace").decode()


@pytest.mark.parametrize(
    "unit",
    [
        "with ",
        "a: ",
        "(",
        "((a)) ",
        "title and price, ",
        "sort by price then ",
        "follow every link ",
        "skip the x, ",
        "https://a.b/((((",
        "a.",
        "所有的标题和价格",
        "すべての商品の名前と",
        "leave ",
        "a:\n",
        "x",
        " ",
        "the ",
        "-a-",
        "/a/",
        "keep clicking next until there is no ",
        "1.1.1.",
        "YYYY-",
        "in the order of ",
        "fiyata göre ",
        '{"a": "b", ',
    ],
)
def test_time_grows_with_the_length_and_no_faster(unit: str) -> None:
    def seconds(length: int) -> float:
        text = (unit * (length // len(unit) + 1))[:length]
        best = 9.0
        for _ in range(2):
            start = time.process_time()
            read_query(text)
            best = min(best, time.process_time() - start)
        return best

    short, long = seconds(MAX_READ // 8), seconds(MAX_READ)
    # Eight times the text: quadratic work would take sixty-four times the time.
    assert long < max(24 * short, 0.25)


def test_what_is_longer_than_is_read_is_said() -> None:
    query = read_query("https://a.example: title, price. " + "word " * MAX_READ)
    assert [f.name for f in query.fields] == ["title", "price"]
    assert query.unread[-1].endswith("…")
    assert len(query.text) > MAX_READ


def test_nothing_is_said_that_the_text_does_not_say() -> None:
    query = read_query("https://a.example/x")
    assert query == Query(text="https://a.example/x", urls=("https://a.example/x",))


def test_what_is_not_understood_is_listed() -> None:
    query = read_query("Get title and url of all posts on https://a.example and translate them to Klingon. CSV.")
    assert [f.name for f in query.fields] == ["title", "url"]
    assert any("Klingon" in phrase for phrase in query.unread)


@pytest.mark.parametrize(
    "text",
    [
        "Scrape all lamps on https://shop.example/l (all pages): name, price (float). CSV sorted by price ascending.",
        "Hole alle Bücher von https://shop.example/list: Titel, Preis (Zahl). Nach Preis absteigend, als JSON.",
        "Собери все товары с https://shop.example/list: название, цена (число) и ссылка. Сохрани в CSV.",
        "抓取 https://shop.example/list 上的所有图书：书名、价格（数字）和链接，保存为 CSV。",
        "https://shop.example からすべての商品の名前、価格（数値）を抽出し、CSV。",
        "https://shop.example/list 에서 모든 상품의 이름, 가격(숫자), 링크를 추출해서 CSV로 저장해줘.",
    ],
)
def test_a_request_that_is_all_understood_leaves_nothing_unread(text: str) -> None:
    assert read_query(text).unread == ()


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("List all books with title and price", "en"),
        ("Liste alle Bücher mit Titel und Preis", "de"),
        ("Donne-moi tous les livres avec le prix", "fr"),
        ("Dame todos los libros con el precio", "es"),
        ("Estrai tutti i libri con il prezzo", "it"),
        ("Haal alle boeken op met de titel en prijs", "nl"),
        ("Extraia todos os livros com o preço", "pt"),
        ("Pobierz wszystkie książki z ceną i linkiem", "pl"),
        ("Stáhni všechny knihy s cenou a odkazem", "cs"),
        ("Собери все книги с ценой", "ru"),
        ("Tüm kitapları fiyat ve başlık ile çıkar", "tr"),
        ("Gyűjtsd ki az összes könyvet és az árat", "hu"),
        ("抓取所有图书的标题", "zh"),
        ("すべての本のタイトル", "ja"),
        ("모든 책의 제목", "ko"),
        ("", "en"),
    ],
)
def test_language(text: str, language: str) -> None:
    assert read_query(text).language == language


def test_the_same_column_has_one_concept_in_every_language() -> None:
    words = [
        "price",
        "preis",
        "prix",
        "precio",
        "prezzo",
        "prijs",
        "preço",
        "cena",
        "цена",
        "fiyat",
        "ár",
        "价格",
        "価格",
        "가격",
    ]
    assert {concept_of(w) for w in words} == {"price"}
    assert concept_of("xyzzy") == ""
    assert concept_of("цены") == "price"
    assert concept_of("ratings") == "rating"


def test_summary_says_what_was_read_and_what_was_not() -> None:
    query = read_query(
        "Scrape all books on https://shop.example/list (all pages): title, price (float, may be blank), url (absolute)."
        " Only books under £20. Sort by price, highest first. Top 5. Dance around. JSON."
    )
    assert summary(query) == [
        "from: https://shop.example/list",
        "a row is: book",
        "field: title",
        "field: price (number; may be missing)",
        "field: url (link; absolute)",
        "pages: all",
        "rows: only where price below 20",
        "order: price, high to low",
        "at most: 5 rows",
        "write: rows.json",
        "not understood: Dance around",
    ]
    assert summary(read_query(""))[:2] == [
        "from: no address was found in the request",
        "fields: as the page names them",
    ]


@pytest.mark.parametrize(
    ("text", "fields", "limit", "single", "doubts"),
    [
        ("titles of all remote jobs on https://a.example/", ["titles"], None, False, []),
        ("names of every member from https://a.example/", ["names"], None, False, []),
        ("What's on at https://a.example/? JSON", [], None, False, []),
        ("what's new on https://a.example/", [], None, False, []),
        ("what's the price on https://a.example/x", ["price"], None, True, []),
        ("the last 5 news on https://a.example/: title, date", ["title", "date"], 5, False, []),
        ("last 10 blog posts from https://a.example/: title", ["title"], 10, False, []),
        ("last 10 rows of https://a.example/: title", ["title"], None, False, ["number"]),
        ("title of each book on https://a.example/ and, from its own page, ISBN and pages (int)", ["title"], None,
         False, ["column"]),
    ],
)  # fmt: skip
def test_short_requests(text: str, fields: list[str], limit: int | None, single: bool, doubts: list[str]) -> None:
    query = read_query(text)
    assert [field.name for field in query.fields] == fields
    assert (query.limit, query.single) == (limit, single)
    assert [doubt.kind for doubt in query.doubts] == doubts
