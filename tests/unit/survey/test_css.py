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


def test_a_table_of_many_rows_is_found_whole() -> None:
    lines = "".join(f"<tr><td>C{n:05d}</td><td>Thing {n}</td><td>{n * 7 % 1009}</td></tr>" for n in range(4000))
    body = f"<table><tr><th>Code</th><th>Name</th><th>Amount</th></tr>{lines}</table>"
    assert survey_pages(query("code", "name", "amount:int"), [page(shell(body))]).groups[0].count == 4000
