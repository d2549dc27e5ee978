"""Pages of a made-up tea shop in the layouts that lists come in, with the rows that a right program gives for them."""

from __future__ import annotations

import calendar
import json
from typing import Any

from scrapewright.loop.ports import Case
from scrapewright.query.reading import Column, Reading
from scrapewright.session.result import Request, RunResult
from scrapewright.web.page import Page

BASE = "http://tea.test"
NAMES = (
    "Assam Gold", "Blue Lotus", "Ceylon Fields", "Dragon Well", "Earl Grey Royal", "Formosa Jade", "Genmaicha",
    "Hojicha Smoke", "Iron Goddess", "Jasmine Pearl", "Keemun Panda", "Lapsang Fir", "Moroccan Mint", "Nilgiri Frost",
    "Oolong Amber", "Pu-erh Cave", "Queen's Café", "Rooibos Sun", "Sencha Dew", "Tisane Verte", "Uva Crown",
    "Vanilla Sky", "White Peony", "Yunnan Moon",
)  # fmt: skip
PER_PAGE = 8

Row = dict[str, Any]


def teas(pages: int = 3) -> list[Row]:
    rows: list[Row] = []
    for n, name in enumerate(NAMES[: pages * PER_PAGE]):
        slug = name.lower().replace(" ", "-").replace("'", "")
        rows.append({
            "name": name,
            "price": round(3.25 + (n * 7 % 24) * 1.5 + (1000 if n == 5 else 0), 2),
            "stock": (n * 5) % 13 + 2,
            "grade": ("Silver", "Gold")[n % 3 == 0],
            "packed": f"2024-{n % 12 + 1:02}-{n % 27 + 1:02}",
            "url": f"{BASE}/tea/{slug}",
        })  # fmt: skip
    return rows


def price_text(value: float) -> str:
    return f"£{value:,.2f}"


def day_text(iso: str) -> str:
    year, month, day = map(int, iso.split("-"))
    return f"{day} {calendar.month_name[month]} {year}"


def cards(rows: list[Row], number: int, last: int) -> str:
    items = "\n".join(
        f"""<li class="tea"><a class="pic" href="/tea/{row["url"].rsplit("/", 1)[-1]}">
        <img alt="{row["name"]}" src="/i/{n}.jpg"></a>
        <h3><a href="/tea/{row["url"].rsplit("/", 1)[-1]}">{row["name"]}</a></h3>
        <p class="price">{price_text(row["price"])}</p><p class="left">{row["stock"]} left</p>
        <p class="grade">{row["grade"]}</p><time>{day_text(row["packed"])}</time></li>"""
        for n, row in enumerate(rows)
    )
    return f"""<ul class="teas">{items}</ul>{pager(number, last)}"""


def table(rows: list[Row], number: int, last: int) -> str:
    items = "\n".join(
        f"""<tr><td>{n + 1}</td><td><a href="{row["url"]}">{row["name"]}</a></td><td>{price_text(row["price"])}</td>
        <td>{row["stock"]}</td><td>{row["grade"]}</td><td>{row["packed"].replace("-", "/")}</td></tr>"""
        for n, row in enumerate(rows)
    )
    head = "<tr><th>#</th><th>Name</th><th>Price</th><th>Stock</th><th>Grade</th><th>Packed</th></tr>"
    return f"<table>{head}{items}</table>{pager(number, last)}"


def flat(rows: list[Row], number: int, last: int) -> str:
    """Records without an element of their own: two rows of a table each, and a spacer."""
    items = "\n".join(
        f"""<tr class="a"><td class="t"><a href="{row["url"]}">{row["name"]}</a></td></tr>
        <tr class="b"><td class="s"><span class="p">{price_text(row["price"])}</span> |
        <span class="n">{row["stock"]} left</span> |
        <i>{row["grade"]}</i> <b>packed {day_text(row["packed"])}</b></td></tr><tr class="gap"></tr>"""
        for row in rows
    )
    return f"<table>{items}</table>{pager(number, last)}"


def pager(number: int, last: int) -> str:
    links = "".join(f'<a href="/teas?page={n}">{n}</a> ' for n in range(1, last + 1) if n != number)
    following = f'<a class="next" href="/teas?page={number + 1}">Next</a>' if number < last else ""
    return f'<div class="pager">{links}{following}</div>'


def document(body: str) -> bytes:
    nav = "".join(
        f'<li><a href="/{word.lower()}">{word}</a></li>'
        for word in ("Home", "Green", "Black", "Herbal", "Gifts", "Contact")
    )
    return f"""<!doctype html><html><head><meta charset="utf-8"><title>All teas - Tea House</title></head><body>
    <nav><ul>{nav}</ul></nav><div class="basket">Basket: £0.00 (0 items)</div><main><h1>All teas</h1>{body}</main>
    <footer><ul><li><a href="/terms">Terms</a></li><li><a href="/privacy">Privacy</a></li></ul>Since 1987</footer>
    </body></html>""".encode()


LAYOUTS = {"cards": cards, "table": table, "flat": flat}


def site(layout: str = "cards", pages: int = 3) -> dict[str, Page]:
    """The shop's listing pages by URL."""
    rows = teas(pages)
    found: dict[str, Page] = {}
    for number in range(1, pages + 1):
        part = rows[(number - 1) * PER_PAGE : number * PER_PAGE]
        url = f"{BASE}/teas" if number == 1 else f"{BASE}/teas?page={number}"
        body = document(LAYOUTS[layout](part, number, pages))
        found[url] = Page(url, url, 200, {"content-type": "text/html; charset=utf-8"}, body)
    return found


FIELDS = (
    Column("name"),
    Column("price", "float"),
    Column("stock", "int"),
    Column("grade"),
    Column("packed", "date"),
    Column("url", "url", note="absolute"),
)


def ask(**changes: Any) -> Reading:
    base: dict[str, Any] = {
        "text": f"All teas on {BASE}/teas",
        "urls": (f"{BASE}/teas",),
        "columns": FIELDS,
        "pages": "all",
        "format": "json",
    }
    return Reading(**(base | changes))


def case(
    rows: list[Row], pages: dict[str, Page], query: Reading | None = None, files: dict[str, bytes] | None = None
) -> Case:
    """A run that fetched all the pages and left the rows."""
    query = query or ask()
    if files is None:
        files = {query.output_name: json.dumps(rows, ensure_ascii=False).encode()}
    requests = tuple(Request("GET", url, page.status, page.media_type, len(page.body)) for url, page in pages.items())
    return Case(query, None, RunResult("ok", 0, requests=requests), files, pages, author="model")
