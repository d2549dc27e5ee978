"""Repairs of rows that fell short, of files, pages and names; and what a repair must leave alone."""

from __future__ import annotations

import pytest

from scrapewright.loop.ports import Attempt, Brief
from scrapewright.programmers.rules.mends import mend
from scrapewright.query.reading import Column, Order, Reading
from scrapewright.session.result import ExceptionInfo, Frame, Request, RunResult
from tests.unit.mend.repairing import HEAD, LOOP, NAME, PRICE, TAIL, URL, ask, cards, mended, priced
from tests.unit.mend.runner import brief, page, repaired, served


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
    for given in ('a["href"]', 'a["href"] if a.has_attr("href") else ""', 'a.get("href") or None'):
        _, message = mended(pages, body.replace('a["href"]', given), NAME, URL)
        assert "'/axe'" in message
    body = """
    for a in soup.select("li a"):
        behind = BeautifulSoup(requests.get(a["href"]).content, "lxml")
        rows.append({"name": a.text, "made_of": behind.p.text})
    """
    mended(pages, body, NAME, Column("made_of"))


def test_mojibake() -> None:
    listing = page("<ul><li>Café</li><li>Jalapeño</li><li>Crème brûlée</li></ul>")
    for parse in (
        'BeautifulSoup(response.text, "lxml")',
        'BeautifulSoup(get().text, features="lxml")',
        'BeautifulSoup(response.content.decode("latin-1"), "lxml")',
    ):
        body = f"""
        def get():
            return requests.get(BASE + "/")

        response = get()
        for li in {parse}.select("li"):
            rows.append({{"name": li.text}})
        """
        code, message = mended({"/": (listing, "text/html")}, body, NAME)
        assert ".content" in code
        assert "codec" in message


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
        'open("/data/" + "rows" + ".json", "w", encoding="utf-8")',
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
    code, _ = mended({"/": page("<ul><li>Ulm</li><li>Bonn</li></ul>")}, body, NAME, whole=True, file="cities.json")
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
    _, message = mended({"/": page("<ul><li>Ulm</li><li>Bonn</li></ul>")}, body, NAME, whole=True)
    assert "html5lib" in message
    assert "items is meant" in message


@pytest.mark.full
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
    code, message = mended(pages, body, NAME, seconds=4.0, pages="all")
    assert "visited" in code
    assert "times over" in message


def test_a_loop_that_used_up_what_a_run_may_ask_for_is_what_is_mended() -> None:
    """It dies of the answer to one request too many, which is no page."""
    url = "http://shop.test/"
    code = (
        "import requests\nfrom bs4 import BeautifulSoup\n\n"
        f'url = "{url}"\nwhile url:\n'
        '    soup = BeautifulSoup(requests.get(url).content, "lxml")\n    url = soup.select("a")[0]["href"]\n'
    )
    spent = Request("GET", url, 429, verdict="error", note="spent: this run has made 3 requests, the most a run may")
    frame = Frame("scraper.py", 7, "<module>", 'url = soup.select("a")[0]["href"]')
    error = ExceptionInfo("IndexError", "list index out of range", (frame,))
    result = RunResult("error", 1, exception=error, requests=(*[Request("GET", url, 200)] * 3, spent))
    draft = mend(Brief(Reading(text="rows", urls=(url,)), None, (Attempt(1, "person", code, result=result),), {}))
    assert draft is not None
    assert "visited.add(url)" in draft.code


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
    mended({"/": page("x")} | pages, body, NAME, seconds=4.0, pages="all")


def test_columns_under_other_names_and_numbers_left_as_text() -> None:
    body = """
    for card in soup.select(".card"):
        rows.append({"Titel": card.h3.text, "Price (GBP)": card.b.text})
    """
    code, _ = mended({"/": priced("£12.00", "£1,250.00")}, body, Column("title"), Column("price_gbp", "float"))
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
    for cut in ("[:-1]", "[:4]"):
        mended({"/": table}, body.replace("SLICE", cut), NAME, PRICE)


def test_a_header_among_the_rows() -> None:
    cells = (("Name", "Metal"), ("Axe", "steel"), ("Saw", "iron"), ("Pin", "brass"))
    table = page("<table>" + "".join(f"<tr><td>{name}</td><td>{metal}</td></tr>" for name, metal in cells) + "</table>")
    body = """
    for row in soup.select("table tr"):
        name, metal = row.find_all("td")
        rows.append({"name": name.text, "metal": metal.text})
    """
    code, message = mended({"/": table}, body, NAME, Column("metal"))
    assert 'soup.select("table tr")[1:]' in code
    assert "header" in message


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
        cards("<h3>Talk A</h3><time>12 March 2024</time>", "<h3>Talk B</h3><time>2024-03-18</time>"),
        "for card in soup.select('.card'):\n    when = card.time.text\n"
        "    rows.append({'name': card.h3.text, 'held': datetime.strptime(when, '%d %B %Y').date().isoformat()})\n",
        (NAME, Column("held", "date")),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("listing", "body", "fields"), BY_VALUE)
def test_without_steps_and_locals_the_repairs_that_need_values_fail(
    listing: bytes, body: str, fields: tuple[Column, ...]
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


def test_a_header_is_told_from_a_record_by_the_cells_that_were_seen() -> None:
    """Without the values each cell that is missing is mended by itself."""
    listing = page(
        "<table><tr><th>Name</th><th>Price</th></tr><tr><td>Axe</td><td>4.50</td></tr>"
        "<tr><td>Saw</td><td>7.25</td></tr></table>"
    )
    body = (
        "for row in soup.find_all('tr'):\n    cells = row.find_all('td')\n"
        "    rows.append({'name': cells[0].text, 'price': float(cells[1].text)})\n"
    )
    with served({"/": listing}) as site:
        code = (HEAD + body + TAIL).replace("{BASE}", site.base)
        attempts, _ = repaired(code, site, ask(site, NAME, PRICE))
        blind, _ = repaired(code, site, ask(site, NAME, PRICE), blank=("steps", "locals"))
    assert attempts[-1].verdict is not None
    assert attempts[-1].verdict.ok
    assert len(attempts) == 2
    assert len(blind) > 2


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
