from __future__ import annotations

import http.client
import re
import socket
from urllib.parse import urljoin

import pytest
import requests
from bs4 import BeautifulSoup

from scrapewright.practice import DEMO_QUERY
from scrapewright.practice.defects import KINDS, Defect
from scrapewright.practice.server import ShopServer
from scrapewright.practice.shop import Shop
from scrapewright.query.read import read_request

ALL_KINDS = [Defect(field, page, kind) for field, kinds in KINDS.items() for kind in kinds for page in (3, 5)]


def listing(base: str) -> list[BeautifulSoup]:
    """The listing pages, reached as a visitor reaches them."""
    pages, url = [], f"{base}/"
    while url:
        soup = BeautifulSoup(requests.get(url, timeout=10).content, "lxml")
        pages.append(soup)
        following = soup.select_one("li.next a")
        url = urljoin(url, str(following["href"])) if following else ""
    return pages


def test_the_shop_is_walked_by_its_next_links_and_holds_its_rows() -> None:
    with ShopServer(Shop()) as server:
        pages = listing(server.base)
        cards = [card for page in pages for card in page.select("article.product")]
        rows = server.shop.rows(server.base)
        assert len(pages) == server.shop.pages == 5
        assert [str(c.select_one("h3 a")["title"]) for c in cards] == [r["title"] for r in rows]  # type: ignore[index]
        assert [c.select_one("p.price").get_text() for c in cards] == [f"£{r['price']:.2f}" for r in rows]  # type: ignore[union-attr]
        assert [urljoin(server.base, str(c.select_one("h3 a")["href"])) for c in cards] == [r["url"] for r in rows]  # type: ignore[index]
        words = ["", "One", "Two", "Three", "Four", "Five"]
        assert [c.select_one("p.rating")["class"][1] for c in cards] == [words[r["rating"]] for r in rows]  # type: ignore[index]


def test_the_first_page_shows_every_rating_and_a_cut_title() -> None:
    page = BeautifulSoup(Shop().resource("/").body, "lxml")
    assert {str(p["class"][1]) for p in page.select("p.rating")} == {"One", "Two", "Three", "Four", "Five"}
    assert any(a.get_text().endswith("…") and a["title"] != a.get_text() for a in page.select("h3 a"))


def test_the_charset_is_said_nowhere_and_the_default_gives_mojibake() -> None:
    with ShopServer(Shop()) as server:
        answer = requests.get(f"{server.base}/", timeout=10)
        assert answer.headers["Content-Type"] == "text/html"
        assert b"charset" not in answer.content.lower()
        assert "Â£" in answer.text
        assert "Â" not in BeautifulSoup(answer.content, "lxml").get_text()
        assert "Café" in BeautifulSoup(answer.content, "lxml").get_text()


def test_every_link_and_picture_is_there() -> None:
    shop = Shop(Defect("title"))
    seen, todo = set(), ["http://shop.invalid/"]
    while todo:
        url = todo.pop()
        if url in seen:
            continue
        seen.add(url)
        found = shop.resource(url.removeprefix("http://shop.invalid"))
        assert found.status == 200, url
        if found.content_type == "text/html":
            soup = BeautifulSoup(found.body, "lxml", from_encoding="utf-8")
            todo += [urljoin(url, str(e.get("href") or e.get("src"))) for e in soup.select("a[href], img[src]")]
    assert {p for p in shop.paths if p not in ("/robots.txt", "/catalogue/page-1.html")} == {
        u.removeprefix("http://shop.invalid") for u in seen if u != "http://shop.invalid/catalogue/page-1.html"
    }


