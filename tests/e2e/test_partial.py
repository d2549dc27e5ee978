"""A listing that can't be read to its end: the rows so far are kept, and it is said what is missing."""

from __future__ import annotations

import csv
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.site import called, command, serve
from tests.fakes.loopback import Handler

WORDS = ("One", "Two", "Three", "Four", "Five")
FIRST = ("Salt", "Ember", "Quill", "Tide")
LAST = ("Stone", "River", "Glass", "Moss", "Iron")
ALL = "Follow every page of {base}/page-1.html: title, price (float), rating (int). CSV sorted by price"

Book = tuple[str, float, int]


def book(page: int, number: int) -> Book:
    return (
        f"{FIRST[number]} and {LAST[(page - 1) % len(LAST)]}",
        3.5 + (page * 37 + number * 53) % 60,
        (page + number) % 5 + 1,
    )


def shelf(page: int) -> str:
    """A page of the shop. Each has a link to the next one, the last one too: to a page that is not there."""
    items = "".join(
        f'<article class="product"><h3><a href="/book/{page}-{number}">{title}</a></h3>'
        f'<p class="price">£{price:.2f}</p><p class="rating">{WORDS[rating - 1]}</p></article>'
        for number in range(4)
        for title, price, rating in [book(page, number)]
    )
    return around(f"<h1>All books</h1><section>{items if page <= len(LAST) else ''}</section>{pager(page)}")


def pager(page: int) -> str:
    onward = f'<li class="next"><a href="/page-{page + 1}.html">next</a></li>'
    return f'<ul class="pager"><li class="current">Page {page} of {len(LAST)}</li>{onward}</ul>'


def around(body: str) -> str:
    menu = '<nav><ul><li><a href="/">Home</a></li><li><a href="/about">About</a></li></ul></nav>'
    return f"<!doctype html><html><head><title>Books</title></head><body>{menu}<main>{body}</main></body></html>"


LOGIN = around(
    '<h1>Sign in</h1><form action="/login" method="post"><label>E-mail <input name="user"></label>'
    '<label>Password <input name="pass" type="password"></label><button>Sign in</button></form>'
)


def shop() -> dict[str, Any]:
    return {f"/page-{page}.html": shelf(page) for page in range(1, len(LAST) + 1)}


def to_login(handler: Handler) -> None:
    handler.send_response(302)
    handler.send_header("Location", "/login")
    handler.send_header("Content-Length", "0")
    handler.end_headers()


def run(
    pages: Mapping[str, Any], tmp_path: Path, query: str = ALL, program: str = "", by: Callable[..., Any] = called
) -> tuple[Any, list[str]]:
    """The command's end, and what was asked for twice or more often."""
    with serve(pages) as site:
        more = ()
        if program:
            (tmp_path / "mine.py").write_text(program.replace("{base}", site.base), encoding="utf-8")
            more = ("--from", "mine.py")
        done = by("run", query.format(base=site.base), "--out", "out", *more, cwd=tmp_path)
    return done, sorted({path for path in site.seen if site.seen.count(path) > 1})


def written(tmp_path: Path, name: str = "rows.csv") -> list[tuple[str, float, int]]:
    with (tmp_path / "out" / name).open(newline="", encoding="utf-8") as file:
        return [(row["title"], float(row["price"]), int(row["rating"])) for row in csv.DictReader(file)]


def books(*pages: int) -> list[Book]:
    return sorted((book(page, number) for page in pages for number in range(4)), key=lambda one: one[1])


def ended(done: subprocess.CompletedProcess[str], outcome: str) -> str:
    """The sentence of how it ended."""
    return next(line for line in done.stderr.splitlines() if line.startswith(f"{outcome}: "))


