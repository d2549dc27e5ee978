"""Pages that these tests wrote, and a reader that takes a group's values with bs4 as a generated program would."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from bs4 import BeautifulSoup, NavigableString, Tag

from scrapewright.query.reading import Column, Reading
from scrapewright.survey.decode import parse
from scrapewright.survey.model import Group, Slot, Survey
from scrapewright.survey.survey import groups_of, surveyed
from scrapewright.web.page import Page

HTML = "text/html; charset=utf-8"


def page(body: str | bytes, url: str = "http://shop.test/list", content_type: str = HTML, status: int = 200) -> Page:
    data = body.encode() if isinstance(body, str) else body
    return Page(url, url, status, {"content-type": content_type}, data)


def survey_pages(query: Reading, pages: Sequence[Page]) -> Survey:
    """The survey of a query's start pages. The groups are those of the first page; nothing is fetched."""
    documents = [parse(page) for page in pages]
    return Survey(
        pages=tuple(surveyed(page, document) for page, document in zip(pages, documents, strict=True)),
        groups=groups_of(query, documents[0]),
        base=documents[0].base,
    )


def query(*fields: str, **more: Any) -> Reading:
    """Fields as "name" or "name:type"."""
    made = []
    for text in fields:
        name, _, kind = text.partition(":")
        made.append(Column(name, kind or None))  # type: ignore[arg-type]
    return Reading(urls=("http://shop.test/list",), columns=tuple(made), **more)


def squeeze(text: str) -> str:
    return " ".join(text.split())


def value(tag: Tag, slot: Slot) -> str:
    if slot.attr == "text":
        if slot.own:
            return squeeze(" ".join(str(c) for c in tag.contents if type(c) is NavigableString))
        return squeeze(tag.get_text(" "))
    if slot.attr == "tail":
        after = tag.next_sibling
        return squeeze(str(after)) if isinstance(after, NavigableString) else ""
    if slot.attr == "head":
        first = tag.contents[0] if tag.contents else None
        return squeeze(str(first)) if isinstance(first, NavigableString) else ""
    found = tag.get(slot.attr)
    if slot.attr == "class" and slot.vocabulary:
        return next((word for word in found or [] if word in slot.vocabulary), "")
    return squeeze(" ".join(found) if isinstance(found, list) else str(found or ""))


def rows(body: str | bytes, group: Group) -> list[dict[str, Any]]:
    """The group's records with every slot's value, read by bs4 and soupsieve alone."""
    soup = BeautifulSoup(body, "xml" if group.kind == "feed" else "lxml")
    order = {id(tag): number for number, tag in enumerate(soup.find_all(True))}
    records = soup.select(group.selector)
    records = records[group.skip[0] : len(records) - group.skip[1]]
    out = []
    for record in records:
        row: dict[str, Any] = {}
        for slot in group.slots:
            selector, scope = slot.selector, record
            if selector.startswith("^ "):
                before = [tag for tag in soup.select(selector[2:]) if order[id(tag)] < order[id(record)]]
                row[slot.id] = value(before[-1], slot) if before else ""
                continue
            while selector.startswith("+ ") and scope is not None:
                selector, scope = selector[2:], scope.find_next_sibling()
            found = [] if scope is None else [scope] if not selector else scope.select(selector)
            if slot.many:
                row[slot.id] = [text for tag in found if (text := value(tag, slot))]
            else:
                row[slot.id] = value(found[slot.index], slot) if slot.index < len(found) else ""
        out.append(row)
    return out


def column(body: str | bytes, group: Group, wanted: list[Any]) -> Slot | None:
    """The slot of a group whose values are exactly the wanted ones, None where there is none."""
    read = rows(body, group)
    for slot in group.slots:
        if [row[slot.id] for row in read] == wanted:
            return slot
    return None


def products(count: int, start: int = 1, *, odd: bool = False) -> str:
    """A list of articles; every third one lacks a price, and the classes alternate where `odd`."""
    parts = []
    for n in range(start, start + count):
        price = "" if n % 3 == 0 else f'<p class="price">£{n}.50</p>'
        stripe = f" row-{'odd' if n % 2 else 'even'}" if odd else ""
        parts.append(
            f'<article class="product{stripe}"><h3>'
            f'<a href="/item/{n}" title="Thing number {n} of many">Thing number…</a></h3>'
            f'<p class="stars {("One", "Two", "Three")[n % 3]}"></p>{price}'
            f"<ul>{''.join(f'<li><a class=tag href=/t/{k}>t{k}</a></li>' for k in range(n % 4))}</ul></article>"
        )
    return "".join(parts)


def shell(inner: str, head: str = "") -> str:
    nav = "".join(f'<li><a href="/c/{n}">Category {n}</a></li>' for n in range(8))
    return (
        f"<!doctype html><html lang=en><head><meta charset=utf-8><title>A shop</title>{head}</head><body>"
        f"<nav><ul>{nav}</ul></nav><main>{inner}</main><footer><p>Imprint</p></footer></body></html>"
    )


def dumps(value_: Any) -> str:
    return json.dumps(value_)