@pytest.mark.parametrize("defect", ALL_KINDS, ids=lambda d: f"{d.field}-{d.kind}-{d.page}")
def test_a_defect_changes_one_product_of_its_page_alone(defect: Defect) -> None:
    plain, spoilt = Shop(), Shop(defect)
    changed = [
        n
        for n in range(1, plain.pages + 1)
        if plain.resource(plain.page_path(n)) != spoilt.resource(spoilt.page_path(n))
    ]
    assert changed == [defect.page]
    differing = [(a, b) for a, b in zip(plain.rows("x"), spoilt.rows("x"), strict=True) if a != b]
    assert len(differing) <= 1
    for before, after in differing:
        assert {k for k in before if before[k] != after[k]} == ({"url"} if defect.field == "title" else {defect.field})


@pytest.mark.parametrize("defect", ALL_KINDS, ids=lambda d: f"{d.field}-{d.kind}-{d.page}")
def test_a_program_fitted_to_the_first_pages_meets_the_defect(defect: Defect) -> None:
    """What reads every value of pages 1 and 2 does not read the defect's."""

    def read(card: BeautifulSoup) -> None:
        if defect.field == "price":
            float(card.select_one("p.price").get_text().removeprefix("£"))  # type: ignore[union-attr]
        elif defect.field == "rating":
            ["One", "Two", "Three", "Four", "Five"].index(str(card.select_one("p.rating")["class"][1]))  # type: ignore[index]
        elif defect.field == "stock":
            int(re.fullmatch(r"In stock \((\d+) available\)", card.select_one("p.stock").get_text())[1])  # type: ignore[index,union-attr]
        elif defect.field == "added":
            _, month, _ = card.select_one("p.added").get_text().split(" ")  # type: ignore[union-attr]
            assert month.isalpha()
        else:
            assert card.select_one("h3 a")["href"]  # type: ignore[index]

    shop = Shop(defect)
    failed: list[int] = []
    for page in range(1, shop.pages + 1):
        for card in BeautifulSoup(shop.resource(shop.page_path(page)).body, "lxml", from_encoding="utf-8").select(
            "article.product"
        ):
            try:
                read(card)  # type: ignore[arg-type]
            except (ValueError, TypeError, IndexError, KeyError):
                failed.append(page)
    assert failed == [defect.page]


def test_a_defect_must_be_one_that_there_is() -> None:
    with pytest.raises(ValueError, match="thousands"):
        Defect("price", 3, "purple")
    with pytest.raises(ValueError, match="pages 1 to 5"):
        Shop(Defect("price", 9))


def test_the_shop_is_the_same_every_time() -> None:
    first, second = Shop(), Shop()
    assert [first.resource(p) for p in first.paths] == [second.resource(p) for p in second.paths]


def test_the_demo_request_is_understood() -> None:
    query = read_request(DEMO_QUERY.replace("{BASE}", "http://127.0.0.1:8123"))
    assert query.urls == ("http://127.0.0.1:8123/",)
    assert [(f.name, f.type, f.typed) for f in query.fields] == [
        ("title", "text", False),
        ("price", "float", True),
        ("rating", "int", True),
        ("url", "url", True),
    ]
    assert query.paging == "all"
    assert query.subject == ("product",)
    assert query.order == ()
    assert query.unread == ()
    assert query.format_said


def test_the_server_answers_head_and_missing_pages_and_counts_requests() -> None:
    with ShopServer(Shop()) as server:
        head = requests.head(f"{server.base}/", timeout=10)
        assert head.status_code == 200
        assert head.content == b""
        assert requests.get(f"{server.base}/nowhere", timeout=10).status_code == 404
        assert requests.get(f"{server.base}/robots.txt", timeout=10).text.startswith("User-agent: *")
        assert server.requests == [("HEAD", "/"), ("GET", "/nowhere"), ("GET", "/robots.txt")]


def test_after_closing_nothing_listens_and_open_connections_are_ended() -> None:
    server = ShopServer(Shop()).start()
    port = server.port
    client = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    client.request("GET", "/")
    assert client.getresponse().read()
    server.close()
    assert client.sock is not None
    assert client.sock.recv(1) == b""
    client.close()
    with pytest.raises(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port), timeout=10):
        pass
    with pytest.raises(RuntimeError):
        _ = server.base
