"""Real programs that die of what real scrapers die of, and what they are after the mends."""

from __future__ import annotations

import textwrap
from typing import Any

import pytest

from scrapewright.programmers.rules.mend import mend
from scrapewright.query.model import Field, Order, Query
from tests.unit.mend.runner import Site, brief, page, repaired, served

NAME, PRICE, URL = Field("name"), Field("price", "float", typed=True), Field("url", "url", absolute=True)

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


def ask(site: Site, *fields: Field, **more: Any) -> Query:
    return Query(
        **(
            {
                "text": f"rows of {site.base}/",
                "urls": (f"{site.base}/",),
                "fields": fields,
                "paging": "first",
                "format": "json",
            }
            | more
        )
    )


def mended(
    pages: dict[str, Any],
    body: str,
    *fields: Field,
    most: int = 4,
    seconds: float = 20.0,
    whole: bool = False,
    **more: Any,
) -> tuple[str, str]:
    """The right program and all the diagnoses. Fails where the mends do not get there, or if nothing was wrong."""
    with served(pages) as site:
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


@pytest.mark.parametrize(
    "expression",
    ["float(text[1:])", 'float(text.removeprefix("£").strip())', 'float(re.sub("[£$]", "", text))',
     r'float(re.search(r"^£(\d+\.\d+)$", text)[1])', r'float(re.match(r"£(\d+\.\d+)$", text).group(1))',
     'float(text.split("£")[1])', 'float("".join(c for c in text if c not in "£ "))'],
)  # fmt: skip
def test_a_price_unlike_the_others(expression: str) -> None:
    """One widening reads every way of writing that comes, not only the one that was seen."""
    odd = ("£1,249.00", "1.250,00 €", "from £12.50 each (was £15.00)", "Price on request", "")
    body = LOOP.replace("EXPRESSION", expression)
    code, told = mended({"/": priced("£12.00", "£7.50", *odd, "£3.25")}, body, NAME, PRICE, most=2)
    assert "line" in told
    assert code.count("def number_in(") == 1


def test_the_diagnosis_says_what_was_seen_where() -> None:
    code, told = mended(
        {"/": priced("£12.00", "1.299,00 €")}, LOOP.replace("EXPRESSION", "float(text[1:])"), NAME, PRICE
    )
    assert "'1.299,00 €'" in told
    assert told.startswith("In line 1")
    assert "number_in(text)" in code
    assert code.startswith("import csv\nimport json")


def test_whole_numbers() -> None:
    pages = {
        "/": cards(
            "<h3>Axe</h3><i>In stock (20 available)</i>",
            "<h3>Saw</h3><i>In stock (1,200 available)</i>",
            "<h3>Pin</h3><i>Sold out</i>",
        )
    }
    body = """
    def left(text):
        return int(text.split("(")[1].split()[0])

    for card in soup.select(".card"):
        rows.append({"name": card.h3.get_text(), "left": left(card.i.get_text())})
    """
    _, told = mended(pages, body, NAME, Field("left", "int", typed=True))
    assert "1,200" in told


def test_a_word_that_the_table_of_ratings_lacks() -> None:
    pages = {"/": cards(*(f'<h3>Tea {n}</h3><p class="star {n}"></p>' for n in ("One", "Three", "Zero")))}
    body = """
    RATING = {"One": 1, "Two": 2, "Three": 3}
    for card in soup.select(".card"):
        word = card.p["class"][1]
        rows.append({"name": card.h3.get_text(), "rating": RATING[word]})
    """
    code, told = mended(pages, body, NAME, Field("rating", "int", typed=True))
    assert '"Three": 3, "Zero": 0}' in code
    assert "'Zero'" in told


