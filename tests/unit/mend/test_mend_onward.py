"""Programs that read the first page alone, where all were asked for."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.mend.repairing import HEAD, NAME, PRICE, TAIL, ask, cards, mended
from tests.unit.mend.runner import repaired, served

LINKS = {
    "rel": '<a rel="next" href="{}">2</a>',
    "class": '<a class="btn next-page" href="{}"><img src="/arrow.png"></a>',
    "parent": '<ul><li class="next"><a href="{}">»</a></li></ul>',
    "text": '<a href="{}">Next</a>',
}


def listing(link: str, last: int = 3) -> dict[str, Any]:
    pages: dict[str, Any] = {}
    for number in range(1, last + 1):
        body = cards(*(f"<h3>Lamp {number}{letter}</h3><b>£{number}.50</b>" for letter in "abcd"))
        onward = link.format(f"/?page={number + 1}") if number < last else ""
        pages["/" if number == 1 else f"/?page={number}"] = body.replace(b"</body>", onward.encode() + b"</body>")
    return pages


ONE = """
for card in soup.select(".card"):
    rows.append({"name": card.h3.text, "price": float(card.b.text[1:])})
"""
FUNCTION = '''
import json
import requests
from bs4 import BeautifulSoup

URL = "{BASE}/"


def main():
    """All the lamps."""
    response = requests.get(URL, timeout=10)
    soup = BeautifulSoup(response.content, "lxml")
    lamps = []
    for card in soup.select(".card"):

        # a lamp
        lamps.append(
            {"name": card.h3.text,
             "price": float(card.b.text[1:])})
    with open("rows.json", "w", encoding="utf-8") as file:
        json.dump(lamps, file)


main()
'''


@pytest.mark.parametrize("link", LINKS)
def test_the_next_link_is_followed_to_the_end(link: str) -> None:
    code, message = mended(listing(LINKS[link]), ONE, NAME, PRICE, pages="all")
    assert "while page_url and page_url not in visited:" in code
    assert "/?page=2" in message


def test_inside_a_function_with_lines_of_its_own() -> None:
    code, _ = mended(listing(LINKS["parent"]), FUNCTION, NAME, PRICE, whole=True, pages="all")
    assert "        # a lamp\n" in code
    assert code.count("lamps = []") == 1


def test_as_many_pages_as_were_asked_for() -> None:
    with served(listing(LINKS["rel"], 4)) as site:
        code = (HEAD + ONE + TAIL).replace("{BASE}", site.base)
        attempts, _ = repaired(code, site, ask(site, NAME, PRICE, pages=2))
    assert attempts[-1].verdict is not None
    assert attempts[-1].verdict.ok, attempts[-1].verdict
    assert "len(visited) < 2" in attempts[-1].code


@pytest.mark.parametrize(
    "body",
    [
        'while False:\n    pass\n' + ONE,
        ONE.replace("rows.append(", 'note = """two\nlines"""\n    rows.append('),
        "rows = [{'name': card.h3.text, 'price': float(card.b.text[1:])} for card in soup.select('.card')]\n",
    ],
)  # fmt: skip
def test_what_can_not_be_put_into_a_loop_stays(body: str) -> None:
    with served(listing(LINKS["rel"])) as site:
        code = (HEAD + body + TAIL).replace("{BASE}", site.base)
        attempts, _ = repaired(code, site, ask(site, NAME, PRICE, pages="all"))
    assert attempts[0].verdict is not None
    assert [finding.code for finding in attempts[0].verdict.findings] == ["page-not-fetched"]
    assert not any("page_url" in attempt.code for attempt in attempts)
