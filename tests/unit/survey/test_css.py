"""The selectors' own engine against soupsieve, which runs them in the written programs; and on large pages."""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup
from lxml import html

from scrapewright.survey import css
from tests.unit.survey.helpers import page, query, shell, survey_pages

MARKUP = "<div>" + "".join(f"<table>{''.join(f'<tr><td>{r}{n}</td></tr>' for r in range(n))}</table>" for n in range(5))


@pytest.mark.parametrize("kind", ["nth-of-type({})", "nth-of-type(n+{})"])
@pytest.mark.parametrize("number", [0, 1, 2, 4, 9])
def test_places_among_siblings(kind: str, number: int) -> None:
    selector = f"tr:{kind.format(number)}"
    wanted = [tag.get_text() for tag in BeautifulSoup(MARKUP, "lxml").select(selector)]
    assert [element.text_content() for element in css.select_all(html.fromstring(MARKUP), selector)] == wanted


LISTED = """<html><head><meta itemprop=name content=x></head><body><h2 id=top>One</h2><p class="lead first">say: no</p>
<ul class="list wide"><li class="item a1" data-id="7">Size: <b>4</b><i title="two words">x</i></li><li class=item>
<div><div><a href="/t/1?q=2">in</a></div><a href="/u/2">out</a></div></li><li lang=de><b>5</b><b class=item>6</b></li>
</ul><dl><dt>Tags</dt><dd>a</dd><dd>b</dd></dl></body></html>"""


@pytest.mark.parametrize(
    "selector",
    [
        "li", "*", "li.item", ".item.a1", "#top", '[itemprop="name"]', "li[data-id]", 'a[href^="/t/"]',
        'a[href$="2"]', 'a[href*="q="]', '[title~="words"]', "ul b", "ul > b", "body > ul > li b", "li div a",
        "div > a", "dt + dd", "dt ~ dd", "dt + dd + dd",
        "li:has(b.item)", "li:has(> b)", "dt:has(+ dd)", "li:not(.item)",
        "a:not(div div *)", "li:not(:has(b))", 'li:-soup-contains-own("Size")', "b, i, a", "dd, h2", "p ~ ul li + li",
        "li:nth-of-type(2) a:nth-of-type(1)", ":scope > body > ul > li", ":scope li > b, h2", ":scope ul div > a",
    ],
)  # fmt: skip
def test_selects_what_soupsieve_does(selector: str) -> None:
    soup, root = BeautifulSoup(LISTED, "lxml"), html.fromstring(LISTED)
    number = {id(tag): n for n, tag in enumerate(soup.find_all(True))}
    order = {element: n for n, element in enumerate(root.iter())}
    found = [order[element] for element in css.select_all(root, selector)]
    assert found == [number[id(tag)] for tag in soup.select(selector)]
    items = zip(soup.find_all("li"), root.iter("li"), strict=True)
    each = [[number[id(tag)] for tag in item.select(selector)] for item, _ in items]
    below = css.Within(list(root.iter("li"))).select(selector)
    assert [[order[element] for element in one] for one in below] == each


def test_a_table_of_many_rows_is_found_whole() -> None:
    lines = "".join(f"<tr><td>C{n:05d}</td><td>Thing {n}</td><td>{n * 7 % 1009}</td></tr>" for n in range(4000))
    body = f"<table><tr><th>Code</th><th>Name</th><th>Amount</th></tr>{lines}</table>"
    assert survey_pages(query("code", "name", "amount:int"), [page(shell(body))]).groups[0].count == 4000
