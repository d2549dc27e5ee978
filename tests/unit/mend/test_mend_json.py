"""Answers of endpoints that are not what the program takes them for, and functions that call themselves too often."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.unit.mend.repairing import HEAD, NAME, PRICE, TAIL, ask, mended
from tests.unit.mend.runner import page, repaired, served

ITEMS = [{"name": "Axe", "price": 4.5}, {"name": "Saw", "price": 7.25}, {"name": "Pin", "price": 0.75}]
PLAIN = json.dumps(ITEMS)
EACH = """
for item in data:
    rows.append({"name": item["name"], "price": item["price"]})
"""


def api(body: str | bytes, kind: str = "application/json") -> dict[str, Any]:
    return {"/": page("x"), "/api": (body.encode() if isinstance(body, str) else body, kind)}


def paged(*bodies: str) -> dict[str, Any]:
    pages: dict[str, Any] = {"/": page("x")}
    for number, body in enumerate(bodies, 1):
        kind = "text/html" if body.startswith("<") else "application/json"
        pages[f"/api?page={number}"] = (body.encode(), kind)
    return pages


PARTS = [json.dumps(ITEMS[:2]), json.dumps(ITEMS[2:])]
TURNED = """
number = 1
while True:
    response = requests.get(BASE + f"/api?page={number}")
    text = response.text
    data = READ
    for item in data:
        rows.append({"name": item["name"], "price": item["price"]})
    number += 1
"""
COUNTED = """
for number in range(1, 9):
    text = requests.get(BASE + f"/api?page={number}").text
    data = json.loads(text)
    for item in data:
        rows.append({"name": item["name"], "price": item["price"]})
"""
LOADED = 'text = requests.get(BASE + "/api").text\ndata = json.loads(text)\n'
TAKEN = 'data = requests.get(BASE + "/api").json()\n'
GONE = "<html><body><h1>No more</h1></body></html>"

CASES: dict[str, tuple[dict[str, Any], str]] = {
    "a callback around it": (api(f"callback({PLAIN});", "text/javascript"), LOADED + EACH),
    "a callback around a response": (
        api(f"shop.show( {PLAIN} )", "text/javascript"),
        'answer = requests.get(BASE + "/api")\ndata = answer.json()\n' + EACH,
    ),
    "an assignment": (api(f"var goods = {PLAIN};", "text/javascript"), LOADED + EACH),
    "a byte order mark": (
        api("\ufeff" + PLAIN),
        'answer = requests.get(BASE + "/api")\nanswer.encoding = "utf-8"\ntext = answer.text\n'
        "data = json.loads(text)\n" + EACH,
    ),
    "a page instead of the last answer": (paged(*PARTS, GONE), TURNED.replace("READ", "response.json()")),
    "nothing instead of the last answer": (paged(*PARTS, " "), TURNED.replace("READ", "json.loads(text)")),
    "pages counted beyond the last": (paged(*PARTS, GONE), COUNTED),
    "a list with a key asked of it": (api(PLAIN), TAKEN + 'data = data["items"]\n' + EACH),
    "a list asked for a key": (api(PLAIN), TAKEN + EACH.replace("in data:", 'in data.get("items", []):')),
    "a list gone through by its values": (api(PLAIN), TAKEN + EACH.replace("in data:", "in data.values():")),
    "a list gone through in pairs": (
        api(PLAIN), TAKEN + EACH.replace("for item in data:", "for _, item in data.items():"),
    ),
    "a list of one thing": (
        api(json.dumps([{"name": item["name"], "offer": [{"price": item["price"]}]} for item in ITEMS])),
        TAKEN + 'for item in data:\n    offer = item["offer"]\n'
        '    rows.append({"name": item["name"], "price": offer["price"]})\n',
    ),
    "a mapping around the list": (api(json.dumps({"total": 3, "items": ITEMS})), TAKEN + EACH),
    "a mapping around the list, asked by get": (
        api(json.dumps({"total": 3, "items": ITEMS})),
        TAKEN + 'for item in data:\n    rows.append({"name": item.get("name"), "price": item.get("price")})\n',
    ),
    "a mapping of things": (api(json.dumps({str(n): item for n, item in enumerate(ITEMS)})), TAKEN + EACH),
    "a mapping asked by number": (
        api(json.dumps({"items": ITEMS})),
        TAKEN + 'for n in range(3):\n    rows.append({"name": data[n]["name"], "price": data[n]["price"]})\n',
    ),
    "a mapping cut like a list": (
        api(json.dumps({"items": ITEMS})), TAKEN + EACH.replace("in data:", "in data[:50]:"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", CASES)
def test_an_answer_taken_for_another(kind: str) -> None:
    pages, body = CASES[kind]
    _, message = mended(pages, body, NAME, PRICE, pages="all")
    assert "line" in message


@pytest.mark.parametrize("kind", CASES)
def test_without_the_values_seen_the_answer_stays_unread(kind: str) -> None:
    pages, body = CASES[kind]
    with served(pages) as site:
        code = (HEAD + body + TAIL).replace("{BASE}", site.base)
        blind, _ = repaired(code, site, ask(site, NAME, PRICE, pages="all"), blank=("steps", "locals"))
    assert not (blind[-1].verdict and blind[-1].verdict.ok)


def linked(*hrefs: str) -> dict[str, Any]:
    """A page for each link, that leads on to it; the first is /."""
    pages = {}
    for n, href in enumerate(hrefs):
        pages["/" if n == 0 else f"/{n}"] = page(
            f'<p class="card"><b>Thing {n}</b></p><a class="next" href="{href}">more</a>'
        )
    return pages


WALK = """
def walk(path):
    page = BeautifulSoup(requests.get(BASE + path).content, "lxml")
    found = [{"name": b.text} for b in page.select(".card b")]
    link = page.select_one("a.next")
    if link is None:
        return found
    return found + walk(link["href"])

rows = walk("/")
"""


def test_a_walk_in_a_circle_ends_where_it_began() -> None:
    pages = linked("/1", "/2", "/")
    code, message = mended(pages, "import sys\nsys.setrecursionlimit(90)\n" + WALK, NAME, pages="all")
    assert "if path in visited:" in code
    assert "return []" in code
    assert "again and again" in message


DEEP = """
cards = [card.text for card in soup.select(".card b")]

def taken(at):
    if at == len(cards):
        return []
    return [{"name": cards[at]}] + taken(at + 1)

rows = taken(0)
"""


def test_a_walk_that_has_an_end_may_go_deep() -> None:
    cards = "".join(f"<p class='card'><b>Thing {n:04}</b></p>" for n in range(1200))
    code, message = mended({"/": page(cards)}, DEEP, NAME)
    assert "sys.setrecursionlimit(20_000)" in code
    assert "20,000" in message


@pytest.mark.parametrize("body", ["import sys\nsys.setrecursionlimit(90)\n" + WALK, DEEP])
def test_without_the_calls_seen_the_recursion_stays(body: str) -> None:
    pages = linked("/1", "/2", "/") if "walk" in body else {"/": page("<p class='card'><b>Thing</b></p>" * 1200)}
    with served(pages) as site:
        code = (HEAD + body + TAIL).replace("{BASE}", site.base)
        blind, drafts = repaired(code, site, ask(site, NAME, pages="all"), blank=("steps", "locals"))
    assert not drafts
    assert blind[-1].result is not None
    assert blind[-1].result.exception is not None
    assert blind[-1].result.exception.type.endswith("RecursionError")
