"""A program with a fault, a site for it, and its repair to the end."""

from __future__ import annotations

import textwrap
from typing import Any

from scrapewright.query.reading import Column, Reading
from tests.unit.mend.runner import Site, page, repaired, served

NAME, PRICE, URL = Column("name"), Column("price", "float"), Column("url", "url", note="absolute")

HEAD = """
import csv
import json
import re
from datetime import datetime
from urllib.parse import urljoin
import requests
from bs4 import BeautifulSoup

BASE = "{BASE}"
soup = BeautifulSoup(requests.get(BASE + "/").content, "lxml")
rows = []
"""
TAIL = """
with open("rows.json", "w", encoding="utf-8") as file:
    json.dump(rows, file)
"""


def cards(*cells: str) -> bytes:
    return page('<div class="list">' + "".join(f'<div class="card">{cell}</div>' for cell in cells) + "</div>")


def priced(*prices: str) -> bytes:
    return cards(*(f'<h3>Lamp {"ABCDEFGH"[n]}</h3><b class="price">{price}</b>' for n, price in enumerate(prices)))


def ask(site: Site, *fields: Column, **more: Any) -> Reading:
    return Reading(
        **(
            {
                "text": f"rows of {site.base}/",
                "urls": (f"{site.base}/",),
                "columns": fields,
                "pages": "first",
                "format": "json",
            }
            | more
        )
    )


def mended(
    bodies: dict[str, Any],
    body: str,
    *fields: Column,
    most: int = 4,
    seconds: float = 20.0,
    whole: bool = False,
    **more: Any,
) -> tuple[str, str]:
    """The right program and all the diagnoses. Fails where the mends do not get there, or if nothing was wrong."""
    with served(bodies) as site:
        text = textwrap.dedent(body) if whole else HEAD + textwrap.dedent(body) + TAIL
        code = text.replace("{BASE}", site.base).strip() + "\n"
        attempts, drafts = repaired(code, site, ask(site, *fields, **more), most, seconds)
        last = attempts[-1]
        assert drafts, (attempts[0].result and attempts[0].result.exception, attempts[0].verdict)
        assert last.verdict is not None
        assert last.verdict.ok, (
            last.code,
            last.result and last.result.exception,
            last.verdict,
            [d.diagnosis for d in drafts],
        )
        return last.code, "\n".join(draft.diagnosis for draft in drafts)


LOOP = """
for card in soup.select(".card"):
    text = card.select_one(".price").get_text()
    rows.append({"name": card.h3.get_text(), "price": EXPRESSION})
"""
