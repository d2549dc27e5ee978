"""Programs that crash on a page that is not there, after others that were: the rows of these are kept."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.mend.repairing import HEAD, NAME, PRICE, TAIL, ask, cards, mended, priced
from tests.unit.mend.runner import page, repaired, served

LINK = '<ul class="pager"><li class="next"><a href="/?page={}">Next</a></li></ul>'


def listing(last: int = 3) -> dict[str, Any]:
    """Pages each of which links to a next one, the last one too."""
    pages: dict[str, Any] = {}
    for number in range(1, last + 1):
        body = cards(*(f'<h3>Lamp {number}{letter}</h3><b class="price">£{number}.50</b>' for letter in "abcd"))
        pages["/" if number == 1 else f"/?page={number}"] = body.replace(
            b"</body>", LINK.format(number + 1).encode() + b"</body>"
        )
    return pages


READ = """
    for card in soup.select(".card"):
        rows.append({"name": card.h3.text, "price": float(card.b.text[1:])})
    link = soup.select_one("li.next a")
    url = urljoin(BASE, link["href"]) if link else None
"""
PROGRAMS = {
    "in the loop": """
url = BASE + "/"
while url:
    response = requests.get(
        url, timeout=10)
    response.raise_for_status()
    soup = BeautifulSoup(response.content, "lxml")
"""
    + READ,
    "in a function": """
def get_soup(url):
    response = requests.get(url, timeout=10)
    response.raise_for_status()
    return BeautifulSoup(response.content, "lxml")


url = BASE + "/"
while url:
    soup = get_soup(url)
"""
    + READ,
    "counting": """
for number in range(1, 20):
    response = requests.get(BASE + (f"/?page={number}" if number > 1 else "/"))
    response.raise_for_status()
    soup = BeautifulSoup(response.content, "lxml")
"""
    + READ,
    "with urllib": """
from urllib.request import urlopen
url = BASE + "/"
while url:
    soup = BeautifulSoup(urlopen(url).read(), "lxml")
"""
    + READ,
    "tried again": """
import time


def get_soup(url):
    for attempt in range(2):
        response = requests.get(url, timeout=10)
        if response.status_code < 500:
            break
        time.sleep(0.01)
    response.raise_for_status()
    return BeautifulSoup(response.content, "lxml")


url = BASE + "/"
while url:
    soup = get_soup(url)
"""
    + READ,
}


@pytest.mark.parametrize("kind", PROGRAMS)
def test_a_dead_next_link_ends_the_paging(kind: str) -> None:
    code, said = mended(listing(), PROGRAMS[kind], NAME, PRICE, pages="all")
    assert ".card" in code
    assert "the paging ends there" in said
    assert "page=4 answered 404" in said
    assert "break" in code


PARTS = ('[{"name": "Axe", "price": 4.5}, {"name": "Saw", "price": 7.25}]', '[{"name": "Pin", "price": 0.75}]')
EACH = """
    for item in data:
        rows.append({"name": item["name"], "price": item["price"]})
"""
TURNED = """
number = 1
while True:
    response = requests.get(BASE + f"/api?page={number}")
    text = response.text
    data = READ
    number += 1
"""
COUNTED = """
for number in range(1, 9):
    text = requests.get(BASE + f"/api?page={number}").text
    data = json.loads(text)
"""
NO_JSON = {
    "a page": ("<html><body><h1>No more</h1></body></html>", TURNED.replace("READ", "response.json()") + EACH),
    "nothing": (" ", TURNED.replace("READ", "json.loads(text)") + EACH),
    "counted beyond": ("<html><body><h1>No more</h1></body></html>", COUNTED + EACH),
}


def answers(*bodies: str) -> dict[str, Any]:
    pages: dict[str, Any] = {"/": page("x")}
    for number, body in enumerate(bodies, 1):
        kind = "text/html" if body.startswith("<") else "application/json"
        pages[f"/api?page={number}"] = (body.encode(), kind)
    return pages


@pytest.mark.parametrize("kind", NO_JSON)
def test_an_answer_that_is_no_json_after_others_that_were_ends_the_paging(kind: str) -> None:
    last, body = NO_JSON[kind]
    _, message = mended(answers(*PARTS, last), body, NAME, PRICE, pages="all")
    assert "the paging ends there" in message


@pytest.mark.parametrize("kind", NO_JSON)
def test_without_the_steps_seen_the_answer_stays_unread(kind: str) -> None:
    last, body = NO_JSON[kind]
    with served(answers(*PARTS, last)) as site:
        code = (HEAD + body + TAIL).replace("{BASE}", site.base)
        blind, _ = repaired(code, site, ask(site, NAME, PRICE, pages="all"), blank=("steps", "locals"))
    assert not (blind[-1].verdict and blind[-1].verdict.ok)


def test_a_dead_link_among_others_is_passed_over() -> None:
    pages = listing(1) | {f"/{name}": priced(price) for name, price in (("a", "£1.50"), ("c", "£2.50"), ("d", "£3.50"))}
    pages["/"] = cards(*(f'<a href="/{name}">Lamp {name}</a>' for name in "abcd"))
    body = """
for link in soup.select(".card a"):
    response = requests.get(BASE + link["href"], timeout=10)
    response.raise_for_status()
    page = BeautifulSoup(response.content, "lxml")
    rows.append({"name": link.text, "price": float(page.select_one(".price").text[1:])})
"""
    with served(pages) as site:
        code = (HEAD + body + TAIL).replace("{BASE}", site.base)
        attempts, drafts = repaired(code, site, ask(site, NAME, PRICE), 2)
    assert "it is passed over" in drafts[0].diagnosis
    assert attempts[1].result is not None
    assert attempts[1].result.status == "ok"


def test_the_first_page_failing_is_not_hidden() -> None:
    with served({"/other": cards("x")}) as site:
        body = PROGRAMS["in a function"].replace('BASE + "/"', 'BASE + "/gone"')
        code = (HEAD + body + TAIL).replace("{BASE}", site.base)
        _, drafts = repaired(code, site, ask(site, NAME, PRICE), 2)
    assert not any("paging ends" in draft.diagnosis for draft in drafts)