@pytest.mark.parametrize(
    ("others", "odd", "form"),
    [
        ("12 March 2024", "2024-03-18", "%d %B %Y"),
        ("12 March 2024", "\n   18 March 2024  ", "%d %B %Y"),
        ("03/12/24", "22/03/21", "%m/%d/%y"),
        ("12 March 2024", "to be announced", "%d %B %Y"),
    ],
)
def test_dates(others: str, odd: str, form: str) -> None:
    pages = {"/": cards(*(f"<h3>Talk {n}</h3><time>{when}</time>" for n, when in enumerate((others, odd))))}
    body = f"""
    for card in soup.select(".card"):
        when = card.time.get_text()
        rows.append({{"name": card.h3.get_text(), "held": datetime.strptime(when, "{form}").date().isoformat()}})
    """
    mended(pages, body, NAME, Field("held", "date", typed=True))


def test_an_element_that_some_records_lack() -> None:
    pages = {"/": cards("<h3>Axe</h3><i>£4.00</i>", "<h3>Saw</h3>", "<h3>Pin</h3><i>£1.00</i>")}
    for expression in ('float(card.find("i").text.strip()[1:])', 'float(card.select_one("i").get_text()[1:])'):
        body = f"""
        for card in soup.select(".card"):
            rows.append({{"name": card.find("h3").text, "price": {expression}}})
        """
        code, told = mended(pages, body, NAME, PRICE)
        assert "is not None else None" in code
        assert "None" in told
    body = """
    for card in soup.select(".card"):
        tag = card.find("i")
        price = tag.text
        rows.append({"name": card.find("h3").text, "price": float(price[1:]) if price else None})
    """
    mended(pages, body, NAME, PRICE)


@pytest.mark.parametrize(
    "table",
    ['soup.find("table", {"class": "wikitable sortabe"})', 'soup.select_one("table.wikitabel")',
     'soup.find("table", class_="sortable wikitable ")',
     'soup.select_one("table.wikitable > tbody")', 'soup.find("table", class_="wiki-table")'],
)  # fmt: skip
def test_a_selector_that_fits_nothing(table: str) -> None:
    rows = "".join(f"<tr><td>Town {n}</td><td>{n * 1000 + 7}</td></tr>" for n in range(1, 6))
    pages = {"/": page(f'<table class="wikitable sortable"><tr><th>Name</th><th>People</th></tr>{rows}</table>')}
    body = f"""
    table = {table}
    for row in table.find_all("tr")[1:]:
        cells = row.find_all("td")
        rows.append({{"name": cells[0].text, "people": int(cells[1].text)}})
    """
    _, told = mended(pages, body, NAME, Field("people", "int", typed=True))
    assert "found nothing" in told


def test_rows_of_a_table_that_are_no_records() -> None:
    pages = {"/": page("<table><tr><th>Name</th><th>Price</th></tr><tr><td>Axe</td><td>4.50</td></tr>"
                       "<tr><td colspan=2>Sale</td></tr>"
                       "<tr><td>Saw</td><td>7.25</td></tr><tr><td>Pin</td><td>0.75</td></tr></table>")}  # fmt: skip
    body = """
    for row in soup.find_all("tr"):
        cells = row.find_all("td")
        rows.append({"name": cells[0].text, "price": float(cells[1].text)})
    """
    code, told = mended(pages, body, NAME, PRICE)
    assert "if len(cells) < 2:" in code
    assert "ResultSet of 0" in told


def test_members_of_the_list_that_hold_no_field_are_passed_over() -> None:
    pages = {"/": cards("<h3>Axe</h3><i>4.50</i>", "<em>Advertisement</em>", "<h3>Saw</h3><i>7.25</i>")}
    body = """
    for card in soup.select(".card"):
        rows.append({"name": card.find("h3").text, "price": float(card.find("i").text)})
    """
    code, told = mended(pages, body, NAME, PRICE)
    assert "continue" in code
    assert "Advertisement" in told


@pytest.mark.parametrize("expression", ['card.select("i")[0].text', 'card.find_all("i")[0].text.strip()'])
def test_an_item_that_is_missing(expression: str) -> None:
    pages = {"/": cards("<h3>Axe</h3><i>red</i>", "<h3>Saw</h3>", "<h3>Pin</h3><i>blue</i>")}
    body = f"""
    for card in soup.select(".card"):
        rows.append({{"name": card.find("h3").text, "colour": {expression}}})
    """
    mended(pages, body, NAME, Field("colour"))