def test_every_page_of_a_shop_whose_last_next_link_is_dead(tmp_path: Path) -> None:
    done, _ = run(shop(), tmp_path, by=command)
    assert done.returncode == 0, done.stderr
    assert written(tmp_path) == books(1, 2, 3, 4, 5)
    said = ended(done, "success")
    assert "page-6.html) answered 404: 20 rows of 5 pages are kept" in said
    assert "attempt 2" not in done.stderr
    program = (tmp_path / "out" / "scraper.py").read_text(encoding="utf-8")
    assert "article.product" in program


def test_the_program_alone_says_it_too(tmp_path: Path) -> None:
    with serve(shop()) as site:
        done = called("run", ALL.format(base=site.base), "--out", "out", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        alone = called("trace", "out/scraper.py", "--allow", site.base.removeprefix("http://"), cwd=tmp_path)
    assert "Stopped after 20 rows: 404 Client Error" in alone.stdout + alone.stderr
    assert "20 entries written to rows.csv" in alone.stdout + alone.stderr


def test_a_next_page_without_records_ends_the_listing(tmp_path: Path) -> None:
    done, _ = run(shop() | {"/page-6.html": shelf(6)}, tmp_path)
    assert done.returncode == 0, done.stderr
    assert written(tmp_path) == books(1, 2, 3, 4, 5)
    assert "page-6.html) has no records: 20 rows of 5 pages are kept" in ended(done, "success")


@pytest.mark.full
def test_a_second_page_that_is_not_there_leads_to_no_other_group(tmp_path: Path) -> None:
    pages = shop()
    del pages["/page-2.html"]
    done, _ = run(pages, tmp_path)
    assert done.returncode == 0, done.stderr
    assert written(tmp_path) == books(1)
    assert "page-2.html) answered 404: 4 rows of 1 page are kept" in ended(done, "success")
    assert "attempt 2" not in done.stderr


def test_pages_that_the_request_counts_on_are_missing(tmp_path: Path) -> None:
    pages = shop()
    del pages["/page-4.html"]
    query = "The first 5 pages of {base}/page-1.html: title, price (float), rating (int). CSV sorted by price"
    done, _ = run(pages, tmp_path, query)
    assert done.returncode == 1, done.stderr
    assert "page-4.html) answered 404: 12 rows of 3 pages are kept" in ended(done, "client-error")
    assert written(tmp_path, "rows.unverified.csv") == books(1, 2, 3)
    assert "attempt 2" not in done.stderr


@pytest.mark.parametrize("status", [429, 500])
def test_a_site_that_gives_no_more_for_now(tmp_path: Path, status: int) -> None:
    done, again = run(shop() | {"/page-4.html": (status, "text/html", b"<h1>Not now</h1>")}, tmp_path)
    assert done.returncode == 3, done.stderr
    kind = "rate-limited" if status == 429 else "server-error"
    assert f"page-4.html) answered {status}: 12 rows of 3 pages are kept" in ended(done, kind)
    assert "try again later" in done.stderr
    assert written(tmp_path, "rows.unverified.csv") == books(1, 2, 3)
    assert "attempt 2" not in done.stderr
    assert again == (["/page-4.html"] if status == 429 else [])


def test_a_site_that_asks_for_a_login_after_some_pages(tmp_path: Path) -> None:
    done, _ = run(shop() | {"/page-3.html": to_login, "/login": LOGIN}, tmp_path)
    assert done.returncode == 1, done.stderr
    assert "/page-3.html asks for a login: 8 rows of 2 pages are kept" in ended(done, "login")
    assert "--cookies FILE" in done.stderr
    assert written(tmp_path, "rows.unverified.csv") == books(1, 2)


@pytest.mark.full
def test_a_site_that_asks_for_a_login_at_once(tmp_path: Path) -> None:
    done, _ = run({"/page-1.html": to_login, "/login": LOGIN}, tmp_path)
    assert done.returncode == 1, done.stderr
    assert "/page-1.html asks for a login" in ended(done, "login")
    assert "attempt" not in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("status", "code"), [(404, 0), pytest.param(429, 3, marks=pytest.mark.full)])
