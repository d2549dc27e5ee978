"""Groups of many records: places are learnt from some of them, values are read from all."""

from __future__ import annotations

import pytest
from lxml import html

from scrapewright.survey import css, slots
from scrapewright.survey.css import Within


def _list(size: int) -> str:
    rows = []
    for n in range(size):
        sale = '<em class="bargain">now less</em>' if n % 10 == 3 else ""
        part = f'<b class="code">K-{n}</b>' if n != 150 else ""
        rows.append(
            f'<li><a href="/{n}" title="Title {n}">Title {n}</a><i class="amount">{n}.50</i>{part}{sale}'
            f"<p>{'<span>' * 3 * (n == 33)}note {n % 3}{'</span>' * 3 * (n == 33)}</p></li>"
        )
    return f"<ul>{''.join(rows)}</ul>"


def test_few_records_are_all_learnt_from() -> None:
    assert slots.spread(html.fromstring(_list(60)).findall("li")) == list(range(60))


def test_of_many_records_some_are_learnt_from_the_odd_ones_among_them() -> None:
    records = html.fromstring(_list(400)).findall("li")
    some = slots.spread(records)
    assert len(some) < 100
    assert some == sorted(set(some))
    assert {0, 399, 33, 150} <= set(some)
    assert sum(k % 10 == 3 for k in some) >= 2


def test_values_are_those_of_all_records() -> None:
    records = html.fromstring(_list(400)).findall("li")
    found = {(slot.selector, slot.attr): slot for slot in slots.build(records)}
    assert found["i.amount", "text"].coverage == 1.0
    assert found["i.amount", "text"].distinct == 1.0
    assert found["b.code", "text"].coverage == round(399 / 400, 3)
    assert found["em.bargain", "text"].coverage == 0.1


def test_the_same_places_as_from_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    records = html.fromstring(_list(400)).findall("li")
    some = slots.build(records)
    monkeypatch.setattr(slots, "LEARNT", 1000)
    assert slots.build(records) == some


def test_selects_below_many_as_below_each() -> None:
    body = html.fromstring(f"<div><section>{_list(30)}</section><li><i>out</i></li><li><li><i>in</i></li></li></div>")
    for scopes in (
        [*body.iter("li")],
        [e for part in body.iter("section") for e in part.iter("li")],
        [None, *body.iter("ul")],
    ):
        below = Within(scopes)
        for selector in ("i", "li > i.amount", "section b", ":scope > p", "", "a[title], p"):
            if selector:
                each = [css.select(scope, selector) if scope is not None else [] for scope in scopes]
                assert below.select(selector) == each
