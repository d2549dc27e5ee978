"""The selectors' own engine against soupsieve, which runs them in the written programs."""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup
from lxml import html

from scrapewright.survey import css

MARKUP = "<div>" + "".join(f"<table>{''.join(f'<tr><td>{r}{n}</td></tr>' for r in range(n))}</table>" for n in range(5))


@pytest.mark.parametrize("kind", ["nth-of-type({})", "nth-of-type(n+{})", "nth-last-of-type({})"])
@pytest.mark.parametrize("number", [0, 1, 2, 4, 9])
def test_places_among_siblings(kind: str, number: int) -> None:
    selector = f"tr:{kind.format(number)}"
    wanted = [tag.get_text() for tag in BeautifulSoup(MARKUP, "lxml").select(selector)]
    assert [element.text_content() for element in css.select_all(html.fromstring(MARKUP), selector)] == wanted