def test_a_record_whose_own_page_does_not_come(tmp_path: Path, status: int, code: int) -> None:
    titles = [book(1, number)[0] for number in range(4)]
    home = "".join(f'<li class="book"><h3><a href="/book/{n}">{title}</a></h3></li>' for n, title in enumerate(titles))
    pages: dict[str, Any] = {
        f"/book/{n}": around(
            f"<table><tr><th>ISBN</th><td>978-{n}-22</td></tr><tr><th>Pages</th><td>{n * 100 + 80}</td></tr></table>"
        )
        for n, _ in enumerate(titles)
    }
    pages |= {"/": around(f"<h1>Books</h1><ul>{home}</ul>"), "/book/2": (status, "text/html", b"<h1>Not now</h1>")}
    done, _ = run(
        pages, tmp_path, "All books on {base}/. For each, open its detail page. Columns: title, isbn, pages (int). CSV"
    )
    assert done.returncode == code, done.stderr
    assert f"/book/2 answered {status}" in ended(done, "rate-limited" if code else "success")
    with (tmp_path / "out" / ("rows.unverified.csv" if code else "rows.csv")).open(newline="") as file:
        rows = [tuple(row.values()) for row in csv.DictReader(file)]
    assert rows == [
        (title, "", "") if n == 2 else (title, f"978-{n}-22", str(n * 100 + 80)) for n, title in enumerate(titles)
    ]
    assert "attempt 2" not in done.stderr


OWN = """
import csv
from urllib.parse import urljoin

import requests
from bs4 import BeautifulSoup

WORDS = ["One", "Two", "Three", "Four", "Five"]
url, rows = "{base}/page-1.html", []
while url:
    response = requests.get(url, timeout=10)
    ON_FAILURE
    soup = BeautifulSoup(response.content, "lxml")
    for one in soup.select("article.product"):
        rating = WORDS.index(one.select_one(".rating").text) + 1
        rows.append({"title": one.a.text, "price": float(one.select_one(".price").text[1:]), "rating": rating})
    url = urljoin(url, soup.select_one("li.next a")["href"])
rows.sort(key=lambda row: row["price"])
with open("rows.csv", "w", newline="") as file:
    writer = csv.DictWriter(file, ["title", "price", "rating"])
    writer.writeheader()
    writer.writerows(rows)
"""
STOPS = OWN.replace("ON_FAILURE", "if not response.ok:\n        break")
CRASHES = OWN.replace("ON_FAILURE", "response.raise_for_status()")


@pytest.mark.full
def test_a_program_of_ones_own_that_stops_at_a_429(tmp_path: Path) -> None:
    done, _ = run(shop() | {"/page-4.html": (429, "text/html", b"slower")}, tmp_path, program=STOPS)
    assert done.returncode == 3, done.stderr
    assert "answered 429: 12 rows of 3 pages are kept" in ended(done, "rate-limited")
    assert written(tmp_path, "rows.unverified.csv") == books(1, 2, 3)


@pytest.mark.full
def test_a_program_of_ones_own_that_crashes_at_a_dead_link_keeps_its_records(tmp_path: Path) -> None:
    done, _ = run(shop(), tmp_path, program=CRASHES)
    assert done.returncode == 0, done.stderr
    assert written(tmp_path) == books(1, 2, 3, 4, 5)
    assert "page-6.html) answered 404: 20 rows of 5 pages are kept" in ended(done, "success")
    program = (tmp_path / "out" / "scraper.py").read_text(encoding="utf-8")
    assert "WORDS.index(one.select_one" in program
    assert "except requests.RequestException" in program


@pytest.mark.full
def test_a_program_of_ones_own_that_crashes_at_a_429(tmp_path: Path) -> None:
    done, _ = run(shop() | {"/page-4.html": (429, "text/html", b"slower")}, tmp_path, program=CRASHES)
    assert done.returncode == 3, done.stderr
    assert "try again later" in done.stderr
    assert "attempt 2" not in done.stderr
