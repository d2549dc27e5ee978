"""Requests to try on the practice shop, which is served from the first one on."""

from __future__ import annotations

import atexit
from functools import cache

from scrapewright.practice import DEMO_QUERY
from scrapewright.practice.demo import DEMO_DEFECT
from scrapewright.practice.server import ShopServer
from scrapewright.practice.shop import Shop

EXAMPLES: tuple[tuple[str, str], ...] = (
    ("the practice shop", DEMO_QUERY),
    ("one page, sorted", "products on {BASE}/shelf/lamps.html: title, price (float), sorted by price"),
    ("with a condition", "products on {BASE}/ (all pages): title, price (float), only where price is at least 50"),
    ("as JSON, with links", "products on {BASE}/shelf/kitchen.html: title, rating (int), url, as JSON"),
)
"""(name, request); `{BASE}` stands for the shop's address."""


@cache
def _shop() -> ShopServer:
    """Until the process ends: sessions that are begun with an example outlive the screen that it was chosen on."""
    server = ShopServer(Shop(DEMO_DEFECT)).start()
    atexit.register(server.close)
    return server


def request(number: int) -> str:
    """The request of an example, with the address where the shop is served. Raises OSError where it can't be."""
    return EXAMPLES[number][1].replace("{BASE}", _shop().base)
