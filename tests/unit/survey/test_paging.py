from __future__ import annotations

import pytest

from scrapewright.survey import css
from scrapewright.survey.addresses import page_number, param_of
from scrapewright.survey.decode import parse
from scrapewright.survey.model import NextPage
from scrapewright.survey.paging import detect
from tests.unit.survey.helpers import page, products, shell

HERE = "http://shop.test/list?page=2"


def found(pager: str, url: str = HERE, head: str = "") -> NextPage:
    return detect(parse(page(shell(products(4) + pager, head=head), url)))


@pytest.mark.parametrize(
    ("pager", "path"),
    [
        ('<a rel="prev" href="?page=1">1</a><a rel="next" href="?page=3">3</a>', "?page=3"),
        ('<div class="pager"><a href="?page=1">« Previous</a> <a href="?page=3">Next »</a></div>', "?page=3"),
        (
            '<ul class="pagination"><li><a href="?page=1">1</a><li class=active>2<li><a href="?page=3">3</a></ul>',
            "?page=3",
        ),
        ('<p><a href="?page=1">zurück</a> | <a href="?page=3">weiter</a></p>', "?page=3"),
        ('<div class="pages"><a href="?page=1">Назад</a><a href="?page=3">Следующая</a></div>', "?page=3"),
        ('<div class="pager"><a href="?page=3">次へ</a></div>', "?page=3"),
        ('<nav class="paging"><a href="?page=3" aria-label="Next page"><i class="icon"></i></a></nav>', "?page=3"),
        ('<div class="pages"><a href="?page=3"><img src="r.gif" alt="next"></a></div>', "?page=3"),
        ('<div class="pager"><a href="?page=1">‹</a><a href="?page=3">›</a><a href="?page=9">»</a></div>', "?page=3"),
        (
            '<div class="nav-links"><a class="prev" href="?page=1">a</a><a class="next" href="?page=3">b</a></div>',
            "?page=3",
        ),
        (
            '<ul class="pages"><li><a href="?page=3" title="Ir a la página siguiente"><img src="r.svg"></a>'
            '<li><a href="?page=9" title="Ir a la última página"><img src="rr.svg"></a></ul>',
            "?page=3",
        ),
        ('<div class="pager"><a href="?page=3"><span aria-hidden=true>chevron_right</span></a></div>', "?page=3"),
        (
            '<nav class="paging"><a href="?page=1"><i class="bi bi-arrow-left"></i></a>'
            '<a href="?page=3"><i class="bi bi-arrow-right"></i></a>'
            '<a href="?page=9"><i class="bi bi-chevron-double-right"></i></a></nav>',
            "?page=3",
        ),
        ('<div class="posts"><a href="?page=3">Older posts</a> <a href="?page=1">Newer posts</a></div>', "?page=3"),
    ],
)
def test_the_way_on_is_found(pager: str, path: str) -> None:
    step = found(pager)
    assert step.url == f"http://shop.test/list{path}"
    assert step.how in ("link", "numbers")
    if step.how == "link":
        root = parse(page(shell(products(4) + pager), HERE)).root
        assert css.select_all(root, step.selector)[0].get("href") == path


@pytest.mark.parametrize(
    "pager",
    [
        "",
        '<div class="pager"><a href="?page=1">Previous</a><span class="current">2</span></div>',
        '<ul class="pagination"><li><a href="?page=1">1</a><li class=active><span>2</span></ul>',
        '<div class="carousel"><a class="next" href="#">›</a><a class="carousel-next" href="/slides/2">Next</a></div>',
        '<p><a href="/article/17">Read more</a></p><p><a href="/about">More about us</a></p>',
        '<table class="calendar"><tr><td><a href="?month=5">»</a></td></tr></table>',
        '<p class="pager"><a href="http://other.test/?page=3">Next shop</a></p>',
        '<div class="card"><a href="/offers/40"><i class="fa fa-chevron-right"></i></a></div>',
        '<div class="pager"><a href="?page=9"><i class="fa fa-angle-double-right"></i></a></div>',
        '<p><a href="/offers/40">Top 40 »</a> <a href="/article/3">Chapter 3 »</a></p>',
    ],
)
def test_where_there_is_no_way_on_none_is_claimed(pager: str) -> None:
    assert found(pager).how == "none"