@pytest.mark.parametrize("body", [
    """
    for card in soup.find_all("div", class_="card"):
        head = card.find_all("h3")
        rows.append({"name": head.text})
    """,
    """
    for card in soup.find_all("div", class_="card"):
        rows.append({"name": card.select("h3").get_text(strip=True)})
    """,
])  # fmt: skip
def test_a_list_taken_for_an_element(body: str) -> None:
    mended({"/": cards("<h3>Axe</h3>", "<h3>Saw</h3>")}, body, NAME)


def test_children_that_are_texts() -> None:
    pages = {"/": page('<div class="list">\n<p><b>Axe</b></p>\n<p><b>Saw</b></p>\n<p><b>Pin</b></p>\n</div>')}
    body = """
    for child in soup.find("div").children:
        rows.append({"name": child.find_all("b")[0].text})
    """
    mended(pages, body, NAME)


def test_links_without_an_address() -> None:
    pages = {
        "/": page('<p><a name="top">Top</a> <a href="/axe">Axe</a> <a href="/saw">Saw</a> <a href="/pin">Pin</a></p>')
    }
    for call in ('find_all("a")', 'select("p a")'):
        body = f"""
        for a in soup.{call}:
            rows.append({{"name": a.text, "url": urljoin(BASE, a["href"])}})
        """
        mended(pages, body, NAME, URL)


def test_keys_that_some_objects_lack() -> None:
    data = b'{"items": [{"n": "Axe", "offer": {"price": 4.5}}, {"n": "Saw"}, {"n": "Pin", "offer": {"price": 0.75}}]}'
    body = """
    for item in requests.get(BASE + "/api").json()["items"]:
        rows.append({"name": item["n"], "price": item["offer"]["price"]})
    """
    mended({"/": page("x"), "/api": (data, "application/json")}, body, NAME, PRICE)


def test_relative_links() -> None:
    pages = {
        "/": page('<ul><li><a href="/axe">Axe</a></li><li><a href="/saw">Saw</a></li></ul>'),
        "/axe": page("<p>steel</p>"),
        "/saw": page("<p>iron</p>"),
    }
    body = """
    for a in soup.select("li a"):
        rows.append({"name": a.text, "url": a["href"]})
    """
    _, told = mended(pages, body, NAME, URL)
    assert "'/axe'" in told
    body = """
    for a in soup.select("li a"):
        behind = BeautifulSoup(requests.get(a["href"]).content, "lxml")
        rows.append({"name": a.text, "made_of": behind.p.text})
    """
    mended(pages, body, NAME, Field("made_of"))


def test_mojibake() -> None:
    listing = page("<ul><li>Café</li><li>Jalapeño</li><li>Crème brûlée</li></ul>")
    for parse in ('BeautifulSoup(response.text, "lxml")', 'BeautifulSoup(get().text, features="lxml")'):
        body = f"""
        def get():
            return requests.get(BASE + "/")

        response = get()
        for li in {parse}.select("li"):
            rows.append({{"name": li.text}})
        """
        code, told = mended({"/": (listing, "text/html")}, body, NAME)
        assert ".content" in code
        assert "codec" in told


def test_bytes_decoded_with_the_wrong_codec() -> None:
    pages = {"/": (page("<ul><li>Käse</li><li>Öl</li></ul>", "latin-1"), "text/html; charset=iso-8859-1")}
    body = """
    for li in BeautifulSoup(requests.get(BASE + "/").content.decode("utf-8"), "lxml").select("li"):
        rows.append({"name": li.text})
    """
    mended(pages, body, NAME)


@pytest.mark.parametrize(
    "opening",
    [
        'open("/data/output/rows.json", "w")',
        'open("out/rows.json", "w", encoding="utf-8")',
        'open("rows.json", "w", encoding="latin-1")',
    ],
)
def test_files(opening: str) -> None:
    body = f"""
    import json, requests
    from bs4 import BeautifulSoup
    soup = BeautifulSoup(requests.get("{{BASE}}/").content, "lxml")
    rows = [{{"name": li.text}} for li in soup.select("li")]
    with {opening} as file:
        json.dump(rows, file, ensure_ascii=False)
    """
    mended({"/": page("<ul><li>Łódź</li><li>Kraków</li></ul>")}, body, NAME, whole=True)


