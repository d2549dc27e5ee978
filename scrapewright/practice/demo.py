"""The session that `scrapewright demo` runs: the shop with its defect, and the query."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from scrapewright.practice import DEMO_QUERY
from scrapewright.practice.defects import Defect
from scrapewright.practice.server import ShopServer
from scrapewright.practice.shop import Shop

DEMO_DEFECT = Defect(field="price", page=3, kind="range")
"""A price with words around it, on a page that the survey does not look at."""


@contextmanager
def demo_shop() -> Iterator[str]:
    """Serves the shop on loopback; yields its address, without a slash at its end."""
    with ShopServer(Shop(DEMO_DEFECT)) as server:
        yield server.base


def demo_query(base: str) -> str:
    return DEMO_QUERY.replace("{BASE}", base)
