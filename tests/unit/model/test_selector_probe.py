"""What a repair prompt says of a program's selectors: what they are asked of, and how often they find something."""

from __future__ import annotations

import pytest

from scrapewright.programmers.model.selector_calls import selector_calls
from scrapewright.programmers.model.selector_probe import ELEMENTS, probe_selectors
from scrapewright.web.page import Page


def test_selectors_are_read_from_every_way_of_asking() -> None:
    code = (
        'a.select("li.x > a")\nb.select_one("#id")\nc.find("table", {"class": "wide big"})\n'
        'd.find_all("a", class_="next")\ne.find("div", id="main")\nf.find("p")\ng.select(name)\n'
    )
    assert [call.selector for call in selector_calls(code)] == [
        "li.x > a",
        "#id",
        "table.wide.big",
        "a.next",
        'div[id="main"]',
        "p",
    ]
    assert selector_calls("def (") == []


@pytest.mark.parametrize("selector", ["th[colspan=2]", "th::before"])
def test_a_bad_selector_is_named_as_such(selector: str) -> None:
    page = Page(url="u", status=200, headers={"content-type": "text/html"}, body=b"<table><th colspan=2>x</th></table>")
    (found,) = probe_selectors(f'soup.select("{selector}")', {"u": page})
    assert found.error
    assert found.matches == ()


@pytest.mark.parametrize("kind", ["application/rss+xml", "text/xml"])
def test_selectors_are_counted_in_xml_too(kind: str) -> None:
    body = b"<rss><channel><item><title>a</title></item><item><title>b</title></item></channel></rss>"
    page = Page(url="u", status=200, headers={"content-type": kind}, body=body)
    code = 'soup.select("item")\nitem.select_one("titel")\n'
    found = [(p.selector, p.matches, p.nearest) for p in probe_selectors(code, {"u": page})]
    assert found == [("item", (2,), ""), ("titel", (0,), "title (2×)")]
    assert probe_selectors(code, {}) == []


LOOPED = "for card in soup.select('li.card'):\n    card.select_one('b')\n"
WITHIN = {
    "a loop": LOOPED,
    "a comprehension": "rows = [card.select_one('b') for card in soup.find_all('li', class_='card')]\n",
    "a name between": (
        "cards = soup.select('li.card')[1:]\nfor n, card in enumerate(cards):\n    card.select_one('b')\n"
    ),
    "a function": (
        "def read(card):\n    return card.select_one('b')\nrows = [read(c) for c in soup.select('li.card')]\n"
    ),
    "a function by name": (
        "def read(url, *, card):\n    return card.select_one('b')\n"
        "def page(soup):\n    for c in soup.select('li.card'):\n        yield read('u', card=c)\n"
    ),
    "two steps": "for box in soup.select('li'):\n    card = box.select_one('.card')\n    card.select_one('b')\n",
}


@pytest.mark.parametrize("code", WITHIN.values(), ids=WITHIN.keys())
def test_an_element_is_followed_back_to_what_found_it(code: str) -> None:
    found = {call.selector: call.within for call in selector_calls(code)}
    assert found.pop("b") in ("li.card", "li .card")
    assert found in ({"li.card": ""}, {"li": "", ".card": "li"})


@pytest.mark.parametrize(
    "code",
    [
        "def read(card):\n    return card.select_one('b')\n",
        "def read(card):\n    return card.select_one('b')\nread(soup.select('i'))\nread(soup.select('p'))\n",
        "card = soup.select_one('i') or soup.select_one('p')\ncard.select_one('b')\n",
        "card = card.parent\ncard.select_one('b')\n",
        "for card in soup.select('i'):\n    card.find_parent('b')\n",
        "def read(card):\n    read(card)\n    return card.select_one('b')\n",
        "for box in soup.select('i, p'):\n    for card in box.select('u'):\n        card.select_one('b')\n",
    ],
)
def test_an_element_that_may_be_any_is_taken_for_the_page(code: str) -> None:
    assert {call.within for call in selector_calls(code) if call.selector == "b"} == {""}


def test_a_name_that_is_bound_again_and_again_is_followed_once() -> None:
    steps = "".join(f"    el = el.select_one('a.n{n}')\n" for n in range(60))
    assert len(selector_calls(f"def read(el):\n{steps}    return el\n")) == 24


def test_a_chain_of_names_without_an_end_is_left_at_some_point() -> None:
    steps = "".join(f"    n{n} = n{n + 1}.select_one('a.n{n}')\n" for n in range(2_000))
    assert len(selector_calls(f"def read(n2000):\n{steps}")) == 24


def html(body: str) -> dict[str, Page]:
    return {"u": Page(url="u", status=200, headers={"content-type": "text/html"}, body=body.encode())}


def test_matches_are_counted_in_the_records_they_are_asked_of() -> None:
    page = html(
        "<ul><li class=card><b>1</b><b>1</b><li class=card><i class=b>2</i><li class=card><b>3</b></ul><b>x</b>"
    )
    found = {probe.selector: (probe.said, probe.nearest) for probe in probe_selectors(LOOPED, page)}
    assert found == {"li.card": ("3 matches", ""), "b": ("in 2 of 3 'li.card'", "")}


def test_what_stands_beside_the_records_alone_is_said() -> None:
    code = LOOPED.replace("'b'", "'span.price'")
    page = html("<ul><li class=card><span class=prices>1</span></ul><span class=price>2</span>")
    assert [(probe.said, probe.nearest) for probe in probe_selectors(code, page)][1:] == [
        ("in 0 of 1 'li.card'; on the pages 1 matches", "span.prices (1×)")
    ]


def test_of_many_records_the_first_are_looked_at() -> None:
    page = html("<ul>" + "<li class=card><b>1</b>" * (ELEMENTS + 5) + "</ul>")
    assert probe_selectors(LOOPED, page)[1].said == f"in {ELEMENTS} of the first {ELEMENTS} 'li.card'"
