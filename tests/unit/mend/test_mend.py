"""Real programs that die of what real scrapers die of, and what they are after the mends."""

from __future__ import annotations

import pytest

from scrapewright.query.reading import Column
from tests.unit.mend.repairing import LOOP, NAME, PRICE, URL, ask, cards, mended, priced
from tests.unit.mend.runner import page, repaired, served


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
    code, message = mended({"/": priced("£12.00", "£7.50", *odd, "£3.25")}, body, NAME, PRICE, most=2)
    assert "line" in message
    assert code.count("def number_in(") == 1


def test_the_diagnosis_says_what_was_seen_where() -> None:
    code, message = mended(
        {"/": priced("£12.00", "1.299,00 €")}, LOOP.replace("EXPRESSION", "float(text[1:])"), NAME, PRICE
    )
    assert "'1.299,00 €'" in message
    assert message.startswith("In line 1")
    assert "number_in(text)" in code
    assert code.startswith("import csv\nimport json")


@pytest.mark.parametrize(
    ("texts", "expression"),
    [
        (["300", "1’299.50", "1\u202f299"], "float(text)"),
        (["3", "−5", "-7"], "float(text)"),
    ],
)
def test_a_number_with_sign_and_thousands(texts: list[str], expression: str) -> None:
    """What the critics refuse as half a number the repair must not make either."""
    mended({"/": priced(*texts)}, LOOP.replace("EXPRESSION", expression), NAME, PRICE)


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
    _, message = mended(pages, body, NAME, Column("left", "int"))
    assert "1,200" in message


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
    mended(pages, body, NAME, Column("held", "date"))


@pytest.mark.parametrize("odd", ["2024-03-18", "Mon, 18 Mar 2024 08:15:00 GMT"])
def test_a_date_that_no_name_held(odd: str) -> None:
    pages = {"/": cards(*(f"<h3>Talk {n}</h3><time>{when}</time>" for n, when in enumerate(("12 March 2024", odd))))}
    body = """
    for card in soup.select(".card"):
        held = datetime.strptime(card.time.get_text().strip(), "%d %B %Y").date().isoformat()
        rows.append({"name": card.h3.get_text(), "held": held})
    """
    code, _ = mended(pages, body, NAME, Column("held", "date"))
    assert "def date_in(" in code


def test_an_element_that_some_records_lack() -> None:
    pages = {"/": cards("<h3>Axe</h3><i>£4.00</i>", "<h3>Saw</h3>", "<h3>Pin</h3><i>£1.00</i>")}
    for expression in ('float(card.find("i").text.strip()[1:])', 'float(card.select_one("i").get_text()[1:])'):
        body = f"""
        for card in soup.select(".card"):
            rows.append({{"name": card.find("h3").text, "price": {expression}}})
        """
        code, message = mended(pages, body, NAME, PRICE)
        assert "is not None else None" in code
        assert "None" in message
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
    _, message = mended(pages, body, NAME, Column("people", "int"))
    assert "found nothing" in message


GUARDED = """
def text_of(node):
    return " ".join(node.get_text(" ", strip=True).split()) if node else ""

def within(node, selector):
    return text_of(node.select_one(selector))

for card in soup.select("div.list > .card"):
    rows.append({"name": text_of(card.select_one("h3.title")), "colour": within(card, ".colour")})
"""


@pytest.mark.parametrize("right", ["div.list > .card", "h3.title", ".colour"])
def test_a_selector_that_fits_nothing_where_nothing_fails_for_it(right: str) -> None:
    """Programs that look before they read leave the column, or all rows, empty."""
    body = GUARDED.replace(right, right[:-2] + right[-1])
    cells = (f'<h3 class="title">Axe {n}</h3><i class="colour">{n}</i>' for n in ("red", "blue", "green"))
    code, message = mended({"/": cards(*cells)}, body, NAME, Column("colour"))
    assert f'"{right}"' in code
    assert "found nothing" in message


