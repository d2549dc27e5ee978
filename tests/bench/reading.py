"""Survey and plan of a page of 300 KB, against parsing it once with BeautifulSoup: what every program pays."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

from bs4 import BeautifulSoup

from scrapewright.programmers.rules.emit import emit
from scrapewright.programmers.rules.plan import plan
from scrapewright.query.read import read_request
from scrapewright.web.page import Page
from tests.unit.survey.helpers import survey_pages

URL = "http://bench.test/list"
REQUEST = f"all products on {URL}: name, price (float), rating (int), stock, url, date, sorted by price"
TABLE = "all rows on http://bench.test/table: name, country, population (int), founded (date), url"
TARGET = 0.150
ROUNDS = 5


def page(size: int = 300_000, seed: int = 1) -> Page:
    """A shop's listing as they are: menus, filters, cards of a dozen elements with long class lists, a footer."""
    chance = random.Random(seed)
    words = [
        f"{a}{b}" for a in ("co", "li", "ma", "ver", "sto", "ta") for b in ("pper", "nen", "rin", "dal", "ne", "lo")
    ]

    def name(n: int) -> str:
        return " ".join(chance.choice(words) for _ in range(n)).capitalize()

    def links(n: int, where: str) -> str:
        return "".join(f'<li class="{where}-item"><a href="/{where}/{k}">{name(2)}</a></li>' for k in range(n))

    head = f'<header class="top"><nav class="main-menu"><ul>{links(60, "menu")}</ul></nav></header>'
    facets = f'<aside class="filters"><h3>Maker</h3><ul>{links(40, "maker")}</ul></aside>'
    parts: list[str] = []
    length = 0
    while length < size - 12_000:
        n = len(parts) + 1
        tags = "".join(
            f'<a class="tag" href="/tag/{t}">{chance.choice(words)}</a>' for t in range(chance.randint(1, 4))
        )
        old = f'<del class="price-old">£{chance.randint(50, 90)}.00</del>' if n % 3 == 0 else ""
        parts.append(
            f'<li class="grid-item col-md-4 product{" is-new" if n % 5 == 0 else ""}" data-id="{n}">'
            f'<div class="card"><a class="card-image" href="/item/{n}">'
            f'<img class="lazy" data-src="/img/{n}.jpg" alt=""></a>'
            f'<div class="card-body"><h3 class="card-title"><a href="/item/{n}" title="{name(4)}">{name(4)}</a></h3>'
            f'<p class="teaser">{name(22)}.</p><p class="star-rating {chance.choice(("One", "Two", "Three", "Four"))}">'
            f'<i class="icon-star"></i><i class="icon-star"></i></p><div class="prices">{old}'
            f'<span class="price">£{chance.randint(1, 49)}.{chance.randint(10, 99)}</span></div>'
            f'<span class="stock">In stock ({chance.randint(1, 30)} left)</span>'
            f"<time>{chance.randint(1, 28)} March 2024</time>"
            f'<div class="tags">{tags}</div><button class="btn btn-primary">Add to basket</button></div></div></li>'
        )
        length += len(parts[-1])
    pager = '<div class="pager"><a class="next" href="/list?page=2">Next</a></div>'
    foot = f"{pager}<footer><ul>{links(40, 'info')}</ul></footer>"
    body = f'{head}{facets}<main><h1>All products</h1><ul class="grid">{"".join(parts)}</ul></main>{foot}'
    meta = '<meta charset="utf-8"><title>Shop</title>'
    text = f'<!doctype html><html lang="en"><head>{meta}</head><body>{body}</body></html>'
    return Page(URL, URL, 200, {"content-type": "text/html; charset=utf-8"}, text.encode())


def table(rows: int = 1500, seed: int = 2) -> Page:
    """A table of many rows under a head, its figures grouped, its dates in ISO form."""
    chance = random.Random(seed)
    url = "http://bench.test/table"
    body = "".join(
        f'<tr class="{"odd" if n % 2 else "even"}"><td>{n + 1}</td><td><a href="/place/{n}">Place {n}</a></td>'
        f'<td>Land {n % 40}</td><td class="num">{chance.randint(1, 99999):,}</td>'
        f"<td>{chance.randint(1900, 2024)}-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}</td></tr>"
        for n in range(rows)
    )
    head = "".join(f"<th>{name}</th>" for name in ("Rank", "Name", "Country", "Population", "Founded"))
    text = (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Places</title></head><body><h1>Places</h1>'
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></body></html>"
    )
    return Page(url, url, 200, {"content-type": "text/html; charset=utf-8"}, text.encode())


def best(action: Callable[[], object]) -> float:
    times = []
    for _ in range(ROUNDS):
        started = time.process_time()
        action()
        times.append(time.process_time() - started)
    return min(times)


def measure(what: str, request: str, listing: Page) -> None:
    query = read_request(request)
    survey = survey_pages(query, [listing])
    pages = {listing.url: listing}
    parsed = best(lambda: BeautifulSoup(listing.body, "lxml"))
    surveyed = best(lambda: survey_pages(query, [listing]))
    planned = best(lambda: emit(plan(query, survey, 0, pages)))
    group = survey.groups[0]
    print(f"{what}: {len(listing.body) / 1000:.0f} KB, {group.count} records of {len(group.slots)} slots")
    print(f"BeautifulSoup alone          {parsed * 1000:6.0f} ms")
    print(f"survey                       {surveyed * 1000:6.0f} ms   {surveyed / parsed:5.2f}x of it")
    print(f"plan and program             {planned * 1000:6.0f} ms   {planned / parsed:5.2f}x of it")
    print(f"survey, plan and program     {(surveyed + planned) * 1000:6.0f} ms   (wanted: {TARGET * 1000:.0f} ms)")


def main() -> None:
    measure("shop", REQUEST, page())
    measure("table", TABLE, table())


if __name__ == "__main__":
    main()
