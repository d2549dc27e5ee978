"""The pages of the practice shop: listings with a next link, product pages, shelves, pictures, robots.txt.

The pages are sent as UTF-8 and say so nowhere, neither in the Content-Type nor in a meta element: a program that takes
the HTTP default for text gets "Â£" for "£", one that lets the parser look at the bytes does not.
"""

from __future__ import annotations

import html
import struct
import zlib
from typing import Any

import msgspec

from scrapewright.practice.defects import Defect, apply_defect
from scrapewright.practice.products import PER_PAGE, SHELVES, Product, products

NAME = "Lantern & Loom"
SHORTENED = 24
"""Titles longer than this are cut in the listings; the link's title attribute has them whole."""


class Resource(msgspec.Struct, frozen=True):
    """What is served under a path."""

    body: bytes
    content_type: str = "text/html"
    status: int = 200


class Shop:
    """A shop with or without its defect. `resource(path)` serves it, `rows(base)` is what a right program finds."""

    def __init__(self, defect: Defect | None = None) -> None:
        self.defect = defect
        self.products = products()
        self.pages = -(-len(self.products) // PER_PAGE)
        if defect is not None:
            if not 1 <= defect.page <= self.pages:
                raise ValueError(f"the shop has pages 1 to {self.pages}, not {defect.page}")
            number = (defect.page - 1) * PER_PAGE + PER_PAGE // 2
            self.products[number] = apply_defect(self.products[number], defect)
        self._resources = self._build()

    @property
    def paths(self) -> tuple[str, ...]:
        """Every path that is served."""
        return tuple(self._resources)

    def resource(self, path: str) -> Resource:
        """What is served for a path without its query; an answer 404 where there is nothing."""
        return self._resources.get(path) or _missing()

    def page_path(self, page: int) -> str:
        return "/" if page == 1 else f"/catalogue/page-{page}.html"

    def rows(self, base: str) -> list[dict[str, Any]]:
        """The products in the order of the shop, by the columns that a request may name. `base` has no slash at its
        end. A value that the shop does not give is None."""
        return [
            {
                "title": p.title,
                "price": p.price,
                "rating": p.rating,
                "stock": p.stock,
                "added": p.added.isoformat() if p.added else None,
                "shelf": p.shelf,
                "code": p.code,
                "image": f"{base}/pictures/{p.number}.png",
                "url": f"{base}/product/{p.slug}.html" if p.linked else None,
            }
            for p in self.products
        ]

    def _build(self) -> dict[str, Resource]:
        made: dict[str, Resource] = {}
        for page in range(1, self.pages + 1):
            made[self.page_path(page)] = Resource(self._listing(page).encode())
        made["/catalogue/page-1.html"] = made["/"]
        for shelf in SHELVES:
            shown = [p for p in self.products if p.shelf == shelf]
            made[f"/shelf/{shelf.lower()}.html"] = Resource(_page(shelf, _cards(shown), "").encode())
        for product in self.products:
            if product.linked:
                made[f"/product/{product.slug}.html"] = Resource(_product(product).encode())
            made[f"/pictures/{product.number}.png"] = Resource(_picture(product.number), "image/png")
        made["/about.html"] = Resource(
            _page("About", "<p>A shop to practise on. Nothing here is for sale.</p>", "").encode()
        )
        made["/robots.txt"] = Resource(b"User-agent: *\nDisallow: /basket/\n", "text/plain")
        return made

    def _listing(self, page: int) -> str:
        shown = self.products[(page - 1) * PER_PAGE : page * PER_PAGE]
        links = []
        if page > 1:
            links.append(f'<li class="previous"><a href="{self.page_path(page - 1)}">previous</a></li>')
        links.append(f'<li class="current">Page {page} of {self.pages}</li>')
        if page < self.pages:
            target = f"catalogue/page-{page + 1}.html" if page == 1 else f"page-{page + 1}.html"
            links.append(f'<li class="next"><a href="{target}">next</a></li>')
        counted = f'<p class="counted"><strong>{len(self.products)}</strong> products</p>'
        return _page("All products", counted + _cards(shown), f'<ul class="pager">{"".join(links)}</ul>')


def _page(heading: str, main: str, pager: str) -> str:
    shelves = "".join(f'<li><a href="/shelf/{s.lower()}.html">{s}</a></li>' for s in SHELVES)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
  <title>{html.escape(heading)} | {html.escape(NAME)}</title>
</head>
<body>
  <header><a class="name" href="/">{html.escape(NAME)}</a></header>
  <aside><h2>Shelves</h2><ul class="shelves">{shelves}</ul></aside>
  <main>
    <h1>{html.escape(heading)}</h1>
    {main}
    {pager}
  </main>
  <footer><a href="/about.html">About</a></footer>
</body>
</html>
"""


def _cards(shown: list[Product]) -> str:
    return '<section class="products">\n' + "\n".join(_card(p) for p in shown) + "\n</section>"


def _card(product: Product) -> str:
    title = html.escape(product.title)
    short = product.title if len(product.title) <= SHORTENED else product.title[: SHORTENED - 1].rstrip() + "…"
    picture = f'<img src="/pictures/{product.number}.png" alt="{title}" width="8" height="8">'
    if product.linked:
        address = f"/product/{product.slug}.html"
        heading = f'<a href="{address}" title="{title}">{html.escape(short)}</a>'
        picture = f'<a href="{address}">{picture}</a>'
    else:
        heading = f"<span>{title}</span>"
    return f"""      <article class="product">
        <div class="picture">{picture}</div>
        <h3>{heading}</h3>
        <p class="{" ".join(filter(None, ("rating", product.rating_class)))}"></p>
        <p class="price">{html.escape(product.price_text)}</p>
        <p class="stock">{html.escape(product.stock_text)}</p>
        <p class="added">{html.escape(product.added_text)}</p>
      </article>"""


def _product(product: Product) -> str:
    facts = {
        "Code": product.code,
        "Shelf": product.shelf,
        "Price": product.price_text,
        "Availability": product.stock_text,
        "Added": product.added_text,
    }
    rows = "".join(f"<tr><th>{name}</th><td>{html.escape(value)}</td></tr>" for name, value in facts.items())
    title = html.escape(product.title)
    main = f"""<div class="picture"><img src="/pictures/{product.number}.png" alt="{title}"></div>
    <p class="price">{html.escape(product.price_text)}</p>
    <p class="{" ".join(filter(None, ("rating", product.rating_class)))}"></p>
    <h2>Description</h2>
    <p class="description">{title}: number {product.number + 1} in our catalogue ({product.shelf.lower()}).</p>
    <table class="facts">{rows}</table>"""
    return _page(product.title, main, "")


def _missing() -> Resource:
    return Resource(_page("Not found", "<p>There is no such page.</p>", "").encode(), status=404)


def _picture(number: int) -> bytes:
    """A PNG of 8 by 8 pixels in one colour."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    colour = bytes((40 + number * 53 % 200, 40 + number * 29 % 200, 40 + number * 97 % 200))
    pixels = zlib.compress((b"\0" + colour * 8) * 8, 9)
    header = struct.pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
