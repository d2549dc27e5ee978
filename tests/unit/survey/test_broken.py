"""Markup that is broken: names that are none, prefixes that nobody declared, marks in the middle of words."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scrapewright.programmers.rules.emit import emit
from scrapewright.programmers.rules.plan import plan
from scrapewright.query.read import read_request
from scrapewright.web.page import Page
from tests.suite import examples
from tests.unit.reading_helpers import html, read
from tests.unit.survey.helpers import survey_pages

URL = "http://shop.test/list"
TEAS = ("Assam", "Sencha", "Keemun", "Rooibos", "Oolong")


def test_a_feed_whose_prefix_is_declared_nowhere(tmp_path: Path) -> None:
    items = "".join(
        f"<item><title>{tea}</title><dc:date>2024-03-0{n}</dc:date><x:26>no</x:26></item>"
        for n, tea in enumerate(TEAS, 1)
    )
    feed = f'<?xml version="1.0"?><rss version="2.0"><channel><title>Teas</title>{items}</channel></rss>'
    found = read("items of the feed {}: title, date (YYYY-MM-DD)", feed, tmp_path)
    assert [(row["title"], row["date"]) for row in found.rows] == [
        (tea, f"2024-03-0{n}") for n, tea in enumerate(TEAS, 1)
    ]


def test_a_feed_of_one_item(tmp_path: Path) -> None:
    feed = (
        '<?xml version="1.0"?><rss version="2.0"><channel><title>Teas</title>'
        '<item><title>Assam</title><link>/1</link><enclosure url="/1.ogg" type="audio/ogg"/></item></channel></rss>'
    )
    found = read("items of the feed {}: title, type", feed, tmp_path)
    assert [(row["title"], row["type"]) for row in found.rows] == [("Assam", "audio/ogg")]


@pytest.mark.parametrize("tag", ['b"', "a@b", "o:p", "x=y", "b²"])
def test_elements_whose_names_can_not_be_said_are_no_obstacle(tag: str, tmp_path: Path) -> None:
    rows = "".join(
        f'<li class="tea"><{tag}><h3>{tea}</h3><{tag}><span class="price">£{n}.50</span></{tag}></{tag}></li>'
        for n, tea in enumerate(TEAS, 1)
    )
    found = read("all teas on {}: name, price (float)", html(f"<ul>{rows}</ul>"), tmp_path)
    assert [(row["name"], float(row["price"])) for row in found.rows] == [
        (tea, n + 0.5) for n, tea in enumerate(TEAS, 1)
    ]


_TAGS = """<li> </li> <td> </tr> <table> <b"> <a@b> <o:p> <²> <h2> </div> <br> <pre> <p> <dd> <dl><dt> <td|rowspan="²">
<a|href="//["> <base|href="::"> <a|href="?page=²">2</a> <script|type="application/ld+json">{"@type":[3]}</script>"""
_TEXTS = "² ① ٣ 1e999 £ - 31.02.2024 0000-00-00 25:61 99999999999999999999999 \u202e Next : …"
_PIECES = st.sampled_from([piece.replace("|", " ") for piece in (*_TAGS.split(), *_TEXTS.split())])


@settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(_PIECES, _PIECES, _PIECES), min_size=3, max_size=9), st.sampled_from(["html", "rss"]))
def test_whatever_is_in_a_page_it_is_read_or_refused(noise: list[tuple[str, str, str]], kind: str) -> None:
    query = read_request(f"all teas on {URL}: name, price (float), date (YYYY-MM-DD), url, all pages")
    tag = "li" if kind == "html" else "item"
    records = "".join(
        f'<{tag} class="tea">{a}<h3>{TEAS[n % 5]}</h3>{b}<b class="price">£{n}.50</b><a href="/{n}">{c}</a></{tag}>'
        for n, (a, b, c) in enumerate(noise)
    )
    text = html(f"<ul>{records}</ul>") if kind == "html" else f"<?xml version='1.0'?><rss>{records}</rss>"
    page = Page(URL, URL, 200, {"content-type": "text/html" if kind == "html" else "text/xml"}, text.encode())
    survey = survey_pages(query, [page])
    for choice in (0, 1):
        try:
            chosen = plan(query, survey, choice, {URL: page})
        except LookupError:
            return
        compile(emit(chosen), "scraper.py", "exec")
