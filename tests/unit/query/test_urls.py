from __future__ import annotations

import pytest

from scrapewright.query.read import read_request
from scrapewright.query.urls import find_addresses


@pytest.mark.parametrize(
    ("text", "urls"),
    [
        ("see https://a.example/x.", ("https://a.example/x",)),
        ("see https://a.example/x, then", ("https://a.example/x",)),
        ("(https://a.example/x)", ("https://a.example/x",)),
        ("https://a.example/wiki/X_(y) is it", ("https://a.example/wiki/X_(y)",)),
        ("<https://a.example/x>", ("https://a.example/x",)),
        ('"https://a.example/x"', ("https://a.example/x",)),
        ("[here](https://a.example/x)", ("https://a.example/x",)),
        ("on https://a.example/list: title", ("https://a.example/list",)),
        ("https://a.example/s?query=*&x=y (skip", ("https://a.example/s?query=*&x=y",)),
        ("https://a.example/s?q=* and", ("https://a.example/s?q=*",)),
        ("https://a.example/s?q=label%3Ajava — for", ("https://a.example/s?q=label%3Ajava",)),
        ("http://127.0.0.1:8000/ (x", ("http://127.0.0.1:8000/",)),
        ("http://[::1]:8000/x.", ("http://[::1]:8000/x",)),
        ("127.0.0.1:8000/list and more", ("http://127.0.0.1:8000/list",)),
        ("localhost:8080/a, b", ("http://localhost:8080/a",)),
        ("books.example.com", ("https://books.example.com",)),
        ("This is news.example.org, extract all", ("https://news.example.org",)),
        ("www.shop.example/x?y=1.", ("https://www.shop.example/x?y=1",)),
        ("http://a.example/1 and http://b.example/2", ("http://a.example/1", "http://b.example/2")),
        ("http://a.example/1,http://b.example/2", ("http://a.example/1,http://b.example/2",)),
        ("HTTPS://A.example/X", ("HTTPS://A.example/X",)),
        ("https://straße.example/größe", ("https://straße.example/größe",)),
        ("从https://a.example/books抓取", ("https://a.example/books",)),
        ("抓取 https://a.example/wiki/中国 的表格", ("https://a.example/wiki/中国",)),
        ("https://a.example/rss。", ("https://a.example/rss",)),
        ("https://a.example/list，然后", ("https://a.example/list",)),
        ("https://a.example/listの一覧", ("https://a.example/list",)),
        ("https://a.example/list에서", ("https://a.example/list",)),
    ],
)
def test_addresses_are_found_without_what_belongs_to_the_sentence(text: str, urls: tuple[str, ...]) -> None:
    assert tuple(a.url for a in find_addresses(text)) == urls


@pytest.mark.parametrize(
    "text",
    [
        "the title.In the list",
        "e.g. one, i.e. two, z.B. drei",
        "write it to books.csv and rows.json",
        "mail me at someone@mail.example.com",
        "version 1.2.3 or 3.14",
        "J.K. Rowling and the U.S. edition",
        "Node.js and main.py",
        "save as out/data.jsonl",
        "999.999.999.999 is none",
        "no address at all",
        "〱.example",
    ],
)
def test_what_only_looks_like_an_address_is_none(text: str) -> None:
    assert find_addresses(text) == []
    assert read_request(text).urls == ()


def test_an_address_is_said_once() -> None:
    assert read_request("https://a.example/x and again https://a.example/x").urls == ("https://a.example/x",)


@pytest.mark.parametrize(
    ("text", "urls"),
    [
        ("list https://shop.example/lamps with url (on seller.example)", ["https://shop.example/lamps"]),
        ("list shop.example with url", ["https://shop.example"]),
        ("compare shop.example and other.example", ["https://shop.example", "https://other.example"]),
        ("https://shop.example/a and other.example/b", ["https://shop.example/a", "https://other.example/b"]),
        ("https://shop.example/a and www.other.example", ["https://shop.example/a", "https://www.other.example"]),
    ],
)
def test_a_host_beside_a_full_address_is_a_word(text: str, urls: list[str]) -> None:
    assert [address.url for address in find_addresses(text)] == urls