def test_another_file_name() -> None:
    body = HEAD + 'rows = [{"name": li.text} for li in soup.select("li")]\n'
    body += 'open("result.txt", "w").write("x")\njson.dump(rows, open("towns.json", "w"))\n'
    code, _ = mended({"/": page("<ul><li>Ulm</li><li>Bonn</li></ul>")}, body, NAME, whole=True, filename="cities.json")
    assert '"cities.json"' in code


@pytest.mark.parametrize(
    ("wrong", "right"),
    [('soup.select("td[colspan=2]")', '"td[colspan=\\"2\\"]"'), ('soup.select("b:eq(0)")', "nth-of-type(1)")],
)  # fmt: skip
def test_selectors_that_are_no_css(wrong: str, right: str) -> None:
    pages = {
        "/": page("<table><tr><td colspan=2><b>Axe A</b></td></tr><tr><td colspan=2><b>Saw A</b></td></tr></table>")
    }
    body = f"""
    for tag in {wrong}:
        rows.append({{"name": tag.text}})
    """
    mended(pages, body, NAME)


def test_a_parser_that_is_not_there_and_names_that_are_not_bound() -> None:
    body = """
    import json, requests
    from bs4 import BeautifulSoup
    soup = BeautifulSoup(requests.get("{BASE}/").content, "html5lib")
    items = [{"name": li.text} for li in soup.select("li")]
    with open("rows.json", "w") as file:
        json.dump(itens, file)
    """
    _, told = mended({"/": page("<ul><li>Ulm</li><li>Bonn</li></ul>")}, body, NAME, whole=True)
    assert "html5lib" in told
    assert "items is meant" in told


def test_paging_that_comes_back() -> None:
    pages = {
        "/": page('<ul><li>Ulm</li><li>Bonn</li></ul><a class="go" href="/2">other page</a>'),
        "/2": page('<ul><li>Kiel</li><li>Jena</li></ul><a class="go" href="/">other page</a>'),
    }
    body = """
    url = BASE + "/"
    while url:
        soup = BeautifulSoup(requests.get(url).content, "lxml")
        for li in soup.select("li"):
            rows.append({"name": li.text})
        url = urljoin(url, soup.select_one("a.go")["href"])
    """
    code, told = mended(pages, body, NAME, seconds=4.0, paging="all")
    assert "visited" in code
    assert "times over" in told


def test_paging_beyond_the_last_page() -> None:
    pages = {
        f"/?p={n}": page(f"<ul><li>Town {n}a</li><li>Town {n}b</li></ul>" if n < 3 else "<ul></ul>")
        for n in range(1, 3000)
    }
    body = """
    number = 1
    while True:
        page = BeautifulSoup(requests.get(BASE + f"/?p={number}").content, "lxml")
        for li in page.select("li"):
            rows.append({"name": li.text})
        number += 1
    """
    mended({"/": page("x")} | pages, body, NAME, seconds=4.0, paging="all")


def test_columns_under_other_names_and_numbers_left_as_text() -> None:
    body = """
    for card in soup.select(".card"):
        rows.append({"Titel": card.h3.text, "Price (GBP)": card.b.text})
    """
    code, _ = mended(
        {"/": priced("£12.00", "£1,250.00")}, body, Field("title"), Field("price_gbp", "float", typed=True)
    )
    assert '"title"' in code


def test_an_error_that_was_swallowed() -> None:
    body = """
    for card in soup.select(".card"):
        try:
            price = float(card.b.text[1:])
        except ValueError:
            price = None
        rows.append({"name": card.h3.text, "price": price})
    """
    mended({"/": priced("£12.00", "£7.50", "£1,250.00", "£3.25", "£8.50")}, body, NAME, PRICE)