@pytest.mark.parametrize("path", ["/walks?page=1", "/walks?page=2", "/list?start=20"])
def test_more_of_what_is_named_leads_on_where_its_address_counts(path: str) -> None:
    here = "http://shop.test/list"
    step = found(f'<p><a href="/walks/7">More walks</a></p><p><a href="{path}">More guided walks</a></p>', here)
    assert (step.how, step.selector, step.url) == (
        "link", 'a:-soup-contains-own("More guided walks")', f"http://shop.test{path}"
    )  # fmt: skip
    assert found('<p><a href="/walks?page=1">More guided walks</a></p>').how == "none"


def test_a_link_in_the_head_serves() -> None:
    step = found("", head='<link rel="next" href="/list?page=3">')
    assert (step.how, step.selector) == ("link", 'link[rel="next"]')


def test_numbers_whose_addresses_count_by_any_parameter_are_followed() -> None:
    pager = "<div>Page: <b>1</b> <a href='?o=10'>2</a> <a href='?o=20'>3</a></div>"
    step = found(pager, "http://shop.test/list")
    assert (step.how, step.param, step.start, step.step) == ("param", "o", 0, 10)
    rooms = "<div>Bedrooms: <b>1</b> <a href='?beds=2'>2</a> <a href='?beds=3'>3</a></div>"
    assert found(rooms, "http://shop.test/list").how == "none"
    assert found("<div>Size: <b>1</b> <a href='/s/ka'>2</a> <a href='//['>3</a></div>").how == "none"


def test_numbers_alone_are_followed_by_their_order() -> None:
    pager = "".join(f'<a href="?page={n}">{n}</a>' if n != 2 else "<b>2</b>" for n in range(1, 8))
    step = found(f'<div class="paginator">{pager}</div>')
    assert (step.how, step.selector, step.text, step.last) == ("numbers", "div.paginator a", "3", 7)
    assert (step.param, step.start, step.step) == ("page", 2, 1)


@pytest.mark.parametrize(
    ("here", "there", "counted"),
    [
        ("http://a.test/l?page=1", "http://a.test/l?page=2", ("page", 1, 1)),
        ("http://a.test/l", "http://a.test/l?page=2", ("page", 1, 1)),
        ("http://a.test/l", "http://a.test/l?page=1", ("page", 0, 1)),
        ("http://a.test/l?q=x", "http://a.test/l?q=x&start=10", ("start", 0, 10)),
        ("http://a.test/l?offset=20", "http://a.test/l?offset=40", ("offset", 20, 20)),
        ("http://a.test/l", "http://a.test/l/page/2", ("", 1, 1)),
    ],
)
def test_counted_parameters(here: str, there: str, counted: tuple[str, int, int]) -> None:
    assert param_of(here, there) == counted


def test_page_numbers_in_addresses() -> None:
    assert page_number("http://a.test/blog/page/7/", "http://a.test/blog") == ("", 7, False)
    assert page_number("http://a.test/f?start=15", "http://a.test/f") == ("start", 15, True)
    assert page_number("http://a.test/thing/1234", "http://a.test/other") is None


def test_digits_of_no_decimal_place_are_no_page_numbers() -> None:
    """ "²" and "①" are digits to `str.isdigit`, and no number to `int`."""
    pager = '<div class="pager"><b>①</b> <a href="?page=²">²</a> <a href="?page=3">Next</a></div>'
    assert found(pager, "http://shop.test/list?page=¹").url == "http://shop.test/list?page=3"
    assert page_number("http://shop.test/?page=²", HERE) is None