def test_rows_of_a_table_that_are_no_records() -> None:
    pages = {"/": page("<table><tr><th>Name</th><th>Price</th></tr><tr><td>Axe</td><td>4.50</td></tr>"
                       "<tr><td colspan=2>Sale</td></tr>"
                       "<tr><td>Saw</td><td>7.25</td></tr><tr><td>Pin</td><td>0.75</td></tr></table>")}  # fmt: skip
    body = """
    for row in soup.find_all("tr"):
        cells = row.find_all("td")
        rows.append({"name": cells[0].text, "price": float(cells[1].text)})
    """
    code, message = mended(pages, body, NAME, PRICE)
    assert "if len(cells) < 2:" in code
    assert "ResultSet of 0" in message
    body = """
    for row in soup.find_all("tr"):
        name, price = row.find_all("td")
        rows.append({"name": name.text, "price": float(price.text)})
    """
    code, message = mended(pages, body, NAME, PRICE)
    assert "expected 2, got 0" in message


def test_members_of_the_list_that_hold_no_field_are_left_out() -> None:
    pages = {"/": cards("<h3>Axe</h3><i>4.50</i>", "<em>Advertisement</em>", "<h3>Saw</h3><i>7.25</i>")}
    body = """
    for card in soup.select(".card"):
        rows.append({"name": card.find("h3").text, "price": float(card.find("i").text)})
    """
    code, message = mended(pages, body, NAME, PRICE)
    assert "if any(row.values())" in code
    assert "held nothing at all" in message


@pytest.mark.parametrize("expression", ['card.select("i")[0].text', 'card.find_all("i")[0].text.strip()'])
def test_an_item_that_is_missing(expression: str) -> None:
    pages = {"/": cards("<h3>Axe</h3><i>red</i>", "<h3>Saw</h3>", "<h3>Pin</h3><i>blue</i>")}
    body = f"""
    for card in soup.select(".card"):
        rows.append({{"name": card.find("h3").text, "colour": {expression}}})
    """
    mended(pages, body, NAME, Column("colour"))


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
    """
    for card in soup.select(".card"):
        rows.append({"name": card.select("h3")["title"]})
    """,
    """
    def text_of(node):
        return node.get_text(" ", strip=True) if node else None

    for card in soup.select(".card"):
        rows.append({"name": text_of(card.select("h3"))})
    """,
])  # fmt: skip
def test_a_list_taken_for_an_element(body: str) -> None:
    code, _ = mended({"/": cards('<h3 title="Axe">Axe</h3>', '<h3 title="Saw">Saw</h3>')}, body, NAME)
    assert 'find("h3")' in code or 'select_one("h3")' in code


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


def test_a_repair_keeps_the_program_and_its_habits() -> None:
    """Two values of one kind share the function that reads them, and comments stay with what they belong to."""
    names = ["<b>$9.50</b> <i>$12.00</i>", "<b>$1,514.61</b> <i>$1,724.86</i>", "<b>$3.00</b> <i>$4.00</i>"]
    site_pages = {"/": cards(*(f"<h3>Axe {n}</h3>{text}" for n, text in enumerate(names)))}
    code = """import json
import requests
from bs4 import BeautifulSoup
SHOP = "BASE"
# One shop.
class Shop:
    def cards(self):
        return BeautifulSoup(requests.get(SHOP + "/").text, "html.parser").select(".card")

    def rows(self):
        for card in self.cards():
            yield {
                'name': card.h3.text,
                'price': float(card.select_one('b').text.replace('$', '')),   # what it costs
                'was': float(card.select_one('i').text.replace('$', '')),
            }


with open("rows.json", "w", encoding="utf-8") as file:
    json.dump(list(Shop().rows()), file)
"""
    with served(site_pages) as site:
        code = code.replace("BASE", site.base)
        attempts, drafts = repaired(code, site, ask(site, NAME, PRICE, Column("was", "float")))
    verdict = attempts[-1].verdict
    assert verdict is not None
    assert verdict.ok, verdict
    kept = drafts[-1].code
    assert kept.count("def number_in") == 1
    assert kept.count("number_in(card") == 2
    assert 'SHOP = "' in kept
    assert "\n\n\ndef number_in(text):" in kept
    assert "\n\n\n# One shop.\nclass Shop:\n" in kept
    assert "# what it costs" in kept
