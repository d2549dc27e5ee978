from __future__ import annotations

import json

import pytest

from scrapewright.survey.decode import Document, parse
from scrapewright.survey.embedded import dig
from scrapewright.survey.extract import Extract, best_of
from scrapewright.survey.model import Group, Slot
from scrapewright.survey.survey import groups_of
from tests.unit.survey.helpers import page, query, survey_pages

CARD = (
    '<article class="card"><h3><a href="/p/{n}">Lamp {n}</a></h3><p class="price">£{n}.50</p>'
    '<ul><li class="tag">red</li><li class="tag">old</li></ul></article>'
)
LIST = "<html><body><h2>Shelf</h2><main>{}</main></body></html>"


def listing(first: int, last: int) -> Document:
    return parse(page(LIST.format("".join(CARD.format(n=n) for n in range(first, last))).encode()))


def test_a_group_of_one_page_is_read_on_another_of_its_kind() -> None:
    survey = survey_pages(query("title", "price:float"), [page(LIST.format(CARD.format(n=1) * 5).encode())])
    group = next(g for g in survey.groups if g.selector == "article.card")
    extract = Extract(listing(6, 9), group)
    assert [record.get("class") for record in extract.records] == ["card"] * 3
    price = next(slot for slot in group.slots if "price" in slot.selector)
    assert extract.values(price) == ["£6.50", "£7.50", "£8.50"]


def test_every_kind_of_slot_is_read() -> None:
    group = Group("g", "list", "article.card", 2)
    extract = Extract(listing(1, 3), group)
    assert extract.values(Slot("u", "h3 a", attr="href")) == ["/p/1", "/p/2"]
    assert extract.values(Slot("t", "li.tag", many=True)) == ["red; old"] * 2
    assert extract.values(Slot("l", "li.tag", index=1)) == ["old"] * 2
    assert extract.values(Slot("n", "li.tag", index=7)) == ["", ""]
    assert extract.values(Slot("h", "^ h2")) == ["Shelf"] * 2
    assert extract.values(Slot("x", "h3:weird(")) == ["", ""]
    assert [value.startswith("Lamp 2") for value in extract.values(Slot("s", "+ h3"))] == [True, False]


def test_members_that_are_no_records_are_left_out() -> None:
    extract = Extract(listing(1, 6), Group("g", "list", "article.card", 4, skip=(1, 1)))
    assert extract.values(Slot("u", "h3 a", attr="href")) == ["/p/2", "/p/3", "/p/4"]


def test_records_in_json_and_in_scripts() -> None:
    items = [{"name": f"Lamp {n}", "price": {"amount": n}, "tags": ["a", "b"]} for n in range(3)]
    answer = parse(page(json.dumps({"items": items}).encode(), content_type="application/json"))
    group = next(g for g in groups_of(query("name"), answer) if g.selector == "items")
    extract = Extract(answer, group)
    assert extract.is_json
    assert extract.values(Slot("p", "price.amount")) == ["0", "1", "2"]
    assert extract.values(Slot("t", "tags", many=True)) == ["a; b"] * 3
    script = f"<html><body><script>var shop = {json.dumps(items)};</script></body></html>"
    html = parse(page(script.encode()))
    assert Extract(html, Group("j", "json", "", 3, source="var shop")).records == items
    assert Extract(answer, Group("j", "json", "", 3, source="var shop")).records == []


def test_groups_without_records_here_are_left_out() -> None:
    document = listing(1, 4)
    groups = [Group("a", "list", "tr.row", 3), Group("b", "list", "article.card", 3), Group("c", "list", "p:odd(", 3)]
    assert [extract.group.id for extract in best_of(document, groups)] == ["b"]
    assert best_of(document, groups, lambda: False) == []


def test_a_path_that_leads_nowhere() -> None:
    assert dig({"a": [1]}, "a.3") is None
    assert dig({"a": [1]}, "a.b.c") is None
    assert dig({"a": [{"b": 1}, {}]}, "a.*.b") == [1]


@pytest.mark.parametrize(
    ("selector", "above", "steps", "inner"),
    [
        ("", False, 0, ""), ("td a", False, 0, "td a"), ("h3 + p", False, 0, "h3 + p"), ("+ td a", False, 1, "td a"),
        ("+", False, 1, ""), ("+ + ", False, 2, ""), ("+ + b + i", False, 2, "b + i"), ("^ h2", True, 0, "h2"),
    ],
)  # fmt: skip
def test_a_slots_selector_says_where_it_starts(selector: str, above: bool, steps: int, inner: str) -> None:
    slot = Slot("s", selector)
    assert (slot.above, slot.steps, slot.inner) == (above, steps, inner)