def test_records_cut_off() -> None:
    table = page("<table>" + "".join(f"<tr><td>Town {n}</td><td>{n}.50</td></tr>" for n in range(5, 12)) + "</table>")
    body = """
    for row in soup.find_all("tr")SLICE:
        name, price = row.find_all("td")
        rows.append({"name": name.text, "price": float(price.text)})
    """
    for cut in ("[1:]", "[:-1]", "[:4]"):
        mended({"/": table}, body.replace("SLICE", cut), NAME, PRICE)


def test_order_and_repeats_and_limit() -> None:
    body = """
    for card in soup.select(".card") * 2:
        rows.append({"name": card.h3.text, "price": float(card.b.text[1:])})
    """
    pages = {"/": priced("£12.00", "£7.50", "£3.25", "£8.50", "£1.00")}
    mended(pages, body, NAME, PRICE, order=(Order("price", True),), distinct=("name",), limit=3)


def test_sorting_by_what_is_none_in_places() -> None:
    body = """
    for card in soup.select(".card"):
        text = card.b.text
        rows.append({"name": card.h3.text, "price": float(text[1:]) if text else None})
    rows.sort(key=lambda row: row["price"])
    """
    mended({"/": priced("£12.00", "", "£3.25", "£8.50", "")}, body, NAME, PRICE, order=(Order("price"),))


BY_VALUE = [
    (priced("£12.00", "1.250,00 €", "£3.25"), LOOP.replace("EXPRESSION", "float(text[1:])"), (NAME, PRICE)),
    (
        page("<table><tr><th>Name</th><th>Price</th></tr><tr><td>Axe</td><td>4.50</td></tr><tr><td>Saw</td><td>7.25</td></tr></table>"),
        "for row in soup.find_all('tr'):\n    cells = row.find_all('td')\n"
        "    rows.append({'name': cells[0].text, 'price': float(cells[1].text)})\n",
        (NAME, PRICE),
    ),
    (
        cards("<h3>Talk A</h3><time>12 March 2024</time>", "<h3>Talk B</h3><time>2024-03-18</time>"),
        "for card in soup.select('.card'):\n    when = card.time.text\n"
        "    rows.append({'name': card.h3.text, 'held': datetime.strptime(when, '%d %B %Y').date().isoformat()})\n",
        (NAME, Field("held", "date", typed=True)),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("listing", "body", "fields"), BY_VALUE)
def test_without_steps_and_locals_the_repairs_that_need_values_fail(
    listing: bytes, body: str, fields: tuple[Field, ...]
) -> None:
    with served({"/": listing}) as site:
        code = (HEAD + body + TAIL).replace("{BASE}", site.base)
        query = ask(site, *fields)
        attempts, drafts = repaired(code, site, query)
        assert drafts
        assert attempts[-1].verdict is not None
        assert attempts[-1].verdict.ok
        blind, _ = repaired(code, site, query, blank=("steps", "locals"))
        assert not (blind[-1].verdict and blind[-1].verdict.ok)


def test_the_rest_of_the_program_stays_as_it_was() -> None:
    body = """
    # my own way
    for card in soup.select( ".card" ):   # every card
        text = card.select_one(".price").get_text()
        rows.append({ "name":card.h3.get_text(),'price':float(text[1:]) })
    """
    code, _ = mended({"/": priced("£12.00", "€ 8,50")}, body, NAME, PRICE)
    assert '# my own way\nfor card in soup.select( ".card" ):   # every card\n' in code
    assert "rows.append({ \"name\":card.h3.get_text(),'price':number_in(text) })" in code


def test_no_mend_is_given_twice() -> None:
    with served({"/": priced("£12.00", "£1,250.00")}) as site:
        code = (HEAD + LOOP.replace("EXPRESSION", "float(text[1:])") + TAIL).replace("{BASE}", site.base)
        query = ask(site, NAME, PRICE)
        attempts, drafts = repaired(code, site, query)
        assert len(drafts) == 1
        again = mend(brief(query, site, [attempts[1], attempts[0]]))
        assert again is None or again.code != drafts[0].code
        assert mend(brief(query, site, [])) is None
